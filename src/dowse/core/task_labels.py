"""Labels of tasks of which no page comes."""

from __future__ import annotations

from dowse.core.model import SITEMAP

HEAD = "head"
"""The label of requests for the headers of a result."""

NO_PAGES = frozenset({SITEMAP, HEAD})
"""Labels of what does not count as a page."""
