"""Graph files, as networkx reads them."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.columns import Kind
from dowse.export.graph import write_graph
from tests.unit.export.listed import Listed

NODE_KINDS: dict[str, Kind] = {"url": "text", "title": "text", "status": "integer", "pagerank": "number"}
EDGE_KINDS: dict[str, Kind] = {"url": "text", "target": "text", "anchor": "text", "nofollow": "boolean"}
READERS: dict[str, Any] = {"graphml": networkx.read_graphml, "gexf": networkx.read_gexf}


def written(nodes: list[tuple[Any, ...]], edges: list[tuple[Any, ...]], form: str) -> bytes:
    stream = io.BytesIO()
    tables = Listed(list(NODE_KINDS), nodes, NODE_KINDS), Listed(list(EDGE_KINDS), edges, EDGE_KINDS)
    assert write_graph(*tables, form, stream) == len(edges)
    return stream.getvalue()


def read_back(nodes: list[tuple[Any, ...]], edges: list[tuple[Any, ...]], form: str) -> Any:
    return READERS[form](io.BytesIO(written(nodes, edges, form)))


@pytest.mark.parametrize("form", READERS)
def test_networkx_reads_nodes_edges_and_their_attributes(form: str) -> None:
    home, about = "http://a/?x=1&y=2", 'http://a/"<about>"'
    graph = read_back(
        [(home, "Home & <more>", 200, 0.75), (about, "", 404, 0.25)],
        [(home, about, "to\tthe \n 'page'", True), (about, home, "", False)],
        form,
    )
    assert isinstance(graph, networkx.DiGraph)
    assert dict(graph.nodes[home]) == {
        "label": "Home & <more>", "title": "Home & <more>", "status": 200, "pagerank": 0.75,
    }  # fmt: skip
    assert dict(graph.nodes[about]) == {"label": about, "status": 404, "pagerank": 0.25}
    assert set(graph.edges) == {(home, about), (about, home)}
    assert graph.edges[home, about]["anchor"] == "to\tthe \n 'page'"
    assert [graph.edges[edge]["nofollow"] for edge in ((home, about), (about, home))] == [True, False]


@pytest.mark.parametrize("form", READERS)
def test_a_graph_of_nothing_is_one(form: str) -> None:
    assert len(read_back([], [], form)) == 0


@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize(
    ("text", "legal"),
    [(f"a{character}b", "ab") for character in "\0\x0b\x1b\ufffe\ud800"]
    + [(text, text) for text in ("a]]>b", "a\x85b", "\U0001f600")],
)
def test_no_text_breaks_the_file(form: str, text: str, legal: str) -> None:
    graph = read_back([("http://a/", text, 200, 1.0)], [("http://a/", "http://a/", text, False)], form)
    assert graph.nodes["http://a/"]["title"] == legal
    assert graph.edges["http://a/", "http://a/"]["anchor"] == legal


@given(st.text(st.characters(exclude_categories=[])), st.text(st.characters(exclude_categories=[])))
def test_it_is_always_well_formed(title: str, anchor: str) -> None:
    for form in READERS:
        ElementTree.fromstring(written([("u", title, 1, 0.5)], [("u", "u", anchor, True)], form))
