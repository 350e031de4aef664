"""The options that say where a crawl may go."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from dowse.core.options import option_checks
from dowse.core.options.option import Option


class ScopeOptions(Struct, frozen=True, kw_only=True):
    """Where the crawl may go."""

    scope: Annotated[
        Literal["host", "domain", "any"],
        Option("Stay on the seeds' hosts, on their registered domains, or go anywhere."),
    ] = "host"
    include: Annotated[tuple[str, ...], Option("Only URLs that match one of these regular expressions.", "REGEX")] = ()
    exclude: Annotated[tuple[str, ...], Option("No URL that matches one of these.", "REGEX")] = ()
    skip_extensions: Annotated[
        tuple[str, ...],
        Option("File extensions not to fetch. Replaces the built-in list of media, archive and office files.", "EXT"),
    ] = ()
    media_types: Annotated[
        tuple[str, ...],
        Option(
            "Media types to download; others are dropped when their header arrives. */* takes all.",
            "TYPE",
            check=option_checks.media_type,
        ),
    ] = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/rss+xml",
         "application/atom+xml", "text/plain")  # fmt: skip
    documents: Annotated[
        bool,
        Option(
            "Take PDF, Word, Excel, PowerPoint, OpenDocument, RTF and EPUB files for pages: read their text, follow"
            " their links. PDF files need the extra `documents`."
        ),
    ] = False
    paging: Annotated[
        bool,
        Option(
            "Follow the further pages of lists, articles and threads, each as far from a seed as the first. In a"
            " browser, scroll and press what loads more."
        ),
    ] = False
    url_length: Annotated[int, Meta(ge=1), Option("Longest URL to take.", "N")] = 2000
    path_segments: Annotated[int, Meta(ge=1), Option("Deepest path to take, in segments.", "N")] = 32
    path_repeats: Annotated[int, Meta(ge=0), Option("How often a path segment may come again in one URL.", "N")] = 3
    parameters: Annotated[int, Meta(ge=0), Option("Most query parameters in one URL.", "N")] = 12
    parameter_sets: Annotated[
        int, Meta(ge=1), Option("How many different combinations of parameter names one path may show.", "N")
    ] = 64
    parameter_combinations: Annotated[
        int,
        Meta(ge=1),
        Option("How many combinations of values one path may show, if each parameter has only a few.", "N"),
    ] = 500
    chain: Annotated[
        int,
        Meta(ge=1),
        Option("How many pages of one shape may lead to each other without anything new (calendars).", "N"),
    ] = 100
    host_pages: Annotated[int, Meta(ge=0), Option("Most pages from one host; 0 is no limit.", "N")] = 0
    seed_pages: Annotated[
        int, Meta(ge=0), Option("Most pages that links from one seed lead to, itself included; 0 is no limit.", "N")
    ] = 0
