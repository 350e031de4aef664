"""The options of crawls as keyword arguments, for type checkers and editors.

Written by docs/generate_reference.py from the settings of the modes; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack, overload

if TYPE_CHECKING:
    from dowse.core.protocols import Fetcher
    from dowse.crawl import Crawl
    from dowse.engine.callbacks import FoundLink
    from dowse.extract.extractors import Extractor
    from dowse.parse.page import Page
    from dowse.python.page_stream import Stream


class OptionKeywords(TypedDict, total=False):
    """The options that every crawl has."""

    max_pages: int
    """Stop after this many pages; 0 is no limit."""
    max_bytes: int
    """Stop when bodies of so many bytes in all have come, counted after decompression; 0 is no limit."""
    max_results: int
    """Stop at so many results: matches, files, links kept or records; 0 is no limit."""
    max_time: float
    """Stop after this many seconds; 0 is no limit."""
    depth: int
    """Follow links at most this far from a seed; -1 is no limit."""
    scope: Literal["host", "domain", "any"]
    """Stay on the seeds' hosts, on their registered domains, or go anywhere."""
    include: str | list[str] | tuple[str, ...]
    """Only URLs that match one of these regular expressions."""
    exclude: str | list[str] | tuple[str, ...]
    """No URL that matches one of these."""
    skip_extensions: str | list[str] | tuple[str, ...]
    """File extensions not to fetch. Replaces the built-in list of media, archive and office files."""
    media_types: str | list[str] | tuple[str, ...]
    """Media types to download; others are dropped when their header arrives. */* takes all."""
    documents: bool
    """Take PDF, Word, Excel, PowerPoint, OpenDocument, RTF and EPUB files for pages: read their text, follow their
    links. PDF files need the extra `documents`."""
    paging: bool
    """Follow the further pages of lists, articles and threads, each as far from a seed as the first. In a browser,
    scroll and press what loads more."""
    url_length: int
    """Longest URL to take."""
    path_segments: int
    """Deepest path to take, in segments."""
    path_repeats: int
    """How often a path segment may come again in one URL."""
    parameters: int
    """Most query parameters in one URL."""
    parameter_sets: int
    """How many different combinations of parameter names one path may show."""
    parameter_combinations: int
    """How many combinations of values one path may show, if each parameter has only a few."""
    chain: int
    """How many pages of one shape may lead to each other without anything new (calendars)."""
    host_pages: int
    """Most pages from one host; 0 is no limit."""
    seed_pages: int
    """Most pages that links from one seed lead to, itself included; 0 is no limit."""
    delay: float
    """Seconds between two requests to one host; -1 waits about as long as its answers take."""
    per_host: int
    """Requests under way at one host."""
    robots: Literal["obey", "ignore"]
    """Whether robots.txt and robots tags are obeyed."""
    use: str | list[str] | tuple[str, ...]
    """What the pages are for: search, ai-use or train-ai. Pages whose site forbids that are not kept."""
    sitemaps: bool
    """Read the sitemaps that robots.txt names, else /sitemap.xml, and linked feeds."""
    retries: int
    """How often a failure that may pass is tried again."""
    user_agent: str
    """Name to give to servers and to look for in robots.txt; dowse/VERSION if empty."""
    contact: str
    """Where the people of a site find you: a page about your crawl, or an e-mail address. It is part of the name
    that servers get. DOWSE_CONTACT in the environment says it for all crawls."""
    sign_key: str
    """Sign requests (Web Bot Auth) with the key that is there: file:KEY.pem, env:NAME, keyring:SERVICE/USER. See
    dowse signing."""
    signature_agent: str
    """Where servers find the public part of the key, such as https://crawler.example.org."""
    fetch: Literal["http", "browser", "auto"]
    """Take pages as servers send them, as a browser shows them, or rendered only where that adds something."""
    page_time: float
    """Longest time for the scripts of a page; what is there by then is taken."""
    ready: str
    """A rendered page is ready when this is there, not when its requests have ended."""
    step: str | list[str] | tuple[str, ...]
    """What to do on rendered pages before they are read: click #accept; click-until-gone .more x 20; scroll x 10;
    type #q = words; select #country = France; press #q = Enter; hover .menu; wait .results. Written as PATTERN =>
    STEP it is done where the URL matches, as type:NAME => STEP on pages of a type."""
    explore: int
    """States of a rendered page to look at, by clicking what leads to no other page."""
    capture: Literal["off", "json"]
    """Keep the data that scripts of rendered pages fetch as records."""
    profile: str
    """Cookies and storage of a browser that has logged in; dowse login makes such a file."""
    signed_in: str
    """What every page shows while one is logged in; pages without it are failures."""
    images: bool
    """Load images, fonts, sound and video of rendered pages."""
    tabs: int
    """Pages rendered at the same time."""
    concurrency: int
    """Requests under way in all."""
    workers: int
    """Processes that fetch and read pages; 1 is this process alone."""
    cluster: str
    """Where the workers run: on a Ray cluster, as ray://HEAD:10001, HEAD:6379 or auto, or on one that is started
    here and ends with the crawl: local. Without it, what RAY_ADDRESS names, if there are several workers."""
    timeout: float
    """Longest time for one request."""
    connect_timeout: float
    """Longest time to connect."""
    read_timeout: float
    """Longest silence of a server during an answer."""
    max_body: int
    """Largest body to take, after decompression."""
    cut_body: int
    """Read only the first part of a page, so many bytes, and go on with that; 0 reads all of it."""
    charset: str
    """Read all pages in this charset, whatever they say they are written in; such as windows-1251."""
    max_redirects: int
    """Longest chain of redirects."""
    header: str | list[str] | tuple[str, ...]
    """Extra request header, for the seeds' hosts only (but Accept-Language and the like). A secret is best named:
    'Authorization: Bearer env:TOKEN'."""
    cookies: bool
    """Keep cookies during the crawl."""
    auth: str
    """Basic authentication, for the seeds' hosts only; best as USER:env:NAME."""
    proxy: str
    """Proxy to go through; its password is best named: http://me:env:NAME@host:8080."""
    verify_tls: bool
    """Check certificates."""
    bodies: bool
    """Keep what servers answer, as WARC files in the crawl's folder."""
    bodies_at: str
    """Folder that all machines see, for the WARC files: each worker writes there itself."""
    allow_private: bool
    """Let links and redirects lead to private addresses that you did not name."""
    public_only: bool
    """Connect to no private address, not even of a seed: for seeds that somebody else chose."""
    dedup: Literal["off", "exact", "near"]
    """exact: a page whose body was seen under another URL is a mirror; its links are not followed. near: nor are
    those of a page that is another one with small changes; hosts and parameters that make no difference are
    learned and skipped."""
    checksum: Literal["xxh3", "md5", "crc32"]
    """Checksum of the content-matching test."""
    extract: str | list[str] | tuple[str, ...] | Mapping[str, str]
    """A field to take from pages: title=//h1, price:number=css:.price, next=css:a.next@href, sku=re:sku=(\\w+).
    Types are text, number, date, url and html. tags[]=css:.tag takes all matches as a list, tags[, ]=css:.tag
    joins them, without brackets it is the first."""
    exclude_from: str | list[str] | tuple[str, ...]
    """Parts to leave out of what a field's selector finds: title=//h1/span, title=css:.badge."""
    article: bool
    """Take the main text of pages, with title, author, date, language and site name."""
    data: bool
    """Take what pages say for machines: JSON-LD, microdata, RDFa, Open Graph."""
    tables: bool
    """Take the rows of tables."""
    lists: bool
    """Take the items of lists, such as products, posts or search results, found without selectors."""
    keywords: int
    """Find so many keywords of each page, the words that it has and few other pages of the crawl."""
    describe: bool
    """Add to the table of pages what each says of itself: description, canonical, h1, language, words."""
    extractor: Extractor | type[Extractor] | str | list[Any] | tuple[Any, ...]
    """Take records with an extractor of an installed package, by its name, or with one of your own: FILE.py:NAME or
    MODULE:NAME."""
    on: str | list[str] | tuple[str, ...]
    """Extract only from pages whose URL matches one of these regular expressions."""
    drop_parameters: str | list[str] | tuple[str, ...]
    """Query parameters that never matter; * stands for any ending. NAME=session is dropped only where its value
    looks like a session id. Replaces the built-in list."""
    keep_parameters: str | list[str] | tuple[str, ...]
    """Parameters of the built-in list to keep after all."""
    sort_query: bool
    """Treat URLs that differ in the order of their parameters as one."""
    alias_www: bool
    """Treat www.example.org and example.org as one host."""
    alias_scheme: bool
    """Treat http and https as one."""
    ignore_case: bool
    """Treat URLs as one that differ only in capital and small letters of their paths."""
    store_only: str | list[str] | tuple[str, ...]
    """Crawl through all pages, and keep only those whose URL matches one of these: in tables, bodies, records and
    exports. The ledger has all."""
    requisites: bool
    """Fetch what pages need to be shown, too: style sheets, images, scripts, fonts and frames, on whatever host they
    are. They do not count as pages."""
    store: str
    """Keep the tables of the crawl in this PostgreSQL database, in a schema with the name of the folder, and not in
    a file: postgresql://USER@HOST/DATABASE. The password is not written down."""
    store_errors: bool
    """Have pages with a status of 400 or more in the table of pages, too."""
    weights: str
    """How much pages matter in recrawls. auto: what the mode knows, such as relevance; equal: all the same;
    pagerank: by the links that lead to them; or a CSV file with a URL or a regular expression, and a weight."""
    collection: int
    """Keep at most so many pages: a recrawl lets the least important go for more important ones; 0 keeps all."""
    follow: Callable[[FoundLink], bool] | str
    """A function that gets a link and says whether it is followed: FILE.py:NAME or MODULE:NAME."""
    on_page: Callable[[Page], Mapping[str, Any] | Iterable[Mapping[str, Any]] | None] | str
    """A function that gets a page and may return records: FILE.py:NAME or MODULE:NAME."""
    wrap_fetcher: Callable[[Fetcher], Any] | str
    """A class or function that gets the fetcher of dowse and returns the one to use: FILE.py:NAME or MODULE:NAME."""


