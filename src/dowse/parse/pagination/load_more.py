"""How a browser gets the rest of a list that has no further pages: it scrolls, and presses what loads more."""

from __future__ import annotations

import string

from dowse.parse.pagination.paging_words import LISTS

MOST_PRESSES = 50
MOST_SCROLLS = 30
_LONGEST_LABEL = 40
_CONTROLS = (
    "self::button or @role='button' or "
    "self::a[not(@href) or starts-with(@href, '#') or starts-with(@href, 'javascript:')]"
)


def paging_steps() -> tuple[str, ...]:
    """The steps (core/steps.py) that bring the rest of a list to light."""
    return f"scroll x {MOST_SCROLLS}", f"click-until-gone xpath={_pattern()} x {MOST_PRESSES}"


def _pattern() -> str:
    """An XPath of controls that say "more" in one of the languages we know, in few words."""
    label = f"translate(normalize-space(), '{string.ascii_uppercase}', '{string.ascii_lowercase}')"
    words = sorted({spelled for word in LISTS["more"] for spelled in (word, word.title())})
    says = " or ".join(
        f"contains({label}, '{word}')" if _is_unspaced(word) else f"contains(concat(' ', {label}, ' '), ' {word} ')"
        for word in words
    )
    return f"//*[{_CONTROLS}][string-length(normalize-space()) < {_LONGEST_LABEL}][{says}]"


def _is_unspaced(word: str) -> bool:
    return any("\u0e00" <= letter <= "\u0eff" or "\u3040" <= letter <= "\ud7af" for letter in word)
