"""What is learned of links that led to forms."""

from __future__ import annotations

from dowse.modes.forms.likeness import Likeness, link_words, site_words


def test_words_of_successes_are_worth_more() -> None:
    likeness = Likeness()
    for each in range(5):
        likeness.learn(["cars", f"a{each}"], success=True)
        likeness.learn(["news", f"b{each}"], success=False)
    assert likeness.chance(["cars"]) > likeness.chance(["unknown"]) > likeness.chance(["news"])
    assert likeness.chance(["unknown"]) == likeness.chance([])


def test_a_word_that_is_everywhere_says_nothing() -> None:
    likeness = Likeness()
    for each in range(500):
        likeness.learn(["shop"], success=bool(each % 2))
    assert abs(likeness.chance(["shop"]) - 0.5) < 0.05


def test_a_chance_is_the_share_of_what_came_of_it() -> None:
    likeness = Likeness(["search"])
    for each in range(400):
        likeness.learn(["text"], success=False)
        likeness.learn(["find"], success=each % 10 == 0)
    assert 0.02 < likeness.chance(["find"]) < 0.2
    assert likeness.chance(["text"]) < 0.01
    assert likeness.chance(["text"], usual=0.5) < 0.5 < likeness.chance(["find"], usual=0.5)


def test_words_known_beforehand_lead() -> None:
    assert Likeness(["search"]).chance(["search"]) > Likeness().chance(["search"])


def test_what_was_learned_can_be_kept_and_added() -> None:
    first, second = Likeness(), Likeness()
    first.learn(["cars"], success=True)
    second.load(first.dump())
    assert second.chance(["cars"]) == first.chance(["cars"])
    second.add(first.dump())
    assert second.chance(["cars"]) > first.chance(["cars"])


def test_words_of_addresses() -> None:
    assert link_words("http://a.example/cars/find-one.php?x=1", "Go") == ["cars", "find", "one", "php", "go"]
    assert site_words("www.cars.example:8080", "Cheap") == ["cars", "example", "cheap"]
