"""Selectors: XPath, CSS and regular expressions of the user, checked before the crawl and run on every page.

    //h1  (//p)[1]  .//b  xpath:count(//a)      XPath 1.0
    css:a.next  css:a.next@href                 CSS; @ takes an attribute of what is found
    re:"sku":"(\\w+)"                            the source of the page; the first group if there is one

Every selector gives its matches in the order of the page: elements, or texts where it asks for an attribute, text(),
a number or a part of the source.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Protocol

import regex
import turbohtml
from turbohtml import Comment, Document, Element, SelectorSyntaxError

from dowse.extract.selecting.selector_errors import GaveUp, Mistake
from dowse.extract.selecting.xpath import FAULTS, Expression, compile_xpath
from dowse.extract.selecting.xpath_as_css import as_css
from dowse.parse.page import Page

Match = Element | str

# The pattern is the user's and the page a stranger's: one that backtracks must not stop the crawl.
REGEX_SECONDS = 1.0

_ATTRIBUTE = regex.compile(r"(?<!\\)@(?P<name>[^\s@\"'\[\]()\\]+)$")
_OF_SCRAPY = regex.compile(r"::(?:attr|text)\b")
_COMPLAINT = regex.compile(r'invalid CSS selector ".*": (?P<problem>.*) at position (?P<position>\d+)', regex.DOTALL)
_LIKE_CSS = regex.compile(r"\.[A-Za-z_-]")
_PROBE = turbohtml.parse(b"", encoding="utf-8", positions=False)


class Selector(Protocol):
    """Finds something in pages. A relative one may be asked for what is within an element."""

    relative: bool
    gives_elements: bool
    gives_source: bool
    """Whether matches are texts with entities still in them."""

    def matches(self, page: Page, within: Element | None = None) -> Iterator[Match]:
        """Raises GaveUp where the rest would take too long to find."""
        ...


class XPathSelector:
    """An XPath expression."""

    gives_source = False

    def __init__(self, expression: Expression, relative: bool) -> None:
        self.relative = relative
        self.gives_elements = expression.gives_elements
        self._expression = expression

    def matches(self, page: Page, within: Element | None = None) -> Iterator[Match]:
        if not page.is_html:
            return
        try:
            result = self._expression.run(page.tree, within)
        except FAULTS as error:  # of what only a page can show, such as a pattern that is a text of the page
            raise GaveUp(f"the XPath fails on this page: {str(error).removeprefix('xpath: ')}") from None
        if not isinstance(result, list):
            yield _written(result)
            return
        for found in result:
            if isinstance(found, Document):
                if found.root is not None:
                    yield found.root
            elif isinstance(found, Comment):
                yield found.data
            elif isinstance(found, Element | str):
                yield found


class CssSelector:
    """A CSS selector, and the attribute to take of what it finds; "" for the elements themselves."""

    relative = False
    gives_source = False

    def __init__(self, css: str, attribute: str = "") -> None:
        self.gives_elements = not attribute
        self._css = css
        self._attribute = attribute

    def matches(self, page: Page, within: Element | None = None) -> Iterator[Match]:
        if not page.is_html:
            return
        name = self._attribute
        for element in self._elements(page.tree if within is None else within):
            if not name:
                yield element
            elif (value := element.attr(name)) is not None:
                yield value

    def _elements(self, node: Document | Element) -> Iterator[Element]:
        # Who wants the first match only does not wait for the others to be found.
        first = node.select_one(self._css)
        if first is not None:
            yield first
            yield from islice(node.select(self._css), 1, None)


class RegexSelector:
    """A regular expression on the source of the page."""

    relative = False
    gives_elements = False
    gives_source = True

    def __init__(self, pattern: regex.Pattern[str]) -> None:
        self._pattern = pattern
        self._group = 1 if pattern.groups else 0

    def matches(self, page: Page, within: Element | None = None) -> Iterator[Match]:
        try:
            for found in self._pattern.finditer(page.source, timeout=REGEX_SECONDS):
                if found[self._group] is not None:
                    yield found[self._group]
        except TimeoutError:
            raise GaveUp(f"the regular expression took longer than {REGEX_SECONDS:g} s") from None


def parse_selector(text: str) -> Selector:
    """The selector that a user wrote, or the `Mistake` in it."""
    if text.startswith(("/", "(", ".")):
        return _located(_xpath, text, 0)
    kind, colon, rest = text.partition(":")
    if not colon or kind not in _KINDS:
        raise Mistake("expected //XPATH, xpath:XPATH, css:SELECTOR or re:REGEX", 0)
    if not rest.strip():
        raise Mistake(f"nothing follows {kind}:", len(text))
    return _located(_KINDS[kind], rest, len(kind) + 1)


def _located(parse: Callable[[str], Selector], text: str, start: int) -> Selector:
    try:
        return parse(text)
    except Mistake as mistake:
        raise Mistake(mistake.problem, start + mistake.position) from None


def _xpath(text: str) -> Selector:
    try:
        expression = compile_xpath(text)
    except Mistake as mistake:
        hint = "; a CSS selector is written css:" + text if _LIKE_CSS.match(text) else ""
        raise Mistake(f"not an XPath: {mistake.problem}{hint}", mistake.position) from None
    shortcut = as_css(text)
    return CssSelector(*shortcut) if shortcut else XPathSelector(expression, relative=text.startswith("."))


def _css(text: str) -> Selector:
    attribute = _ATTRIBUTE.search(text)
    css = text[: attribute.start()] if attribute else text
    foreign = _OF_SCRAPY.search(css)
    if foreign:
        raise Mistake("not CSS: an attribute is written a.next@href, and text is taken anyway", foreign.start())
    try:
        _PROBE.select(css)
    except SelectorSyntaxError as error:
        complaint = _COMPLAINT.fullmatch(str(error))
        problem, position = (complaint["problem"], int(complaint["position"])) if complaint else (str(error), 0)
        if problem == "unknown pseudo-class":  # told where its name ends
            position = css.rfind(":", 0, position)
        raise Mistake(f"not CSS: {problem}", position) from None
    return CssSelector(css, attribute["name"].lower() if attribute else "")


def _regex(text: str) -> Selector:
    try:
        return RegexSelector(regex.compile(text))
    except regex.error as error:
        raise Mistake(f"not a regular expression: {error.msg}", error.pos or 0) from None


def _written(result: float | bool | str) -> str:
    """A number, truth or text as XPath itself would write it."""
    if isinstance(result, bool):
        return str(result).lower()
    if isinstance(result, str):
        return result
    if not math.isfinite(result):
        return ""
    return str(int(result)) if result.is_integer() else repr(result)


_KINDS: Mapping[str, Callable[[str], Selector]] = {"xpath": _xpath, "css": _css, "re": _regex}
