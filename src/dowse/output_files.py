"""The files a crawl can become: a table in one of its formats, its bodies, its report."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, BinaryIO, TextIO

from dowse.core.crawl_numbers import About
from dowse.export.atomic_file import as_text
from dowse.export.plugin_formats import AnyFormat, write_other
from dowse.export.text_tables import write_text

if TYPE_CHECKING:
    from dowse.crawl import Crawl


def export(
    crawl: Crawl, table: str, format_: AnyFormat, stream: BinaryIO, unreadable: list[str], kind: str = ""
) -> int:
    """Write a table of a crawl in one of its formats (export/formats.py), or another; the answer is the number of rows.

    Stored pages that are damaged are left out, with a line for each in `unreadable`. `kind` is for records: only those
    of that kind.
    """
    if not isinstance(format_, str):
        return write_other(format_, crawl.records_of(kind) if kind else crawl.frame(table), stream)
    if table == "bodies":
        return _export_bodies(crawl, format_, stream, unreadable)
    frame = crawl.records_of(kind) if kind else crawl.frame(table)
    if format_ == "parquet":
        from dowse.export.arrow import write_parquet

        return write_parquet(frame, stream)
    if format_ in ("graphml", "gexf"):
        from dowse.export.graph import write_graph

        return write_graph(crawl.nodes, crawl.edges, format_, stream)
    with as_text(stream) as text:
        return (
            _export_markdown(crawl, text, unreadable)
            if format_ == "markdown"
            else write_text(frame, format_, text, sparse=table == "records")
        )


def _export_markdown(crawl: Crawl, stream: TextIO, unreadable: list[str]) -> int:
    from dowse.export.markdown import write_markdown
    from dowse.reextract import check_bodies, markdown_rows

    check_bodies(crawl.job, crawl.directory, len(crawl.bodies))
    return write_markdown(
        markdown_rows(crawl.directory, crawl.stored_pages(), unreadable, crawl.job.fetch.charset), stream
    )


def _export_bodies(crawl: Crawl, format_: str, stream: BinaryIO, unreadable: list[str]) -> int:
    from dowse.export.wacz import write_wacz
    from dowse.export.warc import write_warc
    from dowse.reextract import check_bodies
    from dowse.store.folder import BODIES
    from dowse.store.warc.body_reader import BodyReader

    directory = crawl.directory
    check_bodies(crawl.job, directory, len(crawl.bodies))
    with BodyReader(directory / BODIES) as bodies:
        if format_ == "warc":
            return write_warc(crawl.bodies, bodies, stream, unreadable)
        return write_wacz(crawl.bodies, bodies, stream, unreadable, title=str(directory), main_page=crawl.job.seeds[0])


def report(crawl: Crawl, stream: BinaryIO) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse.export.report.document import write_report
    from dowse.extract.field_specs import parse_fields
    from dowse.extract.fields import KIND as FIELDS

    job = crawl.job
    asked = {FIELDS: tuple(parse_fields(job.extract.extract))} if job.extract.extract else {}
    about = About(crawl.directory.resolve().name, job.seeds, crawl.stop_reason, time.time(), asked)
    with as_text(stream) as text:
        write_report(about, crawl.survey(), text)
