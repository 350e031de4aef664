"""What can be read from a crawl, also while it runs: its tables, its ledger, and the story of one URL."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from dowse.core.briefing import Briefing
from dowse.core.crawl_numbers import LedgerRow, Survey
from dowse.core.errors import CrawlMissing
from dowse.core.fate import LEFT_OUT
from dowse.core.job import UrlOptions
from dowse.core.model import SITEMAP, Request, State
from dowse.core.record import Record
from dowse.core.sitemap_turns import counted_as_pages
from dowse.core.troubles import Facts
from dowse.core.url_spellings import matters
from dowse.core.url_variants import Alike
from dowse.store.article_parts import further_pages
from dowse.store.folder import connect, explained, holds_crawl
from dowse.store.fragments import count_if, json_part
from dowse.store.reading.link_graph import IS_PAGE, LinkGraph
from dowse.store.reading.merged_urls import SpellingReader
from dowse.store.reading.page_tables import PageTable, TableList, page_table, page_tables
from dowse.store.reading.records import (
    FieldCount,
    RecordTable,
    StoredPage,
    count_fields,
    records_of_page,
    stored_page,
    stored_pages,
)
from dowse.store.reading.stories import Story, StoryReader
from dowse.store.reading.tables import IS_ERROR, QUERIES, LinkTable, QueryTable, Table
from dowse.store.reading.trouble_facts import facts_of
from dowse.store.versions import prepare_reading
from dowse.store.working_time import first_visits, worked_seconds

TABLES = (*QUERIES, "records", "links", "edges", "tables")
"""The tables that every crawl has."""

NOT_AGAIN = "not visited again yet"
"""Why a page waits that there is a copy of: a run that visits all pages again has stopped before it."""

_STATES = {int(state): state.name.lower() for state in State}
_ORDER = {name: number for number, name in _STATES.items()}
_STATE_NAME = "CASE task.state " + " ".join(f"WHEN {n} THEN '{name}'" for n, name in _STATES.items()) + " END"

_ENDING = """SELECT url FROM task
    WHERE substr(url, length(url) - length(:end) + 1) = :end OR substr(url, length(url) - length(:end)) = :end || '/'
    ORDER BY id"""

_MORE_LINKS, _MORE_TEXT = (json_part("rendered", f"$.{name}", "BIGINT") for name in ("links", "text"))


class RenderingTotals(Struct, frozen=True):
    """Pages that were rendered and what it took; of those compared with what was sent, how many had more, and links."""

    pages: int
    seconds: float
    compared: int
    richer: int
    links: int


class CrawlReader:
    """Read-only access to one crawl's database."""

    def __init__(self, directory: Path, moment: float | None = None) -> None:
        """`moment`: as it was then (looking_back.py)."""
        if directory.is_file():
            raise CrawlMissing(f"{directory} is a file; name the folder of a crawl")
        if not holds_crawl(directory):
            raise CrawlMissing(f"there is no crawl in {directory}; dowse site URL -o {directory} makes one")
        self.connection = connect(directory, read_only=True)
        prepare_reading(self.connection)
        if moment is not None:
            from dowse.store.reading.looking_back import look_back

            look_back(self.connection, moment)
        self._graph = LinkGraph(self.connection)

    @explained("read")
    def meta(self, name: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    @explained("read")
    def begun(self) -> float:
        """When the first answer came; 0 if none did."""
        (first,) = self.connection.execute("SELECT min(fetched_at) FROM visit").fetchone()
        return first or 0.0

    @explained("read")
    def runs(self) -> int:
        """How many runs the crawl has had."""
        return len(first_visits(self.connection))

    def briefing(self) -> Briefing:
        """What the crawl was briefed with."""
        with explained("read"):
            return dict(self.connection.execute("SELECT name, value FROM briefing").fetchall())

    def table(self, name: str, columns: tuple[str, str] = ("", ""), *, errors: bool = False) -> Table:
        """A table that every crawl has, by its name; `columns` are more for that of pages, and what is joined for
        them. `errors`: it has pages with a bad status, too."""
        match name:
            case "records":
                return self.records()
            case "tables":
                return TableList(self.connection)
            case "links":
                return LinkTable(self._graph.links, self._graph.count_links)
            case "edges":
                return LinkTable(self._graph.edges, self._graph.count_edges)
        stopped = self.meta("stop_reason")
        state, reason = _STATE_NAME, "task.reason"
        if stopped:
            state = f"CASE WHEN task.state = {State.WAITING} THEN '{_STATES[State.NOT_REACHED]}' ELSE {_STATE_NAME} END"
            reason = f"""CASE WHEN task.state <> {State.WAITING} OR task.reason <> '' THEN task.reason
                WHEN EXISTS (SELECT 1 FROM visit AS copy WHERE copy.id = task.visit AND copy.digest <> 0)
                THEN '{NOT_AGAIN}' ELSE '{stopped}' END"""
        select, join = columns
        which = f"({IS_PAGE} OR {IS_ERROR})" if errors else IS_PAGE
        query = QUERIES[name].format(state=state, reason=reason, select=select, join=join, which=which)
        return self.query_table(query)

    def query_table(self, query: str, values: Sequence[Any] = ()) -> QueryTable:
        """The table that a query gives; `values` stand in it as `?`."""
        return QueryTable(self.connection, self._graph, query, values)

    def records(self, kind: str = "", asked: Sequence[str] = (), dates: Collection[str] = ()) -> RecordTable:
        """What extractors took from pages, of one kind or of all; the fields that were asked for come first."""
        return RecordTable(self.connection, kind, asked, dates)

    def has_records(self) -> bool:
        """Whether anything was extracted at all. To count records would be to read all of them."""
        with explained("read"):
            return self.connection.execute("SELECT 1 FROM record LIMIT 1").fetchone() is not None

    def page_table(self, key_hash: int, number: int) -> PageTable | None:
        """One table of the page with this key."""
        return page_table(self.connection, key_hash, number)

    def page_tables(self) -> Iterator[PageTable]:
        """The tables of all pages, one at a time."""
        return page_tables(self.connection)

    def stored_pages(self) -> Iterator[StoredPage]:
        """The pages whose bodies are archived, and where."""
        with explained("read"):
            yield from stored_pages(self.connection)

    @explained("read")
    def further_pages(self) -> dict[int, int]:
        """For each further page of a list, an article or a thread the page that it was found from in the end."""
        return further_pages(self.connection)

    @explained("read")
    def find(self, request: Request, options: UrlOptions) -> int | None:
        """The number of a URL in this crawl, given how URLs are compared, or None if it was never discovered."""
        return StoryReader(self.connection, "").find(request, options)

    @explained("read")
    def url(self, number: int) -> str:
        """A URL by its number."""
        return str(self.connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()[0])

    @explained("read")
    def stored_page(self, number: int) -> StoredPage:
        """What is stored of a URL by its number, redirects followed."""
        return stored_page(self.connection, number)

    @explained("read")
    def records_of_page(self, number: int) -> list[Record]:
        """What extractors took from one page."""
        return records_of_page(self.connection, number)

    @explained("read")
    def standing(self, number: int) -> tuple[str, str]:
        """The state of a URL by its number, and the reason for it."""
        return StoryReader(self.connection, self._ledger()).standing(number)

    @explained("read")
    def fields(self) -> list[FieldCount]:
        """Every field that records have, and how many have it."""
        return count_fields(self.connection)

    @explained("read")
    def balance(self) -> list[LedgerRow]:
        """The whole ledger, by state and reason; the counts add up to all URLs ever discovered."""
        query = f"SELECT state, reason, count(*) FROM ({self._ledger()}) AS ledger GROUP BY 1, 2"
        rows = self.connection.execute(query).fetchall()
        return [LedgerRow(*row) for row in sorted(rows, key=lambda row: (_ORDER[row[0]], -row[2]))]

    @explained("read")
    def crowded(self) -> int:
        """How many pages had more links than are read of one."""
        query = "SELECT count(*) FROM visit JOIN task ON task.visit = visit.id WHERE visit.detail LIKE ?"
        (pages,) = self.connection.execute(query, (f"%{LEFT_OUT}",)).fetchone()
        return int(pages)

    @explained("read")
    def totals(self) -> tuple[int, int, float]:
        """Pages that there are, bytes received and the seconds that its runs took."""
        (pages,) = self.connection.execute(f"SELECT count(*) FROM task WHERE visit > 0 AND {IS_PAGE}").fetchone()
        (size,) = self.connection.execute("SELECT sum(size) FROM visit").fetchone()
        return pages, size or 0, worked_seconds(self.connection)

    @explained("read")
    def spent(self) -> int:
        """What counts against a limit on pages: those of the last round, and lists beyond their share."""
        rows = self.connection.execute(
            "SELECT host.pages, coalesce(asked.lists, 0) FROM host LEFT JOIN (SELECT host, count(*) AS lists FROM task"
            f" WHERE label = ? AND state <> {State.WAITING} GROUP BY 1) AS asked ON asked.host = host.id",
            (SITEMAP,),
        )
        return sum(pages + counted_as_pages(lists, pages) for pages, lists in rows)

    @explained("read")
    def rendering(self) -> RenderingTotals:
        """How many pages were rendered, in how many seconds, and what that added to them."""
        row = self.connection.execute(
            f"SELECT count(*), sum({json_part('rendered', '$.elapsed', 'REAL')}), count({_MORE_LINKS}),"
            f" {count_if(f'{_MORE_LINKS} > 0 OR {_MORE_TEXT} > 0')}, sum({_MORE_LINKS})"
            " FROM visit WHERE rendered IS NOT NULL"
        ).fetchone()
        return RenderingTotals(*(value or 0 for value in row))

    @explained("read")
    def facts(self) -> Facts:
        """What is known of what did not go as asked."""
        return facts_of(self.connection)

    @explained("read")
    def key_hash(self, request: Request, options: UrlOptions) -> int:
        """By what a URL is known in this crawl, given how URLs are compared."""
        return SpellingReader(self.connection, options).key_hash(request)

    @explained("read")
    def why(self, request: Request, options: UrlOptions) -> Story | None:
        """The story of a URL, given how URLs are compared, or None if it was never discovered."""
        return StoryReader(self.connection, self._ledger()).story(request, options)

    @explained("read")
    def ending(self, text: str) -> list[str]:
        """The URLs that end in a text, with a slash behind it or not: a whole path, else whole names, else the end."""
        for end in (text,) if text.startswith("/") else (f"/{text}", text):
            rows = self.connection.execute(_ENDING, {"end": end})
            found = list(dict.fromkeys(url for (url,) in rows))
            if text.startswith("/"):
                found = [url for url in found if url.rstrip("/").removesuffix(end.rstrip("/")).count("/") == 2]
            if found:
                return found
        return []

    @explained("read")
    def survey(self) -> Survey:
        """The crawl in numbers, all of one moment, also while it runs."""
        from dowse.store.reading.surveyor import take_survey  # numpy comes with it

        with self.connection.snapshot():
            return take_survey(self.connection, self.balance())

    @explained("read")
    def learned(self) -> list[str]:
        """Hosts and parameters that were found to make no difference, in sentences."""
        rows = self.connection.execute("SELECT kind, place, name FROM alike WHERE broken = 0 ORDER BY 1, 2, 3")
        return [Alike(*row).sentence for row in rows]

    @explained("read")
    def counted(self) -> list[str]:
        """Parameters of the built-in list that were found to make a difference, in sentences."""
        rows = self.connection.execute("SELECT place, name FROM alike WHERE kind = 'dropped' ORDER BY 1, 2")
        return [matters(*row) for row in rows]

    def close(self) -> None:
        self.connection.close()

    def _ledger(self) -> str:
        ledger = self.table("ledger")
        assert isinstance(ledger, QueryTable)
        return ledger.query
