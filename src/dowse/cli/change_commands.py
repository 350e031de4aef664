"""What changed in a crawl and when: `dowse changes`, `history`, `diff`; and `prune`, which forgets."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from msgspec import to_builtins

from dowse.cli.crawl_commands import DIRECTORY, JSON, echo_lines, output_file, to_json
from dowse.cli.exits import Interrupted, Unfulfilled
from dowse.cli.terminal import say
from dowse.cli.wording import size_text
from dowse.core.revisits.changes import CHANGES, KINDS, WHATS
from dowse.export.formats import FORMATS

_NAMED = click.argument("url")


@click.command()
@DIRECTORY
@click.option("--since", metavar="DATE", help="Only what changed since: 2026-11-01, 2026-11-01 14:30 or 3 days.")
@click.option("--kind", metavar="KIND", multiple=True, help=f"Only these: {', '.join(KINDS)}. May be given again.")
@click.option("--what", metavar="WHAT", multiple=True, help=f"Only changes of these: {', '.join(WHATS)}.")
@click.option("--to", metavar="FORMAT", help=f"Write them as {', '.join(FORMATS[CHANGES])}.  [default: FILE's ending]")
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write; without it standard output.")
@JSON
def changes(
    directory: str,
    since: str | None,
    kind: tuple[str, ...],
    what: tuple[str, ...],
    to: str | None,
    file: str,
    as_json: bool,
) -> None:
    """Show what recrawls found changed: pages, kept links, files and records.

    What differs in the text of a page is shown word by word: [-removed-] {+added+}. Menus, advertisements, dates and
    counters are left out. With --to or -f the changes are written to a file: html is one page to look at, atom a feed,
    markdown a text for mail.
    """
    from dowse import app
    from dowse.cli import change_output
    from dowse.crawls.output_files import export_changes
    from dowse.export.plugin_formats import chosen_format, is_binary

    found = app.read(directory)
    wanted = found.asked(since, kind, what)
    if not found.was_visited_again:
        raise Unfulfilled(change_output.never_again(directory))
    if to or file != "-":
        format_ = chosen_format(CHANGES, file, to)
        with output_file(file, binary=is_binary(format_)) as stream:
            rows = export_changes(found, wanted, format_, stream)
        if file != "-":
            say(change_output.written(rows, file), err=True)
    elif as_json:
        say(to_json(change_output.changes_json(found.told(wanted))))
    else:
        echo_lines(change_output.changes_text(found.told(wanted), directory, wanted))


@click.command()
@DIRECTORY
@_NAMED
@JSON
def history(directory: str, url: str, as_json: bool) -> None:
    """List the versions of a page: when each was found, its size, and how many words came and went."""
    from dowse import app
    from dowse.cli import change_output

    versions = app.read(directory).history(url)
    if as_json:
        say(to_json({"url": url, "versions": to_builtins(versions)}))
        return
    if not versions:
        raise Unfulfilled(f"no version of {url} is known: it was never fetched; see dowse why")
    echo_lines(change_output.history_text(versions))


@click.command()
@DIRECTORY
@_NAMED
@click.option("--from", "earlier", metavar="N", type=click.IntRange(1), help="The earlier version.  [default: M - 1]")
@click.option("--to", "later", metavar="M", type=click.IntRange(1), help="The later version.  [default: the last]")
@JSON
def diff(directory: str, url: str, earlier: int | None, later: int | None, as_json: bool) -> None:
    """Show how two versions of a page differ, word by word: [-removed-] {+added+}.

    Versions are numbered as in dowse history. Menus, advertisements, dates and counters are left out.
    """
    from dowse import app
    from dowse.cli import change_output

    found = app.read(directory).diff(url, earlier or 0, later or 0)
    if as_json:
        say(to_json(to_builtins(found)))
    else:
        echo_lines(change_output.difference_text(found))


@click.command()
@DIRECTORY
@click.option("--keep", metavar="N", type=click.IntRange(1), required=True, help="Versions of each page that stay.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def prune(directory: str, keep: int, yes: bool) -> None:
    """Throw away old versions of pages, and give back the room they took.

    The latest versions of each page stay, and so do the dates of all visits. It says how much it will free, and asks.
    It can be stopped at any moment: nothing that stays is lost, and the next time goes on.
    """
    from dowse import app
    from dowse.cli import change_output
    from dowse.cli.progress import counting
    from dowse.store.old_versions import Pruning

    app.read(directory).close()  # a folder without a crawl gets none
    with Pruning(Path(directory), keep) as pruning:
        plan = pruning.plan()
        say(change_output.plan_text(plan, keep))
        if not plan.frees and not plan.versions:
            return
        if not yes and not sys.stdin.isatty():
            raise click.UsageError("nothing was thrown away: there is nobody to ask; say --yes")
        if not yes and not click.confirm("throw them away?", err=True):
            raise Unfulfilled("nothing was thrown away")
        try:
            with counting("copying files", quiet=False) as told:
                freed = pruning.run(told)
        except KeyboardInterrupt:
            raise Interrupted("stopped; the next dowse prune goes on") from None
        say(f"freed {size_text(freed)}")
