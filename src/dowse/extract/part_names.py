"""What people call the parts of a page that are no content, in the names (class, id) of elements.

Names are cut into words at - and _ and at capital letters: `postShareButtons`, `site-footer`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from turbohtml import Element

ELSEWHERE = frozenset(
    {
        # ways around the site
        "nav", "navbar", "navigation", "navheader", "docnav", "navbox", "navlinks", "menu", "mainmenu", "submenu",
        "topnav", "subnav", "breadcrumb", "breadcrumbs", "crumbs", "topbar", "pagination", "paging", "pager", "skip",
        "skiplink", "prevnext", "toolbar",
        # about the site
        "footer", "printfooter", "navfooter", "banner", "masthead", "cookie", "cookies", "consent", "copyright",
        "impressum", "disclaimer",
        # for something else than reading
        "share", "sharing", "sharedaddy", "addthis", "shariff", "social", "advert", "advertisement", "adsense", "promo",
        "newsletter", "subscribe", "subscription", "searchbox", "searchform", "popup", "modal", "printfriendly",
        "player", "tagcloud", "byline", "editsection", "noprint",
    }
)  # fmt: skip
"""Parts with a name like this are no content, unless they hold most of what there is to read."""

OTHERS = frozenset(
    {
        "related", "relatedposts", "recommended", "recommendation", "recommendations", "teaser", "teasers", "comments",
        "commentlist", "disqus", "respond", "trackbacks", "pingback", "blogroll", "outbrain", "taboola", "authorbox",
    }
)  # fmt: skip
"""Other pages, and what other people say: no content however much text there is in them."""

BESIDE = frozenset({"sidebar", "sphinxsidebar", "search", "login", "tags", "widget", "column", "ads"})
"""Beside the content these are no part of it; within it they may be boxes or sections."""

WHOLE = frozenset({"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "headerlink", "ads", "ad"})
"""Names that mean something only as a whole: what only screen readers say, marks beside headings, advertisements."""

FOR_ELSEWHERE, OF_OTHERS, STANDS_BESIDE = 1, 2, 4
"""What names say, one bit each."""

_WORDS = re.compile(r"[a-z]+|[A-Z][a-z]*")
_LONGEST_ID = 2
_HEADINGS = "h1,h2,h3,h4,h5,h6"


def said_by_names(element: Element) -> int:
    """What the names of an element say of it. An id that is made of its heading is none: manuals have thousands."""
    classes, name = element.attr("class"), element.attr("id")
    said = _said_by_classes(classes) if classes else 0
    if name and (more := _said_by_id(name)):
        heading = element.select_one(_HEADINGS)
        if heading is None or not _words(name) <= _words(heading.text):
            said |= more
    return said


# A page has thousands of names, and most of them often.


@lru_cache(10_000)
def _said_by_classes(classes: str) -> int:
    names = classes.split()
    said = FOR_ELSEWHERE if any(name in WHOLE for name in names) else 0
    for name in names:
        said |= _said(_words(name))
    return said


@lru_cache(10_000)
def _said_by_id(name: str) -> int:
    words = _words(name)
    return _said(words) if len(words) <= _LONGEST_ID else 0


def _said(words: frozenset[str]) -> int:
    is_elsewhere, is_of_others, is_beside = (not words.isdisjoint(known) for known in (ELSEWHERE, OTHERS, BESIDE))
    return is_elsewhere * FOR_ELSEWHERE + is_of_others * OF_OTHERS + is_beside * STANDS_BESIDE


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORDS.findall(name))
