"""Merged spellings as the store keeps them: noted when they are met, probed, and let in when they should not have been.

Invariants: a spelling of the built-in list's making is a row of `spelling` from when it is first met until its
parameters are found to matter, up to `MOST_KEPT` for each merger; then it is a task like any other. A probe is a task
with a key of its own, and its row here says so; it is leased with its twin. Rows and tasks change in the transaction of
the outcomes that were their cause, so a crawl that is killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.core.duplicates.twins import Twin
from dowse.core.fate import Finding
from dowse.core.job import UrlOptions
from dowse.core.model import Candidate, Outcome, Request, State
from dowse.core.url_keys import UrlKeys, key_of
from dowse.core.url_spellings import MOST_KEPT, Merger, Spelled, Trials, is_of_url, matters
from dowse.store.database import Database
from dowse.store.duplicates.copies import detail_of_spelling
from dowse.store.duplicates.spelled_tasks import SpelledTasks
from dowse.store.duplicates.spelling_table import Forgotten, Spelling, SpellingTable, may_be_probed
from dowse.store.frontier.edges import Edge, add_edges

if TYPE_CHECKING:
    from dowse.store.frontier.admission import Admission
    from dowse.store.frontier.memory import Memory


class Spellings:
    """What a crawl has merged by the built-in list of parameters."""

    def __init__(self, connection: Database, memory: Memory, options: UrlOptions, *, probes: bool) -> None:
        self._connection = connection
        self._table = SpellingTable(connection)
        self._tasks = SpelledTasks(connection, memory)
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
        self._stirred: set[Merger] = set()
        self._load()

    def _load(self) -> None:
        for host, name in self._table.parameters_that_matter():
            self.spelled.undo(host, [name])
        for _number, url, key_hash in self._tasks.keyed():
            if merger := self.spelled.merger(url):
                self._tag(key_hash, merger)
        for row in self._table.all():
            trials = self._take(row.merger, row.original)
            self._known[row.url_hash] = row.may_probe
            if row.task is not None:
                self.probed[row.task] = row.original, row.merger
                trials.probes += 1
                trials.is_out |= row.state in (State.WAITING, State.OUT)
            if row.news:
                trials.different.add(row.news)
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
        may_probe = may_be_probed(candidate)
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
        self._table.add(Spelling(place, original, merger, finder, candidate))
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
        return not admission.is_new(number) and self._tasks.state(number) is State.FETCHED

    def reconsider(self, refuse: Callable[[Request, str, int, str, str], str]) -> None:
        """Ask about what was merged under other rules."""
        for url_hash, finder, candidate in self._table.unprobed():
            task = self._tasks.finder(finder)
            refused = refuse(candidate.request, task.site, task.depth + 1, candidate.refused, candidate.label)
            if refused != candidate.refused:
                self._table.change(url_hash, replace(candidate, refused=refused))

    # While pages come home

    def twin(self, number: int) -> Twin | None:
        """What a probe is to be compared with."""
        return self._tasks.twin(self.probed[number][0])

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
        finder, candidate = self._table.end_probe(number, news)
        if news:
            trials.different.add(news)
            for each in self._memory.bookkeeping:
                each.linked(finder, [candidate], [(number, candidate.anchor)], admission)
            add_edges(self._connection, finder, [(number, candidate.anchor)])
        self._stirred.add(merger)

    def settle(self, admission: Admission) -> bool:
        """Undo what is refuted and choose probes, once a batch is written; whether that changed what waits."""
        changed = False
        while self._stirred:
            self._table.write()
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

    def _probe(self, merger: Merger, trials: Trials, admission: Admission) -> bool:
        """Let one spelling wait under a key of its own."""
        probe = self._table.next_probe(merger)
        if probe is None:
            trials.is_barren = True
            return False
        spelling, candidate = probe.spelling, probe.spelling.candidate
        request = self.spelled.own(candidate.request)
        # Who keeps the hints of links is told of its link when it has turned out to be a page of its own.
        hint = b"" if self._memory.keeps_hints else candidate.hint
        candidate = replace(candidate, request=request, priority=probe.priority, hint=hint)
        number = admission.place_apart(candidate, self._tasks.finder(spelling.finder, request.host))
        admission.write()
        trials.probes += 1
        trials.is_out = self._tasks.state(number) is State.WAITING  # else it was found to be a trap
        self.probed[number] = spelling.original, merger
        self._table.begin_probe(spelling.url_hash, number)
        return True

    # When parameters are found to matter

    def _undo(self, merger: Merger, admission: Admission) -> None:
        """Let all in that was merged by parameters that matter."""
        different = [number for number, (_, of) in self.probed.items() if of == merger]
        names = self.spelled.suspects(merger, map(admission.url_of, different))
        self.spelled.undo(merger.host, names)
        for name in names:
            self._memory.families.forget_session(merger.host, name)
        self._table.note_parameters_that_matter(merger.host, names)
        released: list[Forgotten] = []
        for other in [other for other in self._trials if other.host == merger.host]:
            if set(other.names.split(" ")) & set(names):
                released += self._forget(other)
        self._rekey(merger.host)
        self._release(released, admission)
        self._revive(merger.host, admission)
        left_out = f"{len(released):,} URLs that were left out for it are let in"
        self.news += [f"{matters(merger.host, name)}; {left_out}" for name in names]

    def _release(self, released: list[Forgotten], admission: Admission) -> None:
        """Let spellings in, and add them to the links of the pages they were found on."""
        found: dict[int, list[Candidate]] = {}
        for spelling, _task, priority in released:
            if spelling.finder:
                found.setdefault(spelling.finder, []).append(replace(spelling.candidate, priority=priority))
            else:
                admission.seed(spelling.candidate.request, priority)
        for finder, candidates in found.items():
            add_edges(self._connection, finder, admission.admit(self._tasks.finder(finder), candidates))
        admission.write()

    def _revive(self, host: str, admission: Admission) -> None:
        """Let in what was refused for being a session id too, though it did not look it."""
        for number, key_hash, parent, candidate in self._tasks.taken_for_sessions(host):
            self._memory.remember(key_hash, number, refused=True)
            request = self.request(self._keys.request(candidate.request.url))
            admission.admit(self._tasks.finder(parent), [replace(candidate, request=request)])
        admission.write()

    def _forget(self, merger: Merger) -> list[Forgotten]:
        """Drop all that is known of a merger; the answer is what was merged and never fetched."""
        forgotten = self._table.forget(merger)
        for spelling, task, _priority in forgotten:
            self._known.pop(spelling.url_hash, None)
            if task is not None:
                self.probed.pop(task, None)
            self.originals.get(spelling.original, set()).discard(merger)
        del self._trials[merger]
        return [row for row in forgotten if row.task is None]

    def _rekey(self, host: str) -> None:
        """Give the tasks of a host the keys they have now. Probes of others keep their own."""
        seen = self._memory.seen
        moved = []
        for number, url, key_hash in self._tasks.keyed_of(host):
            request = self.request(self._keys.request(url))
            if request.key_hash != key_hash and number not in self.probed:
                moved.append((request, number, seen.get(key_hash) & 1))
                self.tagged.discard(key_hash)
                seen.forget(key_hash)
        for request, number, refused in moved:  # after all have left their places
            if not seen.get(request.key_hash):
                seen.add(request.key_hash, number << 1 | refused)
                self._tasks.change_key(number, request)

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
