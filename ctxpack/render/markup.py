"""HTML that cannot be left by what it shows, and syntax colours.

Text becomes ``Html`` only by being escaped. Characters that are invisible, or change the direction of writing, are
shown as symbols: code must not look like other code. Text that cannot be coloured stays unchanged.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NewType

from ctxpack.light import lazy_pattern
from ctxpack.text import lines_of, replace_hidden, without_surrogates

if TYPE_CHECKING:
    from pygments.lexer import Lexer


Html = NewType("Html", str)
"""Text that is HTML already; the type checker keeps it apart from text that is not."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_MEANT = tuple((written, chr(code)) for code, written in _ESCAPES.items() if written != "&amp;")
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"} | {0x7F: "\u2421"}
_MARKS = (0x200E, 0x200F)  # between letters of two directions they are wanted, and turn nothing around
_NO_CHARACTERS = lazy_pattern("[\ufffe\uffff]")


def with_pictures(text: str) -> str:
    """``text`` with a symbol for each control character: ``␛``, or ``[U+202E]`` if there is none."""
    shown = without_surrogates(text).translate(_PICTURES)
    if shown.isascii():
        return shown
    return _NO_CHARACTERS.sub(lambda match: _number(ord(match[0])), replace_hidden(shown, _number))


def _number(code: int) -> str:
    return chr(code) if code in _MARKS else f"[U+{code:04X}]"


def to_html(text: str) -> Html:
    """A text, escaped."""
    return Html(with_pictures(text).translate(_ESCAPES))


def from_html(written: str) -> str:
    """A text, unescaped."""
    for escape, meant in (*_MEANT, ("&amp;", "&")):  # the ampersand comes last
        written = written.replace(escape, meant)
    return written


def element(name: str, attributes: Mapping[str, str | bool] | None = None, *children: Html) -> Html:
    """An element around its children. An attribute that is True has no value, one that is False or empty is not set."""
    said = "".join(
        f" {key}" if value is True else f' {key}="{to_html(value)}"'
        for key, value in (attributes or {}).items()
        if value
    )
    return Html(f"<{name}{said}>{''.join(children)}</{name}>")


def in_span(kind: str, text: str) -> Html:
    """A text of one class; nothing for no text."""
    return element("span", {"class": kind}, to_html(text)) if text else Html("")


def join(*parts: Html) -> Html:
    """Concatenate parts."""
    return Html("".join(parts))


def digest(source: str) -> str:
    """The hash of an inline style or script for a content policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


Run = tuple[str, str]
"""The class of a colour, or nothing, and the text that has it."""

_CLASSES: Final = {
    "Token.Keyword": "k", "Token.Operator.Word": "k", "Token.Name.Tag": "k", "Token.Keyword.Type": "t",
    "Token.Literal.String": "s", "Token.Literal.String.Doc": "c", "Token.Literal.String.Interpol": "d",
    "Token.Literal.Number": "n", "Token.Literal.Date": "n", "Token.Keyword.Constant": "n",
    "Token.Name.Function": "f", "Token.Name.Function.Magic": "f",
    "Token.Name.Class": "t", "Token.Name.Namespace": "t", "Token.Name.Builtin": "b", "Token.Name.Exception": "t",
    "Token.Name.Decorator": "d", "Token.Name.Attribute": "b", "Token.Name.Label": "b",
    "Token.Name.Variable": "b", "Token.Name.Constant": "n", "Token.Name.Entity": "n",
    "Token.Comment": "c", "Token.Comment.Preproc": "d", "Token.Comment.PreprocFile": "s",
    "Token.Generic.Heading": "h", "Token.Generic.Subheading": "h", "Token.Generic.Strong": "h",
    "Token.Generic.Inserted": "i", "Token.Generic.Deleted": "e", "Token.Generic.Output": "c",
}  # fmt: skip
"""Kinds of tokens -> the class of their colour; other kinds inherit that of their parent."""
_LEXERS: Final = {
    **dict.fromkeys((
        "batch", "bash", "c", "clojure", "cmake", "coffeescript", "cpp", "css", "cuda", "cython", "dart", "diff",
        "dockerfile", "elixir", "erlang", "fish", "fsharp", "gherkin", "go", "graphql", "haskell", "html", "ini",
        "javascript", "json", "julia", "kotlin", "less", "lua", "make", "markdown", "meson", "nix", "objectivec",
        "ocaml", "perl", "php", "powershell", "protobuf", "python", "r", "restructuredtext", "ruby", "rust", "sass",
        "scala", "scss", "sql", "starlark", "swift", "toml", "tsx", "typescript", "vue", "xml", "yaml", "zig",
    )),
    "astro": "html", "csharp": "cpp", "hack": "php", "java": "javascript", "groovy": "javascript", "plsql": "sql",
    "svelte": "html", "svg": "xml",
}  # fmt: skip
"""Languages with colours -> the lexer, if its name differs. On hostile texts each of them takes seconds
at most; those of Pygments for Java, Groovy, C# and HCL take minutes, and most others were not tried.
"""
_MOST = 24_000  # characters: a lexer is made of patterns, and some take their time on hostile texts
_LONGEST_LINE = 500
_MANY_BLANKS = lazy_pattern(r"\s{300}")


def coloured_lines(text: str, language: str) -> list[list[Run]]:
    """The lines of a text without their ends, each as its runs."""
    lines: list[list[Run]] = [[]]
    for kind, run in _whole_runs(text, language):
        first, *others = run.split("\n")
        lines[-1] += [(kind, first)] if first else []
        lines += [[(kind, each)] if each else [] for each in others]
    return lines[: len(lines_of(text))]


def _whole_runs(text: str, language: str) -> list[Run]:
    """Runs that make up the text exactly; the text without colours if the lexer changes it."""
    try:
        runs = list(_runs(text, language)) if _is_quick(text) else []
    except Exception:  # noqa: BLE001 - whatever a lexer makes of what it does not expect: the text is shown all the same
        runs = []
    return runs if "".join(run for _, run in runs) == text else [("", text)]


def _is_quick(text: str) -> bool:
    is_short = len(text) <= _MOST and max(map(len, text.split("\n"))) <= _LONGEST_LINE
    return is_short and not _MANY_BLANKS.search(text)


def _runs(text: str, language: str) -> Iterator[Run]:
    """Runs of one colour each, neighbours of the same colour joined."""
    lexer = _lexer(_LEXERS[language] or language) if language in _LEXERS else None
    if lexer is None:
        yield "", text
        return
    last, held = "", ""
    for _, token, run in lexer.get_tokens_unprocessed(text):
        kind = _class_of(str(token))
        if kind != last and run.strip():  # blanks have no colour of their own
            if held:
                yield last, held
            last, held = kind, ""
        held += run
    yield last, held


@cache
def _class_of(token: str) -> str:
    while token:
        if token in _CLASSES:
            return _CLASSES[token]
        token = token.rpartition(".")[0]
    return ""


@cache
def _lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(name)
