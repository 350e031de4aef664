"""An answer as a file of a mirror: the addresses in it lead to other files of the mirror, or out to the web.

Texts are written in UTF-8. If there is more in them than ASCII they begin with a byte order mark. Browsers believe that
before anything that the text says of itself, and the headers that said it are not there any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dowse.core.mirror_names import relative
from dowse.core.model import Response
from dowse.core.rendered_pages import unpack_states
from dowse.core.urls import Base
from dowse.parse.decode import charset_name, decode, decode_as, header_label, is_utf8, marked_charset
from dowse.parse.link_targets import PageTargets
from dowse.parse.media import is_html
from dowse.parse.page import Page
from dowse.parse.page_addresses import Role, change_markup
from dowse.parse.requisites import DRAWING, STYLES, is_script
from dowse.parse.style_addresses import change_style
from dowse.parse.xhtml import as_html

_MARK = "\ufeff"
_OF_THE_PAGE = ("", "?", "#")
_CAPITALS = ("<feImage", "</feImage", " preserveAspectRatio=", " systemLanguage=", " requiredExtensions=")
_REMEMBERED = 20_000


class OfflineCopies:
    """Makes files of answers. `paths` are the files of a mirror, by the keys of URLs, which `key` knows."""

    def __init__(self, paths: Mapping[int, str], key: Callable[[str], int], charset: str = "") -> None:
        self._paths = paths
        self._key = key
        self._charset = charset
        self._places: dict[tuple[str, str], dict[str, str | None]] = {}

    def of(self, response: Response, media_type: str, path: str, around: str = "") -> bytes:
        """The bytes of a file. `around` is the charset of a page that shows it, which holds where nothing else is
        said."""
        if is_html(media_type):
            return self._page(response, media_type, path)
        if media_type == STYLES:
            text = _text(response, around)
            addresses = _Addresses(self, response.request.url, path)
            return _encoded(change_style(text, lambda url: addresses.change(url, "requisite")))
        if media_type == DRAWING:
            text = as_html(decode(response.body, response.headers)[0].encode("utf-8", "replace")).decode()
            return _encoded(_as_xml(change_markup(text, _Addresses(self, response.request.url, path).change)))
        if is_script(media_type) and not is_utf8(response.body):
            return _encoded(_text(response, around))
        return response.body

    def _page(self, response: Response, media_type: str, path: str) -> bytes:
        page = Page(response, kind=media_type, reads="links", charset=self._charset)
        body = unpack_states(response.headers, response.body)[0]
        text = decode_as(body, page.charset)
        if media_type != "text/html":
            text = as_html(text.encode("utf-8", "replace")).decode()
        return _encoded(change_markup(text, _Addresses(self, page.url, path, page.base.url, page.charset).change))

    def address(self, url: str, path: str) -> str:
        """How a URL is written in a file of the mirror."""
        target = self._paths.get(self._key(url))
        return url if target is None else relative(path, target)

    def known(self, base: str, path: str) -> dict[str, str | None]:
        """What addresses became that were met in files of one folder: most of them stand in all."""
        place = base.rpartition("/")[0], path.rpartition("/")[0]
        known = self._places.setdefault(place, {})
        if len(known) > _REMEMBERED:
            known.clear()
        return known


class _Addresses:
    """Changes the addresses of one file."""

    def __init__(self, copies: OfflineCopies, url: str, path: str, base: str = "", charset: str = "UTF-8") -> None:
        self._copies = copies
        self._path = path
        self._base = Base(base or url)
        self._is_moved = bool(base) and base != url
        self._target = PageTargets(url, base or url, charset).target
        self._known = copies.known(base or url, path)

    def change(self, written: str, role: Role) -> str | None:
        if role == "hindrance":
            return ""
        if written[:1] in _OF_THE_PAGE:
            return None if written[:1] == "#" and not self._is_moved else self._changed(written)
        if written not in self._known:
            self._known[written] = self._changed(written)
        return self._known[written]

    def _changed(self, written: str) -> str | None:
        address, mark, fragment = written.partition("#")
        url = self._target(written) or self._base.join(address)
        if url is None:
            return None
        return f"{self._copies.address(url, self._path)}{mark}{fragment}"


def _as_xml(drawing: str) -> str:
    """A drawing with the letters of names that a tag loses when its address is changed: in XML they count."""
    for name in _CAPITALS:
        drawing = drawing.replace(name.lower(), name)
    return drawing


def _text(response: Response, around: str) -> str:
    """The text of a style sheet or a script."""
    body = response.body
    said = marked_charset(body) or charset_name(header_label(response.headers))
    if not said and not is_utf8(body) and around:
        return decode_as(body, around)
    return decode(body, response.headers)[0]


def _encoded(text: str) -> bytes:
    return (text if text.isascii() else _MARK + text.removeprefix(_MARK)).encode("utf-8", "replace")
