"""The tools that read crawls: which there are, what their pages say, why of a URL, what changed, their tables."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from dowse.core.errors import CrawlError, JobError
from dowse.core.revisits.changes import Change
from dowse.core.search_results import Found
from dowse.crawls.crawl_search import ask, search_filter
from dowse.extract.markdown.main_markdown import stated_date
from dowse.mcp.tool_values import (
    ChangeList,
    ChangeRow,
    Crawl,
    CrawlList,
    CrawlRow,
    FoundPage,
    PageText,
    Parent,
    SearchAnswer,
    TableRows,
    UrlStory,
    moment,
)
from dowse.mcp.web_text import seen, seen_value
from dowse.store.reading.reader import TABLES
from dowse.store.reading.table_window import Window
from dowse.web.crawl_lines import CrawlLines
from dowse.web.crawl_table_api import rows_of
from dowse.web.served_folders import ServedFolders
from dowse.workflows.fresh_indexes import FreshIndexes

_MOST_PARENTS = 20
_USUAL_LENGTH = 20_000
_MOST_LENGTH = 100_000

Url = Annotated[str, Field(description="A URL of the crawl; its path or its end will do, such as /about.")]
Since = Annotated[str, Field(description='A day (2026-11-01), a time, or an age ("3 days").')]
Limit = Annotated[int, Field(ge=1, le=100, description="So many at most.")]


class ReadingTools:
    """Everything here only reads."""

    def __init__(self, folders: ServedFolders, indexes: FreshIndexes) -> None:
        self._folders = folders
        self._lines = CrawlLines(folders)
        self._indexes = indexes

    def list_crawls(self) -> CrawlList:
        """List the crawls that can be searched and read: those that run first, then by their last change.

        A crawl is a set of web pages that were fetched and stored. Other tools take its id.
        """
        rows = [
            CrawlRow(
                crawl=line.id,
                name=line.name,
                mode=line.mode,
                state=line.state,
                seeds=[seen(url) for url in line.seeds],
                pages=line.pages,
                waiting=line.waiting,
                failed=line.failed,
                changed_at=moment(line.changed),
                trouble=line.trouble,
            )
            for line in self._lines.all()
        ]
        return CrawlList(crawls=rows)

    def search_pages(
        self,
        words: Annotated[str, Field(description="What to look for.", max_length=2_000)],
        crawls: Annotated[list[str], Field(description="Only these crawls; without any, all.", max_length=1_000)] = [],  # noqa: B006
        site: Annotated[str, Field(description="Only pages of this host, and of those below it.")] = "",
        type: Annotated[list[str], Field(description="Only these types: html, pdf, docx ...", max_length=50)] = [],  # noqa: A002, B006
        since: Since = "",
        until: Since = "",
        relevance: Annotated[float | None, Field(description="At least so relevant, in crawls with a topic.")] = None,
        limit: Limit = 10,
        meaning: Annotated[
            bool, Field(description="Put the best in order by meaning too, if that is installed.")
        ] = False,
    ) -> SearchAnswer:
        """Search the main texts and titles of stored pages, in any language. The best pages come first, with the words
        marked in a snippet; read_page reads one.

        All words are looked for, in all their forms. "side by side", begin*, -without and this OR that are understood.
        """
        which = search_filter(site, type, since or None, until or None, relevance)
        places = [self._folders.find(each) for each in dict.fromkeys(crawls)] or self._folders.places()
        ids = {str(place.directory): place.id for place in places}
        ready = self._indexes.ready([place.directory for place in places])
        if not ready.directories:
            raise CrawlError("; ".join(ready.notes) or "there is no crawl yet; start_crawl makes one")
        search = ask(ready.directories, words, which, limit, meaning=meaning)
        return SearchAnswer(
            understood=seen(search.understood),
            total=search.total,
            notes=[*ready.notes, *search.notes],
            pages=[_found_page(each, ids[each.crawl]) for each in search.found],
        )

    def read_page(
        self,
        crawl: Crawl,
        url: Url,
        start: Annotated[
            int, Field(ge=0, description="Where to begin, in characters: next_start of the part before.")
        ] = 0,
        length: Annotated[int, Field(ge=500, le=_MOST_LENGTH, description="Characters at most.")] = _USUAL_LENGTH,
    ) -> PageText:
        """Read the main content of a stored page as Markdown, with its source and its date. Nothing is fetched.

        Long pages come in parts: if next_start is not null, call again with it as start.
        """
        with self._folders.open(crawl) as found:
            page = found.page(url)
            text = seen(page.markdown or page.text)
            if start and start >= len(text):
                raise JobError(f"start: the text has {len(text):,} characters")
            end = _part_end(text, start, length)
            return PageText(
                crawl=crawl,
                url=seen(page.url),
                title=seen(page.title),
                fetched_at=moment(page.response.fetched_at),
                date=seen(stated_date(page.tree)) if page.is_html else "",
                language=seen(page.language)[:40] if page.is_html else "",
                status=page.status,
                media_type=page.media_type,
                start=start,
                length=len(text),
                next_start=end if end < len(text) else None,
                markdown=text[start:end],
            )

    def explain_url(self, crawl: Crawl, url: Url) -> UrlStory:
        """Say why a URL was or was not taken in a crawl: who links to it, which rule decided, what came of visits."""
        with self._folders.open(crawl) as found:
            story = found.why(url)
            if story is None:
                raise CrawlError(f"{url!r:.200} was never met in this crawl; nothing that was read links to it")
            parents = [Parent(url=seen(each), anchor=seen(anchor)) for each, anchor in story.parents[:_MOST_PARENTS]]
            return UrlStory(
                crawl=crawl,
                url=seen(story.url),
                state=story.state,
                reason=seen(story.reason),
                depth=story.depth,
                linked_from=parents,
                story=seen(story.text),
            )

    def list_changes(
        self,
        crawl: Crawl,
        since: Since = "",
        kind: Annotated[
            list[Literal["added", "changed", "removed", "moved", "unreachable"]],
            Field(description="Only such changes; without any, all."),
        ] = [],  # noqa: B006
        limit: Limit = 50,
    ) -> ChangeList:
        """List what recrawls found changed on a site: pages and records that were added, changed, removed or moved, the
        latest first. Of a changed page, before and after are the lines that differ."""
        with self._folders.open(crawl) as found:
            total, changes = found.newest_changes(found.asked(since or None, kind), 0, limit)
            return ChangeList(
                crawl=crawl,
                was_visited_again=found.was_visited_again,
                changes=[_change(change) for change in changes],
                is_cut=total > len(changes),
            )

    def read_table(
        self,
        crawl: Crawl,
        table: Annotated[str, Field(description="Its name; without one, the table with the results.")] = "",
        start: Annotated[int, Field(ge=0, le=10**9, description="How many rows to leave out.")] = 0,
        limit: Limit = 20,
    ) -> TableRows:
        """Read rows of a table of a crawl: its pages, links, records and ledger, and the results of its mode, such as
        matched, kept, files, forms, threads or posts. Long texts are cut; read_page has the whole."""
        with self._folders.open(crawl) as found:
            tables = list(dict.fromkeys((*TABLES, *found.mode.tables)))
            name = table or found.mode.result_table
            if name not in tables:
                raise JobError(f"table: this crawl has {', '.join(tables)}")
            shown = rows_of(found, name, Window(start, limit))
            return TableRows(
                crawl=crawl,
                table=name,
                tables=tables,
                columns=[seen(column) for column in shown.columns],
                start=start,
                total=shown.total,
                rows=[_row(dict(zip(shown.columns, row, strict=True))) for row in shown.rows],
            )


def _part_end(text: str, start: int, length: int) -> int:
    """Where a part ends: between lines, if that does not make it much shorter."""
    end = start + length
    if end >= len(text):
        return len(text)
    line = text.rfind("\n", start + length * 3 // 4, end)
    return line + 1 if line > 0 else end


def _found_page(found: Found, crawl: str) -> FoundPage:
    return FoundPage(
        crawl=crawl,
        url=seen(found.url),
        title=seen(found.title),
        snippet=seen(found.marked("**", "**")),
        date=moment(found.date),
        fetched_at=moment(found.fetched_at),
        type=found.type,
        language=found.language,
        relevance=found.relevance,
        score=found.score,
    )


def _change(change: Change) -> ChangeRow:
    passages = change.passages
    before = [each.before for each in passages if each.before] if passages else change.before
    after = [each.after for each in passages if each.after] if passages else change.after or change.lack or None
    return ChangeRow(
        at=moment(change.at),
        kind=change.kind,
        what=change.what,
        url=seen(change.url),
        title=seen(change.title or ""),
        before=seen_value(before),
        after=seen_value(after),
    )


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A row that JSON can say, without bytes."""
    return {seen(name): seen_value(value) for name, value in row.items() if not isinstance(value, bytes)}
