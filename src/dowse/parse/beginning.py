"""The beginning of a page's text, for those who need to know what it is about and not how it looks.

`Page.text` lays the whole page out, tables and all, which takes as long as to parse it. What is here is cut off after
so many characters, and comes in pieces as the markup has them.
"""

from __future__ import annotations

from itertools import islice

from dowse.parse.page import Page

_AT_ONCE = 64
_UNSEEN = ("script", "style", "template")


def first_strings(page: Page, most: int) -> list[str]:
    """The strings between the tags of a page, without white space around them, up to that many characters or a few
    more."""
    if not page.is_html:
        return [page.source[:most]]
    body = page.tree.find("body")
    if body is None:
        return []
    unseen = {string for tag in _UNSEEN for element in page.tree.find_all(tag) for string in element.stripped_strings}
    strings = iter(body.stripped_strings)
    found: list[str] = []
    length = 0
    while length < most and (some := list(islice(strings, _AT_ONCE))):
        seen = [string for string in some if string not in unseen] if unseen else some
        found += seen
        length += sum(map(len, seen))
    return found
