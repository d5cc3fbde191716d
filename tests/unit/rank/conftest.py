from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(root=tmp_path, cache_dir=tmp_path / "cache")
