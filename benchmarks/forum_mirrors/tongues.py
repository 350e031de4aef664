"""What boards say in several languages: their own words, and how they write dates."""
# ruff: noqa: E501, RUF001 (words of other languages)

from __future__ import annotations

from datetime import datetime

_NAMES = [
    "forum",
    "topics",
    "posts",
    "last",
    "author",
    "replies",
    "views",
    "by",
    "joined",
    "next",
    "previous",
    "page",
    "login",
    "register",
    "search",
    "members",
    "faq",
    "reply",
    "quote",
    "wrote",
    "profile",
    "from",
    "print",
    "newest",
    "sticky",
    "locked",
    "moved",
    "home",
    "edited",
    "times",
    "subject",
    "message",
    "sort",
    "new",
    "started",
    "guests",
    "rules",
    "read",
    "goto",
    "today",
]
_SAID = {
    "en": "Board index|Topics|Posts|Last post|Author|Replies|Views|by|Joined|Next|Previous|Page|Login|Register|Search"
    "|Members|FAQ|Post reply|Quote|wrote|Profile|Location|Print view|View latest post|Sticky|Locked|Moved|Home"
    "|Last edited by|All times are UTC|Subject|Message|Sort by|New topic|Started by|Users browsing this forum: 2 guests"
    "|Forum rules|Read|Go to page|Today",
    "de": "Foren-Übersicht|Themen|Beiträge|Letzter Beitrag|Autor|Antworten|Zugriffe|von|Registriert|Nächste|Vorherige"
    "|Seite|Anmelden|Registrieren|Suche|Mitglieder|Hilfe|Antworten|Zitat|hat geschrieben|Profil|Wohnort|Druckansicht"
    "|Neuester Beitrag|Wichtig|Gesperrt|Verschoben|Startseite|Zuletzt geändert von|Alle Zeiten sind UTC|Betreff"
    "|Nachricht|Sortiere nach|Neues Thema|Begonnen von|Mitglieder in diesem Forum: 0 und 2 Gäste|Forumsregeln|Gelesen"
    "|Gehe zu Seite|Heute",
    "ru": "Список форумов|Темы|Сообщения|Последнее сообщение|Автор|Ответы|Просмотры|от|Зарегистрирован|След.|Пред."
    "|Страница|Вход|Регистрация|Поиск|Пользователи|Вопросы|Ответить|Цитата|писал(а)|Профиль|Откуда|Версия для печати"
    "|Перейти к последнему|Важная|Закрыта|Перемещена|Главная|Последний раз редактировалось|Часовой пояс: UTC"
    "|Заголовок|Сообщение|Поле сортировки|Новая тема|Автор темы|Сейчас этот форум просматривают: 2 гостя"
    "|Правила форума|Прочитано|На страницу|Сегодня",
    "ja": "フォーラム一覧|トピック|投稿|最新投稿|投稿者|返信|閲覧数|by|登録日|次へ|前へ|ページ|ログイン|新規登録|検索|メンバー|よくある質問|返信する|引用|さんが書きました"
    "|プロフィール|所在地|印刷|最新の投稿|重要|ロック|移動|ホーム|最終編集|All times are UTC|件名|本文|並び替え|新規トピック|開始者|閲覧中のユーザー: 2"
    "|規則|閲覧|ページ移動|今日",
    "zh": "论坛|主题|帖数|最后发表|作者|回复|查看|by|注册时间|下一页|上一页|页|登录|注册|搜索|会员|帮助|回复|引用|发表于|资料|来自|打印"
    "|最新|置顶|关闭|移动|首页|本帖最后由|GMT, 当前时间|标题|内容|排序|发新帖|发起|正在浏览: 2|版规|阅读|跳至|今天",
    "ar": "قائمة المنتديات|مواضيع|مشاركات|آخر مشاركة|الكاتب|ردود|مشاهدات|بواسطة|اشترك في|التالي|السابق|صفحة|دخول"
    "|التسجيل|بحث|الأعضاء|التعليمات|إضافة رد|اقتباس|كتب|الملف الشخصي|مكان|طباعة|آخر مشاركة|مثبت|مغلق|منقول|الرئيسية"
    "|آخر تعديل بواسطة|الأوقات بتوقيت UTC|عنوان|رسالة|ترتيب|موضوع جديد|بدأه|يتصفح المنتدى الآن: 2|القوانين|قرئت"
    "|انتقل إلى|اليوم",
    "fr": "Index du forum|Sujets|Messages|Dernier message|Auteur|Réponses|Vues|par|Inscription|Suivante|Précédente|Page"
    "|Connexion|Inscription|Rechercher|Membres|FAQ|Répondre|Citer|a écrit|Profil|Localisation|Imprimer"
    "|Voir le dernier message|Annonce|Verrouillé|Déplacé|Accueil|Modifié en dernier par|Heures au format UTC|Sujet"
    "|Message|Trier par|Nouveau sujet|Démarré par|Utilisateurs parcourant ce forum: 2 invités|Règles|Lu|Aller à la page"
    "|Aujourd'hui",
    "pl": "Strona główna forum|Tematy|Posty|Ostatni post|Autor|Odpowiedzi|Odsłony|przez|Rejestracja|Następna|Poprzednia"
    "|Strona|Zaloguj|Zarejestruj|Szukaj|Użytkownicy|Pomoc|Odpowiedz|Cytuj|pisze|Profil|Skąd|Drukuj|Ostatni post|Ważne"
    "|Zablokowany|Przeniesiony|Start|Ostatnio zmieniony przez|Strefa czasowa UTC|Temat|Wiadomość|Sortuj|Nowy temat"
    "|Rozpoczęty przez|Przeglądający: 2 gości|Zasady|Przeczytano|Idź do strony|Dzisiaj",
}
TALKS = {"en": "english", "de": "german", "ru": "russian", "ja": "japanese", "zh": "japanese", "ar": "arabic"}
"""In which of the languages of generated posts people write; all others write English."""

