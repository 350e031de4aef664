"""Reads a page of HTML strictly: every element is closed where it must be, and what could run or load is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

SAFE = frozenset({
    "html", "head", "meta", "title", "style", "body", "header", "main", "section", "nav", "footer", "h1", "h2", "h3",
    "p", "div", "span", "a", "dl", "dt", "dd", "ul", "li", "table", "thead", "tbody", "tr", "th", "td",
    "svg", "g", "rect", "line", "polyline", "path", "circle", "text",
})  # fmt: skip
"""The elements a report is made of; none of them runs or loads anything without the attributes refused below."""
VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})
Attributes = dict[str, str]


class StrictParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, Attributes]] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(set(names)) == len(names), f"an attribute of {tag} comes twice: {names}"
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} is closed and was never opened"
        assert self.open.pop() == tag, f"{tag} is closed in the wrong place"

    def handle_data(self, text: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", text))


@dataclass
class HtmlPage:
    """What stands on a page."""

    source: str
    elements: list[tuple[str, Attributes]] = field(default_factory=list)
    text: str = ""
    titles: list[str] = field(default_factory=list)

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def links(self) -> list[str]:
        """The addresses on other machines that the reader may follow."""
        return [link["href"] for link in self.all("a") if not link["href"].startswith("#")]

    @property
    def chapters(self) -> list[str]:
        return [section["id"] for section in self.all("section")]


def read_page(source: str) -> HtmlPage:
    """The page, after checking that it is well formed."""
    parser = StrictParser()
    parser.feed(source)
    parser.close()
    assert not parser.open, f"never closed: {parser.open}"
    text = " ".join(" ".join(text for tag, text in parser.texts if tag != "style").split())
    return HtmlPage(source, parser.elements, text, [text for tag, text in parser.texts if tag == "h2"])


def check_inert(page: HtmlPage) -> None:
    """Nothing on the page runs or loads, and links tell their targets nothing."""
    assert {tag for tag, _ in page.elements} <= SAFE
    for tag, attributes in page.elements:
        for name in attributes:
            assert not name.startswith("on"), f"{tag} has {name}"
            assert name not in {"src", "srcset", "style", "data", "action", "xlink:href", "background", "ping"}
            assert name != "href" or tag == "a"
    for attributes in page.all("a"):
        if not attributes["href"].startswith("#"):
            assert attributes["href"].startswith(("http://", "https://"))
            assert {"noopener", "noreferrer"} <= set(attributes["rel"].split())
    [policy] = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    [style] = page.source.partition("<style>")[2].split("</style>")[:-1]
    assert "url(" not in style
    assert "@import" not in style
