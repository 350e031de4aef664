"""Searches as the command prints them."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.cli.terminal import say_in_bold
from dowse.cli.wording import WIDTH, counted, poured, printable, shortened, shortened_url, wrapped
from dowse.core.search_results import Found, Search

if TYPE_CHECKING:
    from dowse.crawls.stored_index import Updated

_INDENT = 4
_MARKS = ("\ue000", "\ue001")
"""What stands around a word until lines are broken; it takes no column, and no page means anything by it."""


def search_json(result: Search, words: str) -> dict[str, Any]:
    """A search for programs."""
    return {"words": words, **to_builtins(result)}


def print_search(result: Search, *, several: bool) -> None:
    """Print what was found; on a terminal the words are bold, elsewhere they stand between asterisks."""
    marks = _MARKS if sys.stdout.isatty() else ("*", "*")
    for line in search_text(result, marks, several=several):
        say_in_bold(line, *_MARKS)


def search_text(result: Search, marks: tuple[str, str], *, several: bool) -> Iterator[str]:
    """The pages that were found, with marks before and after the words."""
    for note in result.notes:
        yield wrapped(f"note: {printable(note)}", 2)
    if result.found:
        yield wrapped(f"{counted(result.total, 'page')}: {printable(result.understood)}", 2)
    for number, found in enumerate(result.found, 1):
        yield ""
        yield from _page(number, found, marks, several=several)
    if result.total > len(result.found) > 0:
        yield ""
        yield f"{result.total - len(result.found):,} more: --limit {2 * len(result.found)}"


def _page(number: int, found: Found, marks: tuple[str, str], *, several: bool) -> Iterator[str]:
    yield f"{number:>2}. {shortened(printable(found.title) or '(no title)', WIDTH - _INDENT)}"
    yield f"{'':{_INDENT}}{shortened_url(printable(found.url), WIDTH - _INDENT)}"
    if found.snippet:
        yield f"{'':{_INDENT}}" + poured(printable(found.marked(*marks)), _INDENT)
    facts = [time.strftime("%Y-%m-%d", time.gmtime(found.date)) if found.date is not None else "", found.type]
    facts += [f"relevance {found.relevance:.2f}" if found.relevance is not None else "", found.crawl if several else ""]
    yield f"{'':{_INDENT}}" + ", ".join(filter(None, facts))


def nothing_found(result: Search, words: str, others: int) -> str:
    """What is said where no page has the words; `others` have them and are filtered out."""
    understood = f" (read as: {result.understood})" if result.understood not in ("", words) else ""
    left_out = f"; {counted(others, 'page')} would be without --site, --type and the like" if others else ""
    return f"no page was found for {words!r}{understood}{left_out}"


def indexed(folder: str, done: Updated) -> str:
    """What was done to an index."""
    if not done.read and not done.removed and not done.lack:
        return f"{folder}: the search index is up to date"
    gone = f", {counted(done.removed, 'page')} taken out" if done.removed else ""
    return f"{folder}: {counted(done.read, 'page')} read for the search index{gone}"


def lacking(folder: str, lack: str) -> str:
    """Why pages may be missing."""
    return wrapped(f"notice: {shlex.quote(folder)}: {lack}", 2)


def written(rows: int, file: str) -> str:
    return f"{file}: {counted(rows, 'page')}"
