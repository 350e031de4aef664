"""Tools for single pages, without a crawl: fetch one, list its links, read its charset, scrape it, compare it.

>>> from dowse import page_tools
>>> page = page_tools.read('<h1>Pears</h1><a href="/plum?utm_source=x&id=7">plums</a>', "https://example.org/pear")
>>> [link.url for link in page_tools.links(page, "internal")]
['https://example.org/plum?utm_source=x&id=7']

They are what crawls use. A page is given by its URL, which is fetched, or as a `Page` that `fetch` or `read` made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack
from urllib.parse import parse_qsl

from msgspec import Struct

from dowse.core.errors import CrawlError
from dowse.core.job import ExtractOptions, Limits, ScopeOptions, UrlOptions
from dowse.core.model import Request, Response
from dowse.core.record import UNFINISHED
from dowse.core.scope import Scope
from dowse.core.url_keys import normal_form as compared_form
from dowse.core.urls import host_of, resolve
from dowse.core.user_agent import product_token, user_agent
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.fetch.robots_rules import RobotsRules, rule_lines
from dowse.parse.decode import charset_name
from dowse.parse.page import Page
from dowse.settings import read_url
from dowse.workflows.fetch_page import fetch_page, job_of_page

if TYPE_CHECKING:
    from dowse.python.call_keywords import OptionKeywords

__all__ = [
    "Charset",
    "PageLink",
    "RobotsFile",
    "charset",
    "distance",
    "fetch",
    "links",
    "normal_form",
    "parameters",
    "read",
    "robots",
    "scrape",
    "simhash",
    "without_parameters",
]

_BITS = 64


class PageLink(Struct, frozen=True):
    """One link of a page: where it leads, the words that are clicked, and whether it leads to the same site.

    >>> links(read("<a href=https://example.net/>elsewhere</a>"))[0]
    PageLink(url='https://example.net/', text='elsewhere', nofollow=False, is_internal=False)
    """

    url: str
    text: str
    nofollow: bool
    is_internal: bool


class Charset(Struct, frozen=True):
    """The charset that a page is read in, and the one that the page or its server claims ("" if none).

    >>> charset(read("caf\u00e9".encode("latin-1"))).declared
    ''
    """

    name: str
    declared: str


class RobotsFile(Struct, frozen=True):
    """What the robots.txt of a host says to one robot: its rules as they are written, and what else it asks for.

    >>> RobotsFile("https://example.org/robots.txt", "User-agent: *\\nDisallow: /x", [], None, (), "dowse").allows("https://example.org/y")
    True
    """

    url: str
    text: str
    rules: list[str]
    crawl_delay: float | None
    sitemaps: tuple[str, ...]
    product_token: str

    def allows(self, url: str) -> bool:
        """Whether this robot may fetch a URL of the host."""
        return RobotsRules(self.text.encode(), self.product_token).allows(url)


def fetch(url: str, **options: Unpack[OptionKeywords]) -> Page:
    """Fetch one page. Options are those of `dowse fetch`, by the same names: `fetch="browser"`, `charset="koi8-r"`.

    A document, such as a PDF file, is read as a page. What could not be read of it is `page.note`.
    Redirects are followed, and robots.txt is obeyed unless `robots="ignore"`. The status of the answer is
    `page.response.status`. Trouble is a `CrawlError` that names it.

    >>> fetch("https://example.org/topics/", max_body=100_000).title
    'Topics - Tarnmoor Consultations'
    """
    job = job_of_page(url, **options)
    answer = fetch_page(job).response
    with DocumentReader() as reader:
        return page_of_answer(answer, reader, product_token(user_agent(job)), charset_name(job.fetch.charset))


def read(html: str | bytes, url: str = "https://example.invalid/", charset: str = "") -> Page:
    """A page from its source. `url` is where its links start from; `charset` is what bytes are written in.

    >>> read("<title>Pears</title>").title
    'Pears'
    """
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    address = read_url(url, "url")
    headers = {"content-type": "text/html; charset=utf-8" if isinstance(html, str) else "text/html"}
    answer = Response(Request(address, 0, host_of(_absolute(address))), 200, headers, body, 0.0, 0.0, size=len(body))
    return Page(answer, charset=charset_name(charset))


def links(
    page: Page | str,
    which: Literal["all", "internal", "external"] = "all",
    *,
    with_parameters: bool = False,
    scope: Literal["host", "domain"] = "host",
) -> list[PageLink]:
    """The links of a page, one for each address. Internal ones lead to its own host, or with `scope` to its domain.

    `with_parameters` leaves out those without a query.

    >>> [link.text for link in links("https://example.org/", "internal")][:3]
    ['Tarnmoor Consultations', 'Topics', 'Consultations']
    """
    page = _page(page)
    site = host_of(_absolute(page.url))
    rules = Scope(ScopeOptions(scope=scope), Limits(), [site])
    found = []
    for link in page.links:
        is_internal = not rules.refuse_walk(host_of(link.url), site, 0)
        is_wanted = which == "all" or is_internal == (which == "internal")
        if is_wanted and ("?" in link.url or not with_parameters):
            found.append(PageLink(link.url, link.text, link.nofollow, is_internal))
    return found


def normal_form(url: str, base: str = "", **options: Unpack[OptionKeywords]) -> str:
    """The form by which crawls compare URLs, of a URL or of what a page at `base` links to.

    Options are those about URLs: `alias_www=True`, `ignore_case=True`, `drop_parameters=["sid"]`.

    >>> normal_form("../a%2db.html?utm_source=x#top", "HTTP://Example.org:80/x/y", ignore_case=True)
    'http://example.org/a-b.html'
    """
    found = resolve(_absolute(base), url) if base else _absolute(url)
    if found is None:
        raise CrawlError(f"{url!r} is no http or https URL, seen from {base!r}")
    return compared_form(found, job_of_page(found, **options).urls)


def charset(page: Page | str) -> Charset:
    """The charset of a page.

    >>> charset("https://example.org/")
    Charset(name='UTF-8', declared='utf-8')
    """
    page = _page(page)
    return Charset(page.charset, page.declared_charset)


def robots(host: str, **options: Unpack[OptionKeywords]) -> RobotsFile:
    """What robots.txt says to us on a host, named by itself or by any URL of it.

    Options are those of `dowse fetch`: `user_agent="mybot"` asks for another robot. A host without the file allows all.

    >>> found = robots("https://example.org/topics/")
    >>> found.rules, found.allows("https://example.org/internal/minutes.html")
    (['Disallow: /internal/'], False)
    """
    url = resolve(_absolute(host), "/robots.txt") or host
    job = job_of_page(url, **{**options, "robots": "ignore"})
    answer = fetch_page(job).response
    if answer.status >= 500:
        raise CrawlError(f"{url}: status {answer.status}, so crawls wait and fetch nothing")
    body, token = (answer.body if answer.status < 300 else b""), product_token(user_agent(job))
    rules = RobotsRules(body, token)
    text = body.decode("utf-8", "replace")
    return RobotsFile(url, text, rule_lines(body, token), rules.crawl_delay, rules.sitemaps, token)


def simhash(page: Page | str) -> int:
    """The SimHash of a page's text, 64 bits: pages that share most of their words differ in a few of them.

    A text that is no URL is taken as it is.

    >>> simhash("pears and plums") == simhash(read("<p>Pears and plums"))
    True
    """
    from dowse.core.duplicates.simhash import signature  # with numpy, which other tools need not load
    from dowse.parse.blocks import find_passages

    is_text = isinstance(page, str) and "://" not in page
    text = page if is_text and isinstance(page, str) else _page(page).text
    return signature(find_passages(text).words) % (1 << _BITS)


def distance(one: int, other: int) -> int:
    """In how many of 64 bits two SimHashes differ.

    >>> distance(0b1010, 0b0011)
    2
    """
    return ((one ^ other) % (1 << _BITS)).bit_count()


def parameters(url: str) -> list[tuple[str, str]]:
    """The parameters of a URL and their values, as they are meant.

    >>> parameters("https://example.org/find?q=red+pears&q=2&empty")
    [('q', 'red pears'), ('q', '2'), ('empty', '')]
    """
    return parse_qsl(url.partition("#")[0].partition("?")[2], keep_blank_values=True)


def without_parameters(url: str, names: Iterable[str] = ("*",)) -> str:
    """A URL without some of its parameters, or without any; `utm_*` stands for all that begin so.

    >>> without_parameters("https://example.org/find?q=pears&utm_source=x&page=2", ["utm_*", "page"])
    'https://example.org/find?q=pears'
    """
    return compared_form(_absolute(url), UrlOptions(drop_parameters=tuple(names)))


def scrape(page: Page | str, patterns: Mapping[str, str], exclude: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What selectors find on a page, by name; written as in `--extract`. What is not found is not there.

    `exclude` names parts to leave out of a field.

    >>> page = read("<h1>Pears <span>new</span></h1><b class=price>1,20 EUR</b>")
    >>> scrape(page, {"title": "//h1", "price:number": "css:.price"}, {"title": "//h1/span"})
    {'title': 'Pears', 'price': 1.2}
    """
    from dowse.extract.fields import FieldExtractor  # 70 ms that other tools need not take

    fields = tuple(f"{name}={selector}" for name, selector in patterns.items())
    exclusions = tuple(f"{name}={selector}" for name, selector in (exclude or {}).items())
    records = FieldExtractor(ExtractOptions(extract=fields, exclude_from=exclusions)).extract(_page(page))
    return {name: value for record in records if record.kind != UNFINISHED for name, value in record.fields.items()}


def _page(page: Page | str) -> Page:
    return fetch(page) if isinstance(page, str) else page


def _absolute(url: str) -> str:
    found = resolve("", read_url(url, "url"))
    assert found is not None  # read_url refuses what is no URL
    return found
