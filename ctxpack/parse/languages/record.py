"""The record of a language, the table of all, and the language of a file: by its name, suffix or first line.

The families below are loaded when one of their languages is asked for, or when all names are needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.light import dataclass

if TYPE_CHECKING:
    from ctxpack.parse.languages.modules import Resolver

    HeadingReader = Callable[[str, int], Sequence["Heading"]]


SLASHES = ("//", "/*", "*", "@")
HASH = ("#",)
DASHES = ("--", "{-")
NOT_A_NAME = (
    r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|await|typeof|delete|sizeof|defined|using|lock|"
    r"function|super|import|case|yield|in|of|elseif|unless|until|when|match|fixed|synchronized|try|with)\b)"
)
C_NAME = NOT_A_NAME + r"[A-Za-z_]\w*"
TYPE = r"[\w.$]++(?:<[^;(){}=\n]{0,200}?>)?(?>(?:\[\])*)\??[ \t]++"

# how tests are called, without their suffix
BEFORE = r"tests?[_-].+"  # test_store.py
AFTER = r"(?:.*[_-])?(?:tests?|unittest)"  # store_test.go
SPEC = r".+[_-]spec"  # store_spec.rb
DOTTED = r".+\.(?:test|spec|cy|e2e|bench|test-d)"  # store.test.ts
CAMEL = r".*[a-z0-9](?:Tests?|IT|Specs?)"  # StoreTest.java


class LanguageRole(Enum):
    """What most files of a language are."""

    CODE = "code"
    PROSE = "prose"
    CONFIG = "configuration"
    DATA = "data"
    STRUCTURE = "data or configuration, as the place of the file tells"


class Heading(NamedTuple):
    """A title of a document, at ``level`` 1 for the outermost."""

    line: int
    level: int
    title: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # each a constant; without the rest a start is faster
class Patterns:
    r"""How definitions look, and how they end, for the cheap outline. A pattern matches after the indentation.

    ``definitions`` are (symbol kind, pattern). In a pattern ``NAME`` is the identifier in the shape of ``name``,
    ``WORD`` one that may be a keyword, ``QUOTED`` one in quotes, ``OWNER`` the type that a free-standing method belongs
    to, ``TOP`` the left margin, ``ARGS`` a balanced argument list. Quantifiers that could overlap are possessive:
    matching stays linear. ``ends`` is ``brace`` at a closing brace, ``word`` at ``end`` (or ``closer``), ``indent`` at
    the next line that is not deeper, ``layout`` the same with the brace that closes it, ``form`` at the next line that
    is not deeper and opens a parenthesis or a comment. A first line that matches ``inline`` has no ``end`` of its own:
    its definition ends by layout. ``above`` are the openings of lines that belong to the definition below them,
    ``below`` is how a comment begins and ends that may belong to the one above it; ``clauses``: neighbours of one name
    are one definition; ``guard`` rejects most lines at once.
    """

    definitions: tuple[tuple[str, str], ...]
    ends: str = "brace"
    above: tuple[str, ...] = SLASHES
    below: tuple[str, str] | None = None
    name: str = r"\w+"
    guard: str = ""
    closer: str = r"\}"
    inline: str = ""
    clauses: bool = False
    ignore_case: bool = False


def by_keyword(kinds: str, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield definitions that begin with the word of their kind, as in ``class NAME``, with a pattern ``before`` it."""
    return ((kind, rf"{before}{kind}[ \t]+NAME") for kind in kinds.split())


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # each a constant; without the rest a start is faster
class Grammar:
    """How definitions look in a syntax tree: ``module.function()`` gives the grammar, ``query`` its definitions.

    A query's captures are symbol kinds; ``@name`` is the identifier, ``@owner`` the type that a free-standing method
    belongs to; the first pattern that captures a node wins. ``wrappers`` are nodes around a definition that belong to
    it, ``body`` is one that follows it, and ``clauses``: neighbours of one name are one definition.
    """

    module: str
    query: str
    function: str = "language"
    wrappers: frozenset[str] = frozenset()
    body: str = ""
    clauses: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether its package is there; that of a rarer language need not be."""
        return _is_installed(self.module)

    @property
    def package(self) -> str:
        """What pip calls it."""
        return self.module.replace("_", "-")


@cache
def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # each a constant; without the rest a start is faster
class Language:
    """One language. Lists of names are words between blanks, in lower case; suffixes come without their dot.

    ``programs`` are what a ``#!`` line may run, ``aliases`` further names of the language. ``comments`` and ``strings``
    are marks that begin a comment or a text of several lines. ``test_names`` are patterns of a test file's name without
    its suffix, ``example_names`` of those of examples that documentation shows; ``test_modules`` are what modules of
    tests within a file of code are called, and with one of the ``assertions`` and the word ``test`` a function there is
    a test by itself. ``imports`` find what a file imports, each from a line feed on, ``import_words`` are words of
    which the line behind that has one, where that is so; ``resolve`` the files behind one import, by the folder of the
    file or, with ``resolves_by_file``, by the file itself; a file's neighbour of its name with the suffix ``interface``
    tells what it has for others. ``headings`` reads the headings of a document, ``sections`` what names the parts of a
    configuration, or of plain text, of which some files have any. In one that ``holds_values`` an unquoted word is what
    is meant, no variable; one that ``has_pages`` has documents in POD between its code. ``given_names`` are those that
    the framework of a language gives definitions: all files have them, so nobody asks for one by them.
    """

    name: str
    suffixes: str = ""
    files: str = ""
    programs: str = ""
    aliases: str = ""
    role: LanguageRole = LanguageRole.CODE
    comments: tuple[str, ...] = ("//", "/*")
    strings: tuple[str, ...] = ("`",)
    test_names: tuple[str, ...] = ()
    example_names: tuple[str, ...] = ()
    test_modules: str = ""
    assertions: str = ""
    imports: tuple[str, ...] = ()
    import_words: str = ""
    resolve: Resolver | None = None
    resolves_by_file: bool = False
    interface: str = ""
    patterns: Patterns | None = None
    grammar: Grammar | None = None
    headings: HeadingReader | None = None
    sections: HeadingReader | None = None
    has_script_element: bool = False
    has_pages: bool = False
    is_often_minified: bool = False
    holds_values: bool = False
    given_names: str = ""

    @property
    def is_prose(self) -> bool:
        """Whether it is for prose, which is cut at paragraphs and sentences."""
        return self.role is LanguageRole.PROSE

    def is_of_tests(self, symbol: str) -> bool:
        """Whether a definition, by its qualified name, is in a module of tests within a file of code."""
        return bool(self.test_modules) and symbol.partition(".")[0] in self.test_modules.split()


hashed = partial(Language, comments=HASH, strings=())
"""Makes the record of a language whose comments begin with ``#``, and whose texts end on their line."""

