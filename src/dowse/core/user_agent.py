"""The name we go by: in the User-Agent header, in robots.txt and in robots tags."""

from __future__ import annotations

import re

from dowse.core.job import Job
from dowse.version import VERSION

_COMPATIBLE = re.compile(r"\(compatible;\s*([\w-]+)", re.ASCII)


def product_token(user_agent: str) -> str:
    """The name by which robots.txt knows us: `dowse` for `dowse/1.0 (+https://...)`.

    A browser-like `Mozilla/5.0 (compatible; Name/1.0)` gives `Name`, as in the example of RFC 9309.
    """
    compatible = _COMPATIBLE.search(user_agent)
    return compatible[1] if compatible else user_agent.partition("/")[0].strip()


def user_agent(job: Job) -> str:
    """The name to give to servers."""
    return job.fetch.user_agent or f"dowse/{VERSION}"
