"""The ranker of a crawl for files: files first, then pages that should have links to files, then the rest.

    class     page, file or neither, predicted by the link classifier (link_classes.py)
    group     the arm of the bandit that a link belongs to, by its place in the markup (bandit_arms.py)
    folder    what pages in the folders of its URL brought, the deeper folder with the more weight the more is known;
              like a group, one that was tried seldom has a bonus
    words     what the letters of its URL and of its words promise beyond that
    near      a page that is fewer links from the start is worth a little more
    turn      a part of the pages is fetched breadth first, as far as that brings as much (breadth_turns.py)

The reward of a page is the logarithm of the number of files that were first found on it: a page with a hundred of them
is worth much, but must not be all that counts. What a group and a folder brought long ago is forgotten, because files
that are found are not found again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from dowse.core.model import FailureKind, Judged, Outcome, Task
from dowse.modes.files import bandit_arms
from dowse.modes.files.bandit_arms import Arms
from dowse.modes.files.breadth_turns import LEVELS, Turns
from dowse.modes.files.link_classes import FILE, NEITHER, PAGE, LinkClasses
from dowse.modes.files.options import FIRST
from dowse.modes.files.strategy import ADDRESS, ANCHOR, FILE_HINT, FOLDERS
from dowse.modes.files.wanted_files import Wanted
from dowse.rank.evidence import Rows, records_of, rows_at, rows_of
from dowse.rank.ranker_state import pack, unpack

Numbers = NDArray[np.float64]

FILE_LEAD = np.dtype([
    ("named", "u1"), ("group", "<u2"), ("level", "u1"), ("place", "<u4"), ("beside", "<f4"),
    ("folders", "<u2", (FOLDERS,)),
    ("address", "u1", (ADDRESS,)), ("anchor", "u1", (ANCHOR,)),
])  # fmt: skip
"""What is known of a URL that waits: what the first page says of it, with its group, and the reward of the best
page that links to it (`beside`). `level` is how many links it is from the start, and `place` how many were met before
it that are as far."""

_SIZE = ADDRESS + ANCHOR + bandit_arms.SIZE + 2
_TURN = 50.0
"""What is added to the worth of pages that breadth first would have fetched by now."""

_MOST = 20.0
_BUCKETS = 4096
_SIZES = (FILE_LEAD.itemsize, _SIZE, bandit_arms.MOST, _BUCKETS)
_FOLDER_MEMORY = 0.98
_FOLDER_SHRINK = 2.0
_FOLDER_EXPLORATION = 0.4
_NEAR = 0.5
"""What a link on the start page is worth more than one far away, of what rewards have been of late."""

_WORDS = 0.5
"""What letters count beside groups and folders, of which more is known sooner."""

_RERANK = 5
_BEST_WAITING = 300
_ALL = 1_000_000_000
_FEWEST_BETWEEN = 20
_ROWS_A_PAGE = 50
"""Waiting links that may be ranked anew for a page that was fetched; all of them, when enough pages have saved up."""

_USELESS = (FailureKind.MEDIA_TYPE, FailureKind.HTTP)


class State(Struct):
    """All that was learned, as it is saved."""

    pages: int
    reranked: int
    reranked_all: int
    waiting: int
    arms: bandit_arms.Saved
    classes: bytes
    folders: bytes
    turns: Turns


class FilesRanker:
    """Learns where the files of a site are."""

    slack = 0.0

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._arms = Arms()
        self._classes = LinkClasses(_SIZE)
        self._folders: Numbers = np.zeros((_BUCKETS, 2))
        self._turns = Turns()
        self._pages = self._reranked = self._reranked_all = self._waiting = 0
        self._lead = b""

    # What the store asks

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        self._pages += 1
        self._lead = lead
        self._learn_class(lead, FILE if judged.relevance else PAGE)
        groups = [self._arms.group(path) for path in msgspec.msgpack.decode(judged.evidence, type=list[str])]
        return replace(judged, evidence=np.array(groups, "<u2").tobytes())

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        failure = outcome.failure
        if outcome.unchanged or (failure is not None and failure.kind not in _USELESS):
            return None
        self._pages += 1
        is_file = failure is None and self._wanted.is_wanted(outcome.task.request.url, outcome.media_type)
        self._learn_class(lead, FILE if is_file else NEITHER)
        return Judged(1.0) if is_file else None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_at(judged.hints, FILE_HINT, links)
        groups = np.frombuffer(judged.evidence, "<u2")
        rows = np.zeros(len(hints), FILE_LEAD)
        for name in ("named", "folders", "address", "anchor"):
            rows[name] = hints[name]
        rows["group"] = groups[hints["path"]] if len(groups) else 0
        is_new = np.array([not lead for lead in leads], bool)
        rows["level"] = level = min(task.depth + 1, LEVELS - 1)
        rows["place"] = np.maximum(self._turns.place(level, is_new), 0)
        found = int((is_new & (self._classes.predict(self._features(rows), rows["named"]).argmax(1) == FILE)).sum())
        reward = math.log2(1 + found)
        self._learn_reward(reward)
        self._waiting += int(is_new.sum())
        return self._merged(rows, leads, reward)

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        worth = np.zeros(len(leads))
        for part in self._parts(rows_of(leads, FILE_LEAD)).values():
            worth += part
        ranks: list[float] = worth.tolist()
        return ranks

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        return []

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        return [self._explained(lead) for lead in leads]

    def _explained(self, lead: bytes) -> dict[str, float]:
        row = rows_of(lead, FILE_LEAD)
        parts = {name: round(float(values[0]), 4) for name, values in self._parts(row).items()}
        path = ">".join(self._arms.paths[int(row["group"][0])].split(">")[-3:])
        names = {"group": f"group {int(row['group'][0])}, {path}"}
        return {names.get(name, name): value for name, value in parts.items() if value}

    def due(self) -> int:
        between = max(_FEWEST_BETWEEN, self._waiting // _ROWS_A_PAGE)
        if self._pages >= self._reranked_all + between:
            self._reranked = self._reranked_all = self._pages
            return _ALL
        if self._pages < self._reranked + _RERANK:
            return 0
        self._reranked = self._pages
        return _BEST_WAITING

    def dump(self) -> bytes:
        state = State(
            self._pages, self._reranked, self._reranked_all, self._waiting, self._arms.dump(), self._classes.dump(),
            self._folders.astype(np.float32).tobytes(), self._turns,
        )  # fmt: skip
        return pack(state, _SIZES)

    def load(self, state: bytes) -> None:
        saved = unpack(state, State, _SIZES)
        self._pages, self._waiting = saved.pages, saved.waiting
        self._reranked, self._reranked_all = saved.reranked, saved.reranked_all
        self._arms.load(saved.arms)
        self._classes.load(saved.classes)
        self._folders = np.frombuffer(saved.folders, np.float32).reshape(_BUCKETS, 2).astype(float)
        self._turns = saved.turns
        self._lead = b""

    # Inside

    def _parts(self, rows: Rows) -> dict[str, Numbers]:
        """The parts of what links are worth; they add up to it."""
        features = self._features(rows)
        shares = self._classes.predict(features, rows["named"])
        is_file = shares.argmax(1) == FILE
        is_page = np.where(is_file, 0.0, shares[:, PAGE])
        means, bonuses, folder, words = self._promises(rows, features)
        return {
            "group": is_page * means,
            "seldom tried": is_page * bonuses,
            "folder": is_page * folder,
            "words": is_page * words,
            "near": is_page * _NEAR * self._arms.scale / np.maximum(rows["level"], 1),
            "turn": np.where((shares.argmax(1) == PAGE) & self._turns.is_due(rows), _TURN, 0.0),
            "file": np.where(is_file, FIRST + shares[:, FILE], 0.0),
            "neither": np.where(shares.argmax(1) == NEITHER, -FIRST, 0.0),
        }

    def _promises(self, rows: Rows, features: NDArray[np.float32]) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """What pages should bring, by their group, by what is not known of it, by their folder, and by the rest."""
        groups = rows["group"].astype(np.intp)
        usual = self._arms.usual
        means = self._folder_means(rows["folders"])
        # A folder is worth a try as far as those around it were: a tree of a thousand empty ones is not.
        hope = np.minimum(means / usual, 1.0) if usual else np.ones(len(rows))
        bonuses = self._arms.bonuses(groups)
        bonuses += hope * self._arms.bonus(_FOLDER_EXPLORATION, self._folder_tries(rows["folders"]))
        words = np.clip(_WORDS * self._classes.extra(features), -_MOST, _MOST).astype(float)
        return self._arms.means(groups), bonuses, means - usual, words

    def _folder_means(self, folders: Any) -> Numbers:
        """The mean reward in the deepest folder of each row, drawn towards that of the one above it, and so on."""
        means: Numbers = np.full(len(folders), self._arms.usual)
        for level in range(FOLDERS):
            tries, rewards = self._folders[folders[:, level] % _BUCKETS].T
            deeper = (rewards + _FOLDER_SHRINK * means) / (tries + _FOLDER_SHRINK)
            means = np.where(folders[:, level] > 0, deeper, means)
        return means

    def _folder_tries(self, folders: Any) -> Numbers:
        """How often the deepest folder of each row was tried."""
        deepest = folders[np.arange(len(folders)), np.maximum((folders > 0).sum(1) - 1, 0)]
        tries: Numbers = np.where(deepest > 0, self._folders[deepest % _BUCKETS, 0], 0.0)
        return tries

    def _features(self, rows: Rows) -> NDArray[np.float32]:
        """A row of numbers for each lead, each kind of letters of length 1."""
        vectors = self._arms.vectors[rows["group"]]
        beside = rows["beside"].astype(np.float32) / 4
        return np.hstack([
            _unit(rows["address"]), 0.5 * _unit(rows["anchor"]), 0.5 * vectors, beside[:, None],
            np.full((len(rows), 1), 0.3, np.float32),
        ])  # fmt: skip

    def _learn_class(self, lead: bytes, kind: int) -> None:
        if lead:
            self._waiting -= 1
            row = rows_of(lead, FILE_LEAD)
            self._classes.learn_class(self._features(row)[0], int(row["named"][0]), kind)

    def _learn_reward(self, reward: float) -> None:
        """The page that was learned last brought this."""
        if not self._lead:
            return
        row = rows_of(self._lead, FILE_LEAD)
        features = self._features(row)
        means, _, folder, words = self._promises(row, features)
        self._classes.learn_reward(features[0], reward - float((means + folder + words)[0]))
        self._turns.learn(reward, was_due=bool(self._turns.is_due(row)[0]))
        self._arms.reward(int(row["group"][0]), reward)
        for number in {int(each) % _BUCKETS for each in row["folders"][0] if each}:
            self._folders[number] = _FOLDER_MEMORY * self._folders[number] + (1, reward)

    def _merged(self, rows: Rows, leads: Sequence[bytes], reward: float) -> list[bytes]:
        """What was known of links stays, but for the best page that links to them."""
        rows["beside"] = reward
        made = records_of(rows)
        before = rows_of(leads, FILE_LEAD)["beside"]
        merged = []
        for old, beside, new in zip(leads, before, made, strict=True):
            if old and reward > beside:
                row = rows_of(old, FILE_LEAD).copy()
                row["beside"] = reward
                old = row.tobytes()  # noqa: PLW2901
            merged.append(old or new)
        return merged


def _unit(counts: Any) -> NDArray[np.float32]:
    """Counts as vectors of length 1; a letter that comes often counts less each time."""
    roots = np.sqrt(counts.astype(np.float32))
    length = np.sqrt((roots * roots).sum(1, keepdims=True))
    unit: NDArray[np.float32] = roots / np.maximum(length, 1)
    return unit
