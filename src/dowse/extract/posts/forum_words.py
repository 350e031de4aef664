"""What people say on forum pages in many languages: groups of words, for where structure leaves a choice."""

# ruff: noqa: RUF001 (letters of other scripts are meant)

from __future__ import annotations

from collections.abc import Mapping

import regex

EDITED = regex.compile(
    r"\b(?:last\s+)?(?:edit(?:ed)?|modified|updated|changed|revised)\b|bearbeitet|geändert|editiert|aktualisiert|"
    r"modifié|édité|mis à jour|editado|modificado|actualizado|modificato|aggiornato|gewijzigd|bewerkt|"
    r"изменен|отредактировано|исправлено|редактировал|edytowan|zmieniony|upraven|szerkesztve|düzenlen|"
    r"編集|编辑|編輯|修改|更新|수정|편집|تعديل|ویرایش|נערך|แก้ไข|chỉnh sửa",
    regex.IGNORECASE,
)
"""Words of notes that say when a post was changed."""

JOINED = regex.compile(
    r"\bjoin|re[gk]ist|member since|beigetreten|dabei seit|mitglied seit|anmeldungsdatum|inscri|membre depuis|"
    r"miembro desde|membro d[ae]|ingreso|ingresso|iscritto|lid sinds|medlem s[ie]d|tilmeldt|liittynyt|регистр|"
    r"на форуме с|dołączy|rejestr|csatlakoz|kayıt|üyelik|katılım|εγγραφή|注册|註冊|登録|参加日|加入|가입|عضویت|"
    r"تاريخ التسجيل|انضمام|הצטרף|สมัคร|tham gia|last (?:visit|seen|active|online)|letzter besuch|"
    r"zuletzt (?:online|aktiv)|dernière visite|ultima visita|última visita|последний визит",
    regex.IGNORECASE,
)
"""Since when somebody is a member, and when they were last there: no times of posts."""

POSTED = regex.compile(
    r"[\s«»|:]*+(?:(?:posted|written|sent|published|created|date|on|verfasst|geschrieben|erstellt|gesendet|am|posté|écrit|"
    r"publié|envoyé|le|publicado|enviado|escrito|inviato|scritto|pubblicato|geplaatst|wysłany|napisan\p{L}|отправлено|"
    r"добавлено|написано|zaslal|elküldve|gönderilme|tarih|skrivet|skrevet|lähetetty)(?!\p{L})|发表于|發表於|投稿日|작성|أرسل|ارسال|"
    r"נשלח|đăng|gửi)",
    regex.IGNORECASE,
)
"""What a line begins with that says when a post was written."""

WROTE = regex.compile(
    r"\b(?:wrote|writes|said|schrieb|hat geschrieben|a écrit|escribió|dijo|escreveu|ha scritto|scrisse|"
    r"schreef|napisał\(?a?\)?|"
    r"skrev|yazdı|написал(?:\(а\)|[аи])?|пишет|писал(?:\(а\)|[аи])?)(?!\w)|写道|說|说|さんが書きました|کتب|نوشته|כתב",
    regex.IGNORECASE,
)
"""What stands after the name of who is quoted."""

QUOTED_FROM = regex.compile(
    r"(?:originally\s++posted\s++by|quote\s++from|quoting|quote|zitat\s++von|zitat|citation\s++de|citation|cita\s++de|cita|citazione|"
    r"цитата|cytat|引用元|引用)(?!\w)[:：\s]*+(?:(?:by|from)[:\s]++)?",
    regex.IGNORECASE,
)
"""What stands before it."""

REPLY = regex.compile(r"(?:re|aw|sv|vs|rv|ответ|回复|antw)\s*+[:：]\s*+", regex.IGNORECASE)
"""What stands before the title in the title of a reply."""

QUOTE_LABEL = regex.compile(
    r"\s*+(?:quote|zitat|citation|cita|citazione|цитата|cytat|引用|alıntı|اقتباس|نقل قول)\s*+[:：]?\s*+",
    regex.IGNORECASE,
)
"""What stands above a quote."""

