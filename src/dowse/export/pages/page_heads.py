"""What the heads of all HTML pages share: a policy that lets nothing run but what is ours, and how a crawl is named."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Sequence

from dowse.core.phrasing import shortened


def content_policy(style: str, script: str = "") -> str:
    """The policy of a page that loads nothing. Its style sheet and its script are let through by their checksums."""
    scripts = f" script-src 'sha256-{_checksum(script)}';" if script else ""
    return f"default-src 'none'; style-src 'sha256-{_checksum(style)}';{scripts} base-uri 'none'; form-action 'none'"


def subject(seeds: Sequence[str], name: str) -> str:
    """The site by its first seed's host, or the folder where there is no seed to speak of."""
    host = seeds[0].partition("//")[2].partition("/")[0].rpartition("@")[2] if seeds else ""
    return shortened(host or name, 80)


def moment(timestamp: float) -> str:
    """A point in time: 5 November 2026, 14:03 UTC."""
    told = time.gmtime(timestamp)
    return f"{told.tm_mday} {time.strftime('%B %Y, %H:%M', told)} UTC"


def standard_time(timestamp: float) -> str:
    """A point in time for programs: 2026-11-05T14:03:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(timestamp))


def _checksum(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
