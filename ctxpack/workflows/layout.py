"""Where things are in a repository: each folder with its purpose in its own words, and where the program begins.

``Sources`` is the repository as all parts of the instructions read it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from ctxpack.discover.traits import is_entry_point
from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Kind, Lane, SourceFile
from ctxpack.text import FENCE_MARK, code, first_of


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text and the place in a file where it is."""

    text: str
    path: str
    line: int = 0

    @property
    def place(self) -> str:
        """``path:12``, or the path."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True)
class Sources:
    """The files of a repository that is open."""

    view: IndexView

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """All files, by path."""
        return tuple(self.view.files)

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return self.view.files.get(path) is not None

    def text(self, path: str) -> str:
        """The text of a file; empty where there is none."""
        return self.view.files.text(path) if self.has(path) else ""

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none where there is none."""
        return self.view.files.all_lines(path) if self.has(path) else []

    def below(self, folder: str) -> list[SourceFile]:
        """The files of a folder and of those in it."""
        return [file for file in self.files if file.path.startswith(f"{folder}/")]

    def toml(self, path: str) -> dict[str, Any]:
        """What a TOML file holds; nothing where it cannot be read as one."""
        try:
            return tomllib.loads(self.text(path))
        except (tomllib.TOMLDecodeError, RecursionError):  # a manifest that nobody can read tells nothing
            return {}

    def json(self, path: str) -> dict[str, Any]:
        """What a JSON file holds; nothing where it cannot be read as an object."""
        try:
            held = json.loads(self.text(path) or "{}")
        except (ValueError, RecursionError):  # a manifest that nobody can read tells nothing
            return {}
        return held if isinstance(held, dict) else {}

    def line_of(self, path: str, words: str) -> int:
        """The first line of a file that holds some words; 0 for none."""
        return next((number for number, line in enumerate(self.lines(path), 1) if words in line), 0)


def toml_table(held: object, *keys: str) -> dict[str, Any]:
    """A table within tables; empty where there is none."""
    for key in keys:
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, dict) else {}


_MOST, _INSIDE = 14, 14  # folders at the top, and within the one that holds the code
_LONGEST = 110  # characters of a purpose
_LONGEST_PARAGRAPH = 6  # lines of which its first sentence is read
_NAMED = 5  # files to name for a folder that says nothing about itself
_KNOWN = {
    **dict.fromkeys(("test", "tests", "testing", "__tests__", "spec"), "tests"),
    **dict.fromkeys(("docs", "doc"), "documentation"),
    **dict.fromkeys(("example", "examples", "samples"), "examples"),
    **dict.fromkeys(("scripts", "script"), "scripts for development"),
    **dict.fromkeys(("bench", "benches", "benchmark", "benchmarks"), "benchmarks"),
    **dict.fromkeys(("fixtures", "testdata"), "data for tests"),
    **dict.fromkeys(("vendor", "third_party"), "vendored code"),
    **dict.fromkeys(("locales", "i18n"), "translations"),
    **dict.fromkeys(("site", "website", "www"), "the website"),
    ".github": "workflows and templates of GitHub",
    "specs": "specifications",
    "docs_src": "code that the documentation shows",
    **dict.fromkeys(("demo", "demos"), "demonstrations"),
    ".changeset": "entries of the changelog",
    "tools": "tools for development",
    "ci": "what continuous integration runs",
    "assets": "pictures and other assets",
    **dict.fromkeys(("migration", "migrations"), "migrations of the database"),
    **dict.fromkeys(("artwork", "images", "img"), "pictures"),
    ".husky": "git hooks",
    ".mvn": "the Maven wrapper",
    ".tx": "settings of Transifex",
    ".vscode": "settings of an editor",
    ".circleci": "what continuous integration runs",
    ".devcontainer": "a container for development",
    "resources": "resources",
    "changelog": "entries of the changelog",
    "contrib": "contributed extras",
    "docker": "container images",
    "fuzz": "fuzz tests",
    "packages": "the packages of the workspace",
    "crates": "the crates of the workspace",
    "cmd": "programs",
    "ui": "user interface",
    "web": "web interface",
}
"""What folders are for that say nothing of themselves, by name."""
_NEARLY_ALL = 0.8  # of the files or the code of a folder
_LEAST_MAIN = 0.3  # of the code is in the folder that is the main one
_ALIKE = 8  # folders side by side with a file of the same name, at least, and one of so many
_VAGUE = frozenset({"contributed extras", "resources", "tools for development", "scripts for development", "programs"})
"""Purposes that leave open what is in the folder."""
_OF_PARTS = frozenset({"packages", "crates"})
_MANIFESTS = r"(?:package\.json|Cargo\.toml|pyproject\.toml|setup\.py|go\.mod|composer\.json|pubspec\.yaml)"
_IN_PACKAGES = lazy_pattern(r"(?:.*/)?src/\w+/(?:groovy|java|kotlin|scala)/.")
_DOC = lazy_pattern(r'^\s*[rRuU]?(?:"""|\'\'\')\s*(.*)')
_COMMENT = lazy_pattern(r"^\s*//[/!]?!?\s?(.*)")
_END = lazy_pattern(r"(?<=[.!?])(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bvs\.)\s")  # of a sentence
_LINK = lazy_pattern(r"\[([^\[\]]{1,200})\](?:\([^()\s]{0,400}\)|\[[^\[\]]{0,200}\])")
_NOISE = lazy_pattern(rf"^\s*(?:#|<|\[!|!\[|\.\.|={{3,}}|-{{3,}}|\*{{3,}}|{FENCE_MARK}|\||>|$)")


