"""Tables of real pages: which rows are kept, which are lost, and how much navigation comes with them.

The manuals say of each table what it is, by the class or id that their generator gives it. No rule of dowse knows
these.

    truth     the rows of tables of data, read from the files with lxml: the texts of a row's own cells, no headings
    kept      some row of a tool has all texts of that row, white space aside; a row that only says what comes below
              it (a title across the table) counts too
    others    rows of a tool in which no row of the truth is: navigation, layout, headings taken for data

Both tools are given the same pages, as many as `MOST_PAGES` of each manual. pandas.read_html takes every table there is
and reads numbers, so numbers are compared as such.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import NamedTuple

from benchmarks.cache import Unavailable
from benchmarks.parse import page_of
from benchmarks.sites import unpacked
from benchmarks.tables import Cell, Column, Table, at_least, at_most
from dowse.extract.table_rows import TableExtractor

MOST_PAGES = 1_200
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)

Row = frozenset[str]
Found = list[Row]
"""The rows that a tool found on a page."""


class Manual(NamedTuple):
    """The packages of a manual, newest Debian last, where the pages are, and which of their tables are of data."""

    packages: tuple[str, ...]
    folder: str
    tables: str


MANUALS = {
    "PostgreSQL": Manual(
        ("postgresql-doc-15", "postgresql-doc-17"),
        "usr/share/doc/postgresql-doc-*/html",
        "//table[@class='table' or @class='informaltable']",
    ),
    "Python": Manual(
        ("python3.11-doc", "python3.13-doc"),
        "usr/share/doc/python3.*/html",
        "//table[contains(@class, 'docutils') or contains(@class, 'modindextable')]",
    ),
    "Apache": Manual(
        ("apache2-doc",), "usr/share/doc/apache2-doc/manual", "//table[not(@id='indextable') and not(.//table)]"
    ),
    "Linux": Manual(
        ("linux-doc-6.1", "linux-doc-6.12"), "usr/share/doc/linux-doc-*/html", "//table[contains(@class, 'docutils')]"
    ),
}


class Score(NamedTuple):
    """What a tool made of the pages of a manual."""

    rows: int
    kept: int
    others: int
    seconds: float
    pages: int


def run(_repeats: int) -> Table:
    """The table of the manual. Once is enough: only the time is not the same every time."""
    tools = {"dowse": _by_dowse, "pandas.read_html": _by_pandas()}
    cells: list[list[Cell]] = []
    sums = {tool: [0, 0, 0] for tool in tools}
    for name, manual in MANUALS.items():
        pages = list(_pages(manual))
        truths = [list(_truth(body, manual.tables)) for _, body in pages]
        for tool, find in tools.items():
            score = _scored(pages, truths, find)
            milliseconds = 1000 * score.seconds / score.pages
            cells.append([name, tool, score.rows, score.kept, score.rows - score.kept, score.others, milliseconds])
            sums[tool] = [total + part for total, part in zip(sums[tool], score[:3], strict=True)]
    rows, kept, others = sums["dowse"]
    return Table(
        "page_tables",
        "rows of tables on pages of four manuals",
        [
            Column("manual"), Column("tool"), Column("rows of data", "{:,}"), Column("kept", "{:,}"),
            Column("lost", "{:,}"), Column("other rows", "{:,}"), Column("ms a page", "{:.1f}"),
        ],
        cells,
        [
            at_least("rows of data that dowse keeps", kept / rows, 0.99, "{:.1%}"),
            at_most("other rows beside 100 of data", 100 * others / kept, 3.0, "{:.1f}"),
        ],
        ["dowse parses the page in a crawl anyway; its time here is with that, as that of pandas is."],
    )  # fmt: skip


def _pages(manual: Manual) -> Iterator[tuple[str, bytes]]:
    package = unpacked(manual.packages)
    folder = next(package.glob(manual.folder), None)
    if folder is None:
        raise Unavailable(f"the package in {package} has no {manual.folder}")
    paths = sorted(path for path in folder.rglob("*.html*") if path.is_file() and not path.is_symlink())
    for path in paths[:: -(-len(paths) // MOST_PAGES)]:
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def _truth(body: bytes, tables: str) -> Iterator[Row]:
    """The rows of tables of data."""
    import lxml.html

    for table in lxml.html.document_fromstring(body).xpath(tables):
        for row in table.xpath("./tr | ./tbody/tr | ./tfoot/tr"):
            texts = _row(cell.xpath("string(.)") for cell in row.xpath("./td"))
            if texts:
                yield texts


def _row(texts: Iterable[object]) -> Row:
    plain = ("".join(str(each).split()) for each in texts)
    return frozenset(str(float(text)) if _NUMBER.fullmatch(text) else text for text in plain if text)


def _scored(pages: list[tuple[str, bytes]], truths: list[list[Row]], find: Callable[[str, bytes], Found]) -> Score:
    rows = kept = others = 0
    seconds = 0.0
    for (url, body), truth in zip(pages, truths, strict=True):
        started = time.process_time()
        found = find(url, body)
        seconds += time.process_time() - started
        places: dict[str, set[int]] = {}
        for place, row in enumerate(found):
            for text in row:
                places.setdefault(text, set()).add(place)
        used: set[int] = set()
        for row in truth:
            having = set.intersection(*(places.get(text, set()) for text in row))
            kept += bool(having)
            used |= having
        rows += len(truth)
        others += len(found) - len(used)
    return Score(rows, kept, others, seconds, len(pages))


def _by_dowse(url: str, body: bytes) -> Found:
    records = TableExtractor().extract(page_of(f"http://h/{url}", body))
    return [_row([*record.fields.values(), *record.fields]) for record in records]


def _by_pandas() -> Callable[[str, bytes], Found]:
    try:
        import lxml  # noqa: F401
        import pandas
    except ImportError as error:
        raise Unavailable("install pandas and lxml") from error
    warnings.simplefilter("ignore")

    def find(_url: str, body: bytes) -> Found:
        try:
            frames = pandas.read_html(BytesIO(body), flavor="lxml", keep_default_na=False, thousands=None)
        except ValueError:  # there are no tables
            return []
        return [
            _row([*row, *(part for name in frame.columns for part in (name if isinstance(name, tuple) else (name,)))])
            for frame in frames
            for row in frame.itertuples(index=False)
        ]

    return find
