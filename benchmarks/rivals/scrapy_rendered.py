"""Scrapy with its Playwright plug-in, tuned by hand: eight pages at once, no images, fonts or media, one context."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urldefrag, urljoin

import lxml.html
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy_playwright.page import PageMethod

TABS = 8
SETTINGS: dict[str, Any] = {
    "LOG_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": TABS,
    "CONCURRENT_REQUESTS_PER_DOMAIN": TABS,
    "DOWNLOAD_DELAY": 0,
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_ENABLED": False,
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
    "DOWNLOAD_HANDLERS": {"http": "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"},
    "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": os.environ.get("BENCHMARK_CHROMIUM"), "args": ["--disable-gpu"]},
    "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": TABS,
    "PLAYWRIGHT_ABORT_REQUEST": lambda request: request.resource_type in ("image", "font", "media"),
}


class Spider(scrapy.Spider):
    """Follows every link of the site, each once."""

    name = "spider"
    address = ""
    pages = 0

    def request(self, url: str) -> scrapy.Request:
        ready = [PageMethod("wait_for_selector", "#root h1")]
        return scrapy.Request(url, dont_filter=True, meta={"playwright": True, "playwright_page_methods": ready})

    async def start(self) -> AsyncIterator[scrapy.Request]:
        self._seen = {self.address}
        self._origin = urljoin(self.address, "/")
        yield self.request(self.address)

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        Spider.pages += 1
        for href in lxml.html.fromstring(response.body).xpath("//a/@href"):
            target = urldefrag(urljoin(response.url, href))[0]
            if target.startswith(self._origin) and target not in self._seen:
                self._seen.add(target)
                yield self.request(target)


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(Spider, address=sys.argv[1])
    process.start()
    print(Spider.pages)
