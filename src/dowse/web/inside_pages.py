"""The pages of what is inside of a crawl: its tables, stories, graph, copies, changes, search and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dowse.core.errors import DowseError, JobError
from dowse.crawl import Crawl
from dowse.export.formats import FORMATS, ROWS
from dowse.store.reading.survey_records import survey_records
from dowse.store.reading.table_window import Window
from dowse.web.api_values import CrawlLine
from dowse.web.change_api import changes_of
from dowse.web.crawl_api import Folders, Here, Lines
from dowse.web.crawl_table_api import SHOWN, Offset, Words, get_copies, rows_of, shown_rows, table_names
from dowse.web.html_answers import page
from dowse.web.label_api import labels_of
from dowse.web.search_api import found_pages
from dowse.web.story_api import USUAL_NODES, Most, Url, graph_of, story_of

ROUTER = APIRouter(include_in_schema=False)

ROWS_SHOWN = 50
_MOST_TEXT = 20_000
_VIEWS = (("graph", "Link graph"), ("copies", "Copies"), ("changes", "Changes"), ("schedule", "Schedule"),
          ("downloads", "Downloads"))  # fmt: skip

ABOUT_TABLES = {
    "kept": "links that the rules keep",
    "followed": "links that the rules follow",
    "matched": "pages about the topic",
    "crawled": "pages that were fetched, with their relevance",
    "waiting": "URLs that are next in turn",
    "files": "files that were found: where each lies, its type, the words of its link",
    "forms": "search forms",
    "queries": "questions that were sent to the forms",
    "sites": "sites of the forms",
    "threads": "threads of the forum",
    "posts": "posts of the forum, with author and time",
    "boards": "boards of the forum",
    "pages": "pages that were fetched: address, title, size, date",
    "links": "links of each page",
    "nodes": "the link graph: its pages",
    "edges": "the link graph: links from page to page",
    "records": "fields and records that were taken from pages",
    "tables": "tables that were taken from pages",
    "ledger": "every URL that was found, with what became of it",
    "changes": "what visits since the first found changed",
    "bodies": "the pages as servers sent them, as web archives",
    "markdown": "the main text of each page",
    "mirror": "a copy to browse offline",
    "all": "all tables in one file",
}
"""What is in each table, for people who meet its name for the first time."""

Text = Annotated[str, Query(max_length=1000)]


def frame_of(crawl: Crawl, line: CrawlLine, here: str = "") -> dict[str, Any]:
    """What is around every page of a crawl: its line, and the tabs. `here` is the tab that is open."""
    base = f"/crawls/{line.id}"
    tables = [name for name in table_names(crawl) if name not in ("ledger", "links")]
    if "pages" in tables:
        tables.insert(0, tables.pop(tables.index("pages")))
    tabs = [("", "Overview", base), ("search", "Search", f"{base}/search")]
    if crawl.mode.takes_labels(crawl.job):
        tabs.append(("labels", "On topic?", f"{base}/labels"))
    tabs += [(name, name.capitalize(), f"{base}/tables/{name}") for name in tables]
    tabs += [(name, label, f"{base}/{name}") for name, label in _VIEWS]
    return {"crawl": line, "tabs": tabs, "tab": here}


def addresses(path: str, asked: Mapping[str, Any]) -> Callable[..., str]:
    """Makes the address of the same page with something asked for otherwise."""

    def address(**changes: Any) -> str:
        kept = {name: text for name, text in {**asked, **changes}.items() if text}
        return f"{path}?{urlencode(kept)}"

    return address


@ROUTER.get("/crawls/{crawl_id}/tables/{table}")
def table(
    request: Request,
    place: Here,
    table: str,
    lines: Lines,
    folders: Folders,
    offset: Offset = 0,
    sort: Text = "",
    descending: bool = False,
    words: Words = "",
    column: Text = "",
    value: Text = "",
) -> Response:
    """A table, a screen at a time."""
    equal = {column: value} if column else {}
    window = Window(offset, ROWS_SHOWN, sort, descending, words, equal, SHOWN.get(table, ()))
    with folders.open(place.id) as crawl:
        rows = shown_rows(rows_of(crawl, table, window), offset)
        groups = survey_records(crawl.reader.connection) if table == "records" else []
        values = frame_of(crawl, lines.of(place), here=table)
        others = table_names(crawl)
    asked = {"sort": sort, "descending": "true" if descending else "", "words": words, "column": column, "value": value}
    address = addresses(f"/crawls/{place.id}/tables/{table}", asked)
    values |= {"table": table, "tables": others, "rows": rows, "asked": asked, "address": address, "groups": groups}
    return page(request, "table.html", **values, step=ROWS_SHOWN)


@ROUTER.get("/crawls/{crawl_id}/story")
def story(request: Request, place: Here, lines: Lines, folders: Folders, url: Url) -> Response:
    """The story of one URL as a picture, and what is stored there."""
    with folders.open(place.id) as crawl:
        told = story_of(crawl, url)
        values = frame_of(crawl, lines.of(place), here="pages")
        text, lack = _stored_text(crawl, told.url)
    return page(request, "story.html", **values, story=told, text=text, lack=lack)


def _stored_text(crawl: Crawl, url: str) -> tuple[str, str]:
    """What is stored of a page, as text, or why it cannot be shown."""
    try:
        found = crawl.page(url)
        return found.markdown[:_MOST_TEXT], ""
    except DowseError as error:
        return "", str(error)


@ROUTER.get("/crawls/{crawl_id}/graph")
def graph(
    request: Request,
    place: Here,
    lines: Lines,
    folders: Folders,
    most: Most = USUAL_NODES,
) -> Response:
    """The link graph, drawn."""
    with folders.open(place.id) as crawl:
        shown = graph_of(crawl, most, None)
        values = frame_of(crawl, lines.of(place), here="graph")
    families = {kind: min(place, 8) for place, kind in enumerate(shown.kinds)}
    return page(request, "graph.html", **values, graph=shown, families=families, most=most)


@ROUTER.get("/crawls/{crawl_id}/copies")
def copies(request: Request, place: Here, lines: Lines, folders: Folders, offset: Offset = 0) -> Response:
    """Pages that are the same under several URLs."""
    with folders.open(place.id) as crawl:
        values = frame_of(crawl, lines.of(place), here="copies")
    links = addresses(f"/crawls/{place.id}/copies", {})
    return page(request, "copies.html", **values, found=get_copies(place, folders, offset), step=25, links=links)


@ROUTER.get("/crawls/{crawl_id}/changes")
def changes(
    request: Request,
    place: Here,
    lines: Lines,
    folders: Folders,
    kind: Text = "",
    since: Text = "",
    offset: Offset = 0,
) -> Response:
    """What recrawls found changed."""
    with folders.open(place.id) as crawl:
        found = changes_of(crawl, kind, since, offset, 20)
        values = frame_of(crawl, lines.of(place), here="changes")
    asked = {"kind": kind, "since": since}
    links = addresses(f"/crawls/{place.id}/changes", asked)
    return page(request, "told_changes.html", **values, **asked, found=found, step=20, links=links)


@ROUTER.get("/crawls/{crawl_id}/search")
def search(
    request: Request,
    place: Here,
    lines: Lines,
    folders: Folders,
    q: Annotated[str, Query(max_length=500)] = "",
    site: Text = "",
    type: Text = "",  # noqa: A002  # as the option is called
    since: Text = "",
    until: Text = "",
) -> Response:
    """The search box, and what it found."""
    with folders.open(place.id) as crawl:
        values = frame_of(crawl, lines.of(place), here="search")
    limits = {"site": site, "types": type, "since": since, "until": until}
    found, trouble = None, ""
    try:
        found = found_pages(request, place, q, 20, **limits) if q.strip() else None
    except JobError as error:  # such as a date that is none: the form stays as it was filled in
        trouble = str(error)
    return page(request, "search.html", **values, q=q, limits=limits, found=found, trouble=trouble)


@ROUTER.get("/crawls/{crawl_id}/labels")
def labels(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """What a person says of the pages of a crawl for a topic."""
    with folders.open(place.id) as crawl:
        found = labels_of(crawl)
        values = frame_of(crawl, lines.of(place), here="labels")
    return page(request, "labels.html", **values, labels=found)


@ROUTER.get("/crawls/{crawl_id}/downloads")
def downloads(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """Everything that a crawl can be had as."""
    with folders.open(place.id) as crawl:
        values = frame_of(crawl, lines.of(place), here="downloads")
        names = dict.fromkeys((*crawl.mode.tables, *FORMATS))
    exports = [(name, ABOUT_TABLES.get(name, ""), FORMATS.get(name, ROWS)) for name in names]
    return page(request, "downloads.html", **values, exports=exports)
