"""What of a job is nobody else's business: its secrets, and whether all that it writes is for its user alone. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict, replace

from dowse.core.job import Job
from dowse.core.secret import OPTIONS, concealed, is_given, references

_DATABASES = ("postgresql:", "postgres:")


def without_secrets(job: Job) -> Job:
    """The job as it may be written down: with references in the place of secrets."""
    bare = changed(job, concealed)
    return replace(bare, store=replace(bare.store, store=concealed("store", bare.store.store)))


def changed(job: Job, change: Callable[[str, str], str]) -> Job:
    """The job with each text of an option that can hold a secret changed."""

    def anew(options: Any) -> Any:
        texts = {name: value for name, value in asdict(options).items() if name in OPTIONS and value}
        return replace(options, **{name: _each(name, value, change) for name, value in texts.items()})

    return replace(job, fetch=anew(job.fetch), options=anew(job.options))


def _each(option: str, value: str | tuple[str, ...], change: Callable[[str, str], str]) -> str | tuple[str, ...]:
    return tuple(change(option, text) for text in value) if isinstance(value, tuple) else change(option, value)


def is_private(job: Job) -> bool:
    """Whether a crawl is made with what only its user has: then its files are for nobody else."""
    fetch = job.fetch
    texts = [("auth", fetch.auth), ("proxy", fetch.proxy)]
    texts += [("header", text) for text in fetch.header] + [("step", text) for text in fetch.step]
    return bool(fetch.profile) or any(is_given(option, text) for option, text in texts if text)


def wants_of_machine(job: Job) -> dict[str, str]:
    """What a job wants of the machine it runs on, by option: secrets by reference, a log-in, a database, code."""
    wants: dict[str, str] = {}

    def note(option: str, text: str) -> str:
        if any(found != "ask:" for found in references(option, text)):
            wants[option] = f"{wants[option]}, {text}" if option in wants else text
        return text

    changed(job, note)
    if job.fetch.profile:
        wants["profile"] = job.fetch.profile
    for name, value in asdict(job.options).items():
        if name in OPTIONS and isinstance(value, str) and value.startswith(_DATABASES):
            wants[name] = concealed(name, value)  # libpq would hand it a password of ours by itself
    return wants | code_of(job) | elsewhere(job)


def elsewhere(job: Job) -> dict[str, str]:
    """The other machines and folders that a job uses: whoever answers for a cluster has what is sent there."""
    places = {"cluster": job.fetch.cluster, "bodies_at": job.fetch.bodies_at}
    return {name: text for name, text in places.items() if text and text != "local"}


def code_of(job: Job) -> dict[str, str]:
    """The code that a job names by its place, by option; it is imported when the job is run."""
    found = {name: text for name, text in asdict(job.callbacks).items() if text}
    if extractors := [text for text in job.extract.extractor if ":" in text]:
        found["extractor"] = ", ".join(extractors)
    return found
