"""Labels of tasks of which no page comes."""

from __future__ import annotations

from dowse.core.model import SITEMAP

HEAD = "head"
"""The label of requests for the headers of a result."""

REQUISITE = "requisite"
"""The label of what pages need to be shown: style sheets, images, scripts, fonts, frames."""

REQUISITES_FIRST = 1e8
"""The priority of requisites, higher than that of any page, so that what was fetched can be shown whenever a crawl
ends."""

DEEPEST_REQUISITE = 10
"""How many requisites in a row may lead to another: style sheets that import each other, frames in frames."""

NO_PAGES = frozenset({SITEMAP, HEAD, REQUISITE})
"""Labels of what does not count as a page."""

QUERY = "query"
"""The label of requests that send a form, and of further pages of their answers. They are no links: what the user wants
followed does not hold for them, what the user excludes does."""

PAGING_ENDED = "paging: nothing new"
"""Why the next page of a list is not asked for: the page that names it has nothing that earlier ones do not have."""

PAGING_TOO_LONG = "paging: too many pages of one list"
"""Why no more pages of a list are asked for."""

PAGING_FIRST = "paging: the first page by another name"
"""Why `?page=1` is not asked for where a list begins without it."""
