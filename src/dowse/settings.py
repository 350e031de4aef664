"""Settings: every option of a job as a row with its name, type, default and meaning, and the check of one value.

The job file, the Python keyword arguments, the command line and the reference manual are all made from the settings of
a mode. A value that will not do is a `ValueError` that says what was expected; whoever asked
puts the key or the option in front of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from dowse.core.errors import JobError
from dowse.core.job import Job, Option
from dowse.core.options.watch_options import WatchOptions

Value = bool | int | float | str | tuple[str, ...]
Kind = Literal["switch", "whole", "number", "text", "choice", "list"]

# Above these a number no longer fits the stores and clocks it is handed to.
MOST_WHOLE = 10**15
MOST_SECONDS = 10.0**9

# Control characters never belong in a job, and lone surrogates cannot be written to a file.
_UNWRITTEN = "control characters are not allowed"
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
SECRETIVE = frozenset({"auth", "header", "notify_webhook", "proxy", "sign_key", "smtp", "smtp_password", "webhook_key"})
"""Options of which no message shows the value."""

# A host as people type it: example.org/path, localhost, server:8000, [::1]:8000.
BARE_HOST = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+\.?|[\w-]+(?=:\d)|\[[\da-fA-F:.]+\])(:\d{1,5})?([/?#].*)?")
# Servers on one's own machine rarely have a certificate.
THIS_MACHINE = re.compile(r"(localhost|127\.[\d.]+|\[::1\])(?=[:/?#]|$)")


WATCH = "watch"
"""The group of the options of a watch, and the section of a job file that has them."""

PAGE_GROUPS = ("fetch", "urls", "extract")
"""What the options of a single page, without a crawl, are about."""


class Setting(NamedTuple):
    """One option. `group` is the field of `Job` that holds it, `title` what that group is about."""

    name: str
    group: str
    title: str
    type: Any
    default: Value
    help: str
    metavar: str
    flags: tuple[str, ...]
    shape: Callable[[str], str] | None
    least: float
    most: float

    @property
    def kind(self) -> Kind:
        """What sort of value it takes."""
        if get_origin(self.type) is Literal:
            return "choice"
        if get_origin(self.type) is tuple:
            return "list"
        kinds: dict[type, Kind] = {bool: "switch", int: "whole", float: "number", str: "text"}
        return kinds[self.type]

    @property
    def choices(self) -> tuple[str, ...]:
        """The words a choice may be."""
        return get_args(self.type) if self.kind == "choice" else ()

    def check(self, value: object) -> Value:
        """The value as the job holds it."""
        return CHECKS[self.kind](self, value)

    def parse(self, word: str) -> Value:
        """The value of a word from the command line; for a list, of one that is added to it."""
        read: type[int | float] | None = {"whole": int, "number": float}.get(self.kind)
        try:
            value = read(word) if read else word
        except ValueError:
            value = word  # the check says what was expected
        return self.check(value)


def settings_of(options: type[Struct], defaults: Mapping[str, Value]) -> tuple[Setting, ...]:
    """Every option of the jobs of a mode, given the options that only it has and its own defaults of the others."""
    rows = []
    for group in fields(Job):
        struct = options if group.name == "options" else group.type
        if isinstance(struct, type) and issubclass(struct, Struct):
            title = (struct.__doc__ or "").rstrip(".")
            rows += [_setting(field, group.name, title, defaults) for field in fields(struct)]
    return tuple(rows)


def watch_settings() -> tuple[Setting, ...]:
    """Every option of a watch, which is no part of a job."""
    return tuple(_setting(field, WATCH, (WatchOptions.__doc__ or "").rstrip("."), {}) for field in fields(WatchOptions))


def _setting(field: FieldInfo, group: str, title: str, defaults: Mapping[str, Value]) -> Setting:
    kind, *marks = get_args(field.type)
    bounds = next((mark for mark in marks if isinstance(mark, Meta)), Meta())
    option = next(mark for mark in marks if isinstance(mark, Option))
    least = -math.inf if bounds.ge is None else bounds.ge
    most = {int: MOST_WHOLE, float: MOST_SECONDS}.get(kind, math.inf) if bounds.le is None else bounds.le
    return Setting(field.name, group, title, kind, defaults.get(field.name, field.default), *option, least, most)


def shown(value: object) -> str:
    """A refused value as an error message quotes it."""
    return "a table" if isinstance(value, dict) else f"{value!r:.60}"


def check_text(what: str, value: object, *, quoted: bool = True) -> str:
    """A text that can be written to a job file."""
    if not isinstance(value, str):
        raise ValueError(f"expected {what}, got {shown(value)}")
    if UNWRITABLE.search(value):
        raise ValueError(f"control characters are not allowed, got {shown(value)}" if quoted else _UNWRITTEN)
    return value


def read_url(seed: object, option: str = "seeds") -> str:
    """A URL as people type it, in an option of that name; a bare host gets its scheme."""
    try:
        url = check_text("a URL", seed).strip()
    except ValueError as error:
        raise JobError(f"{option}: {error}") from error
    if BARE_HOST.fullmatch(url):
        url = f"{'http' if THIS_MACHINE.match(url) else 'https'}://{url}"
    scheme, separator, rest = url.partition("://")
    if not separator or not rest:
        raise JobError(f"{option}: {shown(seed)} is not a URL; write it like example.org or https://example.org/page")
    if scheme.lower() not in ("http", "https"):
        raise JobError(f"{option}: {shown(seed)}: only http and https can be crawled")
    from dowse.core.urls import resolve  # the libraries for URLs, which `dowse --help` need not load

    if resolve(url, "") is None:
        raise JobError(f"{option}: {shown(seed)} is not a valid URL; check its host and port")
    if "@" in re.split(r"[/?#\\]", rest, maxsplit=1)[0]:
        raise JobError(f"{option}: a URL must not hold a user name or a password; use auth = 'USER:PASSWORD'")
    return url


def _switch(setting: Setting, value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {shown(value)}")
    return value


def _whole(setting: Setting, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"expected a whole number, got {shown(value)}")
    _range(setting, value)
    return value


def _number(setting: Setting, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a number, got {shown(value)}")
    _range(setting, value)
    return float(value)


def _range(setting: Setting, value: float) -> None:
    least, most = setting.least, setting.most
    # Written so that a number that is not one (nan) is refused too.
    if not least <= value <= most:
        bound = f"at least {least:g}" if value < least else f"at most {most:g}"
        raise ValueError(f"must be {bound}, got {shown(value)}")
    if least == -1 and -1 < value < 0:
        raise ValueError(f"must be -1 or at least 0, got {shown(value)}")


def _text(setting: Setting, value: object) -> str:
    text = check_text("a text", value, quoted=setting.name not in SECRETIVE)
    return _shaped(setting, text) if text else text


def _choice(setting: Setting, value: object) -> str:
    if value not in setting.choices:
        raise ValueError(f"expected one of {', '.join(setting.choices)}; got {shown(value)}")
    return str(value)


def _list(setting: Setting, value: object) -> tuple[str, ...]:
    # One text stands for a list of one: iterating over its letters is never what was meant.
    items = (value,) if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise ValueError(f"expected a list of texts, got {shown(value)}")
    if "" in items:
        raise ValueError("an empty text is not allowed in the list")
    quoted = setting.name not in SECRETIVE
    return tuple(_shaped(setting, check_text("a list of texts", item, quoted=quoted)) for item in items)


def _shaped(setting: Setting, text: str) -> str:
    """The text, if it has the form its setting needs."""
    if setting.shape and (problem := setting.shape(text)):
        # What is no header, log-in or proxy may be the password alone, and messages end in logs.
        raise ValueError(problem if setting.name in SECRETIVE else f"{problem}, got {shown(text)}")
    return text


CHECKS: Mapping[Kind, Callable[[Setting, object], Value]] = {
    "switch": _switch,
    "whole": _whole,
    "number": _number,
    "text": _text,
    "choice": _choice,
    "list": _list,
}
