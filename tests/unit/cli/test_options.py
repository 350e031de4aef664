"""Every setting is an option of every crawling command, and only what was written is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest

from dowse.cli.main import cli
from dowse.cli.options import JobCommand, SettingOption, SettingType, default_text, long_name
from dowse.config import RENDERING
from dowse.modes.registry import find_mode, mode_names
from dowse.settings import Setting, Value

ROWS = list({setting.name: setting for name in reversed(mode_names()) for setting in find_mode(name).settings}.values())
SITE = list(find_mode("site").settings)
# Commands that take the settings of some groups.
PARTIAL = {"extract": ("extract",), "fetch": ("fetch", "extract", "urls"), "login": ("fetch",)}
CRAWLING = [
    name
    for name, command in cli.commands.items()
    if isinstance(command, JobCommand) and name not in (*PARTIAL, "simulate")
]
WORDS = {
    "whole": "7", "number": "7.5", "text": "text", "list": "item", "choice": "",
    "header": "A: b", "auth": "a:b", "proxy": "http://proxy:80", "media_types": "text/css",
    "extract": "a=//b", "exclude_from": "a=//b", "step": "click .a", "signed_in": ".a", "charset": "koi8-r",
    "contact": "a@b.org", "sign_key": "env:A", "signature_agent": "https://a.org", "use": "search",
    "follow": "a.py:b", "on_page": "a:b", "wrap_fetcher": "a.b:c.d",
    "cluster": "head:6379", "store": "postgresql://a@b/c",
}  # fmt: skip
# What must be there for an option to make sense.
NEEDED = {
    "exclude_from": ("--extract", "a=//a"), "on": ("--extract", "a=//a"),
    "sign_key": ("--signature-agent", "https://b.org"), "signature_agent": ("--sign-key", "env:A"),
    **dict.fromkeys(RENDERING, ("--fetch", "browser")),
}  # fmt: skip


def written(setting: Setting) -> tuple[list[str], Value]:
    """A use of the setting's option that differs from its default, and what it means."""
    name = long_name(setting)
    if setting.kind == "switch":
        return [f"--no-{name[2:]}" if setting.default else name], not setting.default
    word = WORDS.get(setting.name) or WORDS[setting.kind] or setting.choices[-1]
    return [name, word], setting.parse(word)


def test_the_crawling_commands() -> None:
    modes = ["site", "focus", "files", "forms", "forum"]
    assert [*modes, "mirror", "run", "resume", "retry", "recrawl", "demo"] == CRAWLING


@pytest.mark.parametrize("name", CRAWLING)
def test_every_setting_is_an_option_of_every_crawling_command(name: str) -> None:
    command = cli.commands[name]
    assert isinstance(command, JobCommand)
    options = {option.setting for option in command.params if isinstance(option, SettingOption)}
    assert options == set(find_mode(command.mode).settings if command.mode else ROWS)


def test_what_is_an_argument_is_no_option_as_well() -> None:
    group = cli.commands["rules"]
    assert isinstance(group, click.Group)
    options = {option.setting.name for option in group.commands["run"].params if isinstance(option, SettingOption)}
    assert options == {setting.name for setting in find_mode("rules").settings} - {"table"}


def test_a_rule_crawl_shows_its_own_defaults(invoke: Callable[..., Any]) -> None:
    text = " ".join(invoke("rules", "run", "--help").out.split())
    assert "go anywhere. [default: any]" in text


@pytest.mark.parametrize("name", PARTIAL)
def test_extracting_again_and_fetching_one_page_take_what_is_about_them(name: str) -> None:
    options = [option.setting for option in cli.commands[name].params if isinstance(option, SettingOption)]
    assert options == [setting for setting in SITE if setting.group in PARTIAL[name]]


