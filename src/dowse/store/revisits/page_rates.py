"""The change rates of a crawl's pages: read from its tables, kept in memory while it runs, and written back."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import numpy as np

from dowse.core.largest import largest
from dowse.core.model import State
from dowse.core.revisits.change_rates import NEVER, Activity, ChangeRates, Numbers, Rate
from dowse.core.revisits.news_rates import news_rates
from dowse.core.revisits.server_words import ServerWords, Word
from dowse.store.database import Database
from dowse.store.revisits.importance import Importance
from dowse.store.revisits.revisit_tables import GAP, LEARNED, SAVE_ACTIVITY, SAVE_RATE, SAVE_WORD
from dowse.store.schema import SET_META
from dowse.store.task_states import OF_PAGES

DAY = 86_400.0

# As the visits have it that were learned from. Of a page that changed since, that is not its last one.
_PAGES = f"""
    SELECT task.id, task.url, coalesce(page_rate.changes, 0), coalesce(page_rate.days, 0),
        coalesce(page_rate.at, before.fetched_at), before.last_modified, page_rate.task IS NULL,
        coalesce(revisited.news, 0)
    FROM task JOIN visit AS now ON now.id = abs(task.visit)
    JOIN visit AS before ON before.id = CASE WHEN now.id <= ? THEN now.id ELSE
        (SELECT max(id) FROM visit WHERE visit.task = task.id AND visit.id <= ? AND visit.digest <> 0) END
    LEFT JOIN page_rate ON page_rate.task = task.id LEFT JOIN revisited ON revisited.task = task.id
    WHERE now.digest <> 0 AND task.{OF_PAGES} AND task.state <> {State.OUT_OF_SCOPE} ORDER BY task.id
"""
_SINCE = f"""
    SELECT visit.id, visit.task, visit.fetched_at, change.id IS NOT NULL, visit.last_modified,
        visit.digest <> 0 AND visit.duplicate_of IS NULL, task.url
    FROM visit JOIN task ON task.id = visit.task LEFT JOIN change
    ON change.task = visit.task AND change.later = visit.id AND change.kind = 'changed' AND change.what <> 'record'
    WHERE visit.id > ? AND visit.failure = '' AND visit.redirect IS NULL AND task.{OF_PAGES} ORDER BY visit.id
