"""Fields from classes that describe their attributes as pydantic's models do."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Annotated, Any, Optional, get_args, get_origin, get_type_hints

import pytest

from dowse.core.errors import JobError
from dowse.extract.model_fields import Select, fields_from_model
from tests.unit.extract.pages import fields_of


class AnyUrl:
    """As pydantic names it."""


class HttpUrl(AnyUrl):
    """As pydantic names it."""


class Info:
    """What pydantic keeps of an attribute."""

    def __init__(self, hint: Any, required: bool) -> None:
        annotated = get_origin(hint) is Annotated
        self.annotation = get_args(hint)[0] if annotated else hint
        self.metadata = list(get_args(hint)[1:]) if annotated else []
        self.required = required

    def is_required(self) -> bool:
        return self.required


def model(kind: type) -> Any:
    """A class with `model_fields`, without pydantic."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {name: Info(hint, not hasattr(kind, name)) for name, hint in hints.items()}
    return type(kind.__name__, (), {"model_fields": fields})


class Product:
    name: Annotated[str, "a note", Select("//h1")]
    price: Annotated[float | None, Select("css:.price")] = None
    stock: Annotated[int, Select("css:.stock")]
    weight: Annotated[Decimal, Select("css:.weight")]
    seen: Annotated[datetime.date, Select("css:time")]
    changed: Annotated[Optional[datetime.datetime], Select("//time")] = None  # noqa: UP045
    page: Annotated[HttpUrl, Select("css:a")]
    tags: Annotated[list[str], Select("css:.tag")]
    sizes: Annotated[tuple[int, ...] | None, Select("css:.size")] = None
    pictures: Annotated[set[AnyUrl], Select("css:img")]
    note: str = "not from the page"


def test_every_type_becomes_a_field() -> None:
    assert fields_from_model(model(Product)) == (
        "name:text=//h1",
        "price:number=css:.price",
        "stock:number=css:.stock",
        "weight:number=css:.weight",
        "seen:date=css:time",
        "changed:date=//time",
        "page:url=css:a",
        "tags:text[]=css:.tag",
        "sizes:number[]=css:.size",
        "pictures:url[]=css:img",
    )


def test_the_fields_can_be_extracted() -> None:
    html = "<h1>Tea</h1><b class=price>3,50 €</b><i class=tag>a</i><i class=tag>b</i>"
    assert fields_of(html, *fields_from_model(model(Product))) == {"name": "Tea", "price": 3.5, "tags": ["a", "b"]}


class Located:
    url: str
    kind: str
    name: Annotated[str, Select("//h1")]


def test_what_every_record_has_needs_no_select() -> None:
    assert fields_from_model(model(Located)) == ("name:text=//h1",)


class Unplaced:
    name: str


class Placeless:
    name: str = "x"


class Odd:
    flag: Annotated[bool, Select("//b")]


class Mixed:
    size: Annotated[int | str, Select("//b")]


class Mapped:
    size: Annotated[dict[str, str], Select("//b")]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (str, "extract: str is not a model: it has no model_fields"),
        (Unplaced, "extract: Unplaced.name needs a Select that says where it is found, or a default"),
        (Placeless, "extract: no attribute of Placeless has a Select that says where it is found"),
        (Odd, "extract: Odd.flag is <class 'bool'>, but a field is a text, number, date, URL or list"),
        (Mixed, "extract: Mixed.size is int | str, but a field is a text, number, date, URL or list"),
        (Mapped, "extract: Mapped.size is dict[str, str], but a field is a text, number, date, URL or list"),
    ],
)
def test_what_cannot_be_a_field_is_refused(kind: type, message: str) -> None:
    with pytest.raises(JobError) as caught:
        fields_from_model(kind if kind is str else model(kind))
    assert str(caught.value) == message


def test_a_real_pydantic_model() -> None:
    pydantic = pytest.importorskip("pydantic")
    real = pydantic.create_model(
        "Real",
        name=(Annotated[str, Select("//h1")], ...),
        link=(Annotated[pydantic.HttpUrl | None, Select("//a")], None),
    )
    assert fields_from_model(real) == ("name:text=//h1", "link:url=//a")
    html = "<h1>Tea</h1><a href=/x>x</a>"
    assert str(real(**fields_of(html, *fields_from_model(real))).link) == "http://example.org/x"
