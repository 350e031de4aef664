"""The link graph as GraphML or GEXF, for Gephi, networkx, igraph and yEd, streamed: nodes first, then edges.

A node's name is its URL, so that the edges can be read without the nodes; its label is its title, for a drawing. Each
further column of the tables is an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from dowse.core.columns import Columnar, Kind
from dowse.version import VERSION

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have, not even as references."""

_TYPES: dict[Kind, str] = {"text": "string", "integer": "long", "number": "double", "boolean": "boolean"}
_LINES_AT_ONCE = 1_000


def write_graph(nodes: Columnar, edges: Columnar, format_: str, stream: BinaryIO) -> int:
    """Write a graph as graphml or gexf; the answer is the number of edges.

    The first column of `nodes` is the name of a node, the first two of `edges` are the ends of an edge.
    """
    lines = _graphml if format_ == "graphml" else _gexf
    written = 0

    def counted() -> Iterator[Sequence[Any]]:
        nonlocal written
        for row in edges.rows():
            written += 1
            yield row

    text = lines(nodes, edges, counted())
    while chunk := "\n".join(islice(text, _LINES_AT_ONCE)):
        stream.write(f"{chunk}\n".encode())
    return written


def _graphml(nodes: Columnar, edges: Columnar, rows: Iterator[Sequence[Any]]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield f"<!-- dowse {VERSION} -->"
    yield '<key id="label" for="node" attr.name="label" attr.type="string"/>'
    for owner, table, first in (("node", nodes, 1), ("edge", edges, 2)):
        for name in table.columns[first:]:
            kind = _TYPES[table.kinds[name]]
            yield f'<key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>'
    yield '<graph edgedefault="directed">'
    data = _attributes([f'<data key="node_{name}">%s</data>' for name in nodes.columns[1:]])
    for url, *values in nodes.rows():
        yield f'<node id="{_text(url)}"><data key="label">{_label(url, values)}</data>{data(values)}</node>'
    data = _attributes([f'<data key="edge_{name}">%s</data>' for name in edges.columns[2:]])
    for source, target, *values in rows:
        yield f'<edge source="{_text(source)}" target="{_text(target)}">{data(values)}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _gexf(nodes: Columnar, edges: Columnar, rows: Iterator[Sequence[Any]]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">'
    yield f"<meta><creator>dowse {VERSION}</creator></meta>"
    yield '<graph mode="static" defaultedgetype="directed">'
    for owner, table, first in (("node", nodes, 1), ("edge", edges, 2)):
        yield f'<attributes class="{owner}">'
        for name in table.columns[first:]:
            yield f'<attribute id="{name}" title="{name}" type="{_TYPES[table.kinds[name]]}"/>'
        yield "</attributes>"
    yield "<nodes>"
    data = _attributes([f'<attvalue for="{name}" value="%s"/>' for name in nodes.columns[1:]])
    for url, *values in nodes.rows():
        attributes = data(values)
        yield f'<node id="{_text(url)}" label="{_label(url, values)}"><attvalues>{attributes}</attvalues></node>'
    yield "</nodes>"
    yield "<edges>"
    data = _attributes([f'<attvalue for="{name}" value="%s"/>' for name in edges.columns[2:]])
    for number, (source, target, *values) in enumerate(rows):
        ends = f'source="{_text(source)}" target="{_text(target)}"'
        yield f'<edge id="{number}" {ends}><attvalues>{data(values)}</attvalues></edge>'
    yield "</edges>"
    yield "</graph>"
    yield "</gexf>"


def _attributes(patterns: list[str]) -> Callable[[Sequence[Any]], str]:
    """What writes the values that are there."""

    def write(values: Sequence[Any]) -> str:
        pairs = zip(patterns, values, strict=True)
        return "".join([pattern % _value(value) for pattern, value in pairs if value is not None and value != ""])

    return write


def _label(url: str, values: Sequence[Any]) -> str:
    """The title, the first of the other columns, of pages that have one."""
    return _text(values[0] or url)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _text(text: str) -> str:
    """A text as it may stand in an attribute or between tags."""
    if not text.isprintable():
        text = _ILLEGAL.sub("", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return text.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")
