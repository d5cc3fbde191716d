"""What each key may hold. A reader turns what was written into a value; its ValueError says what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from ctxpack.configuration.windows import model, reserves
from ctxpack.errors import UsageError
from ctxpack.model import Intent, Kind, Lane, Scope
from ctxpack.settings import DEFAULT_MARKERS, ContextFile
from ctxpack.tokens import ENCODINGS, parse_budget

Reader = Callable[[object], object]

FORMATS = ("markdown", "markdown-compact", "markdown-narrative", "messages", "xml", "json", "plain")
ORDERS = ("relevance", "path", "edges", "hierarchical")
_BYTES = re.compile(r"(?<=[km\d\s])b\s*$", re.IGNORECASE)
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class UnknownKeyError(ValueError):
    """A table holds a key that means nothing: which, and which are known."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        super().__init__(key)
        self.key = key
        self.known = known


def amount(value: object) -> int:
    """Read a positive whole number: ``8000``, ``8k``, ``1.5M``; of bytes also ``500 kB``."""
    if isinstance(value, int | str) and not isinstance(value, bool):
        with suppress(UsageError):
            return parse_budget(_BYTES.sub("", str(value)))
    raise ValueError("a positive whole number such as 8000, 8k or 1M")


def whole_number(value: object) -> int:
    """Read a count of at least one: ``50``."""
    if isinstance(value, int | str) and not isinstance(value, bool):
        with suppress(ValueError):
            number = int(value)
            if number >= 1:
                return number
    raise ValueError("a whole number from 1")


def seconds(value: object) -> float:
    """Read a time of more than nothing, in seconds: ``30``, ``2.5``."""
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        with suppress(ValueError):
            number = float(value)
            if 0 < number < float("inf"):
                return number
    raise ValueError("a number of seconds above 0")


def command_line(value: object) -> str:
    """Read the command line of a program."""
    from ctxpack.commands.words import words_of

    try:
        words_of(text(value))
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


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts; one text is cut at its commas."""
    if isinstance(value, str):
        value = [part for part in _outer_commas(value) if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) and part.strip() for part in value):
        raise ValueError('a list of texts such as ["src/**", "docs/**"]')
    return tuple(part.strip() for part in value)


def folder(value: object) -> Path:
    """Read an absolute path; ``~`` is the user's home."""
    path = Path(text(value)).expanduser()
    if not path.is_absolute():
        raise ValueError("an absolute path")
    return path


def own_file(value: object) -> str:
    """Read an absolute path as a text; ``~`` is the user's home."""
    return str(folder(value))


def weight(value: object) -> float:
    """Read a number from 0 to 1; of environment variables too."""
    return _number(value, 0, 1, "a number from 0 to 1")


def days(value: object) -> float:
    """Read a time in days, of more than nothing."""
    return _number(value, 0.01, 100_000, "a number of days above 0")


def _number(value: object, least: float, most: float, expected: str) -> float:
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        with suppress(ValueError):
            number = float(value)
            if least <= number <= most:
                return number
    raise ValueError(expected)


def one_of(*choices: str) -> Reader:
    """A reader that takes exactly these words."""

    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return str(value)

    return read


def form(value: object) -> str:
    """Read the name of a format: a built-in one, or that of an installed package."""
    from ctxpack.plugins import plugin

    if value not in FORMATS and not (isinstance(value, str) and plugin("ctxpack.renderers", value)):
        raise ValueError(f"one of {', '.join(FORMATS)}")
    return str(value)


def table(reader: Reader, keys: tuple[str, ...] = ()) -> Callable[[object], dict[str, object]]:
    """A reader for a table whose values ``reader`` takes; with ``keys``, only those may occur."""

    def read(value: object) -> dict[str, object]:
        if not isinstance(value, Mapping):
            raise ValueError("a table")  # noqa: TRY004 - every reader reports by ValueError
        for key in value:
            if keys and key not in keys:
                raise UnknownKeyError(str(key), keys)
        return {str(key): reader(each) for key, each in sorted(value.items())}

    return read


