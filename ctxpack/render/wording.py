"""Common texts of all formats: titles, counts, places, and text that is safe in all of them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from ctxpack.light import lazy_pattern
from ctxpack.model import (
    HELD_WORDS,
    PATCH,
    RECORD,
    WHOLE_PROJECT,
    Expansion,
    Form,
    Fragment,
    Omission,
    Pack,
    Provenance,
    Query,
    RepositoryState,
    Request,
    Scope,
)
from ctxpack.model.formats import REQUEST_LENGTH, TITLE_LENGTH
from ctxpack.text import code, lines_of, number_of, printable, shorten, without_surrogates

SHOWN_KEYWORDS = 12
SHOWN_EXPANSIONS = 4
SHOWN_MATCHES = 3
_SHOWN_SYMBOLS = 2  # of a piece that holds several definitions: its lines say the rest
_SHOWN_HEADINGS = 2  # of a heading path: its last ones say the most
_NAME_LENGTH = 60
_QUALIFIED = lazy_pattern(r"\w+(?:\.\w+)+")
_LEAST_NAMED = 3  # letters of a word: shorter ones occur in names by chance
_COMMIT_LENGTH = 8
_SHOWN_RULES = 5
_REMEMBERED = 2_048  # pieces are rendered again and again while they are weighed
_LEAST_CHECKED = 2_000  # tokens of a budget: of 34 pieces in 1,500 tokens of JSON, check digits would cost two

_ORDERS = {
    "relevance": "best files first, by line within a file",
    "path": "by path",
    "edges": "best files at the beginning and at the end, by line within a file",
    "hierarchical": "overview, details, code, tests",
}

_CONTROLS = lazy_pattern(
    "[\x00-\x08\x0b-\x1f\u2400-\u2408\u240b-\u241f\ufffd-\uffff]"
)  # and the pictures that replace them
_JOINT = lazy_pattern(r"(\.| > )")  # between the parts of a qualified name, or of headings
_DETAIL = lazy_pattern(r": | to |, | \(")  # begins what a reason says of one file
_WORD = lazy_pattern(r"\w+")
_ASIDE = lazy_pattern(r"\bcommits?\b.{0,200} changed it\b|lines between two pieces")  # adds little to keywords


def one_line(text: str) -> str:
    """``text`` with every run of white space as one blank."""
    return printable(" ".join(text.split()))


def _named_place(request: Request) -> str:
    """The file, with the line of the cursor, the selected lines or the requested definition."""
    if request.lines:
        return f"{request.path}:{place(*request.lines)}"
    return f"{request.path}:{request.line}" if request.line else f"{request.path} {request.symbol}".rstrip()


def component_name(request: Request) -> str:
    """The name of the component in words."""
    return "the whole project" if request.name.strip() == WHOLE_PROJECT else request.name


_TRACEBACK = "Traceback (most recent call last)"


def pack_title(request: Request) -> str:
    """The request, on one line of at most a hundred characters."""
    asked = {
        Scope.FILE: _named_place(request),
        Scope.COMPONENT: component_name(request),
        Scope.DIFF: request.name or request.text,
    }.get(request.scope, "")
    if request.scope is Scope.DIFF and request.name and request.text.strip():
        asked = f"{request.name}: {request.text.strip().splitlines()[0]}"
    return shorten(one_line(asked or _telling_line(request.text)), TITLE_LENGTH)


def _telling_line(text: str) -> str:
    """The first line of a text; of a traceback of Python, which is at its top, the error that stands below."""
    lines = [line for line in text.splitlines() if line.strip()]
    heads = [at for at, line in enumerate(lines) if line.strip().startswith(_TRACEBACK)]
    if heads and heads[0] == 0:
        return next((line for line in lines[heads[-1] + 1 :] if not line[0].isspace()), lines[0])
    return lines[0] if lines else ""


def request_behind_title(request: Request) -> str:
    """The request without its title, cut to a few lines; empty if the title is all of it."""
    return shorten(_behind_title(request), REQUEST_LENGTH)


def _behind_title(request: Request) -> str:
    text = without_surrogates(request.text).strip()
    first, _, rest = text.partition("\n")
    if text and pack_title(request).endswith(one_line(first)):
        text = rest.strip("\n")
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def is_request_shown(request: Request, most: int) -> bool:
    """Whether a format that shows ``most`` characters of a request, 0 for any number, shows every word of it."""
    if most == TITLE_LENGTH:
        return pack_title(request) == one_line(request.text)
    shown = _behind_title(request) if most == REQUEST_LENGTH else request.text
    return not most or len(shown) <= most


def place(start: int, end: int) -> str:
    """A span of lines as editors read it: ``12-80``, or ``12``."""
    return f"{start}-{end}" if end > start else str(start)


def location(piece: Fragment | Omission) -> str:
    """``path:12-80``; for text that is not from a file, its name."""
    where = piece.provenance if isinstance(piece, Fragment) else piece
    if where.path == RECORD:
        return "overview"
    return f"{printable(where.path)}:{place(where.start_line, where.end_line)}"


def place_label(piece: Provenance | Omission) -> str:
    """Return a piece as ``path:first-last``, with its symbol."""
    symbol = f" {printable(piece.symbol)}" if piece.symbol else ""
    if piece.path == RECORD:
        return f"overview{symbol}"
    return f"{printable(piece.path)}:{piece.start_line}-{piece.end_line}{symbol}"


def keywords(query: Query) -> tuple[str, ...]:
    """The words of the request with the largest weights; translations are among the added words."""
    added_words = {each.term for each in query.expansions}
    own = [word for word in query.words if word not in added_words]
    ranked = sorted(own, key=lambda word: -query.words[word])  # equals stay in the order of the request
    return tuple(one_line(word) for word in ranked[:SHOWN_KEYWORDS])


def expansions(query: Query) -> tuple[Expansion, ...]:
    """The added words with the largest weights, without other forms of a word of the request."""
    shown = [each for each in query.expansions if each.origin != "inflection"]
    return tuple(sorted(shown, key=lambda each: (-each.weight, each.term))[:SHOWN_EXPANSIONS])


def added_words(query: Query) -> str:
    """The added words after their source: ``retry → backoff, attempt (synonym)``."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for each in expansions(query):
        grouped.setdefault((each.source, each.origin), []).append(each.term)
    origins: dict[str, list[str]] = {}
    for (source, origin), terms in grouped.items():
        origins.setdefault(source, []).append(f"{', '.join(terms)} ({origin})")
    return "; ".join(one_line(f"{source} → {', '.join(words)}") for source, words in origins.items())


