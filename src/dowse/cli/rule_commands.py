"""The commands about rule tables: try one out, learn one, move it, apply an instruction, show what was made.

`dowse rules run` is the command of the mode (mode_commands.py).
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from msgspec import json

from dowse.cli.crawl_commands import (
    DIRECTORY,
    JSON,
    Commands,
    display_options,
    echo_lines,
    output_file,
    to_json,
)
from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.terminal import say
from dowse.cli.wording import counted, printable
from dowse.core.errors import DowseError

TABLE = click.argument("table", metavar="TABLE")


@click.group(cls=Commands, epilog=EPILOG)
def rules() -> None:
    """Crawl by a table of rules: what to keep, what to follow.

    TABLE is a .csv, .json or .toml file, sqlite:///FILE or postgresql://HOST/DATABASE (their table rules; #NAME behind
    them names another).
    """


@rules.command(cls=JobCommand, mode="rules", epilog=EPILOG)
@TABLE
@JSON
def check(table: str, as_json: bool) -> None:
    """Look for mistakes in a table, fetch its base pages, and show what each rule matches there.

    With --max-pages more pages are fetched, so that later rules are tried too.
    """
    from dowse.cli.rule_output import check_text
    from dowse.workflows.check_rules import check_rules

    found = check_rules(table, **given())
    if as_json:
        say(to_json(found))
    else:
        echo_lines(check_text(found))
    if found.errors or found.failures:
        errors, failures = counted(len(found.errors), "error"), counted(len(found.failures), "base URL")
        raise Unfulfilled(f"{errors}, {failures} that could not be fetched")


@rules.command(cls=JobCommand, groups=("fetch",), epilog=EPILOG)
@click.argument("instruction", metavar="INSTRUCTION")
@JSON
def apply(instruction: str, as_json: bool) -> None:
    """Carry out one instruction on one page, and show the links that its rules keep and follow.

    INSTRUCTION is a JSON file as `dowse rules instruction` writes it, - for standard input, or the JSON itself.
    Nothing is written.
    """
    from dowse.cli.rule_output import carried_text
    from dowse.workflows.apply_rules import apply_rules

    carried = apply_rules(_instruction_text(instruction), **given())
    if as_json:
        say(to_json(carried))
    else:
        echo_lines(carried_text(carried))
    if not carried.kept and not carried.followed:
        raise Unfulfilled(f"no rule of the instruction matches a link of {printable(carried.url)}")


def _instruction_text(place: str) -> bytes:
    """The JSON of an instruction: of standard input, of a file, or what was written in the place of its name."""
    if place.lstrip().startswith("{"):
        return place.encode()
    try:
        return sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{place}: {error.strerror}") from error


@rules.command(cls=JobCommand, mode="explore", epilog=EPILOG)
@click.argument("url")
@click.option("--unlike", multiple=True, metavar="URL", help="A link that is not wanted; may be given several times.")
@click.option("-f", "--file", metavar="FILE", default="-", help="File for the table; standard output without it.")
@click.option("--replace", is_flag=True, help="Overwrite the rules that are in FILE.")
@click.option(
    "-o", "--output", metavar="DIR", help="Folder to keep the exploring crawl in; given again, it is used again."
)
@click.option(
    "--ask/--no-ask",
    default=None,
    help="Ask about links of which the examples do not say whether they are wanted.  [default: on a terminal]",
)
@display_options
def learn(
    url: str, unlike: tuple[str, ...], file: str, replace: bool, output: str | None, ask: bool | None, **display: bool
) -> None:
    """Find a table that keeps links like some that are wanted, and show it for editing.

    Pages are explored from URL on until the wanted links are found. What the table would keep and visit, and which
    other tables the examples allow, is told on standard error.
    """
    from dowse.cli.learning import ask_and_learn
    from dowse.cli.learning_output import lesson_text, written_text
    from dowse.modes.rules import rule_places
    from dowse.modes.rules.rule_files import format_rules

    if file != "-" and not replace and rule_places.has_rules(file):
        raise click.UsageError(f"{rule_places.shown_place(file)} has rules; --replace overwrites them")
    quiet, verbose = display["quiet"], display["verbose"]
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot both be had")
    asks = ask if ask is not None else not quiet and sys.stdin.isatty() and sys.stderr.isatty()
    try:
        lesson = ask_and_learn(url, unlike, output, asks=asks, quiet=quiet, verbose=verbose)
    except KeyboardInterrupt:
        again = f"; run it again to go on in {output}" if output else ""
        raise Interrupted(f"stopped, nothing was learned{again}") from None
    if not quiet:
        say("\n".join(lesson_text(lesson)), err=True)
    if display["as_json"]:
        say(to_json(lesson))
    text = format_rules(lesson.table, "csv")
    if file != "-":
        try:
            rule_places.write_rules(lesson.table, file)
        except (DowseError, OSError):
            say(text)  # or all the exploring would have been for nothing
            raise
        if not quiet:
            say("", err=True)
            say(written_text(lesson, rule_places.shown_place(file)), err=True)
    elif not display["as_json"]:
        with output_file(file) as stream:
            stream.write(text.encode())
    if lesson.missing:
        raise Unfulfilled(f"not found: {counted(len(lesson.missing), 'wanted link')}, such as {lesson.missing[0]}")


@rules.command(name="import", epilog=EPILOG)
@TABLE
@click.argument("place")
@click.option("--replace", is_flag=True, help="Put the rules in the place of those that are there.")
def import_(table: str, place: str, replace: bool) -> None:
    """Add the rules of a table to another place: sqlite:///rules.db, postgresql://..., or a file.

    Rules that are there already are not added twice. A table with an error is not copied at all.
    """
    from dowse.modes.rules import rule_places

    written, known = rule_places.copy_rules(table, place, replace=replace)
    say(f"{counted(written, 'rule')} written to {rule_places.shown_place(place)}, {known} were there already", err=True)


@rules.command(epilog=EPILOG)
@TABLE
@click.argument("file", default="-")
@click.option(
    "--to",
    type=click.Choice(["csv", "json", "toml"]),
    default="csv",
    help="Format of what goes to standard output.  [default: csv]",
)
@click.option("--replace", is_flag=True, help="Overwrite FILE, or the rules that are at that place.")
def export(table: str, file: str, to: str, replace: bool) -> None:
    """Write the rules of a table to FILE, or to any other place; to standard output without it."""
    from dowse.modes.rules import rule_places
    from dowse.modes.rules.rule_files import format_rules

    if file == "-":
        with output_file(file) as stream:
            stream.write(format_rules(rule_places.usable_rules(table).rules, to).encode())
        return
    if not replace and rule_places.has_rules(file):
        raise click.UsageError(
            f"{rule_places.shown_place(file)} has rules; --replace overwrites them, dowse rules import adds"
        )
    written, _ = rule_places.copy_rules(table, file, replace=True)
    say(f"{counted(written, 'rule')} written to {rule_places.shown_place(file)}", err=True)


@rules.command(epilog=EPILOG)
@DIRECTORY
@click.argument("url", required=False)
def instruction(directory: str, url: str | None) -> None:
    """Show what was to be done with a page of a rule crawl, as JSON; with all pages, one a line, without a URL."""
    from dowse import app
    from dowse.cli.story_output import never_seen

    crawl = app.read(directory)
    instructions = crawl.instructions  # a crawl of another mode has none, for no URL
    if url is None:
        echo_lines(to_json(each) for each in instructions())
        return
    story = crawl.why(url)
    if story is None:
        raise Unfulfilled(never_seen(crawl, url))
    found = story.instruction or crawl.next_instruction(story)
    if found is None:
        raise Unfulfilled(f"{url} has no instruction: it is {story.state}, and no rule leads to it as a page")
    if story.instruction is None:
        say("not crawled yet; as the rules are now, its instruction would be:", err=True)
    say(json.format(json.encode(found), indent=2).decode())
