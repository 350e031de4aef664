"""The harvest of one database: what to ask next, learned from the answers so far.

    nonsense     a word that nothing has: shows what every answer has
    everything   the form as it is: some databases then list all they have
    word         the best word of `keyword_choice.py`
    choice       an option of a select, a radio button, a box to tick
    range        one half of a range of numbers or dates
    refined      one more of these beside the values of a query whose answer was cut off (`query_tree.py`)

Results come in pages. The next page of a query and the first page of another compete: the one that promises more new
records goes out. The harvest ends when nothing promises enough, or when the form fails again and again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dowse.modes.forms.browser_filling import needs_browser
from dowse.modes.forms.form_fields import arrangement, begun, dividers, refreshed, search_box
from dowse.modes.forms.form_tokens import has_tokens
from dowse.modes.forms.keyword_choice import KeywordChoice
from dowse.modes.forms.queries import Progress, Query, Step, Values
from dowse.modes.forms.query_answers import Answer
from dowse.modes.forms.query_tree import QueryTree, Sample
from dowse.parse.forms.form import Form, Submission

MOST_FAILURES = 5
"""Errors in a row after which a form is left alone."""

MOST_BARREN = 15
"""Answers in a row without a new record after which a database counts as harvested."""

PART = 0.25
"""How much such an answer counts if it is to a part of another one, which must be divided until nothing is missing."""

LEAST_YIELD = 0.02
"""New records that a request must promise, as a part of the results of a page."""

MOST_PAGES = 500
"""Pages of results of one query: an endless list ends here."""

LISTS_ALL = "it lists all that it has"

MAX_QUERIES, NO_MORE = "max_queries", "nothing promises more"

ALL_PARTS = "it came whole, by "
"""Before the name of the field that divides it."""

PROBES = 3
"""Words that are asked for after that: one that brings anything new says that the field does not have all records."""

IN_VAIN = 4
"""Queries that bring no record by HTTP before a form is filled in in the browser, where there is one."""

LEAST_FULL = 10
"""A list without a number of results may have been cut off if it has so many, and no other is longer."""

GENERAL = (
    *("new", "data", "time", "system", "use", "library", "file", "user", "world", "general", "history", "art", "music"),
    *("book", "house", "water", "city", "language", "free", "red"),
)
"""Words that databases of many kinds have, for where the words of the site bring nothing."""

NONSENSE = "zqxvkjwq"

_WALLS = {"error": "errors", "log-in": "a log-in", "captcha": "a captcha"}


class _Further(NamedTuple):
    """Where the results of a query go on, how many the next page should have, and how far the query is."""

    request: Submission
    size: int
    progress: Progress


class Harvest:
    """Folds answers into the next request. It sends nothing."""

    def __init__(self, form: Form, words: Iterable[str], *, browser: bool = False) -> None:
        """`browser` says whether pages can be shown in one."""
        self._browser = browser
        self.in_browser = browser and needs_browser(form)
        self.form = form
        self.page = form.url
        box = search_box(form)
        self._box = box.name if box is not None else ""
        self._tree = QueryTree(dividers(form), self._box)
        self._fixed = {**begun(form), **({self._box: [""]} if self._box else {}), **arrangement(form)}
        self._choice = KeywordChoice()
        self._choice.hear(words)
        self._asked: set[Values] = set()
        self._failed: set[Values] = set()
        self._further: dict[Query, _Further] = {}
        self._failures = self._longest = self._probes = 0
        self._barren = 0.0
        self._has_more = False
        self._renews = self._is_stale = False
        self._renewals = 0
        self.known: frozenset[int] = frozenset()
        self.place = ""
        self.end = "" if self._box or self._tree.dividers else "it has no field that can be asked"

    @property
    def records(self) -> int:
        """The records that are known."""
        return len(self._choice.times)

    def _begin_in_browser(self) -> None:
        """What is sent as the markup says brings nothing, so a script may take the place of that: begin anew."""
        self.in_browser = True
        self._asked.clear()
        self._choice.asked.clear()
        self._barren = 0.0

    def renew(self, query: Query, answer: Answer, fresh: Form | None) -> None:
        """Take the hidden values of the form as the answer has it.

        If there is none on it and the next query fails, then these may be good only once: from then on the page of the
        form is fetched before each query, and the one that failed is asked once more.
        """
        if answer.kind == "error" and self._is_stale and not self._renews and has_tokens(self.form):
            self._renews = True
            self._failures = 0
            self._asked.discard(query.values)
            self._failed.discard(query.values)
        if fresh is not None:
            self.form = refreshed(self.form, fresh)
        self._is_stale = fresh is None and query.kind != "renewal"

    def hear(self, words: Iterable[str]) -> None:
        """Words of the site, to begin with."""
        self._choice.hear(words)

    def next(self, *, is_full: bool = False) -> Step | None:
        """What to ask now; None if there is nothing more to ask, and `end` says why.

        If it `is_full`, no further query is asked, and only the pages that promise most of those before are.
        """
        if self.end:
            return None
        if self._browser and not self.in_browser and not self.records and len(self._choice.asked) > IN_VAIN:
            self._begin_in_browser()
        if self._renews and self._is_stale:
            return Step(Query("renewal", (("", str(self._renewals + 1)),)), Submission(self.page))
        for query in () if is_full else self._first():
            if query.values not in self._asked:
                return Step(query)
        if self._tree.is_whole and not self._has_more and self.records >= self._choice.least_size:
            probe = self._probe()
            if probe is None or not is_full:
                return probe
        pages = [self._further_step(query, further) for query, further in self._further.items()]
        if is_full:
            return self._best(self._at_once(pages) or pages, MAX_QUERIES)
        if (doubt := self._tree.doubt(self._asked)) is not None:
            return doubt
        if self._barren >= MOST_BARREN and not self.records:
            self._choice.ask_first(GENERAL)
        return self._best(self._at_once(pages) or [*pages, *self._new_queries(pages)], NO_MORE)

    def _best(self, steps: list[Step], otherwise: str) -> Step | None:
        """The step that promises most; None if that is not enough, and this is the end."""
        best = max(steps, key=lambda step: step.promise, default=None)
        if best is None or best.promise < self._least_yield:
            self.end = otherwise
        elif self._barren >= (most := MOST_BARREN if self.records else 2 * MOST_BARREN):
            self.end = f"the last {most} answers brought nothing new"
        return None if self.end else best

    @property
    def _least_yield(self) -> float:
        return LEAST_YIELD * self._choice.page_size

    def _at_once(self, pages: list[Step]) -> list[Step]:
        """Lists that go on by POST are gone through at once: the state of a page may not be good for long."""
        posted = [step for step in pages if step.further and step.further.method == "POST"]
        return [step for step in posted if step.promise >= self._least_yield]

    def _further_step(self, query: Query, further: _Further) -> Step:
        """The next page of a query, with what it promises by all that is known now."""
        progress = further.progress
        share = (progress.new + 1) / (progress.results + 1)
        rest = (progress.total or 0) - progress.results
        if progress.total and rest > 0:
            # What the answer says to have, and nobody has brought yet, must be on the pages to come. Sites with one
            # order for all queries show the same records first, so that the pages before say little of them.
            word = self._word_of(query)
            unseen = self._choice.unseen(word, progress.total) if word else 0.0
            share = max(unseen / rest if word else share, (progress.total - self.records) / rest)
        return Step(query, further.request, progress.page + 1, further.size * min(share, 1.0))

    def _word_of(self, query: Query) -> str:
        return dict(query.values).get(self._box, "") if query.kind == "word" else ""

    def _probe(self) -> Step | None:
        """All came. If by the values of one field, some words more show whether there are records without a value."""
        is_sure = not self._box or not self._tree.covered_by or self._probes >= PROBES
        promise = None if is_sure else self._choice.best()
        if promise is not None:
            return Step(Query("word", ((self._box, promise.word),)))
        self.end = f"{ALL_PARTS}{self._tree.covered_by}" if self._tree.covered_by else LISTS_ALL
        return None

    def submission(self, step: Step) -> Submission | None:
        """The request of a step."""
        if step.further is not None or self.in_browser:
            return step.further or Submission(self.page)
        return self.form.request({**self._fixed, **dict(step.query.values)})

    def answered(self, query: Query, answer: Answer) -> int:
        """Take in one page of the answer to a query; the answer is how many records are new."""
        if query.kind == "renewal":
            self._renews = True
            self._renewals += 1
            return 0
        is_first = query.values not in self._asked
        self._asked.add(query.values)
        self._further.pop(query, None)
        word = self._word_of(query)
        self._choice.asked.add(word)
        if answer.kind in _WALLS:
            self._failures += 1
            self._failed.add(query.values)
            self._tree.failed(query.place)
            if self._failures >= MOST_FAILURES:
                self.end = f"it answers with {_WALLS[answer.kind]}"
            return 0
        self._failures = 0
        if query.kind == "nonsense":
            self.known = frozenset(answer.known)
            return 0
        self.place = answer.place or self.place
        self._choice.page_size = max(self._choice.page_size, len(answer.items))
        self._choice.least_size = max(self._choice.least_size, answer.total or 0)
        if query.kind == "everything" and answer.items:
            self._choice.size = answer.total or 0
        new = self._choice.take(word, ((item.key, item.words) for item in answer.items))
        self._barren = 0 if new else self._barren + (PART if query.kind in ("range", "refined") else 1)
        if self._tree.covered_by and word:
            self._probes += 1
            self._has_more = self._has_more or new > 0
        if is_first:
            sample = Sample(answer.total, frozenset(item.key for item in answer.items))
            self._tree.brought(query.place, new, sample)
        return new

    def goes_on(self, query: Query, further: Submission, size: int, progress: Progress) -> None:
        """A query has a further page, which should have so many results."""
        if progress.page >= MOST_PAGES or not size:
            self.finished(query, progress)
            return
        self._further[query] = _Further(further, size, progress)

    def finished(self, query: Query, progress: Progress) -> None:
        """The last page of a query has come."""
        if query.kind in ("nonsense", "renewal") or query.values in self._failed:
            return
        missing = self._missing(progress)
        if query.kind == "everything" and (not progress.results or progress.total is None):
            return  # a form that nobody has filled in may well answer with some of its records
        if query.kind == "everything" and missing is None and self.records < progress.results:
            missing = float(progress.results - self.records)  # the list has some records twice, and others not at all
        self._tree.finished(query.place, missing)

    def _missing(self, progress: Progress) -> float | None:
        """How many results of a query did not come, though its pages are over; None if none is missing."""
        results, total = progress.results, progress.total
        if total is not None and total >= results:
            return float(total - results) if total > results else None
        self._longest = max(self._longest, results)
        is_full = results >= LEAST_FULL and results % 5 == 0 and results == self._longest
        return float(self._choice.page_size) if is_full or progress.page >= MOST_PAGES else None

    def _first(self) -> Iterator[Query]:
        if self._box:
            yield Query("nonsense", ((self._box, NONSENSE),))
            yield Query("everything", ((self._box, ""),))
        else:
            yield Query("everything")

    def _new_queries(self, pages: list[Step]) -> Iterator[Step]:
        """The best word, and the best parts of what was cut off."""
        page_size = self._choice.page_size
        promise = self._choice.best() if self._box else None
        if promise is not None:
            yield Step(Query("word", ((self._box, promise.word),)), promise=promise.new / promise.requests)
        if self._tree.dividers:
            everything = next((step for step in pages if step.query.kind == "everything"), None)
            is_listed = everything is not None and everything.promise >= page_size / 2
            yield from self._tree.parts(self._asked, page_size, with_root=not is_listed)
            if self._box:
                yield from self._tree.words(self._asked, self._choice.frequent, page_size)
