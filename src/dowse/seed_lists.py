"""The seeds as people give them: URLs that they name, and lists of URLs in a file or on standard input.

A list has one URL a line. Empty lines and lines that begin with # are skipped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dowse.core.errors import JobError
from dowse.settings import BARE_HOST, check_text, read_url, shown

STANDARD_INPUT = "-"

# Endings of files that no host has.
FILE_ENDINGS = frozenset(["txt", "csv", "tsv", "json", "jsonl", "toml", "yaml", "yml", "xml", "html", "htm", "list"])


def all_seeds(named: object, source: object = "") -> tuple[str, ...]:
    """Every seed once: those that were named, and then those of a list."""
    urls = [named] if isinstance(named, str) else named
    if not isinstance(urls, Iterable) or isinstance(urls, Mapping):
        raise JobError(f"seeds: expected a list of URLs, got {shown(named)}")
    seeds = [_read_seed(url) for url in urls]
    if source:
        seeds += _read_list(source)
    if not seeds:
        where = f" in {_name(source)}" if source else ""
        raise JobError(
            f"seeds: there are none{where}; name at least one URL to start from, such as https://example.org/"
        )
    return tuple(dict.fromkeys(seeds))


def _read_list(source: object) -> Iterator[str]:
    """The URLs of a file, or of standard input for "-". A line that is no URL is named with its number."""
    try:
        path = check_text("the name of a file", os.fspath(source) if isinstance(source, os.PathLike) else source)
    except ValueError as error:
        raise JobError(f"seeds_from: {error}") from error
    name = _name(path)
    for number, line in enumerate(_content(path).removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        place = f"{name}, line {number}"
        try:
            text = line.decode().strip()
        except UnicodeDecodeError as error:
            raise JobError(f"{place}: not a text in UTF-8 (byte {error.start + 1} of the line)") from error
        if text and not text.startswith("#"):
            yield read_url(text, place)


def _content(path: str) -> bytes:
    if path != STANDARD_INPUT:
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise JobError(f"seeds_from: {path}: {error.strerror}") from error
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
