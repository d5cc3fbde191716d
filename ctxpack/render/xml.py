"""XML in the documents convention, well-formed whatever a file holds.

Contents stay as they are in CDATA sections: escaped code is hard to read for a person and for a model. What XML
forbids becomes a visible sign, and an end tag of ours inside a content is split, so that no file closes its document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.instructions import use
from ctxpack.text import printable

_CONTROL_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
_FORBIDDEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_NEEDS_CDATA = re.compile(r"[<&]|\]\]>")
_BREAKS_OUT = re.compile(r"\]\](?=>)|<(?=/(?:document|documents|document_content)\s*>)")
_ATTRIBUTE_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


@dataclass(frozen=True, slots=True)
class XmlRenderer:
    """``<documents>`` with one ``<document>`` a piece."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """``<documents>`` with what the report is about, and its end with where to look on."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A document: its source, why it is there, and its content."""
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
        "why": wording.why(fragment),
        "form": wording.state(fragment),
    }


def _head(pack: Pack) -> str:
    about = {
        "task": wording.pack_title(pack.request),
        "repository": wording.repository(pack.state),
        "files": wording.files(pack),
        "tokens": wording.tokens(pack),
        "order": wording.order(pack),
        "layout": pack.tree,
        "use": use(pack.request),
    }
    request = wording.request_behind_title(pack.request)
    return f"<documents>\n<about {_attributes(about)}/>\n" + (f"{_element('request', request)}\n" if request else "")


def _tail(pack: Pack) -> str:
    places = "".join(f"{place}\n" for place in wording.next_places(pack))
    notes = "".join(f"{_element('note', wording.one_line(note))}\n" for note in pack.notes)
    return (f"{_element('next_places', chr(10) + places)}\n" if places else "") + notes + "</documents>\n"


def _attributes(values: dict[str, str]) -> str:
    return " ".join(
        f'{name}="{_legal(wording.one_line(value)).translate(_ATTRIBUTE_ESCAPES)}"'
        for name, value in values.items()
        if value
    )


def _element(name: str, text: str) -> str:
    return f"<{name}>{_legal(text).translate(_ATTRIBUTE_ESCAPES)}</{name}>"


def _legal(text: str) -> str:
    """``text`` in the characters that XML 1.0 allows; control characters become their pictures (``␌``)."""
    return _FORBIDDEN.sub("\ufffd", text.translate(_CONTROL_PICTURES))


def _data(text: str) -> str:
    legal = _legal(text)
    if not _NEEDS_CDATA.search(legal):
        return legal
    return f"<![CDATA[{_BREAKS_OUT.sub(lambda match: match[0] + ']]><![CDATA[', legal)}]]>"
