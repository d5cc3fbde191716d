"""Front matter: the block between ``---`` (a simple subset of YAML) or ``+++`` (TOML) at the start of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ctxpack.model import FrontMatter

_LONGEST = 20_000  # characters that are searched for the closing mark
_BLOCK = re.compile(r"\ufeff?(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?)(?:^|\n)(?P=mark)[ \t]*(?:\n|$)", re.DOTALL)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w -]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_COMMENT = re.compile(r"[ \t]#.*$")
_QUOTES = "'\""
_Value = str | tuple[str, ...]


def read_front_matter(text: str) -> tuple[FrontMatter, int]:
    """Return what a document says about itself, and the number of its first line after the front matter (1: none)."""
    match = _BLOCK.match(text[:_LONGEST]) if text.startswith(("---", "+++", "\ufeff")) else None
    if match is None:
        return FrontMatter(), 1
    values = _toml(match["body"]) if match["mark"] == "+++" else _yaml(match["body"])
    if not values and match["body"].strip():
        return FrontMatter(), 1
    after = text.count("\n", 0, match.end()) + 1
    return _front_matter(values), after


def _front_matter(values: Mapping[str, _Value]) -> FrontMatter:
    return FrontMatter(
        _word(values, ("title",)),
        _word(values, ("description", "summary", "abstract", "subtitle")),
        _words(values, ("tags", "keywords", "categories", "topics", "labels")),
        _word(values, ("date", "updated", "lastmod", "last_modified", "last-modified", "created")),
    )


def _word(values: Mapping[str, _Value], keys: Sequence[str]) -> str:
    for key in keys:
        value = values.get(key, "")
        if value:
            return value if isinstance(value, str) else ", ".join(value)
    return ""


def _words(values: Mapping[str, _Value], keys: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for key in keys:
        value = values.get(key, "")
        parts = value.split(",") if isinstance(value, str) else value
        found.update(dict.fromkeys(part.strip() for part in parts if part.strip()))
    return tuple(found)


def _yaml(body: str) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    key = ""
    for line in body.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        match = None if line[0] in " \t-" else _KEY.match(line.rstrip())
        if match:
            key = match["key"].strip().lower()
            values[key] = _scalar_or_list(match["value"] or "")
        elif key:
            values[key] = _with_line(values[key], bare)
    return values


def _with_line(value: _Value, bare: str) -> _Value:
    """Return ``value`` with one more line: an item of a list, or a further line of a text."""
    if bare.startswith("- ") or bare == "-":
        items = value if isinstance(value, tuple) else ()
        return (*items, _scalar(bare[1:]))
    if isinstance(value, tuple):
        return value
    joined = f"{value} {bare}".strip()
    return _scalar_or_list(joined) if joined.startswith("[") else _scalar(joined)


def _scalar_or_list(value: str) -> _Value:
    value = value.strip()
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        return ""
    if value.startswith("[") and value.endswith("]"):
        return tuple(item for part in value[1:-1].split(",") if (item := _scalar(part)))
    return _scalar(value)


def _scalar(value: str) -> str:
    value = value.strip()
    if value[:1] in _QUOTES and value[:1]:
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value
    return "" if value in ("null", "~") else _COMMENT.sub("", value).strip()


def _toml(body: str) -> dict[str, _Value]:
    import tomllib

    try:
        table = tomllib.loads(body)
    except tomllib.TOMLDecodeError:
        return {}
    taxonomies = table.get("taxonomies")
    merged = {**taxonomies, **table} if isinstance(taxonomies, dict) else table
    values: dict[str, _Value] = {}
    for key, value in merged.items():
        if isinstance(value, list):
            values[key.lower()] = tuple(str(item) for item in value)
        elif not isinstance(value, dict):
            values[key.lower()] = str(value)
    return values
