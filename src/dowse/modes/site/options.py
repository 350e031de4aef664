"""The options of a crawl of a whole site."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from dowse.core.job import Option


class SiteOptions(Struct, frozen=True, kw_only=True):
    """The whole site."""

    order: Annotated[Literal["breadth", "depth"], Option("Which waiting page is next.")] = "breadth"
