"""The names of files in a mirror: safe everywhere, inside the folder, each only once."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.mirror_names import INDEX, LONGEST_PATH, Named, file_names, relative

_RESERVED = re.compile(r"(?i)^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$")


def names(*urls: str, media_type: str = "text/html") -> list[str]:
    return [path for _, path in file_names([Named(number, url, media_type) for number, url in enumerate(urls)])]


@pytest.mark.parametrize(
    ("path", "media_type", "name"),
    [
        ("", "text/html", "index.html"),
        ("docs/", "text/html", "docs/index.html"),
        ("about", "text/html", "about.html"),
        ("about.htm", "text/html", "about.htm"),
        ("page.php", "text/html", "page.php.html"),
        ("page.xhtml", "application/xhtml+xml", "page.xhtml.html"),
        ("find?q=a%20b&c=/d", "text/html", "find@q=a b&c=_d.html"),
        ("?p=1", "text/html", "index@p=1.html"),
        ("s.css?v=3", "text/css", "s@v=3.css"),
        ("style.php", "text/css", "style.php.css"),
        ("s.js", "application/javascript", "s.js"),
        ("a.JPG", "image/jpeg", "a.JPG"),
        ("image", "image/png", "image.png"),
        ("notes.c", "text/plain", "notes.c"),
        ("notes.html", "text/plain", "notes.html.txt"),
        ("README", "text/plain", "README.txt"),
        ("data.bin", "application/octet-stream", "data.bin"),
        ("K%C3%B6ln", "text/html", "Köln.html"),
        ("K%F6ln", "text/html", "K%F6ln.html"),
        ("aux", "text/html", "aux_.html"),
        ("aux.css/con.", "text/html", "aux_.css/con_.html"),
        ("a%2Fb%5Cc:d*", "text/html", "a_b_c_d_.html"),
        ("%2e%2e%2f%2e%2e/x", "text/html", ".._/x.html"),
        ("a%00b%0A", "text/html", "a_b_.html"),
        ("dots.../", "text/html", "dots/index.html"),
        (".../x", "text/html", "_/x.html"),
    ],
)
def test_names(path: str, media_type: str, name: str) -> None:
    assert names(f"http://a.example/{path}", media_type=media_type) == [f"a.example/{name}"]


def test_a_port_is_part_of_the_folder_and_a_host_is_not_the_front_page() -> None:
    assert names("http://a.example:8080/", "http://index.html/") == [
        "a.example_8080/index.html",
        "index.html_/index.html",
    ]


def test_what_differs_only_in_letters_has_other_names() -> None:
    paths = names(
        "http://a.example/Docs", "http://a.example/docs", "https://a.example/docs", "http://a.example/docs.html"
    )
    assert len({path.lower() for path in paths}) == 4
    assert paths[0] == "a.example/Docs.html"


def test_a_file_is_not_where_a_folder_is() -> None:
    first, second, third = names("http://a.example/b.html", "http://a.example/b.html/c", "http://a.example/b.html/")
    assert (second, third) == ("a.example/b.html/c.html", "a.example/b.html/index.html")
    assert re.fullmatch(r"a\.example/b-[0-9a-f]{8}\.html", first)


def test_long_names_are_cut_and_stay_apart() -> None:
    paths = names(
        f"http://a.example/{'x' * 500}1", f"http://a.example/{'x' * 500}2", "http://a.example/" + "long/" * 90
    )
    assert len(set(paths)) == 3
    assert all(len(path) <= LONGEST_PATH + 30 for path in paths)


@given(st.lists(st.text(max_size=60), max_size=12))
def test_whatever_a_server_calls_its_files(texts: list[str]) -> None:
    urls = {f"http://a.example/{''.join(f'%{byte:02x}' for byte in text.encode('utf-8', 'replace'))}" for text in texts}
    urls |= {f"http://a.example/{text}" for text in texts if text.isalnum()}
    paths = names(*urls)
    folded = [unicodedata.normalize("NFKC", path).casefold() for path in paths]
    assert len(set(folded)) == len(urls)
    folders = {path[: found.start()] for path in folded for found in re.finditer("/", path)}
    assert not folders & {*folded, INDEX}
    for path in paths:
        for name in path.split("/"):
            assert name not in ("", ".", "..")
            assert not re.search(r'[<>:"\\|?*\x00-\x1f]', name)
            assert not name.endswith((".", " "))
            assert not _RESERVED.match(name)
            assert len(name.encode()) <= 160


@given(st.lists(st.sampled_from("ab/#?%: é'\"&"), min_size=1, max_size=9), st.sampled_from(["x", "a/x", "b/c/x"]))
def test_a_link_leads_where_it_should(letters: list[str], own: str) -> None:
    target = "/".join(part for part in "".join(letters).split("/") if part) or "y"
    link = relative(f"h/{own}", f"h/{target}")
    assert unquote(urljoin(f"file:///h/{own}", link)) == f"file:///h/{target}"
