"""Lists that grow beside a crawl: CSV files to which rows are only ever added.

Invariant: line n + 1 of the file is row n of its table. A process that is killed leaves at most half a line, which is
cut off when the file is opened again, and whatever rows are missing are added then. So there are no losses and no
row comes twice. A row may say more in the end than when it was added; then the file is written anew.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from dowse.export.atomic_file import writing
from dowse.export.safe_csv import CsvWriter


class GrowingList:
    """One file. Texts in it hold no line ends, so that its rows can be counted by its lines."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path = path
        self._columns = columns
        self.rows, self._size = _whole_rows(path)

    def shorten(self, rows: int) -> None:
        """Take off rows beyond that many: a power cut can lose what a table held last."""
        if rows < self.rows:
            lines = self.path.read_bytes().splitlines(keepends=True)[: rows + 1]
            self.rows, self._size = rows, sum(map(len, lines))

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Append rows. When that fails the file counts as it was before, and the same rows can be added again."""
        lines = [_line(row) for row in rows]
        data = b"".join(lines if self._size else [_line(self._columns), *lines])
        if data:
            self._write(data)
            self.rows += len(lines)

    def correct(self, rows: Callable[[], Iterable[Sequence[Any]]]) -> None:
        """Write the file anew if it is not what the rows are now."""
        lines = itertools.chain([self._columns], rows())
        with self.path.open("rb") as stream:
            if all(written == _line(row) for written, row in zip(stream, lines, strict=False)):
                return
        size = 0
        with writing(self.path) as stream:
            for row in itertools.chain([self._columns], rows()):
                size += stream.write(_line(row))
        self._size = size

    def _write(self, data: bytes) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.ftruncate(descriptor, self._size)
            os.lseek(descriptor, self._size, os.SEEK_SET)
            written = 0
            while written < len(data):
                written += os.write(descriptor, data[written:])
            self._size += len(data)
        finally:
            os.close(descriptor)


def _line(row: Sequence[Any]) -> bytes:
    stream = StringIO()
    CsvWriter(stream).row([_one_line(value) for value in row])
    return stream.getvalue().encode("utf-8", "replace")


def _whole_rows(path: Path) -> tuple[int, int]:
    """How many whole rows a file has, and how many bytes they and the head take."""
    lines = size = 0
    try:
        with path.open("rb") as stream:
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                lines += 1
                size += len(line)
    except FileNotFoundError:
        pass
    return max(lines - 1, 0), size


def _one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value
