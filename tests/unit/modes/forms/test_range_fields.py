"""Ranges of forms: which fields make one, and how it is divided."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.modes.forms.date_formats import DateFormat
from dowse.modes.forms.range_fields import RangeField, Scale, ranges
from dowse.parse.forms.form_finding import find_forms
from tests.reading import page_of


def found(fields: str, language: str = "") -> list[tuple[str, ...]]:
    (form,) = find_forms(page_of(f"<form action=/find>{fields}<button>Search</button></form>"))
    return [each.names for each in ranges(form.fields, language)]


NUMBERS = "".join(f"<option>{each}</option>" for each in (0, 10, 20, 30))


@pytest.mark.parametrize(
    "fields",
    [
        "<input name=price_min><input name=price_max>",
        "<input type=number name=minPrice><input type=number name=maxPrice>",
        "Price from <input name=a> to <input name=b>",
        "<select name=year_from><option value=''>any{0}</select><select name=year_to>{0}</select>",
        "<input type=date name=start><input type=date name=end>",
        "<input name=date_from placeholder=dd/mm/yyyy><input name=date_to>",
        "<input type=range name=from_km><input type=range name=to_km>",
    ],
)
def test_fields_that_bound_one_thing_are_a_range(fields: str) -> None:
    assert len(found(fields.replace("{0}", NUMBERS))) == 1


@pytest.mark.parametrize(
    "fields",
    [
        "From <input name=from> to <input name=to>",
        "<input name=price_min>",
        "<input name=price_min><input type=date name=price_max>",
        "<select name=from><option>Oban<option>Ayr</select><select name=to><option>Oban<option>Ayr</select>",
        "<input name=min_price><input name=max_rooms>",
        "Price from <input name=price> to <input name=price>",
    ],
    ids=["places", "one field", "two kinds", "places to choose", "two things", "one name"],
)
def test_other_fields_are_none(fields: str) -> None:
    assert found(fields) == []


SCALES = st.one_of(
    st.builds(lambda least, size: Scale(least, least + size), st.integers(0, 3_000), st.integers(1, 3_000)),
    st.builds(lambda size: Scale(0, size * 100, 100), st.integers(1, 1_000)),
    st.builds(lambda size: Scale(0, size - 1, points=tuple(str(each * 7) for each in range(size))), st.integers(2, 60)),
    st.just(Scale(date(2020, 1, 1).toordinal(), date(2022, 1, 1).toordinal(), 0, format=DateFormat("dmy", "."))),
)


@given(scale=SCALES, choices=st.lists(st.integers(0, 1), max_size=30))
def test_halves_cover_what_they_divide_and_know_it(scale: Scale, choices: list[int]) -> None:
    each = RangeField("low", "high", scale)
    values: tuple[tuple[str, str], ...] = ()
    for choice in choices:
        if not each.count(values):
            break
        assert each.count(values) == 2
        assert all(values in each.wholes(each.part(values, half)) for half in (0, 1))
        values = each.part(values, choice)
    else:
        return
    low, high = (dict(values).get(name) for name in ("low", "high"))
    assert low == high or None in (low, high) or scale.points, "only a point cannot be divided"


@pytest.mark.parametrize(
    ("shown", "language", "written"),
    [
        ("placeholder=dd/mm/yyyy", "en", "05/03/2024"),
        ("placeholder=TT.MM.JJJJ", "", "05.03.2024"),
        ("placeholder='jj-mm-aaaa'", "fr", "05-03-2024"),
        ("placeholder=mm/dd/yy", "de", "03/05/24"),
        ("placeholder=YYYY-MM-DD", "de", "2024-03-05"),
        ("value=31/12/2020", "en-US", "05/03/2024"),
        ("value=12/31/2020", "fr", "03/05/2024"),
        ("title='For example 2020.12.31'", "", "2024.03.05"),
    ],
)
def test_dates_are_written_as_the_field_shows(shown: str, language: str, written: str) -> None:
    (form,) = find_forms(page_of(f"<form><input name=a {shown}></form>"))
    learned = DateFormat.of_field(form.fields[0], language)
    assert learned is not None
    assert learned.write(date(2024, 3, 5)) == written
    assert learned.read(written) == date(2024, 3, 5)


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("de", "05.03.2024"),
        ("en-GB", "05/03/2024"),
        ("en_US", "03/05/2024"),
        ("en", "2024-03-05"),
        ("ja", "2024-03-05"),
    ],
)
def test_else_as_people_write_in_the_language_of_the_page(language: str, written: str) -> None:
    assert DateFormat.of_language(language).write(date(2024, 3, 5)) == written
