"""Which control of a form is pressed in a browser to send it.

The fixed rule has judged the whole form. Still it may have buttons that do something else: clear the box, forget what
was searched for, open a camera. So a button is pressed only if it says that it searches, or if it can be nothing but
the one that sends. In doubt Enter is pressed in the box, as a reader does; or nothing, where that would press such a
button.
"""

from __future__ import annotations

import re

from dowse.classify.form_words import said_in
from dowse.modes.forms.form_fields import search_box
from dowse.parse.forms.controls import Control
from dowse.parse.forms.form import Form

_GOES = frozenset({"go", "ok", "los", "submit", "apply", "show", "filter"})
_CLEARS = re.compile(
    r"clear|reset|forget|eras|empt|cancel|clos|hist|saved|recent|l\u00f6sch|zur\u00fcck|effac|r\u00e9init|annul|limpiar|borrar|"
    r"cancell|svuota|wis|rensa|t\u00f8m|wyczy|vymaz|\u043e\u0447\u0438\u0441\u0442|\u0441\u0431\u0440\u043e\u0441|\u6e05|\u30af\u30ea\u30a2",
    re.IGNORECASE,
)
"""What a button says that takes something away, or shows what was looked for before."""


def pressed_to_send(form: Form) -> Control | None:
    """The control on which Enter sends a form; None if none can be trusted with it.

    >>> box, icon = Control("input", "search", "q"), Control("button", "submit")
    >>> pressed_to_send(Form("", controls=(icon, box, Control("button", "submit", "go")))).name
    'go'
    """
    fields = [field for field in form.fields if field.shown and not field.disabled]
    box = search_box(form) or (fields[-1] if fields else None)
    if box is None:
        return None
    at = next(place for place, control in enumerate(form.controls) if control is box)
    after, before = ([*filter(_is_button, part)] for part in (form.controls[at + 1 :], form.controls[:at]))
    for button in (*after, *before):
        if _says_nothing_but_search(button):
            return button
    if after and _may_stand_beside(after[0], is_of_a_form=form.has_element):
        return after[0]
    if form.has_element and form.buttons:  # Enter in the box would press the first of them
        return form.buttons[0] if not _clears(form.buttons[0]) else None
    return box


def _is_button(control: Control) -> bool:
    return control.is_button and control.kind != "reset" and control.shown and not control.disabled


def _says_nothing_but_search(button: Control) -> bool:
    words = said_in(button.label).words
    return bool(words) and all("search" in said_in(word).concepts for word in words) and not _clears(button)


def _may_stand_beside(button: Control, *, is_of_a_form: bool) -> bool:
    """Whether the first button after the box is the one that sends: it has no words, or words of such a button."""
    if _clears(button):
        return False
    said = said_in(button.label)
    return not said.words or "search" in said.concepts or bool(_GOES & {*said.words}) or (is_of_a_form and button.sends)


def _clears(button: Control) -> bool:
    return _CLEARS.search(f"{button.label} {button.name} {button.id} {button.css_class}") is not None
