"""What the functions of `dowse` that crawl do: one for each mode, and those that go on with a crawl.

    words      keyword arguments -> a job, or options given anew      config.py
    folder     one that holds a crawl: replaced, gone on with, or refused
    run        app.py, with progress; or a stream of pages            page_stream.py
    end        the crawl, opened, with warnings for all that did not go as asked

Their options, as signatures, help texts and types, are made from the settings of the modes (call_signatures.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from dowse import app
from dowse.config import change_job, load_job, make_job
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import Job
from dowse.core.phrasing import state_text
from dowse.crawl import Crawl, Summary
from dowse.engine.events import Event
from dowse.engine.loop import Listener
from dowse.jobs.own_code import Given, named
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, modes
from dowse.python.call_signatures import (
    DROP,
    OUTPUT,
    PROGRESS,
    SEEDS,
    SEEDS_FROM,
    call_keywords,
    first_argument,
)
from dowse.python.page_stream import Feed, Stream, end_stream
from dowse.python.python_progress import showing
from dowse.python.python_warnings import warn, warning
from dowse.settings import shown
from dowse.store.folder import holds_crawl


class Wishes(NamedTuple):
    """What is asked of a call, not of the crawl: what to do with a crawl that is in the folder, and how to talk."""

    replace: bool = False
    resume: bool = False
    progress: bool | None = None


class Call(NamedTuple):
    """A crawl that is to begin, or to go on where one is in its folder. `asked` are the options that were given."""

    job: Job
    given: Given
    asked: Mapping[str, Any]
    wishes: Wishes

    def run(self, listener: Listener, reader: Feed | None = None) -> Summary:
        if self.goes_on():
            return app.resume(self.job.output, listener, reader=reader, **self._changes())
        return app.start(self.job, listener, self.given, anew=self.wishes.replace, reader=reader)

    def whole_job(self) -> Job:
        """The job that will run. That of a crawl that goes on has options that are not said again."""
        if not self.goes_on():
            return self.job
        texts, _given = named({name: value for name, value in self._changes().items() if name != "seeds"})
        return change_job(self._before(), **texts)

    def check_folder(self) -> None:
        """Refuse a folder that holds a crawl, unless the user said what to do with it."""
        directory, mode = self.job.output, self.job.mode
        if not holds_crawl(Path(directory)) or self.wishes.replace:
            return
        if not self.wishes.resume:
            raise CrawlError(
                f"{directory} already holds a crawl: add resume=True to go on with it, or replace=True to remove it"
                f" first; dowse.open({directory!r}) reads it"
            )
        if (before := self._before().mode) != mode:
            raise CrawlError(
                f"{directory} holds a crawl by {before}, which cannot go on by {mode}: dowse.resume({directory!r}) goes"
                " on with it, or choose another output"
            )

    def _changes(self) -> dict[str, Any]:
        """What is new for a crawl that goes on: options that are not as they were, and seeds."""
        before = self._before()
        groups = {setting.name: setting.group for setting in find_mode(self.job.mode).settings}
        changed = {
            name: self.given.get(name, value)
            for name, value in self.asked.items()
            if name in self.given or _value(self.job, groups[name], name) != _value(before, groups[name], name)
        }
        seeds = [url for url in self.job.seeds if url not in before.seeds]
        return {**changed, **({"seeds": seeds} if seeds else {})}

    def goes_on(self) -> bool:
        """Whether there is a crawl to go on with."""
        return self.wishes.resume and holds_crawl(Path(self.job.output))

    def _before(self) -> Job:
        """The job of the crawl in the folder."""
        with app.read(self.job.output) as found:
            return found.job


def call_of_mode(name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Call:
    """The call of a mode's function. The first argument is what it starts from."""
    mode = find_mode(name)
    names = (first_argument(mode).name, *mode.arguments)
    if len(arguments) > len(names):
        raise TypeError(f"{name}() takes options by name: {name}(..., depth=3)")
    own = [each.name for each in call_keywords(mode)]
    _check_names(options, [*names, *own, *(setting.name for setting in mode.settings)], name)
    for twice in options.keys() & set(names[: len(arguments)]):
        raise TypeError(f"{name}() got {twice} twice: as an argument without a name, and as {twice}=...")
    options, wishes = _wishes({**dict(zip(names, arguments, strict=False)), **options})
    start, output = options.pop(names[0], ()), options.get("output")
    if not start and wishes.resume and output and holds_crawl(Path(output)):
        with app.read(output) as found:
            start = _start_of(mode, found.job)
    elif not start and mode.start:
        raise TypeError(f"{name}() needs its {mode.start} as the first argument")
    texts, given = named(options)
    if mode.start:
        texts[mode.start] = start
    job = make_job(name, () if mode.start else start, **texts)
    asked = {option: value for option, value in texts.items() if option not in ("output", "seeds_from")}
    return Call(job, given, asked, wishes)


