"""What recrawls found changed, the newest first, with the text that changed word by word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from dowse.core.revisits.changes import Change
from dowse.crawl import Crawl
from dowse.crawls.stored_changes import change_text
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here
from dowse.web.inside_values import ShownChange, ShownChanges

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])
_MOST_LINES = 12


@ROUTER.get("/crawls/{crawl_id}/changes", responses=CRAWL_PROBLEMS)
def get_changes(
    place: Here,
    folders: Folders,
    kind: Annotated[str, Query(max_length=100)] = "",
    since: Annotated[str, Query(max_length=100)] = "",
    what: Annotated[str, Query(max_length=100)] = "",
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> ShownChanges:
    """Changes of pages, records, files and kept links, as `dowse changes` tells them."""
    with folders.open(place.id) as crawl:
        return changes_of(crawl, kind, since, offset, limit, what)


def changes_of(crawl: Crawl, kind: str, since: str, offset: int, limit: int, what: str = "") -> ShownChanges:
    """The same of a crawl that is open."""
    wanted = crawl.asked(since or None, kind or (), what or ())
    total, changes = crawl.newest_changes(wanted, offset, limit)
    return ShownChanges(
        changes=[_shown(change) for change in changes],
        total=total,
        offset=offset,
        visited_again=crawl.was_visited_again,
    )


def _shown(change: Change) -> ShownChange:
    lines = [[(piece.kind, piece.text) for piece in passage.pieces] for passage in change.passages[:_MOST_LINES]]
    return ShownChange(
        number=change.number,
        at=change.at,
        kind=change.kind,
        what=change.what,
        url=change.url,
        title=change.title,
        before=None if lines else change_text(change, "before"),
        after=None if lines else change_text(change, "after"),
        lines=lines,  # type: ignore[arg-type]
        lack=change.lack,
    )
