"""Content without selectors: what the extractors find on real pages, and what they take, beside others.

    DOWSE_DATA=/path/to/data python -m benchmarks.content [PAGES_A_SITE]

Values: records/ has pages of 40 sites, each about one car, book, job or film, with the values that people found there.
Counted is how many are among the values that an extractor gives, as they are (`exact`) or within a longer one
(`within`). No extractor is told what to look for, and few of these pages (2011) say anything for machines.

Lists: paging/ has pages with lists. Where the author marked the items (hentry, article, Product, BlogPosting), their
titles are the truth: `recall` is the share that is a row of a list, `precision` the share of the rows of the first list
that have one. The rules were written while looking at pages of both sets, so other pages may do less well.

Exit status: 0 measured, 2 there is nothing to measure with.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import zstandard

from dowse.core.model import Request, Response
from dowse.extract.articles.article import ArticleExtractor
from dowse.extract.extractors import Extractor
from dowse.extract.lists.list_items import ListExtractor
from dowse.extract.markdown.main_markdown import markdown_of
from dowse.extract.structured_data import DataExtractor
from dowse.extract.table_rows import TableExtractor
from dowse.parse.page import Page
from dowse.parse.text import text_of

RECORDS = Path("records/four-verticals.tar.zst")
LISTS = Path("paging/html.tar.zst")
MARKED = '.hentry, .h-entry, article, [itemtype$="/Product"], [itemtype$="/BlogPosting"]'
PAGES_A_SITE = 5
_URL = re.compile(rb"<base href=[\"']?([^\"'>\s]+)", re.IGNORECASE)


class Sample(NamedTuple):
    """A page and the values on it."""

    url: str
    body: bytes
    values: list[str]


def main(arguments: list[str]) -> int:
    data = Path(os.environ.get("DOWSE_DATA", ""))
    if not os.environ.get("DOWSE_DATA") or not (data / RECORDS).exists() or not (data / LISTS).exists():
        print(f"set DOWSE_DATA to the folder that has {RECORDS} and {LISTS}", file=sys.stderr)
        return 2
    samples = list(records(data / RECORDS, int(arguments[0]) if arguments else PAGES_A_SITE))
    extractors = {
        "article": ArticleExtractor(), "data": DataExtractor(), "tables": TableExtractor(), "lists": ListExtractor(),
    }  # fmt: skip
    print_values(samples, extractors)
    print_lists([body for name, body in members(data / LISTS) if name.endswith(".html")])
    print_speeds(samples, extractors)
    return 0


def page_of(url: str, body: bytes) -> Page:
    request = Request(url=url, key_hash=0, host="h")
    return Page(Response(request, 200, {"content-type": "text/html"}, body, time.time(), 0.0))


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an archive."""
    with archive.open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed)
        with tarfile.open(fileobj=reader, mode="r|") as files:
            for member in files:
                content = files.extractfile(member)
                if content is not None:
                    yield member.name, content.read()


def records(archive: Path, pages: int) -> Iterator[Sample]:
    """The first pages of each site with their values; the truth is a file for each site and field."""
    bodies: dict[tuple[str, str], bytes] = {}
    values: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, content in members(archive):
        path = Path(name)
        if path.suffix == ".htm" and int(path.stem) < pages:
            bodies[path.parent.name.partition("(")[0], path.stem] = content
        elif path.suffix == ".txt" and "groundtruth" in path.parts:
            site = path.stem.rpartition("-")[0]
            for line in content.decode("utf-8-sig", "replace").splitlines()[2:]:
                number, _, *found = line.split("\t")
                if int(number) < pages:
                    values[site, number] += [value for value in map(normal, found) if value and value != "<null>"]
    for key, body in bodies.items():
        found = _URL.search(body[:2_000])
        url = found[1].decode("utf-8", "replace") if found else f"http://{key[0]}.example/{key[1]}"
        yield Sample(url, body, values[key])


def print_values(samples: list[Sample], extractors: dict[str, Extractor]) -> None:
    total = sum(len(sample.values) for sample in samples)
    print(f"{total} values on {len(samples)} pages")
    exact, within = dict.fromkeys([*extractors, "any"], 0), dict.fromkeys([*extractors, "any"], 0)
    for sample in samples:
        page = page_of(sample.url, sample.body)
        given: dict[str, set[str]] = {"any": set()}
        for name, extractor in extractors.items():
            given[name] = {normal(text) for record in extractor.extract(page) for text in texts(record.fields)}
            given["any"] |= given[name] if name != "article" else set()
        for name, found in given.items():
            whole = "\n".join(found)
            exact[name] += sum(value in found for value in sample.values)
            within[name] += sum(value in whole for value in sample.values)
    for name in exact:
        shown = "data, tables or lists" if name == "any" else name
        print(f"  {shown:24} exact {exact[name] / total:6.1%}   within {within[name] / total:6.1%}")


