"""The files a crawl can become: a table in one of its formats, its bodies, its report."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

from dowse.config import asked_texts
from dowse.core.crawl_numbers import About
from dowse.core.phrasing import shortened
from dowse.core.revisits.changes import CHANGES, AboutChanges, Asked
from dowse.export.atomic_file import as_text
from dowse.export.formats import CHANGE_FACES, TABLES_OF_ROWS, TOGETHER
from dowse.export.frame import Frame, WatchedFrame
from dowse.export.losses import Losses
from dowse.export.markdown import WRITERS, WriteRows, write_folder
from dowse.export.plugin_formats import AnyFormat, write_other
from dowse.export.text_tables import write_text

if TYPE_CHECKING:
    from dowse.crawl import Crawl

_MOST_OF_WISH = 400
"""Characters of an option that a report shows."""

Told = Callable[[int, int], None]
"""Takes how much is done and how much there is."""


def export(
    crawl: Crawl,
    table: str,
    format_: AnyFormat,
    stream: BinaryIO,
    losses: Losses,
    kind: str = "",
    told: Told | None = None,
) -> int:
    """Write a table of a crawl in one of its formats (export/formats.py), or another; the answer is the number of rows.

    Stored pages that cannot be read are left out, and are in `losses`. `kind` is for records: only those of that kind.
    `told` hears how far it is.
    """
    if table == "bodies" and isinstance(format_, str):
        return _export_bodies(crawl, format_, stream, losses, told)
    if table == CHANGES:
        return export_changes(crawl, Asked(), format_, stream)
    if isinstance(format_, str) and (table == "markdown" or format_ == "markdown"):
        with as_text(stream) as text:
            return export_markdown(crawl, WRITERS[format_](text), losses)
    if table == "all":
        names = (*TABLES_OF_ROWS, *crawl.mode.tables)
        frames = {name: frame for name in names if len(frame := _frame(crawl, name, "", told))}
        return _export_together(frames, str(format_), stream)
    if format_ in ("graphml", "gexf"):
        from dowse.export.graph import write_graph

        return write_graph(crawl.nodes, crawl.edges, str(format_), stream)
    return write_frame(_frame(crawl, table, kind, told), table, format_, stream)


def export_changes(crawl: Crawl, asked: Asked, format_: AnyFormat, stream: BinaryIO) -> int:
    """Write the changes of a crawl that are asked for; the answer is their number."""
    if format_ not in CHANGE_FACES:
        from dowse.crawls.stored_changes import change_table

        frame = Frame(change_table(crawl.directory, crawl.job, crawl.reader.connection, asked))
        return write_frame(frame, CHANGES, format_, stream)
    from dowse.export.change_faces import FACES

    job = crawl.job
    about = AboutChanges(
        crawl.directory.resolve().name, job.seeds, crawl.reader.begun(), time.time(), asked.since, len(crawl.pages)
    )
    with as_text(stream) as text:
        return FACES[str(format_)](about, crawl.told(asked), text)


def write_frame(frame: Frame, table: str, format_: AnyFormat, stream: BinaryIO) -> int:
    """Write rows in one of the formats that every table has; the answer is their number."""
    if format_ in TOGETHER:
        return _export_together({table: frame}, str(format_), stream)
    if not isinstance(format_, str):
        return write_other(format_, frame, stream)
    if format_ == "parquet":
        from dowse.export.arrow import write_parquet

        return write_parquet(frame, stream)
    if format_ == "csv.gz":
        with gzip.open(stream, "wt", 6, encoding="utf-8", newline="") as text:
            return write_text(frame, "csv", text)
    with as_text(stream) as text:
        return write_text(frame, format_, text, sparse=table == "records")


def _frame(crawl: Crawl, table: str, kind: str, told: Told | None) -> Frame:
    frame = crawl.records_of(kind) if kind else crawl.frame(table)
    return frame if told is None else WatchedFrame(frame, told)


def _export_together(frames: Mapping[str, Frame], format_: str, stream: BinaryIO) -> int:
    if format_ == "xlsx":
        from dowse.export.workbook import write_workbook

        return write_workbook(frames, stream)
    from dowse.export.sqlite_file import fill
    from dowse.store.sqlite import open_file

    with TemporaryDirectory(prefix="dowse-") as folder:  # SQLite writes to files alone, and a stream may be a pipe
        path = Path(folder) / "tables.sqlite"
        with closing(open_file(path)) as database:
            number = fill(database, frames)
        with path.open("rb") as file:
            copyfileobj(file, stream)
    return number


def export_markdown(crawl: Crawl, write: WriteRows, losses: Losses, workers: int = 1, told: Told | None = None) -> int:
    """Write the stored pages of a crawl as Markdown, read by several processes if asked; the answer is how many."""
    from dowse.crawls.reextract import check_bodies
    from dowse.crawls.stored_markdown import MarkdownRows

    check_bodies(crawl.job, crawl.directory, len(crawl.bodies))
    rows = MarkdownRows(crawl.directory, crawl.job.fetch.charset, workers, told)
    try:
        return write(rows.of(crawl.stored_pages(), crawl.reader.further_pages() if crawl.job.scope.paging else None))
    finally:
        losses.add(rows.losses)


def export_folder(crawl: Crawl, folder: Path, losses: Losses, workers: int = 1, told: Told | None = None) -> int:
    """Write the stored pages of a crawl as Markdown, a file each; the answer is how many."""
    return export_markdown(crawl, lambda rows: write_folder(rows, folder), losses, workers, told)


def export_mirror(crawl: Crawl, folder: Path, losses: Losses, workers: int = 1, told: Told | None = None) -> int:
    """Write what is stored of a crawl as a folder to browse offline; the answer is how many files there are."""
    from dowse.crawls.reextract import check_bodies
    from dowse.crawls.stored_mirror import write_mirror

    check_bodies(crawl.job, crawl.directory, len(crawl.bodies))
    reader = crawl.reader
    return write_mirror(reader.connection, crawl.directory, crawl.job, folder, losses.damaged, workers, told)


FOLDERS = {"markdown": export_folder, "mirror": export_mirror}
"""Tables that can be had as folders, and what writes each."""


def _export_bodies(crawl: Crawl, format_: str, stream: BinaryIO, losses: Losses, told: Told | None = None) -> int:
    from dowse.crawls.reextract import check_bodies
    from dowse.export.wacz import write_wacz
    from dowse.export.warc import write_warc
    from dowse.store.folder import bodies_of
    from dowse.store.warc.body_reader import BodyReader

    directory = crawl.directory
    check_bodies(crawl.job, directory, len(crawl.bodies))
    with BodyReader(bodies_of(directory)) as bodies:
        visits = _frame(crawl, "bodies", "", told)
        if format_ == "warc":
            return write_warc(visits, bodies, stream, losses.damaged)
        return write_wacz(visits, bodies, stream, losses.damaged, title=str(directory), main_page=crawl.job.seeds[0])


def report(crawl: Crawl, stream: BinaryIO) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse.export.report.document import write_report
    from dowse.extract.field_specs import parse_fields
    from dowse.extract.fields import KIND as FIELDS

    job = crawl.job
    asked = {FIELDS: tuple(parse_fields(job.extract.extract))} if job.extract.extract else {}
    texts = {"mode": job.mode, **asked_texts(job)}
    wish = "; ".join(f"{name}: {shortened(text, _MOST_OF_WISH)}" for name, text in texts.items())
    about = About(crawl.directory.resolve().name, job.seeds, crawl.stop_reason, time.time(), asked, wish)
    with as_text(stream) as text:
        write_report(about, crawl.survey(), text, tuple(crawl.mode.exhibits(crawl)))
