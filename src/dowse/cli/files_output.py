"""What commands print of a crawl for files: what it found, how much may be left, and why there is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from dowse.cli.words import printable, shortened, size_text
from dowse.core.files import extension_of

if TYPE_CHECKING:
    from dowse.app import Crawl

MOST_FILES = 10
MOST_TYPES = 12
_PAGES = frozenset({"html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "do", "cgi", "cfm"})
_MOST_LETTERS = 8
"""Of an extension; what is longer is the end of a name with a dot in it."""


def files_text(crawl: Crawl) -> Iterator[str]:
    """The first files, how many there are, and what the numbers say of those that are left."""
    standing = crawl.standing()
    found = standing.prospect
    for row in islice(crawl.files, MOST_FILES):
        yield f"  {size_text(row['size']):>10}  {printable(shortened(row['file'] or row['url'], 100))}"
    if found.matched > MOST_FILES:
        yield f"  and {found.matched - MOST_FILES:,} more in {crawl.directory / 'files.csv'}"
    yield ""
    size = sum(row["size"] for row in crawl.files)
    yield f"{'files':<40}{found.matched:>12,}   {size_text(size)}"
    yield f"{f'  of the last {found.window:,} answers':<40}{found.recent:>12,}"
    if found.matched and standing.waiting:
        left = round(found.total - found.matched)
        yield f"{'  estimated to be left':<40}{left:>12,}   behind {standing.waiting:,} links that wait"
    yield ""


def files_json(crawl: Crawl) -> dict[str, Any]:
    """The same for programs."""
    found = crawl.standing().prospect
    return {"files": found.matched, "estimated_left": round(found.total - found.matched)}


def why_no_files(crawl: Crawl) -> str:
    """What a crawl that found no file saw in place of them; "" if it found one."""
    if crawl.standing().prospect.matched:
        return ""
    seen = types_seen(crawl)
    if not seen:
        return "no file of these types was found, nor a link to any other; try another start, or more --max-pages"
    shown = ", ".join(f"{name} ({number:,})" for name, number in seen.most_common(MOST_TYPES))
    return f"no file of these types was found; links that were seen lead to {shown}"


def types_seen(crawl: Crawl) -> Counter[str]:
    """The extensions of all links that are not pages."""
    names = (extension_of(row["url"]) for row in crawl.ledger if row["state"] in ("out_of_scope", "failed", "fetched"))
    return Counter(name for name in names if name and name not in _PAGES and len(name) <= _MOST_LETTERS)
