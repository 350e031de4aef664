"""The largest of many numbers, without sorting all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def largest(numbers: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The places of so many of the largest numbers, these first.

    >>> largest(np.array([0.2, 0.9, 0.5]), 2).tolist()
    [1, 2]
    """
    count = min(count, len(numbers))
    top = np.argpartition(-numbers, count - 1)[:count] if count > 0 else np.zeros(0, np.int64)
    return top[np.argsort(-numbers[top], kind="stable")]
