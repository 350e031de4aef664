"""Which files are wanted, and what they are called on disk."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import JobError
from dowse.modes.files.file_names import file_name
from dowse.modes.files.wanted_files import KINDS, Wanted, extension_of

HTML, PDF, STREAM = "text/html", "application/pdf", "application/octet-stream"


@pytest.mark.parametrize(
    ("types", "patterns", "url", "names", "media_type", "is_file"),
    [
        (["pdf"], [], "http://a.example/x.PDF?v=2", True, PDF, True),
        (["pdf"], [], "http://a.example/x", False, PDF, True),
        (["pdf"], [], "http://a.example/x.pdf", True, HTML, False),
        (["pdf"], [], "http://a.example/x.pdf", True, STREAM, True),
        (["pdf"], [], "http://a.example/x.zip", False, "application/zip", False),
        (["pdf,csv", "xlsx"], [], "http://a.example/x.csv", True, "text/plain", True),
        (["xlsx"], [], "http://a.example/x.xlsx", True, "application/zip", True),
        (["xlsx"], [], "http://a.example/x.xlsx", True, PDF, False),
        (["application/pdf"], [], "http://a.example/x.pdf", True, PDF, True),
        (["image/*"], [], "http://a.example/x.svg", True, "image/svg+xml", True),
        (["image/*"], [], "http://a.example/x", False, "image/never-heard-of", True),
        (["documents"], [], "http://a.example/x.docx", True, "application/msword", True),
        ([".cpp"], [], "http://a.example/x.cpp", True, "text/x-c++src", True),
        (["pdf"], ["/2024/"], "http://a.example/2023/x.pdf", False, PDF, False),
        (["pdf"], ["/2024/"], "http://a.example/2024/x.pdf", True, PDF, True),
        ([], ["/report/"], "http://a.example/report/1", True, HTML, True),
        ([], ["/report/"], "http://a.example/other/1", False, PDF, False),
    ],
)
def test_wanted_by_url_and_by_answer(
    types: list[str], patterns: list[str], url: str, names: bool, media_type: str, is_file: bool
) -> None:
    wanted = Wanted(types, patterns)
    assert wanted.names(url) is names
    assert wanted.is_wanted(url, media_type) is is_file


@pytest.mark.parametrize(
    ("media_type", "may_be"),
    [(PDF, True), (STREAM, True), ("", True), ("image/png", False), ("application/zip", True), ("text/csv", False),
     ("application/x-never-heard-of", True), ("video/x-never-heard-of", False)],
)  # fmt: skip
def test_headers_that_rule_a_file_out(media_type: str, may_be: bool) -> None:
    assert Wanted(["pdf"], []).may_be(media_type) is may_be


@pytest.mark.parametrize(("types", "inside"), [("pdf", ()), ("images", ("image",)), ("mp4,png", ("image", "video"))])
def test_what_pages_show_inside_is_read_only_where_it_is_wanted(types: str, inside: tuple[str, ...]) -> None:
    assert Wanted([types], []).shown_inside == inside


@pytest.mark.parametrize("word", ["documnts", "image", "html", "/x", "*/pdf", "p d f", "averylongextension"])
def test_a_word_that_is_no_type_is_named(word: str) -> None:
    with pytest.raises(JobError, match="type: "):
        Wanted([word], [])


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("http://a.example", ""),
        ("http://a.example/", ""),
        ("http://a.example/.pdf", ""),
        ("http://a.example/x.PDF", "pdf"),
        ("http://a.example/a.b/c", ""),
        ("http://a.example/x.pdf;v=1", "pdf"),
        ("http://a.example/get?f=x.pdf", ""),
    ],
)
def test_the_extension_of_a_url(url: str, extension: str) -> None:
    assert extension_of(url) == extension


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://a.example/d/Annual%20report.pdf", PDF, "a.example/d/Annual report.pdf"),
        ("https://a.example:8080/x.pdf", PDF, "a.example_8080/x.pdf"),
        ("https://a.example/", PDF, "a.example/index.pdf"),
        ("https://a.example/get/", PDF, "a.example/get/index.pdf"),
        ("https://a.example/x.jpeg", "image/jpeg", "a.example/x.jpeg"),
        ("https://a.example/x.bin", STREAM, "a.example/x.bin"),
        ("https://a.example/%C3%BC.pdf", PDF, "a.example/ü.pdf"),
    ],
)
def test_names_that_people_would_give(url: str, media_type: str, name: str) -> None:
    assert file_name(url, media_type) == name


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=30), st.sampled_from([PDF, STREAM, "text/csv", ""]))
def test_no_name_leads_out_or_is_too_long(steps: list[str], query: str, media_type: str) -> None:
    from dowse.core.urls import resolve

    url = resolve("", "http://a.example/" + "/".join(steps) + "?" + query)
    if url is None:
        return
    name = file_name(url, media_type)
    assert name == str(PurePosixPath(name))
    parts = name.split("/")
    assert parts[0] == "a.example"
    assert all(part not in ("", ".", "..") and len(part.encode()) <= 150 and "\\" not in part for part in parts)


def test_a_query_is_part_of_the_name() -> None:
    name = file_name("https://a.example/get?id=7", "text/csv")
    assert name.startswith("a.example/get_id=7-")
    assert name.endswith(".csv")


def test_two_urls_never_share_a_name() -> None:
    urls = ["http://a.example/" + path for path in (
        "a/b.pdf", "a%2Fb.pdf", "a//b.pdf", "a:b.pdf", "a_b.pdf", "a?b.pdf", "x.pdf?1", "x.pdf?2", "x" * 200 + ".pdf",
        "x" * 201 + ".pdf", "con.pdf", "_con.pdf", "a%3Fb.pdf", "a%3Ab.pdf",
    )]  # fmt: skip
    assert len({file_name(url, PDF) for url in urls}) == len(urls)


@pytest.mark.parametrize("group", list(KINDS))
def test_every_group_can_be_asked_for(group: str) -> None:
    assert Wanted((group,), ()).extensions >= set(KINDS[group])
