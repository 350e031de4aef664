"""What is learned of links that led to forms."""

from __future__ import annotations

from dowse.modes.forms.likeness import Likeness, link_words, site_words


def test_words_of_successes_are_worth_more() -> None:
    likeness = Likeness()
    for each in range(5):
        likeness.learn(["cars", f"a{each}"], success=True)
        likeness.learn(["news", f"b{each}"], success=False)
    assert likeness.score(["cars"]) > 0 > likeness.score(["news"])
    assert likeness.score(["unknown"]) == 0


def test_a_word_that_is_everywhere_says_nothing() -> None:
    likeness = Likeness()
    for each in range(20):
        likeness.learn(["shop"], success=bool(each % 2))
    assert abs(likeness.score(["shop"])) < 0.05


def test_words_known_beforehand_lead() -> None:
    assert Likeness(["search"]).score(["search"]) > 0


def test_what_was_learned_can_be_kept_and_added() -> None:
    first, second = Likeness(), Likeness()
    first.learn(["cars"], success=True)
    second.load(first.dump())
    assert second.score(["cars"]) == first.score(["cars"])
    second.add(first.dump())
    assert second.score(["cars"]) > first.score(["cars"])


def test_words_of_addresses() -> None:
    assert link_words("http://a.example/cars/find-one.php?x=1", "Go") == ["cars", "find", "one", "php", "go"]
    assert site_words("www.cars.example:8080", "Cheap") == ["cars", "example", "cheap"]
