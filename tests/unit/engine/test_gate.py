"""The gate: every link becomes a candidate, with the rule that refuses it or none."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dowse.config import make_job
from dowse.core.model import SITEMAP, Candidate, Task
from dowse.core.scope import Scope
from dowse.core.url_keys import UrlKeys
from dowse.engine import gate as gate_module
from dowse.engine.gate import Gate
from dowse.engine.verdict import Proposal
from dowse.parse.links import Link

SITE = "https://e.org"
PRIVATE = f"{SITE}/private"


class Rules:
    """What robots.txt forbids, and how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, url: str) -> bool:
        self.asked.append(url)
        return url.startswith(PRIVATE)


def gate(rules: Rules | None = None, **options: Any) -> Gate:
    job = make_job("site", f"{SITE}/", **options)
    return Gate(job, Scope(job.scope, job.limits, ["e.org"]), rules or Rules())


def task(depth: int = 0, label: str = "", site: str = "e.org") -> Task:
    request = UrlKeys(make_job("site", SITE).urls).request(f"{SITE}/page")
    return Task(id=1, request=request, site=site, depth=depth, label=label)


def choose(chosen: Gate, *urls: str, depth: int = 0, nofollow: bool = False, rel: bool = False) -> list[Candidate]:
    choices = [(Link(url, "text", nofollow=rel), -1.0, "type") for url in urls]
    return chosen.choices(choices, task(depth), nofollow=nofollow)


def refusal(chosen: Gate, url: str, **way: Any) -> str:
    [candidate] = choose(chosen, url, **way)
    return candidate.refused


def test_a_candidate_has_all_of_its_link() -> None:
    [candidate] = choose(gate(), f"{SITE}/a?utm_source=x")
    assert (candidate.request.url, candidate.request.normal_form) == (f"{SITE}/a?utm_source=x", f"{SITE}/a")
    assert (candidate.anchor, candidate.priority, candidate.label, candidate.refused) == ("text", -1.0, "type", "")


@pytest.mark.parametrize(
    ("url", "way", "refused"),
    [
        (f"{SITE}/a", {}, ""),
        (f"{SITE}/a.zip", {}, "extension .zip"),
        (f"{SITE}/secret", {}, "exclude secret"),
        ("https://other.org/", {}, "host"),
        (f"{SITE}/a", {"depth": 3}, "depth 3"),
        (f"{SITE}/private/a", {}, "robots"),
        (f"{SITE}/a", {"nofollow": True}, "nofollow"),
        (f"{SITE}/a", {"rel": True}, "nofollow"),
        # the first rule that says no is the one that is named
        ("https://other.org/a.zip", {"depth": 3, "nofollow": True}, "extension .zip"),
        ("https://other.org/", {"depth": 3, "nofollow": True}, "host"),
        (f"{SITE}/private/a", {"depth": 3, "rel": True}, "robots"),
        (f"{SITE}/a", {"depth": 3, "rel": True}, "depth 3"),
    ],
)
def test_the_rule_that_refuses_is_named(url: str, way: dict[str, Any], refused: str) -> None:
    assert refusal(gate(exclude="secret", depth=3), url, **way) == refused


@pytest.mark.parametrize("way", [{"nofollow": True}, {"rel": True}, {}])
def test_robots_can_be_ignored(way: dict[str, Any]) -> None:
    rules = Rules()
    assert refusal(gate(rules, robots="ignore"), f"{SITE}/private/a", **way) == ""
    assert rules.asked == []


def test_what_the_url_alone_decides_is_asked_once_and_the_rest_each_time() -> None:
    rules = Rules()
    chosen = gate(rules, depth=3)
    for depth, refused in [(0, ""), (3, "depth 3"), (1, "")]:
        assert refusal(chosen, f"{SITE}/a", depth=depth) == refused
    assert rules.asked == [f"{SITE}/a"]
    assert refusal(chosen, f"{SITE}/a", rel=True) == "nofollow"
    assert refusal(chosen, f"{SITE}/a") == "", "a nofollow is of the link, not of the URL"


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "_REMEMBERED", 3)
    rules = Rules()
    chosen = gate(rules)
    choose(chosen, *(f"{SITE}/{number}" for number in range(9)), f"{SITE}/8", f"{SITE}/0")
    assert rules.asked == [f"{SITE}/{number}" for number in (*range(9), 0)]