"""
_CHANGES = """SELECT task, at FROM change WHERE kind = 'changed' AND what <> 'record' AND later <= ?
    ORDER BY id DESC LIMIT 20000"""
_SAID = "SELECT task, source, value, at, earlier FROM server_word"
_WORDS = "SELECT host, source, changed_said, changed_unsaid, same_said, same_unsaid FROM kept_word"
_NAME = 1
"""Which kind of group is that of the pages of one name."""

_AT_ONCE = 64
"""Visits whose rates are worked out together, in whole arrays, if there is no more than this between them:"""

_AT_ONE_TIME = 600.0

_MOST_COMMON_DATE = 0.2
"""The share of a host's pages that may say they changed in one and the same minute. Beyond it the server says of each
page when it was copied there, or when it was asked."""


class Seen(NamedTuple):
    """What a visit of a page said of its changes."""

    visit: int
    task: int
    at: float
    changed: bool
    last_modified: str
    is_page: bool
    url: str


class PageRates:
    """The rates of the pages that there is a copy of, by their tasks.

    Invariant: they are what all visits up to `LEARNED` tell. A recrawl that does not ask for them leaves its visits to
    be learned from by the next that does, and pays nothing.
    """

    def __init__(self, connection: Database, importance: Importance) -> None:
        self._connection = connection
        self._importance = importance
        self.model = ChangeRates(kinds=2)
        (learned,) = connection.execute("SELECT value FROM meta WHERE name = ?", (LEARNED,)).fetchone()
        self._learned = int(learned)
        rows = connection.execute(_PAGES, (self._learned, self._learned)).fetchall()
        tasks, urls, changes, days, at, dates, is_first, news = zip(*rows, strict=True) if rows else ((),) * 8
        self._tasks = array("q", tasks)
        self._number = dict(zip(tasks, range(len(tasks)), strict=True))
        self._hosts: dict[str, int] = {}
        self._host_of = array("q", [self._hosts.setdefault(_host(url), len(self._hosts)) for url in urls])
        self._liars = liars(dates, self._host_of)
        own = np.array([changes, days, np.array(at, np.float64) / DAY], np.float64)
        honest = [first and host not in self._liars for first, host in zip(is_first, self._host_of, strict=True)]
        _add_ages(own, dates, honest)
        self.model.restore(_groups(urls), own)
        self._restore_together(own[2])
        activities = connection.execute("SELECT kind, name, found, expected, at FROM group_activity").fetchall()
        gap = connection.execute("SELECT value FROM meta WHERE name = ?", (GAP,)).fetchone()
        self._news = array("d", news)
        self.words = ServerWords(map(Word._make, connection.execute(_WORDS).fetchall()))
        for task, source, value, since, earlier in connection.stream(_SAID):  # also of all that waits
            if task in self._number:
                self.words.hear(self._number[task], source, value, since, earlier)
        self._weights = array("d", importance.weights(tasks, urls))
        self.model.restore_activities(map(Activity._make, activities), float(gap[0]) if gap else 0.0)

    def __len__(self) -> int:
        return len(self._tasks)

    def _restore_together(self, last_visits: Numbers) -> None:
        rows = self._connection.execute(_CHANGES, (self._learned,)).fetchall()
        numbers = ((self._number.get(task), at) for task, at in reversed(rows))
        self.model.together.restore([(page, at / DAY) for page, at in numbers if page is not None], last_visits)

    def of(self, task: int) -> Rate | None:
        """How often a page changes, and how sure that is; None if nobody knows the page."""
        return self.model.rate(self._number[task]) if task in self._number else None

    def catch_up(self) -> None:
        """Learn from the visits since, and write it down. Whoever asks has a transaction open."""
        together: dict[int, Seen] = {}
        last = self._learned
        for seen in map(Seen._make, self._connection.execute(_SINCE, (self._learned,)).fetchall()):
            last = seen.visit
            if seen.task not in self._number:
                self._add(seen)
                continue
            first = next(iter(together.values()), seen)
            if seen.task in together or len(together) >= _AT_ONCE or abs(seen.at - first.at) > _AT_ONE_TIME:
                self._learn(together)
                together = {}
            together[seen.task] = seen
        self._learn(together)
        if last > self._learned:
            self._learned = last
            self._connection.executemany(SAVE_ACTIVITY, self.model.activities())
            self._connection.executemany(SAVE_WORD, self.words.words())
            self._connection.execute(SET_META, (GAP, repr(self.model.gap)))
            self._connection.execute(SET_META, (LEARNED, str(last)))

    def _add(self, seen: Seen) -> None:
        """A page that nobody knew before."""
        if not seen.is_page:
            return
        host = self._hosts.setdefault(_host(seen.url), len(self._hosts))
        told = self._told(seen.last_modified, host)
        self._number[seen.task] = self.model.add(groups_of(seen.url), seen.at / DAY, told)
        self._tasks.append(seen.task)
        self._host_of.append(host)
        self._news.append(0.0)
        self._weights.append(self._importance.of_new(seen.url))
        self._write([seen.task])

    def _learn(self, visits: dict[int, Seen]) -> None:
        """Pages were visited again, all at about the same time."""
        if not visits:
            return
        pages = np.array([self._number[task] for task in visits])
        told = np.array(
            [self._told(visit.last_modified, self._host_of[self._number[task]]) for task, visit in visits.items()]
        )
        changed = np.array([bool(visit.changed) for visit in visits.values()])
        hosts = list(self._hosts)
        self.words.check(
            pages,
            changed,
            self.model.own(pages)[2] * DAY,
            min(visit.at for visit in visits.values()),
            [hosts[self._host_of[page]] for page in pages.tolist()],
        )
        self.model.visited_all(pages, max(visit.at for visit in visits.values()) / DAY, changed, told)
        self._write(list(visits))

    def _write(self, tasks: list[int]) -> None:
        changes, days, at = self.model.own(np.array([self._number[task] for task in tasks])).tolist()
        rows = zip(tasks, (each * DAY for each in at), changes, days, strict=True)
        self._connection.executemany(SAVE_RATE, list(rows))

    def best(self, now: float, count: int) -> list[int]:
        """The tasks of the pages that are most worth a visit, best first."""
        if not self._tasks:
            return []
        at = now / DAY
        days = self.model.days_since(at)
        news = np.frombuffer(self._news)
        found = news_rates(news, self.model.days, self.model.groups[_NAME]) * days / self.model.mean_rate
        odds = self.words.odds(now - days * DAY, now, np.frombuffer(self._host_of, np.int64), list(self._hosts))
        weights = np.frombuffer(self._weights)
        if self._importance.is_asked_for:
            found = found * weights
        best = largest(self.model.worth(at, odds=odds) * weights + found, count)
        return [self._tasks[number] for number in best.tolist()]

    def freshness(self, now: float) -> float:
        """The share of the pages that are likely to be as their copies say."""
        return float(np.exp(-self.model.expected(now / DAY)).mean()) if self._tasks else 1.0

    def found(self, news: Mapping[int, int]) -> None:
        """Pages brought links that nobody knew: so many each."""
        for task, links in news.items():
            if task in self._number:
                self._news[self._number[task]] += links

    def heard(self, said: Iterable[tuple[int, str, float, float]]) -> None:
        """Servers said something of pages: task, source, value and when."""
        for task, source, value, at in said:
            if task in self._number:
                self.words.hear(self._number[task], source, value, at)

    def _told(self, last_modified: str, host: int) -> float:
        return NEVER if host in self._liars else _day_of(last_modified)


def groups_of(url: str) -> tuple[str, str]:
    """The folder of a page, and its name wherever it stands on its host.

    >>> groups_of("https://news.example/de/index.html?page=3")
    ('news.example/de/?page', 'news.example index.html')
    """
    asked_of, _, query = url.partition("?")
    folder, _, name = asked_of.rpartition("/")
    host = _host(url)
    asked = "?" + "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")})) if query else ""
    return f"{folder.partition('//')[2]}/{asked}", f"{host} {name}"


def _host(url: str) -> str:
    return url.split("/", 3)[2]


def _groups(urls: Sequence[str]) -> list[list[str]]:
    pairs = [groups_of(url) for url in urls]
    return [[pair[kind] for pair in pairs] for kind in (0, 1)]


def _add_ages(own: Numbers, dates: Sequence[str], is_told: Sequence[bool]) -> None:
    """Of a page that was visited once its server may say for how long it is as it is."""
    for number in [number for number, (date, told) in enumerate(zip(dates, is_told, strict=True)) if date and told]:
        at = own[2, number]
        told = _day_of(dates[number])
        if told < at:
            own[:2, number] = (1.0, at - told)


def liars(dates: Sequence[str], hosts: Iterable[int]) -> set[int]:
    """The hosts whose Last-Modified tells nothing: too many of their pages have the same."""
    told = Counter((host, date[:22]) for date, host in zip(dates, hosts, strict=True) if date)
    pages: Counter[int] = Counter()
    for (host, _), count in told.items():
        pages[host] += count
    return {host for (host, _), count in told.items() if count > max(1.0, _MOST_COMMON_DATE * pages[host])}


def _day_of(last_modified: str) -> float:
    try:
        return parsedate_to_datetime(last_modified).timestamp() / DAY
    except (ValueError, TypeError, OverflowError):
        return NEVER
