"""The tags of headings, by their levels and by the names of their styles, which are the same in all languages."""

from __future__ import annotations

import re

_NAME = re.compile(r"heading (\d)\b", re.IGNORECASE)


def heading_tag(level: int) -> str:
    """The tag of a heading, whatever its level is.

    >>> heading_tag(9)
    'h6'
    """
    return f"h{min(max(level, 1), 6)}"


def styled_tag(name: str) -> str:
    """The tag of paragraphs of a style; "" if it is that of no heading.

    >>> styled_tag("heading 2"), styled_tag("Title"), styled_tag("Normal")
    ('h2', 'h1', '')
    """
    found = _NAME.match(name)
    return heading_tag(int(found[1])) if found else "h1" if name.lower() == "title" else ""
