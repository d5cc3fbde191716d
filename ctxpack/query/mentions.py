"""Mentions in a request: paths, dotted names, and stack frames of many languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Mention, Part
from ctxpack.query.parts import split_parts

FIRST_WEIGHT = 0.4
"""Weight of the frame farthest from the failure; the nearest weighs 1, linear in between."""
MAX_GAP = 800  # characters between two frames of one stack
_TRACEBACK = "Traceback (most recent call last)"
_STACK_WORDS = lazy_pattern(
    r"Traceback \(most recent call last\):?|^goroutine \d+ \[[^\]\n]*\]:?|\b0x[0-9a-f]+\b|\+0x[0-9a-f]+"
    r"|\{0x[^}\n]*\}?|\b\d{4}-\d\d-\d\d[T ][\d:.,]+(?: ?[+-]\d{4}|Z)?|^exit status \d+$|[~^]{2,}"
    r"|^Exception in thread \"[^\"\n]{1,80}\"|^[ \t]{0,8}(?:Caused by|Suppressed): "
    r"|^\s{1,8}\.\.\. \d+ (?:more|common frames)\b"
    r"|^stack backtrace:$|^(?:note: )?(?:some details are omitted|run with `RUST_)[^\n]{0,200}"
    r"|^Stack trace:$|^#\d+ \{main\}$|^--- End of [^\n]{1,80} ---$"
    r"|^During handling of the above exception, another exception occurred:$"
    # Frames of a runtime itself, of which no repository holds the file.
    r"|^ {0,8}\d{1,3}: rust_begin_unwind$"
    r"|^ {0,8}\d{1,3}: [^\n]{1,300}\n\s{1,20}at /rustc/[^\n]{1,300}|^\s{1,20}at /rustc/[^\n]{1,300}"
    r"|^\s{1,20}at (?:[^\n(]{1,100} \((?:node:|internal/|native\b|index \d)|(?:System|Microsoft)\.)[^\n]{0,300}",
    re.MULTILINE | re.IGNORECASE,
)
_ALIEN = ("<", "node:", "internal/", "/rustc/", "native ")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame in a text; ``start`` and ``end`` are offsets of characters."""

    path: str
    line: int
    function: str
    start: int
    end: int
    innermost_first: bool


