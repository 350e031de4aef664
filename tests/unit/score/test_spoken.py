# ruff: noqa: RUF001  (Russian letters look like others)
"""In which language texts are, and which languages addresses name."""

from __future__ import annotations

import pytest

from dowse.score.language import language
from dowse.score.spoken import named_language, tongue
from dowse.score.stop_words import STOP_WORDS

ENGLISH = "The page is about the house and the garden, and it says what is to be done with them when they are old. " * 2
TEXTS = {
    "english": ENGLISH,
    "french": "La page est dans le jardin, et elle dit ce que nous avons fait avec la maison qui est sur la place. "
    * 2,
    "portuguese": "Esta é a página de um jardim, e ela diz o que nós fizemos com a casa que não é mais nossa. " * 3,
    "dutch": "Dit is de pagina van het huis en de tuin, en zij zegt wat er met het huis moet worden gedaan. " * 2,
}
CZECH = (
    "Při instalaci systému můžete ručně určit oddíly, které budou připojeny, a přidělit jim správné vlastnosti. " * 4
)
JAPANESE = "この ページ は インストール の 手順 に ついて 説明 し ます。 詳しく は 次の 章 を ご覧 ください。 " * 4
PEOPLE = " ".join(f"Jürgen Smith{number} Joe Fox John Doe Mary Jones Ann Brown Paul White" for number in range(40))


OWN_LETTERS = {
    "finnish": "Sivu on talosta ja puutarhasta, jossa he ovat. Käyttäjä määrittää järjestelmän käytettävät tiedot. ",
    "german": "Die Größe der Wörter für die Überprüfung ändert nichts, wenn sie von ihnen über das Menü kommen. ",
    "french": "Les clés générées par les différentes étapes sont protégées avec le même mot de passe que la mémoire. ",
    "danish": "Når du ændrer størrelsen på en fil; og så må du ikke lukke den før den er nået. ",
    "swedish": "När du ändrar storleken på en fil; och då får du inte stänga den förrän den är där. ",
    "norwegian": "Når du endrer størrelsen på en fil; og da må du ikke lukke den før den er nådd. ",
    "spanish": "La página también está en la sesión de edición, y así lo que usted añadió no se perderá después. ",
    "italian": "La pagina è anche più grande perché le città che si trovano in essa non sono state già così cambiate. ",
    "russian": "Эта страница о том, как устроен дом, и что с ним можно сделать, если он уже стар и не нужен никому. ",
}
CODE = "var c = new C(); if (c.t == foo.c) { s.t = c.m; } // C++11 c t l d s m n y " * 20


@pytest.mark.parametrize("name", OWN_LETTERS)
def test_a_language_has_its_own_letters(name: str) -> None:
    text = OWN_LETTERS[name] * 4
    assert tongue(text, language(name)) == -1
    assert tongue(text, language("english")) == 1


def test_code_between_the_words_makes_no_other_language() -> None:
    assert tongue(ENGLISH + CODE, language("en")) == -1
    assert tongue(CODE, language("en")) == 0
    assert tongue(OWN_LETTERS["russian"] * 4 + "git clone make install configure " * 40, language("ru")) == -1


def test_indonesian_is_told_though_no_topic_can_be_in_it() -> None:
    text = (
        "Halaman ini adalah untuk pengguna yang akan memasang sistem dengan disk, dan tidak dapat dari jaringan. " * 4
    )
    assert tongue(text, language("en")) == 1


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_in_its_own_language_and_in_no_other(name: str) -> None:
    assert tongue(TEXTS[name], language(name)) == -1
    assert {other: tongue(TEXTS[name], language(other)) for other in TEXTS if other != name} == {
        other: 1 for other in TEXTS if other != name
    }


def test_texts_in_languages_without_small_words_here_are_told_by_their_letters() -> None:
    assert (tongue(CZECH, language("en")), tongue(JAPANESE, language("en"))) == (1, 1)
    assert tongue(ENGLISH, language("ru")) == 1


def test_names_numbers_and_short_texts_are_not_told() -> None:
    assert tongue(PEOPLE, language("en")) == 0
    assert tongue("0.5 17 2024 v1.2 " * 100, language("en")) == 0
    assert tongue("Der Garten", language("en")) == 0
    assert tongue("", language("en")) == 0


def test_every_language_tells_itself_from_english() -> None:
    for name, words in STOP_WORDS.items():
        assert tongue(words, language(name)) == -1
        if name != "english":
            assert tongue(words, language("english")) == 1, name


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("/guide-de/a.html", "/de/b.html"),
        ("/index.de.html", "/help/?lang=de"),
        ("/zh_CN/a.html", "/support.zh-tw.html"),
        ("/pt-br/", "/pt/x/y.html"),
    ],
)
def test_addresses_name_languages_in_several_ways(path: str, same: str) -> None:
    english = language("en")
    found = {named_language(f"https://e.example{each}", english) for each in (path, same)}
    assert len(found) == 1
    assert found.pop() > 1


def test_addresses_that_name_none_or_the_topics_own() -> None:
    english = language("en")
    none = [
        "/",
        "/guide/a.html",
        "/entry/",
        "/a.html",
        "/deep/index.html",
        "/v1/x",
        "/how-to/",
        "/make-it-so/",
        "/id/1",
    ]
    none += ["/foo.pl", "/file.ps", "/lib.so", "/x?sort=no", "/my/account", "/what-is-this.html"]
    for path in none:
        assert named_language(f"https://e.example{path}", english) == 0, path
    for url in (
        "https://en.e.example/a",
        "https://cs.e.example/en/a",
        "https://e.example/ca/en/",
        "https://e.example/?hl=en",
    ):
        assert named_language(url, english) == 1, url
    assert named_language("https://e.example/en_US.utf8/", english) == 1
    assert named_language("https://e.example/de/a", language("de")) == 1
