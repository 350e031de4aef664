"""WordNet's files: words are found in them by their forms, with what they mean and what is related."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.errors import CrawlError
from dowse.machine.wordnet import WordNet, find_wordnet
from dowse.workflows.doctor import examine
from tests.dictionaries import Synset, write_wordnet


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return WordNet(write_wordnet(tmp_path_factory.mktemp("wordnet")))


@pytest.mark.parametrize(
    ("word", "definitions"),
    [
        ("java", ["an island of Indonesia", "a drink of roasted beans", "an object-oriented language"]),
        ("Java", ["an island of Indonesia", "a drink of roasted beans", "an object-oriented language"]),
        ("islands", ["land with water"]),
        ("mice", ["a small rodent"]),
        ("heat pumps", ["a device that warms"]),
        ("sort", ["a category", "an operation", "put into an order"]),
        ("sorting", ["an operation", "put into an order"]),
        ("arranged", ["put into an order"]),
        ("poorest", ["without money"]),
        ("jav", []),
        ("geese", []),
        ("s", []),
        ("", []),
        ("ärger", []),
    ],
)
def test_words_are_found_by_their_forms(wordnet: WordNet, word: str, definitions: list[str]) -> None:
    found = [meaning.gloss for meaning in wordnet.meanings(word)]
    assert len(found) == len(definitions)
    assert all(gloss.startswith(begin) for gloss, begin in zip(found, definitions, strict=True))


@pytest.mark.parametrize(
    ("word", "number", "relatives"),
    [
        ("java", 0, {"synonym": ("Java",), "broader": ("island",)}),
        ("java", 1, {"synonym": ("coffee", "java"), "broader": ("beverage", "drink")}),
        ("java", 2, {"synonym": ("Java",), "broader": ("programming language",)}),
        ("python", 0, {"synonym": ("python",), "broader": ("boa",), "narrower": ("rock python",)}),
        ("sort", 1, {"synonym": ("sort", "sorting"), "derived": ("arrange",)}),
        ("sorting", 0, {"synonym": ("sort", "sorting")}),
        ("poor", 0, {"synonym": ("poor",), "narrower": ("needy",)}),
    ],
)
def test_meanings_have_their_relatives(
    wordnet: WordNet, word: str, number: int, relatives: dict[str, tuple[str, ...]]
) -> None:
    assert wordnet.meanings(word)[number].relatives == relatives


WORDS = st.lists(st.text("ab1'_.-", min_size=1, max_size=8), min_size=1, max_size=30, unique=True)


@settings(max_examples=40)
@given(words=WORDS, absent=WORDS)
def test_every_word_of_the_files_is_found_and_no_other(
    words: list[str], absent: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    synsets = [Synset(f"r {word}", (word,), f"means {word}") for word in words]
    wordnet = WordNet(write_wordnet(tmp_path_factory.mktemp("wordnet"), synsets))
    for word in words:
        assert [meaning.gloss for meaning in wordnet.meanings(word)] == [f"means {word}"]
    for word in set(absent) - set(words):
        assert wordnet.meanings(word) == []


def test_damaged_files_are_named(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path)
    (folder / "data.noun").write_text("nothing\n" * 500)
    with pytest.raises(CrawlError, match=r"WordNet files in .* are damaged at 'java'; .*--no-related"):
        WordNet(folder).meanings("java")


def test_it_is_looked_for_where_its_own_programs_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "given"))
    assert find_wordnet() != tmp_path / "given"
    write_wordnet(tmp_path / "given")
    assert find_wordnet() == tmp_path / "given"
    monkeypatch.delenv("WNSEARCHDIR")
    monkeypatch.setenv("WNHOME", str(tmp_path / "home"))
    write_wordnet(tmp_path / "home" / "dict")
    assert find_wordnet() == tmp_path / "home" / "dict"
    (tmp_path / "home" / "dict" / "index.verb").unlink()
    assert find_wordnet() != tmp_path / "home" / "dict"


def test_the_doctor_says_where_it_is_or_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(write_wordnet(tmp_path)))
    assert [finding.found for finding in examine() if finding.name == "WordNet"] == [str(tmp_path)]
    monkeypatch.setattr("dowse.machine.wordnet.find_wordnet", lambda: None)
    (finding,) = [finding for finding in examine() if finding.name == "WordNet"]
    assert not finding.found
    assert "WNSEARCHDIR" in finding.cure
