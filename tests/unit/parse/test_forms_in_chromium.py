"""What we send for a form is what Chromium sends for it, byte by byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import sync_playwright

from dowse.fetch.chromium import check_browser
from tests.reading import forms_of
from tests.servers import Reply, Request, Site

BOUNDARY = re.compile(r"boundary=(\S+)")
HARD_TEXT = "a b+c&d=e%f~*-._!'()/?#\u00e9\u20ac\u0436\u65e5\u672c \U0001f600\"\\<>"


@dataclass(frozen=True)
class Case:
    """A page with one form, the button that is pressed (by a selector) and its place among ours."""

    html: str
    charset: str = "utf-8"
    press: str = ""
    button: int | None = None


def form(inside: str, **attributes: str) -> str:
    written = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<form action="/sent?old=1#part" {written}>{inside}<button>go</button></form>'


ALL_CONTROLS = """
<input name=text value="x"><input name=search type=search value="s"><input type=hidden name=h value="a
b"><input name=unknown type=nonsense value=u><input value=nameless><input name="" value=empty>
<input type=checkbox name=c1 checked><input type=checkbox name=c2 value=v checked><input type=checkbox name=c3>
<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked><input type=radio name=r value=3>
<input type=file name=f><input name=off value=x disabled><input name=ro value=x readonly>
<fieldset disabled><legend><input name=legend value=in></legend><input name=fs value=x>
<fieldset><legend><input name=inner value=x></legend></fieldset></fieldset>
<textarea name=t>
first is dropped
 two\u00e9</textarea><textarea name=e></textarea>
