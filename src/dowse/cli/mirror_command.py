"""`dowse mirror`: a crawl of whole sites with what their pages need, written as a folder to browse offline."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dowse.cli import progress
from dowse.cli.crawl_commands import SEED_LIST, begin, display_options, echo_damage, folder_options, written
from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.terminal import say
from dowse.core.phrasing import counted

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.export.losses import Losses

FOLDER = "mirror"


@click.command(cls=JobCommand, mode="site", epilog=EPILOG)
@click.argument("urls", metavar="[URL...]", nargs=-1)
@SEED_LIST
@click.option("-f", "--folder", metavar="FOLDER", help="Folder of the mirror.  [default: DIR/mirror]")
@folder_options
@display_options
def mirror(
    urls: tuple[str, ...],
    folder: str | None,
    output: str | None,
    save: str | None,
    seeds_from: str | None,
    **display: bool,
) -> None:
    """Copy whole sites to a folder to browse offline.

    This is dowse site with --requisites, and then dowse export DIR mirror. The crawl is in DIR, as every crawl is; it
    can be resumed and visited again, and its mirror written anew.
    """
    from dowse import app
    from dowse.config import make_job
    from dowse.crawls.stored_mirror import check_folder
    from dowse.export.losses import Losses

    options: dict[str, Any] = {"requisites": True, **given(), **written(output=output, seeds_from=seeds_from)}
    job = make_job("site", urls, **options)
    check_folder(place(job.output, folder))  # before the crawl, which may take hours
    trouble: Unfulfilled | None = None
    try:
        begin(job, save, **display)
    except Interrupted as stop:
        raise Interrupted(f"{stop}, then: dowse export {shlex.quote(job.output)} mirror") from None
    except Unfulfilled as error:
        trouble = error
    if save is None and (found := app.read(job.output)).status().pages:
        losses = Losses()
        write_mirror(found, folder, losses, quiet=display["quiet"], err=display["as_json"])
        echo_damage(losses.damaged)
    if trouble is not None:
        raise trouble


def write_mirror(found: Crawl, folder: str | None, losses: Losses, *, quiet: bool = False, err: bool = False) -> int:
    """Write the mirror of a crawl, and say where it is; the answer is how many files it has."""
    from dowse.crawls.output_files import export_mirror
    from dowse.pools.batches import usable_cores

    target = place(str(found.directory), folder)
    with progress.counting("writing files", quiet=quiet) as told:
        files = export_mirror(found, target, losses, usable_cores(), told)
    if not quiet:
        say(f"{target}: {counted(files, 'file')}; open {target / 'index.html'}", err=err)
    return files


def place(directory: str, folder: str | None) -> Path:
    """Where the mirror of a crawl is."""
    return Path(folder) if folder else Path(directory) / FOLDER
