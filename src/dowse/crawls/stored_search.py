"""Searches in the full-text index of a crawl: from what somebody typed to pages with snippets.

    what was typed --core/search_query--> clauses --words as they are found by--> the index --> hits --> snippets

A word is found in every form that it has in the pages, whatever their languages: the index knows which forms there are.
Where no page has all the words, those with some of them are found, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

from dowse.core.errors import CrawlError
from dowse.core.search_query import Clause, Part, SearchQuery, read_query
from dowse.core.search_results import Found, Search
from dowse.crawls.search_rarity import EVENED, Rarity
from dowse.crawls.stored_index import text_of, words_of
from dowse.score.search_words import VERSION, cut, fold, is_silent, is_unspaced, pairs, stemmer_of, stemming
from dowse.score.snippets import Needle, snippet
from dowse.store.search.index_file import open_to_read
from dowse.store.search.search_index import Hit, Phrase, SearchFilter, SearchIndex, Wanted

NO_WORD = "there is no word to look for"
NOT_ALL = "no page has all of that; these have some of it"

_MOST_PHRASES = 12
"""Ways to write words side by side that are looked for."""
_MOST_LANGUAGES = 12
_STEM_SHOWN = 5
"""Letters of a stem from which on its last one may be another in the words: subsidi, subsidy."""

MANY = 20_000
"""Pages that are ranked; of more, those that have the words in their titles."""

RERANKED = 60
"""Pages that are put into another order at most."""

Rerank = Callable[[str, Sequence[tuple[str, str]]], list[int]]
"""Puts pages, each its title and its text, into another order for what was typed: their numbers, the best first."""


class Answer(NamedTuple):
    """What one index has."""

    asker: Asker
    query: SearchQuery
    total: int
    notes: tuple[str, ...]
    hits: list[Hit]

    def nothing(self) -> Answer:
        return self._replace(total=0, notes=self.query.notes, hits=[])


class Asker:
    """Asks one index."""

    def __init__(self, directory: Path) -> None:
        """Raises CrawlError if there is no index."""
        index = open_to_read(directory, VERSION, words_of)
        if index is None:
            raise CrawlError(f"there is no search index in {directory} yet; dowse search {directory} makes it")
        self._index: SearchIndex = index
        self._directory = directory
        self._languages = list(dict.fromkeys(map(stemmer_of, index.languages())))[:_MOST_LANGUAGES]

    def ask(self, typed: str, which: SearchFilter, limit: int, *, any_will_do: bool) -> Answer:
        """The best pages. `any_will_do`: also of those that have only some of the words."""
        query = self._without_silent(read_query(typed))
        wanted = self._wanted(query)
        if not wanted.groups:
            return Answer(self, query, 0, (*query.notes, *(() if query.clauses else (NO_WORD,))), [])
        notes = query.notes
        total = self._index.count(wanted, which)
        if any_will_do or (not total and len(wanted.groups) > 1):
            wanted = wanted._replace(any_will_do=True)
        if not total and wanted.any_will_do and (total := self._index.count(wanted, which)):
            notes = (*notes, NOT_ALL)
        if not total:
            return Answer(self, query, 0, notes, [])
        rarity = Rarity.of(self._index, self._words_in_many_forms(query))
        hits = self._best(wanted, which, max(limit, EVENED) if rarity.differs else limit, total)
        return Answer(self, query, total, notes, rarity.evened(hits)[:limit])

    def _best(self, wanted: Wanted, which: SearchFilter, limit: int, total: int) -> list[Hit]:
        """To rank tens of thousands of pages takes too long, and the best of them have such words in their titles."""
        if total > MANY:
            hits = self._index.find(wanted._replace(in_title=True), which, limit)
            if len(hits) == limit:
                return hits
        return self._index.find(wanted, which, limit)

    def shown(self, hits: Sequence[Hit], query: SearchQuery) -> list[Found]:
        """Hits with their snippets."""
        needles = self._needles(query)
        return [self._found(hit, text, needles) for hit, text in self.with_texts(hits)]

    def with_texts(self, hits: Sequence[Hit]) -> Iterator[tuple[Hit, str]]:
        """Hits and what was read of their pages, but for pages that were taken out of the index this moment."""
        texts = self._index.texts([hit.number for hit in hits])
        return ((hit, text_of(texts[hit.number])) for hit in hits if hit.number in texts)

    def close(self) -> None:
        self._index.close()

    def _without_silent(self, query: SearchQuery) -> SearchQuery:
        """Words that say nothing are not looked for, where others are."""
        telling = [clause for clause in query.clauses if clause.is_excluded or not self._is_silent(clause)]
        if all(clause.is_excluded for clause in telling):
            return query
        return SearchQuery(tuple(telling), query.notes)

    def _is_silent(self, clause: Clause) -> bool:
        return all(
            not (part.is_phrase or part.begins) and is_silent(part.text.lower(), self._languages)
            for part in clause.parts
        )

    def _wanted(self, query: SearchQuery) -> Wanted:
        groups = [
            tuple(dict.fromkeys(phrase for part in clause.parts for phrase in self._phrases(part)))
            for clause in query.wanted
        ]
        excluded = [phrase for clause in query.excluded for part in clause.parts for phrase in self._phrases(part)]
        return Wanted(tuple(filter(None, groups)), tuple(excluded))

    def _phrases(self, part: Part) -> Iterator[Phrase]:
        """The ways in which pages may have it."""
        runs = cut(part.text)
        steps: list[list[tuple[str, ...]]] = []
        for place, run in enumerate(runs):
            is_last = place == len(runs) - 1
            if is_unspaced(run):
                steps.append([tuple(pairs(run, last=not is_last)) if len(run) > 1 else (run,)])
            else:
                begins = is_last and part.begins
                steps.append([(word,) for word in sorted(self._stems(run, begins=begins))])
        if not steps:
            return
        last = runs[-1]
        begins = part.begins or (is_unspaced(last) and len(last) == 1)
        for words in islice(product(*steps), _MOST_PHRASES * (4 if part.begins else 1)):
            together = tuple(word for step in words for word in step)
            yield Phrase(together, begins and (is_unspaced(last) or together[-1] == fold(last)))

    def _stems(self, word: str, *, begins: bool = False) -> set[str]:
        """What a word is found by: as the pages have it, else as their languages would."""
        plain = fold(word)
        found = self._index.forms(plain)
        if not found and not begins:
            found = {stemming(language)[word] for language in self._languages}
        if begins:
            found |= self._index.forms(plain, begins=True)
        return found | {plain}

    def _words_in_many_forms(self, query: SearchQuery) -> dict[str, set[str]]:
        """The single words that are looked for, each with what pages are found by."""
        runs = [cut(part.text) for clause in query.wanted for part in clause.parts if not part.begins]
        words = {run for found in runs for run in found if len(found) == 1 and not is_unspaced(run)}
        return {word: self._stems(word) for word in words}

    def _needles(self, query: SearchQuery) -> list[Needle]:
        """What snippets show."""
        needles = []
        for part in (part for clause in query.wanted for part in clause.parts):
            for run in cut(part.text):
                if is_unspaced(run):
                    needles.append(Needle(fold(run)))
                    continue
                stems = self._stems(run, begins=part.begins)
                start = fold(run) if part.begins else ""
                needles += [Needle(text, _suiting(stems, start, self._languages)) for text in _parts_of(stems)]
        return needles

    def _found(self, hit: Hit, text: str, needles: Sequence[Needle]) -> Found:
        shown = snippet(text, needles)
        return Found(
            hit.url, hit.title, shown.text, shown.marks, round(hit.score, 4), hit.site, hit.type, hit.language,
            hit.date, hit.fetched_at, hit.relevance, str(self._directory),
        )  # fmt: skip


def _suiting(stems: set[str], start: str, languages: Iterable[str]) -> Callable[[str], bool]:
    tables = [stemming(language) for language in languages]

    def suits(word: str) -> bool:
        runs = cut(word)
        if len(runs) != 1:
            return False
        return (start != "" and fold(runs[0]).startswith(start)) or any(table[runs[0]] in stems for table in tables)

    return suits


def _parts_of(stems: Iterable[str]) -> set[str]:
    return {stem[:-1] if len(stem) > _STEM_SHOWN else stem for stem in stems}


def search_folders(
    directories: Sequence[Path], typed: str, which: SearchFilter, limit: int, rerank: Rerank | None = None
) -> Search:
    """Ask the indexes of some crawls. A page that several have is found once, as it was seen last."""
    with ExitStack() as open_indexes:
        askers = [open_indexes.enter_context(closing(Asker(directory))) for directory in directories]
        most = max(limit, RERANKED) if rerank else limit
        answers = [asker.ask(typed, which, most, any_will_do=rerank is not None) for asker in askers]
        if any(answer.total and NOT_ALL not in answer.notes for answer in answers):  # others need not do with less
            answers = [answer if NOT_ALL not in answer.notes else answer.nothing() for answer in answers]
        best = _newest(answers)
        if rerank is not None:
            read = [(answer, *pair) for answer, hit in best for pair in answer.asker.with_texts([hit])]
            order = rerank(typed, [(hit.title, text) for _, hit, text in read])
            best = [(read[number][0], read[number][1]) for number in order]
        found = [each for answer, hit in best[:limit] for each in answer.asker.shown([hit], answer.query)]
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    return Search(str(answers[0].query), max(sum(answer.total for answer in answers), len(found)), notes, found)


def _newest(answers: Sequence[Answer]) -> list[tuple[Answer, Hit]]:
    """The hits of all, the best first, each page once."""
    newest: dict[str, tuple[Answer, Hit]] = {}
    for answer in answers:
        for hit in answer.hits:
            if hit.url not in newest or newest[hit.url][1].fetched_at < hit.fetched_at:
                newest[hit.url] = answer, hit
    return sorted(newest.values(), key=lambda pair: pair[1].score, reverse=True)
