"""Log-ins and log-outs, told by their addresses and by the words on them.

A crawl with a log-in must not end it, and has to notice when it is lost. What ends a session has one of a few names,
in each language, and stands in one place of an address: a segment of the path, or a parameter. Names are compared as
wholes, but for words such as `user` around them, so that `/docs/how-to-log-out` stays a page.

Texts come from pages: each is cut before it is looked at, and nothing here looks back.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_plus, urlsplit

from dowse.core.job import FetchOptions

LOG_OUT = "log-out"
"""Why a link is left alone that would end the session of the crawl."""

SIGNED_OUT = "signed out"
"""How the note on a page begins that looks as if nobody were logged in."""

_LONGEST = 60
_LONGEST_ADDRESS = 2_000

# As they stand on links and buttons. Left out are words that also mean something else (exit, quit, leave, end).
# ruff: noqa: RUF001  (letters of other alphabets)
_OUT = (
    "log out", "log off", "log me out", "log out now", "log out of your account", "sign out", "sign off", "sign me out",
    "end session", "switch account",
    "abmelden", "ausloggen", "logga ut", "logg ut", "log ud", "logg av", "uitloggen", "afmelden", "kirjaudu ulos",
    "déconnexion", "se déconnecter", "me déconnecter", "déconnecter",
    "cerrar sesión", "cerrar la sesión", "desconectarse", "desconectar", "salir", "finalizar sesión",
    "sair", "terminar sessão", "encerrar sessão", "esci", "disconnetti", "disconnettiti", "tanca la sessió",
    "wyloguj", "wyloguj się", "wylogowanie", "odhlásit", "odhlásit se", "odhlásiť", "odhlásiť sa", "odhlášení",
    "kijelentkezés", "deconectare", "deconectează-te", "odjava", "odjavi se", "çıkış", "çıkış yap", "oturumu kapat",
    "αποσύνδεση", "выход", "выйти", "вийти", "вихід", "изход", "одјави се", "התנתק", "התנתקות", "יציאה",
    "تسجيل الخروج", "خروج", "ログアウト", "サインアウト", "退出", "退出登录", "退出登錄", "登出", "注销", "註銷",
    "로그아웃", "ออกจากระบบ", "đăng xuất", "thoát", "keluar", "log keluar", "लॉग आउट", "साइन आउट",
)  # fmt: skip
_IN = (
    "log in", "log on", "sign in", "sign on", "anmelden", "einloggen", "logga in", "logg inn", "log ind", "inloggen",
    "aanmelden", "kirjaudu", "kirjaudu sisään", "connexion", "se connecter", "iniciar sesión", "acceder", "entrar",
    "iniciar sessão", "fazer login", "accedi", "zaloguj", "zaloguj się", "přihlásit", "přihlásit se", "prihlásiť sa",
    "bejelentkezés", "autentificare", "conectare", "prijava", "prijavi se", "giriş", "giriş yap", "oturum aç",
    "σύνδεση", "войти", "вход", "увійти", "התחבר", "כניסה", "تسجيل الدخول", "ログイン", "サインイン", "登录", "登錄",
    "登入", "로그인", "เข้าสู่ระบบ", "đăng nhập", "masuk", "लॉग इन",
)  # fmt: skip
# In addresses there are a few more, which programs use.
_OUT_ADDRESS = ("logout", "logoff", "signout", "signoff", "logmeout", "endsession", "destroysession", "sessiondestroy",
                "deconnexion", "deconnecter", "cerrarsesion", "abmelden", "ausloggen", "uitloggen", "wyloguj",
                "odhlasit", "loggaut", "deauth", "unauthenticate", "logouturl")  # fmt: skip
_IN_ADDRESS = ("login", "logon", "signin", "signon", "authenticate", "connexion", "anmelden", "einloggen", "inloggen",
               "iniciarsesion", "loginform", "loginpage")  # fmt: skip
_PARTS: dict[str, str] = {
    # what may stand around them
    "around": "account accounts action admin ajax all api app auth bin cas cgi com confirm customer customers default "
    "do frontend handle home index j main me member members my oauth oidc openid page perform portal process saml "
    "secure security service session sessions shop site special spring sso submit system user users web wp your",
    # endings of pages; a script or a picture with such a name ends nothing
    "pages": "action ashx asp aspx axd cfm cgi do faces htm html json jsp jspx php php5 phtml pl py shtml xhtml",
    # parameters whose value is a text to look for, or the page to go to afterwards
    "no acts": "back continue dest destination from goto keyword keywords lang next q query redirect redirect_to "
    "redirect_uri ref referer referrer return return_to return_url returnto returnurl s search tag tags term terms "
    "text url",
}
_PATH = "q"
"""The parameter that is a path on some sites (Drupal), and a text to look for on the others."""

_AROUND, _PAGES, _NO_ACTS = (frozenset(names.split()) for names in _PARTS.values())

_BRACKETED = re.compile(r"[(\[{<][^()\[\]{}<>]*[)\]}>]")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_LETTERS = re.compile(r"[\W\d_]+")


def has_session(options: FetchOptions) -> bool:
    """Whether a crawl has a log-in to lose."""
    cookie = any(header.lower().startswith("cookie:") for header in options.header)
    return bool(options.profile or options.signed_in or cookie)


def says_log_out(words: str) -> bool:
    """Whether a link or button with these words ends the session.

    >>> says_log_out("Log out (me)"), says_log_out("Se déconnecter"), says_log_out("How to log out")
    (True, True, False)
    """
    return _is_named(words, _OUT_WORDS)


def says_log_in(words: str) -> bool:
    """
    >>> says_log_in("Sign in"), says_log_in("Anmelden »"), says_log_in("Sign in the window")
    (True, True, False)
    """
    return _is_named(words, _IN_WORDS)


def leads_to_log_out(url: str) -> bool:
    """Whether asking for an address ends the session.

    >>> leads_to_log_out("https://e.org/users/sign_out"), leads_to_log_out("https://e.org/wp-login.php?action=logout")
    (True, True)
    >>> leads_to_log_out("https://e.org/docs/how-to-log-out"), leads_to_log_out("https://e.org/logout.js")
    (False, False)
    """
    return _leads_to(url, _OUT_NAMES)


def leads_to_log_in(url: str) -> bool:
    """Whether it is the address of a page to log in on.

    >>> leads_to_log_in("https://e.org/account/login?next=/private"), leads_to_log_in("https://e.org/blog")
    (True, False)
    """
    return _leads_to(url, _IN_NAMES)


def _folded(text: str) -> str:
    """Letters alone, in lower case and without their marks.

    >>> _folded("Se déconnecter  »")
    'sedeconnecter'
    """
    plain = unicodedata.normalize("NFKD", text[:_LONGEST]).casefold()
    return _LETTERS.sub("", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def _is_named(words: str, names: frozenset[str]) -> bool:
    if len(words) > _LONGEST:
        return False
    return _folded(words) in names or _folded(_BRACKETED.sub("", words)) in names


def _leads_to(url: str, names: frozenset[str]) -> bool:
    try:
        parts = urlsplit(url[:_LONGEST_ADDRESS])
    except ValueError:
        return False
    segments = [segment for segment in parts.path.split("/") if segment]
    # What follows may be the session's own token: /logout/3f9a2c.
    if any(_is_name(segment, names) for segment in segments[-2:]):
        return True
    for pair in parts.query.split("&"):
        name, _, value = pair.partition("=")
        if name.lower() not in _NO_ACTS and (
            (_is_name(name, names) and value not in ("0", "false", "no")) or _is_name(value.rpartition("/")[2], names)
        ):
            return True
        if name == _PATH and "/" in unquote_plus(value) and _is_name(value, names):
            return True
    return False


def _is_name(written: str, names: frozenset[str]) -> bool:
    """Whether a part of an address is one of the names, whatever harmless words stand around it."""
    if not 3 < len(written) <= _LONGEST:
        return False
    text = unquote_plus(written).partition(";")[0]
    stem, dot, extension = text.rpartition(".")
    if dot and extension.lower() not in _PAGES:
        return False
    words = [_folded(word) for word in _WORDS.findall(stem if dot else text)]
    rest = "".join(word for word in words if word not in _AROUND)
    if rest in names:
        return True
    # userlogout, logoutuser: written together
    return any(
        (rest.endswith(name) and rest[: -len(name)] in _AROUND)
        or (rest.startswith(name) and rest[len(name) :] in _AROUND)
        for name in names
        if name in rest
    )


_OUT_WORDS = frozenset(map(_folded, _OUT))
_IN_WORDS = frozenset(map(_folded, _IN))
_OUT_NAMES = frozenset(map(_folded, _OUT_ADDRESS))
_IN_NAMES = frozenset(map(_folded, _IN_ADDRESS))
