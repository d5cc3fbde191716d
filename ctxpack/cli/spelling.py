"""What users' hands type: other names of our flags, and what to say about those we do not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

ALIASES: Mapping[str, str] = {
    "--max-tokens": "--budget",
    "--token-budget": "--budget",
    "--tokens": "--budget",
    "--style": "--format",
    "--ignore": "--exclude",
    "--cached": "--staged",
    "--with": "--enable",
    "--disable": "--without",
}
"""Other names that mean exactly the same."""

FOREIGN: Mapping[str, str] = {
    "--cxml": "--format xml",
    "--markdown": "--format markdown",
    "--json": "--format json",
    "--xml": "--format xml",
    "--messages": "--format messages",
    "--chat": "--history",
    "--system-prompt": "--system",
    "--instruction-file-path": "--instructions",
    "--header-text": "--instructions FILE",
    "--sort": "--order",
    "--output-format": "--format",
    "--output-file": "--output",
    "--stdout": "--output -",
    "--clipboard": "--copy",
    "--include-pattern": "--include",
    "--exclude-pattern": "--exclude",
    "--ignore-patterns": "--exclude",
    "--extension": "--include '*.EXT'",
    "--output-show-line-numbers": "--line-numbers",
    "--line-number": "--line-numbers",
    "--token-count-encoding": "--encoding",
    "--tokenizer": "--encoding",
    "--map-tokens": "--budget",
    "--max-size": "--max-file-size",
    "--no-security-check": "--no-redact",
    "--no-ignore": "--no-gitignore --no-dot-ignore",
    "--include-gitignored": "--no-gitignore",
    "--no-default-patterns": "--include",
    "--no-git": "--no-history",
    "--no-color": "the environment variable NO_COLOR=1",
    "--top-k": "--limit",
    "--max-results": "--limit",
    "--why": "--explain",
    "--debug": "--verbose",
    "--context-window": "--window",
    "--context-length": "--window",
    "--max-context": "--window",
    "--llm-model": "--model",
    "--must-include": "--require",
    "--required": "--require",
    "--show-stats": "--stats",
    "--summary": "--stats",
    "--timing": "--stats",
    "--preview": "--dry-run",
    "--token-count-tree": "--dry-run",
    "--token-map": "--dry-run",
    "--print0": "--null",
    "-k": "--limit",
    "-c": "--copy, or --config FILE",
    "-m": "--format markdown",
    "-l": "--line-numbers",
    "-i": "--include or --exclude",
    "-e": "--exclude, or --include '*.EXT'",
    "-F": "--format",
    "-O": "--output",
}
"""Flags of other tools, with ours."""
_ALIKE = 0.7  # less alike, and it is another word


def canonical(arguments: Sequence[str]) -> list[str]:
    """The arguments with every alias replaced, also in ``--alias=value``; nothing after ``--`` is touched."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    return [_canonical(argument) for argument in arguments[:end]] + list(arguments[end:])


def suggestion(flag: str, known: Iterable[str]) -> str:
    """What to do instead of a flag that does not exist, as one sentence; empty if nothing comes to mind."""
    if flag in FOREIGN:
        return f"Use {FOREIGN[flag]}."
    import difflib

    names = {name.lstrip("-"): name for name in sorted({*known, *ALIASES}) if name.startswith("--")}
    close = difflib.get_close_matches(flag.lstrip("-"), names, n=1, cutoff=_ALIKE)
    return f"Did you mean {names[close[0]]}?" if close else ""


def _canonical(argument: str) -> str:
    flag, equals, value = argument.partition("=")
    return ALIASES.get(flag, flag) + equals + value
