"""What the API takes to start crawls and schedules, and what it says of them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

OptionValue = bool | int | float | str | list[str]


class Asking(BaseModel):
    """What is given, without anything else."""

    model_config = ConfigDict(extra="forbid")


class OptionShown(BaseModel):
    """An option: what it takes and what it means. Those that are `usual` are asked for first."""

    name: str
    title: str
    help: str
    kind: str
    default: Any
    choices: list[str]
    metavar: str
    usual: bool


class ModeShown(BaseModel):
    """A mode with its options. `start` is the option that it begins with; "" if it begins with seeds."""

    name: str
    help: str
    start: str
    options: list[OptionShown]


class Modes(BaseModel):
    """Every mode in which a crawl can be started here."""

    modes: list[ModeShown]


class JobAsked(Asking):
    """A job: its mode, what it starts from, its options by name, and the name of its folder ("": one is found)."""

    mode: Annotated[str, Field(max_length=100)]
    seeds: Annotated[list[Annotated[str, Field(max_length=4000)]], Field(max_length=1000)] = []
    options: Annotated[dict[str, OptionValue], Field(max_length=200)] = {}
    name: Annotated[str, Field(max_length=200)] = ""


class JobProblem(BaseModel):
    """What is wrong with one option, in the words of the command line."""

    key: str
    message: str


class JobSeen(BaseModel):
    """The job file of what was asked for, and what is wrong with it. `name` is the folder it would have."""

    job: str
    name: str
    problems: list[JobProblem]


class Started(BaseModel):
    """A crawl that was started: its id, and the command that does the same."""

    id: str
    name: str
    command: str


class ActAsked(Asking):
    """How a crawl is to go on: another limit of pages (resume), or a budget of requests (recrawl)."""

    max_pages: Annotated[int, Field(ge=0, le=10**12)] | None = None
    budget: Annotated[int, Field(ge=0, le=10**12)] | None = None


class DeleteAsked(Asking):
    """The name of the crawl, to confirm that it is the one that is meant."""

    name: Annotated[str, Field(max_length=1000)]


class Acted(BaseModel):
    """What was done, and how the crawl stands now."""

    state: str


class ScheduleAsked(Asking):
    """The options of `dowse watch`, by name."""

    options: Annotated[dict[str, OptionValue], Field(max_length=50)] = {}


class ScheduleShown(BaseModel):
    """The schedule of a crawl: whether it is watched now, by whom, with which options, and what the watch printed."""

    watched: bool
    ours: bool
    options: dict[str, Any]
    command: str
    log: list[str]
