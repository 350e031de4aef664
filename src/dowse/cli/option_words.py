"""What is wrong with a job, in the words of the command line: --max-pages where a job file and Python say max_pages.

A message begins with the keys that it is about. What it says of a job file begins with the name of that, and stays.
"""

from __future__ import annotations

import re
from functools import cache

from dowse.cli.options import long_name, setting_options
from dowse.modes.registry import modes
from dowse.settings import watch_settings

_OTHERS = {
    "seeds_from": "-i/--seeds-from",
    "output": "-o/--output",
    "drop": "--drop",
    "truth": "--truth",
    "to": "--to",
    "since": "--since",
    "until": "--until",
    "kind": "--kind",
    "host": "--host",
    "password": "--password",
    "seeds": "seeds",  # arguments, which have no option
}
_KEYS = re.compile(r"(?P<keys>\w+(?:(?:, | and )\w+)*)(?=: | belong together| is no key )")
_VALUE = re.compile(r"\b(?P<key>\w+) = (?:'(?P<word>[\w-]+)')?")


def as_typed(message: str) -> str:
    """A message with options as they are typed.

    >>> as_typed("depth: must be at least -1; leave it out, or write scope = 'host'")
    '--depth: must be at least -1; leave it out, or write --scope host'
    >>> as_typed("job.toml: depth: must be at least -1")
    'job.toml: depth: must be at least -1'
    """
    found, names = _KEYS.match(message), _names()
    keys = re.split(", | and ", found["keys"]) if found else []
    if not found or any(key not in names for key in keys):
        return message
    head = re.sub(r"\w+", lambda key: names.get(key[0], key[0]), found["keys"])
    return head + _VALUE.sub(_option, message[found.end() :])


def _option(value: re.Match[str]) -> str:
    name = _names().get(value["key"])
    return f"{name} {value['word'] or ''}" if name else value[0]


@cache
def _names() -> dict[str, str]:
    """Every key and what is typed for it. What a mode begins with is an argument of its command."""
    first = {mode.start for mode in modes()}
    options = {
        each.setting.name: long_name(each.setting) for each in setting_options() if each.setting.name not in first
    }
    watch = {setting.name: long_name(setting) for setting in watch_settings()}
    return {**watch, **options, **_OTHERS}
