"""The states a page is taken through: what each shows that none before it did, and the acts that lead there.

The document is read once, at the end. What a state showed and a later one does not show any more (a page of a list
that was turned, a tab that was left) is put at the end of it, so that it is read as if the page had had it:

    <section hidden data-state="click .next; click .next"><a href="/item/7">Item 7</a><p>A line of its text.</p>...
"""

from __future__ import annotations

from html import escape
from typing import Any

from dowse.core.rendered import State

_MOST_LINKS = 5_000
_MOST_TEXT = 1_000_000


class States:
    """What was seen so far on one page."""

    def __init__(self) -> None:
        self.found: list[State] = []
        self._links: dict[str, str] = {}
        self._lines: set[str] = set()
        self._text = 0
        self._parts: list[tuple[tuple[str, ...], dict[str, str], list[str]]] = []

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

    def html(self, last: dict[str, Any]) -> str:
        """What no longer stands on the page, for its end; `last` is what the page shows now."""
        hrefs, lines = {href.partition("#")[0] for href, _ in last["links"]}, set(last["lines"])
        return "".join(
            _section(
                path,
                {href: text for href, text in links.items() if href not in hrefs},
                [line for line in shown if line not in lines],
            )
            for path, links, shown in self._parts
        )


def _section(path: tuple[str, ...], links: dict[str, str], lines: list[str]) -> str:
    if not links and not lines:
        return ""
    anchors = "".join(f'<a href="{escape(href)}">{escape(text)}</a> ' for href, text in links.items())
    text = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<section hidden data-state="{escape("; ".join(path))}">{anchors}{text}</section>'
