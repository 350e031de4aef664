"""Pages in charsets that neither a mark nor the standard's detector tells."""

from __future__ import annotations

import random

import pytest

from dowse.core.model import Request, Response
from dowse.parse.decode import charset_of
from dowse.parse.page import Page, Reads
from dowse.parse.unknown_charsets import told_charset

ENGLISH = "The council said on Monday that the old bridge stays closed until the end of summer."
GERMAN = "Der Rat sagte am Montag, die alte Brücke über den Fluß bleibe bis zum Ende des Sommers zu."
RUSSIAN = (
    "Совет сообщил в понедельник, что старый мост через реку останется закрытым до конца лета. Ремонт обойдётся городу "
    "в несколько миллионов, и жители должны ездить в объезд. «Другого пути нет», — сказал мэр."
)
UKRAINIAN = (
    "Рада повідомила в понеділок, що старий міст через річку залишиться закритим до кінця літа. Інших шляхів немає."
)
KOREAN = "시의회는 월요일에 강을 가로지르는 오래된 다리가 여름이 끝날 때까지 폐쇄된다고 밝혔다."
JAPANESE = "市議会は月曜日、川に架かる古い橋が夏の終わりまで閉鎖されると発表した。"


def page_of(text: str, encoding: str, content_type: str = "text/html", reads: Reads = "tree") -> Page:
    html = f"<title>{text[:10]}</title><p>{text}</p><a href='/next'>{text[:5]}</a>"
    request = Request(url="http://example.org/", key_hash=1, host="example.org")
    body = html.encode(encoding, "xmlcharrefreplace")
    return Page(Response(request, 200, {"content-type": content_type}, body, 0.0, 0.0), reads=reads)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *((encoding, text) for encoding in ("utf-16-le", "utf-16-be") for text in (ENGLISH, RUSSIAN, JAPANESE)),
        *((encoding, text) for encoding in ("utf-32-le", "utf-32-be", "utf-32") for text in (ENGLISH, KOREAN)),
        ("iso2022_kr", KOREAN),
        ("cp855", RUSSIAN),
        ("mac_cyrillic", RUSSIAN),
        ("mac_cyrillic", UKRAINIAN),
    ],
)
@pytest.mark.parametrize("content_type", ["text/html", "application/xhtml+xml"])
def test_what_nobody_says_is_read(encoding: str, text: str, content_type: str) -> None:
    page = page_of(text, encoding, content_type)
    assert text in page.text
    assert page.title == text[:10].strip()
    links = page_of(text, encoding, content_type, reads="links")
    assert [link.url for link in links.links] == ["http://example.org/next"]
    assert links.title == page.title


@pytest.mark.parametrize("charset", ["iso-2022-kr", "ibm855", "utf-32", "klingon"])
def test_a_label_that_means_nothing_does_no_harm(charset: str) -> None:
    encoding, text = {"iso-2022-kr": ("iso2022_kr", KOREAN), "utf-32": ("utf-32-le", ENGLISH)}.get(
        charset, ("cp855", RUSSIAN)
    )
    assert text in page_of(text, encoding, f"text/html; charset={charset}").text


@pytest.mark.parametrize(
    ("encoding", "text", "charset"),
    [
        ("windows-1251", RUSSIAN, "windows-1251"),
        ("windows-1251", UKRAINIAN, "windows-1251"),
        ("koi8-r", RUSSIAN, "KOI8-U"),
        ("cp866", RUSSIAN, "IBM866"),
        ("iso8859-5", RUSSIAN, "ISO-8859-5"),
        ("windows-1252", GERMAN, "windows-1252"),
        ("euc-kr", KOREAN, "EUC-KR"),
        ("shift_jis", JAPANESE, "Shift_JIS"),
        ("utf-8", RUSSIAN, "UTF-8"),
    ],
)
def test_what_is_known_stays_as_it_is(encoding: str, text: str, charset: str) -> None:
    page = page_of(text, encoding)
    assert (page.charset, text in page.text) == (charset, True)


def test_words_in_odd_cases_are_no_other_charset() -> None:
    odd = RUSSIAN + " Банк«Ромашка» СпецТехСтрой МосЭнерго ЖКХ-сервис ГорЗдрав ВКонтакте."
    assert charset_of({}, odd.encode("windows-1251", "replace")) == "windows-1251"


@pytest.mark.parametrize("seed", range(20))
def test_bytes_that_are_no_text_are_in_no_wide_charset(seed: int) -> None:
    chance = random.Random(seed)
    noise = bytes(chance.choices((0, 0, 0, 1, 60, 255, *range(0, 256, 7)), k=3_000))
    assert told_charset(noise) == ""
    assert told_charset(b"GIF89a" + bytes(500) + noise) == ""
    assert told_charset(b"<p>a stray \0 zero</p>" * 50) == ""
