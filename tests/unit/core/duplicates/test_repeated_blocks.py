"""What a site repeats is learned by counting, for each host alone."""

from __future__ import annotations

import pytest

from dowse.core.duplicates import repeated_blocks
from dowse.core.duplicates.repeated_blocks import REPEATED_AT, RepeatedBlocks
from dowse.parse.blocks import find_passages


def among(blocks: RepeatedBlocks, host: int, text: str) -> list[bool]:
    """For each line of a text whether it is repeated."""
    passages = find_passages(text, f"title of {text}")
    found: list[bool] = blocks.among(host, passages).tolist()
    return found[1:]


def test_a_block_of_many_pages_is_repeated_and_the_pages_are_told() -> None:
    blocks = RepeatedBlocks()
    told = [blocks.count(1, find_passages(f"menu\nabout {'x' * page}", str(page)), page) for page in range(1, 10)]
    assert [list(found.values()) for found in told if found] == [[tuple(range(1, REPEATED_AT + 1))]]
    assert among(blocks, 1, "menu\nother") == [True, False]
    assert among(blocks, 2, "menu\nother") == [False, False], "another host"


def test_a_title_that_all_pages_have_is_repeated() -> None:
    blocks = RepeatedBlocks()
    for page in range(REPEATED_AT):
        blocks.count(1, find_passages("x" * page, "My shop"), page)
    assert blocks.among(1, find_passages("", "My shop")).tolist() == [True]


def test_a_number_is_repeated_only_if_a_good_part_of_the_pages_has_it() -> None:
    blocks = RepeatedBlocks()
    for page in range(60):
        price = "price 10" if page % 6 == 0 else f"price {page}"
        blocks.count(1, find_passages(f"menu\n{price}\ncopyright 2024", str(page)), page)
    assert among(blocks, 1, "menu\nprice 10\ncopyright 2024") == [True, False, True]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_blocks, "REMEMBERED", 100)
    blocks = RepeatedBlocks()
    for page in range(200):
        blocks.count(1, find_passages(f"menu\n{'y' * page}\n{'z' * page}", str(page)), page)
        assert len(blocks._seen) <= 103
    assert among(blocks, 1, "menu") == [True]


def test_what_was_learned_before_is_taken_over() -> None:
    before, after = RepeatedBlocks(), RepeatedBlocks()
    for page in range(REPEATED_AT):
        for key in before.count(1, find_passages("menu", str(page)), page):
            after.mark(key)
    assert among(after, 1, "menu") == [True]
