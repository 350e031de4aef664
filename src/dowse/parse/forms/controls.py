"""The fields and buttons of a form, as values."""

from __future__ import annotations

from dataclasses import dataclass

BUTTONS = frozenset({"submit", "image", "reset", "button"})
"""Kinds that are pressed and not filled in."""

SUBMITTERS = frozenset({"submit", "image"})
"""Kinds that send the form."""

TICKED = frozenset({"checkbox", "radio"})
"""Kinds that are sent only where they are ticked."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text that says what a control is, and how it is known to belong there.

    `source` is one of labelledby, aria, label, button, alt, title, placeholder (what accessibility rules know, in their
    order), then before, row, column, above, after (where it stands; `after` first for what is ticked).
    """

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select, or of the list that suggests values for an input."""

    value: str
    label: str
    selected: bool = False
    disabled: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """What a button that sends the form says differently from the form; None or "" where it says nothing."""

    action: str | None = None
    method: str = ""
    enctype: str = ""


NO_BUTTON = Button()


@dataclass(frozen=True, slots=True)
class Control:
    """One field or button. `kind` is the type of an input, `select`, `textarea`, or the type of a button.

    `value` is what is sent if nobody changes it; for a checkbox or radio button, if it is ticked. `group` is the legend
    around it. `limits` are least, most and step of a number. `options_dropped` says how many options there are beyond
    those that are kept. `shown` is false where the page itself hides the control: `type=hidden`, the attribute
    `hidden`, or a style that says so. `mark` tells it from all others of a page in a browser (core/steps.py).

    >>> Control("input", "search", "q", labels=(Label("aria", "Find books"), Label("placeholder", "Title"))).label
    'Find books'
    """

    tag: str
    kind: str
    name: str = ""
    value: str = ""
    labels: tuple[Label, ...] = ()
    options: tuple[Option, ...] = ()
    checked: bool = False
    disabled: bool = False
    readonly: bool = False
    required: bool = False
    multiple: bool = False
    shown: bool = True
    group: str = ""
    id: str = ""
    css_class: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    pattern: str = ""
    limits: tuple[str, str, str] = ("", "", "")
    longest: int | None = None
    dirname: str = ""
    direction: str = "ltr"
    options_dropped: int = 0
    button: Button = NO_BUTTON
    mark: str = ""

    @property
    def label(self) -> str:
        """The best text that says what it is; "" if there is none."""
        return self.labels[0].text if self.labels else ""

    @property
    def is_button(self) -> bool:
        """Whether it is pressed and not filled in."""
        return self.kind in BUTTONS

    @property
    def sends(self) -> bool:
        """Whether pressing it sends the form."""
        return self.kind in SUBMITTERS and not self.disabled

    def text_of(self, source: str) -> str:
        """The label of one source; "" if there is none.

        >>> Control("input", "text", labels=(Label("title", "Your town"),)).text_of("title")
        'Your town'
        """
        return next((label.text for label in self.labels if label.source == source), "")