def layout(sources: Sources) -> list[tuple[str, str]]:
    """The folders at the top, and those within the ones that hold most code, each with its purpose."""
    shown = [file for file in sources.files if "/" in file.path and not _is_mark(file.path)]
    counts = Counter(file.path.split("/")[0] for file in shown)
    names = sorted(counts, key=lambda name: (-_weight(sources, name, counts), name))[:_MOST]
    rows: list[tuple[str, str]] = []
    inside = _main_folder(sources)
    for name in sorted(names, key=lambda each: (each.startswith("."), each)):
        if inside.split("/")[0] != name:
            deep = _through(sources, name)
            rows.append((f"{deep}/", purpose(sources, deep)))
            continue
        if inside != name:  # what it holds is said of the folder within
            rows.append((f"{name}/", _purpose_of_folder(sources, name)))
        within = [inside, *_parts(sources, inside), *_other_code_folders(sources, inside)]
        rows += [(f"{below}/", purpose(sources, below)) for below in (_through(sources, each) for each in within)]
    top = _top_level_code(sources.files)
    return [*([("./", top)] if top and not inside else []), *rows]


def _through(sources: Sources, folder: str) -> str:
    """The folder itself, or the one within that holds all it has, as with packages in Java."""
    names = {file.path[len(folder) + 1 :].rpartition("/")[0].partition("/")[0] for file in sources.below(folder)}
    if len(names) != 1 or "" in names or _purpose_of_folder(sources, folder):
        return folder
    return _through(sources, f"{folder}/{names.pop()}")


def _is_mark(path: str) -> bool:
    """Whether a file only keeps a folder in the repository."""
    return path.rpartition("/")[2] in (".gitignore", ".gitkeep", ".keep")


def _top_level_code(files: Sequence[SourceFile]) -> str:
    """The code at the top, in no folder."""
    visible = [file for file in files if "/" not in file.path and not file.path.startswith(".")]
    code = [file for file in visible if file.kind is Kind.CODE and not file.traits]
    return _name_list([file.path for file in sorted(code, key=lambda file: (-file.size, file.path))])


def entry_points(sources: Sources) -> list[FoundText]:
    """Where the program begins: declared programs, and files with the usual names."""
    found: list[FoundText] = []
    held = sources.toml("pyproject.toml")
    for name, target in {
        **toml_table(held, "project", "scripts"),
        **toml_table(held, "tool", "poetry", "scripts"),
    }.items():
        line = sources.line_of("pyproject.toml", str(target))
        found.append(FoundText(f"{code(name)} runs {code(str(target))}", "pyproject.toml", line))
    package = sources.json("package.json")
    programs = package.get("bin")
    for name, target in programs.items() if isinstance(programs, dict) else ():
        line = sources.line_of("package.json", '"bin"')
        found.append(FoundText(f"{code(name)} runs {code(str(target))}", "package.json", line))
    files = (file for file in sources.files if file.kind is Kind.CODE and not file.traits)
    found += [FoundText("", file.path) for file in files if is_entry_point(file.path)]
    return found[:8]


def purpose(sources: Sources, folder: str) -> str:
    """The purpose of a folder: in its own words, else by its name or its kind of files, else by its files."""
    held = sources.below(folder)
    is_of_tests = bool(held) and sum(file.kind is Kind.TEST for file in held) >= _NEARLY_ALL * len(held)
    said = _purpose_of_folder(sources, folder) or ("tests" if is_of_tests else "")
    is_vague = not said or (said in _VAGUE and any(file.kind is Kind.CODE for file in held))
    return ": ".join(filter(None, (said, _file_names(held, folder) if is_vague else "")))


