"""Which part of an option is a secret, and how a secret is named instead of written. Pure.

    auth    me:PASSWORD                              header  Authorization: VALUE, but not Accept-Language and the like
    proxy   http://me:PASSWORD@host:8080             Cookie  a=VALUE; b=VALUE
    table   postgresql://me:PASSWORD@host/rules      step    type #password = VALUE

In place of what is in capitals, and of a whole `auth` or `proxy`, can stand a reference; `sign_key` is always one:

    env:NAME   file:PATH   keyring:SERVICE/USER   ask:

Whatever is written down of a job (the database, job files) has a reference there: a secret that was given as it is
becomes `ask:`, and is asked for when the job is run again (that of a database becomes `env:PGPASSWORD`, for it is
needed again and again). Only a running crawl has the values, in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

OPTIONS = ("auth", "header", "proxy", "sign_key", "step", "store", "table")
"""The options that can hold a secret."""

ASK = "ask:"
_LIBPQ = "env:PGPASSWORD"
"""What stands for the password of a database."""

_REFERENCE = re.compile(
    r"(?<![^\s=])(?:env:[A-Za-z_]\w*|file:[^\s;,]+|keyring:[^\s;,/=]+/[^\s;,]+|ask:)(?=[\s;,]|$)", re.ASCII
)
_WHOLE = ("auth", "proxy", "sign_key")
# Headers that say nothing that others may not know.
_PLAIN_HEADERS = frozenset({
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection", "content-type",
    "dnt", "from", "origin", "pragma", "range", "referer", "te", "upgrade-insecure-requests", "user-agent", "via",
    "x-requested-with",
})  # fmt: skip
_PASSWORD_OF_URL = re.compile(r"://[^/?#@:]*:([^/]*)@|[?&](?:(?:ssl)?password|oauth_client_secret)=([^&#]*)")
_STEP_VALUE = re.compile(r"(?:\S+\s+=>\s+)?(?:type|select|press)\s+(\S.*?) = +(\S.*?)\s*", re.DOTALL)
_TYPED = re.compile(r"(?:\S+\s+=>\s+)?type\s")
# What a field is called that takes what nobody else should read.
_SECRET_FIELD = re.compile(
    r"pass|pw|secret|token|otp|\bpin\b|code|cvc|cvv|api.?key|kennwort|clave|mot.?de", re.IGNORECASE
)
_HARDLY = 60


class Region(NamedTuple):
    """Where in an option a secret stands, and what to call it."""

    start: int
    end: int
    name: str


def regions(option: str, text: str) -> Iterator[Region]:
    """The places in the text of an option where a secret stands or is named."""
    if option in _WHOLE and _REFERENCE.fullmatch(text):
        yield Region(0, len(text), option.replace("_", " "))
    elif option == "auth":
        user, colon, _ = text.partition(":")
        yield Region(len(user) + len(colon), len(text), f"the password of {user}")
    elif option == "header":
        yield from _of_header(text)
    elif option == "step":
        yield from _of_step(text)
    elif option in ("proxy", "store", "table") and "://" in text:
        for found in _PASSWORD_OF_URL.finditer(text):
            which = 1 if found[1] is not None else 2
            yield Region(found.start(which), found.end(which), f"the password of the {option}")


def _of_header(text: str) -> Iterator[Region]:
    name, _, value = text.partition(":")
    if name.strip().lower() in _PLAIN_HEADERS or not value.strip():
        return
    if name.strip().lower() == "cookie":
        place = len(name) + 1
        for part in value.split(";"):
            cookie, mark, worth = part.partition("=")
            if mark and worth.strip():
                yield Region(place + len(cookie) + 1, place + len(part), f"the cookie {cookie.strip()}")
            elif part.strip():  # it has no name, and is a secret as a whole
                yield Region(place + len(part) - len(part.lstrip()), place + len(part), "a cookie")
            place += len(part) + 1
        return
    start = len(text) - len(value.lstrip())
    yield Region(start, len(text.rstrip()), f"the header {name.strip()}")


def _of_step(text: str) -> Iterator[Region]:
    found = _STEP_VALUE.fullmatch(text.strip())
    if found is None:
        return
    is_secret = _TYPED.match(text.strip()) is not None and _SECRET_FIELD.search(found[1]) is not None
    if is_secret or _REFERENCE.fullmatch(found[2]):
        shift = len(text) - len(text.lstrip())
        yield Region(found.start(2) + shift, found.end(2) + shift, f"what to type into {found[1][:_HARDLY]}")


def is_reference(text: str) -> bool:
    """Whether a text is nothing but a reference."""
    return _REFERENCE.fullmatch(text) is not None


def references(option: str, text: str) -> list[str]:
    """The references in the text of an option.

    >>> references("header", "Authorization: Bearer env:TOKEN")
    ['env:TOKEN']
    """
    return [found for region in regions(option, text) for found in _named(option, text[region.start : region.end])]


def concealed(option: str, text: str) -> str:
    """The text as it may be written down and shown: with references only.

    >>> concealed("auth", "me:hunter2"), concealed("auth", "me:env:PASSWORD")
    ('me:ask:', 'me:env:PASSWORD')
    """
    named = _LIBPQ if option in ("store", "table") else ASK

    def conceal(secret: str, _name: str) -> str:
        return secret if not secret or _names_all(option, secret) else named

    return _changed(option, text, conceal)


def _names_all(option: str, secret: str) -> bool:
    """Whether nothing but references is in a secret; before one, a header may have a word: Bearer env:TOKEN."""
    if not _named(option, secret):
        return False
    return option != "header" or len(_REFERENCE.sub("", secret).split()) <= 1


def filled(option: str, text: str, find: Callable[[str, str], str]) -> str:
    """The text with what `find` gives for each reference and the name of what is meant."""

    def fill(secret: str, name: str) -> str:
        whole = len(secret) == len(text)

        def value(reference: re.Match[str]) -> str:
            found = find(reference[0], name)
            return quote(found, safe="") if option in ("proxy", "store", "table") and not whole else found

        return _REFERENCE.sub(value, secret) if _named(option, secret) else secret

    return _changed(option, text, fill)


def _named(option: str, secret: str) -> list[str]:
    """The references that stand for a secret: all of it, or in a header the words of it that are (Bearer env:TOKEN)."""
    return _REFERENCE.findall(secret) if option == "header" or _REFERENCE.fullmatch(secret) else []


def _changed(option: str, text: str, change: Callable[[str, str], str]) -> str:
    for region in reversed(list(regions(option, text))):
        text = text[: region.start] + change(text[region.start : region.end], region.name) + text[region.end :]
    return text


def is_given(option: str, text: str) -> bool:
    """Whether there is a secret in the text of an option, by itself or by reference, or a text to type."""
    return any(region.end > region.start for region in regions(option, text)) or (
        option == "step" and _TYPED.match(text.strip()) is not None
    )
