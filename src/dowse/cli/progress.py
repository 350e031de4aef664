"""A running crawl on the terminal: a live block of a few lines, or plain lines where there is no terminal.

    quiet                  errors in what was given, and nothing else
    stderr is a terminal   LiveBlock: redrawn in place, gone when the crawl is over
    else                   PlainLines: one line every five seconds, later less often, and one at the end

Everything goes to standard error, so that standard output holds only results.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from dowse.cli.progress_words import cluster_text, hosts_line, seconds_to_next_line, waiting_line
from dowse.cli.terminal import say
from dowse.cli.wording import (
    WIDTH,
    counted,
    duration_text,
    printable,
    share_text,
    shortened,
    shortened_url,
    size_text,
    wrapped,
)
from dowse.core.protocols import Wait
from dowse.engine.events import Event, Learned, Notice, Paused, Problem, Progress, Stopped, Stopping, Visited

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.text import Text

Listener = Callable[[Event], None]

BAR_WIDTH = 40

_LONG_REST = 60.0


@contextmanager
def watching(*, quiet: bool, verbose: bool) -> Iterator[Listener]:
    """The listener that suits the terminal, for as long as a crawl runs."""
    if quiet:
        yield tell_errors
    elif sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown"):
        # Importing rich takes 60 ms, as long as all the rest of a command; without a live block nobody needs it.
        from rich.console import Console

        with LiveBlock(Console(stderr=True), verbose).shown() as listener:
            yield listener
    else:
        yield PlainLines(verbose)


@contextmanager
def counting(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Takes how much is done and how much there is, and draws a bar on a terminal, with the share and the time left."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with ExitStack() as stack:
        drawn: list[Callable[[int, int], None]] = []

        def told(done: int, total: int) -> None:
            if not drawn:  # what is done before anybody can look at it needs no bar
                drawn.append(_bar(what, stack))
            drawn[0](done, total)

        yield told


def _bar(what: str, stack: ExitStack) -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = stack.enter_context(Bar(console=Console(stderr=True), transient=True))
    row = bar.add_task(what, total=None)
    return lambda done, total: bar.update(row, completed=done, total=total)


class PlainLines:
    """Progress as lines of text. The crawl's own clock says when the next is due."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._due = seconds_to_next_line(0.0)
        self._paused = ""
        self._waits: set[tuple[str, str, float]] = set()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress) and event.waits is not None:
            self._say_once(event.waits)
        match event:
            case Progress() if event.elapsed >= self._due:
                self._due = event.elapsed + seconds_to_next_line(event.elapsed)
                self._paused = ""
                self._say(progress_line(event))
            case Stopped():
                self._say(progress_line(event.progress))
            case Visited() if self._verbose:
                self._say(visited_line(event))
            case Learned():
                self._say(f"learned: {printable(event.sentence)}")
            case Paused() if event.reason != self._paused:
                self._paused = event.reason
                self._say(f"paused: {event.reason}")
            case Notice():
                self._say(f"notice: {printable(event.text)}")
                event.shown()
            case Problem():
                self._say(problem_text(event))
            case Stopping():
                self._say(stopping_text(event))

    def _say_once(self, wait: Wait) -> None:
        """A host that rests after every request is not told of every time, unless its rest is a long one."""
        is_long = wait.until - time.time() > _LONG_REST
        told = (wait.host, wait.why, wait.until if is_long else 0.0)
        if told not in self._waits:
            self._waits.add(told)
            self._say(waiting_line(wait))

    def _say(self, line: str) -> None:
        say(line, err=True)


class LiveBlock:
    """Progress as a block of lines that is redrawn in place when the crawl tells something."""

    def __init__(self, console: Console, verbose: bool) -> None:
        self._console = console
        self._verbose = verbose
        self._live = _live(console)

    @contextmanager
    def shown(self) -> Iterator[Listener]:
        """Take the terminal for the block with the first event, for before that a password may be asked for, and give
        it back whatever happens."""
        try:
            yield self
        finally:
            self._live.stop()

    def hide(self) -> None:
        """Give the terminal to somebody else until there is something to tell. What is drawn then is a new block: the
        old one would first take back as many lines as it had, and these are what somebody else has written."""
        self._live.stop()
        self._live = _live(self._console)

    def __call__(self, event: Event) -> None:
        self._live.start()
        match event:
            case Progress():
                self._live.update(progress_block(event), refresh=True)
            case Visited() if self._verbose:
                self._live.console.print(visited_line(event), markup=False, highlight=False, soft_wrap=True)
            case Learned():
                self._print(f"learned: {printable(event.sentence)}")
            case Paused():
                self._live.update(paused_block(event), refresh=True)
            case Notice():
                self._print(f"notice: {printable(event.text)}")
                event.shown()
            case Problem():
                self._print(problem_text(event))
            case Stopping():
                self._live.console.print(stopping_text(event))

    def _print(self, text: str) -> None:
        """Print a sentence above the block, broken between words."""
        self._live.console.print(wrapped(text, 2), markup=False, highlight=False, soft_wrap=True)


def _live(console: Console) -> Live:
    """Redrawn only when told to: a thread that redraws would take time from the crawl."""
    from rich.live import Live

    return Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)


