"""Controls and values to entries: "constructing the entry list" of the HTML standard.

`values` gives controls other values than their own, by name. A text is one value, a sequence several: ticked boxes,
options of a multiple select, or one for each of several texts of the same name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from dowse.parse.forms.controls import TICKED, Control
from dowse.parse.forms.form_encoding import Entry
from dowse.parse.forms.input_values import sanitised

Values = Mapping[str, str | Sequence[str]]


def entry_list(controls: Sequence[Control], values: Values, submitter: Control | None, charset: str) -> list[Entry]:
    """What is sent of these controls if this button is pressed.

    Raises ValueError for a name that no control has, and for a value that a control cannot have.
    """
    given = _given(controls, values)
    ticked = _ticked(controls, given)
    entries: list[Entry] = []
    for place, control in enumerate(controls):
        if control.disabled or (control.is_button and control is not submitter):
            continue
        if control.kind == "image":
            prefix = f"{control.name}." if control.name else ""
            entries += [Entry(f"{prefix}x", "0"), Entry(f"{prefix}y", "0")]
        elif control.name and (control.kind not in TICKED or place in ticked):
            entries += _entries_of(control, given, charset)
    return entries


def _given(controls: Sequence[Control], values: Values) -> dict[str, list[str]]:
    """The values as lists that are used up, checked against the controls."""
    names = {control.name for control in controls if control.name and not control.is_button}
    if unknown := [name for name in values if name not in names]:
        raise ValueError(f"the form has no field {unknown[0]!r}; it has {', '.join(sorted(names)) or 'none'}")
    return {name: [value] if isinstance(value, str) else list(value) for name, value in values.items()}


def _ticked(controls: Sequence[Control], given: Mapping[str, list[str]]) -> set[int]:
    """The places of the checkboxes and radio buttons that are ticked; of radio buttons of one name, the last."""
    ticked: set[int] = set()
    radios: dict[str, int] = {}
    offered: dict[str, set[str]] = {}
    for place, control in enumerate(controls):
        if control.kind not in TICKED:
            continue
        offered.setdefault(control.name, set()).add(control.value)
        if control.value in given[control.name] if control.name in given else control.checked:
            if control.kind == "radio":
                ticked.discard(radios.get(control.name, -1))
                radios[control.name] = place
            ticked.add(place)
    for name, choices in offered.items():
        others = {control.kind for control in controls if control.name == name} - TICKED
        if not others and (wrong := [value for value in given.get(name, ()) if value not in choices]):
            raise ValueError(f"the field {name!r} has no choice {wrong[0]!r}")
    return ticked


def _entries_of(control: Control, given: Mapping[str, list[str]], charset: str) -> Iterator[Entry]:
    name = control.name
    if control.kind == "select":
        yield from (Entry(name, value) for value in _chosen(control, given.get(name)))
    elif control.kind == "file":
        yield Entry(name, "", is_file=True)
    elif control.kind == "hidden" and name.lower() == "_charset_":
        yield Entry(name, charset)
    else:
        value = control.value
        if control.kind not in TICKED and given.get(name):
            value = sanitised(control.kind, given[name].pop(0), multiple=control.multiple, limits=control.limits)
        yield Entry(name, value)
        if control.dirname:
            yield Entry(control.dirname, _direction(control, value))


def _chosen(control: Control, wanted: list[str] | None) -> list[str]:
    """The values of the options that are chosen; without a wish, those of the page."""
    enabled = [option for option in control.options if not option.disabled]
    if wanted is None:
        return [option.value for option in enabled if option.selected]
    offered = {option.value for option in enabled}
    wrong = [value for value in wanted if value not in offered]
    if wrong and not control.options_dropped:
        raise ValueError(f"the field {control.name!r} has no option {wrong[0]!r}")
    if not control.multiple:
        return wanted[-1:]
    return [option.value for option in enabled if option.value in wanted] + wrong


def _direction(control: Control, value: str) -> str:
    """Which way a text is written: as the page says, or by its first letter."""
    if control.direction != "auto":
        return control.direction
    for char in value:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "AL", "R"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"
