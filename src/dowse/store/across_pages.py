"""What only several pages together tell of their records: which tables are the site's, which articles are one."""

from __future__ import annotations

from dowse.core.job import Job
from dowse.store.article_parts import join_articles, separate_articles
from dowse.store.database import Database
from dowse.store.duplicates.repeated_tables import mark_repeated


def _joins_articles(job: Job) -> bool:
    """Whether the articles of several pages are to be one record each."""
    return job.scope.paging and job.extract.article


def separate_pages(connection: Database, job: Job) -> None:
    """Let each page have its own records again, before a crawl begins or goes on."""
    if _joins_articles(job):
        separate_articles(connection)


def compare_pages(connection: Database, job: Job) -> int:
    """Compare the records of all pages, when a crawl ends or they were read again; how many are left out by that."""
    rows = mark_repeated(connection) if job.extract.tables else 0
    return rows + (join_articles(connection) if _joins_articles(job) else 0)
