"""How an option of a job is shown to people, beside its type and its default."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Option(NamedTuple):
    """How a job field is shown to people.

    >>> from typing import Annotated
    >>> from msgspec import Struct
    >>> class WordOptions(Struct, frozen=True, kw_only=True):
    ...     word: Annotated[str, Option("A word that titles have.", "WORD")] = ""
    >>> WordOptions(word="fish").word
    'fish'
    """

    help: str
    metavar: str = ""
    flags: tuple[str, ...] = ()
    check: Callable[[str], str] | None = None
    """Says what is wrong with a text, or "". The least and the most of a number are `Meta(ge=, le=)` beside it."""
