"""URLs made up by hypothesis, as pages might write them and as a crawl resolves them."""

from __future__ import annotations

from hypothesis import strategies as st

from dowse.core.urls import resolve

PAGE = "https://example.org/a/b/page.html?q=1#part"

# Text that looks enough like URLs to reach the corners of the parsers.
_PIECES = st.sampled_from(
    [*"/\\?#:@.%;&=+ \t\n\0[]()^~!*'_-|<>aAzZ19", "..", "//", "http:", "https://", "HTTP://", "%2e", "%41", "%7E",
     "%zz", "%c3%a9", "\u00e9", "\u6f22", "\ud800", "\u3002", "xn--", "0x7f", "www.", "example.org", ":80", ":443",
     "?sid=1", "&utm_source=x", ";jsessionid=1", "/(S(a))/", "mailto:", "javascript:", "data:"]
)  # fmt: skip
HREFS = st.one_of(st.text(), st.lists(_PIECES, max_size=12).map("".join))
PATHS = st.lists(_PIECES, max_size=12).map(lambda pieces: resolve("https://www.example.org/a/b", "/" + "".join(pieces)))
SERIALISED = st.one_of(HREFS.map(lambda href: resolve(PAGE, href)), PATHS).filter(lambda url: url is not None)
