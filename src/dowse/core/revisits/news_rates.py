"""How many new links pages bring a day, learned from their visits and, while those are few, from pages like them."""

from __future__ import annotations

import numpy as np

from dowse.core.revisits.change_rates import FIRST_DAYS, Numbers, Pages

FIRST_NEWS = 0.01
"""New links a day of pages nobody knows anything about."""

LIKE = 1.0
"""New links that are to be expected of the pages of its name before these tell as much of a page as all pages do."""

OWN = 1.0
"""The same of the page itself, beside its name."""


def news_rates(news: Numbers, days: Numbers, names: Pages) -> Numbers:
    """New links a day of each page, given how many it brought in how many days. `names` has the name of each page by
    number: lists have names of their own, such as index.html. Its folder tells less: a list stands among its items,
    which never bring anything.

    >>> news, days = np.array([9.0, 8.0, 0.0, 0.0, 0.0]), np.array([9.0, 9.0, 0.0, 9.0, 9.0])
    >>> rates = news_rates(news, days, np.array([0, 0, 0, 1, 1]))
    >>> bool(rates[2] > 5 * rates[3])
    True
    """
    usual = (FIRST_NEWS * FIRST_DAYS + news.sum()) / (FIRST_DAYS + days.sum())
    found = LIKE + np.bincount(names, news)[names]
    looked = LIKE / usual + np.bincount(names, days)[names]
    rates: Numbers = (OWN + news) / (OWN * looked / found + days)
    return rates
