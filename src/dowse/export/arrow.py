"""Tables as Arrow: typed columns, made a few hundred rows at a time, for Parquet files and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from dowse.core.columns import Columnar, Kind, chunks, kinds_of
from dowse.core.errors import CrawlError
from dowse.core.optional_libraries import load

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 500
"""Rows made into one batch: texts of a page may have 100 kB each, and all of a batch are in memory twice."""

GROUP_ROWS = 100_000
GROUP_BYTES = 32_000_000
"""A row group of a Parquet file is written when it has so much; readers take one at a time."""


_DATES = ("date", "local", "moment")


def batches(table: Columnar, kinds: Mapping[str, Kind]) -> Iterator[pa.RecordBatch]:
    """The rows of a table, many at a time."""
    arrow = load("pyarrow", "data", "Arrow")
    schema = schema_of(table.columns, kinds)
    for rows in chunks(table.rows(), ROWS_AT_ONCE):
        columns = zip(table.columns, zip(*rows, strict=True), strict=True)
        arrays = [_array(arrow, values, kinds[name], schema.field(name).type) for name, values in columns]
        yield arrow.record_batch(arrays, schema=schema)


def schema_of(columns: Sequence[str], kinds: Mapping[str, Kind]) -> pa.Schema:
    """Names and types of the columns."""
    arrow = load("pyarrow", "data", "Arrow")
    types = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "boolean": arrow.bool_(),
        "time": arrow.timestamp("us", tz="UTC"),
        "date": arrow.date32(),
        "local": arrow.timestamp("us"),
        "moment": arrow.timestamp("us", tz="UTC"),
        "texts": arrow.list_(arrow.string()),
        "integers": arrow.list_(arrow.int64()),
        "numbers": arrow.list_(arrow.float64()),
        "json": arrow.string(),
    }
    return arrow.schema([(name, types[kinds[name]]) for name in columns])


def to_arrow(table: Columnar) -> pa.Table:
    """The whole table in memory."""
    arrow = load("pyarrow", "data", "Arrow")
    kinds = kinds_of(table)
    whole = arrow.Table.from_batches(batches(table, kinds), schema_of(table.columns, kinds))
    return whole.combine_chunks()  # what comes in one piece can be taken over by pandas and polars without a copy


def write_parquet(table: Columnar, stream: BinaryIO) -> int:
    """Write a table as one Parquet file, never more than a row group in memory; the answer is the number of rows."""
    arrow = load("pyarrow", "data", "Parquet")
    parquet = load("pyarrow.parquet", "data", "Parquet")
    kinds = kinds_of(table)
    number, size = 0, 0
    held: list[pa.RecordBatch] = []
    with parquet.ParquetWriter(stream, schema_of(table.columns, kinds), compression="zstd") as writer:
        for batch in batches(table, kinds):
            number += batch.num_rows
            size += batch.nbytes
            held.append(batch)
            if len(held) * ROWS_AT_ONCE >= GROUP_ROWS or size >= GROUP_BYTES:
                writer.write_table(arrow.Table.from_batches(held))
                size, held = 0, []
        if held:
            writer.write_table(arrow.Table.from_batches(held))
    return number


def _array(arrow: Any, values: Sequence[Any], kind: Kind, of_type: pa.DataType) -> pa.Array:
    if kind == "time":
        values = [value if value is None else round(value * 1e6) for value in values]
    elif kind == "boolean":
        values = [value if value is None else bool(value) for value in values]
    elif kind == "json":
        values = [value if value is None else _json(value) for value in values]
    try:
        if kind not in _DATES:
            return arrow.array(values, of_type)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError):
        pass  # a value of another kind, as in a column of texts with a number in it
    try:
        return arrow.array([value if value is None else _converted(value, kind) for value in values], of_type)
    except (ValueError, TypeError) as error:
        raise CrawlError("the crawl found other kinds of values while it was read; try again") from error


def _converted(value: Any, kind: Kind) -> Any:
    if kind in ("texts", "numbers"):
        item: Kind = "text" if kind == "texts" else "number"
        return [part if part is None else _converted(part, item) for part in value]
    if kind in _DATES:
        moment = datetime.fromisoformat(value)
        return moment.date() if kind == "date" else moment
    if kind == "text":
        return value if isinstance(value, str) else _json(value)
    return float(value) if kind == "number" else value


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
