"""Words are found and added up in C as they are without a compiler."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.score import tokens, vectors, vocabulary
from dowse.score.language import language
from dowse.score.tokens import (
    END,
    IS_COMPILED,
    SCALE,
    SILENT,
    PlainTable,
    Rows,
    Small,
    Table,
    make_table,
    plain_units,
    units,
)
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords
from tests.compiling import needs_compiler

needs_words = pytest.mark.skipif(not IS_COMPILED, reason="there was no compiler when dowse was installed")
both_tables = pytest.mark.parametrize("make", [PlainTable, pytest.param(make_table, marks=needs_words)])


class Met:
    """Gives each word that is new the next row; those that begin with a digit say nothing."""

    def __init__(self) -> None:
        self.words: list[bytes] = []

    def __call__(self, word: bytes) -> int:
        self.words.append(word)
        return SILENT if word[:1].isdigit() else len(self.words) + SILENT


def found(table: Table, texts: list[str], met: Met) -> list[int]:
    return list(np.frombuffer(table.find(texts, met), np.int32).tolist())


@needs_compiler
def test_it_is_there_where_it_can_be_compiled() -> None:
    assert IS_COMPILED


@both_tables
def test_texts_are_cut_at_what_is_no_letter_or_digit(make: type[PlainTable]) -> None:
    met = Met()
    texts = [
        "Heap-sort, HEAP",
        "",
        "2 \x01\x00 r\u00e9sum\u00e9_sort\ud800heap",
        "\u4e2d\u6587\u3002 \u4e2d\u6587\u3002",
    ]
    assert found(make(), texts, met) == [2, 3, 2, END, END, 5, 3, 2, END, 6, 6, END]
    assert met.words == [b"heap", b"sort", b"2", "r\u00e9sum\u00e9".encode(), "\u4e2d\u6587\u3002".encode()]


@both_tables
def test_no_text_has_no_row(make: type[PlainTable]) -> None:
    assert found(make(), [], Met()) == []


LETTERS = st.text(st.one_of(st.sampled_from("aAbB19 \x00\x01\x02\x7f-_@[`{/:\n"), st.characters()), max_size=60)


@needs_words
@settings(max_examples=300)
@given(st.lists(st.lists(LETTERS, max_size=6), max_size=4))
def test_both_tables_find_the_same(read: list[list[str]]) -> None:
    plain, compiled, met, met_compiled = PlainTable(), make_table(), Met(), Met()
    for texts in read:
        assert found(plain, texts, met) == found(compiled, texts, met_compiled)
    assert met.words == met_compiled.words


@needs_words
@pytest.mark.parametrize("length", [1, 6, 7, 8, 9, 15, 16, 17, 255, 256, 264, 100_000])
def test_words_of_any_length_are_told_apart(length: int) -> None:
    word, table, met = "x" * length, make_table(), Met()
    texts = [word, word + "x", word[:-1] + "y", word.upper(), " " + word + " "]
    assert found(table, texts, met) == [2, END, 3, END, 4, END, 2, END, 2, END]
    assert met.words == [text.encode() for text in texts[:3]]


@needs_words
def test_tens_of_thousands_of_words_keep_their_rows() -> None:
    table, met = make_table(), Met()
    texts = [" ".join(f"w{number}" for number in range(start, start + 1000)) for start in range(0, 50_000, 1000)]
    rows = found(table, texts, met)
    assert [row for row in rows if row] == list(range(2, 50_002))
    assert found(table, texts, met) == rows
    assert len(met.words) == 50_000


@both_tables
def test_a_word_that_nothing_could_be_said_of_is_asked_for_again(make: type[PlainTable]) -> None:
    def refuse(word: bytes) -> int:
        raise LookupError(word.decode())

    table = make()
    with pytest.raises(LookupError, match="heap"):
        table.find(["Heap sort"], refuse)
    assert found(table, ["Heap sort"], Met()) == [2, 3, END]


@both_tables
def test_who_is_asked_for_a_word_may_look_for_words(make: type[PlainTable]) -> None:
    table, met = make(), Met()

    def ask(word: bytes) -> int:
        if word == b"heap":
            table.find([" ".join(f"v{number}" for number in range(9000)) + " sort"], met)
        return met(word)

    rows = np.frombuffer(table.find(["quick heap sort"], ask), np.int32).tolist()
    assert rows == [2, 9004, 9003, END]


@needs_words
@pytest.mark.parametrize("row", [-1, END, 2**31, 2**80, "2"])
def test_what_is_no_row_is_refused(row: int) -> None:
    with pytest.raises((ValueError, OverflowError, TypeError)):
        make_table().find(["heap"], lambda _: row)


@needs_words
@pytest.mark.parametrize("texts", [[b"heap"], [None], 3, ["heap", 4]])
def test_what_is_no_text_is_refused(texts: list[str]) -> None:
    with pytest.raises(TypeError):
        make_table().find(texts, Met())


@needs_words
def test_nothing_is_held_on_to() -> None:
    texts, met = ["heap sort \u00e9", "x\ud800"], Met()
    counts = [sys.getrefcount(thing) for thing in (texts, texts[0], texts[1], met)]
    for _ in range(50):
        table = make_table()
        table.find(texts, met)
        with pytest.raises(TypeError):
            table.find([*texts, None], met)  # type: ignore[list-item]
    del table
    gc.collect()
    assert [sys.getrefcount(thing) for thing in (texts, texts[0], texts[1], met)] == counts


COUNTED = st.lists(st.integers(SILENT, 29), max_size=200)


@both_tables
@pytest.mark.parametrize(
    ("rows", "counts"),
    [([], []), ([END], []), ([3, END, 3, END], [[30, 1]]), ([5, 3, 5, 4, 2, 3, 5, END, 6], [[30, 5], [40, 1]])],
)
def test_the_numbers_of_the_first_text_are_counted(
    make: type[PlainTable], rows: list[int], counts: list[list[int]]
) -> None:
    numbers = np.array([-1, -1, 0, 30, 40, 30, -1])
    made = make().count(np.array([*rows, END], np.int32), numbers)
    assert made is not None
    assert np.frombuffer(made, np.uint32).reshape(-1, 2).tolist() == counts


@both_tables
def test_numbers_that_are_not_known_are_not_counted(make: type[PlainTable]) -> None:
    assert make().count(np.array([2, 3, END], np.int32), np.array([0, 0, 7, -1])) is None


@needs_words
@given(COUNTED, st.lists(st.one_of(st.integers(0, 3), st.integers(0, 2**32 - 1)), min_size=30, max_size=30))
def test_both_tables_count_the_same(rows: list[int], numbers: list[int]) -> None:
    places, known = np.array([*rows, END, 2, END], np.int32), np.array(numbers)
    assert make_table().count(places, known) == PlainTable().count(places, known)


@needs_words
def test_what_cannot_be_counted_is_refused() -> None:
    rows, numbers, table = np.array([2, END], np.int32), np.arange(4), make_table()
    wrong: Any
    for wrong in (rows.astype(np.int64), rows.reshape(1, 2), numbers[::2], [2, 0]):
        with pytest.raises((ValueError, TypeError, BufferError)):
            table.count(wrong, numbers)
    for wrong in (rows, numbers.astype(np.float32), numbers.reshape(2, 2), None):
        with pytest.raises((ValueError, TypeError, BufferError)):
            table.count(rows, wrong)
    for row in (-1, 4, -(2**31), 2**31 - 1):
        with pytest.raises(IndexError, match="of 4"):
            table.count(np.array([2, row, END], np.int32), numbers)


def vectors_of(count: int, size: int) -> Small:
    made = np.random.default_rng(size).integers(-128, 128, (count, size)).astype(np.int8)
    made[END] = 0
    return made


@needs_words
@pytest.mark.parametrize("size", [2, 62, 64, 66, 128, 256, 300])
@pytest.mark.parametrize("lengths", [[], [0], [1], [0, 0, 3], [255, 256, 257], [7, 0, 1000, 513], [1] * 90])
def test_both_ways_make_the_same_vectors(size: int, lengths: list[int]) -> None:
    chance = np.random.default_rng(len(lengths))
    texts = [np.append(chance.integers(SILENT, 500, length), END) for length in lengths]
    rows: Rows = np.concatenate([*texts, np.zeros(0, int)]).astype(np.int32)
    known = vectors_of(500, size)
    made = units(rows, known)
    assert made == plain_units(rows, known)
    rows_made = np.frombuffer(made, np.int8).reshape(-1, size).astype(float)
    if size > 60:  # components of shorter ones do not all fit into a byte
        assert [round(np.linalg.norm(row) / SCALE) for row in rows_made] == [length > 0 for length in lengths]


@pytest.mark.parametrize("make", [plain_units, pytest.param(units, marks=needs_words)])
def test_vectors_have_length_1_and_point_where_their_words_do(make: Callable[[Rows, Small], bytes]) -> None:
    rows: Rows = np.repeat(np.array([2, 3, END, END, 4, END], np.int32), [150_001, 3, 1, 1, 1, 1])
    known = np.array([[0, 0], [0, 0], [30, -40], [1, -1], [0, 127]], np.int8)
    assert np.frombuffer(make(rows, known), np.int8).reshape(-1, 2).tolist() == [[127, -127], [0, 0], [0, 127]]
    wide = np.zeros((3, 64), np.int8)
    wide[2, :16] = 3
    assert np.frombuffer(make(np.array([2, 2, END], np.int32), wide), np.int8).tolist() == [64] * 16 + [0] * 48


@needs_words
@pytest.mark.parametrize("row", [-1, 4, 2**31 - 1, -(2**31)])
def test_a_row_without_a_vector_is_refused(row: int) -> None:
    with pytest.raises(IndexError, match="of 4"):
        units(np.array([2, row, END], np.int32), vectors_of(4, 64))


@needs_words
def test_what_are_no_rows_or_vectors_is_refused() -> None:
    rows, known = np.array([2, END], np.int32), vectors_of(4, 64)
    wrong: Any
    for wrong in (rows.astype(np.int64), rows[::-1], rows.reshape(1, 2), rows.tolist()):
        with pytest.raises((ValueError, TypeError, BufferError)):
            units(wrong, known)
    for wrong in (known.astype(np.float32), known[:, ::2], known[0], known[:, :0], None):
        with pytest.raises((ValueError, TypeError, BufferError)):
            units(rows, wrong)


@needs_words
@settings(max_examples=50)
@given(st.lists(st.lists(LETTERS, min_size=1, max_size=6), min_size=1, max_size=4))
def test_vectors_and_stems_do_not_depend_on_a_compiler(read: list[list[str]]) -> None:
    english = language("en")
    compiled = Embedder(HashedWords(english), english)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "make_table", PlainTable)
        plain = Embedder(HashedWords(english), english)
        patch.setattr(vectors, "units", tokens.plain_units)
        expected = [(made(plain, texts), stems(plain, texts)) for texts in read]
    assert [(made(compiled, texts), stems(compiled, texts)) for texts in read] == expected


def made(embedder: Embedder, texts: list[str]) -> bytes:
    return embedder.units(embedder.vocabulary.read(texts)).tobytes()


def stems(embedder: Embedder, texts: list[str]) -> bytes:
    return embedder.vocabulary.stem_counts(embedder.vocabulary.read(texts)).tobytes()