def print_lists(bodies: list[bytes]) -> None:
    """Recall and precision against items that their authors marked."""
    recalls, precisions, missed = [], [], 0
    for body in bodies:
        page = page_of("http://h/", body)
        truth = marked_titles(page)
        if len(truth) < 3:
            continue
        rows = [record.fields for record in ListExtractor().extract(page)]
        missed += not rows
        row_texts = [normal("\n".join(texts(row))) for row in rows]
        recalls.append(mean(any(title in text for text in row_texts) for title in truth))
        first = [text for row, text in zip(rows, row_texts, strict=True) if row["list"] == 1]
        if first:
            precisions.append(mean(any(title in text for title in truth) for text in first))
    print(f"{len(recalls)} of {len(bodies)} pages with lists have marked items; {missed} of those gave no list")
    print(f"  recall {mean(recalls):.1%}   precision of the first list {mean(precisions):.1%}")


def marked_titles(page: Page) -> list[str]:
    titles = []
    for element in page.tree.select(MARKED):
        title = element.select_one("h1, h2, h3, h4, h5, [itemprop=name], [itemprop=headline]")
        text = normal(text_of(title)) if title is not None else ""
        if len(text) > 3 and text not in titles:
            titles.append(text)
    return titles


def print_speeds(samples: list[Sample], extractors: dict[str, Extractor]) -> None:
    """Milliseconds a page. The page is parsed already, as it is in a crawl; others are given the text."""
    chosen = samples[:: max(1, len(samples) // 80)]
    pages = [page_of(sample.url, sample.body) for sample in chosen]
    sources = [page.source for page in pages]
    for page in pages:
        _ = page.tree, page.links
    print(f"milliseconds of CPU a page, {len(pages)} pages of {mean(map(len, sources)) / 1000:.0f} kB")
    parsing = timed(lambda sample: page_of(sample.url, sample.body).tree, chosen)
    print(f"  {'the parser, to compare':34} {parsing:8.2f}")
    for name, extractor in extractors.items():
        print(f"  {name:34} {timed(extractor.extract, pages):8.2f}")
    print(f"  {'markdown':34} {timed(markdown_of, pages):8.2f}")
    for name, rival in rivals().items():
        print(f"  {name:34} {timed(rival, sources):8.2f}")


def timed(act: Callable[[Any], object], things: list[Any]) -> float:
    """The best of two runs for each, after one that warms up."""
    act(things[0])
    best = []
    for thing in things:
        times = []
        for _ in range(2):
            started = time.process_time_ns()
            act(thing)
            times.append(time.process_time_ns() - started)
        best.append(min(times))
    return mean(best) / 1e6


def rivals() -> dict[str, Callable[[str], object]]:
    """What others offer for the same, as far as it is installed."""
    found: dict[str, Callable[[str], object]] = {}
    warnings.simplefilter("ignore")
    try:
        import extruct

        found["extruct, the same four syntaxes"] = lambda text: extruct.extract(
            text, "http://h/", syntaxes=["json-ld", "microdata", "opengraph", "rdfa"], errors="ignore"
        )
        found["extruct without RDFa"] = lambda text: extruct.extract(
            text, "http://h/", syntaxes=["json-ld", "microdata", "opengraph"], errors="ignore"
        )
    except ImportError:
        print("  (extruct is not installed)")
    try:
        import pandas

        found["pandas.read_html by lxml"] = lambda text: read_html(pandas, text)
    except ImportError:
        print("  (pandas is not installed)")
    from trafilatura import extract

    found["trafilatura alone, text"] = extract
    found["trafilatura alone, with metadata"] = lambda text: extract(text, output_format="json", with_metadata=True)
    found["trafilatura alone, Markdown"] = lambda text: extract(text, output_format="markdown", include_links=True)
    return found


def read_html(pandas: Any, text: str) -> object:
    try:
        return pandas.read_html(StringIO(text), flavor="lxml")
    except (ImportError, ValueError):  # a page without tables
        return None


def texts(value: Any) -> Iterator[str]:
    """All texts in a record."""
    if isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif value is not None:
        yield str(value)


def normal(text: str) -> str:
    return " ".join(text.split()).lower()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
