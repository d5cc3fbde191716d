"""Whether a request is about documents or tests rather than code: by its title, and by what the repository holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ctxpack.index import IndexView
from ctxpack.model import Kind, Query
from ctxpack.query.aims import Aim, aims_of

_DOCUMENT_SHARE: Final = 0.9  # a repository of which this share of documents and code is documents holds nothing else
_DOCUMENTS = re.compile(
    r"\b(docs?|documentation|document(?:ed|s|ing)?|typos?|wording|sentences?|paragraphs?|readme|changelog|guides?"
    r"|tutorials?|manual|handbook|wiki|release notes|glossary|runbooks?|specification"
    r"|описани\w+|документ\w*|опечатк\w+|стать\w+|спецификаци\w+|инструкци\w+)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\b(tests?|testing|test suite|coverage|fixtures?|тест\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What the request is about. Both may hold."""

    documents: bool  # the request asks for documents
    only_documents: bool  # the repository hardly holds anything else
    tests: bool
    aims: frozenset[Aim] = frozenset()


def subject_of(query: Query, view: IndexView) -> Subject:
    """The subject of a request in a repository."""
    title = query.title_text or query.text
    documents = sum(file.kind.is_document for file in view.files)
    code = sum(file.kind is Kind.CODE for file in view.files)
    return Subject(
        documents=bool(_DOCUMENTS.search(title)),
        only_documents=documents > _DOCUMENT_SHARE * (documents + code + 1),
        tests=bool(_TESTS.search(title)),
        aims=aims_of(query.text),
    )
