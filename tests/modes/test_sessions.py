"""Crawls with a log-in: they do not end it, they notice when it is lost, and renew it once."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from tests.commands import invoke
from tests.crawling import crawl, opened, paths, reasons, states
from tests.modes.test_browser_login import FORM, logged_in
from tests.servers import Reply, Request, Site

MANY = [f"/page/{number}" for number in range(12)]
FAST = ("--delay", "0", "--per-host", "4")


class Members:
    """A site whose sessions end by /logout, /bye, /leave or the button of a form, or after `lasts` requests."""

    def __init__(self, site: Site, *, lasts: int = 10_000, sends_away: bool = False) -> None:
        self._numbers = itertools.count(1)
        self._lasts = lasts
        self._left: dict[str, int] = {}
        self._sends_away = sends_away
        self.log_ins = 0
        site.pages |= {"/login": FORM, "/session": self._begin, "/home": self._page, "/page/*": self._page}
        site.pages |= dict.fromkeys(("/logout", "/bye", "/leave", "/exit"), self._end)

    def _begin(self, request: Request) -> Reply:
        if request.body != b"user=me&password=hidden":
            return Reply(status=303, headers={"Location": "/login"})
        self.log_ins += 1
        session = f"s{next(self._numbers)}"
        self._left[session] = self._lasts
        cookie = f"session={session}; Path=/; Max-Age=1000; HttpOnly"
        return Reply(status=303, headers={"Location": "/home", "Set-Cookie": cookie})

    def _session(self, request: Request) -> str:
        return request.headers.get("cookie", "").rpartition("session=")[2].partition(";")[0]

    def _end(self, request: Request) -> str:
        self._left.pop(self._session(request), None)
        return "<p>Good bye"

    def _page(self, request: Request) -> Reply | str:
        links = "".join(f"<a href={path}>page</a>" for path in MANY)
        session = self._session(request)
        left = self._left.get(session, 0)
        if left <= 0:
            if self._sends_away:
                return Reply(status=302, headers={"Location": f"/login?next={request.path}"})
            return f"<a href=/login>Sign in</a><p>{request.path} for everybody {links}"
        self._left[session] = left - 1
        return (
            f"<p class=user>me</p><a href=/logout>x</a><a href=/bye>Abmelden</a><a rel=logout href=/leave>x</a>"
            f"<a href=/exit title='Log out'><img alt=''></a><p>{request.path} for members {links}"
            + ("" if request.path == "/home" else "<script>fetch('/logout').catch(() => 0)</script>")
        )


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_PASSWORD", "hidden")


@pytest.mark.parametrize("way", ["http", "browser"])
def test_a_crawl_does_not_log_itself_out(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    Members(site)
    profile = logged_in(site, tmp_path, capsys)
    ended = invoke(
        capsys,
        "site",
        site.at("127.0.0.1", "/home"),
        "--profile",
        profile,
        "-o",
        tmp_path / "out",
        "--fetch",
        way,
        *FAST,
    )
    assert ended.code == 0, ended.err
    found = opened(tmp_path / "out")
    assert set(paths(found)) == {"/home", *MANY}
    log_outs = ("/logout", "/bye", "/leave", "/exit")
    assert {reasons(found)[path] for path in log_outs} == {"log-out"}
    assert {states(found)[path] for path in log_outs} == {"out_of_scope"}
    assert not set(log_outs) & set(site.paths())
    assert found.troubles == []
    # Without a log-in they are pages like others.
    ended = invoke(capsys, "site", site.at("127.0.0.1", "/logout"), "-o", tmp_path / "plain", *FAST)
    assert ended.code == 0, ended.err


def test_a_link_that_waits_is_left_alone_once_it_is_called_log_out(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<a href=/a>a</a><a href=/b>b</a><a href=/x1>x</a><a href=/x2>x</a><a href=/c>c</a>",
        "/a": "<p>a</p><a href=/x1>Log out</a><a href=/new>Log out</a>",
        "/b": "<p>b</p><a href=/x1>Good bye</a><a href=/x2>Sign out</a><a href=/>Log out</a>",
        "/c": "<p>c</p><a href=/x1>x</a>",
        "/*": "<p>Good bye",
    }
    options: dict[str, Any] = {"header": "Cookie: session=1", "delay": 0.0, "per_host": 1, "sitemaps": False}
    found = crawl(tmp_path / "whole", site.url, **options)
    assert paths(found) == ["/", "/a", "/b", "/c"]
    assert {path: reasons(found)[path] for path in ("/x1", "/x2", "/new")} == dict.fromkeys(
        ("/x1", "/x2", "/new"), "log-out"
    )
    assert found.status().counts["out_of_scope"] == 3
    # The same after the crawl was put down, and taken up again.
    crawl(tmp_path / "halves", site.url, max_pages=2, **options)
    app.resume(tmp_path / "halves", max_pages=0, header=options["header"])
    assert paths(opened(tmp_path / "halves")) == ["/", "/a", "/b", "/c"]


@pytest.mark.parametrize("sends_away", [True, False])
@pytest.mark.parametrize("marker", [(), ("--signed-in", ".user")])
def test_a_lost_session_is_renewed_once(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], marker: tuple[str, ...], sends_away: bool
) -> None:
    members = Members(site, lasts=6, sends_away=sends_away)
    profile = logged_in(site, tmp_path, capsys)
    members._lasts = 10_000
    assert "hidden" not in profile.read_text(), "the password is named, and not written down"
    before = json.loads(profile.read_text())["cookies"]
    ended = invoke(
        capsys, "site", site.at("127.0.0.1", "/home"), "--profile", profile, "-o", tmp_path / "out", *marker, *FAST
    )
    assert ended.code == 0, ended.err
    assert members.log_ins == 2
    assert "is renewed" in " ".join(ended.err.split())
    found = opened(tmp_path / "out")
    assert set(paths(found)) == {"/home", *MANY}
    assert {row["state"] for row in found.ledger if "/page/" in row["url"]} == {"fetched"}
    after = json.loads(profile.read_text())["cookies"]
    assert [cookie["value"] for cookie in after] != [cookie["value"] for cookie in before]
    assert profile.stat().st_mode & 0o077 == 0


def test_workers_that_lose_a_session_log_in_once(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = Members(site, lasts=4)
    profile = logged_in(site, tmp_path, capsys)
    members._lasts = 10_000
    words = ("--profile", profile, "--signed-in", ".user", "--workers", "3", "-o", tmp_path / "out")
    ended = invoke(capsys, "site", site.at("127.0.0.1", "/home"), *words, *FAST)
    assert ended.code == 0, ended.err
    assert members.log_ins == 2
    assert set(paths(opened(tmp_path / "out"))) == {"/home", *MANY}
    (cookie,) = json.loads(profile.read_text())["cookies"]
    assert cookie["value"] == "s2"


def test_the_steps_of_a_strangers_log_in_get_no_secret(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = Members(site, lasts=3)
    profile = logged_in(site, tmp_path, capsys)
    content = json.loads(profile.read_text())
    content["made_by"]["url"] += "?elsewhere"
    profile.write_text(json.dumps(content))
    ended = invoke(capsys, "site", site.at("127.0.0.1", "/home"), "--profile", profile, "-o", tmp_path / "out", *FAST)
    assert members.log_ins == 1
    assert "it was not made by you on this machine" in " ".join(ended.err.split())


def test_a_session_that_is_lost_for_good_is_told(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    members = Members(site, lasts=3)
    profile = logged_in(site, tmp_path, capsys)
    monkeypatch.setenv("SITE_PASSWORD", "changed since")
    home = site.at("127.0.0.1", "/home")
    ended = invoke(capsys, "site", home, "--profile", profile, "-o", tmp_path / "out", "--json", *FAST)
    assert ended.code == 1
    assert members.log_ins == 1
    assert "cannot be renewed" in " ".join(ended.err.split())
    (trouble,) = json.loads(ended.out)["troubles"]
    assert trouble["pages"] >= 9
    assert trouble["url"].startswith(site.url)
    assert "nobody was logged in" in trouble["text"]
    assert {"/home", *MANY} <= set(paths(opened(tmp_path / "out")))
    with_marker = invoke(
        capsys, "site", home, "--profile", profile, "-o", tmp_path / "marked", "--signed-in", ".user", *FAST
    )
    assert with_marker.code == 1
    assert "login" in reasons(opened(tmp_path / "marked")).values()
