"""Pages of boards that are neither threads nor lists of them: profiles, members, log-ins, searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks.forum_mirrors.tongues import Tongue
from benchmarks.forum_software.content import User


def profile(say: Tongue, user: User, search: str) -> str:
    facts = ((say["joined"], say.named(user.joined)), (say["posts"], "31"), (say["from"], "Kassel"), ("ICQ", "-"))
    rows = "".join(f"<tr><td><b>{name}:</b></td><td>{value}</td></tr>" for name, value in facts)
    head = f'<tr><th colspan="2">{say["profile"]}: {user.name}</th></tr>'
    return f'<table width="100%">{head}{rows}</table><p><a href="{search}">{say["search"]}: {user.name}</a></p>'


def members(say: Tongue, rows: Iterable[tuple[int, User]], link: Callable[[int, str], str]) -> str:
    lines = "".join(
        f"<tr><td>{at}</td><td>{link(at, user.name)}</td><td>{say.numbered(user.joined)}</td><td>{at * 3}</td></tr>"
        for at, user in rows
    )
    heads = "".join(f"<th>{say[word]}</th>" for word in ("members", "joined", "posts"))
    return f'<table width="100%"><tr><th>#</th>{heads}</tr>{lines}</table>'


def log_in(say: Tongue, action: str) -> str:
    return (
        f'<form action="{action}" method="post"><h3>{say["login"]}</h3><p><label>{say["members"]}</label>'
        '<input type="text" name="user" /></p><p><input type="password" name="passwrd" /></p>'
        f'<p><input type="submit" value="{say["login"]}" /></p><p>{say["rules"]}</p></form>'
    )


def search(say: Tongue, action: str) -> str:
    return (
        f'<form action="{action}" method="get"><h3>{say["search"]}</h3><p><input type="text" name="q" />'
        f'<select name="where"><option>{say["forum"]}</option></select><input type="submit" /></p></form>'
    )
