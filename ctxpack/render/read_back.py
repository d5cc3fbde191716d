"""Read reports back: the facts in their heads, and their pieces, in every format that ctxpack writes.

A report may come from anyone or be edited by hand. So no content can end its part early: pieces are read one after
the other, each up to the end that its beginning announces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ctxpack.errors import UsageError
from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.model import RECORD, Form
from ctxpack.model.formats import FORMATS
from ctxpack.render.markup import from_html
from ctxpack.text import OWN_FENCE, PART_MARKERS, fence_after

_LONGEST: Final = 4_000  # characters of a heading that is looked into


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece as a report shows it. ``path`` is as it was printed; ``text`` may have line numbers."""

    number: int
    path: str
    start_line: int
    end_line: int
    text: str
    form: Form = Form.FULL
    cut_from: tuple[int, int] | None = None
    dropped: tuple[str, ...] = ()
    language: str = ""
    blob: str = ""  # the beginning of the blob that the lines are of, where the report says it
    is_other_version: bool = False  # the lines are not of the file as it was searched, but of that blob
    is_dirty: bool | None = None  # whether the file was not as committed, where the report says it


@dataclass(frozen=True, slots=True)
class ReadState:
    """The state of a root in a report: the prefix of its commit, and whether there were uncommitted changes."""

    commit: str = ""
    is_dirty: bool = False


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A report. ``roots`` are the states of several roots by their labels; ``check`` are all check digits, or empty."""

    format: str
    pieces: tuple[ReadPiece, ...]
    text: str = ""  # of the request, as far as it is shown
    commit: str = ""
    is_dirty: bool = False
    budget: int = 0
    check: str = ""
    recipe: str = ""
    is_part: bool = False  # of a file that ``refresh`` keeps
    roots: Mapping[str, ReadState] = field(default_factory=dict)

    def state(self, path: str) -> ReadState:
        """The state of the root that a path is in."""
        return self.roots.get(path.partition("/")[0]) or ReadState(self.commit, self.is_dirty)

    def digits(self, piece: ReadPiece) -> str:
        """The check digits of a piece; empty where the report has none."""
        at = 3 * self.pieces.index(piece)
        return self.check[at : at + 3] if len(self.check) == 3 * len(self.pieces) else ""


_Found = tuple[Sequence[ReadPiece], str, Mapping[str, object]]
"""What is read of a report: its pieces, its request as far as it is shown, and the other fields of ``ReadReport``."""


def read_report(data: bytes) -> ReadReport:
    """Read a report. Raises UsageError for a text that is none."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if text.count("\r\n") == text.count("\n"):  # else a piece may have such lines
        text = text.replace("\r\n", "\n")
    start, end = PART_MARKERS
    is_part = text.count(start) == 1 and text.partition(start)[2].count(end) == 1
    if is_part:
        text = text.partition(start)[2].partition(end)[0].lstrip("\n")
    head = text.encode("utf-8", "replace")
    name = next((each.name for each in FORMATS if re.match(each.beginning, head)), "")
    if name and name not in _READERS:
        raise UsageError(f"Reports in {name} cannot be read back.", hint="Check one that was made in another format.")
    if not name:
        raise UsageError(
            "This is not a report of ctxpack.", hint='Write one with: ctxpack task "fix the retry bug" -o report.md'
        )
    try:
        pieces, request, about = _READERS[name](text)
        return ReadReport(name, tuple(pieces), request, is_part=is_part, **about)  # type: ignore[arg-type] # _about and _read_json name the types
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration, RecursionError) as error:
        raise UsageError("The report is broken: its pieces cannot be read.", hint="Make it again.") from error


_COUNTED: Final = lazy_pattern(
    r"(?P<state>.*?)(?:(?:; |: )[\d,]+ files? in [\d,]+ pieces?(?:, of [\d,]+ searched)?)?"
    r"(?:; [\d,]+ of (?P<budget>[\d,]+) tokens \([^)]*\))?; (?P<order>[^;.]+)"
    r"(?:; check (?P<check>\d+))?(?:; made by (?P<recipe>`.+))?"
)
_COMMIT: Final = lazy_pattern(r"(?:^|, | at )([0-9a-f]{7,64})$")
_UNCOMMITTED: Final = ", with uncommitted changes"
_ROOT: Final = lazy_pattern(r"(?:^| \+ )(?P<label>[^\W_][\w.-]{0,39}) \((?P<state>[^\n]{1,1000}?)\)(?= \+ |$)")


