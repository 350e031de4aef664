"""How likely a page is on topic, and what a person's answers change in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from dowse.core.model import Judged
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_topic
from dowse.modes.focus.reading_choice import lack_of_context
from dowse.rank.answers import adjustment
from dowse.rank.evidence import HEADING, OPENING, TITLE, TOGETHER, Rows
from dowse.rank.page_judge import PageJudge
from dowse.score import semantic
from dowse.score.background import telling
from dowse.score.tokens import SCALE
from dowse.score.vectors import large, unit
from dowse.score.vocabulary import word_number

EVERYWHERE = TITLE | HEADING | OPENING | TOGETHER


@pytest.fixture(params=[True, False], ids=["meaning", "words"])
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageJudge]:
    if not request.param:
        monkeypatch.setattr(semantic, "is_installed", lambda: False)
    elif not semantic.is_installed():
        pytest.skip("needs the extra semantic")
    from dowse.modes.focus import ranker

    build_topic.cache_clear()
    ranker._embedder.cache_clear()
    yield PageJudge(build_topic(FocusOptions(topic="heap sort")))
    build_topic.cache_clear()
    ranker._embedder.cache_clear()


def pages(judge: PageJudge, strong: int, weak: int) -> Rows:
    """Pages that have the topic everywhere, and pages that have nothing of it."""
    rows = np.zeros(strong + weak, judge._type)
    chance = np.random.default_rng(1)
    rows["vector"] = chance.integers(-40, 40, rows["vector"].shape)
    rows["vector"][:strong] = rows["vector"][:strong] // 2 + chance.integers(-60, 60, rows["vector"].shape[1])
    rows["length"], rows["own"], rows["linking_near"] = 400, 1.0, 0.05
    rows["text_near"] = 0.02 + 0.02 * chance.random(len(rows))
    best = rows[:strong]
    best["zones"], best["counts"], best["alike"] = EVERYWHERE, 12, 200
    best["title_share"], best["text_near"], best["linking_near"], best["heading_near"] = 1.0, 0.6, 0.4, 0.7
    return as_near_as_told(judge, rows)


def as_near_as_told(judge: PageJudge, rows: Rows) -> Rows:
    """Pages whose vectors are as near to the topic as is told of their texts."""
    about, vectors = judge._topic.vector(judge._topic.term_weights), large(rows["vector"])
    rest = unit(vectors - (vectors @ about)[:, None] * about)
    near = rows["text_near"][:, None]
    rows["vector"] = np.rint(SCALE * (near * about + np.sqrt(1 - near**2) * rest))
    return rows


def judged(judge: PageJudge, rows: Rows, answers: dict[int, bool] | None = None) -> list[Judged]:
    return judge.judge_all([row.tobytes() for row in rows], answers or {})


@pytest.mark.parametrize(("strong", "weak"), [(5, 95), (50, 50), (0, 60), (30, 0)])
def test_none_and_all_are_answers_too(judge: PageJudge, strong: int, weak: int) -> None:
    verdicts = [each.relevance >= 0.5 for each in judged(judge, pages(judge, strong, weak))]
    assert verdicts == [True] * strong + [False] * weak


def test_a_verdict_hardly_depends_on_how_long_the_crawl_went_on(judge: PageJudge) -> None:
    rows = pages(judge, 10, 400)
    early, late = judged(judge, rows[:60]), judged(judge, rows)
    assert all(abs(one.relevance - other.relevance) < 0.1 for one, other in zip(early, late, strict=False))


def test_the_parts_add_up_to_the_odds(judge: PageJudge) -> None:
    for each in judged(judge, pages(judge, 5, 20)):
        odds = np.log(each.relevance / (1 - each.relevance)) if 0 < each.relevance < 1 else None
        if odds is not None and abs(odds) < 8:
            assert sum(each.parts.values()) == pytest.approx(odds, abs=0.15)


def test_a_phrase_that_is_not_there_is_told_as_a_part() -> None:
    judge = PageJudge(build_topic(FocusOptions(topic='"heap sort"')))
    has, lacks = judged(judge, pages(judge, 1, 1))
    assert has.relevance > 0.5
    assert "lacks the phrase" not in has.parts
    assert lacks.relevance == 0
    assert sum(lacks.parts.values()) == pytest.approx(-30, abs=0.1)


def test_a_page_that_is_read_as_off_topic_does_not_match_by_other_signs() -> None:
    if lack_of_context():
        pytest.skip(lack_of_context())
    judge = PageJudge(build_topic(FocusOptions(topic="heap sort"), reading="context"))
    rows = pages(judge, 20, 0)
    rows["passages_near"], rows["words_near"], rows["closest_near"] = 0.8, 0.9, 0.8
    rows["in_context"] = 4.0
    rows["in_context"][10:] = -4.5
    on, off = (judged(judge, rows)[place] for place in (0, 10))
    assert on.relevance > 0.9
    assert off.relevance < 0.5
    assert off.parts["read as off topic"] < -1


def test_words_that_are_all_over_a_site_do_not_make_its_pages_near(judge: PageJudge) -> None:
    rows = pages(judge, 4, 60)
    rows["counts"][:, 0] = 5
    near_heap, near_sort = (judge._topic.vector(np.array(weights, np.float32)) for weights in ([1, 0.1], [0.1, 1]))
    rows["vector"][10], rows["vector"][11] = np.rint(SCALE * near_heap), np.rint(SCALE * near_sort)
    if not judge._topic.embedder.source.knows_meaning:
        pytest.skip("words alone tell no meaning")
    verdicts = judged(judge, rows)
    assert verdicts[11].parts["meaning"] > verdicts[10].parts["meaning"] + 0.2


def test_an_answer_is_the_verdict_on_its_page_and_moves_those_like_it(judge: PageJudge) -> None:
    rows = pages(judge, 5, 45)
    alike = rows["vector"][10].copy()
    rows["vector"][10:20] = alike
    before = judged(judge, rows)
    after = judged(judge, rows, {10: True, 30: False, 0: False})
    assert (after[10].relevance, after[30].relevance, after[0].relevance) == (1.0, 0.0, 0.0)
    assert after[12].relevance > before[12].relevance
    assert after[12].relevance > after[40].relevance
    assert after[12].parts["answers"] > 0


def test_answers_tell_which_signs_count() -> None:
    """Whoever says no to pages with a sign and yes to those without means the others too, whatever these are like."""
    chance = np.random.default_rng(3)
    vectors = chance.normal(0, 0.01, (40, 256)).astype(np.float32)
    signs = np.column_stack([np.arange(40) % 2, chance.random(40)]).astype(float)
    odds = np.zeros(40)
    learned = adjustment(odds, vectors, signs, {place: place % 2 == 0 for place in range(10)})
    after = learned.adjusted(odds, vectors, signs)
    assert after[10::2].min() > after[11::2].max()


def test_what_was_answered_outlives_a_save(judge: PageJudge) -> None:
    rows = pages(judge, 5, 45)
    rows["vector"][10:20] = rows["vector"][10]
    judged(judge, rows, {10: True})
    page = rows[12:13].tobytes()
    expected = judge.judge(page, 0.05)[1]
    again = PageJudge(judge._topic)
    assert again.judge(page, 0.05)[1] < expected
    again.load(judge.dump())
    assert again.judge(page, 0.05)[1] == pytest.approx(expected, abs=0.05)


def test_rare_words_tell_more_than_common_ones() -> None:
    assert telling("quicksort") == 1
    assert telling("use") < telling("search") < telling("mortgag")


WORDS = {"topic": ("sort", "key", "swap", "order"), "else": ("soil", "plant", "water", "leaf")}


def with_company(judge: PageJudge, rows: Rows, places: slice, company: str) -> None:
    """Give pages words, and a direction of their own."""
    for number, word in enumerate(WORDS[company]):
        rows["words"]["stem"][places, number] = word_number(word)
        rows["words"]["weight"][places, number] = 60
    lean = np.random.default_rng(len(company)).integers(-90, 90, rows["vector"].shape[1])
    rows["vector"][places] = np.clip(rows["vector"][places] // 2 + lean, -127, 127)
    as_near_as_told(judge, rows)


def test_where_a_topic_is_wide_pages_match_that_never_say_its_name(judge: PageJudge) -> None:
    rows = pages(judge, 150, 330)
    rows["text_near"][150:190] = 0.2
    with_company(judge, rows, slice(0, 190), "topic")
    with_company(judge, rows, slice(190, 480), "else")
    matched = [each.relevance >= 0.5 for each in judged(judge, rows)]
    assert all(matched[:190])
    assert not any(matched[190:])


def test_where_a_topic_is_narrow_its_company_is_not_enough(judge: PageJudge) -> None:
    rows = pages(judge, 3, 197)
    with_company(judge, rows, slice(0, 80), "topic")
    with_company(judge, rows, slice(80, 200), "else")
    assert [each.relevance >= 0.5 for each in judged(judge, rows)] == [True] * 3 + [False] * 197


def test_a_page_that_comes_is_judged_like_those_before(judge: PageJudge) -> None:
    rows = pages(judge, 50, 150)
    with_company(judge, rows, slice(0, 80), "topic")
    with_company(judge, rows, slice(80, 200), "else")
    for place, each in zip((10, 70, 150), (judged(judge, rows)[place] for place in (10, 70, 150)), strict=True):
        page = rows[place : place + 1].tobytes()
        assert judge.judge(page, float(rows["linking_near"][place]))[1] == pytest.approx(each.relevance, abs=0.1)
