"""The options that say which of the visited pages are in the index of a crawl: its tables, bodies and exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict

from dowse.core.options import option_checks
from dowse.core.options.option import Option
from dowse.core.secret import concealed


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
    store: Annotated[
        str,
        Option(
            "Keep the tables of the crawl in this PostgreSQL database, in a schema with the name of the folder, and not"
            " in a file: postgresql://USER@HOST/DATABASE. The password is not written down.",
            "URL",
            check=option_checks.database,
        ),
    ] = ""
    store_errors: Annotated[bool, Option("Have pages with a status of 400 or more in the table of pages, too.")] = False

    def __repr__(self) -> str:
        texts = asdict(self) | {"store": concealed("store", self.store)}
        return f"StoreOptions({', '.join(f'{name}={value!r}' for name, value in texts.items())})"


def kept_by(options: StoreOptions) -> Callable[[str], bool]:
    """A test of URLs: whether the user wants the page in the index, or only what it leads to."""
    if not options.store_only:
        return bool
    from dowse.core.patterns import Patterns  # a library for regular expressions, which `dowse --help` need not load

    patterns = Patterns("store_only", options.store_only)
    return lambda url: bool(patterns.found(url))
