"""dowse watch on real sites: it visits them again, tells what changed, once, and goes on after it was stopped."""

from __future__ import annotations

import base64
import hmac
import json
import signal
import time
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import load_job
from dowse.store.folder import lock
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened
from tests.processes import dowse, running, wait_until
from tests.servers import Reply, Request, Site

Serve = Callable[..., Site]


def job_file(folder: Path, site: Site, watch: str, **options: str) -> Path:
    path = folder / "job.toml"
    keys = "".join(f"{name} = {value}\n" for name, value in {"delay": "0.0", "per_host": "16", **options}.items())
    path.write_text(
        f'mode = "site"\nseeds = ["{site.url}"]\noutput = "{folder / "out"}"\n{keys}\n[watch]\n{watch}\n',
        encoding="utf-8",
    )
    return path


def teller(folder: Path) -> str:
    """A command that writes down what it is told, one JSON object a call."""
    script = folder / "teller.py"
    script.write_text(
        "import json, os, sys\n"
        "told = {'lines': [json.loads(line) for line in sys.stdin],\n"
        "        'counts': {name: value for name, value in os.environ.items() if name.startswith('DOWSE_')}}\n"
        f"open({str(folder / 'told.jsonl')!r}, 'a').write(json.dumps(told) + '\\n')\n",
        encoding="utf-8",
    )
    return f"python3 {script}"


def told(folder: Path) -> list[dict[str, Any]]:
    path = folder / "told.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def news(site: Site) -> None:
    """A site whose list gets a new page whenever somebody looks."""
    number = count()

    def front(_request: Request) -> str:
        return links(*(f"/{page}" for page in range(next(number) + 1)))

    site.pages |= {"/": front, "/*": lambda request: f"<title>Page {request.path}</title><p>About {request.path}"}


def test_a_job_is_crawled_and_then_visited_again_and_changes_are_told_to_a_command(site: Site, tmp_path: Path) -> None:
    news(site)
    path = job_file(tmp_path, site, f'every = "1s"\nnotify_command = "{teller(tmp_path)}"\nonly_kinds = ["added"]')
    with running("watch", path) as watch:
        wait_until(lambda: len(told(tmp_path)) >= 2)
        watch.signal_all(signal.SIGINT)
        ended = watch.ended()
    assert ended.code == 130
    assert "Traceback" not in ended.err
    first, *later = ended.out.splitlines()
    assert "out: first crawl, " in first
    assert "requests, 1 added, 1 changed; next run " in later[0]
    assert len(later[0]) <= 100
    messages = told(tmp_path)
    assert messages[0]["counts"]["DOWSE_ADDED"] == "1"
    assert messages[0]["counts"]["DOWSE_CHANGED"] == "0", "the filter"
    urls = [line["url"] for message in messages for line in message["lines"]]
    assert len(set(urls)) == len(urls)
    assert set(messages[0]["lines"][0]) == {"kind", "what", "url", "title", "at", "before", "after"}


def test_nothing_that_a_page_says_is_run(site: Site, tmp_path: Path) -> None:
    evil = f"$(touch {tmp_path}/run)`touch {tmp_path}/run`';touch {tmp_path}/run;'\n"
    site.pages |= {"/": links("/a"), "/a": "<p>Fish"}
    crawl(tmp_path / "out", site.url)
    site.pages["/a"] = f"<title>{evil}</title><p>{evil}"
    options = ("--notify-command", teller(tmp_path), "--once")
    assert dowse("watch", tmp_path / "out", *options).code == 0
    assert "touch" in told(tmp_path)[0]["lines"][0]["title"]
    assert not (tmp_path / "run").exists()
    assert not [value for value in told(tmp_path)[0]["counts"].values() if "touch" in value]


def test_a_run_has_a_budget(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links(*(f"/{number}" for number in range(40))), "/*": lambda request: f"<p>{request.path}"}
    crawl(tmp_path / "out", site.url)
    before = len(site.asked())
    assert dowse("watch", tmp_path / "out", "--once", "--budget", "7").code == 0
    assert 0 < len(site.asked()) - before <= 7


