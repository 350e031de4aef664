"""A classification-based crawler for the video site: dowse's engine and browser with a strategy that goes by topic.

python -m benchmarks.rivals.video_topic URL FOLDER

A page is about the topic if its heading is; its links are saved, and those that are about the topic by their text or
address are followed. Menus count for nothing, so pages of help, terms and log-ins are left out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import ClassVar

from dowse import app
from dowse.config import make_job
from dowse.core.model import Task
from dowse.engine.verdict import Verdict
from dowse.modes.site import strategy as site_strategy
from dowse.modes.site.options import SiteOptions
from dowse.parse.page import Page

TOPIC = re.compile("video|watch|channel|recommended|popular", re.IGNORECASE)


class TopicStrategy:
    """Breadth first over what is about the topic."""

    reads = "tree"

    saved: ClassVar[set[str]] = set()

    def __init__(self, _: SiteOptions) -> None:
        pass

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        heading = " ".join(element.text for element in page.tree.select("h1")[:1])
        if task.depth and not TOPIC.search(heading):
            return Verdict(0.0, [])
        self.saved.update(link.url for link in page.links)
        priority = self.priority(task.depth + 1)
        chosen = [link for link in page.links if TOPIC.search(link.text) or TOPIC.search(link.url)]
        return Verdict(1.0, [(link, priority, "") for link in chosen])


def main(url: str, folder: str) -> None:
    site_strategy.SiteStrategy = TopicStrategy  # type: ignore[misc, assignment]
    options = {"delay": 0.0, "per_host": 8, "tabs": 8, "fetch": "browser"}
    app.start(make_job("site", (url,), output=folder, **options))
    Path(folder, "saved.txt").write_text("\n".join(sorted(TopicStrategy.saved)))


if __name__ == "__main__":
    main(*sys.argv[1:])
