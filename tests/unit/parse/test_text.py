"""The text of an element."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element, Node, Text

from dowse.parse.text import text_of, without

INLINE = ("a", "abbr", "b", "code", "em", "i", "label", "mark", "small", "span", "strong", "sub", "sup", "time", "u")
BLOCKS = (
    *("article", "blockquote", "button", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figure", "footer"),
    *("form", "h1", "h3", "header", "hgroup", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre"),
    *("section", "select", "summary", "table", "td", "textarea", "th", "tr", "ul", "caption", "tbody"),
)
UNSEEN = ("script", "style", "template")


def first(html: str, tag: str = "div") -> Element:
    element = turbohtml.parse(html, positions=False).select_one(tag)
    assert element is not None
    return element


def words_of(element: Element) -> str:
    """The definition: text nodes in order, a space at both ends of every block, nothing of what is not shown."""

    def write(node: Node) -> str:
        if isinstance(node, Text):
            return node.data
        if not isinstance(node, Element) or node.tag in UNSEEN:
            return ""
        space = " " if node.tag in (*BLOCKS, "br", "hr") else ""
        return space + "".join(map(write, node.children)) + space

    return " ".join("".join(map(write, element.children)).split())


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>  one\n\t two&nbsp;three </div>", "one two three"),
        ("<div>t<b>w</b>o <i>words</i></div>", "two words"),
        ("<div>a<p>b</p>c<br>d<hr>e</div>", "a b c d e"),
        ("<div>x<a><h3>T</h3><p>d</p></a>y</div>", "x T d y"),
        ("<div><ol><li>x<li value=5>y</ol><ul><li>z</ul></div>", "x y z"),
        ("<div><ul><a>no</a> item<li>item</ul></div>", "no item item"),
        ("<div><table><caption>cap</caption><tr><th>a<td>b<tr><td>c</table></div>", "cap a b c"),
        ("<div><select><option>a<option>b</select></div>", "a b"),
        ("<div>a<script>b</script><style>c</style><template>d<p>e</p></template><!-- f -->g</div>", "ag"),
        ("<div>&lt;b&gt; &amp;amp; &eacute; &#x1F600;</div>", "<b> &amp; é 😀"),
        ("<div></div>", ""),
        ("<div><p>\u200f שלום</p><p>日本語</p></div>", "\u200f שלום 日本語"),
    ],
)
def test_text(html: str, text: str) -> None:
    assert text_of(first(html)) == text


@pytest.mark.parametrize(
    ("html", "tag", "text"),
    [
        ("<ol><li><p>a</p><li>b</ol>", "ol", "a b"),
        ("<table><caption><p>a</p>b</caption></table>", "caption", "a b"),
        ("<table><tr><td>a<td>b</table>", "tr", "a b"),
        ('<script type="application/json">{"a": 1}</script>', "script", '{"a": 1}'),
        ("<title>A &amp; B</title>", "title", "A & B"),
        ("<textarea><p>a</textarea>", "textarea", "<p>a"),
        ("<html><body><p>a<p>b", "html", "a b"),
    ],
)
def test_text_of_special_elements(html: str, tag: str, text: str) -> None:
    assert text_of(first(html, tag)) == text


def trees(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["a", "b ", " c", "", "<br>", "&amp;"])
    if depth == 0:
        return leaf
    inner = st.lists(trees(depth - 1), max_size=3).map("".join)
    tags = st.sampled_from(INLINE + BLOCKS + UNSEEN)
    return st.one_of(leaf, st.builds(lambda tag, body: f"<{tag}>{body}</{tag}>", tags, inner))


@given(st.lists(trees(4), max_size=4).map("".join))
def test_no_word_is_lost_added_or_joined_to_another(html: str) -> None:
    tree = turbohtml.parse(f"<body><div>{html}</div>", positions=False)
    before = tree.html
    element = tree.select_one("div")
    assert element is not None
    assert text_of(element) == words_of(element)
    assert tree.html == before


def test_a_copy_lacks_what_is_excluded_and_the_page_does_not() -> None:
    tree = turbohtml.parse("<div>a<b>b<i>c</i></b><i>d</i>e</div>", positions=False)
    element = tree.select_one("div")
    assert element is not None
    excluded = frozenset({tree.select("i")[0], *tree.select("b")})
    assert without(element, excluded).html == "<div>a<i>d</i>e</div>"
    assert text_of(element, excluded) == "ade"
    assert element.html == "<div>a<b>b<i>c</i></b><i>d</i>e</div>"
    assert len(tree.select("i")) == 2


def test_deep_and_wide_elements() -> None:
    deep = first("<div>" + "<ol><li><b>" * 300 + "x")
    assert text_of(deep) == "x"
    wide = first("<div>" + "<ul><li>y</ul>" * 20_000)
    assert text_of(wide) == " ".join("y" * 20_000)
