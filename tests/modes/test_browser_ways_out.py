"""Nothing that a page does gets past robots.txt, the address guard and the user's trust, in whatever way it is sent."""

from __future__ import annotations

import shutil
import socket
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dowse.fetch import chromium_flags
from dowse.fetch.chromium import find_chromium
from tests.conftest import Certificates
from tests.crawling import crawl, links, paths
from tests.proxies import UserProxy
from tests.servers import Reply, Request, Site
from tests.ways_out import ways_out

FORBIDDING = Reply("User-agent: *\nDisallow: /no/\n", headers={"Content-Type": "text/plain"})
ANYTHING = Reply("/* x */", headers={"Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*"})
BROWSERS = sorted({str(path) for path in (find_chromium(), shutil.which("chromium")) if path})


@contextmanager
def datagrams(port: int) -> Iterator[list[bytes]]:
    """What comes by UDP, where it does not go through any proxy."""
    came: list[bytes] = []
    done = threading.Event()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", port))
        receiver.settimeout(0.1)

        def listen() -> None:
            while not done.is_set():
                try:
                    came.append(receiver.recv(2000))
                except TimeoutError:
                    continue

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield came
        finally:
            done.set()
            thread.join()


def put_ways(site: Site, base: str) -> dict[str, str]:
    ways = ways_out(base)
    frame = "<img src=/no/frame-image><script>fetch('/no/frame-fetch'); new Image().src = '/no/frame-new'</script>"
    site.pages |= {"/robots.txt": FORBIDDING, "/no/*": ANYTHING, "/ok/frame": frame, "/ok/*": "ok", "/x.png": "x"}
    site.pages["/"] = links(*(f"/page/{number}" for number in range(len(ways))))
    for number, (kind, markup) in enumerate(ways.items()):
        page = f"<!doctype html><title>{kind}</title><body>{markup}<script>fetch('/ok/{number}')</script>"
        rules = {"Content-Type": "text/html", "Speculation-Rules": '"/no/rules"', "Link": "</no/link>; rel=prefetch"}
        site.pages[f"/page/{number}"] = Reply(page, headers=rules)
    return ways


