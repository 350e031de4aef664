"""Pages that are visited again: what is known of how they change, and what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dowse.core.options.revisit_options import NO_WISHES, Wishes
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.frontier.lease_policy import LeasePolicy
from dowse.store.frontier.requeue import Excluded
from dowse.store.schema import SET_META

if TYPE_CHECKING:
    from dowse.store.revisits.moved_pages import MayBeMoved
    from dowse.store.revisits.soft_missing import Turned

_FIRST = """INSERT INTO meta (name, value) SELECT ?, CAST(coalesce(max(id), 0) AS TEXT) FROM visit WHERE true
    ON CONFLICT (name) DO NOTHING"""


def with_revisits(
    connection: Database, bookkeeping: tuple[Bookkeeping, ...], wishes: Wishes | None = None
) -> tuple[Bookkeeping, ...]:
    """The books of a crawl, and that of revisits if there were some before, or they begin now, with these wishes."""
    if wishes is None and "revisited" not in connection.tables():
        return bookkeeping
    from dowse.store.revisits.new_links import begin_visits
    from dowse.store.revisits.revisit_book import RevisitBook
    from dowse.store.revisits.revisit_tables import BEGUN, LEARNED
    from dowse.store.revisits.wishes import forget_upkeep

    for statement in RevisitBook.tables:
        connection.execute(statement)
    if wishes is not None:
        _take_wishes(connection, bookkeeping, wishes)
        forget_upkeep(connection)
        (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM change").fetchone()
        connection.execute(SET_META, (BEGUN, str(last)))
        begin_visits(connection)
        # Of the visits before the first recrawl each was the first of its page.
        connection.execute(_FIRST, (LEARNED,))
    is_kept = any(isinstance(each, RevisitBook) for each in bookkeeping)
    return bookkeeping if is_kept else (*bookkeeping, RevisitBook(bookkeeping))


class ContentJudge(Protocol):
    """Reads stored pages and says which of them have the same content."""

    def moved(self, lost: list[MayBeMoved]) -> dict[MayBeMoved, str]:
        """The addresses of pages that are gone, as far as they are anywhere."""

    def missing(self, group: list[Turned], shown: list[str]) -> list[Turned]:
        """Of pages with one title those that became one page, which is not what they were, or one that says that
        nothing is there; `shown` says where answers are stored that their server may give then."""


def note_moved(connection: Database, judge: ContentJudge) -> None:
    """Have pages judged that are gone since the last recrawl began, and write down what became of them."""
    if "change" not in connection.tables():
        return
    from dowse.store.revisits.revisit_tables import BEGUN

    row = connection.execute("SELECT value FROM meta WHERE name = ?", (BEGUN,)).fetchone()
    begun = int(row[0]) if row is not None else 0
    if row is None or not connection.execute("SELECT 1 FROM change WHERE id > ? LIMIT 1", (begun,)).fetchone():
        return
    from dowse.store.revisits.moved_pages import may_be_moved, note_found
    from dowse.store.revisits.sent_elsewhere import note_sent_elsewhere
    from dowse.store.revisits.soft_missing import note_missing, shown_for_nothing, turned_pages

    note_sent_elsewhere(connection)
    for group in turned_pages(connection, begun):
        note_missing(connection, judge.missing(group, shown_for_nothing(connection, group[0])))
    if lost := may_be_moved(connection, begun):
        note_found(connection, begun, judge.moved(lost))


def _take_wishes(connection: Database, bookkeeping: tuple[Bookkeeping, ...], wishes: Wishes) -> None:
    """Note how pages are weighed from now on. What was let go may come back to a bounded collection."""
    from dowse.store.revisits.wishes import read_wishes, save_wishes

    if wishes == read_wishes(connection) == NO_WISHES:
        return
    save_wishes(connection, wishes)
    from dowse.store.revisits.collection import come_back
    from dowse.store.revisits.importance import importance_of

    come_back(connection, importance_of(connection, bookkeeping))


def begin_budget(connection: Database, requests: int, excluded: Excluded) -> None:
    """Let the run that begins make so many requests. With 0 it has no budget, nor has one that was stopped."""
    if "had_turn" in connection.tables():
        from dowse.store.revisits import budget

        budget.end(connection)
        if requests:
            budget.begin(connection, requests, excluded)


def sit_out(connection: Database) -> None:
    """Let what waits sit out again, if a run under a budget was stopped and goes on, or one in which links rest."""
    if "had_turn" in connection.tables():
        from dowse.store.revisits.budget import is_under_way, park
        from dowse.store.revisits.resting import links_rest, park_links

        if is_under_way(connection):
            park(connection)
        elif links_rest(connection):
            park_links(connection)


def within_budget(connection: Database, policy: LeasePolicy, bookkeeping: tuple[Bookkeeping, ...]) -> LeasePolicy:
    """The policy of a crawl, or if a run under a budget has begun one that keeps to it."""
    if "had_turn" not in connection.tables():
        return policy
    from dowse.store.revisits.budget import UnderBudget, is_under_way
    from dowse.store.revisits.revisit_book import RevisitBook

    if not is_under_way(connection):
        return policy
    return UnderBudget(policy, next(each for each in bookkeeping if isinstance(each, RevisitBook)))
