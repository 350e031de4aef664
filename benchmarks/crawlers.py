"""The crawlers that are compared: how each is started on a site, and what is missing where it cannot be.

Every one of them is set up by hand to be as fast as it can be: no robots.txt, no delay, no log, no rate limit, only the
links of pages, and its files on a RAM disk. dowse alone keeps everything on: robots.txt, ledger, retries, and its store
on a real disk; only its delay is 0 and its limit per host generous, and pages that are alike are all followed, as the
others do.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shlex import split
from typing import NamedTuple

PYTHON = (sys.executable, "-m")


class Crawler(NamedTuple):
    """One crawler. `commands` are ways to run it, of which the fastest counts; `{url}` and `{out}` are filled in."""

    name: str
    commands: Sequence[Sequence[str]]
    package: str = ""  # of Python; otherwise the command's first word is a program
    in_memory: bool = True

    def missing(self) -> str:
        """What to install; "" if it is there."""
        if not self.package:
            program = self.commands[0][0]
            return "" if shutil.which(program) else f"install {program}"
        try:
            version(self.package)
        except PackageNotFoundError:
            return f"pip install {self.package}"
        return ""

    def version(self) -> str:
        if self.package:
            return version(self.package)
        told = subprocess.run([self.commands[0][0], "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"\d+(?:[.-]\d+)+", told)
        return found[0] if found else ""

    def filled(self, url: str, out: Path) -> list[list[str]]:
        return [[part.format(url=url, out=out) for part in command] for command in self.commands]


def dowse(*options: str, name: str = "dowse") -> Crawler:
    """dowse with what the comparison needs, and more options where a benchmark wants them."""
    fast = ("--delay", "0", "--per-host", "64", "--dedup", "off", "--quiet")
    return Crawler(
        name, ((*PYTHON, "dowse", "site", "{url}", "-o", "{out}/crawl", *fast, *options),), "dowse", in_memory=False
    )


BARE_LOOP = Crawler("bare loop", ((*PYTHON, "benchmarks.rivals.bare_loop", "{url}"),), "pycurl")
SCRAPY = Crawler("Scrapy", ((*PYTHON, "benchmarks.rivals.scrapy_spider", "{url}"),), "scrapy")
CRAWLEE = Crawler("Crawlee", ((*PYTHON, "benchmarks.rivals.crawlee_site", "{url}"),), "crawlee")
WGET = Crawler("wget", (split("wget -q -r -l inf --follow-tags=a -e robots=off -P {out} {url}"),))
WGET2 = Crawler("wget2", (split("wget2 -q -r -l 0 --follow-tags=a/href --robots=off -P {out} {url}"),))

# No cache, no index, no log, no guessing of links in scripts; more connections only slow it down here.
_HTTRACK = split("httrack {url} -O {out} -q -Q -%v0 -%! -%c0 -A0 -s0 -C0 -I0 -o0 -%P0 -j0 -%k")
HTTRACK = Crawler("HTTrack", ([*_HTTRACK, "-c2"], [*_HTTRACK, "-c8"]))

RIVALS = (BARE_LOOP, WGET2, WGET, CRAWLEE, HTTRACK, SCRAPY)
