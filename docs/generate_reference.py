"""Writes docs/reference, and src/dowse/python/call_keywords.py, from the commands and the settings, so that neither the
manual nor what type checkers know of options can fall behind the program.

    python docs/generate_reference.py

A test holds that the files in the repository are the ones this writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

import click

from dowse.cli.exits import EXIT_CODES
from dowse.cli.main import cli
from dowse.cli.options import JobCommand, SettingOption, long_name
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, mode_names, modes
from dowse.settings import WATCH, Setting, watch_settings

REFERENCE = Path(__file__).parent / "reference"
KEYWORDS = Path(__file__).parents[1] / "src" / "dowse" / "python" / "call_keywords.py"
WRITTEN_BY = "<!-- Written by docs/generate_reference.py; do not edit. -->"

KINDS = {
    "switch": "true or false",
    "whole": "whole number",
    "number": "number",
    "text": "text",
    "list": "list of texts",
}

COMMANDS_HEAD = """
Every option of a crawl has one name: `--max-pages 10` on the command line is `max_pages = 10` in a
[job file](job-file.md) and `max_pages=10` in Python.

Results go to standard output; progress and errors go to standard error. On a terminal a crawl shows a live block
of numbers, elsewhere a plain line every five seconds, later every few minutes, and at the end. A crawl that waits for
more than a few seconds says for which host, until when and why. Nothing that goes wrong with standard error ends a
crawl.

Ctrl-C stops a crawl cleanly and prints the command that continues it. A second Ctrl-C ends it at once; even then
`dowse resume` continues it, and fetches again only what was under way. SIGTERM and SIGHUP do the same, unless they are
ignored (`nohup`). In Python, and in a notebook, the interrupt ends the crawl cleanly first and is raised then, as
`KeyboardInterrupt`.

A crawl raises the limit on open files (`ulimit -n`) as far as it needs and may. Where that is too low, it makes fewer
requests at a time; where no file can be opened at all, it waits, and no page fails for it.

With `--json` a crawl prints one object when it has ended: `directory`, `stop_reason` (`complete`, `max_pages`,
`max_bytes`, `max_time` or `interrupted`), `counts` of URLs by state, `pages`, `elapsed` in seconds and
`bytes_received`.
`dowse status --json` prints the same with the `ledger`, a list of `state`, `reason` and `count`; its `elapsed` is the
time of all runs, without what lies between them.
"""

JOB_FILE_HEAD = """
A job file holds one crawl as [TOML](https://toml.io/), without sections but `[watch]`. `dowse site URL ... --save
job.toml` writes one, `dowse run job.toml` runs it, and options of `dowse run` win over the keys of the file.

```toml
mode = "site"
seeds = ["https://example.org/"]
max_pages = 1000
exclude = ['/calendar/', '\\?print=']
```

A key that dowse does not know is an error that names the nearest one it does.
"""

JOB_KEYS = (
    ("mode", "choice", "", "How to crawl: " + ", ".join(f"`{name}`" for name in mode_names()) + "."),
    (
        "seeds",
        "list of texts",
        "",
        "URLs to start from. A bare host name is taken as `https://`, `localhost` as `http://`.",
    ),
    (
        "seeds_from",
        "text",
        "",
        (
            "List of more of them: a file with one a line (`-` is standard input), a sitemap, the `FOLDER` or"
            " `FOLDER:TABLE` of another crawl, or `cdx:URL` for a web archive."
        ),
    ),
    ("output", "text", "named after the first host", "Folder of the crawl, seen from where dowse is run."),
)

WATCH_HEAD = (
    "Keys of `dowse watch`, which are its options too. They stand below all others, behind a line `[watch]`. See"
    " [Watching](../ways/watch.md)."
)

EXTRACTING = "the options about [what to take from the pages](#what-to-take-from-the-pages)"

LISTS = """
On the command line an option that takes a list may be given several times; an empty word (`--drop-parameters ""`)
makes the list empty. In a job file and in Python one text stands for a list of one.
"""


def pages() -> dict[Path, str]:
    """Every file that is written, and what is in it."""
    return {
        REFERENCE / "commands.md": "\n".join(commands_page()) + "\n",
        REFERENCE / "job-file.md": "\n".join(job_file_page()) + "\n",
        KEYWORDS: run_path(str(Path(__file__).with_name("keywords_module.py")))["keywords_module"](),
    }


