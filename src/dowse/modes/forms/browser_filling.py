"""A query as steps in a browser, for forms that only scripts can send.

Such a form has no address to send to, or fields without names, or a script that takes its place. It is filled in on its
own page and its button is pressed. The fixed rule about forms that are never sent is asked once more about the page as
it stands at that moment, for scripts may have changed it. The controls are marked before the page is read, and nothing
is touched but marked controls of the form that was judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dowse.classify.refusals import reason_not_to_submit
from dowse.core.model import Request, Response
from dowse.core.steps import MARK, FormFilling, Step
from dowse.modes.forms.form_fields import find_again, search_box
from dowse.modes.forms.queries import Query
from dowse.modes.forms.sending_button import pressed_to_send
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
    """The steps that ask a query on a page as it stands, if they may be done there."""

    def judged(html: str) -> Form | None:
        request = Request(form.url, 0, "")
        answer = Response(request, 200, {"content-type": "text/html; charset=utf-8"}, html.encode(), 0.0, 0.0)
        found = _again(form, [named(each) for each in find_forms(Page(answer))])
        return found if found is not None and reason_not_to_submit(found) is None else None

    def fill(html: str) -> list[Step] | None:
        found = judged(html)
        return list(_filled(found, query)) if found is not None else None

    def send(html: str) -> list[Step] | None:
        found = judged(html)
        pressed = pressed_to_send(found) if found is not None else None
        return [Step("press", _selector(pressed), "Enter")] if pressed is not None and pressed.mark else None

    return FormFilling(fill, send)


def _again(form: Form, forms: Sequence[Form]) -> Form | None:
    """The same form on the page as it stands. Where its names do not tell it from others, its box has to look the same:
    fields without a name are all alike."""
    same = [other for other in forms if find_again(form, [other]) is not None]
    box = search_box(form)
    if box is not None and (len(same) > 1 or box.name.startswith(_MADE_UP)):
        same = [other for other in same if _look(search_box(other)) == _look(box)]
    return same[0] if same else None


def _look(box: Control | None) -> tuple[str, str, str] | None:
    return (box.kind, box.placeholder, box.label) if box is not None else None


def _filled(form: Form, query: Query) -> Iterator[Step]:
    for name, value in query.values:
        control = next((each for each in form.fields if each.name == name and _has(each, value)), None)
        if control is None or not control.mark:
            continue
        if control.kind in TICKED:
            yield Step("press", _selector(control), "Space")
        else:
            yield Step("select" if control.kind == "select" else "type", _selector(control), value)


def _has(control: Control, value: str) -> bool:
    return control.kind not in TICKED or control.value == value


def _selector(control: Control) -> str:
    """The very control that was judged. A name, a label or a place might be those of another one by now."""
    return f'[{MARK}="{control.mark}"]'
