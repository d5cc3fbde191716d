"""What a shell can complete: paths, symbols, and the values of options. Nothing is loaded before a shell asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import typer

from ctxpack.settings.declaration import Setting

Complete: TypeAlias = "Callable[[typer.Context, str], list[str]]"
"""Takes what was typed before, and the beginning of a word; gives the words that it may become."""

_NOTHING_SAYS_THIS: Final = "\0"


def completion_of(setting: Setting) -> Complete | None:
    """The completion of an option's value; None where a shell completes files, or nothing is known."""
    if setting.flag is None or setting.flag.kind in {"switch", "pair", "file"}:
        return None
    if setting.name == "root":
        return complete_folder
    words = _WORDS.get(setting.name) or (lambda _: choices_of(setting))

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        *before, last = incomplete.split(",") if setting.flag and setting.flag.kind == "list" else [incomplete]
        with suppress(Exception):  # a shell shows no error: it completes nothing
            found = sorted({word for word in words(context) if word.startswith(last)})
            return [",".join([*before, word]) for word in found]
        return []

    return complete


def choices_of(setting: Setting) -> Iterable[str]:
    """The words that a setting can have, as its reader names them."""
    from ctxpack.settings.readers import ChoiceError

    try:
        if setting.reader is not None:
            setting.reader(_NOTHING_SAYS_THIS)
    except ChoiceError as error:
        return error.choices
    except ValueError:  # it has no choices to show
        pass
    return ()


def complete_path(context: typer.Context, incomplete: str) -> list[str]:
    """Files and folders of the repository: below the root that was typed, or the current folder."""
    return _paths(_root(context), incomplete)


def complete_scope(context: typer.Context, incomplete: str) -> list[str]:  # noqa: ARG001 - as all of these
    """What can be packed."""
    from ctxpack.model import Scope

    return [each for each in Scope if each.startswith(incomplete)]


def complete_words(context: typer.Context, incomplete: str) -> list[str]:
    """The paths of a file that is to be packed; nothing else has words that are known."""
    return complete_path(context, incomplete) if context.params.get("scope") == "file" else []


def complete_folder(context: typer.Context, incomplete: str) -> list[str]:  # noqa: ARG001 - as all of these
    """Folders, from the current one."""
    return _paths(Path(), incomplete, only_folders=True)


def _paths(base: Path, incomplete: str, *, only_folders: bool = False) -> list[str]:
    """What a path can become. A single folder comes with what is in it: else a shell would end the word after it."""
    folder, slash, beginning = incomplete.rpartition("/")
    start = f"{folder}{slash}"
    with suppress(OSError):  # a shell that completes shows no errors
        hidden = beginning.startswith(".")
        found = sorted(
            f"{start}{each.name}{'/' if each.is_dir() else ''}"
            for each in os.scandir(base / (start or "."))
            if each.name.startswith(beginning)
            and (hidden or not each.name.startswith("."))
            and (each.is_dir() or not only_folders)
        )
        if len(found) == 1 and beginning and found[0].endswith("/"):
            return [found[0], *_paths(base, found[0], only_folders=only_folders)]
        return found
    return []


def complete_symbol(context: typer.Context, incomplete: str) -> list[str]:
    """The definitions of the file that was typed before."""
    from ctxpack.parse import exact
    from ctxpack.parse.languages import language_of_name
    from ctxpack.system.disk import read_regular
    from ctxpack.text import decode

    with suppress(Exception):  # as above
        typed = [context.params.get("path"), *(context.params.get("words") or ()), *context.args]
        root = _root(context)
        path = next(str(each) for each in typed if each and (root / str(each)).is_file())
        parsed = exact(decode(read_regular(root / path)), language_of_name(Path(path).name), path)
        return sorted({each.qualified for each in parsed.symbols if each.qualified.startswith(incomplete)})
    return []


def _root(context: typer.Context) -> Path:
    return Path(next(iter(context.params.get("root") or ()), "."))


def _profiles(context: typer.Context) -> Iterable[str]:
    from ctxpack.settings.loading import list_profiles

    return [each.name for each in list_profiles(_root(context), os.environ, context.params.get("config"))]


def _strategies(_: typer.Context) -> Iterable[str]:
    from ctxpack.gather.registry import STRATEGIES

    return STRATEGIES


def _models(_: typer.Context) -> Iterable[str]:
    from ctxpack.settings.window import known_models

    return [each.name for each in known_models().values()]


_WORDS: Final[dict[str, Callable[[typer.Context], Iterable[str]]]] = {
    "profile": _profiles, "strategies": _strategies, "enable": _strategies, "disable": _strategies,
    "model": _models,
}  # fmt: skip
"""Options whose words are known elsewhere than in their reader."""
