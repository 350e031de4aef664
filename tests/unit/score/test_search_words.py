"""Words as they are found by, in many languages."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from dowse.score.search_words import cut, fold, language_of, pairs, stemming, words_in


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("The city pays for all of the heat pumps that we have, and it is not for others", "", "english"),
        ("The city pays for all of the heat pumps that we have, and it is not for others", "de", "english"),
        ("Die Förderung ist nicht für alle, auch wenn sie mit einem Haus und der Stadt zu tun hat", "en", "german"),
        ("Wärmepumpe", "de-AT", "german"),
        ("Субсидии на тепловые насосы", "en", "russian"),
        ("Субсидії на теплові насоси", "uk", ""),
        ("دعم المضخات الحرارية", "", "arabic"),
        ("热泵补贴", "zh", "chinese"),
        ("ヒートポンプの補助金 install the server with apache", "", "japanese"),
        ("히트 펌프 보조금 da | de | en | es | fr", "", "korean"),
        ("da mod de mod es mod mod mod mod mod " + "apache module directive " * 60, "", ""),
        ("pompa ciepła", "pl", "polish"),
        ("", "", ""),
    ],
)
def test_the_language_of_a_text_is_told_by_its_words_and_letters_first(text: str, declared: str, language: str) -> None:
    assert language_of(text, declared) == language


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("english", "subsidies for heat pumps", "subsidy for heated pump"),
        ("german", "Wärmepumpen Häuser", "Warmepumpe Haus"),
        ("russian", "тепловые насосы", "тепловой насос"),
        ("arabic", "المدينة الحرارية", "مدينة حراريةٌ"),
        ("french", "subventions énergétiques", "subvention énergétique"),
        ("", "Café", "CAFE"),
        ("", "ﬁle", "file"),
        ("", "カタカナ", "ｶﾀｶﾅ"),
    ],
)
def test_forms_of_a_word_are_found_by_the_same(language: str, one: str, other: str) -> None:
    assert words_in(one, language).found_by == words_in(other, language).found_by


def test_scripts_without_spaces_are_found_by_two_characters_each() -> None:
    assert words_in("供热泵abc", "").found_by == ["供热", "热泵", "泵", "abc"]
    assert pairs("泵") == ["泵"]


def test_forms_that_differ_are_remembered() -> None:
    assert words_in("cafés net", "french").forms == {("cafes", "caf")}


def test_what_is_no_word_is_left_out() -> None:
    assert cut("a" * 41 + " b_c don't 3.14") == ["b", "c", "don", "t", "3", "14"]


@given(st.text(max_size=60), st.sampled_from(["", "english", "german", "arabic", "hindi"]))
def test_any_text_can_be_read_and_its_words_have_no_space(text: str, language: str) -> None:
    found = words_in(text, language)
    assert all(word and not any(map(str.isspace, word)) for word in found.found_by)
    assert all(fold(form) == form for form, _ in found.forms)


def test_several_searches_at_one_time_stem_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snowballstemmer, "stemmer", lambda _language: EnglishStemmer())  # which has a state
    chance = random.Random(0)
    letters = ["".join(chance.choices("abdeiklmnorstu", k=7)) for _ in range(2_000)]
    words = [word + ending for word in letters for ending in ("ational", "fulness")]
    expected = [EnglishStemmer().stemWord(word) for word in words]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    stemming.cache_clear()
    try:
        with ThreadPoolExecutor(8) as searches:
            assert list(searches.map(stemming("english").__getitem__, words)) == expected
    finally:
        sys.setswitchinterval(before)
        stemming.cache_clear()
