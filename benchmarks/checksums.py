"""How often different pages get the same checksum: python benchmarks/checksums.py [DOCUMENTS]

Two kinds of pages, all of them different: `prose` is made of random words, `template` is one page with other numbers
in it, as product lists and forums are. A collision is a page that would be taken for a mirror of another one. For n
pages and b bits the birthday estimate is n (n - 1) / 2 / 2^b.

Then the same of URLs, for the visited-URL test: a collision is a page that would never be fetched. `saved` is how many
bytes a table of checksums has less than one of the URLs. There are as many URLs of each of two sites: `numbers` differ
in a number, `words` in the words of their paths.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean

from dowse.core.duplicates.fingerprint import Checksum, checksum

DOCUMENTS = 500_000
BITS: dict[Checksum, int] = {"crc32": 32, "md5": 64, "xxh3": 64}
SPEED_BODY = 34_000  # bytes of an average page
SPEED_ROUNDS = 500


def prose(count: int) -> Iterator[bytes]:
    """Pages of 100 random words. The number at the end makes sure that no two are equal."""
    random = Random(1)
    words = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(2, 10))) for _ in range(5_000)]
    for number in range(count):
        text = " ".join(random.choices(words, k=100))
        yield f"<html><body><p>{text}</p><p>{number}</p></body></html>".encode()


def template(count: int) -> Iterator[bytes]:
    """Pages that differ in a few numbers only."""
    random = Random(2)
    head = "<html><head><title>Item</title></head><body><nav>Home Shop Cart Help</nav>" + "<p>Text.</p>" * 80
    for number in range(count):
        price, stock = random.randint(100, 99_999), random.randint(0, 500)
        yield f"{head}<h1>Item {number}</h1><p>{price / 100:.2f}</p><p>{stock} left</p></body></html>".encode()


def numbers(count: int) -> Iterator[bytes]:
    """URLs of a shop."""
    for number in range(count):
        yield f"https://shop.example.org/catalogue/items/view?category={number % 97}&item={number}".encode()


def words(count: int) -> Iterator[bytes]:
    """URLs of an encyclopedia."""
    random = Random(4)
    known = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(3, 11))) for _ in range(5_000)]
    for number in range(count):
        path = "_".join(random.choices(known, k=3))
        yield f"https://encyclopedia.example.org/wiki/{path}_{number}.html".encode()


def collisions(pages: Callable[[int], Iterator[bytes]], count: int) -> dict[Checksum, int]:
    seen: dict[Checksum, set[int]] = {kind: set() for kind in BITS}
    for body in pages(count):
        for kind, numbers in seen.items():
            numbers.add(checksum(body, kind))
    return {kind: count - len(numbers) for kind, numbers in seen.items()}


def speed(kind: Checksum) -> float:
    """Gigabytes a second, the best of five."""
    body = Random(3).randbytes(SPEED_BODY)
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(SPEED_ROUNDS):
            checksum(body, kind)
        best = max(best, SPEED_BODY * SPEED_ROUNDS / (time.perf_counter() - start) / 1e9)
    return best


def main(arguments: list[str]) -> None:
    count = int(arguments[0]) if arguments else DOCUMENTS
    results = {pages.__name__: collisions(pages, count) for pages in (prose, template)}
    print(f"{count:,} different pages of each kind")
    print(f"{'checksum':10} {'bits':>4} {'expected':>12} {'prose':>8} {'template':>9} {'GB/s':>6}")
    for kind, bits in BITS.items():
        expected = count * (count - 1) / 2 / 2**bits
        print(
            f"{kind:10} {bits:4} {expected:12.3g} {results['prose'][kind]:8} {results['template'][kind]:9} "
            f"{speed(kind):6.1f}"
        )
    addresses = {urls.__name__: collisions(urls, count) for urls in (numbers, words)}
    sizes = [len(url) for urls in (numbers, words) for url in urls(count)]
    print(f"\n{count:,} different URLs of each kind, {mean(sizes):.0f} bytes on the mean")
    print(f"{'checksum':10} {'bytes':>5} {'expected':>12} {'numbers':>8} {'words':>9} {'saved':>6}")
    for kind, bits in BITS.items():
        expected = count * (count - 1) / 2 / 2**bits
        saved = 1 - bits / 8 / mean(sizes)
        print(
            f"{kind:10} {bits // 8:5} {expected:12.3g} {addresses['numbers'][kind]:8} {addresses['words'][kind]:9} "
            f"{saved:6.1%}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
