"""The tables of a crawl, and what each column means.

    meta    one row a fact: schema and key version, the job, how the crawl ended
    briefing  what the mode read when the crawl began, by name; only the mode knows what is in it
    host    one row a host that is or was to be visited, with its politeness
    task    one row a discovered URL, whatever became of it: the frontier and the ledger
    request one row a task that is more than a GET of its URL: method, body, headers, a hint, and why it was wanted
    visit   one row a request that had an answer or a failure; `links` holds the page's links as JSON
    robots  one row an answer to a request for robots.txt
    record  what extractors took from pages; `fields` is a JSON object

    spelling      URLs that were taken for others by a parameter of the built-in list; see core/url_spellings.py

    fingerprint   of pages, for the near-duplicate test                      these four are empty
    repeated      blocks of text that a host repeats                         without dedup = near
    alike         hosts and parameters found to make no difference
    variant       URLs that were skipped for that

Tables that only crawls of one mode have are made by the bookkeeping of the mode, see bookkeeping.py. Older crawls have
those of all modes, most of them empty.

A page's links are one JSON value, [[task id, anchor text, nofollow], ...], and the view `link` spreads them out.
As rows of a table of their own they would be 97 inserts a page, 0.12 ms of the 0.6 a page may cost; as one value
they take 0.004.
"""

from __future__ import annotations

from dowse.store.fragments import UNNUMBERED, json_part, json_rows, upsert
from dowse.store.task_states import LATER, READY

SCHEMA_VERSION = 9

_SPELLING = """
CREATE TABLE spelling (
    url_hash  INTEGER PRIMARY KEY,         -- of the URL as it was found
    original  INTEGER NOT NULL,            -- the task it was taken for
    host      TEXT NOT NULL,               -- core.url_spellings.Merger
    names     TEXT NOT NULL,
    finder    INTEGER NOT NULL,            -- the task it was found on, 0 for a seed
    candidate BLOB NOT NULL,               -- core.model.Candidate as msgpack
    may_probe INTEGER NOT NULL,            -- 0: it may not be fetched
    task      INTEGER,                     -- its own, where it was fetched as a probe
    news      INTEGER                      -- of that probe, see core.model.Outcome
)"""
_SPELLING_INDEX = "CREATE INDEX spelling_merger ON spelling (host, names)"

_BRIEFING = f"""
CREATE TABLE briefing (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) {UNNUMBERED}"""
# Where crawls of before kept it.
_BRIEFING_MOVED = """INSERT INTO briefing SELECT name, CAST(value AS BLOB) FROM meta
    WHERE name IN ('examples', 'related')"""

_REQUEST = """
CREATE TABLE request (
    task    INTEGER PRIMARY KEY,
    method  TEXT NOT NULL,
    body    BLOB NOT NULL,
    headers TEXT NOT NULL,                 -- JSON: [[name, value], ...]
    hint    BLOB NOT NULL,                 -- from the strategy to itself
    why     TEXT NOT NULL                  -- the strategy's reason, for people
)"""

_USAGE = "usage TEXT NOT NULL DEFAULT ''"

_ROBOTS = """
CREATE TABLE robots (
    id         INTEGER PRIMARY KEY,
    url        TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    status     INTEGER NOT NULL,
    body       TEXT NOT NULL               -- where in warc/ the answer is, see core.archive.Location
)"""

MIGRATIONS: dict[int, tuple[str, ...]] = {
    8: (_SPELLING, _SPELLING_INDEX, _BRIEFING, _BRIEFING_MOVED, _REQUEST),
    9: (f"ALTER TABLE visit ADD COLUMN {_USAGE}", _ROBOTS),
}
"""For each version, the statements that make it of the version before; see versions.py.

They only add: ALTER TABLE name ADD COLUMN, CREATE TABLE. A new column is the last of its table in `TABLES` too, and has
a default, so that a crawl that was brought up to date and a new one are the same. The oldest crawl that can be opened
is of the version before the first one here.
"""

