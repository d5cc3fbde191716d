"""The name that a project gives itself: in a request it says which repository is meant, and no place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ctxpack.index import IndexView
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Query
from ctxpack.query.tokens import split

_OWN_NAME_SHARE: Final = 0.3  # of its weight: a file that is called like the project may still be meant
_LINES: Final = 60  # of a file, in which a name is looked for
_HEADING: Final = lazy_pattern(
    r"\s{0,80}(?:# {1,9}(?P<name>[\w.-]{1,80}) {0,9}(?:\n|$)|(?:[=#*]{2,80}\n)?(?P<above>[\w.-]{1,80})\n[=#*-]{2,80})"
)
_QUOTED: Final = lazy_pattern(r"(?m)^[ \t]{0,20}\"?name\"?[ \t]{0,20}[=:][ \t]{0,20}[\"'](?P<name>[\w.-]{1,80})[\"']")
_GO_MODULE: Final = lazy_pattern(r"(?m)^module (?:\S{1,200}?/)??(?P<name>[\w.-]{1,80}?)(?:/v\d{1,3})?$")
_PACKAGES: Final = {
    "pyproject.toml": _QUOTED,
    "Cargo.toml": _QUOTED,
    "package.json": _QUOTED,
    "composer.json": _QUOTED,
    "go.mod": _GO_MODULE,
}
_READMES: Final = {"README.md": _HEADING, "README.rst": _HEADING}  # asked where no package has a name


def own_names(view: IndexView) -> frozenset[str]:
    """The names of a project, lower-case: of its package, or the one word that heads its readme."""
    return frozenset(_names(view, _PACKAGES)) or frozenset(_names(view, _READMES))


def _names(view: IndexView, places: Mapping[str, re.Pattern[str]]) -> Iterator[str]:
    for path, pattern in places.items():
        text = view.files.lines(path, 1, _LINES) if view.files.get(path) else ""
        found = pattern.match(text) if pattern is _HEADING else pattern.search(text)
        name = next(filter(None, found.groups()), "") if found else ""
        if len(split(name)) == 1:
            yield name.lower()


def weaken_own_name(query: Query, view: IndexView) -> Query:
    """Let the project's own name count less in a query that has other words."""
    names = own_names(view) & query.terms.keys() if len(query.terms) > 1 else frozenset[str]()

    def weakened(weights: Mapping[str, float]) -> dict[str, float]:
        return {word: weight * (_OWN_NAME_SHARE if word in names else 1) for word, weight in weights.items()}

    if not names:
        return query
    return replace(query, terms=weakened(query.terms), title=weakened(query.title), words=weakened(query.words))
