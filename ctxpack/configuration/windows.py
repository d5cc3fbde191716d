"""What keys about a context window may hold: reserves, and the models of a user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from ctxpack.budget import RESERVES, Reserve
from ctxpack.errors import UsageError
from ctxpack.tokens import ENCODINGS, parse_budget

_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_WHOLE = 100
_EXPECTED = f"NAME=N, with a NAME of {', '.join(RESERVES)} and tokens or percent such as answer=16k or buffer=5%"


def reserves(value: object) -> dict[str, Reserve]:
    """Read ``answer=16k,buffer=5%`` or a table of the same: tokens as an int, a share as a float from 0 to 1."""
    if isinstance(value, str):
        value = dict(_pair(each) for each in value.split(",") if each.strip())
    if not isinstance(value, Mapping) or not {*value} <= {*RESERVES}:
        raise ValueError(_EXPECTED)
    return {name: _reserve(value[name]) for name in RESERVES if name in value}


def model(value: object) -> dict[str, int | float | str]:
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
    if "factor" in value:
        read["factor"] = _number(value["factor"], 0.1, 10, "a model whose factor is a number from 0.1 to 10")
    if "error" in value:
        read["error"] = _number(value["error"], 0, 1, "a model whose error is a number from 0 to 1")
    return read


def _pair(written: str) -> tuple[str, str]:
    name, equals, amount = (part.strip() for part in written.partition("="))
    if not equals:
        raise ValueError(_EXPECTED)
    return name, amount


def _reserve(value: object) -> Reserve:
    if isinstance(value, float) and 0 <= value <= 1:
        return value
    written = str(value).strip()
    percent = _PERCENT.fullmatch(written)
    if percent and float(percent[1]) <= _WHOLE:
        return float(percent[1]) / _WHOLE
    return 0 if written == "0" else _tokens(value, _EXPECTED)


def _tokens(value: object, expected: str) -> int:
    if isinstance(value, int | str) and not isinstance(value, bool):
        with suppress(UsageError):
            return parse_budget(str(value))
    raise ValueError(expected)


def _number(value: object, least: float, most: float, expected: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(expected)
    return float(value)
