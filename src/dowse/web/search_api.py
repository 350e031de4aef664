"""Full-text search in a crawl. The first search makes the index; until that is done, what it has is searched."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request

from dowse.core.errors import DowseError
from dowse.crawl import read
from dowse.crawl_search import ask, search_filter
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here
from dowse.web.served_folders import Place
from dowse.web.view_values import FoundPage, SearchResult

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

_PATIENCE = 1.5
"""Seconds that a search waits for the index before it answers from what there is."""

Text = Annotated[str, Query(max_length=500)]


class Indexing:
    """The indexes that are being made, one thread each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Path, _Index] = {}

    def bring_up_to_date(self, directory: Path) -> tuple[int, int] | None:
        """See to the index of a crawl; the answer is how far it is, None if it is done. Raises what went wrong."""
        with self._lock:
            index = self._running.get(directory)
            if index is None:
                index = self._running[directory] = _Index(directory)
                index.thread.start()
        index.thread.join(_PATIENCE)
        if index.thread.is_alive():
            return index.done
        with self._lock:
            if self._running.get(directory) is index:
                del self._running[directory]
        if index.trouble is not None:
            raise index.trouble
        return None


class _Index:
    def __init__(self, directory: Path) -> None:
        self.done = (0, 0)
        self.trouble: DowseError | None = None
        self.thread = threading.Thread(target=self._make, args=(directory,), name="index", daemon=True)

    def _make(self, directory: Path) -> None:
        try:
            with read(directory) as crawl:
                crawl.index(self._told)
        except DowseError as error:
            self.trouble = error

    def _told(self, done: int, whole: int) -> None:
        self.done = (done, whole)


@ROUTER.get("/crawls/{crawl_id}/search", responses=CRAWL_PROBLEMS)
def search(
    request: Request,
    place: Here,
    folders: Folders,
    q: Text,
    site: Text = "",
    type: Text = "",  # noqa: A002  # as the option is called
    since: Text = "",
    until: Text = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SearchResult:
    """The pages of a crawl that have these words, the best first. Nothing that is typed is an error."""
    return found_pages(request, place, q, limit, site=site, types=type, since=since, until=until)


def found_pages(
    request: Request, place: Place, words: str, limit: int, *, site: str, types: str, since: str, until: str
) -> SearchResult:
    """The same for a page."""
    which = search_filter(site, [each for each in types.split(",") if each], since or None, until or None)
    if not hasattr(request.app.state, "indexing"):
        request.app.state.indexing = Indexing()
    progress = request.app.state.indexing.bring_up_to_date(place.directory)
    found = ask([place.directory], words, which, limit)
    return SearchResult(
        found=[FoundPage.model_validate(each) for each in found.found],
        total=found.total,
        understood=found.understood,
        notes=list(found.notes),
        indexing=progress,
    )
