"""Forms of a page: what belongs to them, what their fields are called, and what is sent."""

from __future__ import annotations

import pytest

from dowse.parse.forms.control_reading import MOST_OPTIONS
from dowse.parse.forms.controls import Control
from dowse.parse.forms.form import Submission
from dowse.parse.forms.form_finding import MOST_FORMS, MOST_ON_A_PAGE, find_forms, has_forms
from tests.reading import forms_of, page_of


def field(html: str, name: str = "x") -> Control:
    return next(control for form in forms_of(html) for control in form.controls if control.name == name)


def labels(html: str) -> list[tuple[str, str]]:
    return [(label.source, label.text) for label in field(f"<form>{html}</form>").labels]


# Labels


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<label for=i>Town</label><input id=i name=x>", ("label", "Town")),
        ("<label>Town <input name=x></label>", ("label", "Town")),
        ("<label>Town <select name=x><option>Rome</select></label>", ("label", "Town")),
        ("<b id=a>Your</b> <i id=b>town</i><p><input name=x aria-labelledby='b a'>", ("labelledby", "town Your")),
        ("<label for=i>no</label><input id=i name=x aria-label=Town>", ("aria", "Town")),
        ("<input name=x title=Town>", ("title", "Town")),
        ("<input name=x placeholder=Town>", ("placeholder", "Town")),
        ("Town: <input name=x>", ("before", "Town:")),
        ("Street <input name=s> <b>Town</b> <input name=x>", ("before", "Town")),
        ("<input type=checkbox name=y> Street <input type=checkbox name=x> Town", ("after", "Town")),
        ("<table><tr><td>Town<td><input name=x></table>", ("row", "Town")),
        ("<table><tr><th>Street<th>Town<tr><td><input name=s><td><input name=x></table>", ("column", "Town")),
        ("<table><tr><td>Price<td><input name=x> EUR</table>", ("row", "Price")),
        ("<div>Town</div><div><input name=x></div>", ("above", "Town")),
        ("Town<br><input name=x>", ("above", "Town")),
        ("<button name=x>Find <b>it</b></button>", ("button", "Find it")),
        ("<input type=submit name=x>", ("button", "Submit")),
        ("<input type=image alt=Find name=x>", ("alt", "Find")),
        ("<button name=x><img alt=Find></button>", ("alt", "Find")),
    ],
)
def test_a_field_has_a_label_by_every_means(html: str, wanted: tuple[str, str]) -> None:
    assert labels(html)[0] == wanted


def test_the_label_of_another_field_is_none() -> None:
    assert labels("Street <input name=s><input name=x>") == []
    assert labels("<label for=other>Street <input name=x></label>") == [("before", "Street")]


def test_the_legend_names_the_group() -> None:
    assert field("<form><fieldset><legend>Born</legend><input name=x></fieldset></form>").group == "Born"
    assert field("<form><div role=group aria-label=Born><input name=x></div></form>").group == "Born"


def test_labels_are_told_once_and_cut() -> None:
    long = "word " * 200
    assert labels(f"<label>{long}<input name=x title='{long}'></label>") == [("label", ("word " * 24).strip())]


# Which form a field belongs to


def test_a_page_without_forms_is_not_parsed() -> None:
    page = page_of("<p>nothing")
    assert find_forms(page) == []
    assert "_parsed" not in page.__dict__
    assert not has_forms(page)


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p><FORM></p>", True),
        ("<iNPut>", True),
        ("<p>for <i>in</i> <font><footer><img><ins>form input", False),
        ("a<f", False),
        ("", False),
    ],
)
def test_the_bytes_tell_whether_there_are_forms(html: str, wanted: bool) -> None:
    assert has_forms(page_of(html)) == wanted


def test_forms_are_found_in_utf16() -> None:
    assert [form.controls[0].name for form in forms_of("\ufeff<form><input name=x></form>", charset="utf-16")] == ["x"]


def test_suggestions_and_templates_have_no_fields() -> None:
    html = "<form><datalist id=d><input name=a><option>1</datalist><template><input name=b></template>"
    html += "<input name=x list=d>"
    (form,) = forms_of(html)
    assert [control.name for control in form.controls] == ["x"]
    assert [option.value for option in form.controls[0].options] == ["1"]


