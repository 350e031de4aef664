"""XPath as CSS: the same matches, or none of it."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import XPath

from dowse.extract.selecting.xpath_as_css import Shortcut, as_css

TAGS = ("a", "b", "div", "li", "math", "option", "p", "select", "svg", "table", "td", "template", "title", "tr", "ul")
NAMES = ("class", "href", "id", "lang", "type")
TEXTS = ("x", "X", "x y", "", "main")


@pytest.mark.parametrize(
    ("xpath", "css", "attribute"),
    [
        ("//h1", "h1", ""),
        ("//a/@href", "a", "href"),
        ("//div//p/b", "div p > b", ""),
        ("//*[@id='main']/p", '*[id="main" s] > p', ""),
        ('//div[@class="a b"][@id]', 'div[class="a b" s][id]', ""),
        ("//p[2]", "p:nth-of-type(2)", ""),
        ("//*[2]/p[1][@id]", "*:nth-child(2) > p:nth-of-type(1)[id]", ""),
        ("//a[contains(@class, 'next')]", 'a[class*="next" s]', ""),
        ("//a[ starts-with( @href,'/x' ) ]", 'a[href^="/x" s]', ""),
        ("//p[@id='a' and @class]", 'p[id="a" s][class]', ""),
        ("//*[ @id='a' or @id='b' or @lang ]", '*:is([id="a" s], [id="b" s], [lang])', ""),
        ("//p[contains(concat(' ', normalize-space(@class), ' '), ' x ')]", 'p[class~="x" s]', ""),
        ("//meta[@name='é']/@content", 'meta[name="é" s]', "content"),
    ],
)
def test_plain_expressions_become_css(xpath: str, css: str, attribute: str) -> None:
    assert as_css(xpath) == Shortcut(css, attribute)


@pytest.mark.parametrize(
    "xpath",
    [
        *(
            "/html/body/p",
            ".//p",
            "(//p)[1]",
            "//p | //a",
            "//H1",
            "//p/text()",
            "//p/..",
            "//p/.",
            "//@href",
            "//p//@id",
        ),
        *(
            "//p[last()]",
            "//p[0]",
            "//p[@id='a' and @class or @id]",
            "//a[contains(@class, '')]",
            "//p[@id or]",
            "//p[@id='a'or@id]x",
            "//p[@id][1]",
            "//p[b]",
            "//p[text()='x']",
            "//p['x']",
        ),
        *(
            "//p[@id!='x']",
            "//p[@Id='x']",
            "//svg:rect",
            "//a[@xlink:href]",
            "//self::p",
            "//text()",
            "//custom-element",
        ),
        *(
            "//p[@id='a\\b']",
            "//p[not(@id)]",
            "//p[@*]",
            "//p[@id=@class]",
            "count(//p)",
            "//p[contains(., 'x')]",
            "//",
            "",
        ),
    ],
)
def test_everything_else_does_not(xpath: str) -> None:
    assert as_css(xpath) is None


def trees(depth: int) -> st.SearchStrategy[str]:
    attributes = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(TEXTS), max_size=2)
    if depth == 0:
        return st.just("t")
    inner = st.lists(trees(depth - 1), max_size=3).map("".join)
    return st.builds(write, st.sampled_from(TAGS), attributes, inner)


def write(tag: str, attributes: dict[str, str], inner: str) -> str:
    written = "".join(f" {name}='{text}'" for name, text in attributes.items())
    return f"<{tag}{written}>{inner}</{tag}>"


@st.composite
def expressions(draw: st.DrawFn) -> str:
    expression = ""
    for _ in range(draw(st.integers(1, 3))):
        expression += draw(st.sampled_from(("//", "/"))) if expression else "//"
        expression += draw(st.sampled_from((*TAGS, "*")))
        for _ in range(draw(st.integers(0, 2))):
            name, text = draw(st.sampled_from(NAMES)), draw(st.sampled_from(TEXTS))
            conditions = ["1", "2", f"@{name}", f"@{name}='{text}'"]
            conditions += [f"contains(@{name}, '{text}')", f"starts-with(@{name}, '{text}')"]
            conditions += [f"contains(concat(' ', normalize-space(@{name}), ' '), ' {text} ')"]
            conditions += [f"@{name} or @id='x'", f"@{name}='{text}' and starts-with(@class, 'x')"]
            expression += f"[{draw(st.sampled_from(conditions))}]"
    return expression + draw(st.sampled_from(("", "", "/@id", "/@href")))


@given(st.lists(trees(3), min_size=1, max_size=4).map("".join), expressions())
def test_both_find_the_same(html: str, expression: str) -> None:
    shortcut = as_css(expression)
    if shortcut is None:
        return
    tree = turbohtml.parse(html, positions=False)
    found: list[object] = list(tree.select(shortcut.css))
    if shortcut.attribute:
        values = [element.attr(shortcut.attribute) for element in tree.select(shortcut.css)]
        found = [value for value in values if value is not None]
    assert found == XPath(expression)(tree)
