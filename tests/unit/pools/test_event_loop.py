"""A wish to stop is not forgotten, whenever it comes and whoever swallows what a signal raises."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from dowse.pools.event_loop import StopRequest, current_stop, run, run_anywhere, stopping_on_signals


@contextmanager
def as_programs_do() -> Iterator[None]:
    """SIGTERM as an interrupt, as the commands have it."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Forgotten:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_sets_the_flag_and_the_second_interrupts(number: signal.Signals) -> None:
    stop = StopRequest()
    with as_programs_do():
        with stopping_on_signals(stop):
            signal.raise_signal(number)
            assert stop.asked
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
        assert signal.getsignal(number) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        stop.heed()


def test_one_that_comes_while_an_object_is_forgotten_is_heard() -> None:
    stop = StopRequest()
    with stopping_on_signals(stop):
        Forgotten()
    assert stop.asked


def test_one_that_comes_in_the_last_step_of_a_loop_is_heard() -> None:
    async def work() -> None:
        stop.goes_to(stopped.set)
        signal.raise_signal(signal.SIGINT)

    stop, stopped = StopRequest(), threading.Event()
    with stopping_on_signals(stop):
        run(work())
    assert stop.asked


def test_it_wakes_the_loop() -> None:
    async def work() -> None:
        stopped = asyncio.Event()
        stop.goes_to(stopped.set)
        await asyncio.wait_for(stopped.wait(), 10)

    stop = StopRequest()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with stopping_on_signals(stop):
        run(work())
    timer.join()
    stop.ask()  # nobody is there any more
    assert stop.asked


def test_a_block_within_one_has_the_same_wish_also_when_it_begins_later() -> None:
    with stopping_on_signals(outer := StopRequest()):
        signal.raise_signal(signal.SIGINT)
        assert current_stop() is outer
        with stopping_on_signals(current_stop()):
            assert current_stop().asked
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "the second ends at once"
    assert current_stop() is not outer


def test_work_on_a_thread_ends_with_the_first_interrupt_that_is_raised() -> None:
    ended: list[str] = []

    async def work() -> None:
        timer.start()
        try:
            await asyncio.sleep(20)
        finally:
            ended.append("cleanly")

    async def cell() -> None:
        run_anywhere(work())

    began = time.monotonic()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    # No runner, which would answer the interrupt itself.
    with closing(asyncio.new_event_loop()) as loop, pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(cell())
    timer.join()
    assert time.monotonic() - began < 10
    assert ended == ["cleanly"]