_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "ru": "янв фев мар апр май июн июл авг сен окт ноя дек",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "pl": "sty lut mar kwie maja cze lip sie wrz paź lis gru",
}
_DAYS = {
    "en": "Mon Tue Wed Thu Fri Sat Sun",
    "de": "Mo Di Mi Do Fr Sa So",
    "ru": "Пн Вт Ср Чт Пт Сб Вс",
    "fr": "lun. mar. mer. jeu. ven. sam. dim.",
    "pl": "pn wt śr czw pt sob ndz",
}


class Tongue:
    """The words of one language, as attributes."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.direction = "rtl" if language == "ar" else "ltr"
        said = _SAID[language].split("|")
        self._words = dict(zip(_NAMES, said, strict=True))

    def __getitem__(self, name: str) -> str:
        return self._words[name]

    def named(self, when: datetime) -> str:
        """A date with the name of its month where people write one: Sat Mar 02, 2024 9:30 am."""
        months, days = _MONTHS.get(self.language), _DAYS.get(self.language)
        if self.language in ("ja", "zh"):
            return f"{when.year}年{when.month}月{when.day}日 {when:%H:%M}"
        if months is None or days is None:
            return f"{when:%d-%m-%Y, %H:%M}"
        month, day = months.split()[when.month - 1], days.split()[when.weekday()]
        if self.language == "en":
            return f"{day} {month} {when:%d, %Y} {when.hour % 12 or 12}:{when:%M} {'am' if when.hour < 12 else 'pm'}"
        return (
            f"{day} {when.day}. {month} {when:%Y, %H:%M}"
            if self.language == "de"
            else f"{day} {when.day} {month} {when:%Y, %H:%M}"
        )

    def numbered(self, when: datetime) -> str:
        """A date in numbers."""
        shapes = {"en": "%m-%d-%Y, %I:%M %p", "de": "%d.%m.%Y, %H:%M", "ru": "%d.%m.%Y, %H:%M", "zh": "%Y-%m-%d %H:%M"}
        return format(when, shapes.get(self.language, "%Y/%m/%d %H:%M" if self.language == "ja" else "%d/%m/%Y, %H:%M"))
