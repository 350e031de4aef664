"""Values on their way to PostgreSQL and back: as loose about numbers, and as exact about them, as SQLite is."""

from __future__ import annotations

from typing import Any

from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

_NUL, _INSTEAD = b"\0", "\ufffd".encode()


class Text(Dumper):
    """A text without the letter NUL, which PostgreSQL has no place for."""

    def dump(self, obj: str) -> Buffer:
        data = obj.encode()
        return data.replace(_NUL, _INSTEAD) if _NUL in data else data


class Flag(Dumper):
    """0 or 1 for a column of numbers, and false or true where a condition is asked for: it has no type of its own."""

    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"


class Truth(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class Number(Loader):
    """A sum of whole numbers is whole."""

    def load(self, data: Buffer) -> Any:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


def convert(context: AdaptContext) -> None:
    """Let a connection convert values so."""
    adapters = context.adapters
    assert adapters is not None
    adapters.register_dumper(str, Text)
    adapters.register_dumper(bool, Flag)
    # Of one type whatever their size, so that a statement is prepared once.
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(int, Int8BinaryDumper)
    adapters.register_loader("bool", Truth)
    adapters.register_loader("numeric", Number)
