"""The views of the web page over a crawl of 10,000 pages: the milliseconds that each takes, over HTTP on loopback.

    python -m benchmarks.web_page [PAGES] [REPEATS]

The site is made up: each page has 30 links, a list of words, a table of fields and now and then a twin. It is crawled
with two fields and for a topic, so that tables, records, stories and the graph have something to show. Each view is
asked for again and again, all of them in turn.

Exit status: 0 every view takes under 300 ms in the middle; 1 one does not.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from urllib.parse import quote

from benchmarks.cache import ROOT
from dowse.app import start
from dowse.config import make_job
from tests.web_pages import web_page

PAGES, REPEATS, MOST = 10_000, 7, 300.0
LINKS, WORDS = 30, 120
VOCABULARY = ("energy", "water", "river", "price", "forest", "market", "school", "bridge", "harbour", "letter", "song")


class _Made(BaseHTTPRequestHandler):
    """Answers with pages that are the same every time they are asked for."""

    protocol_version = "HTTP/1.1"
    pages = PAGES

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        body = made_page(path, self.pages).encode()
        is_there = bool(body)
        self.send_response(200 if is_there else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        pass


def made_page(path: str, pages: int) -> str:
    """A page by its path: /part-3/1234.html; "" if there is none. Every tenth is the twin of the one before."""
    name = path.rpartition("/")[2].removesuffix(".html") or "0"
    if not name.isdigit() or int(name) % 50 == 49:
        return ""
    number = int(name) - (int(name) % 10 == 9)
    chance = random.Random(number)
    links = [f'<a href="{path_of(2 * number + 1 + extra, pages)}">next {extra}</a>' for extra in range(2)]
    links += [f'<a href="{path_of(chance.randrange(pages), pages)}">see {chance.choice(VOCABULARY)}</a>'
              for _ in range(LINKS - 2)]  # fmt: skip
    words = " ".join(chance.choice(VOCABULARY) for _ in range(WORDS))
    price = f"<p class=price>{chance.randrange(1000)}</p>" if number % 3 else ""
    head = f"<html><head><title>Page {number}</title></head><body><h1>Page {number}</h1>"
    return f"{head}{price}<p>{words}</p>{' '.join(links)}"


def path_of(number: int, pages: int) -> str:
    number %= pages
    return f"/part-{number % 7}/{number}.html"


def crawled(pages: int) -> Path:
    """The folder with the two crawls, which are made if they are not there."""
    folder = ROOT / "web_page" / str(pages)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Sized", (_Made,), {"pages": pages}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seed = f"http://127.0.0.1:{server.server_port}/part-0/0.html"
    plain = {"delay": 0.0, "per_host": 32, "robots": "ignore", "sitemaps": False, "max_pages": pages}
    jobs = {
        "whole": make_job("site", seed, output=str(folder / "whole"), dedup="near",
                          extract=["name=//h1", "price=css:.price"], **plain),
        "topic": make_job("focus", seed, output=str(folder / "topic"), topic="river, bridge", patience=0, **plain),
    }  # fmt: skip
    for name, job in jobs.items():
        if not (folder / name / "crawl.db").exists():
            start(job)
    server.shutdown()
    return folder


def views(crawls: dict[str, str], seed: str) -> dict[str, str]:
    """Every view by its name."""
    whole, topic = crawls["whole"], crawls["topic"]
    url = quote(seed.replace("/part-0/0.html", "/part-2/1234.html"), safe="")
    return {
        "crawls": "/",
        "overview": f"/crawls/{whole}",
        "live part": f"/crawls/{whole}/live",
        "overview, topic": f"/crawls/{topic}",
        "pages": f"/crawls/{whole}/tables/pages",
        "pages, sorted": f"/crawls/{whole}/tables/pages?sort=title&descending=true",
        "pages, last": f"/crawls/{whole}/tables/pages?offset=9500",
        "pages, filtered": f"/crawls/{whole}/tables/pages?words=page+12",
        "ledger": f"/crawls/{whole}/tables/ledger?sort=state",
        "links": f"/crawls/{whole}/tables/links",
        "matched": f"/crawls/{topic}/tables/matched",
        "records": f"/crawls/{whole}/tables/records",
        "story": f"/crawls/{whole}/story?url={url}",
        "graph": f"/crawls/{whole}/graph",
        "graph, topic": f"/crawls/{topic}/graph",
        "copies": f"/crawls/{whole}/copies",
        "changes": f"/crawls/{whole}/changes",
        "downloads": f"/crawls/{whole}/downloads",
        "schedule": f"/crawls/{whole}/schedule",
        "search": f"/crawls/{whole}/search?q=river+bridge",
        "new crawl": "/new",
    }


def main(arguments: list[str]) -> int:
    pages = int(arguments[0]) if arguments else PAGES
    repeats = int(arguments[1]) if len(arguments) > 1 else REPEATS
    folder = crawled(pages)
    times: dict[str, list[float]] = {}
    with web_page(folder) as served, served.browser() as client:
        lines = client.get("/api/crawls").json()["crawls"]
        crawls = {line["name"]: line["id"] for line in lines}
        asked = views(crawls, lines[0]["seeds"][0])
        api = f"/api/crawls/{crawls['whole']}/search?q=river"
        while client.get(api).json()["indexing"]:  # the first search makes the index
            time.sleep(1)
        for _ in range(repeats):
            for name, path in asked.items():
                began = time.perf_counter()
                answer = client.get(path)
                times.setdefault(name, []).append((time.perf_counter() - began) * 1000)
                assert answer.status_code == 200, (path, answer.text[:300])
    for name, taken in times.items():
        print(f"{name:20} {median(taken):7.0f} ms, at most {max(taken):7.0f}")
    return 1 if any(median(taken) > MOST for taken in times.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
