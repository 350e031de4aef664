"""Reading stored pages again: new fields from the bodies of a crawl, without asking its sites for anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from dowse.config import change_job
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import ExtractOptions, Job, asked_kinds
from dowse.core.options.extract_options import DROP
from dowse.core.patterns import Patterns
from dowse.core.private_jobs import wants_of_machine
from dowse.core.record import APART, Record
from dowse.core.user_agent import product_token, user_agent
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.extract.extractors import KINDS, Extractor, build_extractors
from dowse.extract.field_specs import field_texts, parse_exclusion, parse_field
from dowse.extract.own_extractor import OwnMistake
from dowse.extract.state_records import records_of
from dowse.jobs.own_code import load_extractors, named, placed
from dowse.jobs.stored_jobs import job_to_json
from dowse.machine.credentials import check_seal, is_ours, seal
from dowse.parse.decode import charset_name
from dowse.parse.page import Page
from dowse.store.folder import bodies_of
from dowse.store.reading.records import Rereading
from dowse.store.warc.body_reader import BodyReader

TAKEN_OPTIONS = (*ExtractOptions.__struct_fields__, DROP)
"""What can be said when pages are read again, or a crawl goes on, of what is taken from them."""

Told = Callable[[int, int], None]
"""Takes how many pages were read and how many there are."""


class Extraction(Struct, frozen=True):
    """What came of reading the stored pages again."""

    pages: int
    records: int
    unreadable: list[str]


def reread(directory: Path, job: Job, seal_: str, told: Told | None, options: dict[str, Any]) -> Extraction:
    """Run extractors over a crawl's stored bodies; the options are added to those of its job.

    `seal_` is that of the crawl: what a stranger's crawl names is no code to run.

    With `on` among them only those pages are read, and the others keep the records they have, as do pages whose stored
    bodies are damaged.
    """
    unknown = [name for name in options if name not in TAKEN_OPTIONS]
    if unknown:
        known = ", ".join(TAKEN_OPTIONS)
        raise JobError(f"{unknown[0]}: not an option of extracting; those are {known}")
    no_code = wants_of_machine(job).keys() - {"extractor"}  # nothing is asked of a site, so no secret is needed
    check_seal(job, seal_, no_code | options.keys())
    options, given = named(options)
    began, before, job = job, job.extract, placed(change_job(job, **merged(job.extract, options)))
    others = load_extractors(job.extract, given)
    extractors = [*build_extractors(job.extract, joining=job.scope.paging), *others]
    only = Patterns("on", job.extract.on) if options.get("on") else None
    if only and (asked_kinds(before) or before.keywords or before.describe):
        job = change_job(job, on=before.on)  # the fields of before still belong to their own pages
    if not extractors and not options:
        raise JobError("extract: nothing to extract; name a field, such as extract = 'title=//h1'")
    token, read, found, unreadable = product_token(user_agent(job)), 0, 0, []
    kinds = (*KINDS, *(kind for each in others for kind in each.kinds))
    with Rereading(directory, kinds) as reading, BodyReader(bodies_of(directory)) as bodies, DocumentReader() as reader:
        total = len(reading)
        check_bodies(job, directory, total)
        for number, stored in enumerate(reading.pages(), 1):
            if only and not only.first(stored.url):
                continue
            try:
                response = bodies.read(stored.location)
            except CrawlError as trouble:
                unreadable.append(f"{stored.url}: {trouble}")
                continue
            page = page_of_answer(response, reader, token, charset_name(job.fetch.charset))
            is_readable = page.is_html and not page.trouble
            records = _records_of(page, extractors) if is_readable else []
            reading.keep(stored, records)
            read += 1
            found += sum(record.kind not in APART for record in records)
            if told is not None:
                told(number, total)
        left_out = reading.compare_pages(job)
        found -= 0 if only else left_out
        if read or not unreadable:  # fields that no page was searched for are not the crawl's
            reading.note_job(job_to_json(job), seal(job) if is_ours(began, seal_) else seal_)
    return Extraction(read + len(unreadable), found, unreadable)


def _records_of(page: Page, extractors: Sequence[Extractor]) -> list[Record]:
    try:
        return records_of(page, extractors)
    except OwnMistake as mistake:
        raise CrawlError(f"{page.url}: {mistake}; the records are as they were") from mistake


def check_bodies(job: Job, directory: Path, pages: int) -> None:
    """Refuse a crawl that has nothing to read again."""
    if pages == 0:
        reason = "" if job.fetch.bodies else ": it was made with --no-bodies; a new crawl can take fields while it runs"
        raise CrawlError(f"the crawl in {directory} has no stored pages to read{reason}")


def merged(before: ExtractOptions, given: dict[str, Any]) -> dict[str, Any]:
    """The options of before with those given now; a field replaces that of its name, and an empty list all of them.

    `drop` among those given names fields that are wanted no more. It is no option of the job.
    """
    dropped = _dropped(before, given)
    fields, exclusions = _listed(given, "extract"), _listed(given, "exclude_from")
    anew = {parse_field("extract", text).name for text in fields}
    kept = [] if _is_cleared(given, "extract") else before.extract
    kept = [text for text in kept if parse_field("extract", text).name not in anew | dropped]
    known = anew | {parse_field("extract", text).name for text in kept}
    left_out = [] if _is_cleared(given, "exclude_from") else before.exclude_from
    names = {text: parse_exclusion("exclude_from", text).name for text in left_out}
    left_out = [text for text in left_out if names[text] in known and names[text] not in anew]
    lists = {"extract": (*kept, *fields), "exclude_from": tuple(dict.fromkeys([*left_out, *exclusions]))}
    return {**asdict(before), **{name: value for name, value in given.items() if name != DROP}, **lists}


def _dropped(before: ExtractOptions, given: dict[str, Any]) -> set[str]:
    names = _listed(given, DROP)
    known = [parse_field("extract", text).name for text in before.extract] if names else []
    for name in names:
        if name not in known:
            raise JobError(f"drop: the crawl takes no field {name}; it takes {', '.join(known) or 'none'}")
    return set(names)


def with_fields(options: dict[str, Any], fields: Mapping[str, str] | None) -> dict[str, Any]:
    """The options with fields of a dictionary, NAME: SELECTOR or NAME:TYPE: SELECTOR, behind those they have."""
    if not fields:
        return options
    if not isinstance(fields, Mapping):
        raise JobError(f"extract: expected a dictionary of fields, such as {{'title': '//h1'}}, got {fields!r:.60}")
    return {**options, "extract": (*_listed(options, "extract"), *field_texts(fields))}


def _is_cleared(given: dict[str, Any], name: str) -> bool:
    return name in given and not given[name]


def _listed(options: dict[str, Any], name: str) -> tuple[str, ...]:
    """The texts of a list option; what else is in it is refused with the whole job."""
    value = options.get(name, ())
    if isinstance(value, Mapping):
        return field_texts(value)
    return (value,) if isinstance(value, str) else tuple(text for text in value if isinstance(text, str))
