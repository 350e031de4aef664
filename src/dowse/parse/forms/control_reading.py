"""One element to one control."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from turbohtml import Document, Element

from dowse.core.steps import MARK
from dowse.parse.forms.control_labels import BUTTON_TEXTS, NOWHERE, Labels
from dowse.parse.forms.controls import NO_BUTTON, SUBMITTERS, TICKED, Button, Control, Option
from dowse.parse.forms.form_encoding import MULTIPART, PLAIN, URL_ENCODED
from dowse.parse.forms.input_values import sanitised
from dowse.parse.forms.nearby_text import LONGEST_LABEL, Nearby
from dowse.parse.lazy_properties import lazy
from dowse.parse.links import collapse

MOST_OPTIONS = 2_000
LONGEST_VALUE = 1_000_000
"""View states are long; what is longer than this is cut."""

_INPUT_KINDS = frozenset({
    "hidden", "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local",
    "number", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
})  # fmt: skip
_BUTTON_KINDS = frozenset({"submit", "reset", "button"})
_DIRECTED = frozenset({"hidden", "text", "search", "tel", "url", "email", "password", "textarea"})
_NONE: tuple[tuple[Option, ...], int] = ((), 0)
_METHODS = frozenset({"get", "post", "dialog"})
_ENCTYPES = frozenset({URL_ENCODED, MULTIPART, PLAIN})


def method_of(written: str | None) -> str:
    """The method of a form as the standard reads it.

    >>> method_of("POST"), method_of("put"), method_of(None)
    ('post', 'get', 'get')
    """
    word = (written or "").lower()
    return word if word in _METHODS else "get"


def enctype_of(written: str | None) -> str:
    """The encoding of a form as the standard reads it."""
    word = (written or "").lower()
    return word if word in _ENCTYPES else URL_ENCODED


class ControlReader:
    """Reads the controls of one page."""

    def __init__(self, tree: Document, action: Callable[[str | None], str]) -> None:
        """`action` says which URL the action of a form or button stands for."""
        self._tree = tree
        self._labels = Labels(tree)
        self._action = action

    def read(self, element: Element, nearby: Nearby = NOWHERE) -> Control:
        """What there is to know about a control."""
        attr = element.attr
        kind = kind_of(element)
        options, dropped = self._options(element, kind)
        dirname = attr("dirname") or ""
        limits = (attr("min") or "", attr("max") or "", attr("step") or "")
        return Control(
            tag=element.tag,
            kind=kind,
            name=attr("name") or "",
            value=_value(element, kind, limits),
            labels=self._labels.of(element, kind, nearby),
            options=options,
            checked=attr("checked") is not None,
            disabled=_is_disabled(element),
            readonly=attr("readonly") is not None,
            required=attr("required") is not None or attr("aria-required") == "true",
            multiple=attr("multiple") is not None,
            shown=kind != "hidden" and is_shown(element),
            group=self._labels.group_of(element) if kind != "hidden" else "",
            id=attr("id") or "",
            css_class=collapse(attr("class") or "", LONGEST_LABEL),
            placeholder=collapse(attr("placeholder") or "", LONGEST_LABEL),
            autocomplete=collapse(attr("autocomplete") or "", LONGEST_LABEL).lower(),
            pattern=(attr("pattern") or "")[:LONGEST_LABEL],
            limits=limits,
            longest=_number(attr("maxlength")),
            dirname=dirname if kind in _DIRECTED else "",
            direction=_direction(element, kind) if dirname else "ltr",
            options_dropped=dropped,
            button=self._button(element) if kind in SUBMITTERS else NO_BUTTON,
            mark=attr(MARK) or "",
        )

    def _button(self, element: Element) -> Button:
        attr = element.attr
        action, method, enctype = attr("formaction"), attr("formmethod"), attr("formenctype")
        return Button(
            None if action is None else self._action(action),
            "" if method is None else method_of(method),
            "" if enctype is None else enctype_of(enctype),
        )

    def _options(self, element: Element, kind: str) -> tuple[tuple[Option, ...], int]:
        """The choices of a control, and how many there are beyond them."""
        if kind == "select":
            return _choices(element)
        name = element.attr("list")
        return self._suggestions.get(name, _NONE) if name else _NONE

    @lazy
    def _suggestions(self) -> dict[str, tuple[tuple[Option, ...], int]]:
        """Lists of suggestions by id; thousands of controls can share one."""
        found: dict[str, tuple[tuple[Option, ...], int]] = {}
        for suggestions in reversed(self._tree.select("datalist[id]")):
            options = suggestions.find_all("option")
            kept = tuple(map(_option, options[:MOST_OPTIONS]))
            found[suggestions.attr("id") or ""] = kept, len(options) - len(kept)
        return found


def _choices(select: Element) -> tuple[tuple[Option, ...], int]:
    """The options of a select. One that is selected is always kept."""
    options = list(map(_option, select.find_all("option")))
    chosen = _selected(options, select)
    places = [*range(min(len(options), MOST_OPTIONS)), *sorted(at for at in chosen if at >= MOST_OPTIONS)]
    found = tuple(replace(options[at], selected=at in chosen) for at in places)
    return found, len(options) - len(found)


def kind_of(element: Element) -> str:
    """The kind of a control; an input of an unknown type is a text field."""
    if element.tag not in ("input", "button"):
        return element.tag
    word = (element.attr("type") or "").lower()
    if element.tag == "button":
        return word if word in _BUTTON_KINDS else "submit"
    return word if word in _INPUT_KINDS else "text"


def is_shown(element: Element) -> bool:
    """Whether neither the element nor what it stands in is hidden by its own tag."""
    node: object = element
    while isinstance(node, Element):
        style = node.attr("style")
        if node.attr("hidden") is not None or (style and _hides(style)):
            return False
        node = node.parent
    return True


def _hides(style: str) -> bool:
    packed = "".join(style[:1000].lower().split())
    return "display:none" in packed or "visibility:hidden" in packed


def _value(element: Element, kind: str, limits: tuple[str, str, str]) -> str:
    """What a control holds before anybody touches it."""
    if kind == "select":
        return ""
    if kind == "textarea":
        return sanitised(kind, element.text)[:LONGEST_VALUE]
    value = element.attr("value")
    if kind in TICKED:
        return "on" if value is None else value
    if kind == "file":
        return ""
    if value is None:
        value = BUTTON_TEXTS.get(kind, "") if element.tag == "input" else ""
    return sanitised(kind, value[:LONGEST_VALUE], multiple=element.attr("multiple") is not None, limits=limits)


def _option(element: Element) -> Option:
    value, label = element.attr("value"), element.attr("label")
    text = " ".join(element.text[:LONGEST_VALUE].split())
    around = element.parent
    group = around if isinstance(around, Element) and around.tag == "optgroup" else None
    return Option(
        value=text if value is None else value,
        label=collapse(label or text, LONGEST_LABEL),
        selected=element.attr("selected") is not None,
        disabled=element.attr("disabled") is not None or (group is not None and group.attr("disabled") is not None),
        group=collapse(group.attr("label") or "", LONGEST_LABEL) if group is not None else "",
    )


def _selected(options: list[Option], element: Element) -> set[int]:
    """The places of the options that are selected when nobody has chosen."""
    marked = [place for place, option in enumerate(options) if option.selected]
    if element.attr("multiple") is not None:
        return set(marked)
    if not marked and (_number(element.attr("size")) or 1) <= 1:
        marked = [place for place, option in enumerate(options) if not option.disabled][:1]
    return set(marked[-1:])


def _is_disabled(element: Element) -> bool:
    """By itself or by a set of fields around it, whose first legend is spared."""
    if element.attr("disabled") is not None:
        return True
    inner: Element = element
    node = element.parent
    while isinstance(node, Element):
        if node.tag == "fieldset" and node.attr("disabled") is not None:
            legends = (child for child in node.children if isinstance(child, Element) and child.tag == "legend")
            if inner is not next(legends, None):
                return True
        inner, node = node, node.parent
    return False


def _direction(element: Element, kind: str) -> str:
    node: object = element
    while isinstance(node, Element):
        word = (node.attr("dir") or "").lower()
        if word in ("ltr", "rtl", "auto"):
            return word
        if kind == "tel":
            break  # a telephone number is written from left to right in every language
        node = node.parent
    return "ltr"


def _number(written: str | None) -> int | None:
    digits = (written or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
