"""What the sample site knows: topics, consultations and news, worked out from content.toml, the same every time."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from random import Random

TODAY = date(2026, 6, 15)
"""The day the site was "last updated". A fixed day, so that the site is the same whenever it is served."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A field of government with the words its texts are made of."""

    slug: str
    name: str
    department: str
    summary: str
    groups: list[str]
    matters: list[str]
    aims: list[str]
    consultations: list[str]

    @property
    def path(self) -> str:
        return f"/topics/{self.slug}/"


@dataclass(frozen=True, slots=True)
class Paper:
    """A PDF that belongs to a consultation."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Consultation:
    """One question the government asks the public."""

    topic: Topic
    title: str
    reference: str
    opened: date
    closes: date
    papers: tuple[Paper, ...]

    @property
    def slug(self) -> str:
        return slug(self.title)

    @property
    def path(self) -> str:
        return f"/consultations/{self.topic.slug}/{self.slug}.html"

    @property
    def is_open(self) -> bool:
        return self.closes >= TODAY


@dataclass(frozen=True, slots=True)
class News:
    """A short notice about a consultation."""

    title: str
    day: date
    about: Consultation

    @property
    def path(self) -> str:
        return f"/news/{self.day.isoformat()}-{self.about.slug}.html"


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the country with the places where meetings are held."""

    slug: str
    name: str
    places: list[str]


@dataclass(frozen=True, slots=True)
class Leaflet:
    """A page of plain text at the foot of the site."""

    path: str
    title: str
    paragraphs: list[str]


@dataclass(frozen=True, slots=True)
class Content:
    """Everything the pages are made from. `prose` holds sentence patterns by the part they play."""

    name: str
    government: str
    motto: str
    year: int
    topics: list[Topic]
    consultations: list[Consultation]
    news: list[News]
    regions: list[Region]
    leaflets: list[Leaflet]
    prose: dict[str, list[str]]

    def on(self, topic: Topic) -> list[Consultation]:
        return [consultation for consultation in self.consultations if consultation.topic is topic]


def slug(title: str) -> str:
    """A title as it appears in a path."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def load() -> Content:
    """Read the tables and work out dates, reference numbers, papers and news."""
    tables = tomllib.loads((files(__package__) / "content.toml").read_text("utf-8"))
    topics = [Topic(**table) for table in tables["topics"]]
    consultations = [
        _consultation(topic, title, number)
        for topic in topics
        for number, title in enumerate(topic.consultations, start=1)
    ]
    return Content(
        **tables["site"],
        topics=topics,
        consultations=consultations,
        news=_news(consultations),
        regions=[Region(**table) for table in tables["regions"]],
        leaflets=[Leaflet(**table) for table in tables["leaflets"]],
        prose=tables["prose"],
    )


def _consultation(topic: Topic, title: str, number: int) -> Consultation:
    chance = Random(title)
    opened = date(TODAY.year, 1, 5) + timedelta(days=chance.randrange(150))
    closes = opened + timedelta(days=chance.choice((28, 42, 56, 84)))
    kinds = ["Discussion paper"]
    if chance.random() < 0.6:
        kinds.append("Impact assessment")
    if closes < TODAY:
        kinds.append("What we heard")
    papers = tuple(Paper(kind, f"/documents/{topic.slug}/{slug(title)}-{slug(kind)}.pdf") for kind in kinds)
    return Consultation(topic, title, f"{topic.slug[:3].upper()}-{TODAY.year}-{number:02}", opened, closes, papers)


def _news(consultations: list[Consultation]) -> list[News]:
    """A notice for every fourth consultation, newest first."""
    notices = []
    for consultation in consultations[::4]:
        if consultation.is_open:
            notices.append(News(f"Now open: {consultation.title}", consultation.opened, consultation))
        else:
            notices.append(News(f"What we heard: {consultation.title}", consultation.closes, consultation))
    return sorted(notices, key=lambda notice: (notice.day, notice.title), reverse=True)
