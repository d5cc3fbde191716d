from __future__ import annotations

from pathlib import Path

from ctxpack.light import replace
from ctxpack.model import Confidence
from ctxpack.query.understand import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.rank.outlook import Outlook, bound_confidence, doubt, is_doubted, worth_showing
from tests.indexing import opened, write

FILES = {f"src/part{n}.py": f"def part{n}():\n    return 'a server that sends part {n}'\n" for n in range(12)}
ABSENT = "How do we negotiate QUIC, and where is the Alt-Svc answer of a server remembered for each origin we have met?"


def test_what_the_repository_does_not_speak_of_is_told_and_not_filled_up(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text(ABSENT)
    found = rank(query, view, limit=100, purpose=Purpose.PACK)
    assert found
    assert {each.confidence for each in found} == {Confidence.LOW}
    (note,) = doubt(query, found, view)
    assert "QUIC" in note
    view.close()


def test_words_that_say_what_is_to_be_done_are_not_missed(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text("please fix the bug in the server that sends parts")
    found = rank(query, view, limit=100, purpose=Purpose.PACK)
    assert not is_doubted(found)
    assert not any("fix" in note or "bug" in note for note in doubt(query, found, view))
    view.close()


def test_what_is_to_be_added_may_be_unknown(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    asked = rank(
        query_of_text("where does the server that sends QUIC parts start?"), view, limit=9, purpose=Purpose.PACK
    )
    added = rank(query_of_text("add a server that sends QUIC parts at the start"), view, limit=9, purpose=Purpose.PACK)
    assert is_doubted(asked)
    assert not is_doubted(added)
    view.close()


def test_an_unlikely_answer_bounds_confidence_and_size() -> None:
    assert bound_confidence(Confidence.HIGH, Outlook(0.1)) is Confidence.LOW
    assert bound_confidence(Confidence.HIGH, Outlook(0.5)) is Confidence.MEDIUM
    assert bound_confidence(Confidence.HIGH, Outlook(0.9)) is Confidence.HIGH
    assert worth_showing(Outlook(0.9)) == 0 < worth_showing(Outlook(0.1)) < worth_showing(Outlook(0.3))


def test_a_short_request_is_told_which_of_its_words_occur_nowhere(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text("where does the server that sends part 7 return kafka quic")
    found = [replace(each, confidence=Confidence.HIGH) for each in rank(query, view, limit=9, purpose=Purpose.PACK)]
    assert doubt(query, found, view) == ("Nowhere in the repository: kafka, quic.",)
    known = query_of_text("where does the server that sends part 7 return")
    assert doubt(known, found, view) == ()
    view.close()
