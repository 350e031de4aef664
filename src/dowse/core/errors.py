"""What dowse raises to its user.

    DowseError
    +-- JobError        the job is wrong: an unknown key, a bad value, a seed that is not a URL
    |   +-- SeveralMeant    the end of a URL is that of more than one
    +-- ExtraMissing    a library that only some need is not installed
    +-- FileUnwritable  a file that the user named cannot be written
    +-- NotLearned      examples from which nothing can be learned
    +-- CrawlError      the crawl cannot go on or be opened
        +-- CrawlLocked     another process is running it
        +-- CrawlMissing    there is no crawl at that place
        +-- StoreFull       no room on the disk; the batch is kept and tried again
        +-- StoreAway       the database server cannot be reached; the batch is kept and tried again

and, as nobody is to swallow it with the errors above:

    KeyboardInterrupt
    +-- CrawlInterrupted    a run was stopped by Ctrl-C or a signal, and ended cleanly

Trouble with one URL is never raised: it is a `Failure` in that URL's outcome.
"""

from typing import Any


class DowseError(Exception):
    """Base of everything dowse raises on purpose; its text is meant for the user.

    >>> try:
    ...     dowse.site("https://example.org/", depth="two")
    ... except dowse.DowseError as error:
    ...     print(error)
    depth: expected a whole number, got 'two'
    """


class JobError(DowseError):
    """The job cannot be run as written; the message names the key and what to do.

    >>> dowse.site("https://example.org/", max_page=3)
    Traceback (most recent call last):
    dowse.core.errors.JobError: unknown option max_page; did you mean max_pages?
    """


class SeveralMeant(JobError):
    """Somebody asks for a URL by its end, and several have it: `urls`."""

    def __init__(self, end: str, urls: list[str]) -> None:
        named = ", ".join(urls[:2]) + (f" and {len(urls) - 2:,} more" if len(urls) > 2 else "")
        super().__init__(f"{len(urls):,} URLs end in {end}: {named}; name more of the one you mean")
        self.urls = urls


class ExtraMissing(DowseError):
    """What was asked for needs a library that is not installed; the message says how to get it."""


class FileUnwritable(DowseError):
    """A file that was to be written cannot be; one that was there before is as it was."""


class NotLearned(DowseError):
    """No rule could be learned from the examples; the message says what is wrong with them, or what they lack."""


class CrawlError(DowseError):
    """A crawl that cannot be opened or go on.

    >>> try:
    ...     dowse.open("nowhere")
    ... except dowse.CrawlError as error:
    ...     print(type(error).__name__)
    CrawlMissing
    """


class CrawlLocked(CrawlError):
    """Another process is running this crawl.

    >>> issubclass(dowse.CrawlLocked, dowse.CrawlError)
    True
    """


class CrawlMissing(CrawlError):
    """There is no crawl where one was expected.

    >>> dowse.open("nowhere")
    Traceback (most recent call last):
    dowse.core.errors.CrawlMissing: there is no crawl in nowhere...
    """


class StoreFull(CrawlError):
    """The disk is full. Nothing was lost: the engine waits and commits the same batch again."""


class StoreAway(CrawlError):
    """The database server cannot be reached. Nothing was lost: the engine waits until it is back."""


class CrawlInterrupted(KeyboardInterrupt):
    """A run was stopped and ended cleanly. The script that it was part of ends as well, unless it catches this."""

    def __init__(self, directory: str, summary: Any) -> None:
        super().__init__(f"the crawl was stopped; dowse.resume({directory!r}) goes on with it")
        self.summary = summary
