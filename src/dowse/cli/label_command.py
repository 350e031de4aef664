"""The command label: what a person says of the pages of a focus crawl."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from dowse.cli.asking import ask_about, tell_matched
from dowse.cli.crawl_commands import DIRECTORY
from dowse.cli.exits import EPILOG
from dowse.core.errors import CrawlError
from dowse.core.phrasing import printable

if TYPE_CHECKING:
    from dowse.crawl import Crawl


@click.command(epilog=EPILOG)
@DIRECTORY
@click.option("--yes", "wanted", multiple=True, metavar="URL", help="A page that is on topic.")
@click.option("--no", "unwanted", multiple=True, metavar="URL", help="A page that is not.")
def label(directory: str, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    """Say which pages of a focus crawl are on topic.

    All pages are judged anew by that. Without --yes and --no you are asked about those it is least sure of.
    """
    from dowse import app

    crawl = app.read(directory)
    _refuse_both(crawl, wanted, unwanted)
    for url, is_wanted in [*((url, True) for url in wanted), *((url, False) for url in unwanted)]:
        try:
            crawl.label(url, is_wanted)
        except CrawlError as error:  # in the words of the command line
            told = f"dowse export {shlex.quote(str(crawl.directory))} crawled"
            raise CrawlError(told.join(str(error).rsplit("crawl.crawled", 1))) from None  # a URL may be called so too
    if wanted or unwanted:
        tell_matched(crawl)
    else:
        ask_about(crawl)


def _refuse_both(crawl: Crawl, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    """No page is on topic and off it, and one page may be named in several ways."""
    if not (wanted and unwanted):
        return
    pages = {story.number for url in wanted if (story := crawl.why(url)) is not None}
    for url in unwanted:
        if (story := crawl.why(url)) is not None and story.number in pages:
            raise click.UsageError(f"{printable(url)} is named by --yes and by --no: say one of them")
