"""The job as people write it: one flat table of words, the same in a job file, in Python and on the command line.

    job.toml | keyword arguments | options  ->  make_job  ->  Job  ->  dump_job | job_to_json

Nothing else validates. Every refusal is a `JobError` that names the key and says what to do.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import asdict

from dowse.core.errors import JobError
from dowse.core.files import wanted_files
from dowse.core.job import ExtractOptions, FilesOptions, FocusOptions, Job, RulesOptions
from dowse.core.private import without_secrets
from dowse.core.scope import Scope
from dowse.core.steps import Steps
from dowse.core.urls import resolve
from dowse.settings import DEFAULTS, STRATEGIES, Setting, Value, check_text, settings, shown
from dowse.version import VERSION

# A host as people type it: example.org/path, localhost, server:8000, [::1]:8000.
BARE_HOST = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+\.?|[\w-]+(?=:\d)|\[[\da-fA-F:.]+\])(:\d{1,5})?([/?#].*)?")
# Servers on one's own machine rarely have a certificate.
THIS_MACHINE = re.compile(r"(localhost|127\.[\d.]+|\[::1\])(?=[:/?#]|$)")

# Endings of files that no host has.
FILE_ENDINGS = frozenset(["txt", "csv", "tsv", "json", "jsonl", "toml", "yaml", "yml", "xml", "html", "htm", "list"])

# In a topic: a weight that is no number above 0.
_NO_WEIGHT = re.compile(r'(?:"[^"]*"|[^\s,;"^]*)\^(?!(?=[\d.]*[1-9])\d+(?:\.\d+)?(?![^\s,;]))[^\s,;]*')


def make_job(strategy: str, seeds: str | Iterable[str], **options: object) -> Job:
    """The job of a strategy, its seeds and any of its options by name; `output` is the crawl's folder."""
    known = {setting.name: setting for setting in settings(strategy)}
    groups: defaultdict[str, dict[str, Value]] = defaultdict(dict)
    output = options.pop("output", None)
    _check_sections(options)
    if unknown := [name for name in options if name not in known]:
        raise JobError("; ".join(_unknown_key(name, strategy, known) for name in unknown))
    for name, value in options.items():
        groups[known[name].group][name] = _checked(known[name], value)
    for setting in known.values():
        if setting.name in DEFAULTS.get(strategy, {}):
            groups[setting.group].setdefault(setting.name, setting.default)
    checked_seeds = _check_seeds(seeds) if strategy != "rules" else _check_bases(seeds, groups["strategy"])
    job = msgspec.convert(
        {
            "seeds": checked_seeds,
            "output": _folder(checked_seeds, groups["strategy"]) if output is None else _check_output(output),
            **groups,
            "strategy": {"strategy": strategy, **groups["strategy"]},
        },
        Job,
    )
    # Scope and extractors know best which regular expressions, extensions and selectors they can use.
    Scope(job.scope, job.limits, ())
    Steps(job.fetch.step)
    if job.fetch.signed_in:
        _check_selector("signed_in", job.fetch.signed_in)
    if isinstance(job.strategy, FocusOptions):
        _check_topic(job.strategy)
    if isinstance(job.strategy, FilesOptions):
        wanted_files(job.strategy)
    if job.extract != ExtractOptions():
        from dowse.extract.extractors import build_extractors  # the parser, that other jobs need not load yet

        if not build_extractors(job.extract):  # the only option that is left
            raise JobError("on: nothing to extract from these pages; name a field, such as extract = 'title=//h1'")
    return job


def change_job(job: Job, **options: object) -> Job:
    """The same job with some options given anew."""
    return make_job(strategy_of(job), job.seeds, **{"output": job.output, **_written(job), **options})


def load_job(path: str | os.PathLike[str], **overrides: object) -> Job:
    """The job of a TOML file; overrides, such as options of the command line, win over its keys."""
    # Only a crawl from a file needs a TOML parser.
    import tomllib

    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise JobError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JobError(f"{path}: not a text in UTF-8 (byte {error.start})") from error
    except tomllib.TOMLDecodeError as error:
        raise JobError(f"{path}: not valid TOML: {error}") from error
    try:
        _check_sections(table)
        strategy = table.pop("strategy", None)
        if not isinstance(strategy, str):
            raise JobError(f'strategy: expected one of {", ".join(STRATEGIES)}, such as strategy = "site"')
        return make_job(strategy, table.pop("seeds", ()), **{**table, **overrides})
    except JobError as error:
        raise JobError(f"{path}: {error}") from error


