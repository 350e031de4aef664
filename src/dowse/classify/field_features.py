"""A field of a form as names of features with their weight: itself, its neighbours, and what its form is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dowse.classify.form_features import FIRST_OPTIONS, Features
from dowse.parse.forms.controls import Control
from dowse.parse.forms.form import Form

LAST_OPTIONS = 4
LONGEST_VALUE = 60
_LENGTHS = (4, 6, 8, 12, 20, 30, 50, 100)
_OPTION_COUNTS = (2, 3, 5, 7, 11, 13, 14, 25, 30, 33, 49, 61, 100, 150, 300)
_ONE_LINE = frozenset({"text", "search", "email", "tel"})


def told_fields(form: Form) -> list[Control]:
    """What a form has field types for: one control of each name, and buttons with a name; nothing of type hidden."""
    found: dict[str, Control] = {}
    for control in form.controls:
        if control.name and control.kind != "hidden":
            found.setdefault(control.name, control)
    return list(found.values())


class FieldFeatures:
    """The features of the fields of one form."""

    def __init__(self, form: Form, fields: Sequence[Control], types: Mapping[str, float]) -> None:
        """`types` are the probabilities of the types of the form."""
        self._fields = fields
        self._types = types
        self._shared = _of_form(form)
        self._kinds = Counter(control.kind for control in form.controls)
        self._lines = sum(control.kind in _ONE_LINE for control in fields)
        self._near = [_of_neighbour(field) for field in fields]
        self._nth: Counter[str] = Counter()

    def of(self, place: int) -> dict[str, float]:
        """The features of the field at this place; to be asked in order."""
        control = self._fields[place]
        kind = control.kind
        found = _of_control(control)
        found |= self._shared
        found.update([f"place{min(place, 5)}", f"from the end{min(len(self._fields) - place, 5)}"])
        found.add(f"{kind} of {min(self._kinds['password'], 3)} passwords")
        found.add(f"{kind} of {min(self._lines, 4)} lines")
        found.add(f"{kind} {min(self._nth[kind], 3)}")
        self._nth[kind] += 1
        if self._kinds["textarea"]:
            found.add(f"{kind} beside textarea")
        for step in (-2, -1, 1, 2):
            there = place + step
            named, labelled = self._near[there] if 0 <= there < len(self._near) else (["nothing"], [])
            found.update([f"{step}{name}" for name in (named + labelled if abs(step) == 1 else named)])
        weighed = dict.fromkeys(found, 1.0)
        for name, probability in self._types.items():
            weighed[f"form:{name}"] = weighed[f"{kind} in {name}"] = 2 * probability
        return weighed


def _of_form(form: Form) -> Features:
    found = Features()
    found.tell("button", " ".join(control.label for control in form.controls[:100] if control.is_button))
    found.tell("form", f"{form.css_class} {form.id} {form.name}")
    found.tell("heading", form.heading)
    found.add(f"method:{form.method}")
    return found


def _of_neighbour(control: Control) -> tuple[list[str], list[str]]:
    """What a field tells of those two beside it, its kind and name; and of the one next to it besides, its label."""
    named, labelled = Features([f"kind:{control.kind}"]), Features()
    named.tell("name", control.name)
    labelled.tell("label", control.label)
    return list(named), list(labelled)


def _of_control(control: Control) -> Features:
    found = Features()
    found.add(f"kind:{control.kind}")
    found.tell("name", control.name)
    found.tell("id", control.id)
    found.add(f"named:{control.name.lower()}")
    found.tell("label", " ".join(label.text for label in control.labels if label.source != "placeholder"))
    found.tell("best label", control.label)
    found.tell("placeholder", control.placeholder)
    found.tell("class", control.css_class)
    found.tell("group", control.group)
    if control.kind != "textarea":
        found.tell("value", control.value[:LONGEST_VALUE])
    if control.autocomplete:
        found.add(f"autocomplete:{control.autocomplete}")
    _limits(found, control)
    if control.options:
        _options(found, control)
    about = {name.partition(":")[2] for name in found if name[0] == "$"}
    found.update([f"$${concept}" for concept in about])
    found.update([f"${control.kind} {concept}" for concept in about])
    return found


def _limits(found: Features, control: Control) -> None:
    if control.longest is not None:
        found.add(f"longest{next((step for step in _LENGTHS if control.longest <= step), 999)}")
    found.update([name for name in ("required", "readonly", "disabled", "multiple") if getattr(control, name)])
    if not control.shown:
        found.add("not shown")


def _options(found: Features, control: Control) -> None:
    options = control.options
    found.add(f"options{next((step for step in _OPTION_COUNTS if len(options) <= step), 999)}")
    some = options[:FIRST_OPTIONS] + options[-LAST_OPTIONS:]
    found.tell("option", " ".join(option.label for option in some))
    numbers = [int(option.label) for option in options if option.label.isdecimal() and len(option.label) < 9]
    if len(numbers) > len(options) / 2:
        most = max(numbers)
        found.add("numbers to " + ("year" if 1900 < most < 2200 else str(most) if most in (12, 31) else "other"))
