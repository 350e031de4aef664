"""Bad input through the command line: a clear outcome, a bounded cost, and the rest of the crawl goes on."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from dowse.cli.summary_output import next_commands
from tests import hostile, manners
from tests.commands import invoke
from tests.crawling import links, opened, path_of, paths, reasons, states
from tests.processes import measured
from tests.servers import Page, Reply, Site

Capture = pytest.CaptureFixture[str]
FAST = ("--delay", "0", "--per-host", "64", "--retries", "0", "--timeout", "2", "--quiet")

PICTURE = Reply(b"\x89PNG\r\n\x1a\n" + bytes(100), headers={"Content-Type": "image/png"})
LONG_STATUS = Reply(b"HTTP/1.1 " + b"2" * 30 + b" OK\r\nContent-Length: 2\r\n\r\nhi", bare=True)


# The seed

SEEDS: dict[str, tuple[dict[str, Page], str]] = {
    # what is wrong with it: the site, and what is said of "/"
    "is silent": ({"/": hostile.silent()}, "/: failed, timeout, Operation timed out"),
    "is no HTTP": ({"/": hostile.not_http()}, "/: failed, protocol, "),
    "hangs up": ({"/": hostile.hang_up()}, "/: failed, protocol, "),
    "is missing": ({}, "/: failed, http 404"),
    "is a picture": ({"/": PICTURE}, "/: out of scope, media type image/png"),
    "is blocked by robots.txt": ({"/robots.txt": manners.ROBOTS["disallow all"]}, "/: refused by robots, Disallow: /"),
    "has a broken robots.txt": ({"/robots.txt": manners.ROBOTS["broken server"]}, "/: failed, http 500, robots.txt "),
    "never ends its headers": ({"/": hostile.endless_headers()}, "/: failed, too_large, headers over 256,000 bytes"),
    "redirects to itself": ({"/": hostile.redirect("/")}, "/: failed, redirect loop"),
    "redirects without end": ({"/": hostile.redirect("/further/1"), **hostile.endless_redirects()},
                              "/further/10: failed, redirect 302, more than 10 redirects"),
    "redirects to a private place": ({"/": hostile.redirect("http://127.0.0.9/")}, "/: failed, blocked_address, "),
    "redirects to nowhere": ({"/": hostile.redirect("mailto:me@example.org")}, "/: failed, redirect 302, status 302 "),
}  # fmt: skip


@pytest.mark.parametrize(("pages", "said"), SEEDS.values(), ids=SEEDS.keys())
def test_a_seed_that_gives_no_page(
    site: Site, tmp_path: Path, capsys: Capture, pages: dict[str, Page], said: str
) -> None:
    site.pages.update(pages)
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "crawl", *FAST)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.startswith("dowse: error: no page could be fetched: http://127.0.0.")
    assert said in ended.err
    assert opened(tmp_path / "crawl").status().stop_reason == "complete"


def test_a_seed_that_is_too_large_is_not_to_be_asked_for_in_the_same_way(
    site: Site, tmp_path: Path, capsys: Capture
) -> None:
    site.pages["/"] = "x" * 500
    folder = tmp_path / "crawl"
    ended = invoke(capsys, "site", site.url, "-o", folder, "--max-body", "10", *FAST)
    assert (
        f"; allow more with: dowse retry {folder} --max-body BYTES, or take the first part of pages with --cut-body"
        in ended.err
    )
    assert "try again" not in ended.err
    assert invoke(capsys, "retry", folder, "--max-body", "1000", "--quiet").code == 0


def test_pages_that_are_too_large_are_offered_with_a_larger_bound(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages.update({"/": "<a href=/large>large</a>", "/large": "x" * 5_000})
    assert invoke(capsys, "site", site.url, "-o", tmp_path / "crawl", "--max-body", "1500", *FAST).code == 0
    found = opened(tmp_path / "crawl")
    assert f"dowse retry {tmp_path}/crawl --max-body 6000" in next_commands(found.status(), found, found.results())


def test_a_wrong_table_is_told_with_the_one_that_was_meant(tmp_path: Path, capsys: Capture) -> None:
    ended = invoke(capsys, "export", tmp_path, "page")
    assert ended.code == 2
    assert ended.err == "dowse: error: there is no table page; did you mean pages? (see dowse export --help)\n"
    other = invoke(capsys, "export", tmp_path, "zzzz").err
    assert other.count("ledger") == 1


def test_a_seed_where_nobody_listens(tmp_path: Path, capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    ended = invoke(capsys, "site", f"http://127.0.0.1:{port}/", "-o", tmp_path / "crawl", *FAST)
    assert ended.code == 1
    assert f"http://127.0.0.1:{port}/: failed, connect, " in ended.err


def test_one_bad_seed_does_not_spoil_the_others(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages.update({"/good": "good", "/bad": hostile.hang_up()})
    ended = invoke(capsys, "site", f"{site.url}bad", f"{site.url}good", "-o", tmp_path / "crawl", *FAST)
    assert (ended.code, ended.err) == (0, "")
    assert states(opened(tmp_path / "crawl")) == {"/bad": "failed", "/good": "fetched"}


def test_a_seed_that_is_plain_text_is_a_page(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages["/"] = Reply("just words", headers={"Content-Type": "text/plain"})
    assert invoke(capsys, "site", site.url, "-o", tmp_path / "crawl", *FAST).code == 0
    assert paths(opened(tmp_path / "crawl")) == ["/"]


# The job file


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("max_page = 5", "unknown key max_page; did you mean max_pages?"),
        ("robot = 'ignore'", "unknown key robot; did you mean robots?"),
        ("Delay = 1", "unknown key Delay; did you mean delay?"),
        ("zzz = 1", "unknown key zzz; see dowse run --help for the keys"),
        ("[limits]\nmax_pages = 5", "limits: a job file has no sections; write its keys without [limits]"),
        ("[a]\nx = 5\n[b]\ny = 1", "a, b: a job file has no sections; write its keys without [a] and [b]"),
        ("max_pages = 'five'", "max_pages: expected a whole number, got 'five'"),
        ("include = '('", "include"),
        ("max_pages = ", "not valid TOML"),
    ],
)
def test_a_job_file_that_is_wrong(site: Site, tmp_path: Path, capsys: Capture, line: str, said: str) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f'mode = "site"\nseeds = ["{site.url}"]\noutput = "{tmp_path}/crawl"\n{line}\n', encoding="utf-8")
    ended = invoke(capsys, "run", job)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith(f"dowse: error: {job}: ")
    assert said in ended.err
    assert (site.log, (tmp_path / "crawl").exists()) == ([], False)


# The pages

ENDLESS = hostile.Endless()
FINE = {f"/fine/{number}": f"<title>fine {number}</title>" for number in range(30)}
HARMFUL: dict[str, tuple[Page, str, str]] = {
    # the path: the page, the state and the reason it must end with
    "/silent": (hostile.silent(), "failed", "timeout"),
    "/drip": (hostile.drip(b"<p>drop" * 5000, 0.05), "failed", "timeout"),
    "/endless": (ENDLESS, "failed", "too_large"),
    "/bomb": (hostile.gzip_bomb(500), "failed", "too_large"),
    "/headers/endless": (hostile.endless_headers(), "failed", "too_large"),
    "/headers/flood": (hostile.header_flood(2000, 200), "failed", "too_large"),
    "/hang-up": (hostile.hang_up(), "failed", "protocol"),
    "/cut": (hostile.cut_off(b"<p>page</p>" * 100, 50), "failed", "protocol"),
    "/other-protocol": (hostile.not_http(), "failed", "protocol"),
    "/chunks": (hostile.bad_chunks(), "failed", "protocol"),
    "/too-short": (hostile.wrong_length(b"<p>abc", 100), "failed", "protocol"),
    "/too-long": (hostile.wrong_length(b"<p>abcdefg", 3), "fetched", ""),
    "/coding": (hostile.false_coding(b"<p>plain"), "failed", "protocol"),
    # no column of the store is wide enough for this number
    "/status": (LONG_STATUS, "failed", "protocol"),
    "/picture": (PICTURE, "out_of_scope", "media type image/png"),
    "/deep": (hostile.deep_nesting(200_000), "fetched", ""),
    "/many": (hostile.many_links(100_000), "fetched", ""),
    "/loop": (hostile.redirect("/loop"), "failed", "redirect loop"),
}


def test_harmful_pages_end_each_in_its_own_way_and_the_others_are_fetched(site: Site, tmp_path: Path) -> None:
    site.pages.update({path: page for path, (page, _, _) in HARMFUL.items()})
    site.pages.update({"/": links(*HARMFUL, *FINE), "/bottom": "the bottom of /deep", **FINE})
    ended = measured("site", site.url, "-o", tmp_path, *FAST, "--timeout", "8", "--exclude", "/many/")
    assert (ended.code, ended.err) == (0, "")
    found = opened(tmp_path)
    fates = {path: (state, reasons(found)[path]) for path, state in states(found).items() if path in HARMFUL}
    assert fates == {path: (state, reason) for path, (_, state, reason) in HARMFUL.items()}
    assert {*FINE, "/", "/bottom"} <= set(paths(found))
    assert found.status().stop_reason == "complete"
    # The cost: the largest body twice, and no more links than a page may have.
    assert ended.seconds < 15
    assert ended.megabytes < 400
    assert ENDLESS.sent < 40_000_000
    assert found.status().counts["out_of_scope"] < 30_000


@pytest.mark.parametrize("markup", hostile.MALFORMED.values(), ids=hostile.MALFORMED.keys())
def test_malformed_html_is_read_all_the_same(site: Site, tmp_path: Path, capsys: Capture, markup: str) -> None:
    site.pages.update({"/": markup, "/found": "found"})
    assert invoke(capsys, "site", site.url, "-o", tmp_path, *FAST).code == 0
    assert paths(opened(tmp_path)) == ["/", "/found"]


def test_broken_charsets_cost_nothing_but_their_letters(site: Site, tmp_path: Path, capsys: Capture) -> None:
    names = [f"/{number}" for number in range(len(hostile.BROKEN_CHARSETS))]
    site.pages.update({"/": links(*names), **dict(zip(names, hostile.BROKEN_CHARSETS.values(), strict=True))})
    assert invoke(capsys, "site", site.url, "-o", tmp_path, *FAST, "--dedup", "off").code == 0
    found = opened(tmp_path)
    assert sorted(paths(found)) == ["/", *names]
    export = invoke(capsys, "export", tmp_path, "pages", "--to", "jsonl")
    assert (export.code, export.out.count("\n")) == (0, len(names) + 1)


def test_text_that_no_table_likes_is_kept_or_mended(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages.update({
        "/": '<title>=1+1,"\n\u2028\0&#xD800;</title><a href="/a&#xD800;\0b">@x&#xDFFF;</a><a href="/c">\u202e</a>',
        "/c": Reply(b"\xff\xfe" + "<title>half".encode("utf-16-le") + b"\x00\xd8", headers={"ETag": "\xff\x80"}),
    })  # fmt: skip
    assert invoke(capsys, "site", site.url, "-o", tmp_path, *FAST).code == 0
    found = opened(tmp_path)
    assert [path_of(row["target"]) for row in found.links] == ["/a%EF%BF%BD%EF%BF%BDb", "/c"]
    assert [row["title"] for row in found.pages][1] == "half\ufffd"
    for table in ("pages", "links", "ledger"):
        for form in ("csv", "jsonl"):
            export = invoke(capsys, "export", tmp_path, table, "--to", form)
            assert export.code == 0
            assert "\n=" not in export.out
