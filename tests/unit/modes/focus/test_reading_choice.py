"""How a crawl reads pages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dowse.core.errors import CrawlError, ExtraMissing
from dowse.modes.focus import reading_choice
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_topic
from dowse.modes.focus.reading_choice import check_reader, choose_reading, reading_of
from dowse.score import semantic
from dowse.score.local_models import NoModel

CONTEXT, MEANING, WORDS = ({"reading": reading} for reading in (b"context", b"meaning", b"words"))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: True)
    monkeypatch.setattr(reading_choice, "sentence_model", lambda: None)
    monkeypatch.setattr(reading_choice, "page_reader", lambda: SimpleNamespace(checksum="now"))


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise NoModel("its model is not installed")

    monkeypatch.setattr(semantic, "is_installed", lambda: True)
    monkeypatch.setattr(reading_choice, "page_reader", none)


def choose(stored: dict[str, bytes] | None = None, **options: Any) -> tuple[bytes, list[str]]:
    """What is chosen, and what the user is told."""
    told: list[str] = []
    made = choose_reading(FocusOptions(topic="heap", **options), stored, told.append)
    return made["reading"], told


@pytest.mark.usefixtures("installed")
def test_pages_are_read_in_context_where_that_can_be() -> None:
    assert choose() == (b"context", [])


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "options", [{"context": False}, {"language": "de"}, {"by": "breadth"}, {"score": "keywords"}], ids=str
)
def test_they_are_not_where_it_is_left_out_or_of_no_use(options: dict[str, Any]) -> None:
    assert choose(**options) == (b"meaning", [])


@pytest.mark.usefixtures("missing")
def test_what_is_missing_is_told_once_and_only_to_those_who_want_it() -> None:
    told = "no page is read in context, for its model is not installed; --no-context leaves this line out"
    assert choose() == (b"meaning", [told])
    assert choose(context=False) == choose(MEANING) == (b"meaning", [])


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: False)
    chosen, (told,) = choose()
    assert chosen == b"words"
    assert "wordllama is not installed: pip install 'dowse-crawler[context]'" in told


@pytest.mark.usefixtures("installed")
def test_a_crawl_goes_on_as_it_began() -> None:
    assert choose(CONTEXT) == (b"context", [])
    assert choose(MEANING) == (b"meaning", [])
    assert choose(WORDS) == (b"words", []), "also where more is installed by now"


@pytest.mark.usefixtures("installed")
def test_a_crawl_does_not_go_on_with_another_model() -> None:
    began = choose_reading(FocusOptions(topic="heap"), None, print)
    assert began == {"reading": b"context", "page reader": b"now"}
    check_reader(began)
    check_reader(MEANING)
    for earlier in ({**began, "page reader": b"then"}, CONTEXT):
        with pytest.raises(CrawlError, match="saved by another version of dowse"):
            check_reader(earlier)
        changed = choose_reading(FocusOptions(topic="graph"), earlier, print)
        assert changed == began, "for another topic its pages are read anew"


@pytest.mark.usefixtures("missing")
def test_a_crawl_does_not_go_on_otherwise_than_it_began() -> None:
    with pytest.raises(ExtraMissing, match="this crawl reads pages in context, and its model is not installed"):
        choose(CONTEXT)


def test_a_crawl_by_meaning_does_not_go_on_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: False)
    with pytest.raises(ExtraMissing, match=r"by meaning, and wordllama is not installed: pip install .*\[semantic\]"):
        choose(MEANING)
    assert choose(WORDS) == (b"words", [])
    assert choose(MEANING, by="breadth") == (b"meaning", []), "it goes by keywords, which need no library"


def test_a_topic_is_read_as_was_chosen() -> None:
    by_words = build_topic(FocusOptions(topic="heap"), reading=reading_of(WORDS))
    assert not by_words.embedder.source.knows_meaning
    assert not by_words.in_context
