"""What a request is about (code, documents, tests), and the share of a pack that each lane may take."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Kind, Lane, Query
from ctxpack.query.lookups import uses_to_find, wants_entry
from ctxpack.query.mentions import quotes_of
from ctxpack.query.understand import USUAL_DEFAULTS, Aim, PackDefaults, aims_of

_DOCUMENT_SHARE: Final = 0.9  # a repository of which this share of documents and code is documents holds nothing else
_DOCUMENTS = lazy_pattern(
    r"\b(docs?|documentation|document(?:ed|s|ing)?|typos?|sentences?|paragraphs?|readme|changelog|guides?"
    r"|tutorials?|manual|handbook|wiki|release notes|glossary|runbooks?|specification"
    r"|описани\w+|документ\w*|опечатк\w+|стать\w+|спецификаци\w+|инструкци\w+)\b",
    re.IGNORECASE,
)
_WORDING = lazy_pattern(r"\bwording\b", re.IGNORECASE)  # of a document, or of a message that is quoted
_EXAMPLES = lazy_pattern(
    r"\b(?:example|sample|demo|tutorial) (?:apps?|applications?|projects?|programs?|scripts?|plugins?|packages?|code)\b"
    r"|\bexamples?/|\b(?:the|your|our) (?:examples|tutorial|demo)\b"
    r"|\bпример\w{0,2} (?:приложени|проект|программ|кода)\w*|\b(?:приложени|проект|программ)\w+-пример\w*"
    r"|\bдемо-?(?:приложени|проект)\w+",
    re.IGNORECASE,
)
# Whoever asks how to test something of theirs wants to be told, not shown the tests of the project.
_OWN_TESTS = lazy_pattern(
    r"\bhow (?:do|can|should|would|could) (?:i|we|you|one) (?:unit[- ]?)?test\b|\bhow to (?:unit[- ]?)?test\b"
    r"|\bкак (?:мне |нам |лучше |правильно )?(?:про)?тестировать\b",
    re.IGNORECASE,
)
_TESTS = lazy_pattern(r"\b(tests?|testing|test suite|coverage|fixtures?|тест\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What the request is about. Both may hold."""

    documents: bool  # the request asks for documents
    only_documents: bool  # the repository hardly holds anything else
    tests: bool
    examples: bool = False  # it is about an example, not only like one
    aims: frozenset[Aim] = frozenset()


def subject_of(query: Query, view: IndexView) -> Subject:
    """The subject of a request in a repository."""
    title = query.title_text or query.text
    kinds = Counter(file.kind for file in view.files)
    documents = sum(count for kind, count in kinds.items() if kind.is_document)
    aims = aims_of(query.text)
    aims = aims - {Aim.RECORD} if wants_entry(query.text) else aims  # what is past is not wanted
    return Subject(
        documents=bool(_DOCUMENTS.search(title) or (_WORDING.search(title) and not quotes_of(query.text))),
        only_documents=documents > _DOCUMENT_SHARE * (documents + kinds[Kind.CODE] + 1),
        # Who is new wants to run them.
        tests=bool(_TESTS.search(title)) and Aim.ONBOARD not in aims and not _OWN_TESTS.search(title),
        examples=bool(_EXAMPLES.search(query.text)),
        aims=aims,
    )


# Chunks that hold a name: in more of them a request to change it means some, which the ranking finds.
_MOST_ASKED_FOR, _MOST_CHANGED = 300, 60


@dataclass(frozen=True, slots=True)
class FoundUses:
    """Names whose uses the request asks for, and the numbers of the chunks that hold one; empty for other requests."""

    names: tuple[str, ...] = ()
    chunks: frozenset[int] = frozenset()


def look_up_uses(text: str, view: IndexView) -> FoundUses:
    """Find the chunks that use the names whose uses a text asks for; none where there are none, or too many."""
    lookup = uses_to_find(text)
    chunks = {int(number) for name in lookup.names for number in view.postings.terms("word", name.lower()).docs}
    if not chunks or len(chunks) > (_MOST_ASKED_FOR if lookup.is_sure else _MOST_CHANGED):
        return FoundUses()
    return FoundUses(lookup.names, frozenset(chunks))


# Of the budget, until every lane has had its turn. Measured at 8,000 tokens on 30 Python issues: files that the fix
# changed are in 80 % of the packs instead of 77 %; documents below .6 would cost requests about documents more.
LANE_SHARES: Final[Mapping[str, float]] = {Lane.DOCS: 0.6, Lane.TESTS: 0.25, Lane.CONFIG: 0.2}


def lane_shares(
    query: Query, view: IndexView, given: Mapping[str, float], choice: PackDefaults = USUAL_DEFAULTS
) -> Mapping[str, float]:
    """Lane or kind -> share of the budget; the user's values come first; the subject of the request has no limit."""
    subject = subject_of(query, view)
    free = {Lane.DOCS} if subject.documents or subject.only_documents else set()
    free |= {Lane.TESTS} if subject.tests else set()
    return {lane: share for lane, share in {**LANE_SHARES, **choice.shares}.items() if lane not in free} | dict(given)
