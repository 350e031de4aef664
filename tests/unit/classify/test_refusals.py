"""What is never sent, however it is dressed up; and searches that must not be refused."""

from __future__ import annotations

import pytest

from dowse.classify.refusals import reason_not_to_submit
from dowse.parse.forms.form_finding import MOST_CONTROLS
from tests.reading import forms_of

REFUSED = {
    "log-in": "<form method=post><input name=user><input type=password name=p><button>Go</button></form>",
    "log-in dressed up as a search": "<form action=/search role=search><input type=search name=q><input type=password>",
    "log-in with a text field": "<form action=/search><input name=q><input name=userPassword>",
    "password by its label": "<form action=/search><label>Mot de passe <input name=x></label></form>",
    "password by autocomplete": "<form><input name=q autocomplete='section-a current-password'></form>",
    "hidden password": "<form action=/search><input name=q><div hidden><input type=password name=p></div></form>",
    "password of another place": "<form id=f action=/search><input name=q></form><input type=password form=f name=p>",
    "card by its name": "<form action=/search><input name=q><input name=card_number></form>",
    "card by its label": "<form action=/search><input name=a><label>CVV <input name=b></label></form>",
    "card by autocomplete": "<form><input name=n autocomplete='billing cc-number'></form>",
    "upload": "<form action=/search method=post><input name=q><input type=file name=image></form>",
    "contact": "<form method=post><input name=email><textarea name=message></textarea><button>Send</button></form>",
    "contact by GET": "<form><input name=a><textarea name=b></textarea></form>",
    "contact dressed up as a search": "<form action=/search><input type=email name=q><textarea name=c></textarea>",
    "mailing list": "<form method=post><input name=email><button>Subscribe</button></form>",
    "mailing list by GET": "<form><input name=txtEmail><button>OK</button></form>",
    "mailing list in Polish": "<form method=post><input name=x placeholder='Adres e-mail'><button>Zapisz się</button>",
    "registration": "<form method=post><input name=firstname><input name=lastname><input name=street></form>",
    "recovery": "<form method=post><input name=username><button>go</button></form>",
    "order": "<form method=post><input name=qty value=1><button type=button>Add to cart</button></form>",
    "order by GET": "<form><select name=quantity><option>1</select><button>Add to basket</button></form>",
    "order in German": "<form><input name=x value=1><button>In den Warenkorb</button></form>",
    "order in Japanese": "<form><input name=x value=1><button>カートに入れる</button></form>",
    "coupon": "<form><input name=couponcode></form>",
    "payment": "<form method=post><input type=image alt='Make your payments with PayPal'></form>",
    "captcha": "<form><input name=q><input name=captcha></form>",
    "deletion": "<form method=post action=/search><input name=q><button>Delete</button></form>",
    "vote": "<form><input type=radio name=a><input type=radio name=a><button>Vote</button></form>",
    "agreement": "<form method=post><button name=agreed>I agree to these terms</button></form>",
    "POST that says nothing": "<form method=post><input name=x><button>OK</button></form>",
    "POST by its button": "<form><input name=x><button formmethod=post>OK</button></form>",
    "telephone": "<form><input type=tel name=n></form>",
}
SENT = {
    "search": "<form action=/search><input name=q><button>Search</button></form>",
    "one field and no word": "<form><input name=q></form>",
    "POST that says what it is": "<form method=post action=/find><input name=term><button>OK</button></form>",
    "search in Russian": "<form method=post><input name=x><button>Найти</button></form>",
    "search in Japanese": "<form method=post><input name=x><button>検索する</button></form>",
    "search for orders": "<form><input name=q><button>Search orders</button></form>",
    "many fields": "<form><input name=author><input name=title><select name=year><option>1999</select>"
    "<input type=checkbox name=available> in stock<button>Find books</button></form>",
    "flights": "<form><input name=from><input name=to><input type=date name=day><button>Search flights</button></form>",
    "a box of several lines": "<form><textarea name=q></textarea><button>Google Search</button></form>",
    "the town of a person": "<form><input name=name placeholder='Name'><input name=city placeholder=City>"
    "<button>Find people</button></form>",
    "search for cards": "<form><input name=q><button>Show cards</button></form>",
    "a long search by POST": "<form method=post>"
    + "".join(f"<label>Part {place} of the form <input name=part{place}></label>" for place in range(90))
    + "<button>Search</button></form>",
    "a button that empties the fields": "<form><input name=q><input type=reset value='Löschen'></form>",
    "fields without a form": "<div><input name=q><button>Search</button></div>",
}
CHANGING = (
    *("Log out", "Delete", "Unsubscribe", "Pay now", "Save", "Löschen", "Delete search history", "Save search"),
    *("Create table", "Add", "+ Add user", "Insert row", "Drop", "Rename", "Import", "Delete all", "Reset account"),
    *("Log-off", "Update and delete searches"),
)
OF_THE_FORM = (
    *("Clear", "Reset", "Clear search", "Remove all filters", "Add filter", "Update search", "Edit search"),
    *("Update results", "Find by post code", "Add to search", "Show additions"),
)


@pytest.mark.parametrize("label", CHANGING)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_button_that_changes_something_is_refused(label: str, method: str) -> None:
    """Also by GET, and also if the form or the button speaks of searching."""
    form = f"<form action=/search method={method}><input name=q><button>Search</button><button>{label}</button></form>"
    assert reason_not_to_submit(forms_of(form)[0])


@pytest.mark.parametrize("label", OF_THE_FORM)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_button_that_changes_what_is_asked_for_is_not_refused(label: str, method: str) -> None:
    form = f"<form action=/search method={method}><input name=q><button>Search</button><button>{label}</button></form>"
    assert reason_not_to_submit(forms_of(form)[0]) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_search_is_refused(name: str) -> None:
    assert reason_not_to_submit(forms_of(REFUSED[name])[0])


@pytest.mark.parametrize("name", SENT)
def test_a_search_is_not_refused(name: str) -> None:
    assert reason_not_to_submit(forms_of(SENT[name])[0]) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("log-in", "it has a password field"),
        ("card by its name", "its field 'card_number' takes a payment"),
        ("order in German", "it orders something: 'In den Warenkorb'"),
        ("POST that says nothing", "it is sent by POST, and nothing says that it searches"),
    ],
)
def test_a_reason_can_be_read(name: str, reason: str) -> None:
    assert reason_not_to_submit(forms_of(REFUSED[name])[0]) == reason


def test_a_form_that_was_not_read_to_its_end_is_refused() -> None:
    fields = "<input name=q>" * MOST_CONTROLS
    assert reason_not_to_submit(forms_of(f"<form>{fields}</form>")[0]) is None
    assert reason_not_to_submit(forms_of(f"<form>{fields}<input type=password></form>")[0])
