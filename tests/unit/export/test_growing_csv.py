"""A list beside a crawl: it only grows, a half line is cut off, and a failure leaves it as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dowse.export.growing_csv import GrowingList


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.csv"


def test_a_list_grows_and_is_opened_again(path: Path) -> None:
    GrowingList(path, ["url", "n"]).add([("a", 1), ("b", 2)])
    again = GrowingList(path, ["url", "n"])
    assert again.rows == 2
    again.add([("c", 3)])
    again.add([])
    assert path.read_text() == "url,n\na,1\nb,2\nc,3\n"


def test_nothing_to_add_still_makes_the_head(path: Path) -> None:
    GrowingList(path, ["url"]).add([])
    assert path.read_text() == "url\n"


def test_half_a_line_is_cut_off(path: Path) -> None:
    path.write_text("url,n\na,1\nb")
    again = GrowingList(path, ["url", "n"])
    assert again.rows == 1
    again.add([("b", 2)])
    assert path.read_text() == "url,n\na,1\nb,2\n"


def test_texts_of_strangers_stay_in_their_line_and_are_no_formulas(path: Path) -> None:
    growing = GrowingList(path, ["text"])
    growing.add([("one\r\ntwo\n",), ("=1+1",), ('a,"b"',), ("\ud800",)])
    assert path.read_text() == 'text\none two\n\'=1+1\n"a,""b"""\n?\n'
    assert GrowingList(path, ["text"]).rows == 4


def test_a_full_disk_leaves_the_list_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    growing = GrowingList(path, ["n"])
    growing.add([(1,)])
    write = os.write

    def half(descriptor: int, data: bytes) -> int:
        write(descriptor, data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        growing.add([(22,), (3,)])
    monkeypatch.undo()
    growing.add([(22,), (3,)])
    assert path.read_text() == "n\n1\n22\n3\n"


def test_rows_that_the_table_lost_are_taken_off(path: Path) -> None:
    growing = GrowingList(path, ["n"])
    growing.add([(1,), (2,), (3,)])
    growing.shorten(5)
    growing.shorten(1)
    growing.add([(9,)])
    assert path.read_text() == "n\n1\n9\n"
