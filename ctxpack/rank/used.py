"""What the best places use: a definition that they name is often what a request needs beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ctxpack.model import Lane
from ctxpack.rank.board import Board
from ctxpack.rank.evidence import UsedBy
from ctxpack.rank.places import Found
from ctxpack.rank.weights import USED_POINTS

_USERS: Final = 6  # of the best places that are read; with 12 fewer of the needed places were packed
_DECAY: Final = 0.15  # what each further place counts less
_MOST_DEFINITIONS: Final = 3  # of a name: one defined oftener does not say which is meant
_NAME: Final = re.compile(r"[^\W\d]\w{2,}")


def used_by_best(board: Board, places: Sequence[Found]) -> Mapping[int, UsedBy]:
    """For the numbers of chunks: what they gain because one of the best places uses what they define.

    ``places`` are what was found, in any order. Only code uses and is used, and only what was found gains.
    """
    best = sorted(places, key=lambda each: -each.place.own_points)[:_USERS]
    defining: dict[str, list[Found]] = {}
    for each in places:
        if name := _last_name(each.chunk.symbol):
            defining.setdefault(name, []).append(each)
    found: dict[int, UsedBy] = {}
    for at, user in enumerate(best):
        for name in sorted(_names_in(board, user) & defining.keys()):
            definitions = len(board.view.postings.terms("definition", name.lower()).docs)
            if not 0 < definitions <= _MOST_DEFINITIONS:
                continue
            points = USED_POINTS / ((1 + _DECAY * at) * definitions**0.5)
            for used in defining[name]:
                known = found.get(used.place.number)
                if not _is_within(user, used) and (known is None or points > known.points):
                    found[used.place.number] = _used_by(board, user, used, points)
    return found


def _used_by(board: Board, user: Found, used: Found, points: float) -> UsedBy:
    name = user.chunk.symbol or _file_name(board, user)
    return UsedBy(points, name, is_near=user.place.file == used.place.file)


def with_uses(places: Sequence[Found], uses: Mapping[int, UsedBy]) -> list[Found]:
    """The places with the points of what uses them, best first."""
    return sorted(_raised(places, uses), key=lambda each: -each.place.points)


def _raised(places: Sequence[Found], uses: Mapping[int, UsedBy]) -> Iterator[Found]:
    for each in places:
        use, place = uses.get(each.place.number), each.place
        gained = use.points if use else 0.0
        raised = replace(place, points=place.points + gained, own_points=place.own_points + gained)
        yield each._replace(place=raised) if gained else each


def _names_in(board: Board, user: Found) -> set[str]:
    """The names in the text of a place; none where it is no code."""
    file = board.view.files[user.place.file]
    if file.kind.lane is not Lane.CODE:
        return set()
    return set(_NAME.findall(board.view.files.lines(file.path, user.chunk.start_line, user.chunk.end_line)))


def _is_within(user: Found, used: Found) -> bool:
    """Whether a place is the definition, a part of it, or what stands inside it: that it names itself says nothing."""
    name, whole = user.chunk.symbol, used.chunk.symbol
    is_inside = name == whole or (name.startswith(whole) and name[len(whole)] in ".:#")
    return user.place.file == used.place.file and is_inside


def _last_name(symbol: str) -> str:
    return re.split(r"[.:#]", symbol)[-1]


def _file_name(board: Board, user: Found) -> str:
    return board.view.files[user.place.file].path.rpartition("/")[2]
