"""How a crawl reads pages: by their words, by what words mean, or likely ones in context too (page_context.py).

It is decided once, when the crawl begins, by what is installed then. The choice is a part of the briefing: a crawl goes
on as it began, also where more is installed by now.
"""

from __future__ import annotations

from typing import cast

from dowse.core.briefing import Briefing
from dowse.core.errors import ExtraMissing
from dowse.core.optional_libraries import install_command
from dowse.modes.focus.options import FocusOptions, ReadingName
from dowse.modes.focus.scoring import reads_vectors, scorer_of
from dowse.modes.mode import Tell
from dowse.rank.ranker_state import of_another_version
from dowse.score import semantic
from dowse.score.language import language
from dowse.score.local_models import NoModel
from dowse.score.page_reader import page_reader
from dowse.score.sentences import sentence_model

_CHOICE = "reading"
_READER = "page reader"
_KNOWN = "english"
"""The language that the model knows."""


def choose_reading(options: FocusOptions, stored: Briefing | None, tell: Tell) -> Briefing:
    """The choice as a part of a briefing; that of the stored one, if there is one. Raises ExtraMissing where a crawl
    cannot go on as it began."""
    if stored is not None and _CHOICE in stored:
        reading = reading_of(stored)
        _check(reading, options)
    else:
        reading = _best(options, tell)
    choice = {_CHOICE: reading.encode()}
    return choice | {_READER: page_reader().checksum.encode()} if reading == "context" else choice


def check_reader(stored: Briefing) -> None:
    """Refuse to go on where another model read the pages so far: theirs are odds on another scale than those of pages
    to come. Raises CrawlError."""
    if reading_of(stored) == "context" and stored.get(_READER) != page_reader().checksum.encode():
        raise of_another_version()


def reading_of(briefing: Briefing) -> ReadingName:
    """The choice that was made; the best without a model, where none was."""
    made = briefing.get(_CHOICE)
    return cast(ReadingName, made.decode()) if made else without_model()


def without_model() -> ReadingName:
    """How pages are read here if not in context."""
    return "meaning" if semantic.is_installed() else "words"


def lack_of_context() -> str:
    """What is missing on this machine for reading in context, and what to do; "" if nothing is."""
    if not semantic.is_installed():
        return f"wordllama is not installed: {install_command('context')}"
    try:
        sentence_model()
        page_reader()
    except NoModel as error:
        return str(error)
    return ""


def _best(options: FocusOptions, tell: Tell) -> ReadingName:
    if not _wants_context(options):
        return without_model()
    if lack := lack_of_context():
        tell(f"no page is read in context, for {lack}; --no-context leaves this line out")
        return without_model()
    return "context"


def _wants_context(options: FocusOptions) -> bool:
    """Only the scorer `relevance` makes use of it."""
    return options.context and scorer_of(options) == "relevance" and language(options.language).name == _KNOWN


def _check(reading: ReadingName, options: FocusOptions) -> None:
    """Refuse to go on where what a crawl began with is gone, and it makes use of that."""
    if reading == "context" and (lack := lack_of_context()):
        raise ExtraMissing(f"context: this crawl reads pages in context, and {lack}")
    if reading == "meaning" and reads_vectors(options) and not semantic.is_installed():
        raise ExtraMissing(
            f"this crawl compares words by meaning, and wordllama is not installed: {install_command('semantic')}"
        )
