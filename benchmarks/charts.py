"""One table as a bar chart: an SVG of a few lines, readable on light and dark pages."""

from __future__ import annotations

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
