"""Meanings in addition to words, with an embedder that needs no model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import EmbeddingError
from ctxpack.index import IndexView
from ctxpack.model import Candidate
from ctxpack.pipeline import run_pack, search
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.chunk_vectors import ChunkVectors, chunk_vectors, embed
from ctxpack.rank.embedders import GuardedEmbedder
from ctxpack.rank.meaning import MEANING_REASON
from ctxpack.settings import Settings
from tests.embedding import WordEmbedder, install
from tests.indexing import as_lines, opened, prepared, write

FILES = {
    "garage.py": 'def park(car: str) -> str:\n    """Put a car into its box for the night."""\n    return car\n',
    "trees.py": 'def plant(tree: str) -> str:\n    """Put a tree into the ground for the night."""\n    return tree\n',
    "boxes.py": 'def stack(box: str) -> str:\n    """Stack what comes for the night."""\n    return box\n',
    "config.yaml": "password: hunter2horse\nnight: true\n",
}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    install(tmp_path / "site", monkeypatch)
    root = write(tmp_path / "project", FILES)
    return Settings(root=root, cache_dir=tmp_path / "cache", semantic=True, embedder="words", embedding_timeout=600)


@pytest.fixture
def view(settings: Settings) -> IndexView:
    return opened(settings.root, settings.cache_dir)


def asked(text: str, view: IndexView, settings: Settings, purpose: Purpose = Purpose.LIST) -> tuple[Candidate, ...]:
    meaning = Meaning(settings)
    found = rank(prepared(text, view), view, limit=20, purpose=purpose, meaning=meaning)
    assert meaning.notes == ()
    return found


def test_without_it_the_ranking_is_that_of_words(view: IndexView, settings: Settings) -> None:
    query = prepared("what is put where for the night", view)
    plain = as_lines(rank(query, view, limit=20))
    off = Meaning(replace(settings, semantic=False))
    assert as_lines(rank(query, view, limit=20, meaning=off)) == plain
    assert not (settings.cache_dir / "vectors").exists()


def test_a_part_without_a_common_word_is_found_by_its_meaning(view: IndexView, settings: Settings) -> None:
    assert rank(prepared("повозка", view), view, limit=20) == ()
    found = asked("our повозка of steel", view, settings)
    assert found[0].file.path == "garage.py"
    assert MEANING_REASON in [each.reason for each in found[0].evidence]
    assert found[0].score > 0


def test_meaning_decides_where_words_do_not(view: IndexView, settings: Settings) -> None:
    found = asked("what happens to the vehicle at night", view, settings)
    assert found[0].file.path == "garage.py"


def most_points(candidates: tuple[Candidate, ...]) -> float:
    return max(
        evidence.points for each in candidates for evidence in each.evidence if evidence.reason == MEANING_REASON
    )


def test_meaning_counts_for_more_among_documents(view: IndexView, settings: Settings, tmp_path: Path) -> None:
    pages = {path.replace(".py", ".md"): f"# Page\n\n{text}" for path, text in FILES.items()}
    wiki = opened(write(tmp_path / "wiki", pages), settings.cache_dir)
    request = "what is put where for the night"
    assert most_points(asked(request, wiki, settings)) > most_points(asked(request, view, settings)) > 0
    assert most_points(asked(f"document {request}", view, settings)) == most_points(asked(request, wiki, settings))


def test_a_name_is_not_compared(view: IndexView, settings: Settings) -> None:
    found = asked("park", view, settings)
    assert MEANING_REASON not in [evidence.reason for each in found for evidence in each.evidence]


@pytest.mark.parametrize("purpose", list(Purpose))
def test_the_same_is_answered_with_and_without_kept_vectors(
    view: IndexView, settings: Settings, purpose: Purpose
) -> None:
    first = as_lines(asked("where does the vehicle go at night", view, settings, purpose))
    assert as_lines(asked("where does the vehicle go at night", view, settings, purpose)) == first
    aside = replace(settings, use_cache=False)
    assert as_lines(asked("where does the vehicle go at night", view, aside, purpose)) == first


def test_where_many_vectors_are_missing_only_the_best_by_words_are_compared(
    view: IndexView, settings: Settings
) -> None:
    few = replace(settings, embedding_missing=1)
    assert asked("our повозка of steel", view, few) == ()
    found = asked("put into the ground for the night", view, few)
    assert any(MEANING_REASON in [each.reason for each in match.evidence] for match in found)
    chunk_vectors(view, settings).embed_all()
    assert asked("our повозка of steel", view, few)[0].file.path == "garage.py"


def test_a_request_tells_how_far_its_vectors_are(settings: Settings) -> None:
    told: list[tuple[str, int, int]] = []
    search("put it somewhere for the night", settings, on_progress=lambda *step: told.append(step))
    assert ("embed", 4, 4) in told
    told.clear()
    search("put it somewhere for the night", settings, on_progress=lambda *step: told.append(step))
    assert "embed" not in [stage for stage, *_ in told]


def test_all_vectors_are_computed_once(settings: Settings) -> None:
    told: list[tuple[str, int, int]] = []
    made = embed(settings, on_progress=lambda *step: told.append(step))
    assert made == told[-1][1] == told[-1][2] > 0
    assert embed(settings) == 0
    (settings.root / "trees.py").write_text("def fell(tree: str) -> None:\n    del tree\n", encoding="utf-8")
    assert embed(settings) == 1


def _heard(vectors: ChunkVectors) -> list[str]:
    """The texts that the embedder was given."""
    guarded = vectors.lookup._embedder
    assert isinstance(guarded, GuardedEmbedder)
    assert isinstance(guarded._embedder, WordEmbedder)
    return guarded._embedder.asked


def test_no_secret_reaches_the_embedder(view: IndexView, settings: Settings) -> None:
    vectors = chunk_vectors(view, settings)
    vectors.embed_all()
    heard = _heard(vectors)
    assert any("config.yaml" in text for text in heard)
    assert not any("hunter2horse" in text for text in heard)
    meaning = Meaning(settings)
    rank(prepared("the night with password=hunter2horse", view), view, limit=5, meaning=meaning)
    open_vectors = chunk_vectors(view, replace(settings, use_redaction=False))
    open_vectors.embed_all()
    assert any("hunter2horse" in text for text in _heard(open_vectors))


@pytest.mark.parametrize(
    ("wish", "note"),
    [
        ({"embedder": "broken"}, "Ranked by words alone. The embedding model failed: RuntimeError: out of memory"),
        ({"embedder": "nobody"}, "Ranked by words alone. There is no embedder 'nobody'. Known are"),
        ({"embedder": "http"}, "Ranked by words alone. The embedding service has no address. Set embedding_url"),
        ({"embedding_timeout": 1e-9}, "Ranked by words alone. It took longer than 1e-09 seconds."),
    ],
)
def test_whatever_fails_leaves_the_ranking_by_words_and_one_note(
    settings: Settings, wish: dict[str, object], note: str
) -> None:
    plain = search("put it somewhere for the night", replace(settings, semantic=False))
    found = search("put it somewhere for the night", replace(settings, **wish))  # type: ignore[arg-type]
    assert as_lines(found.candidates) == as_lines(plain.candidates)
    (told,) = found.notes
    assert told.startswith(note)


def test_a_report_says_that_meanings_failed(settings: Settings) -> None:
    from ctxpack.model import Request, Scope

    report = run_pack(Request(Scope.TASK, text="put it somewhere for the night"), replace(settings, embedder="broken"))
    assert sum("Ranked by words alone." in note for note in report.pack.notes) == 1
    assert "Ranked by words alone." in report.text


def test_asking_for_all_vectors_fails_aloud(settings: Settings) -> None:
    with pytest.raises(EmbeddingError, match="out of memory"):
        embed(replace(settings, embedder="broken"))
