"""Crawl4AI for pages about a topic, without a browser: its best-first crawl by keywords, or its adaptive one.

    python crawl4ai_focus.py best-first|adaptive PROXY SEED DOMAIN BUDGET WORD...

best-first    the documented scorer, which looks for the words in URLs; its limit counts files as pages, so it is ended
              from outside
adaptive      as documented but for its limits, which end it after 16 pages; it stops when it is confident
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from crawl4ai import AdaptiveConfig, AdaptiveCrawler, AsyncWebCrawler, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.deep_crawling import BestFirstCrawlingStrategy
from crawl4ai.deep_crawling.scorers import KeywordRelevanceScorer
from crawl4ai.egress_policy import set_egress_proxy

DEEPEST = 10


async def crawl(way: str, proxy: str, seed: str, budget: int, words: list[str]) -> None:
    """Pages are asked for under a name of their own: the adaptive crawl asks for the heads of other pages besides."""
    set_egress_proxy(proxy)
    fetcher = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig(headers={"User-Agent": "crawl4ai-page"}))

    def through_proxy(_: str, request: dict[str, Any]) -> None:
        request["proxy"] = proxy

    fetcher.set_hook("before_request", through_proxy)
    async with AsyncWebCrawler(crawler_strategy=fetcher, verbose=False) as crawler:
        if way == "best-first":
            strategy = BestFirstCrawlingStrategy(max_depth=DEEPEST, url_scorer=KeywordRelevanceScorer(keywords=words))
            await crawler.arun(seed, config=CrawlerRunConfig(deep_crawl_strategy=strategy, verbose=False))
        else:
            config = AdaptiveConfig(max_pages=budget, max_depth=budget)
            await AdaptiveCrawler(crawler, config).digest(seed, query=" ".join(words))


if __name__ == "__main__":
    way, proxy, seed, _domain, budget, *words = sys.argv[1:]
    asyncio.run(crawl(way, proxy, seed, int(budget), words))
