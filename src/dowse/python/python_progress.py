"""How a crawl from Python shows that it goes on, where somebody can see it.

    notebook     one line below the cell, drawn anew in place
    terminal     the block of the commands (cli/progress.py); lines for a loop over pages, which prints itself
    elsewhere    nothing, or lines if that was asked for

Problems are warnings in Python, so they are not told here as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from dowse.cli.progress import PlainLines, progress_line, watching
from dowse.engine.events import Event, Notice, Paused, Problem, Progress, Stopped, Stopping
from dowse.engine.loop import Listener


@contextmanager
def showing(progress: bool | None, *, beside_a_loop: bool = False) -> Iterator[Listener]:
    """The listener that suits the place; `progress` is whether the user wants one, None if they did not say."""
    if progress is not False and (shell := _notebook()) is not None:
        yield _without_problems(NotebookLine(shell))
    elif progress is not False and sys.stderr is not None and sys.stderr.isatty() and not beside_a_loop:
        with watching(quiet=False, verbose=False) as listener:
            yield _without_problems(listener)
    elif progress:
        yield _without_problems(PlainLines(verbose=False))
    else:
        yield _unheard


class NotebookLine:
    """A line below the cell of a notebook, and a line for each thing that the user should know of."""

    def __init__(self, display: Any) -> None:
        """`display` is the function of that name of IPython."""
        self._display = display
        self._handle: Any = None

    def __call__(self, event: Event) -> None:
        match event:
            case Progress():
                self._draw(progress_line(event))
            case Stopped():
                last = progress_line(replace(event.progress, seconds_left=None))
                self._draw(f"{last}, {event.reason if event.complete else f'ended by {event.reason}'}")
            case Paused():
                self._draw(f"paused: {event.reason}")
            case Stopping():
                self._draw("stopping")
            case Notice():
                self._display({"text/plain": f"notice: {event.text}"}, raw=True)
                event.shown()

    def _draw(self, line: str) -> None:
        shown = {"text/plain": line}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


def _notebook() -> Any:
    """How IPython shows something in a notebook; None where there is none."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display


def _without_problems(listener: Listener) -> Listener:
    def tell(event: Event) -> None:
        if not isinstance(event, Problem):
            listener(event)

    return tell


def _unheard(_event: Event) -> None:
    pass
