"""One table as bars or as lines: an SVG of a few lines, readable on light and dark pages."""

from __future__ import annotations

import math
from html import escape

from benchmarks.tables import Table

_WIDTH, _LABEL, _VALUE, _ROW, _TOP = 720, 190, 80, 28, 40
_STYLE = """
text { font: 14px system-ui, sans-serif; fill: #333; } .title { font-weight: 600; }
rect { fill: #9aa7b5; } rect.ours { fill: #1f7a5c; } .card { fill: #fff; }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd; } rect { fill: #66727f; } rect.ours { fill: #46b38c; } .card { fill: #1e2227; }
}
"""


_BARS, _GAP = 210, 26
_PANEL_WIDTH, _PANEL_HEIGHT, _LEFT, _KEY = 330, 230, 56, 20
_LINE_STYLE = """
path { fill: none; stroke: #9aa7b5; stroke-width: 2; } .grid { stroke: #8884; stroke-width: 1; }
.ours { stroke: #1f7a5c; } .faint { font-size: 12px; fill: #777; }
.shade1 { stroke-opacity: .7; stroke-dasharray: 8 3; } .shade2 { stroke-opacity: .6; stroke-dasharray: 4 3; }
.shade3 { stroke-opacity: .5; stroke-dasharray: 2 3; } .rival1 { stroke: #c0703a; }
@media (prefers-color-scheme: dark) { .ours { stroke: #46b38c; } .faint { fill: #999; } }
"""


def chart(table: Table) -> str:
    """The picture of a table; "" if it wants none."""
    if table.bars is not None:
        return bar_chart(table)
    if table.panels is not None:
        return panel_chart(table)
    return line_chart(table) if table.lines is not None else ""


def bar_chart(table: Table) -> str:
    """The rows of a table as bars, in the table's order."""
    assert table.bars is not None
    column = table.bars.column
    longest = max(table.bars.full, *(float(row[column]) for row in table.rows)) or 1.0
    height = _TOP + _ROW * len(table.rows) + 12
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(table.bars.title)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="card" width="{_WIDTH}" height="{height}" rx="8"/>',
        f'<text class="title" x="16" y="26">{escape(table.bars.title)}</text>',
    ]
    for number, (row, texts) in enumerate(zip(table.rows, table.written(), strict=True)):
        y = _TOP + number * _ROW
        length = max(1.0, (_WIDTH - _LABEL - _VALUE - 16) * float(row[column]) / longest)
        ours = ' class="ours"' if texts[0].startswith(table.highlight) else ""
        parts += [
            f'<text x="{_LABEL - 10}" y="{y + 18}" text-anchor="end">{escape(texts[0])}</text>',
            f'<rect{ours} x="{_LABEL}" y="{y + 4}" width="{length:.1f}" height="{_ROW - 8}" rx="3"/>',
            f'<text x="{_LABEL + length + 8:.1f}" y="{y + 18}">{escape(texts[column])}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def line_chart(table: Table) -> str:
    """The rows of a table as lines in panels side by side, on logarithmic scales, and a key below."""
    assert table.lines is not None
    first, panel, title = table.lines.first, table.lines.panel, table.lines.title
    names = list(dict.fromkeys(str(row[0]) for row in table.rows))
    kinds = dict(zip(names, _classes(names, table.highlight), strict=True))
    panels = list(dict.fromkeys(str(row[panel]) for row in table.rows))
    across = [float(column.name) for column in table.columns[first:]]
    everything = [float(cell) for row in table.rows for cell in row[first:]]
    key_top = _TOP + _PANEL_HEIGHT + 64
    width, height = _PANEL_WIDTH * len(panels) + 60, key_top + _KEY * math.ceil(len(names) / 2) + 8
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<style>{_STYLE}{_LINE_STYLE}</style>",
        f'<rect class="card" width="{width}" height="{height}" rx="8"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
    ]
    for number, name in enumerate(panels):
        parts.append(f'<g transform="translate({_LEFT + number * _PANEL_WIDTH},{_TOP + 24})">')
        parts.append(f'<text x="0" y="-8">{escape(f"{table.columns[panel].name} {name}")}</text>')
        rows = [row for row in table.rows if row[panel] == name]
        own = [float(cell) for row in rows for cell in row[first:]]
        scale = _Scale(across, own if table.lines.own_scales else everything)
        parts += scale.axes()
        parts += [scale.line(row[first:], kinds[str(row[0])]) for row in rows]
        parts.append("</g>")
    for number, name in enumerate(names):
        x, y = _LEFT + number % 2 * _PANEL_WIDTH, key_top + number // 2 * _KEY
        parts.append(
            f'<path class="{kinds[name]}" d="M{x} {y}h36"/><text x="{x + 46}" y="{y + 5}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def panel_chart(table: Table) -> str:
    """Some columns side by side as bars, in strips of the rows that belong together."""
    assert table.panels is not None
    strip, panels, title = table.panels.strip, table.panels.panels, table.panels.title
    strips = list(dict.fromkeys(str(row[strip]) for row in table.rows))
    width, height = _LABEL + _BARS * len(panels), 2 * _TOP + _ROW * len(table.rows) + _GAP * len(strips)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="card" width="{width}" height="{height}" rx="8"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
        *(f'<text x="{_LABEL + at * _BARS}" y="58">{escape(panel.title)}</text>' for at, panel in enumerate(panels)),
    ]
    y = 2 * _TOP - 10
    for name in strips:
        rows = [row for row in table.rows if row[strip] == name]
        parts.append(f'<text class="title" x="16" y="{y + 18}">{escape(name)}</text>')
        y += _GAP
        for row in rows:
            ours = ' class="ours"' if str(row[0]).startswith(table.highlight) else ""
            parts.append(f'<text x="{_LABEL - 10}" y="{y + 18}" text-anchor="end">{escape(str(row[0]))}</text>')
            for at, panel in enumerate(panels):
                part = float(row[panel.column]) / (float(rows[-1][panel.column]) if panel.is_part else 1.0)
                text = table.columns[panel.column].form.format(row[panel.column])
                x, length = _LABEL + at * _BARS, max(1.0, (_BARS - _VALUE) * part)
                parts.append(f'<rect{ours} x="{x}" y="{y + 4}" width="{length:.1f}" height="{_ROW - 8}" rx="3"/>')
                parts.append(f'<text x="{x + length + 6:.1f}" y="{y + 18}">{escape(text)}</text>')
            y += _ROW
    return "\n".join([*parts, "</svg>", ""])


