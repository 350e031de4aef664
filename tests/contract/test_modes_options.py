"""Every mode: manual, job file and help have its options with the same words, and all ways to say a job say one job."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest

import dowse
from dowse import app
from dowse.cli.main import cli
from dowse.cli.mode_commands import crawl_command
from dowse.cli.options import JobCommand, long_name
from dowse.config import dump_job, load_job, make_job
from dowse.core.job import Job
from dowse.jobs.stored_jobs import job_from_json, job_to_json, pack_job
from dowse.modes.mode import Mode
from dowse.modes.registry import NAMES, find_mode, modes
from dowse.settings import Setting
from tests.contract.mode_jobs import JOBS, MODES, Runs, another_value
from tests.unit.test_docs import DOCS, load_generator

SEED = "http://127.0.0.1:8000/"


@pytest.fixture(scope="module")
def manual(toys: None) -> dict[str, str]:
    """The reference as it is with all modes that are installed, by the name of the page."""
    return {path.name: text for path, text in load_generator().pages().items()}


def section(page: str, title: str) -> str:
    return (
        re.split(rf"^##+ {re.escape(title)}$", page, flags=re.MULTILINE)[1].partition("\n## ")[0].partition("\n### ")[0]
    )


def squeezed(text: str) -> str:
    """A text however it is wrapped and escaped."""
    return re.sub(r"[\s\\]+", "", text)


def command_of(mode: Mode[Any]) -> click.Command:
    """The command that takes the options of a mode; one without a command of its own lends them to another."""
    if not mode.hidden:
        return crawl_command(mode, mode.name)
    groups = [group for group in cli.commands.values() if isinstance(group, click.Group)]
    found = [each for group in groups for each in group.commands.values() if getattr(each, "mode", "") == mode.name]
    assert found, f"no command takes the options of {mode.name}"
    return found[0]


# The manual


@pytest.mark.parametrize("name", MODES)
def test_every_option_is_in_the_reference_as_option_and_as_key(name: str, manual: dict[str, str]) -> None:
    for setting in find_mode(name).settings:
        rows = section(manual["commands.md"], setting.title), section(manual["job-file.md"], setting.title)
        for row, mark in zip(rows, (long_name(setting), setting.name), strict=True):
            (line,) = (line for line in row.splitlines() if re.match(rf"\| `{mark}[ `]", line))
            assert squeezed(setting.help) in squeezed(line)
            if setting.group == "options" and isinstance(setting.default, int | float):
                assert f"| `{str(setting.default).lower().removesuffix('.0')}` |" in line


@pytest.mark.parametrize("name", MODES)
def test_its_own_defaults_are_in_the_reference(name: str, manual: dict[str, str]) -> None:
    mode = find_mode(name)
    lines = [line for line in manual["commands.md"].splitlines() if line.startswith(f"- `{name}`: ")]
    assert len(lines) == bool(mode.defaults)
    for option, value in mode.defaults.items():
        assert f"`--{option.replace('_', '-')}` {str(value).lower()}" in lines[0]


@pytest.mark.parametrize("name", [name for name in NAMES if not find_mode(name).hidden])
def test_its_page_of_the_manual_names_every_option_of_its_own(name: str) -> None:
    page = (DOCS / "ways" / f"{name}.md").read_text(encoding="utf-8")
    mode = find_mode(name)
    own = [setting for setting in mode.settings if setting.group == "options" and setting.name != mode.start]
    names = [each.name.replace("_", "-") for each in own]
    assert [name for name in names if not re.search(rf"--(no-)?{name}\b", page)] == []


@pytest.mark.parametrize("name", MODES)
def test_the_help_of_its_command_has_every_option_with_the_same_words(name: str, toys: None) -> None:
    mode = find_mode(name)
    command = command_of(mode)
    text = command.get_help(click.Context(command, info_name=name, terminal_width=80))
    for setting in mode.settings:
        if setting.name == mode.start:
            continue
        assert re.search(rf"^  (-\w, )?{long_name(setting)}\b", text, re.MULTILINE), setting.name
        assert squeezed(setting.help) in squeezed(text)
    assert max(map(len, text.splitlines())) <= 80


def test_an_option_of_two_modes_takes_the_same_kind_of_value(toys: None) -> None:
    """`dowse run` and `dowse resume` read it before they know the mode."""
    known: dict[str, Setting] = {}
    for setting in (setting for mode in modes() for setting in mode.settings):
        first = known.setdefault(setting.name, setting)
        assert (setting.kind, setting.choices, setting.flags) == (first.kind, first.choices, first.flags), setting.name


# The job


def every_option(mode: Mode[Any]) -> dict[str, Any]:
    """All options of a mode at once, none with its default."""
    values = {setting.name: another_value(setting) for setting in mode.settings}
    return {**values, "fetch": "browser", "output": "a folder"}


def whole_job(mode: Mode[Any]) -> Job:
    return make_job(mode.name, () if mode.start else [SEED], **every_option(mode))


@pytest.mark.parametrize("name", MODES)
def test_a_job_survives_its_file_its_store_and_the_way_to_a_worker(name: str, toys: None, tmp_path: Path) -> None:
    job, file = whole_job(find_mode(name)), tmp_path / "job.toml"
    file.write_text(dump_job(job), encoding="utf-8")
    assert load_job(file) == job
    assert job_from_json(pack_job(job)) == job
    assert job_from_json(job_to_json(job)) == job
    text = file.read_text(encoding="utf-8")
    for setting in find_mode(name).settings:
        assert getattr(getattr(job, setting.group), setting.name) != setting.default
        assert f"\n# {setting.help}\n{setting.name} = " in text


@pytest.mark.parametrize("case", JOBS)
def test_a_small_job_survives_as_well(case: str, runs: Runs, tmp_path: Path) -> None:
    job, file = runs.job(case, tmp_path / "out"), tmp_path / "job.toml"
    file.write_text(dump_job(job), encoding="utf-8")
    assert load_job(file) == job == job_from_json(pack_job(job)) == job_from_json(job_to_json(job))


def words_of(options: dict[str, Any]) -> list[str]:
    """The options as somebody types them."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        match value:
            case bool():
                words.append(option if value else f"--no-{option[2:]}")
            case list():
                words += [word for item in value for word in (option, item)]
            case _:
                words += [option, str(value)]
    return words


