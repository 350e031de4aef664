"""The story of one URL: where it was found, what was asked for there, and what came of each visit."""

from __future__ import annotations

from html import escape
from typing import Any

from msgspec import Struct, json

from dowse.core.duplicates.fingerprint import Case, content_case
from dowse.core.job import UrlOptions
from dowse.core.model import Request
from dowse.core.record import UNFINISHED
from dowse.store.database import Database
from dowse.store.fragments import hexadecimal, json_length, json_part, json_rows, place_of
from dowse.store.reading.asked_requests import SOUGHT, Asked, asked_at, first_at, request_of
from dowse.store.reading.link_graph import UNDECIDED
from dowse.store.reading.merged_urls import Merged, SpellingReader
from dowse.store.reading.tables import Row

_LINKING = f"""
    SELECT source.id, source.url, {json_part("edge.value", "$[1]")}
    FROM task AS source JOIN visit ON visit.id = source.visit, {json_rows("visit.links", "edge")}
    WHERE {place_of("'[' || :task || ','", "visit.links")} > 0 AND {json_part("edge.value", "$[0]", "BIGINT")} = :task
    ORDER BY source.id <> :finder, source.id, CAST(edge.key AS BIGINT)
"""


_NOT_MODIFIED = 304
_NOTHING = "0" * 16
"""The digest of a visit that brought no content."""


