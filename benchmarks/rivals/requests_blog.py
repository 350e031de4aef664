"""The loop that people write themselves, on the blog: requests with a session a thread, parsel, a set and a queue.

python -m benchmarks.rivals.requests_blog URL FILE CONNECTIONS
"""

from __future__ import annotations

import json
import re
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import urldefrag, urljoin

import requests
from parsel import Selector

CONTENT = re.compile(r"/\d{4}/\d{2}/")
LINKS = "//a/@href"
TITLE = "//h1[@class='post-title entry-title']//text()[not(parent::span)]"
POST = "//*[@class='post-body entry-content']//text()[not(parent::script)]"

Row = dict[str, str]
_thread = threading.local()


def read(url: str) -> tuple[list[str], Row | None]:
    """Fetch one page: its links, and its row if it is a content page."""
    if not hasattr(_thread, "session"):
        _thread.session = requests.Session()  # keeps its connection open
        _thread.session.trust_env = False  # saves looking for a proxy and a password at every request
    page = Selector(text=_thread.session.get(url).text)
    row = None
    if CONTENT.search(url):
        row = {"url": url, "title": " ".join(page.xpath(TITLE).getall()), "post": " ".join(page.xpath(POST).getall())}
    return [urldefrag(urljoin(url, href))[0] for href in page.xpath(LINKS).getall()], row


def crawl(start: str, connections: int) -> list[Row]:
    """All rows of the site; a thread for each connection."""
    waiting: SimpleQueue[str] = SimpleQueue()
    read_pages: SimpleQueue[tuple[list[str], Row | None]] = SimpleQueue()

    def work() -> None:
        while url := waiting.get():
            read_pages.put(read(url))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(connections)]
    for thread in threads:
        thread.start()
    rows: list[Row] = []
    seen, under_way = {start}, 1
    waiting.put(start)
    while under_way:
        links, row = read_pages.get()
        rows += [row] if row else []
        new = {link for link in links if link.startswith(start)} - seen
        seen |= new
        under_way += len(new) - 1
        for link in new:
            waiting.put(link)
    return rows


if __name__ == "__main__":
    address, file, number = sys.argv[1:]
    Path(file).write_text("\n".join(map(json.dumps, crawl(address, int(number)))))
