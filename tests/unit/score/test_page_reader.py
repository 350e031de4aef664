"""The reader of pages: what a page is about and not which words it has."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from dowse.score.local_models import NoModel
from dowse.score.page_reader import WEIGHTS, PageReader, page_reader

UNDO = "Reset. Undo a commit: git reset moves HEAD back, so that the commit that was made last is undone."
PUSH = "Push. Upload commits: git push uploads the last commit to a server."
"""It has words of the topic. (What a "not" turns around, such as "and cannot undo that", the model does not see.)"""

SOUP = "Soup. Carrots: Cut the carrots, and boil them for half an hour."


@pytest.fixture(scope="module")
def model() -> PageReader:
    try:
        return page_reader()
    except NoModel as error:
        pytest.skip(str(error))


def test_a_page_about_a_topic_is_likelier_than_one_with_its_words(model: PageReader) -> None:
    undo, push, soup = (model.odds("undo the last commit", text) for text in (UNDO, PUSH, SOUP))
    assert undo > push + 1.5
    assert push > soup + 1
    assert soup < -2


@pytest.mark.parametrize(
    ("topic", "about", "other"),
    [
        ("let another user act on my behalf", "Trusts. Delegation: A trust lets one user delegate a role.", PUSH),
        ("birds", "robin. : robin, redbreast: small Old World songbird with a reddish breast", SOUP),
        ("cooking", SOUP, UNDO),
    ],
)
def test_other_words_for_a_thing_are_understood(model: PageReader, topic: str, about: str, other: str) -> None:
    assert model.odds(topic, about) > model.odds(topic, other) + 2


def test_a_text_is_the_same_whatever_was_read_before(model: PageReader) -> None:
    alone = model.odds("undo the last commit", UNDO)
    model.odds("carrots", "word " * 500)
    assert model.odds("undo the last commit", UNDO) == alone


def test_a_text_that_is_too_long_is_read_from_its_beginning(model: PageReader) -> None:
    long = f"{UNDO} {'word ' * 300}"
    assert model.odds("undo the last commit", long) == model.odds("undo the last commit", f"{long} {SOUP}")


@pytest.mark.parametrize("topic", ["undo", "", "word " * 400, "!" * 400, "\u6c34" * 400], ids=ascii)
@pytest.mark.parametrize("text", [UNDO, ""], ids=["page", "nothing"])
def test_any_topic_and_any_text_have_odds(model: PageReader, topic: str, text: str) -> None:
    assert -30 < model.odds(topic, text) < 30


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("content", [b"", b"\0" * 100], ids=["empty", "no model"])
def test_a_damaged_model_is_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "page_reader.onnx"
    file.write_bytes(content)
    with pytest.raises(NoModel, match=r"page_reader\.onnx cannot be read: .*; install dowse anew"):
        PageReader(str(file))


@pytest.mark.usefixtures("model")
def test_a_model_without_its_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"page_reader\.onnx cannot be read"):
        PageReader(f"{tmp_path}/page_reader.onnx")


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    finders = [Missing(library), *sys.meta_path]
    monkeypatch.setattr(sys, "meta_path", finders)
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(NoModel, match=rf"this needs {library}\S*: pip install 'dowse-crawler\[context\]'"):
        PageReader(WEIGHTS)


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_library_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, ModuleType(library))  # as one that lacks what it should have
    with pytest.raises(NoModel, match=f"is installed but does not load: .*{library}"):
        PageReader(WEIGHTS)


class Missing:
    """A library as if it were not installed."""

    def __init__(self, library: str) -> None:
        self._library = library

    def find_spec(self, name: str, *_rest: object) -> None:
        if name.partition(".")[0] == self._library:
            raise ModuleNotFoundError(f"No module named {name!r}", name=self._library)
