"""Search applications that nobody here wrote, with descriptions of Debian packages in them, and a plain search box.

box         a page with one field: whole words, 50 results a page, nothing without a word
datasette   tables with a search box, filters and facets
sqlite-web  a browser of databases; its forms take SQL, and must not be sent
roundup     a search over issues, 50 results a page
trac        a search over tickets, 10 results a page

They answer on loopback as long as they are asked. Those that are installed beside this Python are used from there, as
the tests do; the others are installed by pip into an environment of their own. `search_wikis.py` has two more.
"""

from __future__ import annotations

import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from benchmarks.cache import ROOT, Unavailable

# Trac needs a part of setuptools that newer ones do not have.
_PACKAGES = ("datasette==0.65.5", "roundup==2.6.0", "sqlite-web==0.8.2", "Trac==1.6", "setuptools<81")
_STARTED = 60.0
PAGE_SIZE = 50


class Package(NamedTuple):
    """A record: a package of Debian."""

    name: str
    description: str


class App(NamedTuple):
    """An application: its name, how many records it gets, and how it is started in a folder."""

    name: str
    records: int
    start: Callable[[Path, Sequence[Package]], AbstractContextManager[str]]


def packages(number: int) -> list[Package]:
    """So many packages, by chance, and always the same."""
    if shutil.which("apt-cache") is None:
        raise Unavailable("the records are descriptions of Debian packages: run it where apt-cache is")
    told = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True).stdout
    found = {}
    for block in told.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Description): (.*)$", block, re.MULTILINE))
        if len(fields) == 2:
            found[fields["Package"]] = Package(fields["Package"], fields["Description"])
    chosen = sorted(found.values())
    random.Random(1).shuffle(chosen)
    return chosen[:number]


def program(name: str) -> str:
    """Where a program is: beside this Python, or else in an environment that is made for it."""
    beside = Path(sys.executable).parent / name
    if beside.exists() and (name != "python" or find_spec("roundup") is not None):
        return str(beside)
    folder = ROOT / "search-apps"
    if not (folder / "bin" / "sqlite_web").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", *_PACKAGES], check=True)
    return str(folder / "bin" / name)


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]{2,}", text.lower()))


@contextmanager
def box(_folder: Path, records: Sequence[Package]) -> Iterator[str]:
    index = defaultdict(list)
    for record in records:
        for word in words(" ".join(record)):
            index[word].append(record)

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args: object) -> None: ...

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked = dict(parse_qsl(parts.query))
            body = _page(index[asked.get("q", "").lower()], asked) if parts.path == "/search" else _HOME
            data = f"<html><title>Packages</title><h1>Find a package</h1>{_BOX}{body}</html>".encode()
            self.send_response(404 if parts.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


_BOX = '<form action="/search"><label>Words <input name="q" type="search"></label><button>Search</button></form>'
_HOME = "<p>Software for everyone: games, libraries, tools and documentation.</p>"


def _page(found: Sequence[Package], asked: dict[str, str]) -> str:
    number = int(asked.get("page", "1"))
    shown = found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    items = "".join(
        f'<li><h3><a href="/package/{each.name}">{each.name}</a></h3><p>{escape(each.description)}</p></li>'
        for each in shown
    )
    more = f'<a href="/search?q={quote(asked.get("q", ""))}&page={number + 1}">Next</a>'
    return f"<p>{len(found)} results</p><ol>{items}</ol>{more if number * PAGE_SIZE < len(found) else ''}"


@contextmanager
def datasette(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    _database(folder / "packages.db", records)
    port = free_port()
    with running([program("datasette"), "serve", "packages.db", "-p", str(port)], folder, port) as url:
        yield url


@contextmanager
def sqlite_web(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    _database(folder / "packages.db", records)
    port = free_port()
    with running([program("sqlite_web"), "-x", "-H", "127.0.0.1", "-p", str(port), "packages.db"], folder, port) as url:
        yield url


@contextmanager
def trac(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    place = folder / "trac"
    made = [program("trac-admin"), str(place), "initenv", "Packages", "sqlite:db/trac.db"]
    subprocess.run(made, check=True, capture_output=True)
    connection = sqlite3.connect(place / "db" / "trac.db")
    connection.executemany(
        "INSERT INTO ticket (type, time, changetime, component, priority, reporter, status, summary, description,"
        " keywords, owner) VALUES ('defect', 0, 0, 'component1', 'major', 'a', 'new', ?, ?, '', '')",
        records,
    )
    connection.commit()
    connection.close()
    port = free_port()
    with running([program("tracd"), "-s", "-p", str(port), place], folder, port) as url:
        yield url


@contextmanager
def roundup(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    port, place = free_port(), folder / "tracker"
    admin = [program("roundup-admin"), "-i", str(place)]
    settings = f"tracker_web=http://127.0.0.1:{port}/,mail_domain=localhost,mail_host=localhost"
    subprocess.run([*admin, "install", "classic", "sqlite", settings], check=True, capture_output=True)
    subprocess.run([*admin, "initialise", "secret"], check=True, capture_output=True)
    (folder / "records.tsv").write_text("\n".join(f"{each.name}\t{each.description}" for each in records))
    subprocess.run([program("python"), "-c", _LOAD], cwd=folder, check=True, capture_output=True)
    with running([program("python"), "-c", _SERVE, str(port)], folder, port) as url:
        yield url


_LOAD = """
from roundup import instance
db = instance.open("tracker").open("admin")
for line in open("records.tsv", encoding="utf-8"):
    db.issue.create(title=line.rstrip("\\n").replace("\\t", ": "), priority="3", status="1")
db.commit()
db.close()
"""
# Its own server refuses to run as root, as everything does in a container.
_SERVE = """
import sys
from wsgiref.simple_server import make_server
from roundup.cgi.wsgi_handler import RequestDispatcher
make_server("127.0.0.1", int(sys.argv[1]), RequestDispatcher("tracker")).serve_forever()
"""

APPS = (
    App("box", 5000, box),
    App("datasette", 5000, datasette),
    App("sqlite-web", 5000, sqlite_web),
    App("roundup", 1500, roundup),
    App("trac", 1500, trac),
)


def _database(path: Path, records: Sequence[Package]) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE packages (id INTEGER PRIMARY KEY, name TEXT, description TEXT)")
    connection.executemany("INSERT INTO packages (name, description) VALUES (?, ?)", records)
    connection.execute(
        "CREATE VIRTUAL TABLE packages_fts USING fts5(name, description, content='packages', content_rowid='id')"
    )
    connection.execute("INSERT INTO packages_fts (packages_fts) VALUES ('rebuild')")
    connection.commit()
    connection.close()


@contextmanager
def running(command: Sequence[str | Path], folder: Path, port: int) -> Iterator[str]:
    """Run a server at a port, until it is not asked any more."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdout=log, stderr=log)
        try:
            _wait(port, process)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(timeout=30)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _STARTED
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise Unavailable(f"{process.args!s} did not start")
