"""The name we go by: in the User-Agent header, in robots.txt and in robots tags."""

from __future__ import annotations

import re

from dowse.core.job import FetchOptions, Job
from dowse.core.options.option_checks import is_mail
from dowse.version import VERSION

_CONTACT = re.compile(r"https?://|\S@\S")
_COMPATIBLE = re.compile(r"\(compatible;\s*([\w-]+)", re.ASCII)


def product_token(user_agent: str) -> str:
    """The name by which robots.txt knows us: `dowse` for `dowse/1.0 (+https://...)`.

    A browser-like `Mozilla/5.0 (compatible; Name/1.0)` gives `Name`, as in the example of RFC 9309.
    """
    compatible = _COMPATIBLE.search(user_agent)
    return compatible[1] if compatible else user_agent.partition("/")[0].strip()


def user_agent(job: Job) -> str:
    """The name to give to servers, with the contact in the customary place: `dowse/1.0 (+https://example.org/crawl)`."""
    name, contact = job.fetch.user_agent or f"dowse/{VERSION}", job.fetch.contact
    if not contact or contact in name:
        return name
    return f"{name} (+mailto:{contact})" if is_mail(contact) else f"{name} (+{contact})"


def sender(options: FetchOptions) -> str:
    """The From header: an e-mail address, which RFC 9110 (10.1.2) asks of robots; "" if none is known."""
    own = any(header.partition(":")[0].strip().lower() == "from" for header in options.header)
    return options.contact if is_mail(options.contact) and not own else ""


def names_contact(user_agent: str) -> bool:
    """Whether a name that the user gave says already where to find them."""
    return _CONTACT.search(user_agent) is not None
