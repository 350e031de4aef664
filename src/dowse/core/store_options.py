"""The options that say which of the visited pages are in the index of a crawl: its tables, bodies and exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from dowse.core.option import Option


class StoreOptions(Struct, frozen=True, kw_only=True):
    """What is kept of the crawl."""

    store_only: Annotated[
        tuple[str, ...],
        Option(
            "Crawl through all pages, and keep only those whose URL matches one of these: in tables, bodies, records"
            " and exports. The ledger has all.",
            "REGEX",
        ),
    ] = ()
    requisites: Annotated[
        bool,
        Option(
            "Fetch what pages need to be shown, too: style sheets, images, scripts, fonts and frames, on whatever host"
            " they are. They do not count as pages."
        ),
    ] = False
    store_errors: Annotated[bool, Option("Have pages with a status of 400 or more in the table of pages, too.")] = False


def kept_by(options: StoreOptions) -> Callable[[str], bool]:
    """A test of URLs: whether the user wants the page in the index, or only what it leads to."""
    if not options.store_only:
        return bool
    from dowse.core.patterns import Patterns  # a library for regular expressions, which `dowse --help` need not load

    patterns = Patterns("store_only", options.store_only)
    return lambda url: bool(patterns.found(url))