class ExtractKeywords(TypedDict, total=False):
    """The options of reading stored pages again."""

    extract: str | list[str] | tuple[str, ...] | Mapping[str, str]
    """A field to take from pages: title=//h1, price:number=css:.price, next=css:a.next@href, sku=re:sku=(\\w+).
    Types are text, number, date, url and html. tags[]=css:.tag takes all matches as a list, tags[, ]=css:.tag
    joins them, without brackets it is the first."""
    exclude_from: str | list[str] | tuple[str, ...]
    """Parts to leave out of what a field's selector finds: title=//h1/span, title=css:.badge."""
    article: bool
    """Take the main text of pages, with title, author, date, language and site name."""
    data: bool
    """Take what pages say for machines: JSON-LD, microdata, RDFa, Open Graph."""
    tables: bool
    """Take the rows of tables."""
    lists: bool
    """Take the items of lists, such as products, posts or search results, found without selectors."""
    keywords: int
    """Find so many keywords of each page, the words that it has and few other pages of the crawl."""
    describe: bool
    """Add to the table of pages what each says of itself: description, canonical, h1, language, words."""
    extractor: Extractor | type[Extractor] | str | list[Any] | tuple[Any, ...]
    """Take records with an extractor of an installed package, by its name, or with one of your own: FILE.py:NAME or
    MODULE:NAME."""
    on: str | list[str] | tuple[str, ...]
    """Extract only from pages whose URL matches one of these regular expressions."""
    drop: str | list[str] | tuple[str, ...]
    """Fields to take no more, by their names."""


