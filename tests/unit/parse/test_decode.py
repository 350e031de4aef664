"""Charsets: byte order mark, header, declaration, detection, in this order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.parse.decode import DETECTED_BYTES, actual_charset, charset_name, charset_of, decode, stated_charset
from dowse.parse.unknown_charsets import CODECS

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "
KOI8_META = b"<meta charset=koi8-r>"


def html(charset: str = "") -> dict[str, str]:
    return {"content-type": f"text/html; charset={charset}" if charset else "text/html"}


@pytest.mark.parametrize(
    ("headers", "body", "expected"),
    [
        (html("koi8-r"), b"\xef\xbb\xbfabc", "UTF-8"),
        (html("koi8-r"), b"\xff\xfea\x00", "UTF-16LE"),
        (html("utf-8"), b"\xfe\xff\x00a", "UTF-16BE"),
        (html("utf-8"), KOI8_META, "UTF-8"),
        (html("latin1"), KOI8_META, "windows-1252"),
        (html("klingon"), KOI8_META, "KOI8-R"),
        (html(), KOI8_META, "KOI8-R"),
        (html(), b'<meta http-equiv="Content-Type" content="text/html; charset=sjis">', "Shift_JIS"),
        (html(), b"<meta charset=utf-16>", "UTF-8"),
        (html(), b'<?xml version="1.0" encoding="koi8-r"?><html>', "KOI8-R"),
        (html(), b"<?xml version='1.0' encoding='koi8-r'?><html><meta charset='utf-8'>", "UTF-8"),
        (html("utf-8"), b'<?xml version="1.0" encoding="koi8-r"?><html>', "UTF-8"),
        (html(), b'<?xml version="1.0" encoding="utf-16"?>', "UTF-8"),
        (html(), '<?xml version="1.0"?>'.encode("utf-16-le"), "UTF-16LE"),
        (html(), "Gruß".encode(), "UTF-8"),
        (html(), RUSSIAN.encode("windows-1251"), "windows-1251"),
        (html(), RUSSIAN.encode(), "UTF-8"),
        (html(), b"plain ascii", "windows-1252"),
        ({}, b"", "UTF-8"),
    ],
)
def test_the_first_that_knows_the_charset_is_believed(headers: dict[str, str], body: bytes, expected: str) -> None:
    assert charset_of(headers, body) == expected


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        (b"\xef\xbb\xbfabc", {}, ("abc", "UTF-8")),
        (b"\xff\xfea\x00", {}, ("a", "UTF-16LE")),
        (b"caf\xe9", html("iso-8859-1"), ("café", "windows-1252")),
        (b"\x93x\x94", html("latin1"), ("“x”", "windows-1252")),
        (b"caf\xe9", html("utf-8"), ("café", "windows-1252")),
        (b"\x88\x62", html("big5-hkscs"), ("\u00ca\u0304", "Big5")),
        (b"anything", html("hz-gb-2312"), ("�", "replacement")),
        (b"", {}, ("", "UTF-8")),
    ],
)
def test_text_is_decoded_by_the_standards_tables(
    body: bytes, headers: dict[str, str], expected: tuple[str, str]
) -> None:
    assert decode(body, headers) == expected


@given(st.binary(max_size=2_000), st.text(max_size=20))
def test_no_bytes_and_no_label_are_too_broken(body: bytes, label: str) -> None:
    text, charset = decode(body, html(label))
    assert isinstance(text, str)
    assert charset in CODECS or charset_name(charset) == charset


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\ufeff")))
def test_utf8_that_says_so_survives(text: str) -> None:
    assert decode(text.encode(), html("utf-8")) == (text, "UTF-8")


@pytest.mark.parametrize("charset", ["utf-8", "windows-1251", "koi8-u"])
@pytest.mark.parametrize("filler", [0, 1_000, 1_001, 500_000])
def test_a_large_body_is_detected_by_its_first_part_that_is_not_ascii(charset: str, filler: int) -> None:
    body = b"x" * filler + (RUSSIAN * (2 * DETECTED_BYTES // len(RUSSIAN))).encode(charset)
    assert charset_of({}, body).lower() == charset


def test_the_charset_of_a_tree_is_left_to_the_parser_when_only_a_meta_tag_states_it() -> None:
    assert stated_charset(html(), KOI8_META) == ""
    assert stated_charset(html("utf-8"), KOI8_META) == "UTF-8"


# A declaration that the bytes disprove

GREEK = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. "
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. "
FRENCH = "Voilà ce qu'écrivait un élève très zélé à l'été. "
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"


@pytest.mark.parametrize(
    ("text", "written", "declared", "actual"),
    [
        (FRENCH, "windows-1252", "UTF-8", "windows-1252"),
        (CZECH * 3, "windows-1250", "UTF-8", "windows-1250"),
        (RUSSIAN, "windows-1251", "UTF-8", "windows-1251"),
        (JAPANESE, "shift_jis", "UTF-8", "Shift_JIS"),
        (FRENCH, "utf-8", "windows-1252", "UTF-8"),
        (RUSSIAN, "utf-8", "windows-1251", "UTF-8"),
        (JAPANESE, "utf-8", "EUC-JP", "UTF-8"),
        # servers say ISO-8859-1 of everything
        (RUSSIAN, "windows-1251", "windows-1252", "windows-1251"),
        (GREEK, "windows-1253", "windows-1252", "windows-1253"),
        (JAPANESE, "euc-jp", "Shift_JIS", "EUC-JP"),
        ("©", "utf-8", "windows-1252", "UTF-8"),
    ],
)
def test_a_declaration_that_cannot_be_true_is_overruled(text: str, written: str, declared: str, actual: str) -> None:
    assert actual_charset(text.encode(written), declared) == actual


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (FRENCH.encode("windows-1252"), "windows-1252"),
        (CZECH.encode("windows-1250"), "windows-1250"),
        (RUSSIAN.encode("koi8-r"), "KOI8-R"),
        (JAPANESE.encode("shift_jis"), "Shift_JIS"),
        (JAPANESE.encode("iso-2022-jp"), "ISO-2022-JP"),
        (FRENCH.encode("utf-16-le"), "UTF-16LE"),
        (b"anything \xff", "x-user-defined"),
        (b"\xc3\xa9", "GBK"),  # one character of it, and of UTF-8 as well
        (b"plain ascii", "KOI8-R"),
    ],
)
def test_a_declaration_that_may_be_true_is_believed(body: bytes, declared: str) -> None:
    assert actual_charset(body, declared) == declared


@pytest.mark.parametrize("headers", [html(), html("utf-8"), html("latin1")])
def test_a_few_broken_bytes_do_not_make_utf8_another_charset(headers: dict[str, str]) -> None:
    cut = RUSSIAN.encode() * 5 + "щ".encode()[:1] + b" " + b"\xe2\x82 end"
    assert decode(cut, headers) == (RUSSIAN * 5 + "Ñ \ufffd end", "UTF-8")


def test_what_was_pasted_into_utf8_is_read_too() -> None:
    body = RUSSIAN.encode() + FRENCH.encode("windows-1252")
    assert decode(body, html("utf-8")) == (RUSSIAN + FRENCH, "UTF-8")


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1), st.sampled_from(["windows-1252", "UTF-8", "GBK"]))
def test_utf8_is_never_taken_for_another_charset_than_the_declared(text: str, declared: str) -> None:
    assert actual_charset(text.encode(), declared) in ("UTF-8", declared)
