"""How the program ends: its exit statuses, and every error on standard error, as one line for programs and files."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from dowse.cli.streams import OutputLost, OutputUnread, give_up_output
from dowse.cli.terminal import say
from dowse.cli.wording import wrapped
from dowse.core.errors import DowseError, FileUnwritable, JobError, NotLearned

EXIT_CODES = {
    0: "done as asked, also when a limit such as --max-pages ended it",
    1: "not done: no page could be fetched, or what was asked for is not there",
    2: "wrong usage, or a job that cannot be run as written",
    3: "the crawl is missing, in use by another process, or cannot go on",
    130: "stopped with Ctrl-C or SIGTERM; dowse resume goes on",
    141: "nobody reads its output any more, as in dowse export ... | head",
}
EPILOG = "\b\nExit status:\n" + "\n".join(f"  {code:>3}  {text}" for code, text in EXIT_CODES.items())


TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))

_SOON = 0.05
"""Seconds until an interrupt that was dropped comes again; by then the object is forgotten."""


class Unfulfilled(click.ClickException):
    """The command ran but could not do what was asked."""

    exit_code = 1


class NoCommand(click.UsageError):
    """A group of commands was named and none of them; the text is its help."""


class Interrupted(click.ClickException):
    """The user stopped the crawl; the text says how to continue it."""

    exit_code = 130


def exit_status(run: Callable[[], Any]) -> int:
    """Run the command line and turn whatever ends it into an exit status."""
    try:
        with _ended_as_by_interrupt(), _interrupts_heard():
            return _status(run)
    except OutputLost as error:
        give_up_output()
        return 141 if isinstance(error, OutputUnread) else _fail(str(error), 3)


@contextmanager
def _ended_as_by_interrupt() -> Iterator[None]:
    """SIGTERM and SIGHUP end a command as Ctrl-C does, also where no crawl runs: what it began to write is removed.

    A signal that the user wants ignored (nohup) stays so.
    """
    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [number for number in TERMINATING if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _interrupts_heard() -> Iterator[None]:
    """Python drops an interrupt that comes while an object is being forgotten (`__del__`), and a long search would go
    on to its end. It comes again then, a moment later. Crawls and watches do not need this: their signals raise
    nothing, and set a flag that stays (pools/event_loop.py)."""
    before = sys.unraisablehook
    coming: list[threading.Timer] = []

    def answer(dropped: sys.UnraisableHookArgs) -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            again = threading.Timer(_SOON, _interrupt)
            again.daemon = True
            coming.append(again)
            again.start()
        else:
            before(dropped)

    sys.unraisablehook = answer
    try:
        yield
    finally:
        sys.unraisablehook = before
        for each in coming:
            each.cancel()


def _interrupt() -> None:
    """Interrupt the main thread, also in its sleep, by a signal that is not ignored."""
    heard = [number for number in (signal.SIGINT, *TERMINATING) if callable(signal.getsignal(number))]
    if heard and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, heard[0])
    else:  # Windows; where every signal is ignored this is too
        _thread.interrupt_main()


def _status(run: Callable[[], Any]) -> int:
    try:
        status = run() or 0
        sys.stdout.flush()
        return status
    except NoCommand as error:
        say(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        return _fail(error.format_message() + hint, 2)
    except Interrupted as error:
        say(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    except click.Abort:  # Ctrl-C outside of a crawl
        return 130
    except NotLearned as error:
        return _fail(str(error), 1)
    except JobError as error:
        from dowse.cli.option_words import as_typed  # with the options of every mode, for a message alone

        return _fail(as_typed(str(error)), 2)
    except FileUnwritable as error:
        return _fail(str(error), 2)
    except DowseError as error:
        return _fail(str(error), 3)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), 3)


def _fail(message: str, code: int) -> int:
    line = f"dowse: error: {' '.join(message.split())}"
    say(wrapped(line, 2) if sys.stderr.isatty() else line, err=True)
    return code
