"""What a form is for, and what each of its fields is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec
from msgspec import Struct

from dowse.classify.field_features import FieldFeatures, told_fields
from dowse.classify.form_features import form_features
from dowse.classify.linear_model import LinearModel, StoredModel
from dowse.classify.shipped_data import shipped
from dowse.parse.forms.form import Form

SEARCH = "search"


class FormModels(Struct, frozen=True):
    """The models of forms and of fields, as they are shipped."""

    forms: StoredModel
    fields: StoredModel


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a field is, and how sure that is."""

    type: str
    probability: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a form is for. `types` are the probabilities of all types, `fields` the types of fields by name."""

    type: str
    types: Mapping[str, float]
    fields: Mapping[str, FieldType]

    @property
    def searchable(self) -> float:
        """How probable it is that the form is a search."""
        return self.types[SEARCH]


class FormJudge:
    """Judges forms by two models: one of forms, then one of fields that knows what the first thinks."""

    def __init__(self, models: FormModels) -> None:
        self._forms = LinearModel(models.forms)
        self._fields = LinearModel(models.fields)

    def types_of(self, form: Form) -> dict[str, float]:
        """How probable each type of form is, without a look at the types of fields."""
        shares = self._forms.probabilities(form_features(form)).tolist()
        return dict(zip(self._forms.classes, shares, strict=True))

    def judge(self, form: Form) -> Judgement:
        """What the form is for, and what its fields are."""
        types = self.types_of(form)
        fields = told_fields(form)
        features = FieldFeatures(form, fields, types)
        shares = self._fields.weighed_probabilities([features.of(place) for place in range(len(fields))])
        classes = self._fields.classes
        best = shares.argmax(axis=1).tolist() if fields else []
        return Judgement(
            type=max(types, key=types.__getitem__),
            types=types,
            fields={
                field.name: FieldType(classes[at], float(row[at]))
                for field, at, row in zip(fields, best, shares, strict=True)
            },
        )


@lru_cache(maxsize=1)
def shipped_judge() -> FormJudge:
    """The judge of the models that are shipped."""
    return FormJudge(msgspec.msgpack.decode(shipped("form_model.msgpack"), type=FormModels))
