"""Everything a run can be told, as one frozen value: flags over environment over profile over files over defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_BUDGET = 8_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What the stages read. ``root`` is absolute; budgets are tokens, sizes bytes."""

    root: Path
    cache_dir: Path
    budget: int = DEFAULT_BUDGET
    encoding: str = "o200k_base"
    format: str = "markdown"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    use_gitignore: bool = True
    use_dot_ignore: bool = True
    max_file_size: int = 1_000_000
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kind -> glob patterns, before the built-in ones
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    use_synonyms: bool = True
    use_typos: bool = True
    use_history: bool = True
    use_redaction: bool = True
    use_tree: bool = True
    use_readme: bool = True
    use_cache: bool = True
    line_numbers: bool = False
    limit: int = 20  # results of a search
    paths: tuple[str, ...] | None = None  # only these files (--stdin)
    shares: Mapping[str, float] = field(default_factory=dict)  # lane or kind -> soft share of the budget
