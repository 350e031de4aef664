"""A query as steps in a browser, for forms that only scripts can send.

Such a form has no address to send to, or fields without names, or a script that takes its place. It is filled in on its
own page and its button is pressed. The fixed rule about forms that are never sent is asked once more about the page as
it stands at that moment, for scripts may have changed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dowse.classify.refusals import reason_not_to_submit
from dowse.core.model import Request, Response
from dowse.core.steps import FormFilling, Step
from dowse.modes.forms.form_fields import find_again, search_box
from dowse.modes.forms.queries import Query
from dowse.parse.forms.controls import TICKED, Control
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_finding import find_forms
from dowse.parse.page import Page

_MADE_UP = "field "


def named(form: Form) -> Form:
    """The form with a name for each field, by which its values are told apart; its own fields have theirs."""
    if all(control.name for control in form.fields):
        return form
    controls = [
        control if control.name or control.is_button else replace(control, name=f"{_MADE_UP}{place}")
        for place, control in enumerate(form.controls)
    ]
    return replace(form, controls=tuple(controls))


def needs_browser(form: Form) -> bool:
    """Whether HTTP cannot send it: nobody but a script knows where it goes, or what is typed has no name."""
    box = search_box(form)
    return not form.action or (box is not None and box.name.startswith(_MADE_UP))


def filling(form: Form, query: Query) -> FormFilling:
    """The steps that ask a query, and whether they may be done on a page as it stands."""

    def allows(html: str) -> bool:
        request = Request(form.url, 0, "")
        answer = Response(request, 200, {"content-type": "text/html; charset=utf-8"}, html.encode(), 0.0, 0.0)
        found = find_again(form, [named(each) for each in find_forms(Page(answer))])
        return found is not None and reason_not_to_submit(found) is None

    return FormFilling(tuple(_filled(form, query)), _sent(form), allows)


def _filled(form: Form, query: Query) -> Iterator[Step]:
    for name, value in query.values:
        control = next((each for each in form.fields if each.name == name and _has(each, value)), None)
        if control is not None:
            selector = _selector(form, control)
            if control.kind in TICKED:
                yield Step("press", f'{selector}[value="{_quoted(value)}"]', "Space")
            else:
                yield Step("select" if control.kind == "select" else "type", selector, value)


def _sent(form: Form) -> Step:
    """Enter on the button, or in the box where there is none. A click would need a browser that paints its pages."""
    buttons = form.buttons or [control for control in form.controls if control.kind == "button"]
    pressed = buttons[0] if buttons else search_box(form)
    return Step("press", _selector(form, pressed) if pressed is not None else "button", "Enter")


def _has(control: Control, value: str) -> bool:
    return control.kind not in TICKED or control.value == value


def _scope(form: Form) -> str:
    return f":nth-match(form, {form.place + 1}) " if form.has_element else ""


def _selector(form: Form, control: Control) -> str:
    """Where a control is: by its id or name, else by its place among those of its kind."""
    if control.id:
        return f'{control.tag}[id="{_quoted(control.id)}"]'
    if control.name and not control.name.startswith(_MADE_UP):
        return f'{_scope(form)}{control.tag}[name="{_quoted(control.name)}"]'
    if control.placeholder:
        return f'{_scope(form)}{control.tag}[placeholder="{_quoted(control.placeholder)}"]'
    if control.is_button and control.tag == "button" and control.label:
        return f'{_scope(form)}button:has-text("{_quoted(control.label)}")'
    kind = f'[type="{control.kind}"]' if control.tag == "input" and control.kind != "text" else ""
    return f"{_scope(form)}{control.tag}{kind}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
