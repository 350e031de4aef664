"""The picture of the link graph: parts of a site, where they are drawn, and their names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.export.pages.network import network_plot
from dowse.export.pages.placement import LETTER, LINE, arrange, place_labels
from dowse.export.pages.sections import MOST_SECTIONS, SectionGraph, section_graph

NONE = np.empty(0, np.int64)
ROOT = "http://a.example/"


def parts_of(urls: list[str], most: int = MOST_SECTIONS) -> dict[str, int]:
    return {section.name: section.pages for section in section_graph(urls, NONE, NONE, most).sections}


def test_a_small_site_is_shown_page_by_page() -> None:
    assert parts_of([ROOT, ROOT + "about", ROOT + "news/1", ROOT + "news/2"]) == {
        "/": 1, "/about": 1, "/news/1": 1, "/news/2": 1,
    }  # fmt: skip


def test_a_large_site_is_shown_by_the_beginnings_of_its_paths() -> None:
    urls = [ROOT] + [f"{ROOT}news/{number}" for number in range(60)] + [f"{ROOT}shop/item?id={n}" for n in range(40)]
    assert parts_of(urls) == {"/": 1, "/news/": 60, "/shop/item": 40}


def test_hosts_are_named_where_there_are_several() -> None:
    urls = [f"http://{host}.example/{number}" for host in "ab" for number in range(50)]
    assert parts_of(urls) == {"a.example/": 50, "b.example/": 50}


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4).map("/".join), max_size=200), st.integers(2, 12))
def test_every_page_is_in_one_part_and_parts_are_few(paths: list[str], most: int) -> None:
    urls = [f"http://{place % 3}.example/{path}" for place, path in enumerate(paths)]
    parts = section_graph(urls, NONE, NONE, most).sections
    assert sum(part.pages for part in parts) == len(urls)
    assert len(parts) <= most
    assert len({part.name for part in parts}) == len(parts)


def test_links_are_counted_between_parts() -> None:
    urls = [ROOT + path for path in ("a", "b", "c")]
    graph = section_graph(urls, np.array([0, 0, 1]), np.array([1, 2, 0]))
    names = [section.name for section in graph.sections]
    a, b, c = (names.index(name) for name in ("/a", "/b", "/c"))
    assert (graph.links[a, b], graph.links[a, c], graph.links[b, a], graph.links[c, a]) == (1, 1, 1, 0)


# Places


@pytest.mark.parametrize("count", [1, 2, 3, 40, 150])
def test_circles_stay_in_the_box_and_apart(count: int) -> None:
    weights = np.zeros((count, count))
    weights[0, 1:] = weights[1:, 0] = 1.0
    radii = np.full(count, 6.0)
    points = arrange(weights, radii, 960, 600)
    assert ((points >= 6) & (points <= [954, 594])).all()
    distances = np.linalg.norm(points[:, None] - points[None, :], axis=2) + np.eye(count) * 1000
    assert distances.min() >= 12
    assert (points == arrange(weights, radii, 960, 600)).all()


def test_what_is_linked_is_nearer_than_what_is_not() -> None:
    weights = np.zeros((8, 8))
    weights[:4, :4] = weights[4:, 4:] = 1.0
    np.fill_diagonal(weights, 0)
    points = arrange(weights, np.full(8, 5.0), 600, 600)
    one, other = points[:4].mean(axis=0), points[4:].mean(axis=0)
    spread = np.linalg.norm(points[:4] - one, axis=1).max()
    assert np.linalg.norm(one - other) > spread


def test_names_cover_neither_each_other_nor_a_circle() -> None:
    radii = np.full(60, 8.0)
    points = arrange(np.zeros((60, 60)), radii, 960, 600)
    names = [f"/section/{number}/" for number in range(60)]
    labels = place_labels(points, radii, names, 960, 600)
    boxes = []
    for label, name in zip(labels, names, strict=True):
        if label is not None:
            width = len(name) * LETTER
            left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
            boxes.append((left, label.y - 10, left + width, label.y - 10 + LINE))
    assert len(boxes) > 30
    for place, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert right <= 960
        for other in boxes[:place]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] + 2 or other[3] <= top + 2


def test_the_picture_is_bounded_and_says_what_is_shown() -> None:
    urls = [f"http://a.example/s{n % 90}/p{n}" for n in range(5000)]
    sources = np.arange(5000)
    picture = network_plot(section_graph(urls, sources, (sources * 7) % 5000), step=3)
    circles = picture.circles
    assert 2 <= len(circles) <= MOST_SECTIONS
    assert len(picture.lines) <= 2 * MOST_SECTIONS
    hints = [circle.hint for circle in picture.circles]
    assert any(hint.startswith("/s") and "about" in hint and hint.endswith(" pages") for hint in hints)


def test_a_graph_without_links_is_drawn() -> None:
    graph = section_graph([ROOT + "a", ROOT + "b"], NONE, NONE)
    assert len(network_plot(graph, 1).circles) == 2
    assert len(network_plot(SectionGraph([], np.zeros((0, 0), np.int64)), 1).circles) == 0
