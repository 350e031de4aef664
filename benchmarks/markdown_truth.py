"""What is in the Markdown of a page, beside what is in its content: counted by other parsers than the product's.

The content of a page is an element that is known for the program that made the manual (MANUALS). The Markdown is read
by a CommonMark parser, and both are looked at with lxml.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urldefrag, urljoin

import lxml.html
from markdown_it import MarkdownIt

_WORD = re.compile(r"\w+")
_MARKS = "¶#§"
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_UNSEEN = frozenset(["script", "style", "noscript", "template", "button", "select", "textarea", "input", "iframe"])


class Manual(NamedTuple):
    """A manual of Debian: its packages, its pages, where their content is and what of that is not (XPath)."""

    packages: tuple[str, ...]
    folder: str
    content: str
    without: str = ""


MANUALS = {
    # The rules were chosen while looking at these.
    "postgresql": Manual(
        ("postgresql-doc-15", "postgresql-doc-17"), "usr/share/doc/postgresql-doc-*/html", "//body",
        "//div[@class='navheader' or @class='navfooter']",
    ),
    "krb5": Manual(("krb5-doc",), "usr/share/doc/krb5-doc", "//div[@class='body']"),
    "cpp": Manual(
        ("cppreference-doc-en-html",), "usr/share/cppreference/doc/html/en", "//div[@id='content']",
        "//*[contains(@class,'t-navbar') or contains(@class,'editsection') or contains(@class,'printfooter')]",
    ),
    # What these showed then changed how names of parts are read: boxes in the text, and ids made of headings.
    "django": Manual(("python-django-doc",), "usr/share/doc/python-django-doc/html", "//div[@id='yui-main']"),
    "debian-handbook": Manual(
        ("debian-handbook",), "usr/share/doc/debian-handbook/html/en-US", "//body",
        "//ul[contains(@class,'docnav')] | //*[@id='banner']",
    ),
    "git": Manual(("git-doc",), "usr/share/doc/git-doc", "//body", "//div[@id='footer']"),
    "java": Manual(("openjdk-17-doc",), "usr/share/doc/openjdk-17-doc/api/java.base/java", "//main"),
    "sqlite": Manual(("sqlite3-doc",), "usr/share/doc/sqlite3", "//body", "//div[@class='nosearch'][1] | //a[h2]"),
    "erlang": Manual(
        ("erlang-doc",), "usr/share/doc/erlang-doc/doc", "//div[@id='content']", "//div[@class='footer']",
    ),
    "linux": Manual(("linux-doc-6.1", "linux-doc-6.12"), "usr/share/doc/linux-doc-*/html", "//div[@role='main']"),
    # No rule was changed for these. The first run on apache ended in an error, which was mended.
    "python": Manual(
        ("python3.11-doc", "python3.13-doc"), "usr/share/doc/python3.*/html", "//div[@class='body']",
    ),
    "apache": Manual(
        ("apache2-doc",), "usr/share/doc/apache2-doc/manual/en", "//div[@id='page-content']",
        "//*[@class='toplang']",
    ),
    "maxima": Manual(("maxima-doc",), "usr/share/doc/maxima-doc/html", "//body", "//div[@class='header']"),
}  # fmt: skip
CHOSEN_ON = ("postgresql", "krb5", "cpp")
SEEN = ("django", "debian-handbook", "git", "java", "sqlite", "erlang", "linux")


class Parts(NamedTuple):
    """What a reader finds."""

    words: Counter[str]
    headings: Counter[tuple[str, str]]
    links: Counter[tuple[str, str]]
    code: Counter[str]
    tables: Counter[str]


class Score(NamedTuple):
    """How many there are in the content, and how many of those are in the Markdown; words that are not content."""

    words: int = 0
    words_kept: int = 0
    written: int = 0
    foreign: int = 0
    headings: int = 0
    headings_kept: int = 0
    links: int = 0
    links_kept: int = 0
    links_written: int = 0
    links_wrong: int = 0
    code: int = 0
    code_kept: int = 0
    tables: int = 0
    tables_kept: int = 0

    def plus(self, other: Score) -> Score:
        return Score(*map(sum, zip(self, other, strict=True)))


def content_of(manual: Manual, html: bytes, url: str) -> Parts | None:
    """The parts of a page's content; None if the page has none."""
    tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))
    found = tree.xpath(manual.content)
    if not found:
        return None
    content = found[0]
    for element in content.xpath(manual.without) if manual.without else ():
        element.drop_tree()
    return parts_of(content, url)


