"""The states of one page: what each showed that was new, the document as it stood, and the acts that lead there.

A page is read as one document. What its other states showed besides is put at the end of that, for everyone who reads
links and text:

    <section hidden data-state="click .next; click .next"><a href="/item/7">Item 7</a><p>A line of its text.</p>...

and fields are taken from each state as it stood (rendered_pages.py). A state whose links and lines are all in a later
one needs no document of its own: a list that grew is its last state.
"""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from dowse.core.phrasing import run_text
from dowse.core.rendered_pages import State, StateDocument

_MOST_LINKS = 5_000
_MOST_TEXT = 1_000_000
_MOST_DOCUMENTS = 100
_MOST_CHARACTERS = 20_000_000


class Kept(NamedTuple):
    """A document as it stood, and what it showed."""

    path: tuple[str, ...]
    html: str
    links: frozenset[str]
    lines: frozenset[str]

    def is_in(self, links: frozenset[str], lines: frozenset[str]) -> bool:
        """Whether all of it is still shown."""
        return self.links <= links and self.lines <= lines


class States:
    """What was seen so far on one page."""

    def __init__(self) -> None:
        self.found: list[State] = []
        self.first: Kept | None = None
        self._links: dict[str, str] = {}
        self._lines: set[str] = set()
        self._text = 0
        self._parts: list[tuple[tuple[str, ...], dict[str, str], list[str]]] = []
        self._kept: list[Kept] = []
        self._pressed: set[str] = set()

    def take(self, path: tuple[str, ...], seen: dict[str, Any]) -> bool:
        """Take in a state; whether it shows anything new."""
        links = {href.partition("#")[0]: text for href, text in seen["links"]}
        links = {href: text for href, text in links.items() if href not in self._links}
        lines = [line for line in dict.fromkeys(seen["lines"]) if line not in self._lines]
        if len(self._links) > _MOST_LINKS or self._text > _MOST_TEXT or not (links or lines):
            return False
        self._links |= links
        self._lines.update(lines)
        self._text += sum(map(len, lines))
        self._parts.append((path, links, lines))
        if path:
            self.found.append(State(path, tuple(links)))
        return True

    def press(self, label: str) -> None:
        """The words of what is clicked on do not count: a button goes when it has done its work."""
        self._pressed.update(line.strip() for line in label.splitlines())

    def begin(self, seen: dict[str, Any], html: str) -> None:
        """Keep the document that the page is to be read as, unless a state has all of it and more."""
        self.first = self._made((), seen, html)

    def keep(self, path: tuple[str, ...], seen: dict[str, Any], html: str) -> bool:
        """Keep the document of a state; whether the one before it had grown into this."""
        fresh = self._made(path, seen, html)
        grown = [kept for kept in self._kept if self._is_in(kept, fresh)]
        is_first = self.first is not None and self._is_in(self.first, fresh)
        self._kept = [kept for kept in self._kept if kept not in grown]
        if is_first:
            self.first = fresh
        elif len(self._kept) < _MOST_DOCUMENTS and sum(len(kept.html) for kept in self._kept) < _MOST_CHARACTERS:
            self._kept.append(fresh)
        return bool(grown) or is_first

    def documents(self, last: dict[str, Any] | None) -> tuple[StateDocument, ...]:
        """The states to be read beside the page; `last` is what that shows, unless it is the first of them."""
        shown = self._made((), last, "") if last is not None else self.first
        kept = self._kept if shown is None else [each for each in self._kept if not self._is_in(each, shown)]
        return tuple(StateDocument(run_text(each.path, "; "), each.html) for each in kept)

    def html(self, last: dict[str, Any] | None) -> str:
        """What no longer stands on the page, for its end; `last` as above."""
        shown = self._made((), last, "") if last is not None else self.first
        hrefs, lines = (shown.links, shown.lines) if shown is not None else (frozenset[str](), frozenset[str]())
        return "".join(
            _section(
                path,
                {href: text for href, text in links.items() if href not in hrefs},
                [line for line in shown_lines if line not in lines],
            )
            for path, links, shown_lines in self._parts
        )

    def _made(self, path: tuple[str, ...], seen: dict[str, Any], html: str) -> Kept:
        links = frozenset(href.partition("#")[0] for href, _ in seen["links"])
        return Kept(path, html, links, frozenset(seen["lines"]))

    def _is_in(self, one: Kept, other: Kept) -> bool:
        return one.is_in(other.links, other.lines | self._pressed)


def _section(path: tuple[str, ...], links: dict[str, str], lines: list[str]) -> str:
    if not links and not lines:
        return ""
    anchors = "".join(f'<a href="{escape(href)}">{escape(text)}</a> ' for href, text in links.items())
    text = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<section hidden data-state="{escape(run_text(path, "; "))}">{anchors}{text}</section>'
