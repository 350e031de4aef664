"""What commands print of a crawl for files: what it found, how much may be left, and why there is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.cli.found_output import count_text, left_json, shown_rows
from dowse.cli.wording import printable, shortened, size_text
from dowse.core.files import extension_of, wanted_files
from dowse.core.job import FilesOptions

if TYPE_CHECKING:
    from dowse.app import Crawl

MOST_TYPES = 12
_PAGES = frozenset({"html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "do", "cgi", "cfm"})
_MOST_LETTERS = 8
"""Of an extension; what is longer is the end of a name with a dot in it."""


def files_text(crawl: Crawl) -> Iterator[str]:
    """The first files, how many there are, and what the numbers say of those that are left."""
    for row in shown_rows(crawl.files):
        yield f"  {size_text(row['size']):>10}  {printable(shortened(row['file'] or row['url'], 66))}"
    size = size_text(sum(row["size"] for row in crawl.files))
    yield from count_text(crawl.standing(), crawl.directory / "files.csv", "files", size, "answers")


def files_json(crawl: Crawl) -> dict[str, Any]:
    """The same for programs."""
    standing = crawl.standing()
    return {"files": standing.prospect.matched, **left_json(standing)}


def why_no_files(crawl: Crawl) -> str:
    """What a crawl that found no file saw in place of them; "" if it found one."""
    if crawl.standing().prospect.matched:
        return ""
    seen, failed = links_seen(crawl)
    told = ["no file of these types was found"]
    if failed:
        told.append(f"links to such files failed: {_numbered(failed)}")
    if seen:
        told.append(f"links that were seen lead to {_numbered(seen)}")
    elif not failed:
        told.append("there is no link to any other either; try another start, or more --max-pages")
    return "; ".join(told)


def links_seen(crawl: Crawl) -> tuple[Counter[str], Counter[str]]:
    """The extensions of links that are not pages, and why links that name a wanted file failed.

    What was fetched where there is no file was a page, whatever its name.
    """
    strategy = crawl.job.strategy
    assert isinstance(strategy, FilesOptions)
    wanted = wanted_files(strategy)
    seen: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for row in crawl.ledger:
        if row["state"] == "out_of_scope":
            seen[extension_of(row["url"])] += 1
        elif row["state"] == "failed" and wanted.names(row["url"]):
            failed[row["reason"]] += 1
    return Counter({name: number for name, number in seen.items() if _is_type(name)}), failed


def _is_type(name: str) -> bool:
    return bool(name) and name not in _PAGES and len(name) <= _MOST_LETTERS


def _numbered(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ({number:,})" for name, number in counts.most_common(MOST_TYPES))
