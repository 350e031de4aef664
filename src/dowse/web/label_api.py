"""What a person says of pages: which pages a crawl is least sure of, what was said of others, and saying it."""

from __future__ import annotations

from fastapi import APIRouter

from dowse.core.errors import CrawlError
from dowse.crawl import Crawl
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here, Lines
from dowse.web.inside_values import AskedPage, LabelledPage, LabelSaid, ShownLabels

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

MOST_ASKED = 10
_WIDTH = 120


@ROUTER.get("/crawls/{crawl_id}/labels", responses=CRAWL_PROBLEMS)
def get_labels(place: Here, folders: Folders) -> ShownLabels:
    """The pages that a crawl for a topic is least sure of, and what was said of others, the last first."""
    with folders.open(place.id) as crawl:
        return labels_of(crawl)


@ROUTER.post("/crawls/{crawl_id}/labels", responses=CRAWL_PROBLEMS)
def say_label(place: Here, folders: Folders, lines: Lines, said: LabelSaid) -> ShownLabels:
    """Say of a page whether it is on topic. All pages are judged anew by that."""
    with folders.open(place.id) as crawl:
        crawl.label(said.url, said.wanted)
    lines.forget(place)
    with folders.open(place.id) as crawl:
        return labels_of(crawl)


def labels_of(crawl: Crawl) -> ShownLabels:
    """The same of a crawl that is open."""
    topic = crawl.topic  # only crawls that have one can be asked
    if not crawl.mode.takes_labels(crawl.job):
        raise CrawlError("only pages that are judged by the scorer relevance can be labelled")
    standing = crawl.standing()
    return ShownLabels(
        topic=topic,
        matched=standing.prospect.matched,
        pages=standing.prospect.pages,
        asked=[
            AskedPage(url=url, title=title, relevance=relevance, lines=crawl.lines_about(url, _WIDTH))
            for url, title, relevance in crawl.unsure(MOST_ASKED)
        ],
        said=[LabelledPage(url=url, title=title, wanted=wanted) for url, title, wanted in crawl.labels()],
    )
