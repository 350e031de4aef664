"""A crawl held against labels: how much of what it has to show is useful, how much of what is wanted it found."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from dowse.core.metrics import score
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.crawl import Crawl
from dowse.workflows.labels import read_labels


class Evaluation(Struct, frozen=True):
    """A crawl in numbers.

    saved       what it has to show: links kept, files, or pages that match; `useful` are those that are wanted
    wanted      how many the labels name
    precision   useful of saved, `recall` useful of wanted
    pages       pages that were fetched, in `seconds`; a crawl by rules has one instruction for each

    Where pages are what is looked for, `relevant` counts those that were fetched and are wanted, matched or not.
    `harvest` is their share of the pages, `area` the mean of that share over the crawl, `found` their share of wanted.
    Elsewhere these three are about what was saved.
    """

    saved: int
    useful: int
    wanted: int
    precision: float
    recall: float
    pages: int
    seconds: float
    relevant: int
    harvest: float
    area: float
    found: float
    threshold: float


def evaluate(crawl: Crawl, truth: str | Path) -> Evaluation:
    """Measure a crawl of any mode against a file of labels. A path in it is one of the first seed's host."""
    keys, seeds = UrlKeys(crawl.job.urls), crawl.mode.current_seeds(crawl)

    def same(url: str) -> str:
        return keys.request(resolve("", url) or url).normal_form

    def address(text: str) -> str:
        url = text if "://" in text or not seeds else resolve(seeds[0], f"/{text.lstrip('/')}") or text
        return same(url)

    measured, threshold = crawl.mode.measured(crawl)
    things = [(same(url), relevance) for url, relevance in measured]
    wanted = read_labels(Path(truth), address)
    saved = {url for url, relevance in things if relevance >= threshold}
    numbers, summary = score(things, wanted, threshold), crawl.status()
    return Evaluation(
        saved=len(saved),
        useful=len(saved & wanted),
        wanted=len(wanted),
        precision=numbers.precision,
        recall=numbers.recall,
        pages=summary.pages,
        seconds=summary.elapsed,
        relevant=numbers.relevant,
        harvest=numbers.harvest,
        area=numbers.area,
        found=numbers.found,
        threshold=threshold,
    )
