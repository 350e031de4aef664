"""The harvest of one database: what to ask next, learned from the answers so far.

    nonsense     a word that nothing has: shows what every answer has
    everything   the form as it is: some databases then list all they have
    word         the best word of `keyword_choice.py`
    choice       an option of a select

Results come in pages. The next page of a query and the first page of another compete: the one that promises more new
records goes out. The harvest ends when nothing promises enough, or when the form fails again and again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from dowse.modes.forms.database_size import DatabaseSize, database_size
from dowse.modes.forms.form_fields import Facet, arrangement, facets, search_box
from dowse.modes.forms.keyword_choice import KeywordChoice
from dowse.modes.forms.query_answers import Answer
from dowse.parse.forms.form import Form, Submission

QueryKind = Literal["nonsense", "everything", "word", "choice"]

MOST_FAILURES = 5
"""Errors in a row after which a form is left alone."""

MOST_BARREN = 15
"""Answers in a row without a new record after which a database counts as harvested."""

LEAST_YIELD = 0.02
"""New records that a request must promise, as a part of the results of a page."""

MOST_PAGES = 500
"""Pages of results of one query: an endless list ends here."""

LISTS_ALL = "it lists all that it has"

GENERAL = (
    *("new", "data", "time", "system", "use", "library", "file", "user", "world", "general", "history", "art", "music"),
    *("book", "house", "water", "city", "language", "free", "red"),
)
"""Words that databases of many kinds have, for where the words of the site bring nothing."""

NONSENSE = "zqxvkjwq"

_WALLS = {"error": "errors", "log-in": "a log-in", "captcha": "a captcha"}
_RECENT = 5


class Query(Struct, frozen=True, array_like=True):
    """Something to ask: the values of some fields, by name; the others stay as the form has them."""

    kind: QueryKind
    values: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """As people are told of it.

        >>> Query("word", (("q", "fish"),)).text, Query("everything").text
        ('q = fish', 'everything')
        """
        return ", ".join(f"{name} = {value}" for name, value in self.values) or self.kind


class Step(NamedTuple):
    """A request: a page of the results of a query, the first if there is no `url`. `promise` is how many new records it
    should bring."""

    query: Query
    url: str = ""
    page: int = 1
    promise: float = 0.0


class Progress(NamedTuple):
    """How far a query is: the results that came, those of them that were new, and how many there are as it says."""

    results: int
    new: int
    total: int | None
    page: int


class Harvest:
    """Folds answers into the next request. It sends nothing."""

    def __init__(self, form: Form, words: Iterable[str]) -> None:
        self.form = form
        self.page = form.url
        box = search_box(form)
        self._box = box.name if box is not None else ""
        self._facets: list[Facet] = facets(form)
        # A form that comes back with an answer has the values of the query before it.
        begun = {**({self._box: ""} if self._box else {}), **{facet.name: facet.begun for facet in self._facets}}
        self._fixed = {**begun, **arrangement(form)}
        self._choice = KeywordChoice()
        self._choice.hear(words)
        self._asked: set[Query] = set()
        self._further: dict[Query, Step] = {}
        self._yields: dict[str, list[float]] = {}
        self._failures = self._barren = 0
        self.known: frozenset[int] = frozenset()
        self.place = ""
        self.end = "" if self._box or self._facets else "it has no field that can be asked"

    @property
    def records(self) -> int:
        """The records that are known."""
        return len(self._choice.times)

    @property
    def size(self) -> DatabaseSize | None:
        """How many records there are, by an estimate; None if nothing can be said yet."""
        return database_size(self._choice.times)

    def hear(self, words: Iterable[str]) -> None:
        """Words of the site, to begin with."""
        self._choice.hear(words)

    def next(self) -> Step | None:
        """What to ask now; None if there is nothing more to ask, and `end` says why."""
        if self.end:
            return None
        for query in self._first():
            if query not in self._asked:
                return Step(query)
        if self._barren == MOST_BARREN and not self.records:
            self._choice.ask_first(GENERAL)
        steps = [*self._further.values(), *self._new_queries()]
        best = max(steps, key=lambda step: step.promise, default=None)
        if best is None or best.promise < LEAST_YIELD * self._choice.page_size:
            self.end = "nothing promises more"
        elif self._barren >= (most := MOST_BARREN if self.records else 2 * MOST_BARREN):
            self.end = f"the last {most} answers brought nothing new"
        return None if self.end else best

    def submission(self, step: Step) -> Submission | None:
        """The request of a step."""
        if step.url:
            return Submission(step.url)
        return self.form.request({**self._fixed, **dict(step.query.values)})

    def answered(self, query: Query, answer: Answer) -> int:
        """Take in one page of the answer to a query; the answer is how many records are new."""
        self._asked.add(query)
        self._further.pop(query, None)
        word = dict(query.values).get(self._box, "") if query.kind == "word" else ""
        self._choice.asked.add(word)
        if answer.kind in _WALLS:
            self._failures += 1
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
        new = self._choice.take(word, ((item.key, item.words) for item in answer.items))
        self._barren = 0 if new else self._barren + 1
        if query.kind == "choice":
            self._yields.setdefault(query.values[0][0], []).append(new)
        return new

    def goes_on(self, query: Query, url: str, size: int, progress: Progress) -> None:
        """A query has a further page, which should have so many results."""
        if progress.page >= MOST_PAGES or not size:
            return
        share = (progress.new + 1) / (progress.results + 1)
        if progress.total and progress.total > progress.results:
            # What the answer says to have, and nobody has brought yet, must be on the pages to come.
            share = max(share, (progress.total - self.records) / (progress.total - progress.results))
        self._further[query] = Step(query, url, progress.page + 1, size * min(share, 1.0))

    def finished(self, query: Query, progress: Progress) -> None:
        """The last page of a query has come."""
        if query.kind == "everything" and progress.total and progress.new >= progress.total:
            self.end = LISTS_ALL

    def _first(self) -> Iterator[Query]:
        if self._box:
            yield Query("nonsense", ((self._box, NONSENSE),))
            yield Query("everything", ((self._box, ""),))
        else:
            yield Query("everything")

    def _new_queries(self) -> Iterator[Step]:
        """The best word, and the next choice of each select, which promises as much as those before it brought."""
        promise = self._choice.best() if self._box else None
        if promise is not None:
            yield Step(Query("word", ((self._box, promise.word),)), promise=promise.new / promise.requests)
        for facet in self._facets:
            brought = self._yields.get(facet.name, [])[-_RECENT:]
            # One choice with nothing behind it says little of the others: a page of results counts as tried before.
            promised = (self._choice.page_size + sum(brought)) / (1 + len(brought))
            queries = (Query("choice", ((facet.name, option.value),)) for option in facet.values)
            if (query := next((each for each in queries if each not in self._asked), None)) is not None:
                yield Step(query, promise=promised)
