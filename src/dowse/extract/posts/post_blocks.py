"""Which blocks of a page are its posts: those around times that look alike, as large as they can be and still apart.

    1. Times are put into series by the look of their element and what it is in.
    2. For each series one climbs from all times at once. As long as they stay apart, what they have climbed to may be
       the posts; where two meet, it was too high. In a tree of replies a block lies in another: what is nearest counts.
    3. Rows that belong together (a header with the time, the text below it) are siblings of what was reached: they are
       joined if most of the text is in them.
    4. The set with most text that is no link wins; of those with about as much, the one with most blocks.

One post alone on a page has nothing to be compared with: it is the smallest block around a time that also has a text
and somebody who may have written it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence

from dowse.extract.posts.block_names import is_apart, is_beside, is_post_name, may_name_author
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.time_marks import Mark

MOST_HEIGHTS = 25
MOST_SERIES = 20
_MOST_COUNTED = 1_500
_ABOUT_AS_MUCH = 0.6
_VAGUE = 0.3
_LEAST_OWN = 0.85
_LEAST_BODY = 12
_SHORT_MARK = 40
_LEAST_OPENING = 80
_MOST_ROWS_BEFORE = 2
_NO_BLOCK = frozenset({"body", "html", "main"})


class Block:
    """One post: its elements (several rows of a table, or one), its time, and the posts that lie in it."""

    __slots__ = ("head", "inner", "mark", "rows")

    def __init__(self, rows: list[Spot], mark: Mark, head: Spot | None = None) -> None:
        self.rows = rows
        self.mark = mark
        self.head = head
        """The fields of a mail, which are no part of its text."""
        self.inner: list[Spot] = []

    @property
    def start(self) -> int:
        return self.rows[0].index

    def holds(self, spot: Spot) -> bool:
        """Whether it is part of this post, and of none that lies in it."""
        return any(row.holds(spot) for row in self.rows) and not any(inner.holds(spot) for inner in self.inner)

    def own(self, around: Sequence[Spot]) -> list[Spot]:
        """What lies in some of its elements, and in no post that lies in it.

        In a tree of replies each post holds all below it: to go through these again for each would take the square.
        """
        found: list[Spot] = []
        for each in around:
            start, within = 0, each.within()
            for inner in self.inner:
                if each.holds(inner):
                    found += within[start : inner.index - each.index]
                    start = inner.end - each.index
            found += within[start:]
        return found

    @property
    def plain(self) -> int:
        """How much of its own text leads nowhere."""
        return sum(row.plain for row in self.rows) - sum(inner.plain for inner in self.inner)


class Candidate:
    __slots__ = ("blocks", "height", "weight")

    def __init__(self, blocks: list[Block], height: int, weight: float) -> None:
        self.blocks = blocks
        self.height = height
        self.weight = weight


def find_blocks(marks: Sequence[Mark]) -> list[Block]:
    """The posts of a page, in their order; none if nothing looks like one."""
    beside: dict[int, bool] = {}
    usable = [mark for mark in marks if not mark.is_edit and not is_beside(mark.spot, beside)]
    usable = usable or [mark for mark in marks if not mark.is_edit]
    series: dict[tuple[object, ...], list[Mark]] = defaultdict(list)
    for mark in usable:
        series[*_look(mark.spot), mark.is_loose, mark.is_membership].append(mark)
    candidates: list[Candidate] = []
    for alike in sorted(series.values(), key=len, reverse=True)[:MOST_SERIES]:
        if len(alike) > 1:
            candidates += climb(alike)
    best = _best(candidates)
    alone = _alone(usable)
    if best is None:
        return alone
    is_more = bool(alone) and _weight(alone) * _ABOUT_AS_MUCH > best.weight
    if is_more and not is_post_name(best.blocks[0].rows[0]) and not _overlap(best.blocks, alone[0]):
        return alone
    return best.blocks


def _best(candidates: list[Candidate]) -> Candidate | None:
    most = max((candidate.weight for candidate in candidates), default=0.0)
    near = [candidate for candidate in candidates if candidate.weight >= _ABOUT_AS_MUCH * most > 0]
    return max(near, key=lambda candidate: (len(candidate.blocks), candidate.height, candidate.weight), default=None)


def _look(spot: Spot) -> tuple[str, ...]:
    around = spot.parent
    return (spot.name, around.name if around is not None else "")


def climb(marks: list[Mark]) -> list[Candidate]:
    """The sets of blocks around some times, the largest of each number."""
    chains = [[mark.spot, *mark.spot.above()] for mark in marks]
    found: dict[int, Candidate] = {}
    for height in range(MOST_HEIGHTS):
        tops = [chain[height] for chain in chains if height < len(chain) and chain[height].tag not in _NO_BLOCK]
        if 2 * len(tops) < len(marks):
            break
        name, often = Counter(top.name for top in tops).most_common(1)[0]
        distinct = {top.index: top for top in tops if top.name == name}
        if len(distinct) < 2 or 2 * often < len(marks):
            if found:
                break  # what is above has less in common than what was found
            continue
        owners = _owners(marks, distinct)
        alone = sum(len(owned) == 1 for owned in owners.values())
        if len(owners) < len(distinct) or alone < _LEAST_OWN * len(distinct):
            continue
        blocks = _joined([Block([distinct[index]], owned[0]) for index, owned in sorted(owners.items())])
        weight = _weight(blocks) * (1.0 if _is_exact(marks) else _VAGUE)
        found[len(blocks)] = Candidate(blocks, height, weight)
    return list(found.values())


def _owners(marks: Sequence[Mark], tops: dict[int, Spot]) -> dict[int, list[Mark]]:
    """The times of each block, by where it begins: each belongs to the nearest."""
    owners: dict[int, list[Mark]] = defaultdict(list)
    waiting = sorted(tops, reverse=True)
    around: list[Spot] = []
    for mark in sorted(marks, key=lambda mark: mark.spot.index):
        while waiting and waiting[-1] <= mark.spot.index:
            top = tops[waiting.pop()]
            while around and not around[-1].holds(top):
                around.pop()
            around.append(top)
        while around and not around[-1].holds(mark.spot):
            around.pop()
        if around:
            owners[around[-1].index].append(mark)
    return owners


def _is_exact(marks: Sequence[Mark]) -> bool:
    """Whether most say the hour, or nothing but when: a date in a text seldom does."""
    said = sum(mark.has_clock or bool(mark.stamp) or len(mark.words) <= _SHORT_MARK for mark in marks)
    return 2 * said >= len(marks)


def _joined(blocks: list[Block]) -> list[Block]:
    """The blocks with what lies in each other noted, and with the rows that belong to them."""
    open_blocks: list[Block] = []
    for block in blocks:
        while open_blocks and not open_blocks[-1].rows[0].holds(block.rows[0]):
            open_blocks.pop()
        if open_blocks:
            open_blocks[-1].inner.append(block.rows[0])
        open_blocks.append(block)
    if not any(block.inner for block in blocks):
        _join_rows(blocks)
    return blocks


def _join_rows(blocks: list[Block]) -> None:
    """Add the siblings that stand between the blocks, if there is more to read in them than in the blocks."""
    parents = {id(block.rows[0].parent): block.rows[0].parent for block in blocks}
    by_start = {block.start: block for block in blocks}
    between = own = 0
    runs: list[tuple[Block | None, Spot]] = []
    for parent in parents.values():
        current: Block | None = None
        for child in parent.children if parent is not None else ():
            if child.index in by_start:
                current = by_start[child.index]
                own += child.plain - len(current.mark.words)
            else:
                between += child.plain if current is not None else 0
                runs.append((current, child))
    if between <= max(own, 0) or len(parents) > max(1, len(blocks) // 2):
        return
    for block, child in runs:
        if block is not None and not is_apart(child):
            block.rows.append(child)
    _begin_before(blocks)


def _begin_before(blocks: list[Block]) -> None:
    """Where the same kind of row stands before each time, posts begin with it: a name, and the time below it."""
    for _ in range(_MOST_ROWS_BEFORE):
        before = [_row_before(block) for block in blocks]
        shapes = {_shape(row) if row is not None else () for row in before}
        if len(shapes) != 1 or before[0] is None:
            return
        for block, row in zip(blocks, before, strict=True):
            if row is not None:
                for other in blocks:
                    if row in other.rows:
                        other.rows.remove(row)
                block.rows.insert(0, row)


def _row_before(block: Block) -> Spot | None:
    first = block.rows[0]
    siblings = first.parent.children if first.parent is not None else []
    place = next((number for number, child in enumerate(siblings) if child is first), 0)
    return siblings[place - 1] if place else None


def _shape(row: Spot) -> tuple[str, ...]:
    return (row.name, row.attr("colspan"), *(f"{child.name} {child.attr('colspan')}" for child in row.children))


def _weight(blocks: Sequence[Block]) -> float:
    return sum(float(min(max(block.plain - len(block.mark.words), 0), _MOST_COUNTED)) for block in blocks)


def _overlap(blocks: Sequence[Block], other: Block) -> bool:
    """Whether a post alone is one of some blocks, or holds them all."""
    if any(block.holds(other.mark.spot) for block in blocks):
        return True
    return all(any(row.holds(block.rows[0]) for row in other.rows) for block in blocks)


def _alone(marks: Sequence[Mark]) -> list[Block]:
    """The one post of a page, around the time that has most text in the smallest block."""
    authors = _places_of_authors(marks)
    found = [block for mark in marks if (block := _around(mark, authors)) is not None]
    named = [block for block in found if is_post_name(block.rows[0])] or found
    named.sort(key=lambda block: (-min(block.plain, _MOST_COUNTED), block.start))
    return named[:1]


def opening_of(blocks: Sequence[Block], marks: Sequence[Mark]) -> Block | None:
    """The first post, where it looks different from all others and stands above them."""
    first = blocks[0].rows[0]
    before = [mark for mark in marks if mark.spot.index < first.index and not mark.is_edit]
    authors, beside = _places_of_authors(before), dict[int, bool]()
    found = [
        block
        for mark in before
        if not is_beside(mark.spot, beside) and (block := _around(mark, authors)) is not None
        and not any(row.holds(other.rows[0]) for row in block.rows for other in blocks)
        and (block.plain >= _LEAST_OPENING or (is_post_name(block.rows[0]) and block.plain >= 2 * _LEAST_BODY))
    ]  # fmt: skip
    return max(found, key=lambda block: block.plain, default=None)


def _places_of_authors(marks: Sequence[Mark]) -> list[int]:
    """Where the elements of a page stand that may name an author, in their order."""
    if not marks:
        return []
    *_, root = (marks[0].spot, *marks[0].spot.above())
    return [spot.index for spot in root.within() if may_name_author(spot)]


def _around(mark: Mark, authors: Sequence[int]) -> Block | None:
    """The smallest block around a time that has a text and an author, or what is named a post and holds that.

    A page that is one message is a block too, where nothing smaller will do.
    """
    smallest: Spot | None = None
    for around in (mark.spot, *mark.spot.above()):
        if around.tag in _NO_BLOCK:
            if smallest is None and around.tag == "body" and around.plain > len(mark.words) + _LEAST_BODY:
                return Block([around], mark)
            break
        if around.plain - len(mark.words) < _LEAST_BODY or around.is_line:
            continue
        if smallest is None and bisect_left(authors, around.index) < bisect_left(authors, around.end):
            smallest = around
        if smallest is not None and is_post_name(around):
            smallest = around
            break
    return Block([smallest], mark) if smallest is not None else None
