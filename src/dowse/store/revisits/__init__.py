"""Pages that are visited again: what is known of how they change, and what changed."""

from __future__ import annotations

from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.frontier.lease_policy import LeasePolicy


def with_revisits(
    connection: Database, bookkeeping: tuple[Bookkeeping, ...], *, begins: bool
) -> tuple[Bookkeeping, ...]:
    """The books of a crawl, and that of revisits if there were some before or they begin now."""
    if not begins and "revisit" not in connection.tables():
        return bookkeeping
    from dowse.store.revisits.revisit_book import RevisitBook  # with numpy, which a first crawl may not need

    for statement in RevisitBook.tables:
        connection.execute(statement)
    is_kept = any(isinstance(each, RevisitBook) for each in bookkeeping)
    return bookkeeping if is_kept else (*bookkeeping, RevisitBook())


def under_budget(
    connection: Database, policy: LeasePolicy, bookkeeping: tuple[Bookkeeping, ...], budget: int
) -> LeasePolicy:
    """A policy that chooses what is worth one of so many requests."""
    from dowse.store.revisits.budget import UnderBudget
    from dowse.store.revisits.revisit_book import RevisitBook

    book = next(each for each in bookkeeping if isinstance(each, RevisitBook))
    chosen = UnderBudget(policy, budget, book)
    chosen.begin(connection)
    return chosen
