"""The tables of a best-first crawl, and what each column means."""

from __future__ import annotations

from dowse.store.fragments import UNNUMBERED

TABLES = (
    """
CREATE TABLE IF NOT EXISTS judgement (
    id        INTEGER PRIMARY KEY,         -- in the order pages came home
    task      INTEGER NOT NULL UNIQUE,
    relevance REAL NOT NULL,
    parts     TEXT NOT NULL,               -- JSON: of the relevance
    worth     TEXT NOT NULL,               -- JSON: the parts of its priority when it was taken
    evidence  BLOB NOT NULL                -- see rank/evidence.py
)""",
    """
CREATE TABLE IF NOT EXISTS lead (
    task     INTEGER PRIMARY KEY,
    evidence BLOB NOT NULL                 -- see rank/evidence.py
)""",
    f"""
CREATE TABLE IF NOT EXISTS model (
    name  TEXT PRIMARY KEY,
    state BLOB NOT NULL
) {UNNUMBERED}""",
)
