"""Pages that are shown to somebody who points at what is wanted: fetched, kept for a while, and as an inert copy.

    fetched       by HTTP or by the browser, as `dowse fetch` does; what the page needs to be shown comes along
    brought       by a browser in which somebody looks at the page, who may be logged in there

Pages are known by an id that cannot be guessed. Only the last few are kept.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from dowse.core.errors import CrawlError, CrawlMissing
from dowse.core.job import Job
from dowse.core.model import Response
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.extract.inert_pages import InertCopies
from dowse.extract.picked_fields import field_values
from dowse.parse.element_numbers import ElementNumbers
from dowse.parse.links import Anchor
from dowse.parse.page import Page
from dowse.workflows.fetch_page import fetch_files, fetch_page, job_of_page

_KEPT = 20
_ROUNDS = 3
"""A style sheet may import another one, which shows an image."""
_MOST_FILES = 80
_MOST_BYTES = 6_000_000
_LARGEST = 2_000_000
_SECONDS = 8.0
_MOST_COLUMN = 10


class ShownPage(Struct, frozen=True):
    """A page as it was read, its elements by number, and its inert copy ("" where a browser shows the page itself)."""

    id: str
    page: Page
    numbers: ElementNumbers
    copy: str
    base: str
    """What its user named, by which links of the page are guarded."""

    def anchors(self, numbers: Iterable[int]) -> list[Anchor]:
        """The links of some elements; those that are none, or are not there, are left out."""
        by_element = {anchor.element: anchor for anchor in self.page.anchors if anchor.element is not None}
        elements = [self.numbers.element(number) for number in dict.fromkeys(numbers)]
        return [by_element[each] for each in elements if each is not None and each in by_element]


class Row(Struct, frozen=True):
    """What the fields hold on one page; `trouble` if it could not be had."""

    url: str
    values: dict[str, object]
    trouble: str = ""


class ShownPages:
    """The pages that are being looked at."""

    def __init__(self) -> None:
        self._pages: dict[str, ShownPage] = {}
        self._lock = threading.Lock()

    def get(self, page_id: str) -> ShownPage:
        with self._lock:
            found = self._pages.get(page_id)
        if found is None:
            raise CrawlMissing("the page is not there any more; load it again")
        return found

    def fetch(self, url: str, base: str = "", **options: Any) -> ShownPage:
        """Fetch a page, with what it needs to be shown. Options are those of `dowse fetch`.

        With a `base`, the URL is a link that led from there, and is guarded as such.
        """
        job = job_of_page(base or url, **options)
        fetched = fetch_page(job, link=_address(url) if base not in ("", url) else "")
        answer = fetched.response
        if answer.status >= 400:
            raise CrawlError(f"{fetched.url}: status {answer.status}")
        page = _page(answer)
        return self._keep(ShownPage(_new_id(), page, ElementNumbers(page), _copy(job, answer), job.seeds[0]))

    def bring(self, url: str, html: str) -> ShownPage:
        """A page that a browser shows, as it stands there. Its elements have their numbers."""
        page = _page(_brought(url, html))
        return self._keep(ShownPage(_new_id(), page, ElementNumbers(page, is_stamped=True), "", page.url))

    def column(self, shown: ShownPage, fields: Sequence[str], urls: Sequence[str], **options: Any) -> list[Row]:
        """What fields hold on other pages, at most a few, fetched for that."""
        wanted = [url for url in dict.fromkeys(urls) if url != shown.page.url][:_MOST_COLUMN]
        answers = fetch_files(job_of_page(shown.base, **options), wanted, _SECONDS, _LARGEST) if wanted else {}
        return [_row(url, answer, fields) for url, answer in answers.items()]

    def brought_column(self, fields: Sequence[str], pages: Iterable[tuple[str, str]]) -> list[Row]:
        """The same for pages that a browser brings, each as its address and its HTML."""
        return [_row(url, _brought(url, html), fields) for url, html in pages]

    def _keep(self, shown: ShownPage) -> ShownPage:
        with self._lock:
            self._pages[shown.id] = shown
            for old in list(self._pages)[:-_KEPT]:
                del self._pages[old]
        return shown


def _row(url: str, answer: Response | None, fields: Sequence[str]) -> Row:
    if answer is None:
        return Row(url, {}, "it could not be fetched")
    try:
        return Row(url, field_values(_page(answer), fields)[0])
    except CrawlError as error:
        return Row(url, {}, str(error))


def _new_id() -> str:
    return secrets.token_urlsafe(16)


def _page(answer: Response) -> Page:
    page = Page(answer)
    if page.trouble or not page.is_html:
        raise CrawlError(f"{page.url}: {page.trouble or f'it is {page.media_type}, and no web page'}")
    return page


def _address(url: str) -> str:
    address = resolve("", url)
    if address is None or not address.startswith(("http://", "https://")):
        raise CrawlError(f"{url!r:.80} is not the address of a web page")
    return address


def _brought(url: str, html: str) -> Response:
    address = _address(url)
    request = UrlKeys(job_of_page(address).urls).request(address)
    body = html.encode("utf-8", "replace")
    return Response(request, 200, {"content-type": "text/html; charset=utf-8"}, body, 0.0, 0.0, size=len(body))


def _copy(job: Job, answer: Response) -> str:
    """The inert copy of a page, with the files that it shows. Each round finds what those of the last one need."""
    answers: dict[str, Response | None] = {}
    room = _MOST_BYTES
    for _ in range(_ROUNDS):
        copies = InertCopies(answers)
        copy = copies.of(_page(answer))
        wanted = copies.lacking[: _MOST_FILES - len(answers)]
        if not wanted:
            return copy
        for url, found in fetch_files(job, wanted, _SECONDS, _LARGEST).items():
            answers[url] = fitting = found if found is not None and len(found.body) <= room else None
            room -= len(fitting.body) if fitting is not None else 0
    return InertCopies(answers).of(_page(answer))
