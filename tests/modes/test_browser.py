"""Crawls with a real browser: what scripts make of pages is read, within the same rules as everywhere."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import dowse
from dowse.cli.main import main
from dowse.core.rendered_pages import RENDERED
from dowse.fetch import tab_pool
from dowse.store.folder import BODIES
from dowse.store.warc.body_reader import BodyReader
from tests.conftest import Certificates
from tests.crawling import crawl, links, path_of, paths, reasons, states
from tests.hostile import redirect
from tests.servers import Reply, Request, Site

SHELL = "<!doctype html><title>app</title><div id=root></div><img src=/logo.png><script src=/app.js></script>"
APP = """
fetch('/api' + location.pathname).then(answer => answer.json()).then(hrefs => {
  document.title = 'at ' + location.pathname;
  root.innerHTML = hrefs.map(href => `<a href="${href}">to ${href}</a>`).join('');
});
"""


def script(text: str) -> Reply:
    return Reply(text, headers={"Content-Type": "text/javascript", "Cache-Control": "max-age=3600"})


def data(value: object) -> Reply:
    return Reply(json.dumps(value), headers={"Content-Type": "application/json"})


def app_site(site: Site, pages: dict[str, list[str]]) -> None:
    """Pages that are all the same document, and show their links only when its script has run."""
    site.pages["/app.js"] = script(APP)
    for path, hrefs in pages.items():
        site.pages[path] = SHELL
        site.pages[f"/api{path}"] = data(hrefs)


def test_a_site_made_by_scripts_is_crawled_whole(site: Site, tmp_path: Path) -> None:
    app_site(site, {"/": ["/a", "/b"], "/a": ["/c"], "/b": ["/"], "/c": ["/private/x"]})
    site.pages["/robots.txt"] = Reply("User-agent: *\nDisallow: /private", headers={"Content-Type": "text/plain"})
    plain = crawl(tmp_path / "http", site.url)
    assert paths(plain) == ["/"]
    site.log.clear()
    found = crawl(tmp_path / "browser", site.url, fetch="browser")
    assert set(paths(found)) == {"/", "/a", "/b", "/c"}
    assert states(found)["/private/x"] == "robots"
    asked = Counter(site.paths())
    assert {path: asked[path] for path in ("/", "/a", "/b", "/c", "/api/", "/api/c")} == dict.fromkeys(
        ("/", "/a", "/b", "/c", "/api/", "/api/c"), 1
    )
    assert "/logo.png" not in asked
    assert {row["title"] for row in found.pages} == {"at /", "at /a", "at /b", "at /c"}
    with BodyReader(tmp_path / "browser" / BODIES) as bodies:
        kept = {path_of(row["url"]): bodies.read(row["body"]) for row in found.bodies}
    assert b'<a href="/c">to /c</a>' in kept["/a"].body
    assert kept["/a"].headers[RENDERED].startswith("chromium/")
    assert kept["/a"].headers["content-type"] == "text/html; charset=utf-8"


def test_requests_of_a_page_obey_robots_and_the_address_guard(site: Site, tmp_path: Path) -> None:
    site.pages["/robots.txt"] = Reply("User-agent: *\nDisallow: /api/secret", headers={"Content-Type": "text/plain"})
    with Site({"*": "hidden", "/robots.txt": Reply(status=404)}, ("127.0.0.1", "127.0.0.2")) as inner:
        tries = [
            "/api/secret", "/api/open", inner.at("127.0.0.2", "/number"), inner.at("localhost", "/name"),
            f"http://[::ffff:127.0.0.2]:{inner.port}/mapped",
        ]  # fmt: skip
        site.pages["/"] = (
            f"<script>for (const url of {json.dumps(tries)}) fetch(url, {{mode: 'no-cors'}}).catch(() => 0);"
            f"new WebSocket('ws://localhost:{inner.port}/socket')</script>"
            f"<iframe src='{inner.at('127.0.0.2', '/frame')}'></iframe><img src='{inner.at('127.0.0.2', '/image')}'>"
        )
        site.pages["/api/open"] = data([])
        found = crawl(tmp_path, site.url, fetch="browser", depth=0)
        assert paths(found) == ["/"]
        assert inner.paths() == []
    assert sorted(site.paths()) == ["/", "/api/open"]


def test_redirects_and_downloads_are_what_they_are_without_a_browser(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": links("/moved", "/away", "/file", "/gone"),
        "/moved": redirect("/here"),
        "/here": SHELL,
        "/app.js": script("root.innerHTML = '<a href=/found>found</a>'"),
        "/found": "last",
        "/away": redirect(site.at("127.0.0.2", "/")),
        "/file": Reply(
            "<script src=/error.js></script>", headers={"Content-Disposition": "attachment; filename=a.html"}
        ),
        "/gone": Reply("<script src=/error.js></script>", status=410),
    }
    found = crawl(tmp_path, site.url, fetch="browser")
    assert {path: reasons(found)[path] for path in ("/moved", "/here", "/gone")} == {
        "/moved": "redirect", "/here": "", "/gone": "http 410",
    }  # fmt: skip
    assert "/found" in paths(found)
    away = next(row for row in found.ledger if "127.0.0.2" in row["url"])
    assert away["state"] == "out_of_scope"
    assert "/error.js" not in site.paths()
    with BodyReader(tmp_path / BODIES) as bodies:
        rendered = {path_of(row["url"]): RENDERED in bodies.read(row["body"]).headers for row in found.bodies}
    assert rendered == {"/": True, "/moved": False, "/here": True, "/found": True, "/away": False, "/file": False,
                        "/gone": False, "/robots.txt": False}  # fmt: skip


def test_one_set_of_cookies_for_servers_and_scripts(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": redirect("/start"),
        "/start": Reply("<script>document.cookie = 'written=2'; fetch('/api')</script><a href=/next>x</a>"),
        "/api": Reply("{}", headers={"Set-Cookie": "fetched=3; HttpOnly", "Content-Type": "application/json"}),
        "/next": "<p>here</p>",
    }
    site.pages["/"] = Reply(status=302, headers={"Location": "/start", "Set-Cookie": "sent=1; Path=/"})
    crawl(tmp_path, site.url, fetch="browser")
    cookies = {
        request.path: set(filter(None, request.headers.get("cookie", "").split("; "))) for request in site.asked()
    }
    assert cookies == {"/": set(), "/start": {"sent=1"}, "/api": {"sent=1", "written=2"},
                       "/next": {"sent=1", "written=2", "fetched=3"}}  # fmt: skip


def test_links_that_only_a_browser_sees(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = """<body><div id=host></div><iframe srcdoc="<a href='/in-frame'>f</a>"></iframe><script>
        const root = host.attachShadow({mode: 'open'});
        root.innerHTML = '<a href=/in-component>c</a><div id=deeper></div>';
        root.getElementById('deeper').attachShadow({mode: 'open'}).innerHTML = '<a href=/deep-inside>c</a>';
        window.open('/window');
        history.pushState({}, '', '/route');
        const link = document.createElement('a');
        link.href = '/tab'; link.target = '_blank'; document.body.append(link); link.click(); link.remove();
        setTimeout(() => { location.href = '/left-for' }, 50);
    </script>"""
    found = crawl(tmp_path, site.url, fetch="browser", depth=0)
    noted = set(reasons(found)) - {"/"}
    assert noted >= {"/in-frame", "/in-component", "/deep-inside", "/window", "/route", "/left-for"}
    assert site.paths() == ["/"]


@pytest.mark.parametrize(("options", "path"), [({}, "/early"), ({"ready": "a.late"}, "/late")])
def test_ready_when_quiet_or_when_a_selector_is_there(
    site: Site, tmp_path: Path, options: dict[str, str], path: str
) -> None:
    add = "document.body.innerHTML += '<a class=late href=/late>x</a>'"
    site.pages["/"] = f"<body><a href=/early>x</a><script>setTimeout(() => {{ {add} }}, 800)</script>"
    found = crawl(tmp_path, site.url, fetch="browser", depth=0, **options)
    assert path in reasons(found)
    assert ("/late" in reasons(found)) == (path == "/late")


def test_a_selector_that_only_the_browser_can_refuse_is_named(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<p>x"
    found = crawl(tmp_path, site.url, fetch="browser", ready="a:nosuch", retries=0)
    (row,) = found.ledger
    assert (row["state"], row["reason"]) == ("failed", "internal")
    assert "ready: 'a:nosuch'" in row["detail"]


def test_headers_and_password_go_to_the_seed_only(site: Site, tmp_path: Path) -> None:
    with Site({"*": data([])}) as other:
        site.pages |= {"/": f"<script>fetch('/api'); fetch('{other.url}')</script>", "/api": data([])}
        crawl(tmp_path, site.url, fetch="browser", header=("X-Key: k",), auth="me:pass", allow_private=True)
        sent = {request.path: request.headers for request in site.asked()}
        assert {path: (headers.get("x-key"), headers.get("authorization")) for path, headers in sent.items()} == {
            "/": ("k", "Basic bWU6cGFzcw=="), "/api": ("k", "Basic bWU6cGFzcw=="),
        }  # fmt: skip
        (foreign,) = other.asked()
        assert "x-key" not in foreign.headers
        assert "authorization" not in foreign.headers
        assert foreign.headers["user-agent"].startswith("dowse/")


def test_tabs_and_browsers_are_replaced_on_the_way(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_pool, "TAB_PAGES", 3)
    monkeypatch.setattr(tab_pool, "BROWSER_PAGES", 8)
    app_site(site, {"/": [f"/{number}" for number in range(20)]} | {f"/{number}": [] for number in range(20)})
    remember = "localStorage.visits = Number(localStorage.visits || 0) + 1; document.title = localStorage.visits;"
    site.pages["/app.js"] = script(APP.replace("document.title = 'at ' + location.pathname;", remember))
    found = crawl(tmp_path, site.url, fetch="browser", tabs=2, dedup="off")
    assert len(paths(found)) == 21
    # What pages stored goes on to the next browser, as far as no page was under way when the last one ended.
    assert max(int(row["title"]) for row in found.pages) > 8


def test_several_processes_render(site: Site, tmp_path: Path) -> None:
    app_site(site, {"/": ["/a", "/b", "/c"], "/a": ["/d"], "/b": [], "/c": [], "/d": []})
    found = crawl(tmp_path, site.url, fetch="browser", workers=2, dedup="off")
    assert set(paths(found)) == {"/", "/a", "/b", "/c", "/d"}


def test_an_untrusted_certificate_is_a_failure_unless_nobody_checks(tmp_path: Path, certificates: Certificates) -> None:
    with Site(tls=certificates.server()) as site:
        app_site(site, {"/": ["/a"], "/a": []})
        refused = crawl(tmp_path / "checked", site.url, fetch="browser", retries=0)
        assert reasons(refused) == {"/": "tls"}
        found = crawl(tmp_path / "unchecked", site.url, fetch="browser", verify_tls=False)
        assert set(paths(found)) == {"/", "/a"}


def test_nothing_of_the_page_is_asked_for_twice_when_it_is_visited_again(site: Site, tmp_path: Path) -> None:
    def page(request: Request) -> Reply:
        assert "if-none-match" not in request.headers
        return Reply(SHELL, headers={"ETag": '"same"'})

    from dowse import app

    app_site(site, {"/": []})
    site.pages["/"] = page
    crawl(tmp_path, site.url, fetch="browser")
    site.pages["/api/"] = data(["/new"])
    app.recrawl(tmp_path)
    assert "/new" in site.paths()


def test_one_page_is_printed_saved_and_pictured(
    site: Site, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    app_site(site, {"/": ["/a"]})
    site.pages["/old"] = redirect("/")
    assert main(["fetch", site.at("127.0.0.1", "/old"), "--fetch", "browser"]) == 0
    assert b'<a href="/a">to /a</a>' in capfdbinary.readouterr().out
    assert main(["fetch", site.url]) == 0
    assert capfdbinary.readouterr().out == SHELL.encode()
    picture, page = tmp_path / "page.png", tmp_path / "page.html"
    assert main(["fetch", site.url, "--screenshot", str(picture), "-f", str(page)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert b"to /a" in page.read_bytes()
    assert "/logo.png" in site.paths()
    assert main(["fetch", site.at("127.0.0.1", "/none")]) == 1
    assert b"status 404" in capfdbinary.readouterr().err


def test_rules_apply_to_what_scripts_have_made(site: Site, tmp_path: Path) -> None:
    app_site(site, {"/": ["/feed/1", "/about"], "/feed/1": ["/watch/1", "/watch/2", "/help"]})
    table = tmp_path / "videos.csv"
    table.write_text(
        "baseURL,ruleType,fromType,toType,pattern,id,class,tag\n"
        f"{site.url},follow,base,topLevel,/feed/,root,all,all\n"
        f"{site.url},keep,topLevel,,watch,root,all,all\n"
    )
    found = dowse.rules(str(table), output=str(tmp_path / "crawl"), fetch="browser", delay=0.0, allow_private=True)
    assert sorted(path_of(link["url"]) for link in found.kept) == ["/watch/1", "/watch/2"]
    assert "/about" not in site.paths()
