"""Which part of an option is a secret, and that it is never in what is written down or shown."""

from __future__ import annotations

import doctest

import pytest
from msgspec import msgpack

from dowse.config import dump_job, make_job
from dowse.core import secret
from dowse.core.job import Job
from dowse.core.private_jobs import is_private, without_secrets
from dowse.core.secret import concealed, filled, references
from dowse.jobs.stored_jobs import job_to_json

SEED = "https://example.org/"


@pytest.mark.parametrize(
    ("option", "text", "written"),
    [
        ("auth", "me:hunter2", "me:ask:"),
        ("auth", "me:", "me:"),
        ("auth", "me:a:env:B", "me:ask:"),
        ("auth", "me:a env:B", "me:ask:"),
        ("auth", "me:env:PASSWORD", "me:env:PASSWORD"),
        ("auth", "env:LOGIN", "env:LOGIN"),
        ("auth", "me:keyring:site/me", "me:keyring:site/me"),
        ("header", "Authorization: Bearer hunter2", "Authorization: ask:"),
        ("header", "Authorization: Bearer env:TOKEN", "Authorization: Bearer env:TOKEN"),
        ("header", "X-Api-Key:hunter2", "X-Api-Key:ask:"),
        ("header", "Accept-Language: de", "Accept-Language: de"),
        ("header", "Cookie: a=hunter2; b=env:B;c", "Cookie: a=ask:; b=env:B;ask:"),
        ("proxy", "http://me:hunter2@proxy:8080", "http://me:ask:@proxy:8080"),
        ("proxy", "http://me:hun@ter2@proxy:8080", "http://me:ask:@proxy:8080"),
        ("proxy", "http://proxy:8080", "http://proxy:8080"),
        ("proxy", "env:PROXY", "env:PROXY"),
        ("table", "postgresql://me:hunter2@host/db", "postgresql://me:env:PGPASSWORD@host/db"),
        ("table", "postgresql://host/db?user=me&password=hunter2", "postgresql://host/db?user=me&password=env:PGPASSWORD"),
        ("store", "postgresql://host/db?oauth_client_secret=x", "postgresql://host/db?oauth_client_secret=env:PGPASSWORD"),
        ("table", "rules.csv", "rules.csv"),
        ("step", "type #password = hunter2", "type #password = ask:"),
        ("step", "/login => type input[name=Passwort] = a = b => c", "/login => type input[name=Passwort] = ask:"),
        ("step", "type #q = heat pumps", "type #q = heat pumps"),
        ("step", "type #q = env:Q", "type #q = env:Q"),
        ("step", "click #password", "click #password"),
    ],
)  # fmt: skip
def test_a_secret_becomes_a_reference(option: str, text: str, written: str) -> None:
    assert concealed(option, text) == written
    assert concealed(option, written) == written
    assert "hunter2" not in written


def test_references_are_filled_where_they_stand() -> None:
    def fill(option: str, text: str) -> str:
        return filled(option, text, lambda reference, _name: f"<{reference}>")

    assert fill("header", "Authorization: Bearer env:A") == "Authorization: Bearer <env:A>"
    assert fill("header", "Cookie: a=env:A; b=file:/b") == "Cookie: a=<env:A>; b=<file:/b>"
    assert fill("header", "Accept-Language: env:A") == "Accept-Language: env:A"
    assert fill("auth", "me:env:A") == "me:<env:A>"
    assert fill("auth", "me:a env:A b") == "me:a env:A b"
    assert fill("proxy", "http://me:env:A@proxy:1") == "http://me:%3Cenv%3AA%3E@proxy:1"  # it may have an @ in it
    assert fill("proxy", "env:A") == "<env:A>"
    assert fill("step", "type #q = about env:A") == "type #q = about env:A"  # words to look for
    assert references("auth", "me:environment:A") == []


def test_nothing_that_is_written_or_shown_of_a_job_has_its_secrets() -> None:
    job = make_job(
        "site", SEED, auth="me:hunter2", header=["X-Key: hunter2", "Accept-Language: de"], fetch="browser",
        proxy="socks5://me:hunter2@127.0.0.1:1", step=["type #password = hunter2", "type #user = me"],
    )  # fmt: skip
    for text in (dump_job(job), job_to_json(job), repr(job), f"{job.fetch}", repr([job])):
        assert "hunter2" not in text
        assert "Accept-Language: de" in text
    assert "hunter2" in msgpack.decode(msgpack.encode(job), type=Job).fetch.auth  # as it goes to worker processes
    rules = make_job("rules", [], table="postgresql://me:hunter2@127.0.0.1/rules")
    assert "hunter2" not in dump_job(rules) + job_to_json(rules) + repr(rules)
    assert without_secrets(make_job("site", SEED)) == make_job("site", SEED)


@pytest.mark.parametrize(
    "options",
    [{"auth": "me:x"}, {"auth": "env:A"}, {"header": "X-Key: x"}, {"profile": "me.json"}, {"proxy": "http://a:b@c:1"},
     {"fetch": "browser", "step": "/a => type #q = words"}],
)  # fmt: skip
def test_a_crawl_with_secrets_is_private(options: dict[str, str]) -> None:
    assert is_private(make_job("site", SEED, **options))


def test_a_plain_crawl_is_not_private() -> None:
    assert not is_private(make_job("site", SEED, header="Accept-Language: de", proxy="http://proxy:1", fetch="browser",
                                   step="click #a"))  # fmt: skip


def test_examples_in_the_text_are_true() -> None:
    assert doctest.testmod(secret).failed == 0


def test_a_header_without_a_value_has_no_secret() -> None:
    assert concealed("header", "a:  ") == "a:  "


def test_a_header_keeps_nothing_beside_its_references() -> None:
    assert concealed("header", "Authorization: Bearer env:TOKEN") == "Authorization: Bearer env:TOKEN"
    assert concealed("header", "Authorization: Basic aHVudGVyMg== ask:") == "Authorization: ask:"
