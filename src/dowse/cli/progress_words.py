"""Parts of the display of a running crawl, in words: hosts at work, what is waited for, the workers of a cluster."""

from __future__ import annotations

from dowse.cli.wording import clock_text, counted, printable
from dowse.core.protocols import Cluster, Wait

MOST_HOSTS = 20


def hosts_line(hosts: dict[str, int]) -> str:
    """The hosts at work, those with the most requests under way first."""
    busiest = sorted(hosts.items(), key=lambda host: (-host[1], host[0]))[:MOST_HOSTS]
    return "  ".join(f"{printable(host)} ({count})" if count else printable(host) for host, count in busiest)


def cluster_text(cluster: Cluster) -> str:
    """How many workers are on how many nodes."""
    text = f"{counted(sum(cluster.nodes.values()), 'worker')} on {counted(len(cluster.nodes), 'node')}"
    return f"{text} ({cluster.without_place} without a place)" if cluster.without_place else text


def waiting_line(wait: Wait) -> str:
    """What is waited for."""
    others = f", as {counted(wait.others, 'other')} rest too" if wait.others else ""
    return f"waiting until {clock_text(wait.until)} for {printable(wait.host)}: {printable(wait.why)}{others}"


def seconds_to_next_line(elapsed: float) -> float:
    """How long after this one the next plain line is due: a hundredth of the time that the crawl took so far. It may go
    on for months, with its lines in a file that nobody looks after.

    >>> [seconds_to_next_line(elapsed) for elapsed in (60, 3_600, 86_400)]
    [5.0, 36.0, 600.0]
    """
    return min(max(5.0, elapsed / 100), 600.0)
