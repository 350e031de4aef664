"""What a crawl of a forum shows in its report: the largest threads, the boards, and the patterns of URLs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.core.exhibits import Exhibit, Listing, Row
from dowse.core.phrasing import counted
from dowse.modes.forum.stored_patterns import learned_patterns

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_ROWS = 25


def exhibits(crawl: Crawl) -> Iterator[Exhibit]:
    threads = sorted(crawl.frame("threads"), key=lambda row: -row["posts"])
    if not threads:
        return
    rows = [
        Row(
            row["title"] or row["url"],
            row["url"],
            small=f"begun by {row['author']}" if row["author"] else "",
            value=row["posts"],
            cells=(f"{row['posts']:,}", f"{row['pages']:,}"),
        )
        for row in threads[:MOST_ROWS]
    ]
    posts = sum(row["posts"] for row in threads)
    title = f"{counted(len(threads), 'thread')} with {counted(posts, 'post')}"
    yield Listing("threads", "Threads", title, "The threads with most posts.", ("thread", "posts", "pages"), rows)
    boards = sorted(crawl.frame("boards"), key=lambda row: -row["threads"])
    if boards:
        rows = [
            Row(
                row["name"] or row["url"],
                row["url"],
                row["note"],
                row["threads"],
                (f"{row['threads']:,}", f"{row['pages']:,}"),
            )
            for row in boards[:MOST_ROWS]
        ]
        title = f"{counted(len(boards), 'board')} led to the threads"
        yield Listing("boards", "Boards", title, "Threads found on each board.", ("board", "threads", "pages"), rows)
    patterns = learned_patterns(crawl.reader.connection)[:MOST_ROWS]
    if patterns:
        rows = [Row(each.pattern, small=each.kind, value=each.pages, cells=(f"{each.pages:,}",)) for each in patterns]
        title = f"{counted(len(patterns), 'pattern')} of URLs tell what pages are"
        note = "What the URLs of boards and threads have in common, and how many pages have it."
        yield Listing("patterns", "URL patterns", title, note, ("pattern", "pages"), rows)
