"""The video site of the rule-crawler paper, its figure 4: by rules, by topic and by every link, in the same browser.

By topic are dowse focus, which saves the links of the pages that it says match, and a crawler made for this one site.

What is wanted is said by the site's own maker (video_site.py). An instruction is an address the server was asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import Unavailable, scratch
from benchmarks.families import Family, measure_family
from benchmarks.tables import Aim, Bars, Cell, Column, Table, at_least, at_most
from benchmarks.video_site import VideoServer
from dowse import app
from dowse.core.errors import CrawlError
from dowse.fetch.chromium import check_browser

_COLUMNS = [
    Column("crawler"),
    Column("instructions", "{:,}"),
    Column("seconds", "{:.1f}"),
    Column("CPU s", "{:.1f}"),
    Column("links saved", "{:,}"),
    Column("useful", "{:,}"),
    Column("useful, of saved", "{:.1%}"),
    Column("found, of wanted", "{:.1%}"),
]
_RULES = """baseURL,ruleType,fromType,toType,pattern,id,class,tag
{url},follow,base,topLevel,/feed/,all,feed-item-dismissable,all
{url},keep,topLevel,,youtube,browse-items-primary,all,all
{url},follow,topLevel,secondLevel,/channel/,browse-items-primary,all,all
{url},follow,secondLevel,thirdLevel,watch,browse-items-primary,all,all
{url},keep,thirdLevel,,youtube,watch-header,all,all
"""
_TOPIC = "video, watch, channel, recommended, popular"
"""The words that the classification-based crawler goes by."""
_DOWSE = (sys.executable, "-m", "dowse")
_QUICK = ("--delay", "0", "--per-host", "8", "--tabs", "8", "--quiet")


class Crawler(NamedTuple):
    """How a crawler is started, and where the links are that it has saved."""

    name: str
    command: tuple[str, ...]
    saved: Callable[[Path], set[str]]


class Run(NamedTuple):
    """What came of it; an instruction for each address of the site that was asked for."""

    family: Family
    instructions: int
    saved: set[str]
    wanted: frozenset[str]

    @property
    def useful(self) -> int:
        return len(self.saved & self.wanted)


def _kept(folder: Path) -> set[str]:
    return {str(row["url"]) for row in app.read(folder).kept}


def _of_matched(folder: Path) -> set[str]:
    crawl = app.read(folder)
    matched = {row["url"] for row in crawl.matched}
    return matched | {str(row["target"]) for row in crawl.links if row["url"] in matched}


def _by_rules(way: str) -> Crawler:
    command = (*_DOWSE, "rules", "run", "{out}/rules.csv", "-o", "{out}/crawl", "--fetch", way, *_QUICK)
    return Crawler(f"dowse, rules, {way}", command, _kept)


CRAWLERS = (
    _by_rules("browser"),
    _by_rules("auto"),
    Crawler(
        "dowse focus",
        (*_DOWSE, "focus", "{url}", "--topic", _TOPIC, "-o", "{out}/crawl", "--fetch", "browser", *_QUICK),
        _of_matched,
    ),
    Crawler(
        "classification-based",
        (sys.executable, "-m", "benchmarks.rivals.video_topic", "{url}", "{out}/crawl"),
        lambda folder: set((folder / "saved.txt").read_text().splitlines()),
    ),
    Crawler(
        "traditional",
        (*_DOWSE, "site", "{url}", "-o", "{out}/crawl", "--fetch", "browser", *_QUICK),
        lambda folder: {str(row["target"]) for row in app.read(folder).links},
    ),
)


def run(repeats: int) -> Table:
    try:
        check_browser()
    except CrawlError as trouble:
        raise Unavailable(str(trouble)) from trouble
    done = {
        crawler.name: min((_once(crawler) for _ in range(repeats)), key=lambda run: run.family.seconds)
        for crawler in CRAWLERS
    }
    unrendered = _once(_by_rules("http"))
    return Table(
        name="rule_video",
        title=f"{len(done['traditional'].wanted):,} wanted links of a video site made by scripts, four levels deep",
        columns=_COLUMNS,
        rows=[_row(name, run) for name, run in done.items()],
        aims=_aims(done),
        notes=[f"by the same rules without a browser {len(unrendered.saved)} links are found: scripts make them all"],
        bars=Bars(2, "seconds of the whole crawl"),
    )


def _once(crawler: Crawler) -> Run:
    with scratch() as out, VideoServer() as server:
        (out / "rules.csv").write_text(_RULES.format(url=server.url))
        command = [part.format(url=server.url, out=out) for part in crawler.command]
        family = measure_family(command, out)
        if family.status:
            raise RuntimeError(f"{crawler.name} ended with status {family.status}: {family.output[-500:]}")
        result = Run(family, len(server.asked), crawler.saved(out / "crawl"), server.site.wanted)
    print(f"  {crawler.name}: {result.instructions} instructions, {family.seconds:.1f} s", file=sys.stderr, flush=True)
    return result


def _row(name: str, run: Run) -> list[Cell]:
    share = run.useful / len(run.saved) if run.saved else 0.0
    found = run.useful / len(run.wanted)
    return [name, run.instructions, run.family.seconds, run.family.cpu, len(run.saved), run.useful, share, found]


def _aims(done: dict[str, Run]) -> list[Aim]:
    aims = []
    for way in ("browser", "auto"):
        ours = done[f"dowse, rules, {way}"]
        aims += [
            at_least(f"wanted links found, rules, {way}", ours.useful / len(ours.wanted), 1.0, "{:.1%}"),
            at_least(f"saved links that are useful, rules, {way}", ours.useful / len(ours.saved), 0.99, "{:.1%}"),
        ]
        for name in ("classification-based", "traditional"):
            ratio = ours.family.seconds / done[name].family.seconds
            aims.append(at_most(f"time by rules, {way}, of the {name} crawler's", ratio, 1.0, "{:.0%}"))
    return aims
