"""Checksums, the four cases of a page, and the memory of keys against a plain dict."""

from __future__ import annotations

import subprocess
import sys
from hashlib import md5
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from dowse.core.duplicates.fingerprint import NEAR_AT_MOST, Case, Checksum, SeenKeys, checksum, content_case

KINDS: tuple[Checksum, ...] = ("xxh3", "md5", "crc32")


@pytest.mark.parametrize(
    ("url_known", "content_known", "case", "processed"),
    [
        (False, False, Case.NEW, True),
        (False, True, Case.MIRROR, False),
        (True, False, Case.CHANGED, True),
        (True, True, Case.SAME, False),
    ],
)
def test_the_four_cases(url_known: bool, content_known: bool, case: Case, processed: bool) -> None:
    assert content_case(url_known, content_known) is case
    assert case.is_processed is processed


def test_checksums_are_those_of_their_names() -> None:
    assert checksum(b"a page", "xxh3") % 2**64 == xxh3_64_intdigest(b"a page")
    assert checksum(b"a page", "md5") % 2**64 == int(md5(b"a page").hexdigest()[:16], 16)
    assert checksum(b"123456789", "crc32") == 0xCBF43926


@pytest.mark.parametrize("kind", KINDS)
@given(body=st.binary(max_size=200))
def test_checksums_fit_a_signed_64_bit_column_and_are_never_zero(kind: Checksum, body: bytes) -> None:
    number = checksum(body, kind)
    assert -(2**63) <= number < 2**63
    assert number != 0
    assert number == checksum(body, kind)


def test_the_crc_that_is_zero_is_still_a_checksum() -> None:
    assert checksum(b"", "crc32") == 2**32


@pytest.mark.parametrize("kind", KINDS)
def test_different_bodies_differ(kind: Checksum) -> None:
    assert len({checksum(b"page %d" % number, kind) for number in range(1000)}) == 1000


_KEYS = st.one_of(st.integers(-20, 20), st.sampled_from([-(2**63), 2**63 - 1]))
_ROWS = st.integers(1, 2**62)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.dictionaries(_KEYS, _ROWS, max_size=12)),
        st.tuples(st.just("load"), st.dictionaries(_KEYS, _ROWS, max_size=40)),
        st.tuples(st.just("look"), st.dictionaries(_KEYS, _ROWS, max_size=40)),
    ),
    max_size=20,
)


@settings(max_examples=300)
@given(_STEPS)
def test_seen_keys_answer_as_a_dict_would(steps: list[tuple[str, dict[int, int]]]) -> None:
    with pytest.MonkeyPatch.context() as small:
        small.setattr("dowse.core.duplicates.fingerprint.MERGED_AT", 8)
        small.setattr("dowse.core.duplicates.fingerprint.NEAR_AT_MOST", 10)
        small.setattr("dowse.core.duplicates.fingerprint._BLOCK", 3)
        _compare_with_a_dict(steps)


def _compare_with_a_dict(steps: list[tuple[str, dict[int, int]]]) -> None:
    seen, model = SeenKeys(), dict[int, int]()
    for act, pairs in steps:
        if act == "load":
            seen.load(pairs.items())
            model |= pairs
        elif act == "look":
            seen.get_many(list(pairs))
        else:
            for key, row in pairs.items():
                seen.add(key, row)
            assert seen.get_many(list(pairs)) == list(pairs.values())
            model |= pairs
        keys = [*range(-20, 21), -(2**63), 2**63 - 1]
        for few in (keys[start : start + 4] for start in range(0, len(keys), 4)):
            assert seen.get_many(few) == [model.get(key, 0) for key in few]
        assert [seen.get(key) for key in keys] == [model.get(key, 0) for key in keys]
        assert len(seen) == len(model)


def test_seen_keys_at_their_real_size() -> None:
    random = Random(1)
    pairs = [(random.getrandbits(64) - 2**63, row) for row in range(1, 200_001)]
    seen = SeenKeys()
    seen.load(iter(pairs[:150_000]))
    for key, row in pairs[150_000:]:
        seen.add(key, row)
    assert len(seen._near) <= NEAR_AT_MOST
    unknown = [key ^ 1 for key, _ in pairs]
    assert len(seen) == len(pairs)
    assert seen.get_many([key for key, _ in pairs]) == [row for _, row in pairs]
    assert seen.get_many(unknown) == [0] * len(unknown)
    assert seen.get_many([]) == []


def test_the_last_row_of_a_hash_counts() -> None:
    seen = SeenKeys()
    seen.load([(number % 50_000, number + 1) for number in range(100_000)])
    assert (seen.get(0), seen.get(49_999), len(seen)) == (50_001, 100_000, 50_000)


def test_a_small_crawl_does_not_pay_for_numpy() -> None:
    program = (
        "import sys; from dowse.core.duplicates.fingerprint import SeenKeys; seen = SeenKeys(); seen.load([(1, 2)]);"
        "seen.add(3, 4); assert seen.get_many([1, 3, 5]) == [2, 4, 0]; print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "False"
