"""Memory and speed of `SeenKeys` beside a dict of the same keys: python benchmarks/seen_keys.py [SIZE ...]

Every line is a process of its own, so that the memory is its own. A page looks up 100 hashes as a crawl does: 90 links
that every page repeats, 9 known ones from anywhere and a new one.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

from dowse.core.duplicates.fingerprint import SeenKeys

SIZES = (1_000, 1_000_000, 5_000_000)
PAGES = 5_000
ADDITIONS = 100_000
BATCH = 1_000


class PlainDict:
    """What is compared with."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}

    def load(self, pairs: Iterator[tuple[int, int]]) -> None:
        self._rows.update(pairs)

    def get_many(self, keys: list[int]) -> list[int]:
        get = self._rows.get
        return [get(key, 0) for key in keys]

    def add(self, key: int, row: int) -> None:
        self._rows[key] = row


def hashes(count: int, seed: int) -> Iterator[int]:
    random = Random(seed)
    return (random.getrandbits(64) - 2**63 for _ in range(count))


def pages(size: int) -> list[list[int]]:
    """The hashes of each page; the known ones are those that `hashes(size, 1)` gives."""
    every = max(1, size // (9 * PAGES))
    known = [key for number, key in enumerate(hashes(size, 1)) if number % every == 0]
    repeated, random = known[:90], Random(4)
    return [[*repeated, *random.choices(known, k=9), new] for new in hashes(PAGES, 3)]


def resident() -> float:
    """Megabytes this process has in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def measure(name: str, size: int) -> str:
    import numpy  # noqa: F401  its own memory is not that of the keys

    keys: SeenKeys | PlainDict = SeenKeys() if name == "SeenKeys" else PlainDict()
    before = resident()
    start = time.perf_counter()
    keys.load((key, row) for row, key in enumerate(hashes(size, 1), 1))
    load = time.perf_counter() - start
    memory = resident() - before
    asked = float("inf")
    visits = pages(size)
    for _ in range(3):
        start = time.perf_counter()
        for page in visits:
            keys.get_many(page)
        asked = min(asked, (time.perf_counter() - start) / PAGES)
    longest = added = 0.0
    batch: list[int] = []
    for row, key in enumerate(hashes(ADDITIONS, 5), size + 1):
        batch.append(key)
        if len(batch) == BATCH:
            start = time.perf_counter()
            for number, new in enumerate(batch, row):
                keys.add(new, number)
            longest = max(longest, time.perf_counter() - start)
            added += time.perf_counter() - start
            batch.clear()
    return (
        f"{name:9} {size:>9,} keys  {memory:6.1f} MB ({memory * 1e6 / size:6.1f} bytes a key)  load {load:5.2f} s  "
        f"100 look-ups {asked * 1e6:5.1f} us ({100 / asked / 1e6:4.1f} M/s)  "
        f"add {added / ADDITIONS * 1e6:5.2f} us  longest batch of {BATCH:,} {longest * 1e3:5.1f} ms"
    )


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--one"]:
        print(measure(arguments[1], int(arguments[2])))
        return
    for size in [int(argument) for argument in arguments] or SIZES:
        for name in ("PlainDict", "SeenKeys"):
            subprocess.run([sys.executable, __file__, "--one", name, str(size)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
