"""What servers say of changes is worth what it proved to be worth."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.core.revisits.server_signs import (
    CHANGEFREQ,
    DAY,
    EXPIRES,
    FEED_DATE,
    SITEMAP_DATE,
    Said,
    date_of,
    fresh_until,
)
from dowse.core.revisits.server_words import ServerWords, Word

PAGES = 40
NOW = 1_700_000_000.0


def words(dates: list[float], source: str = SITEMAP_DATE) -> ServerWords:
    found = ServerWords()
    for page, value in enumerate(dates):
        found.hear(page, source, value, NOW - 10)
    return found


def odds(found: ServerWords, last_visit: float, pages: int = PAGES) -> np.ndarray:
    return found.odds(np.full(pages, last_visit), NOW, np.zeros(pages, np.int64), ["a.example"])


def seen(found: ServerWords, changed: list[bool], before: float, at: float = NOW) -> None:
    pages = np.arange(len(changed))
    found.check(pages, np.array(changed), np.full(len(changed), before), at, ["a.example"] * len(changed))


def test_a_date_since_the_last_visit_speaks_for_a_change() -> None:
    dates = [NOW - (3600 + 61 * page if page % 2 else 90 * DAY + 3600 * page) for page in range(PAGES)]
    found = odds(words(dates), NOW - 7 * DAY)
    assert set(found[1::2].round(6)) == {2.0}
    assert set(found[::2].round(6)) == {0.5}


def test_dates_that_were_right_are_believed_more() -> None:
    dates = [NOW - (3600 + 61 * page if page % 2 else 90 * DAY + 3600 * page) for page in range(PAGES)]
    found = words(dates)
    seen(found, [page % 2 == 1 for page in range(PAGES)], NOW - 7 * DAY)
    after = odds(found, NOW - 7 * DAY)
    assert min(after[1::2]) > 10
    assert max(after[::2]) < 0.1


@pytest.mark.parametrize(
    "dates",
    [[NOW - 3600.0 - 61 * page for page in range(PAGES)], [NOW - 3600.0] * PAGES],
    ids=["today on every page", "the same on every page"],
)
def test_dates_that_say_the_same_of_all_pages_are_found_to_be_worthless(dates: list[float]) -> None:
    found = words(dates)
    for _ in range(5):
        seen(found, [page % 10 == 0 for page in range(PAGES)], NOW - 7 * DAY)
    assert odds(found, NOW - 7 * DAY) == pytest.approx(1.0, abs=0.1)


def test_one_date_on_all_pages_is_worth_nothing_before_anything_was_seen() -> None:
    assert odds(words([NOW - 3600.0] * PAGES), NOW - 7 * DAY) == pytest.approx(1.0)


def test_a_date_to_come_says_nothing() -> None:
    assert odds(words([NOW + 30 * DAY + page * 999 for page in range(PAGES)]), NOW - DAY) == pytest.approx(1.0)
    found = words([NOW + 30 * DAY] * PAGES)
    seen(found, [False] * PAGES, NOW - DAY)
    assert not found.words()


def test_dates_that_lie_are_taken_for_the_opposite() -> None:
    dates = [NOW - (3600 + 61 * page if page % 2 else 90 * DAY + 3600 * page) for page in range(PAGES)]
    found = words(dates)
    seen(found, [page % 2 == 0 for page in range(PAGES)], NOW - 7 * DAY)
    assert max(odds(found, NOW - 7 * DAY)[1::2]) < 0.2


def test_hosts_are_judged_apart() -> None:
    found = words([NOW - 3600.0 - page for page in range(2)])
    found.check(np.arange(2), np.array([True, False]), np.full(2, NOW - DAY), NOW, ["right.example", "wrong.example"])
    after = found.odds(np.full(2, NOW - DAY), NOW, np.arange(2), ["right.example", "wrong.example"])
    assert after[0] > 2.0 > after[1]


def test_what_is_said_at_a_visit_is_about_the_time_after_it() -> None:
    found = ServerWords()
    found.hear(0, EXPIRES, NOW - 3 * DAY, NOW - 4 * DAY)
    found.hear(0, EXPIRES, NOW + DAY, NOW)
    seen(found, [True], NOW - 4 * DAY)
    assert found.words() == [Word("a.example", EXPIRES, 1.0, 0.0, 0.0, 0.0)], "the word before it was right"


def test_changefreq_and_expiry_speak_when_their_time_has_come() -> None:
    assert odds(words([7 * DAY] * PAGES, CHANGEFREQ), NOW - 8 * DAY)[0] > 1.0
    assert odds(words([7 * DAY] * PAGES, CHANGEFREQ), NOW - 6 * DAY)[0] < 1.0
    assert odds(words([NOW + DAY] * PAGES, EXPIRES), NOW - DAY)[0] < 1.0


@pytest.mark.parametrize(
    ("said", "dates"),
    [
        (Said("2024-01-01", "Daily"), {SITEMAP_DATE: 1704067200.0, CHANGEFREQ: DAY}),
        (Said("Mon, 01 Jan 2024 00:00:00 GMT", is_feed=True), {FEED_DATE: 1704067200.0}),
        (Said("soon", "sometimes"), {}),
        (Said("9999999-01-01"), {}),
    ],
)
def test_words_of_lists(said: Said, dates: dict[str, float]) -> None:
    assert said.dates() == dates


@pytest.mark.parametrize(
    ("headers", "until"),
    [
        ({"cache-control": "max-age=60"}, 1060.0),
        ({"cache-control": "no-cache"}, 1000.0),
        ({"cache-control": "private, max-age=0, no-cache"}, 1000.0),
        ({"expires": "Thu, 01 Jan 1970 01:00:00 GMT"}, 3600.0),
        ({"expires": "0"}, 1000.0),
        ({"cache-control": "public"}, 0.0),
    ],
)
def test_how_long_an_answer_is_good(headers: dict[str, str], until: float) -> None:
    assert fresh_until(headers, 1000.0) == until
    assert date_of("") == 0.0
