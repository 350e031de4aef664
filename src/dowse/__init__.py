"""dowse, a focused web crawler: say what you want from the web and it goes straight to it.

>>> import dowse
>>> crawl = dowse.site("https://example.org/", max_pages=10, output="out")
>>> len(crawl.pages)
10
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from dowse.app import Crawl, Summary
    from dowse.core.protocols import Fetcher
    from dowse.engine.callbacks import Follow, OnPage
    from dowse.engine.events import Event
    from dowse.modes.mode import Mode
    from dowse.workflows.apply_rules import Carried, Written
    from dowse.workflows.learn_rules import Lesson
    from dowse.workflows.simulate import Simulated

__version__ = VERSION
"""The version of dowse.

>>> dowse.__version__.count(".") >= 1
True
"""

__all__ = [
    "Crawl",
    "CrawlError",
    "CrawlLocked",
    "CrawlMissing",
    "DowseError",
    "JobError",
    "__version__",
    "apply_rules",
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

    def __call__(
        self,
        start: str | list[str] | tuple[str, ...] = (),
        *arguments: Any,
        follow: Follow | str = "",
        on_page: OnPage | str = "",
        wrap_fetcher: Callable[[Fetcher], Any] | str = "",
        **options: Any,
    ) -> Crawl: ...


site: CrawlFunction
"""Crawl the whole site. Options are those of `dowse site`, by the same names.

>>> crawl = dowse.site("https://example.org/", max_pages=10, output="out")
>>> crawl.pages.columns[:3]
['url', 'redirected_from', 'status']
"""

rules: CrawlFunction
"""Crawl by a table of rules: which links to follow and which to keep. Options are those of `dowse rules run`.

>>> with open("rules.csv", "w") as file:
...     print("baseURL,ruleType,fromType,toType,pattern", file=file)
...     print("https://example.org/,keep,base,,^https://example.org/topics/.", file=file)
>>> crawl = dowse.rules("rules.csv", output="out")
>>> [row["anchor"] for row in crawl.kept][:2]
['International affairs', 'Health']
"""

focus: CrawlFunction
"""Look for pages about a topic, the best links first. Options are those of `dowse focus`.

>>> crawl = dowse.focus("https://example.org/", "fishing vessels", max_pages=10, output="out")
>>> crawl.results().best[0].text
'What we heard: Port state measures for foreign fishing vessels - Tarnm…'
"""

files: CrawlFunction
"""Look for files of some types and download them. Options are those of `dowse files`.

>>> crawl = dowse.files("https://example.org/", type="pdf", max_pages=20, output="out")
>>> {row["media_type"] for row in crawl.files}
{'application/pdf'}
"""


def simulate(place: str, by: str | list[str] = (), **options: Any) -> list[Simulated]:  # type: ignore[assignment]
    """Replay a stored crawl, or a folder of pages, under several rankers and measure them.

    `seeds` are the pages to start from, one run each; `truth` is a file of labels.

    >>> for each in dowse.simulate("example", "breadth,learned", topic="fishing vessels", max_pages=20):
    ...     print(each.by, round(each.harvest.value, 1))
    breadth 0...
    learned 0...
    """
    from dowse.workflows import simulate

    return simulate.simulate(place, [by] if isinstance(by, str) else by, **options)


def learn_rules(url: str, want: list[str], unlike: list[str] | None = None, **options: Any) -> Lesson:
    """Find a rule table that keeps links like those that are wanted, by exploring the site from a URL on.

    Two wanted links are the least that tell what varies; `unlike` are links it must not keep. Options are those of
    `dowse rules learn`, by the same names: `max_pages=500`. The answer says what the table would keep and visit, and
    which rivals it has; `.write(place)` puts it where `dowse.rules` reads it. Where the examples fit several tables,
    `.question` is the link to ask about, `.answer(True)` learns again with it, and `ask=function` is asked meanwhile.

    >>> one = "https://example.org/documents/health/a-single-vaccination-record-discussion-paper.pdf"
    >>> another = "https://example.org/documents/health/support-for-family-carers-discussion-paper.pdf"
    >>> lesson = dowse.learn_rules("https://example.org/", want=[one, another], max_pages=60)
    >>> one in lesson.kept
    True
    >>> _ = lesson.write("rules.csv")
    """
    from dowse.workflows.learn_rules import learn

    return learn(url, want, unlike or (), **options)


def apply_rules(instruction: Written, **options: Any) -> Carried:
    """Carry out one instruction of a rule crawl on one page: `.kept` and `.followed` are the links it gives.

    The instruction is JSON, or what `crawl.instructions()` gives. Options are those of fetching a page, by the names
    of `dowse rules apply`: `fetch="browser"`. Nothing is written.

    >>> page = {"baseURL": "https://example.org/", "keepRules": [{"pattern": "^https://example.org/topics/."}]}
    >>> [link.anchor for link in dowse.apply_rules(page).kept][:2]
    ['International affairs', 'Health']
    """
    from dowse.workflows import apply_rules

    return apply_rules.apply_rules(instruction, **options)


def run(job_file: str, **options: Any) -> Crawl:
    """Run the job of a TOML file; options given here win over its keys.

    >>> with open("job.toml", "w") as file:
    ...     print('mode = "site"', 'seeds = ["https://example.org/"]', 'output = "out"', sep="\\n", file=file)
    >>> len(dowse.run("job.toml", max_pages=5).pages)
    5
    """
    from dowse import app
    from dowse.config import load_job
    from dowse.own_code import named as with_names

    options, given = with_names(options)
    return _opened(app.start(load_job(job_file, **options), given=given))


def open(directory: str) -> Crawl:  # noqa: A001, read as dowse.open
    """Open a crawl for reading, also while it runs.

    >>> dowse.open("example").why("https://example.org/topics/").depth
    1
    """
    from dowse import app

    return app.read(directory)


def resume(directory: str, **options: Any) -> Crawl:
    """Continue a crawl that was stopped, killed or ended by a limit; `seeds` and `seeds_from` are added to its own.

    >>> len(dowse.resume("example", max_pages=70).pages)
    70
    """
    from dowse import app

    return _opened(app.resume(directory, **options))


def retry(directory: str, **options: Any) -> Crawl:
    """Try once more what failed, and nothing else.

    >>> dowse.retry("example").status().counts.get("failed", 0)
    0
    """
    from dowse import app

    return _opened(app.retry(directory, **options))


def recrawl(directory: str, **options: Any) -> Crawl:
    """Visit every page again; unchanged ones are not processed again.

    >>> len(dowse.recrawl("example").pages)
    60
    """
    from dowse import app

    return _opened(app.recrawl(directory, **options))


def _crawl_function(mode: Mode[Any]) -> CrawlFunction:
    """The function of a mode: what `dowse MODE` does, with the same options."""
    import inspect

    from dowse import app
    from dowse.config import make_job
    from dowse.own_code import named as with_names

    def crawl(start: str | list[str] | tuple[str, ...] = (), *arguments: Any, **options: Any) -> Crawl:
        if len(arguments) > len(mode.arguments):
            raise TypeError(f"{mode.name}() takes options by name: {mode.name}(..., depth=3)")
        texts, given = with_names({**dict(zip(mode.arguments, arguments, strict=False)), **options})
        if mode.start:
            if not start:
                raise TypeError(f"{mode.name}() needs its {mode.start} as the first argument")
            texts[mode.start] = start
        return _opened(app.start(make_job(mode.name, () if mode.start else start, **texts), _warn, given))

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
    troubles = [f"{each.text}; look at {each.url}" if each.url else each.text for each in crawl.troubles]
    if summary.pages == 0 and not troubles:
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
