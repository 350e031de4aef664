"""The options of a crawl that looks for known links."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from dowse.core.job import Option


class ExploreOptions(Struct, frozen=True, kw_only=True):
    """What to look for."""

    want: Annotated[
        tuple[str, ...],
        Option("A link that is wanted; give two or more. Pages with addresses like theirs are fetched first.", "URL"),
    ] = ()
