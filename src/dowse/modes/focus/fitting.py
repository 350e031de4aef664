"""The pages that fit a topic best, judged one by one by its keywords: labels for want of better ones."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from dowse.core.model import Task
from dowse.core.saturation import find_threshold
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_strategy
from dowse.parse.page import Page


def fitting(options: FocusOptions, pages: Iterable[tuple[str, Page]]) -> set[str]:
    strategy = build_strategy(replace(options, by="keywords"))
    judged = [(url, strategy.judge(page, Task(0, page.response.request, "")).relevance) for url, page in pages]
    threshold = find_threshold([relevance for _, relevance in judged])
    return {url for url, relevance in judged if relevance >= threshold}
