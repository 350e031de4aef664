"""Scrapy with priorities as people write them: the words of the topic in a link's text, its URL and the page's title.

python scrapy_focus.py PROXY SEED DOMAIN BUDGET WORD...

Scrapy's own settings but for a project's: no log, no retries, no telnet. It is ended from outside.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

SETTINGS: dict[str, Any] = {"LOG_ENABLED": False, "RETRY_ENABLED": False, "TELNETCONSOLE_ENABLED": False}
SHARE = {"text": 4, "url": 2, "title": 1}
"""What a word of the topic counts by where it is."""


class Spider(scrapy.Spider):
    """Best first; Scrapy's scheduler takes the highest priority."""

    name = "focus"
    words: list[str]

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        if not isinstance(response, TextResponse):
            return
        title = self._count(" ".join(response.css("title::text").getall()))
        for link in LinkExtractor(allow_domains=self.allowed_domains or []).extract_links(response):
            priority = SHARE["text"] * self._count(link.text) + SHARE["url"] * self._count(link.url)
            yield scrapy.Request(link.url, priority=priority + SHARE["title"] * title)

    def _count(self, text: str) -> int:
        low = text.lower()
        return sum(word in low for word in self.words)


if __name__ == "__main__":
    proxy, seed, domain, _budget, *words = sys.argv[1:]
    os.environ["http_proxy"] = os.environ["https_proxy"] = proxy
    process = CrawlerProcess(SETTINGS)
    process.crawl(Spider, start_urls=[seed], allowed_domains=[domain], words=[word.lower() for word in words])
    process.start()
