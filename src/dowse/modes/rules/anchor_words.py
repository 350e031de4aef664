"""Which of several texts of links says most of where they lead: a name before "next", and "next" before nothing."""

from __future__ import annotations

_LONGEST = 40

# Words that could stand on a link to anything, without spaces, case and marks.
_POOR: dict[str, str] = {
    "en": "back clickhere continue continuereading details download downloadhere downloadpdf file first forward full "
    "fulltext go here home info last learnmore link linktothis more moreinfo next nextpage open page pdf permalink "
    "prev previous previouspage print read readmore seemore showmore source this thispage top up url view viewmore web "
    "website",
    "de": "hier klickenhier mehr mehrerfahren mehrlesen nächste nächsteseite vorherige weiter weiterlesen zurück",
    "fr": "cliquezici ensavoirplus ici lirelasuite plus précédent retour suite suivant télécharger",
    "es": "aquí anterior descargar hazclicaquí leermás más siguiente volver",
    "pt": "anterior aqui cliqueaqui leiamais mais próxima próximo saibamais voltar",
    "it": "avanti indietro leggi leggitutto qui successivo",
    "nl": "leesmeer terug volgende vorige",
    "ru": "далее дальше назад подробнее скачать читатьдалее",
    "zh ja": "更多 下一页 上一页 下载 詳細 次へ 前へ 続きを読む",
}
_WORDS = frozenset(word for words in _POOR.values() for word in words.split())


def is_poor(text: str) -> bool:
    """Whether a text says nothing of where a link leads.

    >>> [is_poor(text) for text in ("next »", "Read more...", "2", "", "Annual report 2024", "Page layout")]
    [True, True, True, True, False, False]
    """
    if len(text) > _LONGEST:
        return False
    letters = "".join(letter for letter in text.casefold() if letter.isalpha())
    return not letters or letters in _WORDS


def is_better(text: str, than: str) -> bool:
    """Whether a text says more than another: the first that says something stays.

    >>> is_better("Annual report", "next"), is_better("Annual report", "Report"), is_better("next", "")
    (True, False, True)
    """
    return bool(text) and (not than or (is_poor(than) and not is_poor(text)))
