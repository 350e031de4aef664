"""The commands. Each reads its words, calls `dowse.app` and prints what came of it.

    a mode each      made from the modes                  see mode_commands.py
    crawl commands   run resume retry recrawl demo        JobCommand: every setting is an option
    rules ...        check learn import export ...        rule tables, see rule_commands.py
    mirror                                                see mirror_command.py
    watch                                                 recrawls by a schedule, see watch_command.py
    simulate evaluate                                     see simulation_commands.py
    read commands    status why                           only read a crawl, also while it runs
    search                                                full text, see search_command.py
    changes history diff prune                            what recrawls found, see change_commands.py
    copy                                                  tables into PostgreSQL and back, see copy_command.py
    export report                                         the same as files, see export_commands.py
    extract                                               reads the stored pages again
    fetch login                                           one page without a crawl, see page_commands.py
    label signing doctor                                  see label_command.py, signing_command.py, doctor_command.py
    serve                                                 the web page, see serve_command.py

Results go to standard output, all else to standard error.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click
from msgspec import to_builtins

from dowse.cli.change_commands import changes, diff, history, prune
from dowse.cli.copy_command import copy
from dowse.cli.crawl_commands import (
    DIRECTORY,
    DROP,
    JSON,
    SEED_LIST,
    WAIT,
    Commands,
    begin,
    crawl,
    display_options,
    echo_damage,
    echo_lines,
    folder_options,
    run_watched,
    taking_over,
    to_json,
    written,
)
from dowse.cli.doctor_command import doctor
from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled, exit_status
from dowse.cli.export_commands import export, report
from dowse.cli.label_command import label
from dowse.cli.mcp_command import mcp
from dowse.cli.mirror_command import mirror
from dowse.cli.mode_commands import add_mode_commands
from dowse.cli.options import JobCommand, given
from dowse.cli.page_commands import fetch, login
from dowse.cli.rule_commands import rules
from dowse.cli.search_command import search
from dowse.cli.serve_command import serve
from dowse.cli.signing_command import signing
from dowse.cli.simulation_commands import evaluate, simulate
from dowse.cli.streams import settle
from dowse.cli.terminal import say
from dowse.cli.watch_command import watch
from dowse.core.errors import SeveralMeant
from dowse.core.phrasing import counted
from dowse.version import VERSION


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(VERSION, "-V", "--version", message="dowse %(version)s")
def cli() -> None:
    """dowse, a focused web crawler.

    A crawl is a folder: dowse site makes one, the other commands continue and read it.
    """


cli.add_command(rules)
add_mode_commands(cli)
cli.add_command(mirror)
cli.add_command(simulate)
cli.add_command(evaluate)


@cli.command(cls=JobCommand, epilog=EPILOG)
@click.argument("job_file", metavar="JOB.toml")
@SEED_LIST
@folder_options
@display_options
def run(job_file: str, output: str | None, save: str | None, seeds_from: str | None, **display: bool) -> None:
    """Run the job of a file. Options win over the file's keys."""
    from dowse.config import load_job

    begin(load_job(job_file, **given(), **written(output=output, seeds_from=seeds_from)), save, **display)


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@click.option("--seed", metavar="URL", multiple=True, help="Start from this URL too; may be given several times.")
@SEED_LIST
@DROP
@WAIT
@display_options
def resume(
    directory: str, seed: tuple[str, ...], seeds_from: str | None, drop: tuple[str, ...], wait: bool, **display: bool
) -> None:
    """Continue a crawl that was stopped, killed or ended by a limit, or that gets more seeds."""
    from dowse import app

    options = {**given(), **written(seeds=seed, seeds_from=seeds_from, drop=drop)}
    crawl(directory, taking_over(lambda listener: app.resume(directory, listener, **options), wait=wait), **display)


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@display_options
def retry(directory: str, **display: bool) -> None:
    """Try once more what failed, and nothing else."""
    from dowse import app
    from dowse.cli.summary_output import nothing_failed

    found = app.read(directory)
    if found.status().counts.get("failed") or display["as_json"]:
        crawl(directory, lambda listener: app.retry(directory, listener, **given()), **display)
        return
    # It is run all the same: options that are wrong, or a crawl that runs, are told as ever.
    quiet, verbose = display["quiet"], display["verbose"]
    run_watched(directory, lambda listener: app.retry(directory, listener, **given()), quiet=quiet, verbose=verbose)
    if not quiet:
        echo_lines(nothing_failed(found))


