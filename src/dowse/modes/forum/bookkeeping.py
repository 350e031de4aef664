"""What becomes of the pages of a forum: every page that comes home counts for the form of its URL.

an index page    its groups of links, by their worth; the boards above it; its further pages
a thread         its further pages; the boards above it
any other page   nothing, unless the user named it: then the pages above it, in search of the entry page
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.model import Outcome, State, Task
from dowse.core.protocols import Tally
from dowse.modes.forum.activity import rest, take_rows
from dowse.modes.forum.entry_pages import MOST_TRIED, above, find_entry, has_entry, higher
from dowse.modes.forum.form_types import Observation
from dowse.modes.forum.forum_rows import COPY, TABLES
from dowse.modes.forum.further_pages import is_title, number_of
from dowse.modes.forum.giving_up import give_up, is_no_forum
from dowse.modes.forum.judging import GONE, MOVED, first_note, judge_again
from dowse.modes.forum.link_choice import LinkChoice
from dowse.modes.forum.named_pages import claim, is_named
from dowse.modes.forum.observing import copied, may_list, observed
from dowse.modes.forum.page_evidence import Evidence, FoundGroup, FoundLink, Hint, read_evidence, read_hint
from dowse.modes.forum.plain_urls import plain_by
from dowse.modes.forum.site_patterns import GOOD, Known
from dowse.modes.forum.url_forms import without_act
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission
from dowse.store.task_states import NOT_DONE

TRAIL = 0.6
"""How promising the boards are that a page says it belongs to."""

MOST_EXPLORED = 12
"""Links that are tried although they do not look promising, when nothing else is left and no thread was found."""

EXPLORED = 0.2
"""How promising a link must look to be tried before pages that may be the entry page."""

GONE_WEIGHT, MOVED_WEIGHT = 0.5, 1.0
"""How much a page that could not be had speaks against its form. A forum has dead links; but what leads to another page
is a post, or asks for a log-in, and so are others."""

_DOUBT = 0.3
"""How much a group of links counts on a page that does not look like an index page."""

EARLY = 5
_DOUBT_OF_THREADS = 0.8
"""How much a group of links counts on what looks like a thread, as long as fewer pages of its form have come, or it is
not known what lists threads: it may be a list itself."""

_PAGE = """INSERT INTO forum_page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (task) DO UPDATE SET type = excluded.type, shares = excluded.shares, content = excluded.content,
        title = excluded.title, board = excluded.board, note = excluded.note"""
_SIGN = """INSERT INTO forum_sign VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (task) DO UPDATE SET posts = excluded.posts, authors = excluded.authors, leads = excluded.leads,
        news = excluded.news"""
_FOUND_ON = """SELECT page.task, page.url FROM task JOIN forum_page AS page ON page.task = task.parent
    WHERE task.id = ? AND page.base = page.task"""
_SAME = f"""SELECT base, url FROM forum_page WHERE content = ? AND task <> ? AND type = ? AND content <> 0
    AND note <> '{COPY}' ORDER BY base = ? DESC"""
_THREADS = "SELECT count(*) FROM forum_page WHERE type = 'thread' AND base = task"
_SAVE = """INSERT INTO forum_site VALUES (?, ?, ?)
    ON CONFLICT (site) DO UPDATE SET entries = excluded.entries, tried = excluded.tried"""
_LEFT = f"SELECT 1 FROM task WHERE {NOT_DONE} LIMIT 1"
_FIRST = "SELECT id FROM task WHERE parent = 0 ORDER BY id LIMIT 1"


class ForumBook(Bookkeeping):
    """Writes down the pages of forums, and follows their links."""

    tables = TABLES
    reads_duplicates = True

    def __init__(self, job: Job, earlier: dict[str, Known]) -> None:
        self._job = job
        self._obeys = job.politeness.robots == "obey"
        self._earlier = earlier
        self._plain = plain_by(job.urls)

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._choice = LinkChoice(self._job, connection, self._earlier)
        self._changed: set[str] = set()
        self._explored = 0
        self._given_up: set[str] = set()
        rows = connection.execute("SELECT site, entries, tried FROM forum_site").fetchall()
        self._entries: dict[str, list[str]] = {site: msgspec.json.decode(urls) for site, urls, _ in rows}
        self._tried: dict[str, int] = {site: tried for site, _, tried in rows}
        self._threads = int(connection.execute(_THREADS).fetchone()[0])

    @property
    def found(self) -> Tally:
        return Tally("thread", self._threads)

    @property
    def results(self) -> int:
        return self._threads

    def called(self, task: int) -> str:
        query = "SELECT 1 FROM forum_page WHERE task = ? AND type = 'thread'"
        return "thread" if self._connection.execute(query, (task,)).fetchone() else ""

    # A page comes home

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome = visit.outcome
        task = outcome.task
        if visit.fate.state is State.WAITING or outcome.unchanged or task.site in self._given_up:
            return
        self._changed.add(task.site)
        if outcome.evidence and (outcome.redirect is None or outcome.redirect.refused):
            self._take(task, read_hint(task.hint), read_evidence(outcome.evidence), admission)
        else:
            self._miss(outcome)

    def _miss(self, outcome: Outcome) -> None:
        """A link that fails, or only leads to another, costs a request more than that one."""
        task, hint = outcome.task, read_hint(outcome.task.hint)
        note = MOVED if outcome.redirect is not None else GONE
        if hint.role != "start":
            weight = MOVED_WEIGHT if outcome.redirect is not None else GONE_WEIGHT
            seen = Observation(self._plain(task.request.url), hint.place, 0.0, 0.0, weight)
            self._choice.patterns(task.site).observe(seen)
            self._write(task, hint, "other", Evidence(seen.shares), seen, note)

    def _take(self, task: Task, hint: Hint, told: Evidence, admission: Admission) -> None:
        patterns, url = self._choice.patterns(task.site), self._plain(task.request.url)
        patterns.see([url, *(link.url for group in told.groups for link in group.links)])
        base = self._base_of(hint.base) if hint.base else task.id
        is_closed = told.log_in and told.shares[2] >= GOOD
        seen = observed(url, hint.place, told, patterns)
        if hint.role != "page":
            patterns.observe(seen)
        kind = self._kind_of(base) if hint.base else "other" if is_closed else patterns.type_of(seen)
        same = self._connection.execute(_SAME, (told.content, task.id, kind, base)).fetchone()
        if same is not None and hint.role == "link":
            seen = copied(patterns, seen, same[1], told)
        is_read = told.tells_anything
        note = first_note(kind, seen.shares, is_read=is_read, is_copy=same is not None, is_closed=is_closed)
        is_new = self._kind_of(task.id) != "thread"
        self._write(task, hint, kind, told, seen, note)
        self._threads += kind == "thread" and base == task.id and same is None and is_new
        is_start = hint.role in ("start", "entry")
        if hint.role == "link" and kind != "other" and same is None:
            self._credit(task)
        if kind != "thread":
            self._links(task, told, told.groups, max(_DOUBT, patterns.shares(seen)[0]), admission)
        elif seen.index >= GOOD or not patterns.is_settled or patterns.known(patterns.forms.form(url)).number < EARLY:
            listed, rest = may_list(told)
            acts = [group for group in listed if without_act(group.links[0].url)]
            self._links(task, told, [group for group in listed if group not in acts], _DOUBT_OF_THREADS, admission)
            self._links(task, told, acts, _DOUBT, admission)
            self._links(task, told, rest, _DOUBT, admission)
        if kind == "index" and told.board is not None:
            take_rows(self._connection, task.id, base, hint.number if hint.base else 1, told.board, admission)
        if same is not None and same[0] == base:
            if hint.number != 0 and not is_named(self._connection, told.content, base, hint.number):
                self._choice.call_back(base, admission)
        elif same is None:
            self._flip(task, base, kind, told.pages, admission)
        if kind != "other" or is_start:
            self._choice.offer(task, FoundGroup("trail", TRAIL, told.trail), admission)
        if hint.role == "start":
            self._entries[task.site] = above(url, [link.url for link in told.trail])

    def _write(self, task: Task, hint: Hint, kind: str, told: Evidence, seen: Observation, note: str) -> None:
        """Write down a page, and learn from it what its form leads to."""
        url, site = seen.url, task.site
        if hint.role != "page":
            authors, leads = msgspec.json.encode(seen.authors).decode(), msgspec.json.encode(seen.leads).decode()
            self._connection.execute(_SIGN, (task.id, seen.posts, authors, leads, seen.news))
        title = told.thread.title if told.thread is not None else ""
        board = told.trail[-1].url if told.trail else ""
        shares = msgspec.json.encode(seen.shares).decode()
        base = self._base_of(hint.base) if hint.base else task.id
        row = (task.id, url, site, kind, hint.place, base, hint.number if hint.base else 1, shares)
        self._connection.execute(_PAGE, (*row, told.content, title, board, note))

    def _credit(self, task: Task) -> None:
        """The page that a board or thread was found on is worth a visit, and so are others of its form."""
        row = self._connection.execute(_FOUND_ON, (task.id,)).fetchone()
        if row is not None:
            self._connection.execute("UPDATE forum_sign SET news = news + 1 WHERE task = ?", (row[0],))
            self._choice.patterns(task.site).credit(row[1])

    def _flip(
        self, task: Task, base: int, kind: str, pages: Sequence[tuple[str, int | None]], admission: Admission
    ) -> None:
        """Turn to the further pages of a board or thread, by their numbers: where the links do not tell them, their
        URLs may."""
        (first,) = self._connection.execute("SELECT url FROM forum_page WHERE task = ?", (base,)).fetchone()
        told = [(address, number_of(address, first) if number is None else number) for address, number in pages]
        told = [(address, number) for address, number in told if number is None or number > 1]
        self._threads -= claim(self._connection, base, told)
        for address, number in told:
            further = Hint("page", base=base, number=number or 0)
            self._choice.flip(task, address, further, admission, now=kind != "other")

    def _base_of(self, first: int) -> int:
        """The first page of a further one, which may have turned out to be a further one itself."""
        row = self._connection.execute("SELECT base FROM forum_page WHERE task = ?", (first,)).fetchone()
        return int(row[0]) if row is not None else first

    def _kind_of(self, base: int) -> str:
        """What the first of several pages is, and so are the others."""
        row = self._connection.execute("SELECT type FROM forum_page WHERE task = ?", (base,)).fetchone()
        return str(row[0]) if row is not None else "other"

    def _links(
        self, task: Task, told: Evidence, groups: Sequence[FoundGroup], trust: float, admission: Admission
    ) -> None:
        """Follow the links of a page as far as it looks like an index page itself, or keep them in mind."""
        paging = set(told.paging)
        for group in groups:
            links = [
                link
                for link in group.links
                if (link.url not in paging or is_title(link.text)) and not (self._obeys and link.nofollow)
            ]
            self._choice.offer(task, replace(group, links=links, prior=group.prior * trust), admission)

    # What was learned is acted upon

    def settle(self, admission: Admission) -> None:
        admission.write()
        for site in sorted(self._changed):
            if is_no_forum(self._connection, site, self._choice.patterns(site)):
                give_up(self._connection, site, admission)
                self._given_up.add(site)
                self._changed.discard(site)
                self._threads = int(self._connection.execute(_THREADS).fetchone()[0])
            else:
                self._choice.release(site, admission)

    def written(self, admission: Admission) -> None:
        if self._changed and self._connection.execute(_LEFT).fetchone() is None:
            for site in sorted(self._changed):
                self._seek(site, admission)
        rows = [
            (site, msgspec.json.encode(self._entries.get(site, [])).decode(), self._tried.get(site, 0))
            for site in sorted(self._changed)
        ]
        self._changed.clear()
        self._connection.executemany(_SAVE, rows)

    def _seek(self, site: str, admission: Admission) -> None:
        """Nothing is left to do: look for the entry page, and try what looks less promising, until something is."""
        for base in judge_again(self._connection, self._choice):
            self._choice.release_pages(base, admission)
        self._choice.release(site, admission)
        while self._is_idle(admission) and (self._explore(site, admission) or self._try_entry(site, admission)):
            pass

    def _is_idle(self, admission: Admission) -> bool:
        admission.write()
        return self._connection.execute(_LEFT).fetchone() is None

    def _explore(self, site: str, admission: Admission) -> bool:
        """Try one link that does not look promising, as long as it is not known what threads and their lists are."""
        if self._choice.patterns(site).is_settled or self._explored >= MOST_EXPLORED:
            return False
        self._explored += 1
        return self._choice.explore(site, EXPLORED if self._entries.get(site) else 0.0, admission)

    def _try_entry(self, site: str, admission: Admission) -> bool:
        """Ask for one page that may be the entry page."""
        patterns, waiting = self._choice.patterns(site), self._entries.get(site, [])
        if waiting and has_entry(self._connection):
            waiting[:] = higher(waiting, find_entry(self._connection))
        while waiting and self._tried.get(site, 0) < MOST_TRIED:
            url = waiting.pop(0)
            if patterns.is_page(url) or patterns.has_front(url):
                continue
            self._tried[site] = self._tried.get(site, 0) + 1
            (number,) = self._connection.execute(_FIRST).fetchone()
            finder = self._choice.finder(number, site, 0)
            self._choice.send(finder, FoundLink(url, ""), Hint("entry", "entry", TRAIL), admission)
            return True
        return False

    def revisiting(self) -> None:
        rest(self._connection, find_entry(self._connection))

    def finished(self) -> None:
        judge_again(self._connection, self._choice)
