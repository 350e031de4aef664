"""What is known of a link before it is followed, as a dozen numbers, all about as large as a cosine."""

from __future__ import annotations

import numpy as np

from dowse.rank.evidence import EXPERTS, Fields, Rows
from dowse.rank.link_model import CONSTANT, Numbers
from dowse.rank.link_statistics import Fates
from dowse.score.tokens import Vector

# What each feature weighs before anything is learned: where vectors know which words mean alike, and where they do not.
# Set by hand on development webs, and right enough until pages have come home.
# The last ones are those of the experts, in their order.
PRIOR = {
    "usual": (0.0, 0.0),
    "anchor": (1.0, 0.2),
    "context": (0.5, 0.1),
    "pages it is on": (1.0, 0.5),
    "many pages": (0.3, 0.0),
    "pages above them": (0.0, 0.0),
    "in-links": (0.0, 0.0),
    "anchor keywords": (1.0, 1.0),
    "address keywords": (0.3, 0.1),
    "context keywords": (0.05, 0.5),
    "pages' keywords": (0.05, 0.1),
    "heading": (0.25, 0.0),
    "place in the markup": (0.5, 0.5),
    "folder": (0.2, 0.2),
    "host": (0.1, 0.1),
    "list": (1.0, 0.5),
    "by keywords": (0.5, 0.3),
    "by shark": (0.2, 0.1),
    "by parent": (0.3, 0.1),
    "by priority": (0.2, 0.1),
    "by breadth": (0.1, 0.1),
}

OWN = len(PRIOR) - len(EXPERTS)
"""How many of them are not the experts'."""


def features(rows: Rows, near: Vector, parents: Numbers, fates: Fates, experts: Numbers) -> Numbers:
    """A row of numbers for each lead, in the order of PRIOR, given how near to the topic each of its zones is, and how
    much more relevant than usual the pages are that it is on, and how high the experts rank it."""
    count = np.maximum(rows["parents"], 1).astype(np.float64)
    made = np.empty((len(rows), len(PRIOR)))
    made[:, 0] = CONSTANT
    made[:, 1:3] = near[:, :2]
    made[:, 3] = parents
    made[:, 4] = 0.3 * np.log1p(np.maximum(parents, 0) * count)
    made[:, 5] = rows["above"]
    made[:, 6] = 0.1 * np.log(count)
    made[:, 7:11] = Fields(rows).numbers[:, :4]
    made[:, 11] = rows["heading"]
    made[:, 12:16] = fates.gains(rows)
    made[:, 16:] = experts
    return made
