"""Articles and their Markdown."""

from __future__ import annotations

import logging
import random
import sys
import time
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions
from dowse.core.model import Request, Response
from dowse.extract.articles import article
from dowse.extract.articles.article import ArticleExtractor
from dowse.extract.extractors import build_extractors
from dowse.extract.markdown.main_markdown import markdown_of, markdown_row
from dowse.parse.page import Page
from tests.unit.extract.pages import FETCHED_AT, URL, page_of

SENTENCE = "The council said on Monday that the old bridge over the river stays closed until the end of the summer. "
NEWS = f"""<!doctype html><html lang=en-GB><head><title>Bridge closed - The Paper</title>
<meta name=author content="Ann Lee"><meta property="og:site_name" content="The Paper">
<meta name=description content="About a bridge."><meta property="article:published_time" content="2024-03-05T10:00:00Z">
</head><body><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>
<article><h1>Bridge closed</h1><p>{SENTENCE}<b>Nobody</b> was <i>hurt</i>, says <a href="/report?x=1">a report</a>,
which calls <code>repair()</code>.</p><h2>Why</h2><p>{SENTENCE * 2}</p>
<ul><li>rust <a href="http://steel.example/">on steel</a></li><li>wood<ul><li>oak</li></ul></li></ul>
<ol><li>inspect<li>repair</ol>
<table><tr><th>Year<th>Cost</tr><tr><td>2023<td>5</tr><tr><td>2024<td>7 | 8</tr></table>
<pre><code class="language-python">def span(x):
    return x * 2

print(span(2))
</code></pre><blockquote><p>It will hold, said the engineer of the town.</p></blockquote><p>{SENTENCE}</p></article>
<footer>Copyright The Paper</footer></body></html>"""


@dataclass
class Blocked:
    """Makes a module impossible to import."""

    name: str

    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] == self.name:
            raise ModuleNotFoundError(name)


def test_an_article() -> None:
    (record,) = ArticleExtractor().extract(page_of(NEWS))
    assert (record.kind, record.key) == ("article", "")
    text = record.fields.pop("text")
    assert record.fields == {
        "title": "Bridge closed",
        "author": "Ann Lee",
        "date": "2024-03-05",
        "description": "About a bridge.",
        "sitename": "The Paper",
        "language": "en-GB",
    }
    assert SENTENCE.strip() in text
    assert "oak" in text
    assert "Sport" not in text
    assert "Copyright" not in text


def test_the_language_is_told_from_the_text_if_the_page_does_not_say() -> None:
    german = "Der Rat der Stadt sagte am Montag, dass die alte Brücke bis zum Ende des Sommers gesperrt bleibt. "
    (record,) = ArticleExtractor().extract(page_of(f"<title>a</title><article><p>{german * 3}</p></article>"))
    assert record.fields["language"] == "de"


def test_no_date_is_later_than_the_day_of_the_visit() -> None:
    html = f"<article><h1>A</h1><time datetime=2031-03-05>soon</time><p>{SENTENCE * 3}</p></article>"
    request = Request(url=URL, key_hash=1, host="example.org")
    later = Response(request, 200, {"content-type": "text/html"}, html.encode(), FETCHED_AT + 6 * 365 * 86_400, 0.0)
    assert "date" not in ArticleExtractor().extract(page_of(html))[0].fields
    assert ArticleExtractor().extract(Page(later))[0].fields["date"] == "2031-03-05"


def test_no_date_is_made_up() -> None:
    html = f"<article><h1>A</h1><p>{SENTENCE * 3}</p></article><footer>Copyright 2019, order ENV-2020-07</footer>"
    assert "date" not in ArticleExtractor().extract(page_of(html))[0].fields


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("", "text/html"),
        ("<html></html>", "text/html"),
        (NEWS, "text/plain"),
        (NEWS, "application/pdf"),
        (b"\x00<!-- \xff\xfe", "text/html"),
        ("<div>" * 100_000, "text/html"),
    ],
)
def test_a_page_without_text_has_no_article(
    body: str | bytes, content_type: str, capfd: pytest.CaptureFixture[str]
) -> None:
    page = page_of(body, content_type)
    assert ArticleExtractor().extract(page) == []
    assert markdown_of(page) == ""
    assert capfd.readouterr() == ("", "")


