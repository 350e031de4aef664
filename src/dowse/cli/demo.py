"""The demonstration: the bundled sample site, a table of four rules, and what came of them."""

from __future__ import annotations

import csv
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.cli.crawl_commands import echo_lines, goodbye, run_watched, to_json
from dowse.cli.exits import Interrupted, Unfulfilled
from dowse.cli.terminal import say
from dowse.cli.wording import WIDTH, counted, printable, shortened_url
from dowse.config import make_job
from dowse.core.errors import CrawlInterrupted
from dowse.demo import DemoSite

if TYPE_CHECKING:
    from dowse.app import Crawl

_SHOWN = 5


def free_folder() -> str:
    """The first folder for a demonstration that is not there yet."""
    numbered = (f"dowse-demo-{number}" if number > 1 else "dowse-demo" for number in range(1, 10_000))
    return next(name for name in numbered if not Path(name).exists())


def tell(place: str, options: dict[str, Any], *, quiet: bool, verbose: bool, as_json: bool) -> None:
    """Serve the site, crawl it by rules and then whole, and tell the difference."""
    from dowse import app

    directory = Path(place)
    table = directory / "rules.csv"
    with DemoSite() as sample:
        directory.mkdir(parents=True, exist_ok=True)
        table.write_text(sample.rules, encoding="utf-8")
        silent = quiet or as_json
        if not silent:
            echo_lines(_opening(sample.url, table))
        by_rules = make_job("rules", (), table=str(table), output=place, **{"delay": 0.0, **options})
        try:
            run_watched(place, lambda listener: app.start(by_rules, listener), quiet=quiet, verbose=verbose)
        except CrawlInterrupted:
            raise Interrupted(goodbye(place)) from None
        whole = make_job("site", sample.url, output=str(directory / "everything"), delay=0.0, bodies=False)
        everything = app.start(whole)
        crawl = app.read(place)
        summary = crawl.status()
    if as_json:
        sizes = {"kept": len(crawl.kept), "pages_of_everything": everything.pages}
        say(to_json({**to_builtins(summary), **sizes}))
    elif not quiet:
        echo_lines(_ending(crawl, summary.pages, everything.pages))


def serve_site(port: int) -> None:
    """Serve the site until Ctrl-C or SIGTERM, for tutorials and first tries."""
    try:
        sample = DemoSite(port)
    except OSError as error:
        raise Unfulfilled(f"cannot serve at port {port}: {error.strerror}; give another --port") from None
    with sample, suppress(KeyboardInterrupt):
        say(f"The sample site is at {sample.url} until Ctrl-C.")
        sys.stdout.flush()  # whoever waits for this line may read it through a pipe
        threading.Event().wait()


def _opening(url: str, table: Path) -> Iterator[str]:
    yield f"The sample site is at {url} while this runs."
    yield 'Wanted: the papers (PDF) about "international".'
    yield f"Four rules say how to get there, in {table}:"
    yield ""
    # What is the same in all of them tells nothing, and does not fit.
    columns = [column for column in zip(*_rows(table), strict=True) if len(set(column[1:])) > 1]
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""


def _rows(table: Path) -> list[list[str]]:
    return list(csv.reader(table.read_text(encoding="utf-8").splitlines()))


def _ending(crawl: Crawl, pages: int, all_pages: int) -> Iterator[str]:
    kept = list(crawl.kept)
    directory = shlex.quote(str(crawl.directory))
    yield f"{counted(len(kept), 'document')} kept ({crawl.directory / 'keep.csv'}), the first of them:"
    yield ""
    for row in kept[:_SHOWN]:
        yield printable(f"  {row['anchor']:<26} {shortened_url(row['url'], WIDTH - 29)}")
    yield ""
    share = f": {all_pages / pages:.0f} times as many" if pages else ""
    took = counted(pages, "page")
    yield f"It took {took}."
    yield f"A crawl of everything, run just now for comparison, took {all_pages}{share}."
    if kept:
        farthest = max(kept, key=lambda row: row["rule"])  # which came last depends on how fast pages come
        yield ""
        yield f"dowse why {directory} {shlex.quote(farthest['url'])}"
        yield ""
        if (story := crawl.why(farthest["url"])) is not None:
            yield from (f"  {line}" for line in str(story).splitlines())
    yield ""
    yield f"The crawl is in {crawl.directory}. Next:"
    yield f"  dowse status {directory}"
    yield f"  dowse rules instruction {directory} {shlex.quote(crawl.job.seeds[0])}"
    yield f"  dowse export {directory} kept --to csv -f kept.csv"
