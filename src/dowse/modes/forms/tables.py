"""The tables that a crawl for forms has."""

from __future__ import annotations

_FORMS = """
    SELECT page.url AS url, form.type AS type, form.searchable AS searchable, form.topic AS topic,
           form.fields AS fields, form.pages AS pages, visit.fetched_at AS fetched_at, form.gone AS gone,
           (SELECT count(*) FROM form_query WHERE form_query.form = form.id AND task IS NOT NULL
                   AND kind <> 'renewal') AS queries,
           (SELECT coalesce(sum(requests), 0) FROM form_query WHERE form_query.form = form.id) AS requests,
           (SELECT count(*) FROM form_record WHERE form_record.form = form.id) AS records,
           CASE WHEN form.refusal <> '' THEN form.refusal ELSE form.ending END AS reason,
           known_form.queries AS earlier_queries, known_form.records AS earlier_records
    FROM form JOIN task AS page ON page.id = form.task LEFT JOIN visit ON visit.id = page.visit
         LEFT JOIN known_form ON known_form.shape = form.shape
    UNION ALL
    SELECT url, type, searchable, NULL, '{}', 0, NULL, 1, 0, 0, 0, 'it was there in an earlier crawl', queries, records
    FROM known_form WHERE there = 0 AND shape NOT IN (SELECT shape FROM form)
    ORDER BY searchable DESC, url
"""
_QUERIES = """
    SELECT page.url AS form, form_query.kind AS kind, form_query.text AS query, form_query.answer AS answer,
           form_query.results AS results, form_query.fresh AS new, form_query.total AS total,
           form_query.requests AS requests, asked.url AS url
    FROM form_query JOIN form ON form.id = form_query.form JOIN task AS page ON page.id = form.task
         LEFT JOIN task AS asked ON asked.id = form_query.task ORDER BY form_query.id
"""
_SITES = """
    SELECT site.home AS url, site.host AS host, site.state AS state, site.reason AS reason,
           CASE WHEN site.high <> 0 THEN 'high' ELSE 'low' END AS queue, site.pages AS pages, site.forms AS forms,
           page.url AS found_on
    FROM site LEFT JOIN task AS page ON page.id = site.found ORDER BY site.forms DESC, site.pages DESC, site.host
"""
QUERIES_OF = {"forms": _FORMS, "queries": _QUERIES, "sites": _SITES}
"""The query of each table."""
