"""The lines that can be left out of a piece: comments, blank lines, repeated lines, literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import TYPE_CHECKING

from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.model import CompressibleLines, Fragment
from ctxpack.parse.languages import find_language
from ctxpack.parse.tree import load_grammar
from ctxpack.select.pieces import BLANK, COMMENTS, LICENCE, LITERALS, REPEATED
from ctxpack.text import fence_after, licence_lines, lines_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxpack.parse.tree import LoadedGrammar

_LEAST_LINES, _LEAST_LENGTH = 3, 80  # lines and characters of a run: what is shorter repeats by chance
_MOST_HOMES = 8  # places that are compared with: a bracket alone is everywhere


def repeated_lines(lines: Sequence[str], free: AbstractSet[int]) -> set[int]:
    """The numbers (from 1) of lines in runs that occurred before, verbatim; only ``free`` lines may go."""
    homes: dict[str, list[int]] = {}
    found: set[int] = set()
    number = 1
    while number <= len(lines):
        length = max((_length(lines, home, number, free) for home in homes.get(lines[number - 1], ())), default=0)
        run = lines[number - 1 : number - 1 + length]
        is_worth_it = length >= _LEAST_LINES and sum(map(len, run)) >= _LEAST_LENGTH
        if is_worth_it:
            found.update(range(number, number + length))
        elif number in free and len(homes.setdefault(lines[number - 1], [])) < _MOST_HOMES:
            homes[lines[number - 1]].append(number)
        number += length if is_worth_it else 1
    return found


def _length(lines: Sequence[str], home: int, number: int, free: AbstractSet[int]) -> int:
    """How many lines from ``number`` on are those from ``home`` on, without meeting them."""
    length = 0
    while home + length < number and number + length in free and lines[home + length - 1] == lines[number + length - 1]:
        length += 1
    return length


_COMMENT, _COMMENT_END = lazy_pattern(r" {0,3}<!--(?!\s*/?TAG:)"), "-->"


def compressible_in_prose(lines: Sequence[str]) -> dict[int, str]:
    """Line number -> the step that leaves it out."""
    found: dict[int, str] = {}
    free: set[int] = set()
    fence, number = "", 0
    while number < len(lines):
        number += 1
        line = lines[number - 1]
        before, fence = fence, fence_after(fence, line)
        if before or fence:
            continue
        if not line.strip():
            if number > 1 and not lines[number - 2].strip():
                found[number] = BLANK
        elif _COMMENT.match(line) and (end := _end(lines, number)):
            found |= dict.fromkeys(range(number, end + 1), COMMENTS)
            number = end
        else:
            free.add(number)
    return dict.fromkeys(repeated_lines(lines, free), REPEATED) | found


def _end(lines: Sequence[str], first: int) -> int:
    """The line where the comment of line ``first`` ends; 0 if more follows on that line, or if it has no end."""
    for number in range(first, len(lines) + 1):
        if _COMMENT_END in lines[number - 1]:
            return number if lines[number - 1].rstrip().endswith(_COMMENT_END) else 0
    return 0


# documentation, what tools obey, and what a reader is warned of
_KEPT = lazy_pattern(
    r"\s*(?:#!|/\*\*|/\*!|///|//!|//go:|//\s*\+build|#\s*(?:type:|noqa|-\*-)|<!--\s*/?TAG:|--\s*\|)"
    r"|.*\b(?:FIXME|TODO|XXX|HACK|BUG|SAFETY|WARNING)\b"
)
_DEFINES = lazy_pattern(
    r"\s*(?:[\w@]+\s+)*(?:func|fn|def|class|type|struct|interface|enum|trait|function|module|namespace)\b"
)
_TEXTS = ("string", "heredoc", "template", "raw_text", "jsx_text", "char_literal")
_COLLECTIONS = frozenset(
    {
        "list", "dictionary", "set", "tuple", "array", "object", "initializer_list", "array_initializer",
        "literal_value", "hash", "array_expression", "table_constructor", "array_creation_expression",
    }
)  # fmt: skip
_LONG_TEXT, _TEXT_HEAD = 10, 3  # lines of a literal, and of what is kept of its beginning
_LONG_COLLECTION, _COLLECTION_HEAD = 24, 6

_Span = tuple[int, int]  # first and last line, from 1


@dataclass(slots=True)
class _Found:
    """The findings of a syntax tree: comments on lines of their own, strings and long literals."""

    comments: list[_Span] = field(default_factory=list)
    texts: list[_Span] = field(default_factory=list)  # of several lines
    middles: list[_Span] = field(default_factory=list)  # of long literals


def compressible_in_code(lines: Sequence[str], grammar: LoadedGrammar, marks: tuple[str, ...]) -> dict[int, str]:
    """Line number -> the step that leaves it out; ``marks`` begin a comment."""
    from tree_sitter import Parser

    text = "\n".join(lines) + "\n"
    root = Parser(grammar.language).parse(text.encode("utf-8", "replace")).root_node
    seen = _look(root, lines)
    inside = {number for first, last in seen.texts for number in range(first + 1, last + 1)}
    found: dict[int, str] = {}
    for first, last in seen.middles:
        found |= dict.fromkeys(range(first, last + 1), LITERALS)
    free = {number for number, line in enumerate(lines, 1) if line.strip() and number not in inside}
    found |= dict.fromkeys(repeated_lines(lines, free - set(found)), REPEATED)
    found |= {number: BLANK for number, line in enumerate(lines, 1) if not line.strip() and number not in inside}
    licence = licence_lines(lines, marks)
    found |= {number: LICENCE for number in licence if lines[number - 1].strip()}
    for first, last in _blocks(seen.comments):
        if (
            last not in licence
            and not inside.intersection(range(first, last + 1))
            and not _says_what_follows(lines, last)
        ):
            found |= dict.fromkeys(range(first, last + 1), COMMENTS)
    return found


def _look(root: Node, lines: Sequence[str]) -> _Found:
    seen = _Found()
    is_sure = not root.has_error  # else what looks like a comment of several lines may be something else
    for node in _nodes(root):
        first, last = _lines_of(node)
        if "comment" in node.type:
            is_kept = any(map(_KEPT.match, lines[first - 1 : last]))
            if _is_alone(node, lines) and (is_sure or first == last) and not is_kept:
                seen.comments.append((first, last))
            elif first != last:
                seen.texts.append((first, last))
        elif first != last and (any(name in node.type for name in _TEXTS) or not node.child_count):
            if (node.text or b"").strip():
                seen.texts.append((first, last))
            if last - first + 1 >= _LONG_TEXT and not _is_documentation(node):
                seen.middles.append((first + _TEXT_HEAD, last - 1))
        elif node.type in _COLLECTIONS and last - first + 1 >= _LONG_COLLECTION:
            seen.middles.append((first + _COLLECTION_HEAD, last - 1))
    return seen


def _nodes(root: Node) -> Iterator[Node]:
    """Every node but those within a comment, in no order."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if "comment" not in node.type:
            pending += node.children


