"""Candidates become tasks: the visited-URL test, the trap tests that need memory, and second chances.

A URL is discovered once, by its key. If it was refused then (too deep, nofollow) and is later found in a way
that is allowed, it is revived: the same row becomes a waiting one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from dowse.core.fate import Fate
from dowse.core.job import Job
from dowse.core.model import KEPT, PAGING, SITEMAP, Candidate, Request, State, Task, is_seed
from dowse.core.politeness import HostState
from dowse.core.sessions import LOG_OUT
from dowse.core.sitemap_turns import LISTS_FIRST, is_named_like_list, refuse_list
from dowse.core.task_labels import DEEPEST_REQUISITE, REQUISITE
from dowse.core.traps import NESTED, next_chain, shape
from dowse.store.database import Database
from dowse.store.frontier.edges import Edge
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.known_tasks import KnownTasks
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.redirect_loop import leads_back
from dowse.store.frontier.requests import DELETE, INSERT, Row, request_row
from dowse.store.frontier.task_rows import INSERT_TASK, PRIORITY, REVIVE, STATE

PARKED = 1e12
"""The `not_before` of tasks that sit out a run which only retries failures."""


_STATES = {"": State.WAITING, "robots": State.ROBOTS, KEPT: State.KEPT}


class Admission:
    """Lets candidates into the frontier, each URL once."""

    def __init__(self, connection: Database, memory: Memory, job: Job) -> None:
        self._connection = connection
        self._memory = memory
        self._chain_limit = job.scope.chain
        self._new_rows: list[tuple[Any, ...]] = []
        self._requests: list[Row] = []
        self.known = KnownTasks(connection, memory, self.write)

    def seed(self, request: Request, priority: float, hint: bytes = b"", *, anew: bool = False) -> None:
        """A URL the user named, maybe just now (`anew`); its own host is its site."""
        request = self._memory.spellings.request(request)
        value = self._memory.seen.get(request.key_hash)
        number = value >> 1
        if not value or (value & 1 and (hint or anew)):
            candidate = Candidate(request, priority=priority, hint=hint)
            if not hint and is_named_like_list(request.url):
                candidate = Candidate(request, priority=LISTS_FIRST, label=SITEMAP)
            number = self._place(candidate, number, _Walk(0, request.host, 0, 0, 0))
        elif not hint:
            self._memory.spellings.notice(0, [Candidate(request, priority=priority)], [(number, "")], self)
        for each in self._memory.bookkeeping:
            each.seeded(number, request, hint)

    def admit(self, finder: Task, candidates: Sequence[Candidate]) -> list[Edge]:
        """Give every candidate its task, new or known; the answer is the page's edges."""
        memory, spellings = self._memory, self._memory.spellings
        candidates = spellings.candidates(candidates)
        known = memory.seen.get_many([candidate.request.key_hash for candidate in candidates])
        fresh = [
            candidate.request.url
            for candidate, value in zip(candidates, known, strict=True)
            if ((not value or value & 1) and not candidate.refused) or (not value and candidate.refused == KEPT)
        ]
        chains = self._chains(finder, fresh) if fresh else {}
        edges: list[Edge] = []
        for candidate, before in zip(candidates, known, strict=True):
            # What was unknown or refused when the page came in may be in by now: two of its links may share a key.
            value = before if before and not before & 1 else memory.seen.get(candidate.request.key_hash)
            number = value >> 1
            if not value or (value & 1 and not candidate.refused):
                walk = self._walk(finder, candidate, chains)
                number = self._place(candidate, number, walk)
            elif candidate.refused == LOG_OUT and not value & 1:
                self.known.leave_alone(number)
            nofollow = candidate.refused == "nofollow"
            edges.append((number, candidate.anchor, 1) if nofollow else (number, candidate.anchor))
        for each in memory.bookkeeping:
            each.linked(finder.id, candidates, edges, self)
        if spellings.tagged or [1 for candidate in candidates if candidate.request.key]:
            spellings.notice(finder.id, candidates, edges, self)
        return edges

    def _walk(self, finder: Task, candidate: Candidate, chains: dict[str, int]) -> _Walk:
        """Lists add no depth; their chain is how many in a row led to them. Nor do further pages, which have news."""
        if candidate.label == SITEMAP:
            return _Walk(finder.id, finder.site, finder.depth, 0, finder.chain + (finder.label == SITEMAP))
        if candidate.label == PAGING:
            return _Walk(finder.id, finder.site, finder.depth, 0, 0)
        return _Walk(finder.id, finder.site, finder.depth + 1, 0, chains.get(candidate.request.url, 0))

    def admit_requisites(self, finder: Task, candidates: Sequence[Candidate]) -> None:
        """Give what a page needs to be shown its tasks; where there is one, be it of a page, nothing is to be done."""
        nesting = finder.chain + 1 if finder.label == REQUISITE else 0
        walk = _Walk(finder.id, finder.site, finder.depth + 1, 0, nesting)
        for candidate in self._memory.spellings.candidates(candidates):
            value = self._memory.seen.get(candidate.request.key_hash)
            if not value or (value & 1 and not candidate.refused):
                self._place(candidate, value >> 1, walk)

    def admit_redirect(self, finder: Task, candidate: Candidate, verdict: Fate) -> tuple[int, Fate]:
        """Where the server sent us becomes a task at the same depth.

        A redirect that leads back to where it came from is tried once more, for servers that only wanted to see
        their cookie; after that it is a loop. One that leads to another spelling of the same URL (www, https, a
        tracking parameter) changes what is requested from now on; the limit on redirects bounds it.
        """
        memory = self._memory
        (candidate,) = memory.spellings.candidates([candidate])
        value = memory.seen.get(candidate.request.key_hash)
        target = value >> 1
        if not value or (value & 1 and not candidate.refused):
            site = candidate.request.host if is_seed(finder) else finder.site
            walk = _Walk(finder.id, site, finder.depth, finder.redirects + 1, finder.chain)
            return self._place(replace(candidate, hint=finder.hint), target, walk), verdict
        if target == finder.id and candidate.request.url != finder.request.url:
            self._move(finder, candidate.request)
            return target, Fate(State.WAITING)
        memory.spellings.notice(finder.id, [candidate], [(target, "")], self)
        if finder.id in memory.looped:
            return target, Fate(State.FAILED, "redirect loop")
        if target == finder.id:
            memory.looped.add(target)
            return target, Fate(State.WAITING)
        if finder.redirects and leads_back(self._connection, finder, target) and self.known.wait_again(target):
            memory.looped.add(target)
        return target, verdict

    def place_apart(self, candidate: Candidate, finder: Task) -> int:
        """Give a candidate a task, whatever else its URL would be taken for: its key says that it is another."""
        value = self._memory.seen.get(candidate.request.key_hash)
        depth = finder.depth + (finder.id > 0)
        return value >> 1 or self._place(candidate, 0, _Walk(finder.id, finder.site, depth, 0, finder.chain))

    def url_of(self, number: int) -> str:
        """The address of a task, written or not."""
        if self.is_new(number):
            return str(self._new_rows[number - self._new_rows[0][0]][2])
        (url,) = self._connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()
        return str(url)

    def keep(self, number: int) -> None:
        """Let a link be a result that was refused before."""
        # Nearly always it was just let in as one; to look that up on disk would cost more than the rest of it.
        if not self.is_new(number) or self._new_rows[number - self._new_rows[0][0]][STATE] != State.KEPT:
            self.known.keep(number)

    def is_new(self, number: int) -> bool:
        """Whether a task was made by this batch and is not written yet."""
        return bool(self._new_rows) and number >= self._new_rows[0][0]

    def set_priority(self, number: int, priority: float) -> None:
        """Give a new task its priority."""
        place = number - self._new_rows[0][0]
        row = self._new_rows[place]
        self._new_rows[place] = (*row[:PRIORITY], priority, *row[PRIORITY + 1 :])

    def write(self) -> None:
        self._connection.executemany(INSERT_TASK, self._new_rows)
        self._new_rows.clear()
        if self._requests:
            self._connection.executemany(INSERT, self._requests)
            self._requests.clear()

    def _chains(self, finder: Task, urls: list[str]) -> dict[str, int]:
        """How long a run of look-alike pages each new URL would continue; see core.traps."""
        own = shape(finder.request.url)
        same = {url: shape(url) == own for url in urls}
        news = not all(same.values())
        return {url: next_chain(finder.chain, alike, news) for url, alike in same.items()}

    def _place(self, candidate: Candidate, number: int, walk: _Walk) -> int:
        """Write a new row, or (given a number) revive a refused one."""
        memory, request = self._memory, candidate.request
        if number and self.known.standing(number)[1] == LOG_OUT:
            return number  # on another page it may be called something else
        if memory.seed_pages is not None:
            candidate = memory.seed_pages.checked(candidate, walk.parent)
            if candidate.refused and number:
                return number  # as it was
        refused = candidate.refused or self._refuse_trap(candidate, walk)
        if memory.variants and request.is_plain and not (refused or number or walk.redirects) and walk.parent:
            variant = candidate.label != REQUISITE and memory.variants.original(request, self.known.standing)
            if variant:
                return self._place_variant(candidate, walk, *variant)
        state = _STATES.get(refused, State.OUT_OF_SCOPE)
        host = None if refused else self.host(request.host)
        # A run that only retries leaves what it finds for later, but goes where it is sent.
        parked = memory.parked and not refused and not walk.redirects
        columns = (
            host.id if host else 0, self.host(walk.site).id, candidate.label, walk.depth, candidate.priority,
            walk.parent, candidate.anchor, int(state), refused, walk.redirects, walk.chain,
            PARKED if parked else 0.0,
        )  # fmt: skip
        if number:
            memory.move(self.known.standing(number), (state, refused))
            self._connection.execute(REVIVE, (*columns, number))
            if memory.has_requests:
                self._connection.execute(DELETE, (number,))
        else:
            number = memory.next_task
            memory.next_task += 1
            memory.counts[state, refused] += 1
            self._new_rows.append((number, request.key_hash, request.url, request.key or None, *columns))
            if request.key and (walk.redirects or not walk.parent):  # links are looked through by their pages
                memory.spellings.tag(request)
        # Asked here and not in a function of its own, for every new URL pays for it. What is no plain GET has a key.
        has_hint = candidate.hint and not memory.keeps_hints
        if has_hint or candidate.why or request.headers or (request.key and not request.is_plain):
            self._requests.append(request_row(number, candidate))
            memory.has_requests = True
        # What was refused for its walk may come again by a better one; what is a trap by its URL stays one.
        memory.remember(request.key_hash, number, refused=bool(refused and (candidate.refused or walk.chain)))
        if host and candidate.label == SITEMAP:
            host.lists += 1
        if host and memory.seed_pages is not None:
            memory.seed_pages.place(number, walk.parent)
        if host and not parked:
            host.waiting += 1
            memory.hosts.offer(host)
        return number

    def _place_variant(self, candidate: Candidate, walk: _Walk, original: int, rule: str) -> int:
        """Write a row for a URL that is a known one in all that matters; nobody will fetch it."""
        memory, request = self._memory, candidate.request
        number = memory.next_task
        memory.next_task += 1
        memory.counts[State.DUPLICATE, rule] += 1
        columns = (
            self.host(request.host).id, self.host(walk.site).id, candidate.label, walk.depth, candidate.priority,
            walk.parent, candidate.anchor, int(State.DUPLICATE), rule, walk.redirects, walk.chain, 0.0,
        )  # fmt: skip
        self._new_rows.append((number, request.key_hash, request.url, request.key or None, *columns))
        memory.remember(request.key_hash, number, refused=False)
        assert memory.variants is not None
        memory.variants.skipped(number, original)
        return number

    def _refuse_trap(self, candidate: Candidate, walk: _Walk) -> str:
        request = candidate.request
        if candidate.label == SITEMAP:
            host = self._memory.hosts.by_name.get(request.host)
            return refuse_list(host.lists if host else 0, walk.chain)
        if candidate.label == REQUISITE:
            return NESTED if walk.chain > DEEPEST_REQUISITE else ""
        if walk.chain > self._chain_limit:
            return "trap: chain"
        return self._memory.families.refuse(request, inbred=walk.chain > 0) if walk.parent else ""

    def host(self, name: str) -> Host:
        hosts = self._memory.hosts
        host = hosts.by_name.get(name)
        return host or hosts.add(Host(len(hosts.by_id) + 1, name, HostState()))

    def _move(self, finder: Task, request: Request) -> None:
        self._connection.execute(
            "UPDATE task SET url = ?, key = ?, host = ?, site = ?, redirects = redirects + 1 WHERE id = ?",
            (
                request.url,
                request.key or None,
                self.host(request.host).id,
                self.host(request.host if is_seed(finder) else finder.site).id,
                finder.id,
            ),
        )


class _Walk(NamedTuple):
    """How a URL was reached: by which task, for which site, how deep, after how many redirects and look-alikes."""

    parent: int
    site: str
    depth: int
    redirects: int
    chain: int
