"""The index: python -m benchmarks [TOPIC ...] runs what is named, or everything, and prints one table a topic."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib import import_module

from benchmarks.cache import ROOT, Unavailable
from benchmarks.report import Result, now, remember, write_manual
from benchmarks.tables import as_text

TABLES = {
    "null": "the engine's own microseconds per page: lease, judge, commit",
    "frontier": "a million waiting URLs: memory, speed, resume",
    "postgres": "tables in PostgreSQL beside SQLite: speed, a million waiting URLs, ten million known ones",
    "crawl": "a real site on one core beside other crawlers",
    "workers": "one process and several",
    "httrack": "five real sites beside HTTrack",
    "mirror": "three real sites as mirrors beside HTTrack and wget: time, and pages as they look",
    "rcrawler_table": "1,600 values of 1,000 pages by processes and connections, beside Scrapy and a loop of requests",
    "growth": "the time of each part, and pages a second, as a crawl grows to 50,000 pages",
    "cut_body": "crawls that read the first part of each page: what is found and what is saved",
    "rule_crawl": "a crawl by rules beside a topic crawler and one of every link: time, instructions, useful links",
    "rule_depth": "the same over the depth of the crawl, as curves",
    "rule_count": "the same over the number of rules, as curves",
    "focus_peers": "pages about a topic beside other focused crawlers, each with the same words, seed and pages",
    "rule_learning": "rule tables learned from three examples beside tables written by hand",
    "files": "requests until nine of ten files of a site are there, beside orders that learn nothing",
    "judged_manuals": "topics over manuals whose pages were judged by reading: what matches, and when a crawl stops",
    "near_duplicates": "near-duplicates within one site: precision, recall and cost",
    "forms": "what forms and fields of real pages are for, on domains never seen, and which are never sent",
    "form_harvest": "records behind search forms by number of queries, beside frequent words and words by chance",
    "form_sites": "search forms of a field over 1,000 hosts, beside orders that know less, and without parts of ours",
    "form_bounds": "what could be found at best on that web, by those that know more than a crawler",
    "recrawl_choice": "which page to visit again: four years of a real site replayed under a budget of requests",
    "recrawl_cost": "a recrawl in which nothing changed beside the first crawl: CPU time",
    "recrawl_growth": "how soon new pages of a growing site are found, by requests a day, beside fixed intervals",
    "recrawl_lists": "sitemaps that name a million pages, when a few hundred are wanted: CPU time and memory",
    "change_alarms": "which changes of real pages are reported: edits of one sentence, dates, counters and banners",
    "paging": "next, previous and numbered links of real pages on hosts never seen, and what a page costs",
    "forum": "forums on real software: useful pages, threads, duplicates and posts, beside a generic crawler",
    "page_tables": "rows of tables kept and lost on real pages, beside pandas.read_html",
    "browser": "rendered pages beside other crawlers on the same Chromium, and memory over thousands of them",
    "auto": "a mixed web rendered never, always and where it pays",
    "rule_video": "a video site made by scripts: by rules, by topic and by every link",
}
LISTINGS = {
    "urls": "the URL standards' own tests, and resolving beside other libraries",
    "robots": "the robots.txt test suite and real files, beside Protego",
    "signing": "requests signed, and what pages may be used for",
    "parse": "media types against the standards' own tests",
    "parse_speed": "milliseconds a page: tree, links and texts, beside other parsers",
    "charsets": "the standards' own charset tests, and pages that say nothing of their charset or what is not true",
    "content": "what is found without selectors on real pages, and its speed beside extruct, pandas and trafilatura",
    "documents": "text of PDF and office files, beside pdftotext, pypdf and pdfminer.six",
    "focus": "harvest rates of all rankers on labelled webs, six published queries, and what the default costs",
    "cluster": "workers on a Ray cluster: pages a second by number of actors, and what the way to them costs",
    "engine_shards": "several engines with a share of the hosts each, simulated",
    "startup": "what a command costs before it does anything",
    "seen_keys": "the seen test: memory and speed beside a dict",
    "sitemap_memory": "what a 50 MB sitemap costs in memory",
    "checksums": "collisions and speed of the checksums",
    "parquet": "a crawl of a million pages as Parquet: memory and time",
    "web_page": "the views of the web page over a crawl of 10,000 pages",
}
_COMMANDS = {"parse_speed": ["benchmarks.parse", str(ROOT / "site")]}
_NO_DATA = 2
"""Exit status of a listing whose data set is not there."""


def main() -> int:
    topics = TABLES | LISTINGS
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="topics:\n" + "\n".join(f"  {name:15} {what}" for name, what in topics.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("topic", nargs="*", help="what to run; all if nothing is named")
    parser.add_argument("--repeats", type=int, default=3, help="how often each is run, of which the best counts")
    parser.add_argument("--docs", action="store_true", help="write all results so far into docs/benchmarks.md")
    arguments = parser.parse_args()
    if unknown := set(arguments.topic) - set(topics):
        parser.error(f"no such topic: {', '.join(sorted(unknown))}")
    results = [_run(topic, arguments.repeats) for topic in arguments.topic or topics]
    if arguments.docs:
        print("written:", *write_manual())
    for result in results:
        if result.skipped:
            print(f"skipped {result.topic}: {result.skipped}")
    missed = [result.topic for result in results if result.missed]
    if missed:
        print("aims missed:", *missed)
    return 1 if missed else 0


def _run(topic: str, repeats: int) -> Result:
    print(f"== {topic}: {(TABLES | LISTINGS)[topic]}", flush=True)
    result = _listing(topic) if topic in LISTINGS else _table(topic, repeats)
    print(f"skipped: {result.skipped}\n" if result.skipped else result.text, flush=True)
    remember(result)
    return result


def _table(topic: str, repeats: int) -> Result:
    if not hasattr(os, "sched_setaffinity"):
        return Result(topic, now(), skipped="this benchmark puts processes on cores, which only Linux lets it do")
    try:
        table = import_module(f"benchmarks.{topic}").run(repeats)
    except Unavailable as trouble:
        return Result(topic, now(), skipped=str(trouble))
    missed = not all(aim.met for aim in table.aims)
    return Result(topic, now(), table=table, text=as_text(table), missed=missed, repeats=repeats)


def _listing(topic: str) -> Result:
    """A benchmark that prints for itself; run in a process of its own, for some of them measure memory."""
    command = [sys.executable, "-m", *_COMMANDS.get(topic, [f"benchmarks.{topic}"])]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode == _NO_DATA:
        return Result(topic, now(), skipped=ended.stderr.strip())
    return Result(topic, now(), text=ended.stdout + ended.stderr, missed=ended.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
