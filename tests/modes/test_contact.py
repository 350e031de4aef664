"""Whom to ask about a crawl: the contact in what servers get, and the one line that says that there is none."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app, page_tools
from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.engine.events import Event, Notice
from dowse.jobs.contact_notice import contact_missing, tell_of_contact
from dowse.version import VERSION
from tests.crawling import crawl
from tests.servers import Site

PAGE = "https://example.org/our-crawl"
MAIL = "crawl@example.org"
UNREACHED: dict[str, Any] = {"max_time": 0.5, "connect_timeout": 0.1, "retries": 0}


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("DOWSE_CONTACT", raising=False)


def asked_with(site: Site) -> list[tuple[str | None, str | None]]:
    """User agent and sender of every request, robots.txt among them."""
    found = {(hit.request.headers.get("user-agent"), hit.request.headers.get("from")) for hit in site.log}
    assert {hit.request.path for hit in site.log} >= {"/", "/robots.txt"}
    return sorted(found, key=str)


def test_a_page_about_the_crawl_is_part_of_the_name(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    crawl(tmp_path / "out", site.url, contact=PAGE)
    assert asked_with(site) == [(f"dowse/{VERSION} (+{PAGE})", None)]


def test_a_mail_address_is_the_sender_too(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    crawl(tmp_path / "out", site.url, contact=MAIL, user_agent="fishbot/2")
    assert asked_with(site) == [(f"fishbot/2 (+mailto:{MAIL})", MAIL)]


def test_the_archive_says_whose_it_is(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    crawl(tmp_path / "out", site.url, contact=MAIL)
    (file,) = (tmp_path / "out" / "warc").iterdir()
    assert f"\r\noperator: {MAIL}\r\n".encode() in gzip.decompress(file.read_bytes())


def test_what_the_user_says_himself_is_not_said_twice(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    named = f"fishbot/2 ({MAIL})"
    crawl(tmp_path / "out", site.url, contact=MAIL, user_agent=named, header=("From: boss@example.org",))
    assert asked_with(site) == [(named, "boss@example.org")]


def test_the_environment_says_it_once_for_all(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/"] = "hello"
    monkeypatch.setenv("DOWSE_CONTACT", PAGE)
    assert crawl(tmp_path / "out", site.url).job.fetch.contact == PAGE
    page_tools.fetch(site.url)
    assert asked_with(site) == [(f"dowse/{VERSION} (+{PAGE})", None)]
    assert make_job("site", site.url, contact=MAIL).fetch.contact == MAIL, "what is given wins"
    monkeypatch.setenv("DOWSE_CONTACT", "me")
    with pytest.raises(JobError, match="DOWSE_CONTACT: expected a URL, or an e-mail address"):
        make_job("site", site.url)


@pytest.mark.parametrize(
    "contact", ["me", "ftp://example.org/", "me@host", "https://u:p@example.org/", "https://a/) b"]
)
def test_what_nobody_can_be_found_by_is_refused(contact: str) -> None:
    with pytest.raises(JobError, match="contact: expected a URL, or an e-mail address"):
        make_job("site", "https://example.org/", contact=contact)


@pytest.mark.parametrize(
    ("seed", "options", "is_told"),
    [
        ("https://www.debian.org/", {}, True),
        ("https://www.debian.org/", {"contact": PAGE}, False),
        ("https://www.debian.org/", {"user_agent": f"bot/1 (+{PAGE})"}, False),
        ("https://93.184.216.34/", {}, True),
        ("https://[2606:2800:220:1:248:1893:25c8:1946]/", {}, True),
        ("http://127.0.0.1:8000/", {}, False),
        ("http://[::1]:8000/", {}, False),
        ("http://192.168.0.7/", {}, False),
        ("http://localhost:8000/", {}, False),
        ("http://wiki/", {}, False),
        ("http://wiki.internal/", {}, False),
    ],
)
def test_a_crawl_of_others_hosts_says_that_it_has_no_contact(seed: str, options: dict[str, str], is_told: bool) -> None:
    job = make_job("site", seed, **options)
    assert bool(contact_missing(job)) == is_told
    tell_of_contact(job, lambda event: event.shown() if isinstance(event, Notice) else None)
    assert not contact_missing(job), "it is said once"


def test_it_is_said_when_a_crawl_begins_and_in_one_line(site: Site, tmp_path: Path) -> None:
    """The seed is of a public host, and its address is one that nobody can connect to."""
    heard: list[Event] = []

    def show(event: Event) -> None:
        heard.append(event)
        if isinstance(event, Notice):
            event.shown()

    options = UNREACHED | {"proxy": site.url.rstrip("/")}
    app.start(make_job("site", "http://93.184.216.34/", output=str(tmp_path / "out"), **options), show)
    (notice,) = [event.text for event in heard if isinstance(event, Notice)]
    assert "--contact" in notice
    assert "DOWSE_CONTACT" in notice
    assert len(f"notice: {notice}") <= 80
    heard.clear()
    app.start(make_job("site", "http://93.184.216.34/", output=str(tmp_path / "two"), **options), show)
    assert not [event for event in heard if isinstance(event, Notice)]


@pytest.mark.filterwarnings("ignore:no page could be fetched")
def test_a_crawl_in_silence_does_not_count_as_said(
    site: Site, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = UNREACHED | {"proxy": site.url.rstrip("/")}
    said = []
    for number, progress in enumerate((False, True, True)):
        dowse.site("http://93.184.216.34/", output=tmp_path / str(number), progress=progress, **options)
        said.append("--contact" in capfd.readouterr().err)
    assert said == [False, True, False]
