"""Crawlee's Playwright crawler, tuned by hand: eight pages at once, nothing on disk, no images, fonts or media."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from urllib.parse import urldefrag, urljoin

from crawlee import ConcurrencySettings
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext, PlaywrightPreNavCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

TABS = 8


async def crawl(start: str) -> int:
    crawler = PlaywrightCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(min_concurrency=TABS, max_concurrency=TABS, desired_concurrency=TABS),
        browser_launch_options={
            "executable_path": os.environ.get("BENCHMARK_CHROMIUM"),
            "args": ["--disable-gpu"],
            "chromium_sandbox": False,
        },
        use_session_pool=False,
        max_request_retries=0,
        configure_logging=False,
        fingerprint_generator=None,
    )
    origin = urljoin(start, "/")
    seen, pages = {start}, 0

    @crawler.pre_navigation_hook
    async def block(context: PlaywrightPreNavCrawlingContext) -> None:
        await context.block_requests()

    @crawler.router.default_handler
    async def read(context: PlaywrightCrawlingContext) -> None:
        nonlocal pages
        await context.page.wait_for_selector("#root h1")
        pages += 1
        new = []
        for href in await context.page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)"):
            target = urldefrag(href)[0]
            if target.startswith(origin) and target not in seen:
                seen.add(target)
                new.append(target)
        if new:
            await context.add_requests(new)

    await crawler.run([start])
    return pages


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    print(asyncio.run(crawl(sys.argv[1])))