@pytest.mark.timeout(180)
@pytest.mark.parametrize("images", [False, True], ids=["", "images"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_robots_holds_for_every_way_out_of_a_page(
    site: Site, tmp_path: Path, browser: str, images: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOWSE_CHROMIUM", browser)
    ways = put_ways(site, site.url.rstrip("/"))
    with datagrams(site.port) as came:
        crawl(tmp_path, site.url, fetch="browser", depth=1, images=images, page_time=4.0, tabs=4)
    assert [path for path in site.paths() if path.startswith("/no/")] == []
    assert came == []
    assert {path for path in site.paths() if path.startswith("/ok/")} >= {
        f"/ok/{number}" for number in range(len(ways))
    }


@pytest.mark.timeout(180)
@pytest.mark.parametrize("through", ["", "http", "socks5h"])
def test_the_address_guard_holds_for_every_way_out_of_a_page(site: Site, tmp_path: Path, through: str) -> None:
    with (
        Site({"*": ANYTHING}, ("127.0.0.1", "127.0.0.2")) as inner,
        UserProxy() as proxy,
        datagrams(inner.port) as came,
    ):
        put_ways(site, inner.at("127.0.0.2").rstrip("/"))
        more = ways_out(inner.at("localhost").rstrip("/"))
        for number, markup in enumerate(more.values()):
            site.pages[f"/more/{number}"] = f"<body>{markup}<script>fetch('/ok/more/{number}')</script>"
        site.pages["/"] = str(site.pages["/"]) + links(*(f"/more/{number}" for number in range(len(more))))
        asked = f"{through}://127.0.0.1:{proxy.port}" if through else ""
        crawl(tmp_path, site.url, fetch="browser", depth=1, robots="ignore", page_time=4.0, tabs=4, proxy=asked)
        assert inner.log == []
        assert came == []
        assert [line for line in proxy.asked if str(inner.port) in line] == []
    assert "/ok/more/0" in site.paths()


@pytest.mark.timeout(120)
def test_what_no_tab_let_through_is_refused_where_a_feature_is_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layers hold one without the other: here the browser has all that it comes with."""
    kept = [
        flag
        for flag in chromium_flags._FLAGS
        if not flag.startswith(("--disable-features", "--disable-shared", "--block"))
    ]
    monkeypatch.setattr(chromium_flags, "_FLAGS", tuple(kept))
    with Site({"/robots.txt": FORBIDDING, "*": ANYTHING}) as other:
        there = other.url.rstrip("/")
        ways = ways_out(there)
        site.pages["/"] = links(*(f"/page/{number}" for number in range(len(ways))))
        site.pages |= {f"/page/{number}": f"<body>{markup}" for number, markup in enumerate(ways.values())}
        site.pages["*"] = "ok"
        crawl(tmp_path, site.url, fetch="browser", depth=1, page_time=4.0, tabs=4, allow_private=True)
        assert other.paths() == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("scheme", ["http", "socks4a", "socks5", "socks5h"])
def test_pages_are_rendered_through_the_proxy_of_the_user(tmp_path: Path, site: Site, scheme: str) -> None:
    word = "me:it's" if scheme in ("http", "socks5h") else ""
    site.pages |= {
        "/": "<script>fetch('/api', {method: 'POST', body: 'abc'}).then(answer => answer.text()).then(text => "
        "document.body.innerHTML += `<a href=${text}>x</a>`)</script>",
        "/api": lambda request: Reply(f"/{request.body.decode()}", headers={"Content-Type": "text/plain"}),
        "/abc": "<p>found",
    }
    # Proxies for HTTP often give no tunnel to where plain HTTP is spoken.
    known = b64encode(word.encode()).decode() if scheme == "http" else word
    with UserProxy(tunnels=scheme != "http", password=known) as proxy:
        host = "127.0.0.1" if scheme == "socks5" else "shop.test"
        who = "me:it%27s@" if word else ""
        found = crawl(
            tmp_path, site.at(host), fetch="browser", proxy=f"{scheme}://{who}127.0.0.1:{proxy.port}", page_time=10.0
        )
        assert paths(found) == ["/", "/abc"]
        assert {line.removeprefix("SOCKS ") for line in proxy.asked} >= (
            {f"POST {site.at(host, '/api')}"} if scheme == "http" else {f"{host}:{site.port}"}
        )


@pytest.mark.timeout(120)
def test_a_tunnel_for_https_is_asked_of_the_proxy(tmp_path: Path, certificates: Certificates) -> None:
    with Site(tls=certificates.server("shop.test")) as site, UserProxy() as proxy:
        site.pages |= {"/": "<script>fetch('/api')</script>", "/api": "{}"}
        address = f"http://127.0.0.1:{proxy.port}"
        crawl(tmp_path, site.at("shop.test"), fetch="browser", proxy=address, verify_tls=False, page_time=10.0)
        assert site.paths() == ["/", "/api"]
        assert set(proxy.asked) == {f"CONNECT shop.test:{site.port}"}


def test_pages_of_other_hosts_do_nothing_in_the_name_of_the_user(site: Site, tmp_path: Path) -> None:
    with Site() as other:
        forged = f"fetch('{site.url}forged', {{method: 'POST', mode: 'no-cors', body: 'x'}})"
        other.pages |= {
            "/": f"<script>{forged}; fetch('/by-way-of')</script><img src='{site.url}picture'>",
            "/by-way-of": Reply(status=307, headers={"Location": f"{site.url}led", "Access-Control-Allow-Origin": "*"}),
        }
        site.pages |= {
            "/": f"<a href='{other.url}'>x</a><script>fetch('/own'); fetch('/to-other', {{mode: 'no-cors'}});"
            f"fetch('{other.url}by-way-of', {{mode: 'no-cors'}})</script>",
            "/to-other": Reply(status=302, headers={"Location": f"{other.url}taken"}),
            "*": ANYTHING,
        }
        crawl(
            tmp_path, site.url, fetch="browser", scope="any", header=("X-Key: k", "Accept-Language: de"),
            auth="me:pass", allow_private=True, images=True, max_pages=3,
        )  # fmt: skip
        assert {"/forged", "/picture", "/led", "/own"} <= set(site.paths())
        trusted = {request.path for request in site.asked() if _has_secrets(request)}
        assert trusted == {"/", "/own", "/to-other"}
        assert not [request.path for request in other.asked() if _has_secrets(request)]
        assert all(request.headers["accept-language"] == "de" for request in site.asked())


def _has_secrets(request: Request) -> bool:
    return "x-key" in request.headers or "authorization" in request.headers


@pytest.mark.timeout(120)
def test_a_page_that_is_left_does_nothing_in_the_name_of_the_next(site: Site, tmp_path: Path) -> None:
    with Site() as other:
        post = f"fetch('{site.url}forged', {{method: 'POST', mode: 'no-cors', keepalive: true, body: 'x'}})"
        for number in range(6):
            other.pages[f"/{number}"] = f"<p>{number}<script>addEventListener('pagehide', () => {post})</script>"
            site.pages[f"/{number}"] = f"<p>own {number}"
        mixed = [one.at("127.0.0.1", f"/{number}") for number in range(6) for one in (other, site)]
        site.pages |= {"/": links(*mixed), "/forged": ANYTHING}
        crawl(
            tmp_path, site.url, fetch="browser", scope="any", header=("X-Key: k",), auth="me:pass", tabs=1,
            allow_private=True, concurrency=4,
        )  # fmt: skip
        assert len(set(other.paths())) == 6
        assert not [request for request in site.asked() if request.path == "/forged" and _has_secrets(request)]
