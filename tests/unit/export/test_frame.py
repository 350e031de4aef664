"""A frame gives its columns, rows and parts by [...], and reads no more for that than it must."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dowse.export.frame import Frame
from tests.unit.export.listed import Listed

ROWS = [{"url": f"https://a.example/{number}", "size": number} for number in range(7)]


class Table(Listed):
    """Counts the rows that are read."""

    read = 0

    def __len__(self) -> int:
        return len(self.values)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for row in super().rows():
            self.read += 1
            yield row


@pytest.fixture
def frame() -> Frame:
    return Frame(Table.of(ROWS))


def test_a_name_gives_a_column(frame: Frame) -> None:
    assert frame["size"] == [0, 1, 2, 3, 4, 5, 6]


def test_a_number_gives_a_row(frame: Frame) -> None:
    assert (frame[0], frame[3], frame[-1], frame[-7]) == (ROWS[0], ROWS[3], ROWS[6], ROWS[0])


@pytest.mark.parametrize("number", [7, -8])
def test_a_row_that_is_not_there(frame: Frame, number: int) -> None:
    with pytest.raises(IndexError, match=f"no row {number} in a table of 7 rows"):
        _ = frame[number]


@pytest.mark.parametrize(
    "part",
    [slice(2), slice(2, 5), slice(5, 2), slice(None, None, 3), slice(-3, None), slice(1, -1, 2), slice(None, None, -2),
     slice(5, 1, -1), slice(9, None, -1), slice(0, 0)],
)  # fmt: skip
def test_a_slice_is_a_frame_of_the_rows_that_a_list_would_have(frame: Frame, part: slice) -> None:
    assert frame[part].to_dicts() == ROWS[part]
    assert len(frame[part]) == len(ROWS[part])


def test_parts_have_parts(frame: Frame) -> None:
    assert frame[2:6][1:3].to_dicts() == ROWS[3:5]
    assert frame.head(5).head(2).to_dicts() == ROWS[:2]
    assert frame[1:][["size"]][:2].to_dicts() == [{"size": 1}, {"size": 2}]


def test_a_list_of_names_is_a_frame_of_these_columns(frame: Frame) -> None:
    chosen = frame[["size", "url"]]
    assert (chosen.columns, len(chosen)) == (["size", "url"], 7)
    assert list(chosen.rows())[1] == (1, "https://a.example/1")
    assert chosen.kinds.keys() <= {"size", "url"}
    assert "<th>size</th><th>url</th>" in chosen._repr_html_()


def test_a_column_that_is_not_there_is_told_with_the_nearest(frame: Frame) -> None:
    with pytest.raises(KeyError, match="no column 'sizes'; did you mean 'size'"):
        _ = frame["sizes"]
    with pytest.raises(KeyError, match="no column 'depth'"):
        _ = frame[["url", "depth"]]


def test_what_is_no_part_is_refused(frame: Frame) -> None:
    with pytest.raises(TypeError, match=r"takes the name of a column, a list of names, a row number or a slice"):
        _ = frame[1.5]  # type: ignore[call-overload]


def test_no_more_rows_are_read_than_are_asked_for() -> None:
    table = Table.of(ROWS)
    assert Frame(table)[1] == ROWS[1]
    assert table.read == 2
    assert Frame(table)[:3][["url"]].to_dicts() == [{"url": row["url"]} for row in ROWS[:3]]
    assert table.read == 5


def test_a_part_can_be_a_data_frame(frame: Frame) -> None:
    assert frame[["size"]][2:4].to_pandas()["size"].tolist() == [2, 3]
    assert frame[-2:].to_polars()["size"].to_list() == [5, 6]
