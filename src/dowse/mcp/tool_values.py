"""What the tools give, as typed values: clients get their schemas, and so do the models that read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dowse.mcp.web_text import NOTICE

Crawl = Annotated[str, Field(description="The crawl, by its id of list_crawls, or its name if only one has it.")]
Time = Annotated[str | None, Field(description="In UTC, as ISO 8601.")]


def moment(seconds: float | None) -> str | None:
    """Seconds since 1970 as models read them best.

    >>> moment(0.0)
    '1970-01-01T00:00:00Z'
    """
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class FromWeb(BaseModel):
    """An answer that has texts of web pages in it."""

    notice: Annotated[str, Field(description="How to take the texts in this answer.")] = NOTICE


class CrawlRow(BaseModel):
    """A crawl: a folder of pages that were fetched."""

    crawl: str = Field(description="Its id, by which other tools know it.")
    name: str = Field(description="The name of its folder.")
    mode: str = Field(description="How it was made: site, rules, focus, files, forms or forum.")
    state: str = Field(description="running, done, paused, stopped (both can be resumed) or killed.")
    seeds: list[str] = Field(description="The first of the URLs that it started from.")
    pages: int = Field(description="Pages that were fetched.")
    waiting: int = Field(description="URLs that are known and were not fetched yet.")
    failed: int
    changed_at: Time = Field(description="When something was last written to it.")
    trouble: str = Field("", description="Why it cannot be read, if it cannot.")


class CrawlList(FromWeb):
    """All crawls that are served."""

    crawls: list[CrawlRow]


class FoundPage(BaseModel):
    """A page that has the words."""

    crawl: str
    url: str
    title: str
    snippet: str = Field(description="The part of its text that has the words, which stand between ** and **.")
    date: Time = Field(description="The day that the page states.")
    fetched_at: Time
    type: str
    language: str
    relevance: float | None = Field(description="To the topic of its crawl, 0 to 1, if that has one.")
    score: float


class SearchAnswer(FromWeb):
    """The best pages first."""

    understood: str = Field(description="How the words were read.")
    total: int = Field(description="How many pages there are in all.")
    notes: list[str] = Field(description="What has to be said of the search.")
    pages: list[FoundPage]


class PageText(FromWeb):
    """A part of a page as Markdown."""

    crawl: str
    url: str = Field(description="Where it was fetched, to cite as the source.")
    title: str
    fetched_at: Time
    date: str = Field(description="The day that the page states, in its own spelling; empty if it states none.")
    language: str
    status: int = Field(description="Of HTTP.")
    media_type: str
    start: int = Field(description="Where in the whole text this part begins, in characters.")
    length: int = Field(description="Characters of the whole text.")
    next_start: int | None = Field(description="The start of the next part; null if this is the last one.")
    markdown: str


class Parent(BaseModel):
    """A page that links to a URL, and with which words."""

    url: str
    anchor: str


class UrlStory(FromWeb):
    """What a crawl knows of a URL, and why it did or did not take it."""

    crawl: str
    url: str
    state: str
    reason: str
    depth: int
    linked_from: list[Parent]
    story: str = Field(description="The whole story in lines, for people.")


class ChangeRow(BaseModel):
    """One change that a recrawl found."""

    at: Time
    kind: str = Field(description="added, changed, removed, moved or unreachable.")
    what: str = Field(description="page, record, file or kept.")
    url: str
    title: str
    before: Any = None
    after: Any = None


class ChangeList(FromWeb):
    """Changes, the latest first."""

    crawl: str
    was_visited_again: bool = Field(description="Whether there was a recrawl at all; without one nothing is known.")
    changes: list[ChangeRow]
    is_cut: bool = Field(description="Whether there are more; ask for a shorter time or one kind.")


class TableRows(FromWeb):
    """Some rows of a table of a crawl."""

    crawl: str
    table: str
    tables: list[str] = Field(description="All tables that this crawl has.")
    columns: list[str]
    start: int
    total: int
    rows: list[dict[str, Any]]


class OptionRow(BaseModel):
    """An option of a mode."""

    name: str
    type: str
    default: Any
    about: str


class ModeOptions(BaseModel):
    """A mode with what can be asked of it."""

    mode: str
    about: str
    begins_with: str = Field(description="seeds, or table: rows given as `table`.")
    options: list[OptionRow]


class RuleRow(BaseModel):
    """A row of a rule table: which links of pages of a type are followed to pages of another type, or kept."""

    model_config = ConfigDict(extra="forbid")

    base_url: str = Field(alias="baseURL", description="Where the crawl starts; the type of that page is base.")
    rule_type: Literal["follow", "keep", "drop"] = Field(
        alias="ruleType", description="follow: links are visited. keep: they are results. drop: they are none."
    )
    from_type: str = Field("base", alias="fromType", description="The type of the pages that the rule is for.")
    to_type: str = Field("", alias="toType", description="For follow: the type of the pages that links lead to.")
    pattern: str = Field("", description="A regular expression that is searched in the URL of the link.")
    id: str = Field("", description="Only links inside an element with this id.")
    class_: str = Field("", alias="class", description="Only links inside an element of this class.")
    tag: str = Field("", description="Only links inside such an element, such as main.")
    filter_field: str = Field("", alias="filterField", description="text, title, context or an attribute of the link.")
    filter_value: str = Field("", alias="filterValue", description="A regular expression that this field has to have.")


class StartedCrawl(BaseModel):
    """A crawl that was started, with the limits that it ends by."""

    crawl: str
    name: str
    max_pages: int
    max_time: float = Field(description="Seconds.")
    max_bytes: int
    job: str = Field(description="The job, as TOML.")
    next: str = "crawl_status follows it; its pages can be searched and read while it runs."


class CrawlStatus(FromWeb):
    """How a crawl stands, and what it found so far."""

    crawl: str
    name: str
    mode: str
    state: str = Field(description="running, done, paused, stopped or killed.")
    stop_reason: str
    pages: int
    waiting: int
    failed: int
    bytes: int
    seconds: float
    ledger: list[dict[str, Any]] = Field(description="All URLs that were met, counted by state and reason.")
    results: dict[str, Any] = Field(description="What it found, as its mode tells it.")
    result_table: str = Field(description="The table that has the results; read_table reads it.")
    troubles: list[str]
    printed: list[str] = Field(description="The last lines that it printed, if it was started by this server.")
