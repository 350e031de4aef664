"""Changes, versions and differences as the commands print them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.cli.wording import WIDTH, counted, moment_text, printable, shortened, shortened_url, size_text, wrapped
from dowse.core.revisits.changes import KINDS, Asked, Change, PageDifference, Passage, Piece, Version

if TYPE_CHECKING:
    from dowse.store.old_versions import Plan

MOST_SHOWN = 20
"""Changes of one kind that are shown; files have them all."""

MOST_PASSAGES = 5
_AROUND = 30
"""Characters of what did not change that are shown on either side of what did."""


def never_again(directory: str) -> str:
    """Why a crawl has no changes."""
    return f"no page was visited a second time yet: run dowse recrawl {shlex.quote(directory)} first"


def written(rows: int, file: str) -> str:
    return f"{file}: {counted(rows, 'change')}"


def changes_json(changes: Iterable[Change]) -> dict[str, Any]:
    """The changes for programs, counted by kind."""
    rows = [to_builtins(change) for change in changes]
    counts = {kind: sum(row["kind"] == kind for row in rows) for kind in KINDS}
    return {"counts": counts, "changes": rows}


def changes_text(changes: Iterable[Change], directory: str, asked: Asked) -> Iterator[str]:
    """The changes by their kinds, the latest first."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.kind, []).append(change)
    total = sum(map(len, found.values()))
    since = f" since {moment_text(asked.since)[:16]}" if asked.since else ""
    if not total:
        yield f"nothing changed{since}" + (" that was asked for" if asked.kinds or asked.whats else "")
        return
    numbers = ", ".join(f"{len(found[kind]):,} {kind}" for kind in KINDS if kind in found)
    yield wrapped(f"{counted(total, 'change')}{since}: {numbers}", 2)
    for kind in KINDS:
        if kind in found:
            yield ""
            yield kind.capitalize()
            for change in found[kind][: -MOST_SHOWN - 1 : -1]:
                yield from _change(change)
            if len(found[kind]) > MOST_SHOWN:
                yield f"  and {len(found[kind]) - MOST_SHOWN:,} more"
    if any(len(each) > MOST_SHOWN for each in found.values()):
        yield ""
        yield f"all of them: dowse changes {shlex.quote(directory)} -f changes.html"


def _change(change: Change) -> Iterator[str]:
    when = moment_text(change.at)[:16]
    what = "" if change.what == "page" else f"{change.what}  "
    yield f"  {when}  {what}{shortened_url(printable(change.url), WIDTH - 20 - len(what))}"
    if change.title:
        yield f"{'':20}{shortened(printable(change.title), WIDTH - 20)}"
    if change.kind == "moved" and change.after:
        yield f"{'':20}to {shortened_url(printable(str(change.after)), WIDTH - 23)}"
    elif isinstance(change.before, dict) or isinstance(change.after, dict):
        yield from _fields(change.before or {}, change.after or {})
    yield from passages_text(change.passages[:MOST_PASSAGES], around=_AROUND)
    if len(change.passages) > MOST_PASSAGES:
        yield f"      and {counted(len(change.passages) - MOST_PASSAGES, 'more line')}"
    if change.lack:
        yield "      " + wrapped(printable(change.lack), 6)


def _fields(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for name in {**before, **after}:
        sides = f"[-{before[name]}-]" if name in before else "", f"{{+{after[name]}+}}" if name in after else ""
        text = f"{name}: {' '.join(filter(None, sides))}"
        yield "      " + wrapped(shortened(printable(text), 6 * WIDTH), 8, 6)


def passages_text(passages: Sequence[Passage], around: int = 0) -> Iterator[str]:
    """Lines that changed, with marks around what did; `around` is how much of the rest is shown, 0 is all."""
    for passage in passages:
        pieces = passage.pieces
        last = len(pieces) - 1
        text = "".join(_marked(piece, place == 0, place == last, around) for place, piece in enumerate(pieces))
        yield "      " + wrapped(printable(text), 8, 6)


def _marked(piece: Piece, is_first: bool, is_last: bool, around: int) -> str:
    text = piece.text
    if piece.kind != "same":
        text = shortened(text, 8 * WIDTH) if around else text
        return f"[-{text}-]" if piece.kind == "removed" else f"{{+{text}+}}"
    if not around or len(text) <= 2 * around + 5:
        return text
    before = "" if is_first else text[:around]
    after = "" if is_last else text[-around:]
    return f"{before} … {after}"


def history_text(versions: Sequence[Version]) -> Iterator[str]:
    """One line a version."""
    yield "version  found                  visits       size  words"
    for version in versions:
        line = f"{version.number:7}  {moment_text(version.at)}  {version.visits:7,}  {size_text(version.size):>9}"
        yield f"{line}  {_words(version)}".rstrip()
        if version.fate:
            yield f"{'':9}then: {printable(version.fate)}"


def _words(version: Version) -> str:
    if version.number == 1:
        return ""
    if version.added < 0:
        return "not stored any more" if not version.location else "cannot be compared"
    return f"{version.added:,} added, {version.removed:,} removed"


def difference_text(found: PageDifference) -> Iterator[str]:
    """What differs between two versions of a page."""
    yield printable(found.url)
    for version in (found.earlier, found.later):
        yield f"  version {version.number}, {moment_text(version.at)}"
    yield ""
    if not found.passages:
        yield "the text is the same"
    yield from passages_text(found.passages)


def plan_text(plan: Plan, keep: int) -> str:
    """What pruning would throw away."""
    if not plan.versions and not plan.frees:
        return f"there is nothing to throw away: no page has more than {counted(keep, 'version')}"
    of_all = f"{size_text(plan.frees)} of {size_text(plan.size)}"
    versions = f"{counted(plan.versions, 'old version')} of {counted(plan.pages, 'page')}"
    what = versions if plan.versions else "what nothing points at any more"
    return wrapped(f"{what} will go, which frees {of_all}", 2)
