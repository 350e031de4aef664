"""Topics of the encyclopedia: every half has broad and narrow ones, and labels say which articles are about them."""

from __future__ import annotations

import csv

import pytest

topics = pytest.importorskip("benchmarks.focus_topics", reason="the benchmarks are not in the source distribution")


def test_every_topic_is_in_one_half_and_broad_and_narrow_ones_are_in_both() -> None:
    halves = topics.halves()
    names = [name for half in topics.HALVES for name in halves[half]]
    assert sorted(names) == sorted(topics.TOPICS)
    for names in halves.values():
        assert len(set(names) & topics.BROAD.keys()) == len(topics.BROAD) / 2
        assert len(set(names) & topics.NARROW.keys()) == len(topics.NARROW) / 2


def test_every_topic_has_the_articles_for_its_seeds_and_every_beginning_of_a_subject_is_one() -> None:
    labelled = [line["subjects"].split(";") for line in _lines()]
    for subject in topics.TOPICS.values():
        assert sum(topics.is_about(labels, subject.subjects) for labels in labelled) > topics.SEEDS
        for wanted in subject.subjects:
            assert any(topics.is_about(labels, (wanted,)) for labels in labelled), wanted


def test_no_article_is_labelled_twice() -> None:
    paths = [line["path"] for line in _lines()]
    assert len(paths) == len(set(paths)) == 5_232


def test_an_article_of_the_charity_is_about_nothing_else() -> None:
    assert topics.is_about(["Geography/Africa"], ("Geography/",))
    assert not topics.is_about(["Geography/Africa", topics.CHARITY], ("Geography/",))


def _lines() -> list[dict[str, str]]:
    with topics.LABELS.open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))
