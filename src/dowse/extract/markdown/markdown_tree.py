"""Makes a tree ready to be written as Markdown, where HTML has more than Markdown does.

    definition lists      a list with an item for each term, its definitions below it
    old and other tags    tt, kbd and samp are code
    languages of code     from the names that highlighters give to a block or what is around it
    tables                see markdown_tables.py
    links                 those without words go, such as the marks beside headings

Markdown Extra has definition lists of its own, but those of several paragraphs are code blocks to every other reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element
from turbohtml.build import E

from dowse.extract.markdown.markdown_tables import settle_table

_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|highlight|source|brush|code)[-_:]([A-Za-z][\w+#.-]{0,20})$")
_NO_LANGUAGE = frozenset(
    {"default", "none", "text", "notranslate", "plaintext", "plain", "block", "example", "highlight"}
)
_CODE_TAGS = "tt,kbd,samp"
_PERMALINKS = frozenset("¶#§🔗")
_LEVELS_OF_A_BLOCK = 3


def prepare(tree: Element) -> None:
    """Change a tree so that its Markdown says all that it says."""
    for table in reversed(tree.find_all("table")):  # those within others first
        settle_table(table)
    for block in tree.find_all("pre"):
        _name_language(block)
    for element in tree.select(_CODE_TAGS):
        element.tag = "code"
    for code in tree.select("code:has(a)"):
        if code.parent is not None and code.closest("pre") is None:  # none if it was in another one
            _link_code(code)
    for terms in reversed(tree.find_all("dl")):
        _list_terms(terms)
    for link in tree.find_all("a"):
        _settle_link(link)


def _link_code(code: Element) -> None:
    """Code that has links in it becomes links that have code in them, for in code Markdown has nothing else."""
    for child in list(code.children):
        if isinstance(child, Element) and child.tag == "a":
            text = child.text
            child.clear()
            child.append(E("code", text))
        elif child.text:
            child.replace_with(E("code", child.text))
    code.unwrap()


def _settle_link(link: Element) -> None:
    text = link.text.strip()
    href = str(link.attrs.get("href") or "")
    if text in _PERMALINKS and "#" in href:
        link.decompose()
    elif not text and link.find("img") is None:
        link.unwrap()


def _list_terms(terms: Element) -> None:
    """<dt>a<dt>b<dd>c becomes <li><p>a<br>b</p><div>c</div>."""
    items: list[Element] = []
    begins = True
    for child in list(_entries(terms)):
        if child.tag == "dt":
            if begins:
                items.append(E("li", E("p")))
            head = items[-1].find("p")
            if not begins and head is not None:
                head.append(E("br"))
            for part in list(child.children):
                if head is not None:
                    head.append(part)
            begins = False
        else:
            if not items:
                items.append(E("li"))
            child.tag = "div"
            items[-1].append(child)
            begins = True
    terms.clear()
    terms.extend(items)
    terms.tag = "ul"


def _entries(terms: Element) -> Iterator[Element]:
    """The terms and definitions of a list; a div may hold a group of them."""
    for child in terms.children:
        if isinstance(child, Element):
            if child.tag == "div":
                yield from _entries(child)
            else:
                yield child


def _name_language(block: Element) -> None:
    """Write the language of a code block where the converter looks for it."""
    code = block.find("code")
    around: Element | None = block
    found = _language(code) if code is not None else ""
    for _ in range(_LEVELS_OF_A_BLOCK):
        if found or around is None:
            break
        found = _language(around)
        above = around.parent
        around = above if isinstance(above, Element) and len(above.find_all("pre")) == 1 else None
    for name in (code, block):
        if name is not None:
            name.attrs.pop("class", None)
    if found:
        block.attrs["class"] = f"language-{found}"


def _language(element: Element) -> str:
    names = element.attrs.get("class") or ()
    for name in names.split() if isinstance(names, str) else names:
        match = _LANGUAGE.match(name)
        if match and match[1].lower() not in _NO_LANGUAGE:
            return match[1].lower()
    return ""
