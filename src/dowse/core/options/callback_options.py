"""The options of a job that name code of its user. Jobs hold names only; own_code.py finds what they stand for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from dowse.core.options import option_checks
from dowse.core.options.option import Option


class CallbackOptions(Struct, frozen=True, kw_only=True):
    """Your own code."""

    follow: Annotated[
        str,
        Option(
            "A function that gets a link and says whether it is followed: FILE.py:NAME or MODULE:NAME.",
            "FILE.py:NAME",
            check=option_checks.code,
        ),
    ] = ""
    on_page: Annotated[
        str,
        Option(
            "A function that gets a page and may return records: FILE.py:NAME or MODULE:NAME.",
            "FILE.py:NAME",
            check=option_checks.code,
        ),
    ] = ""
    wrap_fetcher: Annotated[
        str,
        Option(
            "A class or function that gets the fetcher of dowse and returns the one to use: FILE.py:NAME or"
            " MODULE:NAME.",
            "FILE.py:NAME",
            check=option_checks.code,
        ),
    ] = ""
