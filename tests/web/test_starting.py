"""What may be asked of the page to start, and what is said when it may not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from dowse.app import read
from dowse.core.secret import OPTIONS as SECRETS
from dowse.modes.registry import modes
from dowse.store.folder import is_running
from dowse.store.watch_book import is_watched
from dowse.web.named_places import PLACES
from dowse.workflows import started_crawls, started_watches
from tests.servers import Reply, Site
from tests.web_pages import web_page

SEED = "https://example.org/"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """Somebody at a page over the folder `served`."""
    folder = tmp_path / "served"
    folder.mkdir()
    with web_page(folder) as page, page.browser() as browser:
        yield browser


def seen(client: httpx.Client, mode: str = "site", name: str = "", **options: Any) -> dict[str, Any]:
    asked = {"mode": mode, "seeds": [SEED], "options": options, "name": name}
    answer = client.post("/api/jobs", json=asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_every_mode_has_a_form_with_all_its_options(client: httpx.Client) -> None:
    shown = {mode["name"]: mode for mode in client.get("/api/modes").json()["modes"]}
    wanted = [mode for mode in modes() if not mode.hidden]
    assert list(shown) == [mode.name for mode in wanted]
    for mode in wanted:
        names = [option["name"] for option in shown[mode.name]["options"]]
        assert sorted(names) == sorted(each.name for each in mode.settings if each.group != "callbacks")
        assert set(mode.usual) <= {each["name"] for each in shown[mode.name]["options"] if each["usual"]}
        page = client.get(f"/new?mode={mode.name}").text
        assert [name for name in names if f'id="o-{name}"' not in page] == []


def test_the_job_file_is_what_the_command_line_would_save(client: httpx.Client) -> None:
    job = seen(client, max_pages=7, exclude=["/calendar/"])
    assert job["problems"] == []
    assert job["name"] == "example.org"
    assert 'seeds = ["https://example.org/"]' in job["job"]
    assert "max_pages = 7" in job["job"]


def test_all_that_is_wrong_is_told_at_once_in_the_words_of_the_command_line(client: httpx.Client) -> None:
    problems = seen(client, depth=-3, delay="soon", scope="village")["problems"]
    assert problems == [
        {"key": "depth", "message": "depth: must be at least -1, got -3"},
        {"key": "delay", "message": "delay: expected a number, got 'soon'"},
        {"key": "scope", "message": "scope: expected one of host, domain, any; got 'village'"},
    ]
    assert seen(client, exclude=["("])["problems"][0]["key"] == "exclude"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"on_page": "evil.py:run"}, "on_page"),
        ({"extractor": ["evil.py:Run"]}, "extractor"),
        ({"allow_private": True}, "allow_private"),
        ({"cluster": "ray://head.example:10001"}, "cluster"),
        ({"bodies_at": "/tmp"}, "bodies_at"),
        ({"weights": "/etc/passwd"}, "weights"),
        ({"weights": "auto/../../outside.csv"}, "weights"),
        ({"auth": "me:pass1234"}, "auth"),
        ({"header": ["Authorization: pass1234"]}, "header"),
        ({"store": "postgresql://me:pass1234@localhost/db"}, "store"),
        ({"auth": "file:/etc/passwd"}, "auth"),
        ({"profile": "/etc/passwd"}, "profile"),
        ({"profile": "../outside"}, "profile"),
        ({"profile": "x://../../../outside"}, "profile"),
        ({"seeds_from": "/etc/passwd"}, "seeds_from"),
        ({"output": "/tmp/outside"}, "output"),
        ({"store": "postgresql://localhost/db?password=file:/etc/passwd"}, "store"),
        ({"fetch": "browser", "step": ["type #a = file:/etc/passwd"]}, "step"),
        ({"mode": "rules", "table": "sqlite:////etc/outside.db"}, "table"),
        ({"mode": "rules", "table": "sqlite:///in#/../../outside.db#rules"}, "table"),
        ({"mode": "rules", "table": "postgresql://localhost/db?password=file:/etc/passwd"}, "table"),
        ({"mode": "focus", "like": ["file:///etc/passwd"]}, "like"),
        ({"mode": "forms", "topic": "x", "known": ["http://../../outside"]}, "known"),
        ({"mode": "forms", "topic": "x", "backlinks": "x://../../outside.csv"}, "backlinks"),
    ],
    ids=str,
)
def test_the_page_runs_no_code_and_reads_nothing_outside(
    client: httpx.Client, options: dict[str, Any], key: str
) -> None:
    mode = options.pop("mode", "site")
    found = seen(client, mode, **options)
    assert [problem["key"] for problem in found["problems"]] == [key]
    assert "pass1234" not in str(found)
    asked = {"mode": mode, "seeds": [SEED], "options": options}
    assert client.post("/api/crawls", json=asked).status_code == 422


def test_every_option_that_may_name_a_file_is_known_to_the_page() -> None:
    """A new word for what an option takes is one of these, or one that somebody has thought of."""
    harmless = {
        "EXT", "LANGUAGE", "NAME", "NAME=SELECTOR", "REGEX", "SELECTOR", "TEXT", "TYPE", "TYPES", "URL", "USE",
    }  # fmt: skip
    refused = {"callbacks"}
    elsewhere = {"cluster", "contact"}  # the addresses of machines and people
    texts = [each for mode in modes() for each in mode.settings if each.kind in ("text", "list")]
    found = {each.name for each in texts if each.metavar not in harmless and each.group not in refused}
    assert found - {*PLACES, *SECRETS, *elsewhere} == set()
    assert PLACES.keys() <= found


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "a/b", ".hidden"])
def test_a_crawl_goes_into_the_served_folder(client: httpx.Client, tmp_path: Path, name: str) -> None:
    assert seen(client, name=name)["problems"][0]["key"] == "name"
    asked = {"mode": "site", "seeds": [SEED], "name": name}
    assert client.post("/api/crawls", json=asked).status_code == 422
    assert [path.name for path in tmp_path.iterdir()] == ["served"]


def wait_until_done(folder: Path) -> None:
    """Until the process has ended, which is a moment after the crawl has."""
    until = time.monotonic() + 60
    while (run := started_crawls.find(folder)) is not None and run.is_running and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(folder)


def test_what_failed_is_tried_again_and_a_crawl_visited_again(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<a href=/bad>bad</a><p>first", "/bad": Reply("no", status=500)}
    asked = {"mode": "site", "seeds": [site.url], "options": {"retries": 0, "delay": 0}, "name": "mine"}
    crawl = client.post("/api/crawls", json=asked).json()["id"]
    folder = tmp_path / "served" / "mine"
    wait_until_done(folder)
    live = client.get(f"/api/crawls/{crawl}/live").json()
    assert live["acts"] == ["retry", "recrawl", "duplicate", "delete"]
    assert [(group["reason"], group["count"]) for group in live["failures"]] == [("http 500", 1)]
    assert sum(row["count"] for row in live["ledger"]) == live["discovered"]
    site.pages["/bad"] = "<p>good"
    assert client.post(f"/api/crawls/{crawl}/go/retry", json={}).status_code == 200
    wait_until_done(folder)
    assert client.get(f"/api/crawls/{crawl}/live").json()["failed"] == 0
    site.pages["/"] = "<a href=/bad>bad</a><p>second and other words"
    assert client.post(f"/api/crawls/{crawl}/go/recrawl", json={"budget": 5}).status_code == 200
    wait_until_done(folder)
    refused = client.get(f"/api/crawls/{crawl}/changes", params={"what": "foo"})
    assert (refused.status_code, "there is no 'foo'" in refused.text) == (422, True)
    changes = client.get(f"/api/crawls/{crawl}/changes", params={"what": "page"}).json()
    assert changes["visited_again"]
    assert [(each["kind"], each["url"]) for each in changes["changes"]] == [("changed", site.url)]
    assert "second" in client.get(f"/crawls/{crawl}/changes").text


def test_a_crawl_that_came_to_nothing_says_so(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<p>no forum"
    for path, said in (("", "no thread was found; begin with another page"), ("none", "no page could be fetched")):
        asked = {"mode": "forum", "seeds": [f"{site.url}{path}"], "options": {"delay": 0}, "name": f"mine{path}"}
        crawl = client.post("/api/crawls", json=asked).json()["id"]
        wait_until_done(tmp_path / "served" / f"mine{path}")
        assert said in client.get(f"/crawls/{crawl}").text


def test_a_crawl_that_is_stopped_at_once_can_be_resumed(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<a href=/next>next</a>", "/next": "<p>x"}
    asked = {"mode": "site", "seeds": [site.url], "options": {"delay": 300, "sitemaps": False}, "name": "mine"}
    crawl = client.post("/api/crawls", json=asked).json()["id"]
    folder = tmp_path / "served" / "mine"
    live = client.get(f"/api/crawls/{crawl}/live").json()
    assert (live["state"], live["acts"]) == ("running", ["pause", "stop"])
    assert client.post(f"/api/crawls/{crawl}/go/resume", json={}).status_code == 409
    assert client.post(f"/api/crawls/{crawl}/end/stop", json={}).status_code == 200
    wait_until_done(folder)
    live = client.get(f"/api/crawls/{crawl}/live").json()
    assert (live["state"], live["stop_reason"]) == ("stopped", "interrupted")
    assert "resume" in live["acts"]
    assert "stopped before it was complete" in client.get(f"/crawls/{crawl}").text
    assert live["discovered"] > 0


def test_a_job_that_cannot_begin_leaves_nothing(client: httpx.Client, tmp_path: Path) -> None:
    asked = {"mode": "rules", "options": {"table": "missing.csv"}, "name": "mine"}
    answer = client.post("/api/crawls", json=asked)
    assert answer.status_code in (409, 422)
    assert "missing.csv" in answer.json()["message"]
    assert list((tmp_path / "served").iterdir()) == []


def test_a_schedule_is_begun_found_and_ended(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<p>x"
    asked = {"mode": "site", "seeds": [site.url], "options": {"delay": 0}, "name": "mine"}
    crawl = client.post("/api/crawls", json=asked).json()["id"]
    folder = tmp_path / "served" / "mine"
    wait_until_done(folder)
    path = f"/api/crawls/{crawl}/schedule"
    assert client.post(path, json={"options": {"every": "soon"}}).json()["key"] == "every"
    assert client.post(path, json={"options": {}}).json()["key"] == "every"
    refused = client.post(path, json={"options": {"every": "6h", "notify_command": "touch /tmp/x"}})
    assert (refused.status_code, refused.json()["key"]) == (422, "notify_command")
    try:
        begun = client.post(path, json={"options": {"every": "6h", "budget": 3}}).json()
        assert (begun["watched"], begun["ours"], begun["options"]) == (True, True, {"every": "6h", "budget": 3})
        assert client.get("/api/crawls").json()["crawls"][0]["is_watched"]
        refused = client.post(f"/api/crawls/{crawl}/delete", json={"name": "mine"})
        assert refused.status_code == 409
    finally:
        client.post(f"{path}/end", json={})
    assert not is_watched(folder)
    assert started_watches.find(folder) is not None
    assert client.post(f"/api/crawls/{crawl}/delete", json={"name": "other"}).status_code == 422
    wait_until_done(folder)
    assert client.post(f"/api/crawls/{crawl}/delete", json={"name": "mine"}).status_code == 200
    assert list((tmp_path / "served").iterdir()) == []


def test_a_crawl_that_runs_elsewhere_is_not_stopped_here(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    from dowse.store.folder import lock

    site.pages["/"] = "<p>x"
    asked = {"mode": "site", "seeds": [site.url], "options": {"delay": 0}, "name": "mine"}
    crawl = client.post("/api/crawls", json=asked).json()["id"]
    folder = tmp_path / "served" / "mine"
    wait_until_done(folder)
    with lock(folder):
        answer = client.post(f"/api/crawls/{crawl}/end/pause", json={})
        assert answer.status_code == 409
        assert "Ctrl-C" in answer.json()["message"]
        assert "was not started from this page" in client.get(f"/crawls/{crawl}").text
        assert client.post(f"/api/crawls/{crawl}/delete", json={"name": "mine"}).status_code == 409
    assert read(folder).status().pages == 1