def _lines_of(node: Node) -> _Span:
    """First and last line; a node that ends at the start of a line does not include that line."""
    first, last = node.start_point[0] + 1, node.end_point[0] + 1
    return first, last - (last > first and not node.end_point[1])


def _is_alone(node: Node, lines: Sequence[str]) -> bool:
    """Whether nothing else is on the lines of a node."""
    first, last = _lines_of(node)
    before = lines[first - 1].encode("utf-8", "replace")[: node.start_point[1]]
    ends_below = node.end_point[0] + 1 > last
    after = b"" if ends_below else lines[last - 1].encode("utf-8", "replace")[node.end_point[1] :]
    return not before.strip() and not after.strip()


def _is_documentation(node: Node) -> bool:
    """Whether a string is a statement of its own, like a docstring, or a part of one that was seen."""
    parent = node.parent
    kinds = {"expression_statement", "module", "block"}
    return parent is None or parent.type in kinds or any(name in parent.type for name in _TEXTS)


def _blocks(comments: Sequence[_Span]) -> list[_Span]:
    """Comments in order, those on neighbouring lines as one."""
    blocks: list[_Span] = []
    for first, last in sorted(set(comments)):
        if blocks and first <= blocks[-1][1] + 1:
            blocks[-1] = blocks[-1][0], max(last, blocks[-1][1])
        else:
            blocks.append((first, last))
    return blocks


def _says_what_follows(lines: Sequence[str], last: int) -> bool:
    """Whether a comment is directly above a definition, and so is its documentation."""
    return last < len(lines) and _DEFINES.match(lines[last]) is not None


def with_compressible_lines(
    fragments: Iterable[Fragment], lines: Callable[[str], Sequence[str]]
) -> tuple[Fragment, ...]:
    """Record in every fragment which lines can be left out; ``lines`` returns those of a file by its path.

    The whole file is parsed, so that a piece that begins inside a string is understood.
    """

    @cache
    def of_file(path: str, language: str) -> tuple[CompressibleLines, ...]:
        return compressible_in(list(lines(path)), language)

    return tuple(
        fragment if fragment.layer else replace(fragment, compressible=_own(fragment, of_file, lines))
        for fragment in fragments
    )


def compressible_in(lines: list[str], language: str) -> tuple[CompressibleLines, ...]:
    """Find what can be left out of some lines, in order; nothing where the language is not known."""
    if language == "markdown":
        found = compressible_in_prose(lines)
    else:
        known = find_language(language)
        grammar = load_grammar(known.grammar) if known.grammar else None
        found = compressible_in_code(lines, grammar, known.comments) if grammar else {}
    return _runs(found)


def _runs(steps: dict[int, str]) -> tuple[CompressibleLines, ...]:
    runs: list[CompressibleLines] = []
    for number, step in sorted(steps.items()):
        if runs and runs[-1].step == step and runs[-1].end_line == number - 1:
            runs[-1] = replace(runs[-1], end_line=number)
        else:
            runs.append(CompressibleLines(step, number, number))
    return tuple(runs)


def _own(
    fragment: Fragment,
    of_file: Callable[[str, str], tuple[CompressibleLines, ...]],
    lines: Callable[[str], Sequence[str]],
) -> tuple[CompressibleLines, ...]:
    """The part of a file's compressible lines that a fragment holds, where its text is that of the file."""
    origin = fragment.provenance
    first, last = origin.start_line, origin.end_line
    own = lines_of(fragment.text)
    if len(own) != last - first + 1:
        return ()
    try:
        compressible = of_file(origin.path, fragment.language)
        whole = lines(origin.path)
    except OSError:  # a file that is gone is told as changing
        return ()
    clipped = [
        replace(each, start_line=max(first, each.start_line), end_line=min(last, each.end_line))
        for each in compressible
        if each.start_line <= last and first <= each.end_line
    ]
    return tuple(
        each
        for each in clipped
        if own[each.start_line - first : each.end_line - first + 1] == list(whole[each.start_line - 1 : each.end_line])
    )