class Story(Struct, frozen=True):
    """All that is known of one URL. Printed, it is what `dowse why` says."""

    url: str
    state: str
    reason: str
    depth: int
    parents: list[tuple[str, str]]
    visits: list[Row]
    redirected_from: str | None = None
    redirected_to: str | None = None
    duplicate_of: str | None = None
    next_attempt: float | None = None
    reached_by: list[str] = []
    unfinished: dict[str, str] = {}
    copy_of: float | None = None
    merged: Merged = Merged()
    asked: Asked = Asked()
    others: list[Asked] = []
    """What else was asked for at the same URL."""
    number: int = 0
    facts: dict[str, Any] = {}
    """What the crawl's mode has to say of it; each is also a name of the story itself."""
    text: str = ""
    """The whole story in lines."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"

    def __getattr__(self, name: str) -> Any:
        if name == "facts" or name not in self.facts:
            raise AttributeError(f"a story of this crawl has no {name}")
        return self.facts[name]


class StoryReader:
    """Reads over a connection that somebody else owns."""

    def __init__(self, connection: Database, ledger: str) -> None:
        """`ledger` is the query for the states and reasons of all URLs."""
        self._connection = connection
        self._ledger = ledger

    def story(self, request: Request, options: UrlOptions) -> Story | None:
        """All that is known of a URL, or None if it was never discovered."""
        number = self.find(request, options)
        row = self._row(number) if number is not None else None
        if row is None:
            return None
        number, url, depth, parent, not_before, was_sent = row
        state, reason = self.standing(number)
        visits = self._visits(number)
        last = visits[-1] if visits else {}
        asked = request_of(self._connection, number)
        finder = 0 if was_sent or asked.why == SOUGHT else parent
        return Story(
            url=url,
            state=state,
            reason=reason,
            depth=depth,
            parents=self._parents(number, finder),
            visits=visits,
            redirected_from=self._url(parent) if was_sent else None,
            redirected_to=self._url(last.get("redirect")),
            duplicate_of=self._url(last.get("duplicate_of") or self._variant_of(number)),
            next_attempt=not_before or None,
            reached_by=self._acts(parent, url),
            unfinished=self._unfinished(number),
            copy_of=self._copy_of(number),
            merged=SpellingReader(self._connection, options).merged(request),
            asked=asked,
            others=asked_at(self._connection, url, number),
            number=number,
        )

    def find(self, request: Request, options: UrlOptions) -> int | None:
        """The number of the task for a URL, or None if it was never discovered."""
        key_hash = SpellingReader(self._connection, options).key_hash(request)
        row = self._connection.execute("SELECT id FROM task WHERE key_hash = ?", (key_hash,)).fetchone()
        return int(row[0]) if row else first_at(self._connection, request.url) or None

    def _row(self, number: int) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._connection.execute(
            "SELECT id, url, depth, parent, not_before, EXISTS (SELECT 1 FROM task AS finder JOIN visit ON"
            " visit.id = finder.visit WHERE finder.id = task.parent AND visit.redirect = task.id)"
            " FROM task WHERE id = ?",
            (number,),
        ).fetchone()
        return row

    def standing(self, number: int) -> tuple[str, str]:
        """The state of a URL and the reason for it."""
        query = f"{self._ledger.rpartition('ORDER')[0]} WHERE task.id = ?"
        row = self._connection.execute(query, (number,)).fetchone()
        return row[1], row[2]

    def _parents(self, number: int, finder: int) -> list[tuple[str, str]]:
        """Pages that link here, the one that found it first at the head."""
        first: dict[int, tuple[str, str]] = {}  # of several links on a page, the first
        for source, url, anchor in self._connection.execute(_LINKING, {"task": number, "finder": finder}):
            first.setdefault(source, (url, anchor))
        return list(first.values()) or ([(self._url(finder) or "", "")] if finder else [])

    def _visits(self, number: int) -> list[Row]:
        cursor = self._connection.execute(
            "SELECT fetched_at, elapsed, status, failure, detail, media_type, charset, title, size,"
            f" {hexadecimal('digest')} AS digest, redirect, duplicate_of, {json_length('links')} AS links, rendered"
            " FROM visit WHERE task = ? ORDER BY id",
            (number,),
        )
        columns = [column[0] for column in cursor.description]
        visits = [dict(zip(columns, row, strict=True)) for row in cursor]
        cases = _cases(visits)
        return [
            {**visit, "case": case, "rendered": json.decode(visit["rendered"] or "null")}
            for visit, case in zip(visits, cases, strict=True)
        ]

    def _acts(self, finder: int, url: str) -> list[str]:
        """What was done on the page that found a URL before it showed the link."""
        row = self._connection.execute(
            "SELECT visit.rendered FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ?", (finder,)
        ).fetchone()
        states = json.decode(row[0])["states"] if row and row[0] else []
        return next((state["path"] for state in states if url in state["links"]), [])

    def _unfinished(self, number: int) -> dict[str, str]:
        """Fields of a page that were not looked for to the end, and why."""
        row = self._connection.execute(
            "SELECT fields FROM record WHERE task = ? AND kind = ?", (number, UNFINISHED)
        ).fetchone()
        return json.decode(row[0], type=dict[str, str]) if row else {}

    def _copy_of(self, number: int) -> float | None:
        """When the copy of a page was fetched that stays while later tries fail, or are still to be made."""
        row = self._connection.execute(
            f"SELECT visit.fetched_at FROM task JOIN visit ON visit.id = task.visit"
            f" WHERE task.id = ? AND {UNDECIDED} AND visit.digest <> 0",
            (number,),
        ).fetchone()
        return float(row[0]) if row else None

    def _variant_of(self, number: int) -> int | None:
        row = self._connection.execute("SELECT original FROM variant WHERE task = ?", (number,)).fetchone()
        return int(row[0]) if row else None

    def _url(self, number: int | None) -> str | None:
        row = self._connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()
        return row[0] if row else None


def _cases(visits: list[Row]) -> list[Case | None]:
    """For each visit of a URL that brought content or was told that there is no other, the case of the two tests."""
    cases: list[Case | None] = []
    before = None
    for visit in visits:
        digest = before if visit["status"] == _NOT_MODIFIED else visit["digest"]
        if digest in (None, _NOTHING):
            cases.append(None)
            continue
        is_known = digest == before or visit["duplicate_of"] is not None
        cases.append(content_case(url_known=before is not None, content_known=is_known))
        before = digest
    return cases
