"""A PostgreSQL that does not let a crawl in, or has no room: words that name the thing and what to do, nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError, JobError, StoreAway
from dowse.core.secret import concealed
from dowse.crawl import remove
from dowse.engine.events import Event, Paused
from dowse.store import whereabouts
from dowse.store.postgres.address import Address, is_address, without_password
from tests import postgres
from tests.crawling import opened
from tests.servers import Site

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    with postgres.running() as running:
        run(running.url("postgres"), f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'", "CREATE ROLE weak LOGIN")
        running.ask_for_password("guest")
        yield running


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is known of databases from before."""
    monkeypatch.setattr(whereabouts, "_given", {})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("PGPASSWORD", "DOWSE_STORE"):
        monkeypatch.delenv(name, raising=False)


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def crawl(site: Site, folder: Path, url: str, listener: Callable[[Event], None] | None = None, **options: Any) -> None:
    app.start(make_job("site", site.url, output=str(folder), delay=0.0, store=url, **options), listener)


def owned(server: postgres.Server) -> str:
    """A database in which the guest may make schemas."""
    url = server.database()
    name = url.partition("?")[0].rpartition("/")[2]
    run(url, f"GRANT CREATE ON DATABASE {name} TO guest")
    return url


def test_a_wrong_password_and_where_the_right_one_may_be(
    server: postgres.Server, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = "<title>home</title>"
    folder = tmp_path / "crawl"
    plain = owned(server).replace("dowse@", "guest@")
    with pytest.raises(CrawlError, match=r"does not let you in: .*password.*PGPASSWORD"):
        crawl(site, folder, plain)
    with pytest.raises(CrawlError, match=r"does not let you in: .*password authentication failed"):
        crawl(site, folder, plain.replace("guest@", "guest:wrong@"))
    crawl(site, folder, plain.replace("guest@", "guest:correct%20horse@"))
    assert opened(folder).stop_reason == "complete"  # this process was told
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"correct" not in written
    with psycopg.connect(plain, password=PASSWORD) as connection:
        (job,) = connection.execute("SELECT value FROM crawl.meta WHERE name = 'job'").fetchone() or ("",)
        assert "correct" not in job
    monkeypatch.setattr(whereabouts, "_given", {})  # another process
    with pytest.raises(CrawlError, match="PGPASSWORD"):
        app.read(folder)
    with monkeypatch.context() as patch:
        patch.setenv("PGPASSWORD", PASSWORD)
        assert opened(folder).stop_reason == "complete"
    with monkeypatch.context() as patch:
        patch.setenv("DOWSE_STORE", plain.replace("guest@", "guest:correct%20horse@"))
        assert opened(folder).stop_reason == "complete"
    monkeypatch.setenv("MINE", PASSWORD)
    app.recrawl(folder, store=plain.replace("guest@", "guest:env:MINE@"))
    monkeypatch.setattr(whereabouts, "_given", {})
    assert opened(folder).stop_reason == "complete"  # which variable has it is written down
    monkeypatch.delenv("MINE")
    with pytest.raises(JobError, match="the environment variable MINE, for the password of the database"):
        app.read(folder)


def test_a_database_that_nobody_named_here_is_not_connected_to(
    server: postgres.Server, site: Site, tmp_path: Path
) -> None:
    """A stranger's folder would have a password of ours sent to a server of theirs."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "crawl.store").write_text('{"store": "postgresql://dowse@127.0.0.1:9/them", "schema": "crawl"}')
    with pytest.raises(
        CrawlError, match=r"you have not named here before.*--store postgresql://dowse@127.0.0.1:9/them"
    ):
        app.read(folder)
    (folder / "crawl.store").write_text("{}")
    with pytest.raises(CrawlError, match=r"crawl\.store does not say where the crawl is"):
        app.read(folder)


def test_no_right_to_make_a_schema(server: postgres.Server, site: Site, tmp_path: Path) -> None:
    url = server.database()
    weak = url.replace("dowse@", "weak@")
    with pytest.raises(CrawlError, match=r'cannot make the schema crawl .*CREATE SCHEMA "crawl" AUTHORIZATION'):
        crawl(site, tmp_path / "crawl", weak)
    run(url, "CREATE SCHEMA crawl AUTHORIZATION weak")
    site.pages["/"] = "<title>home</title>"
    crawl(site, tmp_path / "crawl", weak)
    assert opened(tmp_path / "crawl").status().pages == 1


def test_a_schema_that_is_another_users(server: postgres.Server, site: Site, tmp_path: Path) -> None:
    url = server.database()
    crawl(site, tmp_path / "crawl", url)
    with pytest.raises(CrawlError, match=r"permission denied.*get the right to write to it"):
        crawl(site, tmp_path / "other" / "crawl", url.replace("dowse@", "weak@"))


def test_no_such_database_no_server_no_url(server: postgres.Server, site: Site, tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match='database "nothing" does not exist; make it with createdb'):
        crawl(site, tmp_path / "crawl", server.url("nothing"))
    with pytest.raises(StoreAway, match=r"cannot reach postgresql://dowse@127\.0\.0\.1:9/x: .*refused"):
        crawl(site, tmp_path / "crawl", "postgresql://dowse@127.0.0.1:9/x")
    with pytest.raises(CrawlError, match=r"role .* does not exist"):
        crawl(site, tmp_path / "crawl", server.database().replace("dowse@", "nobody@"))
    with pytest.raises(JobError, match="store: expected a database as postgresql://"):
        crawl(site, tmp_path / "crawl", "mysql://me@host/db")


def test_two_crawls_of_one_name_do_not_share_a_schema(server: postgres.Server, site: Site, tmp_path: Path) -> None:
    url = server.database()
    site.pages["/"] = "<title>home</title>"
    crawl(site, tmp_path / "crawl", url)
    with pytest.raises(CrawlError, match=r"there is a crawl already in crawl in postgresql://.*choose another name"):
        crawl(site, tmp_path / "other" / "crawl", url)
    assert opened(tmp_path / "crawl").status().pages == 1


@contextmanager
def small_disk(megabytes: int, user: str) -> Iterator[Path]:
    """A disk that is full soon; only root can make one."""
    place = Path(tempfile.mkdtemp(prefix="dowse-disk-", dir="/tmp"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        place.rmdir()
        pytest.skip("no small disk can be made here")
    try:
        shutil.chown(place, user)
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
        place.rmdir()


def test_a_disk_that_is_full_holds_the_crawl_up_until_there_is_room(
    server: postgres.Server, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dowse.engine.loop._PAUSE", 0.1)
    links = "".join(f"<a href='/{number}/{'x' * 900}'>{number}</a>" for number in range(1500))
    site.pages.update({"/": f"<title>home</title>{links}", "/0": "<title>nothing</title>"})
    with small_disk(4, server.user) as disk:
        filler = disk / "filler"
        filler.write_bytes(bytes(1_500_000))
        filler.chmod(0o666)
        run(server.url("postgres"), f"CREATE TABLESPACE small LOCATION '{disk}'")
        url = server.database()
        name = url.partition("?")[0].rpartition("/")[2]
        run(url, f"ALTER ROLE dowse IN DATABASE {name} SET default_tablespace = small")
        pauses: list[str] = []

        def hear(event: Event) -> None:
            if isinstance(event, Paused):
                pauses.append(event.reason)
                if filler.exists():
                    filler.unlink()
                    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)

        crawl(site, tmp_path / "crawl", url, hear, max_pages=5)
        assert "could not extend file" in pauses[0]
        assert "waiting for room" in pauses[0]
        crawled = opened(tmp_path / "crawl")
        assert sum(crawled.status().counts.values()) >= 1501
        crawled.close()
        run(server.url("postgres"), f"DROP DATABASE {name}", "DROP TABLESPACE small")


@pytest.mark.parametrize("name", ["public", "pg_crawls", "information_schema"])
def test_a_crawl_that_is_called_as_a_schema_of_every_database_has_one_of_its_own(
    server: postgres.Server, site: Site, tmp_path: Path, name: str
) -> None:
    site.pages["/"] = "<title>home</title>"
    url = server.database()
    crawl(site, tmp_path / name, url)
    assert opened(tmp_path / name).status().pages == 1
    run(url, "CREATE TABLE public.mine (name TEXT)")
    remove(tmp_path / name)
    run(url, "SELECT name FROM public.mine")


@pytest.mark.parametrize("name", ["password", "passfile", "sslpassword", "oauth_client_secret"])
def test_no_parameter_that_is_a_secret_is_written_down(name: str) -> None:
    bare = without_password(f"postgresql://me@/crawls?host=%2Ftmp&{name}=word")
    assert bare == "postgresql://me@/crawls?host=%2Ftmp"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql:///crawls", "postgresql:///crawls"),
        ("postgres:///crawls?user=me&password=word", "postgresql:///crawls?user=me"),
        ("postgresql://me:w#r?d@host/crawls", "postgresql://me@host/crawls"),
        ("postgresql://me:w@rd@host:5/crawls", "postgresql://me@host:5/crawls"),
    ],
)
def test_a_url_without_its_password_still_names_the_database(url: str, shown: str) -> None:
    assert without_password(url) == shown
    assert is_address(shown)
    assert all(part not in concealed("store", url) for part in ("w#r?d", "w@rd", "=word"))


@pytest.mark.parametrize(
    "url", ["postgresql://me:env:WORD@/crawls?host=%2Ftmp", "postgresql://me@/crawls?host=%2Ftmp&password=env:WORD"]
)
def test_a_reference_stands_for_the_password_wherever_it_is(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD", "p@ss")
    assert Address(url, "crawl").conninfo() == "postgresql://me:p%40ss@/crawls?host=%2Ftmp"
