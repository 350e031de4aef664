"""One table of a crawl in the formats that people work with: rows, Arrow, pandas, polars, a table in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from dowse.core.columns import Kind
from dowse.core.optional_libraries import load
from dowse.core.phrasing import counted
from dowse.export.table_parts import Countable, SomeColumns, SomeRows

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars
    import pyarrow

    from dowse.store.reading.page_tables import PageTable
    from dowse.store.reading.tables import Row

SHOWN = 10
"""Rows that a notebook shows."""

TOLD_EVERY = 1000
"""Rows between two times that one who watches is told of them."""

NAMED = 12
"""Columns that a frame names when it is printed."""


class Frame:
    """A table of a crawl. Iterate it for rows as dicts, or take it whole as a data frame.

    Nothing is read before it is asked for, and iterating never has all rows in memory. A crawl that is running can
    be read, too; each reading then finds what is there by then. `[...]` takes a column, a row or a part:

    >>> pages = crawl.pages
    >>> len(pages), pages[0]["url"], pages["status"][:2]
    (60, 'https://example.org/', [200, 200])
    >>> pages[["url", "depth"]][1:3].to_dicts()
    [{'url': 'https://example.org/topics/', 'depth': 1}, {'url': 'https://example.org/consultations/', 'depth': 1}]
    >>> pages.to_pandas().groupby("status").size().to_dict()
    {200: 60}
    >>> for page in pages.head(1):
    ...     print(page["url"], page["status"])
    https://example.org/ 200
    """

    def __init__(self, table: Countable) -> None:
        self._table = table

    @property
    def source(self) -> Countable:
        """What it is read from."""
        return self._table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.columns)

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What columns hold, as far as the table says so before it is read."""
        return self._table.kinds

    @property
    def dates(self) -> Collection[str]:
        """The columns that should hold dates."""
        return self._table.dates

    def rows(self) -> Iterator[Sequence[Any]]:
        """The rows without the names of their columns."""
        return self._table.rows()

    def head(self, number: int = SHOWN) -> Frame:
        """The first rows, as a frame that has all the same methods.

        >>> len(crawl.links.head(100).to_pandas())
        100
        """
        if number < 0:
            raise ValueError(f"head takes a number of rows, not {number}")
        return self[:number]

    @overload
    def __getitem__(self, part: str) -> list[Any]: ...
    @overload
    def __getitem__(self, part: int) -> Row: ...
    @overload
    def __getitem__(self, part: slice | list[str]) -> Frame: ...
    def __getitem__(self, part: str | int | slice | list[str]) -> list[Any] | Row | Frame:
        """The values of a column (`frame["url"]`), a row (`frame[0]`), some rows (`frame[:10]`) or some columns
        (`frame[["url", "title"]]`)."""
        if isinstance(part, str):
            return [value for (value,) in SomeColumns(self._table, [part]).rows()]
        if isinstance(part, slice):
            return Frame(SomeRows(self._table, part))
        if isinstance(part, list):
            return Frame(SomeColumns(self._table, part))
        if isinstance(part, int):
            return self._row(part)
        raise TypeError(f"[...] takes the name of a column, a list of names, a row number or a slice, not {part!r:.60}")

    def _row(self, number: int) -> Row:
        for row in self[number : number + 1 or None]:
            return row
        raise IndexError(f"there is no row {number} in a table of {counted(len(self), 'row')}")

    def to_dicts(self) -> list[Row]:
        """All rows, each as a dict."""
        return list(self)

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow Table with typed columns: whole numbers, dates, times in UTC, lists."""
        from dowse.export.arrow import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame over the memory of the Arrow table where pandas can do so.

        Whole numbers stay so where some are missing (Int64), and lists are lists.
        """
        library = load("pandas", "data", "a pandas data frame")
        integers = library.Int64Dtype()
        whole = self.to_arrow()
        missing = any(column.null_count for column in whole.columns if column.type == "int64")
        types = {"int64": integers} if missing else {}
        frame: pandas.DataFrame = whole.to_pandas(
            split_blocks=True, date_as_object=False, types_mapper=lambda arrow_type: types.get(str(arrow_type))
        )
        for field in whole.schema:
            if str(field.type).startswith("list<"):  # numpy arrays in cells are neither compared nor written as JSON
                frame[field.name] = library.Series(whole[field.name].to_pylist(), dtype="object", index=frame.index)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars DataFrame over the memory of the Arrow table."""
        frame: polars.DataFrame = load("polars", "data", "a polars data frame").from_arrow(self.to_arrow())
        return frame

    def __iter__(self) -> Iterator[Row]:
        columns = self.columns
        for row in self.rows():
            yield dict(zip(columns, row, strict=True))

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'row')} of {self._shown_columns()}>"

    def _shown_columns(self) -> str:
        """The names of the columns; records of many kinds may have hundreds."""
        left = len(self.columns) - NAMED
        return ", ".join(self.columns[:NAMED]) + (f" and {left} more" if left > 0 else "")

    def _repr_html_(self) -> str:
        from dowse.export.notebook_tables import to_html

        return to_html(self, SHOWN, len(self))


class WatchedFrame(Frame):
    """A table whose rows are counted while they are read: `told` hears how many were and how many there are."""

    def __init__(self, frame: Frame, told: Callable[[int, int], None]) -> None:
        super().__init__(frame._table)
        self._told = told

    def rows(self) -> Iterator[Sequence[Any]]:
        total = 0
        for number, row in enumerate(super().rows()):
            if number and not number % TOLD_EVERY:
                total = total or len(self)
                self._told(number, total)
            yield row


class TableFrame(Frame):
    """One table of a page: where it is, what it is called, and its rows."""

    def __init__(self, table: PageTable) -> None:
        super().__init__(table)
        self.url = table.url
        self.number = table.number
        self.caption = table.caption

    def __repr__(self) -> str:
        return f"<table {self.number} of {self.url}: {counted(len(self), 'row')} of {self._shown_columns()}>"


def to_networkx(nodes: Frame, edges: Frame) -> networkx.DiGraph[str]:
    """A graph whose nodes are named by their first column, its edges by their first two; the rest are attributes."""
    networkx = load("networkx", "data", "a graph")
    graph = networkx.DiGraph()
    names = nodes.columns[1:]
    graph.add_nodes_from((url, dict(zip(names, values, strict=True))) for url, *values in nodes.rows())
    names = edges.columns[2:]
    graph.add_edges_from(
        (source, target, dict(zip(names, values, strict=True))) for source, target, *values in edges.rows()
    )
    return graph
