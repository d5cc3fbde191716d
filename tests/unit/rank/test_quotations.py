"""What a request quotes, found word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.index.postings import Postings
from ctxpack.light import replace
from ctxpack.query.understand import query_of_text
from ctxpack.rank.board import Board, Purpose
from ctxpack.rank.chunks import ChunkRanking
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.signals.texts import quoting_chunks, quoting_files
from ctxpack.rank.weights import BUILT_IN_TABLES, Tables
from tests.indexing import opened, write

ASKED = "where does the 'Did you mean this?' list come from"


@pytest.mark.parametrize(
    ("line", "share"),
    [
        ('say("Did you mean this?")', 1.0),
        (r'say("\n\nDid you mean this?\n")', 1.0),
        ('say("you mean this one")', 0.0),  # of so few words each is needed
        ('say("this mean did of you")', 0.0),
    ],
)
def test_a_quotation_counts_by_its_runs_of_words_also_between_escapes(tmp_path: Path, line: str, share: float) -> None:
    files = {"a.py": f"def suggest():\n    {line}\n", "b.py": "def close():\n    return 1\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert float(quoting_chunks(Board(query_of_text(ASKED), view)).max()) == share


def test_of_a_longer_quotation_a_part_counts(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"a.py": 'say("is there any parcel of mine")\n'}), tmp_path / "cache")
    board = Board(query_of_text("it says 'no parcel of mine here'"), view)
    assert float(quoting_chunks(board).max()) == pytest.approx(1 / 3)
    view.close()


def test_of_chunks_that_hold_the_same_words_those_first_by_path_are_read_however_they_were_indexed(
    tmp_path: Path,
) -> None:
    line = 'def suggest():\n    say("Did you mean this?")\n'
    root = write(tmp_path / "root", {f"b{number:02}.py": line for number in range(40)})
    opened(root, tmp_path / "cache").close()
    view = opened(write(root, {f"a{number:02}.py": line for number in range(30)}), tmp_path / "cache")
    postings = view.postings
    assert len(postings.segments) == 2
    turned = Postings(postings.segments[::-1], postings.segment_names[::-1], postings.rows)
    for each in (view, replace(view, postings=turned)):
        scores = quoting_chunks(Board(query_of_text(ASKED), each))
        found = {each.files[int(number)].path for number in each.postings.chunk_file[scores.numbers]}
        assert found == {file.path for file in view.files[:40]}


def test_the_file_that_says_each_sentence_of_a_message_somewhere_gains_most(tmp_path: Path) -> None:
    files = {
        "errors.py": 'def missing():\n    say("No such option")\n\n\ndef guess():\n    say("Did you mean")\n',
        "option.py": 'def other():\n    say("no such option here")\n',
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    board = Board(query_of_text("Error: No such option: --fox. Did you mean --foxes?"), view)
    found = {file.path: score for file, score in zip(view.files, quoting_files(board).tolist(), strict=True)}
    assert found == {"errors.py": 2.0, "option.py": 1.0}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("where does the wording 'Invalid input: expected a number' come from", "locales/en.ts"),
        (
            "where does the wording of invalid input come from",
            "",
        ),  # nothing is quoted
    ],
)
def test_a_quoted_message_is_found_where_the_messages_are_written_in_english(
    tmp_path: Path, text: str, found: str
) -> None:
    line = "export function error() {{\n  return '{}'\n}}\n"
    files = {
        f"locales/{name}.ts": line.format(message)
        for name, message in (("en", "Invalid input: expected a number"), ("de", "Ungültig: invalid input"))
    } | {"core/check.ts": line.format("invalid input, as the wording of the locale")}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    scores = score_files(Board(query_of_text(text), view), Purpose.PACK)
    costs = {view.files[number].path: cost for number, cost in enumerate(scores.costs.tolist())}
    cheaper = {path for path, cost in costs.items() if cost < costs["locales/de.ts"]} - {"core/check.ts"}
    assert cheaper == ({found} if found else set())


def test_in_a_pack_only_the_parts_that_say_a_quotation_gain_by_it(tmp_path: Path) -> None:
    asked = "where does the 'Did you mean this?' list of commands come from"
    body = "".join(f"    step_{number} = commands[{number}]\n" for number in range(30))
    text = (
        f'def suggest(commands):\n{body}    say("Did you mean this?")\n\n\ndef close(commands):\n{body}    return 1\n'
    )
    view = opened(write(tmp_path / "root", {"a.py": text}), tmp_path / "cache")
    board = Board(query_of_text(asked), view)

    def lead(tables: Tables) -> float:
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, tables), Purpose.PACK)
        points = {view.postings.chunk(each.number).symbol: each.own_points for each in ranking.places()}
        return points["suggest"] - points["close"]

    shared = replace(BUILT_IN_TABLES, files=tuple(replace(each, only_with="") for each in BUILT_IN_TABLES.files))
    assert lead(BUILT_IN_TABLES) > lead(shared) + 0.25
