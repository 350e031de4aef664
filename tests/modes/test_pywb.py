"""Seeds from a real pywb: a crawl is exported, indexed by pywb, and asked for by the CDX API.

pywb needs a hundred megabytes, so it is no part of what the tests need: name the folder of its commands
(`DOWSE_PYWB=/path/to/environment/bin`), or these are skipped. The forms in which it and others answer are in
test_seed_sources.py.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from dowse.config import make_job
from tests.crawling import crawl, links, opened, paths
from tests.servers import Reply, Site

COMMANDS = Path(os.environ.get("DOWSE_PYWB", "/nowhere"))

pytestmark = pytest.mark.skipif(not (COMMANDS / "wayback").exists(), reason="DOWSE_PYWB names no pywb")


@contextmanager
def archive_of(folder: Path, warc: Path) -> Iterator[str]:
    """A pywb with one collection; the answer is the address of its CDX server."""
    folder.mkdir()
    for act in (("init", "web"), ("add", "web", str(warc))):
        subprocess.run([COMMANDS / "wb-manager", *act], cwd=folder, check=True, capture_output=True, timeout=60)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [str(COMMANDS / "wayback"), "-p", str(port), "-b", "127.0.0.1"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}/")
            yield f"http://127.0.0.1:{port}/web/cdx"
        finally:
            server.terminate()
            server.wait(20)


def _wait_for(url: str) -> None:
    for _ in range(200):
        with suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.1)
    raise RuntimeError("pywb did not start")


def test_seeds_from_a_collection_of_pywb(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/a/b?y=2&x=1", "/gone", "/x.txt"), "/a": "a", "/a/b": "b"})
    site.pages["/x.txt"] = Reply("a text", headers={"Content-Type": "text/plain"})
    crawl(tmp_path / "one", site.url, store_errors=True)
    opened(tmp_path / "one").export("bodies", tmp_path / "all.warc.gz")
    with archive_of(tmp_path / "pywb", tmp_path / "all.warc.gz") as cdx:
        place = site.url.removeprefix("http://")
        pages = make_job("site", (), seeds_from=f"cdx:{cdx}?url={place}*").seeds
        assert sorted(pages) == [site.url, f"{site.url}a", f"{site.url}a/b?y=2&x=1"]
        below = make_job("site", (), seeds_from=f"cdx:{cdx}?url={place}a&matchType=prefix&limit=1").seeds
        assert below == (f"{site.url}a",)
        texts = make_job("site", (), seeds_from=f"cdx:{cdx}?url={place}*&filter==mime:text/plain").seeds
        assert texts == (f"{site.url}x.txt",)
        site.pages["/a"] = "a, as it is now"
        found = crawl(tmp_path / "two", seeds_from=f"cdx:{cdx}?url={place}a*", depth=0)
        assert sorted(paths(found)) == ["/a", "/a/b?y=2&x=1"]
        assert site.paths()[-2:].count("/a") == 1, "the pages are fetched from their own server"
