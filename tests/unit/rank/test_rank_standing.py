"""Where any one file stands."""

from __future__ import annotations

from pathlib import Path

from ctxpack.rank.ranking import standing_of
from tests.indexing import opened, prepared, write


def test_every_file_has_a_place_and_evidence(tmp_path: Path) -> None:
    files = {"retry.py": "def retry_delay():\n    return 1\n", "test_paint.py": "def test_colour():\n    pass\n"}
    view = opened(write(tmp_path / "repo", files), tmp_path / "cache")
    query = prepared("retry delay", view)
    first, last = standing_of(query, view, "retry.py"), standing_of(query, view, "test_paint.py")
    assert first is not None
    assert last is not None
    assert (first.place, last.place) == (1, 2)
    assert first.points > last.points == first.needed
    assert (first.is_about, last.is_about) == (True, False)
    assert [each.signal for each in last.evidence if each.points < 0] == ["kind"]
    assert {"definitions", "subtokens"} & {each.signal for each in first.evidence}
    assert standing_of(prepared("zzyzx", view), view, "retry.py") is None
    view.close()
