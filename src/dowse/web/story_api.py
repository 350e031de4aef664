"""The story of a URL as a way from the seed, with what decided each step; and the link graph as a picture."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query
from msgspec.structs import replace

from dowse.core.errors import CrawlMissing
from dowse.core.phrasing import state_text
from dowse.crawl import Crawl
from dowse.crawls.story_text import story_facts
from dowse.store.folder import explained
from dowse.store.reading.graph_sample import GraphColumns, sample_graph
from dowse.store.reading.stories import Story
from dowse.store.reading.url_paths import PathStep, path_to
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here
from dowse.web.inside_values import GraphShown, Node, StepOfPath, StoryOfUrl

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

WIDTH, HEIGHT = 1000.0, 640.0
USUAL_NODES = 120
_RADIUS = 7.0

Most = Annotated[int, Query(ge=1, le=200, description="The most pages.")]
Url = Annotated[str, Query(min_length=1, max_length=4000, description="A URL, a path, or the end of one.")]


@ROUTER.get("/crawls/{crawl_id}/story", responses=CRAWL_PROBLEMS)
def get_story(place: Here, folders: Folders, url: Url) -> StoryOfUrl:
    """Why a URL was taken or not: the way to it from a seed, and what decided each step."""
    with folders.open(place.id) as crawl:
        return story_of(crawl, url)


def story_of(crawl: Crawl, url: str) -> StoryOfUrl:
    """The same of a crawl that is open."""
    story = crawl.why(url)
    if story is None:
        raise CrawlMissing(f"{url} was never seen in this crawl; the table ledger has every URL that was")
    with explained("read"):
        steps = path_to(crawl.reader.connection, story.number)
    return StoryOfUrl(
        url=story.url,
        state=story.state,
        reason=story.reason,
        path=[_step(crawl, step, story) for step in steps],
        lines=list(story_facts(story, crawl.directory.name, crawl.mode.story_lines(story))),
        text=story.text,
    )


def _step(crawl: Crawl, step: PathStep, asked: Story) -> StepOfPath:
    state, reason = crawl.reader.standing(step.number)
    facts = asked.facts if step.number == asked.number else crawl.mode.story(crawl, step.number)
    told = replace(asked, url=step.url, state=state, reason=reason, number=step.number, facts=facts)
    return StepOfPath(
        url=step.url,
        title=step.title,
        anchor=step.anchor,
        depth=step.depth,
        was_sent=step.was_sent,
        state=state_text(state),
        reason="" if reason == state else reason,
        facts=list(crawl.mode.story_lines(told)),
    )


@ROUTER.get("/crawls/{crawl_id}/graph", responses=CRAWL_PROBLEMS)
def get_graph(
    place: Here,
    folders: Folders,
    most: Most = USUAL_NODES,
    least: Annotated[float | None, Query(description="Only pages of this score or more.")] = None,
) -> GraphShown:
    """Some pages and the links among them: those worth most in a crawl for a topic, else those nearest to a seed."""
    with folders.open(place.id) as crawl, explained("read"):
        return graph_of(crawl, most, least)


def graph_of(crawl: Crawl, most: int, least: float | None) -> GraphShown:
    """The same of a crawl that is open."""
    added = crawl.mode.page_columns(crawl.reader, crawl.job) or ("", "")
    columns = GraphColumns(crawl.mode.page_kinds, *added)
    sample = sample_graph(crawl.reader.connection, columns, most, least)
    points = _placed(len(sample.nodes), tuple(sample.edges))
    degrees = Counter(end for edge in sample.edges for end in edge)
    nodes = [
        Node(
            url=node.url,
            title=node.title,
            depth=node.depth,
            kind=node.kind,
            score=round(node.score, 3) if node.score is not None else None,
            links=degrees[place],
            x=x,
            y=y,
        )
        for place, (node, (x, y)) in enumerate(zip(sample.nodes, points, strict=True))
    ]
    kinds = [kind for kind, _ in Counter(node.kind for node in sample.nodes).most_common()]
    scored = columns.is_scored
    return GraphShown(nodes=nodes, edges=sample.edges, kinds=kinds, scored=scored, width=WIDTH, height=HEIGHT)


@lru_cache(maxsize=8)
def _placed(count: int, edges: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    """Where each page is drawn. To find that takes a moment, and a graph is often asked for again."""
    import numpy as np

    from dowse.export.pages.placement import arrange

    if not count:
        return []
    weights = np.zeros((count, count))
    for one, other in edges:
        weights[one, other] = weights[other, one] = 1.0
    points = arrange(weights, np.full(count, _RADIUS), WIDTH, HEIGHT)
    return [(round(x, 1), round(y, 1)) for x, y in points.tolist()]
