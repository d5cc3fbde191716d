"""Records of what was changed when: they name everything once and say of nothing what it is."""

from __future__ import annotations

import re

_RECORD = re.compile(r"(?:change|history|news|release)", re.IGNORECASE)


def is_record(path: str) -> bool:
    """Whether a document is a changelog, by its name or that of its folder."""
    return any(_RECORD.match(part) for part in path.split("/")[-2:])