FROM = regex.compile(
    r"\s*+(?:from|von|de|da|od|от|author|afzender|差出人|发件人|寄件者|보낸 사람)\s*+:\s*+(?P<name>.{1,120})",
    regex.IGNORECASE,
)
"""The field of a mail that says who sent it."""

BY = regex.compile(
    r"(?:\b(?:by|von|par|por|di|door|от|przez|af|av|de|from)\b|作者|投稿者|由)[:：]?\s++(?P<name>[^»,|<>\n]{1,40}?)\s*+"
    r"(?:[»,|<>(—–-]|\bon\b|\bam\b|\bat\b|\ble\b|$)",
    regex.IGNORECASE,
)
"""Who wrote something, in the line that says when."""

SMALL_WORDS = regex.compile(
    r"\b(?:posted|wrote|writes|said|on|at|am|um|by|von|schrieb|le|el|il|message|reply|post|date|replied|commented|permalink)\b",
    regex.IGNORECASE,
)
"""What else is said in that line."""

STICKY = regex.compile(
    r"sticky|pinned|announce|\bpin\b|wichtig|angepinnt|ankündigung|épinglé|important|fijado|anclado|in evidenza|"
    r"закреп|прикреп|przyklej|sabit|置顶|置頂|固定|고정|مثبت|מוצמד|klistrad",
    regex.IGNORECASE,
)

COUNTED: Mapping[str, regex.Pattern[str]] = {
    "threads": regex.compile(
        r"\b(?:topics?|threads?|discussions?|subjects?|themen|thema|themes|sujets?|discussioni?|temas?|onderwerpen|tem[aы]?|"
        r"тем[аы]?|temat[yów]*|konu(?:lar)?|témat[ay]?)\b|主题|主題|トピック|スレッド|주제|مواضيع|موضوع|נושאים",
        regex.IGNORECASE,
    ),
    "replies": regex.compile(
        r"\b(?:repl(?:y|ies)|answers?|comments?|responses?|antworten|réponses?|respuestas?|risposte|respostas?|reacties|"
        r"ответ(?:ов|ы|а)?|odpowied\p{L}*|yanıt(?:lar)?|cevap(?:lar)?|svar|odpověd\p{L}*)\b|回复|回覆|返信|답글|댓글|ردود|پاسخ|תגובות",
        regex.IGNORECASE,
    ),
    "views": regex.compile(
        r"\b(?:views?|hits|reads?|seen|aufrufe|zugriffe|gelesen|vues|affichages|lectures|vistas|visitas|visite|visualizzazioni|"
        r"weergaven|bekeken|просмотр\p{L}*|wyświetle\p{L}*|odsłony|görüntüle\p{L}*|visningar|zobrazení)\b|浏览|瀏覽|查看|閲覧|"
        r"조회|مشاهدات|بازدید|צפיות",
        regex.IGNORECASE,
    ),
    "posts": regex.compile(
        r"\b(?:posts?|messages?|beiträge|nachrichten|mensajes|messaggi|mensagens|berichten|сообщени\p{L}*|post[yów]*|mesaj(?:lar)?|"
        r"inlägg|příspěvk\p{L}*)\b|帖子|贴子|投稿|記事|게시물|글|مشاركات|ارسال|הודעות",
        regex.IGNORECASE,
    ),
}
"""What the numbers of a row count."""

ABOUT_TIMES = regex.compile(
    r"all times|time ?zone|times are|alle zeiten|zeitzone|heures? au format|fuseau|horaire|todas las horas|zona|"
    r"tutti gli orari|fuso|tijden|часово|время|czas|saat|時區|时区|時間|时间|タイムゾーン|시간대|"
    r"همه زمان|المنطقة الزمنية",
    regex.IGNORECASE,
)
"""The note at the foot of a page that says which zone its times are in."""
