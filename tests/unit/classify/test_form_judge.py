"""The shipped models: what forms and fields are, in several languages. How often they are right is a benchmark."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.classify.form_judge import Judgement, shipped_judge
from dowse.classify.form_words import CONCEPTS, said_in
from dowse.classify.linear_model import LinearModel, stored_model
from dowse.classify.shipped_data import shipped
from dowse.parse.forms.form import Form
from tests.reading import forms_of

FORMS = {
    "search": "<form action=/search role=search><input type=search name=q><button>Search</button></form>",
    "search, in Czech": "<form action=/hledat><input name=fraze><input type=submit value=Hledat></form>",
    "search, in Japanese": "<form><input name=word><button>検索</button></form>",
    "login": "<form method=post><input name=username><input type=password name=password><button>Log in</button></form>",
    "registration": "<h2>Create an account</h2><form method=post><input name=username><input type=email name=email>"
    "<input type=password name=password><input type=password name=password_confirmation><button>Register</button>",
    "password recovery": "<h2>Forgot your password?</h2><form method=post action=/password/forgot><input name=email>"
    "<button>Reset my password</button></form>",
    "contact": "<form method=post action=/contact><label>Name <input name=name></label><label>Email <input name=email>"
    "</label><label>Message <textarea name=message></textarea></label><button>Send message</button></form>",
    "mailing list": "<h3>Newsletter</h3><form method=post action=/newsletter/subscribe><input name=email>"
    "<button>Subscribe</button></form>",
    "order": "<form method=post action=/cart/add><input type=hidden name=product_id value=7>"
    "<input name=quantity value=1><button>Add to cart</button></form>",
}


def judged(html: str) -> Judgement:
    return shipped_judge().judge(forms_of(html)[0])


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_known(name: str) -> None:
    assert judged(FORMS[name]).type == name.partition(",")[0]


def test_how_searchable_a_form_is() -> None:
    assert judged(FORMS["search"]).searchable > 0.9
    assert judged(FORMS["login"]).searchable < 0.1
    assert sum(judged(FORMS["order"]).types.values()) == pytest.approx(1.0, abs=1e-4)


def test_fields_are_known() -> None:
    fields = judged(FORMS["registration"]).fields
    assert {name: field.type for name, field in fields.items()} == {
        "username": "username",
        "email": "email",
        "password": "password",
        "password_confirmation": "password confirmation",
    }
    assert all(field.probability > 0.5 for field in fields.values())
    search = judged("<form action=/search><input name=q><select name=category><option>All<option>Books</select></form>")
    assert [field.type for field in search.fields.values()] == ["search query", "search category / refinement"]


def test_a_form_without_fields_is_judged_too() -> None:
    nothing = shipped_judge().judge(Form("https://example.org/"))
    assert nothing.fields == {}


def test_a_large_form_is_judged() -> None:
    fields = "".join(f"<label>Field {place} <input name=f{place}></label>" for place in range(1_500))
    assert len(judged(f"<form>{fields}</form>").fields) == 1_500


def test_words_and_what_they_are_about() -> None:
    assert said_in("userName2").words == ("user", "name", "2")
    assert said_in("E-Mail").concepts == said_in("email").concepts >= {"email"}
    assert "search" in said_in("検索する").concepts
    assert said_in("adder").concepts == frozenset(), "`ad` is a name in Turkish, but only as a whole word"
    assert all(len(words) > 3 for words in CONCEPTS.values())


def test_a_model_survives_being_stored() -> None:
    weights = np.array([[1.0, -1.0], [0.5, 0.25], [0.001, 0.0]], np.float32)
    stored = stored_model(["a", "b"], ["one", "two", "nothing"], weights, [0.0, 0.1])
    assert stored.names == ["one", "two"], "what is next to nothing is left out"
    model = LinearModel(stored)
    a, b = model.probabilities({"one", "two", "unknown"}).tolist()
    assert a / b == pytest.approx(np.exp(1.5 + 0.75 - 0.1), rel=0.02)
    assert model.weighed_probabilities([{"one": 1.0, "two": 1.0}])[0].tolist() == pytest.approx([a, b])


def test_the_models_are_small() -> None:
    assert len(shipped("form_model.msgpack")) < 1_000_000