_INNERMOST_LAST = (
    r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.]+|<\w+>))?',
    r"File (?P<path>[~\w./\\: -]{1,400}\.pyx?):(?P<line>\d+)(?:, in (?P<function>[\w.]+))?",
    r"^[ \t]*(?P<path>[~\w./\\:<>-]+\.pyx?) in (?P<function>\w+)\((?:[^\n]*\n){1,8}?-+> ?(?P<line>\d+)",
    (
        r"^[ \t│]*(?:at |\d{1,3} +)?(?P<path>[~\w./\\:@-]{1,400}\.pyx?):(?P<line>\d+)"
        r"(?::? in (?P<function>[\w.]{1,200}|<\w{1,40}>)|: (?:\w+\.)*\w*(?:Error|Exception)\b)"
    ),
)
_INNERMOST_FIRST = (
    (
        r"\bat (?:async )?(?P<package>[\w$]+(?:[./][\w$]+)*)\.(?P<function>[\w$<>]+)"
        r"\((?P<path>[\w$]+\.(?:java|kt|scala|groovy|clj)):(?P<line>\d+)\)"
    ),
    (
        r"\bat (?:async )?(?:(?:new )?(?P<function>[\w$.<>]+)(?: \[as \w+\])? )?"
        r"\(?(?P<path>[^\s()'\"]+?\.(?:[cm]?[jt]sx?|vue|svelte)):(?P<line>\d+):\d+"
    ),
    r"\bat (?P<function>[\w.`<>$]+)\([^)\n]{0,400}\) in (?P<path>[^\n]{1,400}?\.(?:cs|fs|vb)):line (?P<line>\d+)",
    (
        r"(?:^(?P<function>[\w./*()\[\]-]{1,200})\([^\n]{0,400}\)\n[ \t]{0,80})?"
        r"(?<![^\s:'\"])(?P<path>[^\s:'\"]+\.go):(?P<line>\d+) \+0x[0-9a-f]+"
    ),
    r"^(?P<function>[\w./*()\[\]-]{1,200})\(\.{3}\)\n[ \t]{1,80}(?P<path>[^\s:'\"]{1,400}\.go):(?P<line>\d{1,9})$",
    r"^ *\d+: (?P<function>[^\n]+)\n\s+at (?P<path>[^\s:]+\.rs):(?P<line>\d+)(?::\d+)?",
    r"panicked at (?:'[^\n]{0,400}?', )?(?P<path>[^\s:']+\.rs):(?P<line>\d+)(?::\d+:?)?",
    r"(?<![^\s:'\"])(?P<path>[^\s:'\"]+\.rb):(?P<line>\d+):in [`'](?:[a-z]+[^'\n]{0,12} in )?(?P<function>[^'\n]+)'",
    r"#\d+ (?P<path>[^\s(]+\.php)\((?P<line>\d+)\): (?P<function>[^\s(]+)\(",
    r"\bin (?P<path>[^\s:]+\.php)(?::| on line )(?P<line>\d+)",
    (
        r"^ *#\d+ +(?:0x[0-9a-f]+ in )?(?P<function>[\w:~]{1,200}) ?(?:\([^\n]{0,400}\) at )?"
        r"(?P<path>[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp|m|zig)):(?P<line>\d+)(?::\d+)?"
    ),
    r"\([\w-]+(?: [\d.]+)?\) (?P<path>[\w./-]+\.exs?):(?P<line>\d+): (?P<function>[\w.!?]+)(?:\.\"[^\n]{0,200})?",
    (
        r"(?<![^\s:'\"])(?P<path>[^\s:'\"]{1,400}\.lua):(?P<line>\d{1,9}): in "
        r"(?:function <|main chunk|(?:function|upvalue|local|method|field|global) '(?P<function>[^'\n]{1,200})')"
    ),
    r"\bat: (?P<function>\w{1,100}) \((?P<path>[^\s():]{1,20}://[^\s():]{1,400}\.gd):(?P<line>\d{1,9})\)",
    r"(?P<path>\bres://[^\s():]{1,400}\.gd):(?P<line>\d{1,9})",
    r"#\d{1,4} +(?P<function>[\w.<>]{1,200}) \((?P<path>package:[^\s():]{1,400}\.dart):(?P<line>\d{1,9})",
)
_LINE_NUMBER = lazy_pattern(r"(?:line |[:>(] ?)\d")  # no frame is without one


def clean_path(path: str) -> str:
    """A path as the model writes paths: ``/`` as separator, no scheme, drive, ``~`` or leading ``./``."""
    path = re.sub(r"^(?:file|webpack(?:-internal)?)://+", "/", path.strip().replace("\\", "/"))
    path = re.sub(r"^(?:res|user)://+|^package:[^/]*/|^\.\.\.[^/]*/", "", path)
    path = re.sub(r"^(?:[A-Za-z]:(?=/)|~(?=/))", "", path)
    return re.sub(r"/{2,}", "/", re.sub(r"^(?:\.{1,2}/)+", "", path))


