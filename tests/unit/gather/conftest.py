"""Contexts over real little repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from ctxpack.gather import Context
from ctxpack.index.opening import open_repository
from ctxpack.model import Request
from ctxpack.query.understand import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.settings import Settings
from ctxpack.understand.request import add_forms, search_text

MakeContext = Callable[..., Context]


@pytest.fixture
def context(tmp_path: Path, repository: Callable[[Mapping[str, str]], Path]) -> Iterator[MakeContext]:
    """A function: files and a request -> the Context that strategies get; more keywords are settings."""
    with ExitStack() as stack:

        def make(files: Mapping[str, str], request: Request, **values: object) -> Context:
            root = repository(files)
            settings = Settings(root=root, cache_dir=tmp_path / "cache", **values)  # type: ignore[arg-type]
            view = stack.enter_context(open_repository(settings))
            query = add_forms(query_of_text(search_text(request)), view, settings)
            return Context(request, query, view, settings, rank(query, view, limit=40, purpose=Purpose.PACK))

        yield make
