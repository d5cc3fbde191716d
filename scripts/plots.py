"""Draw the bars of docs/measuring.md from the table on that page: ``python scripts/plots.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs" / "measuring.md"
IMAGES = PROJECT / "docs" / "images"
OURS = "ctxpack"
WIDTH, LABEL, BAR, GAP = 720, 200, 18, 10
DARK, LIGHT = "#0072b2", "#9a9a9a"  # ours, others: told apart without colours too, by the words beside them
SYSTEM = re.compile(r"([A-Z\w][\w -]*?) ((?:\.?\d+(?: / )?)+)")
FILES, QUESTIONS = "all changed files in the first", "NDCG@10"


def row(measured: str) -> tuple[Sequence[float], Mapping[str, Sequence[float]]]:
    """Return our figures and those of the others, by name, in the row of the table that says what was measured."""
    lines = (line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines())
    cells = next(each for each in lines if len(each) > 3 and each[1].startswith(measured))  # noqa: PLR2004 - columns
    return numbers(cells[2]), {name.strip(): numbers(found) for name, found in SYSTEM.findall(cells[3])}


def numbers(written: str) -> Sequence[float]:
    """Return the numbers of a cell."""
    return [float(each) for each in re.findall(r"\d*\.?\d+", written)]


def plots() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each picture."""
    ours, others = row(FILES)
    bars = [(f"first {depth}", OURS if number is ours else name, number[at])
            for at, depth in enumerate((1, 3, 5)) for name, number in [(OURS, ours), *others.items()]]  # fmt: skip
    yield "files.svg", drawn("Issues of Python projects: all changed files among the first, in %", bars, 100)
    ours, others = row(QUESTIONS)
    bars = [("", name, number[0]) for name, number in [(OURS, ours), *others.items()]]
    yield "questions.svg", drawn("Short questions: NDCG@10", bars, 1)


def drawn(title: str, bars: Sequence[tuple[str, str, float]], most: float) -> str:
    """Return horizontal bars with their names and figures; those of one group stand together."""
    parts: list[str] = []
    at, last = 48, bars[0][0]
    for group, name, number in bars:
        at += GAP if group != last else 0
        last = group
        length = (WIDTH - LABEL - 70) * number / most
        label = f"{name}, {group}" if group else name
        shown = f"{number:g}".removeprefix("0")
        colour = DARK if name == OURS else LIGHT
        parts += [
            f'<text x="{LABEL - 8}" y="{at + 14}" text-anchor="end">{label}</text>',
            f'<rect x="{LABEL}" y="{at}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>',
            f'<text x="{LABEL + length + 6:.1f}" y="{at + 14}">{shown}</text>',
        ]
        at += BAR + 4
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {at + 12}" font-family="sans-serif" '
        f'font-size="13">\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<text x="16" y="28" font-size="15" font-weight="bold">{title}</text>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    for file, text in plots():
        (IMAGES / file).write_text(text, encoding="utf-8")
