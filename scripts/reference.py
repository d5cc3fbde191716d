"""Write docs/settings.md and docs/commands.md from what is declared: ``python scripts/reference.py``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SETTINGS_PAGE = PROJECT / "docs" / "settings.md"
COMMANDS_PAGE = PROJECT / "docs" / "commands.md"
sys.path.insert(0, str(PROJECT))


from ctxpack.cli.app import COMMANDS  # noqa: E402 - the checkout, not an installed package
from ctxpack.cli.options import COMMAND_GROUPS, CommandSpec, Flags, declared_flags  # noqa: E402
from ctxpack.settings import SETTINGS  # noqa: E402
from ctxpack.settings.declaration import (  # noqa: E402
    ANYWHERE,
    CONVERSATION,
    ENTRIES,
    PLACES,
    PROGRAM,
    TABLES,
    USER_ONLY,
    Flag,
    Origin,
    Setting,
    declarations,
    format_default,
)

_SOURCES = {
    ANYWHERE: "anywhere",
    USER_ONLY: "flag, variable, own file",
    PLACES: "variable, own file",
    CONVERSATION: "flag",
    TABLES: "files, profiles",
    ENTRIES: "files",
    Origin.PROJECT: "the project's file",
}
_HEAD = """\
# All settings

Written by `scripts/reference.py` from the declarations in `ctxpack/settings/fields.py` and `ctxpack/cli/options.py`; a
test checks that it is current.

A flag wins over a variable, then come the profile, the project's file (`ctxpack.toml`, or `[tool.ctxpack]` in
`pyproject.toml`), your own file and the default. The variable of a setting is `CTXPACK_` and its name in capitals:
`CTXPACK_BUDGET=16k`. `ctxpack doctor` shows which values are in force, and where each comes from.

*Set by* says where a setting may be set: *anywhere* is a flag (if it has one), a variable, your own file, the project's
file or a profile of either. *Own file* means your own file and its profiles: a repository, which may be a stranger's,
cannot set what is run, where code is sent or what a model is told. *Policy* names the table of an organisation's policy
that governs it.
"""


def reference() -> str:
    """Return the text of docs/settings.md."""
    settings = sorted((each for each in SETTINGS.values() if each.sources != PROGRAM), key=lambda each: each.key)
    options = sorted(declarations(Flags).values(), key=lambda each: each.name)
    return "\n".join(
        (
            _HEAD,
            *_table(("Setting", "Default", "Flag", "Set by", "Policy", "Meaning"), map(_setting, settings)),
            "\n## Options of the command line alone\n",
            *_table(("Option", "Meaning"), map(_option, options)),
            "",
        )
    )


_HEAD_OF_COMMANDS = """\
# All commands

Written by `scripts/reference.py` from the declarations in `ctxpack/cli`; a test checks that it is current. What a
shared option means, and its default, is in [All settings](settings.md) and in the help of the command.
"""


def commands() -> str:
    """Return the text of docs/commands.md."""
    parts = [_HEAD_OF_COMMANDS]
    for group in COMMAND_GROUPS:
        parts.append(f"## {group}\n")
        parts += [_command(name, spec) for name, spec in COMMANDS.items() if spec.group == group]
    return "\n".join([*parts, "## Shared options\n", *_panels(), ""])


def _command(name: str, spec: CommandSpec) -> str:
    """The section of a command: what it does, examples, its arguments and own options, names of the shared ones."""
    examples = "\n".join(f"ctxpack {name} {each}".rstrip() for each in spec.examples)
    said = (inspect.getdoc(spec.body) or "").replace("\n\n", "\n").replace("\n", " ")
    own = [f"| `{_text(shown)}` | {_text(meaning)} |" for shown, meaning in _own_parameters(spec)]
    table = ["| Argument, option | Meaning |", "|---|---|", *own, ""] if own else []
    named = [_flag(SETTINGS[each].flag) for each in spec.settings]
    shared = f"Shared options: {', '.join([*named, *spec.panels])}.\n" if spec.panels else ""
    return "\n".join([f"### ctxpack {name}\n", f"{said}\n", f"```sh\n{examples}\n```\n", *table, shared])


def _panels() -> Iterator[str]:
    """The options that several commands share, panel by panel."""
    used = dict.fromkeys(panel for spec in COMMANDS.values() for panel in spec.panels)
    for panel in used:
        names = [f"`{flag.names.split()[0]}`" for _, flag in declared_flags() if flag.panel == panel]
        yield f"- **{panel}**: {', '.join(names)}"


def _own_parameters(spec: CommandSpec) -> Iterator[tuple[str, str]]:
    """How each argument and option that only this command has is typed, and what it means."""
    for each in spec.own:
        yield " ".join(filter(None, ("".join(each.names[:1]), each.metavar))), each.help


def _setting(each: Setting) -> tuple[str, ...]:
    sources = _SOURCES[each.sources]
    return f"`{each.key}`", _default(each), _flag(each.flag), sources, each.rule, _text(each.meaning)


def _option(each: Setting) -> tuple[str, ...]:
    return _flag(each.flag), _text(each.meaning)


def _flag(flag: Flag | None) -> str:
    if flag is None:
        return ""
    metavar = f" {flag.metavar}" if flag.metavar else ""
    names = f"`{flag.names.split()[0]}{_text(metavar)}`"
    return ", ".join((names, *(f"`{name}`" for name in (*flag.names.split()[1:], *flag.also.split()))))


def _default(each: Setting) -> str:
    if each.name == "more_markers":
        return "phrases in English and Russian"
    if isinstance(each.default, bool):
        return f"`{str(each.default).lower()}`"
    return f"`{format_default(each.default)}`" if isinstance(each.default, int | float | str) and each.default else ""


def _text(written: str) -> str:
    return written.replace("|", "\\|")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    SETTINGS_PAGE.write_text(reference(), encoding="utf-8")
    COMMANDS_PAGE.write_text(commands(), encoding="utf-8")
