"""RCrawler's table and figure again: 1,600 values of a site of 1,000 pages, by processes and connections.

The paper's figure 6 has one to eight processes and one to sixteen connections, its table 3 how many of the 1,600 values
were found (99.8 % at best). Here the same site is crawled by dowse, by Scrapy and by a loop of requests and parsel; the
last two are one process each, as they come. A server that answers at once shows what the crawlers cost, one that takes
its time what connections are for.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import msgspec

from benchmarks.blog_site import POSTS, blog
from benchmarks.cache import Unavailable, scratch
from benchmarks.cores import ALL
from benchmarks.crawlers import PYTHON, Crawler, dowse
from benchmarks.process import environment, measure
from benchmarks.server import free_port
from benchmarks.tables import Cell, Column, Lines, Table, at_least

VALUES = 2 * POSTS
CONNECTIONS = (1, 2, 4, 8, 16)
PROCESSES = (1, 2, 4, 8)
SERVERS = {"at once": 0, "after 10 ms": 10}
"""How long the server takes to answer, in milliseconds."""

_FIELDS = (
    *("--extract", "title=//h1[@class='post-title entry-title']", "--exclude-from", "title=//span"),
    *("--extract", "post=//*[@class='post-body entry-content']", "--on", r"/\d{{4}}/\d{{2}}/"),
)
_EXPORT = (*PYTHON, "dowse", "export", "{out}/crawl", "records", "--to", "jsonl", "-f", "{out}/rows.jsonl")


class Contender(NamedTuple):
    """A row of the table: a command with `{connections}` in it that leaves its rows in `{out}/rows.jsonl`."""

    name: str
    command: tuple[str, ...]
    package: str
    afterwards: tuple[str, ...] = ()


class Row(msgspec.Struct):
    """What a crawler found on one page."""

    url: str
    title: str = ""
    post: str = ""


class Run(NamedTuple):
    """One crawl: the time it took, also of the processor, and how many of the values were right."""

    seconds: float
    cpu: float
    values: int

    @property
    def pages_a_minute(self) -> float:
        return 60 * len(blog().pages) / self.seconds


def contenders() -> list[Contender]:
    ours = [
        Contender(
            f"dowse, {count} process{'es' if count > 1 else ''}",
            (*dowse(*_FIELDS).commands[0], *("--per-host", "{connections}", "--concurrency", "{connections}"),
             *("--workers", str(count))),
            "dowse",
            _EXPORT,
        )
        for count in PROCESSES
    ]  # fmt: skip
    words = ("{url}", "{out}/rows.jsonl", "{connections}")
    return [
        *ours,
        Contender("Scrapy", (*PYTHON, "benchmarks.rivals.scrapy_blog", *words), "scrapy"),
        Contender("requests + parsel", (*PYTHON, "benchmarks.rivals.requests_blog", *words), "parsel"),
    ]


def run(repeats: int) -> Table:
    found = contenders()
    for contender in found:
        if missing := Crawler(contender.name, (), contender.package).missing():
            raise Unavailable(missing)
    best: dict[tuple[str, str, int], Run] = {}
    for _ in range(repeats):
        for server, milliseconds in SERVERS.items():
            for connections in CONNECTIONS:
                for contender in found:
                    ran = _once(contender, connections, milliseconds)
                    print(f"  {server}, {connections}: {contender.name} {ran}", file=sys.stderr, flush=True)
                    cell = (server, contender.name, connections)
                    before = best.get(cell, ran)
                    best[cell] = Run(*map(min, before, ran))
    return _table(best, [contender.name for contender in found])


def _table(best: dict[tuple[str, str, int], Run], names: list[str]) -> Table:
    ours = min(ran.values for (_, name, _), ran in best.items() if name.startswith("dowse"))
    rows: list[list[Cell]] = []
    for server in SERVERS:
        for name in names:
            runs = [best[server, name, connections] for connections in CONNECTIONS]
            cpu = 1000 * min(ran.cpu for ran in runs) / len(blog().pages)
            rows.append([name, server, min(ran.values for ran in runs), cpu, *(ran.pages_a_minute for ran in runs)])
    return Table(
        name="rcrawler_table",
        title=f"{len(blog().pages):,} pages, {VALUES:,} values: pages a minute by connections",
        columns=[
            Column("crawler"),
            Column("answers"),
            Column(f"of {VALUES:,} values", "{:,}"),
            Column("CPU ms/page", "{:.2f}"),
        ]
        + [Column(f"{connections}", "{:,.0f}") for connections in CONNECTIONS],
        rows=rows,
        aims=[at_least("values found in every run of dowse", ours, VALUES, "{:,.0f}")],
        notes=[
            f"pages a minute, start and end of the program included; all of it, the server too, on {len(ALL)} cores",
            "CPU: of all processes of the crawler, at the number of connections where it is least",
            "values: the least that any run of the row found; the paper reports 99.8 % for all it compared",
            "not run, of the paper's figure 7: RCrawler and Rvest, which need R",
        ],
        lines=Lines(4, 1, "pages a minute by connections (both scales are logarithmic)"),
    )


def _once(contender: Contender, connections: int, milliseconds: int) -> Run:
    with scratch(in_memory=contender.package != "dowse") as out, _serving(milliseconds) as url:
        words = {"url": url, "out": out, "connections": connections}
        measured = ended = measure([word.format(**words) for word in contender.command], out, cores=ALL)
        if contender.afterwards and not measured.status:
            ended = measure([word.format(**words) for word in contender.afterwards], out, cores=ALL)
        if ended.status:
            raise RuntimeError(f"{contender.name}: status {ended.status}, {ended.output[-500:]}")
        return Run(measured.seconds, measured.cpu, _right(out / "rows.jsonl", url))


def _right(file: Path, url: str) -> int:
    """How many values are those of the site, but for spaces; one that was found twice is found once."""
    posts = blog().posts
    right = set()
    for line in file.read_bytes().splitlines():
        row = msgspec.json.decode(line, type=Row)
        path = "/" + row.url.removeprefix(url)
        if path in posts:
            pairs = zip(("title", "post"), (row.title, row.post), posts[path], strict=True)
            right |= {(path, name) for name, value, true in pairs if "".join(value.split()) == "".join(true.split())}
    return len(right)


@contextmanager
def _serving(milliseconds: int) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "benchmarks.blog_site", str(port), str(milliseconds)]
    server = subprocess.Popen(command, env=environment())
    try:
        for _ in range(200):
            try:
                urlopen(url).close()
                break
            except (URLError, ConnectionError):
                time.sleep(0.05)
        yield url
    finally:
        server.terminate()
        server.wait()
