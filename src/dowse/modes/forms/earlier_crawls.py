"""What a crawl for forms begins with besides its seeds: sites and forms of earlier crawls, and a list of backlinks."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from dowse.core.briefing import Briefing
from dowse.core.errors import JobError
from dowse.core.urls import host_of
from dowse.modes.forms.likeness import Likeness
from dowse.modes.forms.messages import SEARCHABLE
from dowse.modes.forms.options import FormsOptions
from dowse.store.folder import connect, holds_crawl

URL = "{url}"
"""What stands for the site in the URL of a reverse search."""

MOST_BACKLINKS = 1_000_000

_BACKLINKS, _SITES, _FORMS, _LEARNED = "backlinks", "known sites", "known forms", "learned"
_KNOWN = """SELECT host, home, words, (
        SELECT count(*) FROM form_record JOIN form ON form.id = form_record.form JOIN task ON task.id = form.task
        JOIN host ON host.id = task.site WHERE host.name = site.host)
    FROM site WHERE forms > 0 ORDER BY forms DESC, host"""
_KNOWN_FORMS = f"""SELECT form.shape, page.url, host.name, form.type, form.searchable,
        (SELECT count(*) FROM form_query WHERE form_query.form = form.id AND task IS NOT NULL) + coalesce(queries, 0),
        (SELECT coalesce(sum(requests), 0) FROM form_query WHERE form_query.form = form.id) + coalesce(requests, 0),
        max((SELECT count(*) FROM form_record WHERE form_record.form = form.id), coalesce(records, 0))
    FROM form JOIN task AS page ON page.id = form.task JOIN host ON host.id = page.site
        LEFT JOIN known_form ON known_form.shape = form.shape
    WHERE form.searchable >= {SEARCHABLE} AND form.gone = 0 ORDER BY form.id"""


class KnownSite(Struct, frozen=True, array_like=True):
    """A site with forms, as an earlier crawl found it."""

    host: str
    home: str
    words: str
    brought: int


class KnownForm(Struct, frozen=True, array_like=True):
    """A search form of an earlier crawl: what it was taken for, and its queries, requests and records so far."""

    shape: str
    url: str
    host: str
    judged: tuple[str, float]
    brought: tuple[int, int, int]


def read_briefing(options: FormsOptions) -> Briefing:
    """Read the backlink file and the earlier crawls that a job names."""
    briefing: dict[str, bytes] = {}
    if options.backlinks and URL not in options.backlinks:
        briefing[_BACKLINKS] = msgspec.msgpack.encode(_read_backlinks(Path(options.backlinks)))
    if options.known:
        sites: dict[str, KnownSite] = {}
        forms: dict[str, KnownForm] = {}
        learned: dict[str, Likeness] = {"sites": Likeness(), "links": Likeness()}
        for folder in options.known:
            _read_crawl(Path(folder), sites, forms, learned)
        briefing[_FORMS] = msgspec.msgpack.encode(list(forms.values()))
        briefing[_SITES] = msgspec.msgpack.encode(list(sites.values()))
        briefing[_LEARNED] = msgspec.msgpack.encode({name: each.dump() for name, each in learned.items()})
    return briefing


def backlinks_of(briefing: Briefing) -> dict[str, list[str]]:
    """The pages that link to each host, as the file says."""
    return msgspec.msgpack.decode(briefing.get(_BACKLINKS, b"\x80"), type=dict[str, list[str]])


def known_sites(briefing: Briefing) -> list[KnownSite]:
    return msgspec.msgpack.decode(briefing.get(_SITES, b"\x90"), type=list[KnownSite])


def known_forms(briefing: Briefing) -> list[KnownForm]:
    return msgspec.msgpack.decode(briefing.get(_FORMS, b"\x90"), type=list[KnownForm])


def learned(briefing: Briefing) -> dict[str, bytes]:
    """The feature spaces of earlier crawls."""
    return msgspec.msgpack.decode(briefing.get(_LEARNED, b"\x80"), type=dict[str, bytes])


def _read_backlinks(path: Path) -> dict[str, list[str]]:
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            return _by_host(csv.reader(lines))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise JobError(f"backlinks: {path} cannot be read as CSV: {error}") from error


def _by_host(rows: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    """The pages by the host that they link to; what is no pair of URLs, such as a heading, is left out."""
    found: dict[str, list[str]] = {}
    for number, row in enumerate(rows):
        if number > MOST_BACKLINKS:
            raise JobError(f"backlinks: there are more than {MOST_BACKLINKS:,} rows; give those of your field")
        if len(row) >= 2 and all(url.startswith(("http://", "https://")) for url in row[:2]):
            found.setdefault(host_of(row[1]), []).append(row[0])
    return found


def _read_crawl(
    folder: Path, sites: dict[str, KnownSite], forms: dict[str, KnownForm], spaces: dict[str, Likeness]
) -> None:
    if not holds_crawl(folder):
        raise JobError(f"known: there is no crawl in {folder}")
    connection = connect(folder, read_only=True)
    try:
        if "likeness" not in connection.tables():
            raise JobError(f"known: the crawl in {folder} was not for forms")
        for row in connection.execute(_KNOWN):
            sites.setdefault(row[0], KnownSite(*row))
        for shape, url, host, *told in connection.execute(_KNOWN_FORMS):
            forms.setdefault(shape, KnownForm(shape, url, host, tuple(told[:2]), tuple(told[2:])))
        for name, state in connection.execute("SELECT name, state FROM likeness"):
            spaces[name].add(state)
    finally:
        connection.close()
