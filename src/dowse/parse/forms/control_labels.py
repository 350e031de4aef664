"""What each control is called, by all means of a page: the rules of accessibility first, then where text stands."""

from __future__ import annotations

from collections.abc import Iterator

from turbohtml import Document, Element

from dowse.parse.forms.controls import BUTTONS, TICKED, Label
from dowse.parse.forms.nearby_text import LONGEST_LABEL, Nearby, text_within
from dowse.parse.lazy_properties import lazy
from dowse.parse.links import collapse

MOST_REFERENCES = 5
_PLACES = ("before", "row", "column", "above", "after")
_TICKED_PLACES = ("after", "before", "row", "column", "above")
NOWHERE = Nearby()
BUTTON_TEXTS = {"submit": "Submit", "reset": "Reset"}
"""What browsers write on a button that says nothing."""


class Labels:
    """The labels of the controls of one page."""

    def __init__(self, tree: Document) -> None:
        self._tree = tree
        # One label or set of fields can be around thousands of controls, and is read once.
        self._texts: dict[Element, str] = {}
        self._groups: dict[Element, str] = {}

    def of(self, control: Element, kind: str, nearby: Nearby = NOWHERE) -> tuple[Label, ...]:
        """All of them, the best first. The same text is not told twice."""
        found: dict[str, Label] = {}
        for source, text in self._found(control, kind, nearby):
            words = collapse(text, LONGEST_LABEL)
            if words:
                found.setdefault(words, Label(source, words))
        return tuple(found.values())

    def group_of(self, control: Element) -> str:
        """The legend of the set of fields that a control is in, or the label of its group."""
        around = control.closest("fieldset, [role=group], [role=radiogroup]")
        if around is None:
            return ""
        if around not in self._groups:
            self._groups[around] = _group_text(around)
        return self._groups[around]

    def _text(self, element: Element) -> str:
        if element not in self._texts:
            self._texts[element] = text_within(element, LONGEST_LABEL)
        return self._texts[element]

    def _found(self, control: Element, kind: str, nearby: Nearby) -> Iterator[tuple[str, str]]:
        attr = control.attr
        if references := attr("aria-labelledby"):
            named = (self._by_id.get(name) for name in references.split()[:MOST_REFERENCES])
            yield "labelledby", " ".join(self._text(each) for each in named if each is not None)
        yield "aria", attr("aria-label") or ""
        for label in self._elements(control):
            yield "label", self._text(label)
        if kind in BUTTONS:
            yield from _of_button(control, kind)
        yield "title", attr("title") or ""
        yield "placeholder", attr("placeholder") or ""
        if kind not in BUTTONS and kind != "hidden":
            places = _TICKED_PLACES if kind in TICKED else _PLACES
            yield from ((place, getattr(nearby, place)) for place in places)

    def _elements(self, control: Element) -> list[Element]:
        """The label elements of a control."""
        named = self._labels_for.get(control.attr("id") or "", [])
        around = control.closest("label")
        if around is not None and around.attr("for") is None:
            return [*named, around]
        return named

    @lazy
    def _labels_for(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for label in self._tree.select("label[for]"):
            labels = found.setdefault(label.attr("for") or "", [])
            if len(labels) < MOST_REFERENCES:
                labels.append(label)
        found.pop("", None)
        return found

    @lazy
    def _by_id(self) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in self._tree.select("[id]"):
            found.setdefault(element.attr("id") or "", element)
        return found


def _group_text(around: Element) -> str:
    legend = next((child for child in around.children if isinstance(child, Element) and child.tag == "legend"), None)
    if legend is None:
        return collapse(around.attr("aria-label") or "", LONGEST_LABEL)
    return text_within(legend, LONGEST_LABEL)


def _of_button(control: Element, kind: str) -> Iterator[tuple[str, str]]:
    if control.tag == "button":
        yield "button", control.text[: 10 * LONGEST_LABEL]
        images = (image.attr("alt") or "" for image in control.find_all("img")[:MOST_REFERENCES])
        yield "alt", " ".join(images)
        return
    yield "alt", (control.attr("alt") or "") if kind == "image" else ""
    value = control.attr("value")
    yield "button", BUTTON_TEXTS.get(kind, "") if value is None else value
