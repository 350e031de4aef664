"""Whether a page may be one of several that are one article."""

from __future__ import annotations

import pytest

from dowse.extract.articles.article_pages import part_of_article, without_pager
from dowse.page_tools import read

URL = "https://paper.example/herons?page=2"
TEXT = "The herons stand in the water of the bay before the sun is up, and nobody is there to see them but the wardens."
PAGER = "<p class=pager><a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a> <a href='?page=3'>Next</a></p>"


def test_a_page_says_which_it_is_and_what_is_beside_it() -> None:
    page = read(f"<title>Herons - page 2 of 3</title><h1>Herons</h1><p>{TEXT}</p>{PAGER}", URL)
    assert part_of_article(page, f"Herons\n{TEXT}") == {
        "page": 2, "last": 3, "next": "https://paper.example/herons?page=3",
        "previous": "https://paper.example/herons?page=1", "about": "herons | herons",
    }  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{TEXT}</p>",  # no pager
        f"<p></p>{PAGER}",  # no text
        f"<h2><a href=/one>The first story</a></h2><h2><a href=/two>The other story</a></h2><p>{TEXT}</p>{PAGER}",
        f"<a href=/one><h2>The first story</h2></a><a href=/two><h2>The other story</h2></a><p>{TEXT}</p>{PAGER}",
        "".join(f"<li><a href=/{each}>Something of {word}</a>" for each, word in enumerate(TEXT.split()[:9])) + PAGER,
    ],
)
def test_other_pages_are_none(markup: str) -> None:
    page = read(f"<h1>Herons</h1>{markup}", URL)
    said = "\n".join(line for line in page.text.splitlines() if "Next" not in line and line != "Herons")
    assert part_of_article(page, said) is None


def test_headings_that_are_no_part_of_the_text_head_what_is() -> None:
    items = "".join(
        f"<article><h2><a href=/{word}>{word} stories</a></h2><p>{word} {TEXT}</p></article>" for word in "ABC"
    )
    page = read(f"<h1>Herons</h1>{items}{PAGER}", URL)
    assert part_of_article(page, "\n".join(f"{word} {TEXT}" for word in "ABC")) is None


def test_a_heading_that_leads_to_the_article_and_boxes_beside_it_make_no_list() -> None:
    boxes = "<aside><h3><a href=/x>Another story</a></h3><h3><a href=/y>And yet another</a></h3></aside>"
    page = read(f"<h1><a href=/herons?page=2>The herons of the bay</a></h1><p>{TEXT}</p>{PAGER}{boxes}", URL)
    assert part_of_article(page, f"The herons of the bay\n{TEXT}") is not None


def test_pagers_are_taken_out_near_the_ends_of_a_text() -> None:
    paging = read(PAGER, URL).paging
    text = f"# Herons\n\nPage 2 of 3\n\n{TEXT}\n\n## Part 2\n\n[1](/a) 2 [3](/b) [Next](/b)"
    assert without_pager(text, paging, "\n\n") == f"# Herons\n\n{TEXT}\n\n## Part 2"