def dump_job(job: Job) -> str:
    """The job as TOML: what differs from the defaults, with what it means, and references in place of secrets."""
    job = without_secrets(job)
    strategy = strategy_of(job)
    lines = ["# A dowse job. Run it with: dowse run FILE", f"strategy = {_toml(strategy)}"]
    if not isinstance(job.strategy, RulesOptions):
        lines.append(f"seeds = {_toml(job.seeds)}")
    if job.output != _folder(job.seeds, asdict(job.strategy)):
        lines.append(f"output = {_toml(job.output)}")
    written = _written(job)
    for setting in settings(strategy):
        if setting.name in written:
            lines += ["", f"# {setting.help}", f"{setting.name} = {_toml(written[setting.name])}"]
    return "\n".join(lines) + "\n"


def job_to_json(job: Job) -> str:
    """Every value of the job but its secrets, so that a stored crawl keeps its defaults when those of dowse change."""
    return msgspec.json.encode(without_secrets(job)).decode()


def job_from_json(text: str | bytes) -> Job:
    """The job that `job_to_json` wrote."""
    try:
        return msgspec.json.decode(text, type=Job)
    except msgspec.DecodeError as error:
        raise JobError(f"the stored job cannot be read: {error}") from error


def strategy_of(job: Job) -> str:
    """The name of the job's strategy."""
    return str(job.strategy.__struct_config__.tag)


def user_agent(job: Job) -> str:
    """The name to give to servers."""
    return job.fetch.user_agent or f"dowse/{VERSION}"


def folder_of(seed: str) -> str:
    """The folder of a crawl whose user named none: example.org, 127.0.0.1-8000."""
    host = urlsplit(seed).netloc
    return re.sub(r"[^\w.-]+", "-", host).strip("-.")


def _folder(seeds: tuple[str, ...], strategy: Mapping[str, Value]) -> str:
    """Where a crawl goes whose user did not say: by the name of its rule table, or of its first host."""
    table = str(strategy.get("table", "")).partition("?")[0].rstrip("/").rpartition("/")[2]
    stem = re.sub(r"[^\w.-]+", "-", table.rpartition(".")[0] or table).strip("-.")
    return stem or (folder_of(seeds[0]) if seeds else "rules")


def _check_sections(table: Mapping[str, object]) -> None:
    """Refuse them before all else: what a file is said to lack may stand in one."""
    if names := [name for name, value in table.items() if isinstance(value, dict)]:
        marks = " and ".join(f"[{name}]" for name in names)
        raise JobError(f"{', '.join(names)}: a job file has no sections; write its keys without {marks}")


def _unknown_key(name: str, strategy: str, known: Mapping[str, Setting]) -> str:
    if others := [other for other in STRATEGIES if name in {setting.name for setting in settings(other)}]:
        return f"{name} is no key of strategy = {strategy}, but of {' and '.join(others)}"
    near = get_close_matches(name, ["strategy", "seeds", "output", *known], n=1, cutoff=0.6)
    return f"unknown key {name}; " + (f"did you mean {near[0]}?" if near else "see dowse run --help for the keys")


def _checked(setting: Setting, value: object) -> Value:
    try:
        return setting.check(value)
    except ValueError as error:
        raise JobError(f"{setting.name}: {error}") from error


def _check_selector(option: str, selector: str) -> None:
    from dowse.parse.tree import empty_tree

    try:
        empty_tree().select(selector)
    except ValueError as error:
        raise JobError(f"{option}: {selector!r} is not a CSS selector: {error}") from error


def _check_output(value: object) -> str:
    try:
        output = check_text("the name of a folder", os.fspath(value) if isinstance(value, os.PathLike) else value)
    except ValueError as error:
        raise JobError(f"output: {error}") from error
    if not output:
        raise JobError("output: expected the name of a folder, got an empty text")
    return output


def _check_bases(seeds: object, options: Mapping[str, Value]) -> tuple[str, ...]:
    """A rule crawl starts where its table says; whoever reads the table fills in the seeds."""
    if not options.get("table"):
        raise JobError("table: there is none; name the rule table, such as rules.csv or sqlite:///rules.db")
    return _check_seeds(seeds) if seeds else ()


