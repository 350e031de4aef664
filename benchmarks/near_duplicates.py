"""Near-duplicates within one site: precision, recall and cost.

Two editions of a manual, page by page under the same file names, are put on one site and read in random order, as a
crawl would, once with `dedup = near` as it is and once by plain SimHash of the whole page.

    the guide     installation-guide-amd64 and -i386
    the library   libboost1.74-doc and libboost1.81-doc, in two parts by folder

The limits in core/duplicates/near_duplicates.py were chosen on the guide and on the first part of the library.

    positive      two editions of a page that have 0.9 of their distinct words in common; identical files do not count,
                  the checksum finds those
    right         a skipped page whose original is its other edition
    wrong         any other skipped page, but for pages of one edition that were renamed: same title, other edition,
                  and no page of that name there
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from benchmarks.parse import page_of
from benchmarks.sites import unpacked
from benchmarks.tables import Cell, Column, Table, at_least, at_most
from dowse.core.duplicates.near_duplicates import Fingerprint, NearPages
from dowse.core.duplicates.near_index import DISTANCE, NearIndex
from dowse.core.duplicates.passages import Passages
from dowse.core.duplicates.simhash import signature
from dowse.parse.blocks import packed_passages
from dowse.parse.page import Page

GUIDE = ("installation-guide-amd64", "installation-guide-i386")
LIBRARY = ("libboost1.74-doc", "libboost1.81-doc")
LEAST_COMMON = 0.9
SIGNATURES = 1_000_000
LOOK_UPS = 500
_WORD = re.compile(r"\w+")


class Document(NamedTuple):
    """One page of one of two editions."""

    edition: int
    name: str
    title: str
    digest: int
    words: frozenset[str]
    passages: Passages


class Score(NamedTuple):
    """What came of one site."""

    positives: int
    found: int
    right: int
    wrong: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.found / self.positives


Find = Callable[[Document, int], int | None]
"""The number of an earlier page that a page is nearly the same as."""


def run(repeats: int) -> Table:
    library = list(documents(LIBRARY))
    first, second = ([page for page in library if half(page.name) == part] for part in (0, 1))
    sites = {"guide (chosen on)": list(documents(GUIDE)), "library, first part (chosen on)": first}
    sites["library, second part"] = second
    rows: list[list[Cell]] = []
    scores: dict[str, Score] = {}
    for name, pages in sites.items():
        for method, make in (("dedup near", by_near), ("SimHash of the whole page", by_simhash)):
            score = scores[f"{name}, {method}"] = judged(pages, make(), Random(1))
            rows.append([f"{name}: {method}", len(pages), score.positives, score.precision, score.recall])
    held_out = scores["library, second part, dedup near"]
    reading, judging = costs(repeats)
    finding = look_up()
    return Table(
        name="near_duplicates",
        title="Near-duplicates within one site",
        columns=[
            Column("site and method"),
            Column("pages", "{:,}"),
            Column("positives", "{:,}"),
            Column("precision", "{:.3f}"),
            Column("recall", "{:.3f}"),
        ],
        rows=rows,
        aims=[
            at_least("precision on the part that nothing was chosen on", held_out.precision, 0.95, "{:.3f}"),
            at_least("recall there", held_out.recall, 0.90, "{:.3f}"),
            at_most("milliseconds a page: text, blocks and signature", reading, 0.3),
            at_most("milliseconds for a look-up among a million signatures", finding, 1.0),
        ],
        notes=[f"comparing, confirming and learning what the site repeats take {judging:.2f} ms a page on top"],
        highlight="library, second part: dedup near",
    )


# The pages


def documents(packages: tuple[str, str]) -> Iterator[Document]:
    for edition, package in enumerate(packages):
        for file, page in pages_of(package):
            words = frozenset(_WORD.findall(page.text.lower()))
            passages = Passages.unpack(packed_passages(page))
            yield Document(edition, file, page.title, zlib.crc32(page.response.body), words, passages)


def pages_of(package: str) -> Iterator[tuple[str, Page]]:
    folder = unpacked((package,)) / "usr/share/doc" / package
    for file in sorted(folder.rglob("*.htm*")):
        if file.is_file() and not file.is_symlink():
            name = file.relative_to(folder).as_posix()
            yield name, page_of(f"http://site.test/{name}", file.read_bytes())


def half(name: str) -> int:
    return zlib.crc32(name.rpartition("/")[0].encode()) % 2


# The methods


def by_near() -> Find:
    pages = NearPages()
    kept: dict[int, Fingerprint] = {}

    def find(page: Document, number: int) -> int | None:
        own = pages.fingerprint(1, page.passages)
        match = pages.match(own, number, kept.get) if own else None
        if match is None:
            kept.update(pages.keep(1, page.passages, number, own).fingerprints)
        return match.page if match else None

    return find


def by_simhash() -> Find:
    index = NearIndex()

    def find(page: Document, number: int) -> int | None:
        own = signature(page.passages.words)
        near = index.near(own, 3)
        if not near:
            index.add(own, number)
        return near[0][1] if near else None

    return find


def judged(pages: list[Document], find: Find, chance: Random) -> Score:
    """Read the pages in random order and count what the method says of each."""
    by_name = {(page.edition, page.name): page for page in pages}
    positives = {page.name for page in pages if is_positive(page, by_name.get((1 - page.edition, page.name)))}
    bodies: set[int] = set()
    found: set[str] = set()
    right = wrong = 0
    for number in chance.sample(range(len(pages)), len(pages)):
        page = pages[number]
        if page.digest in bodies:
            continue
        bodies.add(page.digest)
        other = find(page, number)
        if other is None:
            continue
        if pages[other].name == page.name and pages[other].edition != page.edition:
            right += 1
            found.add(page.name)
        elif not is_renamed(page, pages[other], by_name):
            wrong += 1
    return Score(len(positives), len(found & positives), right, wrong)


def is_positive(one: Document, other: Document | None) -> bool:
    if other is None or one.digest == other.digest:
        return False
    return len(one.words & other.words) >= LEAST_COMMON * len(one.words | other.words)


def is_renamed(one: Document, other: Document, by_name: dict[tuple[int, str], Document]) -> bool:
    has_own = [(1 - page.edition, page.name) in by_name for page in (one, other)]
    return one.edition != other.edition and one.title == other.title and not all(has_own)


# What it costs


def costs(repeats: int) -> tuple[float, float]:
    """Milliseconds a page for what the worker does and, on top, for what the store does; the best of every page."""
    pages = [page for number, (_, page) in enumerate(pages_of(LIBRARY[1])) if number % 4 == 0]
    for page in pages:
        _ = page.tree, page.title
    reading = [float("inf")] * len(pages)
    judging = [float("inf")] * len(pages)
    for _round in range(3 * repeats):
        find = by_near()
        for number, page in enumerate(pages):
            page.__dict__.pop("text", None)
            start = time.process_time_ns()
            passages = Passages.unpack(packed_passages(page))
            signature(passages.words)
            reading[number] = min(reading[number], time.process_time_ns() - start)
            document = Document(0, "", "", 0, frozenset(), passages)
            start = time.process_time_ns()
            find(document, number)
            judging[number] = min(judging[number], time.process_time_ns() - start)
    return sum(reading) / len(pages) / 1e6, sum(judging) / len(pages) / 1e6


def look_up() -> float:
    """Milliseconds to find what is within the distance among a million, the median."""
    chance = np.random.default_rng(1)
    numbers = chance.integers(-(2**63), 2**63 - 1, SIGNATURES)
    index = NearIndex()
    index.load(zip(numbers.tolist(), range(SIGNATURES), strict=True))
    times = []
    for row in range(LOOK_UPS):
        changed = int(numbers[row])
        for bit in chance.choice(63, DISTANCE, replace=False).tolist():
            changed ^= 1 << bit
        start = time.perf_counter()
        near = index.near(changed)
        times.append(time.perf_counter() - start)
        if (DISTANCE, row) not in near:
            raise SystemExit("a signature was not found")
    return float(np.median(times)) * 1e3
