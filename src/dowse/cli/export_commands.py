"""What a crawl can be written as: its tables, graphs, bodies and folders, and its report."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dowse.cli.crawl_commands import DIRECTORY, echo_damage, output_file
from dowse.cli.exits import Unfulfilled
from dowse.cli.mirror_command import write_mirror
from dowse.cli.terminal import say
from dowse.cli.wording import printable, wrapped
from dowse.core.phrasing import counted
from dowse.core.record import RECORD_KINDS
from dowse.export.formats import FOLDER, FORMATS, ROWS
from dowse.modes.registry import modes

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # before click 8.2 it takes no types


class TableName(_Choice):
    """The name of a table. The usage has the whole list, so that a wrong name is told with it once, not twice."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self.choices:
            return value
        near = get_close_matches(value, self.choices, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.choices)}"
        raise click.UsageError(f"there is no table {value}; {hint}", ctx)


@click.command()
@DIRECTORY
@click.argument("table", type=TableName([*FORMATS, *(name for mode in modes() for name in mode.tables)]))
@click.option(
    "--to",
    metavar="FORMAT",
    help=f"{', '.join(ROWS)} (URLs alone); graphml and gexf for links, markdown for pages, warc and wacz for bodies;"
    " markdown, jsonl and folder for markdown; one of an installed package by its name, or your own (FILE.py:NAME)."
    "  [default: FILE's ending, else csv, warc for bodies, markdown for markdown, sqlite for all, folder for mirror]",
)
@click.option(
    "-f",
    "--file",
    metavar="FILE",
    default="-",
    help="File or folder to write; without it standard output, or the folder DIR/markdown or DIR/mirror.",
)
@click.option(
    "--kind", metavar="KIND", default=None, help=f"Records of one kind: {', '.join(RECORD_KINDS)}, or an extractor's."
)
@click.option("--excel", is_flag=True, help="Write CSV as Excel reads it right: charset, dates, texts of digits.")
def export(directory: str, table: str, to: str | None, file: str, kind: str | None, excel: bool) -> None:
    """Write a table of a crawl to a file, its links as a graph, or its bodies as one WARC or WACZ file.

    "markdown" is the main content of its pages: one text, a line of JSON each, or with --to folder a file each.
    "mirror" is a folder to browse offline. "all" is every table that has rows, in one sqlite or xlsx file.
    """
    from dowse import app
    from dowse.cli import markdown_output
    from dowse.cli.progress import counting
    from dowse.export.excel_csv import for_excel
    from dowse.export.losses import Losses
    from dowse.export.plugin_formats import chosen_format, is_binary

    found = app.read(directory)  # a crawl that is not there must not cost the file that is
    format_ = chosen_format(table, file, to or (FOLDER if table == "markdown" and file.endswith("/") else None))
    if excel:
        format_ = for_excel(format_)
    if kind and table != "records":
        raise click.UsageError(f"--kind is for records, not for {table}")
    losses = Losses()
    if isinstance(format_, str) and table in ("markdown", "pages") and "markdown" in (table, format_):
        rows = markdown_output.write_pages(found, format_, file, losses)
    elif table == "mirror":
        rows = write_mirror(found, None if file == "-" else file, losses)
    else:
        with output_file(file, binary=is_binary(format_)) as stream, counting("writing", quiet=file == "-") as told:
            rows = app.export(found, table, format_, stream, losses, kind or "", told)
    if rows == 0:
        lack = f"there are no {kind} records in {directory}" if kind else f"the table {table} of {directory} is empty"
        say(lack, err=True)
    for line in losses.unread_lines():  # no failure: a scan is none of the crawl
        say(wrapped(printable(line), 2), err=True)
    if losses.damaged:
        echo_damage(losses.damaged)
        raise Unfulfilled(f"{counted(len(losses.damaged), 'stored page')} could not be read, all others are written")


@click.command()
@DIRECTORY
@click.option("-f", "--file", metavar="FILE", help="File to write, - for standard output.  [default: DIR/report.html]")
def report(directory: str, file: str | None) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse import app
    from dowse.store.inner_paths import inside

    path = file or str(inside(Path(directory), app.REPORT))
    found = app.read(directory)  # a crawl that is not there must not cost the file that is
    with output_file(path) as stream:
        app.report(found, stream)
    if path != "-":
        say(path)
