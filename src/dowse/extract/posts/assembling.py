"""The pages of a thread to one thread: its posts in order, each once.

Pages come in the order of their numbers. Some software repeats the first post on every page, some lets pages overlap,
and a page may have been fetched under two addresses; a post is the same if it has the same permalink, else the same
author, time and text. Where posts are numbered, the numbers say the order, and which of them no page had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from dowse.extract.posts.thread_records import Post, Thread, ThreadPage

MOST_GAPS = 50


def assemble(pages: Iterable[ThreadPage]) -> Thread:
    """One thread from its pages, the first of which gives its address, its title and its boards."""
    pages = list(pages)
    if not pages:
        return Thread("", "", ())
    posts: list[Post] = []
    seen: set[tuple[str, ...]] = set()
    for page in pages:
        for post in page.posts:
            key = _key(post)
            if key not in seen:
                posts.append(post)
            seen.add(key)
    numbered = [post.number for post in posts if post.number is not None]
    if len(numbered) == len(posts) and len(set(numbered)) == len(numbered):
        posts.sort(key=lambda post: post.number or 0)
    first = pages[0]
    return Thread(
        url=first.url,
        title=first.title,
        posts=tuple(replace(post, position=place) for place, post in enumerate(posts, 1)),
        boards=first.boards,
        missing=tuple(_missing(sorted(numbered), posts)),
    )


def _key(post: Post) -> tuple[str, ...]:
    """What tells a post from all others; without a permalink it is what it says, when and by whom."""
    return (_same_place(post.permalink),) if post.permalink else (post.author.name, post.time, post.text)


def _same_place(permalink: str) -> str:
    """A permalink without the page that it was found on: `t?page=2#p17` and `t?page=3#p17` are one post."""
    _, mark, fragment = permalink.partition("#")
    digits = "".join(filter(str.isdigit, fragment))
    return fragment if mark and len(digits) > 1 else permalink


def _missing(numbers: Sequence[int], posts: Sequence[Post]) -> list[str]:
    """The numbers of posts that are on no page, as runs; none where not all posts are numbered."""
    if len(numbers) < len(posts) or not numbers:
        return []
    gaps: list[str] = []
    for before, after in zip((min(numbers[0], 1) - 1, *numbers), numbers, strict=False):
        if after - before > 1 and len(gaps) < MOST_GAPS:
            gaps.append(f"{before + 1}" if after - before == 2 else f"{before + 1}-{after - 1}")
    return gaps
