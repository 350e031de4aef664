"""Who we are to servers: a name, whom to ask about us, and how we prove it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from dowse.core.options import option_checks
from dowse.core.options.option import Option


class IdentityOptions(Struct, frozen=True, kw_only=True):
    """Who asks."""

    user_agent: Annotated[
        str, Option("Name to give to servers and to look for in robots.txt; dowse/VERSION if empty.", "TEXT")
    ] = ""
    contact: Annotated[
        str,
        Option(
            "Where the people of a site find you: a page about your crawl, or an e-mail address. It is part of the name"
            " that servers get. DOWSE_CONTACT in the environment says it for all crawls.",
            "ADDRESS",
            check=option_checks.contact,
        ),
    ] = ""
    sign_key: Annotated[
        str,
        Option(
            "Sign requests (Web Bot Auth) with the key that is there: file:KEY.pem, env:NAME, keyring:SERVICE/USER. See"
            " dowse signing.",
            "REFERENCE",
            check=option_checks.sign_key,
        ),
    ] = ""
    signature_agent: Annotated[
        str,
        Option(
            "Where servers find the public part of the key, such as https://crawler.example.org.",
            "URL",
            check=option_checks.signature_agent,
        ),
    ] = ""
