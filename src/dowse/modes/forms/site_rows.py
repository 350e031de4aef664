"""The sites of a crawl for forms: the site frontier, and how far each site was explored.

site        a host that was found, once
site_link   which page links to which site: centre pages are those that link to many
site_depth  how much of a site was fetched at each depth
directory   how many links to each directory were found
link_words  the words of a link that waits, from which is learned when its page has come
likeness    what was learned
"""

from __future__ import annotations

TABLES = (
    """
CREATE TABLE IF NOT EXISTS site (
    host    TEXT PRIMARY KEY,
    home    TEXT NOT NULL,
    words   TEXT NOT NULL,                 -- of its name, and of the links to it
    found   INTEGER NOT NULL,              -- the page that it was found on; 0: the user named it
    high    INTEGER NOT NULL DEFAULT 0,    -- whether it waits in the queue of high priority
    state   TEXT NOT NULL DEFAULT 'waiting',
    reason  TEXT NOT NULL DEFAULT '',
    pages   INTEGER NOT NULL DEFAULT 0,
    barren  INTEGER NOT NULL DEFAULT 0,    -- pages in a row without a new form
    forms   INTEGER NOT NULL DEFAULT 0,
    early   INTEGER NOT NULL DEFAULT 0,    -- its first pages, at most EARLY
    lucky   INTEGER NOT NULL DEFAULT 0,    -- those of them that had a new form
    searched INTEGER NOT NULL DEFAULT 0,   -- whether pages that link to it were looked for
    brought INTEGER                        -- records of its forms in earlier crawls; NULL: none knows it
)""",
    "CREATE TABLE IF NOT EXISTS site_link (page INTEGER NOT NULL, host TEXT NOT NULL, UNIQUE (host, page))",
    """
CREATE TABLE IF NOT EXISTS site_depth (
    host  TEXT NOT NULL,
    depth INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    forms INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT '',       -- why nothing more of that depth is fetched
    PRIMARY KEY (host, depth)
)""",
    "CREATE TABLE IF NOT EXISTS directory (path TEXT PRIMARY KEY, links INTEGER NOT NULL)",
    """
CREATE TABLE IF NOT EXISTS link_words (
    task  INTEGER PRIMARY KEY,
    words TEXT NOT NULL,
    share REAL NOT NULL                    -- of its chance that is left for its depth and its directory
)""",
    "CREATE TABLE IF NOT EXISTS likeness (name TEXT PRIMARY KEY, state BLOB NOT NULL)",
)