<select name=s1><option disabled>a<option>b<option>c</select>
<select name=s2><option>a<option selected>b<option selected>c</select>
<select name=s3 multiple><option selected>a<option selected disabled>b<optgroup disabled label=g><option selected>c
</optgroup><option selected value="">d<option selected label=x>  two   words </select>
<select name=s4 size=3><option>a<option>b</select><select name=s5></select>
<datalist id=d><option>o</datalist><template><input name=templated value=x></template>
<button name=other value=1>x</button><input type=submit name=other2><input type=reset name=re value=1>
<object name=ob></object><output name=out>x</output><input name=last value=z list=d>
"""
TYPED = f"""
<input type=number name=n1 value=abc><input type=number name=n2 value=1e3><input type=number name=n3 value=" 1">
<input type=number name=n4 value=+1><input type=number name=n5 value=.5><input type=number name=n6 value=-0>
<input type=range name=r1><input type=range name=r2 value=7 max=5><input type=range name=r3 value=2.6>
<input type=range name=r4 min=10 max=20 step=3 value=19><input type=range name=r5 min=5 max=1>
<input type=range name=r6 step=any value=1.25><input type=range name=r7 min=0 max=1 step=0.1 value=0.55>
<input type=color name=k1 value=#ABCDEF><input type=color name=k2 value=junk>
<input type=date name=d1 value=2024-02-30><input type=date name=d2 value=2024-02-29>
<input type=date name=d3 value=1-1-1><input type=date name=d4 value=275760-09-13>
<input type=date name=d5 value=275761-01-01><input type=date name=d6 value={"1" * 5_000}-01-01>
<input type=week name=w4 value={"1" * 5_000}-W01><input type=month name=m3 value={"1" * 5_000}-01>
<input type=datetime-local name=l4 value={"1" * 5_000}-01-01T00:00>
<input type=month name=m1 value=2024-13><input type=month name=m2 value=2024-12>
<input type=week name=w1 value=2020-W53><input type=week name=w2 value=2021-W53><input type=week name=w3 value=2021-W01>
<input type=time name=i1 value=24:00><input type=time name=i2 value=09:05:30.5><input type=time name=i3 value=9:05>
<input type=datetime-local name=l1 value="2024-01-02 03:04:00">
<input type=datetime-local name=l2 value="2024-01-02T03:04:05.60">
<input type=datetime-local name=l3 value=junk>
<input type=url name=u value="  http://x/&#10; ">
<input type=email name=e1 value=" a@b "><input type=tel name=t value="1&#10;2">
<input type=email multiple name=e2 value=" a@b , c@d "><input name=x value="two&#10;lines">
<input type=password name=p value="s">
"""
DIRECTED = """
<input name=a dirname=a.dir value=x><input name=b dirname=b.dir dir=rtl value=x>
<input name=c dirname=c.dir dir=auto value="\u05d0"><input name=d dirname=d.dir dir=auto value="1 x">
<textarea name=e dirname=e.dir dir=auto>\u0627</textarea><input type=tel name=f dirname=f.dir value=1>
<input type=checkbox name=h dirname=h.dir checked>
"""
NEWLINES = """<input type=hidden name="n&#13;m" value="a&#10;b&#13;c&#13;&#10;d"><textarea name="q&quot;">a&#13;b
c</textarea>"""
HARD = f"""<input name="{HARD_TEXT.replace('"', "&quot;").replace("<", "&lt;").replace("&d", "&amp;d")}" value="v">
<input name=v value="{HARD_TEXT.replace('"', "&quot;").replace("<", "&lt;").replace("&d", "&amp;d")}">
<input type=hidden name=_charset_><input type=hidden name=_CHARSET_ value=x><input name=_charset_ value=typed>"""
LEGACY = [
    "windows-1252",
    "iso-8859-2",
    "koi8-r",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "gbk",
    "gb18030",
    "big5",
    "euc-kr",
]

CASES = {
    "get": Case(form(ALL_CONTROLS)),
    "post": Case(form(ALL_CONTROLS, method="post")),
    "multipart": Case(form(ALL_CONTROLS, method="POST", enctype="multipart/form-data")),
    "plain": Case(form(ALL_CONTROLS, method="post", enctype="Text/Plain")),
    "typed": Case(form(TYPED, novalidate="")),
    "directed": Case(form(DIRECTED, method="post")),
    "newlines get": Case(form(NEWLINES)),
    "newlines multipart": Case(form(NEWLINES, method="post", enctype="multipart/form-data")),
    "newlines plain": Case(form(NEWLINES, method="post", enctype="text/plain")),
    "hard get": Case(form(HARD)),
    "hard multipart": Case(form(HARD, method="post", enctype="multipart/form-data")),
    "nothing": Case(form("")),
    "unknown method and encoding": Case(form("<input name=a>", method="put", enctype="json")),
    "no action": Case("<base href=/elsewhere/><form method=post><input name=a value=1><button>go</button></form>"),
    "relative to base": Case("<base href=/elsewhere/><form action=there><input name=a><button>go</button></form>"),
    "accepted charsets": Case(form(HARD, accept_charset="klingon koi8-r utf-8")),
    "accepted utf-16": Case(form(HARD, accept_charset="utf-16le")),
    "second button": Case(
        "<form action=/sent method=post><input name=a value=1><input type=submit name=b value=1>"
        "<input type=submit name=c formaction='/other?z=1' formmethod=get></form>",
        press="[name=c]",
        button=1,
    ),
    "a button of another encoding": Case(
        "<form action=/sent><input name=a value=1>"
        "<button name=c value=v formmethod=post formenctype=multipart/form-data></form>",
        press="[name=c]",
    ),
    "a button without a name": Case(form("<input name=a value=1><input type=submit>", method="post"), press="button"),
    "controls elsewhere": Case(
        "<input name=before form=f value=1><form id=f action=/sent>"
        "<input name=in value=2><input name=no form=g value=3>"
        "<button>go</button></form><input name=after form=f value=4><input name=lost value=5>"
    ),
    "form in a table": Case(
        "<table><form action=/sent><tr><td><input name=a value=1></td><td><button>go</button></td></tr></form></table>"
        "<input name=out value=2>"
    ),
    "form closed too early": Case(
        "<div><form action=/sent></div><p><input name=a value=1><button>go</button></form><input name=out value=2>"
    ),
    "form never closed": Case("<div><form action=/sent></div><p><input name=a value=1></p><button>go</button>"),
    "image": Case(
        "<form action=/sent><input name=a value=1><input type=image name=b value=x><input type=image></form>",
        press="[name=b]",
    ),
    "image without a name": Case("<form action=/sent method=post><input type=image></form>", press="input"),
    "nested forms": Case(
        "<form action=/sent><input name=a value=1><form action=/lost><input name=b value=2></form>"
        "<input name=c value=3><button form=none>x</button></form>",
        press="",
    ),
    "form closed inside a block": Case(
        "<form action=/sent><div></form><input name=a value=1><button>go</button></div><input name=out value=2>"
    ),
    **{f"get in {name}": Case(form(HARD), name) for name in LEGACY},
    **{f"multipart in {name}": Case(form(HARD, method="post", enctype="multipart/form-data"), name) for name in LEGACY},
}


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@pytest.mark.parametrize("name", CASES)
def test_a_form_is_sent_as_chromium_sends_it(name: str, tab: Tab) -> None:
    case = CASES[name]
    body = f"<!doctype html><body>{case.html}".encode(case.charset, "xmlcharrefreplace")
    headers = {"content-type": f"text/html; charset={case.charset}"}
    with Site({"/form": Reply(body, headers=headers), "*": "thanks"}) as site:
        sent = sent_by_chromium(tab, site, case)
        first = forms_of(body, site.url + "form", case.charset)[0]
        ours = first.request(submit=None if case.button is None else first.buttons[case.button])
    assert ours is not None
    assert ours.method == sent.method
    assert ours.url == site.url.rstrip("/") + sent.target
    assert bounded(ours.body, dict(ours.headers).get("Content-Type", "")) == bounded(
        sent.body, sent.headers.get("content-type", "")
    )


def sent_by_chromium(tab: Tab, site: Site, case: Case) -> Request:
    """What the server is asked for when the button is pressed; without one, when Enter is pressed in the form."""
    tab.goto(site.url + "form")
    before = len(site.log)
    with tab.expect_navigation():
        if case.press:
            tab.evaluate("selector => document.querySelector(selector).click()", case.press)
        else:
            tab.evaluate(
                "() => { const form = document.querySelector('form');"
                " const button = [...form.elements].find(e => e.type == 'submit' || e.type == 'image');"
                " button ? button.click() : form.requestSubmit() }"
            )
    return site.log[before].request


def bounded(body: bytes, media_type: str) -> tuple[bytes, str]:
    """A body and its media type, with one boundary for all."""
    found = BOUNDARY.search(media_type)
    if found is None:
        return body, media_type
    return body.replace(found[1].encode(), b"BOUNDARY"), media_type.replace(found[1], "BOUNDARY")
