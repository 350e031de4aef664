"""Templates: every value is escaped, cleaned and cut, and a name that nobody gave is a mistake."""

from __future__ import annotations

import subprocess
import sys

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from dowse.export.pages.templates import LONGEST_TEXT, environment, render, style


def shown(template: str, **values: object) -> str:
    return environment().from_string(template).render(values)


def test_values_are_escaped_cleaned_and_cut() -> None:
    assert shown("{{ text }}", text="<b>\x1b[31m\u202e&") == "&lt;b&gt; [31m &amp;"
    assert len(shown("{{ text }}", text="x" * 10_000)) == LONGEST_TEXT
    assert shown('<a title="{{ text }}">', text='" onload="x') == '<a title="&#34; onload=&#34;x">'
    assert shown("{{ text | whole }}", text="<" + "x" * 1000) == "&lt;" + "x" * 1000
    assert shown("{{ number }}", number=0.1 + 0.2) == "0.3"
    assert shown("{{ text }}", text=Markup("<b>")) == "<b>"


def test_a_value_that_was_forgotten_is_a_mistake() -> None:
    with pytest.raises(UndefinedError):
        render("notebook_table.html", columns=[])


@pytest.mark.parametrize(
    ("url", "tag"),
    [
        ("https://a.example/", "a"),
        ("javascript:alert(1)", "span"),
        ("//a.example/", "span"),
        ("http://" + "a" * 2000, "span"),
    ],
)
def test_only_web_addresses_become_links(url: str, tag: str) -> None:
    text = shown('{% from "links.html" import link %}{{ link(url, "here") }}', url=url)
    assert text.startswith(f"<{tag} ")
    assert text.endswith(f">here</{tag}>")


def test_style_sheets_load_nothing() -> None:
    sheet = style("colours.css", "theme.css", "charts.css", "report.css", "changes.css")
    assert "url(" not in sheet
    assert "@import" not in sheet
    assert "</" not in sheet


def test_templates_are_not_read_by_those_who_write_no_page() -> None:
    code = "import sys, dowse, dowse.cli.main; assert not {'jinja2', 'markupsafe'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