def test_entries_of_a_list_are_one_step_away_and_lists_none() -> None:
    chosen = gate(depth=3, include="/pages/")
    deep = task(depth=3)
    [entry] = chosen.listed([(f"{SITE}/pages/1", None)], deep, -4.0)
    assert (entry.refused, entry.label, entry.priority) == ("depth 3", "", -4.0)
    [another] = chosen.lists([f"{SITE}/map.xml.gz"], deep, 1.0)
    assert (another.refused, another.label, another.priority) == ("", SITEMAP, 1.0), (
        "no page, so `include` is not asked"
    )
    assert [each.refused for each in chosen.lists(["https://other.org/map.xml"], deep, 1.0)] == ["host"]


@pytest.mark.parametrize(
    ("finder", "url", "refused"),
    [
        # a seed that moved is still a seed, wherever it went and whatever it is called
        (task(0), "https://moved.org/", ""),
        (task(0), f"{SITE}/start.zip", ""),
        (task(0), f"{SITE}/secret", "exclude secret"),
        # any other page is judged as if it had been linked
        (task(2), "https://moved.org/", "host"),
        (task(2), f"{SITE}/a.zip", "extension .zip"),
        (task(2), f"{SITE}/private/a", "robots"),
        (task(2), f"{SITE}/a", ""),
        # a redirect is no step
        (task(3), f"{SITE}/a", ""),
        (task(4), f"{SITE}/a", "depth 3"),
    ],
)
def test_redirects(finder: Task, url: str, refused: str) -> None:
    candidate = gate(exclude="secret", depth=3).redirect(url, finder, -2.0)
    assert (candidate.request.url, candidate.refused, candidate.priority) == (url, refused, -2.0)


def test_a_redirect_keeps_its_label_and_a_list_stays_one() -> None:
    assert gate().redirect(f"{SITE}/a", task(2, "type"), 0.0).label == "type"
    moved = gate().redirect(f"{SITE}/map.zip", task(0, SITEMAP), 0.0)
    assert (moved.label, moved.refused) == (SITEMAP, "")
    assert gate().redirect("https://other.org/map.xml", task(0, SITEMAP), 0.0).refused == "host", "it is no seed"


@pytest.mark.parametrize(
    ("url", "depth", "nofollow", "refused"),
    [
        ("search", 0, False, ""),
        ("/private/search", 0, False, "robots"),
        ("https://other.org/search", 0, False, "host"),
        ("/search", 3, False, "depth 3"),
        ("/secret", 0, False, "exclude secret"),
        ("/search", 0, True, "nofollow"),
    ],
)
def test_a_proposal_is_asked_about_as_a_link_is(url: str, depth: int, nofollow: bool, refused: str) -> None:
    proposal = Proposal(url=url, method="POST", body=b"q", anchor="go", priority=2.0, label="l", hint=b"h", why="w")
    chosen = gate(exclude="secret", depth=3)
    [candidate] = chosen.proposals([proposal], task(depth), nofollow=nofollow)
    assert candidate.refused == refused
    assert (candidate.request.method, candidate.request.body) == ("POST", b"q")
    assert (candidate.anchor, candidate.priority, candidate.label) == ("go", 2.0, "l")
    assert (candidate.hint, candidate.why, candidate.is_link) == (b"h", "w", False)
    assert chosen.key(f"{SITE}/search") != candidate.request.key_hash


def test_a_proposal_without_a_usable_address_is_left_out() -> None:
    assert gate().proposals([Proposal(url="mailto:me@e.org")], task(), nofollow=False) == []


@pytest.mark.parametrize("details", [{"method": "POST /"}, {"method": ""}, {"headers": (("X", "1\r\nY: 2"),)}])
def test_a_proposal_that_no_request_can_be_is_a_mistake(details: Any) -> None:
    with pytest.raises(ValueError, match="no request can have"):
        Proposal(url="/", **details)


@pytest.mark.parametrize(
    ("url", "keep", "visit", "refused"),
    [
        ("/a", True, False, "kept"),
        ("/private/a", True, False, "kept"),
        ("/private/a", True, True, "kept"),
        ("/private/a", False, True, "robots"),
        ("/a", True, True, ""),
    ],
)
def test_a_result_is_kept_where_it_is_not_visited(url: str, keep: bool, visit: bool, refused: str) -> None:
    [candidate] = gate().proposals([Proposal(url=url, keep=keep, visit=visit)], task(), nofollow=False)
    assert candidate.refused == refused


def test_a_redirect_keeps_what_the_status_keeps() -> None:
    request = UrlKeys(make_job("site", SITE).urls).request(f"{SITE}/form", "POST", b"q")
    finder = replace(task(1), request=request)
    moved = [gate().redirect(f"{SITE}/there", finder, 0.0, status) for status in (303, 308)]
    assert [(each.request.method, each.request.body) for each in moved] == [("GET", b""), ("POST", b"q")]
    assert moved[0].request.key_hash != moved[1].request.key_hash
