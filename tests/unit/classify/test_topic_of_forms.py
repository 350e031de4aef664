"""Forms on a topic, told by examples."""

from __future__ import annotations

import pytest

from dowse.classify.topic_of_forms import text_of_form, train_topic
from tests.reading import forms_of

CARS = [
    "Find used cars by make and model, price and mileage",
    "Search new and used vehicles near you: make, model, year, zip code",
    "Car search: body style, fuel, gearbox, first registration",
    "Auto dealers and used car listings, choose a brand and a model",
]
OTHERS = [
    "Find books by author, title, publisher and year",
    "Search hotels: city, arrival, departure, number of guests",
    "Job search: keywords, location, salary, full time",
    "Search this site",
    "Flights from and to, departure date and passengers",
]


def test_a_topic_is_learned_from_examples() -> None:
    topic = train_topic(CARS, OTHERS)
    (cars,) = forms_of(
        "<h2>Second-hand vehicles</h2><form>Make <select name=make><option>Fiat<option>Volvo</select>"
        "Model <input name=model> Mileage up to <input name=mileage><button>Search cars</button></form>"
    )
    (books,) = forms_of("<form>Author <input name=author> Title <input name=title><button>Search</button></form>")
    assert topic.is_on_topic(cars)
    assert not topic.is_on_topic(books)
    assert all(topic.margin(text) > 0 for text in CARS)
    assert all(topic.margin(text) < 0 for text in OTHERS)


def test_training_twice_gives_the_same() -> None:
    assert train_topic(CARS, OTHERS) == train_topic(CARS, OTHERS)


def test_one_example_of_a_side_has_as_much_say_as_many() -> None:
    topic = train_topic(["used cars"], OTHERS * 20)
    assert topic.margin("cars, used") > 0 > topic.margin("books by author")


def test_a_text_without_known_words_is_not_on_topic_by_its_words() -> None:
    topic = train_topic(CARS, OTHERS)
    assert topic.margin("xyzzy") == topic.intercept


@pytest.mark.parametrize(("on_topic", "others"), [([], OTHERS), (CARS, [])])
def test_both_sides_need_examples(on_topic: list[str], others: list[str]) -> None:
    with pytest.raises(ValueError, match="one of them is missing"):
        train_topic(on_topic, others)


def test_the_text_of_a_form_has_labels_and_options_and_nothing_hidden() -> None:
    html = "<form id=carSearch><input type=hidden name=token value=x>"
    html += "<label>Make <select name=mk><option>Fiat</select></label>"
    (form,) = forms_of(html, "https://example.org/used/cars")
    assert text_of_form(form) == "Make carSearch mk Make Fiat used/cars"
