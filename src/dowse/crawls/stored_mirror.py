"""What is stored of a crawl as a folder to browse: a mirror of the site whose links work without a network.

    1. every answer that is stored gets the name of its file (core/mirror_names.py)
    2. every URL that leads to one, be it by redirects or as a copy, is known by that name
    3. the files are written, with the new addresses in them (extract/offline_copies.py), by several processes if there
       are many
    4. the folder takes its place

In memory are the names of all files, about 300 bytes for each URL that leads to one, and never more than a few answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.mirror_names import INDEX, Named, file_names, relative
from dowse.core.urls import resolve
from dowse.export.atomic_folder import check_free, growing_folder
from dowse.extract.offline_copies import OfflineCopies
from dowse.parse.decode import charset_name
from dowse.pools.batches import in_processes
from dowse.store.database import Database
from dowse.store.folder import bodies_of, explained
from dowse.store.reading.stored_files import KnownUrls, StoredFile, landing_keys, stored_files
from dowse.store.warc.body_reader import BodyReader

Told = Callable[[int, int], None]
"""Takes how many files were written and how many there are."""

FEW = 300
"""Files that are not worth a process of their own."""
_AT_ONCE = 16
_GENERATOR = '<meta name="generator" content="dowse mirror">'


class Plan(NamedTuple):
    """What processes need to know to write files: the crawl, the folder, its files by the keys of URLs."""

    directory: Path
    folder: Path
    paths: dict[int, str]
    urls: KnownUrls
    charset: str


class _Planned(NamedTuple):
    """An answer and the path of its file."""

    stored: StoredFile
    path: str


class _Writer:
    """Writes files of one mirror."""

    def __init__(self, plan: Plan) -> None:
        self._bodies = BodyReader(bodies_of(plan.directory))
        self._folder = plan.folder
        self._copies = OfflineCopies(plan.paths, plan.urls.key_hash, charset_name(plan.charset))
        self._made: set[Path] = set()

    def write(self, batch: Sequence[_Planned]) -> list[str]:
        """Write these; the answer has a line for each that cannot be read."""
        unreadable = []
        for stored, path in batch:
            try:
                response = self._bodies.read(stored.location)
            except CrawlError as trouble:
                unreadable.append(f"{stored.url}: {trouble}")
                continue
            file = self._folder / path
            if file.parent not in self._made:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(file.parent)
            file.write_bytes(self._copies.of(response, stored.media_type, path, stored.around))
        return unreadable

    def close(self) -> None:
        self._bodies.close()


def write_mirror(
    connection: Database, directory: Path, job: Job, folder: Path, unreadable: list[str], workers: int = 1,
    told: Told | None = None,
) -> int:  # fmt: skip
    """Write what is stored of a crawl to a folder; the answer is how many files of the site are there.

    A mirror that is there already is replaced when the new one is complete.
    """
    with explained("read"):
        files = stored_files(connection)
        names = dict(file_names([Named(each.task, each.url, each.media_type) for each in sorted(files)]))
        paths = {key: names[task] for key, task in landing_keys(connection, set(names))}
        urls = KnownUrls(connection, job.urls)
    planned = [_Planned(each, names[each.task]) for each in files]
    batches = [planned[start : start + _AT_ONCE] for start in range(0, len(planned), _AT_ONCE)]
    with growing_folder(folder, may_replace=is_mirror) as part:
        plan = Plan(directory, part, paths, urls, job.fetch.charset)
        written = 0
        for batch, lost in zip(batches, _written(plan, batches, workers), strict=True):
            unreadable += lost
            written += len(batch) - len(lost)
            if told is not None:
                told(min(written + len(unreadable), len(planned)), len(planned))
        (part / INDEX).write_text(_front_page(job.seeds, plan), encoding="utf-8")
    return written


def check_folder(folder: Path) -> None:
    """Raise FileUnwritable if no mirror can be written there."""
    check_free(folder, is_mirror)


def is_mirror(folder: Path) -> bool:
    """Whether a folder was written here."""
    try:
        return _GENERATOR in (folder / INDEX).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _written(plan: Plan, batches: list[list[_Planned]], workers: int) -> Iterator[list[str]]:
    if workers > 1 and len(batches) * _AT_ONCE > FEW:
        yield from in_processes(workers, _begin, (plan,), _write, batches)
        return
    writer = _Writer(plan)
    try:
        yield from map(writer.write, batches)
    finally:
        writer.close()


def _front_page(seeds: Sequence[str], plan: Plan) -> str:
    """The page at the top of the folder: it leads to the first page, and shows all that the crawl began with."""
    known = [(seed, plan.paths.get(plan.urls.key_hash(url))) for seed in seeds if (url := resolve("", seed))]
    ways = [(escape(seed), escape(relative(INDEX, path)) if path else escape(seed)) for seed, path in known]
    items = "".join(f'<li><a href="{way}">{seed}</a>\n' for seed, way in ways)
    goes_on = f'<meta http-equiv="refresh" content="0; url={ways[0][1]}">\n' if len(ways) == 1 else ""
    head = f'<!doctype html>\n<meta charset="utf-8">\n{_GENERATOR}\n{goes_on}'
    return f"{head}<title>Mirror</title>\n<ul>\n{items}</ul>\n"


_writer: list[_Writer] = []
"""That of this process, if it was started to write."""


def _begin(plan: Plan) -> None:
    _writer.append(_Writer(plan))


def _write(batch: list[_Planned]) -> list[str]:
    return _writer[0].write(batch)
