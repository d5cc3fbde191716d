"""What the other files of a repository tell about one: is this ``test`` folder a test folder, is this header C++."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ctxpack.discover.languages import CPP_SUFFIXES

_TEST_NAME = re.compile(
    r"(?:test|tests)[_-].+\.(?:py|c|cc|cpp|cxx|sh|lua|jl|rs|zig|nim)"  # test_store.py
    r"|(?:.*[_-])?(?:test|tests|unittest)\.(?:py|go|rb|c|cc|cpp|cxx|rs|dart|exs|ex|erl|clj|cljs|js|ts|lua|php|jl|sh|swift|ml)"
    r"|.+[_-]spec\.(?:rb|lua|js|ts|coffee|cr)"
    r"|.+\.(?:test|spec|cy|e2e|bench|test-d)\.(?:[cm]?[jt]sx?|vue|svelte)"
    r"|conftest\.py|runtests\.(?:py|jl)|.+_SUITE\.erl|.+\.(?:bats|feature)|t\d{4}-.+\.sh"
    r"|(?:.*[a-z0-9])(?:Test|Tests|IT|Spec|Specs)\.(?:java|kt|kts|scala|groovy|cs|php|swift|hs|fs|vb|m|cpp)"
)
_CPP_ENDING = re.compile(r"\.(" + "|".join(sorted(map(re.escape, CPP_SUFFIXES))) + r")$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Folders by what they hold; ``""`` is the root."""

    test_folders: frozenset[str] = frozenset()  # a test by its own name lies in or below
    packages: frozenset[str] = frozenset()  # Python packages
    c_folders: frozenset[str] = frozenset()
    cpp_folders: frozenset[str] = frozenset()
    is_mostly_cpp: bool = False

    def is_cpp_near(self, folder: str) -> bool:
        """Return whether a header in ``folder`` is C++: its neighbours tell, else the whole repository."""
        if folder in self.cpp_folders:
            return True
        return folder not in self.c_folders and self.is_mostly_cpp


@lru_cache(maxsize=65_536)  # names repeat
def is_test_name(name: str) -> bool:
    """Return whether the file's own name says that it is a test."""
    return _TEST_NAME.fullmatch(name) is not None


def survey(paths: Iterable[str]) -> Surroundings:
    """Look once over all paths."""
    tests: set[str] = set()
    packages: set[str] = set()
    c_folders: set[str] = set()
    cpp_folders: set[str] = set()
    balance = 0
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == "__init__.py":
            packages.add(folder)
        elif name.endswith(".c"):
            c_folders.add(folder)
            balance -= 1
        elif _CPP_ENDING.search(name):
            cpp_folders.add(folder)
            balance += 1
        if folder not in tests and is_test_name(name):
            _add_with_parents(tests, folder)
    return Surroundings(
        frozenset(tests), frozenset(packages), frozenset(c_folders), frozenset(cpp_folders), balance > 0
    )


def _add_with_parents(folders: set[str], folder: str) -> None:
    while folder and folder not in folders:
        folders.add(folder)
        folder = folder.rpartition("/")[0]
