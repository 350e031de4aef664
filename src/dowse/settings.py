"""Settings: every option of a job as a row with its name, type, default and meaning, and the check of one value.

The job file, the Python keyword arguments, the command line and the reference manual are all made from
`settings(strategy)`. A value that will not do is a `ValueError` that says what was expected; whoever asked
puts the key or the option in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import fields

from dowse.core.errors import JobError
from dowse.core.job import IF_SESSION, ExploreOptions, FilesOptions, FocusOptions, Job, RulesOptions, SiteOptions
from dowse.core.secret import references
from dowse.core.steps import parse_step

Value = bool | int | float | str | tuple[str, ...]
Kind = Literal["switch", "whole", "number", "text", "choice", "list"]

STRATEGIES: Mapping[str, type[Struct]] = {
    "site": SiteOptions,
    "rules": RulesOptions,
    "explore": ExploreOptions,
    "focus": FocusOptions,
    "files": FilesOptions,
}

# Where a strategy would have another default than the rest. Rules say themselves where to go. Who explores wants to
# know which pages lead where, which a sitemap does not say, and of its entries a topic knows nothing. Files are larger
# than pages and take longer.
DEFAULTS: Mapping[str, Mapping[str, Value]] = {
    "rules": {"scope": "any", "sitemaps": False},
    "explore": {"max_pages": 300, "sitemaps": False},
    "focus": {"sitemaps": False},
    "files": {"sitemaps": False, "max_body": 100_000_000, "timeout": 300.0},
}

# The least value of every number; 0 or -1 where the option's help gives it a meaning.
MINIMUM: Mapping[str, float] = {
    "url_length": 1, "path_segments": 1, "path_repeats": 0, "parameters": 0, "parameter_sets": 1, "chain": 1,
    "parameter_combinations": 1, "host_pages": 0, "max_pages": 0, "max_time": 0, "depth": -1, "delay": -1,
    "per_host": 1, "retries": 0, "concurrency": 1, "workers": 1, "timeout": 0.001, "connect_timeout": 0.001,
    "read_timeout": 1, "max_body": 1, "max_redirects": 0, "page_time": 0.1, "tabs": 1, "explore": 0,
    "threshold": -1, "patience": 0,
}  # fmt: skip
# Above these a number no longer fits the stores and clocks it is handed to.
MOST_WHOLE = 10**15
MOST_SECONDS = 10.0**9

# Control characters never belong in a job, and lone surrogates cannot be written to a file.
_UNWRITTEN = "control characters are not allowed"
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
SECRETIVE = frozenset({"auth", "header", "proxy"})
"""Options of which no message shows the value."""
HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:.*")
MEDIA_TYPE = re.compile(r"[\w.+-]+/(\*|[\w.+-]+)|\*/\*")
PROXY_SCHEMES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")


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


@cache
def settings(strategy: str) -> tuple[Setting, ...]:
    """Every option of a strategy's jobs."""
    if strategy not in STRATEGIES:
        raise JobError(f"strategy: expected one of {', '.join(STRATEGIES)}; got {strategy!r}")
    rows = []
    for group in fields(Job):
        struct = STRATEGIES[strategy] if group.name == "strategy" else group.type
        if isinstance(struct, type) and issubclass(struct, Struct):
            title = (struct.__doc__ or "").rstrip(".")
            for field in fields(struct):
                kind, option = get_args(field.type)
                default = DEFAULTS.get(strategy, {}).get(field.name, field.default)
                rows.append(Setting(field.name, group.name, title, kind, default, *option))
    return tuple(rows)


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


def _switch(setting: Setting, value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {shown(value)}")
    return value


def _whole(setting: Setting, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"expected a whole number, got {shown(value)}")
    _range(setting, value, MOST_WHOLE)
    return value


def _number(setting: Setting, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a number, got {shown(value)}")
    _range(setting, value, MOST_SECONDS)
    return float(value)


def _range(setting: Setting, value: float, most: float) -> None:
    least = MINIMUM[setting.name]
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
    shape = SHAPES.get(setting.name)
    if shape and (problem := shape(text)):
        # What is no header, log-in or proxy may be the password alone, and messages end in logs.
        raise ValueError(problem if setting.name in SECRETIVE else f"{problem}, got {shown(text)}")
    return text


def _header(text: str) -> str:
    return "" if HEADER.fullmatch(text) else "expected 'NAME: VALUE'"


def _auth(text: str) -> str:
    return "" if text.partition(":")[1] else "expected USER:PASSWORD"


def _proxy(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in PROXY_SCHEMES and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if references("proxy", text) == [text]:
        return ""
    return "" if usable else f"expected a proxy as SCHEME://HOST:PORT with one of {', '.join(PROXY_SCHEMES)}"


def _media_type(text: str) -> str:
    return "" if MEDIA_TYPE.fullmatch(text) else "expected a media type such as text/html, image/* or */*"


def _step(text: str) -> str:
    try:
        parse_step(text)
    except ValueError as error:
        return str(error)
    return ""


def _parameter(text: str) -> str:
    return "expected a parameter name with * at its end or not at all" if "*" in text[:-1] else ""


def _dropped(text: str) -> str:
    name, equals, value = text.partition("=")
    if equals and f"{equals}{value}" != IF_SESSION:
        return f"expected a parameter name, or NAME{IF_SESSION} to drop it where its value looks like a session id"
    return _parameter(name)


CHECKS: Mapping[Kind, Callable[[Setting, object], Value]] = {
    "switch": _switch,
    "whole": _whole,
    "number": _number,
    "text": _text,
    "choice": _choice,
    "list": _list,
}
SHAPES: Mapping[str, Callable[[str], str]] = {
    "header": _header,
    "auth": _auth,
    "proxy": _proxy,
    "media_types": _media_type,
    "step": _step,
    "drop_parameters": _dropped,
    "keep_parameters": _parameter,
}
