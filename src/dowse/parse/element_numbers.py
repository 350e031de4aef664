"""The elements of a page by number, so that somebody who looks at a copy of the page can say which one is meant.

A copy carries the numbers in an attribute. Those of a page that was fetched are counted in the order of the page. A
page that a browser sends along has the numbers of its elements already, because a browser may have built another tree.
"""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element

from dowse.parse.page import Page

NUMBER = "data-dowse"
"""The attribute that holds a number."""


class ElementNumbers:
    """The numbers of a page's elements. If it `is_stamped`, the page has them in its tags."""

    def __init__(self, page: Page, *, is_stamped: bool = False) -> None:
        elements = page.tree.select("*")
        numbers = map(_stamped, elements) if is_stamped else range(len(elements))
        self._numbers = {element: number for element, number in zip(elements, numbers, strict=True) if number >= 0}
        self._elements = {number: element for element, number in reversed(self._numbers.items())}

    def element(self, number: int) -> Element | None:
        """The element with a number; None if there is none."""
        return self._elements.get(number)

    def of(self, elements: Iterable[Element | None]) -> list[int]:
        """The numbers of some elements, each once and in the order of the page."""
        found = {self._numbers[each] for each in elements if each is not None and each in self._numbers}
        return sorted(found)


def _stamped(element: Element) -> int:
    value = element.attr(NUMBER) or ""
    return int(value) if value.isdecimal() and value.isascii() and len(value) < 10 else -1
