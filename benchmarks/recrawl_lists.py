"""What sitemaps of a million pages cost a crawl that wants a few hundred of them, and its recrawls under a budget.

    python -m benchmarks recrawl_lists

An index names 20 sitemaps of 50,000 pages, which is the most that one may have. 300 pages are crawled, and visited
again with a budget of 100 requests, the sitemaps counted in: with dates that all moved on, and once more.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.cache import scratch
from benchmarks.crawlers import PYTHON
from benchmarks.process import Measured, measure
from benchmarks.server import Server
from benchmarks.tables import Cell, Column, Table, at_most

SITEMAPS, PAGES_EACH = 20, 50_000
WANTED, BUDGET = 300, 100
MOST_CPU, MOST_MEMORY = 60.0, 600.0
_OPTIONS = ("--delay", "0", "--per-host", "8", "--quiet")
_MEGABYTE = 1_000_000


def run(repeats: int) -> Table:
    with scratch() as home:
        folder = home / "site"
        (folder / "page").mkdir(parents=True)
        with Server(folder, home / "nginx") as server:
            _write_pages(folder, server.url)
            _write_sitemaps(folder, server.url, day=1)
            runs = {"first crawl": _run(home, "site", server.url, "-o", "crawl", "--max-pages", str(WANTED))}
            _write_sitemaps(folder, server.url, day=2)
            for name in ("recrawl, all dates moved", "recrawl"):
                runs[name] = _run(home, "recrawl", "crawl", "--budget", str(BUDGET))
    rows: list[list[Cell]] = [[name, each.cpu, each.memory / _MEGABYTE] for name, each in runs.items()]
    columns = [Column("run"), Column("s of CPU", "{:.1f}"), Column("peak MB", "{:.0f}")]
    aims = [
        at_most("s of CPU of a run", max(each.cpu for each in runs.values()), MOST_CPU, "{:.1f}"),
        at_most("peak MB", max(each.memory for each in runs.values()) / _MEGABYTE, MOST_MEMORY, "{:.0f}"),
    ]
    title = f"{SITEMAPS} sitemaps of {PAGES_EACH:,} pages, {WANTED} pages wanted, {BUDGET} requests a recrawl"
    return Table("recrawl_lists", title, columns, rows, aims, [])


def _run(home: Path, *command: str) -> Measured:
    done = measure((*PYTHON, "dowse", *command, *_OPTIONS), home)
    if done.status:
        raise RuntimeError(done.output[-500:])
    return done


def _write_pages(folder: Path, url: str) -> None:
    """Those that the first sitemap names first, and a front page that names none."""
    (folder / "index.html").write_text("<!doctype html><title>Home</title><p>Welcome.")
    for number in range(PAGES_EACH // 50):
        text = f"<!doctype html><title>Page {number}</title><p>This is page {number}."
        (folder / "page" / f"{number}.html").write_text(text)
    names = "".join(f"<sitemap><loc>{url}s{number}.xml</loc></sitemap>" for number in range(SITEMAPS))
    (folder / "sitemap.xml").write_text(f"<sitemapindex>{names}</sitemapindex>")


def _write_sitemaps(folder: Path, url: str, day: int) -> None:
    for sitemap in range(SITEMAPS):
        first = sitemap * PAGES_EACH
        entries = "".join(
            f"<url><loc>{url}page/{number}.html</loc><lastmod>2026-{1 + number % 9:02}-{day:02}</lastmod></url>"
            for number in range(first, first + PAGES_EACH)
        )
        (folder / f"s{sitemap}.xml").write_text(f"<urlset>{entries}</urlset>")
