"""What the pages of a site have in common, so that it is not taken for what one of them says.

Learned from some of its pages, by the same counting that keeps templates out of the near-duplicate test
(core/duplicates/repeated_blocks.py).
"""

from __future__ import annotations

from collections.abc import Callable

from turbohtml import Element

from dowse.core.duplicates.fingerprint import checksum
from dowse.core.duplicates.repeated_blocks import RepeatedBlocks
from dowse.core.urls import host_of
from dowse.parse.blocks import find_passages
from dowse.parse.page import Page

LONGEST_BLOCK = 20_000
"""Characters of a part that is compared; the content of a page may be longer, what all pages have is not."""


class SiteBlocks:
    """The blocks of text that hosts repeat."""

    def __init__(self) -> None:
        self._blocks = RepeatedBlocks()
        self._pages = 0

    def learn(self, page: Page) -> None:
        """Count the blocks of one more page."""
        self._pages += 1
        self._blocks.count(_number(page.url), find_passages(page.text), self._pages)

    def of(self, url: str) -> Callable[[Element], bool]:
        """Tells of a part of a page whether all of it is on other pages of the host."""
        host = _number(url)

        def is_repeated(part: Element) -> bool:
            text = part.to_text()
            if not text.strip() or len(text) > LONGEST_BLOCK:
                return False
            passages = find_passages(text)
            return bool(self._blocks.among(host, passages)[1:].all())

        return is_repeated


def _number(url: str) -> int:
    return checksum(host_of(url).encode()) & 0x7FFFFFFF
