"""Crawls whose workers are on a Ray cluster: the same pages, bodies and changes as on one machine."""

from __future__ import annotations

import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError, ExtraMissing, JobError, StoreFull
from dowse.core.job import Job
from dowse.engine.events import Event, Notice, Paused, Stopped
from dowse.pools import ray_cluster
from dowse.store.folder import ELSEWHERE
from dowse.store.warc.travelling_answers import BodiesHome
from tests.crawling import FAST, crawl, links, opened, states
from tests.processes import dowse, running, wait_until
from tests.servers import Reply, Request, Site

Serve = Callable[..., Site]

HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
FAR: dict[str, Any] = {"cluster": "local", "workers": 2, "dedup": "off"}
LONG = "<p>" + "the same words on many pages " * 40


@pytest.fixture
def web(serve: Serve) -> Site:
    """A small site under three addresses, with a robots.txt, mirrors, a redirect and a page that is not there."""
    site = serve(addresses=HOSTS)
    site.pages |= {
        "/robots.txt": Reply("User-agent: *\nDisallow: /secret\n", headers={"Content-Type": "text/plain"}),
        "/": links("/a", "/b", "/copy", "/copy2", "/moved", "/gone", "/secret"),
        "/a": "<title>A</title>" + "<p>a page" * 60,
        "/b": "<title>B</title>" + "<p>another" * 60,
        "/copy": LONG,
        "/copy2": LONG,
        "/moved": Reply(status=301, headers={"Location": "/a"}),
        "/gone": Reply("gone", status=404),
    }
    return site


def far_job(folder: Path, *seeds: str, **options: Any) -> Job:
    return make_job("site", seeds, output=str(folder), **{**FAST, **FAR, **options})


def seeds(site: Site) -> list[str]:
    return [site.at(host) for host in HOSTS]


@pytest.mark.usefixtures("ray_session")
def test_a_crawl_on_a_cluster_has_what_one_on_this_machine_has(web: Site, tmp_path: Path) -> None:
    events: list[Event] = []
    here = crawl(tmp_path / "here", *seeds(web), dedup="off")
    app.start(far_job(tmp_path / "far", *seeds(web)), events.append)
    far = opened(tmp_path / "far")
    rows = [{row["url"]: (row["state"], row["reason"]) for row in found.ledger} for found in (here, far)]
    assert rows[0] == rows[1]
    for found in (here, far):
        assert found.page(web.at(HOSTS[1], "/b")).html == web.pages["/b"]
        bodies = Counter((row["url"], row["status"]) for row in found.bodies)
        assert bodies[web.at(HOSTS[2], "/robots.txt"), 200] == 1
        assert len(bodies) == 3 * 8
    files = list((tmp_path / "far" / "warc").iterdir())
    assert len(files) == 1, "bodies are archived once, by one process"
    (place,) = [event.progress.cluster for event in events if isinstance(event, Stopped)]
    assert place is not None
    assert sum(place.nodes.values()) == 2


@pytest.mark.usefixtures("ray_session")
def test_a_recrawl_on_a_cluster_knows_the_earlier_versions(serve: Serve, tmp_path: Path) -> None:
    """They are in the archive at home, which no worker sees."""
    site = serve(
        {"/": links("/same", "/new", "/date", "/old"), "/same": LONG, "/old": Reply("old", headers={"ETag": "1"})}
    )
    site.pages |= {"/new": "<p>Fish and nets.", "/date": "<p>1,204 views<p>Boats"}
    crawl(tmp_path, site.url, **FAR)
    site.pages |= {"/new": "<p>Fish and large nets.", "/date": "<p>1,377 views<p>Boats"}
    site.pages["/old"] = lambda request: Reply(status=304 if request.headers.get("if-none-match") else 500)
    app.recrawl(tmp_path, **FAST)
    found = opened(tmp_path)
    assert [(change["kind"], change["url"]) for change in found.changes()] == [
        ("changed", site.at("127.0.0.1", "/new"))
    ]
    assert found.page(site.at("127.0.0.1", "/same")).html == LONG
    assert found.page(site.at("127.0.0.1", "/old")).html == "old"


