"""Merged spellings as the store keeps them: noted when they are met, probed, and let in when they should not have been.

Invariants: a spelling of the built-in list's making is a row of `spelling` from when it is first met until its
parameters are found to matter, up to `MOST_KEPT` for each merger; then it is a task like any other. A probe is a task
with a key of its own, and its row here says so; it is leased with its twin. Rows and tasks change in the transaction of
the outcomes that were their cause, so a crawl that is killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from dowse.core.fate import Finding
from dowse.core.job import UrlOptions
from dowse.core.model import SITEMAP, Candidate, Outcome, Request, State, Task, Twin
from dowse.core.spellings import MOST_KEPT, Merger, Spelled, Trials, is_of_url, matters
from dowse.core.traps import SESSION_PARAMETER
from dowse.core.url_keys import UrlKeys, key_of
from dowse.core.urls import host_of
from dowse.store.database import Database
from dowse.store.duplicates.copies import detail_of_spelling
from dowse.store.fragments import upsert
from dowse.store.frontier.edges import Edge, distinct

if TYPE_CHECKING:
    from dowse.store.frontier.admission import Admission
    from dowse.store.frontier.memory import Memory

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode

# The next to probe: of fetched pages, first of those that had the fewest probes, then of those with most spellings.
_NEXT = f"""
    SELECT next, original, priority FROM (
        SELECT max(CASE WHEN task IS NULL AND may_probe <> 0 THEN url_hash END) AS next, original,
               count(task) AS probed, count(*) AS spellings
        FROM spelling WHERE host = ? AND names = ? GROUP BY original
    ) AS merged JOIN task ON task.id = original JOIN visit ON visit.id = task.visit
    WHERE next IS NOT NULL AND state = {State.FETCHED} AND task.label <> '{SITEMAP}' AND digest <> 0
    ORDER BY probed, spellings DESC, original LIMIT 1
