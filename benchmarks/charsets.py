"""Charsets: the standards' own tests, then pages that say nothing or what is not true, beside other ways to read them.

    DOWSE_DATA=/path/to/data python -m benchmarks.charsets

The first part counts the cases of html5lib and of the web platform tests; those where we differ on purpose are listed
with the reason. The second takes the Debian installation guide in 17 languages, writes it in the charsets those
languages were written in, and lets declarations be missing, false or half true. A page counts as read if 98 of 100 of
its words with letters outside ASCII came out right.

Exit status: 0 no case fails without a reason and no kind of page is read less often than by obeying what it declares,
1 not so, 2 there is nothing to measure with.
"""

from __future__ import annotations

import html
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import turbohtml

from benchmarks.cache import Unavailable
from benchmarks.parse import Case
from benchmarks.sites import unpacked
from dowse.core.model import Request, Response
from dowse.parse.decode import charset_name
from dowse.parse.page import Page

RECODED = "its bytes are UTF-8: the file was recoded, its tag was not"
FOUND = "the standard finds this tag; browsers, which the test is made from, read the tag around it as text"
LATE = "the standard believes a late tag; browsers no longer do. Whoever wrote it meant it"
REASONS = {
    "test-yahoo-jp.dat": RECODED,
    **dict.fromkeys(("in-script.html", "in-style.html", "in-title.html"), FOUND),
    **dict.fromkeys(
        ("after-bogus-after-1kb.html", "after-head-after-1kb.html", "after-head-after-1kb-crlf.html",
         "in-template-after-1kb.html", "in-noscript-after-template-after-1kb.html"),
        LATE,
    ),
    "tests1.dat, scripted": "the tag is written by a script",
}  # fmt: skip

GUIDE = ("installation-guide-amd64",)
LEGACY = {
    **dict.fromkeys(("ca", "da", "de", "es", "fr", "id", "it", "nl", "pt", "sv"), ("windows-1252",)),
    "cs": ("windows-1250", "iso-8859-2"),
    "ro": ("windows-1250",),
    "el": ("windows-1253", "iso-8859-7"),
    "ru": ("windows-1251", "koi8-r"),
    "ja": ("shift_jis", "euc-jp"),
    "ko": ("euc-kr",),
    "zh_CN": ("gb18030",),
}
PAGES_A_LANGUAGE = 3
FEWEST_WORDS = 10
READ = 0.98
_META = re.compile(r"<meta[^>]*charset[^>]*>", re.IGNORECASE)
_WORD = re.compile(r"\w*[^\W\x00-\x7f]\w*")


class Sent(NamedTuple):
    """A page on the wire, and the words that are to be read."""

    body: bytes
    header: str
    words: Counter[str]


def main() -> int:
    data = Path(os.environ.get("DOWSE_DATA", "")) / "conformance"
    if not data.is_dir():
        print(f"no conformance tables: {data} is not there; set DOWSE_DATA to their folder", file=sys.stderr)
        return 2
    tables = {"html5lib encoding": html5lib_cases(data), "WPT charset pages": wpt_cases(data)}
    failed = sum([report(name, list(cases)) for name, cases in tables.items()])
    try:
        guide = unpacked(GUIDE) / "usr/share/doc/installation-guide-amd64"
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    behind = read_all(guide)
    return 1 if failed or behind else 0


# The standards' own tests


def report(name: str, cases: list[Case]) -> int:
    """Print how many cases pass, and those that do not with the reason; how many fail without one."""
    wrong = [case for case in cases if case.answer != case.expected]
    print(f"{name:20} {len(cases) - len(wrong)} of {len(cases)}")
    reasons = [REASONS.get(str(case.question), "") for case in wrong]
    for case, reason in zip(wrong, reasons, strict=True):
        print(f"    {case.question}: {reason or f'{case.answer!a} instead of {case.expected!a}'}")
    return reasons.count("")


def html5lib_cases(data: Path) -> Iterator[Case]:
    folder = data / "html5lib-tests" / "encoding"
    for path in sorted(folder.rglob("*.dat")):
        name = path.name if path.parent == folder else f"{path.name}, {path.parent.name}"
        for case in re.split(rb"(?:^|\n)#data\n", path.read_bytes())[1:]:
            body, _, rest = case.partition(b"\n#encoding\n")
            yield Case(name, charset_name(rest.split(b"\n")[0].strip().decode()), page_of(body).charset)


def wpt_cases(data: Path) -> Iterator[Case]:
    """Reference pages say by their link whether the meta tag counts, the others assert it in a script."""
    for path in sorted((data / "wpt-html-charset").glob("*.html")):
        body = path.read_bytes()
        asserted = re.search(rb'assert_(not_)?equals\(document\.characterSet, "([^"]+)"', body)
        if not asserted and b'rel="match"' not in body and b'rel="mismatch"' not in body:
            continue  # about frames, which inherit a charset from each other
        counts = not asserted[1] if asserted else b'rel="match"' in body
        named = asserted[2].decode() if asserted else "windows-1251"
        yield Case(path.name, counts, page_of(body).charset == named)


def page_of(body: bytes, header: str = "text/html") -> Page:
    return Page(Response(Request("http://h/", 0, "h"), 200, {"content-type": header}, body, 0.0, 0.0))


# Pages that say nothing, or what is not true


