"""How many posts of saved forum pages are read right: author, time and text, for each forum software.

    python -m benchmarks.forum_posts FOLDER [FOLDER ...]

A folder has `pages.jsonl`, a line for each page (url, html, fetched_at), and `truth.json`: for each thread its title,
its addresses and its posts with author, time (ISO 8601, in UTC) and text. `times` there says how exactly the software
shows a time: second, minute or day. A post is right if all three are; each is counted too.

The time is right where it is the same up to what the page shows. Where a page says no zone, the hour may differ by the
zone that the software runs in: the truth is in UTC, and so are the servers of the benchmark.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import turbohtml

from dowse.core.urls import resolve
from dowse.extract.posts.assembling import assemble
from dowse.extract.posts.thread_pages import read_thread_page
from dowse.extract.posts.thread_records import Post, Thread, ThreadPage

TOLERANCE = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_ADDRESS = re.compile(r"https?://\S+")
_WORD = re.compile(r"\w+")


class Score(NamedTuple):
    """Posts of one software: how many there are, and how many have each part right."""

    software: str
    posts: int
    found: int
    author: int
    time: int
    text: int
    all_right: int
    seconds_a_page: float

    def share(self, right: int) -> float:
        return right / self.posts if self.posts else 0.0


def compare(
    truth: Sequence[Mapping[str, Any]], read: Sequence[Post], exactness: str = "minute"
) -> tuple[Counter[str], list[tuple[Mapping[str, Any], Post | None]]]:
    """How many posts of one thread have each part right, and those that do not.

    Posts are matched by their place. Where their numbers differ, each is matched with the one that says the same.
    """
    counts: Counter[str] = Counter(posts=len(truth), found=len(read))
    wrong: list[tuple[Mapping[str, Any], Post | None]] = []
    for said, post in _matched(truth, read):
        counts["posts_seen"] += 1
        if post is None:
            wrong.append((said, None))
            continue
        author = post.author.name.casefold() == str(said["author"]).casefold()
        when = is_same_time(str(said["time"]), post.time, exactness)
        text = words(post.text) == words(str(said["text"]))
        counts.update(author=author, time=when, text=text, all_right=author and when and text)
        if not (author and when and text):
            wrong.append((said, post))
    return counts, wrong


def _matched(
    truth: Sequence[Mapping[str, Any]], read: Sequence[Post]
) -> Iterator[tuple[Mapping[str, Any], Post | None]]:
    if len(truth) == len(read):
        yield from zip(truth, read, strict=True)
        return
    left = list(read)
    for said in truth:
        wanted = words(str(said["text"]))
        post = next((post for post in left if words(post.text) == wanted and post.author.name == said["author"]), None)
        if post is None:
            post = next((post for post in left if words(post.text) == wanted), None)
        if post is not None:
            left.remove(post)
        yield said, post


def words(text: str) -> list[str]:
    """The words of a text, so that marks and line breaks do not count, nor addresses that a mail spells out."""
    return _WORD.findall(_ADDRESS.sub(" ", text).casefold())


def is_same_time(truth: str, read: str, exactness: str) -> bool:
    """Whether two times are the same, as exactly as the software shows them."""
    if not read:
        return False
    wanted = _moment(truth)
    found = _moment(read)
    if len(read) <= 10:
        return exactness == "day" and abs((wanted.date() - found.date()).days) <= 1
    return abs(wanted - found) <= timedelta(seconds=TOLERANCE.get(exactness, 60))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text if len(text) > 7 else f"{text}-01")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def score_folder(folder: Path, shown: int = 0) -> Score:
    """Read the saved pages of one software and compare them with the truth."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    pages, seconds = _read_pages(folder / "pages.jsonl", truth["threads"])
    total: Counter[str] = Counter()
    for thread in truth["threads"]:
        read = assemble([pages[url] for url in map(_as_fetched, thread["urls"]) if url in pages])
        counts, wrong = compare(thread["posts"], read.posts, truth.get("times", "minute"))
        total += counts
        for said, post in wrong[: max(0, shown)]:
            shown -= 1
            _show(thread, read, said, post)
    return Score(
        truth["software"], total["posts"], total["found"], total["author"], total["time"], total["text"],
        total["all_right"], seconds / max(1, len(pages)),
    )  # fmt: skip


def _read_pages(file: Path, threads: Iterable[Mapping[str, Any]]) -> tuple[dict[str, ThreadPage], float]:
    wanted = {_as_fetched(url) for thread in threads for url in thread["urls"]}
    pages: dict[str, ThreadPage] = {}
    seconds = 0.0
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            url = _as_fetched(row["url"])
            if url not in wanted or row["status"] != 200:
                continue
            tree = turbohtml.parse(row["html"].encode("utf-8"), encoding="utf-8", positions=False)
            start = time.process_time()
            pages[url] = read_thread_page(tree, url, row.get("fetched_at") or file.stat().st_mtime)
            seconds += time.process_time() - start
    return pages, seconds


def _as_fetched(url: str) -> str:
    return resolve("", url) or url


def _show(thread: Mapping[str, Any], read: Thread, said: Mapping[str, Any], post: Post | None) -> None:
    print(f"  {thread['urls'][0]}  {len(thread['posts'])} posts, {len(read.posts)} read")
    print(f"    said {said['author']!r} {said['time']} {said['text'][:300]!r}")
    if post is not None:
        print(f"    read {post.author.name!r} {post.time} {post.text[:300]!r} {post.quotes!r:.200}")


def main(folders: Sequence[str]) -> None:
    shown = 0
    for name in folders:
        if name.startswith("--show="):
            shown = int(name.partition("=")[2])
            continue
        score = score_folder(Path(name), shown)
        parts = {part: score.share(getattr(score, part)) for part in ("author", "time", "text", "all_right")}
        said = "  ".join(f"{part} {share:.1%}" for part, share in parts.items())
        pace = f"{1000 * score.seconds_a_page:.1f} ms a page"
        print(f"{score.software:<12} {score.posts} posts, {score.found} read  {said}  {pace}")


if __name__ == "__main__":
    main(sys.argv[1:])
