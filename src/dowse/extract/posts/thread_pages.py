"""A page of a thread to its posts, whatever software made it.

1. page_spots.py    the elements of the page in one list
2. time_marks.py    those that say a time; page_dates.py what it means
3. post_blocks.py   the blocks around times that look alike: the posts
4. post_parts.py    the same parts of all of them; post_times.py, post_authors.py, post_bodies.py say which is which
5. post_text.py     the text, and quotes apart; post_links.py permalinks and numbers
6. page_trail.py    the title of the page, and the boards that lead to it
"""

from __future__ import annotations

from msgspec.structs import replace
from turbohtml import Document, Node, Text

from dowse.extract.posts.mail_pages import find_mail, written_text
from dowse.extract.posts.page_reading import PageReading, read_page
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.page_trail import title_of, trail_of
from dowse.extract.posts.post_authors import author_of, choose_authors
from dowse.extract.posts.post_blocks import Block, find_blocks, opening_of
from dowse.extract.posts.post_bodies import boilerplate, choose_bodies
from dowse.extract.posts.post_links import numbers, permalinks
from dowse.extract.posts.post_parts import Parts
from dowse.extract.posts.post_text import without_title, write_post
from dowse.extract.posts.post_times import choose_times
from dowse.extract.posts.thread_records import Post, ThreadPage
from dowse.extract.posts.time_marks import Mark
from dowse.parse.page import Page

DEEPEST = 250
"""Levels of a page. What is deeper was written by no forum, and each level of each post is gone down."""


def read_thread_page(page: Page | Document, url: str, fetched_at: float) -> ThreadPage:
    """The posts of a page of a thread, its title and the boards above it; no posts where none can be told apart."""
    read = read_page(page, url, fetched_at)
    if any(spot.depth > DEEPEST for spot in read.spots):
        return ThreadPage(url, title_of(read.tree), (), trail_of(read.tree, read.base, url))
    mail = find_mail(read.marks)
    blocks = [mail] if mail is not None else find_blocks(read.marks)
    title = title_of(read.tree)
    posts = _posts(read, blocks, url, title) if blocks else ()
    opening = opening_of(blocks, read.marks) if blocks and mail is None else None
    if opening is not None:
        posts = tuple(
            replace(post, position=place)
            for place, post in enumerate((*_posts(read, [opening], url, title), *posts), 1)
        )
    return ThreadPage(url, title, posts, trail_of(read.tree, read.base, url))


def _posts(read: PageReading, blocks: list[Block], url: str, title: str) -> tuple[Post, ...]:
    parts = Parts(read.spots, blocks)
    times = choose_times(parts, read.marks, read.times)
    authors = choose_authors(parts, times, {})
    bodies = choose_bodies(parts, times, authors)
    if any(number in bodies and bodies[number].holds(spot) for number, spot in authors.items()):
        authors = choose_authors(parts, times, bodies)  # what a post says may name others
    if len(blocks) == 1 and (written := written_text(blocks[0])) is not None:
        bodies[0] = written
    same = boilerplate(parts, bodies)
    links = permalinks(parts, times, read.base, url)
    shown, depths = numbers(parts), _depths(blocks)
    posts: list[Post] = []
    for number, block in enumerate(blocks):
        mark, name = times.get(number), authors.get(number)
        left_out = _left_out(block, bodies.get(number), mark, name, same)
        body = [bodies[number].element] if number in bodies else [row.element for row in block.rows]
        body = [element for element in body if element not in left_out]
        text, quotes = write_post(body, left_out)
        text = without_title(text, title)
        posts.append(
            Post(
                author=author_of(block, bodies.get(number), name, mark, parts.memberships[number], read.base),
                time=read.times[mark.spot.index] if mark is not None else "",
                text=text,
                quotes=quotes,
                permalink=links[number],
                number=shown[number],
                position=number + 1,
                depth=depths[number],
            )
        )
    return tuple(posts)


def _left_out(block: Block, body: Spot | None, mark: Mark | None, name: Spot | None, same: set[int]) -> set[Node]:
    """What stands within the text of a post and is no part of it."""
    found: set[Node] = {inner.element for inner in block.inner}
    if block.head is not None:
        return {block.head.element}
    around = [body] if body is not None else block.rows
    found |= {spot.element for spot in block.own(around) if spot.index in same}
    if mark is not None and mark.is_loose:
        found |= set(_loose_text(mark)) if any(each.holds(mark.spot) for each in around) else set()
        mark = None
    for spot in (mark.spot if mark is not None else None, name):
        for each in around:
            if spot is not None and spot is not body and each.holds(spot):
                found.add(_line_of(spot, body or each.parent).element)
    return found


def _loose_text(mark: Mark) -> list[Text]:
    """The text of a time that has no element of its own."""
    texts = (child for child in mark.spot.element if type(child) is Text)
    return [text for text in texts if " ".join(text.data.split()) == mark.words][:1]


def _line_of(spot: Spot, limit: Spot | None) -> Spot:
    """The largest element around a time or name that is nothing but a short line."""
    widest = spot
    for around in spot.above():
        if around is limit or not around.is_line or around.length > 4 * spot.length + 80:
            break
        widest = around
    return widest


def _depths(blocks: list[Block]) -> list[int]:
    """In how many other posts each lies."""
    depths: list[int] = []
    around: list[int] = []
    for block in blocks:
        while around and around[-1] <= block.start:
            around.pop()
        depths.append(len(around))
        around.append(block.rows[0].end if block.inner else block.start)
    return depths