def commands_page() -> Iterator[str]:
    """Every command with its arguments and options."""
    yield from ("# Commands", "", WRITTEN_BY, COMMANDS_HEAD)
    yield from ("## Exit status", "", "| status | meaning |", "|---|---|")
    yield from (f"| {code} | {plain(meaning)} |" for code, meaning in EXIT_CODES.items())
    for name, command in cli.commands.items():
        yield from command_section(name, command)
        if isinstance(command, click.Group):
            for inner, member in command.commands.items():
                yield from command_section(f"{name} {inner}", member)
    yield from (
        "",
        "## Options of a crawl",
        "",
        "`run`, `resume`, `retry` and `recrawl` take all of these; the command of a mode takes those that it knows.",
        "Modes have defaults of their own:",
        "",
        *(f"- `{mode.name}`: {', '.join(own_defaults(mode))}" for mode in modes() if mode.defaults),
    )
    yield LISTS.rstrip()
    for group in grouped(all_settings()):
        yield from ("", f"### {group[0].title}", "", "| option | default | meaning |", "|---|---|---|")
        yield from (f"| {option_text(row)} | {default(row)} | {plain(row.help)} |" for row in group)


def command_section(name: str, command: click.Command) -> Iterator[str]:
    """One command: how it is written, what it does, and the options that are its own."""
    context = click.Context(command, info_name=f"dowse {name}")
    yield from ("", f"## dowse {name}", "", "```", command.get_usage(context).removeprefix("Usage: "), "```", "")
    yield " ".join(str(command.help).split())
    own = [option for option in command.params if isinstance(option, click.Option) and not is_of_crawl(option)]
    records = [option.get_help_record(context) for option in own]
    if records:
        yield from ("", "| option | meaning |", "|---|---|")
        yield from (f"| `{record[0].replace('|', ' or ')}` | {plain(record[1])} |" for record in records if record)
    if isinstance(command, JobCommand):
        link = EXTRACTING if name == "extract" else "every [option of a crawl](#options-of-a-crawl)"
        yield from ("", f"Also {link}.")


def is_of_crawl(option: click.Option) -> bool:
    """Whether it is an option of a crawl, which stand in a list of their own."""
    return isinstance(option, SettingOption) and option.setting.group != WATCH


def job_file_page() -> Iterator[str]:
    """Every key of a job file."""
    yield from ("# The job file", "", WRITTEN_BY, JOB_FILE_HEAD)
    yield from ("## The job", "", "| key | value | default | meaning |", "|---|---|---|---|")
    yield from (f"| `{name}` | {kind} | {standard} | {meaning} |" for name, kind, standard, meaning in JOB_KEYS)
    for group in grouped(all_settings()):
        yield from key_table(group[0].title, group)
    yield from key_table("The section [watch]", watch_settings(), WATCH_HEAD)
    for row in find_mode("site").settings:
        if isinstance(row.default, tuple) and row.default:
            yield from ("", f"The built-in list of `{row.name}`:", "", " ".join(f"`{item}`" for item in row.default))


def key_table(title: str, rows: Sequence[Setting], head: str = "") -> Iterator[str]:
    """Some keys under a heading."""
    yield from (
        "",
        f"## {title}",
        "",
        *([head, ""] if head else []),
        "| key | value | default | meaning |",
        "|---|---|---|---|",
    )
    yield from (f"| `{row.name}` | {value_text(row)} | {default(row)} | {plain(row.help)} |" for row in rows)


def all_settings() -> list[Setting]:
    """The settings of every mode, each once. Options of two modes may have one name, and mean something in each."""
    rows: dict[tuple[str, str], Setting] = {}
    for mode in modes():
        for row in mode.settings:
            rows.setdefault((row.name, row.title), row)
    return list(rows.values())


def grouped(rows: list[Setting]) -> Iterator[list[Setting]]:
    """The settings by the group of the job they belong to; what only one mode has comes first, by mode."""
    for title in sorted(dict.fromkeys(row.title for row in rows), key=lambda title: not is_of_mode(title, rows)):
        yield [row for row in rows if row.title == title]


def is_of_mode(title: str, rows: list[Setting]) -> bool:
    return any(row.title == title and row.group == "options" for row in rows)


def own_defaults(mode: Mode[Any]) -> list[str]:
    """The options that have another default in a mode, and what it is."""
    return [f"`--{name.replace('_', '-')}` {str(value).lower()}" for name, value in mode.defaults.items()]


def option_text(row: Setting) -> str:
    """An option as it is typed."""
    name = long_name(row)
    if row.kind == "switch":
        return f"`{name}`, `--no-{name[2:]}`"
    return f"`{name}` {' or '.join(f'`{word}`' for word in row.choices)}" if row.choices else f"`{name} {row.metavar}`"


def value_text(row: Setting) -> str:
    """What a key may be set to."""
    return ", ".join(f'`"{word}"`' for word in row.choices) or KINDS[row.kind]


def default(row: Setting) -> str:
    """The default as a job file would write it."""
    match row.default:
        case bool():
            return f"`{str(row.default).lower()}`"
        case tuple():
            return "built-in list" if row.default else ""
        case str():
            return f'`"{row.default}"`' if row.default else ""
        case number:
            return f"`{number:g}`" if isinstance(number, float) else f"`{number}`"


def plain(text: str) -> str:
    """A text in which nothing is markup but `code`, and no character ends its cell of the table."""
    return re.sub(r"([\\*_|<\[\]])", r"\\\1", text)


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
