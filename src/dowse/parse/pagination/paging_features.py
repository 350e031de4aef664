"""A candidate as names of features: what it says, what its markup calls it, how its URL differs, and what stands by it.

What a run of links looks like, and how their URLs differ, holds in every language; words are only a part of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from dowse.parse.pagination.paging_candidates import Candidate
from dowse.parse.pagination.paging_runs import Run
from dowse.parse.pagination.paging_words import Said, is_only_signs
from dowse.parse.pagination.url_counters import Change, UrlCounter, change

_NAMED = {
    "next": ("next", "forward", "nxt", "weiter", "older"),
    "prev": ("prev", "back", "newer"),
    "first": ("first", "start"),
    "last": ("last",),
    "page": ("page", "pagin", "pager", "paging"),
    "current": ("current", "active", "selected", "highlight"),
    "arrow": ("arrow", "chevron", "angle", "caret"),
    "right": ("right",),
    "left": ("left",),
    "calendar": ("calend", "day", "date", "month", "tag_"),
    "comment": ("comment", "post", "article"),
}
_OPPOSITES = (frozenset({"next", "prev"}), frozenset({"first", "last"}), frozenset({"right", "left"}))
_MONTH = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}[-/_]?(?:0[1-9]|1[0-2])(?=[0-9]{2}(?![0-9])|[^0-9]|$)")
_DATE = re.compile(r"#[-/]#[-/]#")
_SIZES = frozenset(
    {"limit", "size", "show", "count", "num", "results", "ppp", "ipp", "rows", "anzahl", "mode", "n", "year"}
)
_SIZE_ENDINGS = ("perpage", "per_page", "per-page", "pagesize", "page_size", "limit", "_size", "-size", "items")
_COUNTERS = frozenset({"p", "pg", "start", "offset", "seite", "from", "skip", "st", "index", "pn", "s"})
_COUNTER_WORDS = ("pag", "start", "offset", "seite", "pg", "limit", "p=", "/p", "skip", "from=")
_OWN_WAYS = frozenset({"step", "longer", "shorter", "query"})


def features_of(run: Run, at: int, share: float) -> list[str]:
    """What a candidate is told by; `share` is how far down the page it stands."""
    is_numbered = run.candidates[at].said.number is not None
    return [*own_features(run, at, share), *run_features(run, is_numbered=is_numbered)]


def own_features(run: Run, at: int, share: float) -> list[str]:
    """Those that are its own."""
    candidate, url = run.candidates[at], run.urls[at]
    found = [*_said(candidate.text, candidate.said, candidate.label)]
    if len(candidate.names) > 2:
        found += _named("class", candidate.names)
    if candidate.around:
        found += _named("around", candidate.around)
    if candidate.rel:
        found += [f"rel {word}" for word in candidate.rel.split() if word in ("next", "prev", "nofollow", "bookmark")]
    found += _address(run, candidate, url)
    if candidate.said.number is None:
        found += _directions(candidate, found)
        found += _side(run, at)
    if share > 0.6 or share < 0.15:
        found.append("low" if share > 0.6 else "high")
    return found


_WAYS = {
    "next": frozenset({"says next", "label next", "rel next", "class next", "around next"}),
    "prev": frozenset({"says previous", "label previous", "rel prev", "class prev", "around prev"}),
    "first": frozenset({"says first", "label first", "class first", "around first"}),
    "last": frozenset({"says last", "label last", "class last", "around last"}),
}
_WAY_OF = {name: way for way, names in _WAYS.items() for name in names}
_SPOKEN = {way: frozenset(name for name in names if name[:4] in ("says", "labe")) for way, names in _WAYS.items()}


def _directions(candidate: Candidate, found: list[str]) -> list[str]:
    """Which ways a link points by any sign of it, and whether they are of one mind."""
    if "all" in candidate.said.concepts:  # the whole list on one page, however its class is called
        return ["all"]
    ways = list({_WAY_OF[name]: None for name in found if name in _WAY_OF})
    telling = [name for name in found if name in _TELLING]
    pointed = [f"points {way}" for way in ways]
    arrow = candidate.said.arrow or candidate.label.arrow
    if len(ways) == 1:
        pointed.append(f"points only {ways[0]}")
        pointed += [f"{ways[0]} {name}" for name in telling]
        if arrow:
            pointed.append(f"{ways[0]} {arrow[0]}")
        if not candidate.said.others and not _COUNTED.isdisjoint(telling):
            pointed.append(f"!{ways[0]}, counted")
            if not _SPOKEN[ways[0]].isdisjoint(found):
                pointed.append(f"!says {ways[0]}, counted")
    elif arrow and not ways:
        pointed += [f"{arrow} {name}" for name in telling]
    return pointed


_COUNTED = frozenset({"words step", "words longer", "words shorter", "words query", "target +1", "target -1"})
_TELLING = frozenset({
    "words step", "words longer", "words shorter", "words query", "words folder", "words other", "words same",
    "target +1", "target -1", "target ahead", "target behind", "words grows +1", "words grows -1",
})  # fmt: skip


@lru_cache(maxsize=4096)
def _said(text: str, said: Said, label: Said) -> tuple[str, ...]:
    about = _pointed(said.concepts)
    found = [f"says {concept}" for concept in about]
    found += [f"label {concept}" for concept in _pointed(label.concepts)]
    if said.number is not None:
        number = "small" if said.number <= 50 else "large" if said.number <= 999 else "thousands"
        found.append(f"number {number}" if not said.concepts else "worded number")
        if "[" in text or "(" in text:
            found.append("bracketed")
    elif said.arrow or label.arrow:
        arrow = said.arrow or label.arrow
        found.append(f"arrow {arrow}")
        if said.arrow and is_only_signs(text):
            found.append(f"only arrow {arrow}")
        found += [f"arrow {arrow[0]} {concept}" for concept in about | label.concepts]
    others = min(said.others, 3)
    if about:
        found += [f"{concept}+{others}" for concept in about]
    elif said.number is None and text:
        found.append(f"other words {others}")
    if not text:
        found.append("no text")
    return tuple(found)


def _pointed(concepts: frozenset[str]) -> frozenset[str]:
    """The concepts of a text; that it says "page" tells nothing where it says which one."""
    return concepts - {"page"} if len(concepts) > 1 else concepts


@lru_cache(maxsize=4096)
def _named(where: str, names: str) -> tuple[str, ...]:
    found = {name for name, parts in _NAMED.items() if any(part in names for part in parts)}
    for pair in _OPPOSITES:
        if pair <= found:  # `prev_next` is the name of both
            found -= pair
    return tuple(f"{where} {name}" for name in sorted(found))


def _address(run: Run, candidate: Candidate, url: str) -> list[str]:
    if not url:
        return ["no address"]
    changed = change(run.page_url, url)
    kind = "number" if candidate.said.number is not None else "words"
    found = [f"{kind} {changed.relation}", *_grown(kind, changed)]
    if ("20" in url or "19" in url) and _MONTH.search(url) and _MONTH.findall(url) != _MONTH.findall(run.page_url):
        found.append(f"!{kind} dated")
    if changed.relation in _OWN_WAYS and _has_counter_word(url[8:].lower()):
        found.append(f"{kind} counter word")
    if candidate.href and candidate.href.startswith("#"):
        found.append("fragment")
    if candidate.said.number is not None:
        return [*found, *_agreement(run, candidate.said.number, url, changed)]
    return [*found, *_target(run, url)]


def _has_counter_word(url: str) -> bool:
    for word in _COUNTER_WORDS:  # noqa: SIM110 - any() would take twice the time
        if word in url:
            return True
    return False


def _grown(kind: str, changed: Change) -> list[str]:
    if changed.relation == "step":
        steps = {1: "+1", -1: "-1"}
        return [f"{kind} grows {steps.get(changed.by, '+' if changed.by > 0 else '-')}"]
    if changed.relation == "longer" and kind == "words":
        return [f"longer by {'1 or 2' if changed.by in (1, 2) else 'more'}"]
    return []


def _agreement(run: Run, number: int, url: str, changed: Change) -> list[str]:
    """Whether the number of a link is that of its URL."""
    found = []
    if run.counter is not None:
        agrees = run.counter.page_of(url) == number
        found.append("counted" if agrees else "not counted")
        if agrees and run.is_own:
            found.append("counted, own")
    elif changed.relation == "longer" and changed.by in (number, number - 1):
        found.append("counted alone")
    elif number == 1:
        found.append("one")
    return found


def _target(run: Run, url: str) -> list[str]:
    """Where a link with words leads, in pages from this one."""
    page = run.page_of(url)
    if page is None:
        return ["target unknown"] if run.counter is not None else []
    numbers = [number for number, _ in run.numbered]
    found = []
    if run.current is not None:
        ahead = page - run.current
        found.append(f"target {ahead:+d}" if abs(ahead) <= 1 else f"target {'ahead' if ahead > 0 else 'behind'}")
    if page > max(numbers):
        found.append("target beyond")
    elif page == max(numbers):
        found.append("target greatest")
    if page <= 1:
        found.append("target 1")
    return found


def run_features(run: Run, *, is_numbered: bool) -> list[str]:
    """Those that all numbers of a run share, or all of its links with words."""
    kind = "number" if is_numbered else "words"
    count = len(run.numbered)
    found = [f"{kind} among {count if count < 3 else '3+'}"]
    if run.is_rising:
        found.append(f"{kind} rising")
    if run.unlinked is not None:
        found.append(f"{kind} unlinked current")
    found.append(f"{kind} {'counted run' if run.counter is not None else 'run'} {'own' if run.is_own else 'other'}")
    found += [f"{kind} {trait}" if trait[0] != "!" else f"!{kind} {trait[1:]}" for trait in _traits(run)]
    return found


@lru_cache(maxsize=1)
def _traits(run: Run) -> list[str]:
    """What a run looks like. Its numbers are asked about it, and then its links with words."""
    traits = [*_named("run", run.candidates[0].around)]
    numbers = sorted({number for number, _ in run.numbered} | ({run.unlinked} if run.unlinked is not None else set()))
    if len(numbers) > 1:
        nearest = min(two - one for one, two in pairwise(numbers))
        traits.append(f"nearest {nearest if nearest < 3 else 'few' if nearest < 5 else 'far'}")
        traits.append(f"smallest {numbers[0] if numbers[0] < 3 else 'more'}")
    if len(run.numbered) > 1 and len({url for _, url in run.numbered}) == 1:
        traits.append("one address")
    if run.counter is not None:
        traits += _counting(run.counter)
    return traits


def _counting(counter: UrlCounter) -> list[str]:
    first = counter.step + counter.start
    start = "0" if first == 0 else "1" if first == 1 else "step" if first == counter.step else "elsewhere"
    name = counter.name
    if _DATE.search(counter.skeleton):
        return ["!elsewhere"]
    if start == "elsewhere":
        return ["!elsewhere"]
    found = [f"begins {start}", f"step {'1' if counter.step == 1 else 'more' if counter.step > 1 else 'back'}"]
    if name in _SIZES or name.endswith(_SIZE_ENDINGS):
        found.append("counts sizes")
    elif name in _COUNTERS or "pag" in name:
        found.append("counts pages")
    return found


def _side(run: Run, at: int) -> list[str]:
    """Which side of the numbers a link with words stands on, and whether another like it stands there, too."""
    places = [place for place, number in enumerate(run.numbers) if number is not None]
    side = ""
    if places:
        side = "before" if at < places[0] else "after" if at > places[-1] else "within"
    found = [f"stands {side or 'alone' if len(run.candidates) == 1 else side or 'with words'}"]
    arrow = run.candidates[at].said.arrow or run.candidates[at].label.arrow
    for name, place in (("left", at - 1), ("right", at + 1)):
        if 0 <= place < len(run.candidates):
            near = run.candidates[place]
            sign = near.said.arrow or near.label.arrow
            about = near.said.concepts | near.label.concepts
            found += [f"{name} says {concept}" for concept in about if concept in ("next", "previous", "first", "last")]
            if arrow and sign:
                found.append(f"{arrow} {name} {sign}")
            if near.said.number is not None:
                found.append(f"{name} number{' ' + arrow[0] if arrow else ''}")
        else:
            found.append(f"{name} end{' ' + arrow[0] if arrow else ''}")
    return found
