"""The settings of every mode: complete, free of clashes, and their own defaults are valid."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, mode_names, modes
from dowse.settings import Setting

ROWS = [setting for mode in modes() for setting in mode.settings]


@pytest.mark.parametrize("mode", mode_names())
def test_names_are_unique_in_one_flat_table(mode: str) -> None:
    names = ["mode", "seeds", "output", *(setting.name for setting in find_mode(mode).settings)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("mode", mode_names())
def test_every_field_of_the_job_is_a_setting(mode: str) -> None:
    job = Job(seeds=("http://x/",), mode=mode, options=find_mode(mode).options())
    groups = [name for name in Job.__struct_fields__ if name not in ("seeds", "output", "mode")]
    fields = {(group, name) for group in groups for name in getattr(job, group).__struct_fields__}
    assert {(setting.group, setting.name) for setting in find_mode(mode).settings} == fields


@pytest.mark.parametrize("setting", ROWS, ids=lambda setting: setting.name)
def test_a_setting_explains_itself_and_takes_its_own_default(setting: Setting) -> None:
    assert setting.help.endswith(".")
    assert setting.title
    assert setting.check(setting.default) == setting.default
    assert bool(setting.metavar) == (setting.kind not in ("switch", "choice"))


@pytest.mark.parametrize("setting", ROWS, ids=lambda setting: setting.name)
def test_every_number_says_what_is_the_least(setting: Setting) -> None:
    assert (setting.least > -math.inf) == (setting.kind in ("whole", "number"))
    assert setting.shape is None or setting.kind in ("text", "list")


@pytest.mark.parametrize("mode", list(modes()), ids=lambda mode: mode.name)
def test_a_default_stands_in_one_place(mode: Mode[Any]) -> None:
    assert not set(mode.defaults) & set(mode.options.__struct_fields__)


def test_an_unknown_mode_is_told_the_known_ones() -> None:
    with pytest.raises(JobError, match="mode: expected one of site, rules, focus, files, forms, forum; got 'sight'"):
        find_mode("sight")
