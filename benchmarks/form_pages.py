"""Annotated forms of real pages: those inside the wheel of formasaurus 0.10.0 (MIT), whose code and model are not used.

The wheel is downloaded by name, the split by registered domain is `forms/split.tsv` in `DOWSE_DATA`. What is marked
heldout is read only where that part is named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchmarks.cache import ROOT, Unavailable
from dowse.core.model import Request, Response
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_finding import find_forms
from dowse.parse.page import Page

PACKAGE = "formasaurus==0.10.0"
WHEEL = "formasaurus-0.10.0-py2.py3-none-any.whl"
DATA = "formasaurus/data"
SKIPPED = "-"
UNKNOWN = "X"
OTHER = "other"
FORM_TYPES = {
    "s": "search",
    "l": "login",
    "r": "registration",
    "p": "password recovery",
    "c": "contact",
    "m": "mailing list",
    "b": "order",
}
"""The types that are told apart; polls, captchas, navigation and options of display are others."""


class AnnotatedForm(NamedTuple):
    """A form, what people say it is for (None where nobody said), and what fields are by name, as far as they said."""

    form: Form
    type: str | None
    fields: Mapping[str, str]
    domain: str
    part: str


def annotated_forms(parts: Sequence[str] = ("train", "dev")) -> list[AnnotatedForm]:
    """The annotated forms of these parts. One that we do not find on its page is there as an empty form."""
    split = form_split()
    with zipfile.ZipFile(form_wheel()) as wheel:
        index: dict[str, dict[str, Any]] = json.loads(wheel.read(f"{DATA}/index.json"))
        names = _field_names(json.loads(wheel.read(f"{DATA}/config.json"))["field_types"])
        found: list[AnnotatedForm] = []
        for name, page in index.items():
            domain, part = split[urlsplit(page["url"]).hostname or ""]
            if part in parts:
                forms = _forms_of(page["url"], wheel.read(f"{DATA}/{name}"))
                found += _annotated(page, forms, names, (domain, part))
    return found


def _annotated(
    page: Mapping[str, Any], forms: Sequence[Form], names: Mapping[str, str], where: tuple[str, str]
) -> Iterator[AnnotatedForm]:
    types: list[str] = page["forms"]
    fields: list[Mapping[str, str] | None] = page.get("visible_html_fields") or [None] * len(types)
    for place, at in enumerate(aligned([set(each or ()) for each in fields], [_names(form) for form in forms])):
        form = Form(page["url"]) if at is None else forms[at]
        told = {name: names[code] for name, code in (fields[place] or {}).items() if code in names}
        if types[place] != SKIPPED:
            yield AnnotatedForm(form, _form_name(types[place]), told, *where)


def _form_name(code: str) -> str | None:
    return None if code == UNKNOWN else FORM_TYPES.get(code, OTHER)


def _field_names(config: Mapping[str, Any]) -> dict[str, str]:
    """What we call each type of field: those that are seldom count as the one they are told apart from."""
    names = {each["short"]: each["full"] for each in config["types"]}
    named = {code: names[config["simplify_map"].get(code, code)] for code in names}
    return {code: name for code, name in named.items() if code not in (config["NA_value"], config["skip_value"])}


def _names(form: Form) -> set[str]:
    return {control.name for control in form.controls if control.name and control.kind != "hidden"}


def aligned(annotated: Sequence[set[str]], found: Sequence[set[str]]) -> list[int | None]:
    """Which of our forms each annotated one is: both are in the order of the page, and share the names of fields.

    Parsers differ on broken pages, so that one may find a form that the other does not.
    """
    if len(annotated) == len(found):
        return list(range(len(found)))
    best: list[list[float]] = [[0.0] * (len(found) + 1) for _ in range(len(annotated) + 1)]
    for row in range(len(annotated) - 1, -1, -1):
        for column in range(len(found) - 1, -1, -1):
            both = _likeness(annotated[row], found[column]) + best[row + 1][column + 1]
            best[row][column] = max(both, best[row + 1][column], best[row][column + 1])
    places: list[int | None] = []
    column = 0
    for row in range(len(annotated)):
        while column < len(found) and best[row][column + 1] == best[row][column] != best[row + 1][column]:
            column += 1
        is_there = column < len(found) and best[row][column] > best[row + 1][column]
        places.append(column if is_there else None)
        column += is_there
    return places


def _likeness(one: set[str], other: set[str]) -> float:
    return 0.01 + (len(one & other) / len(one | other) if one | other else 1.0)


def _forms_of(url: str, body: bytes) -> list[Form]:
    request = Request(url, 1, urlsplit(url).hostname or "")
    page = Page(Response(request, 200, {"content-type": "text/html"}, body, fetched_at=0.0, elapsed=0.0))
    return [form for form in find_forms(page) if form.has_element]


def form_split() -> dict[str, tuple[str, str]]:
    """The registered domain and the part of every host."""
    path = Path(os.environ.get("DOWSE_DATA", "")) / "forms" / "split.tsv"
    if not path.is_file():
        raise Unavailable(f"no split of the annotated forms: {path} is not there; set DOWSE_DATA to its folder")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {file.removeprefix("html/").rpartition("-")[0]: (domain, part) for file, domain, part in rows}


def form_wheel() -> Path:
    folder = ROOT / "forms"
    if not (folder / WHEEL).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--dest={folder}", PACKAGE]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if ended.returncode:
            raise Unavailable(f"pip cannot download {PACKAGE}: {ended.stderr.strip()[-200:]}")
    return folder / WHEEL