class CallKeywords(OptionKeywords, total=False):
    """Those of a call that begins a crawl."""

    output: str | PathLike[str] | None
    """Folder of the crawl; named after the host if not given."""
    replace: bool
    """Remove the crawl that is in the folder first."""
    resume: bool
    """Go on with the crawl that is in the folder, if there is one."""
    progress: bool | None
    """Show how far it is; if not given, in a notebook and on a terminal."""


class SiteKeywords(CallKeywords, total=False):
    """Those of `dowse.site`."""

    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    order: Literal["breadth", "depth"]
    """Which waiting page is next."""


class RulesKeywords(CallKeywords, total=False):
    """Those of `dowse.rules`."""

    base: str | list[str] | tuple[str, ...]
    """Only rules of this base URL of the table; may be given several times."""
    head: bool
    """Ask for the type, the size and the date of each kept link, by a HEAD request."""


class FocusKeywords(CallKeywords, total=False):
    """Those of `dowse.focus`."""

    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    like: str | list[str] | tuple[str, ...]
    """A page as wanted: a file or a URL."""
    unlike: str | list[str] | tuple[str, ...]
    """A page as not wanted."""
    by: Literal[
        "learned",
        "semantic",
        "astar",
        "astar-literal",
        "astar-best-child",
        "shark",
        "keywords",
        "priority",
        "parent",
        "breadth",
        "depth",
        "random",
    ]
    """The ranker: how the next link is chosen."""
    score: Literal["auto", "relevance", "keywords", "priority"]
    """The scorer: how pages are judged and ranked; auto is the one of the ranker."""
    match: Literal["auto", "any", "all"]
    """Which pages match: with any keyword, with all keywords, or (auto) by their relevance."""
    language: str
    """Language of the topic, by code or name."""
    context: bool
    """Read likely pages together with the topic, by a language model on this machine. It needs the extra `context`,
    and a topic in English."""
    related: bool
    """Let words count that are related to the topic's (points of priority)."""
    threshold: float
    """Relevance from which a page counts as matched, 0 to 1; -1 is that of the ranker."""
    least_worth: float
    """Drop links that are worth less than this to the ranker; 0 drops none."""
    graph_size: int
    """Pages of the web that is crawled, for astar; 0 estimates them by the first page."""
    first_h: float
    """The h of all links at first, for astar; -1 takes it from their words."""
    patience: int
    """Pages before it may stop because little is left to be found, fewer on small sites; 0 goes on."""
    ask: bool
    """Ask about pages it is least sure of, and judge all by the answers: while the crawl runs, on a terminal, and
    when it has ended."""
    questions: int
    """How many pages --ask asks about, at most."""


