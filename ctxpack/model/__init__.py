"""The nouns of ctxpack: what flows between the stages. Everything here is frozen and imports nothing else of ctxpack.

A path is always relative to the repository root of the request, with ``/`` as separator; bytes that are not UTF-8
are kept as surrogate escapes. Lines are counted from 1 and spans include both ends. A score is in 0..1.
"""

# fmt: off
# isort: off
from ctxpack.model.files import (
    DOCUMENT_KINDS, HELD_WORDS, Candidate, Chunk, Confidence, Discovery, Evidence, FrontMatter, Import, Kind, Lane,
    ParsedFile, RepositoryState, Seen, Skipped, SourceFile, Stamps, Symbol, TagRegion, Trait,
)
from ctxpack.model.packs import (
    LOG, PATCH, RECORD, CompressibleLines, Conversation, Form, Fragment, Memory, Message, Omission, Pack, Page,
    Prompt, Provenance, Rest, Selection,
)
from ctxpack.model.requests import Places
from ctxpack.model.requests import (
    WHOLE_PROJECT, Complexity, Expansion, Intent, Mention, Part, Query, Request, Scope, Shape,
)
# isort: on

__all__ = [
    "DOCUMENT_KINDS", "HELD_WORDS", "LOG", "PATCH", "RECORD", "WHOLE_PROJECT", "Candidate", "Chunk", "Complexity",
    "CompressibleLines", "Confidence", "Conversation", "Discovery", "Evidence", "Expansion", "Form", "Fragment",
    "FrontMatter", "Import", "Intent", "Kind", "Lane", "Memory", "Mention", "Message", "Omission", "Pack",
    "Page", "ParsedFile", "Part", "Places", "Prompt", "Provenance", "Query", "RepositoryState", "Request",
    "Rest", "Scope", "Seen", "Selection", "Shape", "Skipped", "SourceFile", "Stamps", "Symbol", "TagRegion",
    "Trait",
]
