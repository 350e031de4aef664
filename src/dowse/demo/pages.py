"""The ordinary pages of the sample site: home, topics, consultations with their papers, news, calendar, search."""

from __future__ import annotations

from calendar import Calendar, month_name
from collections.abc import Iterator, Mapping
from html import escape

from dowse.demo.content import TODAY, Consultation, Content, News, Topic
from dowse.demo.layout import Document, badge, entry, frame, items, link
from dowse.demo.pdf import pdf
from dowse.demo.prose import Prose

LIST_LENGTH = 5
NEWSLETTER = "?utm_source=newsletter&utm_medium=email&utm_campaign=june"
Pages = Iterator[tuple[str, Document]]


def ordinary_pages(content: Content) -> Pages:
    yield "/", _home(content)
    yield from _topics(content)
    yield from _consultations(content)
    yield from _news(content)
    yield from _calendar(content)
    for leaflet in content.leaflets:
        text = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in leaflet.paragraphs)
        yield leaflet.path, frame(content, leaflet.title, text)


def _home(content: Content) -> Document:
    cards = "".join(
        f"<li>{link(topic.path, topic.name)}<p>{escape(topic.summary)}</p></li>\n" for topic in content.topics
    )
    featured = [next(filter(lambda item: item.is_open, content.on(topic)), None) for topic in content.topics]
    lists = "".join(entry(item, _summary(content, item)) for item in featured if item is not None)
    main = f"""<p>Every question the {escape(content.government)} is asking you, and every answer it was given.</p>
<h2>Topics</h2>
<div class="topic-list" id="topics"><ul class="cards">{cards}</ul></div>
<h2>Open now</h2>
<div class="consultation-list">{lists}</div>
<p>{link("/old", "The previous version of these pages")} is no longer kept up to date.</p>"""
    return frame(content, content.name, main)


def _topics(content: Content) -> Pages:
    cards = items(link(topic.path, topic.name) + f"<p>{escape(topic.summary)}</p>" for topic in content.topics)
    main = f'<div class="topic-list">{cards}</div>'
    yield "/topics/", frame(content, "Topics", main, crumbs=[("/topics/", "Topics")])
    for topic in content.topics:
        consultations = content.on(topic)
        for first in range(0, len(consultations), LIST_LENGTH):
            number = first // LIST_LENGTH + 1
            path = topic.path if number == 1 else f"{topic.path}page-{number}.html"
            yield path, _topic_list(content, topic, number, consultations[first : first + LIST_LENGTH])
        programme = [f"{item.reference}  {item.title}" for item in consultations]
        yield _programme(topic), Document(pdf(f"{topic.name}: programme {TODAY.year}", programme), "application/pdf")


def _programme(topic: Topic) -> str:
    return f"/documents/{topic.slug}/programme-{TODAY.year}.pdf"


def _topic_list(content: Content, topic: Topic, number: int, consultations: list[Consultation]) -> Document:
    lists = "".join(entry(item, _summary(content, item)) for item in consultations)
    other = link(f"{topic.path}page-2.html", "Next page") if number == 1 else link(topic.path, "Previous page")
    main = f"""<p>{escape(topic.summary)} Questions are asked by the {escape(topic.department)}.</p>
<div class="consultation-list">{lists}</div>
<div class="pages">{other}</div>
<p>{link(_programme(topic), f"Programme for {TODAY.year} (PDF)")}</p>"""
    aside = "<h3>Other topics</h3>" + items(link(item.path, item.name) for item in content.topics if item is not topic)
    title = topic.name if number == 1 else f"{topic.name}, page {number}"
    return frame(content, title, main, crumbs=[("/topics/", "Topics")], aside=aside)


def _summary(content: Content, item: Consultation) -> str:
    return Prose(content, item.topic, item.title).paragraph("background", 1)


def _consultations(content: Content) -> Pages:
    kinds = {"": "All consultations", "?status=open": "Open consultations", "?status=closed": "Closed consultations"}
    filters = " ".join(link(f"/consultations/{query}", title) for query, title in kinds.items())
    for query, title in kinds.items():
        chosen = [item for item in content.consultations if not query or item.is_open == query.endswith("open")]
        rows = "".join(
            f"<tr><td>{item.reference}</td><td>{link(item.path, item.title)}</td><td>{badge(item)}</td></tr>\n"
            for item in chosen
        )
        main = f'<p class="pages">{filters}</p><table class="results">{rows}</table>'
        yield f"/consultations/{query}", frame(content, title, main, crumbs=[("/consultations/", "Consultations")])
    for item in content.consultations:
        yield item.path, _consultation(content, item)
        for paper in item.papers:
            prose = Prose(content, item.topic, paper.path)
            text = [prose.paragraph("background", 3), prose.paragraph("proposal", 3), *prose.sentences("questions", 3)]
            yield paper.path, Document(pdf(f"{paper.title}: {item.title}", text), "application/pdf")


