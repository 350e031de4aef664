"""The names that code of yours may use beside those of `dowse` itself: for functions in a crawl, extractors, formats,
fetchers and modes. What is not here may change from one version to the next.

>>> from dowse.extending import FoundLink, Page
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dowse.core.briefing import Briefing
    from dowse.core.job import Job
    from dowse.core.model import Failure, FailureKind, Request, Response, Task
    from dowse.core.options.option import Option
    from dowse.core.protocols import Fetcher
    from dowse.core.record import Record
    from dowse.core.results import Found, Number, Results
    from dowse.engine.callbacks import FoundLink
    from dowse.engine.verdict import Proposal, Strategy, Verdict
    from dowse.export.frame import Frame
    from dowse.export.plugin_formats import Format
    from dowse.extract.extractors import Extractor
    from dowse.extract.model_fields import Select, fields_from_model
    from dowse.modes.mode import Mode, Seed
    from dowse.parse.page import Page

__all__ = [
    "Briefing",
    "Extractor",
    "Failure",
    "FailureKind",
    "Fetcher",
    "Format",
    "Found",
    "FoundLink",
    "Frame",
    "Job",
    "Mode",
    "Number",
    "Option",
    "Page",
    "Proposal",
    "Record",
    "Request",
    "Response",
    "Results",
    "Seed",
    "Select",
    "Strategy",
    "Task",
    "Verdict",
    "fields_from_model",
]

_MODULES = {
    "dowse.core.briefing": ("Briefing",),
    "dowse.core.job": ("Job",),
    "dowse.core.model": ("Failure", "FailureKind", "Request", "Response", "Task"),
    "dowse.core.options.option": ("Option",),
    "dowse.core.protocols": ("Fetcher",),
    "dowse.core.record": ("Record",),
    "dowse.core.results": ("Found", "Number", "Results"),
    "dowse.engine.callbacks": ("FoundLink",),
    "dowse.engine.verdict": ("Proposal", "Strategy", "Verdict"),
    "dowse.export.frame": ("Frame",),
    "dowse.export.plugin_formats": ("Format",),
    "dowse.extract.extractors": ("Extractor",),
    "dowse.extract.model_fields": ("Select", "fields_from_model"),
    "dowse.modes.mode": ("Mode", "Seed"),
    "dowse.parse.page": ("Page",),
}
PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # `dowse --help` imports every mode that is installed, and such a mode needs few of these names.
    if name not in PLACES:
        raise AttributeError(f"module 'dowse.extending' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(PLACES[name]), name)
    return found
