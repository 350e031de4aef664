"""What the crawl of a forum made of one URL, for `dowse why`: its pattern, what came of it, and what the page is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.core.phrasing import counted
from dowse.modes.forum.plain_urls import plain_by
from dowse.modes.forum.site_patterns import GOOD
from dowse.modes.forum.stored_patterns import stored_patterns

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.store.reading.stories import Story

_TASK = "SELECT task.url, host.name FROM task JOIN host ON host.id = task.site WHERE task.id = ?"
_PAGE = "SELECT type, note FROM forum_page WHERE task = ?"
_TYPES = {"index": "a page that lists boards or threads", "thread": "a thread", "other": "neither board nor thread"}


def facts(crawl: Crawl, number: int) -> dict[str, Any]:
    """The pattern of a URL, how many pages of it came and were wanted, and the type of its own page."""
    connection = crawl.reader.connection
    found, site = connection.execute(_TASK, (number,)).fetchone()
    url = plain_by(crawl.job.urls)(found)
    told: dict[str, Any] = {"pattern": "", "pattern_pages": 0, "pattern_wanted": 0, "is_view": False, "likely": None}
    patterns = stored_patterns(connection, {}).get(site)
    if patterns is not None:
        form = patterns.forms.form(url)
        known = patterns.known(form)
        told |= {"pattern": form, "pattern_pages": round(known.number), "pattern_wanted": round(known.wanted)}
        told["is_view"] = patterns.is_view(url)
    held = connection.execute("SELECT prior FROM forum_link WHERE url = ?", (url,)).fetchone()
    page = connection.execute(_PAGE, (number,)).fetchone() or ("", "")
    return {**told, "likely": held[0] if held else None, "page_type": page[0], "note": page[1]}


def story_lines(story: Story) -> Iterator[tuple[str, str]]:
    """The same as names and values."""
    told = story.facts
    if told["page_type"]:
        yield "page type", _TYPES[told["page_type"]] + (f"; {told['note']}" if told["note"] else "")
    if told["pattern"]:
        yield "pattern", told["pattern"]
        yield "decision", _decision(told)


def _decision(told: dict[str, Any]) -> str:
    """Why URLs of the pattern are followed or not."""
    pages, wanted = told["pattern_pages"], told["pattern_wanted"]
    if pages:
        is_good = wanted >= GOOD * pages
        result = "so it is followed" if is_good else "so it is not followed"
        if is_good and not told["page_type"] and told["is_view"]:
            return "it only adds parameters to a page of the crawl, so it is not followed"
        return f"{counted(pages, 'page')} of this pattern came, {wanted} of them boards or threads; {result}"
    if told["is_view"]:
        return "it only adds parameters to a page of the crawl, so it is not followed"
    likely = f" ({told['likely']:.2f} of {GOOD} needed)" if told["likely"] is not None else ""
    return f"no page of this pattern was tried; the link does not look like one to a board or thread{likely}"
