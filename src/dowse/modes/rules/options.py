"""The options of a crawl by rules."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from dowse.core.job import Option, shown_options


class RulesOptions(Struct, frozen=True, kw_only=True):
    """What a rule table asks for."""

    table: Annotated[
        str,
        Option("The rules: a .csv, .json or .toml file, sqlite:///FILE or postgresql://HOST/DATABASE.", "TABLE"),
    ] = ""
    base: Annotated[
        tuple[str, ...], Option("Only rules of this base URL of the table; may be given several times.", "URL")
    ] = ()

    head: Annotated[bool, Option("Ask for the type, the size and the date of each kept link, by a HEAD request.")] = (
        False
    )

    def __repr__(self) -> str:
        return shown_options(self)
