"""Pages judged by reading: the data are complete and kept apart, and verdicts are counted as they should be."""

from __future__ import annotations

import pytest

sets = pytest.importorskip("benchmarks.judged_sets", reason="the benchmarks are not in the source distribution")
manuals = pytest.importorskip("benchmarks.judged_manuals", reason="the benchmarks are not in the source distribution")

MANUAL = manuals.Whole(frozenset("abcdef"), 8)
SIZES = {"development": (12, 4), "test": (30, 10)}
"""Topics and manuals of the sets whose pools were read; those of `training` and `second` are rougher."""


@pytest.mark.parametrize("name", sets.SETS)
def test_every_line_is_a_page_of_a_known_manual_with_a_judgement(name: str) -> None:
    rows = sets.rows(name)
    assert {judgement for *_, judgement in rows} == {sets.ON_TOPIC, sets.OFF_TOPIC, sets.UNSURE}
    assert {manual for manual, *_ in rows} <= sets.MANUALS.keys()
    paths = [path for *_, path, judgement in rows if path or judgement != sets.OFF_TOPIC]
    assert all(path.endswith((".html", ".htm")) and not path.startswith(("/", "..")) for path in paths)


@pytest.mark.parametrize("name", sets.SETS)
def test_no_page_of_a_topic_is_judged_twice(name: str) -> None:
    pages = [(manual, topic, path) for manual, topic, path, _ in sets.rows(name)]
    assert len(pages) == len(set(pages))


@pytest.mark.parametrize("name", SIZES)
def test_there_are_three_topics_a_manual_and_one_of_them_all_has_no_page(name: str) -> None:
    topics = sets.judged(name)
    assert (len(topics), len({each.manual for each in topics})) == SIZES[name]
    assert all(sum(other.manual == each.manual for other in topics) == 3 for each in topics)
    assert any(not each.relevant for each in topics)


def test_no_manual_to_tune_on_is_one_to_test_on() -> None:
    *seen, tested = ({each.manual for each in sets.judged(name)} for name in sets.SETS)
    assert sets.SETS[-1] == "test"
    assert not set().union(*seen) & tested


def test_a_set_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(sets.Unavailable, match="no judgements"):
        sets.judged("other")


def crawled(**verdicts: bool) -> manuals.Crawled:  # type: ignore[name-defined]
    pages = [manuals.Page(name, 1.0 - place / 10, matched) for place, (name, matched) in enumerate(verdicts.items())]
    return manuals.Crawled(pages, len(pages), "complete")


def compare(relevant: str, unsure: str, **verdicts: bool) -> manuals.Measured:  # type: ignore[name-defined]
    topic = sets.Judged("manual", "topic", frozenset(relevant), frozenset(unsure))
    return manuals.compare(topic, MANUAL, crawled(), crawled(**verdicts))


def test_precision_and_recall_are_of_the_relevant_pages_that_were_fetched() -> None:
    measured = compare("abf", "", a=True, b=False, c=True, d=False)
    assert (measured.precision, measured.recall, measured.f1) == (0.5, 0.5, 0.5)
    assert (measured.relevant, measured.fetched, measured.matched) == (3, 2, 2)
    assert measured.found == pytest.approx(2 / 3)
    assert (measured.requests, measured.of_site) == (4, 0.5)


def test_unsure_pages_count_neither_as_right_nor_as_wrong() -> None:
    assert compare("b", "ac", a=True, b=True, c=False).f1 == 1.0
    assert compare("b", "ac", a=True, b=True, c=False).first == 1


def test_where_nothing_is_relevant_only_no_match_is_right() -> None:
    assert compare("", "", a=False, b=False).f1 == 1.0
    assert compare("", "", a=True, b=False).f1 == 0.0


def test_the_first_relevant_page_is_told_by_its_place() -> None:
    assert compare("c", "", a=True, b=False, c=False).first == 3
    assert compare("f", "", a=True).first == 0


def test_agreement_is_over_the_pages_that_both_crawls_have() -> None:
    topic = sets.Judged("manual", "topic", frozenset("a"), frozenset())
    early, whole = crawled(a=True, b=True, e=True), crawled(a=True, b=False, c=True, d=False)
    assert manuals.compare(topic, MANUAL, early, whole).agreement == 0.5


def test_pages_that_another_version_of_the_manual_has_not_are_left_out_and_told() -> None:
    measured = compare("ax", "", a=True)
    assert (measured.relevant, measured.absent, measured.f1) == (1, 1, 1.0)
    table = manuals.table_of("test", [measured])
    assert any("1 pages judged on topic" in note for note in table.notes)
    assert [row[0] for row in table.rows] == ["manual: topic", "mean"]
