"""What servers say of when their pages change, and how much that was worth so far.

    sitemap     the date of the last change in a sitemap (lastmod)
    feed        the same in a feed
    changefreq  how often it changes, in a sitemap
    expires     until when a copy is good: Cache-Control or Expires

Each is a word on one question: did the page change since it was visited last? A visit tells whether that was right, and
for each host it is counted how often each source said so of pages that had changed, and of pages that had not. The
quotient of the two shares is what the next word of that source is worth. A source that says the same of all pages, be
it always "changed" (dates of today, dates to come, the same date everywhere) or always "the same", comes to a quotient
of 1, which is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

DAY = 86_400.0

SITEMAP_DATE, FEED_DATE, CHANGEFREQ, EXPIRES = "sitemap", "feed", "changefreq", "expires"

PERIODS = {
    "always": 0.01 * DAY,
    "hourly": DAY / 24,
    "daily": DAY,
    "weekly": 7 * DAY,
    "monthly": 30 * DAY,
    "yearly": 365 * DAY,
    "never": 3650 * DAY,
}
"""What changefreq says, in seconds between two changes."""

FIRST_WORD = (2.0, 1.0, 1.0, 2.0)
"""Before anything was seen of a source: it was right twice, and wrong once, of pages that changed and of others."""

NO_WORD = (1.5, 1.5, 1.5, 1.5)
"""The same for a source that says one thing of all pages."""

MOST_ODDS = 50.0
FUTURE = DAY
"""A date that is farther ahead than this says nothing."""

_MAX_AGE = re.compile(r"\bmax-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)
_NEVER_FRESH = re.compile(r"\b(?:no-cache|no-store)\b", re.IGNORECASE)


class Said(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What a list says of one of its entries, as it is written there."""

    updated: str = ""
    every: str = ""
    is_feed: bool = False

    def dates(self) -> dict[str, float]:
        """By source: seconds since 1970, or of changefreq between two changes."""
        found = {}
        if (at := date_of(self.updated)) > 0.0:
            found[FEED_DATE if self.is_feed else SITEMAP_DATE] = at
        if period := PERIODS.get(self.every.strip().lower()):
            found[CHANGEFREQ] = period
        return found


def date_of(text: str) -> float:
    """A date as lists and headers write it, in seconds since 1970; 0 if it is none.

    >>> date_of("1970-01-02"), date_of("Thu, 01 Jan 1970 00:01:00 GMT"), date_of("yesterday")
    (86400.0, 60.0, 0.0)
    """
    text = text.strip()
    if not text:
        return 0.0
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
    return 0.0


def fresh_until(headers: Mapping[str, str], at: float) -> float:
    """Until when an answer that came now says to be good; 0 if it does not say. It says `at` if it is never good.

    >>> fresh_until({"cache-control": "public, max-age=60"}, 1000.0), fresh_until({}, 1000.0)
    (1060.0, 0.0)
    """
    control = headers.get("cache-control", "")
    if control and (age := _MAX_AGE.search(control)):
        return at + int(age[1])
    if control and _NEVER_FRESH.search(control):
        return at
    expires = headers.get("expires", "")
    return (date_of(expires) or at) if expires else 0.0


def odds(counts: Sequence[float], said: bool) -> float:
    """How much more often a source says this of pages that changed than of others. `counts`: of pages that changed
    those it said so of and the rest, of pages that did not the same.

    >>> odds((8.0, 2.0, 2.0, 8.0), True), odds((5.0, 5.0, 5.0, 5.0), False)
    (4.0, 1.0)
    """
    right = counts[0] / (counts[0] + counts[1])
    wrong = counts[2] / (counts[2] + counts[3])
    return right / wrong if said else (1.0 - right) / (1.0 - wrong)
