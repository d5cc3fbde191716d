"""XML in the documents convention, well-formed whatever a file holds.

Contents stay as they are in CDATA sections: escaped code is hard to read for a person and for a model. What XML
forbids becomes a visible sign, and an end tag of ours inside a content is split, so that no file closes its document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctxpack.model import Fragment, Omission, Pack
from ctxpack.render import wording
from ctxpack.report import omitted_lines
from ctxpack.text import printable, without_surrogates

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
        """``<documents>`` with what the report is about, and its end with what just missed."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A document: its source, why it is there, and its content."""
        reasons = wording.why(fragment)
        text = _data(wording.content(fragment, line_numbers=self.line_numbers))
        lines = [
            f"<document {_attributes(_about(fragment, number))}>",
            _element("source", printable(fragment.provenance.path)),
            _element("why", reasons) if reasons else "",
            f"<document_content>\n{text}</document_content>",
            "</document>",
        ]
        return "\n".join(line for line in lines if line) + "\n"

    def between(self, above: Fragment, below: Fragment) -> str:
        """Nothing, or a comment that marks what was omitted."""
        lines = omitted_lines(above, below)
        return f"<!-- {wording.elision(lines)} -->\n" if lines else ""


def _about(fragment: Fragment, number: int) -> dict[str, str]:
    origin = fragment.provenance
    return {
        "index": str(number),
        "lines": wording.place(origin.start_line, origin.end_line),
        "symbol": wording.names(origin.symbol),
        "kind": str(origin.kind),
        "form": wording.form(fragment),
        "score": f"{origin.score:.2f}",
        "confidence": str(origin.confidence),
        "matched": wording.matched(fragment),
        "size": wording.size(origin.size) if origin.size else "",
        "modified": origin.modified,
        "uncommitted": "yes" if origin.dirty else "",
        "tags": ", ".join(origin.tags),
    }


def _head(pack: Pack) -> str:
    about = {
        "task": wording.title(pack.request),
        "repository": wording.repository(pack.state),
        "files": wording.files(pack),
        "tokens": wording.tokens(pack),
        "strategy": pack.strategy,
        "order": wording.order(pack),
        "keywords": ", ".join(wording.keywords(pack.query)),
        "added": wording.added(pack.query),
    }
    tree = f"<tree>\n{_data(without_surrogates(pack.tree).rstrip() + chr(10))}</tree>\n" if pack.tree.strip() else ""
    return f"<documents>\n<about {_attributes(about)}/>\n{tree}"


def _tail(pack: Pack) -> str:
    missed = "".join(f"<missed {_attributes(_missed(omission))}/>\n" for omission in pack.selection.omissions)
    notes = "".join(f"{_element('note', wording.one_line(note))}\n" for note in pack.notes)
    return (f"<just_missed>\n{missed}</just_missed>\n" if missed else "") + notes + "</documents>\n"


def _missed(omission: Omission) -> dict[str, str]:
    if omission.more:
        return {"source": printable(omission.path), "more": str(omission.more)}
    return {
        "source": wording.location(omission),
        "symbol": wording.names(omission.symbol),
        "score": f"{omission.score:.2f}",
        "reason": wording.missed(omission),
    }


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
