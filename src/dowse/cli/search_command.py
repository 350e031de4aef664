"""`dowse search`: full text over the pages of one or several crawls."""

from __future__ import annotations

import re
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dowse.cli.crawl_commands import JSON, echo_damage, output_file, to_json
from dowse.cli.exits import Interrupted, Unfulfilled
from dowse.cli.terminal import say
from dowse.core.errors import CrawlMissing
from dowse.core.search_results import SEARCH
from dowse.export.formats import ROWS

if TYPE_CHECKING:
    from dowse.app import Crawl
    from dowse.core.search_results import Search


_WITH_VALUE = re.compile(r"-n\d+|-f.*[./\\].*", re.DOTALL)
"""An option of one letter with its value behind it: a number, the name of a file."""


class SearchCommand(click.Command):
    """A command among whose words are some with a hyphen before them, which are no options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        until = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*(_left_out(each) for each in args[:until]), *args[until:]])


def _left_out(argument: str) -> str:
    """A word or a phrase to leave out, in words that are not taken for an option; others as they are.

    >>> [_left_out(each) for each in ("-oil", "-fuel oil", "-n20", "-fout.csv", "-f", "--site")]
    ['NOT oil', 'NOT "fuel oil"', '-n20', '-fout.csv', '-f', '--site']
    """
    if len(argument) < 3 or argument[0] != "-" or argument[1] == "-" or _WITH_VALUE.fullmatch(argument):
        return argument
    word = argument[1:]
    return f'NOT "{word}"' if " " in word and '"' not in word else f"NOT {word}"


@click.command(cls=SearchCommand)
@click.argument("directories_and_words", metavar="DIR... WORDS", nargs=-1, required=True)
@click.option("--site", metavar="HOST", default="", help="Only pages of this host, and of those below it.")
@click.option("--type", "types", metavar="TYPE", multiple=True, help="Only these: html, pdf ... May be given again.")
@click.option("--since", metavar="DATE", help="Only pages of that date or later: 2026-11-01 or 3 days.")
@click.option("--until", metavar="DATE", help="Only pages of that date or earlier.")
@click.option("--relevance", metavar="X", type=float, help="Only pages at least so relevant to the topic of the crawl.")
@click.option("--meaning", is_flag=True, help="Put the best in order by meaning too; needs the extra semantic.")
@click.option("-n", "--limit", metavar="N", type=click.IntRange(1), default=10, help="Pages to show.  [default: 10]")
@click.option("--to", metavar="FORMAT", help=f"Write them as {', '.join(ROWS)}.  [default: FILE's ending]")
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write; without it standard output.")
@JSON
def search(
    directories_and_words: tuple[str, ...],
    site: str,
    types: tuple[str, ...],
    since: str | None,
    until: str | None,
    relevance: float | None,
    meaning: bool,
    limit: int,
    to: str | None,
    file: str,
    as_json: bool,
) -> None:
    """Search the main text of the stored pages of one or several crawls.

    Words are found in all their forms, the best pages first. "side by side", begin*, -without and this OR that are
    understood. Dates are those that pages state, else when they were fetched.

    The first search reads all stored pages and keeps an index beside the crawl. Later ones read only what is new or
    changed. Without WORDS nothing but that is done.
    """
    from dowse.cli import search_output
    from dowse.crawls.crawl_search import ask, search_filter

    folders, words = _parted(directories_and_words)
    which = search_filter(site, types, since, until, relevance)
    for folder in folders:
        _index(folder, tell=not words and not as_json)
    if not words:
        if len(folders) > 1:
            say(f"no words to look for: {folders[-1]} is a crawl too", err=True)
        return
    places = [Path(folder) for folder in folders]
    result = ask(places, words, which, limit, meaning=meaning)
    if to or file != "-":
        _write(result, to, file)
    elif as_json:
        say(to_json(search_output.search_json(result, words)))
    else:
        search_output.print_search(result, several=len(folders) > 1)
    if not result.found and not as_json:
        raise Unfulfilled(search_output.nothing_found(result, words, ask(places, words, search_filter(), 1).total))


def _parted(arguments: tuple[str, ...]) -> tuple[list[str], str]:
    """The folders, which come first, and the words."""
    first, *others = arguments
    if not others and not _is_there(first):
        raise CrawlMissing(f"there is no crawl in {first!r}; its folder comes before the words: dowse search DIR WORDS")
    words = list(dropwhile(_holds_crawl, others))  # a first crawl that is not there is told so
    return [first, *others[: len(others) - len(words)]], " ".join(words)


def _holds_crawl(argument: str) -> bool:
    from dowse.store.folder import holds_crawl

    return _is_there(argument) and holds_crawl(Path(argument))


def _is_there(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # too long for a name
        return False


def _index(folder: str, *, tell: bool) -> None:
    from dowse import app
    from dowse.cli import search_output
    from dowse.cli.progress import counting

    crawl: Crawl = app.read(folder)
    try:
        with counting("reading pages", quiet=False) as told:
            done = crawl.index(told)
    except KeyboardInterrupt:
        raise Interrupted("stopped; what was read is kept, and the next search goes on") from None
    finally:
        crawl.close()
    if done.lack:
        say(search_output.lacking(folder, done.lack), err=True)
    if tell:
        say(search_output.indexed(folder, done))
    echo_damage(list(done.unreadable))


def _write(result: Search, to: str | None, file: str) -> None:
    from dowse.cli import search_output
    from dowse.crawls.crawl_search import SearchFrame
    from dowse.crawls.output_files import write_frame
    from dowse.export.plugin_formats import chosen_format, is_binary

    format_ = chosen_format(SEARCH, file, to)
    with output_file(file, binary=is_binary(format_)) as stream:
        rows = write_frame(SearchFrame(result), SEARCH, format_, stream)
    if file != "-":
        say(search_output.written(rows, file), err=True)
