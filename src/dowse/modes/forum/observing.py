"""What tells, beside its looks, what a page of a forum is: its posts, who wrote them, and what it may be a list of."""

from __future__ import annotations

from msgspec.structs import replace

from dowse.modes.forum.form_types import OF_POST, Observation
from dowse.modes.forum.page_evidence import Evidence, FoundGroup
from dowse.modes.forum.site_patterns import Patterns
from dowse.modes.forum.url_forms import is_front, is_plainer

LONG, SHORT = 60, 25
"""Characters of a post from which it is no row of a list, and those of one on a page that looks like a thread."""

_LOOKS = 0.5

LEADS = 0.3
"""How much a group of links must look like titles to say that its page is a list."""

MOST_AUTHORS = 40
MOST_LEADS = 20
_SEVERAL = 2
SURELY = 0.9
"""How much a page must look like a thread for the permalinks of its posts to count among what each post links to."""


def observed(url: str, place: str, told: Evidence, patterns: Patterns) -> Observation:
    """What a page says about the form of its URL."""
    posts = told.thread.posts if told.thread is not None else ()
    least = SHORT if told.shares[1] >= _LOOKS else LONG
    long = [post for post in posts if post.time and len(post.text) >= least]
    titles = [group for group in told.groups if group.prior >= LEADS and group.blocks]
    leads = [(group.links[0].url, len(group.links)) for group in titles if not is_front(group.links[0].url)]
    is_like_a_thread = told.shares[1] >= told.shares[0]
    authors = [post.author.url.partition("#")[0] for post in long][:MOST_AUTHORS] if is_like_a_thread else []
    if told.shares[1] >= SURELY and len(long) >= _SEVERAL:
        form = patterns.forms.form
        own = [post.permalink.partition("#")[0] for post in long if post.permalink]
        authors += [f"{link}{OF_POST}" for link in own if form(link) != form(url)]
    links = {link.url for group in told.groups for link in group.links}
    news = sum(not patterns.is_page(link) and patterns.is_wanted(patterns.forms.form(link)) for link in links)
    return Observation(url, place, *told.shares, len(long), authors[: 2 * MOST_AUTHORS], leads[:MOST_LEADS], news)


def copied(patterns: Patterns, seen: Observation, before: str, told: Evidence) -> Observation:
    """A page came again under another URL. One of the two is a way to the other, and speaks against its form: that with
    more in it. Boards without threads are all the same, and speak neither for nor against."""
    if told.tells_anything and is_plainer(seen.url, before):
        patterns.observe(Observation(before, "", 0.0, 0.0, 1.0))
        return seen
    is_else = told.tells_anything or told.log_in
    seen = replace(seen, index=0.0, thread=0.0, other=float(is_else), posts=0, news=0)
    patterns.observe(seen)
    return seen


def may_list(told: Evidence) -> tuple[list[FoundGroup], list[FoundGroup]]:
    """The groups of what seems to be a thread that it would list if it were none, those in its blocks; and others.
    Links to its authors and posts are in neither."""
    posts = told.thread.posts if told.thread is not None else ()
    own = {url.partition("#")[0] for post in posts for url in (post.author.url, post.permalink) if url}
    strange = [group for group in told.groups if 2 * sum(link.url in own for link in group.links) < len(group.links)]
    listed = [group for group in strange if group.blocks and len(group.links) >= _SEVERAL]
    return listed, [group for group in strange if group not in listed]
