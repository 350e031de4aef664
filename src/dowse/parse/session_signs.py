"""What a page says about the log-in it was shown with: whether one could log out here, or would have to log in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Document, Element

from dowse.core.sessions import leads_to_log_in, leads_to_log_out, says_log_in, says_log_out
from dowse.parse.anchors import AnchorFields
from dowse.parse.page import Page

_MOST_LINKS = 5_000
_MOST_BUTTONS = 500
_LONGEST_LABEL = 200

_BUTTONS = "button, input[type=submit i], input[type=button i], input[type=image i], [role=button], [role=menuitem]"
_FORMS = "form[action]"
_PASSWORD = "input[type=password i]"
_RELATIONS = frozenset({"logout", "log-out", "signout", "sign-out"})


class Signs(NamedTuple):
    """The links that end the session, whether anything on the page does, and whether it has something to log in by."""

    log_outs: frozenset[str]
    can_leave: bool
    asks: bool


def session_signs(page: Page) -> Signs:
    """Look at the links, buttons and forms of a page."""
    log_outs: set[str] = set()
    asks = can_leave = False
    fields = AnchorFields()
    for anchor in page.anchors[:_MOST_LINKS]:
        labels = [fields.get(anchor, name) for name in ("text", "aria-label", "title")]
        relations = fields.get(anchor, "rel").lower().split()
        if leads_to_log_out(anchor.url) or any(map(says_log_out, labels)) or not _RELATIONS.isdisjoint(relations):
            log_outs.add(anchor.url)
        elif not asks:
            asks = any(map(says_log_in, labels)) or leads_to_log_in(anchor.url)
    for label in _labels(page.tree):
        can_leave = can_leave or says_log_out(label)
        asks = asks or says_log_in(label)
    for form in page.tree.select(_FORMS)[:_MOST_BUTTONS]:
        can_leave = can_leave or leads_to_log_out(page.base.join(form.attr("action") or "") or "")
    asks = asks or page.tree.select_one(_PASSWORD) is not None
    return Signs(frozenset(log_outs), can_leave or bool(log_outs), asks)


def _labels(tree: Document) -> Iterator[str]:
    """The words on buttons."""
    for button in tree.select(_BUTTONS)[:_MOST_BUTTONS]:
        yield button.attr("value") or button.attr("aria-label") or _words(button)


def _words(button: Element) -> str:
    return " ".join(button.text[:_LONGEST_LABEL].split())
