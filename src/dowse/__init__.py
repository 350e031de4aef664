"""dowse, a focused web crawler: say what you want from the web and it goes straight to it.

>>> import dowse
>>> crawl = dowse.site("https://example.org/", depth=2, output="example")   # doctest: +SKIP
>>> len(crawl.pages)                                                        # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.version import VERSION

if TYPE_CHECKING:
    from dowse.app import Crawl, Summary
    from dowse.workflows.learn_rules import Lesson
    from dowse.workflows.simulate import Simulated

__version__ = VERSION

__all__ = [
    "Crawl",
    "CrawlError",
    "CrawlLocked",
    "CrawlMissing",
    "DowseError",
    "JobError",
    "__version__",
    "files",
    "focus",
    "learn_rules",
    "open",
    "recrawl",
    "resume",
    "retry",
    "rules",
    "run",
    "simulate",
    "site",
]


def site(url: str | list[str], **options: Any) -> Crawl:
    """Crawl a whole site, each page exactly once, and open the result.

    Options are those of `dowse site`, by the same names: `depth=3`, `max_pages=500`, `output="folder"`.

    >>> crawl = dowse.site("https://example.org/", depth=2)      # doctest: +SKIP
    >>> [page["title"] for page in crawl.pages]                  # doctest: +SKIP
    """
    from dowse import app
    from dowse.config import make_job

    return _opened(app.start(make_job("site", url, **options)))


def focus(url: str | list[str], topic: str = "", **options: Any) -> Crawl:
    """Crawl for pages about a topic, the most promising links first, and open the result.

    Options are those of `dowse focus`, by the same names: `like=["page.html"]`, `by="learned"`, `max_pages=500`.

    >>> crawl = dowse.focus("https://example.org/", topic="heat pumps", max_pages=500)   # doctest: +SKIP
    >>> [page["url"] for page in crawl.matched]                                          # doctest: +SKIP
    """
    from dowse import app
    from dowse.config import make_job

    return _opened(app.start(make_job("focus", url, topic=topic, **options)))


def files(url: str | list[str], type: str | list[str] = "", **options: Any) -> Crawl:  # noqa: A002
    """Fetch the files of some types from a site, and as few pages as possible, and open the result.

    `type` takes extensions, media types and the groups documents, data, archives, images and media, or several with
    commas between them. Other options are those of `dowse files`, by the same names: `pattern=["/2024/"]`.

    >>> crawl = dowse.files("https://example.org/", type="pdf,csv", max_pages=500)   # doctest: +SKIP
    >>> [(file["url"], file["file"]) for file in crawl.files]                         # doctest: +SKIP
    """
    from dowse import app
    from dowse.config import make_job

    return _opened(app.start(make_job("files", url, type=type or (), **options)))


def simulate(place: str, by: str | list[str], topic: str, **options: Any) -> list[Simulated]:
    """Replay a stored crawl, or a folder of pages, under several strategies and measure them.

    `seeds` are the pages to start from, one run each; `truth` is a file of labels.

    >>> for each in dowse.simulate("out", "breadth,learned", topic="heat pumps"):   # doctest: +SKIP
    ...     print(each.by, each.harvest.value)
    """
    from dowse.workflows import simulate

    return simulate.simulate(place, [by] if isinstance(by, str) else by, topic=topic, **options)


def rules(table: str, **options: Any) -> Crawl:
    """Crawl what the rules of a table lead to, keep what they keep, and open the result.

    The table is a .csv, .json or .toml file, `sqlite:///FILE` or `postgresql://HOST/DATABASE`. Rows that are wrong are
    left out with a warning that names them.

    >>> crawl = dowse.rules("consultations.csv", output="out")   # doctest: +SKIP
    >>> [link["url"] for link in crawl.kept]                     # doctest: +SKIP
    """
    import warnings

    from dowse import app
    from dowse.config import make_job

    job = make_job("rules", (), table=table, **options)
    for problem in app.usable_rules(table).errors:
        warnings.warn(str(problem), stacklevel=2)
    return _opened(app.start(job))


def learn_rules(url: str, want: list[str], unlike: list[str] | None = None, **options: Any) -> Lesson:
    """Find a rule table that keeps links like those that are wanted, by exploring the site from a URL on.

    Two wanted links are the least that tell what varies; `unlike` are links it must not keep. Options are those of
    `dowse rules learn`, by the same names: `max_pages=500`. The answer says what the table would keep and visit, and
    which rivals it has; `.write(place)` puts it where `dowse.rules` reads it.

    >>> lesson = dowse.learn_rules("https://example.org/", want=[one, another])   # doctest: +SKIP
    >>> lesson.write("rules.csv")                                                 # doctest: +SKIP
    """
    from dowse.workflows.learn_rules import learn

    return learn(url, want, unlike or (), **options)


def run(job_file: str, **options: Any) -> Crawl:
    """Run the job of a TOML file; options given here win over its keys.

    >>> crawl = dowse.run("job.toml", max_pages=100)             # doctest: +SKIP
    """
    from dowse import app
    from dowse.config import load_job

    return _opened(app.start(load_job(job_file, **options)))


def open(directory: str) -> Crawl:  # noqa: A001, read as dowse.open
    """Open a crawl for reading, also while it runs.

    >>> dowse.open("example").why("https://example.org/about")   # doctest: +SKIP
    """
    from dowse import app

    return app.read(directory)


def resume(directory: str, **options: Any) -> Crawl:
    """Continue a crawl that was stopped, killed or ended by a limit.

    >>> crawl = dowse.resume("example", max_pages=1000)          # doctest: +SKIP
    """
    from dowse import app

    return _opened(app.resume(directory, **options))


def retry(directory: str, **options: Any) -> Crawl:
    """Try once more what failed, and nothing else.

    >>> crawl = dowse.retry("example")                           # doctest: +SKIP
    """
    from dowse import app

    return _opened(app.retry(directory, **options))


def recrawl(directory: str, **options: Any) -> Crawl:
    """Visit every page again; unchanged ones are not processed again.

    >>> crawl = dowse.recrawl("example")                         # doctest: +SKIP
    """
    from dowse import app

    return _opened(app.recrawl(directory, **options))


def _opened(summary: Summary) -> Crawl:
    """A crawl that has just ended, with a warning for all that did not go as asked."""
    from dowse import app

    crawl = app.read(summary.directory)
    troubles = [f"{trouble.text}; look at {trouble.url}" for trouble in crawl.troubles]
    if summary.pages == 0:
        troubles.insert(0, "no page could be fetched; crawl.ledger tells why")
    if troubles:
        import warnings

        for text in troubles:
            warnings.warn(text, stacklevel=3)
    return crawl


def __getattr__(name: str) -> Any:
    # `Crawl` is loaded when asked for: `import dowse` and `dowse --version` need no crawler.
    if name == "Crawl":
        from dowse.app import Crawl

        return Crawl
    raise AttributeError(f"module 'dowse' has no attribute {name!r}")
