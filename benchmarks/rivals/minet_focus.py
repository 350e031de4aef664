"""minet's focused spider: follows the links of pages that have a word of the topic, without any delay.

python minet_focus.py PROXY SEED DOMAIN BUDGET WORD...

It has no limit of pages, so it is ended from outside.
"""

from __future__ import annotations

import re
import sys

from minet.crawl import Crawler
from minet.crawl.focus import FocusSpider


def crawl(proxy: str, seed: str, domain: str, words: list[str]) -> None:
    spider = FocusSpider(
        start_urls=[seed],
        regex_content=rf"\b(?:{'|'.join(map(re.escape, words))})\b",
        regex_url=rf"^https?://(?:[^/]+\.)?{re.escape(domain)}(?:[:/]|$)",
    )
    with Crawler(spider, proxy=proxy, throttle=0, visit_urls_only_once=True) as crawler:
        for _ in crawler:
            pass


if __name__ == "__main__":
    proxy, seed, domain, _budget, *words = sys.argv[1:]
    crawl(proxy, seed, domain, words)