@pytest.mark.parametrize("name", [*CRAWLING, *PARTIAL])
def test_no_two_parameters_of_a_command_clash(name: str) -> None:
    words = [word for parameter in cli.commands[name].params for word in (*parameter.opts, *parameter.secondary_opts)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("setting", SITE, ids=lambda setting: setting.name)
def test_an_option_reaches_the_job(setting: Setting, app: Any, invoke: Callable[..., Any]) -> None:
    words, value = written(setting)
    assert invoke("site", "http://example.org/", "--quiet", *NEEDED.get(setting.name, ()), *words).code == 0
    [(_, _, job)] = app.calls
    assert getattr(getattr(job, setting.group), setting.name) == value
    assert invoke("resume", "out", "--quiet", *words).code == 0
    assert app.calls[-1] == ("resume", "out", {setting.name: value})


def test_lists_add_up_and_an_empty_word_clears_them(app: Any, invoke: Callable[..., Any]) -> None:
    invoke("resume", "out", "-q", "--include", "a", "--include", "b", "--drop-parameters", "")
    assert app.calls == [("resume", "out", {"include": ("a", "b"), "drop_parameters": ()})]


def test_numbers_below_zero_are_values_not_options(app: Any, invoke: Callable[..., Any]) -> None:
    invoke("resume", "out", "-q", "--depth", "-1", "--delay", "-1")
    assert app.calls == [("resume", "out", {"depth": -1, "delay": -1.0})]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-pages", "ten"], "--max-pages: expected a whole number, got 'ten'"),
        (["--per-host", "0"], "--per-host: must be at least 1, got 0"),
        (["--timeout", "nan"], "--timeout: must be at most 1e+09, got nan"),
        (["--scope", "hots"], "--scope: expected one of host, domain, any; got 'hots'"),
        (["--header", "Cookie"], "--header: expected 'NAME: VALUE'"),
    ],
)
def test_a_wrong_value_is_named_as_it_was_typed(words: list[str], message: str, invoke: Callable[..., Any]) -> None:
    result = invoke("site", "http://example.org/", *words)
    assert result.code == 2
    assert result.err.startswith(f"dowse: error: {message}")
    assert result.err.endswith("(see dowse site --help)\n")
    assert result.err.count("\n") == 1


def test_a_misspelled_option_is_told_with_the_right_one(invoke: Callable[..., Any]) -> None:
    result = invoke("site", "http://example.org/", "--max-page", "1")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert result.err.startswith("dowse: error: No such option")  # the rest of its words vary with the version of click
    assert "--max-page" in result.err
    assert "--max-pages" in result.err


def test_help_shows_the_groups_in_order_and_defaults(invoke: Callable[..., Any]) -> None:
    text = invoke("site", "--help").out
    titles = list(dict.fromkeys(setting.title for setting in SITE))
    places = [text.index(f"\n{title}:\n") for title in ["Options", *titles]]
    assert places == sorted(places)
    assert "--max-pages N " in text
    assert "--scope host|domain|any " in text
    assert "[default: 64]" in text
    assert max(len(line) for line in text.splitlines()) <= 80


@pytest.mark.parametrize(
    ("name", "text"),
    [("max_pages", "0"), ("delay", "-1"), ("cookies", "on"), ("sort_query", "off"), ("scope", "host"),
     ("proxy", ""), ("include", ""), ("drop_parameters", "a built-in list")],
)  # fmt: skip
def test_default_text(name: str, text: str) -> None:
    assert default_text(next(setting for setting in SITE if setting.name == name)) == text


def test_choices_are_completed() -> None:
    setting = next(setting for setting in SITE if setting.name == "scope")
    context = click.Context(cli.commands["site"])
    option = next(option for option in cli.commands["site"].params if option.name == "scope")
    assert [item.value for item in SettingType(setting).shell_complete(context, option, "d")] == ["domain"]


def commands(group: click.Group) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (name,)
        if isinstance(command, click.Group):
            yield from ((name, *words) for words in commands(command))


@pytest.mark.parametrize("words", list(commands(cli)), ids=" ".join)
def test_help_keeps_to_the_width_of_a_terminal(words: tuple[str, ...], invoke: Callable[..., Any]) -> None:
    assert max(map(len, invoke(*words, "--help").out.splitlines())) <= 80


def test_many_choices_are_named_in_the_text(invoke: Callable[..., Any]) -> None:
    words = " ".join(invoke("focus", "--help").out.split())
    assert "--by NAME The ranker: how the next link is chosen. One of learned, semantic, astar," in words
