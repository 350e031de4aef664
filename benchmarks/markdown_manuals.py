"""Markdown of manuals: what it keeps of their content, what else is in it, and what it takes.

    python -m benchmarks.markdown_manuals [PAGES] [MANUAL ...]        pages of each manual, 100 without

The manuals are Debian packages. What their content is, is known for the program that made them (markdown_truth.py), and
the product does not know it. Each page is written by itself, as `dowse fetch` does, and with what the other pages have
in common, as `dowse export` does; and by trafilatura, to compare. A link is wrong if the page has none of those words
to that address. Milliseconds are CPU time, reading included, without the first page.

Exit status: 0 every manual keeps 99 % of headings, 97 % of words and all links right, with less than 3 % of other
words; 1 one does not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import trafilatura

from benchmarks.cache import Unavailable
from benchmarks.markdown_truth import CHOSEN_ON, MANUALS, SEEN, Manual, Score, content_of, page_links, read, score
from benchmarks.sites import unpacked
from dowse.core.model import Request, Response
from dowse.extract.markdown.main_markdown import markdown_of
from dowse.extract.site_blocks import SiteBlocks
from dowse.parse.page import Page

PAGES = 100
LEARNED_FROM = 24
COLUMNS = {"pages": 6, "words": 8, "other": 7, "heads": 8, "links": 8, "wrong": 7, "code": 8, "tables": 8, "ms": 6}


def main(arguments: list[str]) -> int:
    most = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else PAGES
    is_good = True
    print(" " * 22 + "".join(f"{name:>{width}}" for name, width in COLUMNS.items()))
    try:
        for name in arguments or MANUALS:
            pages = list(chosen_pages(MANUALS[name], most))
            site = SiteBlocks()
            for url, html in pages[:: max(1, len(pages) // LEARNED_FROM)]:
                site.learn(page_of(url, html))
            mark = "**" if name in CHOSEN_ON else "*" if name in SEEN else ""
            is_good &= measure(f"{name}{mark}", MANUALS[name], pages, partial(by_dowse, None))
            is_good &= measure("  with its site", MANUALS[name], pages, partial(by_dowse, site))
            measure("  trafilatura", MANUALS[name], pages, by_trafilatura)
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 2
    print("** the rules were chosen on this manual, * and corrected after this one; for the others none was changed")
    return 0 if is_good else 1


def chosen_pages(manual: Manual, most: int) -> Iterator[tuple[str, bytes]]:
    package = unpacked(manual.packages)
    folder = next(package.glob(manual.folder), None)
    if folder is None:
        raise Unavailable(f"the package in {package} has no {manual.folder}")
    paths = sorted(path for path in folder.rglob("*.html") if path.is_file())
    for path in paths[:: max(1, len(paths) // most)][:most]:
        yield f"http://site.test/{path.relative_to(folder).as_posix()}", path.read_bytes()


def page_of(url: str, html: bytes) -> Page:
    request = Request(url=url, key_hash=0, host="site.test")
    return Page(Response(request, 200, {"content-type": "text/html"}, html, time.time(), 0.0))


def by_dowse(site: SiteBlocks | None, url: str, html: bytes) -> str:
    return markdown_of(page_of(url, html), site)


def by_trafilatura(url: str, html: bytes) -> str:
    return trafilatura.extract(html, url, output_format="markdown", include_links=True, include_formatting=True) or ""


def measure(name: str, manual: Manual, pages: list[tuple[str, bytes]], write: Callable[[str, bytes], str]) -> bool:
    total, spent, number = Score(), 0, 0
    write(*pages[0])
    for url, html in pages:
        truth = content_of(manual, html, url)
        if truth is None:
            continue
        started = time.process_time_ns()
        markdown = write(url, html)
        spent += time.process_time_ns() - started
        number += 1
        total = total.plus(score(truth, read(markdown, url), page_links(html, url)))
    words, other = total.words_kept / total.words, total.foreign / total.written
    heads, links = total.headings_kept / total.headings, total.links_kept / total.links
    print(
        f"{name:22}{number:6}{words:8.1%}{other:7.1%}{heads:8.1%}{links:8.1%}{total.links_wrong:7}"
        f"{share(total.code_kept, total.code):>8}{share(total.tables_kept, total.tables):>8}{spent / number / 1e6:6.1f}"
    )
    return heads >= 0.99 and words >= 0.97 and other < 0.03 and not total.links_wrong


def share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