def call_of_file(job_file: str | PathLike[str], options: dict[str, Any]) -> Call:
    """The call that runs the job of a file. The file says it all, so what it does not say is a default."""
    _check_names(options, [OUTPUT.name, SEEDS_FROM.name, *Wishes._fields, *_settings_of_all()])
    options, wishes = _wishes(options)
    texts, given = named(options)
    job = load_job(job_file, **texts)
    settings = find_mode(job.mode).settings
    return Call(job, given, {row.name: _value(job, row.group, row.name) for row in settings}, wishes)


def crawl(call: Call) -> Crawl:
    """Make the crawl and open it."""
    end_stream(call.job.output)
    call.check_folder()
    with showing(call.wishes.progress) as listener:
        summary = call.run(warning(listener))
    return opened(summary)


def stream(call: Call) -> Stream:
    """The pages of the crawl, which begins when they are asked for."""
    end_stream(call.job.output)
    call.check_folder()
    job = call.whole_job()
    if not job.fetch.bodies:
        raise JobError("bodies: the pages of a stream are read from the crawl's folder; leave out bodies=False")

    def run(feed: Feed) -> Summary:
        with showing(call.wishes.progress, beside_a_loop=True) as listener:

            def tell(event: Event) -> None:
                feed.put(event)
                listener(event)

            return call.run(warning(tell), feed)

    return Stream(job, run, lambda summary: opened(summary).close(), goes_on=call.goes_on())


def resume(directory: str | PathLike[str], options: dict[str, Any]) -> Crawl:
    """Go on with a crawl, and open it; it may get more seeds."""
    return _go_on(app.resume, directory, options, SEEDS.name, SEEDS_FROM.name, DROP.name)


def retry(directory: str | PathLike[str], options: dict[str, Any]) -> Crawl:
    """Try once more what failed in a crawl, and open it."""
    return _go_on(app.retry, directory, options)


def recrawl(directory: str | PathLike[str], budget: int, options: dict[str, Any]) -> Crawl:
    """Visit the pages of a crawl again, and open it."""
    return _go_on(partial(app.recrawl, budget=budget), directory, options)


def _go_on(
    act: Callable[..., Summary], directory: str | PathLike[str], options: dict[str, Any], *further: str
) -> Crawl:
    directory = fspath(directory)
    _check_names(options, [PROGRESS.name, *further, *_settings_of_all()])
    options, wishes = _wishes(options)
    end_stream(directory)
    with showing(wishes.progress) as listener:
        summary = act(directory, warning(listener), **options)
    return opened(summary)


def copied(directory: str | PathLike[str], target: str, *, remove: bool) -> Crawl:
    """A crawl whose tables are somewhere else now."""
    from dowse.store.moving import move

    end_stream(fspath(directory))
    move(Path(directory), target, remove=remove)
    return app.read(fspath(directory))


def opened(summary: Summary) -> Crawl:
    """A crawl that has just ended, with a warning for all that did not go as asked."""
    found = app.read(summary.directory)
    troubles = [f"{each.text}; look at {each.url}" if each.url else each.text for each in found.troubles]
    if summary.pages == 0 and not troubles:
        troubles.insert(0, _nothing_text(found))
    elif trouble := found.results().trouble:
        troubles.insert(0, trouble)
    for text in troubles:
        warn(text)
    return found


def _nothing_text(found: Crawl) -> str:
    """Why a crawl has no page, as far as its first seed can tell."""
    story = found.why(found.job.seeds[0]) if found.job.seeds else None
    if story is None:
        return "no page could be fetched; crawl.ledger tells why"
    fate = state_text(story.state) + (f", {story.reason}" if story.reason else "")
    return f"no page could be fetched: {story.url}: {fate}; crawl.why({story.url!r}) tells more"


def _wishes(options: dict[str, Any]) -> tuple[dict[str, Any], Wishes]:
    """The options of the crawl, and those of the call."""
    wishes = Wishes(**{name: options[name] for name in Wishes._fields if name in options})
    for name, value in zip(Wishes._fields, wishes, strict=True):
        # Every text is true to Python, "no" as well, and a crawl would be removed for it.
        if not isinstance(value, bool) and (value is not None or name != PROGRESS.name):
            raise JobError(f"{name}: expected True or False, got {shown(value)}")
    if wishes.replace and wishes.resume:
        raise JobError("replace, resume: a crawl is either removed or gone on with; leave one of them out")
    return {name: value for name, value in options.items() if name not in Wishes._fields}, wishes


def _check_names(options: Iterable[str], known: list[str], function: str = "site") -> None:
    """Refuse what is no option anywhere, with the one of this call that it may have been. Which mode has an option
    that is not of this one is told with the job."""
    for name in options:
        if name not in known and name not in _settings_of_all():
            near = get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else f"help(dowse.{function}) lists the options"
            raise JobError(f"unknown option {name}; {hint}")


def _settings_of_all() -> list[str]:
    """The options of every mode."""
    return [setting.name for mode in modes() for setting in mode.settings]


def _start_of(mode: Mode[Any], job: Job) -> Any:
    return _value(job, "options", mode.start) if mode.start else job.seeds


def _value(job: Job, group: str, name: str) -> Any:
    return getattr(getattr(job, group), name)
