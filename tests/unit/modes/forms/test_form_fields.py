"""What a form can be asked."""

from __future__ import annotations

from dowse.modes.forms.choice_fields import Facet
from dowse.modes.forms.form_fields import arrangement, database, dividers, find_again, search_box, shape
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_finding import find_forms
from tests.reading import page_of


def form(fields: str, attributes: str = "action=/find") -> Form:
    (found,) = find_forms(page_of(f"<form {attributes}>{fields}<button>Search</button></form>"))
    return found


def test_the_search_box_is_the_field_that_is_called_so() -> None:
    box = search_box(form("<input name=author><input name=q placeholder=Search>"))
    assert box is not None
    assert box.name == "q"
    assert search_box(form("<input type=checkbox name=q>")) is None
    assert search_box(form("<input name=q disabled><input type=hidden name=query>")) is None


def test_choices_divide_the_database_and_arrangements_do_not() -> None:
    options = "<option value=''>any<option value=a selected>A<option value=b>B"
    sizes = "".join(f"<option>{each}" for each in (10, 50, 100, 1000))
    choices = f"<select name=kind>{options}</select><select name=sort>{options}</select>"
    found = form(f"{choices}<select name=per_page>{sizes}</select>")
    (facet,) = dividers(found)
    assert isinstance(facet, Facet)
    assert (facet.name, facet.begun, [option.value for option in facet.values]) == ("kind", "a", ["a", "b"])
    assert arrangement(found) == {"per_page": "100"}


def test_a_form_is_known_again_with_fresh_tokens() -> None:
    before = form("<input name=q><input type=hidden name=token value=1>")
    after = form("<input name=q value=fish><input type=hidden name=token value=2>")
    assert shape(before) == shape(after)
    assert find_again(before, [form("<input name=other>"), after]) is after


def test_forms_of_one_database_are_sent_to_one_place() -> None:
    assert database(form("<input name=q>")) == database(form("<input name=q><select name=x><option>1</select>"))
    assert database(form("<input name=q>")) != database(form("<input name=q>", "action=/other"))
