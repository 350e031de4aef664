"""One instruction on one page, and what is known of links that rules keep."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import dowse
from tests.commands import invoke
from tests.ruling import crawl_by, follow, keep
from tests.servers import Reply, Site

LIST = """<title>Papers</title><nav><a href=/help>Help</a></nav>
<main><ul>
<li>The review of 2026, 12 pages: <a href=/a.pdf title="A review" rel="nofollow  license">Review</a></li>
<li><a href=/topic/b>Topic B</a></li>
</ul></main>"""


@pytest.fixture
def instruction(site: Site) -> dict[str, object]:
    site.pages |= {"/list": LIST}
    return {
        "baseURL": site.url,
        "urlToCrawl": f"{site.url}list",
        "keepRules": [{"pattern": r"\.pdf$", "id": "all", "class": "all", "tag": "all"}],
        "followRules": [{"toType": "topic", "pattern": "/topic/", "tag": "main"}],
    }


def test_an_instruction_gives_the_links_it_keeps_and_follows(site: Site, instruction: dict[str, object]) -> None:
    carried = dowse.apply_rules(instruction)
    [paper], [topic] = carried.kept, carried.followed
    assert (paper.url, paper.anchor, paper.title, paper.rel) == (
        f"{site.url}a.pdf",
        "Review",
        "A review",
        "nofollow license",
    )
    assert paper.context == "The review of 2026, 12 pages: Review"
    assert (topic.url, topic.anchor, topic.to_type) == (f"{site.url}topic/b", "Topic B", "topic")
    assert [path for path in site.paths() if path != "/robots.txt"] == ["/list"], "one page and no other"


def test_the_instructions_of_a_crawl_can_be_carried_out_one_by_one(
    site: Site, tmp_path: Path, instruction: dict[str, object]
) -> None:
    site.pages["/"] = "<a href=/list>List</a>"
    crawl = crawl_by(tmp_path, follow(site.url, "base>list"), keep(site.url, "list", r"\.pdf$"))
    again = [dowse.apply_rules(each) for each in crawl.instructions()]
    assert [link.url for carried in again for link in carried.followed] == [row["url"] for row in crawl.followed]
    assert [link.url for carried in again for link in carried.kept] == [row["url"] for row in crawl.kept]


@pytest.mark.parametrize("place", ["file", "argument"])
def test_apply_at_the_command_line(
    place: str,
    site: Site,
    tmp_path: Path,
    instruction: dict[str, object],
    capsys: pytest.CaptureFixture[str],
) -> None:
    word = json.dumps(instruction)
    if place == "file":
        (tmp_path / "one.json").write_text(word)
        word = str(tmp_path / "one.json")
    shown = invoke(capsys, "rules", "apply", word)
    assert shown.code == 0
    assert shown.out.splitlines() == [
        f"{site.url}list",
        "  kept 1",
        f"    {site.url}a.pdf",
        '      "Review"',
        "  followed 1",
        f"    {site.url}topic/b",
        '      topic  "Topic B"',
    ]
    found = json.loads(invoke(capsys, "rules", "apply", word, "--json").out)
    assert [link["to_type"] for link in found["followed"]] == ["topic"]
    assert found["instruction"]["keepRules"][0]["pattern"] == r"\.pdf$"


def test_an_instruction_follows_a_redirect(site: Site, instruction: dict[str, object]) -> None:
    site.pages["/old"] = Reply("", 302, {"Location": "/list"})
    carried = dowse.apply_rules({**instruction, "urlToCrawl": f"{site.url}old"})
    assert carried.url == f"{site.url}list"
    assert len(carried.kept) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"keepRules": [], "followRules": []}, "it has no rules"),
        ({"keepRules": [{"pattern": "("}]}, "keepRules 1, pattern: '(' is not a regular expression"),
        ({"followRules": [{"pattern": "x"}]}, "followRules 1, toType: follow needs one"),
        ({"keepRules": [{"patern": "x"}]}, "keepRules 1: unknown key 'patern'"),
        ({"rules": []}, "unknown key 'rules'"),
        ({"keepRules": "all"}, "keepRules is a list of rules"),
        ({"baseURL": "", "urlToCrawl": ""}, "keepRules 1, baseURL: there is none"),
    ],
)
def test_what_is_wrong_with_an_instruction_is_named(
    change: dict[str, object], says: str, instruction: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    result = invoke(capsys, "rules", "apply", json.dumps({**instruction, **change}))
    assert result.code == 2
    assert says in " ".join(result.err.split())


def test_an_instruction_that_gives_nothing_ends_with_status_1(
    site: Site, instruction: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    instruction |= {"keepRules": [{"pattern": "never"}], "followRules": []}
    result = invoke(capsys, "rules", "apply", json.dumps(instruction))
    assert (result.code, "no rule of the instruction matches a link" in result.err) == (1, True)
    gone = invoke(capsys, "rules", "apply", json.dumps({**instruction, "urlToCrawl": f"{site.url}gone"}))
    assert gone.code != 0
    assert "status 404" in gone.err
    assert "not valid JSON" in invoke(capsys, "rules", "apply", "{").err


def test_kept_links_have_context_title_and_relation(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<p>Once: <a href=/a.pdf>next</a></p><a href=/list>List</a>",
        "/list": LIST,
    }
    crawl = crawl_by(
        tmp_path,
        keep(site.url, "base", r"\.pdf$"),
        follow(site.url, "base>list", "/list"),
        keep(site.url, "list", r"\.pdf$"),
    )
    [row] = crawl.kept
    assert (row["anchor"], row["title"], row["rel"]) == ("Review", "A review", "nofollow license")
    assert row["context"] == "The review of 2026, 12 pages: Review", "of the link whose text was taken"
    head, line = (tmp_path / "out" / "keep.csv").read_text().splitlines()
    assert head.endswith("context,title,rel,media_type,size,last_modified,first_seen")
    assert '"The review of 2026, 12 pages: Review",A review,nofollow license,,,,20' in line


def test_a_crawl_of_before_has_kept_links_without_words(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<a href=/a.pdf>A</a>"
    crawl_by(tmp_path, keep(site.url, "base")).close()
    with closing(sqlite3.connect(tmp_path / "out" / "crawl.db")) as connection:
        connection.execute("DROP TABLE kept_words")
        connection.execute("DROP TABLE kept_facts")
        connection.commit()
    [row] = dowse.open(str(tmp_path / "out")).kept
    assert (row["url"], row["context"], row["rel"]) == (f"{site.url}a.pdf", "", "")


# Links that are not `a`


def test_a_rule_takes_addresses_that_are_no_links_where_its_tag_asks_for_them(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": """<main><a href=/plain.mp4>Plain</a><img src=/picture.jpg alt="A picture"><video><source src=/film.mp4>
            </video><p>Film of 2026 <button data-film=/more.mp4 title="More">Show</button></p>
            <button onclick="location.href='/next'">Next page</button></main>""",
        "/next": "<img src=/second.jpg>",
    }
    crawl = crawl_by(
        tmp_path,
        keep(site.url, "base", tag="img"),
        keep(site.url, "base", r"\.mp4$", tag="video"),
        keep(site.url, "base", tag="button[data-film]"),
        follow(site.url, "base>next", tag="[onclick]"),
        keep(site.url, "next", tag="img"),
    )
    found = {row["url"].removeprefix(site.url): row for row in crawl.kept}
    assert sorted(found) == ["film.mp4", "more.mp4", "picture.jpg", "second.jpg"]
    assert found["picture.jpg"]["anchor"] == "A picture"
    assert (found["more.mp4"]["anchor"], found["more.mp4"]["context"]) == ("Show", "Film of 2026 Show")
    assert [row["url"] for row in crawl.followed] == [f"{site.url}next"]


def test_addresses_that_are_no_links_are_left_where_no_rule_asks(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<main><img src=/picture.jpg><div data-href=/card onclick=\"open('/x')\"></div></main>"
    crawl = crawl_by(tmp_path, keep(site.url, "base", tag="main"), keep(site.url, "base", tag="div"))
    assert not list(crawl.kept)
