"""Which word is asked for next."""

from __future__ import annotations

from dowse.modes.forms.keyword_choice import KeywordChoice


def record(key: str, words: str) -> tuple[str, frozenset[str]]:
    return key, frozenset(words.split())


def test_the_first_word_that_was_heard_begins() -> None:
    choice = KeywordChoice()
    choice.hear(["lamp", "kettle"])
    best = choice.best()
    assert best is not None
    assert best.word == "lamp"


def test_what_was_asked_is_not_asked_again() -> None:
    choice = KeywordChoice()
    choice.hear(["lamp"])
    choice.take("lamp", [])
    assert choice.best() is None


def test_a_word_of_many_records_promises_more() -> None:
    choice = KeywordChoice()
    choice.take("red", [record(str(each), "red lamp" if each % 4 else "red vase") for each in range(20)])
    best = choice.best()
    assert best is not None
    assert best.word == "lamp"


def test_words_of_records_that_came_once_count_more() -> None:
    """Ten records with `lamp` came twice, six with `vase` once: unknown records are more like the latter."""
    choice = KeywordChoice(page_size=50)
    lamps = [record(f"l{each}", "red lamp") for each in range(10)]
    choice.take("red", lamps)
    choice.take("cheap", [*lamps, *(record(f"v{each}", "cheap vase") for each in range(6))])
    best = choice.best()
    assert best is not None
    assert best.word == "vase"


def test_a_word_that_fills_many_pages_costs_as_many_requests() -> None:
    choice = KeywordChoice(page_size=10)
    choice.take("red", [record(str(each), "red lamp") for each in range(95)])
    best = choice.best()
    assert best is not None
    assert best.requests >= 10


def test_numbers_are_left_when_they_bring_nothing() -> None:
    choice = KeywordChoice()
    choice.take("red", [record(str(each), f"red lamp 2020 {2000 + each}") for each in range(10)])
    for number in range(2000, 2008):
        choice.take(str(number), [])
    best = choice.best()
    assert best is not None
    assert best.word == "lamp"


def test_new_records_are_counted_once() -> None:
    choice = KeywordChoice()
    assert choice.take("red", [record("1", "red"), record("2", "red")]) == 2
    assert choice.take("blue", [record("2", "red"), record("3", "blue")]) == 1
    assert sorted(choice.times) == [1, 1, 2]


def test_known_records_with_a_word_are_among_its_results() -> None:
    choice = KeywordChoice()
    choice.take("red", [record(str(each), "red lamp") for each in range(30)])
    choice.take("lamp", [record(str(each), "red lamp") for each in range(10)])
    assert choice.unseen("lamp", 100) == 70
    choice.take("amp", [record(str(each), "red lamp") for each in range(10)])
    assert choice.unseen("amp", 100) == 100, "no record shows that word, so nothing is known of its results"
