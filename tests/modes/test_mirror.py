"""A crawl as a folder to browse offline: every link of every file leads to a file that is there, or out to the web."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
import turbohtml

import dowse
from dowse.core.errors import FileUnwritable
from dowse.crawls import stored_mirror
from dowse.export.losses import Losses
from tests.commands import invoke
from tests.crawling import crawl
from tests.servers import Reply, Site

PICTURE = Reply(b"\x89PNG\r\n\x1a\n" + bytes(20), headers={"Content-Type": "image/png"})


def sheet(text: str | bytes, charset: str = "") -> Reply:
    return Reply(text, headers={"Content-Type": "text/css" + (f"; charset={charset}" if charset else "")})


def hard_corners(site: Site) -> None:
    """A site with all that makes a mirror hard."""
    site.pages |= {
        "/": """<!doctype html><title>Start</title><link rel=stylesheet href="/css/main.css?v=2" integrity=sha256-x>
            <a href="/docs">docs</a> <a href="docs/">folder</a> <a href="/docs/a?x=1&amp;y=2#part">query</a>
            <a href="/DOCS">capital</a> <a href="old">moved</a> <a href="copy">copy</a> <a href="#here">here</a>
            <a href="/aux.html">aux</a> <a href="/K%C3%B6ln">K\u00f6ln</a> <a href="/%2e%2e%2f%2e%2e%2fescape">dots</a>
            <a href="/based/page">based</a> <a href="/russian">russian</a> <a href="/gone">gone</a>
            <a href="mailto:a@b.example">mail</a> <a href="https://elsewhere.example/x">elsewhere</a>
            <a href="/long/LONG">long</a> <a href="/late">late</a><a href="/docs.html/below">below</a>
            <img src="/img/a.png" srcset="/img/a.png 1x, /img/b,c.png 2x" alt="">
            <p style="background:url('/img/p.png')">
            <img src="data:image/gif;base64,R0lGOD" alt=""><form action="/find"><input name=q></form>""",
        "/docs": "<title>Docs</title><a href='/'>up</a><a href='docs/a?x=1&y=2'>a</a>",
        "/docs/": "<title>Docs, folder</title><a href='a?x=1&amp;y=2'>a</a>",
        "/docs/a?x=1&y=2": "<title>A</title><a href='../'>up</a><img src=../img/a.png>",
        "/docs.html/below": "<title>Below</title><a href=/>up</a>",
        "/DOCS": "<title>DOCS</title>",
        "/old": Reply(status=301, headers={"Location": "/older"}),
        "/older": Reply(status=302, headers={"Location": "/docs/a?x=1&y=2"}),
        "/copy": "<title>A</title><a href='../'>up</a><img src=../img/a.png>",
        "/aux.html": "<title>Aux</title>",
        "/K%C3%B6ln": "<title>City</title>",
        "/%2E%2E%2F%2E%2E%2Fescape": "<title>Escape</title>",
        "/based/page": "<base href=/docs/ target=_top><title>Based</title><a href='a?x=1&y=2'>a</a><a href='#x'>x</a>",
        "/russian": Reply("<title>\u043f\u0440\u0438\u0432\u0435\u0442</title><p>\u043c\u0438\u0440".encode("cp1251"),
                          headers={"Content-Type": "text/html; charset=windows-1251"}),
        "/late": "<title>Late</title><img data-src=/img/late.png><meta http-equiv=refresh content='9; url=/docs'>",
        "/gone": Reply("gone", status=410),
        "/css/main.css?v=2": sheet("@import 'more.css'; h1 { background: url(../img/bg.png) }"),
        "/css/more.css": sheet("h1:before { content: '\u00fc' } @font-face { src: url(/f.woff2) }", "utf-8"),
        "/f.woff2": Reply(b"wOF2", headers={"Content-Type": "font/woff2"}),
        "/img/*": PICTURE,
    }  # fmt: skip
    site.pages["/"] = str(site.pages["/"]).replace("LONG", "x" * 300)
    site.pages[f"/long/{'x' * 300}"] = "<title>Long</title><a href=/>up</a>"


@pytest.fixture
def mirrored(site: Site, tmp_path: Path) -> Path:
    """The top of the mirror of such a site; the crawl is beside it."""
    hard_corners(site)
    found = crawl(tmp_path / "out", site.url, requisites=True)
    found.export("mirror", tmp_path / "mirror")
    return tmp_path / "mirror"


def top(mirror: Path, site: Site) -> Path:
    return mirror / f"127.0.0.1_{site.port}"


def page(mirror: Path, title: str) -> Path:
    """The file of the page with this title."""
    (found,) = (file for file in files(mirror) if f"<title>{title}</title>" in file.read_text("utf-8-sig"))
    return found


def files(mirror: Path) -> list[Path]:
    """The pages and style sheets."""
    return [path for path in mirror.rglob("*") if path.suffix in (".html", ".css") and path.is_file()]


def addresses(file: Path) -> list[str]:
    """What a browser would make of the addresses of a file, by a parser that has nothing to do with the mirror."""
    text = file.read_text("utf-8-sig")
    if file.suffix == ".css":
        found = re.findall(r"""(?:url\(|@import )["']?([^"')]+)""", text)
    else:
        found = [link.url for link in turbohtml.parse(text).links()]
    return [urljoin(file.as_uri(), url) for url in found]


def test_every_link_leads_to_a_file_or_out(mirrored: Path, site: Site) -> None:
    assert len(files(mirrored)) > 15
    outside = set()
    for file in files(mirrored):
        for url in addresses(file):
            if url.startswith("file:"):
                assert Path(unquote(urlsplit(url).path)).is_file(), f"{file} has {url}"
            elif not url.startswith("data:"):
                outside.add(url)
    assert outside == {f"{site.url}gone", f"{site.url}find", "mailto:a@b.example", "https://elsewhere.example/x"}


def test_nothing_is_outside_and_names_are_for_every_system(mirrored: Path, site: Site) -> None:
    everything = {path.name for path in mirrored.parent.iterdir()}
    assert everything == {"out", "mirror"}
    names = [path.relative_to(mirrored).as_posix() for path in mirrored.rglob("*")]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(len(name.rpartition("/")[2]) < 130 for name in names)
    assert page(mirrored, "Aux").name == "aux_.html"
    assert page(mirrored, "City").name == "K\u00f6ln.html"
    assert page(mirrored, "Escape").parent == top(mirrored, site)


def test_redirects_and_copies_lead_to_the_page(mirrored: Path, site: Site) -> None:
    start = page(mirrored, "Start").read_text("utf-8-sig")
    target = "docs/a@x=1&amp;y=2.html"
    for words in ("query", "moved", "copy"):
        assert re.search(rf'<a href="{re.escape(target)}(#part)?">{words}</a>', start), words
    assert '<a href="#here">here</a>' in start
    assert "integrity" not in start


def test_a_base_is_taken_out(mirrored: Path) -> None:
    text = page(mirrored, "Based").read_text("utf-8-sig")
    assert '<base target="_top">' in text
    assert '<a href="../docs/a@x=1&amp;y=2.html">' in text
    assert '<a href="../docs/index.html#x">' in text


def test_texts_are_read_as_before(mirrored: Path) -> None:
    russian = page(mirrored, "\u043f\u0440\u0438\u0432\u0435\u0442").read_bytes()
    assert russian.startswith(b"\xef\xbb\xbf")
    assert "\u043c\u0438\u0440" in russian.decode()
    more = next(mirrored.rglob("more.css")).read_bytes()
    assert more.startswith(b"\xef\xbb\xbf")
    assert "content: '\u00fc'" in more.decode()


def test_a_drawing_stays_one(site: Site, tmp_path: Path) -> None:
    image = '<image preserveAspectRatio="none" href="{}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{image.format("/a.png")}<style/><g id="x"/></svg>'
    site.pages |= {
        "/": "<title>Start</title><img src=/d/drawing.svg>",
        "/d/drawing.svg": Reply(svg, headers={"Content-Type": "image/svg+xml"}),
        "/a.png": PICTURE,
    }
    crawl(tmp_path / "out", site.url, requisites=True).export("mirror", tmp_path / "mirror")
    text = (top(tmp_path / "mirror", site) / "d" / "drawing.svg").read_text()
    assert image.format("../a.png") in text
    turbohtml.parse_xml(text)


def test_the_front_page_leads_to_the_first_page(mirrored: Path, site: Site) -> None:
    text = (mirrored / "index.html").read_text()
    assert f'content="0; url=127.0.0.1_{site.port}/index.html"' in text
    assert f">{site.url}</a>" in text


def test_a_mirror_is_replaced_and_nothing_else_is(mirrored: Path, tmp_path: Path) -> None:
    found = dowse.open(str(tmp_path / "out"))
    (mirrored / "stale.html").write_text("old")
    found.export("mirror", mirrored)
    assert not (mirrored / "stale.html").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("mine")
    with pytest.raises(FileUnwritable, match="has something in it already"):
        found.export("mirror", other)
    assert [path.name for path in other.iterdir()] == ["index.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "other", "out"]


def test_a_mirror_that_fails_leaves_the_old_one(
    mirrored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in mirrored.rglob("*") if path.is_file()}
    monkeypatch.setattr(stored_mirror, "_front_page", lambda *_values: (_ for _ in ()).throw(OSError(28, "no room")))
    with pytest.raises(FileUnwritable, match="no room"):
        dowse.open(str(tmp_path / "out")).export("mirror", mirrored)
    assert {path: path.read_bytes() for path in mirrored.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "out"]


def test_several_processes_write_the_same(mirrored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dowse.crawls.output_files import export_mirror

    monkeypatch.setattr(stored_mirror, "FEW", 0)
    told: list[tuple[int, int]] = []
    found = dowse.open(str(tmp_path / "out"))
    written = export_mirror(
        found, tmp_path / "again", Losses(), workers=2, told=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (written, written)
    both = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (mirrored, tmp_path / "again")
    ]
    assert both[0] == both[1]


def test_the_command_crawls_and_writes(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hard_corners(site)
    out, folder = tmp_path / "out", tmp_path / "copy"
    ended = invoke(capsys, "mirror", site.url, "-o", out, "-f", folder, "--delay", "0")
    assert ended.code == 0
    assert re.search(rf"^{folder}: \d+ files; open {folder}/index.html$", ended.out, re.MULTILINE)
    assert page(folder, "Start").is_file()
    again = invoke(capsys, "export", out, "mirror", "--to", "folder")
    assert again.code == 0
    assert page(out / "mirror", "Start").is_file()
    taken = invoke(capsys, "mirror", site.url, "-o", tmp_path / "other", "-f", out)
    assert (taken.code, "has something in it already" in taken.err) == (2, True)
    assert not (tmp_path / "other").exists(), "it is told before the crawl"


def test_a_damaged_body_is_told_and_all_others_are_written(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages |= {"/": "<a href=/b>b</a>", "/b": "<title>B</title>"}
    found = crawl(tmp_path / "out", site.url, requisites=True)
    location = next(row["body"] for row in found.bodies if row["url"].endswith("/b"))
    file, offset, *_ = location.split(":")
    with (tmp_path / "out" / "warc" / file).open("r+b") as stream:
        stream.seek(int(offset) + 40)
        stream.write(os.urandom(60))
    ended = invoke(capsys, "export", tmp_path / "out", "mirror")
    assert ended.code == 1
    assert "1 stored page could not be read, all others are written" in ended.err
    assert (top(tmp_path / "out" / "mirror", site) / "index.html").is_file()


def test_a_wacz_file_can_be_read_by_ranges(mirrored: Path, tmp_path: Path) -> None:
    """ReplayWeb.page looks at what stands before a file only if the directory has further fields of it."""
    stream = io.BytesIO()
    from dowse.crawls.output_files import export

    export(dowse.open(str(tmp_path / "out")), "bodies", "wacz", stream, Losses())
    data = stream.getvalue()
    for entry in zipfile.ZipFile(stream).infolist():
        start = entry.header_offset + 30 + len(entry.filename)
        extra = int.from_bytes(data[start - len(entry.filename) - 2 : start - len(entry.filename)], "little")
        assert bool(entry.extra) == bool(extra), entry.filename