def read_all(guide: Path) -> int:
    """Print the share of pages read by each contender, kind by kind; how many kinds are read better as declared."""
    kinds: dict[str, list[Sent]] = {}
    for language, charsets in LEGACY.items():
        for text in pages(guide / language):
            for charset in charsets:
                for kind, sent in variants(text, charset):
                    kinds.setdefault(kind, []).append(sent)
    readers = installed()
    seconds = dict.fromkeys(readers, 0.0)
    print(f"\n{'pages read':44} {'cases':>5} " + " ".join(f"{name:>18}" for name in readers))
    behind = 0
    for kind, cases in kinds.items():
        shares = {}
        for name, read in readers.items():
            started = time.process_time()
            texts = [read(sent.body, sent.header) for sent in cases]
            seconds[name] += time.process_time() - started
            shares[name] = sum(is_read(text, sent.words) for text, sent in zip(texts, cases, strict=True)) / len(cases)
        print(f"{kind:44} {len(cases):5} " + " ".join(f"{shares[name]:18.1%}" for name in readers))
        behind += shares["dowse"] < shares["as declared"]
    total = sum(map(len, kinds.values()))
    print(
        f"{'ms a page (of the first two: with the tree)':50} "
        + " ".join(f"{1000 * used / total:18.2f}" for used in seconds.values())
    )
    return behind


def pages(folder: Path) -> list[str]:
    """Some pages of one language, without what they declare."""
    texts = (_META.sub("", path.read_text(encoding="utf-8")) for path in sorted(folder.glob("ch*.html")))
    return [text for text in texts if words_of(text).total() >= FEWEST_WORDS][:PAGES_A_LANGUAGE]


def words_of(text: str) -> Counter[str]:
    return Counter(_WORD.findall(html.unescape(text)))


def is_read(text: str, words: Counter[str]) -> bool:
    return (words_of(text) & words).total() >= READ * words.total()


def variants(text: str, charset: str) -> Iterator[tuple[str, Sent]]:
    """One page in all the ways it may be sent."""
    words = words_of(text)
    unicode, legacy = text.encode(), text.encode(charset, "xmlcharrefreplace")
    plain = "text/html"

    def saying(label: str, body: bytes) -> bytes:
        return body.replace(b"<head>", b'<head><meta charset="%s">' % label.encode(), 1)

    yield "UTF-8 and says so", Sent(saying("utf-8", unicode), plain, words)
    yield "UTF-8 and says nothing", Sent(unicode, plain, words)
    yield "legacy and says so", Sent(saying(charset, legacy), plain, words)
    yield "legacy and says nothing", Sent(legacy, plain, words)
    yield "legacy, tag says UTF-8", Sent(saying("utf-8", legacy), plain, words)
    yield "legacy, header says UTF-8, tag is right", Sent(saying(charset, legacy), f"{plain}; charset=utf-8", words)
    yield "UTF-8, tag says legacy", Sent(saying(charset, unicode), plain, words)
    yield "UTF-8, header says ISO-8859-1", Sent(unicode, f"{plain}; charset=iso-8859-1", words)
    if charset != "windows-1252":
        yield "legacy, header says ISO-8859-1", Sent(legacy, f"{plain}; charset=iso-8859-1", words)
        right = saying(charset, legacy)
        yield "legacy, header says ISO-8859-1, tag is right", Sent(right, f"{plain}; charset=iso-8859-1", words)
    broken = halved(unicode)
    whole = words & words_of(broken.decode("utf-8", "ignore"))
    yield "UTF-8 with broken bytes, says so", Sent(saying("utf-8", broken), plain, whole)
    yield "UTF-8 with broken bytes, says nothing", Sent(broken, plain, whole)
    pasted = "<p>Voilà ce qu'écrivait un élève très zélé à l'été: «ça ne marche pas, hélas»"
    mixed = unicode.replace(b"</body>", pasted.encode("windows-1252") + b"</body>", 1)
    yield "UTF-8 with a comment in windows-1252", Sent(saying("utf-8", mixed), plain, words_of(pasted))


def halved(body: bytes) -> bytes:
    """The same with three characters that lost their last byte, as where a text was cut."""
    places = [found.end() for found in re.finditer(rb"[\xc3-\xf4][\x80-\xbf]+", body)]
    for place in reversed([places[len(places) * part // 4] for part in (1, 2, 3)]):
        body = body[: place - 1] + body[place:]
    return body


# The contenders


def dowse(body: bytes, header: str) -> str:
    return page_of(body, header).source


def browser(body: bytes, header: str) -> str:
    """What is declared; what is detected where nothing is."""
    label = header.partition("charset=")[2] or None
    charset = turbohtml.parse(body, encoding=label, detect_encoding=True, positions=False).encoding or "UTF-8"
    return body.decode(f"whatwg-{charset.lower()}")


def scrapy(body: bytes, header: str) -> str:
    from scrapy.http import HtmlResponse

    return HtmlResponse("http://h/", headers={"Content-Type": header}, body=body).text


def normalizer(body: bytes, header: str) -> str:
    from charset_normalizer import from_bytes

    return str(from_bytes(body).best())


def installed() -> dict[str, Callable[[bytes, str], str]]:
    readers = {"dowse": dowse, "as declared": browser, "Scrapy": scrapy, "charset-normalizer": normalizer}
    found = {}
    for name, reader in readers.items():
        try:
            reader(b"x", "text/html")
        except ImportError:
            continue
        found[name] = reader
    return found


if __name__ == "__main__":
    sys.exit(main())
