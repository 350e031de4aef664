"""The event loop to run on: uvloop where it exists, asyncio's own elsewhere; in notebooks, and until somebody stops it.

Ctrl-C, SIGTERM, SIGHUP     the first asks for a clean stop, the second ends at once
in a notebook               the same by the kernel's interrupt, which comes as KeyboardInterrupt while we wait
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""How a machine says that a program is to end; Windows has no SIGHUP."""

_LOOK = 0.5
"""Seconds between two looks at whether a thread has ended: Windows hears of an interrupt between two waits only."""


class StopRequest:
    """A wish for a clean end. It may come before there is anything to end, and is not forgotten then."""

    def __init__(self) -> None:
        self.asked = False
        self._stop: Callable[[], None] | None = None

    def ask(self) -> None:
        self.asked = True
        if self._stop is not None:
            self._stop()

    def goes_to(self, stop: Callable[[], None]) -> None:
        """From now on this is what ends the run."""
        self._stop = stop
        if self.asked:
            stop()


class Reader(Protocol):
    """Somebody who takes the pages of a run while they come. The run does not hurry ahead of them, and ends when they
    ask for it."""

    stop: StopRequest

    def room(self) -> int:
        """How many more pages may be fetched before some have to be taken."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the fastest loop there is."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)


def run_anywhere(main: Coroutine[Any, Any, Any], stop: StopRequest) -> None:
    """Run on a new event loop; in a notebook, where one is running already, on a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run(main)
        return
    _OnThread(main).wait(stop)


class _OnThread:
    """A coroutine on a loop and thread of its own, while another thread waits for its end."""

    def __init__(self, main: Coroutine[Any, Any, Any]) -> None:
        self._main = main
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._trouble: BaseException | None = None
        self._ended = threading.Event()
        # In the context of the caller, by which a notebook knows where its cell is.
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), name="dowse")

    def wait(self, stop: StopRequest) -> None:
        """Until it has ended. The first interrupt asks it to stop; the second ends it and is raised."""
        self._thread.start()
        while not self._ended.is_set():  # not `join`, which takes a thread for dead when it is interrupted
            try:
                self._ended.wait(_LOOK)
            except KeyboardInterrupt:
                if stop.asked:
                    self._call(self._cancel)
                    self._ended.wait()
                    raise
                stop.asked = True  # also where there is no loop yet
                self._call(stop.ask)
        self._thread.join()
        if self._trouble is not None:
            raise self._trouble

    def _run(self) -> None:
        try:
            run(self._noted())
        except BaseException as error:  # noqa: BLE001, raised again in the caller's thread
            self._trouble = error
        finally:
            self._ended.set()

    async def _noted(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        await self._main

    def _call(self, act: Callable[[], object]) -> None:
        """Do it on the other thread; one that has just ended needs it no more."""
        with suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(act)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


@contextmanager
def stopping_on_signals(stop: StopRequest) -> Iterator[None]:
    """The first signal asks for a stop; the second does what it would have done without us.

    SIGTERM and SIGHUP are left to a program that ignores them (nohup) or answers them itself. Ctrl-C is not: a loop
    swallows what its answer raises, and a script's background job, which shells make deaf to it, could not be stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    taken: dict[signal.Signals, Any] = {}

    def asked() -> None:
        at_once = {signal.SIGINT: signal.default_int_handler}
        _give_back(loop, {number: at_once.get(number, before) for number, before in taken.items()})
        stop.ask()

    with suppress(NotImplementedError):  # Windows has no signal handlers on its loop; there Ctrl-C ends the program
        for number, before in _ours():
            loop.add_signal_handler(number, asked)
            taken[number] = before
    try:
        yield
    finally:
        _give_back(loop, taken)


def _ours() -> Iterator[tuple[signal.Signals, Any]]:
    """The signals that end a run, each with what it does now."""
    yield signal.SIGINT, signal.getsignal(signal.SIGINT)
    for number in TERMINATING:
        before = signal.getsignal(number)
        if before in (signal.SIG_DFL, signal.default_int_handler):
            yield number, before


def _give_back(loop: asyncio.AbstractEventLoop, handlers: dict[signal.Signals, Any]) -> None:
    for number, before in handlers.items():
        loop.remove_signal_handler(number)
        signal.signal(number, before)