def _about(line: str) -> dict[str, object]:
    """Parse the line with the counts."""
    match = _COUNTED.match(line[:_LONGEST])
    if match is None:
        return {}
    state = match["state"]
    whole = _state_of(state)
    return {
        "commit": whole.commit,
        "is_dirty": whole.is_dirty,
        "roots": {each["label"]: _state_of(each["state"]) for each in _ROOT.finditer(state)},
        "budget": int((match["budget"] or "0").replace(",", "")),
        "check": match["check"] or "",
        "recipe": _in_code(match["recipe"] or "")[0],
    }


def _state_of(written: str) -> ReadState:
    commit = _COMMIT.search(written.removesuffix(_UNCOMMITTED))
    return ReadState(commit[1] if commit else "", written.endswith(_UNCOMMITTED))


_CODE: Final = lazy_pattern(r"(?<!`)(?P<mark>`{1,20})(?P<text>[^\n]{1,1000}?)(?P=mark)(?!`)")


def _in_code(text: str) -> tuple[str, int]:
    """The text of the code span that a text begins with, and where it ends; empty for none."""
    match = _CODE.match(text)
    if match is None:
        return "", 0
    return (match["text"][1:-1] if len(match["mark"]) > 1 else match["text"]), match.end()


_STATE: Final = lazy_pattern(
    r"(?:(?P<form>excerpt|outline|mention)(?: of (?P<first>\d+)(?:-(?P<last>\d+))?)?)?"
    r"(?:(?:^|, )from blob (?P<blob>[0-9a-f]+))?(?:(?:^|, )without (?P<dropped>[a-z, ]+))?"
)
_PLACE: Final = lazy_pattern(r"(?P<path>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")


def _piece(number: int, place: str, state: str, text: str, language: str = "") -> ReadPiece:
    """Make a piece from its parsed heading."""
    match, where = _STATE.fullmatch(state), _PLACE.fullmatch(place)
    if match is None:
        raise ValueError(state)
    if where is None:
        if place != "overview":
            raise ValueError(place)
        return ReadPiece(number, RECORD, 1, 1, text, Form.OUTLINE, language=language)
    first, whole = int(where["first"]), match["first"]
    return ReadPiece(
        number,
        where["path"],
        first,
        int(where["last"] or first),
        text,
        Form(match["form"] or Form.FULL),
        (int(whole), int(match["last"] or whole)) if whole else None,
        tuple(match["dropped"].split(", ")) if match["dropped"] else (),
        language,
        match["blob"] or "",
        is_other_version=bool(match["blob"]),
    )


def _read_fence(lines: Sequence[str], at: int) -> tuple[str, str, int]:
    """The text and the language of the fence at a line, and the number of the line after it."""
    match = OWN_FENCE.fullmatch(lines[at]) if at < len(lines) else None
    if match is None:
        return "", "", at
    end = next((number for number in range(at + 1, len(lines)) if lines[number] == match["mark"]), 0)
    if not end:
        raise ValueError(lines[at])
    return "".join(f"{line}\n" for line in lines[at + 1 : end]), match["language"], end + 1


_Heading = Callable[[str], tuple[int, str, str] | None]
"""Reads a heading: the number of the piece, its place, its state; None for another line."""
_MARKDOWN_HEADING: Final = lazy_pattern(r"## (\d+)\. ")
_SOURCE: Final = lazy_pattern(r"(?:### )?\[Source (\d+)\] ")
_SOURCE_TAIL: Final = lazy_pattern(
    r"(?:, (?:section )?(?P<name>`.*`))?, lines? (?P<first>\d+)(?:-(?P<last>\d+))?(?P<state>.*)"
)
_IN_BRACKETS: Final = lazy_pattern(r"\(([^()]*)\)$")


def _last_state(text: str) -> str:
    """The state in the brackets at the end of a heading; empty if they contain something else."""
    match = _IN_BRACKETS.search(text)
    return match[1] if match and _STATE.fullmatch(match[1]) else ""


def _markdown_heading(line: str) -> tuple[int, str, str] | None:
    match = _MARKDOWN_HEADING.match(line[:_LONGEST])
    place, end = _in_code(line[match.end() : _LONGEST]) if match else ("", 0)
    if match is None or not end:
        return None
    return int(match[1]), place, _last_state(line[match.end() + end :])


