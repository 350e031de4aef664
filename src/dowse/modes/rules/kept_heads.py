"""What servers say of links that are kept: their type, their size and their date, by a HEAD request for each.

kept_head    which kept link a HEAD request is for; where that is redirected to is for it, too
kept_facts   what came of it
"""

from __future__ import annotations

from collections.abc import Sequence

from dowse.core.model import Candidate
from dowse.core.task_labels import HEAD
from dowse.modes.rules.rule_hints import link_facts
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.fragments import upsert
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.edges import Edge

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS kept_head (
    task INTEGER NOT NULL,                 -- the HEAD request
    link INTEGER NOT NULL,                 -- the task of the link that is kept
    UNIQUE (task, link)
)""",
    """
CREATE TABLE IF NOT EXISTS kept_facts (
    link          INTEGER PRIMARY KEY,
    media_type    TEXT NOT NULL,
    size          INTEGER,                 -- bytes, if the server says how many
    last_modified TEXT NOT NULL            -- ISO 8601, "" if the server does not say
)""",
)
_LINKS = "SELECT link FROM kept_head WHERE task = ?"
_NOTE = "INSERT INTO kept_head (task, link) VALUES (?, ?) ON CONFLICT DO NOTHING"
_SAY = upsert("kept_facts", ("link", "media_type", "size", "last_modified"), ["link"])
# The place that a second link is redirected to may have answered already.
_SAY_THE_SAME = """INSERT INTO kept_facts (link, media_type, size, last_modified)
    SELECT ?, media_type, size, last_modified FROM kept_facts WHERE link IN (
        SELECT link FROM kept_head WHERE task = ?) LIMIT 1 ON CONFLICT DO NOTHING"""


class KeptHeads(Bookkeeping):
    """Knows which request was made for which link, and writes down what came of it."""

    tables = _TABLES

    def linked(self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission) -> None:
        heads = {}
        for candidate, edge in zip(candidates, edges, strict=True):
            if candidate.label == HEAD and not candidate.refused:
                heads[candidate.request.url] = edge[0]
        if not heads:
            return
        for candidate, edge in zip(candidates, edges, strict=True):
            if candidate.label != HEAD and candidate.request.url in heads:
                self._connection.execute(_NOTE, (heads[candidate.request.url], edge[0]))

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome = visit.outcome
        if outcome.task.label == HEAD and outcome.evidence:
            facts = link_facts(outcome.evidence)
            for (link,) in self._connection.execute(_LINKS, (outcome.task.id,)).fetchall():
                self._connection.execute(_SAY, (link, facts.media_type, facts.size, facts.last_modified))

    def redirected(self, number: int, target: int) -> None:
        for (link,) in self._connection.execute(_LINKS, (number,)).fetchall():
            self._connection.execute(_SAY_THE_SAME, (link, target))
            self._connection.execute(_NOTE, (target, link))
