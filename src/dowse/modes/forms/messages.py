"""What strategy and bookkeeping tell each other: hints go out with tasks, evidence comes home with outcomes."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from dowse.modes.forms.queries import Query
from dowse.modes.forms.query_answers import Answer
from dowse.parse.forms.form import Form

SEARCHABLE = 0.5
"""The probability from which a form counts as one to search with."""

RESULT_PAGE = "result"
"""The label of pages that results link to."""

REVERSE_SEARCH = "reverse search"
"""The label of requests that ask which pages link to a site."""

CENTRE_PAGE = "centre page"
"""The label of pages that link to a site with forms, and so perhaps to others of its kind."""


class QueryHint(Struct, frozen=True, array_like=True):
    """Which query a task is, of which form, and what is known of the form's answers."""

    number: int
    form: Form
    query: Query
    page: int = 1
    known: list[int] = []
    place: str = ""
    in_browser: bool = False
    """Whether the form is filled in and sent on its own page."""


class FoundForm(Struct, frozen=True, array_like=True):
    """A form of a page, and what it is taken for. `refusal` says why it must not be sent; "" if it may."""

    form: Form
    type: str
    searchable: float
    refusal: str = ""
    fields: dict[str, str] = {}
    """What each field is, by name."""
    said: str = ""
    """What it and the title of its page say of their subject, where the crawl has a topic."""
    density: float = 0.0
    """The share of the words of its page that are of the topic."""
    shown: list[int] = []
    """What its page repeats, as numbers, where no nonsense can be asked for and answers are other pages."""


class Neighbour(Struct, frozen=True, array_like=True):
    """Another site that a page links to: its home page, and the words of and around the link."""

    home: str
    text: str


class Evidence(Struct, frozen=True, array_like=True):
    """What a page brought: forms and words of the site, or the answer to a query."""

    forms: list[FoundForm] = []
    words: list[str] = []
    answer: Answer | None = None
    around: dict[str, str] = {}
    """The text around each link that the strategy chose, by its URL: others may take some of them away."""
    others: list[Neighbour] = []
    on_topic: float = 1.0
    centres: list[str] = []
    """Pages that link to a site, as a reverse search says."""
    fresh: Form | None = None
    """The same form as the page that answers has it, with fresh tokens."""
    sent_on: str = ""
    """Where a script went when the form was sent."""


_hints = msgspec.msgpack.Decoder(QueryHint)
_evidence = msgspec.msgpack.Decoder(Evidence)


def pack(message: QueryHint | Evidence) -> bytes:
    return msgspec.msgpack.encode(message)


def query_hint(packed: bytes) -> QueryHint:
    return _hints.decode(packed)


def evidence(packed: bytes) -> Evidence:
    return _evidence.decode(packed)
