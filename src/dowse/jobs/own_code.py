"""The code that the user of a crawl brings along: named in its job, found when it is run.

    Python      dowse.site(url, follow=keep)     an object; its name goes into the job
    elsewhere   --follow shop.py:keep            a name; it is imported when the crawl runs

Nothing is pickled. A worker process imports what the job names. So does a resume, but only in a crawl that this user
has begun on this machine (credentials.py), or where the name is given again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dowse.core.errors import JobError
from dowse.core.exception_line import MISTAKES, mistake_text
from dowse.core.job import ExtractOptions, Job
from dowse.core.record import RECORD_KINDS
from dowse.engine.callbacks import OwnCode
from dowse.extract.extractors import Extractor, selective
from dowse.extract.own_extractor import OwnExtractor
from dowse.machine.plugins import (
    absolute,
    installed,
    is_found_by_workers,
    is_lasting,
    load_installed,
    reference_of,
    resolve,
)
from dowse.pools.ray_cluster import cluster_of

EXTRACTORS = "dowse.extractors"
FUNCTIONS = ("follow", "on_page", "wrap_fetcher")
LIST = "extractor"
FIELDS = "extract"

Given = Mapping[str, Any]
"""Options that were given as objects of Python: a function, or a tuple of extractors and their names."""

NOTHING_GIVEN: Given = {}


def named(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options with names in the place of objects, and the objects. The dictionary of fields becomes a list of them."""
    texts, given = dict(options), {}
    if isinstance(fields := options.get(FIELDS), Mapping):
        from dowse.extract.field_specs import field_texts  # selectors take a moment to load

        texts[FIELDS] = field_texts(fields)
    for name in FUNCTIONS:
        value = options.get(name, "")
        if value is None:
            texts[name] = ""
        elif not isinstance(value, str):
            if not callable(value):
                raise JobError(
                    f"{name}: expected a function, or its name as FILE.py:NAME or MODULE:NAME; got {value!r:.60}"
                )
            texts[name], given[name] = reference_of(value), value
    if LIST in options:
        value = options[LIST]
        items = tuple(value) if isinstance(value, list | tuple) else (value,)
        texts[LIST] = tuple(item if isinstance(item, str) else reference_of(item) for item in items)
        given[LIST] = items
    return texts, given


def placed(job: Job) -> Job:
    """The same job with the whole paths of files, so that a resume in another folder finds them."""
    functions = {name: absolute(getattr(job.callbacks, name)) for name in FUNCTIONS}
    extractors = tuple(absolute(text) for text in job.extract.extractor)
    return replace(
        job, callbacks=replace(job.callbacks, **functions), extract=replace(job.extract, extractor=extractors)
    )


def load_own(job: Job, given: Given) -> OwnCode:
    """What a job names. Only for a job whose user has named it, see `credentials.check_seal`."""
    found = {name: _found(name, text, given) for name in FUNCTIONS if (text := getattr(job.callbacks, name))}
    return OwnCode(**found, extractors=load_extractors(job.extract, given))


def load_in_worker(job: Job) -> OwnCode:
    """The same in a worker process, which has the functions of the script that was started as well."""
    given: dict[str, Any] = {name: resolve(name, text) for name, text in references(job) if name != LIST}
    given[LIST] = tuple(resolve(LIST, text) if ":" in text else text for text in job.extract.extractor)
    return load_own(job, given)


def load_extractors(options: ExtractOptions, given: Given) -> list[Extractor]:
    """The extractors of others that the options name, for the pages that they name."""
    items = given.get(LIST) or options.extractor
    return selective([_extractor(item) for item in items], options) if items else []


def check_portable(job: Job) -> None:
    """Refuse what worker processes could not find, if the job wants some."""
    is_far = bool(cluster_of(job.fetch))
    is_found = is_lasting if is_far else is_found_by_workers
    for option, reference in references(job) if job.fetch.workers > 1 or is_far else ():
        if not is_found(reference):
            place, _, name = reference.rpartition(":")
            raise JobError(
                f"{option}: {name} of {place} cannot be found by other processes; put a function at the top level of a"
                " module and give that, or use workers = 1"
            )


def references(job: Job) -> list[tuple[str, str]]:
    """Every option that names code by its place, and the name."""
    functions = [(name, text) for name in FUNCTIONS if (text := getattr(job.callbacks, name))]
    return functions + [(LIST, text) for text in job.extract.extractor if ":" in text]


def _found(option: str, reference: str, given: Given) -> Any:
    if option in given:
        return given[option]
    _check_lasting(option, reference)
    found = resolve(option, reference)
    if not callable(found):
        raise JobError(f"{option}: {reference} is {found!r:.60}, not a function")
    return found


def _check_lasting(option: str, reference: str) -> None:
    if not is_lasting(reference):
        name = reference.rpartition(":")[2]
        raise JobError(
            f"{option}: the crawl was begun with {name} of a Python program, and only that program knows it; give it"
            f" again, in Python as {option}=..., else as FILE.py:NAME or MODULE:NAME. Without it: {option} = ''"
        )


def _extractor(item: Any) -> Extractor:
    name = item if isinstance(item, str) else reference_of(item)
    if isinstance(item, str):
        if ":" in item:
            _check_lasting(LIST, item)
            item = resolve(LIST, item)
        elif item in installed(EXTRACTORS):
            item = load_installed(EXTRACTORS, item)
        else:
            known = ", ".join(installed(EXTRACTORS)) or "none"
            raise JobError(
                f"{LIST}: no installed package has an extractor {item} (there is {known}); name one of your own as"
                " FILE.py:NAME or MODULE:NAME"
            )
    made = _made(item, name) if isinstance(item, type) else item
    kinds = getattr(made, "kinds", None)
    if not callable(getattr(made, "extract", None)) or not isinstance(kinds, tuple | list) or not kinds:
        raise JobError(f"{LIST}: {name} is no extractor: it needs kinds = ('NAME',) and a method extract(page)")
    if taken := [kind for kind in kinds if kind in RECORD_KINDS]:
        raise JobError(f"{LIST}: {name} has records of the kind {taken[0]}, which dowse has itself; choose another")
    return OwnExtractor(made, name.rpartition(":")[2])


def _made(extractor: type, name: str) -> Any:
    try:
        return extractor()
    except MISTAKES as error:
        raise JobError(
            f"{LIST}: {name}() failed: {mistake_text(error)}; it is made without arguments, so name an object of it"
            " if it needs some"
        ) from error
