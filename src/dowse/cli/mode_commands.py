"""The command of each mode, made from the mode itself: its words, its options, its help."""

from __future__ import annotations

from typing import Any

import click

from dowse.cli.crawl_commands import SEED_LIST, begin, display_options, folder_options, written
from dowse.cli.exits import EPILOG
from dowse.cli.options import JobCommand, given
from dowse.modes.mode import Mode
from dowse.modes.registry import modes


def add_mode_commands(cli: click.Group) -> None:
    """Give every mode its command; one of two words (`dowse rules run`) is put into the group of the first."""
    for mode in modes():
        if mode.hidden:
            continue
        *groups, name = mode.command or (mode.name,)
        parent = cli
        for group in groups:
            found = parent.commands[group]
            assert isinstance(found, click.Group)
            parent = found
        parent.add_command(crawl_command(mode, name))


def crawl_command(mode: Mode[Any], name: str) -> click.Command:
    """The command that begins a crawl of a mode."""
    first = mode.start or "urls"

    @folder_options
    @display_options
    def crawl(output: str | None, save: str | None, seeds_from: str | None = None, **given_here: Any) -> None:
        from dowse.config import make_job

        start = given_here.pop(first)
        options = {**given(), **written(output=output, seeds_from=seeds_from)}
        job = (
            make_job(mode.name, (), **{first: start}, **options)
            if mode.start
            else make_job(mode.name, start, **options)
        )
        begin(job, save, **given_here)

    if mode.start:
        takes_start = click.argument(first, required=True, metavar=first.upper())(crawl)
    else:
        takes_start = click.argument(first, metavar="[URL...]", nargs=-1)(SEED_LIST(crawl))
    return click.command(name, cls=JobCommand, mode=mode.name, epilog=EPILOG, help=mode.__doc__)(takes_start)
