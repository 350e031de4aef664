"""Where rendering pays: a few samples decide, gains keep it on, and what is off is looked at again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.rendering_gain import AGAIN, LEAST_OFTEN, SAMPLES, Shown, WhereItPays, has_scripts, page_kind

NOTHING = Shown(set(), {})


def links(*numbers: int) -> Shown:
    return Shown(set(numbers), {})


def learned(model: WhereItPays, page: str, gains: bool, number: int = 0) -> None:
    model.learn(page, NOTHING, links(10_000 + number) if gains else NOTHING)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("https://e.org/item/blue-shoe", "https://e.org/item/red-shoe", True),
        ("https://e.org/item/1", "https://e.org/list/1", False),
        ("https://e.org/item/1", "https://f.org/item/1", False),
        ("https://e.org/about", "https://e.org/contact", True),
        ("https://e.org/", "https://e.org/contact", False),
        ("https://e.org/list?page=1", "https://e.org/list?page=2", True),
        ("https://e.org/list?page=1", "https://e.org/list?sort=a", False),
    ],
)
def test_addresses_of_one_type(one: str, other: str, alike: bool) -> None:
    assert (page_kind(one, b"") == page_kind(other, b"")) == alike


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (b"<script src=/app.3f9a2c1b.js></script>", b"<script src=/app.77aa2c1b.js></script>", True),
        (b"<script src=/app.js?v=1></script>", b"<script src=/app.js?v=2></script>", True),
        (b"<script src=/app.js></script>", b"<script src=/list.js></script>", False),
        (b"<div id=list></div>", b"<div id=list><p>full</p></div>", False),
        (b"<script>var a = 1</script>", b"<script>var a = 2</script>", True),
    ],
)
def test_documents_of_one_type(one: bytes, other: bytes, alike: bool) -> None:
    assert (page_kind("https://e.org/a/b", one) == page_kind("https://e.org/a/b", other)) == alike


@pytest.mark.parametrize(
    ("body", "expected"),
    [(b"<p>plain", False), (b"<SCRIPT>x</SCRIPT>", True), (b"<script src=a>", True), (b"<p>scripts", False)],
)
def test_pages_without_scripts_are_told(body: bytes, expected: bool) -> None:
    assert has_scripts(body) == expected


def test_samples_are_awaited_and_decide() -> None:
    model = WhereItPays()
    assert [model.decide("e.org/a") for _ in range(SAMPLES + 1)] == [True] * SAMPLES + [None]
    for number in range(SAMPLES):
        learned(model, "e.org/a", True, number)
    assert model.decide("e.org/a") is True
    assert [model.decide("e.org/b") for _ in range(SAMPLES)] == [True] * SAMPLES
    for _ in range(SAMPLES):
        learned(model, "e.org/b", False)
    assert model.decide("e.org/b") is False


def test_what_is_off_is_looked_at_again_less_and_less_often() -> None:
    model = WhereItPays()
    for _ in range(SAMPLES):
        model.decide("e.org/a")
        learned(model, "e.org/a", False)
    waits, since = [], 0
    for _ in range(1_000):
        since += 1
        if model.decide("e.org/a"):
            learned(model, "e.org/a", False)
            waits.append(since)
            since = 0
    assert waits[:4] == [AGAIN, 2 * AGAIN, 4 * AGAIN, 8 * AGAIN]
    assert waits[5:7] == [LEAST_OFTEN, LEAST_OFTEN]


def test_a_gain_turns_it_on_and_many_in_vain_turn_it_off() -> None:
    model = WhereItPays()
    for _ in range(SAMPLES):
        model.decide("e.org/a")
        learned(model, "e.org/a", False)
    for number in range(200):
        if model.decide("e.org/a"):
            learned(model, "e.org/a", True, number)
    assert model.decide("e.org/a") is True
    learned(model, "e.org/a", False)
    in_vain = 0
    while model.decide("e.org/a") and in_vain < 200:
        learned(model, "e.org/a", False)
        in_vain += 1
    assert 10 < in_vain < 50


def test_a_menu_on_every_page_counts_once() -> None:
    model = WhereItPays()
    menu = Shown({1, 2, 3}, {7: 300})
    gains = []
    for number in range(3):
        model.decide("e.org/a")
        sent = Shown({100 + number}, {200 + number: 500})
        gains.append(model.learn("e.org/a", sent, Shown(sent.links | menu.links, {**sent.lines, **menu.lines})))
    assert [gain.pays for gain in gains] == [True, False, False]
    assert {gain.links for gain in gains} == {3}


@pytest.mark.parametrize(
    ("before", "after", "pays"),
    [
        (links(1), links(1, 2), True),
        (links(1, 2), links(1), False),
        (Shown(set(), {1: 50}), Shown(set(), {1: 50, 2: 250}), True),
        (Shown(set(), {1: 50}), Shown(set(), {1: 50, 2: 12}), True),
        (Shown(set(), {1: 5000}), Shown(set(), {1: 5000, 2: 500}), False),
        (Shown(set(), {}, 1), Shown(set(), {}, 2), True),
    ],
)
def test_what_counts_as_a_gain(before: Shown, after: Shown, pays: bool) -> None:
    model = WhereItPays()
    model.decide("e.org/a")
    assert model.learn("e.org/a", before, after).pays == pays


def test_little_text_is_a_gain_where_all_else_is_frame() -> None:
    model = WhereItPays()
    frame = dict.fromkeys(range(5), 400)
    gains = []
    for number in range(3):
        model.decide("e.org/a")
        gains.append(model.learn("e.org/a", Shown(set(), frame), Shown(set(), {**frame, 100 + number: 12})).pays)
    assert gains == [False, True, True]
    assert model.decide("e.org/a") is True


def test_a_counter_under_an_article_is_no_gain() -> None:
    model = WhereItPays()
    for number in range(SAMPLES):
        model.decide("e.org/a")
        article = {10 + number: 3_000}
        assert not model.learn("e.org/a", Shown(set(), article), Shown(set(), {**article, 100 + number: 12})).pays
    assert model.decide("e.org/a") is False


def test_new_types_of_a_host_that_never_gained_get_one_sample() -> None:
    model = WhereItPays()
    for number in range(30):
        page = f"e.org/{number}"
        while model.decide(page):
            learned(model, page, False)
    assert model.decide("e.org/new") is True
    assert model.decide("e.org/new") is None


@given(st.lists(st.sampled_from(["gain", "vain", "fail"]), max_size=200))
def test_nobody_waits_for_ever(ends: list[str]) -> None:
    model = WhereItPays()
    for number, end in enumerate(ends):
        choice = model.decide("e.org/a")
        assert choice is not None, "nothing is under way, so there is nothing to wait for"
        if choice and end == "fail":
            model.forget("e.org/a")
        elif choice:
            learned(model, "e.org/a", end == "gain", number)