dashed = partial(Language, comments=("--",), strings=())
"""The same with ``--``."""


FAMILIES = ("documents", "data", "scripts", "web", "c_family", "runtimes", "systems", "shell", "others")
C_HEADER = "h"
_SHEBANG = rb"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S+\s+)*(?:\S*/)?([\w-]+)|#!\s*(?:\S*/)?([\w-]+)"
_MARK_BEHIND = r"(?:(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)|[._-](?:unit[._-])?(?:tests?|specs?))$"
_MARK_BEFORE = r"^(?:tests?[._-]|Test(?=[A-Z]))"
_UNKNOWN_TEXT = Language("", role=LanguageRole.PROSE)


class _Names(NamedTuple):
    """Languages by suffix, file name, program and other name."""

    suffixes: dict[str, Language]
    files: dict[str, Language]
    programs: dict[str, Language]
    aliases: dict[str, Language]


def languages() -> Iterator[Language]:
    """Yield every record, family by family: each is a constant of its module, or in a tuple that is one."""
    for family in FAMILIES:
        for value in tuple(vars(importlib.import_module(f"ctxpack.parse.languages.{family}")).values()):
            records = value if isinstance(value, tuple) else (value,)
            yield from (each for each in records if isinstance(each, Language))


@cache
def find_language(name: str) -> Language:
    """Return the record of a language by its name, another name or a suffix; one without facts if it is unknown.

    Text without a language, ``""``, counts as prose.
    """
    lowered = name.lower()
    if not lowered:
        return _UNKNOWN_TEXT
    found = next((each for each in languages() if each.name == lowered), None)
    return found or _names().aliases.get(lowered) or _names().suffixes.get(lowered) or Language(lowered)


