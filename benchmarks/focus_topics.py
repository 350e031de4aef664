"""Topics to develop with: subjects of an encyclopedia, its articles labelled by a reader (judged/README.md).

Half of the topics are for choosing and the other half for confirming what was chosen, by lot and before anything was
measured. A lot is drawn among broad topics and one among narrow ones.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from benchmarks.focus_webs import FocusWeb, Topic, encyclopedia, unpacked
from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.workflows.replay_sources import HOST, FolderWeb

LABELS = Path(__file__).parent / "judged" / "encyclopedia_subjects.tsv"
CHARITY = "Charity/SOS Children"
"""Pages of the charity that publishes the encyclopedia: not relevant for any topic, whatever else they are about."""

SEEDS = 10
FEWEST_LINKS = 5


class Subject(NamedTuple):
    """A topic in plain words, as people type it, and how the names of its subjects begin."""

    words: str
    subjects: tuple[str, ...]


_LIFE = "Science/Biology/"
BROAD = {
    "Biology": Subject("biology", (_LIFE,)),
    "Physics": Subject("physics", ("Science/Physics/",)),
    "Geography": Subject("geography", ("Geography/",)),
    "History": Subject("history", ("History/",)),
    "Religion": Subject("religion", ("Religion/", "People/Religious figures")),
    "Sports": Subject("sports", ("Everyday life/Sports", "People/Sports people")),
    "Art": Subject("art", ("Art/", "People/Artists and architects")),
    "Literature": Subject("language literature", ("Language and literature/", "People/Writers")),
    "Politics": Subject("politics law", ("Citizenship/Politics", "Citizenship/Law", "People/Political people")),
    "Business": Subject("economics business", ("Business Studies/",)),
    "Animals": Subject("animals", tuple(_LIFE + kind for kind in ("Birds", "Dino", "Fish", "Inv", "Mammals", "Rept"))),
    "Countries": Subject("countries", ("Countries/",)),
    "Engineering": Subject("engineering technology", ("Design and Technology/",)),
    "Medicine": Subject("medicine health", (_LIFE + "Health and medicine",)),
}
NARROW = {
    "Birds": Subject("birds", (_LIFE + "Birds",)),
    "Dinosaurs": Subject("dinosaurs", (_LIFE + "Dinosaurs",)),
    "Trains": Subject("railways trains", ("Design and Technology/Railway transport",)),
    "Astronomy": Subject("astronomy", ("Science/Physics/Space (Astronomy)",)),
    "Storms": Subject("storms weather", ("Geography/Climate and weather", "Geography/Natural disasters")),
    "Mathematics": Subject("mathematics", ("Mathematics/",)),
    "Films": Subject("films television", ("Everyday life/Films", "Everyday life/Television", "People/Actors")),
    "Mythology": Subject("mythology gods", ("Language and literature/Mythology", "Religion/Divinities")),
    "Currency": Subject("currency money", ("Business Studies/Currency",)),
    "Plants": Subject("plants", (_LIFE + "Plants",)),
    "Kings": Subject("kings queens", ("People/Kings and queens",)),
    "War": Subject("war military", ("History/Military", "History/World War", "Design and Technology/Military")),
}
TOPICS = {**BROAD, **NARROW}
HALVES = ("choose", "confirm")


def halves() -> dict[str, tuple[str, ...]]:
    """The names of the topics to choose on, and of those to confirm on."""
    chosen = {name for kind in (BROAD, NARROW) for name in random.Random("halves").sample(sorted(kind), len(kind) // 2)}
    parts = [name for name in TOPICS if name in chosen], [name for name in TOPICS if name not in chosen]
    return {half: tuple(names) for half, names in zip(HALVES, parts, strict=True)}


def subjects(half: str = "") -> FocusWeb:
    """The encyclopedia with these topics, or with half of them; ten seeds each, drawn by lot from the relevant articles
    that have links."""
    labelled, web = _labels(), FolderWeb(unpacked("encyclopedia"))
    topics = []
    for name in halves()[half] if half else TOPICS:
        truth = {url for url, about in labelled.items() if is_about(about, TOPICS[name].subjects)}
        order = random.Random(name).sample(sorted(truth), len(truth))
        starts = (url for url in order if _links(web, url) >= FEWEST_LINKS)
        topics.append(Topic(name, TOPICS[name].words, truth, [next(starts) for _ in range(SEEDS)]))
    return encyclopedia()._replace(topics=topics)


def is_about(labels: list[str], wanted: tuple[str, ...]) -> bool:
    """Whether an article with such labels is about one of the subjects that begin like this."""
    return CHARITY not in labels and any(label.startswith(wanted) for label in labels)


def _labels() -> dict[str, list[str]]:
    """The subjects of every article, by its address."""
    with LABELS.open(newline="") as stream:
        lines = csv.DictReader(stream, delimiter="\t")
        return {HOST + quote(line["path"]): line["subjects"].split(";") for line in lines}


def _links(web: FolderWeb, url: str) -> int:
    """How many other articles an article links to."""
    answer = web.find(url)
    assert answer is not None, url
    page = Page(Response(Request(url, 0, ""), 200, answer.headers, answer.body, 0.0, 0.0))
    return sum(link.url != url and web.find(link.url) is not None for link in page.links)
