"""Meta robots and X-Robots-Tag values."""

import pytest

from dowse.parse.robots_tag import Directives, robots_directives


@pytest.mark.parametrize(
    ("values", "noindex", "nofollow"),
    [
        ([], False, False),
        ([""], False, False),
        (["all"], False, False),
        (["index, follow"], False, False),
        (["noindex"], True, False),
        (["NoFollow"], False, True),
        (["none"], True, True),
        (["noindex,nofollow"], True, True),
        ([" noindex ,\tnofollow "], True, True),
        (["noarchive, nosnippet"], False, False),
        (["noindex", "nofollow"], True, True),
        (["dowse: noindex"], True, False),
        (["DOWSE : nofollow"], False, True),
        (["*: none"], True, True),
        (["googlebot: noindex"], False, False),
        (["googlebot: noindex, nofollow"], False, False),
        (["googlebot: nofollow, dowse: noindex"], True, False),
        (["dowse: nofollow, googlebot: noindex"], False, True),
        (["googlebot: noindex", "nofollow"], False, True),
        (["nofollow, googlebot: noindex"], False, True),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], False, False),
        (["unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex"], True, False),
        (["max-snippet: 20, nofollow"], False, True),
        (["max-snippet:-1, max-image-preview:large, noindex"], True, False),
        (["noindexing, xnofollow"], False, False),
    ],
)
def test_what_a_page_forbids(values: list[str], noindex: bool, nofollow: bool) -> None:
    assert robots_directives(values, "Dowse") == Directives(noindex=noindex, nofollow=nofollow)
