"""A million waiting URLs: what they add in memory, what they cost in speed, and how soon such a crawl goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.cache import scratch
from benchmarks.cores import CRAWLER, on
from benchmarks.null import child
from benchmarks.process import environment
from benchmarks.server import free_port
from benchmarks.tables import Bars, Cell, Column, Table, at_least, at_most

SIZES = (1_000, 1_000_000)
PAGES = 5_000
_LONGEST = 60.0


def run(repeats: int) -> Table:
    with scratch() as folder:
        small, large = _measure(folder, SIZES, repeats)
    return Table(
        name="frontier",
        title="A frontier of a thousand and of a million waiting URLs",
        columns=[
            Column("waiting", "{:,}"),
            Column("file MB", "{:.0f}"),
            Column("peak MB, filling", "{:.0f}"),
            Column("peak MB, crawling", "{:.0f}"),
            Column("pages per CPU second", "{:,.0f}"),
            Column("first page after resume, s", "{:.2f}"),
        ],
        rows=[small, large],
        aims=[
            at_most("added memory while filling, MB", _number(large[2]) - _number(small[2]), 150, "{:.0f}"),
            at_most("added memory while crawling, MB", _number(large[3]) - _number(small[3]), 150, "{:.0f}"),
            at_least("speed, times that with a thousand", _number(large[4]) / _number(small[4]), 0.9),
            at_most("first page after resume, s", _number(large[5]), 3),
        ],
        notes=["pages are answered from memory; each finds one new page, so the frontier keeps its size"],
        bars=Bars(4, "pages per second of processor time, by what waits"),
        highlight="",
    )


def _measure(folder: Path, sizes: tuple[int, ...], repeats: int) -> list[list[Cell]]:
    """One row for each size. Every run works on a copy; speed is measured in turns of a fraction of a second."""
    port = free_port()
    built = {size: child(folder, "build", folder / str(size), f"http://127.0.0.1:{port}/", size) for size in sizes}
    runs: dict[int, list[dict[str, Any]]] = {size: [] for size in sizes}
    with scratch() as place:
        copies = [shutil.copytree(folder / str(size), place / str(size)) for size in sizes]
        speeds = dict(zip(sizes, child(place, "alternate", *copies)["speeds"], strict=True))
    for size in list(sizes) * repeats:
        with scratch() as place:
            crawl = shutil.copytree(folder / str(size), place / "crawl")
            resumed = _first_page(crawl, port)
            runs[size].append(child(place, "run", crawl, PAGES) | {"resumed": resumed})
    return [
        [
            size,
            sum(file.stat().st_size for file in (folder / str(size)).iterdir()) / 1e6,
            built[size]["memory"] / 1e6,
            max(run["memory"] for run in runs[size]) / 1e6,
            speeds[size],
            min(run["resumed"] for run in runs[size]),
        ]
        for size in sizes
    ]


def _number(cell: Cell) -> float:
    return float(cell)


def _first_page(crawl: Path, port: int) -> float:
    """Seconds from the start of `dowse resume` to the first page it asks for; robots.txt does not count."""
    asked = threading.Event()

    class Page(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path != "/robots.txt":
                asked.set()
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that is gone: it was ended below."""

    server = Server(("127.0.0.1", port), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    started = time.perf_counter()
    command = [sys.executable, "-m", "dowse", "resume", str(crawl), "--max-pages", "0", "--quiet"]
    with on(CRAWLER):
        process = subprocess.Popen(command, env=environment())
    try:
        if not asked.wait(_LONGEST):
            raise RuntimeError(f"no page was asked for within {_LONGEST:.0f} s")
        return time.perf_counter() - started
    finally:
        process.kill()
        process.wait()
        server.shutdown()
        server.server_close()
