"""The results of a focus crawl: the pages, best first, an estimate of the rest, and advice if there are none."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.core.errors import CrawlError
from dowse.core.model import WORTH_LESS
from dowse.core.optional_libraries import install_command, install_line
from dowse.core.phrasing import counted, shortened
from dowse.core.results import Found, Number, Results
from dowse.modes.best_first import best_rows, left_facts, more_text, numbers
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.reading_choice import lack_of_context, reading_of
from dowse.modes.focus.scoring import matched_from, page_test, reads_vectors, scorer_of
from dowse.rank.page_judge import ANOTHER_LANGUAGE
from dowse.score import semantic
from dowse.score.language import language
from dowse.score.spoken import tongue
from dowse.store.best_first.judgements import NEARLY

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.store.best_first.judgements import Standing

_FOREIGN = f"""SELECT count(*) FROM judgement WHERE parts LIKE '%"{ANOTHER_LANGUAGE}"%'"""
_LOOKED_AT, _READ = 20, 5_000
"""Pages whose language is looked at where none matches, and characters of each."""

_WEAK = 0.2
"""The best page is at least so relevant if a lower threshold may help."""


def results(crawl: Crawl) -> Results:
    """The best pages, and the estimate of the rest."""
    standing = crawl.standing()
    found = standing.prospect
    best = list(best_rows(crawl.frame("matched")))
    return Results(
        best=tuple(_found(crawl, row) for row in best),
        more=more_text(found.matched, crawl.directory / "urls.txt"),
        numbers=_numbers(crawl, standing),
        trouble="" if found.matched else _why_none(crawl),
        cures=() if found.matched or crawl.stop_reason == "interrupted" else tuple(_cures(crawl)),
        facts={
            "threshold": standing.threshold,
            "matched": found.matched,
            "nearly_matched": standing.nearly,
            "estimated_recall": found.recall,
            **left_facts(standing),
            "best": [to_builtins(row) for row in best],
        },
    )


def _found(crawl: Crawl, row: dict[str, Any]) -> Found:
    """One of the best pages by its title, or by its first heading if it has none."""
    name = row["title"] or _heading(crawl, row["url"])
    return Found(f"{row['relevance']:.3f}", shortened(name or row["url"], 71), row["url"] if name else "")


def _heading(crawl: Crawl, url: str) -> str:
    try:
        return next(iter(crawl.page(url).outline.headings), "")
    except CrawlError:  # it is not stored
        return ""


def _numbers(crawl: Crawl, standing: Standing) -> tuple[Number, ...]:
    """Those of any crawl for something, and how many pages are just below the line: what is left is told by verdicts,
    and there the wrong ones are."""
    matched, *others = numbers(standing, "matched", f"relevance {standing.threshold:.3f} or more", "page")
    if scorer_of(crawl.mode.of(crawl.job)) != "relevance":
        return matched, *others
    told = f"relevance {NEARLY * standing.threshold:.3f} or more"
    nearly = [Number("  nearly matched", standing.nearly, told)] if standing.nearly else []
    (foreign,) = crawl.reader.connection.execute(_FOREIGN).fetchone()
    others += [Number("  pages in another language", foreign, "than the topic")] if foreign else []
    return matched, *nearly, *others


def _why_none(crawl: Crawl) -> str:
    """What to try when a crawl found nothing of its topic: first what may help most."""
    options = crawl.mode.of(crawl.job)
    if dropped := sum(row.count for row in crawl.balance() if row.reason.startswith(WORTH_LESS)):
        links = counted(dropped, "link was", "links were")
        given = f"--least-worth {options.least_worth:g}"
        return f"no page matches the topic; {links} dropped because of {given}: give a lower one, or 0"
    relevance, url = max(((row["relevance"] or 0.0, row["url"]) for row in crawl.crawled), default=(0.0, ""))
    told = ["no page matches the topic"]
    if relevance >= _WEAK:
        told.append(f"the best page has a relevance of {relevance:.3f}: {url}")
    return "; ".join([*told, *_advice(crawl, options, relevance)])


def _advice(crawl: Crawl, options: FocusOptions, best: float) -> Iterator[str]:
    """What may find pages, given the relevance of the best one."""
    if _is_foreign(crawl, options):
        yield f"most pages are in another language than {options.language}, the topic's; --language tells it"
    if reads_vectors(options) and not semantic.is_installed():
        told = "pages with other words of the same meaning, and those on tasks in plain words, are found"
        yield f"{told} with {install_command('context')}"
    elif _lacks_context(crawl, options):
        yield f"pages on tasks in plain words are found with {install_command('context')}"
    if best >= _WEAK and page_test(options) is None:
        yield f"give a --threshold below {matched_from(options):g}, or --match any for all pages with a word of it"
    else:
        yield "use other words, give an example with --like, or start from a page that is about the topic"
    if crawl.stop_reason == "max_pages" and left_facts(crawl.standing())["estimated_left"] != 0:
        yield "or go on with more --max-pages"


def _is_foreign(crawl: Crawl, options: FocusOptions) -> bool:
    """Whether most of the first pages are in another language than the topic."""
    spoken = language(options.language)
    found = [tongue(text, spoken) for row in islice(crawl.crawled, _LOOKED_AT) if (text := _text(crawl, row["url"]))]
    return sum(each > 0 for each in found) > len(found) / 2


def _text(crawl: Crawl, url: str) -> str:
    try:
        return crawl.page(url).text[:_READ]
    except CrawlError:  # it is not stored
        return ""


def _cures(crawl: Crawl) -> Iterator[str]:
    """Commands that help where no page matches: other words cost no request, for the pages are stored."""
    options, directory = crawl.mode.of(crawl.job), shlex.quote(str(crawl.directory))
    if any(row.reason.startswith(WORTH_LESS) for row in crawl.balance()):
        yield f"dowse resume {directory} --least-worth 0"
    yield f'dowse resume {directory} --topic "OTHER WORDS"'
    if _lacks_context(crawl, options):
        yield install_line("context", "then a new crawl")
    is_asked = crawl.mode.takes_labels(crawl.job)
    yield f"dowse label {directory}" if is_asked else f"dowse export {directory} crawled --to csv -f crawled.csv"


def _lacks_context(crawl: Crawl, options: FocusOptions) -> bool:
    """Whether the crawl would have read pages in context if the extra had been there."""
    if scorer_of(options) != "relevance" or not options.context or reading_of(crawl.reader.briefing()) == "context":
        return False
    return bool(lack_of_context()) and language(options.language).name == "english"
