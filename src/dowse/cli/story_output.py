"""What commands print of one URL: its story, or why it has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dowse.cli.spelling_output import spelling_facts, undoing
from dowse.cli.wording import counted, facts, moment_text, printable, size_text, state_text
from dowse.core.phrasing import run_text

if TYPE_CHECKING:
    from dowse.app import Crawl, Story

MOST_LINKS = 5
MOST_CHOICES = 20


def never_seen(crawl: Crawl, url: str) -> str:
    """Why a URL has no story."""
    text = f"{url} was never seen in this crawl: no link to it was read on any page"
    crowded = crawl.crowded()
    return f"{text}; {counted(crowded, 'page')} had more links than are read of one" if crowded else text


def choice_text(urls: list[str]) -> Iterator[str]:
    """The URLs of which one is to be named."""
    yield from map(printable, urls[:MOST_CHOICES])
    if len(urls) > MOST_CHOICES:
        yield f"and {len(urls) - MOST_CHOICES:,} more"


def story_json(story: Story) -> dict[str, Any]:
    """What `dowse why --json` prints: what the mode says of a URL stands beside the rest."""
    known = {name: getattr(story, name) for name in story.__struct_fields__ if name not in ("facts", "number")}
    return {**known, **story.facts}


def story_text(story: Story, directory: str, of_mode: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """The lines of `dowse why`: how a URL was found, what was decided and what came of it.

    `of_mode` is what the crawl's mode has to say of it.
    """
    yield printable(story.url)
    reason = f" ({printable(story.reason)})" if story.reason not in ("", story.state) else ""
    yield from facts(_story_facts(story, state_text(story.state) + reason, directory, of_mode), indent="  ")


def _story_facts(
    story: Story, state: str, directory: str, of_mode: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    yield "state", state
    if str(story.asked):
        yield "request", str(story.asked)
    if story.asked.why:
        yield "wanted because", story.asked.why
    yield from spelling_facts(story)
    if story.depth is not None:
        yield "depth", "a seed" if story.depth == 0 else f"{story.depth} from a seed"
    for parent, anchor in story.parents[:MOST_LINKS]:
        yield "linked from", f'{parent}  "{anchor}"' if anchor else parent
    if len(story.parents) > MOST_LINKS:
        yield "linked from", f"and {counted(len(story.parents) - MOST_LINKS, 'more page')}"
    yield from of_mode
    for name, reason in story.unfinished.items():
        yield "field", f"{name}: {reason}"
    if story.reached_by:
        yield "shown after", run_text(story.reached_by)
    if story.redirected_from:
        yield "redirected from", story.redirected_from
    for visit in story.visits:
        yield "visit", visit_text(visit)
    if story.copy_of:
        yield "last copy", f"{moment_text(story.copy_of)}; it stays in the tables until the page comes again or is gone"
    if story.redirected_to:
        yield "redirected to", story.redirected_to
    if story.duplicate_of:
        yield "same content as", story.duplicate_of
        if story.state == "duplicate":
            yield "undo", undoing(story, directory)
    if story.next_attempt:
        yield "next attempt", moment_text(story.next_attempt)
    for other in story.others[:MOST_LINKS]:
        yield "also asked for", f"{other}, {state_text(other.state)}" + (f": {other.why}" if other.why else "")
    if len(story.others) > MOST_LINKS:
        yield "also asked for", f"{counted(len(story.others) - MOST_LINKS, 'more request')}"


def visit_text(visit: dict[str, Any]) -> str:
    """One request and its answer."""
    words = [moment_text(visit["fetched_at"])]
    if visit.get("status"):
        words.append(str(visit["status"]))
    if visit.get("failure") or visit.get("detail"):
        words.append(": ".join(word for word in (visit["failure"], visit.get("detail")) if word))
    if visit.get("media_type"):
        words.append(visit["media_type"])
    if visit.get("size"):
        words.append(size_text(visit["size"]))
    words.append(f"{visit['elapsed']:.3f} s")
    if visit.get("case"):
        words.append(visit["case"].text)
    if visit.get("rendered"):
        words.append(rendered_text(visit["rendered"]))
    return ", ".join(words)


def rendered_text(rendered: dict[str, Any]) -> str:
    """How a page was rendered."""
    text = f"rendered in {rendered['elapsed']:.2f} s" + (" until its time was up" if rendered["cut"] else "")
    for state in rendered["states"][-1:]:
        text += f" after {run_text(state['path'])}"
    if rendered["links"] is not None:
        text += f", {counted(rendered['links'], 'link')} and {counted(rendered['text'], 'character')} more"
    return text
