"""Log-ins: made by steps, used by the browser and by HTTP, and noticed when they have expired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import invoke
from tests.crawling import crawl, paths, reasons, states
from tests.servers import Reply, Request, Site

FORM = """<form method=post action=/session><input id=user name=user><input id=password name=password type=password>
<button>Go</button></form>"""


def members(site: Site) -> None:
    """A site that shows its pages to those who have logged in."""

    def session(request: Request) -> Reply:
        good = request.body == b"user=me&password=hidden"
        headers = {"Location": "/home" if good else "/login"}
        if good:
            headers["Set-Cookie"] = "session=42; Path=/; Max-Age=1000; HttpOnly"
        return Reply(status=303, headers=headers)

    def page(request: Request) -> str:
        if "session=42" not in request.headers.get("cookie", ""):
            return "<p>Please log in."
        return f"<p class=user>me</p><p>{request.path}<a href=/a>a</a><a href=/b>b</a>"

    site.pages |= {"/login": FORM, "/session": session, "/home": page, "/a": page, "/b": page}


def logged_in(site: Site, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    profile = folder / "me.json"
    ended = invoke(
        capsys, "login", site.at("127.0.0.1", "/login"), profile, "--step", "type #user = me",
        "--step", "type #password = env:SITE_PASSWORD", "--step", "click button", "--signed-in", ".user",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    return profile


@pytest.fixture
def profile(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    members(site)
    monkeypatch.setenv("SITE_PASSWORD", "hidden")
    return logged_in(site, tmp_path, capsys)


def test_a_log_in_is_used_and_its_end_is_noticed(site: Site, tmp_path: Path, profile: Path) -> None:
    home = site.at("127.0.0.1", "/home")
    assert profile.stat().st_mode & 0o077 == 0
    for way in ("http", "browser"):
        found = crawl(tmp_path / way, home, fetch=way, profile=str(profile), signed_in=".user")
        assert sorted(paths(found)) == ["/a", "/b", "/home"]
    without = crawl(tmp_path / "without", home, fetch="browser", signed_in=".user")
    assert states(without) == {"/home": "failed"}
    assert reasons(without) == {"/home": "login"}
    (row,) = without.ledger
    assert "log in again" in row["detail"]


def test_a_failed_log_in_and_unusable_files_are_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    members(site)
    monkeypatch.setenv("SITE_PASSWORD", "wrong")
    words: list[str | Path] = ["login", site.at("127.0.0.1", "/login"), tmp_path / "me.json", "--signed-in", ".user"]
    steps = ["--step", "type #user = me", "--step", "type #password = env:SITE_PASSWORD", "--step", "click button"]
    ended = invoke(capsys, *words, *steps)
    assert ended.code == 3
    assert "not logged in" in ended.err
    assert not (tmp_path / "me.json").exists()
    assert "--step" in invoke(capsys, *words).err
    old = {
        "name": "s",
        "value": "1",
        "domain": "e.org",
        "path": "/",
        "expires": 1000,
        "httpOnly": True,
        "secure": False,
    }
    files = {"none.json": None, "text.json": "x", "old.json": json.dumps({"cookies": [old], "origins": []})}
    said = {"none.json": "No such file", "text.json": "is no log-in", "old.json": "expired on 1970"}
    for name, text in files.items():
        if text is not None:
            (tmp_path / name).write_text(text)
        ended = invoke(capsys, "site", site.url, "--profile", tmp_path / name, "-o", tmp_path / "crawl")
        assert ended.code in (2, 3)
        assert said[name] in ended.err
        assert not (tmp_path / "crawl").exists()
