"""The corners of the sample site that a crawler trips over, each of them found on real sites.

    /robots.txt /sitemap.xml /news/feed.xml    what the site says of itself
    /internal/                       disallowed by robots.txt, though linked from every page
    /old  /news/latest               redirects
    /archive/first-year.html         only the sitemap knows it
    /consultations/withdrawn.html    a dead link
    /mirror/contact.html             the contact page again, to the byte
    /regions/...                     links in every relative form, and base elements
    /fr/bienvenue.html               ISO-8859-1, and only a meta tag says so

Links with tracking parameters and a calendar are among the ordinary pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from dowse.demo.content import TODAY, Content, Region, slug
from dowse.demo.layout import CREST, Document, frame, items, link

Pages = Iterator[tuple[str, Document]]


def corner_pages(content: Content) -> Pages:
    yield from _redirects()
    yield from _contact(content)
    yield from _regions(content)
    yield "/fr/bienvenue.html", _french()
    yield "/icon.svg", Document(CREST.encode(), "image/svg+xml")
    yield "/internal/", frame(content, "Staff", f"<p>{link('/internal/rota.html', 'Rota')}</p>")
    yield "/internal/rota.html", frame(content, "Rota", "<p>Nobody should find this page in a search engine.</p>")
    text = "<p>The first year of these pages, kept for the curious. Nothing links here but the sitemap.</p>"
    yield "/archive/first-year.html", frame(content, "The first year", text)


def machine_pages(content: Content, url: str, paths: list[str]) -> Pages:
    """What needs the site's own address: robots.txt, the sitemap of those paths, the feed."""
    robots = f"User-agent: *\nDisallow: /internal/\n\nSitemap: {url}sitemap.xml\n"
    yield "/robots.txt", Document(robots.encode(), "text/plain; charset=utf-8")
    entries = "".join(
        f"<url><loc>{escape(url + path[1:])}</loc><lastmod>{TODAY.isoformat()}</lastmod></url>\n" for path in paths
    )
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    yield "/sitemap.xml", _xml(sitemap, "application/xml")
    notices = "".join(
        f"<item><title>{escape(notice.title)}</title><link>{url}{notice.path[1:]}</link>"
        f"<pubDate>{notice.day:%a, %d %b %Y} 09:00:00 GMT</pubDate></item>\n"
        for notice in content.news
    )
    about = f"<title>{escape(content.name)}</title><link>{url}</link><description>{escape(content.motto)}</description>"
    feed = f'<rss version="2.0"><channel>{about}\n{notices}</channel></rss>\n'
    yield "/news/feed.xml", _xml(feed, "application/rss+xml")


def _xml(text: str, media_type: str) -> Document:
    return Document(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'.encode(), media_type)


def _redirects() -> Pages:
    yield "/old", Document(b"", status=301, location="/consultations/")
    yield "/news/latest", Document(b"", status=302, location="/news/")


def _contact(content: Content) -> Pages:
    departments = items(f"{escape(topic.department)}: {link(topic.path, topic.name)}" for topic in content.topics)
    main = f"""<p>Write to <a href="mailto:hello@consultations.example">hello@consultations.example</a>, ring
<a href="tel:+999555010">+999 555 010</a> or <a href="javascript:print()">print this page</a> and bring it along.</p>
<p>A <a href="/mirror/contact.html">copy of this page</a> is kept in case this one cannot be reached, and the draft that
was <a href="/consultations/withdrawn.html">withdrawn</a> is really gone.</p>
<h2>Departments</h2>{departments}
<p>{link("/news/latest", "Latest news")}</p>"""
    page = frame(content, "Contact", main, crumbs=[("/contact.html", "Contact")])
    yield "/contact.html", page
    yield "/mirror/contact.html", page


def _regions(content: Content) -> Pages:
    """Three floors of folders whose links climb up, down and across."""
    crumbs = [("/regions/", "Regions")]
    regions = items(link(f"{region.slug}/", region.name) for region in content.regions)
    main = f"""<p>Where meetings are held.</p>{regions}
<p><a href="?">Reload</a> <a href="#top">Top</a> <a href="./">This page</a> <a href="">Here</a>
<a href="../regions/./north/../valley/">Valley</a> <a href="  islands/  ">Islands</a> <a href="?view=map">Map</a></p>"""
    yield "/regions/", frame(content, "Regions", main, crumbs=crumbs)
    for region in content.regions:
        places = items(link(f"{slug(place)}.html", place) for place in region.places)
        others = " ".join(
            f'<a href="../{other.slug}/">{escape(other.name)}</a>' for other in content.regions if other is not region
        )
        main = f"{places}<p>{others} {_up('..')}</p>"
        yield f"/regions/{region.slug}/", frame(content, region.name, main, crumbs=crumbs)
        for number, place in enumerate(region.places):
            yield f"/regions/{region.slug}/{slug(place)}.html", _place(content, region, number)


def _place(content: Content, region: Region, number: int) -> Document:
    """A meeting place. The last one of each region has a base element that moves all its relative links."""
    place, following = region.places[number], region.places[(number + 1) % len(region.places)]
    nearby = [item for item in content.consultations if item.is_open][number * 7 : number * 7 + 2]
    meetings = items(f'<a href="../..{item.path}">{escape(item.title)}</a>' for item in nearby)
    moved = number == len(region.places) - 1
    start = f"{region.slug}/" if moved else "./"
    main = f"""<p>Meetings are on the first Tuesday of the month, with tea.</p>{meetings if not moved else ""}
<p><a href="{start}{slug(following)}.html#meetings">{escape(following)}</a> {_up("." if moved else "../")}</p>"""
    page = frame(content, place, main, crumbs=[("/regions/", "Regions")])
    if moved:
        return Document(page.body.replace(b"<title>", b'<base href="/regions/">\n<title>', 1))
    return page


def _up(href: str) -> str:
    return f'<a href="{href}">All regions</a>'


def _french() -> Document:
    text = """<!doctype html>
<html lang="fr"><head><meta charset="iso-8859-1"><title>Bienvenue - consultations publiques</title></head>
<body><h1>Bienvenue</h1>
<p>Le gouvernement de Tarnmoor vous écoute. Répondez avant l'été, même en quelques mots : chaque réponse est lue,
résumée et publiée. Les pêcheurs, les élèves et les îles lointaines ont la même voix.</p>
<p><a href="/topics/international/">Affaires internationales</a> <a href="/contact.html">Écrivez-nous</a></p>
</body></html>
"""
    return Document(text.encode("iso-8859-1"), "text/html")
