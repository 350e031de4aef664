"""Writes src/dowse/python/call_keywords.py, the options of crawls for type checkers; generate_reference.py calls it."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, get_args

from dowse.modes.mode import Mode
from dowse.modes.registry import NAMES, modes
from dowse.python.call_signatures import (
    DROP,
    OUTPUT,
    PROGRESS,
    REPLACE,
    RESUME,
    SEEDS,
    SEEDS_FROM,
    Keyword,
    first_argument,
    keyword,
    type_text,
)

KEYWORDS_HEAD = '''"""The options of crawls as keyword arguments, for type checkers and editors.

Written by docs/generate_reference.py from the settings of the modes; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack, overload

if TYPE_CHECKING:
    from dowse.core.protocols import Fetcher
    from dowse.crawl import Crawl
    from dowse.engine.callbacks import FoundLink
    from dowse.extract.extractors import Extractor
    from dowse.parse.page import Page
    from dowse.python.page_stream import Stream
'''


def keywords_module() -> str:
    """The text of the module."""
    return "\n".join(classes()) + "\n"


def classes() -> Iterator[str]:
    """A TypedDict for each function that crawls, and the types of these functions."""
    own_modes = [mode for mode in modes() if mode.name in NAMES and not mode.hidden]
    shared = [keyword(row) for row in own_modes[0].settings if row.group != "options"]
    own = {mode.name: [keyword(row) for row in mode.settings if row.group == "options"] for mode in own_modes}
    taken = [keyword(row) for row in own_modes[0].settings if row.group == "extract"]
    call = [OUTPUT, REPLACE, RESUME, PROGRESS]
    yield KEYWORDS_HEAD.rstrip()
    yield from typed_dict("OptionKeywords", "TypedDict", "The options that every crawl has.", shared)
    yield from typed_dict("ExtractKeywords", "TypedDict", "The options of reading stored pages again.", [*taken, DROP])
    yield from typed_dict("CallKeywords", "OptionKeywords", "Those of a call that begins a crawl.", call)
    for mode in own_modes:
        by_place = {mode.start, *mode.arguments}
        rest = [each for each in own[mode.name] if each.name not in by_place]
        lists = [] if mode.start else [SEEDS_FROM]
        yield from typed_dict(class_name(mode), "CallKeywords", f"Those of `dowse.{mode.name}`.", [*lists, *rest])
    every = merged_keywords([each for rows in own.values() for each in rows])
    yield from typed_dict(
        "GoingOnKeywords", "OptionKeywords", "Those of `dowse.retry` and `dowse.recrawl`: of every mode.",
        [*every, PROGRESS],
    )  # fmt: skip
    yield from typed_dict("ResumeKeywords", "GoingOnKeywords", "Those of `dowse.resume`.", [SEEDS, SEEDS_FROM, DROP])
    rest = [each for each in every if each.name not in {mode.compares for mode in own_modes}]
    yield from typed_dict("SimulateKeywords", "OptionKeywords", "Those of `dowse.simulate`.", rest)
    run = [OUTPUT, SEEDS_FROM, REPLACE, RESUME]
    yield from typed_dict("RunKeywords", "GoingOnKeywords", "Those of `dowse.run`.", run)
    for mode in own_modes:
        yield from ("", "", f"class {mode.name.title()}Function(Protocol):", f'    """`dowse.{mode.name}`."""', "")
        yield from method(mode, own[mode.name], "Crawl", "")
    yield from ("", "", "class StreamFunction(Protocol):", '    """`dowse.stream`."""', "")
    for mode in own_modes:
        default = ' = "site"' if mode.name == "site" else ""
        yield "    @overload"
        yield from method(mode, own[mode.name], "Stream", f'*, mode: Literal["{mode.name}"]{default}, ')


def typed_dict(name: str, base: str, text: str, keywords: list[Keyword]) -> Iterator[str]:
    """One class, with what each keyword means below it."""
    head = f"class {name}({base}, total=False):"
    yield from ("", "", head, f'    """{text}"""', "")
    for each in keywords:
        yield f"    {each.name}: {written_type(each)}"
        # A quotation mark beside those that the text stands in would be one of them.
        text = re.sub(r'^"|"$', r'\\"', each.help.replace("\\", "\\\\"))
        lines = textwrap.wrap(text, 110, break_long_words=False, break_on_hyphens=False)
        yield f'    """{lines[0]}' + ('"""' if len(lines) == 1 else "")
        yield from (f"    {line}" + ('"""' if line is lines[-1] else "") for line in lines[1:])


def written_type(each: Keyword) -> str:
    """The type of a keyword; a long one in lines, as the formatter has it."""
    text = type_text(each.type).replace("'", '"')
    if len(text) + len(each.name) <= 110:
        return text
    choices = "".join(f"        {json.dumps(word)},\n" for word in get_args(each.type))
    return f"Literal[\n{choices}    ]"


def merged_keywords(keywords: list[Keyword]) -> list[Keyword]:
    """Each name once, with a type that has the values of all modes."""
    found: dict[str, Keyword] = {}
    for each in keywords:
        before = found.get(each.name)
        found[each.name] = each if before is None else each._replace(type=each.type | before.type)
    return list(found.values())


def class_name(mode: Mode[Any]) -> str:
    return f"{mode.name.title()}Keywords"


def method(mode: Mode[Any], own: list[Keyword], answer: str, more: str) -> Iterator[str]:
    """How a function is called that crawls in a mode."""
    first = first_argument(mode)
    by_place = {each.name: each for each in own}
    words = [f"{first.name}: {type_text(first.annotation)}" + ("" if mode.start and not more else " = ...")]
    words += [f"{name}: {written_type(by_place[name])} = ..." for name in mode.arguments]
    parts = ["self", *words, *([more.rstrip(", ")] if more else []), f"**options: Unpack[{class_name(mode)}]"]
    line = f"    def __call__({', '.join(parts)}) -> {answer}: ..."
    if len(line) <= 120:
        yield line
    elif len(", ".join(parts)) + 8 <= 120:
        yield from ("    def __call__(", f"        {', '.join(parts)}", f"    ) -> {answer}: ...")
    else:
        parts = [part for each in parts for part in each.split(", ", 1 if each.startswith("*, ") else 0)]
        yield from ("    def __call__(", *(f"        {part}," for part in parts), f"    ) -> {answer}: ...")
