"""Which host is next: those in line, in the order they are ready."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import Politeness
from dowse.core.politeness import HostState
from dowse.store.frontier.hosts import Host, HostTable


def table(per_host: int = 2, host_pages: int = 0) -> HostTable:
    return HostTable(Politeness(per_host=per_host), host_pages)


def host(hosts: HostTable, name: str, waiting: int = 1, not_before: float = 0.0, *, latency: float = 0.1) -> Host:
    """A host that has answered before, in line if it could take a request."""
    added = hosts.add(Host(len(hosts.by_id) + 1, name, HostState(not_before=not_before, latency=latency)))
    added.waiting = waiting
    hosts.offer(added)
    return added


def served(hosts: HostTable, now: float) -> list[str]:
    """Take all that are ready, without offering them again."""
    return [ready.name for ready in iter(lambda: hosts.next_ready(now), None)]


def test_an_empty_table_has_nobody_and_no_date() -> None:
    assert (table().next_ready(1e9), table().next_date(), table().active()) == (None, None, {})


def test_hosts_are_served_in_the_order_they_became_ready() -> None:
    hosts = table()
    host(hosts, "late", not_before=30.0)
    host(hosts, "early", not_before=10.0)
    host(hosts, "middle", not_before=20.0)
    assert hosts.next_date() == 10.0
    assert served(hosts, now=9.9) == []
    assert served(hosts, now=20.0) == ["early", "middle"]
    assert hosts.next_date() == 30.0


def test_hosts_ready_at_the_same_time_take_turns() -> None:
    hosts = table()
    for name in "abc":
        host(hosts, name, waiting=5)
    order = []
    for _ in range(6):
        ready = hosts.next_ready(0.0)
        assert ready is not None
        order.append(ready.name)
        hosts.offer(ready)
    assert "".join(order) == "abcabc"


def test_a_host_stands_in_line_once_however_often_it_is_offered() -> None:
    hosts = table()
    one = host(hosts, "one", waiting=9)
    for _ in range(3):
        hosts.offer(one)
    assert served(hosts, 0.0) == ["one"]


@pytest.mark.parametrize(
    ("waiting", "active", "pages", "room"),
    [
        (5, 0, 0, 3),  # up to the limit of the host
        (5, 2, 0, 1),
        (5, 3, 0, 0),
        (1, 0, 0, 1),  # up to what waits
        (0, 0, 0, 0),
        (5, 0, 8, 2),  # up to its budget of ten pages
        (5, 1, 8, 1),
        (5, 0, 10, 0),
        (5, 1, 10, -1),
    ],
)
def test_room(waiting: int, active: int, pages: int, room: int) -> None:
    hosts = table(per_host=3, host_pages=10)
    one = host(hosts, "one", waiting=0)
    one.waiting, one.active, one.pages = waiting, active, pages
    assert hosts.room(one) == room
    hosts.offer(one)
    assert served(hosts, 0.0) == (["one"] if room > 0 else [])


def test_a_host_that_never_answered_is_asked_for_one_page() -> None:
    hosts = table(per_host=3)
    assert hosts.room(host(hosts, "new", waiting=5, latency=0.0)) == 1


def test_a_host_told_to_rest_while_in_line_waits_for_its_new_date() -> None:
    hosts = table()
    one = host(hosts, "one", not_before=5.0)
    one.politeness = HostState(not_before=50.0, latency=0.1)
    assert served(hosts, now=10.0) == []
    assert hosts.next_date() == 50.0
    assert served(hosts, now=50.0) == ["one"]


def test_a_host_that_lost_its_room_while_in_line_drops_out_and_can_come_back() -> None:
    hosts = table()
    one = host(hosts, "one", waiting=1)
    one.waiting = 0
    assert (served(hosts, 0.0), hosts.next_date()) == ([], None)
    one.waiting = 1
    hosts.offer(one)
    assert served(hosts, 0.0) == ["one"]


def test_active_hosts_are_those_with_requests_under_way() -> None:
    hosts = table()
    one, two = host(hosts, "one"), host(hosts, "two")
    hosts.send_out(one, 2)
    hosts.send_out(two, 1)
    hosts.take_home(two, 1)
    assert hosts.active() == {"one": 2}
    assert {each.name for each in hosts.changed} == {"one", "two"}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.floats(0, 100)), max_size=12), st.floats(0, 100))
def test_exactly_the_hosts_with_work_room_and_a_date_that_has_come_are_served(
    rows: Iterable[tuple[int, int, float]], now: float
) -> None:
    hosts = table(per_host=2)
    expected = []
    for number, (waiting, active, not_before) in enumerate(rows):
        one = host(hosts, str(number), waiting=0, not_before=not_before)
        one.waiting, one.active = waiting, active
        hosts.offer(one)
        if waiting and active < 2 and not_before <= now:
            expected.append((not_before, number))
    assert served(hosts, now) == [str(number) for _, number in sorted(expected)]