def repository(state: RepositoryState) -> str:
    """``flask, main at 3f2a1bc4, with uncommitted changes``; its address where it was fetched.

    Of a workspace ``api (main at 3f2a1bc4) + web (not under git)``.
    """
    if state.members:
        return " + ".join(f"{printable(label)} ({_version(each)})" for label, each in state.members)
    name = printable(state.address or state.name)
    if not state.is_git:
        return f"{name}, not under git"
    branch, commit = printable(state.branch), state.commit[:_COMMIT_LENGTH]
    if not commit:
        return f"{name}, {branch}, no commit yet" if branch else name  # without both, the state was left out
    at = f"{branch} at {commit}" if branch else commit
    return f"{name}, {at}" + (", with uncommitted changes" if state.dirty else "")


def _version(state: RepositoryState) -> str:
    """The state of one root of a workspace: without a name, since its label precedes it."""
    said = repository(state)
    return said if state.address else said.removeprefix(f"{printable(state.name)}, ")


def files(pack: Pack) -> str:
    """``7 files in 12 pieces, of 812 searched``."""
    chosen = pack.selection
    text = f"{number_of(len(chosen.paths), 'file')} in {number_of(len(chosen.fragments), 'piece')}"
    return f"{text}, of {pack.considered:,} searched" if pack.considered else text


def tokens(pack: Pack) -> str:
    """``7,812 of 8,000 tokens (o200k_base)``, with the model they are of, and how far an estimate can be off."""
    return f"{pack.tokens_used:,} of {pack.budget:,} tokens ({one_line(counting_method(pack))})"


def total_of(pack: Pack) -> str:
    """``12 pieces of 7 files, 7,812 of 8,000 tokens (o200k_base)``."""
    chosen = pack.selection
    return f"{number_of(len(chosen.fragments), 'piece')} of {number_of(len(chosen.paths), 'file')}, {tokens(pack)}"


