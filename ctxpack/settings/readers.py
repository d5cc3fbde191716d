"""Readers of settings: each turns a written value into the real one; its ValueError says what was expected."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from ctxpack.errors import UsageError
from ctxpack.light import lazy_pattern
from ctxpack.settings.declaration import Reader
from ctxpack.system.tokens import ENCODINGS, parse_budget

ORDER_NAMES: Final = ("relevance", "path", "edges", "hierarchical")
DEFAULT_MORE_MARKERS: Final = (
    "NEED MORE:", "НУЖНО ЕЩЁ:", "НУЖНО ЕЩЕ:",
    "need more context", "need more information", "need additional context", "need to see the ", "not enough",
    "insufficient context", "insufficient information", "more context is needed",
    "нужно больше контекста", "нужен дополнительный контекст", "нужна дополнительная информация",
    "не хватает контекста", "не хватает информации", "недостаточно",
)  # fmt: skip
"""What an answer says when pieces are missing. One with a colon begins a line, and what is wanted follows it."""
Reserve = int | float
"""Tokens, as an ``int``; or a share of the window, as a ``float`` from 0 to 1."""
STANDARD_RESERVES: Final[Mapping[str, tuple[int, float]]] = {
    "system": (4_000, 0.05),
    "request": (2_000, 0.05),
    "history": (16_000, 0.10),
    "memory": (1_000, 0.02),
    "answer": (16_000, 0.20),
}
"""Part of a context window -> the most tokens that are kept free for it by default, and the most of the window."""
RESERVES: Final = (*STANDARD_RESERVES, "buffer")
"""What shares a window with the pack, in the order in which a division is shown."""

_BYTES = lazy_pattern(r"(?<=[km\d\s])b\s*$", re.IGNORECASE)
_PERCENT = lazy_pattern(r"(\d+(?:\.\d+)?)\s*%")
_WHOLE = 100
_OUTER_COMMA = lazy_pattern(r",(?![^{}]{0,1000}\})")  # not inside braces: ``*.{js,ts},docs`` is two patterns
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_RESERVED = f"NAME=N, with a NAME of {', '.join(RESERVES)} and tokens or percent such as answer=16k or buffer=5%"


class UnknownKeyError(ValueError):
    """A table has an unknown key; ``known`` are the keys it may have."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        super().__init__(key)
        self.key = key
        self.known = known


class ChoiceError(ValueError):
    """A word is not one of the ``choices``."""

    def __init__(self, choices: tuple[str, ...]) -> None:
        super().__init__(f"one of {', '.join(choices)}")
        self.choices = choices


def amount(value: object) -> int:
    """Read a positive whole number: ``8000``, ``8k``, ``1.5M``; of bytes also ``500 kB``."""
    written = _BYTES.sub("", value) if isinstance(value, str) else value
    return _tokens(written, "a positive whole number such as 8000, 8k or 1M")


def number(least: float, most: float, expected: str) -> Callable[[object], float]:
    """Return a reader of a number between two bounds, which may be written as a text."""

    def read(value: object) -> float:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            with suppress(ValueError):  # the sentence below says what is expected
                found = float(value)
                if least <= found <= most:
                    return found
        raise ValueError(expected)

    return read


seconds = number(sys.float_info.min, sys.float_info.max, "a number of seconds above 0")
days = number(0.01, 100_000, "a number of days above 0")
share = number(0, 1, "a number from 0 to 1")


def whole_number(least: int) -> Callable[[object], int]:
    """Return a reader of a whole number that is not below ``least``."""

    def read(value: object) -> int:
        if isinstance(value, int | str) and not isinstance(value, bool):
            with suppress(ValueError):  # the sentence below says what is expected
                found = int(value)
                if found >= least:
                    return found
        raise ValueError(f"a whole number from {least}")

    return read


def command_line(value: object) -> str:
    """Read the command line of a program."""
    from ctxpack.system.commands import command_words

    try:
        command_words(text(value))
    except ValueError as error:
        raise ValueError("a command such as llm -m gpt-4o, with its quotes closed") from error
    return text(value)


def boolean(value: object) -> bool:
    """Read a truth value; the words of environment variables count too."""
    if isinstance(value, bool):
        return value
    word = _WORDS.get(value.strip().lower()) if isinstance(value, str) else None
    if word is None:
        raise ValueError("true or false")
    return word


def text(value: object) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text")
    return value


def text_list(value: object) -> tuple[str, ...]:
    """Read a list of texts; one text is cut at its commas."""
    if isinstance(value, str):
        value = [part for part in _OUTER_COMMA.split(value) if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) and part.strip() for part in value):
        raise ValueError('a list of strings such as ["src/**", "docs/**"]')
    return tuple(part.strip() for part in value)


def folder(value: object) -> Path:
    """Read an absolute path; ``~`` is the user's home."""
    path = Path(text(value)).expanduser()
    if not path.is_absolute():
        raise ValueError("an absolute path")
    return path


