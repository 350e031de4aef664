"""What is sent for a form: values, buttons, encodings. Chromium is asked in test_forms_in_chromium.py."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import UrlOptions
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.parse.forms.controls import Control, Label
from dowse.parse.forms.form import Form, Submission
from dowse.parse.forms.form_encoding import MULTIPART, URL_ENCODED, Entry, charset_of_form, encode, url_encoded
from tests.reading import forms_of


def sent(form: Form, **values: str | list[str]) -> str:
    made = form.request(values)
    assert made is not None
    return made.url


FILLED = """<form action=/find><input name=q value=old><select name=s><option value=1>one<option>two</select>
<select name=m multiple><option>a<option>b<option>c</select><input type=checkbox name=c value=1 checked>
<input type=checkbox name=c value=2><input type=radio name=r value=1 checked><input type=radio name=r value=2>
<input name=t value=1><input name=t value=2><textarea name=a></textarea><button name=go value=1>Go</button></form>"""


@pytest.mark.parametrize(
    ("values", "query"),
    [
        ({}, "q=old&s=1&c=1&r=1&t=1&t=2&a=&go=1"),
        ({"q": "two words"}, "q=two+words&s=1&c=1&r=1&t=1&t=2&a=&go=1"),
        ({"s": "two", "m": ["c", "a"]}, "q=old&s=two&m=a&m=c&c=1&r=1&t=1&t=2&a=&go=1"),
        ({"c": ["2"], "r": "2"}, "q=old&s=1&c=2&r=2&t=1&t=2&a=&go=1"),
        ({"c": []}, "q=old&s=1&r=1&t=1&t=2&a=&go=1"),
        ({"t": ["x"], "a": "1\r2"}, "q=old&s=1&c=1&r=1&t=x&t=2&a=1%0D%0A2&go=1"),
    ],
)
def test_values_take_the_place_of_those_of_the_page(values: dict[str, str | list[str]], query: str) -> None:
    (form,) = forms_of(FILLED)
    assert sent(form, **values) == f"https://example.org/find?{query}"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"zip": "1"}, r"the form has no field 'zip'; it has a, c, m, q, r, s, t"),
        ({"s": "three"}, r"the field 's' has no option 'three'"),
        ({"r": "3"}, r"the field 'r' has no choice '3'"),
    ],
)
def test_values_that_a_form_cannot_have_are_refused(values: dict[str, str], message: str) -> None:
    (form,) = forms_of(FILLED)
    with pytest.raises(ValueError, match=message):
        form.request(values)


def test_some_forms_send_nothing() -> None:
    assert forms_of("<form method=dialog><input name=x></form>")[0].request() is None
    assert forms_of("<form action=javascript:go()><input name=x></form>")[0].request() is None
    assert forms_of("<form action=mailto:a@b.org><input name=x></form>")[0].request() is None
    (form,) = forms_of("<form action=/f><input name=x><button formmethod=dialog>close</button></form>")
    assert form.request() is None


def test_a_button_that_is_disabled_is_not_pressed() -> None:
    (form,) = forms_of(
        "<form action=/f><button name=a value=1 disabled></button><button name=b value=1></button></form>"
    )
    assert sent(form) == "https://example.org/f?b=1"


def test_the_standard_decides_where_chromium_differs() -> None:
    assert charset_of_form("klingon", "KOI8-R") == "UTF-8"
    assert charset_of_form(None, "KOI8-R") == "KOI8-R"
    (form,) = forms_of("<form action=/f><input name=x value=1 dirname=''>")
    assert sent(form) == "https://example.org/f?x=1"


@pytest.mark.parametrize(("kind", "rest"), [("date", "-01-01"), ("month", "-01"), ("week", "-W01")])
def test_years_end_somewhere(kind: str, rest: str) -> None:
    """No number of thousands of digits is read."""
    for digits, is_date in (("9" * 5, True), ("9" * 6, False), ("9" * 5_000, False)):
        value = f"{digits}{rest}"
        (form,) = forms_of(f"<form><input type={kind} name=a value={value}></form>")
        assert sent(form) == f"https://example.org/?a={value if is_date else ''}"


def test_the_same_form_is_the_same_request() -> None:
    html = "<form method=post enctype=multipart/form-data action=/f><input name=x value={}></form>"
    one, again, other = (forms_of(html.format(value))[0].request() for value in ("1", "1", "2"))
    assert one == again != other
    assert isinstance(one, Submission)
    assert one.body.startswith(b"------dowseFormBoundary")


def test_halves_of_characters_are_replaced() -> None:
    (form,) = forms_of("<form action=/f><input name=x>")
    assert sent(form, x="a\ud800b") == "https://example.org/f?x=a%EF%BF%BDb"


def test_labels_by_source() -> None:
    control = Control("input", "text", labels=(Label("before", "Town"), Label("title", "Your town")))
    assert (control.text_of("title"), control.text_of("aria"), control.label) == ("Your town", "", "Town")


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_servers_read_back_what_was_sent(pairs: list[tuple[str, str]]) -> None:
    entries = [Entry(name, value) for name, value in pairs]
    sent_pairs = [(each.name, each.value) for each in map(as_sent, entries)]
    assert parse_qsl(url_encoded(entries, "UTF-8"), keep_blank_values=True) == sent_pairs
    body, media_type = encode(entries, MULTIPART, "UTF-8")
    boundary = media_type.partition("boundary=")[2].encode()
    assert body.count(b"--" + boundary) == len(entries) + 1


def as_sent(entry: Entry) -> Entry:
    """Every end of a line is sent as two characters."""
    name, value = (re.sub(r"\r\n?|\n", "\r\n", text) for text in (entry.name, entry.value))
    return Entry(name, value)


def test_a_submission_becomes_a_request() -> None:
    keys = UrlKeys(UrlOptions())
    (form,) = forms_of("<form action=/find method=post><input name=q value='\u00e9 ~'></form>")
    posted, got = form.request(), replace(form, method="get").request()
    assert posted is not None
    assert got is not None
    request = keys.request(posted.url, posted.method, posted.body, posted.headers)
    assert (request.method, request.body, dict(request.headers)["Content-Type"]) == (
        "POST",
        b"q=%C3%A9+%7E",
        URL_ENCODED,
    )
    assert resolve("", got.url) == got.url == keys.request(got.url).url