TABLES = f"""
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) {UNNUMBERED};

{_BRIEFING.strip()};

CREATE TABLE host (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    pages      INTEGER NOT NULL DEFAULT 0,
    politeness TEXT NOT NULL               -- JSON of core.politeness.HostState
);

CREATE TABLE task (
    id         INTEGER PRIMARY KEY,
    key_hash   INTEGER NOT NULL,           -- 64-bit hash of the normal form, signed
    url        TEXT NOT NULL,              -- as it is requested
    key        TEXT,                       -- the normal form where it differs
    host       INTEGER NOT NULL,           -- 0 while out of scope
    site       INTEGER NOT NULL,           -- the host whose walk found it
    label      TEXT NOT NULL,
    depth      INTEGER NOT NULL,
    priority   REAL NOT NULL,
    parent     INTEGER NOT NULL,           -- the task that found it first, 0 for a seed
    anchor     TEXT NOT NULL,
    state      INTEGER NOT NULL,           -- core.model.State
    reason     TEXT NOT NULL,              -- the rule or failure that decided
    redirects  INTEGER NOT NULL DEFAULT 0,
    chain      INTEGER NOT NULL DEFAULT 0,
    attempt    INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,    -- 0: now; later: a retry
    visit      INTEGER                     -- the last that told what is there; negative: is to be fetched as if unseen
);

-- What waits, by host and then best first. Choosing among all tasks and dropping those of hosts that must rest
-- was 300 times slower when a resting host held the best ones.
CREATE INDEX task_ready ON task (host, priority DESC, id) WHERE {READY};
CREATE INDEX task_later ON task (not_before) WHERE {LATER};

{_REQUEST.strip()};

CREATE TABLE visit (
    id            INTEGER PRIMARY KEY,
    task          INTEGER NOT NULL,
    fetched_at    REAL NOT NULL,
    elapsed       REAL NOT NULL,
    status        INTEGER NOT NULL,
    failure       TEXT NOT NULL,
    detail        TEXT NOT NULL,
    media_type    TEXT NOT NULL,
    charset       TEXT NOT NULL,           -- what the page is written in
    declared      TEXT NOT NULL,           -- what it is said to be written in, as it is spelled there
    title         TEXT NOT NULL,
    size          INTEGER NOT NULL,
    digest        INTEGER NOT NULL,
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    redirect      INTEGER,                 -- the task the server sent us to
    duplicate_of  INTEGER,                 -- the task that had this content first
    links         TEXT NOT NULL DEFAULT '[]',
    body          TEXT NOT NULL DEFAULT '',  -- where in warc/ the answer is, see core.archive.Location
    rendered      TEXT,                    -- JSON of core.rendered.Rendered, if it was
    {_USAGE}  -- what the site wants the page used for, see core.usage
);
CREATE INDEX visit_task ON visit (task);

CREATE TABLE record (
    id     INTEGER PRIMARY KEY,
    task   INTEGER NOT NULL,               -- the page it is from
    kind   TEXT NOT NULL,                  -- which extractor made it
    key    TEXT NOT NULL,                  -- tells it from the page's other records of its kind
    fields TEXT NOT NULL,                  -- JSON
    UNIQUE (task, kind, key)
);

{_ROBOTS.strip()};

{_SPELLING.strip()};
{_SPELLING_INDEX};

CREATE TABLE fingerprint (
    task      INTEGER PRIMARY KEY,
    signature INTEGER NOT NULL,            -- core.near.Fingerprint
    title     INTEGER NOT NULL,
    words     INTEGER NOT NULL,
    sketch    BLOB NOT NULL,
    links     INTEGER NOT NULL,
    link_sketch BLOB NOT NULL
);
CREATE TABLE repeated (block INTEGER PRIMARY KEY);

CREATE TABLE alike (
    kind   TEXT NOT NULL,                  -- core.url_variants.Alike, or 'dropped': parameter (name) on a host (place)
    place  TEXT NOT NULL,
    name   TEXT NOT NULL,
    broken INTEGER NOT NULL,               -- 1: a page it would have skipped was different after all
    PRIMARY KEY (kind, place, name)
) {UNNUMBERED};
CREATE TABLE variant (
    task     INTEGER PRIMARY KEY,
    original INTEGER NOT NULL              -- the task it is the same as
);
CREATE INDEX variant_original ON variant (original);

CREATE VIEW link AS
    SELECT task.id AS source, {json_part("edge.value", "$[0]", "BIGINT")} AS target,
           {json_part("edge.value", "$[1]")} AS anchor,
           coalesce({json_part("edge.value", "$[2]", "BIGINT")}, 0) AS nofollow
    FROM task JOIN visit ON visit.id = task.visit, {json_rows("visit.links", "edge")};
"""

SET_META = upsert("meta", ("name", "value"), ["name"])
INSERT_RECORD = upsert("record", ("task", "kind", "key", "fields"), ["task", "kind", "key"])
