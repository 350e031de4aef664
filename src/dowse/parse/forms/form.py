"""A form as a value, and the request that sending it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dowse.parse.forms.controls import NO_BUTTON, Control
from dowse.parse.forms.entry_list import entry_list
from dowse.parse.forms.form_encoding import URL_ENCODED, encode, url_encoded

NO_VALUES: Mapping[str, str | Sequence[str]] = {}


@dataclass(frozen=True, slots=True)
class Submission:
    """What sending a form asks a server for: all that `UrlKeys.request` makes a request of.

    >>> Submission("https://example.org/find?q=fish")
    Submission(url='https://example.org/find?q=fish', method='GET', body=b'', headers=())
    """

    url: str
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page, or fields that stand around a button without one (`has_element` is false).

    `action` is the URL it is sent to; "" if that is nothing that HTTP can ask for, or known to scripts alone, as where
    there is no form element. `method` is get, post or dialog,
    `charset` what it is sent in. `place` is its number on the page. `text` is what can be read in it, without the
    options of selects. `language` is that of its page. `heading` is the heading inside of it, or the last one before
    it. `links` are the texts of its links.

    >>> box = Control("input", "search", "q")
    >>> form = Form("https://example.org/", action="https://example.org/find", controls=(box,))
    >>> form.request({"q": "two words"}).url
    'https://example.org/find?q=two+words'
    """

    url: str
    action: str = ""
    method: str = "get"
    enctype: str = URL_ENCODED
    charset: str = "UTF-8"
    controls: tuple[Control, ...] = ()
    name: str = ""
    id: str = ""
    css_class: str = ""
    role: str = ""
    label: str = ""
    text: str = ""
    heading: str = ""
    links: tuple[str, ...] = ()
    place: int = 0
    has_element: bool = True
    controls_dropped: int = 0
    language: str = ""

    @property
    def fields(self) -> list[Control]:
        """What a reader can fill in: no buttons, nothing hidden by its type."""
        return [control for control in self.controls if not control.is_button and control.kind != "hidden"]

    @property
    def buttons(self) -> list[Control]:
        """The buttons that send it."""
        return [control for control in self.controls if control.sends]

    def request(
        self, values: Mapping[str, str | Sequence[str]] = NO_VALUES, submit: Control | None = None
    ) -> Submission | None:
        """What is asked for when the form is sent with these values; None if no request comes of it.

        `submit` is the button that is pressed. Without one it is the first, as when a reader presses Enter. Raises
        ValueError for values that the form cannot have.
        """
        button = submit or next(iter(self.buttons), None)
        says = button.button if button else NO_BUTTON
        action = self.action if says.action is None else says.action
        method = says.method or self.method
        entries = entry_list(self.controls, values, button, self.charset)
        if not action or method == "dialog":
            return None
        if method == "get":
            return Submission(f"{action.partition('?')[0]}?{url_encoded(entries, self.charset)}")
        encoded = encode(entries, says.enctype or self.enctype, self.charset)
        return Submission(action, "POST", encoded.body, (("Content-Type", encoded.media_type),))
