"""The site of RCrawler's completeness table: 1,000 pages, of which 200 are menus and 800 have a title and a post.

    python -m benchmarks.blog_site PORT MILLISECONDS      serves it; every answer waits that long, as over a network

The paper says how many pages of which kind there are and nothing else of them. These are made like those of a blog: an
advertisement inside each title and a script inside each post that belong to neither, entities, letters outside ASCII,
relative and absolute links. They come from the same seed everywhere, so whoever checks knows what should be found.
"""

from __future__ import annotations

import asyncio
import random
import sys
from functools import lru_cache, partial
from html import escape
from typing import NamedTuple

MENUS = 200
POSTS_A_MENU = 4
POSTS = MENUS * POSTS_A_MENU

_TEXT = (
    "river café bridge naïve harbour winter straße letter garden Ångström market copper señor theatre window AT&T"
    " harvest journey lantern Çelik machine novel orchard paper quarry résumé station timber umbrella valley <tag>"
    " whisper yellow zephyr — “quoted” 東京 Москва meadow engine drawing feather marble needle ocean pocket"
)


class Post(NamedTuple):
    """What is to be found on a content page."""

    title: str
    post: str


class Blog(NamedTuple):
    """The pages by their path, and by the paths of content pages what they hold."""

    pages: dict[str, bytes]
    posts: dict[str, Post]


@lru_cache(maxsize=1)
def blog() -> Blog:
    """The whole site."""
    chance = random.Random(1600)
    paths = [f"/20{10 + number % 8}/{number % 12 + 1:02}/post-{number}.html" for number in range(POSTS)]
    menus = ["/", *(f"/menu/{number}.html" for number in range(1, MENUS))]
    pages: dict[str, bytes] = {}
    posts: dict[str, Post] = {}
    for number, path in enumerate(menus):
        own = paths[number * POSTS_A_MENU : (number + 1) * POSTS_A_MENU]
        further = menus[number + 1 : number + 2]
        teasers = [f"<li>{_link(chance, target + '#more')} {escape(_sentence(chance, 30))}" for target in own]
        older = "".join(f'<a rel="next" href="{target}">older posts</a>' for target in further)
        pages[path] = _page(chance, f"Menu {number}", f"<ul>{''.join(teasers)}</ul>{older}", menus, paths)
    for number, path in enumerate(paths):
        title = f"{number}: {_sentence(chance, 7)}"
        paragraphs = [_sentence(chance, 90) for _ in range(6)]
        posts[path] = Post(title, " ".join(paragraphs))
        back = f'<a href="../..{menus[number // POSTS_A_MENU]}">up</a>'
        content = (
            f'<h1 class="post-title entry-title">{escape(title)} <span class="ad">Buy now!</span></h1>{back}'
            f'<div class="post-body entry-content"><script>var post = {number};</script>'
            f"{''.join(f'<p>{escape(text)}</p>' for text in paragraphs)}</div>"
        )
        pages[path] = _page(chance, title, content, menus, paths)
    return Blog(pages, posts)


def _page(chance: random.Random, title: str, content: str, menus: list[str], paths: list[str]) -> bytes:
    bar = " ".join(_link(chance, target) for target in chance.sample(menus, 10))
    side = "".join(f"<li>{_link(chance, target)}</li>" for target in chance.sample(paths, 15))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<link rel="stylesheet" href="/style.css"></head><body><nav>{bar}</nav><main>{content}</main>'
        f"<aside><h2>Recent</h2><ul>{side}</ul></aside><footer>{escape(_sentence(chance, 20))}</footer></body></html>"
    ).encode()


def _link(chance: random.Random, target: str) -> str:
    return f'<a href="{target}">{escape(_sentence(chance, 4))}</a>'


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_TEXT.split(), k=words))


# The server: all from memory, connections kept open, one answer after the other on each


class Connection(asyncio.Protocol):
    """Answers the requests of one client after a time."""

    def __init__(self, answers: dict[bytes, bytes], seconds: float) -> None:
        self._answers, self._seconds = answers, seconds
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head, self._received = self._received[:end], self._received[end + 4 :]
            answer = self._answers.get(head.split(b" ", 2)[1], _answer(b"", b"404 Not Found"))
            if self._seconds:
                asyncio.get_running_loop().call_later(self._seconds, self._transport.write, answer)
            else:
                self._transport.write(answer)


def _answer(body: bytes, status: bytes = b"200 OK") -> bytes:
    head = b"HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
    return head % (status, len(body)) + body


async def serve(port: int, milliseconds: float) -> None:
    answers = {path.encode(): _answer(body) for path, body in blog().pages.items()}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(partial(Connection, answers, milliseconds / 1000), "127.0.0.1", port, backlog=512)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(int(sys.argv[1]), float(sys.argv[2])))
