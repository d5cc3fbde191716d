"""How long each strategy took when it last ran, kept beside the indexes for ``ctxpack strategies``: best effort."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from ctxpack.settings import Settings
from ctxpack.writing import replace_file

_NAME = "strategy-timings.json"


def remember(settings: Settings, seconds: Mapping[str, float]) -> None:
    """Keep the seconds of some strategies beside those of the others."""
    if not settings.use_cache:
        return
    known = recalled(settings)
    known.update({name: round(value, 6) for name, value in seconds.items()})
    with suppress(OSError):
        replace_file(settings.cache_dir / _NAME, json.dumps(known, sort_keys=True).encode())


def recalled(settings: Settings) -> dict[str, float]:
    """The seconds that each strategy took when it last ran; empty where nothing is known."""
    try:
        read = json.loads((settings.cache_dir / _NAME).read_bytes())
        return {str(name): float(value) for name, value in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
