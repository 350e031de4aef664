"""Shows the examples of docstrings as code in the Python reference (an extension of griffe, see mkdocs.yml)."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
_LISTED = re.compile(r"(?:^\w+ {2,}\S.*\n?)+", re.MULTILINE)


class DocstringExamples(griffe.Extension):
    """Puts fences around what is typed at a prompt, with the answers, and around fields in two columns."""

    def on_instance(self, *, obj: griffe.Object, **_others: Any) -> None:
        """Called for every class, function and attribute."""
        if obj.docstring is not None:
            text = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
            obj.docstring.value = _LISTED.sub(r"```text\n\g<0>\n```\n", text)
