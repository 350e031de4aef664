"""Scrapy tuned by hand on the blog: title and post of every content page into a file.

python -m benchmarks.rivals.scrapy_blog URL FILE CONNECTIONS
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import lxml.html
import scrapy
from lxml import etree
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

from benchmarks.rivals.scrapy_spider import SETTINGS

CONTENT = re.compile(r"/\d{4}/\d{2}/")
LINKS = etree.XPath("//a/@href")
TITLE = etree.XPath("//h1[@class='post-title entry-title']//text()[not(parent::span)]")
POST = etree.XPath("//*[@class='post-body entry-content']//text()[not(parent::script)]")


class Spider(scrapy.Spider):
    """One tree a page, compiled XPaths, no filter and no pipeline of Scrapy's own."""

    name = "blog"
    address = ""
    rows: list[dict[str, str]]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        self._seen = {self.address}
        yield scrapy.Request(self.address, dont_filter=True)

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        tree = lxml.html.fromstring(response.body)
        if CONTENT.search(response.url):
            self.rows.append({"url": response.url, "title": " ".join(TITLE(tree)), "post": " ".join(POST(tree))})
        for href in LINKS(tree):
            target = urldefrag(urljoin(response.url, href))[0]
            if target.startswith(self.address) and target not in self._seen:
                self._seen.add(target)
                yield scrapy.Request(target, dont_filter=True)


def main(address: str, file: str, connections: str) -> None:
    at_once = {"CONCURRENT_REQUESTS": int(connections), "CONCURRENT_REQUESTS_PER_DOMAIN": int(connections)}
    process = CrawlerProcess(SETTINGS | at_once)
    rows: list[dict[str, str]] = []
    process.crawl(Spider, address=address, rows=rows)
    process.start()
    Path(file).write_text("\n".join(map(json.dumps, rows)))


if __name__ == "__main__":
    main(*sys.argv[1:])
