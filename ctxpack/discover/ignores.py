"""Our own layers over git's file set: .ignore, then .ctxpackignore, then --include and --exclude."""

# ruff: noqa: PTH118 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from ctxpack.discover.folder import holder_of
from ctxpack.discover.globs import Globs, compile_globs
from ctxpack.discover.rules import Rule, RuleFile, RuleTree, group_by_folder, read_rules
from ctxpack.settings import Settings

DOT_FILES = (".ctxpackignore", ".ignore")  # the first has the last word
_DOT_ENDINGS = tuple(f"/{name}" for name in DOT_FILES)


@dataclass(frozen=True, slots=True)
class Ignores:
    """What hides a path that git shows. Paths given to it are relative to the root."""

    tree: RuleTree
    prefix: str  # of the root inside the tree, ending in a slash, or ""
    include: Globs
    exclude: Globs

    def rule(self, path: str) -> Rule | None:
        """The line of a dot file that hides or re-includes ``path``."""
        return self.tree.verdict(self.prefix + path) if self.tree.files else None

    def folder_rule(self, folder: str) -> Rule | None:
        """The same for a folder."""
        return self.tree.folder_verdict(self.prefix + folder) if self.tree.files else None

    def reason(self, path: str, rule: Rule | None) -> str:
        """Why ``path`` is left out, given the dot files' word on it; ``""`` if it stays."""
        if rule is not None and not rule.is_negated:
            return rule.reason
        if glob := self.exclude.matching(path):
            return f'excluded by --exclude: "{glob}"'
        if self.include.texts and self.include.matching(path) is None:
            return "not matched by --include"
        return ""

    @property
    def has_negations(self) -> bool:
        """Whether some line could bring back what git hides."""
        files = (rule_file for group in self.tree.files.values() for rule_file in group)
        return any(rule.is_negated for rule_file in files for rule in rule_file.rules)


def read_ignores(settings: Settings, root: str, paths: Iterable[str]) -> Ignores:
    """The layers for ``root``: dot files among ``paths``, at the root itself and above it in the same repository."""
    top = holder_of(root) or root
    inner = os.path.relpath(root, top).replace(os.sep, "/")
    prefix = "" if inner == "." else f"{inner}/"
    tree = RuleTree({})
    if settings.use_dot_ignore:
        tree = group_by_folder(_read(top, prefix, path) for path in _places(prefix, paths))
    return Ignores(tree, prefix, compile_globs(settings.include), compile_globs(settings.exclude))


def _places(prefix: str, paths: Iterable[str]) -> list[str]:
    listed = (prefix + path for path in paths if path.endswith(_DOT_ENDINGS))
    parts = prefix.split("/")[:-1]
    folders = ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]
    above = (f"{folder}/{name}" if folder else name for folder in folders for name in DOT_FILES)
    return sorted({*listed, *above})


def _read(top: str, prefix: str, path: str) -> RuleFile | None:
    folder, _, name = path.rpartition("/")
    source = path.removeprefix(prefix)
    if name not in DOT_FILES:
        return None
    return read_rules(os.path.join(top, path), folder, source, DOT_FILES.index(name))
