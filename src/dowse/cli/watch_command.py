"""The command watch: crawls visited again by a schedule, in the foreground until stopped."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled
from dowse.cli.options import SettingOption, given
from dowse.cli.terminal import say
from dowse.cli.wording import clock_text, counted, moment_text, printable, wrapped
from dowse.core.errors import JobError
from dowse.core.options.watch_options import seconds_of
from dowse.core.revisits.changes import counts_text
from dowse.settings import watch_settings

if TYPE_CHECKING:
    from dowse.cli.progress import Listener
    from dowse.workflows.watch.watched_crawl import Plan, Watching
    from dowse.workflows.watch.watching import Report

_LONGEST_NAME = 24
_ACTS = {"start": "first crawl, ", "resume": "went on, ", "recrawl": ""}


class WatchCommand(click.Command):
    """A command that takes every option of a watch."""

    def __init__(self, *arguments: object, **attributes: object) -> None:
        super().__init__(*arguments, **attributes)  # type: ignore[arg-type]
        self.params += [SettingOption(setting) for setting in watch_settings()]


@click.command(cls=WatchCommand, epilog=EPILOG)
@click.argument("places", metavar="DIR|JOB.toml...", nargs=-1, required=True)
@click.option("--once", is_flag=True, help="Run each once, now, send notifications, and end.")
@click.option("--print-systemd", is_flag=True, help="Print units for systemd that do the same, and run nothing.")
@click.option("--print-cron", is_flag=True, help="Print a line for crontab that does the same, and run nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def watch(places: tuple[str, ...], once: bool, print_systemd: bool, print_cron: bool, quiet: bool) -> None:
    """Visit crawls again by a schedule, and tell people and programs what changed.

    Runs in the foreground until it is stopped. A job that has no crawl yet is crawled first. A run that was missed,
    because the machine was off, is caught up once. Keys of the section [watch] of a job file are the same options.
    """
    from dowse.workflows.watch.watched_crawl import read_plan

    plans = [read_plan(place, given(), once=once) for place in places]
    folders = [os.path.realpath(plan.directory) for plan in plans]
    if twice := {folder for folder in folders if folders.count(folder) > 1}:
        raise JobError(f"{min(twice)} is named twice; name each crawl once")
    if print_systemd or print_cron:
        _print_units(places, plans, systemd=print_systemd)
        return
    try:
        _watch(plans, once=once, quiet=quiet)
    except KeyboardInterrupt:
        raise Interrupted("stopped; dowse watch goes on where it was") from None


def _print_units(places: tuple[str, ...], plans: list[Plan], *, systemd: bool) -> None:
    from dowse.workflows.watch.own_scheduler import command_of, cron_lines, systemd_units

    program = shutil.which("dowse") or f"{Path(sys.executable).with_name('dowse')}"
    folder = Path.cwd()
    parts = []
    for place, plan in zip(places, plans, strict=True):
        command = command_of(program, [place], given(), keeps_jitter=not systemd)
        if systemd:
            parts.append(systemd_units(plan.directory.name or "watch", command, folder, plan.watch))
        else:
            parts.append(cron_lines(command, folder, plan.watch))
    say("\n\n".join(parts) if systemd else "\n".join(parts))


def _watch(plans: list[Plan], *, once: bool, quiet: bool) -> None:
    from dowse.workflows.watch.watched_crawl import WatchedCrawl
    from dowse.workflows.watch.watching import Watch

    def tell(text: str) -> None:
        _say_line(f"{moment_text(time.time())} {printable(text)}", err=True)

    def report(report: Report) -> None:
        if report.trouble or not quiet:
            _say_line(report_text(report), err=bool(report.trouble))

    with ExitStack() as stack:
        crawls = []
        for plan in plans:
            crawls.append(WatchedCrawl(plan, tell))
            stack.callback(crawls[-1].close)
        watching = Watch(crawls, report, tell, _display(quiet))
        if not once:
            watching.run()
        elif troubles := watching.run_once(max(seconds_of(plan.watch.jitter) for plan in plans)):
            raise Unfulfilled("; ".join(troubles))


def report_text(report: Report) -> str:
    """The line of one run.

    >>> from dowse.workflows.watch.watched_crawl import Run
    >>> from dowse.workflows.watch.watching import Report
    >>> report_text(Report(0.0, "out", Run("recrawl", 12, {"added": 1}), "", None)).partition(" out: ")[2]
    '12 requests, 1 added'
    """
    after = f"; next run {clock_text(report.due)}" if report.due is not None else ""
    run = report.run
    if run is None:
        text = f"not run: {report.trouble}" if report.trouble else "not due yet"
    else:
        changes = "" if run.act == "start" else f", {counts_text(run.counts) or 'nothing changed'}"
        text = f"{_ACTS[run.act]}{counted(run.requests, 'request')}{changes}"
    return f"{moment_text(report.at)} {_short(report.crawl)}: {printable(text)}{after}"


def _short(name: str) -> str:
    """The end of a long path says most."""
    return printable(name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}")


def _say_line(line: str, *, err: bool) -> None:
    """One line for programs and files; on a terminal it is broken between words."""
    stream = sys.stderr if err else sys.stdout
    say(wrapped(line, 2) if stream.isatty() else line, err=err)


def _display(quiet: bool) -> Watching:
    from dowse.cli import progress

    @contextmanager
    def watching() -> Iterator[Listener]:
        # Lines every few seconds would bury the one line a run; a live block is gone when the run is over.
        with progress.watching(quiet=quiet or not sys.stderr.isatty(), verbose=False) as listener:
            yield listener

    return watching
