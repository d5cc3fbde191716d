"""Globs and ignore files: which line in gitignore syntax decides about a path, and our own layers over git's file set.

The layers are .ignore, then .ctxpackignore, then --include and --exclude. Globs of these flags and of the kinds table
are gitignore-like, and a folder's name means all below it.
"""

# ruff: noqa: PTH114, PTH118, PTH123 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ctxpack.settings import Settings
from ctxpack.system.git import enclosing_repository

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_BRACKET = re.compile(r"\[([!^]?)(\]?(?:\[:\w{1,20}:\]|\\.|[^\]\\]){0,255})\]", re.DOTALL)
_BRACKET_ITEM = re.compile(r"\[:(\w+):\]|(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Globs:
    """Compiled globs; the one that is found first in the given order names the reason."""

    texts: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    union: re.Pattern[str]

    def matching(self, path: str) -> str | None:
        """Return the first glob that matches ``path`` or one of its folders, or None."""
        if not self.patterns or not self.union.fullmatch(path):
            return None
        return next(text for text, pattern in zip(self.texts, self.patterns, strict=True) if pattern.fullmatch(path))


def compile_globs(globs: Sequence[str]) -> Globs:
    """Compile ``globs``; ``{a,b}`` means either."""
    sources = [_any_of(glob) for glob in globs]
    union = "|".join(sources) or r"(?!)"
    patterns = tuple(re.compile(source, re.DOTALL) for source in sources)
    return Globs(tuple(globs), patterns, re.compile(union, re.DOTALL))


def expand_braces(glob: str) -> list[str]:
    """``*.{ts,tsx}`` -> ``*.ts``, ``*.tsx``."""
    found = _BRACES.search(glob)
    if not found:
        return [glob]
    head, tail = glob[: found.start()], glob[found.end() :]
    return [whole for choice in found[1].split(",") for whole in expand_braces(f"{head}{choice}{tail}")]


def _any_of(glob: str) -> str:
    return "|".join(_expression(single) for single in expand_braces(glob.replace("\\", "/") if _is_dos(glob) else glob))


def _is_dos(glob: str) -> bool:
    return re.search(r"\w\\\w", glob) is not None and "/" not in glob


def _expression(glob: str) -> str:
    pattern = glob.removeprefix("./")
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    pattern = pattern.rstrip("/")
    anywhere = "" if "/" in pattern else "(?:.*/)?"
    return f"(?:{anywhere}{translate(pattern.removeprefix('/'))}{below})"


def translate(pattern: str) -> str:
    """The regular expression, for a whole path, of a gitignore line without its ``!`` and the slashes at its ends.

    An invalid pattern matches nothing, as in git.
    """
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        piece, position = _piece(pattern, position)
        if piece is None:
            return _NEVER
        parts.append(piece)
    return "".join(parts)


def _piece(pattern: str, start: int) -> tuple[str | None, int]:
    char = pattern[start]
    if char == "*":
        return _stars(pattern, start)
    if char == "?":
        return "[^/]", start + 1
    if char == "[":
        found = _BRACKET.match(pattern, start)
        return (_bracket(found[1], found[2]), found.end()) if found else (None, start)
    if char == "\\":
        is_escape = start + 1 < len(pattern)
        return (re.escape(pattern[start + 1]), start + 2) if is_escape else (None, start)
    return re.escape(char), start + 1


def _stars(pattern: str, start: int) -> tuple[str, int]:
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    is_whole_segment = (start == 0 or pattern[start - 1] == "/") and (end == len(pattern) or pattern[end] == "/")
    if end - start == 1 or not is_whole_segment:
        return "[^/]*", end
    return (".*", end) if end == len(pattern) else ("(?:.*/)?", end + 1)


def _bracket(negation: str, body: str) -> str | None:
    items: list[str] = []
    for found in _BRACKET_ITEM.finditer(body):
        name, first, last = found.groups()
        if name is not None:
            if name not in _CLASSES:
                return None
            items.append(_CLASSES[name])
        elif last is None:
            items.append(_literal(first))
        elif first[-1] <= last[-1]:
            items.append(f"{_literal(first)}-{_literal(last)}")
    if not items:
        return _NEVER if not negation else "[^/]"
    return f"(?!/)[{'^' if negation else ''}{''.join(items)}]"


def _literal(item: str) -> str:
    return re.escape(item[-1])


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

    def decide(self, path: str, *, is_folder: bool) -> Rule | None:
        """Return the last rule that matches this very path (not one below it), or None."""
        inner = path[len(self.folder) + 1 :] if self.folder else path
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
        if not folder:
            return None
        if folder not in self.verdicts:
            above = self.folder_verdict(folder.rpartition("/")[0])
            is_hidden = above is not None and not above.is_negated
            self.verdicts[folder] = above if is_hidden else self.decide(folder, is_folder=True) or above
        return self.verdicts[folder]


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
    """Read the rules in ``file``; None where it cannot be read or is a symbolic link."""
    if os.path.islink(file):
        return None
    try:
        with open(file, "rb") as stream:
            text = os.fsdecode(stream.read().removeprefix(b"\xef\xbb\xbf"))
    except OSError:
        return None
    return parse_rules(text.split("\n"), folder, source, rank)


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
        regex=_compile(pattern.removeprefix("/")),
    )


@lru_cache(maxsize=4096)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern), re.DOTALL)


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
