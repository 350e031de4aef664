"""The words that generated forums are written with."""
# ruff: noqa: RUF001

from __future__ import annotations

_WORDS = {
    "english": (
        "the a of and to in with for river stone lamp window paper garden engine winter copper signal harbour bicycle"
        " repair broken after before noise wheel battery cable kitchen old new what how anyone tried works again never"
        " firmware update screw paint summer price shop ordered bought replaced thanks maybe think found problem solved"
        " because while temperature pressure water wood glue motor light camera lens film print letter map road train"
        " ticket station bridge north south measure weight cheap better worse exactly roughly yesterday morning"
    ),
    "german": (
        "der die das und mit nach über Fahrrad Werkzeug Küche Fenster kaputt wieder heute gestern schön größer warum"
        " niemand Erfahrung Motor Licht Wasser Holz Straße Brücke günstig vielleicht gelöst danke Problem gefunden"
        " neu alt jetzt schon immer Garten Winter Preis kaufen Schraube Übung Gerät"
    ),
    "russian": (
        "и в на с по для дом окно река мост зима лето сад двигатель работает сломался купил нашёл почему спасибо"
        " проблема решена вчера сегодня дорога билет поезд камера свет вода дерево цена магазин новый старый лучше"
        " хуже может быть кто пробовал опять никогда всегда"
    ),
    "japanese": (
        "窓 川 石 冬 夏 庭 電車 駅 橋 写真 自転車 修理 問題 解決 新しい 古い"
        " 水 木 光 値段 店 買いました 壊れた ありがとう でした なぜ"
    ),
    "arabic": (
        "في من على مع بيت نافذة نهر جسر شتاء صيف حديقة محرك يعمل اشتريت وجدت لماذا شكرا مشكلة حل أمس اليوم طريق قطار"
        " محطة ضوء ماء خشب سعر متجر جديد قديم أفضل ربما"
    ),
    "hebrew": (
        "של על עם בית חלון נהר גשר חורף קיץ גינה מנוע עובד קניתי מצאתי"
        " למה תודה בעיה פתרון אתמול היום דרך רכבת תחנה אור מים עץ מחיר חנות חדש ישן"
    ),
}
ALPHABETS = {name: words.split() for name, words in _WORDS.items()}
CATEGORIES = ("General", "Workshop", "Далёкие страны")
BOARDS = (
    ("News and rules", "Announcements of the team"),
    ("Bicycles", "Frames, wheels and everything that turns"),
    ("Travel reports", "Where you have been"),
    ("Introductions", "Say hello"),
    ("Electronics", "Solder, boards and batteries"),
    ("Поезда", "Вокзалы и билеты"),
    ("Photography", "Cameras, lenses and film"),
    ("Woodwork", "Joints, glue and tools"),
    ("السفر", "أسئلة وأجوبة"),
    ("Kitchen", "Recipes and knives"),
    ("Werkstatt", "Fragen auf Deutsch"),
    ("Old archive", "Nobody writes here"),
    ("House rules", "Sub-board with rules"),
    ("Microcontrollers", "Small computers"),
    ("Hiking", "On foot"),
    ("Darkroom", "Chemistry and paper"),
    ("Planes and saws", "Sharp things"),
    ("Marketplace", "Buy and sell"),
)
_NAMES = (
    "anna Bertrand carla_m dmitri Edith frank77 Gustav helene ivo Joanna karl Lena_S Marek nina Otto paula quentin"
    " Rosa sven Tamara ulrich Vera wim Xenia yusuf Zoe amir Bianca cosmo Dora elias Fatima gregor Hanna igor"
    " Jelena kemal Lotte milan Nadia omar Petra rafael Simone tariq Ursula viktor Wanda adam Britta"
)
NAMES = tuple(_NAMES.split())
