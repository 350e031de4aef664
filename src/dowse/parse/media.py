"""What kind of thing a response is: the Content-Type header, and the bytes where the header cannot be believed.

    header ----content_type--> essence, charset label      (WHATWG MIME Sniffing and Fetch)
    header + body --media_type--> essence
    an archive    --_archive_type--> the document that it is, if it is one

An essence is a lower-case type/subtype without parameters.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.core.document_kinds import DOCUMENT_TYPES, usual_type

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
XML_LINK_TYPES = frozenset(
    {"application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "application/rdf+xml"}
)

# What servers send when they do not know; S3 calls it binary/octet-stream.
_UNKNOWN = frozenset({"", "unknown/unknown", "application/unknown"})
_ANYTHING = frozenset({"application/octet-stream", "binary/octet-stream"})

# The standard's "resource header": nothing beyond it is looked at.
_SNIFFED_BYTES = 1_445
_HEADER_LENGTH = 1_000

_HTTP_SPACE = " \t\r\n"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_QUOTED = r'"(?:[^"\\]|\\.)*+"?'
_LIST_ITEM = re.compile(rf'(?:[^",]|{_QUOTED})+', re.DOTALL)
_PARAMETER = re.compile(rf";[ \t\r\n]*([^;=]*)(?:=({_QUOTED}|[^;]*)[^;]*)?", re.DOTALL)

_BINARY_BYTE = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BYTE_ORDER_MARK = re.compile(rb"\xef\xbb\xbf|\xfe\xff|\xff\xfe")

_HTML_START = re.compile(
    rb"[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]",
    re.IGNORECASE,
)
_XML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:\?xml|rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]", re.IGNORECASE
)
_XML_ROOT = re.compile(rb"(?:[\s\xef\xbb\xbf]|<\?[^>]*>|<!--.*?-->|<![^>]*>)*+<([a-z:]+)", re.IGNORECASE | re.DOTALL)
_XML_ROOT_TYPES = {
    b"rss": "application/rss+xml",
    b"feed": "application/atom+xml",
    b"rdf:rdf": "application/rdf+xml",
    b"html": "application/xhtml+xml",
}

_ZIP = "application/zip"
_ZIP_TYPES = frozenset({_ZIP, "application/x-zip-compressed"})
_NAMES_BYTES = 65_536
"""The end of an archive, where the names of its files are; documents have few of them."""
_MAIN_PARTS = {b"word/document.xml": "docx", b"xl/workbook.xml": "xlsx", b"ppt/presentation.xml": "pptx"}
# OpenDocument and EPUB: the first file says what the archive is, and is not compressed.
_TOLD_TYPE = re.compile(rb"PK\x03\x04.{26}mimetype(application/[a-z.+-]+)", re.DOTALL)

_SIGNATURES = {
    # documents
    rb"%PDF-": "application/pdf",
    rb"%!PS-Adobe-": "application/postscript",
    rb"\{\\rtf": "application/rtf",
    # images
    rb"\x89PNG\r\n\x1a\n": "image/png",
    rb"\xff\xd8\xff": "image/jpeg",
    rb"GIF8[79]a": "image/gif",
    rb"RIFF....WEBPVP": "image/webp",
    rb"BM": "image/bmp",
    rb"\x00\x00[\x01\x02]\x00": "image/x-icon",
    # sound and film
    rb"ID3": "audio/mpeg",
    rb"OggS\x00": "application/ogg",
    rb"MThd\x00\x00\x00\x06": "audio/midi",
    rb"FORM....AIFF": "audio/aiff",
    rb"RIFF....AVI ": "video/avi",
    rb"RIFF....WAVE": "audio/wave",
    rb"....ftyp": "video/mp4",
    rb"\x1a\x45\xdf\xa3": "video/webm",
    # fonts
    rb"\x00\x01\x00\x00": "font/ttf",
    rb"OTTO": "font/otf",
    rb"ttcf": "font/collection",
    rb"wOFF": "font/woff",
    rb"wOF2": "font/woff2",
    # archives
    rb"\x1f\x8b\x08": "application/x-gzip",
    rb"PK\x03\x04": _ZIP,
    rb"Rar!\x1a\x07\x00": "application/x-rar-compressed",
}
_SIGNATURE = re.compile(b"|".join(b"(%s)" % pattern for pattern in _SIGNATURES), re.DOTALL)
_SIGNATURE_TYPES = tuple(_SIGNATURES.values())


_XML_TYPES = frozenset({"application/xml", "text/xml"})
_XHTML = re.compile(rb"<html[\s>]", re.IGNORECASE)
_PROLOGUE_BYTES = 1_024


def media_type(headers: dict[str, str], body: bytes) -> str:
    """The lower-case type/subtype of a response: its header, or what its first bytes say when that is no help."""
    essence = content_type(headers.get("content-type", ""))[0]
    if essence == "text/html" and body[:1] in b"<" and body[1:2] in b"!hH":
        return essence
    start = body[:_SNIFFED_BYTES]
    if essence == "text/html":
        essence = _doubted_html(start)
    elif essence in _UNKNOWN or essence in _ANYTHING:
        sniffed = _sniff(start)
        essence = essence if sniffed == "text/plain" and essence in _ANYTHING else sniffed
    elif essence == "text/plain" and _is_binary(start):
        essence = _signed_type(start) or "application/octet-stream"
    return _archive_type(body, essence) if essence in _ZIP_TYPES else essence


def is_feed(kind: str) -> bool:
    """Whether a media type, with parameters or without, is that of an RSS or Atom feed."""
    return kind.partition(";")[0].strip().lower() in ("application/rss+xml", "application/atom+xml")


def is_html(media: str) -> bool:
    return media in HTML_TYPES


def has_tags(media: str, body: bytes) -> bool:
    """Whether a body of that type has tags to read; XHTML is also sent as plain XML."""
    return is_html(media) or (media in _XML_TYPES and _XHTML.search(body, 0, _PROLOGUE_BYTES) is not None)


def is_xml_links(media: str) -> bool:
    """Whether this may be a feed or a sitemap."""
    return media in XML_LINK_TYPES


def content_type(header: str) -> tuple[str, str]:
    """Essence and charset label of a Content-Type header, "" where it has none.

    A header that came several times is joined with commas. The last valid one counts; it inherits the charset of
    those before it as long as the essence is the same.
    """
    return _content_type(header[:_HEADER_LENGTH])


@lru_cache(maxsize=256)
def _content_type(header: str) -> tuple[str, str]:
    essence = charset = ""
    for item in _LIST_ITEM.findall(header):
        found, label = _mime_type(item.strip(_HTTP_SPACE))
        if not found or found == "*/*":
            continue
        charset = label or (charset if found == essence else "")
        essence = found
    return essence, charset


def _mime_type(text: str) -> tuple[str, str]:
    kind, _, rest = text.partition("/")
    subtype = rest.partition(";")[0].rstrip(_HTTP_SPACE)
    if not (_TOKEN.fullmatch(kind) and _TOKEN.fullmatch(subtype)):
        return "", ""
    essence = f"{kind}/{subtype}".lower()
    for name, written in _PARAMETER.findall(rest):
        if name.lower() == "charset" and _VALUE.fullmatch(value := _unquote(written)) and (value or written):
            return essence, value
    return essence, ""


def _unquote(value: str) -> str:
    if not value.startswith('"'):
        return value.rstrip(_HTTP_SPACE)
    return re.sub(r"\\(.)", r"\1", value[1:].removesuffix('"'), flags=re.DOTALL)


def _sniff(start: bytes) -> str:
    """What unlabelled bytes are."""
    if _HTML_START.match(start):
        return "text/html"
    if _XML_START.match(start):
        return _xml_type(start)
    return _signed_type(start) or ("application/octet-stream" if _is_binary(start) else "text/plain")


def _doubted_html(start: bytes) -> str:
    """Feeds and binary files are often sent as text/html; nobody reads them as such."""
    if _XML_START.match(start):
        found = _xml_type(start)
        return "text/html" if found in ("text/xml", "application/xhtml+xml") else found
    return _signed_type(start) or "text/html"


def _xml_type(start: bytes) -> str:
    root = _XML_ROOT.match(start)
    return _XML_ROOT_TYPES.get(root[1].lower(), "text/xml") if root else "text/xml"


def _archive_type(body: bytes, essence: str) -> str:
    """The type of an archive by what is in it: documents are often sent as what they are packed in."""
    told = _TOLD_TYPE.match(body)
    if told and told[1].decode() in DOCUMENT_TYPES:
        return told[1].decode()
    names = body[-_NAMES_BYTES:]
    return next((usual_type(kind) for part, kind in _MAIN_PARTS.items() if part in names), essence)


def _signed_type(start: bytes) -> str:
    """By signature. Some are short words, so text does not count as signed: "BMW sells cars" is no picture."""
    match = _SIGNATURE.match(start)
    if not match or not match.lastindex or not (start.startswith((b"%", b"{\\rtf")) or _is_binary(start)):
        return ""
    return _SIGNATURE_TYPES[match.lastindex - 1]


def _is_binary(start: bytes) -> bool:
    return not _BYTE_ORDER_MARK.match(start) and _BINARY_BYTE.search(start) is not None
