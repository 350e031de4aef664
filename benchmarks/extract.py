"""Fields: what five of them add to the time of a page, as a share of reading it (tree, links, title, robots tags).

    python benchmarks/extract.py FOLDER [PAGES]        a folder of HTML files

Exit status: 0 five typical fields stay below a quarter, 1 they do not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from benchmarks.parse import page_of
from dowse.core.job import ExtractOptions
from dowse.extract.fields import FieldExtractor
from dowse.parse.page import Page

ROUNDS = 7
MOST_SHARE = 0.25

# Found on most pages of a manual, so that the fields are read and not only looked for.
FIVE = {
    "five by XPath": (
        "title=//title",
        "heading=//h1",
        "first=//p[1]",
        "main=//*[@id='content' or @class='body']//p",
        "cell=//table//td[2]",
    ),
    "five by CSS": (
        "title=css:title",
        "heading=css:h1, h2",
        "first=css:p",
        "main=css:#content p, .body p",
        "cells[]=css:table td:nth-child(2)",
    ),
    "five by type": (
        "title=//title",
        "heading:html=css:h1",
        "link:url=//p//a",
        "number:number=//table//td[2]",
        "date:date=xpath:'Last updated on 5 March 2024, 10:30'",  # few manuals have one
    ),
    "five with parts left out": ("title=//title", "heading=//h1", "first=//p", "link:url=//li", "cell=//table//td[2]"),
    "five by regular expression": (
        r"title=re:<title>([^<]*)",
        r"year=re:\b(?:19|20)\d\d\b",
        r"generator=re:name=.generator.\s+content=.([^\"']*)",
        r"version=re:\bversion (\d[\w.]*)",
        r"mail=re:[\w.+-]+@[\w-]+\.\w+",
    ),
}
LEFT_OUT = ("heading=css:a.headerlink", "heading=//h1/span", "first=//b", "link=css:img", "cell=.//a")
# More than a field: all that can be read.
OTHERS = {
    "one, the text of the whole page": ("text=//body",),
    "one, the whole page as HTML": ("page:html=/html",),
    "twenty, all absent": tuple(f"x{number}=css:.absent-{number}" for number in range(20)),
    "none": (),
}
TYPICAL = ("five by XPath", "five by CSS", "five by type", "five with parts left out")


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else None
    paths = sorted(path for path in folder.rglob("*.htm*") if path.is_file()) if folder else []
    if not folder or not paths:
        print("name a folder that holds HTML files", file=sys.stderr)
        return 2
    most = int(arguments[1]) if len(arguments) > 1 else 500
    chosen = paths[:: max(1, len(paths) // most)][:most]
    pages = [(f"http://h/{path.relative_to(folder).as_posix()}", path.read_bytes()) for path in chosen]
    size = sum(len(body) for _, body in pages) / len(pages)
    print(f"{len(pages)} pages of {size / 1000:.1f} kB")
    shares = measure(pages)
    return 0 if all(shares[name] < MOST_SHARE for name in TYPICAL) else 1


def measure(pages: list[tuple[str, bytes]]) -> dict[str, float]:
    """The share of each set of fields, from the best time of every page."""
    extractors = {
        name: FieldExtractor(ExtractOptions(extract=fields, exclude_from=LEFT_OUT if "left out" in name else ()))
        for name, fields in (FIVE | OTHERS).items()
    }
    reading = [float("inf")] * len(pages)
    extracting = {name: [float("inf")] * len(pages) for name in extractors}
    found = dict.fromkeys(extractors, 0)
    for _ in range(ROUNDS):
        for number, (url, body) in enumerate(pages):
            started = time.process_time_ns()
            page = read(url, body)
            reading[number] = min(reading[number], time.process_time_ns() - started)
            for name, extractor in extractors.items():
                page.__dict__.pop("source", None)  # decoded for the first field that needs it
                started = time.process_time_ns()
                records = extractor.extract(page)
                best = extracting[name]
                best[number] = min(best[number], time.process_time_ns() - started)
                found[name] += sum(len(record.fields) for record in records)
    whole = sum(reading)
    print(f"{'reading':34} {whole / len(pages) / 1e6:8.3f} ms a page")
    for name, times in extracting.items():
        fields = found[name] / ROUNDS / len(pages)
        print(f"{name:34} {sum(times) / len(pages) / 1e6:8.3f} ms a page {sum(times) / whole:8.1%} {fields:6.1f} found")
    return {name: sum(times) / whole for name, times in extracting.items()}


def read(url: str, body: bytes) -> Page:
    page = page_of(url, body)
    _ = page.links, page.title, page.charset, page.robots, page.trouble
    return page


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
