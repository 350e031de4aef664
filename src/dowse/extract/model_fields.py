"""Fields from a class with typed attributes, such as a pydantic model; pydantic itself is not needed.

    class Product(BaseModel):
        name: Annotated[str, Select("//h1")]
        price: Annotated[float | None, Select("css:.price")] = None
        tags: Annotated[list[str], Select("css:.tag")] = []

    dowse.site(url, extract=fields_from_model(Product))

The types become those of the fields. An attribute without `Select` is left to its default, except for those that every
record has: `url` and `kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin

from dowse.core.errors import JobError
from dowse.core.record import TAKEN

_LISTS = frozenset({list, tuple, set, frozenset})
# By name, since most of these classes belong to libraries that dowse does not need.
_TYPES: Mapping[str, str] = {
    "str": "text",
    "int": "number",
    "float": "number",
    "Decimal": "number",
    "date": "date",
    "datetime": "date",
    "AnyUrl": "url",
    "_BaseUrl": "url",
}


class Select(NamedTuple):
    """Where a model's attribute is found on a page.

    >>> Select("css:.price").selector
    'css:.price'
    """

    selector: str


def fields_from_model(model: type) -> tuple[str, ...]:
    """The `extract` option for a model: a field for each attribute that has a `Select`, with the type it is given.

    >>> from typing import Annotated
    >>> from pydantic import BaseModel
    >>> class Product(BaseModel):
    ...     title: Annotated[str, Select("//h1")]
    ...     price: Annotated[float | None, Select("css:.price")] = None
    >>> fields_from_model(Product)
    ('title:text=//h1', 'price:number=css:.price')
    """
    described: Mapping[str, Any] | None = getattr(model, "model_fields", None)
    if described is None:
        raise JobError(f"extract: {model.__name__} is not a model: it has no model_fields")
    fields = []
    for name, info in described.items():
        selects = [extra for extra in info.metadata if isinstance(extra, Select)]
        if selects:
            fields.append(f"{name}:{_kind(f'{model.__name__}.{name}', info.annotation)}={selects[0].selector}")
        elif info.is_required() and name not in TAKEN:
            raise JobError(f"extract: {model.__name__}.{name} needs a Select that says where it is found, or a default")
    if not fields:
        raise JobError(f"extract: no attribute of {model.__name__} has a Select that says where it is found")
    return tuple(fields)


def _kind(name: str, annotation: Any) -> str:
    """The type of a field, with brackets for a list."""
    if get_origin(annotation) in (Union, UnionType):
        choices = [choice for choice in get_args(annotation) if choice is not NoneType]
        annotation = choices[0] if len(choices) == 1 else annotation
    if get_origin(annotation) in _LISTS:
        return _kind(name, get_args(annotation)[0]) + "[]"
    for ancestor in getattr(annotation, "__mro__", ()):
        if ancestor.__name__ in _TYPES and annotation is not bool:
            return _TYPES[ancestor.__name__]
    raise JobError(f"extract: {name} is {annotation}, but a field is a text, number, date, URL or list")
