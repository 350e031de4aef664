"""Asking a person about pages while the crawl runs: it goes on fetching while the person thinks.

A question stands in the place of the progress until it is answered. What is typed is looked for whenever the crawl
tells something, a few times a second, so that no thread and no lock is needed. The answer goes into the crawl as that
of any other program would (`crawl.label`), and is taken up with the next page.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dowse.cli.asking import HOW, NO_ANSWER, PROMPT, WIDTH, letter_of, question_text
from dowse.cli.progress import LiveBlock
from dowse.cli.terminal import say
from dowse.engine.events import Event, Progress, Stopped, Stopping, Visited

Listener = Callable[[Event], None]

_FIRST_AT = 30
"""Pages before the first question: before, everything is unsure."""

_LEAST_BETWEEN, _SHARE_BETWEEN = 20, 4
"""Pages between two questions: a quarter of those there are, and so many at least."""

_UNSURE = 0.35
"""How far from a match or none a page may be to be asked about: what is clear is not worth a person's time."""

_MOST_READ = 4096
"""Bytes of an answer that are read at a time; a terminal gives a line at most."""


class Unsure(NamedTuple):
    """A page that is asked about."""

    url: str
    title: str
    relevance: float
    lines: Sequence[str] = ()


def can_ask() -> bool:
    """Whether somebody can answer while something else goes on. On Windows, what is typed cannot be looked for."""
    streams = (sys.stdin, sys.stderr)  # None where somebody closed them
    return os.name != "nt" and all(stream is not None and stream.isatty() for stream in streams)


class Questions:
    """Listens to a crawl, and passes every event on to its display."""

    def __init__(self, directory: str, display: Listener) -> None:
        self._directory = directory
        self._display = display
        self._most = -1  # not known yet
        self._next_at = _FIRST_AT
        self._open: Unsure | None = None
        self._typed = b""  # of a line that is not at its end
        self.asked = 0
        self.skipped: set[str] = set()
        self.is_enough = False
        """Nothing is to be asked any more: a person has said so, or has interrupted the crawl."""

    def __call__(self, event: Event) -> None:
        if self._open is not None:
            self._look(self._open)
        self.is_enough = self.is_enough or isinstance(event, Stopping)
        if self._open is None:
            self._display(event)
            if isinstance(event, Progress) and self._is_due(event):
                self._ask(event.pages)
        elif isinstance(event, Stopping | Stopped):
            self._withdraw()
            self._display(event)
        elif not isinstance(event, Progress | Visited):
            say("", err=True)
            self._display(event)
            self._put()

    def _is_due(self, progress: Progress) -> bool:
        return not self.is_enough and not progress.rereads and progress.pages >= self._next_at

    def _ask(self, pages: int) -> None:
        self._next_at = pages + max(_LEAST_BETWEEN, pages // _SHARE_BETWEEN)
        found = self._least_sure()
        if found is None:
            return
        self._hide()
        if not self.asked:
            say(f"the crawl goes on while you think\n{HOW}", err=True)
        self.asked += 1
        self._open = found
        say(question_text(self.asked, *found), err=True)
        self._put()

    def _least_sure(self) -> Unsure | None:
        from dowse import app

        with app.read(self._directory) as crawl:
            if self._most < 0:
                self._most = crawl.mode.questions(crawl.job)
            if self.asked >= self._most:
                self._next_at = sys.maxsize
                return None
            threshold = crawl.standing().threshold
            rows = (Unsure(*row) for row in crawl.unsure(1 + len(self.skipped)))
            unsure = [row for row in rows if row.url not in self.skipped and abs(row.relevance - threshold) <= _UNSURE]
            return unsure[0]._replace(lines=crawl.lines_about(unsure[0].url, WIDTH)) if unsure else None

    def _look(self, page: Unsure) -> None:
        """Take what was typed, if something was. To wait for the end of a line would hold up the crawl: what was typed
        before Ctrl-D comes without it."""
        if not select.select([sys.stdin], [], [], 0)[0]:
            return
        typed = os.read(sys.stdin.fileno(), _MOST_READ)
        self._typed += typed
        if typed and not typed.endswith(b"\n"):
            return
        line, self._typed = self._typed.decode(errors="replace"), b""
        match letter_of(line) if typed else "q":
            case None:
                say(NO_ANSWER, err=True)
                self._put()
                return
            case "q":
                self.is_enough = True
            case "s":
                self.skipped.add(page.url)
            case letter:
                self._label(page.url, letter == "y")
        self._open = None

    def _label(self, url: str, wanted: bool) -> None:
        from dowse import app

        with app.read(self._directory) as crawl:
            crawl.label(url, wanted)

    def _hide(self) -> None:
        if isinstance(self._display, LiveBlock):
            self._display.hide()

    def _put(self) -> None:
        self._hide()
        sys.stderr.write(PROMPT)
        sys.stderr.flush()

    def _withdraw(self) -> None:
        """The crawl ends before somebody has answered."""
        self._open = None
        self.asked -= 1
        say("(not answered: the crawl ends)", err=True)
