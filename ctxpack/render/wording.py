"""The words that every format shares: titles, counts, places, and text that no format can choke on."""

from __future__ import annotations

import re

from ctxpack.model import PATCH, Expansion, Form, Fragment, Omission, Pack, Query, RepositoryState, Request, Scope
from ctxpack.text import lines_of, printable

SHOWN_KEYWORDS = 12
SHOWN_EXPANSIONS = 4
SHOWN_REASONS = 4
SHOWN_MATCHES = 6
_TITLE_LENGTH = 100
_COMMIT_LENGTH = 8
_KILO = 1_000

_ORDERS = {
    "relevance": "most relevant first",
    "path": "by path",
    "edges": "most relevant at the beginning and at the end",
    "hierarchical": "overview, details, code, tests",
}

_JOINT = re.compile(r"(\.| > )")  # between the parts of a qualified name, or of headings
_DETAIL = re.compile(r": | to |, | \(")  # begins what a reason says of one file
_WORD = re.compile(r"\w+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` without lone surrogates, so that it is valid UTF-8 and counts as what it is."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """``text`` with every run of white space as one blank."""
    return printable(" ".join(text.split()))


def _spot(request: Request) -> str:
    """The file, with the line of the cursor, the selected lines or the definition in question."""
    if request.lines:
        return f"{request.path}:{place(*request.lines)}"
    return f"{request.path}:{request.line}" if request.line else f"{request.path} {request.symbol}".rstrip()


def title(request: Request) -> str:
    """What was asked, on one line of at most a hundred characters."""
    asked = {
        Scope.FILE: _spot(request),
        Scope.COMPONENT: request.name,
        Scope.DIFF: request.name or request.text,
    }.get(request.scope, "")
    if request.scope is Scope.DIFF and request.name and request.text.strip():
        asked = f"{request.name}: {request.text.strip().splitlines()[0]}"
    first = one_line(asked or next((line for line in request.text.splitlines() if line.strip()), ""))
    return first if len(first) <= _TITLE_LENGTH else first[: _TITLE_LENGTH - 1].rstrip() + "…"


def place(start: int, end: int) -> str:
    """A span of lines as editors read it: ``12-80``, or ``12``."""
    return f"{start}-{end}" if end > start else str(start)


def location(piece: Fragment | Omission) -> str:
    """``path:12-80``."""
    where = piece.provenance if isinstance(piece, Fragment) else piece
    return f"{printable(where.path)}:{place(where.start_line, where.end_line)}"


def keywords(query: Query) -> tuple[str, ...]:
    """The weightiest words of the request; what they mean in another language is told as added."""
    added = {each.term for each in query.expansions}
    own = [word for word in query.words if word not in added]
    ranked = sorted(own, key=lambda word: -query.words[word])  # equals stay in the order of the request
    return tuple(one_line(word) for word in ranked[:SHOWN_KEYWORDS])


def expansions(query: Query) -> tuple[Expansion, ...]:
    """The weightiest added words, each of which remembers where it comes from; other forms of a word go unsaid."""
    told = [added for added in query.expansions if added.origin != "inflection"]
    return tuple(sorted(told, key=lambda added: (-added.weight, added.term))[:SHOWN_EXPANSIONS])


def added(query: Query) -> str:
    """The added words behind what they come from: ``retry → backoff, attempt (synonym)``."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for each in expansions(query):
        grouped.setdefault((each.source, each.origin), []).append(each.term)
    origins: dict[str, list[str]] = {}
    for (source, origin), terms in grouped.items():
        origins.setdefault(source, []).append(f"{', '.join(terms)} ({origin})")
    return "; ".join(one_line(f"{source} → {', '.join(words)}") for source, words in origins.items())


def repository(state: RepositoryState) -> str:
    """``flask, main at 3f2a1bc4, with uncommitted changes``."""
    name = printable(state.name)
    if not state.is_git:
        return f"{name}, not under git"
    branch, commit = printable(state.branch), state.commit[:_COMMIT_LENGTH]
    if not commit:
        return f"{name}, {branch}, no commit yet" if branch else name  # without both, the state was left out
    at = f"{branch} at {commit}" if branch else commit
    return f"{name}, {at}" + (", with uncommitted changes" if state.dirty else "")


def files(pack: Pack) -> str:
    """``7 files in 12 pieces, of 812 searched``."""
    fragments = pack.selection.fragments
    paths = {fragment.provenance.path for fragment in fragments}
    text = f"{_count(len(paths), 'file')} in {_count(len(fragments), 'piece')}"
    return f"{text}, of {pack.considered:,} searched" if pack.considered else text


def tokens(pack: Pack) -> str:
    """``7,812 of 8,000 (o200k_base)``, with the model whose tokens they are, and how far an estimate can be off."""
    return f"{pack.tokens_used:,} of {pack.budget:,} ({one_line(counted(pack))})"


def utilisation(pack: Pack) -> int:
    """The used part of the budget, in percent, rounded down."""
    return 100 * pack.tokens_used // pack.budget


def counted(pack: Pack) -> str:
    """``o200k_base``, ``o200k_base for gpt-5``, ``an estimate for claude-opus-5: o200k_base × 1.55, ± 12 %``."""
    if pack.estimate:
        return f"an estimate for {pack.model}: {pack.encoding} {pack.estimate}"
    return f"{pack.encoding} for {pack.model}" if pack.model else pack.encoding


def order(pack: Pack) -> str:
    """In which order the pieces stand, in words."""
    return _ORDERS.get(pack.order) or one_line(pack.order)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def size(count: int) -> str:
    """Bytes as people read them: ``812 B``, ``4.2 kB``, ``1.3 MB``."""
    if count < _KILO:
        return f"{count} B"
    value, unit = (count / _KILO, "kB") if count < _KILO * _KILO else (count / _KILO / _KILO, "MB")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"  # noqa: PLR2004 - one decimal for small values


def facts(fragment: Fragment) -> list[str]:
    """What is known of a piece and its file, the most telling first; what is unknown is left out."""
    origin = fragment.provenance
    known = [
        origin.kind.value.replace("_", " "),
        f"score {origin.score:.2f}, {origin.confidence} confidence",
        form(fragment) if fragment.form is not Form.FULL else "",
        f"compressed: {', '.join(fragment.dropped)}" if fragment.dropped else "",
        size(origin.size) if origin.size else "",
        f"changed {origin.modified}" if origin.modified else "",
        "uncommitted" if origin.dirty else "",
        f"tags: {', '.join(map(one_line, origin.tags))}" if origin.tags else "",
    ]
    return [fact for fact in known if fact]


def form(fragment: Fragment) -> str:
    """``full``, ``outline``, ``excerpt of 12-80``."""
    return f"{fragment.form} of {place(*fragment.cut_from)}" if fragment.cut_from else str(fragment.form)


def why(fragment: Fragment) -> str:
    """The first reasons for a piece, joined."""
    reasons = [one_line(reason) for reason in fragment.provenance.reasons]
    return "; ".join([reason for reason in reasons if reason][:SHOWN_REASONS])


def matched(fragment: Fragment, said: str = "") -> str:
    """The first keywords that a piece matches, joined, without those that ``said`` names already."""
    known = set(_WORD.findall(said.lower()))
    words = [one_line(word) for word in fragment.provenance.keywords]
    return ", ".join([word for word in words if word.lower() not in known][:SHOWN_MATCHES])


def missed(omission: Omission) -> str:
    """Why a piece was left out, and its price where the reason does not name it."""
    reason = one_line(omission.reason)
    cost = f"{omission.tokens} tokens"
    return reason if cost in reason else f"{reason} ({cost})"


def sort_of(reason: str) -> str:
    """Why a file was skipped, without what is said of this one: ``symbolic link``, ``minified``."""
    return _DETAIL.split(reason, maxsplit=1)[0]


def further(omission: Omission) -> str:
    """``… and 3 more pieces of``, before the path of their file."""
    return f"… and {_count(omission.more, 'more piece')} of"


def names(symbol: str) -> str:
    """Names of merged pieces, each behind the first without what it shares with it: ``a.b.First, second``."""
    first, *others = one_line(symbol).split(", ")
    return ", ".join([first, *(_relative(other, first) for other in others)])


def _relative(name: str, first: str) -> str:
    parts, known = _JOINT.split(name), _JOINT.split(first)
    shared = next((at for at, part in enumerate(parts[:-1:2]) if known[2 * at : 2 * at + 1] != [part]), len(parts) // 2)
    return "".join(parts[2 * shared :])


def elision(lines: tuple[int, int]) -> str:
    """``⋯ lines 120–180 omitted``."""
    first, last = lines
    return f"⋯ lines {first}–{last} omitted" if last > first else f"⋯ line {first} omitted"


def content(fragment: Fragment, *, line_numbers: bool) -> str:
    """The text of a piece without blank lines at its end; numbered where it is known which lines of its file it has."""
    text = clean(fragment.text)
    lines = lines_of(text)
    origin = fragment.provenance
    is_span = fragment.layer != PATCH and len(lines) == origin.end_line - origin.start_line + 1
    if line_numbers and (fragment.numbers or is_span):
        width = len(str(origin.end_line))
        numbers = fragment.numbers or range(origin.start_line, origin.end_line + 1)
        text = "\n".join(f"{number or '':>{width}}  {line}" for number, line in zip(numbers, lines, strict=True))
    body = text.rstrip("\n")
    return f"{body}\n" if body else ""


def longest_run(char: str, text: str) -> int:
    """The length of the longest run of ``char``."""
    return max((len(run) for run in re.findall(f"{re.escape(char)}+", text)), default=0)
