"""Where paths of a report lead, and how places are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.model import Places

ROOT = Path("/work")
BOTH = Places(Path("/cache/api+web"), {"api": ROOT / "api", "all": ROOT})


@pytest.mark.parametrize(
    ("places", "path", "place"),
    [
        (Places(ROOT), "api/a.py", ROOT / "api" / "a.py"),
        (BOTH, "api/a.py", ROOT / "api" / "a.py"),
        (BOTH, "all/api.py", ROOT / "api.py"),
        (BOTH, "api", ROOT / "api"),
    ],
)
def test_a_path_leads_to_a_place_and_back(places: Places, path: str, place: Path) -> None:
    assert places.of(path) == place
    assert Path(places.name_of(path)) == place
    assert places.path_of(place) == path


def test_the_inner_of_two_roots_owns_a_place() -> None:
    assert BOTH.path_of(ROOT / "api" / "a.py") == "api/a.py"
    assert BOTH.path_of(ROOT / "web" / "a.py") == "all/web/a.py"


def test_what_has_no_label_leads_to_where_nothing_is() -> None:
    assert BOTH.of("web/a.py") == Path("/cache/api+web/web/a.py")
    assert not BOTH.holds(BOTH.of("web/a.py"))
    assert not Places(ROOT).holds(Path("/other"))
