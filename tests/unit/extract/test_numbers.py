"""Numbers as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.extract.numbers import read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        # one way or the other, by the marks alone
        ("1.234,50 €", 1234.5),
        ("$1,234.50", 1234.5),
        ("R$ 1.299,90", 1299.9),
        ("12,34,567.89", 1234567.89),
        ("1.234.567", 1234567),
        ("1,234,567", 1234567),
        ("1,5", 1.5),
        ("1.5", 1.5),
        ("0.123", 0.123),
        ("0,125", 0.125),
        ("1299.000", 1299.0),
        ("19.9900", 19.99),
        # spaces and apostrophes between thousands
        ("12 345", 12345),
        ("1 234 567,89 Kč", 1234567.89),
        ("1\u00a0234,50 zł", 1234.5),
        ("1\u202f234\u202f567", 1234567),
        ("1'234.50 CHF", 1234.5),
        ("1\u2019234.50", 1234.5),
        ("1 2 3", 1),
        ("1 234 56", 1234),
        ("12 3456", 12),
        # among words and signs
        ("only 3 left", 3),
        ("4.5 out of 5", 4.5),
        ("4.5/5", 4.5),
        ("1,234 reviews", 1234),
        ("50 %", 50),
        ("EUR20", 20),
        ("Rs.500", 500),
        ("€ 5,-", 5),
        ("5.\u2013", 5),
        ("(1.50)", 1.5),
        # multiples
        ("1.5 million", 1500000),
        ("3 million", 3000000),
        ("1.1 million", 1100000),
        ("1.2345678 million", 1234567.8),
        ("$1.5M", 1500000),
        ("$1.5M raised", 1500000),
        ("-$3m", -3000000),
        ("$2b", 2000000000),
        ("1.5k", 1500),
        ("12.5K views", 12500),
        ("10k+", 10000),
        ("1.2B views", 1200000000),
        ("1,5 M€", 1500000),
        ("40 k€", 40000),
        ("USD 3.4 bn", 3400000000),
        ("3,5 Mio. Euro", 3500000),
        ("2,5 млрд", 2500000000),
        ("2 crore", 20000000),
        ("1.2万人", 12000),
        ("3億円", 300000000),
        ("a 3-million-year-old", 3000000),
        ("9 trillion trillion", 9000000000000),
        ("999999999999999 trillion", 9.99999999999999e26),
        # units
        ("5 m", 5),
        ("5m", 5),
        ("2b", 2),
        ("16 kB", 16),
        ("5 km", 5),
        ("3 Kč", 3),
        ("10 K", 10),
        ("shirt $5 M L", 5),
        ("4K2", 4),
        ("1.5e3 million", 1500.0),
        ("3 millionaires", 3),
        ("10-20", 10),
        ("2024-03-05", 2024),
        # signs and powers
        ("-12.5 °C", -12.5),
        ("\u22123", -3),
        ("-$5.00", -5.0),
        ("$ -5", -5),
        ("room a-5", 5),
        (".5", 0.5),
        ("$.75", 0.75),
        ("-.5", -0.5),
        ("1.5e3", 1500.0),
        ("2e-3", 0.002),
        ("2eggs", 2),
        # other digits
        ("١٢٣٤", 1234),
        ("١٬٢٣٤٫٥", 1234.5),  # noqa: RUF001
        ("\uff11\uff12\uff0c\uff13\uff14\uff15", 12345),
        # whole numbers stay whole, long ones lose what a float loses
        ("7", 7),
        ("7.0", 7.0),
        ("123456789012345678", 123456789012345678),
        ("1234567890123456789012", 1.2345678901234568e21),
        # no numbers
        ("", None),
        ("Free", None),
        ("v1.2.3", None),
        ("1.2.3 and 4", 4),
        ("½", None),
        ("x²", None),
        ("1e999", None),
        ("9" * 5000, None),
    ],
)
def test_a_number_is_read_as_it_is_written(text: str, number: float | None) -> None:
    found = read_number(text)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("1.234", "", 1234),
        ("1,234", "", 1234),
        ("1.234", "en", 1.234),
        ("1,234", "en-GB", 1234),
        ("1.234", "de", 1234),
        ("1,234", "de-AT", 1.234),
        ("1,234", "DE", 1.234),
        ("1.234", "ja", 1.234),
        ("1.234,5", "en", 1234.5),
        ("1,234.5", "de", 1234.5),
        ("12,345,678", "de", 12345678),
        ("1.234 million", "en", 1234000),
        ("1,234 million", "en", 1234000000),
        ("2 billion", "en", 2000000000),
        ("2 Billionen", "de", 2000000000000),
        ("1 billion", "fr-FR", 1000000000000),
        ("2,5 Milliarden", "de", 2500000000),
    ],
)
def test_the_language_of_the_page_decides_where_the_number_cannot(text: str, language: str, number: float) -> None:
    assert read_number(text, language) == number


@given(st.integers(-(10**15), 10**15), st.sampled_from(["{:,}", "{:_}", "{}"]), st.sampled_from(",.'\u00a0\u202f "))
def test_whole_numbers_survive_any_thousands_separator(number: int, style: str, separator: str) -> None:
    text = style.format(number).replace(",", separator).replace("_", separator)
    if abs(number) >= 1_000_000 or abs(number) < 1_000 or separator not in ",.":
        assert read_number(text) == number


@given(st.text(max_size=300), st.sampled_from(["", "en", "de"]))
def test_no_text_is_an_error(text: str, language: str) -> None:
    number = read_number(text, language)
    assert number is None or float("-inf") < number < float("inf")
