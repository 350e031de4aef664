"""Code of others: what installed packages bring by entry points, and what a job names as MODULE:NAME or FILE.py:NAME.

    dowse.modes        ways to crawl          modes/registry.py
    dowse.extractors   records from pages     own_code.py
    dowse.formats      files from tables      export/formats.py

Nothing is imported before it is asked for by its name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dowse.core.errors import JobError
from dowse.core.exception_line import MISTAKES, mistake_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_FILE = ".py"
_MAIN = "__main__"
_NAMELESS = "<"
"""What the name of a lambda, a function inside of another or an object has: it is found nowhere else."""


# Entry points


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group, by name.

    Asking `importlib.metadata` takes 25 ms, a quarter of what `dowse --help` takes; to look for the words first, 2.
    """
    if f"[{group}]".encode() not in _all_entry_points():
        return {}
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


def load_installed(group: str, name: str) -> Any:
    """What an entry point stands for."""
    point = installed(group)[name]
    try:
        return point.load()
    except MISTAKES as error:  # it is anybody's code
        raise JobError(f"{name} of {group} cannot be loaded from {point.value}: {mistake_text(error)}") from error


@cache
def _all_entry_points() -> bytes:
    """What the packages on the path say of theirs, all in one."""
    return b"\n".join(content for folder in sys.path for content in _entry_points_in(folder or "."))


def _entry_points_in(folder: str) -> Iterator[bytes]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # not a folder, or not there
        return
    for name in names:
        with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as stream:
            yield stream.read()


# References


def reference_of(thing: object) -> str:
    """How a job names a function or class that was given in Python: MODULE:NAME.

    >>> from collections import Counter
    >>> reference_of(Counter), reference_of(Counter("ab")), reference_of(lambda page: None)[-8:]
    ('collections:Counter', 'collections:<Counter>', '<lambda>')
    """
    name = getattr(thing, "__qualname__", "")
    module = getattr(thing, "__module__", None) or ""
    if not name:
        return f"{type(thing).__module__}:<{type(thing).__qualname__}>"
    is_known = _NAMELESS in name or _member(sys.modules.get(module), name) is thing
    return f"{module}:{name}" if is_known else f"{module}:<{name}>"


def absolute(reference: str) -> str:
    """The same reference, to be found from every folder.

    >>> absolute("/home/me/shop.py:take"), absolute("shop:take")
    ('/home/me/shop.py:take', 'shop:take')
    """
    place, colon, name = reference.rpartition(":")
    return f"{os.path.abspath(place)}{colon}{name}" if place.endswith(_FILE) else reference


def is_lasting(reference: str) -> bool:
    """Whether another program would find the same by this reference."""
    return _NAMELESS not in reference and not reference.startswith(f"{_MAIN}:")


def is_found_by_workers(reference: str) -> bool:
    """Whether a worker process would: it reads the script again that was started, so functions of that are there."""
    return _NAMELESS not in reference and (is_lasting(reference) or hasattr(sys.modules[_MAIN], "__file__"))


def resolve(option: str, reference: str) -> Any:
    """What a reference stands for. This imports a module: ask for it only where the user has named it."""
    place, _, name = reference.rpartition(":")
    if place.endswith(_FILE) and not os.path.exists(place):
        raise JobError(f"{option}: there is no file {place}")
    try:
        module = _module_of_file(place) if place.endswith(_FILE) else import_module(place)
    except MISTAKES as error:  # it is anybody's code
        raise JobError(f"{option}: {place} cannot be imported: {mistake_text(error)}") from error
    found = _member(module, name)
    if found is None:
        raise JobError(f"{option}: there is no {name} in {place}")
    return found


@cache
def _module_of_file(path: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    name = f"dowse-file:{os.path.abspath(path)}"
    specification = spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is no file of Python")
    module = module_from_spec(specification)
    sys.modules[name] = module  # dataclasses and the like look themselves up there
    specification.loader.exec_module(module)
    return module


def _member(module: object, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
