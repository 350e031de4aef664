"""Scrapy tuned by hand: lxml alone, uvloop, its own set of seen URLs, 128 requests at once, everything optional off."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urldefrag, urljoin

import lxml.html
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

SETTINGS: dict[str, Any] = {
    "LOG_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": 128,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 128,
    "DOWNLOAD_DELAY": 0,
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "AUTOTHROTTLE_ENABLED": False,
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
}


class Spider(scrapy.Spider):
    """Follows every link of the site, each once; no filter of Scrapy's own, which costs a fingerprint a link."""

    name = "spider"
    address = ""
    pages = 0

    async def start(self) -> AsyncIterator[scrapy.Request]:
        self._seen = {self.address}
        self._origin = urljoin(self.address, "/")
        yield scrapy.Request(self.address, dont_filter=True)

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        if b"text/html" not in (response.headers.get("Content-Type") or b""):
            return
        Spider.pages += 1
        for href in lxml.html.fromstring(response.body).xpath("//a/@href"):
            try:
                target = urldefrag(urljoin(response.url, href))[0]
            except ValueError:
                continue
            if target.startswith(self._origin) and target not in self._seen:
                self._seen.add(target)
                yield scrapy.Request(target, dont_filter=True)


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(Spider, address=sys.argv[1])
    process.start()
    print(Spider.pages)
