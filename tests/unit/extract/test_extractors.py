"""The extractors of a job: what its options ask for, and on which pages."""

from __future__ import annotations

import pytest

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions
from dowse.core.record import Record
from dowse.extract.extractors import build_extractors
from tests.unit.extract.pages import URL, page_of


def test_a_job_that_asks_for_nothing_has_no_extractors() -> None:
    assert build_extractors(ExtractOptions()) == []
    assert build_extractors(ExtractOptions(on=("/a/",))) == []


@pytest.mark.parametrize(
    ("patterns", "taken"),
    [
        ((), True),
        (("/shop/",), True),
        (("^/shop/",), False),
        (("/blog/", r"item\?"), True),
        (("/blog/",), False),
        (("/(?!blog)item",), True),
    ],
)
def test_only_pages_whose_url_matches_are_read(patterns: tuple[str, ...], taken: bool) -> None:
    (extractor,) = build_extractors(ExtractOptions(extract=("a=//title",), on=patterns))
    assert extractor.extract(page_of("<title>Tea</title>", url=URL)) == ([Record("fields", "", {"a": "Tea"})] * taken)


def test_a_pattern_that_is_none_is_refused_before_the_crawl() -> None:
    with pytest.raises(JobError, match=r"^on: '\(' is not a regular expression"):
        build_extractors(ExtractOptions(extract=("a=//b",), on=("(",)))