def page_links(html: bytes, url: str) -> set[tuple[str, str]]:
    """All links of a page, wherever they are."""
    tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))
    return set(parts_of(tree, url).links)


def read(markdown: str, url: str) -> Parts:
    html = READER.render(markdown)
    return parts_of(lxml.html.document_fromstring(f"<body>{html}</body>"), url)


def parts_of(tree: Any, url: str) -> Parts:
    for element in list(tree.iter()):
        if element.getparent() is not None and (not isinstance(element.tag, str) or is_unseen(element)):
            element.drop_tree()
    bases = tree.getroottree().xpath("//base/@href")
    base = urljoin(url, bases[0]) if bases else url
    headings: Counter[tuple[str, str]] = Counter()
    for element in tree.iter("h1", "h2", "h3", "h4", "h5", "h6"):
        if text := plain(element):
            headings[element.tag, text] += 1
    links: Counter[tuple[str, str]] = Counter()
    for element in tree.iter("a"):
        if any(True for _ in element.iterancestors("pre")):
            continue  # in code blocks Markdown has no links
        text, href = " ".join(_WORD.findall(unquote(spaced(element)))), element.get("href")
        if text and href and not href.startswith(("javascript:", "data:")):
            links[text, normal_url(urljoin(base, href.strip()))] += 1
    blocks = [element for element in tree.iter("pre") if not any(True for _ in element.iterancestors("td", "th"))]
    code = Counter(" ".join(_WORD.findall(element.text_content())) for element in blocks)
    tables = Counter(rows for element in tree.iter("table") if (rows := rows_of(element)))
    return Parts(Counter(_WORD.findall(spaced(tree).lower())), headings, links, +code, tables)


def is_unseen(element: Any) -> bool:
    style = (element.get("style") or "").replace(" ", "")
    return element.tag in _UNSEEN or "display:none" in style or element.get("hidden") is not None


def rows_of(table: Any) -> str:
    """A table as one text, a line for each row; "" for one that arranges things, or has one cell."""
    if (
        any(True for _ in table.iter("h1", "h2", "h3", "h4", "h5", "h6", "hr", "form"))
        or len(list(table.iter("table"))) > 1
    ):
        return ""
    rows = []
    for row in table.iter("tr"):
        cells = [" ".join(_WORD.findall(spaced(cell))) for cell in row if cell.tag in ("td", "th")]
        rows.append("|".join(cell for cell in cells if cell))
    cells = sum(1 for _ in table.iter("td", "th"))
    return "\n".join(row for row in rows if row) if cells > 1 else ""


def plain(element: Any) -> str:
    return " ".join(_WORD.findall(spaced(element)))


def normal_url(url: str) -> str:
    """Spellings of the same address are one."""
    bare, fragment = urldefrag(url)
    return quote(unquote(bare), safe=":/?&=") + ("#" + unquote(fragment) if fragment else "")


def spaced(tree: Any) -> str:
    """The text; blocks and cells are apart, what is in a line is not."""
    return "".join(_pieces(tree))


_INLINE = frozenset(
    (
        *("a", "abbr", "acronym", "b", "bdi", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd"),
        *("mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"),
    )
)


def _pieces(element: Any) -> Iterator[str]:
    if not isinstance(element.tag, str):
        return
    gap = "" if element.tag in _INLINE else " "
    yield gap
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""
    yield gap


def score(truth: Parts, found: Parts, all_links: set[tuple[str, str]]) -> Score:
    return Score(
        words=truth.words.total(),
        words_kept=(truth.words & found.words).total(),
        written=found.words.total(),
        foreign=(found.words - truth.words).total(),
        headings=truth.headings.total(),
        headings_kept=(truth.headings & found.headings).total(),
        links=truth.links.total(),
        links_kept=(truth.links & found.links).total(),
        links_written=found.links.total(),
        links_wrong=sum(number for link, number in found.links.items() if link not in all_links),
        code=truth.code.total(),
        code_kept=(truth.code & found.code).total(),
        tables=truth.tables.total(),
        tables_kept=(truth.tables & found.tables).total(),
    )
