"""Rules that are edited while a crawl runs, and a database that goes away: the next page obeys what is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dowse import app
from dowse.config import make_job
from dowse.engine.events import Event, Notice
from dowse.modes.rules.briefing import unpack_rules
from dowse.modes.rules.rule_places import copy_rules, read_rules
from tests.crawling import path_of
from tests.postgres import Server
from tests.ruling import checked, follow, keep, write_table
from tests.servers import Request, Site

PAGES = 16
CHANGE_AT = 6
LATEST = CHANGE_AT + 4
"""The page that obeys a change at the latest: half a second after it, and more on a slow machine."""
SLOWLY: dict[str, Any] = {"delay": 0.15, "per_host": 1}
"""One page after the other, with time enough between them to read the rules."""


def chain(site: Site, change: Callable[[], None]) -> None:
    """Pages that each lead to the next and to three files; at one of them the rules change."""

    def answer(request: Request) -> str:
        number = int(request.path[2:])
        if number == CHANGE_AT and request.visit == 0:
            change()
        return f"<title>{number}</title><a href=/p{number + 1}>next</a>" + "".join(
            f"<a href=/f{number}.{kind}>file</a>" for kind in ("pdf", "doc", "txt")
        )

    site.pages["/p*"] = answer


def rows(site: Site) -> list[dict[str, str]]:
    base = f"{site.url}p1"
    limit = r"/p(\d|1[0-5])$"
    return [
        follow(base, "base>page", limit),
        keep(base, "base", "pdf"),
        follow(base, "page>page", limit),
        keep(base, "page", "pdf"),
    ]


def change_in(place: str, statement: str) -> Callable[[], None]:
    def change() -> None:
        if place.startswith("sqlite"):
            with closing(sqlite3.connect(place.removeprefix("sqlite:///"), timeout=10)) as connection:
                connection.execute(statement)
                connection.commit()
        else:
            with psycopg.connect(place) as other:
                other.execute(statement.encode())

    return change


def place_for(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if kind == "postgresql":
        server: Server = request.getfixturevalue("postgres_server")
        return server.database()
    return f"sqlite:///{tmp_path}/{'out/crawl' if kind == 'own' else 'rules'}.db"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql", "own"])
def test_the_next_pages_obey(
    site: Site, tmp_path: Path, request: pytest.FixtureRequest, kind: str, workers: int
) -> None:
    place = place_for(kind, tmp_path, request)
    chain(site, change_in(place, "UPDATE rules SET pattern = 'doc' WHERE number = 4"))
    table = write_table(tmp_path / "rules.csv", *rows(site))
    if kind != "own":
        copy_rules(table, place, replace=False)
    options = {**SLOWLY, "workers": workers, "output": str(tmp_path / "out")}
    app.start(make_job("rules", (), table=table if kind == "own" else place, **options))
    found = checked(tmp_path / "out")
    kept = [path_of(row["url"]) for row in found.kept]
    endings = {path.rpartition(".")[2]: [] for path in kept}  # type: ignore[var-annotated]
    for path in kept:
        number, _, ending = path[2:].partition(".")
        endings[ending].append(int(number))
    # Pages that were under way while the rules changed may have been read by either.
    assert set(range(1, CHANGE_AT)) <= set(endings["pdf"]) <= set(range(1, LATEST))
    assert set(range(LATEST, PAGES)) <= set(endings["doc"]) <= set(range(CHANGE_AT, PAGES))
    instruction = next(each for each in found.instructions() if each.url.endswith(f"p{LATEST}"))
    assert [limits.pattern for limits in instruction.keep_rules] == ["doc"]


@pytest.mark.parametrize("kind", ["sqlite", "own"])
def test_the_crawl_keeps_the_rules_that_it_went_by_last(site: Site, tmp_path: Path, kind: str) -> None:
    place = f"sqlite:///{tmp_path}/{'out/crawl' if kind == 'own' else 'rules'}.db"
    chain(site, change_in(place, "UPDATE rules SET pattern = 'doc' WHERE number = 4"))
    table = write_table(tmp_path / "rules.csv", *rows(site))
    if kind != "own":
        copy_rules(table, place, replace=False)
    output = tmp_path / "out"
    app.start(make_job("rules", (), table=table if kind == "own" else place, output=str(output), **SLOWLY))
    with closing(app.read(output)) as crawl:
        briefed = unpack_rules(crawl.reader.briefing()).rules
    copied = read_rules(f"sqlite:///{output}/crawl.db").rules
    assert [rule.pattern for rule in copied] == [rule.pattern for rule in briefed]
    assert copied[3].pattern == "doc"


def test_a_row_that_is_broken_while_the_crawl_runs_is_named_and_the_others_go_on(site: Site, tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path}/rules.db"
    chain(site, change_in(place, "UPDATE rules SET pattern = '(' WHERE number = 4"))
    copy_rules(write_table(tmp_path / "rules.csv", *rows(site)), place, replace=False)
    heard: list[Event] = []
    app.start(make_job("rules", (), table=place, output=str(tmp_path / "out"), **SLOWLY), heard.append)
    found = checked(tmp_path / "out")
    assert found.status().pages == PAGES - 1, "the rule that follows is still there"
    assert len(found.kept) in range(CHANGE_AT - 1, LATEST)
    [notice] = [event.text for event in heard if isinstance(event, Notice)]
    assert "rules.db: row 4, column pattern: '(' is not a regular expression" in notice


def test_a_database_that_goes_away_in_mid_crawl(site: Site, tmp_path: Path, postgres_server: Server) -> None:
    place = postgres_server.database()
    chain(site, postgres_server.stop)
    copy_rules(write_table(tmp_path / "rules.csv", *rows(site)), place, replace=False)
    heard: list[Event] = []
    try:
        app.start(make_job("rules", (), table=place, output=str(tmp_path / "out"), **SLOWLY), heard.append)
    finally:
        postgres_server.start()
    found = checked(tmp_path / "out")
    assert found.status().stop_reason == "complete"
    assert len(found.kept) == PAGES - 1, "the crawl ends by the rules it had"
    notices = [event.text for event in heard if isinstance(event, Notice)]
    assert any("goes on with the rules it has" in notice for notice in notices)


def test_a_base_that_is_added_is_crawled_on_resume(site: Site, tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path}/rules.db"
    site.pages |= {"/a": "<a href=/a.pdf>a</a>", "/b": "<a href=/b.pdf>b</a>"}
    copy_rules(write_table(tmp_path / "rules.csv", keep(f"{site.url}a", "base")), place, replace=False)
    app.start(make_job("rules", (), table=place, output=str(tmp_path / "out")))
    copy_rules(write_table(tmp_path / "rules.csv", keep(f"{site.url}b", "base")), place, replace=False)
    app.resume(tmp_path / "out")
    assert [path_of(row["url"]) for row in checked(tmp_path / "out").kept] == ["/a.pdf", "/b.pdf"]


def test_a_crawl_whose_database_is_gone_is_resumed_by_its_copy(
    site: Site, tmp_path: Path, postgres_server: Server
) -> None:
    place = postgres_server.database()
    chain(site, lambda: None)
    copy_rules(write_table(tmp_path / "rules.csv", *rows(site)), place, replace=False)
    options = {**SLOWLY, "output": str(tmp_path / "out"), "delay": 0.0}
    app.start(make_job("rules", (), table=place, max_pages=4, **options))
    heard: list[Event] = []
    postgres_server.stop()
    try:
        app.resume(tmp_path / "out", heard.append, max_pages=0)
    finally:
        postgres_server.start()
    assert len(checked(tmp_path / "out").kept) == PAGES - 1
    assert [event for event in heard if isinstance(event, Notice)]
