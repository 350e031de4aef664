"""The range that a rate is in, given how often something was seen and for how long it was looked for."""

from __future__ import annotations

import numpy as np


def gamma_range(shape: float, days: float) -> tuple[float, float]:
    """The middle nine tenths of what a rate may be: drawn, for the exact way needs a library that is not here."""
    draws = np.random.default_rng(1).gamma(shape, 1.0 / days, 4096)
    low, high = np.quantile(draws, (0.05, 0.95))
    return float(low), float(high)
