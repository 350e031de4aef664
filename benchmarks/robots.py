"""robots.txt: Google's cases and 4,231 real files through our rules, with Protego beside them in the same run.

    DOWSE_DATA=... python benchmarks/robots.py

Exit status 1: a case within RFC 9309 fails or a real file cannot be read. 2: there is no data.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from protego import Protego

from dowse.fetch.robots_rules import SIZE_LIMIT, RobotsRules

CASES = "conformance/google-robotstxt-cases/cases.json"
CORPUS = "conformance/robots-corpus-protego.tar.zst"
RULE_VALUE = re.compile(rb"^[ \t]*(?:dis)?allow[ \t]*:[ \t]*([/*][^\s#]*)", re.IGNORECASE | re.MULTILINE)
URLS_PER_FILE = 50


class Beyond(NamedTuple):
    """Cases that RFC 9309 does not cover or decides otherwise; `url` and `holds` narrow them down."""

    test: str
    reason: str
    url: str = ""
    holds: str = ""

    def covers(self, case: dict[str, Any]) -> bool:
        return (
            case["test"] == self.test and (not self.url or case["url"] == self.url) and self.holds in case["robots_txt"]
        )


BEYOND = (
    Beyond("GoogleOnly_SystemTest", "the URL is empty, which is none"),
    Beyond("ID_LineSyntax_Line", "a line without its colon is not one of the grammar", holds="disallow /\n"),
    Beyond("ID_UserAgentValueCaseInsensitive", "'FOO BAR' is not a product token; taken up to the space"),
    Beyond("GoogleOnly_AcceptUserAgentUpToFirstSpace", "'Foo Bar' is not a product token; taken up to the space"),
    Beyond(
        "GoogleOnly_IndexHTMLisDirectory",
        "Allow: /x/index.html would allow /x/ too; by 2.2.2 the longest match, Disallow: /, decides",
        url="http://foo.com/allowed-slash/",
    ),
    Beyond(
        "ID_Encoding",
        "expects a URL outside ASCII not to match; 2.2.2 percent-encodes it first, then it does",
        url="http://foo.bar/foo/bar/ツ",
    ),
    Beyond(
        "ID_Encoding",
        "expects %62%61%7A not to match baz; the table in 2.2.2 says that it does",
        url="http://foo.bar/foo/bar/baz",
        holds="%62%61%7A",
    ),
)


def check_cases(path: Path) -> int:
    """Print how Google's cases come out and give the number of failures within RFC 9309."""
    cases = json.loads(path.read_text())
    within = passed = failures = 0
    beyond: dict[Beyond, list[bool]] = {}
    for case in cases:
        right = RobotsRules(case["robots_txt"].encode(), case["user_agent"]).allows(case["url"]) is case["allowed"]
        passed += right
        extension = next((one for one in BEYOND if one.covers(case)), None)
        if extension is not None:
            beyond.setdefault(extension, []).append(right)
            continue
        within += 1
        if not right:
            failures += 1
            print(f"  FAILED {case['test']}: {case['url']} should be {'allowed' if case['allowed'] else 'refused'} by")
            print("    " + case["robots_txt"].replace("\n", "\n    "))
    print(f"Google's cases: {passed} of {len(cases)} passed; within RFC 9309 {within - failures} of {within}")
    print("beyond RFC 9309:")
    for extension, answers in beyond.items():
        print(f"  {sum(answers)} of {len(answers)} as Google  {extension.test}: {extension.reason}")
    return failures


def corpus(path: Path) -> Iterator[tuple[str, bytes]]:
    with (
        subprocess.Popen(["zstd", "-dc", "--long=27", str(path)], stdout=subprocess.PIPE) as process,
        tarfile.open(fileobj=process.stdout, mode="r|") as archive,
    ):
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield Path(member.name).name, file.read()


def made_up_urls(body: bytes, random_source: random.Random) -> list[str]:
    """URLs that the rules of a file were written for, and as many that they were not."""
    values = [value.decode("utf-8", "replace") for value in RULE_VALUE.findall(body)]
    urls = [f"http://example.org/section/{number}/page-{number}.html" for number in range(URLS_PER_FILE // 2)]
    for value in random_source.choices(values, k=URLS_PER_FILE // 2) if values else ():
        path = re.sub(r"\*", lambda _: random_source.choice(("", "x", "/y/", "?q=")), value.rstrip("$"))
        urls.append(f"http://example.org{path if path.startswith('/') else '/' + path}{random_source.choice('/ax')}")
    return urls


class Costs:
    """Seconds spent on reading files and on asking for URLs."""

    def __init__(self) -> None:
        self.files: list[tuple[float, str]] = []
        self.asking = self.again = 0.0
        self.questions = 0

    @property
    def reading(self) -> float:
        return sum(cost for cost, _ in self.files)

    def measure(self, name: str, read: Callable[[], Callable[[str], bool]], urls: list[str]) -> None:
        times = [time.perf_counter()]
        allows = read()
        for _ in range(2):
            times.append(time.perf_counter())
            for url in urls:
                allows(url)
        times.append(time.perf_counter())
        self.files.append((times[1] - times[0], name))
        self.asking += times[2] - times[1]
        self.again += times[3] - times[2]
        self.questions += len(urls)


def ours(body: bytes) -> Callable[[str], bool]:
    return RobotsRules(body, "dowse").allows


def protegos(body: bytes) -> Callable[[str], bool]:
    rules = Protego.parse(body[:SIZE_LIMIT].decode("utf-8-sig", "replace"))
    return lambda url: bool(rules.can_fetch(url, "dowse"))


def read_corpus(path: Path) -> int:
    """Read all real files, print what it costs, and give the number that could not be read."""
    random_source = random.Random(9309)
    costs, peer = Costs(), Costs()
    failures = 0
    for name, body in corpus(path):
        urls = made_up_urls(body, random_source)
        try:
            costs.measure(f"{name} ({len(body):,} bytes)", partial(ours, body), urls)
        except Exception as error:  # noqa: BLE001 - that none is raised is what is measured
            failures += 1
            print(f"  FAILED {name}: {error!r}")
        peer.measure(name, partial(protegos, body), urls)
    files, questions = len(costs.files), costs.questions
    print(f"{files:,} real files read, {failures} could not be")
    print(f"  reading {costs.reading / files * 1e3:.3f} ms a file (Protego {peer.reading / files * 1e3:.3f})")
    print(f"  asking  {costs.asking / questions * 1e6:.2f} us a URL (Protego {peer.asking / questions * 1e6:.2f})")
    print(f"  again   {costs.again / questions * 1e6:.2f} us a URL (Protego {peer.again / questions * 1e6:.2f})")
    for cost, name in sorted(costs.files, reverse=True)[:3]:
        print(f"  slowest {cost * 1e3:.1f} ms: {name}")
    return failures


def main() -> int:
    data = Path(os.environ.get("DOWSE_DATA", ""))
    if not os.environ.get("DOWSE_DATA") or not (data / CASES).exists():
        print(f"set DOWSE_DATA to the folder that has {CASES} and {CORPUS}", file=sys.stderr)
        return 2
    if shutil.which("zstd") is None:
        print("the corpus is packed: install zstd", file=sys.stderr)
        return 2
    failures = check_cases(data / CASES) + read_corpus(data / CORPUS)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
