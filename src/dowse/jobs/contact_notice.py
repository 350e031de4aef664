"""The one line about a missing contact: for the first crawl of a public host, and not again."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

from dowse.core.job import Job
from dowse.core.user_agent import names_contact
from dowse.engine.events import Notice
from dowse.engine.loop import Listener
from dowse.fetch.guard import is_public
from dowse.machine.credentials import state_folder

_TOLD = "contact-told"
_OWN_NAMES = ("localhost", "local", "internal", "lan", "test", "invalid", "example", "home.arpa")
"""The last parts of names that no public host has."""


def tell_of_contact(job: Job, listener: Listener | None) -> None:
    """Say it to whoever listens. It counts as said when somebody could see it: a script may crawl in silence."""
    if listener is not None and (notice := contact_missing(job)):
        listener(Notice(notice, _note_told))


def contact_missing(job: Job) -> str:
    """What to say of a crawl that tells nobody whose it is; "" where nothing is to be said, or it was said before."""
    if job.fetch.contact or names_contact(job.fetch.user_agent) or not any(map(_is_elsewhere, job.seeds)):
        return ""
    with suppress(OSError):
        if (state_folder() / _TOLD).exists():
            return ""
    return "give --contact or DOWSE_CONTACT, so that sites know whose crawl it is"


def _note_told() -> None:
    mark = state_folder() / _TOLD
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mark.touch()


def _is_elsewhere(seed: str) -> bool:
    """Whether a seed is of a host that others keep, as far as its name says."""
    host = (urlsplit(seed).hostname or "").rstrip(".")
    if ":" in host or host.replace(".", "").isdigit():
        return is_public(host)
    return "." in host and not any(host.endswith(f".{name}") for name in _OWN_NAMES)
