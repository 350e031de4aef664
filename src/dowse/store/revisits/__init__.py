"""Pages that are visited again: what is known of how they change, and what changed."""

from __future__ import annotations

from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.frontier.lease_policy import LeasePolicy
from dowse.store.frontier.requeue import Excluded
from dowse.store.schema import SET_META

_FIRST = """INSERT INTO meta (name, value) SELECT ?, CAST(coalesce(max(id), 0) AS TEXT) FROM visit WHERE true
    ON CONFLICT (name) DO NOTHING"""


def with_revisits(
    connection: Database, bookkeeping: tuple[Bookkeeping, ...], *, begins: bool
) -> tuple[Bookkeeping, ...]:
    """The books of a crawl, and that of revisits if there were some before or they begin now."""
    if not begins and "revisited" not in connection.tables():
        return bookkeeping
    from dowse.store.revisits.revisit_book import RevisitBook
    from dowse.store.revisits.revisit_tables import BEGUN, LEARNED

    for statement in RevisitBook.tables:
        connection.execute(statement)
    if begins:
        (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM change").fetchone()
        connection.execute(SET_META, (BEGUN, str(last)))
        # Of the visits before the first recrawl each was the first of its page.
        connection.execute(_FIRST, (LEARNED,))
    is_kept = any(isinstance(each, RevisitBook) for each in bookkeeping)
    return bookkeeping if is_kept else (*bookkeeping, RevisitBook(bookkeeping))


def begin_budget(connection: Database, requests: int, excluded: Excluded) -> None:
    """Let the run that begins make so many requests. With 0 it has no budget, nor has one that was stopped."""
    if "had_turn" in connection.tables():
        from dowse.store.revisits import budget

        budget.end(connection)
        if requests:
            budget.begin(connection, requests, excluded)


def sit_out(connection: Database) -> None:
    """Let what waits sit out again, if a run under a budget was stopped and goes on."""
    if "had_turn" in connection.tables():
        from dowse.store.revisits.budget import is_under_way, park

        if is_under_way(connection):
            park(connection)


def within_budget(connection: Database, policy: LeasePolicy, bookkeeping: tuple[Bookkeeping, ...]) -> LeasePolicy:
    """The policy of a crawl, or if a run under a budget has begun one that keeps to it."""
    if "had_turn" not in connection.tables():
        return policy
    from dowse.store.revisits.budget import UnderBudget, is_under_way
    from dowse.store.revisits.revisit_book import RevisitBook

    if not is_under_way(connection):
        return policy
    return UnderBudget(policy, next(each for each in bookkeeping if isinstance(each, RevisitBook)))