class FilesKeywords(CallKeywords, total=False):
    """Those of `dowse.files`."""

    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    pattern: str | list[str] | tuple[str, ...]
    """Only files whose URL matches one of these; without --type, whatever matches."""
    patience: int
    """Stop when so many pages brought next to no more files, or fewer if few can be left; 0 goes on."""


class FormsKeywords(CallKeywords, total=False):
    """Those of `dowse.forms`."""

    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    harvest: bool
    """Query the search forms, and take the records of their answers."""
    dry_run: bool
    """Only plan the first queries; the table queries has them. No form is sent."""
    max_queries: int
    """Most queries of one form; 0 is no limit."""
    result_pages: Literal["no", "later", "first"]
    """Fetch the pages that results link to: no, later than queries, or first."""
    depth_pages: int
    """Most pages of a site at each depth; 0 is no limit (SC2 of stopping early)."""
    depth_forms: int
    """Enough forms of a site at each depth; 0 is no limit (SC3 of stopping early)."""
    barren_pages: int
    """Leave a site after so many pages in a row without a new form; 0 goes on (SC4)."""
    backlinks: str
    """Who links to a site: a search as URL with {url}, or a CSV file (page, target)."""
    candidates: int
    """Use --backlinks while fewer sites of high priority wait than this."""
    known: str | list[str] | tuple[str, ...]
    """Folder of an earlier crawl for forms, whose sites are explored too."""


class ForumKeywords(CallKeywords, total=False):
    """Those of `dowse.forum`."""

    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    library: bool
    """Begin with the URL patterns of earlier crawls of forums, and keep those of this one."""


