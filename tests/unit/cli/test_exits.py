"""An interrupt is heard wherever the program is when it comes."""

from __future__ import annotations

import signal
import sys
import time

import click

from dowse.cli.exits import exit_status


class Forgotten:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)


@click.command()
def forgets_and_sleeps() -> None:
    Forgotten()
    time.sleep(20)


def test_an_interrupt_while_an_object_is_forgotten_ends_the_program() -> None:
    began, hook = time.monotonic(), sys.unraisablehook
    assert exit_status(lambda: forgets_and_sleeps.main([], standalone_mode=False)) == 130
    assert time.monotonic() - began < 10
    assert sys.unraisablehook is hook


def test_it_comes_again_only_while_the_program_runs() -> None:
    assert exit_status(lambda: Forgotten() and None) == 0
    time.sleep(0.2)  # an interrupt now would be one of the tests


def test_other_trouble_of_a_forgotten_object_is_told_as_ever() -> None:
    told: list[object] = []
    hook, sys.unraisablehook = sys.unraisablehook, lambda dropped: told.append(dropped.exc_type)

    class Troubled:
        def __del__(self) -> None:
            raise ValueError

    try:
        assert exit_status(lambda: Troubled() and None) == 0
    finally:
        sys.unraisablehook = hook
    assert told == [ValueError]
