"""The commands about rule tables: try one out, learn one, move it from place to place, and show what was made of it.

`dowse rules run` is the command of the mode (mode_commands.py).
"""

from __future__ import annotations

import sys
import tempfile
from typing import TYPE_CHECKING, Any

import click
from msgspec import json

from dowse.cli.exits import EPILOG, Interrupted, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.progress import watching
from dowse.cli.running import (
    DIRECTORY,
    JSON,
    Commands,
    display_options,
    echo_lines,
    output_file,
    to_json,
)
from dowse.cli.terminal import say
from dowse.cli.wording import counted
from dowse.core.errors import DowseError

if TYPE_CHECKING:
    from dowse.workflows.learn_rules import Lesson

TABLE = click.argument("table", metavar="TABLE")
_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


@click.group(cls=Commands, epilog=EPILOG)
def rules() -> None:
    """Crawl by a table of rules: what to keep, what to follow.

    TABLE is a .csv, .json or .toml file, sqlite:///FILE or postgresql://HOST/DATABASE (their table rules).
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
    from dowse.cli.learning_output import lesson_text
    from dowse.store import rule_places
    from dowse.store.rule_files import format_rules

    if file != "-" and not replace and rule_places.has_rules(file):
        raise click.UsageError(f"{rule_places.shown_place(file)} has rules; --replace overwrites them")
    quiet, verbose = display["quiet"], display["verbose"]
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot both be had")
    asks = ask if ask is not None else not quiet and sys.stdin.isatty() and sys.stderr.isatty()
    try:
        lesson = _learned(url, unlike, output, asks=asks, quiet=quiet, verbose=verbose)
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
    elif not display["as_json"]:
        with output_file(file) as stream:
            stream.write(text.encode())
    if lesson.missing:
        raise Unfulfilled(f"not found: {counted(len(lesson.missing), 'wanted link')}, such as {lesson.missing[0]}")


def _learned(
    url: str, unlike: tuple[str, ...], output: str | None, *, asks: bool, quiet: bool, verbose: bool
) -> Lesson:
    """The table for the options of the command, after the questions that somebody answered."""
    from dowse.cli.learning_output import question_text
    from dowse.workflows.learn_rules import MOST_QUESTIONS
    from dowse.workflows.learn_rules import learn as learn_rules

    options: dict[str, Any] = dict(given())
    want = options.pop("want", ())
    with tempfile.TemporaryDirectory(prefix="dowse-learn-") as folder:
        options["output"] = output or f"{folder}/crawl"
        with watching(quiet=quiet, verbose=verbose) as listener:
            lesson = learn_rules(url, want, unlike, listener, **options)
        for _ in range(MOST_QUESTIONS if asks else 0):
            if lesson.question is None:
                break
            say("\n".join(question_text(lesson.question)), err=True)
            answer = _answer()
            if answer is None:
                break
            with watching(quiet=quiet, verbose=verbose) as listener:
                lesson = lesson.answer(answer, listener=listener, **options)
    return lesson


def _answer() -> bool | None:
    """What somebody answers; None for anything but yes and no, or at the end of the input."""
    try:
        said = click.prompt("y, n, or Enter to leave it open", default="", show_default=False, err=True)
    except click.Abort:
        return None
    return _ANSWERS.get(said.strip().lower())


@rules.command(name="import", epilog=EPILOG)
@TABLE
@click.argument("place")
@click.option("--replace", is_flag=True, help="Put the rules in the place of those that are there.")
def import_(table: str, place: str, replace: bool) -> None:
    """Add the rules of a table to another place: sqlite:///rules.db, postgresql://..., or a file.

    Rules that are there already are not added twice. A table with an error is not copied at all.
    """
    from dowse.store import rule_places

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
    from dowse.store import rule_places
    from dowse.store.rule_files import format_rules

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
    if url is None:
        echo_lines(to_json(each) for each in crawl.instructions())
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
