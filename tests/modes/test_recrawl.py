"""What stays of a page that a later visit could not get: all that was known of it, and word of the failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.crawl_numbers import Survey
from dowse.workflows.replay_sources import open_web
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of, paths, reasons, states
from tests.manners import revalidated
from tests.servers import Reply, Request, Site

FAILURES = {"http 500": Reply(status=500), "http 403": Reply(status=403), "timeout": "silent"}


def shop(site: Site) -> None:
    site.pages |= {
        "/": links("/a", "/b", "/old"),
        "/a": "<h1>A</h1>" + links("/c"),
        "/b": "<h1>B</h1>" + links("/a"),
        "/c": "<h1>C</h1>",
        "/old": Reply(status=301, headers={"Location": "/b"}),
    }


def edges(directory: Path) -> set[tuple[str, str]]:
    return {(path_of(row["url"]), path_of(row["target"])) for row in opened(directory).edges}


def records(directory: Path) -> set[str]:
    return {path_of(row["url"]) for row in opened(directory).records}


@pytest.mark.parametrize(("reason", "answer"), FAILURES.items(), ids=FAILURES)
def test_a_page_that_failed_keeps_its_last_good_copy(
    site: Site, tmp_path: Path, reason: str, answer: Reply | str
) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    before = opened(tmp_path)
    pages, drawn, taken = paths(before), edges(tmp_path), records(tmp_path)
    if answer == "silent":
        site.pages["/a"] = lambda _request: Reply(body="late", delay=30.0)
    else:
        assert isinstance(answer, Reply)
        site.pages["/a"] = answer
    app.recrawl(tmp_path, **FAST, retries=0, timeout=1.0)
    found = opened(tmp_path)
    assert (sorted(paths(found)), edges(tmp_path), records(tmp_path)) == (sorted(pages), drawn, taken)
    assert (states(found)["/a"], reasons(found)["/a"]) == ("failed", reason)
    page = next(row for row in found.pages if path_of(row["url"]) == "/a")
    assert (page["status"], page["state"], page["reason"]) == (200, "failed", reason)
    entry = next(row for row in found.ledger if path_of(row["url"]) == "/a")
    assert entry["status"] == (answer.status if isinstance(answer, Reply) else 0), "the ledger has the last try"
    assert [page.url for page in found.stored_pages() if path_of(page.url) == "/a"], "its body can be read again"


def test_why_and_the_report_tell_of_the_copy_and_of_the_failure(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url, sitemaps=False)
    site.pages["/a"] = Reply(status=500)
    app.recrawl(tmp_path, **FAST, retries=0)
    told = invoke(capsys, "why", tmp_path, "/a").out
    assert "state            failed (http 500)" in told
    assert "last copy  " in told
    survey: Survey = opened(tmp_path).survey()
    assert survey.pages == 4
    assert [(group.reason, group.count) for group in survey.failures] == [("http 500", 1)]
    assert survey.hosts[0].failed == 1
    assert {count.name: count.count for count in survey.statuses} == {"200": 3, "301": 1, "500": 1}


def test_the_next_visit_asks_for_what_changed_since_the_copy(site: Site, tmp_path: Path) -> None:
    shop(site)
    site.pages["/a"] = revalidated("tagged", etag='"1"')
    crawl(tmp_path, site.url)
    site.pages["/a"] = Reply(status=500)
    app.recrawl(tmp_path, **FAST, retries=0)
    site.pages["/a"] = revalidated("tagged", etag='"1"')
    app.retry(tmp_path, **FAST)
    found = opened(tmp_path)
    story = found.why("/a")
    assert story is not None
    assert [visit["status"] for visit in story.visits] == [200, 500, 304]
    assert (story.state, story.reason, story.copy_of) == ("fetched", "unchanged", None)


@pytest.mark.parametrize(
    "answer", [Reply(status=404), Reply(status=410), Reply(status=301, headers={"Location": "/c"})]
)
def test_a_page_that_is_gone_or_has_moved_takes_everything_with_it(site: Site, tmp_path: Path, answer: Reply) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    site.pages["/a"] = answer
    app.recrawl(tmp_path, **FAST, retries=0)
    assert sorted(paths(opened(tmp_path))) == ["/", "/b", "/c"]
    assert records(tmp_path) == {"/b", "/c"}
    assert not [edge for edge in edges(tmp_path) if edge[0] == "/a"]


def test_a_redirect_that_failed_still_leads_where_it_led(site: Site, tmp_path: Path) -> None:
    shop(site)
    site.pages["/"] = links("/a", "/old")
    site.pages["/a"] = "<h1>A</h1>"
    crawl(tmp_path, site.url)
    site.pages["/old"] = Reply(status=503)
    app.recrawl(tmp_path, **FAST, retries=0)
    assert edges(tmp_path) == {("/", "/a"), ("/", "/b"), ("/b", "/a")}


def test_robots_txt_that_forbids_a_page_now_leaves_its_copy_until_it_is_allowed_again(
    site: Site, tmp_path: Path
) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    site.pages["/robots.txt"] = Reply("User-agent: *\nDisallow: /a", headers={"Content-Type": "text/plain"})
    app.recrawl(tmp_path, **FAST)
    assert states(opened(tmp_path))["/a"] == "robots"
    assert sorted(paths(opened(tmp_path))) == ["/", "/a", "/b", "/c"]
    del site.pages["/robots.txt"]
    app.recrawl(tmp_path, **FAST)
    assert states(opened(tmp_path))["/a"] == "fetched"


def row_of(output: str, name: str) -> str:
    return next(line for line in output.splitlines() if line.strip().startswith(name)).split()[-1]


def broken(_request: Request) -> Reply:
    return Reply(status=500)


@pytest.mark.parametrize(("retries", "options"), [(0, {}), (1, {"depth": 3})], ids=["any depth", "by level"])
def test_a_limit_on_pages_holds_for_pages_that_fail_now(
    site: Site, tmp_path: Path, retries: int, options: dict[str, int]
) -> None:
    """The pages that there are have their place in it, so URLs that were never fetched get none of theirs."""
    site.pages |= {"/": links(*(f"/{number}" for number in range(30))), "/*": lambda request: f"page {request.path}"}
    crawl(tmp_path, site.url, max_pages=5, **{"sitemaps": False, **options})
    before = sorted(paths(opened(tmp_path)))
    site.pages |= {"/": broken, "/*": broken}
    app.recrawl(tmp_path, **FAST, retries=retries)
    found = opened(tmp_path)
    assert (found.stop_reason, found.status().counts) == ("max_pages", {"failed": 5, "not_reached": 26})
    assert sorted(paths(found)) == before
    site.pages |= {"/": links(*(f"/{number}" for number in range(30))), "/*": lambda request: f"now {request.path}"}
    app.retry(tmp_path, **FAST)
    assert sorted(paths(opened(tmp_path))) == before
    assert opened(tmp_path).status().counts == {"fetched": 5, "not_reached": 26}


def test_a_recrawl_takes_new_pages_as_far_as_its_limit_has_room(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "a", "/b": "b", "/new/*": lambda request: f"page {request.path}"}
    crawl(tmp_path, site.url)
    site.pages |= {"/": links("/a", "/b", *(f"/new/{number}" for number in range(9))), "/b": broken}
    app.recrawl(tmp_path, **FAST, retries=0, max_pages=5)
    found = opened(tmp_path)
    assert (len(found.pages), found.status().pages, found.stop_reason) == (5, 5, "max_pages")
    assert {"/", "/a", "/b"} < set(paths(found))


def test_a_focused_recrawl_keeps_its_limit(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links(*(f"/{number}" for number in range(30))), "/*": lambda request: f"sort {request.path}"}
    app.start(make_job("focus", site.url, topic="sort", output=str(tmp_path), **FAST, max_pages=5))
    before = sorted(paths(opened(tmp_path)))
    site.pages |= {"/": broken, "/*": broken}
    app.recrawl(tmp_path, **FAST, retries=0)
    assert sorted(paths(opened(tmp_path))) == before
    assert opened(tmp_path).status().counts["failed"] == 5


def test_the_pages_of_the_status_are_those_of_the_table(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    site.pages["/a"] = broken
    site.pages["/c"] = Reply(status=404)
    ended = invoke(capsys, "recrawl", tmp_path, "--delay", "0", "--retries", "0", "--exclude", "/b$")
    found = opened(tmp_path)
    assert sorted(paths(found)) == ["/", "/a", "/b"]
    assert found.status().pages == found.survey().pages == 3
    assert ended.out.startswith("3 pages, ")


def test_a_recrawl_that_was_stopped_has_lost_nothing(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url, sitemaps=False)
    site.pages["/"] = links("/a", "/b", "/old", "/new")
    app.recrawl(tmp_path, **FAST, max_pages=1)
    found = opened(tmp_path)
    assert (len(found.pages), found.status().pages) == (4, 4)
    shown = invoke(capsys, "status", tmp_path).out
    assert "pages            4 (" in shown
    assert row_of(shown, "not visited again yet") == "3"
    assert row_of(shown, "max_pages") == "2", "the redirect and the new page"
    assert "last copy  " in invoke(capsys, "why", tmp_path, "/a").out


def test_a_page_with_links_that_redirects_now_has_sent_nobody_to_them(site: Site, tmp_path: Path) -> None:
    shop(site)
    site.pages["/old"] = Reply(status=301, headers={"Location": "/older"})
    site.pages["/older"] = Reply(status=301, headers={"Location": "/there"})
    site.pages["/there"] = "<h1>There</h1>"
    crawl(tmp_path, site.url)
    site.pages["/a"] = Reply(status=301, headers={"Location": "/b"})
    app.recrawl(tmp_path, **FAST)
    found = opened(tmp_path)
    sent = {path_of(row["url"]): row["redirected_from"] for row in found.pages}
    assert sent == {"/": None, "/b": None, "/c": None, "/there": f"{site.url}old"}
    for path in sent:
        story = found.why(path)
        assert story is not None
        assert (story.redirected_from is None) == (sent[path] is None)


def test_a_retry_of_nothing_says_so(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    crawl(tmp_path / "out", site.url, max_pages=2)
    ended = invoke(capsys, "retry", tmp_path / "out")
    first, second = ended.out.splitlines()
    assert (ended.code, first) == (0, f"Nothing had failed in {tmp_path / 'out'}, so nothing was tried again.")
    assert second.endswith(f"to be fetched: dowse resume {tmp_path / 'out'}")
    assert len(opened(tmp_path / "out").pages) == 2


def test_pages_that_did_not_change_can_still_be_replayed(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": revalidated(links("/a"), etag='"1"'), "/a": revalidated("<h1>A</h1>", etag='"2"')}
    crawl(tmp_path / "out", site.url)
    app.recrawl(tmp_path / "out")
    web = open_web(tmp_path / "out")
    found = {path_of(url): web.find(url) for url in web.urls()}
    assert {path: answer.status for path, answer in found.items() if answer} == {"/": 200, "/a": 200}
    assert found["/a"] is not None
    assert found["/a"].body == b"<h1>A</h1>"
