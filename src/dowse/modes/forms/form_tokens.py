"""Hidden values of a form that are good for a while only: tokens against forgery, and the state of a page."""

from __future__ import annotations

import regex

from dowse.parse.forms.form import Form

_NAME = regex.compile(
    r"token|csrf|xsrf|nonce|viewstate|eventvalidation|form_?(?:build_)?id|session|ticket", regex.IGNORECASE
)
_RANDOM = regex.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w+/=.:-]{16,}")


def has_tokens(form: Form) -> bool:
    """Whether a form has a hidden value that may be good for a while only.

    >>> from dowse.parse.forms.controls import Control
    >>> has_tokens(Form("", controls=(Control("input", "hidden", "csrf", "1"),)))
    True
    >>> has_tokens(Form("", controls=(Control("input", "hidden", "lang", "en"),)))
    False
    """
    hidden = (control for control in form.controls if control.kind == "hidden" and control.value)
    return any(_NAME.search(each.name) or _RANDOM.fullmatch(each.value[:200]) for each in hidden)
