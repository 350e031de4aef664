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
@click.option("--undo", "undone", multiple=True, metavar="URL", help="A page of which nothing is to be said after all.")
def label(directory: str, wanted: tuple[str, ...], unwanted: tuple[str, ...], undone: tuple[str, ...]) -> None:
    """Say which pages of a focus crawl are on topic.

    All pages are judged anew by that. Without URLs you are asked about those it is least sure of.
    """
    from dowse import app

    crawl = app.read(directory)
    said: dict[str, tuple[tuple[str, ...], bool | None]] = {
        "--yes": (wanted, True), "--no": (unwanted, False), "--undo": (undone, None),
    }  # fmt: skip
    _refuse_contradictions(crawl, {option: urls for option, (urls, _) in said.items()})
    before = crawl.standing().prospect.matched if any(urls for urls, _ in said.values()) else 0
    for url, is_wanted in ((url, is_wanted) for urls, is_wanted in said.values() for url in urls):
        try:
            crawl.label(url, is_wanted)
        except CrawlError as error:  # in the words of the command line
            told = f"dowse export {shlex.quote(str(crawl.directory))} crawled"
            raise CrawlError(told.join(str(error).rsplit("crawl.crawled", 1))) from None  # a URL may be called so too
    if any(urls for urls, _ in said.values()):
        tell_matched(crawl, before)
    else:
        ask_about(crawl)


def _refuse_contradictions(crawl: Crawl, named: dict[str, tuple[str, ...]]) -> None:
    """No page is on topic and off it, and one page may be named in several ways."""
    options: dict[int, str] = {}
    for option, urls in named.items():
        for url in urls:
            story = crawl.why(url)
            if story is not None and options.setdefault(story.number, option) != option:
                before = options[story.number]
                raise click.UsageError(f"{printable(url)} is named by {before} and by {option}: say one of them")
