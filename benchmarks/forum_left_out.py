"""Each forum software in turn is left out of training, and its saved pages are crawled by what the others taught.

    DOWSE_FORUMS=/path/to/saved python -m benchmarks.forum_left_out [--starts N] [NAME ...]

`python -m benchmarks.forum_software.saving` saves forums. Their pages are served again under the addresses that they
were saved from, so a crawl of a forum takes seconds. What nobody saved is answered with 404.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.cache import Unavailable
from benchmarks.forum import random_pages, same
from benchmarks.forum_measures import fetched, posts
from benchmarks.forum_training import fit as fitted
from benchmarks.forum_training import link_rows, page_rows, trained, training_forums
from dowse import app
from dowse.classify import page_types
from dowse.classify.link_groups import FEATURES as LINK_FEATURES
from dowse.classify.page_types import ForumModels, Logit, PageTypes
from dowse.config import make_job
from dowse.core.urls import Base
from dowse.crawl import Crawl

GLANCE = 60
"""Pages after which the entry page has to be known."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forum_left_out", description=__doc__)
    parser.add_argument("names", nargs="*", help="software; all without")
    parser.add_argument("--starts", type=int, default=10, help="random pages to look for the entry page from")
    arguments = parser.parse_args()
    try:
        models = left_out_models(arguments.names)
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    print(f"{'software':12} pages effective coverage duplicates entry posts")
    for name, model in models.items():
        folder = Path(os.environ["DOWSE_FORUMS"]) / name
        print(f"{name:12} {measured(folder, model, arguments.starts)}", flush=True)
    return 0


def left_out_models(names: Sequence[str]) -> dict[str, ForumModels]:
    """For each software, the models that all others make."""
    forums = training_forums()
    links = [link_rows(forum) for forum in forums]
    wanted = [each.software for each in forums if each.software in names or not names]
    found = {}
    for name in [each for each in wanted if (Path(os.environ["DOWSE_FORUMS"]) / each / "truth.json").exists()]:
        others = [number for number, forum in enumerate(forums) if forum.software != name]
        of_links = Logit(fitted([links[number] for number in others], LINK_FEATURES))
        pages = [page_rows(forums[number], of_links) for number in others]
        found[name] = trained(pages, [links[number] for number in others])
    return found


def measured(folder: Path, models: ForumModels, starts: int) -> str:
    """One line: how a crawl from a random page went, and from how many the entry page was found."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    page_types.shipped_types = lambda: PageTypes(models)  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as place, replayed(folder, truth):
        urls = random_pages(truth, max(1, starts))
        crawl = crawled(Path(place) / "crawl", urls[0])
        visited = [row["final_url"] or row["url"] for row in crawl.frame("ledger") if row["status"]]
        pages, read = fetched(visited, truth), posts(crawl.frame("posts"), truth)
        found = 0
        for number, url in enumerate(urls[:starts]):
            told = crawled(Path(place) / str(number), url, max_pages=GLANCE).results().facts
            found += same(str(told["entry"]), str(truth["entry"]))
    return (
        f"{pages.pages:5} {pages.effectiveness:9.1%} {pages.coverage:8.1%} {pages.duplicates:10.1%}"
        f" {found:2}/{starts} {read.right / read.all:.1%}"
    )


def crawled(place: Path, url: str, **options: Any) -> Crawl:
    """A crawl in this process, so that it is given the models that are asked for."""
    limits = {"max_pages": 4000, "delay": 0.0, "retries": 0, "library": False, "robots": "ignore", "workers": 1}
    app.start(make_job("forum", [url], output=str(place), **{**limits, **options}))
    return Crawl(place)


@contextmanager
def replayed(folder: Path, truth: dict[str, Any]) -> Iterator[None]:
    """Serve the saved pages of a forum under the addresses that they were saved from."""
    answers: dict[str, tuple[int, str, str, bytes]] = {}
    with (folder / "pages.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                page = json.loads(line)
                body = page["html"].encode("utf-8", "replace")
                url = Base(page["url"]).join(page["url"]) or page["url"]
                moved = page["final"] if page["final"] != page["url"] else ""
                answers[_target(url)] = (page["status"], page["content_type"], moved, body)

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, kind, moved, body = answers.get(self.path, (404, "text/plain", "", b"not saved"))
            body = b"" if moved else body
            self.send_response(302 if moved else status)
            if moved:
                self.send_header("Location", moved)
            self.send_header("Content-Type", kind.partition(";")[0] + "; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", urlsplit(str(truth["entry"])).port or 80), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


if __name__ == "__main__":
    sys.exit(main())
