"""Ignore files: which line in gitignore syntax decides about a path, and our own layers over git's file set.

The layers are .ignore, then .ctxpackignore, then --include and --exclude.
"""

# ruff: noqa: PTH114, PTH118 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ctxpack.discover.globs import Globs, compile_globs, translate
from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.settings import Settings
from ctxpack.system.disk import read_regular
from ctxpack.system.git import enclosing_repository

_MOST_RULES, _MOST_BYTES = 5_000, 1_000_000  # of one ignore file: each is tried on every file
_LITERAL = lazy_pattern(r"[^*?\[\\]*")
DOT_FILES = (".ctxpackignore", ".ignore")  # the first has the last word
_DOT_ENDINGS = tuple(f"/{name}" for name in DOT_FILES)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file. ``source`` is how a user would name that file."""

    text: str
    source: str
    line: int
    is_negated: bool
    is_folder_only: bool
    is_name_only: bool  # without an inner slash: matches the last part of a path at any depth
    regex: re.Pattern[str]

    @property
    def reason(self) -> str:
        """What to tell about a path that this rule hides."""
        return f'ignored by {self.source}: "{self.text}"'


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of one ignore file, the last line first. It speaks about paths below ``folder`` (no slash at the end).

    A smaller ``rank`` is stronger, whatever the folder.
    """

    folder: str
    rules: tuple[Rule, ...]
    rank: int = 0
    is_cut: bool = False  # the file has more rules

    def decide(self, path: str, *, is_folder: bool) -> Rule | None:
        """Return the last rule that matches this very path (not one below it), or None."""
        inner = _as_bytes(path[len(self.folder) + 1 :] if self.folder else path)
        name = inner.rpartition("/")[2]
        for rule in self.rules:
            if rule.is_folder_only and not is_folder:
                continue
            if rule.regex.fullmatch(name if rule.is_name_only else inner):
                return rule
        return None


@dataclass(slots=True)
class RuleTree:
    """Ignore files of all folders; a deeper one has the last word among those of one rank.

    Paths are taken from the top down: a path below a hidden folder stays hidden, one below a re-included folder is
    re-included.
    """

    files: dict[str, tuple[RuleFile, ...]]  # a folder -> its rule files
    verdicts: dict[str, Rule | None] = field(default_factory=dict)

    def decide(self, path: str, *, is_folder: bool) -> Rule | None:
        """Return the rule that decides about this very path: the strongest source first, in it the deepest folder."""
        for rule_file in _strongest_first(self.files, path):
            if rule := rule_file.decide(path, is_folder=is_folder):
                return rule
        return None

    def verdict(self, path: str) -> Rule | None:
        """Return the rule that hides or re-includes a file, be it through one of its folders; None if there is none."""
        above = self.folder_verdict(path.rpartition("/")[0])
        if above is not None and not above.is_negated:
            return above
        return self.decide(path, is_folder=False) or above

    def folder_verdict(self, folder: str) -> Rule | None:
        """Return the rule that decides about a folder, given without its last slash; None for ``""``, the root."""
        if not folder or folder in self.verdicts:
            return self.verdicts.get(folder)
        above: Rule | None = None
        for end in (*(at for at, char in enumerate(folder) if char == "/"), len(folder)):
            part = folder[:end]
            if part not in self.verdicts:
                is_hidden = above is not None and not above.is_negated
                self.verdicts[part] = above if is_hidden else self.decide(part, is_folder=True) or above
            above = self.verdicts[part]
        return above


def group_by_folder(rule_files: Iterable[RuleFile | None]) -> RuleTree:
    """Return a tree of those rule files that could be read."""
    files: dict[str, tuple[RuleFile, ...]] = {}
    for rule_file in rule_files:
        if rule_file is not None and rule_file.rules:
            files[rule_file.folder] = (*files.get(rule_file.folder, ()), rule_file)
    return RuleTree(files)


def _strongest_first(files: Mapping[str, tuple[RuleFile, ...]], path: str) -> list[RuleFile]:
    found: list[RuleFile] = []
    folder = path.rpartition("/")[0]
    while True:
        found += files.get(folder, ())
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    found.sort(key=lambda rule_file: rule_file.rank)  # stable: within one rank the deepest stays first
    return found