def utilisation(pack: Pack) -> int:
    """The used part of the budget, in percent, rounded down."""
    return 100 * pack.tokens_used // pack.budget


def counting_method(pack: Pack) -> str:
    """``o200k_base``, ``o200k_base for gpt-5``, ``an estimate for claude-opus-5: o200k_base × 1.55, ± 12 %``."""
    if pack.estimate:
        return f"an estimate for {pack.model}: {pack.encoding} {pack.estimate}"
    return f"{pack.encoding} for {pack.model}" if pack.model else pack.encoding


def order(pack: Pack) -> str:
    """The order of the pieces, in words."""
    return _ORDERS.get(pack.order) or one_line(pack.order)


def pack_counts(pack: Pack) -> str:
    """``main at 3f2a1bc4; 12 pieces of 7 files, 7,812 of 8,000 tokens (o200k_base); best files first``, on one line."""
    return f"{repository(pack.state)}; {files(pack)}; {tokens(pack)}; {order(pack)}{for_verifying(pack)}"


def for_verifying(pack: Pack) -> str:
    """``; check 427113; made by `ctxpack diff` ``: what ``ctxpack verify`` cannot know otherwise; it may be empty."""
    check = check_digits(pack)
    return (f"; check {check}" if check else "") + (f"; made by {code(one_line(pack.recipe))}" if pack.recipe else "")


def check_digits(pack: Pack) -> str:
    """Three digits for each piece, which are one token: they reveal an edit of its text.

    Empty if the commit has the text of every piece, and in a pack so small that they would cost it a piece.
    """
    pieces = pack.selection.fragments if pack.budget >= _LEAST_CHECKED else ()
    is_committed = pack.state.is_git and not pack.state.dirty
    if is_committed and not any(each.layer or each.form is Form.OUTLINE for each in pieces):
        return ""
    return "".join(digits_of(content(each, line_numbers=False)) for each in pieces)


def digits_of(text: str) -> str:
    """The check digits of a piece's text. Control characters do not count: not every format can show them."""
    return f"{zlib.crc32(_CONTROLS.sub('', text.rstrip(chr(10))).encode('utf-8', 'replace')) % 1000:03}"


def form_of(fragment: Fragment) -> str:
    """``full``, ``outline``, ``excerpt of 12-80``."""
    return f"{fragment.form} of {place(*fragment.cut_from)}" if fragment.cut_from else str(fragment.form)


def state(fragment: Fragment) -> str:
    """How a text differs from its file: its form, its version, and what was left out; empty if it does not."""
    parts = [
        form_of(fragment) if fragment.form is not Form.FULL else "",
        f"from blob {fragment.layer[:_COMMIT_LENGTH]}" if _is_of_other_version(fragment) else "",
        f"without {', '.join(fragment.dropped)}" if fragment.dropped else "",
    ]
    return ", ".join(part for part in parts if part)


def _is_of_other_version(fragment: Fragment) -> bool:
    """Whether the lines are of another version of the file than the searched one."""
    return bool(fragment.layer) and fragment.layer == fragment.provenance.blob


def short_reason(fragment: Fragment) -> str:
    """The reason for a piece, in short: the words of the request that it contains, and the first other reason."""
    further = "".join(further_reasons(fragment)[:1])
    words = matched_keywords(fragment, further)
    return "; ".join(part for part in (words, further) if part)


def further_reasons(fragment: Fragment) -> list[str]:
    """The reasons that add to the matched words of a piece; without matched words, all reasons."""
    reasons = [one_line(reason) for reason in fragment.provenance.reasons if not reason.startswith(HELD_WORDS)]
    if fragment.provenance.keywords:
        reasons = [reason for reason in reasons if not _ASIDE.search(reason)]
    return [reason for reason in reasons if reason]


def matched_keywords(fragment: Fragment, said: str = "") -> str:
    """The first matched keywords of a piece, joined, without those that its place, name or ``said`` already show."""
    origin = fragment.provenance
    known = set(_WORD.findall(said.lower()))
    named = f"{origin.path} {names(origin.symbol)}".lower()
    words = [word for word in matched_words(fragment) if word.lower() not in known]
    shown = [word for word in words if len(word) < _LEAST_NAMED or word.lower() not in named]
    return ", ".join(shown[:SHOWN_MATCHES])


