"""The browser as one more fetcher: HTTP fetches the page, Chromium runs its scripts, and what is there then is read.

The document itself comes by libcurl, like every other page. So redirects, media types, downloads, limits, conditions
and failures of the server are what they always are, the page is asked for once, and only what is HTML costs a tab. The
browser asks for what the page needs besides: through the address guard (fetch/browser_proxy.py), as far as robots.txt
allows.

The answer has the headers of the server, the document as it stands as its body, and one more header that says so:

    X-Crawl-Rendered: chromium/156.0.8078.79            ready in time
    X-Crawl-Rendered: chromium/156.0.8078.79; cut       not ready when its time was up; this is what was there

A browser believes what a page says of its charset, and guesses where it says nothing. The crawl knows better
(parse/decode.py), so the browser is told what the crawl has found; or the two would read different words.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from msgspec.structs import replace

from dowse.core.http_heads import whole, with_header
from dowse.core.job import FetchOptions
from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Sink
from dowse.core.rendered_pages import RENDERED, STATES, WRITTEN, Rendered, Written, pack_states
from dowse.core.steps import Steps
from dowse.fetch.captured_json import LIMITS, records
from dowse.fetch.http import HttpFetcher
from dowse.fetch.page_patience import Lacks, Patience
from dowse.fetch.page_traffic import TrafficRules
from dowse.fetch.tab import Rendering, TabRules
from dowse.fetch.tab_pool import Tabs

Permits = Callable[[str], Awaitable[bool]]
Write = Callable[[dict[str, str], bytes], Written]
"""The body of a page as a browser reads it rightly, given its headers. Handed in: fetchers do not read pages."""

_HTML_TYPES = ("text/html", "application/xhtml+xml")
# What is shown is made of more than the document, so that the document did not change says little.
_CONDITIONS = frozenset({"if-none-match", "if-modified-since"})


class BrowserFetcher:
    """Wraps the HTTP fetcher and renders every page it brings. `permits` is asked about each request of a page."""

    def __init__(
        self,
        http: HttpFetcher,
        options: FetchOptions,
        permits: Permits,
        write: Write,
        storage: Any = None,
        lacks: Lacks | None = None,
    ) -> None:
        """`storage` is that of a browser that has logged in, `lacks` says whether a page has nothing of what is asked
        for."""
        self._http = http
        self._through_proxy = bool(options.proxy)
        self._permits = permits
        self._write = write
        self._pictures: list[bytes] | None = None
        headers = http.secrets_for, http.signature_for
        traffic = TrafficRules(options.images, options.capture == "json", self._allows, *headers)
        self.steps = Steps(options.step)
        rules = TabRules(
            options.page_time,
            options.ready,
            options.max_body,
            self.steps,
            options.explore,
            traffic,
            None if lacks is None else Patience(lacks),
        )
        self._tabs = Tabs(options, http.guard, rules, http, storage)

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        if sink is None:
            request = unconditional(request)
        answer = await self._http.fetch(request, sink)
        if sink is not None or isinstance(answer, Failure) or not is_renderable(answer):
            return answer
        return await self.render(answer)

    async def render(self, answer: Response) -> Response | Failure:
        """The same page after its scripts have run."""
        written = self._write(answer.headers, answer.body)
        headers = {**answer.headers, "content-type": f"{_media_type(answer)}; charset={written.charset}"}
        shown = replace(answer, headers=headers, body=written.body)
        rendering = await self._tabs.show(shown, picture=self._pictures is not None)
        if isinstance(rendering, Failure):
            return rendering
        if self._pictures is not None:
            self._pictures.append(rendering.picture)
        return rendered(answer, written, rendering, self._tabs.take_notices())

    @contextmanager
    def picturing(self) -> Iterator[list[bytes]]:
        """Pages rendered within are pictured too; the list has what they look like, as PNG."""
        pictures: list[bytes] = []
        self._pictures = pictures
        try:
            yield pictures
        finally:
            self._pictures = None

    def begin_anew(self, storage: Any) -> None:
        """Show what comes from here on in a browser with other cookies and storage."""
        self._tabs.begin_anew(storage)

    async def close(self) -> None:
        await self._tabs.close()
        await self._http.close()

    async def _allows(self, url: str) -> bool:
        """Whether a page may ask for this. Behind a proxy the guard can only look at addresses written as numbers."""
        if self._through_proxy and not self._http.guard.allows_literal(url.split("/", 3)[2].rpartition("@")[2]):
            return False
        return await self._permits(url)


def is_renderable(answer: Response) -> bool:
    """Whether it is a page for a browser, and not a redirect, an error, a download or another kind of file."""
    if not 200 <= answer.status < 300 or not answer.body or answer.request.is_requisite:
        return False
    if answer.headers.get("content-disposition", "").lstrip().lower().startswith("attachment"):
        return False
    is_typed = bool(answer.headers.get("content-type", "").partition(";")[0].strip())
    return _media_type(answer).lower() in _HTML_TYPES if is_typed else answer.body.lstrip()[:1] == b"<"


def unconditional(request: Request) -> Request:
    """The request without the conditions under which nothing would be sent."""
    headers = tuple(header for header in request.headers if header[0].lower() not in _CONDITIONS)
    return request if len(headers) == len(request.headers) else replace(request, headers=headers)


def rendered(answer: Response, written: Written, rendering: Rendering, notices: tuple[str, ...] = ()) -> Response:
    """The answer with the document as it stood in the browser. `notices` are what is to be told of the browser."""
    body, lengths = pack_states(rendering.html + _links(rendering.noted), rendering.hidden, rendering.documents)
    ours = {
        "Content-Type": f"{_media_type(answer)}; charset=utf-8",
        RENDERED: f"{rendering.browser}; cut" if rendering.cut else rendering.browser,
        STATES: lengths,
        WRITTEN: "" if written.charset == "UTF-8" else written.charset,
    }
    headers = {**answer.headers, **{name.lower(): value for name, value in ours.items()}}
    facts = Rendered(
        rendering.browser,
        round(rendering.elapsed, 3),
        rendering.cut,
        states=rendering.states,
        met=tuple(name for name, is_met in rendering.effects.items() if is_met),
        missed=tuple(name for name, is_met in rendering.effects.items() if not is_met),
        notices=(*notices, *_left_out(answer.request.url, rendering.left_out)),
        declared=written.declared,
    )
    return replace(
        answer,
        headers={name: value for name, value in headers.items() if value or name not in (STATES, WRITTEN)},
        head=_head(answer.head, ours),
        body=body,
        records=records(rendering.captured),
        elapsed=answer.elapsed + rendering.elapsed,
        size=answer.size + rendering.size,
        rendered=facts,
    )


def _media_type(answer: Response) -> str:
    """What the server calls it, without parameters."""
    return answer.headers.get("content-type", "").partition(";")[0].strip() or "text/html"


def _head(sent: bytes, headers: dict[str, str]) -> bytes:
    """The head of the answer with these headers in place of those that were sent; without those that are empty."""
    head = whole(sent)
    for name, value in headers.items():
        head = with_header(head, name, value) if value else head
    return head


def _left_out(url: str, answers: int) -> Iterator[str]:
    if answers:
        what = "1 JSON answer is" if answers == 1 else f"{answers:,} JSON answers are"
        yield f"{url}: {what} not kept ({LIMITS})"


def _links(urls: Iterable[str]) -> str:
    """Addresses that scripts opened, as links at the end of the page, where everyone reads links."""
    links = "".join(f'<a href="{escape(url)}"></a>' for url in urls)
    return f'<nav hidden data-opened-by="script">{links}</nav>' if links else ""
