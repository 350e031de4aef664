"""What can be wrong with a topic."""

from __future__ import annotations

import re

from dowse.core.errors import ExtraMissing, JobError
from dowse.core.optional_libraries import install_command
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.scoring import reads_vectors
from dowse.score import semantic
from dowse.score.keywords import parse_topic
from dowse.score.language import language
from dowse.score.sentences import NoModel, sentence_model

# In a topic: a weight that is no number above 0.
_NO_WEIGHT = re.compile(r'(?:"[^"]*"|[^\s,;"^]*)\^(?!(?=[\d.]*[1-9])\d+(?:\.\d+)?(?![^\s,;]))[^\s,;]*')

_KNOWN = "english"
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


def check_context(options: FocusOptions) -> None:
    """Refuse to read pages in context where that is not possible: before a crawl begins or goes on."""
    if not options.context:
        return
    if not reads_vectors(options):
        raise JobError("context: pages are not judged by their relevance; leave it out, or write score = 'relevance'")
    if language(options.language).name != _KNOWN:
        raise JobError("context: its model knows English alone; leave it out, or give the topic in English")
    if not semantic.is_installed():
        raise ExtraMissing(f"context: this needs wordllama: {install_command('context')}")
    try:
        sentence_model()
    except NoModel as error:
        raise ExtraMissing(f"context: {error}") from error