def test_what_the_library_has_to_say_is_not_written_to_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    ArticleExtractor()
    logging.getLogger("trafilatura.core").warning("discarding data")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("body", "content_type", "word"),
    [
        (
            f"<p>{'Łódź to miasto, w którym jest dużo starych fabryk i parków. ' * 6}",
            "text/html; charset=iso-8859-2",
            "Łódź",
        ),
        (
            f"<p>{'市役所は月曜日に、古い橋は夏の終わりまで閉鎖されると発表した。' * 8}",
            "text/html; charset=shift_jis",
            "市役所",
        ),
        (
            f"<p>{'Совет сообщил, что старый мост закрыт до конца лета. ' * 8}",
            "text/html; charset=windows-1251",
            "Совет",
        ),
    ],
)
def test_other_scripts(body: str, content_type: str, word: str) -> None:
    page = page_of(f"<article>{body}</article>".encode(content_type.partition("=")[2]), content_type)
    (record,) = ArticleExtractor().extract(page)
    assert record.fields["text"].startswith(word)
    assert word in markdown_of(page)
    msgspec.json.encode(record)


@pytest.mark.parametrize(
    "body",
    [
        "<article>" + f"<p>{SENTENCE}</p>" * (article.MOST_ELEMENTS + 10),
        "<article>" + f"<p>{SENTENCE * 40}</p>" * (article.MOST_BYTES // 4_000),
    ],
)
def test_a_page_that_is_too_large_is_read_by_the_parser_and_says_so(body: str) -> None:
    page = page_of(f"<title>Large</title>{body}")
    started = time.process_time()
    (record,) = ArticleExtractor().extract(page)
    assert time.process_time() - started < 10
    assert record.fields["note"].startswith("too large to be read as an article (")
    assert record.fields["title"] == "Large"
    assert record.fields["text"].startswith(SENTENCE.strip())
    assert len(record.fields["text"]) <= article.MOST_TEXT
    assert markdown_of(page).startswith(f"# Large\n\n{SENTENCE.strip()}")


@pytest.mark.parametrize(("blocks", "fast"), [(100, False), (article.MANY_ELEMENTS, True)])
def test_a_page_of_many_blocks_goes_without_the_slow_last_resort(
    blocks: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def bare_extraction(_source: str, **options: Any) -> None:
        asked.append(options["fast"])

    monkeypatch.setattr("trafilatura.bare_extraction", bare_extraction)
    ArticleExtractor().extract(page_of("<div>word</div>" * blocks))
    assert asked == [fast]


def test_what_is_missing_is_told_when_the_job_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [Blocked("trafilatura"), *sys.meta_path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "trafilatura"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(JobError) as caught:
        build_extractors(ExtractOptions(article=True))
    assert str(caught.value) == "article: this needs trafilatura, install it with pip install 'dowse-crawler[article]'"


def test_markdown_does_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [Blocked("trafilatura"), *sys.meta_path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "trafilatura"]:
        monkeypatch.delitem(sys.modules, name)
    article.has_trafilatura.cache_clear()
    try:
        text = markdown_of(page_of(NEWS))
    finally:
        article.has_trafilatura.cache_clear()
    assert text.startswith("# Bridge closed\n")
    assert "Copyright" not in text
    assert "[Home]" not in text


def test_the_markdown_of_a_page() -> None:
    text = markdown_of(page_of(NEWS))
    first = SENTENCE.strip()
    assert (
        text
        == f"""# Bridge closed

{first} **Nobody** was *hurt*, says [a report](http://example.org/report?x=1), which calls `repair()`.

## Why

{first} {first}

- rust [on steel](http://steel.example/)
- wood
  - oak
1. inspect
2. repair

| Year | Cost |
| --- | --- |
| 2023 | 5 |
| 2024 | 7 \\| 8 |

```python
def span(x):
    return x * 2

print(span(2))
```

> It will hold, said the engineer of the town.

{first}"""
    )


def test_markdown_begins_with_the_title() -> None:
    text = markdown_of(page_of(f"<title>Bridge</title><article><p>{SENTENCE * 4}</p></article>"))
    assert text.startswith(f"# Bridge\n\n{SENTENCE.strip()}")


def test_a_row_for_export() -> None:
    row = markdown_row(page_of(NEWS))
    assert list(row) == ["url", "title", "author", "date", "description", "sitename", "language", "text"]
    assert row["url"] == URL
    assert markdown_row(page_of("")) == {"url": URL}


def test_the_page_is_as_it_was() -> None:
    page = page_of(NEWS)
    before = page.tree.html
    markdown_of(page)
    ArticleExtractor().extract(page)
    assert page.tree.html == before


def test_the_language_of_markdown_is_that_of_its_words() -> None:
    address = "https://example.org/das-ist-nicht-die-sprache-der-seite-sondern-nur-eine-adresse-und-keine-woerter/"
    links = "".join(
        f"<p>The bridge is <a href='{address * 3}{number}'>closed until summer</a>.</p>" for number in range(30)
    )
    page = page_of(f"<title>x</title><article>{links}</article>")
    assert address in markdown_of(page)
    assert markdown_row(page)["language"] == "en"


@pytest.mark.parametrize("seed", range(3))
def test_bytes_that_are_no_text_are_no_article(seed: int) -> None:
    assert not ArticleExtractor().extract(page_of(random.Random(seed).randbytes(20_000), "text/html"))


@pytest.mark.parametrize(
    "part",
    [
        "<table>" + "<tr><td rowspan=65534 colspan=1000>a<td>b" * 500 + "</table>",
        "<table>" + "<tr><td rowspan=65534>a<td>b" * 8_000 + "</table>",
        "<table><tr>" + "<td>x" * 100 + "<tr><td>y" * 14_000 + "</table>",
        "<p " + " ".join(f"a{number}" for number in range(100_000)) + ">x</p>",
        "<p>" + "some <a href=/x>link</a> words " * 12_000 + "</p>",
        "<p>" + "a<b>c</b>" * 14_000 + "</p>",
    ],
    ids=["both spans", "rowspan", "one wide row", "attributes", "links in a line", "pieces of a line"],
)
def test_a_page_made_to_keep_the_library_busy_is_read_in_time(part: str) -> None:
    """Each took from ten seconds to minutes. What is around the part is read all the same."""
    page = page_of(f"<title>T</title><article><h1>T</h1>{f'<p>{SENTENCE}</p>' * 5}{part}<p>{SENTENCE} The end.</p>")
    started = time.process_time()
    (record,) = ArticleExtractor().extract(page)
    markdown = markdown_of(page)
    assert time.process_time() - started < 15
    assert record.fields["text"].startswith(("T", SENTENCE.strip()))
    assert SENTENCE.strip() in markdown
    assert len(record.fields["text"]) <= 20 * len(page.response.body)


def test_usual_spans_are_kept() -> None:
    table = "<table><tr><th>Port<th colspan=2>Tides<tr><td rowspan=2>Leith<td>5.6<td>1.2<tr><td>5.4<td>1.3</table>"
    markdown = markdown_of(page_of(f"<title>T</title><article>{f'<p>{SENTENCE}</p>' * 5}{table}"))
    assert "| Port | Tides |  |" in markdown
    assert "|  | 5.4 | 1.3 |" in markdown


@pytest.mark.parametrize("blocks", [1_300, 2_600, 6_000])
def test_a_large_article_keeps_its_text(blocks: int) -> None:
    """Without its slower means the library takes the few paragraphs that say they are the article for all of it."""
    lines = "".join(f"<p>Some words, number {number} of very many. <label>x</label></p>" for number in range(blocks))
    page = page_of(f"<title>T</title><article>{f'<p>{SENTENCE}</p>' * 3}</article><div>{lines}</div>")
    (record,) = ArticleExtractor().extract(page)
    assert f"number {blocks - 1} of very many" in " ".join(record.fields["text"].split())
    assert f"number {blocks - 1} of very many" in " ".join(markdown_of(page).split())
    assert ("note" in record.fields) == (2 * blocks > article.MANY_ELEMENTS)
