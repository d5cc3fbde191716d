"""The style rules of a project: guides, linters' settings, and editors' settings for a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ctxpack.discover.globs import compile_globs
from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.light import lazy_pattern
from ctxpack.model import Chunk, Kind, SourceFile

EDITORCONFIG = ".editorconfig"


_HEAD = lazy_pattern(r"\s{0,80}\[([^\n]{1,1000})\]\s{0,80}")
_ROOT = lazy_pattern(r"\s*root\s*=\s*true\s*", re.IGNORECASE)
_NUMBERS = lazy_pattern(r"(-?\d{1,9})\.\.(-?\d{1,9})")
_NUMBER = lazy_pattern(r"-?(?:0|[1-9]\d{0,8})")
_NO_SLASH = lazy_pattern(r"[^/]")
_LONGEST_GLOB = 1_000  # characters


def sections_for(path: str, lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The sections whose glob matches ``path``, relative to the file's folder: the glob, and the section's lines."""
    for glob, span in _sections(_HEAD, lines):
        if span[1] > span[0] and matches(glob, path):
            yield glob, span


def _sections(head: re.Pattern[str], lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The headers of sections, and the lines of each section without trailing blank lines and comments."""
    heads = [(at, found[1]) for at, line in enumerate(lines) if (found := head.fullmatch(line))]
    for (at, name), (end, _) in zip(heads, [*heads[1:], (len(lines), "")], strict=True):
        while end > at + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith(("#", ";"))):
            end -= 1  # noqa: PLW2901 - up to the last line that says something
        yield name, (at + 1, end)


def is_outermost(lines: Sequence[str]) -> bool:
    """Whether files in parent folders are ignored."""
    before = (line for line in lines[: next((at for at, line in enumerate(lines) if _HEAD.fullmatch(line)), None)])
    return any(_ROOT.fullmatch(line) for line in before)


def matches(glob: str, path: str) -> bool:
    """Whether a glob of a section matches a path: one without a slash the name alone, in any folder."""
    folders = (at + 1 for at, char in enumerate(path) if char == "/" and "/" not in glob)
    try:
        return len(glob) <= _LONGEST_GLOB and len(path) in _ends(glob.removeprefix("/"), path, {0, *folders})
    except (re.error, RecursionError):  # a glob that means nothing matches nothing
        return False


def _ends(glob: str, path: str, starts: set[int]) -> set[int]:
    """The positions of a path up to which a glob matches, from given ones; no state is tried twice, so it ends."""
    at = 0
    while at < len(glob) and starts:
        starts, at = _step(glob, at, path, starts)
    return starts


def _step(glob: str, at: int, path: str, starts: set[int]) -> tuple[set[int], int]:
    """The positions after one part of a glob, and where the next part begins."""
    char = glob[at]
    if glob.startswith("**", at):
        return set(range(min(starts), len(path) + 1)), at + 2
    if char == "*":
        return _in_name(path, starts), at + 1
    if char == "{" and (end := _closing(glob, at)):
        return _choice(glob[at + 1 : end], path, starts), end + 1
    if char == "[" and (end := glob.find("]", at + 2)) > 0:
        inner = glob[at + 1 : end].replace("\\", "\\\\")
        return _one(re.compile(f"[{'^' + inner[1:] if inner[0] == '!' else inner}]"), path, starts), end + 1
    if char == "?":
        return _one(_NO_SLASH, path, starts), at + 1
    at += char == "\\" and at + 1 < len(glob)
    return {start + 1 for start in starts if path.startswith(glob[at], start)}, at + 1


def _one(char: re.Pattern[str], path: str, starts: set[int]) -> set[int]:
    return {start + 1 for start in starts if char.match(path, start)}


def _in_name(path: str, starts: set[int]) -> set[int]:
    """All positions from given ones to the end of their path component."""
    found: set[int] = set()
    for start in sorted(starts):
        while start not in found:
            found.add(start)
            if start < len(path) and path[start] != "/":
                start += 1  # noqa: PLW2901
    return found


def _closing(glob: str, at: int) -> int:
    """The position of the closing brace; 0 if there is none."""
    depth = 0
    for place in range(at, len(glob)):
        depth += (glob[place] == "{") - (glob[place] == "}")
        if not depth:
            return place
    return 0


def _choice(inner: str, path: str, starts: set[int]) -> set[int]:
    """The positions after braces: alternatives, or a range of numbers; a single word is literal, with its braces."""
    if numbers := _NUMBERS.fullmatch(inner):
        low, high = sorted(map(int, numbers.groups()))
        return {end for start in starts for end in _behind_number(path, start) if low <= int(path[start:end]) <= high}
    words, depth, start = list[str](), 0, 0
    for place, char in enumerate(inner):
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            words.append(inner[start:place])
            start = place + 1
    words.append(inner[start:])
    if len(words) == 1:
        words = [f"\\{{{inner}\\}}"]
    return {end for word in words for end in _ends(word, path, starts)}


def _behind_number(path: str, start: int) -> Iterator[int]:
    """The positions after a number without leading zeros, and after each prefix that is one."""
    found = _NUMBER.match(path, start)
    return iter(range(start + 1 + (path[start] == "-"), found.end() + 1) if found else ())


# A line that only says which other file has the rules.
_ELSEWHERE = lazy_pattern(r"\s*(?:@?[\w./-]{1,200}\.(?:md|mdc|rst)|\.\. include::.*|\{%.*\binclude\b.*%\}|#.*)?\s*")
_NOT_RULES = lazy_pattern(r"code_of_conduct.*|codeowners|llms.*", re.IGNORECASE)
_FOR_ITS_PARENT = frozenset({".github", ".cursor", ".claude", ".gitlab", "docs", "doc"})  # folders of the whole project
_OPEN = 2_500  # characters in which front matter ends
_GLOBS = lazy_pattern(r"^(?:globs|applyTo|paths)\s*:\s*(?P<globs>.*)$", re.MULTILINE)
_ALWAYS = lazy_pattern(r"^alwaysApply\s*:\s*true\s*$", re.MULTILINE)
_SCOPED = (".mdc", ".instructions.md")
_WHOLE_LINES = 50
_LONGEST, _SECTIONS = 60, 3  # lines of a section, and how many of them
_ABOUT_STYLE = lazy_pattern(
    r"\b(?:styl\w*|lint\w*|format\w*|convention\w*|coding\b|code (?:quality|organi[sz]ation|structure|layout)\b"
    r"|naming\b|rules?\b|guidelines?\b|principles?\b|standards?\b|tests?\b|testing\b|typing\b|type hints\b"
    r"|comments?\b|docstrings?\b|imports?\b|error handling\b|checks?\b"
    r"|стил\w*|правил\w*|код\w*|тест\w*|соглашени\w*|именовани\w*)",
    re.IGNORECASE,
)


_LANGUAGE = lazy_pattern(r"\b(?:python|rust|java|javascript|typescript|kotlin|swift|ruby|php)\b", re.IGNORECASE)


def guides(context: Context, files: Sequence[SourceFile]) -> list[SourceFile]:
    """The rules that apply to some of the files, those from the nearest folder first."""
    found = [
        each
        for each in context.view.files.entries.of_kinds((Kind.CONVENTIONS,))
        if not _NOT_RULES.fullmatch(each.path.rpartition("/")[2])
        and any(_holds(context, each.path, file.path) for file in files)
    ]
    return sorted(
        found, key=lambda each: (-governed_folder(each.path).count("/") - bool(governed_folder(each.path)), each.path)
    )


def governed_folder(path: str) -> str:
    """The folder that a file with rules applies to; empty for the root."""
    parts = path.split("/")[:-1]
    cut = next((at for at, part in enumerate(parts) if part.lower() in _FOR_ITS_PARENT), len(parts))
    return "/".join(parts[:cut])


def is_below(path: str, folder: str) -> bool:
    """Whether a file is below a folder; everything is below the root."""
    return not folder or path.startswith(f"{folder}/")


def relevant(context: Context, guide: SourceFile, files: Sequence[SourceFile]) -> Iterator[tuple[Span, str]]:
    """The parts of the rules that apply to the files, with their headings; short rules as a whole.

    None of a file that only says where the rules are.
    """
    last = len(context.lines(guide.path))
    if last <= _WHOLE_LINES:
        if not all(map(_ELSEWHERE.fullmatch, context.lines(guide.path))):
            yield (1, last), ""
        return
    chunks = [each for each in context.view.files.exact(guide.path).chunks if each.heading or each.start_line == 1]
    scored = [(_score(context, guide.path, each, files), each) for each in chunks]
    best = sorted((each for each in scored if each[0] > 0), key=lambda each: (-each[0], each[1].start_line))
    for _, chunk in sorted(best[:_SECTIONS], key=lambda each: each[1].start_line):
        yield (chunk.start_line, min(chunk.end_line, chunk.start_line + _LONGEST - 1)), " > ".join(chunk.heading)


def _holds(context: Context, guide: str, path: str) -> bool:
    """Whether rules apply to a file: by folder, and by the globs that the rules themselves name."""
    if not is_below(path, governed_folder(guide)):
        return False
    if not guide.lower().endswith(_SCOPED):
        return True
    head = context.view.files.text(guide)[:_OPEN]
    globs = _GLOBS.search(head)
    named = [each.strip().strip("\"'[]") for each in re.split(r",(?![^{]{0,200}\})", globs["globs"])] if globs else []
    named = [each for each in named if each]
    if not named:
        return bool(_ALWAYS.search(head)) or globs is None
    try:
        return bool(_ALWAYS.search(head)) or compile_globs(named).matching(path) is not None
    except UsageError:  # no rules of ours, no mistake of the user's
        return False


def _score(context: Context, path: str, chunk: Chunk, files: Sequence[SourceFile]) -> int:
    """How relevant a section is to the files: its heading, their language, folders and names in it.

    What is said of other languages alone is no rule for them.
    """
    title = chunk.heading[-1] if chunk.heading else ""
    text = context.text(path, (chunk.start_line, chunk.end_line))
    words = {file.language for file in files} | {file.path.split("/")[0] for file in files if "/" in file.path}
    body = text.partition("\n")[2]
    if not body.strip():
        return 0
    named = sum(bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)) for word in words if word)
    spoken_of = set(map(str.lower, _LANGUAGE.findall(text)))
    own = {other for file in files for other in (_SCRIPTS if file.language in _SCRIPTS else {file.language})}
    is_style = bool(_ABOUT_STYLE.search(title)) and not (spoken_of and spoken_of.isdisjoint(own))
    return 3 * is_style + (named if is_style or named > 1 else 0)


_SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
_WEB: Final = _SCRIPTS | {"css", "scss", "less", "html", "json", "markdown", "yaml"}
_NATIVE: Final = frozenset({"c", "cpp", "cuda", "objectivec", "protobuf"})

_FILES: Final[Sequence[tuple[str, str, frozenset[str]]]] = (
    ("ruff", r"\.?ruff\.toml", frozenset({"python"})),
    ("flake8", r"\.flake8", frozenset({"python"})),
    ("pylint", r"\.?pylintrc(?:\.toml)?", frozenset({"python"})),
    ("isort", r"\.isort\.cfg", frozenset({"python"})),
    ("mypy", r"\.?mypy\.ini", frozenset({"python"})),
    ("yapf", r"\.style\.yapf", frozenset({"python"})),
    ("pyright", r"pyrightconfig\.json", frozenset({"python"})),
    ("eslint", r"\.eslintrc(?:\.\w+)?|eslint\.config\.[cm]?[jt]s", _SCRIPTS),
    ("prettier", r"\.prettierrc(?:\.\w+)?|prettier\.config\.[cm]?[jt]s", _WEB),
    ("biome", r"biome\.jsonc?", _SCRIPTS | {"css", "json"}),
    ("jshint", r"\.jshintrc", _SCRIPTS),
    ("stylelint", r"\.stylelintrc(?:\.\w+)?|stylelint\.config\.[cm]?js", frozenset({"css", "scss", "less", "sass"})),
    ("rustfmt", r"\.?rustfmt\.toml", frozenset({"rust"})),
    ("clippy", r"\.?clippy\.toml", frozenset({"rust"})),
    ("golangci", r"\.golangci\.\w+", frozenset({"go"})),
    ("rubocop", r"\.rubocop\.yml", frozenset({"ruby"})),
    ("clang-format", r"[._]clang-format", _NATIVE),
    ("clang-tidy", r"\.clang-tidy", _NATIVE),
    ("checkstyle", r"checkstyle(?:-\w+)?\.xml", frozenset({"java"})),
    ("detekt", r"detekt\.yml", frozenset({"kotlin"})),
    ("php-cs-fixer", r"\.php-cs-fixer(?:\.dist)?\.php", frozenset({"php"})),
    ("phpcs", r"\.?phpcs\.xml(?:\.dist)?", frozenset({"php"})),
    ("phpstan", r"phpstan\.neon(?:\.dist)?", frozenset({"php"})),
    ("scalafmt", r"\.scalafmt\.conf", frozenset({"scala"})),
    ("swiftlint", r"\.swiftlint\.yml", frozenset({"swift"})),
    ("swiftformat", r"\.swiftformat", frozenset({"swift"})),
    ("dart", r"analysis_options\.yaml", frozenset({"dart"})),
    ("credo", r"\.credo\.exs", frozenset({"elixir"})),
    ("mix format", r"\.formatter\.exs", frozenset({"elixir"})),
    ("shellcheck", r"\.shellcheckrc", frozenset({"bash"})),
    ("hlint", r"\.hlint\.yaml", frozenset({"haskell"})),
    ("luacheck", r"\.luacheckrc", frozenset({"lua"})),
    ("stylua", r"\.?stylua\.toml", frozenset({"lua"})),
    ("markdownlint", r"\.markdownlint(?:\.\w+)?", frozenset({"markdown"})),
    ("yamllint", r"\.yamllint(?:\.ya?ml)?", frozenset({"yaml"})),
)
_PATTERNS: Final = tuple((tool, lazy_pattern(pattern), languages) for tool, pattern, languages in _FILES)
_PYTHON_TOOLS: Final = (
    "autopep8", "basedpyright", "black", "docformatter", "flake8", "isort", "mypy", "pep8", "pycodestyle", "pydocstyle",
    "pylint", "pyright", "ruff", "ty", "yapf",
)  # fmt: skip
_SHARED: Final[Mapping[str, str]] = {"pyproject.toml": "tool.", "setup.cfg": "", "tox.ini": ""}  # name -> prefix
_SECTION_HEAD: Final = lazy_pattern(r"\[{1,2}([^\[\]]++)\]{1,2}\s*+(?:[#;].*)?")


def tool_of(name: str, language: str) -> str:
    """The linter or formatter that a file of this name configures for a language; empty if none."""
    lower = name.lower()
    return next((tool for tool, pattern, known in _PATTERNS if language in known and pattern.fullmatch(lower)), "")


def is_shared(name: str, language: str) -> bool:
    """Whether parts of a file of this name may configure linters for a language."""
    return language == "python" and name.lower() in _SHARED


def parts(name: str, lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The linters that parts of a shared file configure, each with the lines of its part."""
    prefix = _SHARED[name.lower()]
    for head, span in tables(lines):
        tool = head.removeprefix(prefix).split(".")[0].split("-")[0] if head.startswith(prefix) else ""
        if tool in _PYTHON_TOOLS:
            yield tool, span


def tables(lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The tables of a TOML or INI file: the text in the brackets, lower-case, and the lines without blank ones."""
    return ((head.strip().lower().replace('"', ""), span) for head, span in _sections(_SECTION_HEAD, lines))
