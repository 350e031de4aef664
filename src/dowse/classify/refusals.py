"""The hard rule: which forms are never sent, whatever a model thinks they are.

It looks at fields and buttons alone, and in doubt it refuses: a search that is not asked costs some records, a message
that is sent costs a stranger's time. Each rule has a reason that a user can read. The surest rules come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dowse.classify.form_words import said_in
from dowse.parse.forms.controls import TICKED, Control
from dowse.parse.forms.form import Form

LONGEST_TEXT = 4_000

_AUTOCOMPLETE_CARD = re.compile(r"\bcc-|\btransaction-")
_AUTOCOMPLETE_PERSON = re.compile(
    r"\b(?:email|tel\b|tel-|given-name|family-name|street-address|address-line|bday|username|one-time-code|impp)"
)
_AUTOCOMPLETE_PASSWORD = re.compile(r"\b(?:current|new)-password\b")
_CARD_NAME = re.compile(
    r"(?:card|cc|kreditkarte|tarjeta)[\W_]*(?:num|no\b|nr|holder|exp|cvv|cvc|code|type)|\bcvv2?\b|\bcvc2?\b|\biban\b|"
    r"(?:security|verification)[\W_]*code.{0,10}card|\bpan\b[\W_]*num"
)
_PASSWORD_NAME = re.compile(
    r"pass[\W_]*(?:word|wd|phrase|code)|\bpwd\b|passwort|kennwort|contrase|mot[\W_]*de[\W_]*passe|parol"
)
_LONG_MESSAGE = frozenset({"text", "contact"})
_OWN_DATA = frozenset({"email", "phone", "first", "last", "street", "birth", "user"})
_QUANTITY_NAME = re.compile(
    r"\b(?:qty|qte|quantity|quantit\u00e9|menge|cantidad|quantidade)\b|quantity|coupon|promo[\W_]*code|voucher"
)
_MAIL_NAME = re.compile(r"mail(?:address|adresse)?\b|newsletter|subscri")
_WORDS_OF_ACTION = {
    "cart": "it orders something",
    "card": "it takes a payment",
    "password": "it asks for a password",
    "agree": "it agrees to something",
    "register": "it makes an account",
    "login": "it logs in",
    "recover": "it asks for a new password",
    "subscribe": "it subscribes to a mailing list",
    "vote": "it votes",
}
_ONLY_IF_POSTED = frozenset({"card"})
"""There are searches for cards."""

_CHANGES = re.compile(
    r"\b(?:delete|remove|unsubscribe|(?:log|sign)[ -]?(?:out|off)|donate|pay|checkout|upload|publish|"
    r"post(?! ?code)|save|update|edit|"
    r"l\u00f6schen|supprimer|eliminar|cancellare|usu\u0144|\u0443\u0434\u0430\u043b\u0438\u0442\u044c|\u5220\u9664|\u524a\u9664)\b"
)
_FIRST_WORD_CHANGES = re.compile(r"\W*(?:create|add|insert|drop|rename|import|truncate|alter|grant|revoke)\b")
"""What pages that administer a database say. Further on in a label, these are words like others."""

_CHANGES_A_SEARCH = re.compile(r"\W*(?:update|edit|add)\b")
"""First words that stand for no change where a button says that it searches, as in "Update search"."""

_OF_THE_FORM = re.compile(
    r"\W*(?:(?:reset|clear)(?: (?:all|the|this|form|fields|search|filters?|selection))*|"
    r"(?:delete|remove|add|edit|update|reset|clear)(?: \w+){0,2} "
    r"(?:filters?|facets?|criteri(?:a|on)|refinements?|results))\W*"
)
"""What changes nothing but what is asked for."""


def reason_not_to_submit(form: Form) -> str | None:
    """Why a form must not be sent; None if nothing speaks against it.

    >>> reason_not_to_submit(Form("https://example.org/", controls=(Control("input", "password", "p"),)))
    'it has a password field'
    >>> reason_not_to_submit(Form("https://example.org/", controls=(Control("input", "search", "q"),))) is None
    True
    """
    if form.controls_dropped:
        return "it has too many fields to be looked at"
    return next((reason for rule in _RULES if (reason := rule(form))), None)


def _passwords(form: Form) -> str | None:
    for control in _all_fields(form):
        if control.kind == "password" or _AUTOCOMPLETE_PASSWORD.search(control.autocomplete):
            return "it has a password field"
        if control.kind in _TYPED and _PASSWORD_NAME.search(_named(control)):
            return f"its field {control.name or control.label!r} takes a password"
    return None


def _payments(form: Form) -> str | None:
    for control in _all_fields(form):
        if _AUTOCOMPLETE_CARD.search(control.autocomplete):
            return "it takes a payment"
        if control.kind not in TICKED and control.kind != "hidden" and _CARD_NAME.search(_named(control)):
            return f"its field {control.name or control.label!r} takes a payment"
    return None


def _files(form: Form) -> str | None:
    return "it takes a file" if any(control.kind == "file" for control in _all_fields(form)) else None


def _messages(form: Form) -> str | None:
    """A place for many lines is for a message, unless it is the box of a search that says so."""
    for control in form.fields:
        if control.kind == "textarea" and not (not _is_posted(form) and _is_search_box(control)):
            return f"its field {control.name or control.label!r} takes a message"
    return None


def _personal_data(form: Form) -> str | None:
    """A form that asks who somebody is: one such field is enough, unless it is looked for."""
    for control in form.fields:
        if control.kind in ("email", "tel") or _AUTOCOMPLETE_PERSON.search(control.autocomplete):
            return f"its field {control.name or control.label!r} takes personal data"
        if control.kind in _TYPED and _MAIL_NAME.search(f"{control.name} {control.id}".lower()):
            return f"its field {control.name or control.label!r} takes an e-mail address"
    typed = [control for control in form.fields if control.kind in _TYPED]
    asked = {concept for control in typed for concept in said_in(_spoken(control)).concepts & _OWN_DATA}
    if "email" in asked or ("phone" in asked and (len(typed) > 1 or _is_posted(form))):
        return "it takes an e-mail address or a telephone number"
    if _is_posted(form) and (len(asked - {"user"}) >= 2 or ("user" in asked and not _says_search(form))):
        return "it takes personal data"
    return None


def _captchas(form: Form) -> str | None:
    for control in _all_fields(form):
        if "captcha" in _named(control):
            return "it has a captcha"
    return None


def _actions(form: Form) -> str | None:
    """What its buttons say that send something, and a field that says how many are wanted.

    One that says that it searches may say other things, too, but not that it changes something.
    """
    for button in form.controls:
        if not button.is_button or button.kind == "reset" or _OF_THE_FORM.fullmatch(button.label.lower()):
            continue
        said = said_in(button.label).concepts
        if _changes_something(button.label.lower(), says_search="search" in said):
            return f"its button {button.label!r} changes something"
        if "search" not in said:
            concepts = _WORDS_OF_ACTION if _is_posted(form) else _WORDS_OF_ACTION.keys() - _ONLY_IF_POSTED
            for concept in sorted(said.intersection(concepts)):
                return f"{_WORDS_OF_ACTION[concept]}: {button.label!r}"
    for control in form.fields:
        if control.kind not in TICKED and _QUANTITY_NAME.search(_named(control)):
            return "it orders something"
    return None


def _changes_something(label: str, *, says_search: bool) -> bool:
    """By GET as by POST: there are sites that delete by GET."""
    first = _CHANGES_A_SEARCH.match(label) if says_search else None
    label = label[first.end() :] if first else label
    return bool(_CHANGES.search(label) or _FIRST_WORD_CHANGES.match(label))


def _posts(form: Form) -> str | None:
    """Searches are sent by GET, mostly: one by POST must say that it is one."""
    if _is_posted(form) and not _says_search(form):
        return "it is sent by POST, and nothing says that it searches"
    return None


def _is_posted(form: Form) -> bool:
    """Whether it is sent by POST, if only by one of its buttons."""
    return form.method == "post" or any(button.button.method == "post" for button in form.buttons)


def _says_search(form: Form) -> bool:
    """Whether its address, its names, its heading, its buttons or its fields speak of searching."""
    path = form.action.partition("://")[2].partition("/")[2]
    said = [path, form.name, form.id, form.css_class, form.role, form.label, form.heading]
    said += [_spoken(control) for control in form.controls if control.is_button]
    said += [_spoken(control) for control in form.fields]
    return "search" in said_in(" ".join(said)[:LONGEST_TEXT]).concepts


_TYPED = frozenset({"text", "search", "email", "tel", "url", "number", "textarea"})
_Rule = Callable[[Form], str | None]
_RULES: Sequence[_Rule] = (_passwords, _payments, _files, _messages, _personal_data, _captchas, _actions, _posts)


def _all_fields(form: Form) -> list[Control]:
    return [control for control in form.controls if not control.is_button]


def _is_search_box(control: Control) -> bool:
    said = said_in(_spoken(control)).concepts
    return control.name.lower() in ("q", "query", "s", "sql") or ("search" in said and not said & _LONG_MESSAGE)


def _named(control: Control) -> str:
    return f"{control.name} {control.id} {control.label} {control.placeholder}".lower()


def _spoken(control: Control) -> str:
    return f"{control.name} {control.label} {control.placeholder}"
