"""Engines for personal data: those of packages, and what happens where one does not answer."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import ConfigError, InternalError
from ctxpack.redact import Rules, redact, rules_of
from ctxpack.redact.rules import Engine, _presidio, engine_notes, engines_of
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from tests.installing import install

CODE = """
import re

def find(text):
    return [(match.start(), match.end(), "Person Name") for match in re.finditer("Ada Lovelace", text)]
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(load(tmp_path, env={}), pii=True)


def names(text: str) -> Iterator[tuple[int, int, str]]:
    for match in re.finditer("Ada|mark", text):
        yield match.start(), match.end(), "PERSON"


def test_an_engine_of_a_package_finds_more(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "people_finder", CODE, {"ctxpack.pii": {"people": "people_finder:find"}})
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    rules = rules_of(replace(settings, pii_engines=("people",)))
    clean = redact("Ada Lovelace <ada@example.org>", rules=rules)
    assert clean.text == "[REDACTED:person-name] <[REDACTED:email]>"
    assert rules_of(replace(settings, pii=False, pii_engines=("people",))) == Rules()


def test_an_engine_is_asked_once_and_never_about_marks() -> None:
    asked: list[str] = []

    def find(text: str) -> Iterator[tuple[int, int, str]]:
        asked.append(text)
        yield from names(text)

    rules = Rules(personal=True, engines=(Engine("names", find, 10.0),))
    assert (
        redact("Ada, mark, a@example.org", rules=rules).text == "[REDACTED:person], [REDACTED:person], [REDACTED:email]"
    )
    assert len(asked) == 1


def test_an_engine_that_is_not_there_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no engine 'presido'") as error:
        engines_of(replace(settings, pii_engines=("presido",)))
    assert error.value.hint == "Did you mean presidio?"
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(ConfigError, match="presidio for personal data is not installed") as missing:
        engines_of(replace(settings, pii_engines=("presidio",)))
    assert "pip install 'presidio-analyzer>=2.2.354,<3'" in missing.value.hint


def failing(_: str) -> Iterator[tuple[int, int, str]]:
    raise ValueError("ada@example.org is odd")


@pytest.mark.parametrize(
    ("find", "said"),
    [
        (failing, "The engine x failed: ValueError."),
        (lambda text: [(0, len(text) + 1, "person")], "The engine x named a place outside the text."),
        (lambda _: [(2, 2, "person")], "The engine x named a place outside the text."),
        (lambda _: [None], "The engine x failed: TypeError."),
    ],
)
def test_without_an_answer_there_is_no_text(find: object, said: str) -> None:
    engine = Engine("x", find, 10.0)  # type: ignore[arg-type] # what strangers write
    with pytest.raises(InternalError) as error:
        redact("Ada", rules=Rules(personal=True, engines=(engine,)))
    assert str(error.value) == said


def test_an_engine_that_never_ends_is_given_up() -> None:
    never = threading.Event()

    def wait(_: str) -> list[tuple[int, int, str]]:
        never.wait()
        return []

    with pytest.raises(InternalError, match=r"took longer than 0\.05 s"):
        redact("Ada", rules=Rules(personal=True, engines=(Engine("slow", wait, 0.05),)))
    never.set()


def test_it_is_told_that_presidio_finds_no_names_without_a_model(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for it relies on names of people being gone."""
    monkeypatch.setattr("ctxpack.redact.rules._MODELS", {"en": ("ctxpack_names_en", "ctxpack_names_en_small")})
    (note,) = engine_notes(replace(settings, pii_engines=("presidio",)))
    assert note.startswith("Presidio finds no names of people here")
    assert engine_notes(settings) == engine_notes(replace(settings, pii=False, pii_engines=("presidio",))) == ()
    (tmp_path / "site" / "ctxpack_names_en_small").mkdir(parents=True)
    (tmp_path / "site" / "ctxpack_names_en_small" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert engine_notes(replace(settings, pii_engines=("presidio",))) == ()


def test_presidio_takes_names_from_a_model(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that knows its names by heart stands for one that learned them, which is not in the package index."""
    pytest.importorskip("presidio_analyzer")
    import spacy

    model = spacy.blank("en")
    names = {"Ada Lovelace": "PERSON", "Berlin": "GPE", "Refund": "ORG", "3 May 2024": "DATE"}
    model.add_pipe("entity_ruler").add_patterns([{"label": kind, "pattern": name} for name, kind in names.items()])
    monkeypatch.setattr(spacy.util, "is_package", lambda name: name == "en_core_web_sm")
    monkeypatch.setattr(spacy, "load", lambda _: model)
    _presidio.cache_clear()
    rules = rules_of(replace(settings, pii_engines=("presidio",)))
    clean = redact("# Refund\n\nAda Lovelace of Berlin asked on 3 May 2024.\n", rules=rules).text
    assert clean == "# Refund\n\n[REDACTED:person] of Berlin asked on 3 May 2024.\n"
    _presidio.cache_clear()


def test_presidio_finds_what_has_no_shape_here(settings: Settings) -> None:
    pytest.importorskip("presidio_analyzer")
    rules = rules_of(replace(settings, pii_engines=("presidio",)))
    clean = redact("NHS number 943 476 5919 of a@example.org", rules=rules).text
    assert clean == "NHS number [REDACTED:uk-nhs] of [REDACTED:email]"
