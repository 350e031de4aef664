"""The rules of one robots.txt, by RFC 9309."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.usage import written
from dowse.core.user_agent import product_token
from dowse.fetch.robots_patterns import MOST_PATTERNS, Pattern
from dowse.fetch.robots_rules import CRAWL_DELAY_LIMIT, SIZE_LIMIT, RobotsRules

SITE = "http://example.org"


def rules(text: str | bytes, token: str = "dowse") -> RobotsRules:
    return RobotsRules(text.encode() if isinstance(text, str) else text, token)


def allows(lines: str | bytes, path: str) -> bool:
    start = b"User-agent: *\n" if isinstance(lines, bytes) else "User-agent: *\n"
    return rules(start + lines).allows(SITE + path)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("lines", "path", "allowed"),
    [
        # the example of RFC 9309, 5.2: the longest match decides
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/", True),
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/c/d", False),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/d", True),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/bb", "/a/c", False),
        # of two equally long ones the Allow, in either order
        ("Disallow: /page\nAllow: /page", "/page", True),
        ("Allow: /page\nDisallow: /page", "/page", True),
        ("Allow: /*b\nDisallow: /ab", "/ab", True),
        ("Disallow: /*b\nAllow: /ab", "/ab", True),
        ("Allow: /a*\nDisallow: /ab", "/ab", True),
        # nothing, and everything
        ("Disallow:", "/x", True),
        ("Disallow: /", "/x", False),
        ("Disallow: *", "/x", False),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow: private", "/private", True),
        # paths are compared with their case, and with their query
        ("Disallow: /X/", "/x/", True),
        ("Disallow: /x?", "/x?y", False),
        ("Disallow: /x?", "/x", True),
        # wildcards
        ("Disallow: /*.pdf$", "/a/b.pdf", False),
        ("Disallow: /*.pdf$", "/a/b.pdf?x", True),
        ("Disallow: /*.pdf$", "/.pdf/c", True),
        ("Disallow: /a*b*c", "/a1b2c3", False),
        ("Disallow: /a*b*c", "/acb", True),
        ("Disallow: /ab*ba$", "/aba", True),
        ("Disallow: /ab*ba$", "/abba", False),
        ("Disallow: /a**b", "/axb", False),
        ("Disallow: *.gif", "/x/y.gif", False),
        ("Disallow: /a*$", "/abc", False),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /a$b", "/a$b", False),
        ("Disallow: /*?*sort=", "/list?page=2&sort=up", False),
        ("Disallow: /*?*sort=", "/sort=/list", True),
        # the special characters themselves, as in RFC 9309, 2.2.3
        ("Disallow: /file-with-a-%2A.html", "/file-with-a-*.html", False),
        ("Disallow: /file-with-a-%2A.html", "/file-with-a-x.html", True),
        ("Disallow: /foo-%24", "/foo-$", False),
        ("Disallow: /foo-%24", "/foo-", True),
        # percent-encoding, by the table of RFC 9309, 2.2.2
        ("Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
        ("Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", False),
        ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", False),
        ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/ツ", "/foo/bar/%e3%83%84", False),
        ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/ツ", False),
        ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
        ("Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", False),
        # an escaped slash is not a slash in a path, but is one in a query
        ("Disallow: /a/b", "/a%2Fb", True),
        ("Disallow: /a%2fb", "/a%2Fb", False),
        ("Disallow: /a%3Fb", "/a?b", True),
        ("Disallow: /*u=%2Fb", "/a?u=/b", False),
        ("Disallow: /*u=%2Fb", "/u=%2Fb", False),
        ("Disallow: /*u=/b", "/a?u=%2Fb", False),
        ("Disallow: /*%2F", "/a/b/c", True),
        ("Disallow: /*%2F", "/a%2Fb", False),
        ("Disallow: /*%2F", "/a/b?c=1", True),
        ("Disallow: /*%2F", "/a/b?c=/", False),
        ("Disallow: /*%2F$", "/a/b/", True),
        ("Disallow: /*%2F$", "/a?b/", False),
        ("Disallow: /*x*%2Fb", "/x/b", True),
        ("Disallow: /*x*%2Fb", "/x?y=/b", False),
        ("Disallow: /*x*%2Fb", "/a?x=/b", False),
        ("Disallow: /*%3Fa", "/x?a", True),
        ("Disallow: /*%3Fa", "/x?y?a", False),
        (b"Disallow: /caf\xe9", "/caf%E9", False),
        ("Disallow: /100%", "/100%", False),
        ("Disallow: /a%20b", "/a%20b/c", False),
    ],
)
def test_which_rule_decides(lines: str | bytes, path: str, allowed: bool) -> None:
    assert allows(lines, path) is allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: dowse\nDisallow: /", False),
        ("user-agent: DOWSE\ndisallow: /", False),
        ("User-Agent: Dowse/2.0\nDisallow: /", False),
        ("User-agent: dowser\nDisallow: /", True),
        ("User-agent: dow\nDisallow: /", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: dowse\nDisallow: /private", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: dowse\nDisallow:", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: dowse", True),
        ("User-agent: a\nUser-agent: dowse\nUser-agent: b\nDisallow: /", False),
        ("User-agent: dowse\n\n\nDisallow: /", False),
        ("User-agent: dowse\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: dowse\nDisallow: /x", False),
        ("Disallow: /\nUser-agent: dowse\nDisallow: /a", True),
        # other lines do not end the names a group begins with
        ("User-agent: dowse\nSitemap: http://x/\nUser-agent: b\nDisallow: /", False),
        ("User-agent: dowse\nNoindex: /y\nUser-agent: b\nDisallow: /", False),
        ("User-agent: dowse\nCrawl-delay: 5\nUser-agent: b\nDisallow: /", False),
        # the many ways to write a line
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("User-agent: *\rDisallow: /", False),
        ("User-agent: *\r\nDisallow: /\r\n", False),
        ("  User-agent :\t*  # all\n\tDisallow :/ # everything", False),
        ("User-agent: * all of you\nDisallow: /", False),
        ("User-agent: *bot\nDisallow: /", True),
        ("User-agent *\nDisallow /", False),
        ("User-agent: *\nDissalow: /", False),
        ("User-agent: *\n#Disallow: /", True),
        ("User-agent: *\nDisallow: /#/x", False),
        ("User-agent:\nDisallow: /", True),
        ("", True),
        ("<!doctype html><p>User-agent: *<p>Disallow: /", True),
    ],
)
def test_which_lines_are_for_us(text: str, allowed: bool) -> None:
    assert rules(text).allows(f"{SITE}/x") is allowed


def test_without_a_name_only_the_rules_for_everyone_count() -> None:
    assert rules("User-agent:\nDisallow: /", token="").allows(f"{SITE}/x")
    assert not rules("User-agent: *\nDisallow: /", token="").allows(f"{SITE}/x")


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x85", "\u2028"])
def test_a_line_ends_only_at_a_line_end(separator: str) -> None:
    assert rules(f"User-agent: *\nAllow: /a{separator}Disallow: /").allows(f"{SITE}/b")


def test_utf_16_is_read_by_its_byte_order_mark() -> None:
    assert not rules("User-agent: *\nDisallow: /".encode("utf-16")).allows(f"{SITE}/x")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b""])
def test_a_byte_order_mark_may_be_broken(mark: bytes) -> None:
    assert not rules(mark + b"User-agent: *\nDisallow: /x").allows(f"{SITE}/x")


def test_the_line_that_decided_is_named() -> None:
    ours = rules("User-agent: *\ndisallow: /private/*ツ  # ours\nAllow: /private/open")
    assert ours.refusal(f"{SITE}/private/x/%E3%83%84") == "Disallow: /private/*ツ"
    assert ours.refusal(f"{SITE}/private/open") == ""


def test_what_is_beyond_the_size_limit_does_not_count() -> None:
    filler = b"# filler\n" * (SIZE_LIMIT // 9)
    assert len(filler) >= 500 * 1024
    assert not rules(b"User-agent: *\n" + filler[: 500 * 1024] + b"\nDisallow: /").allows(f"{SITE}/x")
    assert rules(b"User-agent: *\n" + filler + b"# filler\nDisallow: /").allows(f"{SITE}/x")


def test_many_rules_and_hard_patterns_are_bounded() -> None:
    """A pattern that a backtracking matcher would not finish, 5,000 times."""
    hard = "".join(f"Disallow: /*{'a*' * 20}b{number}\n" for number in range(5_000))
    ours = rules("User-agent: *\n" + hard)
    assert ours.allows(f"{SITE}/{'a' * 2_000}")
    assert not ours.allows(f"{SITE}/{'a' * 2_000}b42")


@pytest.mark.parametrize("pattern", ["/*word{}end", "/dir{}*longest-part-of-all", "/*.{}$"])
def test_few_of_many_patterns_are_tried_on_a_path(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    matches = Pattern.matches

    def counting(self: Pattern, path: str) -> bool:
        nonlocal tried
        tried += 1
        return matches(self, path)

    monkeypatch.setattr(Pattern, "matches", counting)
    paths = ["/some/longest-part-of-all/page.html?word=1", "/a/word31end", "/dir4000/longest-part-of-all", "/x.4321"]
    lines = [pattern.format(number) for number in range(4_000)]
    ours = rules("User-agent: *\n" + "".join(f"Disallow: {line}\n" for line in lines))
    answers = [ours.allows(SITE + path) for path in paths]
    assert answers == [_plain_reading([(False, line) for line in lines], path) for path in paths]
    assert tried < len(lines) * len(paths) / 50


def test_patterns_and_stars_are_bounded() -> None:
    many = "".join(f"Disallow: /*-{number}-\n" for number in range(MOST_PATTERNS + 1_000))
    ours = rules("User-agent: *\n" + many)
    assert not ours.allows(f"{SITE}/a-{MOST_PATTERNS - 1}-")
    assert ours.allows(f"{SITE}/a-{MOST_PATTERNS}-")
    assert ours.size < 5_000_000
    assert not rules(f"User-agent: *\nDisallow: /{'*a' * 1_000}").allows(f"{SITE}/{'a' * 1_000}")


def test_answers_are_remembered_and_bounded() -> None:
    ours = rules("User-agent: *\nDisallow: /1")
    for _ in range(2):
        assert [ours.allows(f"{SITE}/{number}") for number in range(3_000)] == [
            not str(number).startswith("1") for number in range(3_000)
        ]
    assert len(ours._answers) <= 1_000


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", None),
        ("Crawl-delay: 2", 2.0),
        ("crawl-delay:0.5", 0.5),
        ("Crawl-delay: 0", 0.0),
        ("Crawl-delay: 86400", CRAWL_DELAY_LIMIT),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: soon", None),
        ("Crawl-delay:", None),
        ("Crawl-delay: 1\nCrawl-delay: 3\nCrawl-delay: 2", 3.0),
        ("Disallow: /x\nUser-agent: other\nCrawl-delay: 9", None),
        ("Crawl-delay: 9\nUser-agent: dowse\nDisallow: /", None),
        ("Crawl-delay: 9\nDisallow: /\nUser-agent: dowse\nCrawl-delay: 1", 1.0),
        # the delay of one robot is not that of another, whether rules stand between them or not
        ("Crawl-delay: 1\nUser-agent: other\nCrawl-delay: 9", 1.0),
        ("User-agent: other\nCrawl-delay: 9", 9.0),
        ("Crawl-delay: 1\nUser-agent: other\nDisallow: /x\nCrawl-delay: 9", 1.0),
        ("Crawl-delay: 1\nUser-agent: a\nCrawl-delay: 9\nUser-agent: *\nCrawl-delay: 2", 2.0),
        ("Disallow: /x\nCrawl-delay: 3", 3.0),
    ],
)
def test_crawl_delay(lines: str, delay: float | None) -> None:
    assert rules(f"User-agent: *\n{lines}").crawl_delay == delay


def test_sitemaps_are_for_everyone() -> None:
    text = "Sitemap: http://a/1.xml\nUser-agent: other\nSITEMAP :/2.xml\nDisallow: /\nSitemap: http://a/1.xml\nSitemap:"
    assert rules(text).sitemaps == ("http://a/1.xml", "/2.xml")


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        ("dowse/1.0 (+https://example.org/bot)", "dowse"),
        ("dowse", "dowse"),
        ("My-Crawler/2 Python", "My-Crawler"),
        ("Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)", "ExampleBot"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Mozilla"),
        ("", ""),
    ],
)
def test_product_token(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token


@given(st.binary(max_size=400))
def test_no_bytes_are_too_strange(body: bytes) -> None:
    assert isinstance(rules(b"User-agent: *\n" + body).allows(f"{SITE}/x?y"), bool)


def _plain_reading(lines: list[tuple[bool, str]], path: str) -> bool:
    """The rule of RFC 9309 written down as it is said there, with regular expressions."""
    best = (0, True)
    for allow, pattern in lines:
        end = "$" if pattern.endswith("$") else ""
        expression = ".*".join(map(re.escape, pattern.removesuffix("$").split("*"))) + (r"\Z" if end else "")
        if re.match(expression, path):
            best = max(best, (len(pattern), allow))
    return best[1]


LETTERS = st.text("ab/*", max_size=6)
PATTERNS = st.builds(lambda text, end: f"/{text}{end}", LETTERS, st.sampled_from(["", "", "$"]))
PATHS = ["/" + "".join(letters) for length in range(5) for letters in product("ab/", repeat=length)]


@given(st.lists(st.tuples(st.booleans(), PATTERNS), max_size=8))
def test_the_search_agrees_with_the_plain_reading(lines: list[tuple[bool, str]]) -> None:
    text = "\n".join(f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in lines)
    ours = rules(f"User-agent: *\n{text}")
    for path in PATHS:
        assert ours.allows(SITE + path) is _plain_reading(lines, path), path


@pytest.mark.parametrize(
    ("lines", "path", "said"),
    [
        ("/x train-ai=n|/%78 train-ai=y", "/x", "train-ai=n"),
        ("/%78 train-ai=n|/x train-ai=y", "/x", "train-ai=n"),
        ("/%78 search=y|/x train-ai=y", "/x/1", "search=y, train-ai=y"),
        ("/\u00fc train-ai=y|/%c3%bc train-ai=n", "/%C3%BC", "train-ai=n"),
        ("/%78 train-ai=n|/x/y train-ai=y", "/x/y", "train-ai=y"),
        ("/a*%78$ train-ai=y|/%61*x$ train-ai=n", "/a/x", "train-ai=n"),
        ("/a%2A train-ai=y|/a* train-ai=n", "/ab", "train-ai=n"),
        ("/a%2Fb train-ai=n|/a/b train-ai=y", "/a/b", "train-ai=y"),
    ],
)
def test_what_is_said_of_the_use_of_one_path_adds_up_however_it_is_spelled(lines: str, path: str, said: str) -> None:
    text = "User-agent: *\n" + "".join(f"Content-Usage: {line}\n" for line in lines.split("|"))
    assert written(rules(text).usage(SITE + path)) == said
