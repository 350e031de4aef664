"""Pages as one Markdown text."""

from __future__ import annotations

import io

from dowse.export.markdown import write_markdown


def test_documents_follow_each_other_with_their_front_matter() -> None:
    rows = [
        {"url": "http://a.example/1", "title": 'The "old": bridge', "date": "2024-03-05", "text": "# One\n\nText."},
        {"url": "http://a.example/2", "title": "", "language": "ja", "text": "\n市役所\n"},
        {"url": "http://a.example/3", "title": "Nothing"},
        {"url": "http://a.example/4", "text": " "},
        {"url": "http://a.example/5\n---", "text": "End"},
    ]
    stream = io.StringIO()
    assert write_markdown(rows, stream) == 3
    assert (
        stream.getvalue()
        == """---
url: "http://a.example/1"
title: "The \\"old\\": bridge"
date: "2024-03-05"
---

# One

Text.

---
url: "http://a.example/2"
language: "ja"
---

市役所

---
url: "http://a.example/5\\n---"
---

End
"""
    )


def test_no_rows_no_text() -> None:
    stream = io.StringIO()
    assert write_markdown([], stream) == 0
    assert stream.getvalue() == ""
