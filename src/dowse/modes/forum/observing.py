"""What tells, beside its looks, what a page of a forum is: its posts, who wrote them, and what it may be a list of."""

from __future__ import annotations

from dowse.modes.forum.form_types import Observation
from dowse.modes.forum.page_evidence import Evidence, FoundGroup
from dowse.modes.forum.site_patterns import Patterns

LONG, SHORT = 60, 25
"""Characters of a post from which it is no row of a list, and those of one on a page that looks like a thread."""

_LOOKS = 0.5

LEADS = 0.3
"""How much a group of links must look like titles to say that its page is a list."""

MOST_AUTHORS = 40
MOST_LEADS = 20
_SEVERAL = 2


def observed(url: str, place: str, told: Evidence, patterns: Patterns) -> Observation:
    """What a page says about the form of its URL."""
    posts = told.thread.posts if told.thread is not None else ()
    least = SHORT if told.shares[1] >= _LOOKS else LONG
    long = [post for post in posts if post.time and len(post.text) >= least]
    leads = [(group.links[0].url, len(group.links)) for group in told.groups if group.prior >= LEADS and group.blocks]
    is_like_a_thread = told.shares[1] >= told.shares[0]
    authors = [post.author.url.partition("#")[0] for post in long] if is_like_a_thread else []
    links = {link.url for group in told.groups for link in group.links}
    news = sum(not patterns.is_page(link) and patterns.is_wanted(patterns.forms.form(link)) for link in links)
    return Observation(url, place, *told.shares, len(long), authors[:MOST_AUTHORS], leads[:MOST_LEADS], news)


def may_list(told: Evidence) -> tuple[list[FoundGroup], list[FoundGroup]]:
    """The groups of what seems to be a thread that it would list if it were none, those in its blocks; and others.
    Links to its authors and posts are in neither."""
    posts = told.thread.posts if told.thread is not None else ()
    own = {url.partition("#")[0] for post in posts for url in (post.author.url, post.permalink) if url}
    strange = [group for group in told.groups if 2 * sum(link.url in own for link in group.links) < len(group.links)]
    listed = [group for group in strange if group.blocks and len(group.links) >= _SEVERAL]
    return listed, [group for group in strange if group not in listed]
