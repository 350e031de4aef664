"""What crawling commands share: their options, the run with its display, and where results go."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from msgspec import json, to_builtins

from dowse.cli.asking import ask_about
from dowse.cli.exits import Interrupted, NoCommand, Unfulfilled
from dowse.cli.streams import by_the_way
from dowse.cli.terminal import say, standard_output
from dowse.cli.wording import printable
from dowse.core.errors import CrawlInterrupted, CrawlLocked, JobError
from dowse.engine.events import Paused
from dowse.export.atomic_file import writing

if TYPE_CHECKING:
    from dowse.app import Crawl, Summary
    from dowse.cli.asking_meanwhile import Questions
    from dowse.cli.progress import Listener
    from dowse.core.job import Job

DIRECTORY = click.argument("directory", metavar="DIR")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object on standard output.")
DROP = click.option(
    "--drop", metavar="NAME", multiple=True, help="A field to take no more, by its name. May be given several times."
)
WAIT = click.option("--wait", is_flag=True, help="Wait until no other process runs the crawl, then go on with it.")

MOST_NAMED = 20
"""Stored pages that are named one by one when they are damaged."""

_SENTENCE = 1_000
"""More letters than the first sentence about a command has."""

_TURN = 1.0
"""Seconds between two tries to take a crawl over."""


class Commands(click.Group):
    """The commands in the order of a crawl's life, not of the alphabet."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:  # click itself ends differently from version to version
            raise NoCommand(ctx.get_help(), ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first sentence of each as a whole; click itself cuts it where the line ends."""
        shown = [(name, each.get_short_help_str(_SENTENCE)) for name, each in self.commands.items() if not each.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(shown)


def taking_over(run: Callable[[Listener | None], Summary], *, wait: bool) -> Callable[[Listener | None], Summary]:
    """A run that waits for whoever has the crawl to be gone, if it is to."""

    def waiting(listener: Listener | None) -> Summary:
        while True:
            try:
                return run(listener)
            except CrawlLocked as error:
                if not wait:
                    raise
                if listener is not None:
                    listener(Paused(f"{error}; waiting to take it over (Ctrl-C stops)"))
                time.sleep(_TURN)

    return waiting


def display_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every crawling command that are not about the job: how it talks."""
    for option in (
        JSON,
        click.option("-v", "--verbose", is_flag=True, help="Print one line for every URL visited."),
        click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
    ):
        command = option(command)
    return command


def folder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that begin a crawl: where it goes."""
    for option in (
        click.option("--save", metavar="JOB.toml", help="Write the job to this file (- prints it) and do not run it."),
        click.option(
            "-o", "--output", metavar="DIR", help="Folder of the crawl.  [default: named after the host or the table]"
        ),
    ):
        command = option(command)
    return command


SEED_LIST = click.option(
    "-i",
    "--seeds-from",
    metavar="LIST",
    help="Start from the URLs of this list too: a file with one a line (- is standard input), a sitemap (file or URL),"
    " the folder of another crawl (DIR or DIR:TABLE), or cdx:URL, a query to a web archive.",
)


def written(**options: Any) -> dict[str, Any]:
    """Those options of a command's own that somebody wrote."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def begin(job: Job, save: str | None, **display: bool) -> None:
    """Start a new crawl, or only write its job down."""
    from dowse import app
    from dowse.config import dump_job
    from dowse.core.private_jobs import is_private, without_secrets

    if save is not None:
        if Path(save).exists():  # which may have been edited by hand
            raise JobError(f"{save} exists; remove it first, or choose another name")
        with output_file(save, private=is_private(job)) as stream:
            stream.write(dump_job(job).encode())
        if save != "-" and not display["quiet"]:
            if without_secrets(job) != job:
                say("passwords are not written down: dowse run asks for them, and takes env:NAME", err=True)
            say(f"wrote {save}; run it with: dowse run {shlex.quote(save)}", err=True)
        return
    crawl(job.output, lambda listener: app.start(job, listener), **display)


def crawl(
    directory: str, act: Callable[[Listener | None], Summary], *, quiet: bool, verbose: bool, as_json: bool
) -> None:
    """Run a crawl with its display, print what came of it, and leave with the exit status that says so."""
    from dowse import app
    from dowse.cli import troubles_output
    from dowse.cli.asking_meanwhile import Questions, can_ask
    from dowse.cli.empty_crawl_output import why_nothing
    from dowse.cli.results_output import results_json
    from dowse.cli.summary_output import final_text

    stopped = False
    questions: Questions | None = None

    def asking(listener: Listener | None) -> Summary:
        nonlocal questions
        if listener is None or quiet or as_json or not can_ask():
            return act(listener)
        questions = Questions(directory, listener)
        return act(questions)

    try:
        summary = run_watched(directory, asking, quiet=quiet, verbose=verbose)
    except CrawlInterrupted as interrupt:
        summary, stopped = interrupt.summary, True
    result = app.read(directory)
    troubles = result.troubles
    if as_json:
        told = {**results_json(result), "troubles": to_builtins(troubles)}
        say(to_json({**to_builtins(summary), **told}))
    elif summary.pages and not quiet:
        with by_the_way():  # the crawl is in its folder, and the exit status is about that
            echo_lines(final_text(summary, result, says_goodbye=stopped))
        if not stopped:
            _ask_more(result, questions)
    if stopped:
        raise Interrupted(goodbye(directory))
    if summary.pages == 0:
        raise Unfulfilled(why_nothing(result))
    if trouble := result.results().trouble or troubles_output.not_done(troubles):
        raise Unfulfilled(trouble)


def _ask_more(crawl: Crawl, questions: Questions | None) -> None:
    """Ask about pages when the crawl has ended, if that was wished for, and as far as it was not done before."""
    most = crawl.mode.questions(crawl.job)
    if questions is not None:
        most = 0 if questions.is_enough else most - questions.asked
    if most > 0:
        ask_about(crawl, most, questions.skipped if questions is not None else ())


def run_watched(directory: str, act: Callable[[Listener | None], Summary], *, quiet: bool, verbose: bool) -> Summary:
    """Run a crawl with its display. One that was stopped cleanly is left to the caller to tell of."""
    from dowse.cli import progress

    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot both be had")
    try:
        with progress.watching(quiet=quiet, verbose=verbose) as listener:
            return act(listener)
    except CrawlInterrupted:
        raise
    except KeyboardInterrupt:  # the second Ctrl-C: the app has not even tidied up
        raise Interrupted(goodbye(directory)) from None


def goodbye(directory: str) -> str:
    """The last line of a crawl that was stopped."""
    return f"stopped; continue with: dowse resume {shlex.quote(directory)}"


@contextmanager
def output_file(path: str, *, binary: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A file that the user named, or standard output for -, which must not be a terminal if what comes is `binary`."""
    if path != "-":
        with writing(path, private=private) as stream:
            yield stream
        return
    if binary and sys.stdout.isatty():
        raise click.UsageError("this format is nothing for a terminal: name a file with -f FILE, or use a pipe")
    stream = standard_output()
    yield stream
    stream.flush()


def to_json(value: object) -> str:
    """A result for programs."""
    return json.encode(value).decode()


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines to standard output."""
    say("\n".join(lines))


def echo_damage(lines: list[str]) -> None:
    """Name what could not be read of a crawl, on standard error."""
    for line in lines[:MOST_NAMED]:
        say(f"damaged: {printable(line)}", err=True)
    if len(lines) > MOST_NAMED:
        say(f"damaged: {len(lines) - MOST_NAMED:,} more", err=True)
