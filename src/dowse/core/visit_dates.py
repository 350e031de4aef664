"""The dates of visits, in days, by a clock that may have been put back since.

A date that is ahead of the clock tells nothing of when its visit was. Nothing is learned from the time since, and the
page counts as visited the usual time ago, so that it has its turn though that date may be a year away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

CLOCK_SLACK = 1.0 / 24.0
"""Days that a date may be ahead: clocks are set right by a little all the time."""


def are_dated(dates: Numbers, at: float) -> NDArray[np.bool_]:
    """Which dates the clock has reached.

    >>> are_dated(np.array([4.0, 370.0]), 5.0).tolist()
    [True, False]
    """
    return dates <= at + CLOCK_SLACK


def days_since(dates: Numbers, at: float, usual: float) -> Numbers:
    """Days since each of them; `usual` is the usual time between two visits.

    >>> days_since(np.array([4.0, 5.01, 370.0]), 5.0, 3.0).tolist()
    [1.0, 0.0, 3.0]
    """
    return np.where(are_dated(dates, at), np.maximum(at - dates, 0.0), usual)
