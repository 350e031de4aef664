"""The functions that crawl as Python's tools see them: signatures and help texts, made from the settings of a mode.

The same for type checkers and editors is call_keywords.py, which docs/generate_reference.py writes from what is here.
"""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from dowse.core.protocols import Fetcher
from dowse.crawl import Crawl
from dowse.engine.callbacks import Follow, OnPage
from dowse.extract.extractors import Extractor
from dowse.modes.mode import Mode
from dowse.settings import Setting

Texts = str | list[str] | tuple[str, ...]
"""What a list of texts may be given as."""

_OF_PYTHON: dict[str, Any] = {
    "extract": Texts | Mapping[str, str],
    "follow": Follow | str,
    "on_page": OnPage | str,
    "wrap_fetcher": Callable[[Fetcher], Any] | str,
    "extractor": Extractor | type[Extractor] | str | list[Any] | tuple[Any, ...],
}
"""Options that take objects of Python as well as texts: code of the user, fields by their names."""

_TYPES: dict[str, Any] = {"switch": bool, "whole": int, "number": float, "text": str, "list": Texts}

_WIDTH = 80
_LONGEST_DEFAULT = 40


class Keyword(NamedTuple):
    """A keyword argument. `group` is what it is about."""

    name: str
    type: Any
    default: Any
    help: str
    group: str


_CALL = "The call"
OUTPUT = Keyword(
    "output", str | os.PathLike[str] | None, None, "Folder of the crawl; named after the host if not given.", _CALL
)
SEEDS_FROM = Keyword(
    "seeds_from", str | os.PathLike[str], "", "A file with more URLs to start from, one a line.", _CALL
)
SEEDS = Keyword("seeds", Texts, (), "More URLs to start from.", _CALL)
DROP = Keyword("drop", Texts, (), "Fields to take no more, by their names.", _CALL)
REPLACE = Keyword("replace", bool, False, "Remove the crawl that is in the folder first.", _CALL)
RESUME = Keyword("resume", bool, False, "Go on with the crawl that is in the folder, if there is one.", _CALL)
PROGRESS = Keyword(
    "progress", bool | None, None, "Show how far it is; if not given, in a notebook and on a terminal.", _CALL
)


def call_keywords(mode: Mode[Any]) -> list[Keyword]:
    """Those of a mode's function that are about the call and its folder."""
    return [OUTPUT, *([] if mode.start else [SEEDS_FROM]), REPLACE, RESUME, PROGRESS]


def keyword(setting: Setting) -> Keyword:
    """An option of a crawl as a keyword argument."""
    type_ = setting.type if setting.kind == "choice" else _TYPES[setting.kind]
    return Keyword(setting.name, _OF_PYTHON.get(setting.name, type_), setting.default, setting.help, setting.title)


def first_argument(mode: Mode[Any]) -> inspect.Parameter:
    """What a crawl starts from: its URLs, or what the mode has in their place."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if mode.start:
        return inspect.Parameter(mode.start, kind, annotation=str)
    return inspect.Parameter("url", kind, default=(), annotation=Texts)


def describe(function: Callable[..., Any], mode: Mode[Any]) -> None:
    """Let a function say that it is the one of a mode: its name, its signature, its help."""
    own = {each.name: each for each in map(keyword, mode.settings) if each.name != mode.start}
    by_place = [own.pop(name) for name in mode.arguments]
    named = [*call_keywords(mode), *own.values()]
    place, name = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    parameters = [first_argument(mode), *(_parameter(each, place) for each in by_place)]
    parameters += [_parameter(each, name) for each in named]
    function.__name__ = function.__qualname__ = mode.name
    function.__doc__ = "\n".join([inspect.getdoc(mode) or "", "", *_help([*by_place, *named])])
    function.__signature__ = inspect.Signature(parameters, return_annotation=Crawl)  # type: ignore[attr-defined]


def _parameter(each: Keyword, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(each.name, kind, default=each.default, annotation=each.type)


def _help(keywords: list[Keyword]) -> Iterator[str]:
    """Every option with its type, its default and what it means, group by group."""
    yield "Options, by the names that the command, the job file and this function share:"
    group = ""
    for each in sorted(keywords, key=lambda each: each.group != _CALL):
        if each.group != group:
            group = each.group
            yield from ("", group)
        default = repr(each.default)
        shown = f" = {default}" if len(default) <= _LONGEST_DEFAULT else ""
        yield f"  {each.name}: {type_text(each.type)}{shown}"
        yield from textwrap.wrap(
            each.help,
            _WIDTH,
            initial_indent=" " * 6,
            subsequent_indent=" " * 6,
            break_long_words=False,
            break_on_hyphens=False,
        )


def type_text(type_: Any) -> str:
    """A type as it is written.

    >>> type_text(str | list[str] | None)
    'str | list[str] | None'
    """
    if isinstance(type_, type) and not hasattr(type_, "__origin__"):
        return type_.__name__
    text = str(type_)
    for module in ("typing.", "collections.abc.", "os.", *_MODULES):
        text = text.replace(module, "")
    return text


_MODULES = ("dowse.core.protocols.", "dowse.engine.callbacks.", "dowse.extract.extractors.", "dowse.parse.page.")
"""What the names of types are given without."""
