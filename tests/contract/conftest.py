"""What the suites over all modes share: the toy modes installed, and one orchard to crawl."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.cli.options import setting_options
from dowse.machine import plugins
from dowse.modes import registry
from tests.contract.mode_jobs import Runs, orchard
from tests.servers import Site

TOY = Path(__file__).parents[1] / "toy"
CACHES = (plugins._all_entry_points, plugins.installed, registry.find_mode, setting_options)


@pytest.fixture(scope="module")
def toys() -> Iterator[None]:
    """The packages with the toy modes are installed: here, and in processes that are started from here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOY)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(TOY), *filter(None, [os.environ.get("PYTHONPATH")])]))
        for cache in CACHES:
            cache.cache_clear()
        brought = set(registry.mode_names()) - set(registry.NAMES)
        yield
    for cache in CACHES:
        cache.cache_clear()
    for name in brought:
        vars(dowse).pop(name, None)
        sys.modules.pop(f"{name}_mode", None)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site() as running:
        running.pages.update(orchard())
        yield running


@pytest.fixture(scope="module")
def runs(site: Site, toys: None, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """The small jobs of all modes over the orchard."""
    return Runs(site, tmp_path_factory.mktemp("runs"))
