"""The source map: what each ``[Source N]`` of a prompt is, as JSON, for those who check the citations of an answer."""

from __future__ import annotations

import json

from ctxpack.model import Fragment, Pack
from ctxpack.text import valid

SCHEMA = 1


def source_map(pack: Pack) -> str:
    """``{"schema", "repository", "commit", "sources": {"1": {"path", "start_line", …}}}``, indented."""
    numbered = enumerate(pack.selection.fragments, pack.first_source)
    sources = {str(number): _source(each, pack) for number, each in numbered}
    document = {
        "schema": SCHEMA,
        "repository": valid(pack.state.name),
        "commit": pack.state.commit,
        "sources": sources,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _source(fragment: Fragment, pack: Pack) -> dict[str, object]:
    origin = fragment.provenance
    return {
        "path": valid(origin.path),
        "start_line": origin.start_line,
        "end_line": origin.end_line,
        "section" if origin.kind.is_document else "symbol": valid(origin.symbol),
        "kind": str(origin.kind),
        "form": str(fragment.form),
        "blob": origin.blob,
        "commit": origin.commit or pack.state.commit,
        "dirty": origin.dirty,
    }
