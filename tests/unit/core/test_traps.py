"""Traps end, and what only looks like one does not."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import ScopeOptions, UrlOptions
from dowse.core.traps import ARRANGEMENTS, INBRED, ORDERS, SESSIONS, Families, is_repeated_path, next_chain, shape
from dowse.core.url_keys import UrlKeys

KEYS = UrlKeys(UrlOptions())


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.org/", "e.org/"),
        ("https://e.org:8080/a/b.html", "e.org:8080/a/b.html"),
        ("https://e2.org/d/2024/07-31.html", "e2.org/d/#/#-#.html"),
        ("https://e.org/page12b", "e.org/page#b"),
        ("https://e.org/c?year=2024&month=7", "e.org/c?month&year"),
        ("https://e.org/c?b&a=&b=3", "e.org/c?a&b"),
        ("https://e.org/c?item12=a", "e.org/c?item#"),
        ("https://e.org/c?", "e.org/c"),
        ("https://e.org/commit/9fceb02d0ae598e95dc970b74767f19372d61af8", "e.org/commit/*"),
        ("https://e.org/s/Ab3dEf6hIj9kLm2n/x", "e.org/s/*/x"),
        ("https://e.org/o/123e4567-e89b-12d3-a456-426614174000.html", "e.org/o/*.html"),
        ("https://e.org/1234567890123456", "e.org/#"),
        ("https://e.org/short1a2b", "e.org/short#a#b"),
        ("https://e.org/internationalization/x", "e.org/internationalization/x"),
        ("https://e.org/a-long-title-of-2024-with-words", "e.org/a-long-title-of-#-with-words"),
        ("https://e.org/w/%E4%BD%A05", "e.org/w/%E4%BD%A0#"),
    ],
)
def test_shape(url: str, expected: str) -> None:
    assert shape(url) == expected


@given(st.integers(0, 10**30), st.integers(0, 10**30), st.permutations(["a=1", "b=2", "c=3"]))
def test_numbers_and_orders_do_not_change_a_shape(year: int, number: int, query: list[str]) -> None:
    url = f"https://e.org/d/{year}/x-{number}.html?{'&'.join(query)}"
    assert shape(url) == "e.org/d/#/x-#.html?a&b&c"


@given(st.text("abcxyz0123456789", max_size=40))
def test_a_shape_is_its_own_shape(path: str) -> None:
    once = shape(f"https://e.org/{path}")
    assert shape(f"https://{once}") == once


def chains(pages: list[bool]) -> list[int]:
    """The chain after each step of a walk through one shape, given which pages brought news."""
    result = [0]
    for brought_news in pages:
        result.append(next_chain(result[-1], same_shape=True, parent_brought_news=brought_news))
    return result


def test_a_calendar_grows_its_chain() -> None:
    assert chains([False] * 100) == list(range(101))


def test_a_calendar_is_counted_from_its_last_entry() -> None:
    assert chains([False, False, True, False, False]) == [0, 1, 2, 0, 1, 2]


@given(st.integers(0, 1000))
def test_pagination_that_brings_news_never_ends(parent_chain: int) -> None:
    assert next_chain(parent_chain, same_shape=True, parent_brought_news=True) == 0


@given(st.integers(0, 1000), st.booleans())
def test_another_shape_starts_anew(parent_chain: int, brought_news: bool) -> None:
    assert next_chain(parent_chain, same_shape=False, parent_brought_news=brought_news) == 0


@pytest.mark.parametrize(
    ("path", "most", "repeated"),
    [
        ("/", 3, False),
        ("/a/a/a/a", 3, False),
        ("/a/a/a/a/a", 3, True),
        ("/a/x/a/y/a/z/a", 3, False),
        ("/a/x/a/y/a/z/a/w/a/", 3, True),
        ("/a/b/a/b", 3, False),
        ("/a/b/a/b/a/b", 3, True),
        ("/x/a/b/a/b/a/b/y", 3, True),
        ("/a/b/x/a/b/y/a/b", 3, False),
        ("/a/b/c/a/b/c/a/b/c", 3, True),
        ("/a/b/c/a/b/c/a/b", 3, False),
        ("/x/a/b/a/b/a/y/y/z", 3, False),
        ("/a/b/a/b/a/b", 2, True),
        ("/a/b/a/b/a/b", 4, False),
        ("/a/b/a/b/a/b/a/b", 4, True),
        ("/a/b/a", 0, True),
        ("/a/b/c", 0, False),
        ("/2024/01/01/10/12/2024", 3, False),
    ],
)
def test_repeated_paths(path: str, most: int, repeated: bool) -> None:
    assert is_repeated_path(path, most) is repeated


@given(
    st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=4),
    st.lists(st.text("abc", min_size=1, max_size=3), max_size=4),
    st.integers(0, 6),
)
def test_every_path_that_grows_by_itself_is_repeated_in_the_end(grown: list[str], start: list[str], most: int) -> None:
    assert is_repeated_path("/" + "/".join(start + grown * (most + 2)), most)


def families(**options: Any) -> Families:
    return Families(ScopeOptions(**options))


def refusals(memory: Families, urls: list[str]) -> list[str]:
    return [memory.refuse(KEYS.request(url)) for url in urls]


def test_facets_end_at_the_number_of_parameter_sets() -> None:
    memory = families(parameter_sets=4)
    names = ["a", "b", "a&b", "c", "d", "a=2", "b&a", "c&d", "c=9"]
    assert refusals(memory, [f"https://e.org/list?{name}" for name in names]) == [
        "", "", "", "", "trap: parameter sets", "", "", "trap: parameter sets", "",
    ]  # fmt: skip
    assert refusals(memory, ["https://e.org/other?d", "https://f.org/list?d"]) == ["", ""]


def test_orders_of_the_same_parameters_end() -> None:
    urls = ["https://e.org/list?" + "&".join(order) for order in permutations(["a=1", "b=2", "c=3"])]
    memory = families()
    assert refusals(memory, urls) == [""] * ORDERS + ["trap: parameter order"] * (6 - ORDERS)
    assert refusals(memory, ["https://e.org/list?c=4&b=2&a=1"]) == [""]


def test_many_values_of_one_parameter_are_no_trap() -> None:
    memory = families(parameter_sets=1)
    assert set(refusals(memory, [f"https://e.org/list?page={page}&size=9" for page in range(1000)])) == {""}


def test_parameters_that_do_not_matter_do_not_count() -> None:
    memory = families(parameter_sets=1)
    assert refusals(memory, ["https://e.org/?a=1", "https://e.org/?a=1&utm_source=x"]) == ["", ""]


@pytest.mark.parametrize(
    "path",
    [
        "/s/{:032x}/page", "/session/{:032x}/", "/sid-{:010d}/page", "/sid={:010d}", "/{:032x}/shop/cart",
        "/a/sessionid/{:08d}/b",
    ],
)  # fmt: skip
def test_session_ids_in_paths_end(path: str) -> None:
    urls = ["https://e.org" + path.format(0xA1B2C3D4E5F60718 * 10**15 + number) for number in range(20)]
    memory = families()
    assert refusals(memory, urls) == [""] * SESSIONS + ["trap: session in path"] * (20 - SESSIONS)
    assert refusals(memory, urls[:SESSIONS]) == [""] * SESSIONS


@pytest.mark.parametrize(
    "path", ["/commit/{:032x}", "/commit/{:032x}/tree", "/{:032x}", "/{:032x}/", "/s/{:032x}", "/session/{}/talk"]
)
def test_tokens_that_may_be_pages_do_not(path: str) -> None:
    urls = ["https://e.org" + path.format(0xA1B2C3D4E5F60718 + number) for number in range(20)]
    assert set(refusals(families(), urls)) == {""}


def test_words_are_no_session_ids() -> None:
    urls = [f"https://e.org/sess/{'x' * number}/" for number in range(8, 28)]
    assert set(refusals(families(), urls)) == {""}


@given(st.lists(st.sampled_from(["a", "a&b", "b&a", "c", "c&a", "d=1", "d=2", "a&b&c", "c&b&a"]), max_size=30))
def test_asking_again_changes_nothing(queries: list[str]) -> None:
    urls = [f"https://e.org/list?{query}" for query in queries]
    once, twice = families(parameter_sets=3), families(parameter_sets=3)
    answers = refusals(once, urls)
    assert [refusals(twice, [url, url]) for url in urls] == [[answer, answer] for answer in answers]


def test_tokens_found_only_on_their_own_kind_end() -> None:
    urls = [f"https://e.org/x/{0xA1B2C3D4E5F60718 + number:032x}" for number in range(INBRED + 5)]
    memory = families()
    inbred = [memory.refuse(KEYS.request(url), inbred=True) for url in urls]
    assert inbred == [""] * INBRED + ["trap: session in path"] * 5
    assert refusals(memory, urls) == [""] * len(urls)  # listed elsewhere they are pages
    assert memory.refuse(KEYS.request("https://e.org/x/word"), inbred=True) == ""


def test_the_same_names_in_ever_new_arrangements_end() -> None:
    paths = ["/".join(names) for names in product("abc", repeat=4) if len(set(names)) == 3]
    answers = refusals(families(), [f"https://e.org/{path}" for path in paths])
    assert answers == [""] * ARRANGEMENTS + ["trap: repeated path"] * (len(paths) - ARRANGEMENTS)


def test_arrangements_without_repetition_are_no_trap() -> None:
    assert set(refusals(families(), ["https://e.org/" + "/".join(names) for names in permutations("abcd")])) == {""}


def test_combinations_of_few_values_end() -> None:
    values = product(range(9), range(9))
    urls = [f"https://e.org/list?colour={colour}&size={size}" for colour, size in values]
    assert refusals(families(parameter_combinations=50), urls) == [""] * 50 + ["trap: parameter combinations"] * 31


def test_memory_is_bounded_and_what_is_in_use_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.core.traps.REMEMBERED", 100)
    memory = families(parameter_sets=2)
    refusals(memory, ["https://e.org/list?a", "https://e.org/list?b"])
    for number in range(2000):
        assert refusals(memory, [f"https://e.org/{number}?x", "https://e.org/list?c"]) == ["", "trap: parameter sets"]
    kept = [*memory._seen._young.values(), *memory._seen._old.values()]
    assert sum(len(values) for values in kept) <= 200
