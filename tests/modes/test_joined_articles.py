"""Articles of several pages against a real server: one record and one text each, and lists stay pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dowse
from tests.crawling import crawl, path_of, paths
from tests.servers import Reply, Request, Site

LAST = 3
TEXTS = {
    1: ["Herons stand in the shallow water of the estuary before the sun is up, and hardly anybody sees them there.",
        "Most of the birds that the wardens count in these weeks have come from the north, over the open sea."],
    2: ["In spring the colony in the old oak wood is loud, for forty pairs build their nests there at the same time.",
        "The wardens climb no trees any more; they count from the other bank, with a telescope and much patience."],
    3: ["What becomes of the young birds is known since some of them carry rings that can be read from afar.",
        "Two of them were seen in Portugal, and one came back after five years to the tree in which it was hatched."],
}  # fmt: skip
INTRO = "For a year our reporter went along with the people who count the birds of the bay every morning."


def numbers(path: str, number: int, last: int = LAST) -> str:
    shown = [f"<b>{n}</b>" if n == number else f"<a href='{path}?page={n}'>{n}</a>" for n in range(1, last + 1)]
    on = f" <a rel=next href='{path}?page={number + 1}'>Next page</a>" if number < last else ""
    return f"<p class=pager>Page {' '.join(shown)}{on}</p>"


def next_only(path: str, number: int, last: int = LAST) -> str:
    on = f"<a class=next href='{path}?page={number + 1}'>Next page</a>" if number < last else ""
    before = f"{path}?page={number - 1}" if number > 2 else path
    back = f"<a class=prev href='{before}'>Previous page</a> " if number > 1 else ""
    return f"<p class=pager>{back}{on}</p>"


def story(pager: Callable[[str, int], str], path: str, number: int) -> str:
    text = "".join(f"<p>{each}</p>" for each in TEXTS[number])
    return (
        f"<html lang=en><head><title>The herons of the bay{f' - page {number}' if number > 1 else ''}</title>"
        "<meta property='og:type' content='article'><meta name=author content='Ann Lee'></head><body>"
        "<nav><a href=/>Home</a> <a href=/about>About this paper</a></nav>"
        f"<article><h1>The herons of the bay</h1><p>{INTRO}</p>{text}{pager(path, number)}</article>"
        "<footer>The Bay Paper, all rights reserved</footer></body></html>"
    )


def page_of(request: Request) -> int:
    return int(request.query.get("page", "1"))


def served(site: Site, pager: Callable[[str, int], str] = numbers) -> str:
    site.pages["/story"] = lambda request: story(pager, "/story", page_of(request))
    return f"{site.url}story"


def expected() -> str:
    return "\n".join(["The herons of the bay", INTRO, *TEXTS[1], *TEXTS[2], *TEXTS[3]])


def articles(found: dowse.Crawl) -> list[dict[str, Any]]:
    return [row for row in found.records_of("article") if row["text"]]


@pytest.mark.parametrize("pager", [numbers, next_only])
def test_the_pages_of_an_article_are_one_record(site: Site, tmp_path: Path, pager: Callable[[str, int], str]) -> None:
    found = crawl(tmp_path, served(site, pager), paging=True, depth=0, article=True)
    (row,) = articles(found)
    assert row["text"].removeprefix("The herons of the bay\n") == expected().removeprefix("The herons of the bay\n")
    assert (path_of(row["url"]), row["title"], row["author"]) == ("/story", "The herons of the bay", "Ann Lee")
    assert [path_of(url) for url in row["pages"]] == ["/story", "/story?page=2", "/story?page=3"]
    assert not row.get("note")
    assert sorted(paths(found)) == ["/story", "/story?page=2", "/story?page=3"]
    assert len(found.records_of("article_page")) == LAST


def test_a_page_of_an_article_that_is_missing_is_noted(site: Site, tmp_path: Path) -> None:
    url = served(site)
    site.pages["/story"] = lambda request: (
        Reply(status=404) if page_of(request) == 2 else story(numbers, "/story", page_of(request))
    )
    (row,) = articles(crawl(tmp_path, url, paging=True, depth=0, article=True))
    assert row["note"] == "page 2 of 3 is missing"
    assert TEXTS[1][1] in row["text"]
    assert TEXTS[3][0] in row["text"]


def test_a_crawl_that_goes_on_joins_anew(site: Site, tmp_path: Path) -> None:
    url = served(site)
    found = crawl(tmp_path, url, paging=True, depth=0, article=True, max_pages=2)
    assert "note" in articles(found)[0]
    found = dowse.resume(found.directory, max_pages=0)
    (row,) = articles(found)
    assert TEXTS[3][1] in row["text"]
    assert not row.get("note")
    again = dowse.recrawl(found.directory)
    assert [row["text"] for row in articles(again)] == [row["text"]]
    if "change" in again.reader.connection.tables():
        assert again.reader.connection.execute("SELECT * FROM change WHERE what = 'record'").fetchall() == []


def test_articles_of_stored_pages_are_joined(site: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path, served(site), paging=True, depth=0)
    extraction = found.extract(article=True)
    assert (extraction.pages, extraction.records) == (3, 1)
    assert TEXTS[3][1] in articles(found)[0]["text"]


def test_markdown_of_an_article_is_one_text(site: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "crawl", served(site), paging=True, depth=0)
    assert found.export("markdown", tmp_path / "pages.jsonl") == 1
    row = json.loads((tmp_path / "pages.jsonl").read_text())
    blocks = ["# The herons of the bay", INTRO, *TEXTS[1], *TEXTS[2], *TEXTS[3]]
    assert row["markdown"].split("\n\n") == blocks
    assert len(row["pages"]) == LAST
    found.export("markdown", tmp_path / "folder", to="folder")
    (file,) = (tmp_path / "folder").rglob("*.md")
    assert file.name == "story.md"
    assert f'pages: ["{site.url}story", ' in file.read_text()
    assert TEXTS[2][0] not in found.page("/story").markdown  # a page is still a page


def test_without_the_option_pages_are_apart(site: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "crawl", served(site), article=True)
    assert len(articles(found)) == LAST
    assert len(found.records_of("article_page")) == 0
    assert found.export("markdown", tmp_path / "pages.jsonl") == LAST


def blog(request: Request) -> str:
    """The index of a blog: the beginnings of posts, each with a heading that leads to it."""
    number = page_of(request)
    posts = "".join(
        f"<article><h2><a href=/post/{number}-{at}>What was seen on walk {number}.{at} along the bay</a></h2>"
        f"<p>{text}</p><p><a href=/post/{number}-{at}>Read more</a></p></article>"
        for at, text in enumerate(TEXTS[number])
    )
    return f"<title>Walks</title><h1>Walks along the bay</h1>{posts}{numbers('/blog', number)}"


def links(request: Request) -> str:
    """A list without headings."""
    number = page_of(request)
    items = "".join(
        f"<li><a href=/post/{number}-{at}-{each}>{text.split(',')[0]} ({each})</a>"
        for at, text in enumerate(TEXTS[number])
        for each in range(4)
    )
    return f"<title>Walks</title><h1>Walks along the bay</h1><p>{INTRO}</p><ul>{items}</ul>{numbers('/blog', number)}"


def posts(request: Request) -> str:
    """Posts that lead to the next one, which is another text."""
    number = page_of(request)
    text = "".join(f"<p>{each}</p>" for each in TEXTS[number])
    title = ["At the bay", "In the wood", "Over the sea"][number - 1]
    return f"<title>{title}</title><article><h1>{title}</h1>{text}{next_only('/blog', number)}</article>"


@pytest.mark.parametrize("answer", [blog, links, posts])
def test_lists_and_other_texts_are_not_joined(site: Site, tmp_path: Path, answer: Callable[[Request], str]) -> None:
    site.pages["/blog"] = answer
    found = crawl(tmp_path / "crawl", f"{site.url}blog", paging=True, depth=0, article=True)
    assert len(paths(found)) == LAST
    assert not any(row.get("pages") for row in articles(found))
    assert len(articles(found)) == (0 if answer is links else LAST)
    assert found.export("markdown", tmp_path / "pages.jsonl") == LAST
