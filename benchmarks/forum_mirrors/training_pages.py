"""Boards in the manner of well-known software as pages to train on: those of the development part only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmarks.forum_mirrors.manner import Manner, Shown
from benchmarks.forum_mirrors.mirror_serving import Mirror
from benchmarks.forum_pages import SavedForum, SavedPage
from dowse.core.mirrored_names import written_address
from dowse.modes.forum.url_forms import taken_apart

MOST = {"index": 60, "thread": 60, "other": 8}
"""Pages of each type; of others, those of each form."""

_MOST_ADDRESSES = 4_000
_HOST = "http://board.example"


def training_pages(manner: Manner) -> SavedForum:
    """Pages of a board, and what the URLs on it lead to: its boards and threads have one URL each, others are other."""
    base = _HOST + manner.folder
    addresses = {number: [base + each for each in manner.thread_addresses(number)] for number, _ in manner.threads}
    is_mail = all(len(line.thread.posts) == len(addresses[line.number]) for line in manner.threads)
    firsts = {url for urls in addresses.values() for url in (urls if is_mail else urls[:1])}
    laters = {url for urls in addresses.values() for url in urls} - firsts
    types: dict[str, str] = {}
    pages: list[SavedPage] = []
    counts: Counter[str] = Counter()
    seen: set[tuple[object, ...]] = set()
    for address, shown in _walked(Mirror(manner)):
        url = base + address
        written = written_address(url)
        is_own = shown.which not in seen if shown.kind != "thread" else written in firsts | laters
        types[url] = "page" if written in laters else shown.kind if is_own else "other"
        form = f"{shown.kind} {taken_apart(url).skeleton if shown.kind == 'other' else ''}"
        if is_own and shown.which not in seen and counts[form] < MOST[shown.kind]:
            counts[form] += 1
            pages.append(SavedPage(url, shown.kind, shown.markup.encode("utf-8", "xmlcharrefreplace")))
        seen.add(shown.which)
    return SavedForum(manner.name, pages, types)


def _walked(mirror: Mirror) -> Iterator[tuple[str, Shown]]:
    """All addresses that boards and threads lead to, and what is there."""
    waiting, known = [mirror.manner.entry], {mirror.manner.entry}
    while waiting and len(known) < _MOST_ADDRESSES:
        address = waiting.pop(0)
        page = mirror.shown(address)
        if page is None:
            continue
        yield address, page
        if page.kind != "other":
            new = [target for target in dict.fromkeys(mirror.links(address, page.markup)) if target not in known]
            known.update(new)
            waiting += new
