"""What a benchmark has to say: a table, the aims it was held against, and remarks; as text and as Markdown."""

from __future__ import annotations

from msgspec import Struct

Cell = str | int | float


class Column(Struct):
    """A heading and how the numbers below it are written; text is written as it is."""

    name: str
    form: str = "{}"


class Aim(Struct):
    """One promise: what was measured, what it should be, and whether it is."""

    what: str
    measured: str
    wanted: str
    met: bool


class Bars(Struct):
    """Which column is drawn as bars, what stands above them, and the value of a full bar (0: the largest)."""

    column: int
    title: str
    full: float = 0.0


class Lines(Struct):
    """Rows drawn as lines over the numbers that name the columns from `first` on; a panel a value of column `panel`.

    With `own_scales` each panel has a scale of its own, for measures that cannot be compared.
    """

    first: int
    panel: int
    title: str
    own_scales: bool = False


class Panel(Struct):
    """A column drawn beside others, and its heading; `is_part`: as a part of the last row's value."""

    column: int
    title: str
    is_part: bool = False


class Panels(Struct):
    """Several columns drawn as bars side by side, one strip for the rows of each value of column `strip`."""

    strip: int
    panels: list[Panel]
    title: str


class Table(Struct):
    """The result of one topic. `name` is that of the picture as well."""

    name: str
    title: str
    columns: list[Column]
    rows: list[list[Cell]]
    aims: list[Aim] = []
    notes: list[str] = []
    bars: Bars | None = None
    lines: Lines | None = None
    panels: Panels | None = None
    highlight: str = "dowse"

    def written(self) -> list[list[str]]:
        """Every cell as people read it."""
        return [
            [
                cell if isinstance(cell, str) else column.form.format(cell)
                for cell, column in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]


def as_text(table: Table) -> str:
    """For the terminal."""
    rows = [[column.name for column in table.columns], *table.written()]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [table.title, ""]
    for row in rows:
        first, *others = (
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *others]).rstrip())
    lines += [
        "",
        *(f"{'met   ' if aim.met else 'MISSED'} {aim.what}: {aim.measured} ({aim.wanted})" for aim in table.aims),
    ]
    lines += [f"- {note}" for note in table.notes]
    return "\n".join(lines) + "\n"


def as_markdown(table: Table) -> str:
    """For the manual."""
    lines = [
        _line([column.name for column in table.columns]),
        _line(["---"] + ["---:"] * (len(table.columns) - 1)),
        *(_line([f"**{cell}**" if row[0] == table.highlight else cell for cell in row]) for row in table.written()),
    ]
    picture = table.bars or table.lines or table.panels
    if picture is not None:
        lines += ["", f"![{picture.title}](img/{table.name}.svg)"]
    if table.aims:
        lines += ["", _line(["aim", "wanted", "measured", ""]), _line(["---", "---", "---", "---"])]
        lines += [_line([aim.what, aim.wanted, aim.measured, "met" if aim.met else "missed"]) for aim in table.aims]
    if table.notes:
        lines += ["", *(f"- {note}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def at_most(what: str, value: float, limit: float, form: str = "{:.2f}") -> Aim:
    return Aim(what, form.format(value), f"at most {form.format(limit)}", value <= limit)


def at_least(what: str, value: float, limit: float, form: str = "{:.2f}") -> Aim:
    return Aim(what, form.format(value), f"at least {form.format(limit)}", value >= limit)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