_OF_TEMPLATES = (LanguageRole.CODE, LanguageRole.PROSE)
_TEMPLATES = frozenset(  # endings
    "dist eex ejs ep epl erb example in j2 jinja sample template tmpl tpl tt".split()  # noqa: SIM905 -- a table of words
)


@lru_cache(maxsize=65_536)  # names repeat
def language_of_name(name: str, *, is_cpp_near: bool = False) -> str:
    """Return the language that a file's name says, or ``""``. A ``.h`` is C++ with C++ files near it.

    A template of a file (``config.h.in``, ``settings.yml.dist``) is of its language; one of an engine of templates
    (``auth.ex.eex``) only if that is code or prose.
    """
    lower = name.lower()
    names = _names()
    if lower in names.files:
        return names.files[lower].name
    bare, dot, suffix = lower.rpartition(".")
    if dot and (made := _made_by_template(bare, suffix)):
        language = language_of_name(made, is_cpp_near=is_cpp_near)
        if language and (suffix not in names.suffixes or find_language(language).role in _OF_TEMPLATES):
            return language
    if suffix == C_HEADER:
        return "cpp" if is_cpp_near else "c"
    if dot and suffix in names.suffixes:
        return names.suffixes[suffix].name
    stem = lower.partition(".")[0]
    return stem if stem == "dockerfile" else ""


def _made_by_template(bare: str, suffix: str) -> str:
    """The file that a template makes, else ``""``: ``a.yaml`` of ``a.yaml.tpl``, ``rc.zsh`` of ``rc.zsh-template``."""
    inner, dash, ending = suffix.rpartition("-")
    if ending not in _TEMPLATES:
        return ""
    return f"{bare}.{inner}" if dash else bare


def language_of_shebang(head: bytes) -> str:
    """Return the language of a script's ``#!`` line, or ``""``."""
    match = re.match(_SHEBANG, head)
    if not match:
        return ""
    program = (match[1] or match[2]).decode("ascii", "replace").lower()
    programs = _names().programs
    found = programs.get(program) or programs.get(program.rstrip("0123456789.-"))
    return found.name if found else ""


@lru_cache(maxsize=65_536)  # names repeat
def is_test_name(name: str) -> bool:
    """Return whether the file is named like a test of its language, and not like examples."""
    record = _names().suffixes.get(name.rpartition(".")[2])
    return record is not None and _is_called(name, record.test_names) and not is_example_name(name)


def is_example_name(name: str) -> bool:
    """Return whether the file is named like examples that the documentation of its language shows."""
    record = _names().suffixes.get(name.rpartition(".")[2])
    return record is not None and _is_called(name, record.example_names)


def _is_called(name: str, patterns: tuple[str, ...]) -> bool:
    pattern = _name_pattern(patterns)
    return pattern is not None and pattern.fullmatch(name) is not None


def without_test_mark(stem: str) -> str:
    """Return the stem of a test's name without the mark of a test: ``QueueTest`` → ``Queue``."""
    return re.sub(f"{_MARK_BEHIND}|{_MARK_BEFORE}", "", stem) or stem


@cache
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile(rf"(?:{'|'.join(names)})\.[^.]+") if names else None


@cache
def _names() -> _Names:
    names = _Names({}, {}, {}, {})
    for each in languages():
        names.suffixes.update(dict.fromkeys(each.suffixes.split(), each))
        names.files.update(dict.fromkeys(each.files.split(), each))
        names.programs.update(dict.fromkeys(each.programs.split(), each))
        names.aliases.update(dict.fromkeys(each.aliases.split(), each))
    return names
