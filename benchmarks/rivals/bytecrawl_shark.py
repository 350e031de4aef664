"""ByteCrawl's Shark-Search with its own numbers, without any delay.

python bytecrawl_shark.py PROXY SEED DOMAIN BUDGET WORD...

The proxy is in the environment, where requests looks for it. Its limit counts failures as pages, so it is ended from
outside.
"""

from __future__ import annotations

import os
import sys

from bytecrawl import SharkSearch

PATIENT = 100
"""Times the budget: far more than a run can ask for."""

if __name__ == "__main__":
    proxy, seed, _domain, budget, *words = sys.argv[1:]
    os.environ["http_proxy"] = os.environ["https_proxy"] = proxy
    SharkSearch(query=" ".join(words), delay=0).crawl(seed, max_pages=PATIENT * int(budget))
