"""What an answer to a query says."""

from __future__ import annotations

import pytest

from dowse.modes.forms.query_answers import read_answer, read_nonsense, total_of
from dowse.modes.forms.result_pagers import next_page
from tests.reading import page_of

ITEMS = "".join(f"<li><a href=/goods/{each}>Lamp number {each}</a> a fine one</li>" for each in range(10))


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Results 1 to 50 of 1,234", 1234),
        ("About 12 matching records", 12),
        ("Treffer: 7", 7),
        ("1.234 Ergebnisse", 1234),
        ("1 - 20 sur 345", 345),
        ("Resultados: 88", 88),
        ("76 found", 76),
        ("Nothing was found", None),
        ("", None),
    ],
)
def test_the_total_is_read_in_several_languages(text: str, total: int | None) -> None:
    assert total_of(text) == total


@pytest.mark.parametrize(
    "words",
    ["Next", "next page", "Next \u00bb", "\u203a", "Weiter", "N\u00e4chste Seite", "Suivant", "Siguiente", "Volgende",
     "Successiva", "\u4e0b\u4e00\u9875", "\u0434\u0430\u043b\u0435\u0435"],
)  # fmt: skip
def test_the_next_page_is_found_by_its_words(words: str) -> None:
    page = page_of(f"<ol>{ITEMS}</ol><a href=/find?q=x>1</a><a href='/find?q=x&page=2'>{words}</a>")
    assert next_page(page, 1).endswith("/find?q=x&page=2")


def test_the_next_page_is_found_by_its_rel_and_by_its_number() -> None:
    assert next_page(page_of("<a rel=next href=/b>older things</a>"), 1).endswith("/b")
    pager = "".join(f"<a href=/find?page={each}>{each}</a>" for each in range(1, 9))
    assert next_page(page_of(pager), 4).endswith("/find?page=5")
    assert next_page(page_of(pager), 8) == ""


def test_the_next_page_is_found_by_a_picture_as_on_all_pages() -> None:
    arrow = "<a href='?page=2'><img src=right.png alt=Next></a>"
    assert next_page(page_of(f"<ol>{ITEMS}</ol><p class=pager><b>1</b> {arrow}"), 1).endswith("?page=2")


def test_a_link_that_only_begins_like_next_is_none() -> None:
    assert next_page(page_of("<a href=/b>Next of kin: a novel</a>"), 1) == ""


def test_results_are_told_from_what_every_answer_has() -> None:
    menu = "<ul>" + "".join(f"<li><a href=/m{each}>Menu entry {each}</a></li>" for each in range(12)) + "</ul>"
    known = frozenset(read_nonsense(page_of(menu)).known)
    answer = read_answer(page_of(f"{menu}<p>10 results</p><ol>{ITEMS}</ol>"), known, "", 1)
    assert (answer.kind, len(answer.items), answer.total) == ("results", 10, 10)
    assert read_answer(page_of(menu), known, answer.place, 1).kind == "no match"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<form><input name=u><input type=password name=p></form>", "log-in"),
        ("<iframe src=https://www.example/reCAPTCHA/api></iframe>", "captcha"),
        ("<p>Nothing was found.</p>", "no match"),
    ],
)
def test_walls_are_named(body: str, kind: str) -> None:
    assert read_answer(page_of(body), frozenset(), "", 1).kind == kind
