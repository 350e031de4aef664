"""Steps: what to do on a page before it is read, as data.

    [PATTERN | type:NAME =>] VERB [SELECTOR] [= VALUE] [x TIMES]

    click #accept                          once, if it is there
    click-until-gone .more x 20            while it is there, at most so often (50)
    scroll x 10                            to the end, until nothing is added (30)
    type #query = heat pumps               into a field, instead of what is in it; a secret by its reference,
                                           see core/secret.py
    select #country = France               an entry of a list, by its words or its value
    press #query = Enter                   a key, on an element
    hover .menu
    wait .results                          until it is there
    /search => click #go                   only on pages whose URL matches the regular expression
    type:list => click .more               only on pages of that type, in crawls whose mode has types of pages

A step whose element is not there is passed over: pages of one type need not all have it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dowse.core.patterns import Patterns

# A URL has no spaces, so neither has its pattern; a value, such as a password, may well have " => " in it.
_FORM = re.compile(r"(?:(?P<on>\S+)\s+=>\s+)?(?P<verb>[a-z-]+)(?P<rest>(?:\s.*)?)", re.DOTALL)
_TIMES = re.compile(r"(?:^|\s+)x\s*(\d+)$")

# The verbs: whether they need an element, whether they need a value, and how often they are done at most (0: once).
VERBS: dict[str, tuple[bool, bool, int]] = {
    "click": (True, False, 0),
    "click-until-gone": (True, False, 50),
    "scroll": (False, False, 30),
    "type": (True, True, 0),
    "select": (True, True, 0),
    "press": (True, True, 0),
    "hover": (True, False, 0),
    "wait": (True, False, 0),
}
MOST_TIMES = 10_000
_TYPE = "type:"


class Step(NamedTuple):
    """One act. `times` is how often it may be repeated, `on` the pattern of the URLs or the page type it is for ("" is
    all)."""

    verb: str
    selector: str = ""
    value: str = ""
    times: int = 1
    on: str = ""

    def __str__(self) -> str:
        """The step as it is written, without its pattern and without a value, which may be a secret."""
        return " ".join(filter(None, (self.verb, self.selector)))

    @property
    def name(self) -> str:
        """The same with its pattern, by which it is told from the others of its job."""
        return f"{self.on} => {self}" if self.on else str(self)


MARK = "data-dowse-mark"
"""The attribute that tells the controls of a page apart while a form is filled in."""


class FormFilling(NamedTuple):
    """A form to fill in and send in the browser. Both say what is to be done on the document as it stands, with its
    controls marked; None if nothing may be done."""

    fill: Callable[[str], list[Step] | None]
    send: Callable[[str], list[Step] | None]


def parse_step(text: str) -> Step:
    """A step as people write it; a ValueError says what is wrong with it.

    >>> parse_step("/list => click-until-gone .more x 20")
    Step(verb='click-until-gone', selector='.more', value='', times=20, on='/list')
    """
    match = _FORM.fullmatch(text.strip())
    if match is None or match["verb"] not in VERBS:
        raise ValueError(f"expected [PATTERN =>] and one of {', '.join(VERBS)}")
    verb = match["verb"]
    needs_element, needs_value, most = VERBS[verb]
    rest, times = _times(match["rest"].strip(), most)
    selector, _, value = rest.partition(" = ") if needs_value else (rest, "", "")
    selector, value = selector.strip(), value.strip()
    if bool(selector) != needs_element:
        raise ValueError(f"{verb} needs the selector of an element" if needs_element else f"{verb} takes no element")
    if needs_value and not value:
        raise ValueError(f"{verb} needs a value: {verb} {selector} = VALUE")
    return Step(verb, selector, value, times, match["on"] or "")


def _times(rest: str, most: int) -> tuple[str, int]:
    found = _TIMES.search(rest) if most else None
    if found is None:
        return rest, most or 1
    times = int(found[1])
    if not 1 <= times <= MOST_TIMES:
        raise ValueError(f"expected a number of times from 1 to {MOST_TIMES:,}")
    return rest[: found.start()].rstrip(), times


class Steps:
    """The steps of a job; each page gets those that are for it, in their order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._steps = [(step, _condition(step)) for step in map(parse_step, texts)]

    @property
    def names(self) -> list[str]:
        """What the steps are called, each once."""
        return list(dict.fromkeys(step.name for step, _ in self._steps))

    @property
    def ask_for_types(self) -> bool:
        """Whether a step is for pages of a type, so that these have to be known."""
        return any(isinstance(condition, str) for _, condition in self._steps)

    def are_for(self, url: str, types: Sequence[str] = ()) -> bool:
        """Whether a step names this page; a step for all pages names none."""
        return any(condition is not None and _holds(condition, url, types) for _, condition in self._steps)

    def for_page(self, url: str, types: Sequence[str] = ()) -> list[Step]:
        return [step for step, condition in self._steps if condition is None or _holds(condition, url, types)]


def _condition(step: Step) -> Patterns | str | None:
    """What has to be so of a page: a pattern of its URL, or the name of its type."""
    if step.on.startswith(_TYPE):
        return step.on.removeprefix(_TYPE)
    return Patterns("step", [step.on]) if step.on else None


def _holds(condition: Patterns | str, url: str, types: Sequence[str]) -> bool:
    return condition in types if isinstance(condition, str) else bool(condition.first(url))
