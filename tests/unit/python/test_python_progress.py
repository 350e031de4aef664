"""Progress from Python: a line drawn anew in a notebook, the block of the commands on a terminal, else nothing."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from dowse.engine.events import Notice, Problem, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.python.python_progress import NotebookLine, showing

HALF = Progress(3.0, {"fetched": 30, "waiting": 30}, 30, 10.0, 300_000, {}, seconds_left=3.0)
WHOLE = Progress(6.0, {"fetched": 60}, 60, 10.0, 600_000, {}, seconds_left=0.0)
EVENTS = (HALF, WHOLE, Notice("few files may be open"), Problem("rule 3 is wrong", is_error=True))


class Notebook:
    """What a notebook shows, in the place of IPython's `display`."""

    def __init__(self) -> None:
        self.shown: list[list[str]] = []

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool = False) -> Handle:
        assert raw
        self.shown.append([data["text/plain"]])
        return Handle(self.shown[-1])


class Handle:
    def __init__(self, place: list[str]) -> None:
        self._place = place

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self._place.append(data["text/plain"])


def test_a_notebook_has_one_line_that_is_drawn_anew() -> None:
    notebook = Notebook()
    line = NotebookLine(notebook.display)
    for event in (HALF, WHOLE, Stopped("max_pages", False, WHOLE)):
        line(event)
    assert notebook.shown == [
        [
            "0:03  30 pages (10.0/s), 30 waiting, 0 failed, 0 out of scope, 300.0 kB, 0:03 left",
            "0:06  60 pages (10.0/s), 0 waiting, 0 failed, 0 out of scope, 600.0 kB, 0:00 left",
            "0:06  60 pages (10.0/s), 0 waiting, 0 failed, 0 out of scope, 600.0 kB, ended by max_pages",
        ]
    ]


def test_what_the_user_should_know_of_stays() -> None:
    notebook = Notebook()
    line = NotebookLine(notebook.display)
    for event in (HALF, Notice("few files may be open"), Stopped("complete", True, WHOLE)):
        line(event)
    assert notebook.shown[0][-1].endswith(", complete")
    assert notebook.shown[1:] == [["notice: few files may be open"]]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(progress: bool | None, **options: Any) -> None:
    with showing(progress, **options) as listener:
        tell_all(listener)


def tell_all(listener: Listener) -> None:
    for event in EVENTS:
        listener(event)


@pytest.mark.parametrize(
    ("progress", "beside_a_loop", "is_drawn"),
    [(None, False, True), (True, False, True), (False, False, False), (None, True, False)],
)
def test_a_terminal_shows_the_block_of_the_commands_unless_a_loop_prints_there(
    monkeypatch: pytest.MonkeyPatch, progress: bool | None, beside_a_loop: bool, is_drawn: bool
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    told(progress, beside_a_loop=beside_a_loop)
    assert ("pages/s" in screen.getvalue()) == is_drawn
    assert bool(screen.getvalue()) == is_drawn


def test_elsewhere_lines_come_only_if_they_were_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    told(None)
    told(False)
    assert capsys.readouterr() == ("", "")
    told(True)
    out, err = capsys.readouterr()
    assert (out, err.splitlines()) == (
        "",
        [
            "0:06  60 pages (10.0/s), 0 waiting, 0 failed, 0 out of scope, 600.0 kB, 0:00 left",
            "notice: few files may be open",
        ],
    )
