"""What an engine keeps in memory of ten million known URLs: python -m benchmarks.known_urls DIR [DATABASE] [NUMBER]

The rows are made by the database itself. Then a process opens the crawl as every run does, and tells how long that took
and how much memory it had.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from benchmarks.null_crawl import build
from benchmarks.process import high_water
from dowse.core.model import State
from dowse.jobs.stored_jobs import job_from_json
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import take_over
from dowse.store.reading.reader import CrawlReader
from dowse.store.whereabouts import has_pointer

ORIGIN = "http://127.0.0.1:9/"
NUMBER = 10_000_000

_COLUMNS = """id, key_hash, url, host, site, label, depth, priority, parent, anchor, state, reason"""
_VALUES = f"""n, (n * 2654435761) % 9223372036854775783 * 3, '{ORIGIN}' || n || '.html', 1, 1, '', 3, -3, 1, 'a page',
    {State.FETCHED}, ''"""


def fill(directory: Path, number: int) -> None:
    """Add rows of pages that were visited."""
    with closing(take_over(directory)) as database, database.transaction():
        if has_pointer(directory):
            source = "generate_series(1000, ?) AS n"
        else:
            counted = "counted(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)"
            source = f"(WITH RECURSIVE {counted} SELECT n FROM counted)"
        database.execute(f"INSERT INTO task ({_COLUMNS}) SELECT {_VALUES} FROM {source}", (number,))


def measure(directory: Path) -> None:
    """Open the crawl, and say what that took."""
    job = job_from_json(CrawlReader(directory).meta("job"))
    started = time.perf_counter()
    with closing(CrawlStore(directory, replace(job, output=str(directory)))) as store:
        seconds = time.perf_counter() - started
        known = sum(store.counts.values())
    print(json.dumps({"known": known, "seconds": round(seconds, 1), "megabytes": round(high_water() / 1e6)}))


def main(directory: Path, database: str = "", number: int = NUMBER) -> None:
    build(directory, ORIGIN, 10, database)
    fill(directory, number)
    subprocess.run([sys.executable, "-m", "benchmarks.known_urls", "open", str(directory)], check=True)


if __name__ == "__main__":
    if sys.argv[1] == "open":
        measure(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), *sys.argv[2:3], *map(int, sys.argv[3:4]))
