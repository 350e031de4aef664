"""`--fetch auto`: rendered where it adds something, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from tests.crawling import crawl, path_of, paths
from tests.modes.test_browser import app_site, script
from tests.servers import Site

WORDS = "<p>A page that says all it has to say without any script, at some length.</p>" * 5


def test_auto_renders_where_it_pays(site: Site, tmp_path: Path) -> None:
    rendered = [f"/app/{number}" for number in range(12)]
    scripted = [f"/news/story-{number}" for number in range(30)]
    plain = [f"/plain/{number}" for number in range(10)]
    app_site(site, {"/app/": rendered} | {path: ["/app/only-rendered"] for path in rendered})
    site.pages["/app/only-rendered"] = "<p>found"
    site.pages["/count.js"] = script("document.title += ' visited'")
    for number, path in enumerate(scripted):
        site.pages[path] = (
            f"<title>{path}</title>{WORDS}<p>{path}<a href={scripted[number - 1]}>x</a><script src=/count.js></script>"
        )
    for path in plain:
        site.pages[path] = f"{WORDS}<p>{path}"
    seeds = "".join(f"<a href={path}>x</a>" for path in ["/app/", *scripted, *plain])
    site.pages["/"] = seeds
    found = crawl(tmp_path, site.url, fetch="auto", dedup="off")
    assert set(paths(found)) == {"/", "/app/", "/app/only-rendered", *rendered, *scripted, *plain}
    by_browser = {path_of(row["url"]) for row in found.pages if row["rendered"] is not None}
    assert by_browser >= {"/app/"}
    assert not by_browser & {"/", *plain}
    assert len(by_browser & set(scripted)) <= 4
    totals = found.rendering()
    assert totals.pages == totals.compared == len(by_browser)
    assert totals.links >= 13
    story = found.why(site.at("127.0.0.1", "/app/"))
    assert story is not None
    assert story.visits[-1]["rendered"]["links"] == 12


def test_short_texts_made_by_scripts_are_found(site: Site, tmp_path: Path) -> None:
    frame = "".join(
        f"<p>Part {number} of a frame that every page of the site has around its own.</p>" for number in range(8)
    )
    items = [f"/item/{number}" for number in range(8)]
    site.pages["/"] = "".join(f"<a href={path}>x</a>" for path in items)
    site.pages["/price.js"] = script("price.textContent = 'Price: ' + location.pathname.slice(6) + '.50'")
    for path in items:
        site.pages[path] = f"<!doctype html><title>{path}</title>{frame}<p id=price></p><script src=/price.js></script>"
    found = crawl(tmp_path, site.url, fetch="auto", dedup="off")
    rendered = {path_of(row["url"]) for row in found.pages if row["rendered"] is not None}
    assert rendered == set(items)
