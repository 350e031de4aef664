"""The data that belong to this code as its constants do: words and models, files of the package that never change."""

from __future__ import annotations

from pkgutil import get_data


def shipped(name: str) -> bytes:
    """One of the files beside this one."""
    content = get_data("dowse.classify", name)
    assert content is not None, f"{name} is missing from the package dowse.classify"
    return content
