"""The forms of a crawl, and the harvest of those that are asked: each answer decides the next query.

One query of a form is out at a time, for the next depends on its answer; forms of other sites go on beside it. What is
asked obeys the scope of the crawl and, when it is sent, robots.txt.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from dowse.core.job import Job
from dowse.core.model import Outcome, State, Task
from dowse.core.protocols import Tally
from dowse.core.record import RESULT
from dowse.core.task_labels import QUERY
from dowse.modes.forms.answers_to_read import TABLE, AnswersToRead
from dowse.modes.forms.form_fields import database, form_name
from dowse.modes.forms.form_rows import KNOWN, TABLES, encode, stored_forms, stored_harvests
from dowse.modes.forms.harvest import Harvest
from dowse.modes.forms.messages import SEARCHABLE, Evidence, FoundForm, evidence, query_hint
from dowse.modes.forms.options import FormsOptions
from dowse.modes.forms.queries import Progress, Step
from dowse.modes.forms.query_answers import Answer
from dowse.modes.forms.query_requests import QueryRequests
from dowse.modes.forms.raised_limits import RaisedLimits
from dowse.modes.forms.topic_of_crawl import ON_TOPIC, TopicOfCrawl
from dowse.parse.forms.form import Form, Submission
from dowse.store.bookkeeping import Bookkeeping, Due, Visit
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission

MOST_HEARD = 20_000
"""Characters of words that are kept for a form, to begin with."""

LONGEST_REASON = 200
OFF_TOPIC = "it is off topic"

PLANNED = 5
"""Queries of a form that a dry run shows."""

_NEW_FORM = """INSERT INTO form (shape, task, type, searchable, topic, fields, refusal, words, found)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""
_SEEN_AGAIN = "UPDATE form SET pages = pages + CASE WHEN task <> ? THEN 1 ELSE 0 END, gone = 0 WHERE shape = ?"
_REFUSE = "UPDATE form SET refusal = ? WHERE id = ?"
_HAD = "SELECT id, shape FROM form WHERE task = ?"
_NEW_QUERY = """INSERT INTO form_query (form, kind, query, text, task) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (form, query) DO UPDATE SET out = 1, task = excluded.task"""
_NEW_RECORD = "INSERT INTO form_record (form, key, words, task) VALUES (?, ?, ?, ?) ON CONFLICT (form, key) DO NOTHING"
_BROUGHT = "INSERT INTO query_record SELECT ?, id FROM form_record WHERE form = ? AND key = ? ON CONFLICT DO NOTHING"
_FORGET = f"""DELETE FROM record WHERE task = ? AND kind = '{RESULT}' AND key IN (
    SELECT key FROM form_record WHERE form = ? AND task <> ?)"""
_OUT = "SELECT id FROM form_query WHERE form = ? AND query = ? AND out <> 0"
_ANSWERED = """UPDATE form_query SET out = 0, requests = requests + 1, answer = ?, size = ?, results = results + ?,
    fresh = fresh + ?, total = coalesce(?, total), further = ? WHERE id = ?
    RETURNING results, fresh, total, page"""
_FURTHER = "UPDATE form_query SET page = ?, further = '', out = ? WHERE form = ? AND query = ?"
_STORED = "SELECT 1 FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ? AND task.host > 0 AND body <> ''"
_KNOWN = f"UPDATE form_query SET answer = '{KNOWN}', out = 0 WHERE form = ? AND query = ? AND answer = ''"
_HEARD = "UPDATE form SET words = words || ? WHERE id = ? AND length(words) < ?"
_SITES = "SELECT form.id, host.name FROM form JOIN task ON task.id = form.task JOIN host ON host.id = task.site"


