"""Topics to develop with: articles of the encyclopedia, labelled by how their first sentences begin.

The labels are rough (a king's mother may count as a king), so they serve to compare ways of crawling on many topics and
not to say how good one is. The numbers of the default were chosen on a first version of these, with
wider labels and other seeds.
"""

from __future__ import annotations

import random
import re

from benchmarks.focus_webs import FocusWeb, Topic, encyclopedia, unpacked
from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.workflows.replay_sources import FolderWeb

SEEDS = 10
FEWEST_LINKS = 5
_VERB = re.compile(r" (?:is|are|was|were|refers to) ")
_IS = r"(?:is|are|was|were|refers to)\b[^.]{0,90}?\b"
_BEFORE, _AFTER, _LEAD = 60, 140, 700

# The words of each topic, whether only its first sentence is looked at, and what has to be there.
TOPICS = {
    "Birds": (
        "birds", False,
        r"Class: Aves|" + _IS + r"(?:species|family|order|genus|group)s? of (?:\w+ ){0,3}birds?\b"
    ),
    "Astronomy": (
        "astronomy planets stars", True,
        _IS + r"(?:star|planet|moon|natural satellite|asteroid|comet|galaxy|nebula|constellation|"
        r"astronomer|space probe|spacecraft|telescope|supernova|solar system)s?\b"
    ),
    "Dinosaurs": (
        "dinosaurs", False,
        r"\b(?:genus|group|family|species) of [^.]{0,60}dinosaurs?\b|" + _IS + r"dinosaurs?\b"
    ),
    "Medicine": (
        "diseases medicine", True,
        _IS + r"(?:disease|disorder|infection|syndrome|cancer|illness|virus|vaccine|inflammation|"
        r"epidemic|pathogen)s?\b|ICD-10"
    ),
    "Mathematics": (
        "mathematics", False,
        r"\b[Ii]n (?:\w+ )?(?:mathematics|geometry|algebra|calculus|topology|number theory)\b|" + _IS +
        r"(?:mathematicians?|mathematics|theorem)\b"
    ),
    "Religion": (
        "religion", True,
        _IS + r"(?:religions?|religious|church|saint|pope|theolog\w+|deity|god|goddess|prophet|"
        r"Bible|Buddhis\w+|Hindu\w*|Christian\w*|Islam\w*|Judaism|bishop|archbishop)\b"
    ),
    "Sport": (
        "sports", True,
        _IS + r"(?:sports?|footballers?|cricketers?|football club|tennis player|Olympi\w+|"
        r"tournament|championship|ball game|martial art|racing driver|stadium|World Cup)\b"
    ),
    "Trains": (
        "railways trains", True,
        _IS + r"(?:railways?|railroads?|locomotives?|trains?|tram\w*|monorail|rapid transit|"
        r"railway station|rail transport|subway)\b"
    ),
    "Storms": (
        "storms weather", True,
        _IS + r"(?:hurricane|tropical storm|cyclone|typhoon|storm|tornado|weather|climate|"
        r"precipitation|rainfall|cloud|meteorolog\w+|thunderstorm|blizzard)s?\b"
    ),
    "Painters": (
        "painters paintings", True,
        _IS + r"(?:painters?|paintings?|sculptors?|sculptures?|art movement|engraver|art museum|"
        r"art gallery|fresco)\b"
    ),
    "Kings": (
        "kings queens", True,
        _IS + r"(?:king of|queen of|monarch|kings of|emperor of|tsar|pharaoh)\b|\bReign\b"
    ),
    "Physics": (
        "physics", True,
        r"\b[Ii]n physics\b|" + _IS + r"(?:physicists?|physics|subatomic|elementary particles?|quantum|"
        r"electromagnet\w+|thermodynamic\w*|photon|electron|radiation|SI unit)\b"
    ),
    "Literature": (
        "literature novels", True,
        _IS + r"(?:novels?|novelists?|poets?|playwrights?|poem|literature|literary|short story|"
        r"sonnet)\b"
    ),
}  # fmt: skip


def development() -> FocusWeb:
    """The encyclopedia with these topics, ten seeds each, drawn by lot from the relevant articles that have links."""
    leads: dict[str, tuple[str, int]] = {}
    web = FolderWeb(unpacked("encyclopedia"))
    for url in web.urls():
        answer = web.find(url)
        assert answer is not None
        page = Page(Response(Request(url, 0, ""), 200, answer.headers, answer.body, 0.0, 0.0))
        leads[url] = (" ".join(page.text[:3000].partition("Schools selection")[2].split()), len(page.links))
    topics = []
    for name, (words, is_first, pattern) in TOPICS.items():
        wanted = re.compile(pattern)
        truth = {url for url, (lead, _) in leads.items() if wanted.search(_looked_at(lead, is_first=is_first))}
        starts = sorted(url for url in truth if leads[url][1] >= FEWEST_LINKS)
        topics.append(Topic(name, words, truth, random.Random(name).sample(starts, SEEDS)))
    return encyclopedia()._replace(topics=topics)


def _looked_at(lead: str, *, is_first: bool) -> str:
    if not is_first:
        return lead[:_LEAD]
    verb = _VERB.search(lead)
    return lead[max(0, verb.start() - _BEFORE) : verb.start() + _AFTER] if verb else lead[: _BEFORE + _AFTER]
