"""The structure of a report, and the formats Markdown, plain text and XML.

No content can end its part: fences and rules are longer than any inside, and XML keeps contents in CDATA sections,
because escaped code is hard to read. Characters that XML forbids become visible symbols; our end tags are split.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.prompts import quotation_of, usage_line
from ctxpack.text import code, in_fence, longest_run, printable


class Renderer(Protocol):
    """A format. The parts are strings that ``report`` joins."""

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The text before the first fragment and after the last one."""

    def fragment(self, fragment: Fragment, number: int) -> str:
        """One piece with its provenance; ``number`` counts from 1."""

    def between(self, above: Fragment, below: Fragment) -> str:
        """The text between two pieces."""


def report(pack: Pack, renderer: Renderer) -> str:
    """The whole text of a pack in one format."""
    head, tail = renderer.frame(pack)
    return f"{head}{body(pack, renderer)}{tail}"


def body(pack: Pack, renderer: Renderer) -> str:
    """The text of all pieces of a pack."""
    fragments = pack.selection.fragments
    separators = ["", *(renderer.between(above, below) for above, below in pairwise(fragments))]
    parts: list[str] = []
    for number, (separator, fragment) in enumerate(zip(separators, fragments, strict=False), start=pack.first_source):
        parts += (separator, renderer.fragment(fragment, number))
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """Numbered headings with place, name and reasons, and fenced contents."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The request and what is said of the report; after the pieces where to look next, and the notes."""
        rows = [
            wording.pack_counts(pack),
            f"Layout: {wording.one_line(pack.tree)}" if pack.tree.strip() else "",
            usage_line(pack),
        ]
        title = f"# Context: {wording.pack_title(pack.request)}\n\n{quotation_of(pack.request)}"
        places = "".join(f"{place}\n" for place in wording.next_places(pack))
        tail = f"\n## Next places to open\n\n{in_fence(places, '')}" if places else ""
        notes = "".join(f"- {wording.one_line(note)}\n" for note in pack.notes)
        head = title + "".join(f"- {row}\n" for row in rows if row) + "\n"
        return head, tail + (f"\n## Notes\n\n{notes}" if notes else "")

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A heading and the fenced content."""
        symbol = fragment.provenance.symbol
        name = f" {code(wording.names(symbol))}" if symbol else ""
        heading = f"## {number}. {code(wording.location(fragment))}{name}{wording.about(fragment)}\n"
        return heading + in_fence(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


_MIN_RULE = 8


@dataclass(frozen=True, slots=True)
class PlainRenderer:
    """Plain text with each piece between two rules of the same length."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The request and what is said of the report; after the pieces where to look next, and the notes."""
        rows = [
            f"Context: {wording.pack_title(pack.request)}",
            wording.pack_counts(pack),
            f"Layout: {wording.one_line(pack.tree)}" if pack.tree.strip() else "",
            usage_line(pack),
        ]
        places = "".join(f"{place}\n" for place in wording.next_places(pack))
        notes = "".join(f"{wording.one_line(note)}\n" for note in pack.notes)
        tail = (f"\nNext places to open:\n{places}" if places else "") + (f"\nNotes:\n{notes}" if notes else "")
        return "".join(f"{row}\n" for row in rows if row) + "\n" + quotation_of(pack.request), tail

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A rule with place, name and reasons, the content, a rule."""
        text = wording.content(fragment, line_numbers=self.line_numbers)
        rule = "=" * max(_MIN_RULE, longest_run("=", text) + 1)
        symbol = f" {wording.names(fragment.provenance.symbol)}" if fragment.provenance.symbol else ""
        heading = f"{rule} {number}. {wording.location(fragment)}{symbol}{wording.about(fragment)}"
        return f"{heading}\n{text}{rule}\n"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


_CONTROL_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
_FORBIDDEN = lazy_pattern("[\ud800-\udfff\ufffe\uffff]")
_NEEDS_CDATA = lazy_pattern(r"[<&]|\]\]>")
_BREAKS_OUT = lazy_pattern(r"\]\](?=>)|<(?=/(?:document|documents|document_content)\s*>)")
_ATTRIBUTE_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


@dataclass(frozen=True, slots=True)
class XmlRenderer:
    """XML: ``<documents>`` with one ``<document>`` for each piece."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """``<documents>`` with the head of the report; its end with the next places to open."""
        about = {
            "task": wording.pack_title(pack.request),
            "repository": wording.repository(pack.state),
            "files": wording.files(pack),
            "tokens": wording.tokens(pack),
            "order": wording.order(pack),
            "check": wording.check_digits(pack),
            "made_by": pack.recipe,
            "layout": pack.tree,
            "use": usage_line(pack),
        }
        rest = wording.request_behind_title(pack.request)
        places = "".join(f"{place}\n" for place in wording.next_places(pack))
        notes = "".join(f"{_element('note', wording.one_line(note))}\n" for note in pack.notes)
        head = f"<documents>\n<about {_attributes(about)}/>\n" + (f"{_element('request', rest)}\n" if rest else "")
        tail = (f"{_element('next_places', chr(10) + places)}\n" if places else "") + notes
        return head, f"{tail}</documents>\n"

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A document: its source, its reasons, and its content."""
        text = _data(wording.content(fragment, line_numbers=self.line_numbers))
        source = _element("source", printable(fragment.provenance.path))
        opening = f"<document {_attributes(_about(fragment, number))}>{source}"
        return f"{opening}\n<document_content>\n{text}</document_content></document>\n"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the line numbers show what is omitted
        """Nothing."""
        return ""


def _about(fragment: Fragment, number: int) -> dict[str, str]:
    origin = fragment.provenance
    return {
        "index": str(number),
        "lines": wording.place(origin.start_line, origin.end_line),
        "symbol": wording.names(origin.symbol),
        "why": wording.short_reason(fragment),
        "form": wording.state(fragment),
    }


def _attributes(values: dict[str, str]) -> str:
    return " ".join(
        f'{name}="{legal(wording.one_line(value)).translate(_ATTRIBUTE_ESCAPES)}"'
        for name, value in values.items()
        if value
    )


def _element(name: str, text: str) -> str:
    return f"<{name}>{legal(text).translate(_ATTRIBUTE_ESCAPES)}</{name}>"


def legal(text: str) -> str:
    """``text`` in the characters that XML 1.0 allows; control characters become their pictures (``␌``)."""
    return _FORBIDDEN.sub("\ufffd", text.translate(_CONTROL_PICTURES))


def _data(text: str) -> str:
    data = legal(text)
    if not _NEEDS_CDATA.search(data):
        return data
    return f"<![CDATA[{_BREAKS_OUT.sub(lambda match: match[0] + ']]><![CDATA[', data)}]]>"
