"""`dowse copy`: the tables of a crawl into PostgreSQL, and back into a file."""

from __future__ import annotations

from pathlib import Path

import click

from dowse.cli.crawl_commands import DIRECTORY
from dowse.cli.exits import Interrupted
from dowse.cli.terminal import say
from dowse.core.phrasing import counted


@click.command()
@DIRECTORY
@click.argument("target", metavar="TARGET")
@click.option("--remove", is_flag=True, help="Remove the tables at the old place, once all was compared.")
def copy(directory: str, target: str, remove: bool) -> None:
    """Copy the tables of a crawl to where it goes on from now.

    TARGET is postgresql://USER@HOST/DATABASE, or sqlite: back into the file in the folder. All rows are read again and
    compared, table by table. It can be stopped at any moment: until all is compared the crawl is where it was.
    """
    from dowse.cli.progress import counting
    from dowse.store.moving import move

    try:
        with counting("copying rows", quiet=False) as told:
            moved = move(Path(directory), target, told, remove=remove)
    except KeyboardInterrupt:
        raise Interrupted("stopped; nothing was changed, the crawl is where it was") from None
    for table, rows in moved.rows.items():
        if rows:
            say(f"  {table:<20} {rows:>12,}")
    say(f"{counted(sum(moved.rows.values()), 'row')} copied and compared; the crawl is in {moved.now} now")
    if moved.before:
        say(f"What it was copied from is still there and is used no more: {moved.before}")
