"""The forms of a page. A page without `<form` and `<input` costs a look at its bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from turbohtml import Document, Element

from dowse.core.urls import Base
from dowse.parse.decode import Attribute
from dowse.parse.forms.control_labels import NOWHERE
from dowse.parse.forms.control_reading import ControlReader, enctype_of, kind_of, method_of
from dowse.parse.forms.controls import BUTTONS
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_encoding import charset_of_form
from dowse.parse.forms.form_owners import CONTROLS, Owners, own_controls, own_forms, owners_by_tags, owners_in
from dowse.parse.forms.nearby_text import LONGEST_LABEL, nearby_texts, text_within
from dowse.parse.lazy_properties import lazy
from dowse.parse.links import collapse
from dowse.parse.page import Page

MOST_FORMS = 200
MOST_CONTROLS = 2_000
MOST_ON_A_PAGE = 10_000
"""Controls of one form, and of one page, beyond these are counted and not read."""
MOST_LINKS = 20
LONGEST_TEXT = 2_000

_FIRST_BYTES = 200
_LOWER = 0x20
_HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption")
_HEADINGS = ", ".join(_HEADING_TAGS)


class _Group(NamedTuple):
    """The controls of one form, and the element that they stand in."""

    form: Element | None
    container: Element
    controls: list[Element]


def has_forms(page: Page) -> bool:
    """Whether a page can have forms at all, by its bytes. Of UTF-16 and the like they do not tell.

    A third of the time that two searches in a copy in lower case take.
    """
    body = page.response.body
    if not page.is_html or len(body) < len("<form"):
        return False
    if b"\0" in body[:_FIRST_BYTES]:
        return True
    letters = np.frombuffer(body, np.uint8)
    tags = np.flatnonzero(letters[:-3] == ord("<"))
    first = letters[1:][tags] | _LOWER
    tags = tags[(first == ord("f")) | (first == ord("i"))]
    beginnings = {body[tag + 1 : tag + 4].lower() for tag in tags.tolist()}
    return b"for" in beginnings or b"inp" in beginnings


def find_forms(page: Page) -> list[Form]:
    """The forms of a page in their order, at most `MOST_FORMS`; then fields without a form, by their buttons.

    >>> html = b"<form action=/find>Title <input name=t></form>"
    >>> request = Request("https://example.org/", 1, "example.org")
    >>> page = Page(Response(request, 200, {"content-type": "text/html"}, html, fetched_at=0.0, elapsed=0.1))
    >>> [(form.action, form.controls[0].label) for form in find_forms(page)]
    [('https://example.org/find', 'Title')]
    """
    if not has_forms(page):
        return []
    tree = page.tree
    controls = own_controls(tree)
    owners = owners_in(tree, controls)
    if tree.find("form") and any(owner is None and each.attr("form") is None for each, owner in owners.items()):
        tree, owners = owners_by_tags(page.source)
    dropped = max(0, len(owners) - MOST_ON_A_PAGE)
    groups = _groups(tree, dict(islice(owners.items(), MOST_ON_A_PAGE)))
    reader = _FormReader(page, tree, dropped)
    return [reader.read(group, place) for place, group in enumerate(groups)]


def _groups(tree: Document, owners: Owners) -> list[_Group]:
    owned: dict[Element, list[Element]] = {form: [] for form in own_forms(tree)}
    loose: list[Element] = []
    for control, owner in owners.items():
        if owner is None:
            loose.append(control)
        else:
            owned.setdefault(owner, []).append(control)
    groups = [_Group(form, _container(form, controls), controls) for form, controls in owned.items()]
    return (groups + _loose_groups(loose))[:MOST_FORMS]


def _container(form: Element, controls: Sequence[Element]) -> Element:
    """The form, or where its tags lie around nothing, the smallest element that has it and all of its controls."""
    around = form
    inside = [control for control in controls if control.attr("form") is None]
    for control in (inside[0], inside[-1]) if inside else ():
        while not _is_within(control, around) and isinstance(around.parent, Element):
            around = around.parent
    return around


def _is_within(control: Element, around: Element) -> bool:
    return any(node is around for node in control.ancestors)


def _loose_groups(loose: Sequence[Element]) -> list[_Group]:
    """Fields without a form: each goes with the nearest button, by the smallest element that has both."""
    fields = [control for control in loose if kind_of(control) not in BUTTONS]
    if not any(kind_of(field) != "hidden" for field in fields):
        return []
    with_button: set[Element] = set()
    for control in loose:
        if kind_of(control) in BUTTONS:
            with_button.update(_elements_around(control, with_button))
    grouped: dict[Element, list[Element]] = {}
    for field in fields:
        chain = list(_elements_around(field, ()))
        nearest = next((node for node in chain if node in with_button), chain[-1])
        grouped.setdefault(nearest, []).append(field)
    for control in loose:
        if kind_of(control) in BUTTONS:
            nearest_group = next((node for node in _elements_around(control, ()) if node in grouped), None)
            if nearest_group is not None:
                grouped[nearest_group].append(control)
    order = {control: place for place, control in enumerate(loose)}
    return [_Group(None, node, sorted(members, key=order.__getitem__)) for node, members in grouped.items()]


def _elements_around(control: Element, known: set[Element] | tuple[()]) -> Iterator[Element]:
    node = control.parent
    while isinstance(node, Element) and node not in known:
        yield node
        node = node.parent


def _nothing(_name: str) -> None:
    return None


class _FormReader:
    def __init__(self, page: Page, tree: Document, dropped: int) -> None:
        """`dropped` controls of the page are not read; any form may have lost some of its own."""
        self._page = page
        self._tree = tree
        self._dropped = dropped
        self._reader = ControlReader(tree, self._action)

    def read(self, group: _Group, place: int) -> Form:
        form, container, elements = group
        kept = elements[:MOST_CONTROLS]
        nearby = nearby_texts(container, kept)
        elsewhere = [each for each in kept if each not in nearby]  # they name their form by the attribute `form`
        if elsewhere and self._tree.root is not None:
            nearby |= nearby_texts(self._tree.root, elsewhere)
        attr: Attribute = form.attr if form is not None else _nothing
        return Form(
            url=self._page.url,
            action=self._action(attr("action")) if form is not None else "",
            method=method_of(attr("method")),
            enctype=enctype_of(attr("enctype")),
            charset=charset_of_form(attr("accept-charset"), self._page.charset),
            controls=tuple(self._reader.read(each, nearby.get(each, NOWHERE)) for each in kept),
            name=collapse(attr("name") or "", LONGEST_LABEL),
            id=collapse(attr("id") or "", LONGEST_LABEL),
            css_class=collapse(attr("class") or "", LONGEST_LABEL),
            role=collapse(attr("role") or "", LONGEST_LABEL).lower(),
            label=collapse(attr("aria-label") or attr("title") or "", LONGEST_LABEL),
            text=text_within(container, LONGEST_TEXT),
            heading=self._heading(container, elements),
            links=tuple(text_within(link, LONGEST_LABEL) for link in container.find_all("a")[:MOST_LINKS]),
            place=place,
            has_element=form is not None,
            controls_dropped=len(elements) - len(kept) + self._dropped,
            language=self._page.language,
        )

    def _action(self, written: str | None) -> str:
        """Where a form is sent. An empty action is the page itself, whatever its base is."""
        href = (written or "").strip()
        return (self._page.base.join(href) if href else Base(self._page.url).join("")) or ""

    def _heading(self, container: Element, controls: Sequence[Element]) -> str:
        """The first heading of a form, else the last one before it."""
        heading = container.select_one(_HEADINGS)
        if heading is None:
            heading = next((before for each in (container, *controls[:1]) if (before := self._before.get(each))), None)
        return text_within(heading, LONGEST_LABEL) if heading is not None else ""

    @lazy
    def _before(self) -> dict[Element, Element]:
        """The last heading before each form and each control."""
        found: dict[Element, Element] = {}
        last: Element | None = None
        for element in self._tree.select(f"{_HEADINGS}, form, {', '.join(CONTROLS)}"):
            if element.tag in _HEADING_TAGS:
                last = element
            elif last is not None:
                found[element] = last
        return found
