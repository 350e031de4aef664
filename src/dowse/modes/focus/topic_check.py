"""What can be wrong with a topic."""

from __future__ import annotations

import re

from dowse.core.errors import JobError
from dowse.modes.focus.options import FocusOptions
from dowse.score.keywords import parse_topic
from dowse.score.language import language

# In a topic: a weight that is no number above 0.
_NO_WEIGHT = re.compile(r'(?:"[^"]*"|[^\s,;"^]*)\^(?!(?=[\d.]*[1-9])\d+(?:\.\d+)?(?![^\s,;]))[^\s,;]*')

_BY_DEPTH = ("breadth", "depth")


def check_topic(options: FocusOptions) -> None:
    """Refuse a topic that says nothing; examples say what they say when they are read."""
    try:
        spoken = language(options.language)
    except ValueError as error:
        raise JobError(f"language: {error}") from error
    if options.least_worth and options.by in _BY_DEPTH:
        raise JobError(f"least_worth: by {options.by} a link is worth what its depth says, which is no measure of it")
    if options.unlike and not options.like and not options.topic.strip():
        raise JobError("unlike: this is what is not wanted; say what is: topic = 'heat pumps', or like = FILE")
    if wrong := _NO_WEIGHT.search(options.topic):
        raise JobError(
            f"topic: {wrong[0]!r}: what is behind ^ says how much a word counts, as a number such as 2 or 0.5;"
            " without a weight, leave ^ out"
        )
    if options.topic.strip() or not options.like:
        try:
            parse_topic(options.topic, spoken)
        except ValueError as error:
            raise JobError(f"topic: {error}") from error