def test_fields_without_a_form_go_with_the_nearest_button() -> None:
    html = (
        "<div><div><input name=a><p><button>find</button></p></div>"
        "<section><span><input name=b></span><input name=c><input type=button value=go></section></div>"
    )
    forms = forms_of(html)
    assert [[control.name or control.label for control in form.controls] for form in forms] == [
        ["a", "find"],
        ["b", "c", "go"],
    ]
    assert not any(form.has_element for form in forms)
    assert all(form.request() is None for form in forms), "only scripts know what is asked for"


def test_buttons_alone_are_no_form() -> None:
    assert forms_of("<button>menu</button><input type=hidden name=token value=1>") == []


def test_a_field_outside_of_its_form_is_given_back_to_it() -> None:
    (form,) = forms_of("<table><form action=/f><tr><td>Town<td><input name=x></table></form>")
    assert [(control.name, control.label) for control in form.controls] == [("x", "Town")]


def test_text_and_heading_of_a_form() -> None:
    html = "<h2>Our books</h2><div><form><a href=/h>Help</a> Find <select name=x><option>one</select><script>1</script>"
    (form,) = forms_of(html)
    assert (form.heading, form.text, form.links) == ("Our books", "Help Find", ("Help",))


def test_what_a_page_hides_is_told() -> None:
    assert field("<form><input name=x>").shown
    assert not field("<form><div style='Display : none'><input name=x></div>").shown
    assert not field("<form><p hidden><input name=x>").shown


# Large and hostile pages


def test_a_select_of_ten_thousand_options_is_cut_and_keeps_its_choice() -> None:
    options = "".join(
        f"<option value={place} {'selected' if place == 9_000 else ''}>{place}" for place in range(10_000)
    )
    (form,) = forms_of(f"<form action=/f><select name=x>{options}</select></form>")
    (select,) = form.controls
    assert (len(select.options), select.options_dropped) == (MOST_OPTIONS + 1, 10_000 - MOST_OPTIONS - 1)
    assert form.request() == Submission("https://example.org/f?x=9000")
    assert form.request({"x": "9999"}) == Submission("https://example.org/f?x=9999")


def test_many_forms_are_cut() -> None:
    assert len(forms_of("<form><input name=x></form>" * (MOST_FORMS + 1))) == MOST_FORMS


def test_deep_and_long_pages_are_forms_of() -> None:
    assert len(forms_of("<div>" * 5_000 + "<form><input name=x>" + "<b>text</b>" * 5_000)) == 1
    assert forms_of("<input name=x>" * 3_000 + "<button>go</button>")[0].controls_dropped > 0


MANY = 4_000
CROWDED = {
    "one label": "<form><label>" + "<input name=x>" * MANY + "</label></form>",
    "one set of fields": "<form><fieldset disabled>" + "<input name=x><p>" * MANY + "</fieldset></form>",
    "one row": "<form><table><tr>" + "<td><input name=x>" * MANY + "</table></form>",
    "one list of suggestions": f"<form><datalist id=d>{'<option>a' * MANY}</datalist>{'<input list=d>' * MANY}</form>",
    "one form elsewhere": "<form id=f></form>" + "<input name=x form=f>" * MANY,
    "headings and forms": "<h2>a</h2><form><input name=x></form>" * MANY,
    "no form": "<div>" * 300 + "<input name=x>" * MANY + "<button>a</button>",
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", CROWDED)
def test_what_thousands_of_fields_share_is_read_once(name: str) -> None:
    """A second each on a busy machine; read for each field anew, they take minutes."""
    assert sum(len(form.controls) for form in forms_of(CROWDED[name])) >= MOST_FORMS


def test_a_page_of_too_many_fields_says_so_of_each_form() -> None:
    html = "<form><input name=x></form><form>" + "<p><input name=y>" * (MOST_ON_A_PAGE + 10) + "</form>"
    assert all(form.controls_dropped for form in forms_of(html))
