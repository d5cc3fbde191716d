"""Unsaved texts of an editor on top of an index: they replace files on disk for one run, and nothing is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.discover.reading import blob_id, classify
from ctxpack.index.arrays import hold_arrays
from ctxpack.index.graph import Graph, with_imports
from ctxpack.index.known import FileSlots
from ctxpack.index.postings import Postings
from ctxpack.index.segment import SegmentBuilder, segment_from
from ctxpack.index.view import Facts, IndexView
from ctxpack.light import replace
from ctxpack.model import SourceFile
from ctxpack.model.columns import FileTable
from ctxpack.parse import exact, outline, resolve_imports
from ctxpack.parse.languages.modules import declares_modules
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
    entries = view.files.entries.with_files({file.path: file for file in files})
    graph = _graph(view, files, facts, entries)
    return replace(
        view,
        state=replace(view.state, dirty=view.state.is_git),
        files=replace(
            view.files,
            entries=entries,
            graph=graph,
            fresh_facts={**view.files.fresh_facts, **facts},
            _texts=dict(buffers),
            _exact={file.path: exact(buffers[file.path], file.language, file.path) for file in files},
        ),
        postings=Postings(
            (*view.postings.segments, segment_from(hold_arrays(builder.finish()), _SEGMENT)),
            (*view.postings.segment_names, _SEGMENT),
            _slots(view, entries, list(buffers)),
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


def _slots(view: IndexView, entries: FileTable, paths: Sequence[str]) -> FileSlots:
    """Return the slots of all files, of which those at some paths are in the segment of the buffers, in this order."""
    import numpy as np

    numbers = {path: number for path in paths if (number := entries.find(path)) is not None}
    is_old = np.ones(len(entries), bool)
    is_old[[number for path, number in numbers.items() if view.files.get(path) is None]] = False
    slots = {numbers[path]: (_SEGMENT, slot) for slot, path in enumerate(paths)}
    return view.postings.rows.spread(is_old).with_slots(slots)


def _graph(view: IndexView, changed: Sequence[SourceFile], facts: Mapping[str, str], files: FileTable) -> Graph:
    """Return the graph with what the changed files import now."""
    imports = {file.path: Facts.from_json(facts[file.path]).imports for file in changed}
    paths = files.paths.listed
    known = {**view.files.facts_of(list(filter(declares_modules, paths))), **facts}
    declared = {path: Facts.from_json(line).imports for path, line in known.items() if declares_modules(path)}
    edges = resolve_imports(imports, {each.path: each.language for each in changed}, paths, declared)
    graph = view.graph
    return with_imports(graph, {path: edges.get(path, ()) for path in imports})
