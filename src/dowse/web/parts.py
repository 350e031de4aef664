"""The parts of the page. Each is a module with a `ROUTER`, and with a `MENU` if it has lines in the menu.

To add one: write the module, name it here, and put its templates into `templates/` and its files into `assets/`.
Routes under /api/ are the documented API; all others answer with pages. What a request has passed before it comes to a
route is in request_checks.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

NAMES = (
    "crawl_api",
    "job_api",
    "act_api",
    "live_api",
    "crawl_table_api",
    "story_api",
    "search_api",
    "label_api",
    "change_api",
    "export_api",
    "schedule_api",
    "crawl_pages",
    "inside_pages",
    "builder_api",
    "builder_pages",
    "rule_table_api",
    "log_in_routes",
)


def parts() -> Iterator[ModuleType]:
    """The modules, in the order of the menu."""
    return (import_module(f"dowse.web.{name}") for name in NAMES)
