"""Graphs with a direction: where boxes stand, how arrows go, and that nothing lies on anything else."""

from __future__ import annotations

import itertools
from xml.etree.ElementTree import fromstring

from hypothesis import given
from hypothesis import strategies as st

from dowse.core.exhibits import Arrow, Node
from dowse.export.pages.flow import BOX_HEIGHT, BOX_WIDTH, MOST_NODES, Flow, flow_plot
from dowse.export.pages.plots import drawn


def plot(*ways: str) -> Flow:
    """A graph of letters: `ab` is an arrow from a to b."""
    nodes = [Node(name, "3 pages") for name in dict.fromkeys("".join(ways))]
    return flow_plot(nodes, [Arrow(way[0], way[1], f"{way} links", f"all of {way}") for way in ways], "Letters")


def test_boxes_stand_in_the_column_of_their_distance_from_the_first() -> None:
    shown = plot("ab", "bc", "ac", "cb")
    places = {box.text: box.x for box in shown.boxes}
    assert places["a"] < places["b"] == places["c"]
    assert [box.small for box in shown.boxes] == ["3 pages"] * 3


def test_what_cannot_be_reached_is_drawn_too() -> None:
    shown = flow_plot([Node("a"), Node("b")], [], "Letters")
    assert len(shown.boxes) == 2
    assert len({box.y for box in shown.boxes}) == 2


def test_an_arrow_to_itself_is_a_loop() -> None:
    [arrow] = plot("aa").arrows
    [box] = plot("aa").boxes
    assert arrow.hint == "all of aa"
    assert arrow.path.endswith(f" {box.y:g}")


@given(st.lists(st.text("abcdefgh", min_size=2, max_size=2), min_size=1, max_size=20, unique=True))
def test_nothing_lies_on_anything_else_and_all_is_in_the_picture(ways: list[str]) -> None:
    shown = plot(*ways)
    for place, one in enumerate(shown.boxes):
        assert 0 <= one.x <= shown.width - BOX_WIDTH
        assert 0 <= one.y <= shown.height - BOX_HEIGHT
        for other in shown.boxes[:place]:
            assert abs(one.x - other.x) >= BOX_WIDTH or abs(one.y - other.y) >= BOX_HEIGHT
    places = [(text.x, text.y) for text in shown.texts]
    assert len(set(places)) == len(ways)
    assert all(0 < y < shown.height for _, y in places)


def test_a_picture_is_bounded_and_texts_of_strangers_stay_texts() -> None:
    evil = "</svg><script>alert(1)</script>"
    nodes = [Node(f"{number} {evil}", evil) for number in range(200)]
    arrows = [Arrow(one.name, other.name, evil) for one, other in itertools.pairwise(nodes)]
    picture = fromstring(drawn(flow_plot(nodes, arrows, evil)))
    assert len(list(picture.iter("rect"))) == MOST_NODES
    assert not list(picture.iter("script"))
