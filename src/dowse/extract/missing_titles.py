"""Titles by which a page says that nothing is there, whatever its server says: the words, in many languages."""

from __future__ import annotations

import re

_ENGLISH = ("not found", "cannot be found", "can't be found", "does not exist", "doesn't exist", "no longer available",
            "no longer exists", "no such page", "page missing")  # fmt: skip
_ROMANCE = ("introuvable", "n'existe pas", "n'existe plus", "no encontrad", "no existe", "non trovat",
            "non esiste", "não encontrad", "não existe", "nu a fost găsit")  # fmt: skip
_GERMANIC = ("nicht gefunden", "existiert nicht", "nicht mehr verfügbar", "niet gevonden", "bestaat niet",
             "hittades inte", "finns inte", "ikke fundet", "ikke funnet", "findes ikke", "finnes ikke")  # fmt: skip
_SLAVIC = ("не найден", "не существует", "не знайден", "nie znaleziono", "nie istnieje", "nenalezen",
           "neexistuje", "nije pronađen", "не . намерен")  # fmt: skip
_OTHERS = ("ei löytynyt", "ei leitud", "nem található", "bulunamad", "δεν βρέθηκε", "לא נמצא", "غير موجودة",
           "tidak ditemukan", "không tìm thấy", "ไม่พบ", "見つかりません", "存在しません", "찾을 수 없", "未找到",
           "找不到", "不存在")  # fmt: skip
_NUMBER = r"^\W*(?:(?:error|http|status|fehler|erreur)\W*)?404\b"

_MISSING = re.compile("|".join((_NUMBER, *_ENGLISH, *_ROMANCE, *_GERMANIC, *_SLAVIC, *_OTHERS)), re.IGNORECASE)


def says_missing(title: str) -> bool:
    """Whether a page with this title says that there is none.

    >>> [says_missing(title) for title in ("Page not found | Shop", "Error 404", "Seite nicht gefunden", "Peugeot 404")]
    [True, True, True, False]
    """
    return bool(_MISSING.search(title[:300].replace("\u2019", "'")))
