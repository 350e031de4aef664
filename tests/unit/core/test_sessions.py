"""What ends a session, by its address and by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import FetchOptions
from dowse.core.sessions import has_session, leads_to_log_in, leads_to_log_out, says_log_in, says_log_out

LOG_OUTS = (
    "/logout", "/Logout.aspx", "/log-out", "/log_out.php", "/LogOff", "/signout", "/users/sign_out",
    "/account/logout/3f9a2c", "/do/logout.action", "/j_spring_security_logout", "/c/portal/logout",
    "/auth/realms/x/protocol/openid-connect/logout", "/userlogout.jsp", "/?logout", "/?logout=1",
    "/index.php?title=Special:UserLogout&returnto=Home", "/index.php?route=account/logout",
    "/wp-login.php?action=logout&_wpnonce=1", "/d%C3%A9connexion", "/cerrar-sesion", "/abmelden",
    "/session/logout?token=1", "/?q=user/logout", "/index.php?q=user%2Flogout&token=1",
)  # fmt: skip
PAGES = (
    "/", "/blog/logout-problems", "/docs/how-to-log-out", "/logout.css", "/static/logout.js", "/search?q=logout",
    "/?q=login/logout", "/?q=docs/logout-page",
    "/login?next=/logout", "/outlet", "/checkout", "/layout", "/policy/sign-off-sheet", "/?logout=0", "/login",
)  # fmt: skip


@pytest.mark.parametrize("path", LOG_OUTS)
def test_addresses_that_end_a_session(path: str) -> None:
    assert leads_to_log_out(f"https://example.org{path}")


@pytest.mark.parametrize("path", PAGES)
def test_addresses_of_pages(path: str) -> None:
    assert not leads_to_log_out(f"https://example.org{path}")


@pytest.mark.parametrize("path", ["/login", "/user/login?next=/a", "/SignIn.aspx", "/sessions/login", "/wp-login.php"])
def test_addresses_to_log_in(path: str) -> None:
    assert leads_to_log_in(f"https://example.org{path}")
    assert not leads_to_log_out(f"https://example.org{path}")


@pytest.mark.parametrize(
    "words",
    ["Log out", "LOGOUT", "log-out", "Sign out »", "Log out (me@example.org)", "Abmelden", "Se déconnecter",
     "Cerrar sesión", "Wyloguj się", "Выйти", "Déconnexion", "ログアウト", "退出登录", "로그아웃", "تسجيل الخروج"],
)  # fmt: skip
def test_words_that_end_a_session(words: str) -> None:
    assert says_log_out(words)
    assert not says_log_in(words)


@pytest.mark.parametrize("words", ["", "Log in", "How to log out", "Logout problems", "Sign out of the box", "x" * 500])
def test_other_words(words: str) -> None:
    assert not says_log_out(words)


def test_a_crawl_has_a_session_to_lose() -> None:
    assert not has_session(FetchOptions(header=("X-Colour: blue",)))
    assert all(
        has_session(options)
        for options in (
            FetchOptions(profile="me.json"),
            FetchOptions(signed_in=".user"),
            FetchOptions(header=("Cookie: session=42",)),
        )
    )


@given(st.text())
def test_whatever_pages_say(text: str) -> None:
    for ask in (leads_to_log_in, leads_to_log_out, says_log_in, says_log_out):
        assert ask(text) in (True, False)
