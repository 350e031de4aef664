"""The story of one URL in lines of text: what `dowse why` prints, and `print(crawl.why(url))`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from dowse.core.fate import MIRROR
from dowse.core.phrasing import counted, printable, run_text, size_text, span_text, state_text
from dowse.core.url_spellings import BY_PARAMETER
from dowse.export.text_layout import facts, moment_text
from dowse.store.reading.stories import Story

MOST_LINKS = 5
"""Pages that link to a URL, and other requests for it, that are named."""


def story_text(story: Story, directory: str, of_mode: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """The lines of `dowse why`: how a URL was found, what was decided and what came of it.

    `of_mode` is what the crawl's mode has to say of it.
    """
    yield printable(story.url)
    yield from facts(story_facts(story, directory, of_mode), indent="  ")


def story_facts(story: Story, directory: str, of_mode: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The same as pairs of a name and a text, which may come from a page."""
    reason = f" ({printable(story.reason)})" if story.reason not in ("", story.state) else ""
    yield "state", state_text(story.state) + reason
    if str(story.asked):
        yield "request", str(story.asked)
    if story.asked.why:
        yield "wanted because", story.asked.why
    yield from _spelling_facts(story)
    if story.depth or not story.asked.why:  # what was wanted for a reason is no seed
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
        yield "visit", _visit_text(visit)
    if story.copy_of:
        yield "last copy", f"{moment_text(story.copy_of)}; it stays in the tables until the page comes again or is gone"
    if story.redirected_to:
        yield "redirected to", story.redirected_to
    if story.duplicate_of:
        yield "same content as", story.duplicate_of
        if story.state == "duplicate":
            yield "undo", _undoing(story, directory)
    if story.next_attempt:
        yield "next attempt", moment_text(story.next_attempt)
    for other in story.others[:MOST_LINKS]:
        yield "also asked for", f"{other}, {state_text(other.state)}" + (f": {other.why}" if other.why else "")
    if len(story.others) > MOST_LINKS:
        yield "also asked for", f"{counted(len(story.others) - MOST_LINKS, 'more request')}"


def _visit_text(visit: dict[str, Any]) -> str:
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
    words.append(span_text(visit["elapsed"]))
    if visit.get("case"):
        words.append(visit["case"].text)
    if visit.get("rendered"):
        words.append(_rendered_text(visit["rendered"]))
    return ", ".join(words)


def _rendered_text(rendered: dict[str, Any]) -> str:
    """How a page was rendered."""
    text = f"rendered in {rendered['elapsed']:.2f} s" + (" until its time was up" if rendered["cut"] else "")
    for state in rendered["states"][-1:]:
        text += f" after {run_text(state['path'])}"
    if rendered["links"] is not None:
        text += f", {counted(rendered['links'], 'link')} and {counted(rendered['text'], 'character')} more"
    return text


def _spelling_facts(story: Story) -> Iterator[tuple[str, str]]:
    """How URLs were taken for one another by parameters of the built-in list."""
    merged = story.merged
    if merged.unseen:
        taken = f"it would be taken for this one: {merged.by} is not counted"
        yield "spelling", f"there is no record of {merged.unseen}; {taken}"
    elif merged.same:
        yield "spelling", f"{merged.same} counts as this URL"
    elif merged.by:
        yield "spelling", f"the URL that was asked about was taken for this one: {merged.by} is not counted"
    if merged.spellings:
        same = f"; {merged.probes:,} of them fetched, and the same" if merged.probes else ""
        yield "spellings", f"{counted(merged.spellings, 'other address', 'other addresses')} of this page{same}"
    for name in merged.matter:
        yield "parameter", f"{name} is counted: pages of this host that differ in it alone say different things"


def _undoing(story: Story, directory: str) -> str:
    """How a page that was skipped can be had."""
    if story.reason.startswith(BY_PARAMETER) and " at " not in story.reason:
        names = story.reason.removeprefix(BY_PARAMETER).replace(", ", " --keep-parameters ")
        return f"a new crawl with --keep-parameters {names} takes it for a page of its own"
    dedup = "off" if story.reason == MIRROR else "exact"
    return f"dowse resume {shlex.quote(directory)} --dedup {dedup} fetches it and follows its links"
