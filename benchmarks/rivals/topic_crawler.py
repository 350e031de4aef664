"""A classification-based crawler: goes where the words of a topic are. dowse's engine, with another strategy.

python -m benchmarks.rivals.topic_crawler URL FOLDER SCOPE DEPTH WORD...

A link is taken if a word of the topic is in its text or its address. On a page that is about the topic (a word in its
title or first heading, or three in its text) documents are taken as well, whatever they are called. Where no link of
the start page fits, all are followed. Rejected: all links of a page about the topic, as focused crawlers have it in
textbooks; that cost this one 1,008 pages instead of 298 on the consultation site and 1,541 instead of 110 on the
kernel's manual, and gained it no wanted link.
"""

from __future__ import annotations

import re
import sys

from dowse import app
from dowse.config import make_job
from dowse.core.model import Task
from dowse.engine.verdict import Verdict
from dowse.modes.site import strategy as site_strategy
from dowse.modes.site.options import SiteOptions
from dowse.parse.links import Link
from dowse.parse.page import Page

ENOUGH = 3
DOCUMENT = re.compile(r"\.pdf$", re.IGNORECASE)


class TopicStrategy:
    """Breadth first over what is about the topic."""

    reads = "tree"

    words = re.compile("")

    def __init__(self, _: SiteOptions) -> None:
        pass

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        about = self._is_about(page)
        chosen = [link for link in page.links if self._fits(link) or (about and DOCUMENT.search(link.url))]
        if not chosen and not task.depth:
            chosen = page.links
        priority = self.priority(task.depth + 1)
        return Verdict(float(about), [(link, priority, "") for link in chosen])

    def _fits(self, link: Link) -> bool:
        return bool(self.words.search(link.text) or self.words.search(link.url))

    def _is_about(self, page: Page) -> bool:
        heading = " ".join(element.text for element in page.tree.select("h1")[:1])
        return bool(self.words.search(f"{page.title} {heading}")) or len(self.words.findall(page.text)) >= ENOUGH


def main(url: str, folder: str, scope: str, depth: str, *words: str) -> None:
    TopicStrategy.words = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    site_strategy.SiteStrategy = TopicStrategy  # type: ignore[misc, assignment]
    options = {"delay": 0.0, "per_host": 64, "retries": 0, "scope": scope, "allow_private": True, "depth": int(depth)}
    app.start(make_job("site", (url,), output=folder, **options))


if __name__ == "__main__":
    main(*sys.argv[1:])