def absolute_file(value: object) -> str:
    """Read an absolute path as a text; ``~`` is the user's home."""
    return str(folder(value))


def one_of(*choices: str) -> Callable[[object], str]:
    """Return a reader that takes exactly these words."""

    def read(value: object) -> str:
        if value not in choices:
            raise ChoiceError(choices)
        return str(value)

    return read


def enum_values(*names: str) -> tuple[str, ...]:
    """Return the values of enums of the model, each once."""
    from ctxpack import model

    return tuple(dict.fromkeys(each.value for name in names for each in getattr(model, name)))


def enum_value(name: str) -> Callable[[object], str]:
    """Return a reader that takes the values of an enum of the model, which is loaded for it."""

    def read(value: object) -> str:
        return one_of(*enum_values(name))(value)

    return read


def format_name(value: object) -> str:
    """Read the name of a format: a built-in one, its short name, or that of an installed package."""
    from ctxpack.model.formats import FORMAT_NAMES, FORMATS
    from ctxpack.system.plugins import plugin

    name = next((each.name for each in FORMATS if each.short == value), value) if value else value
    if name not in FORMAT_NAMES and not (isinstance(name, str) and plugin("ctxpack.renderers", name)):
        raise ChoiceError(FORMAT_NAMES)
    return str(name)


def table_by(*enums: str, of: Reader) -> Callable[[object], dict[str, object]]:
    """Return a reader of a table whose keys are values of enums of the model."""

    def read(value: object) -> dict[str, object]:
        return read_table(of, enum_values(*enums))(value)

    return read


def read_table(reader: Reader, keys: tuple[str, ...] = ()) -> Callable[[object], dict[str, object]]:
    """Return a reader of a table whose values ``reader`` takes; with ``keys``, only those may occur."""

    def read(value: object) -> dict[str, object]:
        if not isinstance(value, Mapping):
            raise ValueError("a table")  # noqa: TRY004 - every reader reports by ValueError
        for key in value:
            if keys and key not in keys:
                raise UnknownKeyError(str(key), keys)
        return {str(key): reader(each) for key, each in sorted(value.items())}

    return read


_LABEL = lazy_pattern(r"[^\W_][\w.-]{0,39}")


def is_label(written: str) -> bool:
    """Whether a text can be the label of a root: it is put before the paths of its files."""
    return _LABEL.fullmatch(written) is not None


def workspace_table(value: object) -> dict[str, object]:
    """Read the ``[workspace]`` table: folders by their labels."""
    found = read_table(text)(value)
    if odd := next((label for label in found if not is_label(label)), None):
        raise ValueError(f"a table of folders by labels of letters, digits, - and .; {odd!r} is no such label")
    return found


def reserve_table(value: object) -> dict[str, Reserve]:
    """Read ``answer=16k,buffer=5%`` or a table of the same: tokens as an int, a share as a float from 0 to 1."""
    if isinstance(value, str):
        pairs = [each.partition("=") for each in value.split(",") if each.strip()]
        if not all(equals for _, equals, _ in pairs):
            raise ValueError(_RESERVED)
        value = {name.strip(): written.strip() for name, _, written in pairs}
    if not isinstance(value, Mapping) or not {*value} <= {*RESERVES}:
        raise ValueError(_RESERVED)
    return {name: _reserve(value[name]) for name in RESERVES if name in value}


def model_entry(value: object) -> dict[str, int | float | str]:
    """Read one ``[models.NAME]`` table: ``window``, and how its tokens are counted."""
    if not isinstance(value, Mapping) or not {*value} <= {"window", "encoding", "factor", "error"}:
        raise ValueError("a table with window, encoding, factor and error, or some of them")
    read: dict[str, int | float | str] = {}
    if "window" in value:
        read["window"] = _tokens(value["window"], "a model whose window is a number of tokens such as 200k")
    if "encoding" in value:
        if value["encoding"] not in ENCODINGS:
            raise ValueError(f"a model whose encoding is one of {', '.join(ENCODINGS)}")
        read["encoding"] = str(value["encoding"])
    for key, (least, most) in {"factor": (0.1, 10), "error": (0, 1)}.items():
        if key in value:
            read[key] = number(least, most, f"a model whose {key} is a number from {least} to {most}")(value[key])
    return read


def _reserve(value: object) -> Reserve:
    if isinstance(value, float) and 0 <= value <= 1:
        return value
    written = str(value).strip()
    percent = _PERCENT.fullmatch(written)
    if percent and float(percent[1]) <= _WHOLE:
        return float(percent[1]) / _WHOLE
    return 0 if written == "0" else _tokens(value, _RESERVED)


def _tokens(value: object, expected: str) -> int:
    if isinstance(value, int | str) and not isinstance(value, bool):
        with suppress(UsageError):  # the sentence below says what is expected
            return parse_budget(str(value))
    raise ValueError(expected)
