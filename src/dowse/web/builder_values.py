"""What the API of the rule builder takes and gives."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dowse.modes.rules.rule_table import COLUMNS
from dowse.web.api_values import Value

Address = Annotated[str, Field(min_length=1, max_length=8_192)]
Cell = Annotated[str, Field(max_length=4_000)]
Numbers = Annotated[list[int], Field(max_length=100)]
Row = Annotated[dict[str, Cell], Field(max_length=len(COLUMNS), description="Cells by the names of their columns.")]
Rows = Annotated[list[Row], Field(max_length=500)]
Fields = Annotated[list[Cell], Field(max_length=100, description="As in `--extract`: NAME=SELECTOR.")]
Steps = Annotated[list[Cell], Field(max_length=100, description="As in `--step`: type:NAME => click SELECTOR.")]
Fetch = Literal["http", "browser", "auto"]


class Asked(BaseModel):
    """Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid")


class PageAsked(Asked):
    """A page to be shown. `base` is the address that its user named, if the page is a link that led from there."""

    url: Address
    base: Annotated[str, Field(max_length=8_192)] = ""
    fetch: Fetch = "http"
    steps: Steps = []


class PageBrought(Asked):
    """A page as a browser has it. One to point at has the numbers of its elements in the attribute data-dowse."""

    url: Address
    html: Annotated[str, Field(max_length=4_000_000)]


class Shown(BaseModel):
    """A page that can be pointed at. `frame` is the address of its inert copy."""

    id: str
    url: str
    title: str
    links: int
    frame: str


class RowAsked(Asked):
    """A row that is being made on a page: its cells, the numbers of the links that are wanted, and those that are not.
    If it `proposes`, scope and pattern are learned from these links."""

    row: Row
    wanted: Numbers = []
    unwanted: Numbers = []
    proposes: bool = False


class Choice(Value):
    """What a cell could hold, and how many links the row would take then."""

    column: str
    value: str
    links: int
    is_chosen: bool
    level: int


class RowMade(BaseModel):
    """A row on a page: how many links it takes, the numbers of their elements, the first of their URLs, and what else
    could be chosen."""

    row: dict[str, str]
    links: int
    taken: list[int]
    urls: list[str]
    scopes: list[Choice]
    patterns: list[Choice]


class TableAsked(Asked):
    """A table as it stands, right or wrong."""

    rows: Rows


class Trouble(Value):
    """What is wrong with a row. A warning only deserves a look."""

    text: str
    row: int
    column: str
    is_error: bool


class TableSeen(BaseModel):
    """What is wrong with a table, and how many of its rows can be used."""

    problems: list[Trouble]
    usable: int


class Options(TableAsked):
    """A table, and what it has no columns for."""

    fields: Fields = []
    steps: Steps = []
    fetch: Fetch = "http"


class TrialAsked(Options):
    """A table to be tried on so many pages."""

    max_pages: Annotated[int, Field(ge=1, le=200)] = 20


class RowTrial(Value):
    """What came of one row."""

    row: int
    pages: int
    links: int


class Trial(Value):
    """What came of a small crawl; of long lists the beginning."""

    pages: int
    kept_count: int
    kept: list[dict[str, Any]]
    rows: list[RowTrial]
    records: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    is_whole: bool


class SaveAsked(Options):
    """A table to be written: FILE.csv, .json or .toml, sqlite:///FILE or postgresql://HOST/DATABASE."""

    place: Address
    replace: bool = False


class Saved(BaseModel):
    """How many rules were written, and the command that crawls by them."""

    rules: int
    place: str
    command: str


class OpenAsked(Asked):
    """A table to be opened."""

    place: Address


class Opened(BaseModel):
    """The rows of a table as they stand, and what its job file says besides."""

    rows: list[dict[str, str]]
    fields: list[str] = []
    steps: list[str] = []
    fetch: Fetch = "http"


class TableNames(BaseModel):
    """The columns that a table has, and the tables in files of the first served folder."""

    columns: list[str]
    tables: list[str]


class FilesAsked(Options):
    """A table that is to be files on another machine."""

    name: Annotated[str, Field(pattern=r"^[\w][\w.-]{0,79}\.(csv|json|toml)$")] = "rules.csv"


class Files(BaseModel):
    """The texts of files by their names."""

    files: dict[str, str]


class FieldAsked(Asked):
    """Elements that were picked on a page, by their numbers; with `around`, those so many levels up are meant."""

    picked: Annotated[list[int], Field(min_length=1, max_length=20)]
    around: Annotated[int, Field(ge=0, le=50)] = 0


class SelectorChoice(Value):
    """A selector as a field has it, and how many elements of the page it finds."""

    selector: str
    matches: int


class FieldMade(Value):
    """The numbers of the elements that are meant, and selectors for them, the best first; if it `is_list`, it means
    all elements in such places."""

    picked: list[int]
    selectors: list[SelectorChoice]
    attributes: list[str]
    is_list: bool


class ColumnAsked(Asked):
    """Fields to be filled from a page and from others like it: at most ten that are fetched, and those that a browser
    brought."""

    fields: Annotated[list[Cell], Field(min_length=1, max_length=100)]
    urls: Annotated[list[Address], Field(max_length=50)] = []
    brought: Annotated[list[PageBrought], Field(max_length=10)] = []


class ColumnRow(Value):
    """What the fields hold on one page."""

    url: str
    values: dict[str, Any]
    trouble: str = ""


class Column(BaseModel):
    """A row for each page, that which is shown first."""

    rows: list[ColumnRow]
    problems: list[str]
    taken: list[int]
