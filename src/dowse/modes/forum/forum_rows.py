"""The tables of a crawl of a forum.

forum_site  a site, and where its entry page is still to be looked for
forum_link  links that may lead to boards and threads, by form; without a task they wait for what is learned of it
forum_page  pages by what they turned out to be; `base` is the first page of the same board or thread
forum_sign  what tells, beside looks, what a page is: its posts, who wrote them, and where its groups of links lead
forum_post  posts as their pages have them
forum_row   what boards say of their boards and threads: by that a later visit sees what is new
"""

from __future__ import annotations

COPY = "the same as another page"
"""The note about a page that says what another says."""

TABLES = (
    """
CREATE TABLE IF NOT EXISTS forum_site (
    site    TEXT PRIMARY KEY,
    entries TEXT NOT NULL,                     -- JSON: URLs that may be its entry page
    tried   INTEGER NOT NULL                   -- how many of them were asked for
)""",
    """
CREATE TABLE IF NOT EXISTS forum_link (
    url    TEXT PRIMARY KEY,
    site   TEXT NOT NULL,
    form   TEXT NOT NULL,
    place  TEXT NOT NULL,
    prior  REAL NOT NULL,
    rival  TEXT NOT NULL,                      -- a link of the same blocks that looks better, "" if none does
    text   TEXT NOT NULL,
    finder INTEGER NOT NULL,
    depth  INTEGER NOT NULL,
    base   INTEGER NOT NULL,                   -- of a further page, the first
    task   INTEGER NOT NULL                    -- 0 while it is not asked for
)""",
    "CREATE INDEX IF NOT EXISTS forum_link_form ON forum_link (site, form, task)",
    "CREATE INDEX IF NOT EXISTS forum_link_base ON forum_link (base) WHERE base > 0",
    """
CREATE TABLE IF NOT EXISTS forum_page (
    task    INTEGER PRIMARY KEY,
    url     TEXT NOT NULL,
    site    TEXT NOT NULL,
    type    TEXT NOT NULL,
    place   TEXT NOT NULL,                     -- where its link stood
    base    INTEGER NOT NULL,
    number  INTEGER NOT NULL,                  -- which of its pages it is, 0 if that is not known
    shares  TEXT NOT NULL,                     -- JSON: how probable index, thread and other are, by its looks
    content INTEGER NOT NULL,
    title   TEXT NOT NULL,
    board   TEXT NOT NULL,                     -- the URL of the board above it, "" if it is not told
    note    TEXT NOT NULL
)""",
    "CREATE INDEX IF NOT EXISTS forum_page_base ON forum_page (base)",
    "CREATE INDEX IF NOT EXISTS forum_page_url ON forum_page (url)",
    "CREATE INDEX IF NOT EXISTS forum_page_content ON forum_page (content)",
    """
CREATE TABLE IF NOT EXISTS forum_sign (
    task    INTEGER PRIMARY KEY,
    posts   INTEGER NOT NULL,
    authors TEXT NOT NULL,                     -- JSON: the URLs of those who wrote them
    leads   TEXT NOT NULL,                     -- JSON: a link of each group of titles, and how many it has
    news    INTEGER NOT NULL                   -- threads and lists of them that no other page had led to
)""",
    """
CREATE TABLE IF NOT EXISTS forum_post (
    task     INTEGER NOT NULL,
    position INTEGER NOT NULL,
    post     BLOB NOT NULL,                    -- extract.posts.thread_records.Post as JSON
    PRIMARY KEY (task, position)
)""",
    """
CREATE TABLE IF NOT EXISTS forum_row (
    url   TEXT NOT NULL,
    board INTEGER NOT NULL,                    -- the first page of the board that lists it
    page  INTEGER NOT NULL,
    count INTEGER,                             -- of posts or replies, as the board says
    state TEXT NOT NULL,                       -- what changes when there is a new post
    PRIMARY KEY (url, board)
)""",
)