class GoingOnKeywords(OptionKeywords, total=False):
    """Those of `dowse.retry` and `dowse.recrawl`: of every mode."""

    order: Literal["breadth", "depth"]
    """Which waiting page is next."""
    table: str
    """The rules: a .csv, .json or .toml file, sqlite:///FILE or postgresql://HOST/DATABASE."""
    base: str | list[str] | tuple[str, ...]
    """Only rules of this base URL of the table; may be given several times."""
    head: bool
    """Ask for the type, the size and the date of each kept link, by a HEAD request."""
    topic: str
    """What the databases behind the forms should be about."""
    like: str | list[str] | tuple[str, ...]
    """A page as wanted: a file or a URL."""
    unlike: str | list[str] | tuple[str, ...]
    """A page as not wanted."""
    by: Literal[
        "learned",
        "semantic",
        "astar",
        "astar-literal",
        "astar-best-child",
        "shark",
        "keywords",
        "priority",
        "parent",
        "breadth",
        "depth",
        "random",
    ]
    """The ranker: how the next link is chosen."""
    score: Literal["auto", "relevance", "keywords", "priority"]
    """The scorer: how pages are judged and ranked; auto is the one of the ranker."""
    match: Literal["auto", "any", "all"]
    """Which pages match: with any keyword, with all keywords, or (auto) by their relevance."""
    language: str
    """Language of the topic, by code or name."""
    context: bool
    """Read likely pages together with the topic, by a language model on this machine. It needs the extra `context`,
    and a topic in English."""
    related: bool
    """Let words count that are related to the topic's (points of priority)."""
    threshold: float
    """Relevance from which a page counts as matched, 0 to 1; -1 is that of the ranker."""
    least_worth: float
    """Drop links that are worth less than this to the ranker; 0 drops none."""
    graph_size: int
    """Pages of the web that is crawled, for astar; 0 estimates them by the first page."""
    first_h: float
    """The h of all links at first, for astar; -1 takes it from their words."""
    patience: int
    """Stop when so many pages brought next to no more files, or fewer if few can be left; 0 goes on."""
    ask: bool
    """Ask about pages it is least sure of, and judge all by the answers: while the crawl runs, on a terminal, and
    when it has ended."""
    questions: int
    """How many pages --ask asks about, at most."""
    type: str | list[str] | tuple[str, ...]
    """Types of files, with commas between them: extensions (pdf, csv), media types (application/pdf, image/*) or the
    groups documents, data, archives, images and media."""
    pattern: str | list[str] | tuple[str, ...]
    """Only files whose URL matches one of these; without --type, whatever matches."""
    harvest: bool
    """Query the search forms, and take the records of their answers."""
    dry_run: bool
    """Only plan the first queries; the table queries has them. No form is sent."""
    max_queries: int
    """Most queries of one form; 0 is no limit."""
    result_pages: Literal["no", "later", "first"]
    """Fetch the pages that results link to: no, later than queries, or first."""
    depth_pages: int
    """Most pages of a site at each depth; 0 is no limit (SC2 of stopping early)."""
    depth_forms: int
    """Enough forms of a site at each depth; 0 is no limit (SC3 of stopping early)."""
    barren_pages: int
    """Leave a site after so many pages in a row without a new form; 0 goes on (SC4)."""
    backlinks: str
    """Who links to a site: a search as URL with {url}, or a CSV file (page, target)."""
    candidates: int
    """Use --backlinks while fewer sites of high priority wait than this."""
    known: str | list[str] | tuple[str, ...]
    """Folder of an earlier crawl for forms, whose sites are explored too."""
    library: bool
    """Begin with the URL patterns of earlier crawls of forums, and keep those of this one."""
    progress: bool | None
    """Show how far it is; if not given, in a notebook and on a terminal."""


class ResumeKeywords(GoingOnKeywords, total=False):
    """Those of `dowse.resume`."""

    seeds: str | list[str] | tuple[str, ...]
    """More URLs to start from."""
    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    drop: str | list[str] | tuple[str, ...]
    """Fields to take no more, by their names."""


class SimulateKeywords(OptionKeywords, total=False):
    """Those of `dowse.simulate`."""

    order: Literal["breadth", "depth"]
    """Which waiting page is next."""
    table: str
    """The rules: a .csv, .json or .toml file, sqlite:///FILE or postgresql://HOST/DATABASE."""
    base: str | list[str] | tuple[str, ...]
    """Only rules of this base URL of the table; may be given several times."""
    head: bool
    """Ask for the type, the size and the date of each kept link, by a HEAD request."""
    topic: str
    """What the databases behind the forms should be about."""
    like: str | list[str] | tuple[str, ...]
    """A page as wanted: a file or a URL."""
    unlike: str | list[str] | tuple[str, ...]
    """A page as not wanted."""
    score: Literal["auto", "relevance", "keywords", "priority"]
    """The scorer: how pages are judged and ranked; auto is the one of the ranker."""
    match: Literal["auto", "any", "all"]
    """Which pages match: with any keyword, with all keywords, or (auto) by their relevance."""
    language: str
    """Language of the topic, by code or name."""
    context: bool
    """Read likely pages together with the topic, by a language model on this machine. It needs the extra `context`,
    and a topic in English."""
    related: bool
    """Let words count that are related to the topic's (points of priority)."""
    threshold: float
    """Relevance from which a page counts as matched, 0 to 1; -1 is that of the ranker."""
    least_worth: float
    """Drop links that are worth less than this to the ranker; 0 drops none."""
    graph_size: int
    """Pages of the web that is crawled, for astar; 0 estimates them by the first page."""
    first_h: float
    """The h of all links at first, for astar; -1 takes it from their words."""
    patience: int
    """Stop when so many pages brought next to no more files, or fewer if few can be left; 0 goes on."""
    ask: bool
    """Ask about pages it is least sure of, and judge all by the answers: while the crawl runs, on a terminal, and
    when it has ended."""
    questions: int
    """How many pages --ask asks about, at most."""
    type: str | list[str] | tuple[str, ...]
    """Types of files, with commas between them: extensions (pdf, csv), media types (application/pdf, image/*) or the
    groups documents, data, archives, images and media."""
    pattern: str | list[str] | tuple[str, ...]
    """Only files whose URL matches one of these; without --type, whatever matches."""
    harvest: bool
    """Query the search forms, and take the records of their answers."""
    dry_run: bool
    """Only plan the first queries; the table queries has them. No form is sent."""
    max_queries: int
    """Most queries of one form; 0 is no limit."""
    result_pages: Literal["no", "later", "first"]
    """Fetch the pages that results link to: no, later than queries, or first."""
    depth_pages: int
    """Most pages of a site at each depth; 0 is no limit (SC2 of stopping early)."""
    depth_forms: int
    """Enough forms of a site at each depth; 0 is no limit (SC3 of stopping early)."""
    barren_pages: int
    """Leave a site after so many pages in a row without a new form; 0 goes on (SC4)."""
    backlinks: str
    """Who links to a site: a search as URL with {url}, or a CSV file (page, target)."""
    candidates: int
    """Use --backlinks while fewer sites of high priority wait than this."""
    known: str | list[str] | tuple[str, ...]
    """Folder of an earlier crawl for forms, whose sites are explored too."""
    library: bool
    """Begin with the URL patterns of earlier crawls of forums, and keep those of this one."""


