"""URLs against the standards' own test tables, and their speed beside the libraries underneath.

    DOWSE_DATA=/path/to/data python benchmarks/urls.py

Exit status: 0 all cases pass, 1 some fail, 2 the data is not there.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import ada_url
import url as rust_url

from dowse.core.job import UrlOptions
from dowse.core.url_keys import UrlKeys, normal_form
from dowse.core.urls import Base, host_of, registered_domain, resolve


class Case(NamedTuple):
    question: tuple[str, ...]
    expected: str | None
    answer: str | None


def main() -> int:
    folder = os.environ.get("DOWSE_DATA")
    if not folder:
        print("set DOWSE_DATA to the folder that holds the conformance tables", file=sys.stderr)
        return 2
    data = Path(folder) / "conformance"
    if not data.is_dir():
        print(f"no conformance tables: {data} is not there; check DOWSE_DATA", file=sys.stderr)
        return 2
    tables = {
        "WPT urltestdata, http and https": [case for case in web_platform_cases(data) if case.expected],
        "WPT urltestdata, invalid or another scheme": [case for case in web_platform_cases(data) if not case.expected],
        "WPT toascii and IdnaTestV2": list(international_host_cases(data)),
        "CPython urljoin, http": list(urljoin_cases(data)),
        "public suffix list": list(public_suffix_cases(data)),
    }
    failed = sum([report(name, cases) for name, cases in tables.items()])
    print()
    print_speeds()
    return 1 if failed else 0


def report(name: str, cases: list[Case]) -> int:
    wrong = [case for case in cases if case.answer != case.expected]
    print(f"{name:44} {len(cases) - len(wrong):5} of {len(cases)} pass")
    for case in wrong:
        print(f"    {case.question!a}: {case.answer!a} instead of {case.expected!a}")
    return len(wrong) if cases else 1


def web_platform_cases(data: Path) -> Iterator[Case]:
    """Failures and schemes that are not crawled must both come out as None."""
    for name in ("urltestdata.json", "urltestdata-javascript-only.json"):
        for case in read_cases(data / "wpt-url" / name):
            base, href = case["base"] or "", case["input"]
            expected = None if case.get("failure") else crawlable(case["href"])
            yield Case((base, href), expected, resolve(base, href))


def international_host_cases(data: Path) -> Iterator[Case]:
    for name in ("toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"):
        for case in read_cases(data / "wpt-url" / name):
            if case["input"]:
                href = f"https://{case['input']}/x"
                expected = f"https://{case['output']}/x" if case["output"] else None
                yield Case((href,), expected, resolve("", href))


def urljoin_cases(data: Path) -> Iterator[Case]:
    """All cases with an http base: once both are serialised, the two standards agree on every one of them."""
    for case in read_cases(data / "cpython-urljoin" / "cases.json"):
        if case["base"].startswith("http"):
            yield Case((case["base"], case["ref"]), resolve("", case["expected"]), resolve(case["base"], case["ref"]))


def public_suffix_cases(data: Path) -> Iterator[Case]:
    """Where the list has no registered domain (`null`), a host is its own."""
    for line in (data / "publicsuffix" / "tests" / "tests.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith(("//", "null")):
            continue
        host, domain = line.split()
        expected = host if domain == "null" else domain
        yield Case((host,), serialised_host(expected), registered_domain(serialised_host(host)))


def serialised_host(host: str) -> str:
    return host_of(resolve("", f"http://{host}/") or f"http://{host}/")


def read_cases(path: Path) -> list[dict[str, Any]]:
    return [case for case in json.loads(path.read_text(encoding="utf-8")) if isinstance(case, dict)]


def crawlable(href: str) -> str | None:
    return href.partition("#")[0] if href.startswith(("http:", "https:")) else None


# One page of links in the proportions of the manuals of Python, Linux, PostgreSQL and C++.
PAGE = "https://docs.example.org/3/library/asyncio-task.html"
HREFS = [
    *(f"#asyncio.method-{number}" for number in range(25)),
    *(f"module{number}.html" for number in range(25)),
    *(f"../reference/chapter{number}.html#section-{number}" for number in range(25)),
    *(f"/3/whatsnew/3.{number}.html" for number in range(10)),
    *(f"https://bugs.example.org/issue?id={number}&from=docs" for number in range(12)),
    "mailto:docs@example.org",
    "javascript:void(0)",
    "",
]


def print_speeds() -> None:
    bare = rust_url.URL.parse(PAGE)
    base = Base(PAGE)
    found = [url for url in map(base.join, HREFS) if url]
    options = UrlOptions()
    contenders: dict[str, tuple[Callable[[str], object], list[str]]] = {
        "dowse Base.join": (base.join, HREFS),
        "url-py": (lambda href: str(bare.join(href)), HREFS),
        "ada-url": (lambda href: ada_url.join_url(PAGE, href), HREFS),
        "urllib.parse.urljoin": (lambda href: urljoin(PAGE, href), HREFS),
        "dowse UrlKeys.request, seen before": (UrlKeys(options).request, found),
        "dowse normal_form": (lambda url: normal_form(url, options), found),
    }
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(15):
        for name, (call, texts) in contenders.items():
            best[name] = min(best[name], seconds_per_call(call, texts))
    for name, seconds in best.items():
        print(f"{name:44} {1 / seconds:12,.0f} a second {seconds * 1e9:8,.0f} ns")


def seconds_per_call(call: Callable[[str], object], texts: list[str], repeats: int = 30) -> float:
    start = time.process_time()
    for _ in range(repeats):
        for text in texts:
            call(text)
    return (time.process_time() - start) / (repeats * len(texts))


if __name__ == "__main__":
    sys.exit(main())
