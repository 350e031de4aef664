"""dowse, a focused web crawler: say what you want from the web and it goes straight to it.

>>> import dowse
>>> crawl = dowse.site("https://example.org/", max_pages=10, output="out")
>>> len(crawl.pages)
10
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.version import VERSION

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from dowse import extending as extending
    from dowse import page_tools as page_tools
    from dowse.crawl import Crawl
    from dowse.python.call_keywords import (
        FilesFunction,
        FocusFunction,
        FormsFunction,
        ForumFunction,
        GoingOnKeywords,
        OptionKeywords,
        ResumeKeywords,
        RulesFunction,
        RunKeywords,
        SimulateKeywords,
        SiteFunction,
        StreamFunction,
    )
    from dowse.python.page_stream import Stream
    from dowse.workflows.apply_rules import Carried, Written
    from dowse.workflows.learn_rules import Ask, Lesson
    from dowse.workflows.simulate import Simulated

__version__ = VERSION
"""The version of dowse.

>>> dowse.__version__.count(".") >= 1
True
"""

__all__ = [
    "Crawl", "CrawlError", "CrawlLocked", "CrawlMissing", "DowseError", "JobError", "Stream", "__version__",
    "apply_rules", "copy", "files", "focus", "forms", "forum", "learn_rules", "open", "recrawl", "resume", "retry",
    "rules", "run", "simulate", "site", "stream",
]  # fmt: skip


site: SiteFunction
"""Crawl the whole site. Options are those of `dowse site`, by the same names; `help(dowse.site)` lists them.

Where the folder holds a crawl, `resume=True` goes on with it and `replace=True` removes it first. `progress=False`
shows nothing while it runs.

>>> crawl = dowse.site("https://example.org/", max_pages=10, output="out")
>>> crawl.pages.columns[:3]
['url', 'redirected_from', 'status']
"""

rules: RulesFunction
"""Crawl by a table of rules: which links to follow and which to keep. Options are those of `dowse rules run`.

>>> with open("rules.csv", "w") as file:
...     print("baseURL,ruleType,fromType,toType,pattern", file=file)
...     print("https://example.org/,keep,base,,^https://example.org/topics/.", file=file)
>>> crawl = dowse.rules("rules.csv", output="out")
>>> [row["anchor"] for row in crawl.kept][:2]
['International affairs', 'Health']
"""

focus: FocusFunction
"""Look for pages about a topic, the best links first. Options are those of `dowse focus`.

>>> crawl = dowse.focus("https://example.org/", "fishing vessels", max_pages=10, output="out")
>>> "foreign fishing vessels" in crawl.results().best[0].text
True
"""

files: FilesFunction
"""Look for files of some types and download them. Options are those of `dowse files`.

>>> crawl = dowse.files("https://example.org/", type="pdf", max_pages=20, output="out")
>>> {row["media_type"] for row in crawl.files}
{'application/pdf'}
"""

forms: FormsFunction
"""Find search forms, and with `harvest=True` the records behind them. Options are those of `dowse forms`.

>>> crawl = dowse.forms("https://example.org/", harvest=True, max_pages=200, output="out")
>>> len(crawl.records)
80
"""

forum: ForumFunction
"""Take every thread of a forum once, with its posts. Options are those of `dowse forum`.

