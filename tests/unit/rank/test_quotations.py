"""What a request quotes, found word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.query.understand import query_of_text
from ctxpack.rank.board import Board
from ctxpack.rank.signals.texts import quoting_chunks
from tests.indexing import opened, write

ASKED = "where does the 'Did you mean this?' list come from"


@pytest.mark.parametrize(
    ("line", "share"),
    [
        ('say("Did you mean this?")', 1.0),
        (r'say("\n\nDid you mean this?\n")', 1.0),
        ('say("you mean this one")', 0.5),
        ('say("this mean did of you")', 0.0),
    ],
)
def test_a_quotation_counts_by_its_runs_of_words_also_between_escapes(tmp_path: Path, line: str, share: float) -> None:
    files = {"a.py": f"def suggest():\n    {line}\n", "b.py": "def close():\n    return 1\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert float(quoting_chunks(Board(query_of_text(ASKED), view)).max()) == share
