"""Which option a message is about: it begins with the key."""

from __future__ import annotations

import re

_KEY = re.compile(r"([a-z][a-z_]{0,40})(?:(?:, | and )[a-z_]{1,40})*(?:: | belong together| is no key )")


def key_of(message: str) -> str:
    """The first key that a message names; "" if it names none.

    >>> key_of("depth: must be at least -1"), key_of("every and cron: only one of them can be had"), key_of("so what")
    ('depth', 'every', '')
    """
    found = _KEY.match(message)
    return found[1] if found else ""
