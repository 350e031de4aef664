"""How a browser gets the rest of a list that has no further pages: it scrolls, and presses what loads more.

What may be pressed is what `page.paging.load_more` names (pagination_finding.py), said in XPath. A control of a form is
never pressed: "Order one more" sends something, and so may "Show more" there.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from dowse.parse.pagination.paging_words import LISTS

MOST_PRESSES = 50
MOST_SCROLLS = 30
_LONGEST_LABEL = 40
_MOST_WORDS = 4
_CONTROLS = (
    "self::button or @role='button' or "
    "self::a[not(@href) or starts-with(@href, '#') or starts-with(@href, 'javascript:')]"
)
_NO_FORM = "not(ancestor-or-self::form or ancestor-or-self::*[@form or @formaction])"
_LOADING = tuple(f"{verb}{mark}more" for verb in ("load", "show", "view", "see") for mark in ("", "-", "_"))
"""What classes and ids of such buttons are called, in lower case."""


def paging_steps() -> tuple[str, ...]:
    """The steps (core/steps.py) that bring the rest of a list to light."""
    return f"scroll x {MOST_SCROLLS}", f"click-until-gone xpath={_pattern()} x {MOST_PRESSES}"


def _pattern() -> str:
    """An XPath of controls that say "load more" or just "more" in one of the languages we know, outside of forms."""
    label = _lower(f"normalize-space(translate(normalize-space(), '.,:;!?()[]\u2026+0123456789', '{' ' * 22}'))")
    names = _lower("concat(@class, ' ', @id)")
    spaces = f"string-length({label}) - string-length(translate({label}, ' ', ''))"
    more, load = _spelled(LISTS["more"]), _spelled(LISTS["load"])
    alone = " or ".join(f"{label} = '{word}'" for word in more)
    named = " or ".join(f"contains({names}, '{name}')" for name in _LOADING)
    return (
        f"//*[{_CONTROLS}][{_NO_FORM}][string-length(normalize-space()) < {_LONGEST_LABEL}]"
        f"[{spaces} < {_MOST_WORDS}][{_says(label, more)}][{alone} or {named} or {_says(label, load)}]"
    )


def _lower(text: str) -> str:
    return f"translate({text}, '{string.ascii_uppercase}', '{string.ascii_lowercase}')"


def _spelled(words: Iterable[str]) -> list[str]:
    """Words in both spellings: XPath knows the small letters of English alone."""
    return sorted({spelled for word in words for spelled in (word, word.title())})


def _says(label: str, words: Iterable[str]) -> str:
    return " or ".join(
        f"contains({label}, '{word}')" if _is_unspaced(word) else f"contains(concat(' ', {label}, ' '), ' {word} ')"
        for word in words
    )


def _is_unspaced(word: str) -> bool:
    return any("\u0e00" <= letter <= "\u0eff" or "\u3040" <= letter <= "\ud7af" for letter in word)
