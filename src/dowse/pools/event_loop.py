"""The event loop to run on: uvloop where it exists, asyncio's own elsewhere; in notebooks, and until Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


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
    trouble: list[BaseException] = []

    def target() -> None:
        try:
            run(main)
        except BaseException as error:  # noqa: BLE001, raised again in the caller's thread
            trouble.append(error)

    thread = threading.Thread(target=target, name="dowse")
    thread.start()
    thread.join()
    if trouble:
        raise trouble[0]


@contextmanager
def stopping_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls `stop`; the second ends the program as it always does."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        stop()

    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
    except NotImplementedError:  # Windows has no signal handlers on its loop; there Ctrl-C ends the program
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