class FormBook(Bookkeeping):
    """Writes down forms, and asks those that may be asked."""

    tables = (*TABLES, TABLE)
    reads_duplicates = True

    def __init__(self, job: Job, options: FormsOptions) -> None:
        self._options = options
        self._requests = QueryRequests(job)
        self._browser = job.fetch.fetch != "http"

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._seen = {hash(name) for (name,) in connection.execute("SELECT shape FROM form")}
        self._topic = TopicOfCrawl(self._options.topic)
        for found in stored_forms(connection):
            self._learn(found)
        self._answered: list[tuple[int, int, int]] = []
        self._sent_on: dict[int, Task] = {}
        self._targets: list[tuple[Task, int]] = []
        self._to_read = AnswersToRead(connection)
        self._read: list[Outcome] = []
        stored = dict(stored_harvests(connection, browser=self._browser))
        self._harvests: dict[int, Harvest] = {number: each.harvest for number, each in stored.items()}
        self._databases = {database(each.form): each.page for each in reversed(self._harvests.values())}
        self._queries = {number: each.queries for number, each in stored.items()}
        self._raised = RaisedLimits(connection, self._harvests, self._queries, self._options.max_queries)
        self._going_on: list[tuple[int, Task]] = []
        self._of_site: dict[str, list[int]] = {}
        for number, site in connection.execute(_SITES).fetchall():
            if number in self._harvests:
                self._of_site.setdefault(site, []).append(number)
        (self._forms,) = connection.execute("SELECT count(*) FROM form WHERE searchable >= ?", (SEARCHABLE,)).fetchone()
        (self._records,) = connection.execute("SELECT count(*) FROM form_record").fetchone()

    @property
    def found(self) -> Tally:
        return Tally("record", self._records) if self._options.harvest else Tally("search form", self._forms)

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome = visit.outcome
        if visit.fate.state is State.WAITING:
            return
        if outcome.redirect is not None and not outcome.redirect.refused:
            self._sent_on[outcome.task.id] = outcome.task
            return
        told = evidence(outcome.evidence) if outcome.evidence else Evidence()
        if outcome.task.label == QUERY and outcome.task.hint:
            self._take_answer(outcome.task, told, admission)
        if not outcome.task.label and outcome.evidence:
            self._miss(outcome.task.id, {form_name(found.form) for found in told.forms})
        for found in told.forms:
            self._take_form(outcome.task, found, told.words, admission)
        if told.words:
            self._hear(outcome.task.site, told.words)

    def _miss(self, number: int, shapes: set[str]) -> None:
        """A page was fetched again: of its forms, those that it has no more are gone."""
        rows = self._connection.execute(_HAD, (number,)).fetchall()
        gone = [(form,) for form, name in rows if name not in shapes]
        self._connection.executemany("UPDATE form SET gone = 1 WHERE id = ?", gone)

    def _hear(self, site: str, words: list[str]) -> None:
        """Words of a page may bring records of the databases of its site."""
        for number in self._of_site.get(site, ()):
            self._harvests[number].hear(words)
            self._connection.execute(_HEARD, (" " + " ".join(words), number, MOST_HEARD))

    def redirected(self, number: int, target: int) -> None:
        task = self._sent_on.get(number)
        if task is not None and task.label == QUERY:
            self._targets.append((task, target))

    def settle(self, admission: Admission) -> None:
        """An answer that was sent on to a page that is there already will not come again: it is read once more, if it
        was kept."""
        for task, target in self._targets:
            if admission.is_new(target):
                continue
            if self._connection.execute(_STORED, (target,)).fetchone() is not None:
                self._to_read.add(target, task.hint)
            else:
                self._take_answer(task, Evidence(answer=Answer("no match")), admission)
        for outcome in self._read:
            told = evidence(outcome.evidence) if outcome.evidence else Evidence()
            self._take_answer(outcome.task, told, admission)
        for form, page in self._going_on:
            self._ask(form, page, admission)
        self._going_on.clear()
        self._targets.clear()
        self._sent_on.clear()
        self._read.clear()

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        answers = self._to_read.due(limit, out)
        taken = {page for page, _ in answers}
        return answers + [each for each in self._raised.due(limit - len(answers), out) if each.task not in taken]

    def came_home(self, outcomes: Sequence[Outcome]) -> None:
        """Also what could not be read, because its stored body is gone: that is an error, as an answer."""
        self._read += [outcome for outcome in outcomes if outcome.task.body and self._to_read.take(outcome)]
        self._going_on += [(form, outcome.task) for outcome in outcomes for form in self._raised.take(outcome)]

    def _take_form(self, task: Task, found: FoundForm, words: list[str], admission: Admission) -> None:
        name = form_name(found.form)
        if hash(name) in self._seen:
            self._connection.execute(_SEEN_AGAIN, (task.id, name))
            return
        self._seen.add(hash(name))
        is_wanted = found.searchable >= SEARCHABLE
        topic = self._topic.probability(found.said, found.density) if self._options.topic else None
        off_topic = OFF_TOPIC if topic is not None and topic < ON_TOPIC else ""
        refusal = found.refusal or ("" if is_wanted else "it is no search form") or off_topic or self._twin(found.form)
        told = (found.type, found.searchable, topic, _fields(found), refusal, " ".join(words), encode(found))
        (number,) = self._connection.execute(_NEW_FORM, (name, task.id, *told)).fetchone()
        self._forms += is_wanted
        self._learn(found)
        if refusal or not (self._options.harvest or self._options.dry_run):
            return
        words = [*self._options.topic.lower().split(), *words]
        try:
            harvest = Harvest(found.form, words, browser=self._browser)
        except (ValueError, ArithmeticError, LookupError) as error:  # one form is not the end of a crawl
            self._connection.execute(_REFUSE, (f"its fields cannot be read: {error}"[:LONGEST_REASON], number))
            return
        harvest.known = frozenset(found.shown)
        self._harvests[number] = harvest
        self._databases[database(harvest.form)] = harvest.page
        self._queries[number] = 0
        self._of_site.setdefault(task.site, []).append(number)
        if self._options.dry_run:
            self._plan(number)
        else:
            self._ask(number, task, admission)

    def _learn(self, found: FoundForm) -> None:
        """What search forms of the topic say, and what others do."""
        if self._options.topic and found.searchable >= SEARCHABLE:
            self._topic.learn(found.said, found.density)

    def _twin(self, form: Form) -> str:
        """Why a new form need not be asked: another one asks the same database. "" if none does."""
        page = self._databases.get(database(form)) if self._databases else None
        return f"the form on {page} asks the same database" if page is not None else ""

    def _plan(self, number: int) -> None:
        """Write down what would be asked first."""
        harvest = self._harvests[number]
        for _ in range(PLANNED):
            if (step := harvest.next()) is None:
                break
            query = step.query
            self._connection.execute(_NEW_QUERY, (number, query.kind, encode(query), query.text, None))
            harvest.answered(query, Answer("no match"))

    def _ask(self, number: int, finder: Task, admission: Admission) -> None:
        """Let the next request of a form go out, or write down why there is none."""
        harvest, limit = self._harvests[number], self._options.max_queries
        while (step := harvest.next(is_full=0 < limit <= self._queries[number])) is not None:
            if harvest.in_browser:
                self._connection.execute("UPDATE form SET in_browser = 1 WHERE id = ?", (number,))
            task = self._requests.send(number, harvest, step, finder, admission)
            if self._note(number, step, task, admission):
                return
        self._connection.execute("UPDATE form SET ending = ? WHERE id = ?", (harvest.end, number))

    def _note(self, number: int, step: Step, task: int, admission: Admission) -> bool:
        """Write down a request; whether an answer will come. None does if the same was asked before by other values."""
        comes = bool(task) and admission.is_new(task)
        if step.page > 1:
            self._connection.execute(_FURTHER, (step.page, comes, number, encode(step.query)))
        else:
            self._queries[number] += step.is_asked
            query = step.query
            self._connection.execute(_NEW_QUERY, (number, query.kind, encode(query), query.text, task or None))
        if not comes:
            self._harvests[number].answered(step.query, Answer("no match"))
            self._connection.execute(_KNOWN, (number, encode(step.query)))
        return comes

    def _take_answer(self, task: Task, told: Evidence, admission: Admission) -> None:
        hint = query_hint(task.hint)
        number, query = hint.number, hint.query
        harvest, answer = self._harvests.get(number), told.answer or Answer("error")
        if harvest is None:
            return
        self._answered.append((task.id, number, task.id))
        asked = self._connection.execute(_OUT, (number, encode(query))).fetchone()
        if asked is None:
            return  # the same page once more, in a crawl that visits all pages again
        if told.sent_on and self._sends_on(number, Step(query, Submission(told.sent_on)), task, admission):
            return
        new = harvest.answered(query, answer)
        harvest.renew(query, answer, told.fresh)
        further = encode(answer.next) if answer.next else b""
        counts = (answer.kind, len(answer.items), len(answer.items), new, answer.total, further)
        numbers = self._connection.execute(_ANSWERED, (*counts, *asked)).fetchone()
        self._write_records(number, asked[0], task, answer)
        if answer.known:
            self._connection.execute("UPDATE form SET known = ? WHERE id = ?", (encode(answer.known), number))
        if answer.place:
            self._connection.execute("UPDATE form SET place = ? WHERE id = ?", (answer.place, number))
        if answer.next and answer.items:
            harvest.goes_on(query, answer.next, len(answer.items), Progress(*numbers))
        else:
            harvest.finished(query, Progress(*numbers))
        self._ask(number, task, admission)

    def _sends_on(self, number: int, step: Step, finder: Task, admission: Admission) -> bool:
        """Fetch the page that a script went to when the form was sent; whether its answer will come."""
        sent = self._requests.send(number, self._harvests[number], step, finder, admission)
        return bool(sent) and admission.is_new(sent)

    def _write_records(self, number: int, query: int, task: Task, answer: Answer) -> None:
        for item in answer.items:
            words = " ".join(sorted(item.words))
            self._records += self._connection.execute(_NEW_RECORD, (number, item.key, words, task.id)).rowcount
            self._connection.execute(_BROUGHT, (query, number, item.key))

    def written(self, admission: Admission) -> None:
        """Of a record that several queries brought, only the first stays in the table of records."""
        self._connection.executemany(_FORGET, self._answered)
        self._answered.clear()


def _fields(found: FoundForm) -> str:
    """The fields of a form and their types, as JSON."""
    return msgspec.json.encode(found.fields).decode()
