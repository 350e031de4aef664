"""Every mode: what must stay as it is in a crawl that has begun is refused by name, and all else may change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.core.errors import JobError
from dowse.modes.registry import find_mode
from dowse.settings import Setting
from tests.contract.mode_jobs import MODES, Runs, another_value
from tests.crawling import opened

GOES_ON: dict[str, Callable[..., Any]] = {"resume": app.resume, "retry": app.retry, "recrawl": app.recrawl}


def own_settings(name: str) -> list[Setting]:
    """The options that only a mode has."""
    return [setting for setting in find_mode(name).settings if setting.group == "options"]


@pytest.mark.parametrize("verb", GOES_ON)
@pytest.mark.parametrize("name", MODES)
def test_what_must_stay_is_refused_by_name(name: str, verb: str, runs: Runs, tmp_path: Path) -> None:
    out = runs.copied(name, tmp_path / "out")
    before = opened(out).job
    for option in (setting for setting in own_settings(name) if setting.name in find_mode(name).identity):
        with pytest.raises(JobError, match=rf"^{option.name}: .* start a new one$"):
            GOES_ON[verb](out, **{option.name: another_value(option)})
    with pytest.raises(JobError, match=r"^drop_parameters: .* start a new one$"):
        GOES_ON[verb](out, drop_parameters=["color"])
    assert opened(out).job == before


@pytest.mark.parametrize("name", MODES)
def test_what_is_no_part_of_the_identity_may_change(
    name: str, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what a crawl began from is refused besides, as the table of a rule crawl is."""
    for named in ("words", "and more"):  # which some options take for files
        (tmp_path / named).write_text("<title>A page about fruit</title>", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    out = runs.copied(name, tmp_path / "out")
    mode = find_mode(name)
    others = [option for option in own_settings(name) if option.name not in (*mode.identity, mode.start)]
    given = {**{option.name: another_value(option) for option in others}, "depth": 9, "robots": "ignore"}
    for option, value in given.items():
        app.resume(out, **{option: value})
    job = opened(out).job
    taken = {setting.name: getattr(getattr(job, setting.group), setting.name) for setting in mode.settings}
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in taken.items()}
    assert {name: listed[name] for name in given} == given
    if mode.start:
        with pytest.raises(JobError, match=f"^{mode.start}: "):
            GOES_ON["resume"](out, **{mode.start: "other.csv"})


@pytest.mark.parametrize("name", MODES)
def test_the_identity_is_of_options_that_there_are(name: str, toys: None) -> None:
    assert set(find_mode(name).identity) <= {setting.name for setting in own_settings(name)}
