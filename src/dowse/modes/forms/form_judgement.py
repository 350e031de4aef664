"""What a form is for, and whether it may be sent."""

from __future__ import annotations

from dowse.classify.form_judge import Judgement, shipped_judge
from dowse.classify.refusals import reason_not_to_submit
from dowse.modes.forms.form_fields import can_be_asked, is_called_search, search_box
from dowse.modes.forms.messages import FoundForm
from dowse.parse.forms.form import Form

NO_FIELD = "it has no field that can be asked"

PERSONAL = frozenset({
    "full name", "first name", "last name", "middle name", "username", "username or email", "email",
    "email confirmation", "phone", "fax", "address", "organization name", "about me text", "comment text",
    "comment title or subject", "answer to security question", "OpenID", "captcha", "honeypot",
})  # fmt: skip
"""Types of fields that are no search boxes, unless a word says so."""


def judged(form: Form) -> FoundForm | None:
    """The form with its type; None if there is nothing in it to fill in."""
    if not form.fields:
        return None
    judgement = shipped_judge().judge(form)
    refusal = reason_not_to_submit(form) or _no_search(form, judgement)
    searchable = 0.0 if refusal == NO_FIELD else round(judgement.searchable, 3)
    fields = {name: field.type for name, field in judgement.fields.items()}
    return FoundForm(form, judgement.type, searchable, refusal, fields)


def _no_search(form: Form, judgement: Judgement) -> str:
    """Why nothing can be looked for by a form that may be sent; "" if something can."""
    box = search_box(form)
    if box is None:
        return "" if can_be_asked(form) else NO_FIELD
    field = judgement.fields.get(box.name)
    if field is not None and field.type in PERSONAL and not is_called_search(box):
        return f"its field {box.name!r} seems to be: {field.type}"
    return ""
