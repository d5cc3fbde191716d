"""Unsaved texts of an editor on top of an index: they replace files on disk for one run, and nothing is recorded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from ctxpack.discover.reading import blob_id, classify
from ctxpack.index.graph import Graph, with_imports
from ctxpack.index.postings import Postings
from ctxpack.index.segment import SegmentBuilder, segment_from
from ctxpack.index.store import IndexRow
from ctxpack.index.view import Facts, IndexView
from ctxpack.light import replace
from ctxpack.model import SourceFile
from ctxpack.parse import exact, outline, resolve_imports
from ctxpack.settings import Settings

_SEGMENT = "buffers"


def with_buffers(view: IndexView, settings: Settings) -> IndexView:
    """Return the view in which every text of ``settings.buffers`` replaces the file at its path, or is a new one."""
    if not settings.buffers:
        return view
    buffers = dict(sorted(settings.buffers.items()))
    files = [_file(view, path, text, settings) for path, text in buffers.items()]
    builder, facts = SegmentBuilder(), dict[str, str]()
    for file in files:
        parsed = outline(buffers[file.path], file.language, file.path)
        slot = builder.add(file.path, buffers[file.path], parsed)
        facts[file.path] = Facts(slot, parsed.imports, parsed.tags, parsed.front_matter).to_json()
    all_files, rows = list(view.files), list(view.postings.rows)
    for slot, file in enumerate(files):
        _put(all_files, rows, file, IndexRow(file.path, "", _SEGMENT, slot))
    graph = _graph(view.graph, files, facts, all_files)
    return replace(
        view,
        state=replace(view.state, dirty=view.state.is_git),
        files=replace(
            view.files,
            entries=tuple(all_files),
            graph=graph,
            fresh_facts={**view.files.fresh_facts, **facts},
            _texts=dict(buffers),
            _exact={file.path: exact(buffers[file.path], file.language, file.path) for file in files},
        ),
        postings=Postings(
            (*view.postings.segments, segment_from(builder.finish(), _SEGMENT)),
            (*view.postings.segment_names, _SEGMENT),
            rows,
        ),
        graph=graph,
        skipped=tuple(each for each in view.skipped if each.path not in buffers),
    )


def _file(view: IndexView, path: str, text: str, settings: Settings) -> SourceFile:
    data = text.encode("utf-8", "surrogateescape")
    known = view.files.get(path)
    if known is None:
        kind, language, traits = classify(path, data, settings.kinds)
        known = SourceFile(path, kind, language, 0, "", 0, traits)
    return replace(known, size=len(data), blob=blob_id(data), dirty=True)


def _put(files: list[SourceFile], rows: list[IndexRow | None], file: SourceFile, row: IndexRow) -> None:
    """Insert a file at the position of its path."""
    place = bisect_left(files, file.path, key=lambda each: each.path)
    if place < len(files) and files[place].path == file.path:
        files[place], rows[place] = file, row
    else:
        files.insert(place, file)
        rows.insert(place, row)


def _graph(graph: Graph, changed: Sequence[SourceFile], facts: Mapping[str, str], files: Sequence[SourceFile]) -> Graph:
    """Return the graph with what the changed files import now."""
    imports = {file.path: Facts.from_json(facts[file.path]).imports for file in changed}
    edges = resolve_imports(imports, {each.path: each.language for each in files}, [each.path for each in files])
    return with_imports(graph, {path: edges.get(path, ()) for path in imports})
