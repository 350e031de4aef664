"""Counts a crawl for its report: one pass over the visits into a narrow temporary table, and sums over that.

Rows of `visit` are wide (a page's links are in them), so that each question of its own would read gigabytes.
What cannot be summed is bounded: the first of a list, or every so-manieth page (survey_links.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from dowse.core.crawl_numbers import (
    CopyGroup,
    Count,
    FailureGroup,
    HostRow,
    Interval,
    LedgerRow,
    Level,
    PageRow,
    Speed,
    Survey,
    Timeline,
)
from dowse.core.model import State
from dowse.store.database import Database
from dowse.store.fragments import count_if, place_of, three_digits, whole
from dowse.store.reading.link_graph import IS_PAGE
from dowse.store.reading.survey_links import sample_links
from dowse.store.reading.survey_records import survey_records
from dowse.store.reading.tables import LAST_TRY
from dowse.store.task_states import OF_PAGES, one_of
from dowse.store.working_time import first_visits, worked_seconds

MOST_ROWS = 12
MOST_HOSTS = 20
MOST_EXAMPLES = 3
MOST_INTERVALS = 90

# Lengths of time that people count in, in seconds.
_WIDTHS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400)

# One row a request. `current` is the one that tells what its URL is now, `last` how it stands, `content` whether a page
# came.
_ANSWERS = f"""
    CREATE TEMP TABLE answer AS
    SELECT visit.id AS visit, visit.task AS task, visit.fetched_at AS fetched_at, visit.elapsed AS elapsed,
           visit.status AS status, visit.media_type AS media_type, visit.size AS size,
           visit.duplicate_of AS duplicate_of, task.depth AS depth, task.host AS host,
           visit.failure NOT IN ('', 'robots', 'media_type') AS failed,
           visit.failure = '' AND visit.redirect IS NULL AND task.{OF_PAGES} AS content,
           task.visit = visit.id AS current, visit.id = {LAST_TRY} AS last, task.state AS state
    FROM visit JOIN task ON task.id = visit.task WHERE visit.failure <> 'robots'
"""
_PAGE = f"current AND content AND state <> {State.OUT_OF_SCOPE}"

_SIZES = f"SELECT {count_if(_PAGE)}, coalesce(sum(size), 0) FROM answer"
_TIMES = "SELECT min(fetched_at), max(fetched_at), count(*) FROM answer"
_RUNS = "SELECT {run}, min(fetched_at), max(fetched_at) FROM answer GROUP BY 1 ORDER BY 1"
_INTERVALS = f"""
    SELECT {whole("({time} - ?) / ?")}, {count_if("content")}, {count_if("NOT content AND NOT failed")},
           {count_if("failed")}
    FROM answer GROUP BY 1 ORDER BY 1
"""
# To three digits, which is at most 900 groups a decade.
_SPEEDS = f"SELECT {three_digits('elapsed')}, count(*) FROM answer WHERE status > 0 GROUP BY 1 ORDER BY 1"
_STATUSES = "SELECT status, count(*), sum(size) FROM answer WHERE last AND status > 0 GROUP BY 1 ORDER BY 2 DESC, 1"
_MEDIA_TYPES = f"""
    SELECT coalesce(nullif(media_type, ''), 'not said'), count(*), sum(size) FROM answer WHERE {_PAGE}
    GROUP BY 1 ORDER BY 2 DESC, 1
"""
_REFUSED = one_of(State.OUT_OF_SCOPE, State.ROBOTS, State.KEPT)
_LEVELS = f"""
    SELECT depth, count(*), {count_if(IS_PAGE)} FROM task
    WHERE (state NOT IN {_REFUSED} OR {IS_PAGE}) AND reason <> 'redirect' AND {OF_PAGES}
    GROUP BY 1 ORDER BY 1
"""
_HOSTS = f"""
    SELECT host.id, host.name, sums.pages, sums.failed, sums.size
    FROM (SELECT host, {count_if(_PAGE)} AS pages, {count_if("last AND failed")} AS failed, sum(size) AS size
          FROM answer GROUP BY host) AS sums JOIN host ON host.id = sums.host
    ORDER BY sums.pages DESC, sums.failed DESC, host.name LIMIT ?
"""
_MEDIAN = "SELECT elapsed FROM answer WHERE host = ? AND status > 0 ORDER BY elapsed LIMIT 1 OFFSET ?"
# A URL is host and path once what is before the host is gone; user names in it are none of the report's business.
_OTHER_SITES = f"""
    SELECT substr(place, {place_of("'@'", "place")} + 1), count(*), count(*) OVER ()
    FROM (SELECT substr(rest, 1, {place_of("'/'", "rest || '/'")} - 1) AS place
          FROM (SELECT substr(url, {place_of("'//'", "url")} + 2) AS rest FROM task
                WHERE state = {State.OUT_OF_SCOPE} AND reason IN ('host', 'domain')) AS addresses) AS places
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?
"""
_EXTREMES = f"""
    SELECT task.url, visit.title, best.value
    FROM (SELECT visit, {{column}} AS value FROM answer WHERE {_PAGE} ORDER BY {{column}} DESC, visit LIMIT {{most}})
         AS best JOIN visit ON visit.id = best.visit JOIN task ON task.id = visit.task
    ORDER BY best.value DESC, visit.id
