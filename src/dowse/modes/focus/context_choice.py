"""Whether a crawl reads likely pages in context (page_context.py).

It is decided once, when the crawl begins, by what is installed then. The choice is a part of the briefing, so a crawl
goes on as it began.
"""

from __future__ import annotations

from dowse.core.briefing import Briefing
from dowse.core.errors import ExtraMissing
from dowse.core.optional_libraries import install_command
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.scoring import scorer_of
from dowse.modes.mode import Tell
from dowse.score import semantic
from dowse.score.language import language
from dowse.score.sentences import NoModel, sentence_model

_CHOICE = "context"
_YES = b"yes"
_KNOWN = "english"
"""The language that the model knows."""


def choose_context(options: FocusOptions, stored: Briefing | None, tell: Tell) -> Briefing:
    """The choice as a part of a briefing; that of the stored one, if there is one. Raises ExtraMissing where a crawl
    cannot go on as it began."""
    if stored is not None:
        if reads_in_context(stored) and (lack := lack_of_context()):
            raise ExtraMissing(f"context: this crawl reads pages in context, and {lack}")
        return {_CHOICE: stored.get(_CHOICE, b"")}
    if not _is_wanted(options):
        return {_CHOICE: b""}
    if lack := lack_of_context():
        tell(f"no page is read in context, for {lack}; --no-context leaves this line out")
    return {_CHOICE: b"" if lack else _YES}


def reads_in_context(briefing: Briefing) -> bool:
    """The choice that was made."""
    return briefing.get(_CHOICE) == _YES


def lack_of_context() -> str:
    """What is missing on this machine for reading in context, and what to do; "" if nothing is."""
    if not semantic.is_installed():
        return f"wordllama is not installed: {install_command('context')}"
    try:
        sentence_model()
    except NoModel as error:
        return str(error)
    return ""


def _is_wanted(options: FocusOptions) -> bool:
    """Only the scorer `relevance` makes use of it."""
    return options.context and scorer_of(options) == "relevance" and language(options.language).name == _KNOWN
