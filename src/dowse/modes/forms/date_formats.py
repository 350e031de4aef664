"""How a form wants dates: as its fields show them, else as people write them in the language of the page."""

from __future__ import annotations

from datetime import date
from typing import Self

import regex
from msgspec import Struct

from dowse.parse.forms.controls import Control

_PATTERN = regex.compile(r"(?<!\p{L})(\p{L})(\1{0,3})([-./ ])(\p{L})(\4{0,3})\3(\p{L})(\6{0,3})(?!\p{L})")
"""Three runs of letters, as in dd/mm/yyyy, TT.MM.JJJJ, jj-mm-aaaa."""

_EXAMPLE = regex.compile(r"(?<!\d)(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?!\d)")

_FIRST_SHORT_YEAR = 70  # "70" is 1970, "69" is 2069

_BY_LANGUAGE = {
    **dict.fromkeys(("de", "pl", "cs", "sk", "ru", "uk", "fi", "nb", "no", "da", "tr", "ro", "bg", "sl", "et"), "dmy."),
    **dict.fromkeys(("fr", "es", "it", "pt", "el", "ca", "vi", "id", "en-gb", "en-au", "en-ie", "en-nz"), "dmy/"),
    "nl": "dmy-",
    "en-us": "mdy/",
}
"""The order of day, month and year, and what stands between them. All others, and English of no country, have the
international form, which servers know best."""


class DateFormat(Struct, frozen=True, array_like=True):
    """The order of day, month and year, what stands between them, and whether the year has two digits only."""

    order: str = "ymd"
    mark: str = "-"
    is_short: bool = False

    def write(self, day: date) -> str:
        """A date in this form.

        >>> DateFormat("dmy", ".").write(date(2024, 3, 5)), DateFormat().write(date(2024, 3, 5))
        ('05.03.2024', '2024-03-05')
        """
        year = f"{day.year % 100:02}" if self.is_short else f"{day.year:04}"
        parts = {"d": f"{day.day:02}", "m": f"{day.month:02}", "y": year}
        return self.mark.join(parts[part] for part in self.order)

    def read(self, written: str) -> date | None:
        """The date of a text in this form; None if it is none.

        >>> DateFormat("dmy", ".").read("05.03.2024")
        datetime.date(2024, 3, 5)
        """
        parts = dict(zip(self.order, written.split(self.mark), strict=False))
        try:
            year, month, day = (int(parts[name]) for name in "ymd")
            return date(year + (1900 if year >= _FIRST_SHORT_YEAR else 2000) * self.is_short, month, day)
        except (KeyError, ValueError):
            return None

    @classmethod
    def of_field(cls, field: Control, language: str) -> Self | None:
        """The form that a field shows by its placeholder, its labels or its value; None if it shows none."""
        texts = [field.placeholder, *(label.text for label in field.labels), field.value]
        for text in texts:
            if found := cls._by_pattern(text) or cls._by_example(text, language):
                return found
        return None

    @classmethod
    def of_language(cls, language: str) -> Self:
        """The form that people use in a language, such as de or en-GB."""
        tag = language.lower().replace("_", "-")
        known = _BY_LANGUAGE.get(tag) or _BY_LANGUAGE.get(tag.partition("-")[0])
        return cls(known[:3], known[3]) if known else cls()

    @classmethod
    def _by_pattern(cls, text: str) -> Self | None:
        found = _PATTERN.search(text.lower()[:200])
        if found is None:
            return None
        lengths = [1 + len(found[group]) for group in (2, 5, 7)]
        # The month is m in nearly all languages of Europe. Years have four letters, or are y at either end.
        kinds = [
            "m" if letter == "m" else "y" if length == 4 or letter == "y" else "d"
            for letter, length in zip((found[1], found[4], found[6]), lengths, strict=True)
        ]
        if sorted(kinds) != ["d", "m", "y"]:
            return None
        return cls("".join(kinds), found[3], lengths[kinds.index("y")] < 4)

    @classmethod
    def _by_example(cls, text: str, language: str) -> Self | None:
        found = _EXAMPLE.search(text[:200])
        if found is None:
            return None
        first, mark, second, third = found[1], found[2], found[3], found[4]
        if len(first) == 4:
            return cls("ymd", mark)
        if len(first) > 2 or len(third) not in (2, 4):
            return None
        of_language = cls.of_language(language).order
        order = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else of_language
        return cls(order if order != "ymd" else "dmy", mark, len(third) == 2)
