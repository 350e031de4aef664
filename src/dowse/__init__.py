"""dowse, a focused web crawler: say what you want from the web and it goes straight to it.

>>> import dowse
>>> crawl = dowse.site("https://example.org/", depth=2, output="example")   # doctest: +SKIP
>>> len(crawl.pages)                                                        # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.version import VERSION

if TYPE_CHECKING:
    from dowse.app import Crawl, Summary
    from dowse.engine.events import Event
    from dowse.modes.mode import Mode
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


class CrawlFunction(Protocol):
    """Crawls in one mode and opens the result."""

    def __call__(self, start: str | list[str], *arguments: Any, **options: Any) -> Crawl: ...


site: CrawlFunction
rules: CrawlFunction
focus: CrawlFunction
files: CrawlFunction


def simulate(place: str, by: str | list[str] = (), **options: Any) -> list[Simulated]:  # type: ignore[assignment]
    """Replay a stored crawl, or a folder of pages, under several rankers and measure them.

    `seeds` are the pages to start from, one run each; `truth` is a file of labels.

    >>> for each in dowse.simulate("out", "breadth,learned", topic="heat pumps"):   # doctest: +SKIP
    ...     print(each.by, each.harvest.value)
    """
    from dowse.workflows import simulate

    return simulate.simulate(place, [by] if isinstance(by, str) else by, **options)


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


def _crawl_function(mode: Mode[Any]) -> CrawlFunction:
    """The function of a mode: what `dowse MODE` does, with the same options."""
    import inspect

    from dowse import app
    from dowse.config import make_job

    def crawl(start: str | list[str], *arguments: Any, **options: Any) -> Crawl:
        if len(arguments) > len(mode.arguments):
            raise TypeError(f"{mode.name}() takes options by name: {mode.name}(..., depth=3)")
        given = {**dict(zip(mode.arguments, arguments, strict=False)), **options}
        if mode.start:
            given[mode.start] = start
        return _opened(app.start(make_job(mode.name, () if mode.start else start, **given), _warn))

    first = inspect.Parameter(mode.start or "url", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = {setting.name: setting for setting in mode.settings if setting.name != mode.start}
    order = [*mode.arguments, *(name for name in named if name not in mode.arguments)]
    rest = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD if name in mode.arguments else inspect.Parameter.KEYWORD_ONLY,
            default=named[name].default,
        )
        for name in order
    ]
    crawl.__name__ = crawl.__qualname__ = mode.name
    crawl.__doc__ = f"{inspect.getdoc(mode)}\n\nOptions are those of the command, by the same names."
    crawl.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]
    return crawl


def _warn(event: Event) -> None:
    """What is wrong with what a crawl was given, in Python's own way."""
    from dowse.engine.events import Problem

    if isinstance(event, Problem) and event.is_error:
        import warnings

        warnings.warn(event.text, stacklevel=4)


def _opened(summary: Summary) -> Crawl:
    """A crawl that has just ended, with a warning for all that did not go as asked."""
    from dowse import app

    crawl = app.read(summary.directory)
    troubles = [f"{trouble.text}; look at {trouble.url}" for trouble in crawl.troubles]
    if summary.pages == 0:
        troubles.insert(0, "no page could be fetched; crawl.ledger tells why")
    elif trouble := crawl.results().trouble:
        troubles.insert(0, trouble)
    if troubles:
        import warnings

        for text in troubles:
            warnings.warn(text, stacklevel=3)
    return crawl


def __getattr__(name: str) -> Any:
    # What crawls is loaded when asked for: `import dowse` and `dowse --version` need no crawler.
    if name == "Crawl":
        from dowse.app import Crawl

        return Crawl
    if not name.startswith("_"):
        from dowse.modes.registry import find_mode, mode_names

        if name in mode_names() and not find_mode(name).hidden:
            made = globals()[name] = _crawl_function(find_mode(name))
            return made
    raise AttributeError(f"module 'dowse' has no attribute {name!r}")
