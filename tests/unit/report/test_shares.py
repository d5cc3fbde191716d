from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.model import Lane
from ctxpack.query import query_of_text
from ctxpack.report.making import lane_shares
from tests.indexing import opened, write


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("how do I send a parcel without being asked", 0.5),
        ("how are parcels sent", None),
        ("how do I rename the sender everywhere", None),
        ("please review how I send a parcel", None),
    ],
)
def test_code_leaves_half_of_a_pack_to_what_tells_how_to_do_something(
    tmp_path: Path, text: str, share: float | None
) -> None:
    view = opened(write(tmp_path / "root", {"a.py": "x = 1\n", "docs/a.md": "# A\n"}), tmp_path / "cache")
    assert lane_shares(query_of_text(text), view, {}).get(Lane.CODE) == share
    assert lane_shares(query_of_text(text), view, {Lane.CODE: 0.9})[Lane.CODE] == 0.9
    view.close()
