"""The functions of modes: `dowse.site`, `dowse.focus` and so on, made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dowse.crawl import Crawl
from dowse.modes.mode import Mode
from dowse.python.call_signatures import describe
from dowse.python.crawl_functions import call_of_mode, crawl


def function_of(mode: Mode[Any]) -> Callable[..., Crawl]:
    """What `dowse MODE` does, with the same options."""

    def function(*arguments: Any, **options: Any) -> Crawl:
        return crawl(call_of_mode(mode.name, arguments, options))

    describe(function, mode)
    return function
