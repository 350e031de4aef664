"""A hostile page in the frame of the rule builder: nothing of it runs, loads or leads anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import builder, open_page
from tests.servers import Reply, Site
from tests.unit.test_inert_pages import HOSTILE
from tests.web_pages import web_page

RUNS = "document.title='ran';top.location='/ran';parent.postMessage({key:'x',kind:'pick',number:1},'*');fetch('/ran')"
MEETS = f"""<!doctype html><html><head><title>hostile</title>
<meta http-equiv=refresh content="0;url=/ran"><base href="/elsewhere/" target=_top>
<style>@import "/ran.css"; body {{ background: url(/ran.png) }} a:hover {{ background: url(/ran-hover.png) }}</style>
<link rel=stylesheet href=/ran.css><link rel=prefetch href=/ran><script>{RUNS}</script></head>
<body onload="{RUNS}" onclick="{RUNS}" onmouseover="{RUNS}">
<a id=plain href=/plain.html target=_top onclick="{RUNS}">plain</a>
<a id=script href="javascript:{RUNS}">script</a>
<a id=data href="data:text/html,<script>{RUNS}</script>" target=_blank>data</a>
<form id=form action=/ran method=post target=_top><input name=a value=b><input id=send type=submit>
<button id=other formaction=/ran>x</button></form>
<iframe src=/ran></iframe><img src=/ran.png onerror="{RUNS}">
<video autoplay src=/ran></video><object data=/ran></object>
<svg width=100 height=50><a id=drawn href="javascript:{RUNS}"><text y=20>drawn</text></a><image href=/ran.png /></svg>
<div style="position:fixed;inset:0;z-index:99;pointer-events:none;background:url(/ran.png)"></div>
<marquee onstart="{RUNS}">x</marquee><details open ontoggle="{RUNS}">x</details><input autofocus onfocus="{RUNS}">
"""


def test_nothing_of_a_hostile_page_runs_loads_or_leads_away(site: Site, tmp_path: Path) -> None:
    markup = "".join(HOSTILE).replace("https://evil.test", "").replace("//evil.test", "")
    site.pages |= {
        "/": MEETS + markup,
        "/ran.css": Reply("p { color: red }", headers={"content-type": "text/css"}),
    }
    asked: list[str] = []
    shown: list[str] = []
    with builder(tmp_path) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: shown.append(dialog.message))
        page.context.on("page", lambda other: shown.append(other.url))
        home = page.url
        frame = open_page(page, site.url)
        for name in ("plain", "script", "data", "send", "other", "drawn"):
            frame.locator(f"#{name}").click(force=True)
            frame.locator(f"#{name}").click(force=True, button="middle")
            frame.locator(f"#{name}").click(force=True, modifiers=["Control"])
        frame.locator("#plain").focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        assert (page.url, shown) == (home, [])
        assert [each.url for each in page.frames][1:] == [each for each in asked if "/builder/frames/" in each]
        own = home.removesuffix("/builder")
        assert [url for url in asked if not url.startswith((own, "data:"))] == []
        assert page.frames[1].title() == "hostile"
        assert page.frames[1].evaluate("window.origin") == "null"
        assert page.frames[1].evaluate("document.scripts.length") == 1
    requests = [hit.request for hit in site.log]
    agents = {request.headers.get("user-agent", "").partition("/")[0] for request in requests}
    assert agents == {"dowse"}, "the browser asked the site for something"
    assert [request.target for request in requests if "referer" in request.headers] == []
    # Files of the style are fetched for the copy. Nothing else is.
    files = {"/ran.css", "/ran.png", "/ran-hover.png", "/x.css", "/y", "/z", "/x", "/elsewhere/x"}
    assert {request.path for request in requests} <= {"/", "/robots.txt", *files}


def test_the_frame_cannot_reach_what_is_around_it_even_with_a_script(tmp_path: Path, site: Site) -> None:
    """If a copy had something in it that runs: the policy does not let it, and the sandbox does not let it out."""
    site.pages["/"] = "<title>t</title><p>x"
    with builder(tmp_path) as page:
        open_page(page, site.url)
        frame = page.frames[1]
        frame.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
        frame.evaluate(
            "{const s = document.createElement('script'); s.textContent = 'document.title=2'; document.body.append(s)}"
        )
        page.wait_for_timeout(200)
        assert frame.title() == "t"
        for reach in ("parent.document", "top.location.href", "document.cookie", "localStorage.length"):
            with pytest.raises(Exception, match=r"SecurityError|Blocked a frame"):
                frame.evaluate(f"String({reach})")
        frame.evaluate("try { top.location = '/ran' } catch {}")
        assert frame.evaluate("fetch('/api/crawls').then(() => 'answered', () => 'refused')") == "refused"
        assert page.url.endswith("/builder")


def test_the_frame_is_only_for_those_who_are_logged_in_and_only_within_the_page(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<p>secret"
    with web_page(tmp_path) as served, served.browser() as client, served.stranger() as stranger:
        shown = client.post("/api/builder/pages", json={"url": site.url}).json()
        answer = client.get(shown["frame"])
        policy = answer.headers["content-security-policy"]
        assert "secret" in answer.text
        assert policy.startswith("default-src 'none'; script-src 'nonce-")
        assert "sandbox allow-scripts" in policy
        assert "frame-ancestors 'self'" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "secret" not in stranger.get(shown["frame"]).text
        assert client.get("/builder/frames/another").status_code == 404


def test_a_link_cannot_lead_the_builder_to_another_private_address(site: Site, tmp_path: Path) -> None:
    """What the user named is theirs to see; what a page links to is guarded as it is in a crawl."""
    site.pages["/"] = "<a href=http://127.0.0.2:9/>inside</a>"
    with web_page(tmp_path) as served, served.browser() as client:
        body = {"url": site.url.replace("127.0.0.1", "127.0.0.2"), "base": "https://example.org/"}
        answer = client.post("/api/builder/pages", json=body)
        assert answer.status_code == 409
        assert "private" in answer.json()["message"]
