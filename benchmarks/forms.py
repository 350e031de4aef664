"""Forms of real pages: what they are for, which are searches, what their fields are, and what is never sent.

    DOWSE_DATA=/path/to/data python -m benchmarks.forms [--heldout]

Every number is of domains that the model has not seen. `dev`: trained on the part train, asked about the part dev, on
which the model was chosen. `by domain`: both parts cut into six by domain, each asked of a model trained on the rest.
`--heldout` asks the shipped models about the part that is held out. It is for judging: whoever looks at it to choose
how the models work has spent it.

Exit status: 0 the aims are met, 1 they are not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.cache import Unavailable
from benchmarks.form_pages import OTHER, AnnotatedForm, annotated_forms
from benchmarks.tables import Column, Table, as_text, at_least, at_most
from dowse.classify.form_judge import SEARCH, FormJudge, shipped_judge
from dowse.classify.refusals import reason_not_to_submit

ACCURACY, SEARCH_F1, FIELD_ACCURACY, MILLISECONDS = 0.90, 0.95, 0.86, 1.0
"""What is wanted: more than the best that was published."""

PUBLISHED = {"form type, accuracy": 0.889, "search, F1": 0.93, "field type, accuracy": 0.845}

Asked = tuple[AnnotatedForm, FormJudge]


class Scores(NamedTuple):
    """How often judges were right about forms, searches and fields."""

    forms: float
    search: float
    fields: float
    counted_forms: int
    counted_fields: int


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forms", description=__doc__)
    parser.add_argument("--heldout", action="store_true", help="ask the shipped models about the forms held out")
    arguments = parser.parse_args()
    try:
        table = heldout() if arguments.heldout else run()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    print(as_text(table))
    return 0 if all(aim.met for aim in table.aims) else 1


def run(_repeats: int = 1) -> Table:
    """The table of the parts that models may be chosen on."""
    try:
        from benchmarks.form_training import folds, trained
    except ImportError as error:
        raise Unavailable(f"training needs {error.name}: pip install dowse-crawler[bench]") from error
    forms = typed(("train", "dev"))
    judge = FormJudge(trained([each for each in forms if each.part == "train"]))
    dev = scores([(each, judge) for each in forms if each.part == "dev"])
    asked: list[Asked] = []
    for rest, part in folds(forms):
        judge = FormJudge(trained([forms[at] for at in rest]))
        asked += [(forms[at], judge) for at in part]
    return _table("forms", {"dev": dev, "by domain": scores(asked)}, forms, asked)


def heldout() -> Table:
    """The table of the part that is held out, by the shipped models."""
    forms = typed(("heldout",))
    asked = [(each, shipped_judge()) for each in forms]
    return _table("forms_heldout", {"held out": scores(asked)}, forms, asked)


def typed(parts: Sequence[str]) -> list[AnnotatedForm]:
    """The forms whose type somebody has told."""
    return [each for each in annotated_forms(parts) if each.type]


def scores(asked: Sequence[Asked]) -> Scores:
    """How often the judges were right."""
    right = true_searches = found = fields = right_fields = 0
    searches = sum(each.type == SEARCH for each, _ in asked)
    for each, judge in asked:
        judged = judge.judge(each.form)
        right += judged.type == each.type
        found += judged.type == SEARCH
        true_searches += judged.type == each.type == SEARCH
        # a field that we have not found on the page counts as wrong
        fields += len(each.fields)
        right_fields += sum(
            name in judged.fields and judged.fields[name].type == wanted for name, wanted in each.fields.items()
        )
    f1 = 2 * true_searches / (searches + found)
    return Scores(right / len(asked), f1, right_fields / fields, len(asked), fields)


def _table(name: str, columns: dict[str, Scores], forms: Sequence[AnnotatedForm], asked: Sequence[Asked]) -> Table:
    last = list(columns.values())[-1]
    rows = [
        ["form type, accuracy", *(each.forms for each in columns.values())],
        ["search, F1", *(each.search for each in columns.values())],
        ["field type, accuracy", *(each.fields for each in columns.values())],
    ]
    sent, refused = _hard_rule(asked)
    milliseconds = _milliseconds(forms)
    return Table(
        name,
        "forms of real pages on domains never seen",
        [Column("measure"), *(Column(each, "{:.3f}") for each in (*columns, "published"))],
        [[*row, PUBLISHED[str(row[0])]] for row in rows],
        aims=[
            at_least("form type, accuracy", last.forms, ACCURACY, "{:.3f}"),
            at_least("search, F1", last.search, SEARCH_F1, "{:.3f}"),
            at_least("field type, accuracy", last.fields, FIELD_ACCURACY, "{:.3f}"),
            at_most("milliseconds to judge a form, mean", milliseconds, MILLISECONDS, "{:.2f}"),
            at_most("forms sent that log in, register, order, write or subscribe", sent, 0, "{}"),
        ],
        notes=[
            *(
                f"`{name}`: {each.counted_forms:,} forms, {each.counted_fields:,} fields"
                for name, each in columns.items()
            ),
            f"{refused} of the searches are refused by the hard rule, which knows fields and buttons only.",
        ],
    )


def _hard_rule(asked: Sequence[Asked]) -> tuple[int, str]:
    """How many forms with fields would be sent that must not, by rule and model, and which searches are refused."""
    searches = [each for each, _ in asked if each.type == SEARCH]
    refused = sum(reason_not_to_submit(each.form) is not None for each in searches)
    harmful = [(each, judge) for each, judge in asked if each.type not in (SEARCH, OTHER) and each.form.fields]
    sent = [
        each
        for each, judge in harmful
        if reason_not_to_submit(each.form) is None and judge.judge(each.form).type == SEARCH
    ]
    return len(sent), f"{refused} of {len(searches)}"


def _milliseconds(forms: Sequence[AnnotatedForm]) -> float:
    """Processor time to judge a form by the shipped models, names and labels not remembered from before."""
    judge: Callable[..., object] = shipped_judge().judge
    judge(forms[0].form)
    start = time.process_time()
    for each in forms:
        judge(each.form)
    return 1000 * (time.process_time() - start) / len(forms)


if __name__ == "__main__":
    sys.exit(main())