def matched_words(fragment: Fragment) -> list[str]:
    """The matched keywords of a piece, without those that are prefixes of others: ``uploads`` implies ``upload``."""
    return [*_without_beginnings(fragment.provenance.keywords)]


@lru_cache(maxsize=_REMEMBERED)
def _without_beginnings(keywords: tuple[str, ...]) -> tuple[str, ...]:
    words = [one_line(word) for word in keywords]
    known = {word.lower() for word in words}
    return tuple(word for word in words if not any(_begins(word.lower(), other) for other in known))


def _begins(word: str, other: str) -> bool:
    return word != other and other.startswith(word)


def about(fragment: Fragment) -> str:
    """The text after place and name of a piece: ``: session, cookie (excerpt of 12-80)``; it may be empty."""
    reasons, its = short_reason(fragment), state(fragment)
    return (f": {reasons}" if reasons else "") + (f" ({its})" if its else "")


def next_places(pack: Pack) -> list[str]:
    """The next places to open, one on each line: ``path:12 name``."""
    lines = []
    for omission in (each for each in pack.selection.omissions if not each.is_double):
        name = short_name(omission.symbol)
        lines.append(f"{printable(omission.path)}:{omission.start_line}{f' {name}' if name else ''}")
    return lines


def short_name(symbol: str) -> str:
    """The first of several names, of a long one its end; the last heading of a heading path."""
    name = one_line(symbol).partition(", ")[0].rpartition(" > ")[2].removesuffix(" …")
    while len(name) > _NAME_LENGTH and _QUALIFIED.fullmatch(name):
        name = name.partition(".")[2]
    return shorten(name, _NAME_LENGTH)


def sort_of(reason: str) -> str:
    """The kind of reason for skipping a file, without details: ``symbolic link``, ``minified``."""
    return _DETAIL.split(reason, maxsplit=1)[0]


def names(symbol: str) -> str:
    """The first names of merged pieces, later ones without the prefix shared with the first: ``a.b.First, second``."""
    plain = one_line(symbol).replace("`", "")  # of a heading that has code in it
    written = " > ".join(plain.split(" > ")[-_SHOWN_HEADINGS:]) if ", " not in symbol else plain
    first, *others = written.removesuffix(" …").split(", ")
    shown = others[: _SHOWN_SYMBOLS - 1]
    is_cut = len(shown) < len(others) or written.endswith(" …")
    return ", ".join([first, *(_relative(other, first) for other in shown)]) + (" …" if is_cut else "")


def _relative(name: str, first: str) -> str:
    parts, known = _JOINT.split(name), _JOINT.split(first)
    shared = next((at for at, part in enumerate(parts[:-1:2]) if known[2 * at : 2 * at + 1] != [part]), len(parts) // 2)
    return "".join(parts[2 * shared :])


def content(fragment: Fragment, *, line_numbers: bool) -> str:
    """The text of a piece without trailing blank lines; with line numbers where they are known."""
    text = without_surrogates(fragment.text)
    numbers = numbers_of(fragment) if line_numbers else ()
    if numbers:
        width = len(str(fragment.provenance.end_line))
        lines = zip(numbers, lines_of(text), strict=True)
        text = "\n".join(f"{number or '':>{width}}  {line}" for number, line in lines)
    body = text.rstrip("\n")
    return f"{body}\n" if body else ""


def numbers_of(fragment: Fragment) -> Sequence[int]:
    """The line numbers of a piece in its file, 0 for a mark of omitted lines; empty if unknown."""
    origin = fragment.provenance
    spanned = origin.end_line - origin.start_line + 1
    is_span = fragment.layer != PATCH and len(lines_of(fragment.text)) == spanned
    return fragment.numbers or (range(origin.start_line, origin.end_line + 1) if is_span else ())


def skipped_counts(pack: Pack) -> dict[str, int]:
    """How many files the most frequent kinds of rules hid; ``why-not`` explains single files."""
    counts = Counter[str]()
    for reason, count in Counter(skipped.reason for skipped in pack.skipped).items():
        counts[sort_of(reason)] += count
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = dict(ranked[:_SHOWN_RULES])
    rest = sum(count for _, count in ranked[_SHOWN_RULES:])
    return {**shown, "other": rest} if rest else shown
