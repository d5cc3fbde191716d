"""Pieces that an earlier strategy has already brought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ctxpack.model import LOG, PATCH, Form, Fragment, Provenance
from ctxpack.text import lines_of

_VERBATIM = frozenset({Form.FULL, Form.EXCERPT})


def without_repeats(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """The fragments without those that lie within an earlier one of the same file and sort; its reasons are kept.

    Nor do lines come twice that a required diff of the file shows.
    """
    told = list(fragments)
    in_patches = _lines_in_patches(told)
    kept: list[Fragment] = []
    by_home: dict[tuple[str, str], list[int]] = {}
    for fragment in told:
        if in_patches and _is_in_patch(fragment, in_patches):
            continue
        places = by_home.setdefault(fragment.home, [])
        home = next((place for place in places if _holds(kept[place], fragment)), None)
        if home is None:
            places.append(len(kept))
            kept.append(fragment)
        else:
            kept[home] = _with_reasons(kept[home], fragment)
    return tuple(kept)


def _lines_in_patches(fragments: Iterable[Fragment]) -> Mapping[str, set[str]]:
    """The lines that diffs show as they are after the change, by path."""
    found: dict[str, set[str]] = {}
    for fragment in fragments:
        origin = fragment.provenance
        if fragment.layer == PATCH and fragment.required:
            from ctxpack.changes.change import parse_hunks

            lines = (line for hunk in parse_hunks(lines_of(fragment.text)) for line in hunk.lines)
            found[origin.path] = {line.text.strip() for line in lines if line.mark in " +"}
    return found


def _is_in_patch(fragment: Fragment, shown: Mapping[str, set[str]]) -> bool:
    """Whether a diff shows every line of a piece already."""
    origin = fragment.provenance
    is_lines = fragment.layer not in (PATCH, LOG) and fragment.form in _VERBATIM and not fragment.required
    lines = shown.get(origin.path, ()) if is_lines else ()
    return bool(lines) and all(line.strip() in lines for line in lines_of(fragment.text) if line.strip())


def _holds(outer: Fragment, inner: Fragment) -> bool:
    if outer.form in _VERBATIM and inner.form in _VERBATIM:
        one, other = outer.provenance, inner.provenance
        return one.start_line <= other.start_line and other.end_line <= one.end_line
    one, other = outer.provenance, inner.provenance
    return outer.form is inner.form and (one.symbol, one.start_line) == (other.symbol, other.start_line)


def _with_reasons(outer: Fragment, inner: Fragment) -> Fragment:
    origin, other = outer.provenance, inner.provenance
    joined = replace(
        origin,
        reasons=tuple(dict.fromkeys((*origin.reasons, *other.reasons))),
        keywords=tuple(dict.fromkeys((*origin.keywords, *other.keywords))),
        symbol=origin.symbol or (other.symbol if _is_most(other, origin) else ""),
    )
    is_required = outer.required or inner.required
    return replace(outer, provenance=joined, value=max(outer.value, inner.value), required=is_required)


def _is_most(inner: Provenance, outer: Provenance) -> bool:
    """Whether a part ends where the whole ends and is more than half of it: then its name is that of the whole."""
    lines = inner.end_line - inner.start_line + 1
    return inner.end_line == outer.end_line and 2 * lines > outer.end_line - outer.start_line + 1
