"""Trains the models of forms and fields: python -m benchmarks.form_training writes those that dowse ships.

    DOWSE_DATA=/path/to/data python -m benchmarks.form_training [--check]

Needs scikit-learn (`pip install dowse-crawler[bench]`), which crawls do not. Trained on the parts train and dev, never
on what is held out. The same data give the same models; `--check` only says whether the shipped ones are these.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from benchmarks.cache import Unavailable
from benchmarks.form_pages import AnnotatedForm, annotated_forms
from dowse.classify.field_features import FieldFeatures, told_fields
from dowse.classify.form_features import form_features
from dowse.classify.form_judge import FormModels
from dowse.classify.linear_model import LinearModel, StoredModel, stored_model
from dowse.parse.forms.controls import Control

SHIPPED = Path(__file__).parents[1] / "src" / "dowse" / "classify" / "form_model.msgpack"
SEED = 0
FOLDS = 6
CONCEPT_SCALE = 1.5
"""Concepts are fewer than words and each holds for many: they are made cheaper for the model than words."""

FORM_STRENGTH, FORM_DOMAINS = 3.0, 3
FIELD_STRENGTH, FIELD_DOMAINS = 3.0, 2
"""How freely a model fits (C), and on how many domains a feature must be met; chosen on dev."""

Row = Mapping[str, float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.form_training", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the shipped models are these")
    arguments = parser.parse_args()
    try:
        forms = annotated_forms(("train", "dev"))
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    packed = msgspec.msgpack.encode(trained(forms))
    if arguments.check:
        is_same = SHIPPED.read_bytes() == packed
        print("the shipped models are these" if is_same else "the shipped models are others")
        return 0 if is_same else 1
    SHIPPED.write_bytes(packed)
    print(f"{SHIPPED.name}: {len(packed):,} bytes, from {len(forms):,} forms")
    return 0


def trained(forms: Sequence[AnnotatedForm]) -> FormModels:
    """The models that these forms make."""
    typed = [each for each in forms if each.type]
    form_model = fit_forms(typed)
    types = types_not_seen(typed)
    return FormModels(form_model, fit_fields(typed, types))


def fit_forms(typed: Sequence[AnnotatedForm]) -> StoredModel:
    """A model of form types."""
    rows = [_weighed(form_features(each.form)) for each in typed]
    labels = [str(each.type) for each in typed]
    return _fit(rows, labels, [each.domain for each in typed], FORM_STRENGTH, FORM_DOMAINS)


def types_not_seen(typed: Sequence[AnnotatedForm]) -> list[dict[str, float]]:
    """The types of forms as a model sees them that was trained on other domains.

    A model of fields that learned from true types, or from those of a model that knows the form, would trust them too
    much.
    """
    found: list[dict[str, float]] = [{} for _ in typed]
    for rest, part in folds(typed):
        model = LinearModel(fit_forms([typed[at] for at in rest]))
        for at in part:
            shares = model.probabilities(form_features(typed[at].form))
            found[at] = dict(zip(model.classes, map(float, shares), strict=True))
    return found


def fit_fields(typed: Sequence[AnnotatedForm], types: Sequence[Mapping[str, float]]) -> StoredModel:
    """A model of field types, given the types of the forms."""
    rows: list[Row] = []
    labels: list[str] = []
    domains: list[str] = []
    for each, probable in zip(typed, types, strict=True):
        fields = told_fields(each.form)
        features = FieldFeatures(each.form, fields, probable)
        for place, field in enumerate(fields):
            row = features.of(place)
            if label := each.fields.get(field.name):
                rows.append(_scaled(row))
                labels.append(label)
                domains.append(each.domain)
    return _fit(rows, labels, domains, FIELD_STRENGTH, FIELD_DOMAINS)


def folds(typed: Sequence[AnnotatedForm], seed: int = SEED) -> list[tuple[list[int], list[int]]]:
    """The forms parted by domain: each time most of them to train on, and the rest."""
    parts = GroupKFold(FOLDS, shuffle=True, random_state=seed).split(typed, groups=[each.domain for each in typed])
    return [(list(map(int, rest)), list(map(int, part))) for rest, part in parts]


def _weighed(features: Iterable[str]) -> Row:
    return _scaled(dict.fromkeys(features, 1.0))


def _scaled(row: Row) -> Row:
    return {name: weight * (CONCEPT_SCALE if "$" in name else 1.0) for name, weight in row.items()}


def _fit(
    rows: Sequence[Row], labels: Sequence[str], domains: Sequence[str], strength: float, fewest: int
) -> StoredModel:
    met: dict[str, set[str]] = defaultdict(set)
    for row, domain in zip(rows, domains, strict=True):
        for name in row:
            met[name].add(domain)
    names = sorted(name for name, where in met.items() if len(where) >= fewest)
    columns = {name: column for column, name in enumerate(names)}
    model = LogisticRegression(C=strength, max_iter=400, tol=1e-3).fit(_matrix(rows, columns), labels)
    scales = np.array([CONCEPT_SCALE if "$" in name else 1.0 for name in names], np.float32)
    weights = (model.coef_.T * scales[:, None]).astype(np.float32)
    return stored_model(list(map(str, model.classes_)), names, weights, [float(each) for each in model.intercept_])


def _matrix(rows: Sequence[Row], columns: Mapping[str, int]) -> Any:
    cells = [
        (at, columns[name], weight) for at, row in enumerate(rows) for name, weight in row.items() if name in columns
    ]
    places = np.array([cell[:2] for cell in cells], np.int32)
    weights = np.array([cell[2] for cell in cells], np.float32)
    return csr_matrix((weights, (places[:, 0], places[:, 1])), shape=(len(rows), len(columns)))


def told(each: AnnotatedForm) -> list[tuple[Control, str]]:
    """The fields of a form that somebody has told the type of."""
    return [(field, label) for field in told_fields(each.form) if (label := each.fields.get(field.name))]


if __name__ == "__main__":
    sys.exit(main())