def _classes(names: list[str], highlight: str) -> list[str]:
    """Ours in one colour and several dashes, the others in colours of their own."""
    ours = [name for name in names if name.startswith(highlight)]
    others = [name for name in names if name not in ours]
    return [f"ours shade{ours.index(name)}" if name in ours else f"rival{others.index(name)}" for name in names]


class _Scale:
    """From numbers to places in a panel, both ways logarithmic."""

    def __init__(self, across: list[float], values: list[float]) -> None:
        self._across = across
        steps = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
        self._low = max(step for step in steps if step <= min(values))
        self._high = min(step for step in steps if step >= max(values))
        self._steps = [step for step in steps if self._low <= step <= self._high]

    def axes(self) -> list[str]:
        lines = [f'<path class="grid" d="M0 {self._y(step):.1f}h{_PANEL_WIDTH - 60}"/>' for step in self._steps]
        lines += [
            f'<text class="faint" x="-8" y="{self._y(step) + 4:.1f}" text-anchor="end">{step:,g}</text>'
            for step in self._steps
        ]
        lines += [
            f'<text class="faint" x="{self._x(at):.1f}" y="{_PANEL_HEIGHT + 18}" text-anchor="middle">{at:.0f}</text>'
            for at in self._across
        ]
        return lines

    def line(self, values: list[str | int | float], kind: str) -> str:
        points = [f"{self._x(at):.1f} {self._y(float(v)):.1f}" for at, v in zip(self._across, values, strict=True)]
        return f'<path class="{kind}" d="M{" L".join(points)}"/>'

    def _x(self, at: float) -> float:
        low, high = math.log(self._across[0]), math.log(self._across[-1])
        return (_PANEL_WIDTH - 60) * (math.log(at) - low) / (high - low)

    def _y(self, value: float) -> float:
        low, high = math.log(self._low), math.log(self._high)
        return _PANEL_HEIGHT * (high - math.log(value)) / (high - low)
