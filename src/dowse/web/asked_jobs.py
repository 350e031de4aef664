"""A job as the page asks for it: its form, made of the settings of its mode, and what is wrong with what was filled in.

The page starts crawls for whoever is logged in, perhaps from another machine. So a job that comes from it names no
code, reads no file outside of the served folders, and has no secret but by a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dowse.config import dump_job, folder_of, make_job
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.private_jobs import code_of, without_secrets
from dowse.core.secret import OPTIONS as SECRETS
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode
from dowse.settings import Setting, read_url
from dowse.web.job_values import JobAsked, JobProblem, JobSeen, ModeShown, OptionShown, OptionValue
from dowse.web.message_key import key_of
from dowse.web.named_places import PLACES, check_references, served_place
from dowse.web.served_folders import ServedFolders

USUAL = ("max_pages", "depth", "scope", "exclude", "extract", "delay", "fetch")
"""Options of all modes that people give most."""

_CODE = "callbacks"
_NOT_HERE = {
    "seeds_from": "the page reads no lists of seeds; paste the URLs",
    "output": "the page finds the folder of a crawl by its name",
}
"""Keys of a job file that are no options of a mode."""

_NO_CODE = "code is not run from the page; name it in a job file, and start that with dowse run"
_NO_PASSWORD = "the page writes no passwords down; name where it is kept: env:NAME or keyring:SERVICE/USER"
_NO_CLUSTER = "the page connects to no cluster by its address; start dowse serve with RAY_ADDRESS, and say auto"
_NO_PRIVATE = "dowse serve was not started with --allow-private"


def shown_mode(mode: Mode[Any]) -> ModeShown:
    """A mode with its options, those that people give most first."""
    first = [name for name in (mode.start, *mode.usual, *USUAL) if name]
    settings = {setting.name: setting for setting in mode.settings if setting.group != _CODE}
    order = [*dict.fromkeys(name for name in first if name in settings), *settings]
    options = [shown_option(settings[name], usual=name in first) for name in dict.fromkeys(order)]
    return ModeShown(name=mode.name, help=(mode.__doc__ or "").strip(), start=mode.start, options=options)


def shown_option(setting: Setting, *, usual: bool) -> OptionShown:
    """An option as a form shows it."""
    default = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    return OptionShown(
        name=setting.name,
        title=setting.title,
        help=setting.help,
        kind=setting.kind,
        default=default,
        choices=list(setting.choices),
        metavar=setting.metavar,
        usual=usual,
    )


def see_job(asked: JobAsked, folders: ServedFolders, *, allow_private: bool) -> tuple[JobSeen, Job | None]:
    """What was asked for as a job file, with all that is wrong with it; the job, if nothing is."""
    mode = find_mode(asked.mode)
    problems = list(_problems(mode, asked))
    name = asked.name or free_name(mode, asked, folders)
    try:
        folder = folders.new_folder(name)
    except JobError as error:
        problems.append(_problem(error))
        folder = folders.home / "crawl"
    if problems:
        return JobSeen(job="", name=name, problems=problems), None
    try:
        job = _made(mode, asked, folders, folder, allow_private=allow_private)
    except JobError as error:
        return JobSeen(job="", name=name, problems=[_problem(error)]), None
    return JobSeen(job=dump_job(replace(job, output=name)), name=name, problems=[]), job


def _problems(mode: Mode[Any], asked: JobAsked) -> Iterator[JobProblem]:
    """What is wrong with each option for itself: all of them are told at once."""
    settings = {setting.name: setting for setting in mode.settings}
    for name, value in dict(asked.options).items():
        if name in settings:
            try:
                settings[name].check(value)
            except ValueError as error:
                yield JobProblem(key=name, message=f"{name}: {error}")
    for seed in () if mode.start else asked.seeds:
        try:
            read_url(seed)
        except JobError as error:
            yield _problem(error)
            return


def _made(mode: Mode[Any], asked: JobAsked, folders: ServedFolders, folder: Path, *, allow_private: bool) -> Job:
    given = dict(asked.options)
    for name in _NOT_HERE.keys() & given.keys():
        raise JobError(f"{name}: {_NOT_HERE[name]}")
    options = {name: _placed(name, value, folders) for name, value in given.items()}
    job = make_job(mode.name, () if mode.start else asked.seeds, output=str(folder), **options)
    if code := code_of(job):
        raise JobError(f"{next(iter(code))}: {_NO_CODE}")
    if job.fetch.allow_private and not allow_private:
        raise JobError(f"allow_private: {_NO_PRIVATE}")
    if job.fetch.cluster not in ("", "local", "auto"):
        raise JobError(f"cluster: {_NO_CLUSTER}")
    bare = without_secrets(job)
    for before, after in ((job.fetch, bare.fetch), (job.store, bare.store), (job.options, bare.options)):
        for name in before.__struct_fields__:
            if getattr(before, name) != getattr(after, name):
                raise JobError(f"{name}: {_NO_PASSWORD}")
    return job


def _placed(name: str, value: OptionValue, folders: ServedFolders) -> OptionValue:
    """A value with the files that it names, which lie in the served folders."""
    if name in SECRETS and isinstance(value, str | list):
        check_references(name, [value] if isinstance(value, str) else value)
    if name not in PLACES:
        return value
    if isinstance(value, list):
        return [_inside(name, item, folders) for item in value]
    return _inside(name, value, folders) if isinstance(value, str) else value


def _inside(name: str, text: str, folders: ServedFolders) -> str:
    try:
        return served_place(name, text, folders)
    except (JobError, ValueError) as error:
        raise JobError(f"{name}: {error}") from None


def free_name(mode: Mode[Any], asked: JobAsked, folders: ServedFolders) -> str:
    """The name of a folder that is not there yet: after the first host, or what the mode says."""
    return folders.unused_name(_first_name(mode, asked))


def _first_name(mode: Mode[Any], asked: JobAsked) -> str:
    try:
        named = folder_of(read_url(asked.seeds[0])) if asked.seeds and not mode.start else mode.folder(_texts(asked))
    except (JobError, TypeError, AttributeError):
        named = ""
    return Path(named).name or mode.name


def _texts(asked: JobAsked) -> Mapping[str, Any]:
    return {name: value for name, value in dict(asked.options).items() if isinstance(value, str)}


def _problem(error: JobError) -> JobProblem:
    return JobProblem(key=key_of(str(error)), message=str(error))
