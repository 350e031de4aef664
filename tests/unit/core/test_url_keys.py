"""Keys of URLs: tables of which are the same, and the invariants on generated URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core import url_keys
from dowse.core.job import UrlOptions
from dowse.core.url_keys import UrlKeys, normal_form
from dowse.core.urls import resolve, split_credentials
from tests.generated_urls import SERIALISED

DEFAULTS = UrlOptions()
SESSION = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        # nothing to do
        ("http://example.org/", "http://example.org/"),
        ("http://example.org/A/b/?x=1&y=2", "http://example.org/A/b/?x=1&y=2"),
        ("http://example.org/a//b/", "http://example.org/a//b/"),
        ("http://example.org/?b=1&&a", "http://example.org/?b=1&&a"),
        # escapes
        ("http://example.org/%7euser/%41%2d%5f%2E", "http://example.org/~user/A-_."),
        ("http://example.org/caf%c3%a9%2fx", "http://example.org/caf%C3%A9%2Fx"),
        ("http://example.org/?q=%7e%26%3d%2b+%20", "http://example.org/?q=~%26%3D%2B+%20"),
        ("http://example.org/%2541", "http://example.org/%2541"),
        ("http://example.org/%%341%4%31%zz%", "http://example.org/%%341%4%31%zz%"),
        # the query
        ("http://example.org/x?", "http://example.org/x"),
        ("http://example.org/x?utm_source=a&UTM_Medium=b", "http://example.org/x"),
        ("http://example.org/x?b=1&gclid=z&a=2", "http://example.org/x?b=1&a=2"),
        ("http://example.org/x?PHPSESSID=1&id=5&zenid=7", "http://example.org/x?id=5"),
        # names that are session ids only if their value looks like one
        (f"http://example.org/x?id=5&sid={SESSION}&session_id={SESSION.upper()}", "http://example.org/x?id=5"),
        ("http://example.org/x?sessionid=3f2b8a90-1c1d-4e5f-8a7b-0123456789ab", "http://example.org/x"),
        ("http://example.org/x?sid=7&sessionid=12", "http://example.org/x?sid=7&sessionid=12"),
        ("http://example.org/x?sid=mY-Wq_0aZk3-Lr8s", "http://example.org/x"),
        ("http://example.org/x?sid=a3f09c12de", "http://example.org/x"),
        ("http://example.org/x?sid=a3F0%2B9c12%2Fde%3D%3D", "http://example.org/x"),
        ("http://example.org/x?sid=section12", "http://example.org/x?sid=section12"),
        ("http://example.org/x?sid=2026-11-16", "http://example.org/x?sid=2026-11-16"),
        ("http://example.org/x?sid=/news/2nd", "http://example.org/x?sid=/news/2nd"),
        ("http://example.org/x?sid=2026111609300012", "http://example.org/x?sid=2026111609300012"),
        ("http://example.org/x?sid=internationalisation", "http://example.org/x?sid=internationalisation"),
        ("http://example.org/x?sid=the-story-of-2026-part-2", "http://example.org/x?sid=the-story-of-2026-part-2"),
        (f"http://example.org/a;sid={SESSION}/b;sid=3", "http://example.org/a/b;sid=3"),
        ("http://example.org/x?utm%5Fsource=a&id=5", "http://example.org/x?id=5"),
        ("http://example.org/x?sidebar=1&utm=2&x=gclid", "http://example.org/x?sidebar=1&utm=2&x=gclid"),
        ("http://example.org/x?sid", "http://example.org/x?sid"),
        ("http://example.org/x?aspsessionidQQ=1", "http://example.org/x"),
        # sessions in the path
        ("http://example.org/x.jsp;jsessionid=AB!12?p=1", "http://example.org/x.jsp?p=1"),
        ("http://example.org/a;JSESSIONID=1/b;v=2;zenid=3", "http://example.org/a/b;v=2"),
        ("http://example.org/a;jsessionid", "http://example.org/a;jsessionid"),
        ("http://example.org/a/..;sid=1/b", "http://example.org/a/..;sid=1/b"),
        ("http://example.org/?x=;sid=1", "http://example.org/?x=;sid=1"),
        ("http://example.org/app/(S(k2j4))/p.aspx", "http://example.org/app/p.aspx"),
        ("http://example.org/(X(1)S(k2j4)F(a-b))/", "http://example.org/"),
        ("http://example.org/(S(a));zenid=1/x", "http://example.org/x"),
        ("http://example.org/(S(k2j4))", "http://example.org/(S(k2j4))"),
        ("http://example.org/Foo_(bar)/x", "http://example.org/Foo_(bar)/x"),
        ("http://example.org/(bar)/x", "http://example.org/(bar)/x"),
        # credentials
        ("http://user:pw@example.org:8080/x", "http://example.org:8080/x"),
        ("http://example.org/@someone", "http://example.org/@someone"),
    ],
)
def test_normal_form(url: str, expected: str) -> None:
    assert normal_form(url, DEFAULTS) == expected


@pytest.mark.parametrize(
    ("options", "url", "expected"),
    [
        (UrlOptions(keep_parameters=("SID",)), f"http://h/?sid={SESSION}&gclid=2", f"http://h/?sid={SESSION}"),
        (UrlOptions(drop_parameters=("sid",)), "http://h/?sid=1&gclid=2", "http://h/?gclid=2"),
        (UrlOptions(drop_parameters=("s*=session",)), f"http://h/?sid={SESSION}&s=2", "http://h/?s=2"),
        (UrlOptions(keep_parameters=("utm_source",)), "http://h/?utm_source=1&utm_term=2", "http://h/?utm_source=1"),
        (UrlOptions(keep_parameters=("utm_*",)), "http://h/?utm_source=1&gclid=2", "http://h/?utm_source=1"),
        (UrlOptions(keep_parameters=("jsessionid",)), "http://h/x;jsessionid=1", "http://h/x;jsessionid=1"),
        (UrlOptions(keep_parameters=("aspsessionid*",)), "http://h/(S(a))/x", "http://h/(S(a))/x"),
        (UrlOptions(drop_parameters=()), "http://h/x;sid=1?utm_source=1", "http://h/x;sid=1?utm_source=1"),
        (UrlOptions(drop_parameters=("Color",)), "http://h/?utm_source=1&COLOR=2", "http://h/?utm_source=1"),
        (UrlOptions(drop_parameters=("f[a b]",)), "http://h/?f%5ba+b%5D=2&x=1", "http://h/?x=1"),
        (UrlOptions(drop_parameters=("gr\u00f6\u00dfe",)), "http://h/?gr%C3%B6%C3%9Fe=2&x=1", "http://h/?x=1"),
        (UrlOptions(drop_parameters=("*",)), "http://h/?a=1&b", "http://h/"),
        (UrlOptions(sort_query=True), "http://h/?b=1&a=2&b=0&a=1&gclid=4", "http://h/?a=2&a=1&b=1&b=0"),
        (UrlOptions(alias_www=True), "http://www.example.org:81/", "http://example.org:81/"),
        (UrlOptions(alias_www=True), "http://www.www.example.org/", "http://example.org/"),
        (UrlOptions(alias_www=True), "http://www.example/", "http://www.example/"),
        (UrlOptions(alias_www=True), "https://www2.example.org/", "https://www2.example.org/"),
        (UrlOptions(alias_scheme=True), "https://example.org/", "http://example.org/"),
        (UrlOptions(alias_scheme=True), "https://[::1]/", "http://[::1]/"),
        (UrlOptions(alias_scheme=True), "https://example.org:8443/", "https://example.org:8443/"),
        (UrlOptions(ignore_case=True), "http://h/A/%C3%9cB/%41?Q=A", "http://h/a/%C3%9Cb/a?Q=A"),
        (UrlOptions(ignore_case=True), "http://h/(S(a))/X", "http://h/x"),
        (UrlOptions(alias_www=True, alias_scheme=True), "https://www.example.org/a?", "http://example.org/a"),
    ],
)
def test_normal_form_follows_the_options(options: UrlOptions, url: str, expected: str) -> None:
    assert normal_form(url, options) == expected


def test_request_of_a_url_in_normal_form() -> None:
    request = UrlKeys(DEFAULTS).request("https://example.org:8443/a/")
    assert (request.url, request.key, request.host) == ("https://example.org:8443/a/", "", "example.org:8443")
    assert (request.method, request.body, request.normal_form) == ("GET", b"", request.url)


def test_request_is_sent_as_found_and_known_by_its_key() -> None:
    keys = UrlKeys(UrlOptions(alias_www=True))
    tagged = keys.request("https://www.example.org/%7ex?gclid=1")
    assert (tagged.url, tagged.key) == ("https://www.example.org/%7ex?gclid=1", "https://example.org/~x")
    assert tagged.host == "www.example.org"
    assert tagged.key_hash == keys.request("https://example.org/~x").key_hash


def test_key_hash_is_a_stable_signed_number() -> None:
    # crawls on disk depend on these numbers
    keys = UrlKeys(DEFAULTS)
    assert keys.request("http://example.org/").key_hash == -5242817029757127295
    hashes = [keys.request(f"http://example.org/{number}").key_hash for number in range(200)]
    assert len(set(hashes)) == 200
    assert min(hashes) < 0 < max(hashes)
    assert all(-(2**63) <= value < 2**63 for value in hashes)


def test_requests_carry_no_credentials() -> None:
    keys = UrlKeys(DEFAULTS)
    request = keys.request("http://user:pw@example.org:81/a@b")
    assert (request.url, request.host, request.key) == ("http://example.org:81/a@b", "example.org:81", "")
    assert request == keys.request("http://example.org:81/a@b")


def test_forms_are_known_by_method_and_body() -> None:
    keys = UrlKeys(DEFAULTS)
    url = "http://example.org/search?gclid=1"
    requests = [
        keys.request(url),
        keys.request(url, method="POST"),
        keys.request(url, method="POST", body=b"q=1"),
        keys.request(url, method="POST", body=b"q=2"),
        keys.request(url, body=b"q=1"),
    ]
    assert len({request.key_hash for request in requests}) == len({request.key for request in requests}) == 5
    assert {request.url for request in requests} == {url}
    post = keys.request("http://example.org/search", method="POST", body=b"q=1")
    assert (post.method, post.body, post.host) == ("POST", b"q=1", "example.org")
    assert (post.key, post.key_hash) == (requests[2].key, requests[2].key_hash)


def test_requests_are_remembered_but_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_keys, "CACHED_REQUESTS", 3)
    keys = UrlKeys(DEFAULTS)
    first = keys.request("http://example.org/0")
    assert keys.request("http://example.org/0") is first
    for number in range(1, 4):
        keys.request(f"http://example.org/{number}")
    again = keys.request("http://example.org/0")
    assert again is not first
    assert again == first


OPTIONS = st.builds(
    UrlOptions,
    drop_parameters=st.sampled_from([DEFAULTS.drop_parameters, (), ("a*", "sid"), ("a*=session",), ("*",)]),
    keep_parameters=st.sampled_from([(), ("sid",), ("u*",)]),
    sort_query=st.booleans(),
    alias_www=st.booleans(),
    ignore_case=st.booleans(),
    alias_scheme=st.booleans(),
)


@given(url=SERIALISED, options=OPTIONS)
def test_normal_form_is_idempotent_and_a_url(url: str, options: UrlOptions) -> None:
    normal = normal_form(url, options)
    assert normal_form(normal, options) == normal
    assert resolve("", normal) == normal


@given(urls=st.lists(SERIALISED, min_size=2, max_size=6), options=OPTIONS)
def test_key_hashes_are_equal_exactly_when_normal_forms_are(urls: list[str], options: UrlOptions) -> None:
    requests = [UrlKeys(options).request(url) for url in urls]
    for one, url in zip(requests, urls, strict=True):
        assert one.normal_form == normal_form(split_credentials(url)[0], options) == normal_form(url, options)
        for other in requests:
            assert (one.key_hash == other.key_hash) == (one.normal_form == other.normal_form)


PARAMETERS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "A", "id", "sid", "gclid", "GCLID", "utm_source", "utm_x", ""]), st.integers(0, 3)
    ),
    max_size=8,
)


@given(parameters=PARAMETERS, sort_query=st.booleans())
def test_dropping_parameters_keeps_the_others_in_order(parameters: list[tuple[str, int]], sort_query: bool) -> None:
    kept = [(name, value) for name, value in parameters if name.lower() not in {"gclid", "utm_source", "utm_x"}]
    if sort_query:
        kept.sort(key=lambda parameter: parameter[0])
    query, expected = ("&".join(f"{name}={value}" for name, value in some) for some in (parameters, kept))
    normal = normal_form(f"http://example.org/?{query}", UrlOptions(sort_query=sort_query))
    assert normal == "http://example.org/" + (f"?{expected}" if kept else "")
