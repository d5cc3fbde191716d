"""What a file imports, as written: patterns by language family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ctxpack.model import Import

_FLAGS = re.MULTILINE
_JS = (
    r"\n[ \t]*(?:import|export)\b(?P<names>[^;'\"()=]{0,2000}?)\bfrom[ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"\n[ \t]*import[ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"require\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"import\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
)
_C = (r"\n[ \t]*#[ \t]*(?:include|import)[ \t]*\"(?P<module>[^\"\n]+)\"",)
_JVM = (r"\nimport[ \t]+(?:static[ \t]+)?(?P<module>[\w`]+(?:\.[\w`]+)*(?:\.\*|\.\{[^}]*\})?)",)
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "bash": (r"\n[ \t]*(?:source|\.)[ \t]+(?P<module>[^\n;&|#]+)",),
    "bsl": (r"\n[ \t]*#(?:Использовать|Use)[ \t]+\"?(?P<module>[^\"\s]+)",),
    "c": _C,
    "cpp": _C,
    "csharp": (r"\n[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?(?P<module>[\w.]+)[ \t]*;",),
    "dart": (r"\n(?:import|export|part)[ \t]+['\"](?P<module>[^'\"\n]+)['\"]",),
    "elixir": (r"\n[ \t]*(?:alias|import|use|require)[ \t]+(?P<module>[A-Z][\w.]*)(?P<names>\{[^}]*\})?",),
    "go": (
        r"\nimport[ \t]+(?:[\w.]+[ \t]+)?\"(?P<module>[^\"\n]+)\"",
        r"\nimport[ \t]*\((?P<block>[^)]*)\)",
    ),
    "groovy": _JVM,
    "haskell": (
        (
            r"\nimport[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:\"[^\"\n]*\"[ \t]+)?(?P<module>[\w.]+)"
            r"(?:[ \t]+qualified)?(?:[ \t]+as[ \t]+[\w.]+)?(?:[ \t]*\((?P<names>[^)\n]*)\))?"
        ),
    ),
    "java": _JVM,
    "javascript": _JS,
    "julia": (r"\n[ \t]*include\([ \t]*\"(?P<module>[^\"\n]+)\"",),
    "kotlin": _JVM,
    "lua": (r"require[ \t]*\(?[ \t]*['\"](?P<module>[^'\"\n]+)['\"]",),
    "objectivec": _C,
    "perl": (r"\n[ \t]*(?:use|require)[ \t]+(?P<module>[A-Z]\w*(?:::\w+)*)",),
    "php": (
        r"\n[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?(?P<module>[\w\\]+)(?P<names>\{[^}]*\})?",
        r"(?:require|include)(?:_once)?\b[^'\"\n;]{0,80}['\"](?P<module>[^'\"\n]+)['\"]",
    ),
    "protobuf": (r"\nimport[ \t]+(?:public[ \t]+|weak[ \t]+)?\"(?P<module>[^\"\n]+)\"",),
    "python": (
        r"\n[ \t]*from[ \t]+(?P<module>[.\w]+)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]*)",
        r"\n[ \t]*c?import[ \t]+(?P<list>[^\n#;]+)",
    ),
    "r": (r"\n[ \t]*source\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",),
    "ruby": (r"\n[ \t]*require(?P<relative>_relative)?[ \t(]+['\"](?P<module>[^'\"\n]+)['\"]",),
    "rust": (
        (
            r"\n[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+(?:::)?(?P<module>[\w:]+?)(?:::(?P<names>\{[^;]*\}|\*))?"
            r"(?:[ \t]+as[ \t]+\w+)?;"
        ),
        r"\n[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(?P<mod>\w+)[ \t]*;",
    ),
    "scala": (r"\n[ \t]*import[ \t]+(?P<module>[\w`]+(?:\.[\w`]+)*(?:\.\*|\.\{[^}]*\})?)",),
    "svelte": _JS,
    "swift": (
        (
            r"\n(?:@\w+[ \t]+)*import[ \t]+(?:(?:struct|class|enum|func|protocol|var|let|typealias)[ \t]+)?"
            r"(?P<module>[\w.]+)"
        ),
    ),
    "tsx": _JS,
    "typescript": _JS,
    "vue": _JS,
    "zig": (r"@import\([ \t]*\"(?P<module>[^\"\n]+)\"",),
}
_COMPILED: dict[str, tuple[re.Pattern[str], ...]] = {}
_QUOTED = re.compile(r"\"([^\"\n]+)\"")
_RENAMED = re.compile(r"\s+(?:as|=>)\s+.*$", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*|//[^\n]*")
_INNER_BRACES = re.compile(r"::\{[^{}]*\}")


def find_imports(text: str, language: str) -> tuple[Import, ...]:
    """Return the imports of ``text`` in the order of their lines."""
    padded = "\n" + text
    found: dict[tuple[int, str], Import] = {}
    for pattern in _patterns(language):
        line, counted = 0, 0
        for match in pattern.finditer(padded):
            begin = match.start() + 1
            line += padded.count("\n", counted, begin)
            counted = begin
            for item in _read(match, max(line, 1)):
                found.setdefault((item.line, item.module), item)
    return tuple(sorted(found.values(), key=lambda item: (item.line, item.module)))


def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    if language not in _COMPILED:
        _COMPILED[language] = tuple(re.compile(pattern, _FLAGS) for pattern in PATTERNS.get(language, ()))
    return _COMPILED[language]


def _read(match: re.Match[str], line: int) -> Iterator[Import]:
    groups = match.groupdict()
    if groups.get("block"):
        yield from _go_block(match, line)
    elif groups.get("list"):
        for module in groups["list"].split(","):
            bare = _RENAMED.sub("", module.strip())
            if bare:
                yield Import(bare, (), line)
    elif groups.get("mod"):
        yield Import(f"mod {groups['mod']}", (), line)
    else:
        yield _import(groups, line)


def _go_block(match: re.Match[str], line: int) -> Iterator[Import]:
    block = match["block"]
    for quoted in _QUOTED.finditer(block):
        offset = block.count("\n", 0, quoted.start())
        yield Import(quoted[1], (), line + offset)


def _import(groups: Mapping[str, str | None], line: int) -> Import:
    module = (groups["module"] or "").strip()
    names = _names(groups.get("names") or "")
    if groups.get("relative"):
        module = f"./{module}"
    head, brace, inner = module.partition(".{")
    if brace:
        module, names = head, _names(inner)
    return Import(module, names, line)


def _names(written: str) -> tuple[str, ...]:
    """Cut the names out of a clause such as ``{ a, type b as c }``; a renamed one counts under its first name."""
    flat = _INNER_BRACES.sub("", _COMMENT.sub("", written))
    for mark in "(){}\\;":
        flat = flat.replace(mark, " ")
    parts = (_RENAMED.sub("", part.strip()) for part in flat.split(","))
    return tuple(dict.fromkeys(part.removeprefix("type ").strip() for part in parts if part.strip()))
