"""Crawls for forms of a topic: those off topic are kept, and not asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dowse
from dowse import app
from dowse.config import make_job
from dowse.modes.forms.topic_of_crawl import TopicOfCrawl
from tests.crawling import opened
from tests.servers import Answer, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True, "topic": "used cars"}
CARS = "<p>Used cars of all makes. Every used car has been looked at, and our cars are cheap.</p>"
FISH = "<p>Fish, shrimps and mussels, fresh from the sea every morning, and recipes for all of them.</p>" * 20


def page(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def box(action: str, words: str) -> str:
    return f"<form action={action} role=search><label>{words} <input type=search name=q></label></form>"


def found(request: Request) -> Answer:
    items = "".join(f"<li><a href=/item/{each}>red thing {each}</a> costs {each}</li>" for each in range(5))
    return page("Found", f"<ol>{items}</ol>" if request.query.get("q") in ("used", "red") else "")


SITE: dict[str, Any] = {
    "/": page("Used cars", f"{CARS}<a href=/fish>Our restaurant</a>{box('/find-cars', 'Make and model')}"),
    "/fish": page("Fish restaurant", FISH + box("/find-fish", "Find a recipe with fish")),
    "/find-cars": found,
    "/find-fish": found,
}


def crawled(directory: Path, **options: Any) -> tuple[dowse.Crawl, set[str], str]:
    with Site(SITE) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**QUICK, **options}))
        return opened(directory), {request.path for request in site.asked()}, site.url


def test_forms_off_topic_are_kept_and_not_asked(tmp_path: Path) -> None:
    crawl, asked, start = crawled(tmp_path / "out")
    cars, fish = sorted(crawl.forms, key=lambda row: row["url"])
    assert cars["topic"] > 0.5 > fish["topic"]
    assert fish["reason"] == "it is off topic"
    assert cars["queries"]
    assert not fish["queries"]
    assert "/find-cars" in asked
    assert "/find-fish" not in asked
    story = str(crawl.why(f"{start}fish"))
    assert f"search, searchable {fish['searchable']:.2f}, on topic {fish['topic']:.2f}; it is off topic" in story
    told = {number.name.strip(): number.value for number in crawl.results().numbers}
    assert (told["search forms"], told["on topic"]) == (2, 1)


def test_forms_off_topic_are_no_successes_of_a_site(tmp_path: Path) -> None:
    """What links to them is not learned, their site does not count as one with forms, and no limit of forms is met."""
    crawl, _, _ = crawled(tmp_path / "out", harvest=False)
    (site,) = crawl.frame("sites")
    assert (len(list(crawl.forms)), site["forms"]) == (2, 1)
    crawl, _, _ = crawled(tmp_path / "off", harvest=False, topic="weather")
    (site,) = crawl.frame("sites")
    assert (len(list(crawl.forms)), site["forms"]) == (2, 0)


def test_without_a_topic_all_search_forms_are_asked(tmp_path: Path) -> None:
    crawl, asked, _ = crawled(tmp_path / "out", topic="")
    assert {row["topic"] for row in crawl.forms} == {None}
    assert {"/find-cars", "/find-fish"} <= asked


def test_what_forms_of_the_topic_say_is_learned() -> None:
    topic = TopicOfCrawl("used cars")
    unnamed = "Make, model, mileage, gearbox, fuel"
    before = topic.probability(unnamed, 0.004)
    for make in ("Fiat", "Volvo", "Ford", "Saab"):
        topic.learn(f"{make}: make, model, mileage, gearbox, fuel, price", 0.03)
        topic.learn(f"Recipes for {make}: ingredients, minutes, course, calories", 0.0)
    assert before < 0.5 < topic.probability(unnamed, 0.004)
    assert topic.probability("Recipes by ingredients and calories", 0.004) < before
