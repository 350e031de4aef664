"""Which control belongs to which form, also where the markup is broken.

A control belongs to the form that its attribute `form` names, else to the one it stands in. That is all a tree can say,
and it is wrong for broken pages: `<table><form><tr><td><input></table></form>`. The parser of the HTML standard
remembers the last form tag that is not closed, and gives it every control that comes, wherever both end up in the tree.
So where a control stands outside of all forms, the tags of the page are walked once more, with that memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turbohtml import Document, Element, Namespace

from dowse.parse.tree import parse_with_places, tags_of

CONTROLS = ("input", "select", "textarea", "button")
_CONTROLS = frozenset(CONTROLS)

Owners = dict[Element, Element | None]
_Place = tuple[int, int]


def own_controls(tree: Document) -> list[Element]:
    """The controls of a page in their order; those of templates and of lists of suggestions are none."""
    selector = ", ".join(CONTROLS)
    if tree.find("template") or tree.find("datalist"):
        selector = ", ".join(f"{tag}:not(template *, datalist *)" for tag in CONTROLS)
    return [element for element in tree.select(selector) if element.namespace is Namespace.HTML]


def own_forms(tree: Document) -> list[Element]:
    """The forms of a page in their order."""
    return tree.select("form:not(template *)") if tree.find("template") else tree.find_all("form")


def owners_in(tree: Document, controls: Sequence[Element]) -> Owners:
    """The form of each control as the tree tells it; None for a control without one."""
    named = _forms_by_id(tree) if any(control.attr("form") is not None for control in controls) else {}
    return {control: _owner(control, named) for control in controls}


def owners_by_tags(source: str) -> tuple[Document, Owners]:
    """The same by the tags of the page, and the tree in which the answer holds."""
    tree, text = parse_with_places(source)
    controls = own_controls(tree)
    owners = owners_in(tree, controls)
    places = {form.position: form for form in own_forms(tree)}
    open_forms = _open_forms(text, places)
    for control in controls:
        place = control.position
        if control.attr("form") is None and place in open_forms:
            owners[control] = places[open_forms[place]]
    return tree, owners


def _forms_by_id(tree: Document) -> dict[str, Element | None]:
    """What the attribute `form` of a control may name: the first element with an id counts, and it must be a form."""
    found: dict[str, Element | None] = {}
    for element in tree.select("[id]"):
        found.setdefault(element.attr("id") or "", element if element.tag == "form" else None)
    return found


def _owner(control: Element, named: Mapping[str, Element | None]) -> Element | None:
    name = control.attr("form")
    return control.closest("form") if name is None else named.get(name)


def _open_forms(text: str, forms: Mapping[_Place | None, Element]) -> dict[_Place, _Place]:
    """Where the form is that is open at each control. A form tag without a form in the tree was ignored."""
    found: dict[_Place, _Place] = {}
    is_open: _Place | None = None
    templates = 0
    for tag in tags_of(text):
        place, is_end = (tag.line, tag.col), tag.type == tag.type.END_TAG
        if tag.tag == "template":
            templates = max(0, templates + (-1 if is_end else 1))
        elif templates:
            continue
        elif tag.tag == "form":
            if is_end:
                is_open = None
            elif is_open is None and place in forms:
                is_open = place
        elif is_open is not None and not is_end and tag.tag in _CONTROLS:
            found[place] = is_open
    return found