"""
_FAILURES = f"""
    SELECT reason, count(*) FROM task WHERE state = {State.FAILED} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?
"""
_EXAMPLES = f"""
    SELECT task.url, coalesce(visit.detail, ''), coalesce(finder.url, '')
    FROM task LEFT JOIN visit ON visit.id = {LAST_TRY} LEFT JOIN task AS finder ON finder.id = task.parent
    WHERE task.state = {State.FAILED} AND task.reason = ? ORDER BY task.id LIMIT ?
"""
_COPIES = f"""
    SELECT original.url, visit.title, copies, copy.url
    FROM (SELECT duplicate_of, count(*) AS copies, min(task) AS first FROM answer
          WHERE {_PAGE} AND duplicate_of IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?) AS sums
         JOIN task AS original ON original.id = sums.duplicate_of JOIN task AS copy ON copy.id = sums.first
         LEFT JOIN visit ON visit.id = original.visit
    ORDER BY copies DESC, original.id
"""


def take_survey(connection: Database, ledger: list[LedgerRow]) -> Survey:
    """Count everything, in the transaction the caller has begun; its temporary table goes when that ends."""
    connection.execute(_ANSWERS)
    first, last, requests = connection.execute(_TIMES).fetchone()
    pages, size = connection.execute(_SIZES).fetchone()
    (hosts,) = connection.execute("SELECT count(DISTINCT host) FROM answer").fetchone()
    other_sites = connection.execute(_OTHER_SITES, (MOST_ROWS,)).fetchall()
    return Survey(
        ledger=ledger,
        pages=pages,
        size=size,
        requests=requests,
        timeline=_timeline(connection, first, last) if requests else None,
        speeds=[Speed(*row) for row in connection.execute(_SPEEDS)],
        statuses=[Count(str(status), *sums) for status, *sums in connection.execute(_STATUSES)],
        media_types=[Count(*row) for row in connection.execute(_MEDIA_TYPES)],
        levels=[Level(*row) for row in connection.execute(_LEVELS)],
        hosts=_hosts(connection),
        host_count=hosts,
        other_sites=[Count(site, urls) for site, urls, _ in other_sites],
        other_site_count=other_sites[0][2] if other_sites else 0,
        links=sample_links(connection, f"SELECT task FROM answer WHERE {_PAGE} AND duplicate_of IS NULL ORDER BY task"),
        records=survey_records(connection),
        failures=failure_groups(connection),
        slowest=_extremes(connection, "elapsed"),
        largest=_extremes(connection, "size"),
        copies=[CopyGroup(*row) for row in connection.execute(_COPIES, (MOST_ROWS,))],
    )


def _timeline(connection: Database, first: float, last: float) -> Timeline:
    runs = first_visits(connection)
    pauses = _pauses(connection, runs)
    before = _by_run(runs, [pauses.get(run, 0.0) for run in range(len(runs) + 1)])
    time = f"fetched_at - {before}" if len(pauses) > 1 else "fetched_at"
    last -= max(pauses.values(), default=0.0)
    span = last - first
    days = (86400.0 * number for number in range(2, 100_000))
    width = next(width for width in (*_WIDTHS, *days) if span / width < MOST_INTERVALS)
    rows = connection.execute(_INTERVALS.format(time=time), (first, width))
    return Timeline(first, last, width, [Interval(*row) for row in rows], worked_seconds(connection), len(pauses) or 1)


def _pauses(connection: Database, runs: Sequence[int]) -> dict[int, float]:
    """For each run that had an answer, the seconds before it in which no run was at work."""
    pauses: dict[int, float] = {}
    pause, before = 0.0, None
    for run, first, last in connection.execute(_RUNS.format(run=_by_run(runs, range(len(runs) + 1)))) if runs else ():
        pause += max(first - before, 0.0) if before is not None else 0.0
        pauses[run], before = pause, last
    return pauses


def _by_run(runs: Sequence[int], values: Sequence[float]) -> str:
    """An expression for what is so of the run of a visit, given the first visit of each; one value is for before."""
    cases = [f"WHEN visit < {first} THEN {value!r}" for first, value in zip(runs, values, strict=False)]
    return f"CASE {' '.join(cases)} ELSE {values[-1]!r} END" if cases else repr(values[-1])


def _hosts(connection: Database) -> list[HostRow]:
    rows = connection.execute(_HOSTS, (MOST_HOSTS,)).fetchall()
    return [HostRow(name, pages, failed, size, _median(connection, host)) for host, name, pages, failed, size in rows]


def _median(connection: Database, host: int) -> float:
    query = "SELECT count(*) FROM answer WHERE host = ? AND status > 0"
    (answers,) = connection.execute(query, (host,)).fetchone()
    row = connection.execute(_MEDIAN, (host, answers // 2)).fetchone()
    return float(row[0]) if row else 0.0


def _extremes(connection: Database, column: str) -> list[PageRow]:
    return [PageRow(*row) for row in connection.execute(_EXTREMES.format(column=column, most=MOST_ROWS))]


def failure_groups(connection: Database) -> list[FailureGroup]:
    """What failed, by kind, with a few examples of each."""
    groups = connection.execute(_FAILURES, (MOST_ROWS,)).fetchall()
    return [
        FailureGroup(reason, count, connection.execute(_EXAMPLES, (reason, MOST_EXAMPLES)).fetchall())
        for reason, count in groups
    ]
