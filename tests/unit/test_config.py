"""The job as people write it: what is taken, what is refused and in which words, and that it can be written back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.config import (
    RENDERING,
    change_job,
    dump_job,
    folder_of,
    load_job,
    make_job,
)
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.private_jobs import without_secrets
from dowse.core.user_agent import user_agent
from dowse.jobs.stored_jobs import job_from_json, job_to_json
from dowse.modes.registry import find_mode, mode_names
from dowse.modes.site.options import SiteOptions
from dowse.settings import Setting
from dowse.version import VERSION

SEED = "http://127.0.0.1:8000/"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "job.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(act: Callable[[], Job]) -> str:
    with pytest.raises(JobError) as caught:
        act()
    return str(caught.value)


# What is taken


def test_defaults_are_those_of_the_job() -> None:
    assert make_job("site", SEED) == Job(seeds=(SEED,), output="127.0.0.1-8000", mode="site", options=SiteOptions())


def test_file_python_and_words_of_the_command_line_make_the_same_job(tmp_path: Path) -> None:
    text = f'mode = "site"\nseeds = ["{SEED}"]\nmax_pages = 10\ninclude = ["/a/"]\nsitemaps = false\ndelay = 0\n'
    rows = {setting.name: setting for setting in find_mode("site").settings}
    words = {"max_pages": "10", "include": "/a/", "delay": "0"}
    parsed = {name: rows[name].parse(word) for name, word in words.items()}
    python = make_job("site", [SEED], max_pages=10, include=["/a/"], sitemaps=False, delay=0)
    assert load_job(written(tmp_path, text)) == python == make_job("site", SEED, sitemaps=False, **parsed)
    assert python.limits.max_pages == 10
    assert python.scope.include == ("/a/",)
    assert python.politeness.delay == 0.0


def test_one_text_is_a_list_of_one() -> None:
    assert make_job("site", SEED, exclude="/private/").scope.exclude == ("/private/",)


def test_fields_are_lists_of_texts() -> None:
    job = make_job(
        "site", SEED, extract=["title=//h1", "tags[]=css:.tag"], exclude_from="title=//h1/span", on=r"/\d{4}/"
    )
    assert job.extract.extract == ("title=//h1", "tags[]=css:.tag")
    assert (job.extract.exclude_from, job.extract.on) == (("title=//h1/span",), (r"/\d{4}/",))


def test_overrides_win_over_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, f'mode = "site"\nseeds = "{SEED}"\nmax_pages = 10\ndepth = 3\noutput = "one"\n')
    job = load_job(path, max_pages=20, output="two")
    assert (job.limits.max_pages, job.limits.depth, job.output) == (20, 3, "two")


def test_change_job_keeps_what_is_not_given() -> None:
    job = change_job(make_job("site", SEED, output="there", depth=3, order="depth"), max_pages=5)
    assert job == make_job("site", SEED, output="there", depth=3, order="depth", max_pages=5)


def test_a_path_may_be_the_output(tmp_path: Path) -> None:
    assert make_job("site", SEED, output=tmp_path / "out").output == str(tmp_path / "out")


@pytest.mark.parametrize(
    ("typed", "seed"),
    [
        ("http://example.org/a b", "http://example.org/a b"),
        ("HTTPS://Example.org", "HTTPS://Example.org"),
        (" https://example.org/ ", "https://example.org/"),
        ("example.org", "https://example.org"),
        ("example.org/path?q=a:b", "https://example.org/path?q=a:b"),
        ("bücher.example", "https://bücher.example"),
        ("localhost", "http://localhost"),
        ("server:8000/x", "https://server:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000/", "http://[::1]:8000/"),
    ],
)
def test_a_bare_host_gets_its_scheme(typed: str, seed: str) -> None:
    assert make_job("site", typed).seeds == (seed,)


@pytest.mark.parametrize(
    ("seed", "folder"),
    [
        ("http://127.0.0.1:8000/a", "127.0.0.1-8000"),
        ("https://docs.example.org/", "docs.example.org"),
        ("http://[::1]:80/", "1-80"),
    ],
)
def test_the_folder_is_named_after_the_host(seed: str, folder: str) -> None:
    assert folder_of(seed) == folder


def test_user_agent() -> None:
    assert user_agent(make_job("site", SEED)) == f"dowse/{VERSION}"
    assert user_agent(make_job("site", SEED, user_agent="mine/1")) == "mine/1"


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_page": 1}, "unknown key max_page; did you mean max_pages?"),
        ({"max-pages": 1}, "unknown key max-pages; did you mean max_pages?"),
        ({"max_depth": 1}, "unknown key max_depth; did you mean depth?"),
        ({"seed": 1}, "unknown key seed; did you mean seeds?"),
        ({"qqqqqqqq": 1}, "unknown key qqqqqqqq; see dowse run --help for the keys"),
        ({"topic": "x"}, "topic is no key of mode = site, but of focus and forms"),
        (
            {"aaa": 1, "Depth": 2},
            "unknown key aaa; see dowse run --help for the keys; unknown key Depth; did you mean depth?",
        ),
        ({"limits": {"max_pages": 1}}, "limits: a job file has no sections; write its keys without [limits]"),
        ({"max_pages": "ten"}, "max_pages: expected a whole number, got 'ten'"),
        ({"max_pages": 1.5}, "max_pages: expected a whole number, got 1.5"),
        ({"max_pages": True}, "max_pages: expected a whole number, got True"),
        ({"max_pages": -1}, "max_pages: must be at least 0, got -1"),
        ({"max_pages": 10**30}, "max_pages: must be at most 1e+15, got 1000000000000000000000000000000"),
        ({"per_host": -2}, "per_host: must be at least 1, got -2"),
        ({"concurrency": 0}, "concurrency: must be at least 1, got 0"),
        ({"max_body": 0}, "max_body: must be at least 1, got 0"),
        ({"timeout": 0}, "timeout: must be at least 0.001, got 0"),
        ({"timeout": float("inf")}, "timeout: must be at most 1e+09, got inf"),
        ({"timeout": float("nan")}, "timeout: must be at most 1e+09, got nan"),
        ({"delay": "fast"}, "delay: expected a number, got 'fast'"),
        ({"delay": -0.5}, "delay: must be -1 or at least 0, got -0.5"),
        ({"depth": -2}, "depth: must be at least -1, got -2"),
        ({"sitemaps": "yes"}, "sitemaps: expected true or false, got 'yes'"),
        ({"scope": "hots"}, "scope: expected one of host, domain, any; got 'hots'"),
        ({"scope": {"depth": 3}}, "scope: a job file has no sections; write its keys without [scope]"),
        ({"user_agent": 5}, "user_agent: expected a text, got 5"),
        ({"user_agent": "a\r\nb"}, "user_agent: control characters are not allowed, got 'a\\r\\nb'"),
        ({"include": 5}, "include: expected a list of texts, got 5"),
        ({"include": [5]}, "include: expected a list of texts, got 5"),
        ({"include": ["a", ""]}, "include: an empty text is not allowed in the list"),
        ({"header": "Cookie"}, "header: expected 'NAME: VALUE'"),
        ({"header": ["X-One: 1", "bad name: x"]}, "header: expected 'NAME: VALUE'"),
        ({"auth": "me"}, "auth: expected USER:PASSWORD"),
        ({"media_types": "html"}, "media_types: expected a media type such as text/html, image/* or */*, got 'html'"),
        (
            {"extract": "title=//h1["},
            "extract: not an XPath: expected a node test, at character 12 of 'title=//h1[' (its end)",
        ),
        ({"extract": "a=css:b..c"}, "extract: not CSS: expected an identifier, at character 9 of 'a=css:b..c'"),
        (
            {"exclude_from": "a=//b"},
            (
                "exclude_from: there is no field a to leave it out of; name one, such as extract = 'a=//h1', "
                "at character 1 of 'a=//b'"
            ),
        ),
        ({"on": "/x"}, "on: nothing to extract from these pages; name a field, such as extract = 'title=//h1'"),
        ({"on": "(a"}, "on: '(a' is not a regular expression: missing ), unterminated subpattern at position 0"),
        ({"output": ""}, "output: expected the name of a folder, got an empty text"),
        ({"output": 5}, "output: expected the name of a folder, got 5"),
    ],
)
def test_refused_options(options: dict[str, Any], message: str) -> None:
    assert refusal(lambda: make_job("site", SEED, **options)) == message


@pytest.mark.parametrize("store", ["db", "mysql://me@host/db", "postgresql://", "postgresql://[::1"])
def test_a_store_that_is_no_database_is_refused(store: str) -> None:
    with pytest.raises(JobError, match=r"store: expected a database as postgresql://USER@HOST/DATABASE"):
        make_job("site", "http://a.example/", store=store)


def test_the_password_of_a_store_is_neither_shown_nor_saved() -> None:
    job = make_job("site", "http://a.example/", store="postgresql://me:hunter2@host/db")
    assert "hunter2" not in repr(job) + dump_job(job) + job_to_json(job)
    assert "postgresql://me:env:PGPASSWORD@host/db" in dump_job(job)


@pytest.mark.parametrize("proxy", ["localhost:3128", "ftp://proxy/", "http://", "http://proxy:port/", "http://[::1"])
def test_refused_proxies(proxy: str) -> None:
    assert refusal(lambda: make_job("site", SEED, proxy=proxy)).startswith("proxy: expected a proxy as SCHEME://HOST:")


@pytest.mark.parametrize("key", ["include", "exclude"])
def test_a_regular_expression_that_does_not_compile_is_refused_by_name(key: str) -> None:
    assert key in refusal(lambda: make_job("site", SEED, **{key: "(a"}))


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ([], "seeds: there are none; name at least one URL to start from, such as https://example.org/"),
        (5, "seeds: expected a list of URLs, got 5"),
        ([5], "seeds: expected a URL, got 5"),
        ("", "seeds: '' is not a URL; write it like example.org or https://example.org/page"),
        ("start", "seeds: 'start' is not a URL; write it like example.org or https://example.org/page"),
        ("/index.html", "seeds: '/index.html' is not a URL; write it like example.org or https://example.org/page"),
        (
            "mailto:me@example.org",
            "seeds: 'mailto:me@example.org' is not a URL; write it like example.org or https://example.org/page",
        ),
        (
            "http:example.org",
            "seeds: 'http:example.org' is not a URL; write it like example.org or https://example.org/page",
        ),
        ("http://", "seeds: 'http://' is not a URL; write it like example.org or https://example.org/page"),
        ("ftp://example.org/", "seeds: 'ftp://example.org/': only http and https can be crawled"),
        ("file:///etc/passwd", "seeds: 'file:///etc/passwd': only http and https can be crawled"),
        ("http://exa mple.org/", "seeds: 'http://exa mple.org/' is not a valid URL; check its host and port"),
        ("http://x:99999/", "seeds: 'http://x:99999/' is not a valid URL; check its host and port"),
        ("http://a:b@x/", "seeds: a URL must not hold a user name or a password; use auth = 'USER:PASSWORD'"),
        ("http://x/\n", "seeds: control characters are not allowed, got 'http://x/\\n'"),
    ],
)
def test_refused_seeds(seeds: Any, message: str) -> None:
    assert refusal(lambda: make_job("site", seeds)) == message


@pytest.mark.parametrize(
    ("name", "is_there", "said"),
    [
        (
            "seeds.txt",
            True,
            "is a file, and a crawl starts from a URL; a list of URLs, one a line, is read with -i seeds.txt",
        ),
        ("seeds.txt", False, "is no URL, and there is no such file"),
        ("job.toml", True, "a job is run with dowse run job.toml"),
        ("rules.csv", False, "a table of rules is run with dowse rules run rules.csv"),
        ("page.html", True, "dowse focus URL --like page.html"),
        ("seeds", True, "is a file"),
        ("notes.md", True, "for the host write https://notes.md/"),
    ],
)
def test_a_file_in_place_of_a_url_is_told_what_it_is_for(
    name: str, is_there: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if is_there:
        (tmp_path / name).write_text("https://example.org/")
    refused = refusal(lambda: make_job("site", name))
    assert refused.startswith(f"seeds: {name} is ")
    assert said in refused


@pytest.mark.parametrize("seed", ["example.org/index.html", "notes.md", "https://example.org/seeds.txt"])
def test_an_address_that_ends_like_a_file_is_an_address(
    seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert make_job("site", seed).seeds == (f"https://{seed.removeprefix('https://')}",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('mode = "site"\nseeds = [http://x/]', ("not valid TOML", "line 2")),
        ('mode = "site"\nmax_pages = 1', ("seeds: there are none",)),
        ('seeds = ["http://x/"]', ("mode: expected one of site",)),
        (
            'mode = "sight"\nseeds = ["http://x/"]',
            ("mode: expected one of site, rules, focus, files, forms, forum; got",),
        ),
        ('mode = "site"\nseeds = ["http://x/"]\ndepht = 3', ("unknown key depht; did you mean depth?",)),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = written(tmp_path, text)
    message = refusal(lambda: load_job(path))
    assert message.startswith(f"{path}: ")
    assert all(word in message for word in words)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal(lambda: load_job(tmp_path / "none.toml")) == f"{tmp_path}/none.toml: No such file or directory"
    assert refusal(lambda: load_job(tmp_path)) == f"{tmp_path}: Is a directory"
    binary = tmp_path / "job.toml"
    binary.write_bytes(b'mode = "\xff"')
    assert refusal(lambda: load_job(binary)) == f"{binary}: not a text in UTF-8 (byte 8)"


# What is for a browser

FOR_A_BROWSER = {
    "page_time": 20, "ready": ".list", "step": "click .more", "explore": 3, "capture": "json", "images": True, "tabs": 2
}  # fmt: skip


@pytest.mark.parametrize("name", FOR_A_BROWSER)
def test_what_only_a_browser_can_do_is_refused_without_one(name: str) -> None:
    given = {name: FOR_A_BROWSER[name]}
    message = refusal(lambda: make_job("site", SEED, **given))
    assert message == f"{name}: only for rendered pages; add fetch = 'browser', or fetch = 'auto'"
    for way in ("browser", "auto"):
        rendered = make_job("site", SEED, fetch=way, **given)
    assert set(FOR_A_BROWSER) == set(RENDERING)
    # A crawl that was begun so, or goes on without its browser, is not stopped by what was said before.
    plain = change_job(rendered, fetch="http")
    assert change_job(plain, max_pages=3).limits.max_pages == 3
    assert name in refusal(lambda: change_job(plain, **given))


def test_defaults_and_the_time_of_a_log_in_need_no_browser() -> None:
    assert make_job("site", SEED, tabs=8, ready="", step=[], images=False) == make_job("site", SEED)
    assert make_job("site", SEED, profile="me.json", page_time=20).fetch.page_time == 20
    assert refusal(lambda: make_job("site", SEED, tabs=2, images=True)).startswith("images, tabs: ")


@pytest.mark.parametrize("selector", [".bad[", "a,,b", "div..x", "css=.bad[", "a b >", "a:not("])
def test_a_wrong_selector_for_rendered_pages_is_refused(selector: str) -> None:
    assert "is not a CSS selector" in refusal(lambda: make_job("site", SEED, fetch="browser", ready=selector))
    step = f"/list => click {selector}"
    assert "is not a CSS selector" in refusal(lambda: make_job("site", SEED, fetch="auto", step=step))


@pytest.mark.parametrize(
    "selector",
    ["text=Log in", "xpath=//a[", "//a[1]", "(//a)[2]", "'Next'", "button >> text=x", "a:has-text('x')", "b:visible",
     "input:placeholder-shown", "css=.a", "id=x", "role=button[name='x']", "[data-a='b=c']", "..", "a[href*='=']"],
)  # fmt: skip
def test_what_a_browser_can_select_by_is_taken(selector: str) -> None:
    assert make_job("site", SEED, fetch="browser", ready=selector, step=f"wait {selector}").fetch.ready == selector


# Writing it back

PLAIN = st.text(st.characters(blacklist_categories=("Cs", "Cc"), max_codepoint=0x2FFF), min_size=1, max_size=20)
TOKEN = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True)
PATTERN = st.builds("{}{}".format, TOKEN, st.sampled_from(["", r"\d+", r"\.html$", "'", '"', "\\\\'", "(?:a|ü)"]))
TEXTS: dict[str, st.SearchStrategy[str]] = {
    "weights": st.sampled_from(["auto", "equal", "pagerank", "weights.csv"]),
    "include": PATTERN,
    "exclude": PATTERN,
    "skip_extensions": st.from_regex(r"[a-z0-9]{1,5}", fullmatch=True),
    "drop_parameters": st.builds("{}{}".format, TOKEN, st.sampled_from(["", "*", "=session", "*=session"])),
    "keep_parameters": TOKEN,
    "media_types": st.sampled_from(["text/html", "image/*", "*/*", "application/ld+json"]),
    "header": st.builds("{}: {}".format, TOKEN, PLAIN),
    "ready": st.sampled_from([".list > li", "text=Next", "xpath=//a[1]"]),
    "profile": PLAIN,
    "signed_in": st.sampled_from([".user", "a[href='/logout']"]),
    "step": st.builds("{} => click {}".format, TOKEN, TOKEN),
    "sign_key": st.sampled_from(["file:key.pem", "env:KEY", "keyring:dowse/key"]),
    "signature_agent": st.just("https://crawler.example.org"),
    "use": st.sampled_from(["search", "ai-use", "train-ai"]),
    "auth": st.builds("{}:{}".format, TOKEN, PLAIN),
    "proxy": st.sampled_from(["http://127.0.0.1:3128", "socks5h://me:it's@proxy.example:1080"]),
    "cluster": st.sampled_from(["local", "auto", "ray://head.example:10001", "10.0.0.7:6379"]),
    "bodies_at": PLAIN,
    "user_agent": PLAIN,
    "contact": st.sampled_from(["https://example.org/crawl", "me@example.org"]),
    "extract": st.sampled_from(
        ["a=//h1[@id='x']", 'b:number[]=css:[title="it\\\'s"]', r"c[\n]=re:'(\w+)\\\"", "ü[, ]=//b", "e=//p"]
    ),
    "on": PATTERN,
    "store": st.sampled_from(["postgresql://me@db.example:5433/crawls", "postgresql:///crawls?host=%2Ftmp"]),
    "store_only": PATTERN,
    "charset": st.sampled_from(["windows-1251", "shift_jis", "latin1"]),
    "extractor": st.builds("{}{}".format, TOKEN, st.sampled_from(["", ":a", ".py:A.b"])),
    **dict.fromkeys(["follow", "on_page", "wrap_fetcher"], st.builds("{}:{}".format, TOKEN, TOKEN)),
}


def values(setting: Setting) -> st.SearchStrategy[Any]:
    """Any value the setting takes."""
    match setting.kind:
        case "switch":
            return st.booleans()
        case "whole":
            return st.integers(int(setting.least), 10**15)
        case "number":
            return st.floats(max(setting.least, 0), 10.0**9) | st.just(setting.default)
        case "choice":
            return st.sampled_from(setting.choices)
        case "list":
            return st.lists(TEXTS[setting.name], max_size=12, unique=True).map(tuple)
        case "text":
            return st.just("") | TEXTS[setting.name]


def jobs() -> st.SearchStrategy[Job]:
    rows = [setting for setting in find_mode("site").settings if setting.name not in ("exclude_from", "on", "extract")]
    options = st.fixed_dictionaries({}, optional={setting.name: values(setting) for setting in rows})
    fields = {
        setting.name: values(setting) for setting in find_mode("site").settings if setting.name in ("extract", "on")
    }
    # `exclude_from` needs the field that it names, and `on` something to extract.
    fields_on_pages = st.fixed_dictionaries({}, optional=fields).filter(
        lambda given: given.get("extract") or not given.get("on")
    )
    # What is for rendered pages alone is refused where none is.
    options = options.map(lambda given: {"fetch": "auto", **given} if set(RENDERING) & given.keys() else given).filter(
        lambda given: given.get("fetch") != "http" or not set(RENDERING) & given.keys()
    )
    options = options.filter(lambda given: bool(given.get("sign_key")) == bool(given.get("signature_agent")))
    seeds = st.lists(st.builds("http://example.org/{}".format, PLAIN), min_size=1, max_size=3)
    places = st.none() | PLAIN
    return st.builds(
        lambda seeds, place, options, fields: make_job(
            "site", seeds, **options, **fields, **({"output": place} if place else {})
        ),
        seeds, places, options, fields_on_pages,
    )  # fmt: skip


@given(jobs())
def test_every_job_survives_its_file(tmp_path_factory: pytest.TempPathFactory, job: Job) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.toml"
    path.write_text(dump_job(job), encoding="utf-8")
    assert load_job(path) == without_secrets(job)


@given(jobs())
def test_every_job_survives_its_store(job: Job) -> None:
    assert job_from_json(job_to_json(job)) == without_secrets(job)
    assert without_secrets(without_secrets(job)) == without_secrets(job)
    assert change_job(job) == job


def test_a_file_holds_only_what_differs_and_says_what_it_means() -> None:
    job = make_job("site", SEED, max_pages=5, include=r"/a/\d+", depth=-1)
    assert dump_job(job) == (
        "# A dowse job. Run it with: dowse run FILE\n"
        'mode = "site"\n'
        'seeds = ["http://127.0.0.1:8000/"]\n'
        "\n"
        "# Stop after this many pages; 0 is no limit.\n"
        "max_pages = 5\n"
        "\n"
        "# Only URLs that match one of these regular expressions.\n"
        "include = ['/a/\\d+']\n"
    )


@pytest.mark.parametrize("text", ["", "{", '{"output": 5}', '{"seeds": ["a"], "limits": {"max_pages": "x"}}'])
def test_a_stored_job_that_cannot_be_read(text: str) -> None:
    assert refusal(lambda: job_from_json(text)).startswith("the stored job cannot be read: ")


@pytest.mark.parametrize("mode", mode_names())
def test_the_mode_of_a_job(mode: str) -> None:
    needed = {"rules": {"table": "rules.csv"}, "focus": {"topic": "sorting"}, "files": {"type": "pdf"}}
    options = needed.get(mode, {})
    assert make_job(mode, SEED, **options).mode == mode


# Rule tables


def test_a_rule_crawl_has_defaults_of_its_own_and_needs_no_seeds() -> None:
    job = make_job("rules", (), table="rules.csv")
    assert (job.scope.scope, job.politeness.sitemaps, job.seeds) == ("any", False, ())
    assert make_job("rules", (), table="rules.csv", scope="host").scope.scope == "host"


def test_a_rule_crawl_without_a_table_is_told_what_is_missing() -> None:
    with pytest.raises(JobError, match=r"^table: there is none; name the rule table"):
        make_job("rules", ())


@pytest.mark.parametrize(
    ("table", "folder"),
    [
        ("consultations.csv", "consultations"),
        ("tables/my rules.json", "my-rules"),
        ("sqlite:///some/rules.db", "rules"),
        ("postgresql://me@host/consultations?sslmode=require", "consultations"),
        ("postgresql://me@/test?host=%2Ftmp", "test"),
    ],
)
def test_the_folder_of_a_rule_crawl_is_named_after_its_table(table: str, folder: str) -> None:
    assert make_job("rules", (), table=table).output == folder


def test_a_rule_job_is_written_without_its_seeds_and_read_again(tmp_path: Path) -> None:
    job = make_job("rules", (), table="rules.csv", max_pages=5)
    (tmp_path / "job.toml").write_text(dump_job(job), encoding="utf-8")
    assert "seeds" not in dump_job(job)
    assert load_job(tmp_path / "job.toml") == job


# Topics


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ("topic: is empty", "heat pumps")),
        ({"topic": "  "}, ("topic: is empty",)),
        ({"topic": "how to be the same"}, ("topic:", "only words that say nothing")),
        ({"topic": "sorting^y"}, ("topic: 'sorting^y'", "as a number such as 2")),
        ({"topic": "heaps^2, sorting^ fast"}, ("topic: 'sorting^'",)),
        ({"topic": '"merge sort"^two'}, ("topic: '\"merge sort\"^two'",)),
        ({"topic": "sorting^-1"}, ("topic: 'sorting^-1'",)),
        ({"topic": "sorting^1e5"}, ("topic: 'sorting^1e5'",)),
        ({"topic": "sorting^0"}, ("topic: 'sorting^0'",)),
        ({"topic": "sorting", "language": "klingon"}, ("language: 'klingon' is not supported", "en (english)")),
        ({"topic": "sorting", "by": "luck"}, ("by: expected one of learned",)),
        ({"topic": "sorting", "threshold": 2}, ("threshold: must be at most 1",)),
        ({"topic": "sorting", "threshold": -0.5}, ("threshold: must be -1 or at least 0",)),
    ],
)
def test_a_topic_that_will_not_do_is_refused(options: dict[str, Any], words: tuple[str, ...]) -> None:
    message = refusal(lambda: make_job("focus", SEED, **options))
    for word in words:
        assert word in message


@pytest.mark.parametrize("topic", ["sorting^2", "sorting^0.5, heaps", '"merge sort"^2 heap', "sorting^2;heap^10"])
def test_weights_of_words(topic: str) -> None:
    assert make_job("focus", "http://x/", topic=topic).options.topic == topic  # type: ignore[attr-defined]


def test_a_topic_survives_the_job_file(tmp_path: Path) -> None:
    job = make_job("focus", SEED, topic='"heat pump", house^2', by="shark", unlike=["b.html"])
    path = tmp_path / "job.toml"
    path.write_text(dump_job(job))
    assert load_job(path) == job
