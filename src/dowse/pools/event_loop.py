"""The event loop to run on: uvloop where it exists, asyncio's own elsewhere; in notebooks, and until somebody stops it.

A wish to stop is a flag that stays (`StopRequest`). A signal only sets it, wherever the program is: an exception may be
raised in a callback or while an object is forgotten, where nobody hears it, and what a loop notes for itself is gone
with the loop. Whoever begins something or waits looks at the flag, at the latest when the work is done.

Ctrl-C, SIGTERM, SIGHUP     the first asks for a clean stop, the second ends at once
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
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
        self._wake: Callable[[], object] | None = None

    def ask(self) -> None:
        """May be called at any moment: by a signal, and by another thread."""
        self.asked = True
        if self._wake is not None:
            with suppress(RuntimeError):  # the loop has ended; the flag is what is looked at then
                self._wake()

    def goes_to(self, stop: Callable[[], object]) -> None:
        """From now on this is what ends the work of the event loop that runs here. It may be called twice."""
        loop = asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(stop)
        if self.asked:
            stop()

    def heed(self) -> None:
        """Begin nothing more if somebody has asked."""
        if self.asked:
            raise KeyboardInterrupt


_hearing: ContextVar[StopRequest | None] = ContextVar("hearing", default=None)
"""Whom the signals of this program go to now. A watch has one wish for all its crawls."""


def current_stop() -> StopRequest:
    """What the signals go to where a block of `stopping_on_signals` is open; elsewhere a wish of one's own."""
    return _hearing.get() or StopRequest()


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


def run_anywhere(main: Coroutine[Any, Any, Any]) -> None:
    """Run on a new event loop; in a notebook, where one is running already, on a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run(main)
        return
    _OnThread(main).wait()


class _OnThread:
    """A coroutine on a loop and thread of its own, while another thread waits for its end."""

    def __init__(self, main: Coroutine[Any, Any, Any]) -> None:
        self._main = main
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._is_unwanted = False
        self._trouble: BaseException | None = None
        self._ended = threading.Event()
        # In the context of the caller, by which a notebook knows where its cell is.
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), name="dowse")

    def wait(self) -> None:
        """Until it has ended. An interrupt that is raised here ends it at once."""
        try:
            self._thread.start()
            while not self._ended.wait(_LOOK):  # not `join`, which takes a thread for dead when it is interrupted
                pass
        except KeyboardInterrupt:
            self._cancel()
            if self._thread.is_alive():
                self._ended.wait()
            raise
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
        self._task, self._loop = asyncio.current_task(), asyncio.get_running_loop()
        if self._is_unwanted and self._task is not None:
            self._task.cancel()
        await self._main

    def _cancel(self) -> None:
        self._is_unwanted = True  # also where there is no loop yet, or hardly a thread
        with suppress(RuntimeError):  # one that has just ended needs it no more
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)


@contextmanager
def stopping_on_signals(stop: StopRequest) -> Iterator[None]:
    """The first signal asks for a stop, which is to be looked at when the block has ended; the second does what it
    would have done without us. A block within one of the same wish leaves them to it.

    SIGTERM and SIGHUP are left to a program that ignores them (nohup) or answers them itself. Ctrl-C is not: a loop
    swallows what its answer raises, and a script's background job, which shells make deaf to it, could not be stopped.
    """
    if _hearing.get() is stop or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = dict(_ours())

    def asked(_number: int, _frame: object) -> None:
        stop.ask()
        _answer_by({**before, signal.SIGINT: signal.default_int_handler})

    token = _hearing.set(stop)
    try:
        _answer_by(dict.fromkeys(before, asked))
        yield
    finally:
        _hearing.reset(token)
        _answer_by(before)


def _ours() -> Iterator[tuple[signal.Signals, Any]]:
    """The signals that end a run, each with what it does now."""
    for number in TERMINATING:
        before = signal.getsignal(number)
        if before in (signal.SIG_DFL, signal.default_int_handler):
            yield number, before
    yield signal.SIGINT, signal.getsignal(signal.SIGINT)


def _answer_by(answers: Mapping[signal.Signals, Any]) -> None:
    for number, answer in answers.items():
        signal.signal(number, answer)
