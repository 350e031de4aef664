"""What a site wants its pages used for, in the words of draft-ietf-aipref-vocab-08.

    search     to show where pages are            ai-use     as input of a generative model
    train-ai   to train a generative model

    how a site says it                       what it means here
    Content-Usage: train-ai=n, search=y      the same                       header, line of robots.txt
    Content-Signal: ai-train=no, ai-input=no train-ai=n, ai-use=n           the same places (contentsignals.org)
    noai                                     train-ai=n, ai-use=n           X-Robots-Tag, meta robots
    noimageai                                the same, of images
    tdm-reservation: 1                       train-ai=n, ai-use=n           header, meta (TDMRep: text and data mining)

A preference is y, n or unknown. Of several about one use, one that forbids counts more than one that allows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

USES = ("search", "ai-use", "train-ai")
"""What pages can be wanted for."""

Preferences = Mapping[str, bool]
"""Whether a use is allowed, for those of which something is said."""

NO_AI: Preferences = {"ai-use": False, "train-ai": False}

_SIGNALS = {"search": "search", "ai-input": "ai-use", "ai-train": "train-ai"}
_ANSWERS = {"y": True, "n": False}
_YES_NO = ("yes", "no")

# Dictionaries of RFC 9651 (structured fields), as far as one must know them to find the tokens among their values.
_KEY = r"[a-z*][a-z0-9_.*-]*"
_ITEM = (
    r"""(?:[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|"(?:[ !#-\[\]-~]|\\["\\])*"|:[A-Za-z0-9+/=]*:|\?[01]"""
    r"""|@?-?\d{1,15}(?:\.\d{1,3})?|%"[ !#-~]*")"""
)
_PARAMETERS = rf"(?:; *{_KEY}(?:={_ITEM})?)*"
_MEMBER = re.compile(
    rf"(?a:({_KEY})(?:=({_ITEM}|\( *(?:{_ITEM}{_PARAMETERS}(?: +|(?=\))))*\)))?{_PARAMETERS}[ \t]*(,[ \t]*(?!$)|$))"
)


class Statement(NamedTuple):
    """What somebody says of the use of a page: `source` is who, as a line or a header."""

    source: str
    preferences: Preferences


def read_usage(text: str) -> Preferences:
    """The value of Content-Usage. One that is no dictionary says nothing.

    >>> read_usage("train-ai=n, search=y;note=1, other=n")
    {'train-ai': False, 'search': True}
    """
    text, place, found = text.strip(" "), 0, {}
    while place < len(text):
        member = _MEMBER.match(text, place)
        if member is None:
            return {}
        found[member[1]] = member[2]
        place = member.end()
    return {use: _ANSWERS[value] for use, value in found.items() if use in USES and value in _ANSWERS}


def read_signal(text: str) -> Preferences:
    """The value of Content-Signal.

    >>> read_signal("ai-train=no, search=yes")
    {'train-ai': False, 'search': True}
    """
    pairs = ([word.strip() for word in part.split("=")] for part in text.lower().split(","))
    found = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
    return {_SIGNALS[name]: answer == "yes" for name, answer in found.items() if name in _SIGNALS and answer in _YES_NO}


def combined(several: Iterable[Preferences]) -> Preferences:
    """The sum of what is said: what one forbids is forbidden."""
    found: dict[str, bool] = {}
    for preferences in several:
        for use, allowed in preferences.items():
            found[use] = allowed and found.get(use, True)
    return found


def written(statements: Iterable[Statement]) -> str:
    """The sum of several statements as the draft writes it; "" if nothing is said.

    >>> written([Statement("a", {"train-ai": True}), Statement("b", {"train-ai": False, "search": True})])
    'search=y, train-ai=n'
    """
    found = combined(statement.preferences for statement in statements)
    return ", ".join(f"{use}={'y' if found[use] else 'n'}" for use in USES if use in found)


def forbids(statements: Iterable[Statement], uses: Collection[str]) -> str:
    """Who forbids one of the uses; "" if nobody does."""
    for statement in statements:
        if any(not statement.preferences.get(use, True) for use in uses):
            return statement.source
    return ""
