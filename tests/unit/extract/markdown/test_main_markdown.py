"""Markdown of a page by itself: which part of it is content, and what Markdown has for what is in it."""

from __future__ import annotations

import pytest

from dowse.extract.markdown.main_markdown import markdown_of, markdown_row
from dowse.extract.site_blocks import SiteBlocks
from dowse.parse.page import Page
from tests.unit.extract.pages import URL, page_of

SENTENCE = "The valve is closed by hand before the pump is started, and opened again when it runs at its full speed. "
MENU = "".join(f"<li><a href='/part/{number}'>Part {number}</a></li>" for number in range(20))


def manual(content: str, head: str = "") -> Page:
    """A page of a manual whose parts have no names."""
    return page_of(
        f"<title>Pumps</title>{head}<div><ul>{MENU}</ul></div><div>{content}</div><div><p>Made in 2024</p></div>"
    )


def test_headings_keep_their_levels() -> None:
    text = markdown_of(manual(f"<h1>Pumps</h1><p>{SENTENCE}</p><h2>Valves</h2><p>{SENTENCE}</p><h4>Small</h4>"))
    assert text.startswith("# Pumps\n")
    assert "\n## Valves\n" in text
    assert "\n#### Small" in text
    assert "Part 3" not in text


def test_a_title_is_not_said_twice() -> None:
    page = page_of(f"<title>2. Pumps</title><main><h2>2.\xa0Pumps</h2><p>{SENTENCE}</p><h2>Valves</h2></main>")
    assert markdown_of(page).startswith(f"# 2. Pumps\n\n{SENTENCE.strip()}\n\n## Valves")


def test_links_are_those_of_the_page() -> None:
    page = page_of(f"<base href='/b/c/'><h1>A</h1><p>{SENTENCE}<a href='../x.html#y'>x</a> <a href='#z'>z</a></p>")
    text = markdown_of(page)
    assert "[x](http://example.org/b/x.html#y)" in text
    assert "[z](http://example.org/b/c/#z)" in text


def test_inline_code_stays_in_its_line_and_blocks_have_their_language() -> None:
    code = (
        '<div class="highlight-python"><div class="highlight"><pre><span class="nav">x</span> = 1\ny</pre></div></div>'
    )
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}Call <code>run()</code> or <tt>stop()</tt>.</p>{code}"))
    assert "Call `run()` or `stop()`." in text
    assert "```python\nx = 1\ny\n```" in text


def test_code_that_is_a_link_is_a_link() -> None:
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}<code>a.<a href='/run'>run</a>()</code></p>"))
    assert "`a.`[`run`](http://example.org/run)`()`" in text


def test_definitions_stay_with_their_terms() -> None:
    terms = "<dl><dt>bore<dt>width<dd><p>Across.</p><pre>1\n2</pre><dt>stroke<dd>Along.</dl>"
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}</p>{terms}"))
    assert "- bore  \n  width\n\n  Across.\n\n  ```\n  1\n  2\n  ```\n\n- stroke\n\n  Along." in text


@pytest.mark.parametrize(
    ("rows", "written"),
    [
        ("<tr><th>A<th>B<tr><td>1|2<td><code>a|b</code>", "| A | B |\n| --- | --- |\n| 1\\|2 | `a\\|b` |"),
        ("<tr><th>A<th>B<tr><td>1<td><ul><li>x<li>y</ul>", "| 1 | * x * y |"),
        ("<tr><th>A<th>B<tr><td>1<td><pre>x\ny</pre>", "| 1 | `x` `y` |"),
        ("<tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5", "| A |  | B |\n| --- | --- | --- |"),
        ("<tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5", "| 1 | 2 | 3 |\n|  | 4 | 5 |"),
        ("<tr><td><h2>Left</h2><td><table><tr><th>C<th>D<tr><td>1<td>2</table>", "## Left\n\n| C | D |"),
    ],
)
def test_tables_are_tables(rows: str, written: str) -> None:
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}</p><table>{rows}</table><p>{SENTENCE}</p>"))
    assert written in text
    assert "<t" not in text


def test_line_numbers_of_code_are_no_code() -> None:
    table = "<table><tr><td class=linenos><pre>1\n2</pre><td><pre class='language-c'>a;\nb;</pre></table>"
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}</p>{table}"))
    assert "```c\na;\nb;\n```" in text
    assert "1\n2" not in text


def test_marks_beside_headings_go() -> None:
    text = markdown_of(manual(f"<h1>A<a href='#a'>¶</a></h1><p>{SENTENCE}</p><h2>B<a href='#b'></a></h2>"))
    assert "# A\n" in text
    assert "\n## B\n" in text


def test_pictures_have_their_words() -> None:
    text = markdown_of(manual(f"<h1>A</h1><p>{SENTENCE}<img src=p.png alt='A pump'></p>"))
    assert "![A pump](http://example.org/shop/p.png)" in text