class RunKeywords(GoingOnKeywords, total=False):
    """Those of `dowse.run`."""

    output: str | PathLike[str] | None
    """Folder of the crawl; named after the host if not given."""
    seeds_from: str | PathLike[str]
    """A file with more URLs to start from, one a line."""
    replace: bool
    """Remove the crawl that is in the folder first."""
    resume: bool
    """Go on with the crawl that is in the folder, if there is one."""


class SiteFunction(Protocol):
    """`dowse.site`."""

    def __call__(self, url: str | list[str] | tuple[str, ...] = ..., **options: Unpack[SiteKeywords]) -> Crawl: ...


class RulesFunction(Protocol):
    """`dowse.rules`."""

    def __call__(self, table: str, **options: Unpack[RulesKeywords]) -> Crawl: ...


class FocusFunction(Protocol):
    """`dowse.focus`."""

    def __call__(
        self, url: str | list[str] | tuple[str, ...] = ..., topic: str = ..., **options: Unpack[FocusKeywords]
    ) -> Crawl: ...


class FilesFunction(Protocol):
    """`dowse.files`."""

    def __call__(
        self,
        url: str | list[str] | tuple[str, ...] = ...,
        type: str | list[str] | tuple[str, ...] = ...,
        **options: Unpack[FilesKeywords],
    ) -> Crawl: ...


class FormsFunction(Protocol):
    """`dowse.forms`."""

    def __call__(
        self, url: str | list[str] | tuple[str, ...] = ..., topic: str = ..., **options: Unpack[FormsKeywords]
    ) -> Crawl: ...


class ForumFunction(Protocol):
    """`dowse.forum`."""

    def __call__(self, url: str | list[str] | tuple[str, ...] = ..., **options: Unpack[ForumKeywords]) -> Crawl: ...


class StreamFunction(Protocol):
    """`dowse.stream`."""

    @overload
    def __call__(
        self,
        url: str | list[str] | tuple[str, ...] = ...,
        *,
        mode: Literal["site"] = "site",
        **options: Unpack[SiteKeywords],
    ) -> Stream: ...
    @overload
    def __call__(self, table: str = ..., *, mode: Literal["rules"], **options: Unpack[RulesKeywords]) -> Stream: ...
    @overload
    def __call__(
        self,
        url: str | list[str] | tuple[str, ...] = ...,
        topic: str = ...,
        *,
        mode: Literal["focus"],
        **options: Unpack[FocusKeywords],
    ) -> Stream: ...
    @overload
    def __call__(
        self,
        url: str | list[str] | tuple[str, ...] = ...,
        type: str | list[str] | tuple[str, ...] = ...,
        *,
        mode: Literal["files"],
        **options: Unpack[FilesKeywords],
    ) -> Stream: ...
    @overload
    def __call__(
        self,
        url: str | list[str] | tuple[str, ...] = ...,
        topic: str = ...,
        *,
        mode: Literal["forms"],
        **options: Unpack[FormsKeywords],
    ) -> Stream: ...
    @overload
    def __call__(
        self, url: str | list[str] | tuple[str, ...] = ..., *, mode: Literal["forum"], **options: Unpack[ForumKeywords]
    ) -> Stream: ...
