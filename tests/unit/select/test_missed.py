from __future__ import annotations

from ctxpack.model import Omission
from ctxpack.select.missed import by_file


def line(path: str, start: int, score: float = 0.5, more: int = 0) -> Omission:
    return Omission(path, start, start + 9, score, "budget full: needs 10 tokens, 1 left", 10, f"f{start}", more)


def test_two_pieces_of_a_file_are_named_and_the_others_counted() -> None:
    found = by_file([line("a.py", 1), line("b.py", 1), line("a.py", 30), line("a.py", 60, 0.4), line("a.py", 90, 0.3)])
    assert [(each.path, each.start_line, each.more) for each in found] == [
        ("a.py", 1, 0), ("b.py", 1, 0), ("a.py", 30, 0), ("a.py", 60, 2),
    ]  # fmt: skip
    rest = found[-1]
    assert (rest.end_line, rest.score, rest.tokens, rest.symbol, rest.reason) == (99, 0.4, 20, "", "budget full")


def test_a_further_piece_joins_the_count() -> None:
    before = by_file(line("a.py", start) for start in (1, 30, 60))
    after = by_file([line("a.py", 200), *before])
    assert [(each.start_line, each.more) for each in after] == [(200, 0), (1, 0), (30, 2)]


def test_nothing_is_lost_or_repeated() -> None:
    given = [line(f"m{number % 3}.py", 1 + 20 * number) for number in range(20)]
    found = by_file(given)
    assert sum(each.more or 1 for each in found) == 20
    assert by_file(found) == found
