"""What `dowse rules learn` tells of a table: the paths to the examples, what each rule matches, and its rivals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.cli.rule_output import action_text, limits_text
from dowse.cli.wording import counted, printable

if TYPE_CHECKING:
    from dowse.workflows.learn_rules import Lesson, Question, Rival

_OTHERS = 5


def lesson_text(lesson: Lesson) -> Iterator[str]:
    """The lines about a table that was learned."""
    whole = ", all there are" if lesson.is_whole_site else ""
    explored = counted(lesson.explored, "page")
    yield f"{explored} explored{whole}; {len(lesson.paths)} of {counted(_examples(lesson), 'wanted link')} found"
    for url in lesson.missing:
        cure = "check its spelling" if lesson.is_whole_site else "give more --max-pages"
        yield printable(f"  not found: {url}; no explored page links to it: {cure}")
    if len(lesson.paths) == 1:
        yield "  one example cannot tell what may vary, so this is a guess; give another --want"
    yield ""
    for url, path in lesson.paths.items():
        yield printable(url)
        yield from (printable(f"  {'  ' * depth}from {page}") for depth, page in enumerate(reversed(path)))
    yield ""
    for learned in lesson.rules:
        yield printable(
            f"row {learned.rule.row:<3} {action_text(learned.rule):<28} {limits_text(learned.rule)}".rstrip()
        )
        yield f"        {counted(learned.links, 'link')} on {counted(learned.pages, 'explored page')}"
    yield ""
    yield from _told(lesson)
    if lesson.question is not None:
        yield from question_text(lesson.question)
        yield "Give it as --want or as --unlike: that decides which table is meant."
    for number, rival in enumerate(lesson.rivals, 1):
        yield from _rival_text(number, rival)


def written_text(lesson: Lesson, place: str) -> str:
    """Where the table went, and what to do with it."""
    return printable(
        f"{counted(len(lesson.rules), 'rule')} written to {place}. Next: dowse rules run {shlex.quote(place)}"
    )


def question_text(question: Question) -> Iterator[str]:
    """The question whose answer tells most about the table that is meant."""
    yield ""
    yield "Is this link wanted too?"
    yield printable(f"  {question.url}" + (f" ({question.title})" if question.title else ""))


def _examples(lesson: Lesson) -> int:
    return len(lesson.paths) + len(lesson.missing)


def _told(lesson: Lesson) -> Iterator[str]:
    others = lesson.others
    beside = f"{len(others):,} beside the examples:" if others else "none beside the examples."
    yield f"It keeps {counted(len(lesson.kept), 'link')} of the explored pages, {beside}"
    yield from (f"  {printable(url)}" for url in others[:_OTHERS])
    if len(others) > _OTHERS:
        yield f"  and {len(others) - _OTHERS:,} more"
    more = f", {lesson.unexplored:,} of which were not explored and may hold more" if lesson.unexplored else ""
    yield f"It visits {counted(lesson.pages, 'page')}{more}."


def _rival_text(number: int, rival: Rival) -> Iterator[str]:
    yield ""
    kept, pages = counted(rival.kept, "link"), counted(rival.pages, "page")
    yield f"The examples allow another table as well ({number}): {kept} kept, {pages}"
    for rule in rival.rules:
        yield printable(f"  {action_text(rule):<28} {limits_text(rule)}".rstrip())
    if rival.kept_by_it_alone:
        yield printable(f"  --want {rival.kept_by_it_alone[0]} would speak for it, --unlike against")
    if rival.kept_by_the_first_alone:
        yield printable(f"  --want {rival.kept_by_the_first_alone[0]} would speak against it, --unlike for it")
