"""What the texts of options must look like: each check says what was expected, or "" if the text will do."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from dowse.core.secret import references
from dowse.core.steps import parse_step
from dowse.core.usage import USES

HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:.*")
MEDIA_TYPE = re.compile(r"[\w.+-]+/(\*|[\w.+-]+)|\*/\*")
IF_SESSION = "=session"
"""The ending of a parameter to drop that is dropped only where its value looks like a session id."""

_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")

PROXY_SCHEMES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")


def header(text: str) -> str:
    return "" if HEADER.fullmatch(text) else "expected 'NAME: VALUE'"


def auth(text: str) -> str:
    return "" if text.partition(":")[1] else "expected USER:PASSWORD"


def proxy(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in PROXY_SCHEMES and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if references("proxy", text) == [text]:
        return ""
    return "" if usable else f"expected a proxy as SCHEME://HOST:PORT with one of {', '.join(PROXY_SCHEMES)}"


def cluster(text: str) -> str:
    if text in ("", "local", "auto"):
        return ""
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        usable = parts.scheme in ("", "ray") and parts.hostname and parts.port and not parts.path.strip("/")
    except ValueError:
        usable = False
    return "" if usable else "expected a Ray cluster as ray://HEAD:10001 or HEAD:6379, auto or local"


def database(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("postgresql", "postgres") and bool(parts.netloc or parts.path.strip("/"))
    except ValueError:
        usable = False
    return "" if usable else "expected a database as postgresql://USER@HOST/DATABASE"


def contact(text: str) -> str:
    if is_mail(text) or (is_web_url(text) and not re.search(r"[\s()]", text)):
        return ""
    return "expected a URL, or an e-mail address such as me@example.org"


def is_mail(text: str) -> bool:
    return _MAIL.fullmatch(text) is not None


def is_web_url(text: str, schemes: tuple[str, ...] = ("http", "https")) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname) and parts.username is None and text.isascii()
    except ValueError:
        return False


def sign_key(text: str) -> str:
    expected = "expected where the key is: file:PATH, env:NAME or keyring:SERVICE/USER"
    return "" if references("sign_key", text) else expected


def signature_agent(text: str) -> str:
    is_plain = is_web_url(text, ("https",)) and not re.search(r"[\s\"\\]", text)
    return "" if is_plain else "expected a URL that begins with https://"


def use(text: str) -> str:
    if text in USES:
        return ""
    same = {"ai-input": "ai-use", "ai-train": "train-ai", "train": "train-ai"}.get(text)
    return f"expected {same}" if same else f"expected {', '.join(USES[:-1])} or {USES[-1]}"


def media_type(text: str) -> str:
    return "" if MEDIA_TYPE.fullmatch(text) else "expected a media type such as text/html, image/* or */*"


def step(text: str) -> str:
    try:
        parse_step(text)
    except ValueError as error:
        return str(error)
    return ""


def code(text: str) -> str:
    place, colon, name = text.rpartition(":")
    return "" if colon and place and name else "expected FILE.py:NAME or MODULE:NAME"


def extractor(text: str) -> str:
    return code(text) if ":" in text else ""


def dropped_parameter(text: str) -> str:
    name, equals, value = text.partition("=")
    if equals and f"{equals}{value}" != IF_SESSION:
        return f"expected a parameter name, or NAME{IF_SESSION} to drop it where its value looks like a session id"
    return parameter(name)


def parameter(text: str) -> str:
    return "expected a parameter name with * at its end or not at all" if "*" in text[:-1] else ""
