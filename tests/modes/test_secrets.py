"""Secrets in real crawls: sent to the server, found by reference, and in no file that the crawl leaves."""

from __future__ import annotations

import gzip
import os
import pty
import select
import sqlite3
import stat
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import dowse
from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.machine import credentials
from dowse.machine.credentials import value_of
from tests.commands import invoke
from tests.crawling import FAST, links
from tests.servers import Reply, Request, Site

PASSWORD = "hunter2-of-mine"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the key of this user is kept; files are open to all unless somebody sees to it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before = os.umask(0o022)
    yield tmp_path / "state"
    os.umask(before)


@pytest.fixture
def members(site: Site) -> Site:
    """A site that shows its pages to those who know the password."""
    wanted = "Basic " + b64encode(f"me:{PASSWORD}".encode()).decode()

    def page(request: Request) -> Reply:
        if request.headers.get("authorization") != wanted:
            return Reply("who are you?", status=401)
        return Reply(links("/a", "/b") + request.path, headers={"Set-Cookie": f"session={PASSWORD}; Path=/"})

    site.pages |= {"/": page, "/a": page, "/b": page}
    return site


def start(members: Site, folder: Path, **options: Any) -> dowse.Crawl:
    return dowse.site(members.at("127.0.0.1", "/"), output=folder, **{**FAST, "max_pages": 1, **options})


def everything_in(folder: Path) -> bytes:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return b"".join(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files)


def modes(folder: Path) -> dict[str, int]:
    names = ("crawl.db", "crawl.db-wal", "crawl.db-shm", "warc/*.warc.gz")
    return {str(path): stat.S_IMODE(path.stat().st_mode) for name in names for path in folder.glob(name)}


