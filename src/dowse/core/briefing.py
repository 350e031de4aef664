"""The briefing: what a mode read when its crawl began (rules, examples, related words), as named bytes.

It is kept with the crawl and sent to workers by value, so a worker opens no file of the crawl.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

Briefing = Mapping[str, bytes]
"""What a mode read when its crawl began, as named bytes.

>>> briefing: Briefing = {"words": b"fish vessel"}
>>> briefing["words"].split()
[b'fish', b'vessel']
"""

NOTHING: Briefing = {}


class Watch(Protocol):
    """Looks, while a crawl runs, whether what it was briefed with has changed. Asked often, so it must be cheap."""

    def look(self) -> Briefing | None:
        """The new briefing, if there is one since the last look."""
        ...

    def notice(self) -> str:
        """What the user should know of it; "" if nothing."""
        ...

    def close(self) -> None: ...
