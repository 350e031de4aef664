"""What commands print of what a crawl found: the results of its mode, its records, what it learned of the site."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.cli.wording import counted, printable, shortened, wrapped
from dowse.core.job import ExtractOptions, asked_kinds, takes_records
from dowse.core.record import REPEATED, UNFINISHED

if TYPE_CHECKING:
    from dowse.app import Crawl
    from dowse.core.results import Results
    from dowse.crawls.reextract import Extraction
    from dowse.store.reading.records import FieldCount

MOST_FIELDS = 30


def learned_text(crawl: Crawl) -> Iterator[str]:
    """What makes no difference on this site, and how to do without that."""
    if crawl.learned:
        yield "Learned, and skipped:"
        yield from (f"  {printable(sentence)}" for sentence in crawl.learned)
        directory = shlex.quote(str(crawl.directory))
        yield f"  undo with: dowse resume {directory} --keep-parameters NAME, or --dedup exact for all"
        yield ""
    if crawl.counted:
        yield "Learned, and fetched after all:"
        yield from (f"  {wrapped(printable(sentence), 2, 2)}" for sentence in crawl.counted)
        yield ""


def fields_text(crawl: Crawl, *, is_searched: bool = False) -> Iterator[str]:
    """How many records there are and how complete they are; a field that no page has is told, not left out.

    `is_searched`: all stored pages have just been searched. So they have been by a crawl of one run. A field may be new
    to a later run, which has searched only the pages that it fetched.
    """
    if not takes_records(crawl.job):
        return
    options, number = crawl.job.extract, len(crawl.records)
    if not number and options == ExtractOptions():
        return  # a function that gets pages need not take anything from them
    yield f"{'records':<40}{number:>12,}" + ("   does --on match the pages?" if options.on and not number else "")
    is_searched = is_searched or crawl.reader.runs() <= 1
    kinds: dict[str, list[FieldCount]] = {kind: [] for kind in asked_kinds(options)}
    for count in crawl.fields():
        kinds.setdefault(count.kind, []).append(count)
    unfinished = kinds.pop(UNFINISHED, [])
    for kind, counts in kinds.items():
        yield from _kind_text(kind, counts, with_heading=len(kinds) > 1, is_searched=is_searched)
    for count in unfinished:
        name = shortened(printable(count.name), 20)
        yield f"  {name}: not read to the end on {counted(count.records, 'page')}"
    if unfinished:
        yield f"  why: dowse export {shlex.quote(str(crawl.directory))} records --kind {UNFINISHED} --to csv"
    if options.tables and (rows := len(crawl.records_of(REPEATED))):
        yield f"  tables that many pages have are left out but for one: {counted(rows, 'row')}"
        yield f"  see: dowse export {shlex.quote(str(crawl.directory))} records --kind {REPEATED} --to csv"
    if options.extract and not is_searched and not all(count.records for count in kinds["fields"]):
        yield f"  pages of earlier runs are searched by: dowse extract {shlex.quote(str(crawl.directory))}"
    yield ""


def _kind_text(kind: str, counts: list[FieldCount], *, with_heading: bool, is_searched: bool) -> Iterator[str]:
    indent, lack = "  ", "none: see selector, type" if is_searched else "none yet"
    if with_heading or not counts:
        yield f"  {kind}" if counts else f"  {kind:<38}{0:>12,}   on no page"
        indent = "    "
    for count in counts[:MOST_FIELDS]:
        warning = "" if count.records else f"   {lack}"
        name = shortened(printable(count.name), 39 - len(indent))
        yield f"{indent}{name:<{40 - len(indent)}}{count.records:>12,}{warning}"
    if len(counts) > MOST_FIELDS:
        yield f"{indent}and {counted(len(counts) - MOST_FIELDS, 'more field')}"


def results_json(crawl: Crawl) -> dict[str, Any]:
    """What was found, for programs: records and fields, and what the mode tells."""
    return {**_fields_json(crawl), **crawl.results().facts}


def _fields_json(crawl: Crawl) -> dict[str, Any]:
    if not takes_records(crawl.job):
        return {}
    fields = [{"kind": count.kind, "name": count.name, "records": count.records} for count in crawl.fields()]
    return {"records": len(crawl.records), "fields": fields}


def results_text(results: Results) -> Iterator[str]:
    """What a mode has to say of its crawl: the best results, numbers, notes."""
    wide = max((len(found.mark) for found in results.best), default=0)
    for found in results.best:
        yield f"  {found.mark:>{wide}}  {printable(found.text)}"
        if found.detail:
            yield f"  {'':>{wide}}  {printable(found.detail)}"
    if results.more:
        yield f"  {results.more}"
    if results.best:
        yield ""
    for number in results.numbers:
        value = f"{number.value:,}" if isinstance(number.value, int) else number.value
        yield f"{number.name:<40}{value:>12}" + (f"   {printable(number.note)}" if number.note else "")
    yield from (f"  {printable(note)}" for note in results.notes)
    if results.numbers or results.notes:
        yield ""


def extraction_text(result: Extraction, crawl: Crawl) -> Iterator[str]:
    """The lines after stored pages were read again."""
    folder = shlex.quote(str(crawl.directory))
    if crawl.job.extract.keywords:
        yield f"keywords: a column of dowse export {folder} pages"
    if crawl.job.extract.describe:
        yield f"descriptions: columns of dowse export {folder} pages"
    if not asked_kinds(crawl.job.extract) and not crawl.job.extract.extractor:
        return
    yield f"{counted(result.records, 'record')} from {counted(result.pages, 'stored page')}"
    yield ""
    yield from fields_text(crawl, is_searched=True)
    yield f"Next: dowse export {folder} records --to csv -f records.csv"