class Begun(Exception):
    """Raised in place of a crawl."""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that would have been run."""
    jobs: list[Job] = []

    def start(job: Job, *_parts: object, **_wishes: object) -> None:
        jobs.append(job)
        raise Begun

    monkeypatch.setattr(app, "start", start)
    return jobs


@pytest.mark.parametrize("name", MODES)
def test_command_line_python_and_job_file_make_the_same_job(
    name: str, toys: None, begun: list[Job], tmp_path: Path
) -> None:
    mode, file = find_mode(name), tmp_path / "job.toml"
    job = whole_job(mode)
    file.write_text(dump_job(job), encoding="utf-8")
    with pytest.raises(Begun):
        dowse.run(str(file))
    if not mode.hidden:
        options = every_option(mode)
        start = options.pop(mode.start) if mode.start else SEED
        with pytest.raises(Begun):
            crawl_command(mode, name).main([start, *words_of(options), "--quiet"], standalone_mode=False)
        with pytest.raises(Begun):
            getattr(dowse, name)(start, **options)
    assert begun == [job] * (1 if mode.hidden else 3)


@pytest.mark.parametrize("name", MODES)
def test_options_of_dowse_run_win_over_the_file(name: str, toys: None, begun: list[Job], tmp_path: Path) -> None:
    """That command knows the options of all modes, and makes the same of them as the command of the mode."""
    mode, file = find_mode(name), tmp_path / "job.toml"
    changed = {"output": "a folder", **{setting.name: another_value(setting) for setting in own_settings(mode)}}
    file.write_text(dump_job(make_job(name, () if mode.start else SEED, **changed)), encoding="utf-8")
    run = JobCommand("run", callback=cli.commands["run"].callback, params=list(own_parameters(cli.commands["run"])))
    with pytest.raises(Begun):
        run.main([str(file), *words_of({**changed, "depth": 3}), "--quiet"], standalone_mode=False)
    (job,) = begun
    assert job == make_job(name, () if mode.start else SEED, **changed, depth=3)


def own_settings(mode: Mode[Any]) -> list[Setting]:
    return [setting for setting in mode.settings if setting.group == "options"]


def own_parameters(command: click.Command) -> list[click.Parameter]:
    """Arguments and options that are no settings."""
    return [each for each in command.params if not hasattr(each, "setting")]
