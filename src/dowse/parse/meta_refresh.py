"""Where a page sends its reader by itself: `<meta http-equiv=refresh>`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dowse.parse.decode import Attribute

# A number, a separator, and the URL with or without `url=` and quotes.
_CONTENT = re.compile(
    r"""\s*+(?:\d++|(?=\.))[\d.]*+(?:\s*+[;,]\s*+|\s++)(?:url\s*+=\s*+)?+(?:"([^"]*+)|'([^']*+)|(.*+))""",
    re.IGNORECASE | re.DOTALL,
)


def refresh_target(metas: Iterable[Attribute]) -> str:
    """The address in the first meta tag that has one, as it is written; "" if there is none."""
    for meta in metas:
        if (meta("http-equiv") or "").lower() == "refresh":
            match = _CONTENT.match(meta("content") or "")
            if match and (href := match[1] or match[2] or match[3]):
                return href.strip()
    return ""