def test_words_are_looked_for_in_the_text_that_changed(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<p>Whales are large<p>Fish", "/b": "<p>Boats"}
    crawl(tmp_path / "out", site.url)
    site.pages |= {
        "/": links("/a", "/b", "/c"),
        "/a": "<p>Whales are large<p>Fish and nets",
        "/b": "<p>Boats and whales",
        "/c": "<title>New</title><p>A page about Whales",
    }
    words = ("--only-words", "whales", "--notify-command", teller(tmp_path))
    assert dowse("watch", tmp_path / "out", "--once", *words).code == 0
    (message,) = told(tmp_path)
    assert sorted((line["kind"], line["url"][-2:]) for line in message["lines"]) == [("added", "/c"), ("changed", "/b")]


def test_changes_from_before_the_first_watch_are_not_told_and_those_between_two_are(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "out"

    def changed(text: str) -> None:
        site.pages["/"] = f"<p>{text}"
        app.recrawl(folder, **FAST)

    site.pages["/"] = "<p>Fish"
    crawl(folder, site.url)
    changed("Nets")
    once = ("watch", folder, "--once", "--notify-command", teller(tmp_path))
    assert dowse(*once).code == 0
    assert told(tmp_path) == []
    changed("Boats")
    assert dowse(*once).code == 0
    assert [message["counts"]["DOWSE_CHANGES"] for message in told(tmp_path)] == ["1"]


def test_a_webhook_that_fails_twice_gets_it_a_third_time_and_never_again(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": "<p>Fish"})
    hook = serve({"/hook": lambda request: Reply(status=503 if request.visit < 2 else 204)})
    crawl(tmp_path / "out", site.url)
    site.pages["/"] = "<p>Fish and nets"
    (tmp_path / "key").write_text("a secret key\n", encoding="utf-8")
    key = f"file:{tmp_path / 'key'}"
    options = ("--every", "2s", "--notify-webhook", hook.at("127.0.0.1", "/hook"), "--webhook-key", key)
    with running("watch", tmp_path / "out", *options) as watch:
        wait_until(lambda: len(hook.log) >= 3, 30)
        time.sleep(2.5)
        watch.signal_all(signal.SIGTERM)
        ended = watch.ended()
    assert "webhook not notified yet: 127.0.0.1 answered 503; attempt 2 in 1 s" in ended.err
    requests = hook.asked()
    assert len(requests) == 3
    assert len({request.headers["webhook-id"] for request in requests}) == 1
    for request in requests:
        name, date = request.headers["webhook-id"], request.headers["webhook-timestamp"]
        digest = hmac.new(b"a secret key", f"{name}.{date}.".encode() + request.body, sha256).digest()
        assert request.headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    body = json.loads(requests[-1].body)
    assert (body["counts"], body["changes"][0]["url"]) == ({"changed": 1}, site.url)
    assert (body["changes"][0]["before"], body["changes"][0]["after"]) == ("Fish", "Fish and nets")
    assert b"a secret key" not in (tmp_path / "out" / "watch.db").read_bytes()


def test_two_watches_on_one_folder_are_one_too_many(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<p>Fish"
    crawl(tmp_path / "out", site.url)
    with running("watch", tmp_path / "out", "--every", "1h"):
        wait_until(lambda: len(site.asked()) > 1)
        second = dowse("watch", tmp_path / "out", "--every", "1h")
    assert second.code == 3
    assert f"another dowse watch has {tmp_path / 'out'}; stop that one first" in second.err


def test_a_crawl_that_somebody_else_runs_is_left_alone(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": "<p>Fish"}
    folder = tmp_path / "out"
    crawl(folder, site.url)
    asked = len(site.log)
    with lock(folder):
        found = dowse("watch", folder, "--once")
    assert (found.code, len(site.log)) == (1, asked)
    assert "another process is running the crawl" in found.err


def test_many_jobs_are_run_one_after_the_other(serve: Serve, tmp_path: Path) -> None:
    sites = [serve({"/": f"<p>Site {number}"}) for number in range(3)]
    folders = [tmp_path / f"out{number}" for number in range(3)]
    for site, folder in zip(sites, folders, strict=True):
        crawl(folder, site.url)
    with running("watch", *folders, "--every", "1s") as watch:
        wait_until(lambda: min(site.paths().count("/") for site in sites) >= 3)
        watch.signal_all(signal.SIGINT)
        ended = watch.ended()
    assert all(f"/{folder.name}: " in ended.out for folder in folders)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_of_a_run_it_goes_on_there(site: Site, tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "out"
    site.pages |= {"/": links(*(f"/{page}" for page in range(60))), "/*": lambda request: f"<p>{request.path}"}
    crawl(folder, site.url)
    already = len(site.asked())
    site.latency = 0.1
    with running("watch", folder, "--every", "1h") as watch:
        wait_until(lambda: len(site.asked()) >= already + 10)
        watch.signal_all(number)
        ended = watch.ended()
    assert (ended.code, ended.err.splitlines()[-1]) == (130, "stopped; dowse watch goes on where it was")
    seen = len(site.asked())
    assert seen < already + 61
    site.latency = 0.0
    with running("watch", folder, "--every", "1h") as watch:
        line = watch.process.stdout.readline() if watch.process.stdout else ""
        watch.signal_all(signal.SIGINT)
    assert ": went on, " in line
    assert len(site.asked()) == already + 61, "nothing twice"
    opened(folder)


def test_the_section_of_a_job_file_has_the_words_of_the_options(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = "<p>Fish"
    path = job_file(tmp_path, site, 'every = "6h"\ntimezone = "Europe/Berlin"')
    assert load_job(path).seeds == (site.url,), "dowse run takes it too"
    said = invoke(capsys, "watch", path)
    assert (said.code, "--timezone: only for cron expressions" in said.err) == (2, True)
    printed = invoke(capsys, "watch", path, "--every", "12h", "--print-cron")
    assert printed.out.startswith("0 */12 * * * "), "another schedule than that of the file"
    said = invoke(capsys, "watch", path, "--cron", "0 25 * * *")
    assert (said.code, "--cron: '0 25 * * *' is no cron expression (bad hour)" in said.err) == (2, True)
    for section, complaint in (
        ('evry = "6h"', "unknown key evry in [watch]; did you mean every?"),
        ('every = "often"', "every: expected a span of time such as 30m, 6h, 1h30m or 7d, got 'often'"),
        ('every = "1h"\nwebhook_key = "hunter2"\nnotify_webhook = "http://127.0.0.1/"', "webhook_key: expected where"),
    ):
        path = job_file(tmp_path, site, section)
        for command in ("watch", "run"):
            said = invoke(capsys, command, path)
            assert said.code == 2
            assert complaint in said.err
            assert "hunter2" not in said.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nowhere", "--every", "1h"), 3, "there is no crawl in nowhere"),
        (("nowhere.toml", "--every", "1h"), 2, "nowhere.toml: No such file"),
        (("OUT",), 2, "--every and --cron: give --every 6h"),
        (("OUT", "--every", "1h", "--cron", "0 6 * * *"), 2, "--every and --cron: only one of them"),
        (("OUT", "OUT", "--every", "1h"), 2, "is named twice"),
        (("OUT", "--every", "1h", "--webhook-key", "env:KEY"), 2, "--webhook-key: of no use without notify_webhook"),
        (("OUT", "--every", "1h", "--notify-command", "'"), 2, "--notify-command: "),
        (
            ("OUT", "--every", "1h", "--notify-webhook", "http://127.0.0.1:9/", "--webhook-key", "env:NO_SUCH_KEY"),
            2,
            "the environment variable NO_SUCH_KEY, for the key of the webhook, is not set",
        ),
        (("OUT", "--every", "1h", "--only-urls", "("), 2, "--only-urls: "),
        (("OUT", "--every", "1h", "--smtp", "mail.example.org"), 2, "--smtp: expected smtp://USER@HOST:PORT"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_run(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    site.pages["/"] = "<p>Fish"
    crawl(tmp_path / "out", site.url)
    asked = len(site.log)
    found = invoke(capsys, "watch", *(str(tmp_path / "out") if word == "OUT" else word for word in words))
    assert (found.code, len(site.log)) == (code, asked)
    assert said in found.err
