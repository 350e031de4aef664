"""The seeds as people give them: URLs that they name, and lists of URLs.

urls.txt, -                 one URL a line, from a file or standard input; empty lines and lines with # are skipped
sitemap.xml, sitemap.xml.gz a sitemap in a file
DIR, DIR:TABLE              the URLs of another crawl: its results, or one of its tables
https://..., cdx:https://.. a list on a server (remote_seeds.py)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.settings import BARE_HOST, check_text, read_url, shown

STANDARD_INPUT = "-"

# Endings of files that no host has.
FILE_ENDINGS = frozenset(["txt", "csv", "tsv", "json", "jsonl", "toml", "yaml", "yml", "xml", "html", "htm", "list"])

_GZIP = b"\x1f\x8b"


def all_seeds(named: object, source: object = "", job: Callable[[], Job] | None = None) -> tuple[str, ...]:
    """Every seed once: those that were named, and then those of a list. One on a server is fetched as the `job` says,
    which is made only then."""
    urls = [named] if isinstance(named, str) else named
    if not isinstance(urls, Iterable) or isinstance(urls, Mapping):
        raise JobError(f"seeds: expected a list of URLs, got {shown(named)}")
    seeds = [_read_seed(url) for url in urls]
    if source:
        seeds += _read_list(source, job)
    if not seeds:
        where = f" in {_name(source)}" if source else ""
        raise JobError(
            f"seeds: there are none{where}; name at least one URL to start from, such as https://example.org/"
        )
    return tuple(dict.fromkeys(seeds))


def _read_list(source: object, job: Callable[[], Job] | None) -> Iterable[str]:
    try:
        place = check_text("the name of a file", os.fspath(source) if isinstance(source, os.PathLike) else source)
    except ValueError as error:
        raise JobError(f"seeds_from: {error}") from error
    if job is not None and place.startswith(("http://", "https://", "cdx:")):
        from dowse.jobs.remote_seeds import remote_urls  # the fetcher, that other lists need not load

        return remote_urls(place, job())
    folder, table = _folder_of(place)
    if folder is not None:
        return _urls_of_crawl(folder, table)
    content = _content(place)
    if content.startswith(_GZIP) or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _urls_of_sitemap(place, content)
    return _lines(_name(place), content)


def _lines(name: str, content: bytes) -> Iterator[str]:
    """The URLs of a text. A line that is no URL is named with its number."""
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        place = f"{name}, line {number}"
        try:
            text = line.decode().strip()
        except UnicodeDecodeError as error:
            raise JobError(f"{place}: not a text in UTF-8 (byte {error.start + 1} of the line)") from error
        if text and not text.startswith("#"):
            yield read_url(text, place)


def _urls_of_sitemap(name: str, content: bytes) -> Iterator[str]:
    """The URLs of a sitemap or feed in a file."""
    from dowse.parse.sitemap import SitemapReader

    reader = SitemapReader()
    entries = [*reader.feed(content), *reader.close()]
    if reader.error:
        raise JobError(f"seeds_from: {name} is no sitemap, or broken: {reader.error}")
    for entry in entries:
        if entry.kind != "page":
            raise JobError(f"seeds_from: {name} is an index of sitemaps: give its address, and those are fetched too")
        yield read_url(entry.url, name)


def _folder_of(place: str) -> tuple[Path | None, str]:
    """The folder of a crawl and the name of a table, if that is what was named."""
    folder, colon, table = place.rpartition(":")
    for path, name in ((place, ""), (folder, table)):
        if path and Path(path).is_dir() and (colon or not name):
            return Path(path), name
    return None, ""


def _urls_of_crawl(folder: Path, name: str) -> Iterator[str]:
    """The URLs of a table of a crawl; without a name, of the table with its results."""
    from dowse.core.errors import CrawlError
    from dowse.core.options.store_options import kept_by
    from dowse.jobs.stored_jobs import job_from_json
    from dowse.modes.registry import find_mode
    from dowse.store.reading.reader import TABLES, CrawlReader

    try:
        reader = CrawlReader(folder)
        job = job_from_json(reader.meta("job"))
        mode = find_mode(job.mode)
        name = name or mode.result_table
        known = (*TABLES, *mode.tables)
        if name not in known:
            raise JobError(f"seeds_from: the crawl in {folder} has no table {name}; it has {', '.join(known)}")
        table = mode.table(name, reader, job) if name in mode.tables else reader.table(name)
        if "url" not in table.columns:
            raise JobError(f"seeds_from: the table {name} of {folder} has no column url")
        # What was only crawled through is no result.
        is_wanted = kept_by(job.store) if name in TABLES and name != "ledger" else bool
        for row in table:
            if is_wanted(row["url"]):
                yield read_url(row["url"], f"{folder}:{name}")
    except CrawlError as error:
        raise JobError(f"seeds_from: {error}") from error


def _content(path: str) -> bytes:
    if path != STANDARD_INPUT:
        try:
            return Path(path).read_bytes()
        except OSError as error:
            hint = f"; for a list on a server write https://{path}" if BARE_HOST.fullmatch(path) else ""
            raise JobError(f"seeds_from: {path}: {error.strerror}{hint}") from error
    if sys.stdin is None:
        raise JobError("seeds_from: there is no standard input")
    return sys.stdin.buffer.read()


def _name(source: object) -> str:
    return "standard input" if source == STANDARD_INPUT else str(source)


def _read_seed(seed: object) -> str:
    if isinstance(seed, str):
        _check_no_file(seed.strip())
    return read_url(seed)


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
    there = "is a file, and a crawl starts from a URL" if is_file else "is no URL, and there is no such file"
    use = uses.get(ending, f"a list of URLs, one a line, is read with -i {seed} (seeds_from)")
    host = f"; for the host write https://{seed}/" if ending not in FILE_ENDINGS and BARE_HOST.fullmatch(seed) else ""
    raise JobError(f"seeds: {seed} {there}; {use}{host}")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False
