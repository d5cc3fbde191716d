"""What the benchmark scripts read and print."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.scripting import bench

relevance, speed, startup = (bench(name) for name in ("relevance", "speed", "startup"))


def test_a_setting_is_a_key_and_a_value() -> None:
    assert relevance.setting("use_typos=false") == ("use_typos", "false")
    assert relevance.setting("synonyms=a=b") == ("synonyms", "a=b")
    with pytest.raises(argparse.ArgumentTypeError, match="KEY=VALUE"):
        relevance.setting("use_typos")


def test_a_row_of_the_speed_table() -> None:
    runs = [speed.Run(wall, cpu, 50, 1234, status) for wall, cpu, status in ((3, 2, 0), (1, 1.5, 0), (2, 9, 1))]
    assert speed.row("x", runs) == ("x", "3", "2.00 (1.00-3.00)", "1.50", "50", "1,234", "", "exit 1")
    assert speed.row("x", runs, [speed.Run(4, 1, 50, 1, 0)])[-2] == "0.50, 1.50"
    assert speed.megabytes(5_000_000, "darwin") == 5
    assert speed.megabytes(5_000, "linux") == 5
    assert speed.table([("a", "n"), ("bb", "10")]) == "a    n\nbb  10"


def test_a_new_request_has_the_same_words_and_was_never_asked() -> None:
    asked = [speed.new_request("fix the retry", number) for number in range(6)]
    assert len({*asked}) == 6
    assert {tuple(sorted(each.split())) for each in asked} == {("fix", "retry", "the")}


def test_files_are_edited_in_a_copy_and_branches_switched(tmp_path: Path) -> None:
    root, place = tmp_path / "root", tmp_path / "copy"
    root.mkdir()
    for name in ("a.py", "b.py", "c.py", "d.txt"):
        (root / name).write_text("x = 1\n", encoding="utf-8")
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "One"]):
        subprocess.run([*git, *command], check=True)
    copy = speed.Copy(root, place)
    texts = []
    for number in range(3):
        copy.switch(2, number)
        texts.append([path.read_text(encoding="utf-8") for path in sorted(place.glob("[a-d].*"))])
    assert texts[0] == texts[2] == ["x = 1\n"] * 4
    assert [text == "x = 1\n" for text in texts[1]] == [False, False, True, True]
    copy.edit(1, 7)
    assert "# edit 7" in (place / "a.py").read_text(encoding="utf-8")
    assert (root / "a.py").read_text(encoding="utf-8") == "x = 1\n"


def test_the_size_of_an_index_is_without_packs(tmp_path: Path) -> None:
    for name in ("packs/a", "vocabularies/b", "x/index.db", "x/1/c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"12345")
    assert speed.index_size(tmp_path) == (10, 2)


def test_import_times_are_read_and_the_least_kept() -> None:
    one = "import time: self [us] | cumulative | imported package\nimport time:       500 |        900 |   a.b\n"
    two = "import time:       300 |        900 |   a.b\nimport time:       400 |        400 | c\n"
    assert startup.import_times(one) == {"a.b": 500}
    assert startup.slowest([one, two], 5) == [("c", 400), ("a.b", 300)]
    assert startup.heavy(["numpy.linalg", "json"]) == ["numpy"]


@pytest.mark.parametrize("name", ["ablation", "baseline", "mirrors", "reading", "relevance", "speed", "startup"])
def test_help_is_there(name: str) -> None:
    done = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "bench" / f"{name}.py", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Standard library" in done.stdout
