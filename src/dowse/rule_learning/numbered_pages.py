"""Lists that go on: links such as `2`, `3` and `next`, and the rule that follows them.

?page=2  ?page=3       ->   \\?(.*&)?page=\\d+
/page/2/               ->   /page/\\d+/$
/list-2.html           ->   /list-\\d+\\.html$
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dowse.core.url_patterns import Address, escaped
from dowse.rule_learning.evaluation import reach_of
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.rule_candidates import Row, Step
from dowse.rule_learning.seen_pages import NO_SCOPE

_NUMBER = re.compile(r"[0-9]+")
_PAGE = re.compile(r"(?:page|pg|seite|pagina|start|offset|[^a-z]p)[^a-z]{0,3}\\d", re.IGNORECASE)


def with_further_pages(explored: Explored, rows: Sequence[Row], examples: int) -> Sequence[Row]:
    """The rows, with one more for each list that goes on: from its page to the next, which is of the same type."""
    added = []
    reach = reach_of(explored, rows)
    for kind in sorted({row.from_type for row in rows if row.keeps}):
        known = [row.step for row in rows if row.from_type == row.to_type == kind]
        forms = (paging(explored.paging(page)) for page in sorted(reach.of_type(kind)))
        pattern = next(filter(None, forms), "")
        if pattern and not known and not explored.matched(pattern, examples):
            added.append(Row(kind, kind, Step(pattern, NO_SCOPE)))
    return [*rows, *added] if added else rows


def paging(urls: Sequence[str]) -> str:
    """A pattern of URLs that differ in one number; "" if there is no such number.

    >>> paging(["http://a.org/news?sort=new&page=2", "http://a.org/news?sort=new&page=3"])
    '/news\\\\?(.*&)?page=\\\\d+'
    >>> paging(["http://a.org/news/page/2/"]), paging(["http://a.org/list-2.html", "http://a.org/list-3.html"])
    ('/page/\\\\d+/$', '/list-\\\\d+\\\\.html$')
    >>> paging(["http://a.org/urllib2.html"])  # one number may be part of any name
    ''
    """
    forms = Counter(form for url in dict.fromkeys(urls) if (form := _form(Address.parse(url))))
    named = [form for form, count in forms.most_common() if count > 1 or _PAGE.search(form)]
    return named[0] if named else ""


def _form(address: Address) -> str:
    """A URL with its last number as digits: that of the query, or else of the path."""
    parameters = [text.partition("=") for text in address.query.split("&")]
    counted = [name for name, _, value in parameters if _NUMBER.fullmatch(value)]
    segments = list(address.segments)
    if counted:
        return rf"/{escaped(segments[-1])}\?(.*&)?{escaped(counted[-1])}=\d+"
    if address.query:
        return ""
    place = next((place for place in range(len(segments) - 1, -1, -1) if _NUMBER.search(segments[place])), -1)
    if place < len(segments) - 2 or place < 0 or (place == len(segments) - 2 and segments[-1]):
        return ""
    last = list(_NUMBER.finditer(segments[place]))[-1]
    name = escaped(segments[place][: last.start()]) + r"\d+" + escaped(segments[place][last.end() :])
    before = f"{escaped(segments[place - 1])}/" if name == r"\d+" and place and segments[place - 1] else ""
    return f"/{before}{name}{'' if place == len(segments) - 1 else '/'}$"
