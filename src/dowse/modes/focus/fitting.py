"""The pages that fit a topic best, judged one by one by its keywords: labels for want of better ones."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from dowse.core.model import Task
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_strategy
from dowse.modes.focus.scoring import matched_from
from dowse.parse.page import Page


def fitting(options: FocusOptions, pages: Iterable[tuple[str, Page]]) -> set[str]:
    plain = replace(options, by="keywords", score="auto", match="auto")
    strategy = build_strategy(plain)
    judged = [(url, strategy.judge(page, Task(0, page.response.request, "")).relevance) for url, page in pages]
    return {url for url, relevance in judged if relevance >= matched_from(plain)}
