"""The job: everything a user can ask for, once, with its type, its default and its meaning.

The command line, the job file, the Python API and the reference manual are all made from these
fields, so each has every option and they use the same words. A field's `Option` holds the help text
and the command-line spelling where it differs from `--field-name`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from dowse.core.options import option_checks
from dowse.core.options.callback_options import CallbackOptions
from dowse.core.options.extract_options import ExtractOptions as ExtractOptions
from dowse.core.options.identity_options import IdentityOptions
from dowse.core.options.option import Option as Option
from dowse.core.options.revisit_options import RevisitOptions
from dowse.core.options.scope_options import ScopeOptions as ScopeOptions
from dowse.core.options.store_options import StoreOptions
from dowse.core.secret import OPTIONS, concealed
from dowse.core.tracking_parameters import TRACKING_PARAMETERS


def shown_options(options: Struct) -> str:
    """Options for tracebacks and prompts, without secrets."""
    texts = {
        name: tuple(concealed(name, text) for text in value) if isinstance(value, tuple) else concealed(name, value)
        for name, value in asdict(options).items()
        if name in OPTIONS
    }
    fields = ", ".join(f"{name}={value!r}" for name, value in (asdict(options) | texts).items())
    return f"{type(options).__name__}({fields})"


class UrlOptions(Struct, frozen=True, kw_only=True):
    """Which URLs count as the same."""

    drop_parameters: Annotated[
        tuple[str, ...],
        Option(
            "Query parameters that never matter; * stands for any ending. NAME=session is dropped only where its value"
            " looks like a session id. Replaces the built-in list.",
            "NAME",
            check=option_checks.dropped_parameter,
        ),
    ] = TRACKING_PARAMETERS
    keep_parameters: Annotated[
        tuple[str, ...],
        Option("Parameters of the built-in list to keep after all.", "NAME", check=option_checks.parameter),
    ] = ()
    sort_query: Annotated[bool, Option("Treat URLs that differ in the order of their parameters as one.")] = False
    alias_www: Annotated[bool, Option("Treat www.example.org and example.org as one host.")] = False
    alias_scheme: Annotated[bool, Option("Treat http and https as one.")] = False
    ignore_case: Annotated[
        bool, Option("Treat URLs as one that differ only in capital and small letters of their paths.")
    ] = False


class Limits(Struct, frozen=True, kw_only=True):
    """When to stop."""

    max_pages: Annotated[int, Meta(ge=0), Option("Stop after this many pages; 0 is no limit.", "N")] = 0
    max_bytes: Annotated[
        int,
        Meta(ge=0),
        Option(
            "Stop when bodies of so many bytes in all have come, counted after decompression; 0 is no limit.", "BYTES"
        ),
    ] = 0
    max_results: Annotated[
        int, Meta(ge=0), Option("Stop at so many results: matches, files, links kept or records; 0 is no limit.", "N")
    ] = 0
    max_time: Annotated[float, Meta(ge=0), Option("Stop after this many seconds; 0 is no limit.", "SECONDS")] = 0.0
    depth: Annotated[int, Meta(ge=-1), Option("Follow links at most this far from a seed; -1 is no limit.", "N")] = -1


class Politeness(Struct, frozen=True, kw_only=True):
    """How hard a host may be asked."""

    delay: Annotated[
        float,
        Meta(ge=-1),
        Option("Seconds between two requests to one host; -1 waits about as long as its answers take.", "SECONDS"),
    ] = -1.0
    per_host: Annotated[int, Meta(ge=1), Option("Requests under way at one host.", "N")] = 4
    robots: Annotated[Literal["obey", "ignore"], Option("Whether robots.txt and robots tags are obeyed.")] = "obey"
    use: Annotated[
        tuple[str, ...],
        Option(
            "What the pages are for: search, ai-use or train-ai. Pages whose site forbids that are not kept.",
            "USE",
            check=option_checks.use,
        ),
    ] = ()
    sitemaps: Annotated[
        bool, Option("Read the sitemaps that robots.txt names, else /sitemap.xml, and linked feeds.")
    ] = True
    retries: Annotated[int, Meta(ge=0), Option("How often a failure that may pass is tried again.", "N")] = 2


class FetchOptions(IdentityOptions, frozen=True, kw_only=True):
    """How pages are fetched."""

    fetch: Annotated[
        Literal["http", "browser", "auto"],
        Option("Take pages as servers send them, as a browser shows them, or rendered only where that adds something."),
    ] = "http"
    page_time: Annotated[
        float,
        Meta(ge=0.1),
        Option("Longest time for the scripts of a page; what is there by then is taken.", "SECONDS"),
    ] = 5.0
    ready: Annotated[
        str, Option("A rendered page is ready when this is there, not when its requests have ended.", "SELECTOR")
    ] = ""
    step: Annotated[
        tuple[str, ...],
        Option(
            "What to do on rendered pages before they are read: click #accept; click-until-gone .more x 20;"
            " scroll x 10; type #q = words; select #country = France; press #q = Enter; hover .menu; wait .results."
            " Written as PATTERN => STEP it is done where the URL matches, as type:NAME => STEP on pages of a type.",
            "STEP",
            check=option_checks.step,
        ),
    ] = ()
    explore: Annotated[
        int, Meta(ge=0), Option("States of a rendered page to look at, by clicking what leads to no other page.", "N")
    ] = 0
    capture: Annotated[
        Literal["off", "json"], Option("Keep the data that scripts of rendered pages fetch as records.")
    ] = "off"
    profile: Annotated[
        str, Option("Cookies and storage of a browser that has logged in; dowse login makes such a file.", "FILE")
    ] = ""
    signed_in: Annotated[
        str, Option("What every page shows while one is logged in; pages without it are failures.", "SELECTOR")
    ] = ""
    images: Annotated[bool, Option("Load images, fonts, sound and video of rendered pages.")] = False
    tabs: Annotated[int, Meta(ge=1), Option("Pages rendered at the same time.", "N")] = 8
    concurrency: Annotated[int, Meta(ge=1), Option("Requests under way in all.", "N")] = 64
    workers: Annotated[
        int, Meta(ge=1), Option("Processes that fetch and read pages; 1 is this process alone.", "N")
    ] = 1
    cluster: Annotated[
        str,
        Option(
            "Where the workers run: on a Ray cluster, as ray://HEAD:10001, HEAD:6379 or auto, or on one that is started"
            " here and ends with the crawl: local. Without it, what RAY_ADDRESS names, if there are several workers.",
            "ADDRESS",
            check=option_checks.cluster,
        ),
    ] = ""
    timeout: Annotated[float, Meta(ge=0.001), Option("Longest time for one request.", "SECONDS")] = 30.0
    connect_timeout: Annotated[float, Meta(ge=0.001), Option("Longest time to connect.", "SECONDS")] = 10.0
    read_timeout: Annotated[float, Meta(ge=1), Option("Longest silence of a server during an answer.", "SECONDS")] = (
        15.0
    )
    max_body: Annotated[int, Meta(ge=1), Option("Largest body to take, after decompression.", "BYTES")] = 20_000_000
    cut_body: Annotated[
        int,
        Meta(ge=0),
        Option("Read only the first part of a page, so many bytes, and go on with that; 0 reads all of it.", "BYTES"),
    ] = 0
    charset: Annotated[
        str,
        Option("Read all pages in this charset, whatever they say they are written in; such as windows-1251.", "NAME"),
    ] = ""
    max_redirects: Annotated[int, Meta(ge=0), Option("Longest chain of redirects.", "N")] = 10
    header: Annotated[
        tuple[str, ...],
        Option(
            "Extra request header, for the seeds' hosts only (but Accept-Language and the like). A secret is best"
            " named: 'Authorization: Bearer env:TOKEN'.",
            "'NAME: VALUE'",
            check=option_checks.header,
        ),
    ] = ()
    cookies: Annotated[bool, Option("Keep cookies during the crawl.")] = True
    auth: Annotated[
        str,
        Option(
            "Basic authentication, for the seeds' hosts only; best as USER:env:NAME.",
            "USER:PASSWORD",
            check=option_checks.auth,
        ),
    ] = ""
    proxy: Annotated[
        str,
        Option(
            "Proxy to go through; its password is best named: http://me:env:NAME@host:8080.",
            "URL",
            check=option_checks.proxy,
        ),
    ] = ""
    verify_tls: Annotated[bool, Option("Check certificates.")] = True
    bodies: Annotated[bool, Option("Keep what servers answer, as WARC files in the crawl's folder.")] = True
    bodies_at: Annotated[
        str,
        Option("Folder that all machines see, for the WARC files: each worker writes there itself.", "DIR"),
    ] = ""
    allow_private: Annotated[
        bool, Option("Let links and redirects lead to private addresses that you did not name.")
    ] = False
    public_only: Annotated[
        bool, Option("Connect to no private address, not even of a seed: for seeds that somebody else chose.")
    ] = False

    def __repr__(self) -> str:
        return shown_options(self)


class DedupOptions(Struct, frozen=True, kw_only=True):
    """Which pages count as the same."""

    dedup: Annotated[
        Literal["off", "exact", "near"],
        Option(
            "exact: a page whose body was seen under another URL is a mirror; its links are not followed. "
            "near: nor are those of a page that is another one with small changes; hosts and parameters that make no "
            "difference are learned and skipped."
        ),
    ] = "exact"
    checksum: Annotated[Literal["xxh3", "md5", "crc32"], Option("Checksum of the content-matching test.")] = "xxh3"


class Job(Struct, frozen=True, kw_only=True):
    """One crawl as its user asked for it. `mode` is the name of its mode, `options` are those that only it has.

    >>> dowse.open("example").job.limits.max_pages
    60
    """

    seeds: tuple[str, ...]
    output: str = "crawl"
    mode: str
    options: Struct
    limits: Limits = Limits()
    scope: ScopeOptions = ScopeOptions()
    politeness: Politeness = Politeness()
    fetch: FetchOptions = FetchOptions()
    dedup: DedupOptions = DedupOptions()
    extract: ExtractOptions = ExtractOptions()
    urls: UrlOptions = UrlOptions()
    store: StoreOptions = StoreOptions()
    revisits: RevisitOptions = RevisitOptions()
    callbacks: CallbackOptions = CallbackOptions()


def takes_records(job: Job) -> bool:
    """Whether records were asked for."""
    return bool(asked_kinds(job.extract) or job.extract.extractor or job.callbacks.on_page)


def asked_kinds(options: ExtractOptions) -> list[str]:
    """The kinds of records that the options ask for."""
    asked = {
        "fields": options.extract,
        "article": options.article,
        "data": options.data,
        "table": options.tables,
        "list": options.lists,
    }
    return [kind for kind, is_asked in asked.items() if is_asked]
