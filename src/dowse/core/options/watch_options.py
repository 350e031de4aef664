"""The options of `dowse watch`, which are the keys of the section [watch] of a job file."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from dowse.core.options.option import Option
from dowse.core.options.option_checks import is_mail, is_web_url
from dowse.core.revisits.changes import KINDS
from dowse.core.secret import is_reference

_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_SPAN = re.compile("".join(rf"(?:(?P<{unit}>\d{{1,6}}){unit})?" for unit in _UNITS))
_LONGEST = 366 * 86_400
_MAIL_SERVER = re.compile(r"(smtps?)://(?:(?P<user>[^\s/:]+)@)?(?P<host>[\w.-]+|\[[\da-fA-F:]+\])(?::\d{1,5})?/?")


def seconds_of(text: str) -> int:
    """The seconds of a span of time as people write it; 0 if it is none.

    >>> seconds_of("6h"), seconds_of("1h30m"), seconds_of("soon")
    (21600, 5400, 0)
    """
    found = _SPAN.fullmatch(text.strip().lower())
    return sum(int(number) * _UNITS[unit] for unit, number in found.groupdict("0").items()) if found else 0


def _span(text: str) -> str:
    if not (seconds := seconds_of(text)):
        return "expected a span of time such as 30m, 6h, 1h30m or 7d"
    return "" if seconds <= _LONGEST else "must be at most a year"


def _kind(text: str) -> str:
    return "" if text in KINDS else f"expected {', '.join(KINDS[:-1])} or {KINDS[-1]}"


def _webhook(text: str) -> str:
    return "" if is_web_url(text) else "expected a URL that begins with https:// or http://"


def _mail(text: str) -> str:
    return "" if is_mail(text) or re.fullmatch(r"[\w.+-]+@localhost", text) else "expected an e-mail address"


def _server(text: str) -> str:
    return "" if _MAIL_SERVER.fullmatch(text) else "expected smtp://USER@HOST:PORT or smtps://USER@HOST:PORT"


def _reference(text: str) -> str:
    return "" if is_reference(text) else "expected where it is kept: env:NAME, file:PATH, keyring:SERVICE/USER or ask:"


class WatchOptions(Struct, frozen=True, kw_only=True):
    """When a crawl is visited again, and who is told of changes."""

    every: Annotated[str, Option("Visit it again at this interval, such as 30m, 6h or 7d.", "TIME", check=_span)] = ""
    cron: Annotated[
        str, Option("Visit it again when this cron expression says, such as '0 6 * * *'.", "EXPRESSION")
    ] = ""
    timezone: Annotated[
        str,
        Option(
            "The time zone of the cron expression, such as Europe/Berlin. Without it, that of this machine.", "ZONE"
        ),
    ] = ""
    jitter: Annotated[
        str, Option("Begin each run up to so much later, by chance: servers are spared a rush.", "TIME", check=_span)
    ] = ""
    budget: Annotated[
        int,
        Meta(ge=0),
        Option(
            "Requests of each run: those that are expected to bring most news. 0 visits every page. The first crawl of"
            " a job has the limits of the job.",
            "N",
        ),
    ] = 0
    notify_command: Annotated[
        str, Option("Run this command when something changed; it gets one JSON object a line.", "COMMAND")
    ] = ""
    notify_webhook: Annotated[str, Option("Send changes to this URL, as JSON.", "URL", check=_webhook)] = ""
    webhook_key: Annotated[
        str, Option("Where the key is kept that webhooks are signed with: env:NAME.", "REFERENCE", check=_reference)
    ] = ""
    notify_email: Annotated[tuple[str, ...], Option("Mail changes to this address.", "ADDRESS", check=_mail)] = ()
    email_from: Annotated[
        str, Option("The sender of mails. Without it, the first address they go to.", "ADDRESS", check=_mail)
    ] = ""
    smtp: Annotated[
        str,
        Option(
            "The server that takes mails: smtp://USER@HOST:587, or smtps:// for TLS from the first byte.",
            "URL",
            check=_server,
        ),
    ] = "smtp://localhost:25"
    smtp_password: Annotated[
        str, Option("Where the password of the mail server is kept: env:NAME.", "REFERENCE", check=_reference)
    ] = ""
    only_urls: Annotated[
        tuple[str, ...], Option("Tell only of URLs that match one of these regular expressions.", "REGEX")
    ] = ()
    only_words: Annotated[
        tuple[str, ...], Option("Tell only of changes with one of these words in the text that changed.", "WORD")
    ] = ()
    only_fields: Annotated[
        tuple[str, ...], Option("Tell only of records of which one of these fields changed.", "NAME")
    ] = ()
    only_kinds: Annotated[
        tuple[str, ...], Option("Tell only of these: added, changed, removed, moved, unreachable.", "KIND", check=_kind)
    ] = ()
