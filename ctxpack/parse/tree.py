"""Exact boundaries: definitions from a syntax tree, found by a query so that no node is walked in Python.

Some texts keep a parser busy for minutes, such as one sign again and again. It is asked to stop after a time of its own
thread, which a busy machine does not shorten: a file as large as an index takes needs a fifth of it.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Final

from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Symbol
from ctxpack.parse.chunking import indentation
from ctxpack.parse.definitions import LONGEST_SIGNATURE, first_line, is_local, kind_within, parts_of
from ctxpack.parse.languages.record import Grammar
from ctxpack.system.clock import Deadline

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

_MOST_NESTED: Final = 100  # definitions inside each other; nobody writes more, and their names grow with the square
_MOST_SIGNS: Final = 10_000  # of an error: a query takes a tenth of a second for this many
_BLOCK: Final = 1 << 16  # bytes that the parser is given at a time: it can only be stopped where it asks for them


class LateError(Exception):
    """A syntax tree, or what is asked of it, takes longer than it may."""


@dataclass(frozen=True, slots=True)
class LoadedGrammar:
    """A grammar with its library and compiled query."""

    facts: Grammar
    language: Language
    query: Query


@dataclass(frozen=True, slots=True)
class _Node:
    """One captured definition. Offsets are bytes, lines count from 1; ``line`` is where the definition itself is."""

    begin: int
    stop: int
    start: int
    end: int
    end_column: int
    line: int
    kind: str
    name: str
    owner: str


@cache
def load_grammar(grammar: Grammar) -> LoadedGrammar | None:
    """Load a grammar; None when it cannot be."""
    try:
        from tree_sitter import Language, Query, QueryError

        tree_language = Language(getattr(importlib.import_module(grammar.module), grammar.function)())
    except (ImportError, AttributeError, ValueError, TypeError):  # patterns find the definitions
        return None
    try:
        return LoadedGrammar(grammar, tree_language, Query(tree_language, grammar.query))
    except QueryError:  # patterns find the definitions
        return None


def find_by_tree(
    text: str, lines: list[str], openings: tuple[str, ...], grammar: LoadedGrammar, deadline: Deadline
) -> tuple[list[Symbol], bool]:
    """Return the definitions of ``text`` by its syntax tree, sorted by start, inner ones inside outer ones.

    ``openings`` begin the lines that belong to the definition below them. Also whether there is an error in the tree.
    Raises LateError.
    """
    found, is_broken = _nodes(text, grammar, deadline)
    nodes = sorted(found, key=lambda node: (node.begin, -node.stop))
    symbols: list[Symbol] = []
    stack: list[tuple[int, Symbol]] = []  # (byte where it stops, symbol) of what encloses the current node
    floor = 1
    for node in nodes:
        while stack and stack[-1][0] <= node.begin:
            stack.pop()
        if len(stack) > _MOST_NESTED:
            raise LateError
        outer = stack[-1][1] if stack else None
        if is_local(node.kind, outer.kind if outer else ""):
            continue
        if grammar.facts.clauses and symbols and _is_clause(symbols[-1], node, outer):
            symbols[-1] = _with_end(symbols[-1], _last_line(node, lines, openings))
            continue
        symbol = _symbol(node, lines, outer, floor, openings)
        if outer and _is_twin(outer, symbol):
            outer, (stop, _) = replace(outer, kind=symbol.kind, signature=symbol.signature), stack.pop()
            symbols[-1] = outer
            stack.append((stop, outer))
            floor = min(node.line + 1, len(lines))
            continue
        symbols.append(symbol)
        stack.append((node.stop, symbol))
        floor = min(node.line + 1, len(lines))
    return symbols, is_broken


def _symbol(node: _Node, lines: list[str], outer: Symbol | None, floor: int, openings: tuple[str, ...]) -> Symbol:
    parts = parts_of(node.name, node.owner)
    own = ".".join(parts)
    return Symbol(
        parts[-1],
        f"{outer.qualified}.{own}" if outer else own,
        kind_within(node.kind, outer.kind if outer else ""),
        min(max(first_line(lines, node.start, floor, openings), floor), node.line),
        _last_line(node, lines, openings),
        lines[node.line - 1].strip()[:LONGEST_SIGNATURE],
    )


def _is_twin(outer: Symbol, symbol: Symbol) -> bool:
    """Whether two names are one: ``typedef struct store { … } store;``."""
    return outer.kind == "type" and symbol.qualified == f"{outer.qualified}.{outer.name}"


def _last_line(node: _Node, lines: list[str], openings: tuple[str, ...]) -> int:
    """Return the last line of a definition without blank lines and comments of what follows."""
    end = max(min(node.end, len(lines)), node.line)
    if end == node.end and node.end_column <= indentation(lines[end - 1]) and end > node.line:
        end -= 1
    while end > node.line and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith(openings)):
        end -= 1
    return end


def _is_clause(last: Symbol, node: _Node, outer: Symbol | None) -> bool:
    own = parts_of(node.name)[-1]
    expected = f"{outer.qualified}.{own}" if outer else own
    return last.qualified == expected and node.kind in ("function", "macro")


def _with_end(symbol: Symbol, end: int) -> Symbol:
    return Symbol(symbol.name, symbol.qualified, symbol.kind, symbol.start_line, end, symbol.signature)


_ASTRAL = lazy_pattern("[\U00010000-\U0010ffff]")
_LETTERS = "\u00e9\u00e9"  # of as many bytes


def bytes_to_parse(text: str) -> bytes:
    """A text in UTF-8 with letters in place of characters beyond U+FFFF, so that all places stay as they are.

    A grammar written in C may look a character up in a table that ends long before it: that of Bash sometimes crashes
    at a brace with one behind it.
    """
    return _ASTRAL.sub(_LETTERS, text).encode("utf-8", "replace")


def _nodes(text: str, grammar: LoadedGrammar, deadline: Deadline) -> tuple[list[_Node], bool]:
    from tree_sitter import QueryCursor

    data = text.encode("utf-8", "replace")
    tree = _tree(bytes_to_parse(text), grammar, deadline)
    found: dict[int, _Node] = {}
    if _is_flat(tree.root_node, deadline):
        raise LateError
    matches = QueryCursor(grammar.query).matches(tree.root_node)
    for _, captures in sorted(matches, key=lambda match: match[0]):
        if deadline.is_over:
            raise LateError
        kind = next((name for name in captures if name not in ("name", "owner") and name[0] != "_"), "")
        if kind and captures.get("name"):
            node = captures[kind][0]
            found.setdefault(node.id, _node(node, kind, captures, grammar.facts, data))
    return list(found.values()), tree.root_node.has_error


def _is_flat(root: Node, deadline: Deadline) -> bool:
    """Whether the parser gave up on a place so long that a query there takes the square of its signs.

    Other nodes keep many children in a balanced tree. A query cannot be stopped: the binding's way to do so crashes.
    """
    left = [root]
    while left:
        node = left.pop()
        if deadline.is_over or (node.is_error and node.child_count > _MOST_SIGNS):
            return True
        left += [child for child in node.children if child.child_count and child.has_error]
    return False


def _tree(data: bytes, grammar: LoadedGrammar, deadline: Deadline) -> Tree:
    from tree_sitter import Parser

    try:
        return Parser(grammar.language).parse(
            lambda at, _: data[at : at + _BLOCK], progress_callback=lambda *_: deadline.is_over
        )
    except ValueError as error:  # it was stopped
        raise LateError from error


def _node(node: Node, kind: str, captures: dict[str, list[Node]], facts: Grammar, data: bytes) -> _Node:
    name = captures["name"][0]
    owner = _text(captures["owner"][0], data) if captures.get("owner") else ""
    outermost = node
    while outermost.parent is not None and outermost.parent.type in facts.wrappers:
        outermost = outermost.parent
    following = outermost.next_named_sibling
    last = following if following is not None and following.type == facts.body else outermost
    return _Node(
        node.start_byte,
        max(node.end_byte, last.end_byte) if last is not outermost else node.end_byte,
        outermost.start_point.row + 1,
        last.end_point.row + 1,
        last.end_point.column,
        name.start_point.row + 1,
        kind,
        _unquote(_text(name, data)) or kind,
        owner,
    )


def _text(node: Node, data: bytes) -> str:
    """The text of a node; ``node.text`` would ask block by block for all that was parsed."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _unquote(name: str) -> str:
    quote = name[:1]
    return name[1:-1] if name[1:-1] and quote in "'\"`" and name.endswith(quote) else name
