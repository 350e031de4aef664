"""What the API gives of the inside of a crawl, and of how it stands this moment."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from dowse.web.api_values import LedgerCount, Value


class ShownVisit(Value):
    """An answer or a failure, and what it made of its URL."""

    url: str
    state: str
    reason: str
    status: int
    failure: str
    detail: str
    title: str
    size: int
    elapsed: float
    fetched_at: float


class ShownHost(BaseModel):
    """A host: its pages, the URLs that wait for it, the seconds between two requests, and why they are so many."""

    name: str
    pages: int
    waiting: int
    delay: float
    next_request: float
    note: str


class Failure(BaseModel):
    """The URLs that failed alike: how many, and the first of them with what was said and where they are linked."""

    reason: str
    count: int
    examples: list[tuple[str, str, str]]


class Live(BaseModel):
    """A crawl at this moment. `rate` is answers a second; `log` is what its process printed last."""

    state: str
    stop_reason: str
    pages: int
    waiting: int
    failed: int
    size: int
    elapsed: float
    rate: float
    discovered: int
    ledger: list[LedgerCount]
    hosts: list[ShownHost]
    newest: list[ShownVisit]
    failures: list[Failure]
    acts: list[str]
    log: list[str]


class TableName(BaseModel):
    """A table of a crawl; `formats` are those it can be had in as a file."""

    name: str
    formats: list[str]


class TableNames(BaseModel):
    """The tables of a crawl."""

    tables: list[TableName]


class TableRows(BaseModel):
    """Some rows of a table. `kinds` says what each column holds, `total` how many rows match."""

    columns: list[str]
    kinds: dict[str, str]
    rows: list[list[Any]]
    total: int
    offset: int
    sortable: bool


class StepOfPath(BaseModel):
    """One URL on the way from a seed, how it was come by, and what decided there: pairs of a name and a text."""

    url: str
    title: str
    anchor: str
    depth: int
    was_sent: bool
    state: str
    reason: str
    facts: list[tuple[str, str]]


class AskedPage(BaseModel):
    """A page that a crawl is not sure of, with lines of its text."""

    url: str
    title: str
    relevance: float
    lines: list[str]


class LabelledPage(BaseModel):
    """A page of which a person said whether it is on topic."""

    url: str
    title: str
    wanted: bool


class ShownLabels(BaseModel):
    """How many pages are on topic by now, which ones a person may be asked about, and what was said so far."""

    topic: str
    matched: int
    pages: int
    asked: list[AskedPage]
    said: list[LabelledPage]


class LabelSaid(BaseModel):
    """What is said of a page: that it is on topic, that it is not, or nothing after all (null)."""

    url: str = Field(min_length=1, max_length=4000)
    wanted: bool | None


class StoryOfUrl(BaseModel):
    """The story of a URL: the way to it, and all lines that `dowse why` prints."""

    url: str
    state: str
    reason: str
    path: list[StepOfPath]
    lines: list[tuple[str, str]]
    text: str


class Node(BaseModel):
    """A page of the link graph, and where it is drawn."""

    url: str
    title: str
    depth: int
    kind: str
    score: float | None
    links: int
    x: float
    y: float


class GraphShown(BaseModel):
    """Pages and the links among them, as pairs of places in the list of pages. `kinds` are those there are."""

    nodes: list[Node]
    edges: list[tuple[int, int]]
    kinds: list[str]
    scored: bool
    width: float
    height: float


class CopyGroups(BaseModel):
    """Pages with their copies; each copy is a URL and how it was told that it is one."""

    groups: list[GroupOfCopies]
    total: int
    offset: int


class GroupOfCopies(Value):
    """A page and its copies; of many only the first are named."""

    url: str
    title: str
    copies: int
    named: list[tuple[str, str]]


class FoundPage(Value):
    """A page that a search found; `marks` are where in the snippet the words are."""

    url: str
    title: str
    snippet: str
    marks: list[tuple[int, int]]
    score: float
    site: str
    type: str
    language: str
    date: float | None
    fetched_at: float
    relevance: float | None


class SearchResult(BaseModel):
    """What a search found. `indexing` is how far the index is while it is being made: pages read, and all of them."""

    found: list[FoundPage]
    total: int
    understood: str
    notes: list[str]
    indexing: tuple[int, int] | None = None


class ShownChange(BaseModel):
    """A change that a recrawl found. `lines` are parts of the text: whether they were there before, came, or stayed."""

    number: int
    at: float
    kind: str
    what: str
    url: str
    title: str
    before: str | None
    after: str | None
    lines: list[list[tuple[Literal["same", "added", "removed"], str]]]
    lack: str


class ShownChanges(BaseModel):
    """Changes, the newest first."""

    changes: list[ShownChange]
    total: int
    offset: int
    visited_again: bool


CopyGroups.model_rebuild()