def test_a_password_reaches_the_server_and_no_file(members: Site, tmp_path: Path) -> None:
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        found = start(members, folder, auth=f"me:{PASSWORD}", header=f"X-Key: {PASSWORD}", workers=workers, max_pages=0)
        assert len(found.pages) == 3
        assert found.job.fetch.auth == "me:ask:"
        assert PASSWORD.encode() not in everything_in(folder)
        assert b64encode(f"me:{PASSWORD}".encode()) not in everything_in(folder)
        assert set(modes(folder).values()) == {0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert members.log[-1].request.headers["x-key"] == PASSWORD


def test_files_of_a_plain_crawl_are_as_the_user_has_it(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    folder = tmp_path / "crawl"
    dowse.site(site.at("127.0.0.1", "/"), output=folder)
    assert set(modes(folder).values()) == {0o644}
    dowse.recrawl(str(folder), auth="me:x")
    assert modes(folder)[str(folder / "crawl.db")] == 0o600


def test_a_reference_is_found_again_on_resume(members: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_PASSWORD", PASSWORD)
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    for number, reference in enumerate(("env:SITE_PASSWORD", f"file:{tmp_path}/password")):
        folder = tmp_path / f"crawl{number}"
        start(members, folder, auth=f"me:{reference}")
        assert len(dowse.resume(str(folder), max_pages=0).pages) == 3
        assert PASSWORD.encode() not in everything_in(folder)
    monkeypatch.delenv("SITE_PASSWORD")
    with pytest.raises(JobError, match="auth: the environment variable SITE_PASSWORD, for the password of me"):
        dowse.recrawl(str(tmp_path / "crawl0"))


def test_a_secret_that_was_not_kept_is_asked_for_again(members: Site, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    start(members, folder, auth=f"me:{PASSWORD}")
    with pytest.raises(JobError, match=r"auth: the password of me for 127.0.0.1:\d+ is not kept; give the option"):
        dowse.resume(str(folder), max_pages=0)
    assert len(dowse.resume(str(folder), max_pages=0, auth=f"me:{PASSWORD}").pages) == 3


def test_a_terminal_is_asked(members: Site, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    start(members, folder, auth=f"me:{PASSWORD}")
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "dowse", "resume", str(folder), "--max-pages", "0"]
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = read_until(ours, b"The password of me for 127.0.0.1:")
    os.write(ours, f"{PASSWORD}\n".encode())
    shown += read_until(ours, b"dowse why")
    assert process.wait(20) == 0
    os.close(ours)
    assert b"3 pages" in shown
    assert PASSWORD.encode() not in shown


def read_until(terminal: int, wanted: bytes) -> bytes:
    """What is shown up to that; select has the time limit."""
    shown = b""
    while wanted not in shown:
        assert select.select([terminal], [], [], 30)[0], shown
        shown += os.read(terminal, 4096)
    return shown


def test_a_saved_job_has_no_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "job.toml"
    ended = invoke(
        capsys, "site", "http://127.0.0.1:1/", "--auth", f"me:{PASSWORD}", "--header", f"X-Key: {PASSWORD}",
        "--fetch", "browser", "--step", f"type #password = {PASSWORD}", "--save", file,
    )  # fmt: skip
    assert PASSWORD not in file.read_text() + ended.out + ended.err
    assert 'auth = "me:ask:"' in file.read_text()
    assert "passwords are not written down" in ended.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ended = invoke(capsys, "run", file, "-o", tmp_path / "crawl")
    assert ended.code == 2
    assert "is not kept" in ended.err


def test_a_stranger_s_crawl_gets_no_secret_of_ours(
    members: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Path
) -> None:
    monkeypatch.setenv("SITE_PASSWORD", PASSWORD)
    (tmp_path / "me.json").write_text('{"cookies": [], "origins": []}')
    folder = tmp_path / "crawl"
    members.pages["/"] = links("/a")
    start(members, folder)
    wishes: dict[str, Any] = {
        "auth": "me:env:SITE_PASSWORD",
        "header": ["X: file:/etc/hostname"],
        "profile": f"{tmp_path}/me.json",
        "bodies_at": str(tmp_path),
        "cluster": "127.0.0.1:6379",
    }
    for option, wish in wishes.items():
        with closing(sqlite3.connect(folder / "crawl.db")) as database, database:
            path = f"$.fetch.{option}"
            shown = wish if isinstance(wish, str) else None
            database.execute(
                "UPDATE meta SET value = json_set(value, ?, iif(? IS NULL, json(?), ?)) WHERE name = 'job'",
                (path, shown, '["X: file:/etc/hostname"]', shown),
            )
        asked = len(members.log)
        for act in (dowse.resume, dowse.retry, dowse.recrawl):
            with pytest.raises(JobError, match=f"not begun by you on this machine and asks for .*{option}"):
                act(str(folder))
        assert len(members.log) == asked
    wishes["cluster"] = ""
    dowse.resume(str(folder), max_pages=0, **wishes)  # whoever gives them again means it
    assert members.log[-1].request.headers["authorization"]
    dowse.recrawl(str(folder))  # and need not say so again
    (state / "dowse/key").write_bytes(os.urandom(32))
    with pytest.raises(JobError, match="not begun by you"):
        dowse.recrawl(str(folder))


@pytest.mark.parametrize("value", ["", " \n", "two\nlines", "x\x00y", "x" * 20_000])
def test_what_cannot_be_a_secret_is_refused(value: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(value)
    with pytest.raises(JobError) as refused:
        value_of(f"file:{tmp_path}/secret", "the password of me")
    assert "the password of me is" in str(refused.value)
    assert "lines" not in str(refused.value)


def test_a_keyring_is_asked_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {("site", "me"): PASSWORD}
    keyring = SimpleNamespace(get_password=lambda service, user: known.get((service, user)))
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert value_of("keyring:site/me", "it") == PASSWORD
    with pytest.raises(JobError, match="the keyring has nothing for site/you; put it there with: keyring set site you"):
        value_of("keyring:site/you", "it")
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(JobError, match="pip install keyring"):
        value_of("keyring:site/me", "it")


def test_where_no_key_can_be_kept_no_crawl_is_taken_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    job = make_job("site", "http://127.0.0.1/", header=["X-A: env:HOME"])
    assert credentials.seal(job) == ""
    assert not credentials.is_ours(job, "none")
    assert not credentials.is_ours(job, "")
    with pytest.raises(JobError, match="not made by you"):
        credentials.revealed_steps("http://127.0.0.1/", ("type #password = env:HOME",), "none")


def test_a_wrong_password_is_told_as_what_it_is(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = lambda request: Reply("who are you?", status=401)
    monkeypatch.setenv("WRONG", "guess")
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "out", "--auth", "me:env:WRONG")
    assert ended.code == 1
    assert "the server asks for a name and a password, or knows others: give --auth USER:env:NAME" in ended.err
