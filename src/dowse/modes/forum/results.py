"""The results of a crawl of a forum: its threads, the patterns of its URLs, and what could not be had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.core.phrasing import counted, shortened
from dowse.core.results import Found, Number, Results
from dowse.modes.best_first import MOST_SHOWN
from dowse.modes.forum.entry_pages import find_entry
from dowse.modes.forum.judging import NO_FORUM
from dowse.modes.forum.library import unpack_library
from dowse.modes.forum.stored_patterns import LearnedPattern, learned_patterns
from dowse.modes.forum.url_forms import library_key
from dowse.store.task_states import NOT_DONE

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_PATTERNS = 12
_LARGEST = 66
_TROUBLES = "SELECT note, count(*) FROM forum_page WHERE note <> '' GROUP BY note ORDER BY count(*) DESC, note"

# A board counts posts, or replies to the first. Threads that still have pages to come are not compared.
_COUNTS = f"""SELECT count(*), coalesce(sum(CASE WHEN told IN (found, found - 1) THEN 0 ELSE 1 END), 0)
    FROM (
    SELECT max(line.count) AS told, (SELECT count(*) FROM forum_post JOIN forum_page AS page
            ON page.task = forum_post.task WHERE page.base = first.task AND page.note = '') AS found
    FROM forum_row AS line JOIN forum_page AS first ON first.url = line.url
    WHERE first.type = 'thread' AND first.base = first.task AND first.note = '' AND line.count IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM forum_link AS link JOIN task ON task.id = link.task
                      WHERE link.base = first.task AND {NOT_DONE})
    GROUP BY first.task) AS compared"""
_MISCOUNTED = 0.2
"""The share of threads that a forum must count wrongly for that to be told: some posts come while it is crawled."""


def results(crawl: Crawl) -> Results:
    """The threads with the most posts, numbers, and the patterns that were learned."""
    connection = crawl.reader.connection
    threads = list(crawl.frame("threads"))
    boards = len(crawl.frame("boards"))
    entry = find_entry(connection)
    posts = sum(row["posts"] for row in threads)
    best = sorted(threads, key=lambda row: -row["posts"])[:MOST_SHOWN]
    patterns = learned_patterns(connection)
    earlier = unpack_library(crawl.reader.briefing())
    known = [each for each in patterns if library_key(each.pattern) in earlier]
    numbers = [Number("threads", len(threads)), Number("  posts", posts), Number("  boards", boards)]
    return Results(
        best=tuple(Found(f"{row['posts']:,}", shortened(row["title"] or row["url"], _LARGEST)) for row in best),
        more=f"and {len(threads) - len(best):,} more" if len(threads) > len(best) else "",
        numbers=tuple(numbers),
        notes=tuple(_notes(crawl, entry, patterns, len(known))),
        trouble="" if posts else _trouble(crawl, len(threads)),
        facts={
            "threads": len(threads),
            "posts": posts,
            "boards": boards,
            "entry": entry,
            "from_library": len(known),
            "patterns": [{"kind": each.kind, "pattern": each.pattern, "pages": each.pages} for each in patterns],
        },
    )


def _trouble(crawl: Crawl, threads: int) -> str:
    """What to say where no post was found."""
    query = "SELECT count(*) FROM forum_page WHERE note = ?"
    (pages,) = crawl.reader.connection.execute(query, (NO_FORUM,)).fetchone()
    if pages:
        return f"{NO_FORUM}: {counted(pages, 'page')} came, and hardly any has posts with names and dates"
    if threads:
        return f"{NO_FORUM}: no page has posts with names and dates"
    return "no thread was found; begin with another page of the forum"


def _notes(crawl: Crawl, entry: str, patterns: list[LearnedPattern], known: int) -> Iterator[str]:
    if entry:
        yield f"entry page: {entry}"
    for each in patterns[:MOST_PATTERNS]:
        yield f"{each.kind}: {each.pattern} ({each.pages:,})"
    if known:
        yield f"{counted(known, 'of these patterns was', 'of these patterns were')} known from the library of forums"
    for note, number in crawl.reader.connection.execute(_TROUBLES).fetchall():
        yield f"{counted(number, 'page')}: {note}"
    threads, wrong = crawl.reader.connection.execute(_COUNTS).fetchone()
    if wrong > 1 and wrong >= _MISCOUNTED * threads:
        yield f"{counted(wrong, 'thread has', 'threads have')} another number of posts than the boards say"