>>> crawl = dowse.forum("https://forum.example.org/viewtopic.php?t=12", output="out")  # doctest: +SKIP
>>> crawl.posts.to_pandas()[["author", "time", "text"]]  # doctest: +SKIP
"""


def _typed(function: Any) -> StreamFunction:
    """What type checkers know of a stream: the options of each mode (call_keywords.py)."""
    typed: StreamFunction = function
    return typed


@_typed
def stream(*arguments: Any, mode: str = "site", **options: Any) -> Stream:
    """The pages of a crawl while it runs, in a loop with `for` or `async for`. Each has `url`, `title`, `html`, `text`,
    `markdown`, `links`, `headers`, `records` and so on.

    `mode` is how to crawl; the rest is as in the function of that mode, such as `dowse.focus`. The crawl begins with
    the loop, and does not hurry ahead of it. When the loop is left, the crawl stops; `resume=True` or `dowse.resume`
    goes on with it. What goes wrong with the crawl is raised in the loop.

    >>> for page in dowse.stream("https://example.org/", "fishing vessels", mode="focus", output="out"):
    ...     if "Port state" in page.title:
    ...         break
    >>> page.headers["content-type"]
    'text/html; charset=utf-8'
    >>> dowse.open("out").stop_reason
    'interrupted'
    """
    from dowse.python import crawl_functions

    return crawl_functions.stream(crawl_functions.call_of_mode(mode, arguments, options))


def simulate(
    place: str,
    by: str | list[str] | tuple[str, ...] = (),
    *,
    mode: str = "",
    seeds: list[str] | tuple[str, ...] = (),
    truth: str | Path | None = None,
    **options: Unpack[SimulateKeywords],
) -> list[Simulated]:
    """Replay a stored crawl, or a folder of pages, under several rankers and measure them.

    `seeds` are the pages to start from, one run each; `truth` is a file of labels.

    >>> for each in dowse.simulate("example", "breadth,learned", topic="fishing vessels", max_pages=20):
    ...     print(each.by, round(each.harvest.value, 1))
    breadth 0...
    learned 0...
    """
    from dowse.workflows import simulate

    rankers = [by] if isinstance(by, str) else by
    return simulate.simulate(place, rankers, mode=mode, seeds=seeds, truth=truth, **options)


def learn_rules(
    url: str,
    want: list[str],
    unlike: list[str] | None = None,
    *,
    ask: Ask | None = None,
    output: str | None = None,
    **options: Unpack[OptionKeywords],
) -> Lesson:
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

    return learn(url, want, unlike or (), ask=ask, output=output, **options)


def apply_rules(instruction: Written, **options: Unpack[OptionKeywords]) -> Carried:
    """Carry out one instruction of a rule crawl on one page: `.kept` and `.followed` are the links it gives.

    The instruction is JSON, or what `crawl.instructions()` gives. Options are those of fetching a page, by the names
    of `dowse rules apply`: `fetch="browser"`. Nothing is written.

    >>> page = {"baseURL": "https://example.org/", "keepRules": [{"pattern": "^https://example.org/topics/."}]}
    >>> [link.anchor for link in dowse.apply_rules(page).kept][:2]
    ['International affairs', 'Health']
    """
    from dowse.workflows import apply_rules

    return apply_rules.apply_rules(instruction, **options)


def run(job_file: str | PathLike[str], **options: Unpack[RunKeywords]) -> Crawl:
    """Run the job of a TOML file; options given here win over its keys.

    >>> with open("job.toml", "w") as file:
    ...     print('mode = "site"', 'seeds = ["https://example.org/"]', 'output = "out"', sep="\\n", file=file)
    >>> len(dowse.run("job.toml", max_pages=5).pages)
    5
    """
    from dowse.python import crawl_functions

    return crawl_functions.crawl(crawl_functions.call_of_file(job_file, {**options}))


def open(directory: str | PathLike[str]) -> Crawl:  # noqa: A001, read as dowse.open
    """Open a crawl for reading, also while it runs. In a `with` block, its files are let go at the end.

    >>> with dowse.open("example") as crawl:
    ...     crawl.why("https://example.org/topics/").depth
    1
    """
    from dowse import app

    return app.read(str(directory))


def resume(directory: str | PathLike[str], **options: Unpack[ResumeKeywords]) -> Crawl:
    """Continue a crawl that was stopped, killed or ended by a limit; `seeds` and `seeds_from` are added to its own.

    >>> len(dowse.resume("example", max_pages=70).pages)
    70
    """
    from dowse.python import crawl_functions

    return crawl_functions.resume(directory, {**options})


def retry(directory: str | PathLike[str], **options: Unpack[GoingOnKeywords]) -> Crawl:
    """Try once more what failed, and nothing else.

    >>> dowse.retry("example").status().counts.get("failed", 0)
    0
    """
    from dowse.python import crawl_functions

    return crawl_functions.retry(directory, {**options})


def recrawl(directory: str | PathLike[str], *, budget: int = 0, **options: Unpack[GoingOnKeywords]) -> Crawl:
    """Visit every page again; unchanged ones are not processed again. With a `budget` only so many requests are made:
    those that are expected to bring most news.

    >>> len(dowse.recrawl("example").pages)
    60
    """
    from dowse.python import crawl_functions

    return crawl_functions.recrawl(directory, budget, {**options})


def copy(directory: str | PathLike[str], target: str, *, remove: bool = False) -> Crawl:
    """Copy the tables of a crawl to where it goes on from now: a PostgreSQL database, or `sqlite`, the file in its
    folder. All rows are read again and compared first. The old tables stay and are not used any more, or they are
    removed.

    >>> crawl = dowse.copy("example", "postgresql://me@db.example.org/crawls")  # doctest: +SKIP
    """
    from dowse.python import crawl_functions

    return crawl_functions.copied(directory, target, remove=remove)


def __getattr__(name: str) -> Any:
    # What crawls is loaded when asked for: `import dowse` and `dowse --version` need no crawler.
    if name == "Crawl":
        from dowse.crawl import Crawl

        return Crawl
    if name == "Stream":
        from dowse.python.page_stream import Stream

        return Stream
    if name in ("extending", "page_tools"):
        return import_module(f"dowse.{name}")
    if not name.startswith("_"):
        from dowse.modes.registry import find_mode, mode_names

        if name in mode_names() and not find_mode(name).hidden:
            from dowse.python.mode_functions import function_of

            made = globals()[name] = function_of(find_mode(name))
            return made
    raise AttributeError(f"module 'dowse' has no attribute {name!r}")
