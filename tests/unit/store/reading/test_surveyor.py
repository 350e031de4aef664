"""Counting a crawl: what the numbers of a report are taken from, and that samples stay samples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from dowse.core.crawl_numbers import Count, FieldRow, HostRow, Level, Speed, Survey
from dowse.store.reading import survey_links, survey_records
from dowse.store.reading.survey_records import count_fields
from dowse.store.reading.surveyor import MOST_INTERVALS, take_survey
from dowse.store.sqlite import open_memory
from dowse.store.versions import create

TASK = {
    "key_hash": 0, "host": 1, "site": 1, "label": "", "depth": 1, "priority": 0.0, "parent": 0, "anchor": "",
    "state": 2, "reason": "",
}  # fmt: skip
VISIT = {
    "fetched_at": 0.0, "elapsed": 0.1, "status": 200, "failure": "", "detail": "", "media_type": "text/html",
    "charset": "", "declared": "", "title": "", "size": 100, "digest": 0, "etag": "", "last_modified": "",
}  # fmt: skip


class Crawl:
    """A database filled by hand; `page` adds a URL and the visit that tells what it is."""

    def __init__(self) -> None:
        self.connection = open_memory()
        create(self.connection)
        self.connection.execute("INSERT INTO host VALUES (1, 'a.example', 0, '{}'), (2, 'b.example', 0, '{}')")

    def insert(self, table: str, row: dict[str, Any]) -> int:
        query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        return self.connection.execute(query, tuple(row.values())).lastrowid or 0

    def page(self, url: str, links: tuple[int, ...] = (), task: dict[str, Any] | None = None, **visit: Any) -> int:
        number = self.insert("task", {**TASK, "url": url, **(task or {})})
        edges = json.dumps([[target, "[7,words]"] for target in links])
        seen = self.insert("visit", {**VISIT, "task": number, "links": edges, **visit})
        self.connection.execute("UPDATE task SET visit = ? WHERE id = ?", (seen, number))
        return number

    def survey(self) -> Survey:
        with self.connection.snapshot():
            return take_survey(self.connection, [])


@pytest.fixture
def crawl() -> Iterator[Crawl]:
    made = Crawl()
    yield made
    made.connection.close()


def test_nothing(crawl: Crawl) -> None:
    survey = crawl.survey()
    assert (survey.pages, survey.size, survey.requests, survey.timeline, survey.records) == (0, 0, 0, None, [])
    assert len(survey.links.sources) == 0


def test_pages_are_what_the_table_of_pages_has(crawl: Crawl) -> None:
    crawl.page("http://a.example/")
    crawl.page("http://a.example/old", task={"reason": "redirect"}, status=301, redirect=1)
    crawl.page("http://a.example/sitemap.xml", task={"label": "sitemap", "reason": "sitemap"})
    crawl.page("http://a.example/copy", task={"state": 3, "reason": "mirror"}, duplicate_of=1)
    crawl.page("http://a.example/no", task={"state": 5, "reason": "robots"}, failure="robots", status=0)
    crawl.page("http://b.example/", task={"state": 6, "reason": "dns", "host": 2}, failure="dns", status=0, elapsed=5.0)
    survey = crawl.survey()
    assert (survey.pages, survey.requests, survey.host_count) == (2, 5, 2)
    assert survey.statuses == [Count("200", 3, 300), Count("301", 1, 100)]
    assert survey.media_types == [Count("text/html", 2, 200)]
    assert survey.levels == [Level(1, 3, 2)]
    assert survey.hosts == [HostRow("a.example", 2, 0, 400, 0.1), HostRow("b.example", 0, 1, 100, 0.0)]
    assert survey.speeds == [Speed(0.1, 4)]
    assert [(group.url, group.copies, group.example) for group in survey.copies] == [
        ("http://a.example/", 1, "http://a.example/copy")
    ]
    assert [(group.reason, group.count) for group in survey.failures] == [("dns", 1)]


def test_a_page_that_was_visited_twice_is_one_page_and_two_requests(crawl: Crawl) -> None:
    task = crawl.page("http://a.example/", fetched_at=100.0)
    crawl.insert("visit", {**VISIT, "task": task, "fetched_at": 200.0, "status": 304})
    survey = crawl.survey()
    assert (survey.pages, survey.requests) == (1, 2)
    assert survey.statuses == [Count("200", 1, 100)]
    assert survey.timeline is not None
    assert sum(interval.pages for interval in survey.timeline.intervals) == 2


@pytest.mark.parametrize("span", [0.0, 0.4, 90.0, 5_000.0, 1e6, 4e8])
def test_the_time_line_has_few_stretches(crawl: Crawl, span: float) -> None:
    for place in range(300):
        crawl.page(f"http://a.example/{place}", fetched_at=1.79e9 + span * place / 299)
    timeline = crawl.survey().timeline
    assert timeline is not None
    assert sum(interval.pages for interval in timeline.intervals) == 300
    assert max(interval.number for interval in timeline.intervals) < MOST_INTERVALS
    assert span < 50 or len(timeline.intervals) > 20


def test_times_are_kept_to_three_digits(crawl: Crawl) -> None:
    for place in range(2000):
        crawl.page(f"http://a.example/{place}", elapsed=0.1 + place / 1e6)
    speeds = crawl.survey().speeds
    assert sum(speed.count for speed in speeds) == 2000
    assert [speed.seconds for speed in speeds] == [0.1, 0.101, 0.102]


def test_other_sites_are_counted_by_host(crawl: Crawl) -> None:
    for url in (
        "https://c.example/1",
        "http://c.example/2?x=http://z.example/",
        "http://user@d.example:81/",
        "http://e.example",
    ):
        crawl.insert("task", {**TASK, "url": url, "host": 0, "state": 4, "reason": "host"})
    crawl.insert("task", {**TASK, "url": "http://a.example/x.pdf", "host": 0, "state": 4, "reason": "extension .pdf"})
    survey = crawl.survey()
    assert survey.other_sites == [Count("c.example", 2), Count("d.example:81", 1), Count("e.example", 1)]
    assert survey.other_site_count == 3


def test_slowest_and_largest(crawl: Crawl) -> None:
    for place in range(30):
        crawl.page(f"http://a.example/{place}", elapsed=place / 10, size=1000 - place, title=f"page {place}")
    survey = crawl.survey()
    assert [row.title for row in survey.slowest[:2]] == ["page 29", "page 28"]
    assert [row.title for row in survey.largest[:2]] == ["page 0", "page 1"]
    assert len(survey.slowest) == len(survey.largest) == 12


# Samples


def test_links_of_all_pages_while_they_are_few(crawl: Crawl) -> None:
    crawl.page("http://a.example/1", (1, 2, 3, 3, 9))  # itself, two pages one of them twice, and one that is no page
    crawl.page("http://a.example/2", (1,), title="second")
    crawl.page("http://a.example/3", (2, 1))
    crawl.insert(
        "task", {**TASK, "id": 9, "url": "http://b.example/", "state": 4, "reason": "host", "anchor": "elsewhere"}
    )
    links = crawl.survey().links
    pairs = sorted(zip(links.sources.tolist(), links.targets.tolist(), strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 0), (2, 0), (2, 1)]
    assert (links.step, links.links) == (1, 8)
    assert [(row.url, row.title, row.value) for row in links.most_linked] == [
        ("http://a.example/1", "", 2),
        ("http://a.example/2", "second", 2),
        ("http://a.example/3", "", 1),
        ("http://b.example/", "elsewhere", 1),
    ]


def test_a_large_crawl_is_sampled_evenly(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_links, "MOST_PAGES", 10)
    for place in range(1, 96):
        crawl.page(f"http://a.example/{place}", (1, place % 95 + 1))
    links = crawl.survey().links
    assert links.step == 10
    assert [int(url.rpartition("/")[2]) for url in links.urls] == list(range(1, 96, 10))
    assert links.links == 200
    assert (links.most_linked[0].url, links.most_linked[0].value) == ("http://a.example/1", 90)


def test_records_are_counted_by_kind_and_field(crawl: Crawl) -> None:
    for task, fields in enumerate(
        ({"title": "a", "price": 3}, {"title": "b", "price": None}, {"title": "b", "tags": []})
    ):
        crawl.insert("record", {"task": task, "kind": "fields", "key": "", "fields": json.dumps(fields)})
    crawl.insert("record", {"task": 1, "kind": "article", "key": "", "fields": json.dumps({"text": "x"})})
    fields, article = crawl.survey().records
    assert (fields.kind, fields.records, fields.looked_at) == ("fields", 3, 3)
    assert fields.fields == [FieldRow("title", 3, 2, "a"), FieldRow("price", 1, 1, 3), FieldRow("tags", 0, 0, None)]
    assert (article.kind, article.records) == ("article", 1)


def test_many_records_are_sampled(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_records, "MOST_RECORDS", 10)
    for task in range(35):
        crawl.insert("record", {"task": task, "kind": "fields", "key": "", "fields": json.dumps({"n": task})})
    [group] = crawl.survey().records
    assert (group.records, group.looked_at) == (35, 9)
    assert group.fields == [FieldRow("n", 9, 9, 0)]


def test_fields_without_end_are_cut() -> None:
    rows = count_fields(json.dumps({f"field {place}": 1, "always": 1}) for place in range(500))
    assert len(rows) == survey_records.MOST_FIELDS
    assert rows[0] == FieldRow("always", 500, 1, 1)


def test_the_time_between_runs_is_left_out(crawl: Crawl) -> None:
    for number, fetched_at in enumerate((100.0, 102.0, 5000.0, 5003.0, 9000.0)):
        crawl.page(f"http://a.example/{number}", fetched_at=fetched_at)
    # The fourth run was stopped before it had an answer.
    crawl.connection.execute("INSERT INTO meta VALUES ('runs', '[1, 3, 5, 6]'), ('worked', '6.5')")
    timeline = crawl.survey().timeline
    assert timeline is not None
    assert (timeline.start, timeline.end, timeline.seconds, timeline.runs) == (100.0, 105.0, 6.5, 3)
    times = [interval.number * timeline.width for interval in timeline.intervals]
    assert times == [0.0, 2.0, 5.0]
    assert sum(interval.pages for interval in timeline.intervals) == 5


def test_a_crawl_that_never_wrote_its_runs_is_shown_as_one(crawl: Crawl) -> None:
    for number, fetched_at in enumerate((100.0, 200.0)):
        crawl.page(f"http://a.example/{number}", fetched_at=fetched_at)
    timeline = crawl.survey().timeline
    assert timeline is not None
    assert (timeline.seconds, timeline.runs) == (100.0, 1)