def _consultation(content: Content, item: Consultation) -> Document:
    prose = Prose(content, item.topic, item.title)
    siblings = content.on(item.topic)
    place = siblings.index(item)
    related = [siblings[(place + step) % len(siblings)] for step in (1, 2, 3)]
    elsewhere = content.consultations[(content.consultations.index(item) + 17) % len(content.consultations)]
    heard = f"<h2>What we heard</h2><p>{escape(prose.paragraph('heard', 3))}</p>" if not item.is_open else ""
    main = f"""<p>{badge(item)} Asked by the {escape(item.topic.department)}</p>
<dl><dt>Reference</dt><dd>{item.reference}</dd><dt>Opened</dt><dd>{item.opened:%d %B %Y}</dd>
<dt>Closes</dt><dd>{item.closes:%d %B %Y}</dd><dt>Topic</dt><dd>{link(item.topic.path, item.topic.name)}</dd></dl>
<h2>Why we are asking</h2>
<p>{escape(prose.paragraph("background", 3))}</p>
<p>{escape(prose.paragraph("background", 2))}</p>
<h2>What we propose</h2>
<p>{escape(prose.paragraph("proposal", 4))}</p>
<h2>Questions</h2>
{items(escape(question) for question in prose.sentences("questions", 4))}
{heard}
<h2>Papers</h2>
<div class="papers">{items(link(paper.path, paper.title + " (PDF)") for paper in item.papers)}</div>"""
    aside = "<h3>Related</h3>" + items(link(other.path, other.title) for other in [*related, elsewhere])
    crumbs = [("/consultations/", "Consultations"), (item.topic.path, item.topic.name)]
    return frame(content, item.title, main, crumbs=crumbs, aside=aside)


def _news(content: Content) -> Pages:
    half = len(content.news) // 2
    for path, notices, other in (
        ("/news/", content.news[:half], link("/news/?page=2", "Older")),
        ("/news/?page=2", content.news[half:], link("/news/", "Newer")),
    ):
        entries = items(f"{notice.day:%d %B %Y}: {link(notice.path + NEWSLETTER, notice.title)}" for notice in notices)
        yield path, frame(content, "News", entries + f'<div class="pages">{other}</div>', crumbs=[("/news/", "News")])
    for notice, older in zip(content.news, [*content.news[1:], content.news[0]], strict=True):
        yield notice.path, _notice(content, notice, older)


def _notice(content: Content, notice: News, older: News) -> Document:
    prose = Prose(content, notice.about.topic, notice.path)
    main = f"""<p><em>{notice.day:%d %B %Y}, {escape(notice.about.topic.department)}</em></p>
<p>{escape(prose.paragraph("heard" if not notice.about.is_open else "background", 3))}</p>
<p>Read more: {link(notice.about.path + NEWSLETTER, notice.about.title)}</p>
<div class="pages">{link(older.path, older.title)}</div>"""
    return frame(content, notice.title, main, crumbs=[("/news/", "News")])


def _calendar(content: Content) -> Pages:
    months = items(link(_month(number), f"{month_name[number]} {TODAY.year}") for number in range(1, 13))
    yield "/calendar/", frame(content, "Calendar", months, crumbs=[("/calendar/", "Calendar")])
    for number in range(1, 13):
        neighbours = [link(_month(other), month_name[other]) for other in (number - 1, number + 1) if 1 <= other <= 12]
        main = _month_table(content, number) + f'<div class="pages">{" ".join(neighbours)}</div>'
        title = f"{month_name[number]} {TODAY.year}"
        yield _month(number), frame(content, title, main, crumbs=[("/calendar/", "Calendar")])


def _month(number: int) -> str:
    return f"/calendar/{TODAY.year}-{number:02}.html"


def _month_table(content: Content, number: int) -> str:
    rows = ""
    for week in Calendar().monthdatescalendar(TODAY.year, number):
        rows += "<tr>"
        for day in week:
            due = " ".join(link(item.path, item.title) for item in content.consultations if item.closes == day)
            rows += f"<td>{day.day if day.month == number else ''} {due if day.month == number else ''}</td>"
        rows += "</tr>\n"
    return f'<p>Last day for answers:</p><table class="month">{rows}</table>'


def search_page(content: Content, wanted: Mapping[str, str]) -> Document:
    """The search form, and below it what matches the words and the topic asked for."""
    words = wanted.get("q", "").lower().split()
    chosen = [
        item
        for item in content.consultations
        if (words or wanted.get("topic"))
        and all(word in item.title.lower() for word in words)
        and wanted.get("topic", "") in ("", item.topic.slug)
    ]
    options = "".join(f'<option value="{topic.slug}">{escape(topic.name)}</option>' for topic in content.topics)
    results = "".join(entry(item, _summary(content, item)) for item in chosen)
    main = f"""<form action="/search" method="get" role="search">
<label>Words in the title <input name="q" type="search" value="{escape(wanted.get("q", ""))}"></label>
<label>Topic <select name="topic"><option value="">Any</option>{options}</select></label>
<button type="submit">Search</button>
</form>
<p>{f"{len(chosen)} found" if wanted else "Try ferry, school or international."}</p>{results}"""
    return frame(content, "Search", main, crumbs=[("/search", "Search")])