def share(value: object) -> float:
    """Read a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("a number from 0 to 1")
    return float(value)


def contexts(value: object) -> tuple[ContextFile, ...]:
    """Read the ``[[context]]`` entries."""
    if not isinstance(value, list):
        raise ValueError("written as [[context]]")  # noqa: TRY004 - every reader reports by ValueError
    return tuple(_context(entry) for entry in value)


def _context(entry: object) -> ContextFile:
    """One entry. In Markdown and plain text ctxpack manages a marked part, unless told otherwise."""
    values = table(lambda each: each, tuple(_CONTEXT))(entry)
    needed = ("path", "request") if values.get("scope", "task") != "task" or "format" in values else ("path",)
    for key in needed:
        if key not in values:
            raise ValueError(f"an entry with {key} = …")
    read = {key: _within(key, _CONTEXT[key], each) for key, each in values.items()}
    read.setdefault("markers", None if read.get("format") in ("json", "messages", "xml") else DEFAULT_MARKERS)
    return ContextFile(**read)  # type: ignore[arg-type] # each reader gives its field's type


def _within(key: str, reader: Reader, value: object) -> object:
    """Read a value of an entry and name the key in what is said about it."""
    try:
        return reader(value)
    except ValueError as error:
        raise ValueError(f"an entry whose {key} is {error}") from error


def _markers(value: object) -> tuple[str, str] | None:
    """Read a pair of different markers; true means the usual pair, false the whole file."""
    if isinstance(value, bool):
        return DEFAULT_MARKERS if value else None
    pair = texts(value) if isinstance(value, list) else ()
    if len(pair) != 2 or pair[0] in pair[1] or pair[1] in pair[0]:  # noqa: PLR2004 - a start and an end
        raise ValueError("true, false or a pair of different texts")
    return (pair[0], pair[1])


def _outer_commas(value: str) -> list[str]:
    """Cut a text at its commas, but not inside braces: ``*.{js,ts},docs`` is two patterns."""
    return re.split(r",(?![^{}]*\})", value)


_CONTEXT: Mapping[str, Reader] = {
    "path": text,
    "request": text,
    "scope": one_of(*(scope.value for scope in (Scope.TASK, Scope.FILE, Scope.COMPONENT))),
    "budget": amount,
    "format": form,
    "markers": _markers,
}

READERS: Mapping[str, Reader] = {
    "budget": amount,
    "encoding": one_of(*ENCODINGS),
    "model": text,
    "window": amount,
    "reserve": reserves,
    "require": texts,
    "format": form,
    "order": one_of(*ORDERS),
    "use_instructions": boolean,
    "intent": one_of(*(intent.value for intent in Intent)),
    "memory_relevance": weight,
    "memory_recency": weight,
    "memory_days": days,
    "include": texts,
    "exclude": texts,
    "use_gitignore": boolean,
    "use_dot_ignore": boolean,
    "max_file_size": amount,
    "use_synonyms": boolean,
    "use_typos": boolean,
    "use_history": boolean,
    "use_redaction": boolean,
    "use_tree": boolean,
    "use_readme": boolean,
    "use_cache": boolean,
    "compress": boolean,
    "duplicate_threshold": weight,
    "overlap_threshold": weight,
    "min_score": weight,
    "max_files": whole_number,
    "line_numbers": boolean,
    "stats": boolean,
    "limit": whole_number,
    "strategies": texts,
    "enable": texts,
    "disable": texts,
    "around": whole_number,
    "rerank_timeout": seconds,
    "rerank_top": whole_number,
    "llm_timeout": seconds,
    "semantic": boolean,
    "embedding_timeout": seconds,
    "embedding_missing": whole_number,
    "pack_cache": amount,
    "circuit_failures": whole_number,
    "circuit_seconds": seconds,
    "degraded_share": weight,
}
"""What flags, variables, profiles and files may all set."""

FOLDERS: Mapping[str, Reader] = {
    "cache_dir": folder,
    "data_dir": folder,
}
"""Where things are kept. Only variables and the user's own file set it."""

SPOKEN: Mapping[str, Reader] = {
    "history": text,
    "session": text,
}
"""What belongs to one conversation. Only flags set it: nothing is remembered that was not asked for."""

COMMANDS: Mapping[str, Reader] = {
    "rerank": command_line,
    "llm": command_line,
    "max_rounds": whole_number,
    "more_markers": texts,
    "embedder": text,
    "embedding_model": text,
    "embedding_url": text,
    "embedding_key_variable": text,
    "allow_commands": boolean,
    "instructions": own_file,
    "system": own_file,
}
"""What is run, where code is sent, and what a model is told. A repository may be a stranger's, so only flags, variables
and the user's own file set it."""

OF_STRATEGIES: Mapping[str, Reader] = {
    "text": text, "texts": texts, "amount": amount, "seconds": seconds, "boolean": boolean, "command": command_line,
}  # fmt: skip
"""What the keys of a ``[[strategy]]`` entry are read with."""

TABLES: Mapping[str, Reader] = {
    "kinds": table(texts, tuple(kind.value for kind in Kind)),
    "synonyms": table(texts),
    "shares": table(share, tuple(dict.fromkeys(each.value for each in (*Lane, *Kind)))),
    "context": contexts,
    "models": table(model),
}
"""What only files and their profiles may set."""
