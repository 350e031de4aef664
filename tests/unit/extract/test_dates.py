"""Dates as people write them."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from dateparser.data.languages_info import language_order
from hypothesis import given
from hypothesis import strategies as st

from dowse.extract.dates import read_date
from dowse.extract.relative_dates import read_relative
from tests.unit.extract.pages import FETCHED_AT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # ISO and other forms with the year first
        ("2024-03-05", "2024-03-05"),
        ("2024-3-5", "2024-03-05"),
        ("2024/03/05", "2024-03-05"),
        ("2024. 3. 5.", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("2024年3月5日", "2024-03-05"),
        ("2024년 3월 5일", "2024-03-05"),
        # in words
        ("5 March 2024", "2024-03-05"),
        ("5th of March, 2024", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("Mar. 5th, 2024", "2024-03-05"),
        ("Sept. 5, 2024", "2024-09-05"),
        ("05-Mar-24", "2024-03-05"),
        ("5 Mar '98", "1998-03-05"),
        ("5. März 2024", "2024-03-05"),
        ("1er avril 2024", "2024-04-01"),
        ("5 de marzo de 2024", "2024-03-05"),
        ("5 марта 2024 г.", "2024-03-05"),  # noqa: RUF001
        ("2024. március 5.", "2024-03-05"),
        ("5 Μαρτίου 2024", "2024-03-05"),
        ("5 มีนาคม 2024", "2024-03-05"),
        ("٥ مارس ٢٠٢٤", "2024-03-05"),  # noqa: RUF001
        # by the month
        ("March 2024", "2024-03"),
        ("março de 2024", "2024-03"),
        ("marco de 2024", "2024-03"),
        ("31 Feb 2026, no: March 2026", "2026-03"),
        ("12 views 2024 March 5", "2024-03-05"),
        # among other words
        ("Published on March 5, 2024 by Ann", "2024-03-05"),
        ("Posted 5 March 2024, updated 2024-04-01", "2024-03-05"),
        ("Tuesday 5 March 2024", "2024-03-05"),
        ("on\n  5\n  March\n  2024", "2024-03-05"),
        # with a time
        ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00+00:00"),
        ("2024-03-05T10:00:00.123+0100", "2024-03-05T10:00:00+01:00"),
        ("2024-03-05 10:00", "2024-03-05T10:00:00"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00+00:00"),
        ("Mar 5, 2024 at 3:15 pm", "2024-03-05T15:15:00"),
        ("Mar 5, 2024 12:05 a.m.", "2024-03-05T00:05:00"),
        ("12:30, 5 March 2024", "2024-03-05T12:30:00"),
        ("March 5, 2024, 4 a.m.", "2024-03-05T04:00:00"),
        ("Tue Mar  5 10:00:01 UTC 2024", "2024-03-05T10:00:01+00:00"),
        ("Tue Mar 5 10:00:01 2024", "2024-03-05T10:00:01"),
        ("March 5, 2024, noon", "2024-03-05T12:00:00"),
        ("2024年3月5日 下午3:15", "2024-03-05T15:15:00"),
        ("14:15 March 05, 2024", "2024-03-05T14:15:00"),
        ("Date:5 March 2024", "2024-03-05"),
        ("5 Mar 2024 10:00 CET", "2024-03-05T10:00:00"),
        ("5 Mar 2024 99:00", "2024-03-05"),
        ("٢٠٢٤-٠٣-٠٥ ١٠:٣٠", "2024-03-05T10:30:00"),  # noqa: RUF001
        # none
        ("", None),
        ("soon", None),
        ("2024", None),
        ("12", None),
        ("10:30", None),
        ("may", None),
        ("v3.12", None),
        ("1 of 2", None),
        ("1/2/3", None),
        ("12 monkeys 1995", None),
        ("Copyright 2024", None),
        ("31/02/2024", None),
        ("31 Feb 2026", None),
        ("the 31st of February, 2026", None),
        # no month, though a library would take one from the clock or from a number
        ("The 2019 report", None),
        ("monday 2019", None),
        ("sat 2019", None),
        ("about 2019", None),
        ("and 2019", None),
        ("year 2019", None),
        ("one 2019", None),
        ("two 2019", None),
        ("5 the 2019", None),
        # a month, but not in most languages
        ("Set 2019", None),
        ("Henry VIII 1509", None),
        ("2024-02-30", None),
        ("2024-00-05", None),
        ("2024-03-00", None),
        ("0000-01-01", None),
        ("1709632800", None),
        ("x" * 500 + " 2024-03-05", None),
    ],
)
def test_a_date_is_found_and_written_as_iso(text: str, expected: str | None) -> None:
    assert read_date(text) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("05/03/2024", "", "2024-05-03"),
        ("05/03/2024", "en", "2024-05-03"),
        ("05/03/2024", "en-US", "2024-05-03"),
        ("05/03/2024", "en_GB", "2024-03-05"),
        ("05/03/2024", "fr", "2024-03-05"),
        ("5.3.2024", "", "2024-03-05"),
        ("13/03/2024", "en-US", "2024-03-13"),
        ("03/13/2024", "fr", "2024-03-13"),
        ("3/5/24", "en-US", "2024-03-05"),
        ("5 März 2024", "tlh", "2024-03-05"),
        ("set 2024", "pt-BR", "2024-09"),
        ("5 listopada 2024", "pl", "2024-11-05"),
        ("5 listopada 2024", "hr", "2024-10-05"),
    ],
)
def test_the_language_of_the_page_decides_between_two_readings(text: str, language: str, expected: str) -> None:
    assert read_date(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("2 days ago", "en", "2026-01-08"),
        ("yesterday", "", "2026-01-09"),
        ("3 hours ago", "en-GB", "2026-01-10T09:00:00+00:00"),
        ("vor 3 Tagen", "de", "2026-01-07"),
        ("il y a 2 jours", "fr", "2026-01-08"),
        ("3 jam yang lalu", "id", "2026-01-10T09:00:00+00:00"),
        ("kemarin", "id", "2026-01-09"),
        ("vor 3 Tagen", "en", None),
        ("vor 3 Tagen", "tlh", None),
        ("a word", "en", None),
        ("99999999999 years ago", "en", None),
        ("this happened to all of us not more than 2 days ago", "en", None),
    ],
)
def test_relative_dates_count_from_when_the_page_was_fetched(text: str, language: str, expected: str | None) -> None:
    assert read_date(text, language, FETCHED_AT) == expected
    assert read_date(text, language) is None


def test_the_words_of_every_language_can_be_read() -> None:
    """They are data of a library, and not all languages have them in the same form."""
    for language in language_order:
        assert read_relative("3", language, FETCHED_AT) is None, language


@given(
    st.dates(date(1000, 1, 1), date(2999, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y/%m/%d", "on %d %b %Y by"]),
)
def test_every_day_survives_every_form(day: date, form: str) -> None:
    assert read_date(day.strftime(form).replace(day.strftime("%Y"), f"{day.year:04}")) == f"{day:%Y-%m-%d}".zfill(10)


@given(st.text(st.sampled_from("0123456789 -/.:,MayJun'dTZ+年月٣"), max_size=60))
def test_what_is_found_is_a_date_and_no_text_is_an_error(text: str) -> None:
    found = read_date(text, "en", FETCHED_AT)
    if found is not None:
        datetime.fromisoformat(found if len(found) > 7 else f"{found}-01")
