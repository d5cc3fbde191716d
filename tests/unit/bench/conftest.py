"""The benchmark scripts find their shared modules in their folder; so must their tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts" / "bench"))
