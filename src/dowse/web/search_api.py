"""Full-text search in a crawl. The first search makes the index; until that is done, what it has is searched."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dowse.core.errors import CrawlError
from dowse.core.search_results import Search
from dowse.crawls.crawl_search import ask, search_filter
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here
from dowse.web.inside_values import FoundPage, SearchResult
from dowse.web.served_folders import Place
from dowse.workflows.fresh_indexes import FreshIndexes

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

Text = Annotated[str, Query(max_length=500)]


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
    indexes: FreshIndexes = request.app.state.indexes
    ready = indexes.ready([place.directory])
    progress = ready.under_way.get(place.directory)
    if not ready.directories and progress is None:
        raise CrawlError("; ".join(ready.notes))
    found = ask(ready.directories, words, which, limit) if ready.directories else Search("", 0, (), [])
    return SearchResult(
        found=[FoundPage.model_validate(each) for each in found.found],
        total=found.total,
        understood=found.understood,
        notes=[*found.notes, *(ready.notes if progress is None else ())],
        indexing=progress,
    )
