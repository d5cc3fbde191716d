"""Write docs/settings.md from the declarations of the settings: ``python scripts/reference.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TARGET = PROJECT / "docs" / "settings.md"
sys.path.insert(0, str(PROJECT))

from ctxpack.cli.options import Flags  # noqa: E402 - the checkout, not an installed package
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
    Setting,
    declarations,
    short,
)

_SOURCES = {
    ANYWHERE: "anywhere",
    USER_ONLY: "flag, variable, own file",
    PLACES: "variable, own file",
    CONVERSATION: "flag",
    TABLES: "files, profiles",
    ENTRIES: "files",
}
_HEAD = """\
# Settings

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
    return f"`{short(each.default)}`" if isinstance(each.default, int | float | str) and each.default else ""


def _text(written: str) -> str:
    return written.replace("|", "\\|")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