@pytest.mark.usefixtures("ray_session")
def test_an_archive_that_cannot_be_written_ends_the_crawl_with_words(
    web: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(_home: BodiesHome, _answer: object) -> str:
        raise CrawlError("cannot write warc: Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(BodiesHome, "keep", keep)
        with pytest.raises(CrawlError, match="Read-only file system"):
            crawl(tmp_path, *seeds(web), **FAR)
    app.resume(tmp_path, **FAST)
    assert opened(tmp_path).page(web.at(HOSTS[0], "/a")).html == web.pages["/a"]


@pytest.mark.usefixtures("ray_session")
def test_bodies_at_a_place_that_all_machines_see(web: Site, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    found = crawl(tmp_path / "crawl", *seeds(web), **FAR, bodies_at=str(tmp_path / "shared"))
    assert not (tmp_path / "crawl" / "warc").exists()
    (folder,) = (tmp_path / "shared").iterdir()
    assert 1 <= len(list(folder.glob("*.warc.gz"))) <= 2, "each worker has its own file"
    assert found.page(web.at(HOSTS[0], "/a")).html == web.pages["/a"]
    assert dowse("export", tmp_path / "crawl", "bodies", "-f", tmp_path / "all.warc.gz").code == 0
    web.pages["/a"] = "<p>now it is another page"
    app.recrawl(tmp_path / "crawl", **FAST, cluster="", workers=1)
    assert opened(tmp_path / "crawl").page(web.at(HOSTS[0], "/a")).html == web.pages["/a"]
    assert not (tmp_path / "crawl" / "warc").exists(), "also without a cluster"
    with pytest.raises(JobError, match="bodies_at: cannot be changed"):
        app.resume(tmp_path / "crawl", bodies_at=str(tmp_path))
    (tmp_path / "crawl" / ELSEWHERE).write_text(str(tmp_path / "elsewhere"))
    with pytest.raises(CrawlError, match="leads out of its folder"):
        app.recrawl(tmp_path / "crawl", **FAST, cluster="", workers=1)
    (tmp_path / "crawl" / ELSEWHERE).write_text(str(tmp_path / "shared" / "unmounted"))
    with pytest.raises(CrawlError, match="it does not see the folder"):
        app.recrawl(tmp_path / "crawl", **FAST, **FAR)


@pytest.mark.usefixtures("ray_session")
def test_a_full_disk_pauses_a_crawl_on_a_cluster(web: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep, events, refused = BodiesHome.keep, list[Event](), 0

    def full_once(home: BodiesHome, answer: Any) -> str:
        nonlocal refused
        refused += 1
        if refused <= 2:
            raise StoreFull("cannot write warc: no room")
        return keep(home, answer)

    monkeypatch.setattr(BodiesHome, "keep", full_once)
    app.start(far_job(tmp_path, *seeds(web)), events.append)
    assert "cannot write warc: no room; waiting for room (make some, or stop with Ctrl-C)" in [
        event.reason for event in events if isinstance(event, Paused)
    ]
    assert opened(tmp_path).page(web.at(HOSTS[0], "/a")).html == web.pages["/a"]


@pytest.mark.usefixtures("ray_session")
def test_code_of_the_user_is_found_by_its_name(web: Site, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def keep(link):\n    return link.url.endswith('/a')\n")
    found = crawl(tmp_path / "crawl", web.url, **FAR, follow=f"{tmp_path}/shop.py:keep")
    assert states(found)["/a"] == "fetched"
    assert states(found)["/b"] == "out_of_scope"
    (tmp_path / "shop.py").unlink()
    with pytest.raises(JobError, match="there is no file"):
        app.recrawl(tmp_path / "crawl")


# What is wrong with a cluster


def test_a_folder_for_bodies_that_is_not_there_begins_no_crawl(web: Site, tmp_path: Path) -> None:
    with pytest.raises(JobError, match="there is no such folder"):
        crawl(tmp_path / "crawl", web.url, bodies_at=str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    found = crawl(tmp_path / "crawl", web.url, bodies_at=str(tmp_path / "shared"))
    assert found.page(web.at(HOSTS[0], "/a")).html == web.pages["/a"]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_a_cluster_that_cannot_be_reached(site: Site, tmp_path: Path) -> None:
    address = f"ray://127.0.0.1:{free_port()}"
    ended = dowse("site", site.url, "-o", tmp_path / "crawl", "--cluster", address)
    assert ended.code == 3
    assert f"no Ray cluster can be reached at {address}: Connection refused" in ended.err
    assert not (tmp_path / "crawl").exists(), "nothing was begun"


@pytest.mark.parametrize("address", ["head", "http://head:1", "ray://head", "ray://head:x", "head:6379/x"])
def test_an_address_that_is_none(site: Site, tmp_path: Path, address: str) -> None:
    with pytest.raises(JobError, match="cluster: expected a Ray cluster as ray://HEAD:10001"):
        crawl(tmp_path, site.url, cluster=address)


def test_ray_is_not_installed(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ExtraMissing, match=r"a cluster needs ray: pip install 'dowse-crawler\[ray\]'"):
        crawl(tmp_path, site.url, **FAR)


@pytest.mark.usefixtures("ray_session")
def test_nodes_with_a_browser_render_pages(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<body><script>document.body.innerHTML = '<a href=/b>b</a>'</script>", "/b": "<title>B</title>"}
    found = crawl(tmp_path, site.url, **FAR | {"workers": 1}, fetch="browser", sitemaps=False)
    assert states(found) == {"/": "fetched", "/b": "fetched"}


@pytest.mark.usefixtures("ray_session")
def test_no_node_has_a_browser(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "CHROMIUM", "chromium-of-the-future")
    with pytest.raises(CrawlError, match="none says that it has one; start those that do with ray start --resources="):
        crawl(tmp_path, site.url, **FAR, fetch="browser")


@pytest.mark.usefixtures("ray_session")
def test_the_variable_names_a_cluster_for_several_workers(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "local")
    site.pages["/"] = "one page"
    events: list[Event] = []
    for workers in (1, 2):
        app.start(make_job("site", site.url, output=str(tmp_path / str(workers)), workers=workers), events.append)
        told = [event.text for event in events if isinstance(event, Notice) and "RAY_ADDRESS" in event.text]
        assert len(told) == workers - 1, "one worker is this process"


# By hand, with a cluster of its own


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_crawl_and_its_cluster(serve: Serve, tmp_path: Path, number: signal.Signals) -> None:
    """It goes to all processes, those of Ray too: only the first of them heeds it."""
    site = serve({"/": links(*(f"/{number}" for number in range(80)))}, latency=0.05)
    was_sent = False

    def page(request: Request) -> str:
        site.latency = 0.05 if was_sent or len(site.asked()) < 30 else 1.0
        return links(request.path)

    site.pages["/*"] = page
    folder = tmp_path / "crawl"
    words = ("site", site.url, "-o", folder, "--delay", "0", "--no-sitemaps")
    with running(*words, "--cluster", "local", "--workers", "2") as command:
        wait_until(lambda: len(site.asked()) >= 30, seconds=60)
        command.signal_all(number)
        was_sent = True
        ended = command.ended(40)
        wait_until(lambda: not command.has_group(), seconds=20)
    assert (ended.code, ended.err.splitlines()[-1]) == (
        130,
        f"stopped; continue with: dowse resume {tmp_path / 'crawl'}",
    )
    assert "Traceback" not in ended.err
    summary = opened(folder).status()
    assert summary.stop_reason == "interrupted"
    assert summary.pages == len(site.asked()), "what was under way came home"
    assert dowse("resume", folder, "--quiet", "--cluster", "", "--workers", "1").code == 0
    assert opened(folder).status().counts == {"fetched": 81}
