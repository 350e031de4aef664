"""The commands. Each reads its words, calls `dowse.app` and prints what came of it.

    crawl commands   site run resume retry recrawl demo   JobCommand: every setting is an option
    read commands    status why export report             only read a crawl, also while it runs
    extract                                               reads the stored pages again

Results go to standard output, all else to standard error.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from msgspec import json, to_builtins

from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled, exit_status
from dowse.cli.options import JobCommand, given
from dowse.export.files import writing
from dowse.export.forms import BINARY, FORMS, form_of
from dowse.version import VERSION

if TYPE_CHECKING:
    from dowse.app import Summary
    from dowse.cli.progress import Listener
    from dowse.core.job import Job

DIRECTORY = click.argument("directory", metavar="DIR")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object on standard output.")


class Commands(click.Group):
    """The commands in the order of a crawl's life, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def manners(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every crawling command that are not about the job: how it talks."""
    for option in (
        JSON,
        click.option("-v", "--verbose", is_flag=True, help="Print one line for every URL visited."),
        click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
    ):
        command = option(command)
    return command


def placing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that begin a crawl: where it goes."""
    for option in (
        click.option("--save", metavar="JOB.toml", help="Write the job to this file (- prints it) and do not run it."),
        click.option("-o", "--output", metavar="DIR", help="Folder of the crawl.  [default: named after the host]"),
    ):
        command = option(command)
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(VERSION, "-V", "--version", message="dowse %(version)s")
def cli() -> None:
    """dowse, a focused web crawler.

    A crawl is a folder: dowse site makes one, the other commands continue and read it.
    """


@cli.command(cls=JobCommand, epilog=EPILOG)
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@placing
@manners
def site(urls: tuple[str, ...], output: str | None, save: str | None, **manner: bool) -> None:
    """Crawl whole sites, each page exactly once."""
    from dowse.config import make_job

    place = {} if output is None else {"output": output}
    begin(make_job("site", urls, **given(), **place), save, **manner)


@cli.command(cls=JobCommand, epilog=EPILOG)
@click.argument("job_file", metavar="JOB.toml")
@placing
@manners
def run(job_file: str, output: str | None, save: str | None, **manner: bool) -> None:
    """Run the job of a file. Options win over the file's keys."""
    from dowse.config import load_job

    place = {} if output is None else {"output": output}
    begin(load_job(job_file, **given(), **place), save, **manner)


def begin(job: Job, save: str | None, **manner: bool) -> None:
    """Start a new crawl, or only write its job down."""
    from dowse import app
    from dowse.config import dump_job

    if save is not None:
        with output_file(save) as stream:
            stream.write(dump_job(job).encode())
        if save != "-" and not manner["quiet"]:
            click.echo(f"wrote {save}; run it with: dowse run {shlex.quote(save)}", err=True)
        return
    crawl(job.output, lambda listener: app.start(job, listener), **manner)


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@manners
def resume(directory: str, **manner: bool) -> None:
    """Continue a crawl that was stopped, killed or ended by a limit."""
    from dowse import app

    crawl(directory, lambda listener: app.resume(directory, listener, **given()), **manner)


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@manners
def retry(directory: str, **manner: bool) -> None:
    """Try once more what failed, and nothing else."""
    from dowse import app

    crawl(directory, lambda listener: app.retry(directory, listener, **given()), **manner)


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@manners
def recrawl(directory: str, **manner: bool) -> None:
    """Visit every page again; unchanged ones are not processed again."""
    from dowse import app

    crawl(directory, lambda listener: app.recrawl(directory, listener, **given()), **manner)


@cli.command(cls=JobCommand, epilog=EPILOG)
@click.option("-o", "--output", metavar="DIR", help="Folder of the crawl.  [default: the first free dowse-demo]")
@manners
def demo(output: str | None, **manner: bool) -> None:
    """Serve a bundled sample site on this machine and crawl it. Needs no network."""
    from dowse.config import make_job
    from dowse.demo import DemoSite

    numbered = (f"dowse-demo-{number}" if number > 1 else "dowse-demo" for number in range(1, 10_000))
    place = output or next(name for name in numbered if not Path(name).exists())
    with DemoSite() as sample:
        job = make_job("site", sample.url, output=place, **{"delay": 0.0, **given()})
        begin(job, None, **manner)


