"""Command-line options made from the job's settings: one table makes them all, so none is missing or spelled apart."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from dowse.core.errors import JobError
from dowse.modes.registry import find_mode, mode_names
from dowse.settings import Setting, Value

GIVEN = "dowse.given"
"""Where a command's context keeps the settings that were written on the command line."""

_LONGEST_METAVAR = 60


if TYPE_CHECKING:
    _ValueType = click.ParamType[Value, str]
else:
    _ValueType = click.ParamType  # before click 8.5 it takes no types


class SettingType(_ValueType):
    """A word of the command line, read and checked by its setting."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = setting.name

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Value:
        # An empty word clears a list, which no other word can.
        if self.setting.kind == "list" and not value:
            return ()
        try:
            return self.setting.parse(value)
        except ValueError as error:
            raise click.UsageError(f"{long_name(self.setting)}: {error}", ctx) from error

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self.setting.choices if word.startswith(incomplete)]


class SettingOption(click.Option):
    """The option of one setting. Defaults are left to the job: only what was written is told to the command."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        name = long_name(setting)
        shape: dict[str, Any]
        if setting.kind == "switch":
            names = [f"{name}/--no-{name[2:]}"]
            shape = {"default": None}
        else:
            names = [name, *setting.flags]
            shape = {"type": SettingType(setting), "metavar": "|".join(setting.choices) or setting.metavar}
        text = setting.help
        if len(shape.get("metavar", "")) > _LONGEST_METAVAR:  # which click does not wrap
            text = f"{text} One of {', '.join(setting.choices)}."
            shape["metavar"] = "NAME"
        default = default_text(setting)
        text = f"{text}  [default: {default}]" if default else text
        many = setting.kind == "list"
        super().__init__([*names, setting.name], help=text, multiple=many, callback=_note, expose_value=False, **shape)


@cache
def setting_options(mode: str = "") -> tuple[SettingOption, ...]:
    """One option for every setting of a mode, or of them all; commands share them."""
    rows: dict[str, Setting] = {}
    for name in (mode,) if mode else mode_names():
        for setting in find_mode(name).settings:
            rows.setdefault(setting.name, setting)
    return tuple(SettingOption(setting) for setting in rows.values())


class JobCommand(click.Command):
    """A command that takes every setting of a job, or those of one mode or of some groups, in groups in its help.

    What the command has as an argument of its own is not an option as well.
    """

    def __init__(self, *arguments: Any, groups: tuple[str, ...] = (), mode: str = "", **attributes: Any) -> None:
        self.mode = mode
        self._groups = groups
        self._parameters: list[click.Parameter] = []
        self._is_whole = False
        super().__init__(*arguments, **attributes)

    @property
    def params(self) -> list[click.Parameter]:
        """Made when they are first asked for: `dowse --help` has a dozen such commands, and shows none of them."""
        if not self._is_whole:
            self._is_whole = True
            own = {parameter.name for parameter in self._parameters}
            options = [option for option in setting_options(self.mode) if option.name not in own]
            groups = self._groups or {option.setting.group for option in options}
            self._parameters += [option for option in options if option.setting.group in groups]
        return self._parameters

    @params.setter
    def params(self, parameters: list[click.Parameter]) -> None:
        self._parameters = parameters

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. An error about what was switched off (--no-context) names that, not the option (--context)."""
        try:
            return super().invoke(ctx)
        except JobError as error:
            name, _, said = str(error).partition(":")
            if ctx.meta.get(GIVEN, {}).get(name) is False:
                error.args = (f"--no-{name.replace('_', '-')}:{said}",)
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Argument):
                continue
            title = parameter.setting.title if isinstance(parameter, SettingOption) else "Options"
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records, col_max=26)


def given() -> dict[str, Value]:
    """The settings that were written on the command line, by name."""
    values: dict[str, Value] = click.get_current_context().meta.get(GIVEN, {})
    return values


def _note(context: click.Context, option: click.Parameter, value: Any) -> None:
    name = str(option.name)
    if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
        joined = tuple(item for word in value for item in word) if option.multiple else value
        context.meta.setdefault(GIVEN, {})[name] = joined


def long_name(setting: Setting) -> str:
    """The option as it is typed: --max-pages for max_pages."""
    return "--" + setting.name.replace("_", "-")


def default_text(setting: Setting) -> str:
    """The default in a few words; empty where the help says what nothing means."""
    value = setting.default
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "a built-in list" if value else ""
    return f"{value:g}" if isinstance(value, float) else str(value)
