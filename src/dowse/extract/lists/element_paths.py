"""The outline of a page: its elements by the path that leads to them, which is where repetition shows.

    body/main/ul.products            1 element
    body/main/ul.products/li.item   24 elements, so something is repeated here
    .../li.item/h3                  24 elements: part of what is repeated

A path is made of tags and first classes. Numbers in classes, and classes that only count or mark (`odd`, `first`,
`active`), are left out, so that the items of one template have one path.
"""

from __future__ import annotations

from functools import lru_cache

import regex
from turbohtml import Element, Text

MOST_ELEMENTS = 100_000

UNSEEN = frozenset(
    {
        *("canvas", "datalist", "embed", "head", "iframe", "link", "map", "nav", "noscript", "object", "option"),
        *("script", "select", "source", "style", "svg", "template", "textarea", "track"),
    }
)
_DIGITS = regex.compile(r"\d+")
_MARKS = regex.compile(
    r"(?:odd|even|first|last|alt|active|current|selected|hover|hidden|clearfix|cf|row-?alt|is-.*|has-.*|js-.*)?[-_]*",
    regex.IGNORECASE,
)
_MENU = regex.compile(
    r"(?:^|[\s_-])(?<!\bnot?[_-])(?:nav|navbar|navheader|navfooter|navigation|menu|menubar|breadcrumbs?|pagination|paging|"
    r"pager|footer|sitemap|share|social|language-?selector)(?:$|[\s_-])",
    regex.IGNORECASE,
)
_MENU_ROLES = frozenset({"navigation", "menu", "menubar", "tablist"})
# What may have such an id or role: the parser finds these few in a fraction of the time that asking each would take.
_MARKED = ", ".join(
    [
        f'[id*="{word}" i]'
        for word in ("nav", "menu", "breadcrumb", "pag", "footer", "sitemap", "share", "social", "lang")
    ]
    + [f"[role={role}]" for role in sorted(_MENU_ROLES)]
)
_WHOLE = frozenset({"html", "body", "main", "article", "form"})


Look = tuple[str, str | None, bool]
"""Tag, classes, and whether it is marked as a menu: elements that look alike are on the same path."""


class Path:
    """One path: its elements, and how much text is in them, in links and altogether."""

    __slots__ = ("children", "elements", "in_menu", "linked", "looks", "name", "parent", "tag", "text")

    def __init__(self, parent: Path | None, tag: str, name: str, in_menu: bool) -> None:
        self.parent = parent
        self.tag = tag
        self.name = name
        self.in_menu = in_menu
        self.elements: list[Element] = []
        self.children: dict[str, Path] = {}
        self.looks: dict[Look, Path] = {}
        self.text = 0
        self.linked = 0

    @property
    def repeats(self) -> bool:
        """Whether there are more of these than of what they lie in."""
        return self.parent is not None and len(self.elements) > len(self.parent.elements)

    def lies_in(self, other: Path) -> bool:
        around = self.parent
        while around is not None and around is not other:
            around = around.parent
        return around is other


def outline(root: Element) -> list[Path]:
    """All paths of a page, outer ones first. Of a very large page it is those of its first elements."""
    start = Path(None, root.tag, root.tag, False)
    paths = [start]
    menus = {element for element in root.select(_MARKED) if _is_menu(element)}
    room = MOST_ELEMENTS

    def walk(element: Element, path: Path, in_link: bool) -> tuple[int, int]:
        """Put an element and all in it on their paths; the answer is the length of its text, and of that in links.

        Recursion is safe: the parser makes no tree deeper than 512.
        """
        nonlocal room
        length = linked = 0
        path.elements.append(element)
        for child in element:
            if isinstance(child, Text):
                length += len(child.data.strip())
            elif isinstance(child, Element) and room > 0 and (tag := child.tag) not in UNSEEN:
                room -= 1
                look = (tag, child.attr("class"), child in menus)
                below = path.looks.get(look) or _path_below(path, look, paths)
                more, more_linked = walk(child, below, in_link or tag == "a")
                length += more
                linked += more_linked
        if in_link:
            linked = length
        path.text += length
        path.linked += linked
        return length, linked

    walk(root, start, False)
    return paths


def _path_below(path: Path, look: Look, paths: list[Path]) -> Path:
    """The path of elements that look like this; it is made if there is none yet."""
    tag, classes, in_menu = look
    name = name_of(tag, classes or "")
    in_menu = not path.in_menu and tag not in _WHOLE and (in_menu or is_menu_mark(classes))
    if in_menu:
        name += "!"  # apart from others that look alike and are none
    found = path.children.get(name)
    if found is None:
        found = path.children[name] = Path(path, tag, name, in_menu or path.in_menu)
        paths.append(found)
    path.looks[look] = found
    return found


def _is_menu(element: Element) -> bool:
    """Whether an element's id or role says so."""
    return is_menu_mark(element.attr("id")) or element.attr("role") in _MENU_ROLES


@lru_cache(maxsize=4_096)
def is_menu_mark(mark: str | None) -> bool:
    """Whether a class, id or summary is one that menus have."""
    return mark is not None and _MENU.search(mark[:200]) is not None


def name_of(tag: str, classes: str) -> str:
    """The step of a path that leads to an element."""
    return f"{tag}.{token}" if classes and (token := first_class(classes)) else tag


@lru_cache(maxsize=4_096)
def first_class(classes: str) -> str:
    """The first class that says what an element is, without numbers; "" if none does.

    >>> first_class("odd post-123 hentry"), first_class("last"), first_class("")
    ('post-', '', '')
    """
    for word in classes.split(maxsplit=8)[:8]:
        token: str = _DIGITS.sub("", word)
        if not _MARKS.fullmatch(token):
            return token[:40]
    return ""
