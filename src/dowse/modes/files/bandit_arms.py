"""The arms of a sleeping bandit: groups of links that stand in like places of the markup, and what they brought.

A tag path belongs to the group whose first path it is most like, if it is like enough (the cosine of their pairs of
neighbouring tags), and else begins a group of its own. A group is tried by fetching a page that one of its links leads
to; the reward grows with the files first found there. The mean of the last rewards and a bonus for groups that were
tried seldom (the upper confidence bound of the AUER family) are what a group is worth. Groups without a link that
waits are asleep: nobody asks for them.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

SIZE = 128
MOST = 256

Numbers = NDArray[np.float32]

_LIKENESS = 0.75
_EXPLORATION = 0.15
_MEMORY = 0.98
"""What a reward counts for after the next one of its group: files that are found are not found again."""

_SHRINK = 1.0
_WINDOW = 200
_FIRST_SQUARE = 0.5
"""What the mean square of rewards is taken for before there are any."""

_PATHS_KEPT = 20_000


class Saved(Struct):
    """The groups, as they are saved: the first path of each, and their tries and rewards."""

    paths: list[str]
    tries: list[float]
    rewards: list[float]
    total: tuple[float, float, float]


class Arms:
    """Groups by number; 0 is that of links whose place is not known."""

    def __init__(self) -> None:
        self.paths = [""]
        self.vectors: Numbers = np.zeros((1, SIZE), np.float32)
        self._tries = np.zeros(MOST)
        self._rewards = np.zeros(MOST)
        self._total = (0.0, 0.0, _FIRST_SQUARE)
        self._known: dict[str, int] = {"": 0}

    def group(self, path: str) -> int:
        """The number of the group that a path belongs to."""
        number = self._known.get(path)
        if number is None:
            if len(self._known) > _PATHS_KEPT:
                self._known.clear()
            number = self._known[path] = self._find(path)
        return number

    def reward(self, number: int, value: float) -> None:
        """A link of the group was followed, and this came of it."""
        self._tries[number] = _MEMORY * self._tries[number] + 1
        self._rewards[number] = _MEMORY * self._rewards[number] + value
        tries, rewards, square = self._total
        square += (value * value - square) / min(tries + 2, _WINDOW)
        self._total = (tries + 1, rewards + value, square)

    @property
    def usual(self) -> float:
        """The mean of all rewards."""
        tries, rewards, _ = self._total
        return rewards / tries if tries else 0.0

    @property
    def scale(self) -> float:
        """How large rewards have been of late."""
        return math.sqrt(self._total[2])

    def means(self, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        """What the groups brought; that of one that was tried seldom is drawn towards what is usual."""
        means: NDArray[np.float64] = (self._rewards[numbers] + _SHRINK * self.usual) / (self._tries[numbers] + _SHRINK)
        return means

    def bonuses(self, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        """What it is worth to know more about the groups."""
        return self.bonus(_EXPLORATION, self._tries[numbers])

    def bonus(self, weight: float, tries: NDArray[np.float64]) -> NDArray[np.float64]:
        """What it is worth to know more about what was tried so often: more, where rewards have been large of late."""
        total, _, square = self._total
        bonus: NDArray[np.float64] = weight * math.sqrt(square * 2 * math.log(total + 1)) / np.sqrt(tries + 1)
        return bonus

    def dump(self) -> Saved:
        number = len(self.paths)
        return Saved(self.paths, self._tries[:number].tolist(), self._rewards[:number].tolist(), self._total)

    def load(self, saved: Saved) -> None:
        number = len(saved.paths)
        self.paths = list(saved.paths)
        self.vectors = np.array([path_vector(path) for path in saved.paths], np.float32)
        self._tries[:], self._rewards[:] = 0, 0
        self._tries[:number], self._rewards[:number] = saved.tries, saved.rewards
        self._total = saved.total
        self._known = {"": 0}

    def _find(self, path: str) -> int:
        vector = path_vector(path)
        likeness = self.vectors @ vector
        best = int(likeness.argmax())
        if likeness[best] >= _LIKENESS or len(self.paths) >= MOST:
            return best
        self.paths.append(path)
        self.vectors = np.vstack([self.vectors, vector])
        return len(self.paths) - 1


def path_vector(path: str) -> Numbers:
    """The pairs of neighbouring tags of a path, hashed, as a vector of length 1; zeros for no path."""
    vector = np.zeros(SIZE, np.float32)
    steps = path.split(">") if path else []
    for pair in zip(["", *steps], [*steps, ""], strict=True) if steps else ():
        number = xxh3_64_intdigest(">".join(pair).encode("utf-8", "replace"))
        vector[number % SIZE] += 1 if number >> 32 & 1 else -1
    length = float(np.sqrt(vector @ vector))
    return vector / np.float32(length) if length else vector