def _purpose_of_folder(sources: Sources, folder: str) -> str:
    name = folder.rpartition("/")[2].lower()
    said = _description(sources, folder)
    if said and _letters(said) != _letters(name):
        return said
    is_workspace = any(re.fullmatch(rf"{re.escape(folder)}/[^/]+/{_MANIFESTS}", file.path) for file in sources.files)
    is_named = name not in _OF_PARTS or is_workspace
    is_own_part = "/" in folder and _KNOWN.get(name) in _VAGUE and sources.has(f"{folder}/__init__.py")
    is_own_part |= name == "cmd" and all(file.language != "go" for file in sources.below(folder))
    is_own_part |= _IN_PACKAGES.match(folder) is not None  # its name is a part of that of a package
    return _KNOWN.get(name, "") if is_named and not is_own_part else ""


def _letters(text: str) -> str:
    return re.sub(r"\W|_", "", text).lower()


def _weight(sources: Sources, name: str, counts: Counter[str]) -> int:
    is_code = any(file.kind is Kind.CODE and not file.traits for file in sources.below(name))
    return counts[name] * (10 if is_code else 1)


def _main_folder(sources: Sources) -> str:
    """The folder that holds most of the code itself, through folders that only hold another one."""
    code = [file for file in sources.files if file.kind is Kind.CODE and not file.traits and "/" in file.path]
    code = [file for file in code if _KNOWN.get(file.path.split("/")[-2]) != _KNOWN["migrations"]]
    code = [file for file in code if file.language != "html"] or code  # templates are what code fills in
    code = _of_different_names(code)
    tops = Counter(top for file in code if (top := file.path.split("/")[0]) not in _KNOWN or top in _OF_PARTS)
    at_top = sum("/" not in file.path for file in sources.files if file.kind is Kind.CODE and not file.traits)
    most = sorted(tops.items(), key=lambda item: (-item[1], item[0]))
    folder = most[0][0] if most and most[0][1] > max(at_top, _LEAST_MAIN * len(code)) else ""
    while folder:
        held = [file.path[len(folder) + 1 :] for file in code if file.path.startswith(f"{folder}/")]
        names = Counter(path.split("/")[0] for path in held if "/" in path)
        name, count = max(names.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if len(held) > sum(names.values()) or not name or count < _NEARLY_ALL * len(held):
            return folder
        folder = f"{folder}/{name}"
    return folder


def _of_different_names(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The files without those of a name that many folders beside theirs hold as well: so look tables, not code."""
    siblings: dict[str, set[str]] = {}
    holders: Counter[tuple[str, str]] = Counter()
    for file in files:
        folder, _, name = file.path.rpartition("/")
        above = folder.rpartition("/")[0]
        siblings.setdefault(above, set()).add(folder)
        holders[above, name] += 1

    def is_repeated(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        above = folder.rpartition("/")[0]
        return holders[above, name] >= max(_ALIKE, len(siblings[above]) / _ALIKE)

    return [file for file in files if not is_repeated(file.path)]


def _parts(sources: Sources, folder: str) -> list[str]:
    """The folders within the main one; empty if there are none, as its files are listed with it."""
    counts: Counter[str] = Counter()
    for file in sources.below(folder):
        rest = file.path[len(folder) + 1 :]
        if "/" in rest and file.kind.lane is Lane.CODE:
            counts[f"{folder}/{rest.split('/')[0]}"] += 1
    return sorted(sorted(counts, key=lambda name: (-counts[name], name))[:_INSIDE])


def _other_code_folders(sources: Sources, folder: str) -> list[str]:
    """The other folders of code within those that hold the main one."""
    above = [parent for at, each in enumerate(folder) if each == "/" and (parent := folder[:at])]
    return [part for parent in above for part in _parts(sources, parent) if not f"{folder}/".startswith(f"{part}/")]


_MAVEN_NAME = lazy_pattern(r"^\s{0,12}<name>([^<>$]{1,100})</name>")


def _description(sources: Sources, folder: str) -> str:
    """The first sentence of a folder's readme, package file, module or package comment."""
    manifest = sources.toml(f"{folder}/Cargo.toml")
    said = [
        toml_table(manifest, "package").get("description"),
        sources.json(f"{folder}/package.json").get("description"),
        next((found[1] for line in sources.lines(f"{folder}/pom.xml") if (found := _MAVEN_NAME.search(line))), ""),
    ]
    if text := next((each.strip() for each in said if each and isinstance(each, str)), ""):  # not of the workspace
        return _shorten(" ".join(text.split()))
    for name in ("__init__.py", "lib.rs", "src/lib.rs", "mod.rs", "doc.go"):
        if first := _first_sentence(sources.lines(f"{folder}/{name}")):
            return first
    if about := _package_comment(sources.lines(f"{folder}/package-info.java")):
        return about
    name = folder.rpartition("/")[2]
    for file in sources.below(folder):
        if file.path.endswith(".go") and file.path.count("/") == folder.count("/") + 1:
            lines = sources.lines(file.path)
            begins = re.compile(rf"// Package {re.escape(name)}\b")
            if (start := next((at for at, line in enumerate(lines[:40]) if begins.match(line)), None)) is not None:
                return _shorten(_paragraph(lines[start:], "//"))
    if folder.rpartition("/")[2].lower() in _KNOWN:
        return ""
    readme = next(
        (f"{folder}/{each}" for each in ("README.md", "README.rst", "readme.md") if sources.has(f"{folder}/{each}")), ""
    )
    return _prose(sources.lines(readme)) if readme else ""


def _package_comment(lines: Sequence[str]) -> str:
    """The first sentence of the comment of a package in Java."""
    end = next((at for at, line in enumerate(lines) if line.startswith(("package ", "@"))), 0)
    text = " ".join(line.strip().strip("/*").strip() for line in lines[:end])
    text = re.sub(r"\{@\w+\s+([^}]*)\}", r"`\1`", re.sub(r"<[^<>]*>", " ", text))
    said = " ".join(text.split())
    return _shorten(said) if re.match(r"[A-Z`]", said) and "opyright" not in said[:_LONGEST] else ""


def _first_sentence(lines: Sequence[str]) -> str:
    """The first sentence of a module's documentation."""
    for at, line in enumerate(lines[:6]):
        match = _DOC.match(line) or (_COMMENT.match(line) if line.lstrip().startswith("//!") else None)
        said = match[1].strip("\"' ") if match else ""
        if re.match(r"[A-ZА-Я`\[]", said):
            is_ended = match is not None and match[1].rstrip().endswith(('"""', "'''"))
            mark = "//!" if line.lstrip().startswith("//!") else ""
            return _shorten(said if is_ended else " ".join((said, _paragraph(lines[at + 1 :], mark))))
    return ""


def _paragraph(lines: Sequence[str], mark: str) -> str:
    """The text of the first lines that begin with a mark, as far as an empty one, or the end of a docstring."""
    words: list[str] = []
    for line in takewhile(lambda each: each.lstrip().startswith(mark), lines[:_LONGEST_PARAGRAPH]):
        text, end, _ = line.strip().removeprefix(mark).partition('"""')
        if not text.strip():
            break
        words.append(text.strip())
        if end:
            break
    return " ".join(words)


def _prose(lines: Sequence[str]) -> str:
    text = list[str]()
    for line in lines[:40]:
        if _NOISE.match(line):
            if text:
                break
            continue
        text.append(line.strip())
    first = _END.split(_LINK.sub(r"\1", " ".join(text)), maxsplit=1)[0].rstrip()
    if re.match(r"`[^`]* ", first) or first.endswith(":"):  # a command, or what leads to a list
        return ""
    return _shorten(first) if text and re.match(r"[A-ZА-Я`*\"]", text[0]) else ""


def _file_names(files: Sequence[SourceFile], folder: str) -> str:
    """The files and folders that a folder holds, those with most code first."""
    sizes: dict[str, tuple[int, int]] = {}
    for file in files:
        name, _, rest = file.path[len(folder) + 1 :].partition("/")
        if name != "__init__.py" and not _is_mark(file.path):
            code, size = sizes.get(f"{name}/" if rest else name, (0, 0))
            is_code = file.kind is Kind.CODE and not file.traits
            sizes[f"{name}/" if rest else name] = (code + is_code * file.size, size + file.size)
    return _name_list(sorted(sizes, key=lambda name: (*(-each for each in sizes[name]), name)))


def _name_list(names: Sequence[str]) -> str:
    return first_of([code(name) for name in names], _NAMED)


def _shorten(text: str) -> str:
    first = _END.split(text, maxsplit=1)[0].rstrip(".: ")
    return first if len(first) <= _LONGEST else first[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"


def as_nested_list(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The rows as a list whose inner folders are indented."""
    names = {name for name, _ in rows}
    for name, said in rows:
        depth = sum(name != other and name.startswith(other) for other in names - {"./"})
        yield f"{'  ' * depth}- {code(name)}: {said}" if said else f"{'  ' * depth}- {code(name)}"
