"""What the pages of a forum are, by how they link to each other."""

from __future__ import annotations

from dowse.modes.forum.form_types import FormTypes, Observation
from dowse.modes.forum.further_pages import number_of
from dowse.modes.forum.site_patterns import Patterns
from dowse.modes.forum.url_forms import UrlForms, general, leads_back

SITE = "http://a.org"
LIKE_A_THREAD = (0.1, 0.9, 0.0)
LIKE_A_LIST = (0.9, 0.1, 0.0)


def board(number: int, shares: tuple[float, float, float] = LIKE_A_THREAD) -> Observation:
    """A board that shows the latest post of each of its threads."""
    leads = [(f"{SITE}/topic/{number}0/words", 8)]
    return Observation(f"{SITE}/board/{number}/name", "li", *shares, posts=8, leads=leads)


def thread(number: int) -> Observation:
    authors = [f"{SITE}/user/{name}" for name in ("anna", "bert", "carla")]
    return Observation(f"{SITE}/topic/{number}/words", "li", *LIKE_A_THREAD, 3, authors, [(authors[0], 3)])


def profile(name: str) -> Observation:
    leads = [(f"{SITE}/topic/10/words", 5)]
    return Observation(f"{SITE}/user/{name}", "li", *LIKE_A_LIST, leads=leads)


def learned(*pages: Observation) -> FormTypes:
    forms = UrlForms()
    for word in ("board", "topic", "user"):
        for number in range(3):
            forms.learn(f"{SITE}/{word}/{number}/x")
            forms.learn(f"{SITE}/{word}/x{'y' * number}")
    types = FormTypes(forms.form)
    for page in pages:
        types.add(page)
    types.resolve()
    return types


def test_a_board_that_shows_posts_is_told_by_the_threads_that_it_lists() -> None:
    assert learned(board(1)).shares(board(1))[1] > 0.8, "nothing is known of what it lists"
    types = learned(board(1), board(2), thread(10), thread(20))
    assert types.shares(board(1))[0] > 0.9
    assert types.shares(thread(10))[1] > 0.9
    assert types.types.threads == {r"/topic/\d+/[^/?&]+"}


def test_profiles_are_told_by_the_posts_of_their_users() -> None:
    types = learned(board(1), thread(10), thread(20), profile("anna"))
    assert types.shares(profile("dora"))[2] == 1.0
    assert types.is_user(f"{SITE}/user/dora/posts")
    assert not types.is_user(f"{SITE}/topic/10/words")


def test_a_page_that_led_to_a_list_is_one_to_visit_whatever_it_looks_like() -> None:
    patterns = Patterns()
    page = Observation(f"{SITE}/list/first/", "td", 0.0, 0.0, 1.0)
    patterns.observe(page)
    assert patterns.type_of(page) == "other"
    patterns.credit(page.url)
    assert patterns.shares(Observation(f"{SITE}/list/first/", "td", 0.0, 0.0, 1.0, news=1))[0] > 0.5
    assert patterns.known(patterns.forms.form(page.url)).index > 0.5


def test_titles_are_one_thing_whatever_numbers_they_have() -> None:
    assert general(f"{SITE}/t/my-3-wishes-12") == general(f"{SITE}/t/winter-12")
    assert general(f"{SITE}/topic/12/winter-1963/") == general(f"{SITE}/topic/12/winter/")
    assert general(f"{SITE}/forum-3.html") != general(f"{SITE}/forum.html")


def test_urls_that_lead_back_log_in() -> None:
    assert leads_back(f"{SITE}/login?next=/topic/3")
    assert leads_back(f"{SITE}/login?to=http%3A%2F%2Fa.org")
    assert not leads_back(f"{SITE}/topic?id=3")


def test_pages_are_numbered_by_their_urls() -> None:
    assert number_of(f"{SITE}/t/words/58/3/", f"{SITE}/t/words/58/") == 3
    assert number_of(f"{SITE}/topic/58/?page=4", f"{SITE}/topic/58/") == 4
    assert number_of(f"{SITE}/forum/a-2/topic/b-20/", f"{SITE}/forum/a-2/") is None