def _source_heading(line: str) -> tuple[int, str, str] | None:
    match = _SOURCE.match(line[:_LONGEST])
    path, end = _in_code(line[match.end() : _LONGEST]) if match else ("", 0)
    tail = _SOURCE_TAIL.fullmatch(line[match.end() + end :]) if match and end else None
    if match is None or tail is None:
        return None
    return int(match[1]), f"{path}:{tail['first']}-{tail['last'] or tail['first']}", tail["state"].removeprefix(", ")


def _pieces(lines: Sequence[str], heading: _Heading, between: int) -> tuple[list[ReadPiece], int]:
    """The pieces, and the number of the line after the last; ``between`` are the lines from heading to fence."""
    at = next((at for at, _ in _outside(lines) if heading(lines[at])), len(lines))
    found: list[ReadPiece] = []
    while at < len(lines) and (read := heading(lines[at])):
        number, place, state = read
        text, language, end = _read_fence(lines, at + 1 + between)
        found.append(_piece(number, place, state, text, language))
        at = end + 1  # a blank line
    return found, at


def _outside(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that are in no fence, with their numbers from 0."""
    fence = ""
    for at, line in enumerate(lines):
        before, fence = fence, fence_after(fence, line, is_nested=False)
        if not before and not fence:
            yield at, line


def _request(title: str, quoted: Sequence[str]) -> str:
    """The request from its title and the following quotation, which has the full text if the title is cut."""
    rest = "\n".join(quoted)
    is_cut = title.endswith("…") and " ".join(rest.split()).startswith(title[:-2])  # a blank may be before the mark
    return rest if is_cut or not title else f"{title}\n{rest}".rstrip("\n")


def _read_markdown(text: str) -> _Found:
    lines = text.split("\n")
    title = lines[0].partition(": ")[2]
    counts = next(at for at, line in enumerate(lines) if line.startswith("- "))
    quoted = [line.removeprefix("> ") for line in lines[:counts] if line.startswith("> ")]
    pieces, _ = _pieces(lines, _markdown_heading, 0)
    return pieces, _request(title, quoted), _about(lines[counts].removeprefix("- "))


def _read_compact(text: str) -> _Found:
    lines = text.split("\n")
    pieces, _ = _pieces(lines, _source_heading, 0)
    return pieces, lines[0].removeprefix("# "), _about(lines[2])


def _read_narrative(text: str) -> _Found:
    lines = text.split("\n")
    start = next(
        at for at, line in _outside(lines) if line == "## Sources" and lines[at + 2].startswith("From the repository ")
    )
    pieces, end = _pieces(lines[start:], _source_heading, 3)
    about = _about(lines[start + 2].removeprefix("From the repository "))
    return pieces, _question(lines[start + end :], "## Question"), about


def _read_messages(text: str) -> _Found:
    lines = str(json.loads(text)[-1]["content"]).split("\n")
    start = next(at for at, line in _outside(lines) if line.startswith("Sources from the repository "))
    pieces, end = _pieces(lines[start:], _source_heading, 0)
    about = _about(lines[start].removeprefix("Sources from the repository "))
    return pieces, _question(lines[start + end :], "Question:"), about


def _question(lines: Sequence[str], mark: str) -> str:
    """The text after the mark of the question."""
    at = next((at for at, line in _outside(lines) if line == mark), len(lines))
    return "\n".join(lines[at + 1 :]).strip("\n")


_PLAIN_HEADING: Final = lazy_pattern(r"(?P<rule>={8,}) (?P<number>\d+)\. (?P<about>.+)")
_PLAIN_PLACE: Final = lazy_pattern(r"overview|.+?:\d+(?:-\d+)?(?=$| |: )")


def _read_plain(text: str) -> _Found:
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if _PLAIN_HEADING.match(line[:_LONGEST])), len(lines))
    quoted = [line.removeprefix("> ") for line in lines[:first] if line.startswith("> ")]
    found: list[ReadPiece] = []
    at = first
    while at < len(lines) and (match := _PLAIN_HEADING.match(lines[at][:_LONGEST])):
        end = next(number for number in range(at + 1, len(lines)) if lines[number] == match["rule"])
        place = _PLAIN_PLACE.match(match["about"])
        if place is None:
            raise ValueError(match["about"])
        body = "".join(f"{line}\n" for line in lines[at + 1 : end])
        found.append(_piece(int(match["number"]), place[0], _last_state(match["about"][place.end() :]), body))
        at = end + 2  # a blank line
    return found, _request(lines[0].partition(": ")[2], quoted), _about(lines[1])


_DOCUMENT: Final = lazy_pattern(r"<document (?P<about>[^>]*)><source>(?P<path>[^<]*)</source>\n<document_content>\n")
_DOCUMENT_END: Final = "</document_content></document>\n"
_ATTRIBUTE: Final = lazy_pattern(r'(?<![\w-])([\w-]{1,40})="([^"]{0,20000})"')
_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def _read_xml(text: str) -> _Found:
    about = _attributes(text[: text.index("/>")])
    found: list[ReadPiece] = []
    match = _DOCUMENT.search(text)
    while match is not None:
        end = text.index(_DOCUMENT_END, match.end())
        its = _attributes(match["about"])
        place = f"{from_html(match['path'])}:{its['lines']}"
        data = text[match.end() : end].removeprefix(_CDATA).removesuffix(_CDATA_END).replace(_CDATA_END + _CDATA, "")
        found.append(_piece(int(its["index"]), place, its.get("form", ""), data))
        match = _DOCUMENT.match(text, end + len(_DOCUMENT_END))
    rest = re.search(r"\n<request>([^<]*)</request>\n", text[: text.find("<document ")])
    counted = f"{about['repository']}; {about['tokens'].partition(' (')[0].partition(' tokens')[0]} tokens (); "
    known = _about(counted + about["order"]) | {"check": about.get("check", ""), "recipe": about.get("made_by", "")}
    return found, _request(about["task"], [from_html(rest[1])] if rest else []), known


def _attributes(text: str) -> dict[str, str]:
    return {key: from_html(value) for key, value in _ATTRIBUTE.findall(text)}


def _read_page(text: str) -> _Found:
    from ctxpack.render.page import read_page

    facts, shown = read_page(text)
    pieces = [
        replace(_piece(each.number, each.place, state, each.text, each.language), is_dirty=each.dirty)
        for each in shown
        for state in [next((badge for badge in each.badges if badge and _STATE.fullmatch(badge)), "")]
    ]
    recorded = {"check": facts.get("check", ""), "recipe": facts.get("made-by", "")}
    about = _about(f"{facts.get('state', '')}; an order") | {"budget": int(facts.get("budget", "0"))}
    return pieces, facts.get("request", ""), about | recorded


def _read_json(text: str) -> _Found:
    document = json.loads(text)
    first = int(document.get("first_source", 1))
    pieces = [_fragment(number, each) for number, each in enumerate(document["fragments"], first)]
    about: dict[str, object] = {
        "commit": str(document["repository"]["commit"]),
        "is_dirty": bool(document["repository"]["dirty"]),
        "roots": {
            str(each["label"]): ReadState(str(each["commit"]), bool(each["dirty"]))
            for each in _items(document["repository"].get("roots"))
        },
        "budget": int(document["tokens"]["budget"]),
        "check": str(document.get("check", "")),
        "recipe": str(document.get("made_by", "")),
    }
    return pieces, str(document["request"]["text"]), about


def _fragment(number: int, each: Mapping[str, object]) -> ReadPiece:
    form, commit = Form(str(each["form"])), str(each["commit"])
    text = str(each["content"])
    is_made = form is Form.OUTLINE or text.startswith(("--- ", "old mode "))
    return ReadPiece(
        number,
        str(each["path"]),
        int(str(each["start_line"])),
        int(str(each["end_line"])),
        text,
        form,
        dropped=tuple(map(str, _items(each.get("compressed")))),
        blob=str(each["blob"]),
        is_other_version=bool(commit) and not is_made,
        is_dirty=bool(each["dirty"]),
    )


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


_READERS: Final[Mapping[str, Callable[[str], _Found]]] = {
    "markdown": _read_markdown,
    "markdown-compact": _read_compact,
    "markdown-narrative": _read_narrative,
    "messages": _read_messages,
    "xml": _read_xml,
    "json": _read_json,
    "plain": _read_plain,
    "html": _read_page,
}
