"""What did not go as it was asked for, though pages came: steps and conditions without effect, pages without a log-in.

Each trouble is told at the end of the crawl, in `crawl.troubles` and in `--json`. One that is `fatal` means that the
job could not do what was asked: the command ends with status 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from dowse.core.job import FetchOptions, Job, takes_records
from dowse.core.options.callback_options import CallbackOptions
from dowse.core.phrasing import counted
from dowse.core.rendered_pages import ready_name
from dowse.core.sessions import has_session
from dowse.core.steps import Steps


class Trouble(Struct, frozen=True):
    """What went wrong, on how many pages, and which of them to look at."""

    text: str
    pages: int
    url: str
    fatal: bool


class Group(NamedTuple):
    """Some pages, and the first of them."""

    pages: int = 0
    url: str = ""


class Effect(NamedTuple):
    """A step or condition: how many pages had something for it, and those that had not."""

    met: int
    missed: Group


class Facts(NamedTuple):
    """What is known of the pages of a crawl.

    `cut` are the rendered ones whose time ran out, `signed_out` those that look as if nobody was logged in, `log_in`
    what failed for want of a log-in, `callback` what failed in the code of the user, with its first `mistake`.
    """

    pages: int
    rendered: int
    records: int
    cut: Group
    effects: dict[str, Effect]
    signed_out: Group
    log_in: Group
    callback: Group = Group()
    mistake: str = ""


def may_have_troubles(job: Job) -> bool:
    """Whether a crawl asked for anything that is looked after here; most do not, and need not be counted."""
    options = job.fetch
    if job.callbacks != CallbackOptions() or job.extract.extractor:
        return True
    return options.fetch != "http" or bool(options.ready or options.step) or has_session(options)


def troubles_of(job: Job, facts: Facts, *, is_complete: bool = True) -> list[Trouble]:
    """What the user should know of a crawl that has ended, or so far; only one that is complete has seen all pages."""
    if not facts.pages and not facts.log_in.pages and not facts.callback.pages:
        return []
    return [
        *_of_callbacks(facts),
        *_of_session(facts),
        *_of_conditions(job.fetch, facts, is_complete),
        *_of_time(job, facts),
    ]


def nothing_stored(pages: int) -> Trouble:
    """`store_only` names none of the pages that were crawled through."""
    return Trouble(f"--store-only matches none of {counted(pages, 'page')}, so none is stored", pages, "", fatal=False)


def pdf_files_left(number: int, needs: str, directory: str) -> Trouble:
    """PDF files were wanted as pages, and nothing was installed that reads them; `needs` is what is still to do."""
    remedy = needs or f"{'it' if number == 1 else 'they'} can be read now: dowse resume {directory}"
    return Trouble(f"{counted(number, 'PDF file was', 'PDF files were')} left out; {remedy}", number, "", fatal=False)


def _of_callbacks(facts: Facts) -> Iterator[Trouble]:
    if facts.callback.pages:
        pages = counted(facts.callback.pages, "page")
        text = f"{pages} failed in your own code: {facts.mistake}; mend it, then dowse retry"
        yield _trouble(text, facts.callback)


def _of_session(facts: Facts) -> Iterator[Trouble]:
    if facts.log_in.pages:
        pages = counted(facts.log_in.pages, "page")
        yield _trouble(f"{pages} could not be read for want of a log-in: dowse login, then dowse retry", facts.log_in)
    if facts.signed_out.pages:
        pages = counted(facts.signed_out.pages, "page")
        text = f"{pages} shown as if nobody was logged in (--signed-in SELECTOR would know for sure)"
        yield _trouble(text, facts.signed_out, fatal=2 * facts.signed_out.pages > facts.pages)


def _of_conditions(options: FetchOptions, facts: Facts, is_complete: bool) -> Iterator[Trouble]:
    if options.ready:
        effect = facts.effects.get(ready_name(options.ready), Effect(0, Group()))
        what = f"--ready {options.ready}"
        if not effect.met:
            yield _without_effect(f"{what} never appeared", what, effect, options, is_complete)
        elif effect.missed.pages:
            tried = effect.met + effect.missed.pages
            yield _trouble(
                f"{what} did not appear on {effect.missed.pages:,} of {tried:,} pages", effect.missed, fatal=False
            )
    for name in Steps(options.step).names:
        effect = facts.effects.get(name, Effect(0, Group()))
        if not effect.met:
            what = f"--step '{name}'"
            yield _without_effect(f"{what} found nothing", what, effect, options, is_complete)


def _without_effect(how: str, what: str, effect: Effect, options: FetchOptions, is_complete: bool) -> Trouble:
    """Something that no page had anything for, or that was for no page: of those that were not seen nobody knows."""
    if effect.missed.pages:
        return _trouble(f"{how} ({effect.missed.pages:,} of {effect.missed.pages:,} pages)", effect.missed)
    if options.fetch == "http":
        return _trouble(f"{what} had no effect: no page is rendered without --fetch browser", effect.missed)
    fatal = is_complete and options.fetch == "browser"
    return _trouble(f"{what} had no effect: it was for no rendered page", effect.missed, fatal=fatal)


def _of_time(job: Job, facts: Facts) -> Iterator[Trouble]:
    """Pages that were not ready in time. Where nothing was found of what was asked for, that is why."""
    cut = facts.cut
    if cut.pages:
        text = f"not ready within {job.fetch.page_time:g} s (--page-time), and read as they stood"
        asked = takes_records(job) and not facts.records
        yield _trouble(f"{text}: {cut.pages:,} of {facts.rendered:,} pages", cut, fatal=asked)


def _trouble(text: str, group: Group, *, fatal: bool = True) -> Trouble:
    return Trouble(text, group.pages, group.url, fatal)
