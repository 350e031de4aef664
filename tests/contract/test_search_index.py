"""What every full-text index does, whatever keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.store.search.index_file import open_to_read, open_to_write
from dowse.store.search.search_index import PageFacts, Phrase, ReadPage, SearchFilter, SearchIndex, Wanted

ALL = SearchFilter()


def words(title: str, text: bytes, language: str) -> tuple[str, str]:
    return title.lower(), text.decode().lower()


def facts(task: int, url: str = "", **more: object) -> PageFacts:
    known = {"digest": task, "site": "example.org", "type": "html", "fetched_at": 100.0, "relevance": None, **more}
    return PageFacts(task=task, url=url or f"https://example.org/{task}", **known)  # type: ignore[arg-type]


def read(task: int, title: str, text: str, date: float | None = None, forms: str = "") -> ReadPage:
    pairs = [(form, form.rstrip("s")) for form in forms.split()]
    return ReadPage(task, title, text.encode(), "english", date, *words(title, text.encode(), ""), pairs)


def wanted(*groups: str, without: str = "", any_will_do: bool = False) -> Wanted:
    phrases = tuple((Phrase(tuple(group.rstrip("*").split()), group.endswith("*")),) for group in groups)
    return Wanted(phrases, (Phrase((without,)),) if without else (), any_will_do)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    made = open_to_write(tmp_path, "1", words)
    assert made is not None
    with made.changing():
        made.add([
            (facts(1), read(1, "Pumps", "heat pump grants in the city", forms="pumps grants")),
            (facts(2, site="a.example.org", type="pdf"), read(2, "City", "a pump of water and heat", date=50.0)),
            (facts(3, site="other.org", relevance=0.9), read(3, "Heat", "oil burns")),
            (facts(4), read(4, "", "")),
        ])  # fmt: skip
    made.finish("now", much=True)
    yield made
    made.close()


def found(index: SearchIndex, asked: Wanted, which: SearchFilter = ALL) -> list[str]:
    hits = index.find(asked, which, 10)
    assert index.count(asked, which) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.url.rpartition("/")[2] for hit in hits]


def test_pages_are_found_by_all_words_by_any_and_without_some(index: SearchIndex) -> None:
    assert sorted(found(index, wanted("heat"))) == ["1", "2", "3"]
    assert found(index, wanted("heat", "grants")) == ["1"]
    assert found(index, wanted("heat")._replace(in_title=True)) == ["3"]
    assert found(index, wanted("heat", without="oil")._replace(in_title=True)) == []
    assert sorted(found(index, wanted("oil", "grants", any_will_do=True))) == ["1", "3"]
    assert found(index, wanted("heat", without="pump")) == ["3"]
    assert found(index, wanted("heat pump")) == ["1"]
    assert found(index, wanted("wat*")) == ["2"]
    assert found(index, wanted("nowhere")) == []


def test_a_title_counts_more_than_a_text(index: SearchIndex) -> None:
    assert found(index, wanted("heat"))[0] == "3"
    assert found(index, wanted("city"))[0] == "2"


@pytest.mark.parametrize(
    ("which", "urls"),
    [
        (SearchFilter(site="example.org"), ["1", "2"]),
        (SearchFilter(site="a.example.org"), ["2"]),
        (SearchFilter(site="ample.org"), []),
        (SearchFilter(types=("pdf", "docx")), ["2"]),
        (SearchFilter(since=60.0), ["1", "3"]),
        (SearchFilter(until=60.0), ["2"]),
        (SearchFilter(relevance=0.5), ["3"]),
        (SearchFilter(site="example.org", types=("html",), since=60.0), ["1"]),
    ],
)
def test_pages_are_filtered(index: SearchIndex, which: SearchFilter, urls: list[str]) -> None:
    assert sorted(found(index, wanted("heat"), which)) == urls


def test_a_page_that_is_written_again_is_found_by_its_new_words_alone(index: SearchIndex) -> None:
    with index.changing():
        index.add([(facts(1, digest=11), read(1, "Wind", "wind mills"))])
        index.remove([2, 99])
    assert found(index, wanted("wind")) == ["1"]
    assert found(index, wanted("pump")) == []
    assert {task: fact.digest for task, fact in index.known().items()} == {1: 11, 3: 3, 4: 4}


def test_facts_are_refreshed_without_the_text(index: SearchIndex) -> None:
    with index.changing():
        index.refresh([facts(3, relevance=0.1, site="new.org")])
    assert found(index, wanted("heat"), SearchFilter(site="new.org")) == ["3"]
    assert found(index, wanted("heat"), SearchFilter(relevance=0.5)) == []


def test_it_knows_the_forms_of_words(index: SearchIndex) -> None:
    assert index.forms("pumps") == {"pump"}
    assert index.forms("gr", begins=True) == {"grant"}
    assert index.forms("pump") == set()


def test_a_change_that_fails_leaves_nothing(index: SearchIndex) -> None:
    class Broken(Exception):
        pass

    def pages() -> Iterator[tuple[PageFacts, ReadPage]]:
        yield facts(5), read(5, "New", "wind", forms="winds")
        raise Broken

    with pytest.raises(Broken), index.changing():
        index.add(pages())
    assert found(index, wanted("wind")) == []
    assert index.forms("winds") == set()
    with index.changing():
        index.add([(facts(5), read(5, "New", "wind", forms="winds"))])
    assert index.forms("winds") == {"wind"}


def test_one_writes_and_others_read_what_is_done(index: SearchIndex, tmp_path: Path) -> None:
    assert open_to_write(tmp_path, "1", words) is None
    reader = open_to_read(tmp_path, "1", words)
    assert reader is not None
    with index.changing():
        index.remove([1])
        assert sorted(found(reader, wanted("heat"))) == ["1", "2", "3"]
    assert sorted(found(reader, wanted("heat"))) == ["2", "3"]
    assert reader.stamp() == "now"
    assert reader.languages() == ["english"]
    assert list(reader.texts([hit.number for hit in reader.find(wanted("oil"), ALL, 1)]).values()) == [b"oil burns"]
    reader.close()


def test_an_index_of_other_words_is_made_anew(index: SearchIndex, tmp_path: Path) -> None:
    index.close()
    assert open_to_read(tmp_path, "2", words) is None
    anew = open_to_write(tmp_path, "2", words)
    assert anew is not None
    assert (anew.known(), anew.stamp()) == ({}, "")
    anew.close()
