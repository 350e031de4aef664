"""What a page says to robots about itself, in `<meta name="robots">` and the X-Robots-Tag header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from dowse.core.usage import NO_AI, Statement

_NAME = re.compile(r"[\w*-]+")

# Directives that have a value after a colon, so that they are not taken for the name of a robot.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class Directives(NamedTuple):
    """Whether a page may be kept, whether its links may be followed, and what it wants to be used for."""

    noindex: bool = False
    nofollow: bool = False
    usage: tuple[Statement, ...] = ()


NOTHING = Directives()
_RESERVED = "tdm-reservation"


def page_directives(
    metas: Iterable[Callable[[str], str | None]], headers: Mapping[str, str], product_token: str
) -> Directives:
    """What the meta tags and the X-Robots-Tag header of a page say to the robot of this name."""
    names = ("robots", product_token.lower(), _RESERVED)
    said = [(name, meta("content") or "") for meta in metas if (name := (meta("name") or "").strip().lower()) in names]
    header = headers.get("x-robots-tag")
    if not said and not header:
        return NOTHING
    values = [text for name, text in said if name != _RESERVED]
    usage: list[Statement] = []
    if any(name == _RESERVED and text.strip() == "1" for name, text in said):
        usage.append(Statement(f"meta {_RESERVED}: 1", NO_AI))
    if "noai" in _words(values, product_token):
        usage.append(Statement("meta robots: noai", NO_AI))
    if header:
        usage += header_usage(header, product_token)
        values.append(header)
    found = robots_directives(values, product_token)
    return found._replace(usage=tuple(usage)) if usage else found


def header_usage(value: str, product_token: str, *, of_image: bool = False) -> tuple[Statement, ...]:
    """What an X-Robots-Tag header says of the use of a page, or of an image."""
    words = _words([value], product_token)
    word = "noai" if "noai" in words else "noimageai" if of_image and "noimageai" in words else ""
    return (Statement(f"X-Robots-Tag: {word}", NO_AI),) if word else ()


def robots_directives(values: Iterable[str], product_token: str) -> Directives:
    """The sum of what all values forbid to the robot of this name.

    `otherbot: noindex, nofollow` is meant for that robot up to the end of the value, or to the next name in it.

    >>> robots_directives(["noindex", "otherbot: nofollow"], "dowse")
    Directives(noindex=True, nofollow=False, usage=())
    """
    words = _words(values, product_token)
    everything = "none" in words
    return Directives(noindex=everything or "noindex" in words, nofollow=everything or "nofollow" in words)


def _words(values: Iterable[str], product_token: str) -> set[str]:
    """The directives that are for the robot of this name."""
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
    return words
