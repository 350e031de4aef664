"""XHTML sent as XML, rewritten so that the HTML parser reads it right.

To an HTML parser `<script src="x"/>`, `<title/>` and `<a id="x"/>` are left open and swallow what follows; in XML they
are whole. So such elements get an end tag of their own, and CDATA sections become text. Rejected: an XML parser. It
stops at the first mistake, which pages have (`&nbsp;` is one without a DTD), and knows no charset of a meta tag. Pages
sent as text/html are left as they are, as browsers do.
"""

from __future__ import annotations

import re

_VOID = frozenset(
    {
        *(b"area", b"base", b"basefont", b"bgsound", b"br", b"col", b"embed", b"frame", b"hr", b"image", b"img"),
        *(b"input", b"keygen", b"link", b"meta", b"param", b"source", b"track", b"wbr"),
    }
)

_ATTRIBUTES = rb"""(?:[^>/=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+)|/(?!>))*+"""

# No part of it can fail after a long way without another part that goes on from there, so the time is linear. Scripts
# and styles are matched whole: their content is no markup to the HTML parser.
_MARKUP = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|<!\[CDATA\[(?P<text>.*?)(?:\]\]>|\Z)"
    rb"|<(?P<raw>script|style)(?=[\s>])" + _ATTRIBUTES + rb">.*?(?:</(?P=raw)(?=[\s/>])|\Z)"
    rb"|<(?P<name>[a-z][^\s/>]*)(?P<attributes>" + _ATTRIBUTES + rb")(?P<end>/?>|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def as_html(body: bytes) -> bytes:
    """The same page for an HTML parser.

    >>> as_html(b'<p><a id="x"/>One<br/><![CDATA[1 < 2]]></p>')
    b'<p><a id="x"></a>One<br/>1 &lt; 2</p>'
    """
    return _MARKUP.sub(_rewritten, body)


def _rewritten(found: re.Match[bytes]) -> bytes:
    text, name = found["text"], found["name"]
    if text is not None:
        return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
    if name is None or found["end"] != b"/>" or name.lower() in _VOID:
        return found[0]
    return b"<%s%s></%s>" % (name, found["attributes"], name)