@pytest.mark.parametrize(
    "part",
    ["<nav><p>{}</p></nav>", "<footer><p>{}</p></footer>", "<div role=navigation>{}</div>", "<div id=footer>{}</div>",
     "<div class='site-nav'>{}</div>", "<ul class=breadcrumbs><li>{}</ul>", "<div class=postShareButtons>{}</div>",
     "<div><a href=/1>one {}</a> <a href=/2>two</a></div>"],
)  # fmt: skip
def test_parts_for_something_else_go(part: str) -> None:
    page = page_of(f"<body>{part.format('elsewhere')}<div><h1>A</h1><p>{SENTENCE}</p><h2>B</h2><p>{SENTENCE}</p></div>")
    assert "elsewhere" not in markdown_of(page)
    assert "## B" in markdown_of(page)


@pytest.mark.parametrize(
    "part",
    [
        "<div class=sidebar><h3>Note</h3><p>kept words</p></div>",
        "<section id=search><h2>1.2 Search¶</h2><p>kept words</p></section>",
        "<section id=related-popup-windows><h2>Windows</h2><p>kept words</p></section>",
        "<pre><span class=comments>kept words</span></pre>",
        "<nav><a href='#x'>kept words</a></nav>",
        "<ul><li><a href=/x>kept words</a><li><a href=/y>more</a></ul>",
    ],
)
def test_parts_of_the_content_stay_whatever_they_are_called(part: str) -> None:
    page = page_of(f"<div><h1>A</h1><p>{SENTENCE}</p>{part}<h2>B</h2><p>{SENTENCE}</p></div>")
    assert "kept words" in markdown_of(page)


def test_what_is_marked_as_the_content_is_it_however_little_that_is() -> None:
    links = "<li><a href=/a>The first chapter of it</a><li><a href=/b>The second chapter of it</a>"
    page = page_of(
        f"<div class=grid-for-nav><div><p>{SENTENCE * 9}</p></div><div role=main><ul>{links}</ul></div></div>"
    )
    text = markdown_of(page)
    assert "[The second chapter of it](http://example.org/b)" in text
    assert "valve" not in text


def test_the_way_to_the_next_page_goes() -> None:
    head = "<link rel=prev href=a.html><link rel=next href=c.html>"
    ways = "<div>B <a href=a.html>Back</a> and <a href=c.html>forth</a> or stay where you are and read on here</div>"
    text = markdown_of(page_of(f"<head>{head}</head>{ways}<div><h1>B</h1><p>{SENTENCE}</p></div>{ways}"))
    assert "stay where you are" not in text


def test_what_all_pages_of_a_site_say_goes() -> None:
    def page(number: int) -> Page:
        own = f"<div><h1>Pump {number}</h1><p>{SENTENCE} Its number is {number}.</p><h2>Synopsis</h2><p>Same.</p></div>"
        return page_of(f"<div><p>The works at the river have made pumps since 1921.</p></div>{own}")

    site = SiteBlocks()
    for number in range(8):
        site.learn(page(number))
    assert "since 1921" in markdown_of(page(3))
    assert "since 1921" not in markdown_of(page(3), site)
    assert "## Synopsis\n\nSame." in markdown_of(page(3), site)


def test_a_page_without_a_heading_has_its_title() -> None:
    assert markdown_of(manual(f"<h2>Valves</h2><p>{SENTENCE}</p>")).startswith("# Pumps\n\n## Valves")


def test_what_is_known_of_a_page() -> None:
    row = markdown_row(manual(f"<h1>A</h1><p>{SENTENCE}</p>", "<meta name=dcterms.date content='2024-03-05'>"))
    assert (row["url"], row["title"], row["date"]) == (URL, "Pumps", "2024-03-05")


def test_an_article_is_without_what_is_around_it() -> None:
    head = '<meta property="og:type" content="article">'
    more = (
        "<div><h3>Read on</h3><p>Twelve pumps that you will not believe, and what they cost you and others.</p></div>"
    )
    text = markdown_of(
        page_of(
            f"<head><title>Pumps</title>{head}</head><div><h1>Pumps</h1>{f'<p>{SENTENCE}</p>' * 6}"
            f"<h2>Why <code>x</code></h2><p>{SENTENCE}<a href=/r>report</a></p><pre>a\nb</pre><p>{SENTENCE}</p></div>"
            f"<div>{more}</div>"
        )
    )
    assert "Twelve pumps" not in text
    assert "## Why `x`" in text
    assert "```\na\nb\n```" in text
    assert "[report](http://example.org/r)" in text


def test_what_stands_loose_behind_an_article_goes_too() -> None:
    head = '<meta property="og:type" content="article">'
    loose = "<div><div class=dot></div><span>Loading more stories</span></div>"
    text = markdown_of(
        page_of(f"<head><title>T</title>{head}</head><div><h1>Pumps</h1>{f'<p>{SENTENCE}</p>' * 6}{loose}</div>")
    )
    assert text.count("The valve") == 6
    assert "Loading more" not in text


def test_marks_where_words_may_be_broken_are_not_in_the_words() -> None:
    assert "Donaudampfschiff" in manual(f"<h1>A</h1><p>{SENTENCE} Donau\xaddampf&shy;schiff</p>").markdown


def test_python_has_it_as_a_property() -> None:
    assert manual(f"<h1>A</h1><p>{SENTENCE}</p>").markdown.startswith("# A\n")