def read_rules(file: str, folder: str, source: str, rank: int = 0) -> RuleFile | None:
    """Read the rules in ``file``; None where it cannot be read, is a link, a pipe or a device."""
    if os.path.islink(file):
        return None
    try:
        data = read_regular(file, _MOST_BYTES + 1)
    except OSError:  # there is none, or git cannot read it either
        return None
    lines = os.fsdecode(data[:_MOST_BYTES].removeprefix(b"\xef\xbb\xbf")).split("\n")
    rules = parse_rules(lines[:_MOST_RULES], folder, source, rank)
    is_cut = len(data) > _MOST_BYTES or len(lines) > _MOST_RULES + 1
    return replace(rules, is_cut=is_cut) if is_cut else rules


def parse_rules(lines: Iterable[str], folder: str, source: str, rank: int = 0) -> RuleFile:
    """Rules from the lines of an ignore file, the last line first."""
    parsed = (_parse_line(line.removesuffix("\r"), source, number) for number, line in enumerate(lines, 1))
    return RuleFile(folder, tuple(rule for rule in parsed if rule is not None)[::-1], rank)


def _parse_line(line: str, source: str, number: int) -> Rule | None:
    text = _trim(line)
    if not text or text.startswith("#"):
        return None
    pattern = text.removeprefix("!")
    is_folder_only = pattern.endswith("/")
    pattern = pattern[:-1] if is_folder_only else pattern
    if not pattern:
        return None
    return Rule(
        text=text,
        source=source,
        line=number,
        is_negated=text.startswith("!"),
        is_folder_only=is_folder_only,
        is_name_only="/" not in pattern,
        regex=_compile(_as_bytes(pattern.removeprefix("/"))),
    )


def _as_bytes(text: str) -> str:
    """Return a text with a character for each byte: git compares bytes, so that ``?`` is half of an ``é``."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


@lru_cache(maxsize=4096)
def _compile(pattern: str) -> re.Pattern[str]:
    found = _LITERAL.match(pattern)
    return re.compile(translate(pattern, found.end() if found and "/" in pattern else 0), re.DOTALL)


def _trim(line: str) -> str:
    """Drop the spaces at the end that no backslash keeps."""
    end = len(line)
    while end and line[end - 1] == " ":
        backslashes = end - 1 - len(line[: end - 1].rstrip("\\"))
        if backslashes % 2:
            break
        end -= 1
    return line[:end]


@dataclass(frozen=True, slots=True)
class Ignores:
    """The rules that hide a path that git shows. Paths given to it are relative to the root."""

    tree: RuleTree
    prefix: str  # of the root inside the tree, ending in a slash, or ""
    include: Globs
    exclude: Globs

    def rule(self, path: str) -> Rule | None:
        """Return the line of a dot file that hides or re-includes ``path``."""
        return self.tree.verdict(self.prefix + path) if self.tree.files else None

    def folder_rule(self, folder: str) -> Rule | None:
        """Return the line of a dot file that hides or re-includes ``folder``."""
        return self.tree.folder_verdict(self.prefix + folder) if self.tree.files else None

    def reason(self, path: str, rule: Rule | None) -> str:
        """Return why ``path`` is left out, given what the dot files say of it; ``""`` if it stays."""
        if rule is not None and not rule.is_negated:
            return rule.reason
        if glob := self.exclude.matching(path):
            return f'excluded by --exclude: "{glob}"'
        if self.include.texts and self.include.matching(path) is None:
            return "not matched by --include"
        return ""

    @property
    def places(self) -> tuple[str, ...]:
        """The dot files that have rules, as seen from the root."""
        files = (rule_file for group in self.tree.files.values() for rule_file in group)
        return tuple(sorted(rule_file.rules[0].source for rule_file in files if rule_file.rules))

    @property
    def cut(self) -> list[str]:
        """The dot files that have more rules than count."""
        files = (rule_file for group in self.tree.files.values() for rule_file in group)
        return [each.rules[0].source for each in files if each.is_cut and each.rules]

    @property
    def has_negations(self) -> bool:
        """Whether some line could bring back what git hides."""
        files = (rule_file for group in self.tree.files.values() for rule_file in group)
        return any(rule.is_negated for rule_file in files for rule in rule_file.rules)


def read_ignores(settings: Settings, root: str, paths: Iterable[str]) -> Ignores:
    """The layers for ``root``: dot files among ``paths``, at the root itself and above it in the same repository."""
    top = enclosing_repository(root) or root
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
