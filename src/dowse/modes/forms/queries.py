"""What is asked of a form, as values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from dowse.parse.forms.form import Submission

QueryKind = Literal["nonsense", "everything", "word", "choice", "range", "refined", "renewal"]

Values = tuple[tuple[str, str], ...]
"""Values of fields, in the order of their names. The other fields stay as the form has them."""


class Query(Struct, frozen=True, array_like=True):
    """Something to ask: the values of some fields, by name; the others stay as the form has them."""

    kind: QueryKind
    values: Values = ()

    @property
    def text(self) -> str:
        """As people are told of it.

        >>> Query("word", (("q", "fish"),)).text, Query("everything").text
        ('q = fish', 'everything')
        """
        return ", ".join(f"{name} = {value}" for name, value in self.values if name and value) or self.kind

    @property
    def place(self) -> Values:
        """What the query is a part of the database by: everything is the whole of it."""
        return () if self.kind == "everything" else self.values


class Step(NamedTuple):
    """A request: a page of the results of a query, the first if there is no `further`. `promise` is how many new
    records it should bring."""

    query: Query
    further: Submission | None = None
    page: int = 1
    promise: float = 0.0

    @property
    def is_asked(self) -> bool:
        """Whether it counts as a query: neither a further page nor a look at the form."""
        return self.page == 1 and self.query.kind != "renewal"


class Progress(NamedTuple):
    """How far a query is: the results that came, those of them that were new, and how many there are as it says."""

    results: int
    new: int
    total: int | None
    page: int


def with_values(values: Values, *more: tuple[str, str]) -> Values:
    """The values with others instead of or beside them.

    >>> with_values((("make", "fiat"), ("to", "9")), ("to", "5"), ("colour", "red"))
    (('colour', 'red'), ('make', 'fiat'), ('to', '5'))
    """
    return tuple(sorted({**dict(values), **dict(more)}.items()))


def without(values: Values, names: Iterable[str]) -> Values:
    """The values without those of some fields."""
    gone = frozenset(names)
    return tuple(pair for pair in values if pair[0] not in gone)