def progress_line(progress: Progress) -> str:
    """A snapshot in one line."""
    counts = progress.counts
    words = [
        f"{duration_text(progress.elapsed)}  {counted(progress.pages, 'page')} ({progress.pages_per_second:,.1f}/s)",
        *([counted(progress.requisites, "requisite")] if progress.requisites else []),
        f"{counts.get('waiting', 0):,} waiting",
        *([f"{progress.rereads:,} to judge again"] if progress.rereads else []),
        *([f"{counts['kept']:,} kept"] if "kept" in counts else []),
        *([counted(progress.found.number, progress.found.noun)] if progress.found is not None else []),
        f"{counts.get('failed', 0):,} failed",
        f"{counts.get('out_of_scope', 0):,} out of scope",
        size_text(progress.bytes_received),
    ]
    if progress.share is not None:
        words.append(f"{share_text(progress.share, 1)} done")
    if progress.seconds_left is not None:
        words.append(f"{duration_text(progress.seconds_left)} left")
    if progress.cluster is not None:
        words.append(cluster_text(progress.cluster))
    if progress.page:
        words.append(f"at {shortened_url(printable(progress.page), WIDTH)}")
    return ", ".join(words)


def visited_line(event: Visited) -> str:
    """One URL that is done."""
    return f"{event.status or '---'} {printable(event.what):<12} {printable(event.url)}"


def progress_block(progress: Progress) -> RenderableType:
    """A snapshot in a few lines."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    counts = progress.counts
    left = "" if progress.seconds_left is None else duration_text(progress.seconds_left)
    failed = counts.get("failed", 0)
    unvisited = "kept" if "kept" in counts else "out_of_scope"  # a rule crawl is about what it keeps
    found = progress.found
    last = (f"{found.noun}s", found.number) if found is not None else ("duplicate", counts.get("duplicate", 0))
    if found is None and progress.requisites:
        last = ("requisites", progress.requisites)
    grid = Table.grid(padding=(0, 1))
    for _ in range(3):
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(justify="right", min_width=10, no_wrap=True)
        grid.add_column(width=1)
    rows = (
        ("pages", Text(f"{progress.pages:,}", "bold green"), "waiting", f"{counts.get('waiting', 0):,}",
         "elapsed", duration_text(progress.elapsed)),
        ("pages/s", f"{progress.pages_per_second:,.1f}", "failed", Text(f"{failed:,}", "red" if failed else ""),
         "left" if left else "", left),
        ("bytes", size_text(progress.bytes_received), unvisited.replace("_", " "), f"{counts.get(unvisited, 0):,}",
         last[0], f"{last[1]:,}"),
    )  # fmt: skip
    for first, first_value, second, second_value, third, third_value in rows:
        grid.add_row(first, first_value, "", second, second_value, "", third, third_value, "")
    lines: list[RenderableType] = [grid]
    if progress.share is not None:
        lines.append(share_bar(progress.share))
    if progress.rereads:
        lines.append(Text(f"stored pages to judge for the new topic: {progress.rereads:,}", "yellow"))
    if progress.cluster is not None:
        nodes = f"{cluster_text(progress.cluster)}: {hosts_line(progress.cluster.nodes)}"
        lines.append(Text(f"cluster {nodes}", "dim", no_wrap=True, overflow="ellipsis"))
    if progress.waits is not None:
        return Group(*lines, Text(waiting_line(progress.waits), "yellow"))
    if progress.page:
        page = shortened_url(printable(progress.page), WIDTH - len("now at  "))
        lines.append(Text(f"now at  {page}", "dim", no_wrap=True, overflow="ellipsis"))
    if len(progress.hosts) > 1 or not progress.page:
        name = "hosts " if progress.page else "now at"
        lines.append(Text(f"{name}  {hosts_line(progress.hosts)}", "dim", no_wrap=True, overflow="ellipsis"))
    return Group(*lines)


def share_bar(share: float) -> Text:
    """How much is done, drawn and in per cent."""
    from rich.text import Text

    done = int(share * BAR_WIDTH)
    percent = f"  {share_text(share, 1)}"
    return Text.assemble(("done    ", "dim"), ("━" * done, "green"), ("━" * (BAR_WIDTH - done), "dim"), percent)


def paused_block(event: Paused) -> RenderableType:
    """Why nothing moves."""
    from rich.text import Text

    return Text(f"paused: {shortened(printable(event.reason), 200)}", "bold yellow")


def tell_errors(event: Event) -> None:
    """What is told even to those who want to hear nothing."""
    if isinstance(event, Problem) and event.is_error:
        say(problem_text(event), err=True)


def problem_text(event: Problem) -> str:
    return f"{'error' if event.is_error else 'warning'}: {printable(event.text)}"


def stopping_text(event: Stopping) -> str:
    ending = f"; {counted(event.requests, 'request')} under way may end first" if event.requests else ""
    if event.rereads:
        left = counted(event.rereads, "stored page")
        ending = f"; no request is under way, and dowse resume goes on to judge {left} again"
    return f"stopping{ending} (Ctrl-C again ends at once)"
