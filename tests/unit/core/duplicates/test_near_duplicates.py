"""Which pages are another one with small changes: the rules that confirm a candidate."""

from __future__ import annotations

from random import Random

import pytest

from dowse.core.duplicates import near_duplicates
from dowse.core.duplicates.near_duplicates import FEWEST_WORDS, Fingerprint, Match, NearPages, confirmed_canonical
from dowse.core.duplicates.repeated_blocks import REPEATED_AT
from dowse.parse.blocks import find_passages

MENU = "\n".join(f"menu entry {name}" for name in ("home", "shop", "cart", "news", "jobs", "help", "press", "legal"))


def words(seed: int, number: int) -> list[str]:
    return ["".join(Random(f"{seed} {at}").choices("abcdefgh", k=5)) for at in range(number)]


class Shelf:
    """Pages put down one after the other."""

    def __init__(self) -> None:
        self.near = NearPages()
        self.kept: dict[int, Fingerprint] = {}

    def put(self, text: str, title: str = "A title", hrefs: tuple[str, ...] = ()) -> Match | None:
        page = len(self.kept) + 1
        passages = find_passages(text, title, hrefs)
        own = self.near.fingerprint(1, passages)
        match = self.near.match(own, page, self.kept.get) if own else None
        if match is None:
            self.kept.update(self.near.keep(1, passages, page, own).fingerprints)
        return match


def changed(text: list[str], *places: int) -> str:
    return " ".join("CHANGED" + str(at) if at in places else word for at, word in enumerate(text))


@pytest.mark.parametrize(
    ("number", "title", "places", "is_near"),
    [
        pytest.param(400, "A title", (3, 90, 200, 333), True, id="long, a few words"),
        pytest.param(400, "A title", tuple(range(0, 400, 10)), False, id="long, every tenth word"),
        pytest.param(400, "Another", (3,), True, id="another title, one word"),
        pytest.param(400, "Another", (3, 60, 90, 150, 200, 260, 333), False, id="another title, a few words"),
        pytest.param(50, "A title", (25,), False, id="short, one word"),
        pytest.param(50, "A title", (), True, id="short, the same"),
        pytest.param(FEWEST_WORDS - 1, "A title", (), False, id="too short to say"),
    ],
)
def test_how_much_must_be_the_same(number: int, title: str, places: tuple[int, ...], is_near: bool) -> None:
    shelf = Shelf()
    assert shelf.put(changed(words(1, number))) is None
    assert (shelf.put(changed(words(1, number), *places), title) is not None) is is_near


def test_a_title_that_many_pages_have_says_nothing() -> None:
    shelf = Shelf()
    for seed in range(REPEATED_AT):
        shelf.put(" ".join(words(seed, 100)), "My shop")
    places = (10, 50)
    assert shelf.put(changed(words(0, 100), *places), "My shop") is None
    fresh = Shelf()
    fresh.put(" ".join(words(0, 100)), "My shop")
    assert fresh.put(changed(words(0, 100), *places), "My shop") is not None


def test_pages_that_lead_to_different_places_are_different() -> None:
    shelf = Shelf()
    text = " ".join(words(1, 100))
    assert shelf.put(text, hrefs=tuple(f"/day/{day}" for day in range(30))) is None
    assert shelf.put(text, hrefs=tuple(f"/other/{day}" for day in range(30))) is None
    assert shelf.put(text, hrefs=tuple(f"/day/{day}" for day in range(25))) is not None


def test_pages_fetched_before_the_menu_was_known_are_found_without_it() -> None:
    shelf = Shelf()
    texts = [" ".join(words(seed, 60)) for seed in range(REPEATED_AT + 3)]
    for seed, text in enumerate(texts):
        assert shelf.put(f"{MENU}\n{text}", f"Page {seed}") is None
    for seed, text in enumerate(texts):
        match = shelf.put(text, f"Page {seed}")
        assert match is not None, f"page {seed}"
        assert match.page == seed + 1


def test_the_memory_of_texts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "WORDS_IN_MEMORY", 500)
    shelf = Shelf()
    for seed in range(20):
        shelf.put(" ".join(words(seed, 100)))
        assert sum(len(passages.words) for _, passages in shelf.near._latest.values()) <= 500


@pytest.mark.parametrize(("common", "believed"), [(100, True), (85, True), (40, False), (0, False)])
def test_a_canonical_needs_much_in_common(common: int, believed: bool) -> None:
    pages = NearPages()
    one, other = words(1, 100), words(1, common) + words(2, 100 - common)
    own, its = (pages.fingerprint(1, find_passages(" ".join(text), text[0])) for text in (one, other))
    assert own is not None
    assert its is not None
    assert (confirmed_canonical(own, its, 7) is not None) is believed