def _to_frame(match: re.Match[str], *, innermost_first: bool) -> Frame:
    found = match.groupdict()
    path = clean_path(found["path"])
    if found.get("package"):  # com.x.Y.m(Y.java:12) names its folder as a package
        folders = re.split(r"[./]", found["package"])[:-1]
        path = "/".join([*folders, path])
    function = re.sub(r"::h[0-9a-f]{16}$|(?:\.(?:func)?\d{1,4}){1,4}$", "", found.get("function") or "")
    function = re.split(r"::|->|[./\\#]", function.replace("::{{closure}}", ""))[-1].strip("<>")
    return Frame(path, int(found["line"]), function, match.start(), match.end(), innermost_first)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Every pattern and whether its stacks begin with the innermost frame; compiled for texts that may hold frames."""
    texts = [(text, False) for text in _INNERMOST_LAST] + [(text, True) for text in _INNERMOST_FIRST]
    return tuple((re.compile(text, re.MULTILINE), innermost_first) for text, innermost_first in texts)


def find_frames(text: str) -> tuple[Frame, ...]:
    """The stack frames of ``text`` in order; frames of interpreters and unnamed sources are left out."""
    found: list[Frame] = []
    for pattern, innermost_first in _patterns() if _LINE_NUMBER.search(text) else ():
        matches = (match for match in pattern.finditer(text) if not match["path"].lstrip().startswith(_ALIEN))
        found.extend(_to_frame(match, innermost_first=innermost_first) for match in matches)
    found.sort(key=lambda frame: (frame.start, -frame.end))
    return tuple(_without_overlaps(found))


def condense_frames(text: str, *, is_of_stack: bool = False) -> str:
    """The text with each frame reduced to its function and the name of its file.

    The folders of an installation, line numbers, addresses and the words that every stack has say nothing of a
    repository. ``is_of_stack``: the text may be a part of a stack without a frame that is understood.
    """
    found: list[str] = []
    end = 0
    for frame in find_frames(text):
        stem = frame.path.rpartition("/")[2].partition(".")[0].strip("_")
        found += [text[end : frame.start], f" {frame.function} {stem} "]
        end = frame.end
    return _STACK_WORDS.sub(" ", "".join([*found, text[end:]])) if found or is_of_stack else text


# Folders of what is built: a frame there is of the source of the same name. Files of these languages need not lie in
# the folders of their package.
_BUILT: Final = frozenset(("bin", "build", "cjs", "dist", "es", "esm", "lib", "out", "target", "umd"))
_ANYWHERE: Final = (".kt", ".scala", ".groovy", ".clj")


def may_be_of_frame(path: str, frame: str) -> bool:
    """Whether a file of a repository may be the one of a frame: not where only their names are alike.

    Libraries have files of common names too: ``/usr/local/go/src/net/http/server.go`` is no ``web/server.go``.
    """
    own, other = path.lower().split("/"), frame.lower().strip("/").split("/")
    if own[-1] != other[-1]:
        return False
    is_free = 1 in (len(own), len(other)) or other[-2] in _BUILT or own[-1].endswith(_ANYWHERE)
    return is_free or own[-2] == other[-2]


# What Python shows below a frame.
_CODE_OF_FRAME: Final = lazy_pattern(r"(?:\n[ \t]{4,40}(?!File \"|at )\S[^\n]{0,300}){1,2}")


def without_foreign_frames(text: str, named: Callable[[str], Iterable[str]]) -> str:
    """The text without the frames of files that the repository does not hold; all stay where it holds none.

    ``named`` gives its paths whose last part is a name.
    """
    frames = find_frames(text)
    names = ((frame, named(frame.path.rpartition("/")[2])) for frame in frames)
    foreign = [frame for frame, paths in names if not any(may_be_of_frame(path, frame.path) for path in paths)]
    for frame in reversed(foreign if len(foreign) < len(frames) else []):
        code = _CODE_OF_FRAME.match(text, frame.end)
        text = text[: frame.start] + text[code.end() if code else frame.end :]
    return text


def _without_overlaps(frames: Iterable[Frame]) -> Iterator[Frame]:
    end = -1
    for frame in frames:
        if frame.start >= end:
            yield frame
            end = frame.end


def _stacks(text: str, frames: tuple[Frame, ...]) -> list[list[Frame]]:
    stacks: list[list[Frame]] = [[frames[0]]]
    for before, frame in pairwise(frames):
        gap = text[before.end : frame.start]
        if len(gap) > MAX_GAP or _TRACEBACK in gap or before.innermost_first != frame.innermost_first:
            stacks.append([])
        stacks[-1].append(frame)
    return stacks


def frame_mentions(text: str) -> tuple[Mention, ...]:
    """Mentions of kind ``frame``, each once with its best weight, heaviest first.

    Weights fall from 1 for the frame nearest to the failure to ``FIRST_WEIGHT`` for the farthest of its stack.
    """
    frames = find_frames(text)
    best: dict[tuple[str, int, str], float] = {}
    for stack in _stacks(text, frames) if frames else []:
        ordered = stack[::-1] if stack[0].innermost_first else stack
        for position, frame in enumerate(ordered, start=1):
            share = 1.0 if len(ordered) == 1 else (position - 1) / (len(ordered) - 1)
            key = (frame.path, frame.line, frame.function)
            best[key] = max(best.get(key, 0.0), FIRST_WEIGHT + (1 - FIRST_WEIGHT) * share)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Mention(path, "frame", round(weight, 4), line, name) for (path, line, name), weight in ranked)


MENTION_WEIGHTS: Mapping[Part, float] = {Part.TITLE: 4.0, Part.PROSE: 1.0, Part.CODE: 0.3, Part.TRACEBACK: 0.3}
"""What a mention in a part weighs, before all are divided by the heaviest (at least 1)."""

_SUFFIXES = """
adoc asciidoc asm astro bash bat bazel bsl bzl c cc cfg cjs clj cljs cmake conf cpp cs csproj css cu cxx dart ejs el elm
erb erl ex exs f90 fs fsx gd go gql gradle graphql groovy h haml hbs hcl hh hpp hs htm html hxx ini ipynb j2 java jinja
jinja2 jl js json jsonc jsx kt kts less lock lua m mako md mdx mjs mk ml mli mm mod nim nix org os pas php pl pm po
properties proto ps1 pug pxd py pyi pyx qml r rake rb rkt rs rst s sass sbt scala scm scss sh sln sol sql sv svelte svg
swift tcl tex tf thrift tmpl toml tpl ts tsx txt v vb vhd vim vue wsgi xaml xml yaml yml zig zsh
"""
SUFFIXES = frozenset(_SUFFIXES.split())
"""Suffixes that make a bare name a file of code, documentation or configuration."""
_BARE_FILES = ("Makefile", "Dockerfile", "Gemfile", "Rakefile", "Jenkinsfile", "Procfile", "Vagrantfile", "Pipfile")
_PRODUCT = lazy_pattern(
    r"(?:node|vue|next|nuxt|react|express|d3|three|angular|ember|backbone)\.js|asp\.net", re.IGNORECASE
)
_RECEIVERS = ("self", "this", "cls", "super")
_ABBREVIATIONS = frozenset(("e.g", "i.e", "a.k.a", "p.s", "т.е", "т.к", "т.д", "т.п"))
TOP_DOMAINS = frozenset(("com", "org", "net", "io", "ru", "edu", "gov"))

_LINE = r"(?:(?::|#L|\(|,? (?:on |at )?line )(?P<line>\d+))?"
_SOURCE_URL = lazy_pattern(
    r"https?://\S{1,200}?/(?:blob|tree|raw|src)/[^/\s]{1,100}/(?P<path>[^\s#?)\]>\"'`]++)(?:#L(?P<line>\d{1,9}))?"
)
_COMMIT_URL = lazy_pattern(r"https?://\S{1,200}?/commits?/(?P<commit>[0-9a-f]{7,40})\b")
_URL = lazy_pattern(
    r"\b(?:[a-z][a-z+.-]{0,30}://|www\.)[^\s)>\]\"'`]+|\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
)
_COMMIT = lazy_pattern(r"(?<![\w/.-])(?P<commit>[0-9a-f]{7,40})(?![\w-])")
_COMMIT_WORD = lazy_pattern(
    r"(?:\b(?:commit|revision|rev|sha|changeset|bisect\w*|revert\w*)\b|коммит|ревизи)", re.IGNORECASE
)
_NEARBY = 40  # characters before a short hash in which a word must call it a commit
_LONGEST_LINE = 500  # characters before a path that may say it is of a diff
_FULL_HASH = 40
MIN_STEM = 3
"""Letters before a one-letter suffix: ``self.c`` is an attribute more often than ``a.h`` is a file."""
_PATH = lazy_pattern(
    rf"(?<![\w@$])(?P<path>(?:[A-Za-z]:[\\/]|~?[\\/]|\.{{1,2}}[\\/])?(?:[\w.@+-]{{1,100}}[\\/]){{1,30}}[\w.@+-]{{0,100}}[\w-]|[\w+-][\w.+-]{{0,150}}\.\w{{1,40}}"
    rf"|\b(?:{'|'.join(_BARE_FILES)})\b)(?P<slash>[\\/](?!\w))?(?P<call>\((?!\d+\)))?{_LINE}"
)
_NO_PATH = lazy_pattern(r"[\d./:v-]+|HTTP/[\d.]+|\d+/\w{3}/\d{4}", re.IGNORECASE)
_NAME = r"[^\W\d]\w{0,80}"
_DOTTED = lazy_pattern(
    rf"(?<![\w.])(?P<name>(?:[\w-]{{1,80}}/){{0,20}}{_NAME}(?:(?:\.|::|#|->){_NAME}){{1,20}})(?![\w/])"
)


def find_mentions(text: str) -> tuple[Mention, ...]:
    """What ``text`` names, judged by the text alone: nothing is looked up in a repository.

    Each mention comes once, with the best weight of all its places: frames by their place in the stack, everything
    else by part (``MENTION_WEIGHTS``). Weights are at most 1; heaviest first.
    """
    best: dict[tuple[str, str, int], float] = {}
    for part, chunk in split_parts(text):
        for kind, name, line in _in_part(without_frames(chunk)):
            key = (kind, name, line)
            best[key] = max(best.get(key, 0.0), MENTION_WEIGHTS[part])
    top = max([1.0, *best.values()])
    found = [Mention(name, kind, round(weight / top, 4), line) for (kind, name, line), weight in best.items()]
    found += frame_mentions(text)
    return tuple(sorted(found, key=lambda item: (-item.weight, item.kind, item.text, item.line, item.function)))


def without_frames(text: str) -> str:
    """The text with blanks instead of its frames."""
    signs = list(text)
    for frame in find_frames(text):
        _blank(signs, frame.start, frame.end)
    return "".join(signs)


def _blank(signs: list[str], start: int, end: int) -> None:
    signs[start:end] = " " * (end - start)


def _in_part(text: str) -> Iterator[tuple[str, str, int]]:
    """``(kind, text, line)`` of each mention; what one kind has taken is hidden from the next."""
    for match in _COMMIT_URL.finditer(text):
        yield "commit", match["commit"], 0
    for match in _SOURCE_URL.finditer(text):
        yield "path", clean_path(match["path"]).rstrip("/."), int(match["line"] or 0)
    text = _URL.sub(lambda match: " " * len(match[0]), text)
    signs = list(text)
    for match in _COMMIT.finditer(text):
        if _is_commit("".join(signs[max(0, match.start() - _NEARBY) : match.start()]), match):
            yield "commit", match["commit"], 0
            _blank(signs, *match.span())
    text = "".join(signs)
    for match in _PATH.finditer(text):
        if _is_path(text, match):
            yield "path", _tidy_path(match), int(match["line"] or 0)
            _blank(signs, *match.span())
    yield from (("dotted", name, 0) for name in _dotted_names("".join(signs)))


def _is_commit(before: str, match: re.Match[str]) -> bool:
    digest = match["commit"]
    if digest.isdigit() or digest.isalpha():
        return False
    return len(digest) == _FULL_HASH or bool(_COMMIT_WORD.search(before))


def _tidy_path(match: re.Match[str]) -> str:
    path = clean_path(match["path"])
    before = match.string[max(0, match.start() - _LONGEST_LINE) : match.start()].rpartition("\n")[2]
    is_diff = before.endswith(("--- ", "+++ ")) or (before.endswith(" ") and "diff --git" in before)
    return re.sub(r"^[ab]/", "", path) if is_diff else path


def _is_path(text: str, match: re.Match[str]) -> bool:
    path = clean_path(match["path"])
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    has_suffix = bool(stem) and suffix.lower() in SUFFIXES and not match["call"]
    if "/" not in path:
        is_short = len(suffix) == 1 and (len(stem) < MIN_STEM or stem in _RECEIVERS)
        return path in _BARE_FILES or (has_suffix and not is_short and not _PRODUCT.fullmatch(path))
    if suffix and stem and not has_suffix and re.fullmatch(r"[A-Z]\w*", suffix):
        return False  # pkg/mod.Func is a dotted name
    is_quoted = text[match.start() - 1 : match.start()] == "`" and text[match.end() : match.end() + 1] == "`"
    is_marked = bool(match["slash"]) or path.count("/") > 1 or re.search(r"[_.]|[^\W\d_]\d|\w-\w", path) is not None
    return not _NO_PATH.fullmatch(path) and (has_suffix or is_quoted or is_marked)


def _dotted_names(text: str) -> Iterator[str]:
    for match in _DOTTED.finditer(text):
        name = match["name"]
        head, _, tail = name.partition(".")
        name = tail if head in _RECEIVERS else name
        if name.lower() in _ABBREVIATIONS or _PRODUCT.fullmatch(name) or name.rpartition(".")[2] in TOP_DOMAINS:
            continue
        if re.search(r"\.|::|#|->", name):
            yield name
