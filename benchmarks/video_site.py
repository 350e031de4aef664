"""A video site as the rule-crawler paper met it: feeds, channels, videos and all that is around them, made by scripts.

    /youtube/                  six feeds to leave out or to follow (class feed-item-dismissable), videos of the day
    /youtube/feed/NAME         videos and their channels (id browse-items-primary), channels one may like beside them
    /youtube/channel/ID        its videos (id browse-items-primary); below it playlists, discussion, about
    /youtube/watch?v=ID        what belongs to the video (id watch-header), description, related videos, comments
    /youtube/playlist?list=ID  the videos of a channel under addresses of their own (watch?v=ID&list=ID)
    /youtube/share?v=ID        redirects to the video; oembed, timedtext: data about it

Every page is sent as the same empty shell. A script fetches what it shows, in two parts, the second of which is asked
for when the first is there, as on pages that fill while one scrolls. Wanted are the videos and channels that the six
feeds list, and what belongs to each video of those channels. All comes from one seed.
"""

from __future__ import annotations

import json
import random
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from benchmarks.server import free_port

FEEDS = ("recommended", "popular", "music", "sports", "gaming", "news")
OTHER_FEEDS = ("history", "subscriptions", "library")
CHANNELS, FEATURED, VIDEOS = 60, 24, 10
"""How many channels there are, how many of them the feeds list, and how many videos each has."""

_ITEMS = 20  # videos in a feed
_HELP, _SHOPS = 24, 6
_GONE = 60  # one video in so many was taken away
_ADVERTISED = 80  # one in so many has an advertisement where only its own links should be
_WORDS = (
    *("river", "stone", "lamp", "window", "garden", "engine", "winter", "copper", "signal"),
    *("harbour", "violin", "bread", "mountain", "goal", "level", "bridge", "storm", "paper"),
    *("market", "night", "summer", "kitchen", "tower", "race", "song", "island"),
)
_SHELL = b"""<!doctype html><html><head><meta charset="utf-8"><title>youtube</title></head>
<body><div id="content"></div><script src="/static/app.js"></script></body></html>"""
_SCRIPT = b"""
const list = links => '<ul>' + links.map(([href, text]) => `<li><a href="${href}">${text}</a></li>`).join('') + '</ul>';
const show = block => `<div id="${block.id}" class="${block.kind}">${block.text}${list(block.links)}</div>`;
const take = part => fetch('/data?part=' + part + '&of=' + encodeURIComponent(location.pathname + location.search))
  .then(answer => answer.json());
take(1).then(page => {
  document.title = page.title;
  document.getElementById('content').innerHTML = `<h1>${page.title}</h1>` + page.blocks.map(show).join('');
  return page.rest && take(2);
}).then(rest => {
  for (const [id, links] of Object.entries(rest || {})) {
    document.getElementById(id).insertAdjacentHTML('beforeend', list(links));
  }
});
"""

Link = tuple[str, str]
Block = tuple[str, str, str, list[Link]]
"""Id, class, text and links of a part of a page."""


