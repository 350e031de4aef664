"""Pages: media types against the standards' own test tables, and parsing beside its peers.

    DOWSE_DATA=/path/to/data python benchmarks/parse.py            the test tables
    python benchmarks/parse.py FOLDER [PAGES]                      milliseconds a page on a folder of HTML files

Exit status: 0 all cases pass, 1 some fail, 2 there is nothing to measure with.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import turbohtml

from dowse.core.model import Request, Response
from dowse.core.urls import Base
from dowse.parse.decode import charset_name
from dowse.parse.media import content_type
from dowse.parse.page import Page, Reads

ROUNDS = 7


class Case(NamedTuple):
    question: object
    expected: object
    answer: object


def main(arguments: list[str]) -> int:
    if arguments:
        return print_speeds(Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1_000)
    folder = os.environ.get("DOWSE_DATA")
    if not folder:
        print(
            "set DOWSE_DATA to the folder that holds the conformance tables, or name a folder of pages", file=sys.stderr
        )
        return 2
    data = Path(folder) / "conformance"
    if not data.is_dir():
        print(f"no conformance tables: {data} is not there; check DOWSE_DATA", file=sys.stderr)
        return 2
    tables = {
        "WPT MIME types": list(mime_type_cases(data)),
        "WPT Content-Type headers": list(content_type_cases(data)),
    }
    failed = sum([report(name, cases) for name, cases in tables.items()])
    return 1 if failed else 0


def report(name: str, cases: list[Case]) -> int:
    wrong = [case for case in cases if case.answer != case.expected]
    print(f"{name:30} {len(cases) - len(wrong):5} of {len(cases)} as the standard says")
    for case in wrong:
        print(f"    {case.question!a}: {case.answer!a} instead of {case.expected!a}")
    return len(wrong) if cases else 1


def mime_type_cases(data: Path) -> Iterator[Case]:
    folder = data / "wpt-mimesniff" / "mimesniff" / "mime-types" / "resources"
    for name in ("mime-types.json", "generated-mime-types.json"):
        for case in read_cases(folder / name):
            essence, label = content_type(case["input"])
            expected = (case["output"] or "").partition(";")[0]
            # The tables give one header each; in a response a comma would separate two.
            if "," not in case["input"]:
                yield Case(case["input"], (expected, case.get("encoding")), (essence, known_charset(label, case)))


def known_charset(label: str, case: dict[str, Any]) -> str | None:
    return (charset_name(label) or None) if "encoding" in case else None


def content_type_cases(data: Path) -> Iterator[Case]:
    for case in read_cases(data / "wpt-fetch" / "content-type" / "resources" / "content-types.json"):
        header = ", ".join(case["contentType"])
        essence, label = content_type(header)
        expected = (case["mimeType"].partition(";")[0], case["encoding"])
        yield Case(header, expected, (essence, charset_name(label) or None))


def read_cases(path: Path) -> list[dict[str, Any]]:
    return [case for case in json.loads(path.read_text(encoding="utf-8")) if isinstance(case, dict)]


def page_of(url: str, body: bytes, reads: Reads = "tree") -> Page:
    request = Request(url=url, key_hash=0, host="h")
    return Page(Response(request, 200, {"content-type": "text/html"}, body, 0.0, 0.0), reads=reads)


def print_speeds(folder: Path, most: int) -> int:
    paths = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    if not paths:
        print(f"no HTML files in {folder}", file=sys.stderr)
        return 2
    # Runs of neighbours from all over the folder: a crawl, too, meets the pages of a directory one after the other.
    runs = range(0, len(paths), max(1, 100 * len(paths) // most))
    pages = [
        (f"http://h/{path.relative_to(folder).as_posix()}", path.read_bytes())
        for start in runs
        for path in paths[start : start + 100]
    ][:most]
    best = {name: [float("inf")] * len(pages) for name in CONTENDERS}
    links = dict.fromkeys(CONTENDERS, 0)
    for _ in range(ROUNDS):
        for number, (url, body) in enumerate(pages):
            for name, read in CONTENDERS.items():
                start_time = time.perf_counter()
                links[name] += read(url, body)
                best[name][number] = min(best[name][number], time.perf_counter() - start_time)
    print(f"{len(pages)} pages of {sum(len(body) for _, body in pages) / len(pages) / 1000:.1f} kB")
    for name, seconds in best.items():
        found = links[name] / ROUNDS / len(pages)
        print(f"{name:36} {1000 * sum(seconds) / len(pages):8.3f} ms a page {found:8.1f} links")
    return 0


def tree_only(_: str, body: bytes) -> int:
    turbohtml.parse(body, detect_encoding=True, positions=False)
    return 0


def links_only(url: str, body: bytes) -> int:
    return len(page_of(url, body).links)


def whole_page(url: str, body: bytes) -> int:
    page = page_of(url, body)
    _ = page.title, page.charset, page.robots, page.trouble
    return len(page.links)


def without_tree(url: str, body: bytes) -> int:
    page = page_of(url, body, "links")
    _ = page.title, page.charset, page.robots, page.trouble
    return len(page.links)


def outlined(url: str, body: bytes) -> int:
    page = page_of(url, body, "outline")
    _ = page.title, page.charset, page.robots, page.trouble
    return len(page.outline.places)


def lexbor(url: str, body: bytes) -> int:
    from selectolax.lexbor import LexborHTMLParser

    anchors = LexborHTMLParser(body).css("a[href]")
    return distinct(url, ((anchor.attributes["href"] or "", anchor.text()) for anchor in anchors))


def lxml(url: str, body: bytes) -> int:
    from lxml import html  # type: ignore[import-untyped]

    anchors = html.document_fromstring(body).iter("a") if body.strip() else ()
    return distinct(url, ((anchor.get("href") or "", anchor.text_content()) for anchor in anchors))


def distinct(url: str, anchors: Iterator[tuple[str, str]]) -> int:
    """What dowse does with its anchors, for the peers: absolute, distinct, with text."""
    base = Base(url)
    texts: dict[str, str] = {}
    for href, text in anchors:
        target = None if not href or href[0] == "#" else base.join(href)
        if target and not texts.get(target):
            texts[target] = " ".join(text.split())[:200]
    return len(texts)


def installed(*contenders: Callable[[str, bytes], int]) -> dict[str, Callable[[str, bytes], int]]:
    found = {}
    for contender in contenders:
        try:
            contender("http://h/", b"<a href=x>y</a>")
        except ImportError:
            continue
        found[f"{contender.__name__}, links with text"] = contender
    return found


CONTENDERS: dict[str, Callable[[str, bytes], int]] = {
    "turbohtml, tree only": tree_only,
    "dowse, links with text": links_only,
    "dowse, links, title, robots tags": whole_page,
    "dowse, the same without a tree": without_tree,
    "dowse, text and surroundings of links": outlined,
    **installed(lexbor, lxml),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
