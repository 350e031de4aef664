"""The page is for those who are logged in, at its own address, and from itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from dowse.cli.main import main
from dowse.core.errors import JobError
from dowse.web.log_ins import LogIns, TooManyTries
from dowse.web.request_checks import Door
from dowse.web.served_folders import ServedFolders
from dowse.web.serving import Served, check_means
from tests.web_pages import WebPage, web_page

PASSWORD = "correct horse battery"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[WebPage]:
    with web_page(tmp_path, password=PASSWORD, names=("crawls.example.org",)) as page:
        yield page


# Who comes in


def test_the_link_logs_one_browser_in_and_only_once(served: WebPage) -> None:
    link = served.link()
    with served.stranger() as first, served.stranger() as second:
        assert first.get(link).status_code == 200
        assert first.get("/api/crawls").status_code == 200
        assert second.get(link).status_code == 403
        assert second.get("/api/crawls").status_code == 401


def test_a_wrong_token_gets_nothing(served: WebPage) -> None:
    with served.stranger() as stranger:
        answer = stranger.get("/login?token=guessed")
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        assert stranger.get("/").status_code == 401
        stranger.headers["authorization"] = "Bearer guessed"
        assert stranger.get("/api/crawls").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/", "/access", "/new", "/crawls/x", "/crawls/x/live", "/api/crawls", "/api/modes", "/api/crawls/x/report",
        "/api/crawls/x/files/pages/csv", "/api/openapi.json", "/nowhere",
    ],
)  # fmt: skip
def test_nothing_is_shown_to_strangers(served: WebPage, path: str) -> None:
    with served.stranger() as stranger:
        assert stranger.get(path).status_code == 401


def test_the_cookie_is_kept_from_scripts_and_other_sites(served: WebPage) -> None:
    with served.stranger() as stranger:
        cookie = SimpleCookie(stranger.get(served.link()).headers["set-cookie"])[served.door.cookie]
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"


def test_a_cookie_is_no_token_and_a_token_no_cookie(served: WebPage) -> None:
    with served.stranger() as stranger:
        stranger.headers["authorization"] = f"Bearer {served.log_ins.begin()}"
        assert stranger.get("/api/crawls").status_code == 401
    with served.stranger() as stranger:
        stranger.cookies.set(served.door.cookie, served.log_ins.begin(bearer=True))
        assert stranger.get("/api/crawls").status_code == 401


def test_the_password_logs_in_and_logging_out_ends_it(served: WebPage) -> None:
    with served.stranger() as browser:
        assert browser.post("/api/login", json={"password": "wrong"}).status_code == 403
        assert browser.post("/api/login", json={"password": PASSWORD}).status_code == 200
        token = re.search(r'csrf-token" content="([^"]+)"', browser.get("/").text)
        assert token is not None
        cookie = dict(browser.cookies)
        assert browser.post("/api/logout", headers={"x-csrf-token": token[1]}).status_code == 200
        browser.cookies.update(cookie)
        assert browser.get("/api/crawls").status_code == 401


def test_guessing_is_slowed_down_and_then_even_the_right_word_has_to_wait(served: WebPage) -> None:
    with served.stranger() as guesser:
        answers = [guesser.post("/api/login", json={"password": f"guess {n}"}).status_code for n in range(7)]
        assert answers == [403] * 5 + [429] * 2
        late = guesser.post("/api/login", json={"password": PASSWORD})
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) > 0
        # A link cannot be guessed, and any site could have a browser here ask for wrong ones.
        assert guesser.get(served.link()).status_code == 200


def test_guesses_at_one_time_are_counted_as_those_one_after_the_other() -> None:
    log_ins = LogIns(PASSWORD, lambda: 0.0)

    def outcome(number: int) -> str:
        try:
            return str(log_ins.by_password(f"guess {number}", "1.2.3.4"))
        except TooManyTries:
            return "too many"

    with ThreadPoolExecutor(12) as pool:
        assert sorted(pool.map(outcome, range(12))) == ["None"] * 5 + ["too many"] * 7


def test_wrong_links_lock_nobody_out(served: WebPage) -> None:
    with served.stranger() as other:
        assert [other.get("/login?token=x").status_code for _ in range(7)] == [403] * 7


def test_who_was_too_quick_may_try_again_after_a_minute() -> None:
    now = 0.0
    log_ins = LogIns(PASSWORD, lambda: now)
    for _ in range(5):
        assert log_ins.by_password("guess", "1.2.3.4") is None
    with pytest.raises(TooManyTries):
        log_ins.by_password(PASSWORD, "1.2.3.4")
    assert log_ins.by_password(PASSWORD, "5.6.7.8") is not None
    now = 61.0
    assert log_ins.by_password(PASSWORD, "1.2.3.4") is not None


def test_many_addresses_together_are_slowed_down_as_well() -> None:
    log_ins = LogIns(PASSWORD, lambda: 0.0)
    for number in range(30):
        assert log_ins.by_password("guess", f"10.0.0.{number}") is None
    with pytest.raises(TooManyTries):
        log_ins.by_password("guess", "10.0.1.1")


def test_links_and_sessions_do_not_last_for_ever() -> None:
    now = 0.0
    log_ins = LogIns(clock=lambda: now)
    link, secret = log_ins.make_link(), log_ins.begin()
    now = 3_601.0
    assert log_ins.by_link(link) is None
    assert log_ins.find(secret) is not None
    now += 8 * 86_400
    assert log_ins.find(secret) is None


# From where


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "", "[:::1]"])
def test_another_host_name_gets_nothing(served: WebPage, host: str) -> None:
    with served.browser() as browser:
        answer = browser.get("/api/crawls", headers={"host": host.format(port=served.door.port)})
        assert answer.status_code in (400, 421)
        assert "crawls" not in answer.text


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}", "crawls.example.org"])
def test_its_own_names_lead_to_it(served: WebPage, host: str) -> None:
    with served.browser() as browser:
        assert browser.get("/api/crawls", headers={"host": host.format(port=served.door.port)}).status_code == 200


def test_an_address_of_the_network_is_its_own_only_where_it_is_served_there() -> None:
    assert not Door(8717).leads_here("192.168.1.2:8717")
    assert Door(8717, is_local=False).leads_here("192.168.1.2:8717")
    assert not Door(8717, is_local=False).leads_here("evil.example:8717")


@pytest.mark.parametrize(
    "headers",
    [
        {"x-csrf-token": ""},
        {"x-csrf-token": "guessed"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_another_site_cannot_make_a_browser_act(served: WebPage, headers: dict[str, str]) -> None:
    with served.browser() as browser:
        assert browser.post("/api/tokens").status_code == 200
        assert browser.post("/api/tokens", headers=headers).status_code == 403


def test_a_form_of_another_site_is_no_request_of_ours(served: WebPage) -> None:
    with served.browser() as browser:
        assert browser.post("/api/tokens", data={"a": "b"}).status_code == 415
        assert browser.post("/api/tokens", content="{}", headers={"content-type": "text/plain"}).status_code == 415


def test_a_program_needs_no_csrf_token(served: WebPage) -> None:
    with served.program() as program:
        asked = {"mode": "site", "seeds": ["https://example.org/"]}
        assert program.post("/api/jobs", json=asked, headers={"origin": "chrome-extension://abc"}).status_code == 200


def test_a_token_can_be_ended_and_makes_no_others(served: WebPage) -> None:
    with served.browser() as browser, served.program() as program, served.stranger() as extension:
        made = browser.post("/api/tokens").json()["token"]
        extension.headers["authorization"] = f"Bearer {made}"
        assert extension.get("/api/crawls").status_code == 200
        for path in ("/api/tokens", "/api/links"):
            assert extension.post(path).status_code == 403
        newest, other = browser.get("/api/tokens").json()["tokens"]
        assert made not in str(newest)
        assert browser.post(f"/api/tokens/{newest['id']}/end").status_code == 200
        assert extension.get("/api/crawls").status_code == 401
        assert program.get("/api/crawls").status_code == 200
        assert [each["id"] for each in browser.get("/api/tokens").json()["tokens"]] == [other["id"]]
        assert browser.post(f"/api/tokens/{newest['id']}/end").status_code == 404
        assert program.post("/api/logout").status_code == 200
        assert program.get("/api/crawls").status_code == 401


# What answers carry


@pytest.mark.parametrize("path", ["/", "/login", "/api/crawls", "/api/nothing", "/assets/page.css"])
def test_every_answer_lets_only_our_own_files_run(served: WebPage, path: str) -> None:
    with served.browser() as browser:
        headers = browser.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_no_page_has_scripts_or_styles_in_its_text() -> None:
    folder = Path(__file__).parents[2] / "src" / "dowse" / "web" / "templates"
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}
    inline = re.compile(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe\b")
    assert [name for name, text in texts.items() if inline.search(text)] == []
    assert inline.search('<a onclick="x()">')


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../application.py",
        "/assets/%2e%2e/application.py",
        "/assets/..%2fapplication.py",
        "/assets//etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_assets(served: WebPage, path: str) -> None:
    with served.browser() as browser:
        answer = browser.send(httpx.Request("GET", served.url + path, headers=browser.headers))
        assert answer.status_code in (400, 401, 404)
        assert "import" not in answer.text


@pytest.mark.parametrize("body", [b"x" * 5_000_000], ids=["5 MB"])
def test_a_request_has_a_largest_size(served: WebPage, body: bytes) -> None:
    with served.program() as program:
        assert program.post("/api/tokens", content=body).status_code == 413


# Which folders


def test_only_crawls_of_the_named_folders_are_found(tmp_path: Path) -> None:
    for name in ("here/one", "here/two/inner", "elsewhere/three", "here/.hidden"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "crawl.db").touch()
    (tmp_path / "here" / "link").symlink_to(tmp_path / "elsewhere" / "three")
    folders = ServedFolders([tmp_path / "here"])
    assert [place.name for place in folders.places()] == ["one", "two/inner"]
    other = ServedFolders([tmp_path / "elsewhere"]).places()[0].id
    with pytest.raises(Exception, match="there is no crawl"):
        folders.find(other)
    assert folders.find("one").id == folders.places()[0].id
    with pytest.raises(Exception, match=f"no crawl 'onee' .*; there are {folders.places()[0].id}, "):
        folders.find("onee")


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/b", "..", ".hidden", "", "a\0b", "x" * 200])
def test_a_new_crawl_has_a_name_and_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(JobError, match="name: it names a folder"):
        ServedFolders([tmp_path]).new_folder(name)


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/passwd", "link.csv", "a/../../secret.csv"])
def test_no_file_outside_of_the_folders_can_be_named(tmp_path: Path, path: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "secret.csv").touch()
    (tmp_path / "here" / "link.csv").symlink_to(tmp_path / "secret.csv")
    folders = ServedFolders([tmp_path / "here"])
    with pytest.raises(JobError, match="outside of the folders"):
        folders.within(path)
    assert folders.within("table.csv") == tmp_path / "here" / "table.csv"


def test_what_lies_around_a_crawl_that_is_served_itself_is_outside(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    (crawl / "crawl.db").touch()
    folders = ServedFolders([crawl])
    with pytest.raises(JobError, match="outside of the folders"):
        folders.within("../secret.csv")
    assert folders.within("secret.csv") == crawl / "secret.csv"
    # A crawl beside it would be in no folder that is served: nobody could look at it, and no limit would count it.
    with pytest.raises(JobError, match=r"name: .* is a crawl itself; to start others, serve the folder"):
        folders.new_folder("another")


@pytest.mark.parametrize("crawl_id", ["..%2f..%2fetc", "%2e%2e", "x" * 99, "%00"])
def test_no_id_names_another_place(served: WebPage, crawl_id: str) -> None:
    with served.browser() as browser:
        assert browser.get(f"/api/crawls/{crawl_id}").status_code == 404


# Where it is served


def test_other_machines_reach_it_only_with_a_password() -> None:
    assert check_means(Served())
    assert check_means(Served(host="::1"))
    assert not check_means(Served(host="0.0.0.0", password=PASSWORD))
    with pytest.raises(JobError, match="needs a password"):
        check_means(Served(host="0.0.0.0"))
    with pytest.raises(JobError, match="at least 8"):
        check_means(Served(host="0.0.0.0", password="short"))


def test_the_command_refuses_to_be_open_to_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(tmp_path), "--host", "0.0.0.0", "--no-open"]) == 2
    assert "it needs a password" in capsys.readouterr().err
    assert main(["serve", str(tmp_path), "--password", "secret word", "--no-open"]) == 2
    assert "--password: expected where it is kept" in capsys.readouterr().err