@cli.command(cls=JobCommand, epilog=EPILOG)
@DIRECTORY
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(1),
    help="Make only so many requests: those that are expected to bring most news.",
)
@display_options
def recrawl(directory: str, budget: int | None, **display: bool) -> None:
    """Visit every page again; unchanged ones are not processed again."""
    from dowse import app

    crawl(directory, lambda listener: app.recrawl(directory, listener, budget=budget or 0, **given()), **display)


cli.add_command(watch)


@cli.command(cls=JobCommand, mode="rules", epilog=EPILOG)
@click.option("-o", "--output", metavar="DIR", help="Folder of the crawl.  [default: the first free dowse-demo]")
@click.option("--serve", is_flag=True, help="Only serve the sample site, until Ctrl-C, and crawl nothing.")
@click.option("--port", metavar="N", type=click.IntRange(1, 65535), help="Port for --serve.  [default: 8765]")
@display_options
def demo(output: str | None, serve: bool, port: int | None, **display: bool) -> None:
    """Serve a bundled sample site on this machine and crawl it by four rules. Needs no network."""
    from dowse.cli.demo import free_folder, serve_site, tell

    if serve and (output or given()):
        raise click.UsageError("--serve crawls nothing, so it takes no option but --port")
    if given().keys() & {"table", "base"}:
        raise click.UsageError("the demonstration has a table of its own; dowse rules run TABLE crawls by yours")
    if serve:
        serve_site(port or 8765)
    else:
        tell(output or free_folder(), given(), **display)


@cli.command()
@DIRECTORY
@JSON
def status(directory: str, as_json: bool) -> None:
    """Show how far a crawl is: its ledger, by state and reason."""
    from dowse import app
    from dowse.cli.results_output import results_json
    from dowse.cli.summary_output import status_text

    found = app.read(directory)
    if as_json:
        ledger = [{"state": row.state, "reason": row.reason, "count": row.count} for row in found.balance()]
        say(to_json({**to_builtins(found.status()), "ledger": ledger, **results_json(found)}))
    else:
        echo_lines(status_text(found))


@cli.command()
@DIRECTORY
@click.argument("url")
@JSON
def why(directory: str, url: str, as_json: bool) -> None:
    """Tell the story of one URL.

    Who linked to it and with which words, which rule decided, when it was fetched and what came of it. A path or the
    end of a URL will do, such as guide/index.html; if several URLs have it, they are listed.
    """
    from dowse import app
    from dowse.cli import story_output

    found = app.read(directory)
    try:
        story = found.why(url)
    except SeveralMeant as several:
        if not as_json:
            echo_lines(story_output.choice_text(several.urls))
        raise
    if story is None:
        raise Unfulfilled(story_output.never_seen(found, url))
    if as_json:
        say(to_json(story_output.story_json(story)))
    else:
        say(str(story))


@cli.command(cls=JobCommand, groups=("extract",), epilog=EPILOG)
@DIRECTORY
@DROP
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def extract(directory: str, drop: tuple[str, ...], quiet: bool) -> None:
    """Take fields from the stored pages of a crawl, without fetching anything.

    A field given here replaces the crawl's field of that name; its other fields stay. Records are replaced at once.
    Pages whose stored bodies are damaged are named and keep theirs.
    """
    from dowse import app
    from dowse.cli import progress
    from dowse.cli.results_output import extraction_text

    options = {**given(), **written(drop=drop)}
    try:
        with progress.counting("reading pages", quiet=quiet) as told:
            result = app.extract(directory, told, **options)
    except KeyboardInterrupt:
        raise Interrupted("stopped; the records are as they were") from None
    if not quiet:
        echo_lines(extraction_text(result, app.read(directory)))
    if result.unreadable:
        echo_damage(result.unreadable)
        lost = f"{len(result.unreadable):,} of {counted(result.pages, 'stored page')} could not be read"
        others = "; the records of all others are replaced" if len(result.unreadable) < result.pages else ""
        raise Unfulfilled(f"{lost}, and keep the records they had{others}")


for command in (
    search,
    changes,
    history,
    diff,
    prune,
    copy,
    export,
    report,
    fetch,
    login,
    serve,
    mcp,
    signing,
    doctor,
    label,
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the answer is the exit status."""
    # The matrices of a focus crawl are small: a second thread of numpy's would only double its CPU time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settle()
    return exit_status(lambda: cli.main(arguments, prog_name="dowse", standalone_mode=False))
