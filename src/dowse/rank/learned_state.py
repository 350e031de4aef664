"""What the ranker `learned` saves of what it has learned."""

from __future__ import annotations

from msgspec import Struct


class Seen(Struct, array_like=True, frozen=True):
    """A page that came home: its lead, what it is about, its number and that of the page it was found on."""

    lead: bytes
    about: bytes
    number: int
    finder: int


class State(Struct):
    """All that was learned, as it is saved."""

    source: str
    sizes: tuple[int, int]
    pages: int
    fit_at: int
    rerank_at: int
    base: float
    peak: float
    focus: bytes
    origin: bytes
    terms: bytes
    model: bytes
    fates: bytes
    tree: bytes
    tongues: bytes
    experts: bytes
    best: list[tuple[float, bytes]]
    seen: list[Seen]
    judge: bytes
    answers: tuple[list[bytes], list[bytes]]
    turns: bytes = b""
