"""A lesson at the terminal: rules learned from the examples of a command, and the questions in between."""

from __future__ import annotations

import tempfile
from typing import Any

import click

from dowse.cli.learning_output import question_text
from dowse.cli.options import given
from dowse.cli.progress import watching
from dowse.cli.terminal import say
from dowse.cli.wording import printable
from dowse.workflows.learn_rules import MOST_QUESTIONS, Lesson, learn

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}
_MOST_ASKED = 3


def ask_and_learn(
    url: str, unlike: tuple[str, ...], output: str | None, *, asks: bool, quiet: bool, verbose: bool
) -> Lesson:
    """The table for the options of the command, after the questions that somebody answered."""
    options: dict[str, Any] = dict(given())
    want = options.pop("want", ())
    with tempfile.TemporaryDirectory(prefix="dowse-learn-") as folder:
        options["output"] = output or f"{folder}/crawl"
        with watching(quiet=quiet, verbose=verbose) as listener:
            lesson = learn(url, want, unlike, listener, **options)
        for _ in range(MOST_QUESTIONS if asks else 0):
            if lesson.question is None:
                break
            say("\n".join(question_text(lesson.question)), err=True)
            answer = _answer()
            if answer is None:
                break
            with watching(quiet=quiet, verbose=verbose) as listener:
                lesson = lesson.answer(answer, listener=listener, **options)
    return lesson


def _answer() -> bool | None:
    """What somebody answers; None if it is left open, at the end of the input, or never yes or no."""
    for _ in range(_MOST_ASKED):
        try:
            said = click.prompt("y, n, or Enter to leave it open", default="", show_default=False, err=True)
        except click.Abort:
            return None
        answer = said.strip().lower()
        if answer in _ANSWERS or not answer:
            return _ANSWERS.get(answer)
        say(f"{printable(answer):.40} is neither yes nor no", err=True)
    return None
