"""The table of settings: complete, free of clashes, and its own defaults are valid."""

from __future__ import annotations

import pytest

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.settings import DEFAULTS, MINIMUM, SHAPES, STRATEGIES, Setting, settings

ROWS = [setting for strategy in STRATEGIES for setting in settings(strategy)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_names_are_unique_in_one_flat_table(strategy: str) -> None:
    names = ["strategy", "seeds", "output", *(setting.name for setting in settings(strategy))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_field_of_the_job_is_a_setting(strategy: str) -> None:
    job = Job(seeds=("http://x/",), strategy=STRATEGIES[strategy]())  # type: ignore[arg-type]
    groups = [name for name in Job.__struct_fields__ if name not in ("seeds", "output")]
    fields = {(group, name) for group in groups for name in getattr(job, group).__struct_fields__}
    assert {(setting.group, setting.name) for setting in settings(strategy)} == fields


@pytest.mark.parametrize("setting", ROWS, ids=lambda setting: setting.name)
def test_a_setting_explains_itself_and_takes_its_own_default(setting: Setting) -> None:
    assert setting.help.endswith(".")
    assert setting.title
    assert setting.check(setting.default) == setting.default
    assert bool(setting.metavar) == (setting.kind not in ("switch", "choice"))


def test_limits_and_shapes_belong_to_settings() -> None:
    kinds = {setting.name: setting.kind for setting in ROWS}
    assert set(MINIMUM) == {name for name, kind in kinds.items() if kind in ("whole", "number")}
    assert set(SHAPES) <= {name for name, kind in kinds.items() if kind in ("text", "list")}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_default_stands_in_one_place(strategy: str) -> None:
    assert not set(DEFAULTS.get(strategy, {})) & set(STRATEGIES[strategy].__struct_fields__)


def test_an_unknown_strategy_is_told_the_known_ones() -> None:
    with pytest.raises(JobError, match="strategy: expected one of site, rules, explore, focus, files; got 'sight'"):
        settings("sight")
