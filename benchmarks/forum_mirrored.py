"""Boards in the manner of well-known software, live and mirrored, with dead links, in many languages and charsets.

    python -m benchmarks.forum_mirrored [--test] [--starts N] [--threads N] [NAME ...]

The markup and the addresses are those of the software, written from knowledge of it; the content is generated. Half of
the manners are for testing (`--test`): the mode was not changed by what came of them. Dead pages of boards and threads
that were asked for count neither for nor against a crawl: nobody can know that they are dead.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.forum_measures import Fetched, Posts
from benchmarks.forum_mirrors.bare_archive import BareArchive
from benchmarks.forum_mirrors.discourse import Discourse
from benchmarks.forum_mirrors.discuz import Discuz
from benchmarks.forum_mirrors.fluxbb import FluxBB
from benchmarks.forum_mirrors.hypermail import Hypermail
from benchmarks.forum_mirrors.invision import Invision
from benchmarks.forum_mirrors.manner import Manner
from benchmarks.forum_mirrors.mirror_serving import Mirror, served, target_of
from benchmarks.forum_mirrors.mybb import MyBB
from benchmarks.forum_mirrors.names import named
from benchmarks.forum_mirrors.phpbb2 import PhpBB2
from benchmarks.forum_mirrors.phpbb3 import PhpBB3
from benchmarks.forum_mirrors.pipermail import Pipermail
from benchmarks.forum_mirrors.smf2 import SMF2
from benchmarks.forum_mirrors.tongues import TALKS
from benchmarks.forum_mirrors.vbulletin3 import VBulletin3
from benchmarks.forum_mirrors.xenforo import XenForo
from benchmarks.forum_posts import is_same_time, words
from benchmarks.forum_software.content import generate
from dowse import app
from dowse.config import make_job
from dowse.core.mirrored_names import written_address
from dowse.crawl import Crawl

DEVELOPMENT: Sequence[tuple[type[Manner], str, int]] = (
    (PhpBB3, "live", 0),
    (PhpBB3, "wget", 10),
    (VBulletin3, "live", 0),
    (VBulletin3, "windows", 10),
    (SMF2, "live", 5),
    (SMF2, "httrack", 10),
    (Discourse, "live", 0),
    (Discourse, "wget", 10),
    (Pipermail, "live", 5),
    (BareArchive, "live", 10),
)
TESTING: Sequence[tuple[type[Manner], str, int]] = (
    (PhpBB2, "live", 0),
    (PhpBB2, "httrack", 10),
    (XenForo, "live", 0),
    (XenForo, "wget", 15),
    (MyBB, "live", 5),
    (MyBB, "windows", 10),
    (Discuz, "live", 0),
    (Discuz, "wget", 10),
    (Invision, "live", 0),
    (Invision, "wget", 10),
    (FluxBB, "live", 5),
    (FluxBB, "windows", 10),
    (Hypermail, "live", 5),
)
"""Manner, names of pages, and how many of a hundred pages are missing."""

GLANCE = 60
"""Pages after which the entry page has to be known."""


class Truth(NamedTuple):
    """What can be had of a mirror: for each thread its pages, those of which can be reached, and the posts on them."""

    mirror: Mirror
    threads: list[dict[str, Any]]
    reachable: set[tuple[object, ...]]
    pages: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forum_mirrored", description=__doc__)
    parser.add_argument("names", nargs="*", help="manners; all of the part without")
    parser.add_argument("--test", action="store_true", help="those for testing")
    parser.add_argument("--starts", type=int, default=6, help="random pages to look for the entry page from")
    parser.add_argument("--threads", type=int, default=80)
    parser.add_argument("--keep", help="a folder to leave the crawls in")
    arguments = parser.parse_args()
    print(f"{'manner':20} pages effective coverage duplicates entry posts (author time text)")
    for make, scheme, missing in TESTING if arguments.test else DEVELOPMENT:
        if not arguments.names or make.name in arguments.names:
            truth = truth_of(Mirror(made(make, arguments.threads), scheme, missing))
            label = f"{make.name} {scheme} {missing}%"
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(arguments.keep or scratch) / f"{make.name}-{scheme}"
                print(f"{label:20} {measured(truth, folder, arguments.starts)}", flush=True)
    return 0


def made(make: type[Manner], threads: int) -> Manner:
    """A board with generated content, most of it in its language."""
    talk = TALKS.get(make.language, "english")
    return make(generate(7, threads, languages={talk: 85, "english": 15} if talk != "english" else {"english": 1}))


def truth_of(mirror: Mirror) -> Truth:
    """Follow all links from the entry page through boards and threads."""
    manner = mirror.manner
    waiting, seen, reachable, pages = [manner.entry], {manner.entry}, set(), []
    while waiting:
        address = waiting.pop()
        page = None if mirror.is_missing(address) else mirror.shown(address)
        if page is None or page.kind == "other":
            continue
        reachable.add(page.which)
        pages.append(address)
        for target in mirror.links(address, page.markup):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    threads = []
    # Only what is there under its own address can be had: a permalink of a lost page may have been saved too.
    there_is = {written_address(f"http://board/{address}") for address in pages}
    for number, thread in manner.threads:
        own = manner.thread_addresses(number)
        told = [mirror.shown(each) if written_address(f"http://board/{each}") in there_is else None for each in own]
        whole = [page.which for page in told if page is not None]
        if told and told[0] is not None:
            size = -(-len(thread.posts) // len(told)) if len(told) == len(thread.posts) else manner.posts_a_page
            there = [at for at, page in enumerate(told) if page is not None]
            posts = [post for at in there for post in thread.posts[at * size : (at + 1) * size]]
            threads.append({"pages": whole, "posts": posts})
    return Truth(mirror, threads, reachable, sorted(pages))


def measured(truth: Truth, folder: Path, starts: int) -> str:
    """One line: how a crawl from a random page went, and from how many the entry page was found."""
    mirror = truth.mirror
    with served(mirror) as base:
        pages = random.Random(5).sample(truth.pages, min(starts, len(truth.pages)))
        urls = [base + mirror.manner.folder + named(address, mirror.scheme) for address in pages]
        crawl = crawled(folder, urls[0])
        counts = fetched([row["final_url"] or row["url"] for row in crawl.frame("ledger") if row["status"]], truth)
        read = posts_right(list(crawl.frame("posts")), truth)
        entries = [crawl.results().facts["entry"]]
        for number, url in enumerate(urls[1:]):
            glance = crawled(folder.with_name(f"{folder.name}-{number}"), url, max_pages=GLANCE)
            entries.append(glance.results().facts["entry"])
    found = sum(_is_entry(str(each), mirror) for each in entries)
    parts = " ".join(f"{part / read.all:.1%}" for part in (read.author, read.time, read.text))
    return (
        f"{counts.pages:5} {counts.effectiveness:9.1%} {counts.coverage:8.1%} {counts.duplicates:10.1%}"
        f" {found:2}/{len(entries)} {read.right / read.all:.1%} ({parts})"
    )


def _is_entry(url: str, mirror: Mirror) -> bool:
    address = mirror.address(target_of(url)) if url else None
    shown = mirror.shown(address) if address is not None else None
    return shown is not None and shown.which[0] == "entry"


def fetched(urls: Sequence[str], truth: Truth) -> Fetched:
    """Which pages were asked for."""
    pages = useful = again = 0
    seen: set[tuple[object, ...]] = set()
    for url in urls:
        address = truth.mirror.address(target_of(url))
        shown = truth.mirror.shown(address) if address is not None else None
        is_wanted = shown is not None and shown.kind != "other"
        if is_wanted and address is not None and truth.mirror.is_missing(address):
            continue
        pages += 1
        if is_wanted and shown is not None:
            useful += 1
            again += shown.which in seen
            seen.add(shown.which)
    whole = sum(all(which in seen for which in thread["pages"]) for thread in truth.threads)
    return Fetched(pages, useful, again, whole, len(truth.threads))


def posts_right(rows: Sequence[Mapping[str, Any]], truth: Truth) -> Posts:
    """How many posts have the right author, time and text, of those that can be had."""
    numbered = list(enumerate(truth.threads))
    places = {which: (number, at) for number, thread in numbered for at, which in enumerate(thread["pages"])}
    found: dict[int, list[tuple[int, int, Mapping[str, Any]]]] = {}
    for row in rows:
        address = truth.mirror.address(target_of(str(row["thread"])))
        shown = truth.mirror.shown(address) if address is not None else None
        if shown is not None and shown.which in places:
            number, at = places[shown.which]
            found.setdefault(number, []).append((at, int(row["number"]), row))
    counts = Counter(all=sum(len(thread["posts"]) for thread in truth.threads))
    for number, thread in numbered:
        rows_here = sorted(found.get(number, []), key=lambda each: each[:2])
        for told, (_, _, row) in zip(thread["posts"], rows_here, strict=False):
            author = str(row["author"]).strip().casefold() == told.author.casefold()
            time = is_same_time(told.time.isoformat(), str(row["time"] or ""), truth.mirror.manner.exactness)
            text = words(str(row["text"])) == words(told.text)
            counts.update(author=author, time=time, text=text, right=author and time and text)
    return Posts(counts["author"], counts["time"], counts["text"], counts["right"], counts["all"])


def crawled(place: Path, url: str, **options: Any) -> Crawl:
    """A crawl in this process."""
    limits = {"max_pages": 4000, "delay": 0.0, "retries": 0, "library": False, "robots": "ignore", "workers": 1}
    app.start(make_job("forum", [url], output=str(place), **{**limits, **options}))
    return Crawl(place)


if __name__ == "__main__":
    sys.exit(main())