def crawl(
    directory: str, act: Callable[[Listener | None], Summary], *, quiet: bool, verbose: bool, as_json: bool
) -> None:
    """Run a crawl with its display, print what came of it, and leave with the exit status that says so."""
    from dowse import app
    from dowse.cli import output, progress

    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot both be had")
    goodbye = f"stopped; continue with: dowse resume {shlex.quote(directory)}"
    try:
        with progress.watching(quiet=quiet, verbose=verbose) as listener:
            summary = act(listener)
    except KeyboardInterrupt:  # the second Ctrl-C: the app has not even tidied up
        raise Interrupted(goodbye) from None
    result = app.read(directory)
    if as_json:
        click.echo(to_json({**to_builtins(summary), **output.fields_json(result)}))
    elif summary.pages and not quiet:
        echo_lines(output.final_text(summary, result))
    if summary.stop_reason == "interrupted":
        raise Interrupted(goodbye)
    if summary.pages == 0:
        raise Unfulfilled(output.why_nothing(result))


@cli.command()
@DIRECTORY
@JSON
def status(directory: str, as_json: bool) -> None:
    """Show how far a crawl is: its ledger, by state and reason."""
    from dowse import app
    from dowse.cli import output

    found = app.read(directory)
    if as_json:
        ledger = [{"state": row.state, "reason": row.reason, "count": row.count} for row in found.balance()]
        click.echo(to_json({**to_builtins(found.status()), "ledger": ledger, **output.fields_json(found)}))
    else:
        echo_lines(output.status_text(found))


@cli.command()
@DIRECTORY
@click.argument("url")
@JSON
def why(directory: str, url: str, as_json: bool) -> None:
    """Tell the story of one URL.

    Who linked to it and with which words, which rule decided, when it was fetched and what came of it.
    """
    from dowse import app
    from dowse.cli import output

    story = app.read(directory).why(url)
    if story is None:
        raise Unfulfilled(f"{url} was never seen in this crawl; no page it fetched links to it")
    if as_json:
        click.echo(to_json(story))
    else:
        echo_lines(output.story_text(story))


@cli.command(cls=JobCommand, group="extract", epilog=EPILOG)
@DIRECTORY
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def extract(directory: str, quiet: bool) -> None:
    """Take fields from the stored pages of a crawl, without fetching anything.

    A field given here replaces the crawl's field of that name; its other fields stay. Records are replaced at once.
    """
    from dowse import app
    from dowse.cli import output, progress

    with progress.counting("reading pages", quiet=quiet) as told:
        result = app.extract(directory, told, **given())
    if not quiet:
        echo_lines(output.extraction_text(result, app.read(directory)))
    if result.unreadable:
        first = f"{len(result.unreadable):,} of {result.pages:,} pages could not be read: {result.unreadable[0]}"
        raise Unfulfilled(first)


@cli.command()
@DIRECTORY
@click.argument("table", type=click.Choice(list(FORMS)))
@click.option(
    "--to",
    type=click.Choice(list(dict.fromkeys(form for forms in FORMS.values() for form in forms))),
    help="Format; graphml and gexf are for links, warc and wacz for bodies.  "
    "[default: FILE's ending, else csv, or warc for bodies]",
)
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write; standard output without it.")
def export(directory: str, table: str, to: str | None, file: str) -> None:
    """Write a table of a crawl to a file, its links as a graph, or its bodies as one WARC or WACZ file."""
    from dowse import app

    form = form_of(table, file, to)
    app.read(directory)  # a crawl that is not there must not cost the file that is
    with output_file(file, binary=form in BINARY) as stream:
        app.export(directory, table, form, stream)


@cli.command()
@DIRECTORY
@click.option("-f", "--file", metavar="FILE", help="File to write, - for standard output.  [default: DIR/report.html]")
def report(directory: str, file: str | None) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse import app

    path = file or str(Path(directory) / app.REPORT)
    app.read(directory)  # a crawl that is not there must not cost the file that is
    with output_file(path) as stream:
        app.report(directory, stream)
    if path != "-":
        click.echo(path)


@contextmanager
def output_file(path: str, *, binary: bool = False) -> Iterator[BinaryIO]:
    """A file that the user named, or standard output for -, which must not be a terminal if what comes is `binary`."""
    if path != "-":
        with writing(path) as stream:
            yield stream
        return
    if binary and sys.stdout.isatty():
        raise click.UsageError("this format is nothing for a terminal: name a file with -f FILE, or use a pipe")
    sys.stdout.flush()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def to_json(value: object) -> str:
    """A result for programs."""
    return json.encode(value).decode()


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines to standard output."""
    click.echo("\n".join(lines))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the answer is the exit status."""
    return exit_status(lambda: cli.main(arguments, prog_name="dowse", standalone_mode=False))
