"""What the other files of a repository tell about one: is this ``test`` folder a test folder, is this header C++."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ctxpack.languages import find_language, is_test_name


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


def survey(paths: Iterable[str]) -> Surroundings:
    """Look once over all paths."""
    tests: set[str] = set()
    packages: set[str] = set()
    c_folders: set[str] = set()
    cpp_folders: set[str] = set()
    balance = 0
    cpp_endings = tuple(f".{suffix}" for suffix in find_language("cpp").suffixes.split())
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == "__init__.py":
            packages.add(folder)
        elif name.endswith(".c"):
            c_folders.add(folder)
            balance -= 1
        elif name.lower().endswith(cpp_endings):
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
