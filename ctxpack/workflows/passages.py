"""Read lines of one file as a report would show them, without secrets: by their numbers, or those of a definition."""

from __future__ import annotations

from typing import Final

from ctxpack.errors import UsageError, did_you_mean, suggest
from ctxpack.index import IndexView
from ctxpack.index.opening import mend_damage, open_repository
from ctxpack.light import dataclass
from ctxpack.model import SourceFile
from ctxpack.redact.harmless import mark_suspicions, signs_note
from ctxpack.redact.redaction import holds_data, redact
from ctxpack.redact.rules import rules_of
from ctxpack.settings import Settings
from ctxpack.system.clock import Progress, Timekeeper
from ctxpack.text import lines_of, visible
from ctxpack.workflows.why_not import advice_for, rule_for

_SHOWN: Final = 3  # paths or definitions that a hint names


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a file, from 1, and its length; ``redacted`` is the number of secrets left out of them."""

    path: str
    language: str
    lines: tuple[str, ...]
    start_line: int
    length: int
    symbol: str = ""
    redacted: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def end_line(self) -> int:
        """The number of the last line."""
        return self.start_line + len(self.lines) - 1


@mend_damage
def read_passage(
    path: str,
    settings: Settings,
    *,
    lines: tuple[int, int] = (1, 0),
    symbol: str = "",
    on_progress: Progress | None = None,
    keeper: Timekeeper | None = None,
) -> Passage:
    """Return some lines of a file, or a definition of it; a last line of 0 is the last one of the file.

    Raises UsageError for a file that is not read, lines that it does not have, and a definition that is not in it.
    """
    with open_repository(settings, on_progress, keeper=keeper) as view:
        file = view.files.get(path)
        if file is None:
            raise _missing(path, settings, view)
        text = view.files.text(path)
        start, end = _lines_of_symbol(view, path, symbol) if symbol else lines
        remarks = view.remarks
    is_data = holds_data(file.language, file.kind)
    clean = redact(text, is_data=is_data, rules=rules_of(settings), path=path, keeper=keeper)
    shown = visible(clean.text)
    every = lines_of(mark_suspicions(shown) if settings.flag_injections else shown)
    if not 1 <= start <= max(len(every), 1) or (end and end < start):
        raise UsageError(
            f"{path} has no lines {start} to {end or len(every)}.", hint=f"It has lines 1 to {len(every)}."
        )
    kept = every[start - 1 : end or None]
    removed = [each for each in clean.findings if start <= each.line < start + len(kept)]
    remarks = (*remarks, *filter(None, [signs_note("\n".join(kept))]))
    return Passage(path, _name_of_language(file), tuple(kept), start, len(every), symbol, len(removed), remarks)


def _name_of_language(file: SourceFile) -> str:
    return "" if file.language == "text" else file.language


def _missing(path: str, settings: Settings, view: IndexView) -> UsageError:
    """Why there is nothing to read at a path."""
    if settings.places.of(path).is_dir():
        return UsageError(f"{path} is a folder.", hint="Name one file.")
    if settings.places.of(path).exists():
        verdict = rule_for(path, settings, view)
        return UsageError(f"{path} is not read: {verdict.rule}.", hint=advice_for(verdict))
    same = [view.files[number].path for number in view.files.with_suffix(path.rpartition("/")[2])]
    hint = suggest(sorted(same, key=lambda each: (each.count("/"), each))[:_SHOWN])
    return UsageError(f"There is no file {path}.", hint=hint or "Paths are relative to the folder that is searched.")


def _lines_of_symbol(view: IndexView, path: str, symbol: str) -> tuple[int, int]:
    """The lines of a definition by its name, qualified or not; of several the first."""
    symbols = view.exact(path).symbols
    wanted = symbol.strip()
    found = [each for each in symbols if wanted == each.qualified] or [each for each in symbols if wanted == each.name]
    if not found:
        names = [each.qualified for each in symbols]
        hint = did_you_mean(wanted, names, count=_SHOWN) or f"It has lines 1 to {len(view.files.all_lines(path))}."
        raise UsageError(f"{path} does not define {wanted}.", hint=hint)
    first = min(found, key=lambda each: each.start_line)
    return first.start_line, first.end_line
