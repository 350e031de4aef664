"""The jobs that a language model may start: within the limits that the user set, with nothing of the user's own.

A model may have read a page that wants it to misuse this server. So these hold whatever it asks for:

    limits      pages, seconds and bytes are at most those that the user allowed, and never without a limit
    addresses   no private address, not even of a seed, unless the user allowed that
    manners     robots.txt, the name of the crawler and certificates are as they are; delays only grow
    machine     no file, folder, code, password, key, log-in or proxy of this machine; tables and examples are given
                as rows and URLs, or lie in a served folder
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.private_jobs import wants_of_machine
from dowse.fetch.guard import guard_of
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, offered_modes
from dowse.settings import Setting
from dowse.web.served_folders import ServedFolders

OFFERED = frozenset({
    # limits
    "max_pages", "max_bytes", "max_results", "max_time", "depth",
    # scope
    "scope", "include", "exclude", "skip_extensions", "media_types", "documents", "paging", "url_length",
    "path_segments", "path_repeats", "parameters", "parameter_sets", "parameter_combinations", "chain",
    "host_pages", "seed_pages",
    # manners
    "delay", "use", "sitemaps",
    # fetching
    "fetch", "page_time", "ready", "step", "explore", "capture", "charset", "cut_body", "cookies",
    # duplicates, records, URLs, what is kept
    "dedup", "extract", "exclude_from", "article", "data", "tables", "lists", "keywords", "describe", "on",
    "drop_parameters", "keep_parameters", "sort_query", "alias_www", "alias_scheme", "ignore_case",
    "store_only", "requisites", "store_errors",
})  # fmt: skip
"""Options of all modes that a model may give; a new one is withheld until somebody has thought of it."""

_ASKING = frozenset({"ask", "questions"})
"""Options of modes that need somebody at a terminal."""

_NO_PLACES = frozenset({"LANGUAGE", "REGEX", "TEXT", "TYPES", "URL"})
"""What the values of a mode's own options are called that name nothing on this machine. All others may."""

_MOST_SEEDS = 1_000
_LEAST_DELAY = 1.0


class Allowance(NamedTuple):
    """What the user allows each crawl that is started here, and how many may run at once."""

    max_pages: int = 1_000
    max_time: float = 3_600.0
    max_bytes: int = 1_000_000_000
    max_crawls: int = 2
    allow_private: bool = False


def offered_settings(mode: Mode[Any]) -> list[Setting]:
    """The options of a mode that a model may give."""
    return [row for row in mode.settings if _is_offered(row) and row.name != mode.start]


def _is_offered(row: Setting) -> bool:
    return row.name in OFFERED if row.group != "options" else row.name not in _ASKING


class Asked(NamedTuple):
    """What a model asks for. `table` is the file that its rows were written to, if its mode begins with a table."""

    mode: str
    seeds: Sequence[str]
    max_pages: int
    options: Mapping[str, Any]
    table: str = ""


def allowed_job(asked: Asked, output: Path, allowance: Allowance, folders: ServedFolders) -> Job:
    """The job that is run. Raises JobError in words for the model where it may not have what it asks for."""
    mode = _mode(asked.mode)
    given = dict(asked.options)
    _check_offered(mode, given)
    places = {row.name for row in mode.settings if _takes_places(row)}
    given |= {name: _on_the_web(given[name], folders) for name in places & given.keys()}
    given |= _limits(asked.max_pages, given, allowance)
    given["public_only" if not allowance.allow_private else "allow_private"] = True
    if mode.start:
        given[mode.start] = asked.table
        if asked.seeds:
            raise JobError(f"seeds: mode {mode.name} begins where its {mode.start} says; leave seeds empty")
    elif not asked.seeds or len(asked.seeds) > _MOST_SEEDS:
        raise JobError(f"seeds: expected 1 to {_MOST_SEEDS:,} URLs to start from")
    job = make_job(mode.name, tuple(asked.seeds), **given, output=str(output))
    _check_public(job, allowance)
    if wants := wants_of_machine(job):
        raise JobError(f"{', '.join(wants)}: crawls that are started here get nothing of this machine")
    if 0 <= job.politeness.delay < _LEAST_DELAY:
        raise JobError(
            f"delay: expected at least {_LEAST_DELAY:g} second; without it a host is asked as fast as it answers"
        )
    return job


def _mode(name: str) -> Mode[Any]:
    known = [mode.name for mode in offered_modes()]
    if name not in known:
        raise JobError(f"mode: expected one of {', '.join(known)}, got {name!r:.40}")
    return find_mode(name)


def _check_offered(mode: Mode[Any], given: Mapping[str, Any]) -> None:
    known = {row.name for row in mode.settings}
    offered = {row.name for row in offered_settings(mode)}
    for name in given:
        if name == mode.start:
            raise JobError(f"{name}: give its rows as the argument `table`, not as an option")
        if name in known and name not in offered:
            raise JobError(f"{name}: cannot be given here; the user may start such a crawl with dowse {mode.name}")
        if name in ("output", "seeds_from"):
            raise JobError(f"{name}: cannot be given here; a crawl gets a name, and seeds as a list")


def _takes_places(row: Setting) -> bool:
    return row.group == "options" and row.kind in ("text", "list") and row.metavar not in _NO_PLACES


def _on_the_web(value: Any, folders: ServedFolders) -> Any:
    """A value of an option that takes places: a URL, or something in a served folder. Files and databases elsewhere on
    this machine are refused."""
    if isinstance(value, list | tuple):
        return [_on_the_web(each, folders) for each in value]
    if not isinstance(value, str):
        return value
    scheme, separator, _rest = value.partition("://")
    if separator and scheme.lower() not in ("http", "https"):
        raise JobError(f"{value!r:.60} is not on the web; give a URL that begins with http:// or https://")
    try:
        return value if separator else str(folders.within(value))
    except ValueError:
        raise JobError(f"{value!r:.60} cannot be the name of a file") from None


def _check_public(job: Job, allowance: Allowance) -> None:
    """Say at once what the crawl would find out; names that stand for private addresses it finds out itself."""
    guard = guard_of(job.fetch, ())
    for seed in job.seeds if not allowance.allow_private else ():
        host = urlsplit(seed).netloc.rpartition("@")[2]
        if not guard.allows_literal(host):
            raise JobError(
                f"seeds: {host} is an address of this machine or network, or a port of another service; only the user"
                " can allow that, with dowse mcp --allow-private"
            )


def _limits(max_pages: int, given: Mapping[str, Any], allowance: Allowance) -> dict[str, Any]:
    """The limits of the job: what was asked for, if the user allowed so much, else an error; and never none."""
    limits: dict[str, Any] = {"max_pages": given.get("max_pages", max_pages)}
    for name in ("max_time", "max_bytes"):
        limits[name] = given.get(name) or getattr(allowance, name)
    for name, value in limits.items():
        most = getattr(allowance, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise JobError(f"{name}: expected a number from 1 to {most:,}, which the user set; got {value!r:.40}")
    return limits