"""
_DROPPED = "INSERT INTO alike VALUES ('dropped', ?, ?, 1) ON CONFLICT DO NOTHING"


class _Row(NamedTuple):
    """A row of `spelling` that is not written yet."""

    url_hash: int
    original: int
    host: str
    names: str
    finder: int
    candidate: bytes
    may_probe: bool
    task: int | None = None
    news: int | None = None


_WRITE = upsert("spelling", _Row._fields, ["url_hash"])


class _Released(NamedTuple):
    """A spelling that is let in: where it was found, as what, and the priority of the task it was taken for."""

    finder: int
    candidate: bytes
    priority: float


class Spellings:
    """What a crawl has merged by the built-in list of parameters."""

    def __init__(self, connection: Database, memory: Memory, options: UrlOptions, *, probes: bool) -> None:
        self._connection = connection
        self._memory = memory
        self._keys = UrlKeys(options)
        self._probes = probes
        self.spelled = Spelled(options)
        self.tagged: set[int] = set()  # keys of tasks whose own URL has something that is dropped
        self.probed: dict[int, tuple[int, Merger]] = {}  # tasks that are probes, with the tasks they were taken for
        self.originals: dict[int, set[Merger]] = {}
        self.news: list[str] = []
        self._trials: dict[Merger, Trials] = {}
        self._known: dict[int, bool] = {}  # URLs that were looked at, and whether they may be fetched
        self._rows: list[_Row] = []
        self._stirred: set[Merger] = set()
        self._load()

    def _load(self) -> None:
        execute = self._connection.execute
        for host, name in execute("SELECT place, name FROM alike WHERE kind = 'dropped'").fetchall():
            self.spelled.undo(host, [name])
        for url, key, key_hash in execute("SELECT url, key, key_hash FROM task WHERE key IS NOT NULL AND host > 0"):
            if is_of_url(key) and (merger := self.spelled.merger(url)):
                self._tag(key_hash, merger)
        rows = execute(
            "SELECT url_hash, original, spelling.host, names, may_probe, spelling.task, news, state"
            " FROM spelling LEFT JOIN task ON task.id = spelling.task"
        )
        for url_hash, original, host, names, may_probe, task, news, state in rows:
            trials = self._take(Merger(host, names), original)
            self._known[url_hash] = bool(may_probe)
            if task is not None:
                self.probed[task] = original, Merger(host, names)
                trials.probes += 1
                trials.is_out |= state in (State.WAITING, State.OUT)
            if news:
                trials.different.add(news)
        self._stirred.update(self._trials)

    def _take(self, merger: Merger, original: int) -> Trials:
        trials = self._trials.setdefault(merger, Trials())
        trials.met += 1
        self.originals.setdefault(original, set()).add(merger)
        return trials

    # While links are let in

    def notice(self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission) -> None:
        """Look through the links of a page for spellings of what was known before."""
        for candidate, edge in zip(candidates, edges, strict=True):
            request = candidate.request
            if (request.key and request.is_plain) or request.key_hash in self.tagged:
                self.note(finder, candidate, edge[0], admission)

    def note(self, finder: int, candidate: Candidate, original: int, admission: Admission) -> None:
        """Write down a URL that was taken for a task, if it is another one than that task's."""
        request = candidate.request
        place = key_of(request.url)
        may_probe = not candidate.refused and candidate.label != SITEMAP
        known = self._known.get(place)
        if known or (known is not None and not may_probe):
            return
        merger = self.spelled.merger(request.url)
        if merger is None and request.key_hash not in self.tagged:
            return  # two ways to write the same
        url = admission.url_of(original)
        if url == request.url:
            if merger:
                self._known[place] = True
                self._tag(request.key_hash, merger)
            return
        merger = merger or self.spelled.merger(url)
        if merger is None:
            return
        if known is None:
            if merger in self._trials and self._trials[merger].met >= MOST_KEPT:
                return
            self._take(merger, original)
        self._known[place] = may_probe
        if may_probe and self._trials[merger].is_barren and self._is_fetched(original, admission):
            self._trials[merger].is_barren = False
        self._rows.append(_Row(place, original, *merger, finder, _encode(candidate), may_probe))
        self._stirred.add(merger)

    def tag(self, request: Request) -> None:
        """A task was made of a URL that may have something that is dropped."""
        if is_of_url(request.key) and (merger := self.spelled.merger(request.url)):
            self._tag(request.key_hash, merger)

    def _tag(self, key_hash: int, merger: Merger) -> None:
        self.tagged.add(key_hash)
        for name in merger.names.split(" "):
            self._memory.families.know_session(merger.host, name)

    def _is_fetched(self, number: int, admission: Admission) -> bool:
        if admission.is_new(number):
            return False
        (state,) = self._connection.execute("SELECT state FROM task WHERE id = ?", (number,)).fetchone()
        return bool(state == State.FETCHED)

    def reconsider(self, refuse: Callable[[Request, str, int, str], str]) -> None:
        """Ask about what was merged under other rules."""
        query = "SELECT url_hash, finder, candidate FROM spelling WHERE task IS NULL AND finder > 0"
        rows = self._connection.execute(query).fetchall()
        for url_hash, finder, packed in rows:
            candidate, task = _decode(packed), self._finder(finder)
            refused = refuse(candidate.request, task.site, task.depth + 1, candidate.refused)
            if refused != candidate.refused:
                candidate = replace(candidate, refused=refused)
                self._connection.execute(
                    "UPDATE spelling SET candidate = ?, may_probe = ? WHERE url_hash = ?",
                    (_encode(candidate), not refused and candidate.label != SITEMAP, url_hash),
                )

    # While pages come home

    def twin(self, number: int) -> Twin | None:
        """What a probe is to be compared with."""
        original, _merger = self.probed[number]
        row = self._connection.execute(
            "SELECT task.url, visit.body FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ?", (original,)
        ).fetchone()
        return Twin(*row) if row else None

    def finding(self, outcome: Outcome) -> Finding | None:
        """The page that a probe is, if it said nothing else."""
        if outcome.compared.news != 0 or outcome.task.id not in self.probed:
            return None
        original, merger = self.probed[outcome.task.id]
        return Finding(original, str(merger), detail_of_spelling(str(merger)))

    def came_home(self, outcome: Outcome, state: State, admission: Admission) -> None:
        """A page was visited that is a probe, or that other URLs were taken for."""
        number = outcome.task.id
        for merger in self.originals.get(number, ()):
            self._trials[merger].is_barren &= state is not State.FETCHED
            self._stirred.add(merger)
        if number not in self.probed or state is State.WAITING:
            return
        merger = self.probed[number][1]
        trials = self._trials[merger]
        trials.is_out = False
        news = outcome.compared.news
        if news and state is not State.FETCHED:
            news = 0
        finder, packed = self._connection.execute(
            "UPDATE spelling SET news = ? WHERE task = ? RETURNING finder, candidate", (news, number)
        ).fetchone()
        if news:
            trials.different.add(news)
            candidate = _decode(packed)
            if self._memory.types is not None:
                self._memory.types.mark(number, finder, candidate)
            self._link(finder, [(number, candidate.anchor)])
        self._stirred.add(merger)

    def settle(self, admission: Admission) -> bool:
        """Undo what is refuted and choose probes, once a batch is written; whether that changed what waits."""
        changed = False
        while self._stirred:
            self._write()
            merger = self._stirred.pop()
            trials = self._trials.get(merger)
            if trials is None:
                continue
            if trials.is_refuted:
                self._undo(merger, admission)
                changed = True
            elif self._probes and trials.is_due and not self._memory.parked:
                changed |= self._probe(merger, trials, admission)
        return changed

    def _write(self) -> None:
        self._connection.executemany(_WRITE, self._rows)
        self._rows.clear()

    def _probe(self, merger: Merger, trials: Trials, admission: Admission) -> bool:
        """Let one spelling wait under a key of its own."""
        row = self._connection.execute(_NEXT, merger).fetchone()
        if row is None:
            trials.is_barren = True
            return False
        place, original, priority = row
        query = "SELECT finder, candidate FROM spelling WHERE url_hash = ?"
        finder, packed = self._connection.execute(query, (place,)).fetchone()
        candidate = _decode(packed)
        request = self.spelled.own(candidate.request)
        # What rules say of its link is applied when it has turned out to be a page of its own.
        hint = candidate.hint if self._memory.types is None else b""
        candidate = replace(candidate, request=request, priority=priority, hint=hint)
        number = admission.place_apart(candidate, self._finder(finder, request.host))
        admission.write()
        trials.probes += 1
        (state,) = self._connection.execute("SELECT state FROM task WHERE id = ?", (number,)).fetchone()
        trials.is_out = state == State.WAITING  # else it was found to be a trap
        self.probed[number] = original, merger
        self._connection.execute("UPDATE spelling SET task = ? WHERE url_hash = ?", (number, place))
        return True

    # When parameters are found to matter

    def _undo(self, merger: Merger, admission: Admission) -> None:
        """Let all in that was merged by parameters that matter."""
        different = [number for number, (_, of) in self.probed.items() if of == merger]
        names = self.spelled.suspects(merger, map(admission.url_of, different))
        self.spelled.undo(merger.host, names)
        for name in names:
            self._memory.families.forget_session(merger.host, name)
        self._connection.executemany(_DROPPED, [(merger.host, name) for name in names])
        released: list[_Released] = []
        for other in [other for other in self._trials if other.host == merger.host]:
            if set(other.names.split(" ")) & set(names):
                released += self._forget(other)
        self._rekey(merger.host)
        self._release(released, admission)
        self._revive(merger.host, admission)
        left_out = f"{len(released):,} URLs that were left out for it are let in"
        self.news += [f"{matters(merger.host, name)}; {left_out}" for name in names]

    def _release(self, released: list[_Released], admission: Admission) -> None:
        """Let spellings in, and add them to the links of the pages they were found on."""
        found: dict[int, list[Candidate]] = {}
        for finder, packed, priority in released:
            candidate = replace(_decode(packed), priority=priority)
            if finder:
                found.setdefault(finder, []).append(candidate)
            else:
                admission.seed(candidate.request, priority)
        for finder, candidates in found.items():
            self._link(finder, admission.admit(self._finder(finder), candidates))
        admission.write()

    def _revive(self, host: str, admission: Admission) -> None:
        """Let in what was refused for being a session id too, though it did not look it."""
        rows = self._connection.execute(
            "SELECT id, url, key_hash, parent, anchor, priority FROM task WHERE state = ? AND reason = ?",
            (int(State.OUT_OF_SCOPE), SESSION_PARAMETER),
        ).fetchall()
        for number, url, key_hash, parent, anchor, priority in rows:
            if host_of(url) == host:
                self._memory.remember(key_hash, number, refused=True)
                request = self.request(self._keys.request(url))
                admission.admit(self._finder(parent), [Candidate(request, anchor, priority)])
        admission.write()

    def _forget(self, merger: Merger) -> list[_Released]:
        """Drop all that is known of a merger; the answer is what was merged and never fetched."""
        rows = self._connection.execute(
            "SELECT url_hash, original, spelling.task, finder, candidate, priority FROM spelling"
            " JOIN task ON task.id = original WHERE spelling.host = ? AND names = ? ORDER BY url_hash",
            merger,
        ).fetchall()
        self._connection.execute("DELETE FROM spelling WHERE host = ? AND names = ?", merger)
        for url_hash, original, task, *_ in rows:
            self._known.pop(url_hash, None)
            self.probed.pop(task, None)
            self.originals.get(original, set()).discard(merger)
        del self._trials[merger]
        return [_Released(*rest) for _hash, _original, task, *rest in rows if task is None]

    def _rekey(self, host: str) -> None:
        """Give the tasks of a host the keys they have now. Probes of others keep their own."""
        rows = self._connection.execute(
            "SELECT id, url, key, key_hash FROM task WHERE key IS NOT NULL AND host IN (0, ?)",  # 0: it was refused
            (self._memory.hosts.by_name[host].id,),
        ).fetchall()
        seen = self._memory.seen
        moved = []
        for number, url, key, key_hash in rows:
            if host_of(url) != host or number in self.probed or not is_of_url(key):
                continue
            request = self.request(self._keys.request(url))
            if request.key_hash != key_hash:
                moved.append((request, number, seen.get(key_hash) & 1))
                self.tagged.discard(key_hash)
                seen.forget(key_hash)
        for request, number, refused in moved:  # after all have left their places
            if not seen.get(request.key_hash):
                seen.add(request.key_hash, number << 1 | refused)
                self._connection.execute(
                    "UPDATE task SET key = ?, key_hash = ? WHERE id = ?",
                    (request.key or None, request.key_hash, number),
                )

    def _finder(self, number: int, host: str = "") -> Task:
        """The task that found a link, as far as the link's own place depends on it; 0 is the user, who named a URL."""
        if not number:
            return Task(0, Request("", 0, ""), host)
        query = "SELECT url, site, depth, chain FROM task WHERE id = ?"
        url, site, depth, chain = self._connection.execute(query, (number,)).fetchone()
        return Task(number, Request(url, 0, ""), self._memory.hosts.by_id[site].name, depth=depth, chain=chain)

    def _link(self, finder: int, edges: list[Edge]) -> None:
        """Add links to those of the page that has them."""
        row = self._connection.execute(
            "SELECT visit.id, links FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ?", (finder,)
        ).fetchone()
        if row is not None:
            links = distinct([*msgspec.json.decode(row[1]), *edges])
            self._connection.execute(
                "UPDATE visit SET links = ? WHERE id = ?", (msgspec.json.encode(links).decode(), row[0])
            )

    def request(self, request: Request) -> Request:
        """A request by what is known now."""
        return self.spelled.request(request)

    def candidates(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """The links of a page by what is known now."""
        if not self.spelled.matter:
            return candidates
        return [
            replace(candidate, request=self.spelled.request(candidate.request)) if candidate.request.key else candidate
            for candidate in candidates
        ]
