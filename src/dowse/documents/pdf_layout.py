"""Lines of a PDF file as paragraphs and headings.

A PDF file knows letters and their places, nothing else. So:

    body text     the height that most letters have
    heading       a short paragraph that the outline of the file names, at its level there; if the file has no outline,
                  one in larger letters, the largest being the first level
    paragraph     lines of one height with no gap between them
    left out      lines at the top and bottom of pages that come again on other pages, but for their numbers
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dowse.documents.growing_html import Markup

LARGER = 1.15
"""How much taller the letters of headings are than those of the text."""

_GAP = 0.6
"""White space above a line, in heights of it, that begins a paragraph."""
_LONGEST_HEADING = 200
_FEWEST_LETTERS = 3
_LEVELS = 3
_DEEPEST = 6
_EDGE = 2
"""Lines at each end of a page that may be running titles."""
_LEAST_REPEATED = 3
_REPEATED_ON = 0.2
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBERED = re.compile(r"^(?:(?:chapter|section|appendix)\s+)?(?:\d+|[a-z])(?:\.\d+)*\.?\s+", re.IGNORECASE)
_BULLET = re.compile(r"[\u2022\u25cf\u25aa\u25e6\u2023\u2043\u2013]\s+(?=\S)")
_LEADERS = re.compile(r"\s?\.(?:\s?\.){3,}\s?")
"""The dots between an entry of a table of contents and its page."""
_HYPHENS = ("\ufffe", "\x02", "\u00ad")


class Linked(NamedTuple):
    """A part of a line that leads somewhere."""

    text: str
    href: str


class Line(NamedTuple):
    """A line of text: where it is, how tall its letters are, and its links."""

    text: str
    top: float
    bottom: float
    height: float
    links: Sequence[Linked] = ()


class Paragraph(NamedTuple):
    """Lines that belong together."""

    lines: list[Line]

    @property
    def height(self) -> int:
        return round(self.lines[0].height)

    @property
    def text(self) -> str:
        return " ".join(line.text.strip() for line in self.lines)

    @property
    def length(self) -> int:
        return sum(len(line.text) for line in self.lines)

    @property
    def may_be_heading(self) -> bool:
        if self.length > _LONGEST_HEADING:
            return False
        text = self.text
        return sum(map(str.isalpha, text)) >= _FEWEST_LETTERS and not _LEADERS.search(text)


def write_pages(pages: Sequence[Sequence[Line]], outline: Mapping[str, int], markup: Markup) -> str:
    """Write all pages; the answer is the first text in the largest letters, "" if all letters are alike.

    `outline` has the levels of headings, the first being 0, by what `plain` makes of their words.
    """
    running = _running_titles(pages)
    paragraphs = [found for page in pages for found in _paragraphs(_without(page, running))]
    heights = _levels(paragraphs)
    title = ""
    for paragraph in paragraphs:
        level = 0
        if paragraph.may_be_heading:
            level = heights.get(paragraph.height, 0)
            is_title = level == 1 and not title
            title = paragraph.text if is_title else title
            if outline and not is_title:
                level = min(outline.get(plain(paragraph.text), -2) + 2, _DEEPEST)
        _write(paragraph.lines, level, markup)
    return title


def plain(heading: str) -> str:
    """The words of a heading without its number and without spaces, of which outlines have others.

    >>> plain("2.5 Priorities of packages")
    'prioritiesofpackages'
    """
    return "".join(_NUMBERED.sub("", heading.strip()).lower().split())


def _running_titles(pages: Sequence[Sequence[Line]]) -> set[str]:
    seen = Counter(name for page in pages for name in {_masked(line.text) for line in _edges(page)})
    least = max(_LEAST_REPEATED, _REPEATED_ON * len(pages))
    return {name for name, number in seen.items() if number >= least}


def _edges(page: Sequence[Line]) -> list[Line]:
    return [*page[:_EDGE], *page[max(_EDGE, len(page) - _EDGE) :]]


def _without(page: Sequence[Line], running: set[str]) -> list[Line]:
    left_out = {id(line) for line in _edges(page) if _masked(line.text) in running}
    return [line for line in page if id(line) not in left_out]


def _masked(text: str) -> str:
    return _NUMBER.sub("#", text.strip())


def _paragraphs(lines: Sequence[Line]) -> Iterator[Paragraph]:
    held: list[Line] = []
    for line in lines:
        if held and _begins(line, held[-1]):
            yield Paragraph(held)
            held = []
        held.append(line)
    if held:
        yield Paragraph(held)


def _begins(line: Line, before: Line) -> bool:
    """Whether a line begins a paragraph: other letters, a gap, the next column, a bullet, or an entry of contents."""
    if not 1 / LARGER < line.height / before.height < LARGER or _BULLET.match(line.text):
        return True
    is_apart = before.bottom - line.top > _GAP * line.height or line.bottom > before.top
    return is_apart or _LEADERS.search(before.text) is not None


def _levels(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    """The levels of headings by the height of their letters."""
    letters: Counter[int] = Counter()
    for paragraph in paragraphs:
        letters[paragraph.height] += paragraph.length
    if not letters:
        return {}
    body = letters.most_common(1)[0][0]
    heights = {paragraph.height for paragraph in paragraphs if paragraph.may_be_heading}
    larger = sorted((height for height in heights if height > LARGER * body), reverse=True)
    return {height: min(level, _LEVELS) for level, height in enumerate(larger, 1)}


def _write(lines: Sequence[Line], level: int, markup: Markup) -> None:
    bullet = _BULLET.match(lines[0].text)
    if bullet and not level:
        lines = [lines[0]._replace(text=lines[0].text[bullet.end() :]), *lines[1:]]
    markup.begin(f"h{level}" if level else "li" if bullet else "p")
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()
        _write_line(text.rstrip("".join(_HYPHENS)), line.links, markup)
        if number < len(lines) and not text.endswith(_HYPHENS):  # or the word goes on in the next line
            markup.text(" ")
    markup.end()


def _write_line(text: str, links: Sequence[Linked], markup: Markup) -> None:
    """A line with its links in it; those whose words are not found stand behind it."""
    lost = []
    for linked in links:
        at = text.find(linked.text) if linked.text else -1
        if at < 0:
            lost.append(linked)
            continue
        markup.text(text[:at])
        _write_link(linked, markup)
        text = text[at + len(linked.text) :]
    markup.text(_LEADERS.sub(" ", text))
    for linked in lost:
        markup.text(" ")
        _write_link(linked, markup)


def _write_link(linked: Linked, markup: Markup) -> None:
    markup.link(linked.href)
    markup.text(linked.text or linked.href)
    markup.end_link()
