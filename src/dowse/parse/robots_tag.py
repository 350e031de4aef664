"""What a page says to robots about itself, in `<meta name="robots">` and the X-Robots-Tag header."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_NAME = re.compile(r"[\w*-]+")

# Directives that have a value after a colon, so that they are not taken for the name of a robot.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class Directives(NamedTuple):
    """Whether a page may be kept, and whether its links may be followed."""

    noindex: bool = False
    nofollow: bool = False


def robots_directives(values: Iterable[str], product_token: str) -> Directives:
    """The sum of what all values forbid to the robot of this name.

    `otherbot: noindex, nofollow` is meant for that robot up to the end of the value, or to the next name in it.

    >>> robots_directives(["noindex", "otherbot: nofollow"], "dowse")
    Directives(noindex=True, nofollow=False)
    """
    names = ("*", product_token.lower())
    words: set[str] = set()
    for value in values:
        is_ours = True
        for part in value.lower().split(","):
            name, colon, rest = part.strip().partition(":")
            name = name.rstrip()
            if colon and name not in _WITH_VALUE and _NAME.fullmatch(name):
                is_ours = name in names
                name = rest.strip()
            if is_ours:
                words.add(name)
    everything = "none" in words
    return Directives(noindex=everything or "noindex" in words, nofollow=everything or "nofollow" in words)
