"""Tables as Arrow and Parquet: types, values of several kinds, bounded memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dowse.core.columns import Kind, kinds_of
from dowse.core.errors import CrawlError, ExtraMissing
from dowse.export.arrow import batches, to_arrow, write_parquet
from tests.unit.export.listed import Listed


@pytest.mark.parametrize(
    ("kind", "values", "arrow_type", "read"),
    [
        ("text", ["a", None], "string", ["a", None]),
        ("integer", [1, None], "int64", [1, None]),
        ("number", [1, 2.5], "double", [1.0, 2.5]),
        ("boolean", [0, 1, True, None], "bool", [False, True, True, None]),
        ("time", [1.5, None], "timestamp[us, tz=UTC]", [datetime(1970, 1, 1, 0, 0, 1, 500_000, UTC), None]),
        ("date", ["2026-03-01", None], "date32[day]", [date(2026, 3, 1), None]),
        (
            "local",
            ["2026-03-01T10:00:00", "2026-03-01"],
            "timestamp[us]",
            [datetime(2026, 3, 1, 10), datetime(2026, 3, 1)],
        ),
        (
            "moment",
            ["2026-03-01T01:00:00+02:00", "2026-03-01"],
            "timestamp[us, tz=UTC]",
            [datetime(2026, 2, 28, 23, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)],
        ),
        ("texts", [["a", None], [], None], "list<element: string>", [["a", None], [], None]),
        ("json", [{"a": 1}, [["b"]], None], "string", ['{"a":1}', '[["b"]]', None]),
    ],
)
def test_types(kind: Kind, values: list[Any], arrow_type: str, read: list[Any]) -> None:
    table = to_arrow(Listed(["x"], [(value,) for value in values], {"x": kind}))
    assert str(table.schema.field("x").type).replace("item", "element") == arrow_type
    assert table.column("x").to_pylist() == read


def test_columns_of_unknown_kind_are_looked_at() -> None:
    rows = [{"url": "u", "price": 1, "tags": ["a"], "mixed": "a"}, {"url": "v", "price": 2.5, "tags": [], "mixed": 1}]
    table = to_arrow(Listed.of(rows, url="text"))
    assert table.to_pylist() == [
        {"url": "u", "price": 1.0, "tags": ["a"], "mixed": "a"},
        {"url": "v", "price": 2.5, "tags": [], "mixed": "1"},
    ]


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8"))
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("k"), inner))


@given(st.lists(st.tuples(values, values), max_size=6))
def test_whatever_fields_hold_has_a_type_and_is_there(rows: list[tuple[Any, Any]]) -> None:
    table = to_arrow(Listed(["a", "b"], rows))
    assert table.num_rows == len(rows)
    for number, name in enumerate(("a", "b")):
        assert [value is None for value in table.column(name).to_pylist()] == [row[number] is None for row in rows]


@given(st.lists(values, max_size=6))
@example(["a", ["b"]])
@example(["a", {"b": 1}])
def test_a_text_is_never_put_in_quotes(found: list[Any]) -> None:
    table = to_arrow(Listed(["x"], [(value,) for value in found]))
    for value, read in zip(found, table.column("x").to_pylist(), strict=True):
        if isinstance(value, str):
            assert read == value
        elif isinstance(value, list) and isinstance(read, list):
            assert [item for item in value if isinstance(item, str)] == [
                text for item, text in zip(value, read, strict=True) if isinstance(item, str)
            ]


def test_a_value_that_came_too_late_is_told() -> None:
    with pytest.raises(CrawlError, match="try again"):
        list(batches(Listed(["x"], [("text",)]), {"x": "number"}))


def test_dates_are_dates_where_a_table_says_so() -> None:
    rows = [{"day": "2026-03-01", "name": "2026-03-01"}, {"day": "2024-02-29", "name": "2024-02-29"}]
    table = Listed.of(rows)
    table.dates = {"day"}
    read = to_arrow(table)
    assert [str(field.type) for field in read.schema] == ["date32[day]", "string"]
    assert read.column("day").to_pylist() == [date(2026, 3, 1), date(2024, 2, 29)]


@given(st.datetimes(), st.sampled_from([None, UTC, timezone(timedelta(hours=-14)), timezone(timedelta(hours=5.5))]))
def test_every_date_that_is_told_as_one_can_be_read(moment: datetime, zone: timezone | None) -> None:
    texts = [moment.strftime("%Y-%m-%d").rjust(10, "0"), moment.replace(microsecond=0, tzinfo=zone).isoformat()]
    table = Listed(["x"], [(text,) for text in texts])
    table.dates = {"x"}
    assert str(to_arrow(table).schema.field("x").type) == ("timestamp[us, tz=UTC]" if zone else "timestamp[us]")


def test_parquet_is_read_back() -> None:
    rows = [{"url": f"http://a/{number}", "size": number, "at": float(number)} for number in range(1_234)]
    stream = io.BytesIO()
    listed = Listed.of(rows, url="text", size="integer", at="time")
    assert write_parquet(listed, stream) == 1_234
    assert pyarrow.parquet.read_table(stream).to_pylist() == to_arrow(listed).to_pylist()


def test_parquet_of_nothing_has_its_columns() -> None:
    stream = io.BytesIO()
    assert write_parquet(Listed(["url", "status"], [], {"url": "text", "status": "integer"}), stream) == 0
    table = pyarrow.parquet.read_table(stream)
    assert (table.num_rows, table.column_names) == (0, ["url", "status"])


class Endless:
    """More text than may be in memory, made when it is asked for; notes the most that Arrow held."""

    columns = ("url", "text")
    kinds: dict[str, Kind] = {"url": "text", "text": "text"}  # noqa: RUF012
    dates = ()

    def __init__(self) -> None:
        self.most = 0

    def rows(self) -> Iterator[tuple[str, str]]:
        for number in range(6_000):
            self.most = max(self.most, pyarrow.total_allocated_bytes())
            yield f"http://a/{number}", f"{number} " * 8_000


def test_parquet_is_written_in_bounded_memory() -> None:
    table, before = Endless(), pyarrow.total_allocated_bytes()
    stream = io.BytesIO()
    assert write_parquet(table, stream) == 6_000
    assert table.most - before < 120_000_000, "of 230 MB"
    assert pyarrow.parquet.ParquetFile(stream).metadata.num_row_groups > 4


def test_a_missing_library_is_named_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExtraMissing, match=r"needs pyarrow: pip install 'dowse-crawler\[data\]'"):
        write_parquet(Listed(["url"], [], {"url": "text"}), io.BytesIO())


def test_tables_that_know_their_kinds_are_not_read_for_them() -> None:
    class Unread(Listed):
        def rows(self) -> Iterator[tuple[Any, ...]]:
            raise AssertionError("read")

    assert kinds_of(Unread(["url"], [], {"url": "text"})) == {"url": "text"}