def _check_topic(options: FocusOptions) -> None:
    """Refuse a topic that says nothing; examples say what they say when they are read."""
    from dowse.score.keywords import parse_topic
    from dowse.score.language import language

    try:
        spoken = language(options.language)
    except ValueError as error:
        raise JobError(f"language: {error}") from error
    if options.threshold > 1:
        raise JobError(f"threshold: must be at most 1, got {options.threshold:g}")
    if options.unlike and not options.like and not options.topic.strip():
        raise JobError("unlike: this is what is not wanted; say what is, with --topic or --like")
    if wrong := _NO_WEIGHT.search(options.topic):
        raise JobError(
            f"topic: {wrong[0]!r}: what is behind ^ says how much a word counts, as a number such as 2 or 0.5;"
            " without a weight, leave ^ out"
        )
    if options.topic.strip() or not options.like:
        try:
            parse_topic(options.topic, spoken)
        except ValueError as error:
            raise JobError(f"topic: {error}") from error


def _check_seeds(seeds: object) -> tuple[str, ...]:
    listed = [seeds] if isinstance(seeds, str) else seeds
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        raise JobError(f"seeds: expected a list of URLs, got {shown(seeds)}")
    checked = tuple(read_url(seed) for seed in listed)
    if not checked:
        raise JobError("seeds: there are none; name at least one URL to start from, such as https://example.org/")
    return checked


def read_url(seed: object, option: str = "seeds") -> str:
    """A URL as people type it, in an option of that name; a bare host gets its scheme."""
    try:
        url = check_text("a URL", seed).strip()
    except ValueError as error:
        raise JobError(f"{option}: {error}") from error
    if option == "seeds":
        _check_no_file(url)
    if BARE_HOST.fullmatch(url):
        url = f"{'http' if THIS_MACHINE.match(url) else 'https'}://{url}"
    scheme, separator, rest = url.partition("://")
    if not separator or not rest:
        raise JobError(f"{option}: {shown(seed)} is not a URL; write it like https://example.org/")
    if scheme.lower() not in ("http", "https"):
        raise JobError(f"{option}: {shown(seed)}: only http and https can be crawled")
    if resolve(url, "") is None:
        raise JobError(f"{option}: {shown(seed)} is not a valid URL; check its host and port")
    if "@" in re.split(r"[/?#\\]", rest, maxsplit=1)[0]:
        raise JobError(f"{option}: a URL must not hold a user name or a password; use auth = 'USER:PASSWORD'")
    return url


def _check_no_file(seed: str) -> None:
    """Say what a file is for that was named in place of a URL, before anybody looks for a host of that name."""
    ending = seed.rpartition(".")[2].lower()
    is_file = "://" not in seed and _is_file(seed)
    if not is_file and ("/" in seed or ending not in FILE_ENDINGS or ending == seed):
        return
    uses = {
        "toml": f"a job is run with dowse run {seed}",
        "csv": f"a table of rules is run with dowse rules run {seed}",
        "html": f"a page can be an example of a topic: dowse focus URL --like {seed}",
    }
    words = "URLs of a list go onto the command line, or as seeds = [...] into a job file (dowse run)"
    there = "is a file, and a crawl starts from a URL" if is_file else "is no URL, and there is no such file"
    host = f"; for the host write https://{seed}/" if ending not in FILE_ENDINGS and BARE_HOST.fullmatch(seed) else ""
    raise JobError(f"seeds: {seed} {there}; {uses.get(ending, words)}{host}")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False


def _written(job: Job) -> dict[str, Value]:
    """What the job says that is not a default anyway, by name."""
    rows = settings(strategy_of(job))
    values = ((row, getattr(getattr(job, row.group), row.name)) for row in rows)
    return {row.name: value for row, value in values if value != row.default}


def _toml(value: Value) -> str:
    if isinstance(value, tuple):
        items = [_toml(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= 100 else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    if isinstance(value, str):
        # Regular expressions stay readable between single quotes; JSON's escapes are all TOML's too.
        return f"'{value}'" if "\\" in value and "'" not in value else msgspec.json.encode(value).decode()
    return str(value).lower() if isinstance(value, bool) else repr(value)
