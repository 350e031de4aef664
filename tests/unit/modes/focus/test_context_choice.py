"""Whether a crawl reads pages in context."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.core.errors import ExtraMissing
from dowse.modes.focus import context_choice
from dowse.modes.focus.context_choice import choose_context, reads_in_context
from dowse.modes.focus.options import FocusOptions
from dowse.score import semantic
from dowse.score.sentences import NoModel

CHOSEN, NOT_CHOSEN = {"context": b"yes"}, {"context": b""}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: True)
    monkeypatch.setattr(context_choice, "sentence_model", lambda: None)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise NoModel("its model is not installed")

    monkeypatch.setattr(semantic, "is_installed", lambda: True)
    monkeypatch.setattr(context_choice, "sentence_model", none)


def choose(stored: dict[str, bytes] | None = None, **options: Any) -> tuple[bytes, list[str]]:
    """What is chosen, and what the user is told."""
    told: list[str] = []
    made = choose_context(FocusOptions(topic="heap", **options), stored, told.append)
    return made["context"], told


@pytest.mark.usefixtures("installed")
def test_pages_are_read_in_context_where_that_can_be() -> None:
    assert choose() == (b"yes", [])


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "options", [{"context": False}, {"language": "de"}, {"by": "breadth"}, {"score": "keywords"}], ids=str
)
def test_they_are_not_where_it_is_left_out_or_of_no_use(options: dict[str, Any]) -> None:
    assert choose(**options) == (b"", [])


@pytest.mark.usefixtures("missing")
def test_what_is_missing_is_told_once_and_only_to_those_who_want_it() -> None:
    told = "no page is read in context, for its model is not installed; --no-context leaves this line out"
    assert choose() == (b"", [told])
    assert choose(context=False) == choose(NOT_CHOSEN) == (b"", [])


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: False)
    (told,) = choose()[1]
    assert "wordllama is not installed: pip install 'dowse-crawler[context]'" in told


@pytest.mark.usefixtures("installed")
def test_a_crawl_goes_on_as_it_began() -> None:
    assert choose(CHOSEN) == (b"yes", [])
    assert choose(NOT_CHOSEN) == (b"", [])


@pytest.mark.usefixtures("missing")
def test_a_crawl_does_not_go_on_otherwise_than_it_began() -> None:
    with pytest.raises(ExtraMissing, match="this crawl reads pages in context, and its model is not installed"):
        choose(CHOSEN)


def test_a_briefing_says_what_was_chosen() -> None:
    assert reads_in_context(CHOSEN)
    assert not reads_in_context(NOT_CHOSEN)
    assert not reads_in_context({})
