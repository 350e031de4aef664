"""The options of a crawl of a forum."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from dowse.core.job import Option


class ForumOptions(Struct, frozen=True, kw_only=True):
    """What is known of forums, and what is kept of this one."""

    library: Annotated[
        bool, Option("Begin with the URL patterns of earlier crawls of forums, and keep those of this one.")
    ] = True
