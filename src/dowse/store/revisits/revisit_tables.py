"""The tables of revisits. A crawl has them from its first recrawl on.

revisited      one row a page of which more is to be noted than its visits tell
page_rate      one row a page whose visits were learned from: how often it changed so far
group_activity how much changed of late in a group of pages, see core/revisits/change_rates.py
had_turn       one row a task that a run under a budget does not ask for any more
new_link       one row a link that is new on the site and was not followed yet (new_links.py)
server_word    one row a page and source: what its server says of its changes (core/revisits/server_signs.py)
kept_word      one row a host and source: how often that was right
change         one row a change that people are told of; its URL is that of its task
record_before  one row a visit that replaced the records of a page by others: those that it had before
let_go         one row each time that a bounded collection let a page go (collection.py)
"""

from __future__ import annotations

from dowse.store.fragments import UNNUMBERED, upsert

TABLES = (
    """
CREATE TABLE IF NOT EXISTS revisited (
    task    INTEGER PRIMARY KEY,
    at      REAL NOT NULL,                 -- when that was
    news    REAL NOT NULL,                 -- links that nobody knew before, found on it since the first recrawl
    missing INTEGER NOT NULL,              -- visits in a row that found no page
    places  TEXT NOT NULL                  -- JSON: places of its text, and how often in a row they had another line
)""",
    """
CREATE TABLE IF NOT EXISTS page_rate (
    task    INTEGER PRIMARY KEY,
    at      REAL NOT NULL,                 -- the last visit that was learned from
    changes REAL NOT NULL,                 -- core.change_rates.ChangeRates
    days    REAL NOT NULL
)""",
    f"""
CREATE TABLE IF NOT EXISTS group_activity (
    kind     INTEGER NOT NULL,
    name     TEXT NOT NULL,
    found    REAL NOT NULL,
    expected REAL NOT NULL,
    at       REAL NOT NULL,
    PRIMARY KEY (kind, name)
) {UNNUMBERED}""",
    """
CREATE TABLE IF NOT EXISTS change (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    kind   TEXT NOT NULL,                  -- added, changed, removed, moved, unreachable
    what   TEXT NOT NULL,                  -- page, record, or a word of the mode (Bookkeeping.called, new_results)
    task   INTEGER NOT NULL,
    earlier INTEGER,                       -- the visit that has the version before
    later   INTEGER,                       -- the visit that told of the change
    before TEXT NOT NULL,                  -- JSON: of a record the fields that differ; of a page that moved its URL
    after  TEXT NOT NULL
)""",
    f"""
CREATE TABLE IF NOT EXISTS server_word (
    task    INTEGER NOT NULL,
    source  TEXT NOT NULL,
    value   REAL NOT NULL,
    at      REAL NOT NULL,                 -- when it was heard
    earlier REAL NOT NULL,                 -- what was said before
    PRIMARY KEY (task, source)
) {UNNUMBERED}""",
    f"""
CREATE TABLE IF NOT EXISTS kept_word (
    host           TEXT NOT NULL,          -- core.server_words.Word
    source         TEXT NOT NULL,
    changed_said   REAL NOT NULL,
    changed_unsaid REAL NOT NULL,
    same_said      REAL NOT NULL,
    same_unsaid    REAL NOT NULL,
    PRIMARY KEY (host, source)
) {UNNUMBERED}""",
    "CREATE TABLE IF NOT EXISTS had_turn (task INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS new_link (task INTEGER PRIMARY KEY)",
    "CREATE INDEX IF NOT EXISTS change_task ON change (task)",
    """
CREATE TABLE IF NOT EXISTS record_before (
    id      INTEGER PRIMARY KEY,
    task    INTEGER NOT NULL,
    until   REAL NOT NULL,                 -- when a visit replaced them
    records TEXT NOT NULL                  -- JSON: [[kind, key, fields as the table `record` has them], ...]
)""",
    "CREATE INDEX IF NOT EXISTS record_before_task ON record_before (task)",
    """
CREATE TABLE IF NOT EXISTS let_go (
    id    INTEGER PRIMARY KEY,
    task  INTEGER NOT NULL,
    at    REAL NOT NULL,
    visit INTEGER NOT NULL                 -- its last one until then: a later one says that it is there again
)""",
)

MISSING = 2
"""So often in a row a page has to be missing before it counts as removed."""

RESTLESS = 3
"""So often in a row a place of a page has to have another line before that is no change any more."""

SAVE_REVISIT = upsert("revisited", ("task", "at", "news", "missing", "places"), ["task"])
SAVE_RATE = upsert("page_rate", ("task", "at", "changes", "days"), ["task"])
SAVE_ACTIVITY = upsert("group_activity", ("kind", "name", "found", "expected", "at"), ["kind", "name"])
SAVE_SAID = """INSERT INTO server_word (task, source, value, at, earlier) VALUES (?, ?, ?, ?, 0)
    ON CONFLICT (task, source) DO UPDATE SET value = excluded.value, at = excluded.at, earlier = server_word.value"""
SAVE_WORD = upsert(
    "kept_word", ("host", "source", "changed_said", "changed_unsaid", "same_said", "same_unsaid"), ["host", "source"]
)
INSERT_CHANGE = """INSERT INTO change (at, kind, what, task, earlier, later, before, after)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
LET_GO = "collection is full"
"""The reason of a page that a bounded collection let go."""

BEGUN = "revisit_begun"
"""The name in `meta` of the last change that was there when the run of revisits began."""

GAP = "revisit_gap"
"""The name in `meta` of the usual time between two visits of a page, in days."""

LEARNED = "revisit_learned"
"""The name in `meta` of the last visit that the rates know of."""
