"""The job as people write it: one flat table of words, the same in a job file, in Python and on the command line.

    job.toml | keyword arguments | options  ->  make_job  ->  Job  ->  dump_job

Nothing else validates. Every refusal is a `JobError` that names the key and says what to do.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import asdict

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions, FetchOptions, Job
from dowse.core.options.store_options import kept_by
from dowse.core.private_jobs import without_secrets
from dowse.core.scope import Scope
from dowse.core.steps import Steps, parse_step
from dowse.jobs.seed_lists import all_seeds
from dowse.jobs.stored_jobs import typed_job
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, mode_names, modes
from dowse.settings import WATCH, Setting, Value, check_text, watch_settings

RENDERING = ("page_time", "ready", "step", "explore", "capture", "images", "tabs")
"""Options that nothing comes of unless pages are rendered."""

CONTACT = "DOWSE_CONTACT"
"""The environment variable by which a person says once where they can be found."""

# Selectors of Playwright that are no CSS: text=Next, xpath=//a, //a, "Next", a >> b.
_BEYOND_CSS = re.compile(r"""^\s*(?!css=)[\w+:*-]+=|^\s*\(*(?://|\.\.|["'])|>>""")


def make_job(name: str, start: str | Iterable[str], **options: object) -> Job:
    """The job of a mode, what it starts from and any of its options by name; `output` is the crawl's folder.

    What it starts from is its seeds, or what the mode's first argument is. The seeds of a list (`seeds_from`) become
    seeds of the job: a crawl that goes on does not need the list any more.
    """
    if source := options.pop("seeds_from", ""):
        check_takes_seeds(find_mode(name), "seeds_from")

        def job_without() -> Job:
            return _make(name, start or str(source).removeprefix("cdx:"), dict(options), options)

        start = all_seeds(start, source, job_without)
    return _make(name, start, options, options)


def _make(name: str, start: str | Iterable[str], options: dict[str, object], given: Mapping[str, object]) -> Job:
    """`given` are those of the options that somebody gives now; the others were taken before."""
    mode = find_mode(name)
    known = {setting.name: setting for setting in mode.settings}
    groups: defaultdict[str, dict[str, Value]] = defaultdict(dict)
    output = options.pop("output", None)
    _check_sections(options)
    if unknown := [name for name in options if name not in known]:
        raise JobError("; ".join(_unknown_key(name, mode, known) for name in unknown))
    for name, value in options.items():
        groups[known[name].group][name] = _checked(known[name], value)
    if "contact" not in options and (contact := os.environ.get(CONTACT, "").strip()):
        groups["fetch"]["contact"] = _checked(known["contact"], contact, CONTACT)
    for name in mode.defaults:
        groups[known[name].group].setdefault(name, known[name].default)
    seeds = all_seeds(start) if start or not mode.start else ()
    place = _folder(mode, seeds, groups["options"]) if output is None else _check_output(output)
    job = typed_job(mode, {"seeds": seeds, "output": place, **groups})
    _check(mode, job, given)
    return job


def _check(mode: Mode[Any], job: Job, given: Mapping[str, object]) -> None:
    # Scope and extractors know best which regular expressions, extensions and selectors they can use.
    Scope(job.scope, job.limits, ())
    Steps(job.fetch.step)
    kept_by(job.store)
    _check_charset(job.fetch.charset)
    if job.fetch.signed_in:
        _check_selector("signed_in", job.fetch.signed_in)
    _check_rendering(job.fetch, given)
    if bool(job.fetch.sign_key) != bool(job.fetch.signature_agent):
        raise JobError("sign_key and signature_agent belong together: the key, and where servers find its public part")
    mode.check(job)
    if job.extract != ExtractOptions():
        from dowse.extract.extractors import build_extractors  # the parser, that other jobs need not load yet

        if not build_extractors(job.extract) and not job.extract.extractor:  # the only option that is left
            raise JobError("on: nothing to extract from these pages; name a field, such as extract = 'title=//h1'")


def change_job(job: Job, **options: object) -> Job:
    """The same job with some options given anew."""
    return _make(job.mode, job.seeds, {"output": job.output, **written_options(job), **options}, options)


def check_takes_seeds(mode: Mode[Any], option: str) -> None:
    """Refuse seeds for a crawl that begins elsewhere."""
    if mode.start:
        raise JobError(f"{option}: mode = {mode.name} takes no seeds; it begins where its {mode.start} says")


def load_job(path: str | os.PathLike[str], **overrides: object) -> Job:
    """The job of a TOML file; overrides, such as options of the command line, win over its keys."""
    table = _read_table(path)
    try:
        watch_options(table.pop(WATCH, {}))  # of no use here, but what is wrong with it is told at once
        _check_sections(table)
        name = table.pop("mode", None)
        if not isinstance(name, str):
            renamed = "; it was called strategy before: write mode in its place" if "strategy" in table else ""
            raise JobError(f'mode: expected one of {", ".join(mode_names())}, such as mode = "site"{renamed}')
        return make_job(name, table.pop("seeds", ()), **{**table, **overrides})
    except JobError as error:
        raise JobError(f"{path}: {error}") from error


def load_watch(path: str | os.PathLike[str]) -> dict[str, Value]:
    """The section [watch] of a job file: what somebody wrote there, by name."""
    try:
        return watch_options(_read_table(path).get(WATCH, {}))
    except JobError as error:
        raise JobError(f"{path}: {error}") from error


def watch_options(given: object) -> dict[str, Value]:
    """Options of a watch, checked each for itself."""
    if not isinstance(given, dict):
        raise JobError(f"{WATCH}: expected a section, written as [{WATCH}] above its keys")
    known = {setting.name: setting for setting in watch_settings()}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else "see dowse watch --help for the keys"
            raise JobError(f"unknown key {name} in [{WATCH}]; {hint}")
    return {name: _checked(known[name], value) for name, value in given.items()}


def _read_table(path: str | os.PathLike[str]) -> dict[str, Any]:
    # Only a crawl from a file needs a TOML parser.
    import tomllib

    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise JobError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JobError(f"{path}: not a text in UTF-8 (byte {error.start})") from error
    except tomllib.TOMLDecodeError as error:
        raise JobError(f"{path}: not valid TOML: {error}") from error


def dump_job(job: Job) -> str:
    """The job as TOML: what differs from the defaults, with what it means, and references in place of secrets."""
    job = without_secrets(job)
    mode = find_mode(job.mode)
    lines = ["# A dowse job. Run it with: dowse run FILE", f"mode = {_toml(mode.name)}"]
    if not mode.start:
        lines.append(f"seeds = {_toml(job.seeds)}")
    if job.output != _folder(mode, job.seeds, asdict(job.options)):
        lines.append(f"output = {_toml(job.output)}")
    written = written_options(job)
    for setting in mode.settings:
        if setting.name in written:
            lines += ["", f"# {setting.help}", f"{setting.name} = {_toml(written[setting.name])}"]
    return "\n".join(lines) + "\n"


def folder_of(seed: str) -> str:
    """The folder of a crawl whose user named none: example.org, 127.0.0.1-8000."""
    host = urlsplit(seed).netloc
    return re.sub(r"[^\w.-]+", "-", host).strip("-.")


def _folder(mode: Mode[Any], seeds: tuple[str, ...], options: Mapping[str, Value]) -> str:
    """Where a crawl goes whose user did not say: by what its mode says, or by the name of its first host."""
    return mode.folder(options) or (folder_of(seeds[0]) if seeds else mode.name)


def _check_sections(table: Mapping[str, object]) -> None:
    """Refuse them before all else: what a file is said to lack may stand in one."""
    if names := [name for name, value in table.items() if isinstance(value, dict)]:
        marks = " and ".join(f"[{name}]" for name in names)
        raise JobError(f"{', '.join(names)}: a job file has no sections; write its keys without {marks}")


def _unknown_key(name: str, mode: Mode[Any], known: Mapping[str, Setting]) -> str:
    if others := [other.name for other in modes() if name in {setting.name for setting in other.settings}]:
        return f"{name} is no key of mode = {mode.name}, but of {' and '.join(others)}"
    if name in ("seeds", "seeds_from"):
        return f"{name}: taken by a new crawl, which has seeds as its first argument, and by dowse resume"
    near = get_close_matches(name, ["mode", "seeds", "seeds_from", "output", *known], n=1, cutoff=0.6)
    return f"unknown key {name}; " + (f"did you mean {near[0]}?" if near else "see dowse run --help for the keys")


def _checked(setting: Setting, value: object, given_as: str = "") -> Value:
    try:
        return setting.check(value)
    except ValueError as error:
        raise JobError(f"{given_as or setting.name}: {error}") from error


def _check_charset(charset: str) -> None:
    if not charset:
        return
    from dowse.parse.decode import charset_name

    if not charset_name(charset):
        raise JobError(f"charset: {charset!r} is none that browsers know; write it like windows-1251 or shift_jis")


def _check_selector(option: str, selector: str, *, knows_all: bool = True) -> None:
    """`knows_all`: whether it is for our own parser. A browser knows further pseudo-classes."""
    from dowse.parse.tree import empty_tree

    try:
        empty_tree().select(selector)
    except ValueError as error:
        if not knows_all and "unknown pseudo-class" in str(error):
            return
        raise JobError(f"{option}: {selector!r} is not a CSS selector: {error}") from error


def _check_rendering(fetch: FetchOptions, given: Mapping[str, object]) -> None:
    """Refuse what only a browser can do where there is none, and selectors that it could not use."""
    plain = FetchOptions()
    idle = [name for name in RENDERING if name in given and getattr(fetch, name) != getattr(plain, name)]
    if fetch.profile and "page_time" in idle:
        idle.remove("page_time")  # a log-in is renewed in a browser, however pages are fetched
    if idle and fetch.fetch == "http":
        raise JobError(f"{', '.join(idle)}: only for rendered pages; add fetch = 'browser', or fetch = 'auto'")
    selectors = [("ready", fetch.ready)] + [("step", parse_step(step).selector) for step in fetch.step]
    for option, selector in selectors:
        if option in given and selector and not _BEYOND_CSS.search(selector):
            _check_selector(option, selector.removeprefix("css="), knows_all=False)


def _check_output(value: object) -> str:
    try:
        output = check_text("the name of a folder", os.fspath(value) if isinstance(value, os.PathLike) else value)
    except ValueError as error:
        raise JobError(f"output: {error}") from error
    if not output:
        raise JobError("output: expected the name of a folder, got an empty text")
    return output


def written_options(job: Job) -> dict[str, Value]:
    """What the job says that is not a default anyway, by name."""
    rows = find_mode(job.mode).settings
    values = ((row, getattr(getattr(job, row.group), row.name)) for row in rows)
    return {row.name: value for row, value in values if value != row.default}


def asked_of_mode(job: Job) -> dict[str, Value]:
    """What the job says of the options that only its mode has."""
    own = {row.name for row in find_mode(job.mode).settings if row.group == "options"}
    return {name: value for name, value in written_options(without_secrets(job)).items() if name in own}


def asked_texts(job: Job) -> dict[str, str]:
    """The same for people."""
    return {name.replace("_", " "): _told(value) for name, value in asked_of_mode(job).items()}


def _told(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _toml(value: Value) -> str:
    if isinstance(value, tuple):
        items = [_toml(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= 100 else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    if isinstance(value, str):
        # Regular expressions stay readable between single quotes; JSON's escapes are all TOML's too.
        return f"'{value}'" if "\\" in value and "'" not in value else msgspec.json.encode(value).decode()
    return str(value).lower() if isinstance(value, bool) else repr(value)