class VideoSite:
    """The pages by their path, and the links that are wanted, as absolute URLs."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._chance = random.Random(2016)
        self._channels = [f"UC{self._identity(20)}" for _ in range(CHANNELS)]
        self._videos = {channel: [self._identity(11) for _ in range(VIDEOS)] for channel in self._channels}
        self._featured = self._channels[:FEATURED]
        self._titles = {video: self._phrase(4) for videos in self._videos.values() for video in videos}
        self.parts: dict[str, tuple[str, str]] = {}
        self._useful: set[str] = set()
        self._home()
        for feed in FEEDS:
            self._feed(feed)
        for channel, videos in self._videos.items():
            self._channel(channel, videos)
        self._aside()
        self.wanted = frozenset(f"{origin}{path}" for path in self._useful)

    # The pages on the way

    def _home(self) -> None:
        shelves = [(f"/youtube/feed/{feed}", f"{feed.capitalize()} videos") for feed in FEEDS]
        shelves.append((f"/youtube/watch?v={self._any_video()}", "Video of the day"))
        day = [self._video_link(self._any_video()) for _ in range(12)]
        blocks = [("feeds", "yt-uix feed-item-dismissable", "", shelves), ("of-the-day", "shelf", "", day)]
        self._put("/youtube/", "youtube", blocks)

    def _feed(self, feed: str) -> None:
        links: list[Link] = []
        for _ in range(_ITEMS):
            channel = self._chance.choice(self._featured)
            links += [self._video_link(self._chance.choice(self._videos[channel])), self._channel_link(channel)]
        # Each featured channel is in some feed, whatever chance says.
        links += [self._channel_link(channel) for channel in self._featured[FEEDS.index(feed) :: len(FEEDS)]]
        self._useful.update(href for href, _ in links)
        links.append(("/youtube/premium?from=feed", "No advertisements with youtube premium"))
        links.append((f"http://127.0.0.2/shop/{feed}", "Sponsored"))
        beside = [self._channel_link(channel) for channel in self._chance.sample(self._channels, 8)]
        blocks = [("browse-items-primary", "feed", "", links), ("browse-items-secondary", "", "You may like", beside)]
        self._put(f"/youtube/feed/{feed}", f"{feed.capitalize()} videos", blocks)

    def _channel(self, channel: str, videos: list[str]) -> None:
        path = f"/youtube/channel/{channel}"
        tabs = [(f"{path}/{tab}", tab) for tab in ("playlists", "discussion", "about")]
        beside = [self._channel_link(other) for other in self._chance.sample(self._channels, 6)]
        beside += [self._video_link(self._any_video()) for _ in range(4)]
        main = [self._video_link(video) for video in videos]
        blocks = [("tabs", "", "", tabs), ("browse-items-primary", "", "", main), ("related-channels", "", "", beside)]
        self._put(path, f"{self._name(channel)} - channel", blocks)
        playlist = f"/youtube/playlist?list=PL{channel}"
        self._put(f"{path}/playlists", "Playlists", [("lists", "", "", [*tabs, (playlist, "All of it")])])
        self._put(f"{path}/discussion", "Discussion", [("comments", "", self._phrase(60), [*tabs, *self._comments()])])
        self._put(f"{path}/about", "About", [("about", "", self._phrase(80), [*tabs, self._shop()])])
        entries = [(f"/youtube/watch?v={video}&list=PL{channel}", self._titles[video]) for video in videos]
        self._put(playlist, "Playlist", [("entries", "", "", entries)])
        for number, video in enumerate(videos):
            self._video(channel, video, f"{path}/discussion", is_last=number == len(videos) - 1)

    def _video(self, channel: str, video: str, discussion: str, *, is_last: bool) -> None:
        if not is_last and self._chance.random() < 1 / _GONE:
            return
        header = [
            self._channel_link(channel),
            (f"/youtube/category/{self._chance.choice(FEEDS)}", "Category"),
            (f"/youtube/share?v={video}", "Share"),
            (f"/youtube/timedtext?v={video}&lang=en", "Transcript"),
            (f"/youtube/vi/{video}/hqdefault.jpg", "Picture"),
            (f"/youtube/oembed?v={video}&format=json", "Data"),
        ]
        if channel in self._featured:
            self._useful.update(href for href, _ in header)
        header.append(self._shop())
        if self._chance.random() < 1 / _ADVERTISED:
            header.append((f"/youtube/redirect?ad={video}", "Sponsored"))
        related = [self._video_link(self._any_video()) for _ in range(16)]
        blocks = [
            ("watch-header", "yt-card", f"{self._chance.randint(10, 999_999)} views", header),
            ("watch-description", "", self._phrase(50), [self._shop()]),
            ("watch-related", "", "Up next", related),
            ("watch-discussion", "", self._phrase(40), [*self._comments(), (discussion, "All comments")]),
        ]
        self._put(f"/youtube/watch?v={video}", f"{self._titles[video]} - video", blocks)

    # What is around them

    def _aside(self) -> None:
        for feed in OTHER_FEEDS:
            self._put(f"/youtube/feed/{feed}", feed.capitalize(), [("browse-items-primary", "", "Sign in first.", [])])
        for category in FEEDS:
            links = [self._channel_link(channel) for channel in self._chance.sample(self._channels, 15)]
            self._put(f"/youtube/category/{category}", category.capitalize(), [("category", "", "", links)])
        for number in range(_HELP):
            links = [(f"/youtube/help/{other}", f"Answer {other}") for other in range(_HELP)]
            self._put(f"/youtube/help/{number}", f"Answer {number}", [("answer", "", self._phrase(90), links)])
        for name in ("signin", "premium?from=feed", "terms"):
            self._put(f"/youtube/{name}", name.partition("?")[0].capitalize(), [("page", "", self._phrase(90), [])])

    def _put(self, path: str, title: str, blocks: list[Block]) -> None:
        """A page, and the second half of each longer list for the second part."""
        guide = [("/youtube/", "Home"), ("/youtube/feed/popular", "Popular on youtube")]
        guide += [(f"/youtube/feed/{feed}", feed.capitalize()) for feed in OTHER_FEEDS]
        guide += [self._channel_link(channel) for channel in self._channels[-4:]]
        foot = [("/youtube/help/0", "Help"), ("/youtube/terms", "Terms"), ("/youtube/signin", "Sign in")]
        shown, rest = [], {}
        for name, kind, text, links in [("guide", "", "", guide), *blocks, ("footer", "", "", foot)]:
            at_once = len(links) if len(links) < 10 else len(links) // 2
            shown.append({"id": name, "kind": kind, "text": text, "links": links[:at_once]})
            if links[at_once:]:
                rest[name] = links[at_once:]
        self.parts[path] = json.dumps({"title": title, "blocks": shown, "rest": bool(rest)}), json.dumps(rest)

    def _comments(self) -> list[Link]:
        return [self._channel_link(self._chance.choice(self._channels)) for _ in range(3)]

    def _shop(self) -> Link:
        return f"http://127.0.0.2/shop/{self._chance.randrange(_SHOPS)}", "Our shop"

    def _video_link(self, video: str) -> Link:
        return f"/youtube/watch?v={video}", self._titles[video]

    def _channel_link(self, channel: str) -> Link:
        return f"/youtube/channel/{channel}", self._name(channel)

    def _any_video(self) -> str:
        return self._chance.choice(self._videos[self._chance.choice(self._channels)])

    def _name(self, channel: str) -> str:
        return f"{_WORDS[self._channels.index(channel) % len(_WORDS)].capitalize()} {channel[2:5]}"

    def _identity(self, length: int) -> str:
        return "".join(self._chance.choices("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789", k=length))

    def _phrase(self, words: int) -> str:
        return " ".join(self._chance.choices(_WORDS, k=words)).capitalize()


class VideoServer:
    """Serves the site while it is entered, and notes which of its addresses were asked for."""

    def __init__(self) -> None:
        port = free_port()
        origin = f"http://127.0.0.1:{port}"
        self.url = f"{origin}/youtube/"
        self.site = VideoSite(origin)
        self.asked: set[str] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Answer, self.site, self.asked))

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, site: VideoSite, asked: set[str], *connection: Any) -> None:
        self._site, self._asked = site, asked
        super().__init__(*connection)

    def do_GET(self) -> None:
        if self.path == "/static/app.js":
            self._send(200, "text/javascript", _SCRIPT)
        elif self.path.startswith("/data?part="):
            number, _, path = self.path.removeprefix("/data?part=").partition("&of=")
            parts = self._site.parts.get(_page(unquote(path)))
            self._send(200, "application/json", parts[int(number) - 1].encode()) if parts else self._missing()
        elif self.path.startswith("/youtube/"):
            self._asked.add(self.path)
            self._document()
        else:
            self._missing()

    def _document(self) -> None:
        path, _, query = self.path.partition("?")
        if _page(self.path) in self._site.parts:
            self._send(200, "text/html", _SHELL)
        elif path == "/youtube/share":
            self._send(302, "text/plain", b"", f"/youtube/watch?{query}")
        elif path in ("/youtube/oembed", "/youtube/timedtext"):
            self._send(200, "application/json", json.dumps(query).encode())
        else:
            self._missing()

    def _missing(self) -> None:
        self._send(404, "text/plain", b"not found")

    def _send(self, status: int, kind: str, body: bytes, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _page(path: str) -> str:
    """A video is the same from whatever list one comes."""
    return path.partition("&list=")[0]
