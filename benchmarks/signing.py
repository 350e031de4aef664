"""What good manners cost: python -m benchmarks.signing

    a signature     one request signed (Web Bot Auth)
    preferences     what is said of the use of a page, from headers and tags: where nothing is said, and where it is
    a line          one Content-Usage value read, beside a library for structured fields
    a crawl         processor time a page of a crawl of 2,000 pages, signed and not, in turns

Each number is the quickest of several rounds, in microseconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import http_sf

from benchmarks.process import measure
from benchmarks.server import Server
from dowse.core.model import Request, Response
from dowse.core.usage import read_usage
from dowse.engine.stated_usage import usage_of
from dowse.fetch.request_signing import RequestSigner
from dowse.fetch.signing_keys import new_key, read_key
from dowse.parse.robots_tag import page_directives

ROUNDS = 20
PAGES = 2_000
TURNS = 5
URL = "https://example.org/a/page"
HEADERS = {"content-type": "text/html", "date": "Mon, 16 Nov 2026 12:00:00 GMT", "server": "any", "etag": '"1"'}
METAS = ({"charset": "utf-8"}, {"name": "viewport", "content": "width=320"}, {"name": "description", "content": "any"})
VALUE = "train-ai=n, search=y"


def quickest(act: Callable[[], object], times: int) -> float:
    """Microseconds of one act."""
    found = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(times):
            act()
        found.append(time.perf_counter() - started)
    return min(found) / times * 1e6


def preferences(headers: dict[str, str], metas: tuple[dict[str, str], ...]) -> Callable[[], object]:
    """All that a page costs: its tags, which are read for nofollow as well, and its headers."""
    response = Response(Request(URL, 1, "example.org"), 200, headers, b"", 0.0, 0.1)
    tags = [meta.get for meta in metas]
    return lambda: usage_of(response, page_directives(tags, headers, "dowse").usage)


def main() -> None:
    key = new_key().decode()
    signer, sign, base = RequestSigner(key, "https://crawler.example.org"), read_key(key).sign, b"x" * 400
    rows = [
        ("a request signed", quickest(lambda: signer.headers(URL), 500)),
        ("  of it Ed25519", quickest(lambda: sign(base), 500)),
        ("preferences of a page that has none", quickest(preferences(HEADERS, METAS), 20_000)),
        ("  of it the robots tags, as without preferences", quickest(tags_alone, 20_000)),
        (
            "preferences of a page with a header and a tag",
            quickest(
                preferences(
                    {**HEADERS, "content-usage": VALUE}, (*METAS, {"name": "robots", "content": "noai, noarchive"})
                ),
                5_000,
            ),
        ),
        ("a Content-Usage value", quickest(lambda: read_usage(VALUE), 5_000)),
        ("  by http-sf", quickest(lambda: http_sf.parse(VALUE.encode(), tltype="dictionary"), 5_000)),
    ]
    with TemporaryDirectory() as home:
        rows += crawls(Path(home), key)
    for what, microseconds in rows:
        print(f"{what:50} {microseconds:8.2f} us")


def crawls(home: Path, key: str) -> list[tuple[str, float]]:
    """A crawl with signatures and one without, several times each."""
    folder = home / "site"
    folder.mkdir()
    for number in range(PAGES):
        links = "".join(f"<p><a href=/{(number * 7 + step) % PAGES}.html>to {step}</a></p>" for step in range(40))
        name = "index.html" if number == 0 else f"{number}.html"
        (folder / name).write_text(f"<!doctype html><title>{number}</title>{links}", encoding="utf-8")
    (home / "key.pem").write_text(key, encoding="ascii")
    signed = ["--sign-key", f"file:{home / 'key.pem'}", "--signature-agent", "https://crawler.example.org"]
    found: dict[str, float] = {}
    with Server(folder, home / "nginx") as server:
        for turn in range(TURNS):
            for what, words in (("a page of a crawl", []), ("  of a crawl that signs", signed)):
                place = ["-o", str(home / f"out{turn}{len(words)}"), "--quiet", "--delay", "0", "--per-host", "16"]
                command = [sys.executable, "-m", "dowse", "site", server.url, *place, *words]
                took = measure(command, home).cpu
                found[what] = min(found.get(what, took), took)
    return [(what, took / PAGES * 1e6) for what, took in found.items()]


def tags_alone() -> object:
    """What was done for every page before there were preferences."""
    tags = [meta.get for meta in METAS]
    return [meta("content") or "" for meta in tags if (meta("name") or "").strip().lower() in ("robots", "dowse")]


if __name__ == "__main__":
    main()
