"""The command that fetches the files of a site."""

from __future__ import annotations

import click

from dowse.cli.exits import EPILOG
from dowse.cli.options import JobCommand, given
from dowse.cli.running import begin, manners, placing


@click.command(cls=JobCommand, strategy="files", epilog=EPILOG)
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@placing
@manners
def files(urls: tuple[str, ...], output: str | None, save: str | None, **manner: bool) -> None:
    """Fetch the files of some types from a site, and as few pages as possible.

    Which links lead to pages with files is learned on the way. Files are put into the folder files of the crawl's
    folder, and files.csv says where each was found. Files on other hosts are taken too, pages there are not.
    """
    from dowse.config import make_job

    place = {} if output is None else {"output": output}
    begin(make_job("files", urls, **given(), **place), save, **manner)
