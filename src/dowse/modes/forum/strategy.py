"""The crawl of a forum, in the worker: what a page is by its structure, and where its links and further pages are.

Nothing is followed from here. Which links are worth it depends on what others of their form led to, and only the
bookkeeping knows that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from turbohtml import Element
from xxhash import xxh3_64_intdigest

from dowse.classify.link_groups import LinkGroup, link_groups
from dowse.classify.page_structure import PageStructure
from dowse.classify.page_types import TYPES, PageTypes
from dowse.core.job import UrlOptions
from dowse.core.model import Task
from dowse.core.urls import host_of
from dowse.engine.verdict import Verdict
from dowse.extract.posts.board_pages import read_board_page
from dowse.extract.posts.thread_pages import read_thread_page
from dowse.extract.posts.thread_records import BoardPage, ThreadPage
from dowse.modes.forum.further_pages import further_pages
from dowse.modes.forum.page_evidence import Evidence, FoundGroup, FoundLink, pack, read_hint
from dowse.modes.forum.plain_urls import plain_urls
from dowse.modes.forum.url_forms import taken_apart
from dowse.parse.page import Page, Reads
from dowse.parse.pagination.pagination_finding import find_pagination

LEAST_SHARE = 0.15
"""How much of an index page a page must be for its rows to be told."""

FEWEST_POSTS = 2
UNREAD = 0.2
"""How much of the share of other pages is left to a page with posts."""

UNLISTED = 0.5
"""How much of its share of index pages is left to a page without links in blocks that repeat."""

MOST_GROUPS = 80
NOT_TAKEN = "not taken for a board or thread"
"""Why most links of a forum are not followed."""

_LEAST_TEXT = 25
"""Characters of a text that is part of what a page says, and not of its frame."""


class ForumStrategy:
    """Says what a page of a forum is."""

    reads: Reads = "tree"

    def __init__(self, types: PageTypes, urls: UrlOptions) -> None:
        self._types = types
        self._urls = urls

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        if not page.is_html:
            return Verdict(0.0, [], evidence=pack(Evidence((0.0, 0.0, 1.0))))
        structure, plain = PageStructure(page.tree), plain_urls(page, self._urls)
        groups = link_groups(structure, inner_targets(page, plain), lambda url: taken_apart(url).skeleton, page.url)
        told = self._types.of_page(structure, page.tree, groups)
        thread = plain_posts(read_thread_page(page, page.url, page.response.fetched_at), plain)
        shares = with_links(with_posts((told["index"], told["thread"], told["other"]), thread), groups)
        paging = find_pagination(page)
        further = further_pages(paging, page, read_hint(task.hint).role, shares[0])
        is_board = shares[0] >= LEAST_SHARE
        evidence = Evidence(
            shares,
            self._groups(groups),
            [(plain(url), number) for url, number in further],
            [plain(link.url) for link in (*paging.own, *paging.elsewhere)],
            [FoundLink(plain(crumb.url), crumb.name) for crumb in thread.boards],
            content_of(structure, thread),
            page.tree.select_one("input[type=password]") is not None,
            plain_rows(read_board_page(page, page.url, page.response.fetched_at), plain) if is_board else None,
            thread if thread.posts else None,
        )
        return Verdict(1.0 - told["other"], [], left=page.links, evidence=pack(evidence), left_as=NOT_TAKEN)

    def _groups(self, groups: Sequence[LinkGroup]) -> list[FoundGroup]:
        judged = sorted(((self._types.of_links(each), each) for each in groups), key=lambda pair: -pair[0])
        found: list[FoundGroup] = []
        best: LinkGroup | None = None
        for prior, group in judged[:MOST_GROUPS]:
            links = [FoundLink(link.url, link.text, link.nofollow) for link in group.links]
            is_beside = best is not None and bool(best.blocks & group.blocks)
            rival = best.links[0].url if best and is_beside else ""
            found.append(FoundGroup(group.path, round(prior, 4), links, rival, len(group.blocks)))
            if best is None and len(group.blocks) > 1:
                best = group
        return found


def with_posts(shares: tuple[float, float, float], thread: ThreadPage) -> tuple[float, float, float]:
    """The shares of a page, given the posts that were read from it: where several have an author, a date and a text,
    it is hardly neither a thread nor an index page."""
    index, is_thread, other = shares
    whole = [post for post in thread.posts if post.author.name and post.time and len(post.text) >= _LEAST_TEXT]
    if len(whole) < FEWEST_POSTS or index >= other:
        return shares
    return index, is_thread + other * (1 - UNREAD), other * UNREAD


def with_links(shares: tuple[float, float, float], groups: Sequence[LinkGroup]) -> tuple[float, float, float]:
    """The shares of a page, given its links: what lists nothing is hardly a list, whatever else it lacks."""
    if any(len(group.blocks) > 1 for group in groups):
        return shares
    index, is_thread, other = shares
    return index * UNLISTED, is_thread, other + index * (1 - UNLISTED)


def plain_posts(told: ThreadPage, plain: Callable[[str], str]) -> ThreadPage:
    """What a thread says, with plain URLs of those who wrote its posts, and of the posts."""
    posts = (
        replace(
            post,
            author=replace(post.author, url=plain(post.author.url)),
            permalink="#".join((plain(post.permalink), *post.permalink.split("#")[1:])),
        )
        for post in told.posts
    )
    return replace(told, posts=tuple(posts))


def plain_rows(told: BoardPage, plain: Callable[[str], str]) -> BoardPage:
    """What a board says, with plain URLs."""
    return replace(
        told,
        boards=tuple(replace(row, url=plain(row.url)) for row in told.boards),
        threads=tuple(replace(row, url=plain(row.url)) for row in told.threads),
    )


def inner_targets(page: Page, plain: Callable[[str], str]) -> Callable[[Element], str | None]:
    """Where links of a page lead, if on its own host and to another page."""
    host, own = host_of(page.url), plain(page.url)

    def target(element: Element) -> str | None:
        url = page.base.join(element.attr("href") or "")
        if url is None or not url.startswith("http") or host_of(url) != host:
            return None
        url = plain(url)
        return url if url != own else None

    return target


def content_of(structure: PageStructure, thread: ThreadPage) -> int:
    """A number for what a page says, without what changes from visit to visit; 0 if it says too little."""
    texts = [post.text for post in thread.posts] if len(thread.posts) > 1 else []
    texts = texts or [thread.title] * bool(thread.posts) + [
        text for _, text in structure.texts if len(text) >= _LEAST_TEXT
    ]
    return xxh3_64_intdigest("\0".join(texts).encode()) >> 1 if texts else 0


assert TYPES == ("index", "thread", "other"), "the order of the shares"
