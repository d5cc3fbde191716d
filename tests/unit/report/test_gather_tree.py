from __future__ import annotations

from ctxpack.model.columns import FileTable
from ctxpack.report.framing import Folders, tree
from tests.building import source_file


def files(*paths: str) -> Folders:
    return Folders(FileTable.of(source_file(path) for path in paths))


def test_folders_are_counted_and_opened_while_there_is_room() -> None:
    found = files("README.md", "src/a.py", "src/deep/b.py", "src/deep/c.py", "docs/x.md", ".ci/run.yml")
    assert tree(found, 8_000) == "docs/ 1, src/ 3, src/deep/ 2, 1 at the top (files)"


def test_a_folder_that_only_holds_a_folder_is_told_with_it() -> None:
    found = files("src/main/java/org/a.java", "src/main/java/org/b.java", "docs/x.md")
    assert tree(found, 8_000) == "docs/ 1, src/main/java/org/ 2 (files)"


def test_a_folder_is_left_out_where_one_in_it_holds_nearly_all() -> None:
    inside = [f"lua/kit/part{number}.lua" for number in range(20)]
    assert tree(files("lua/kit.lua", *inside, "docs/x.md"), 8_000) == "docs/ 1, lua/kit/ 20 (files)"
    assert tree(files("lua/kit.lua", "lua/set.lua", *inside[:10]), 8_000) == "lua/ 12, lua/kit/ 10 (files)"


def test_a_line_takes_a_small_part_of_the_budget() -> None:
    many = files(*(f"folder{number}/file{number}.py" for number in range(300)))
    assert tree(many, 100_000).count("/") == 24
    assert tree(many, 8_000).endswith(", and 292 more folders (files)")
    assert tree(many, 2_000) == ""
    assert tree(files(*(f"folder{number}/x.py" for number in range(9))), 8_000).endswith(", and 1 more folder (files)")


def test_the_fullest_folder_is_opened_or_none() -> None:
    wide = files(*(f"src/part{number}/x.py" for number in range(30)), "docs/a/one.md", "docs/b/two.md")
    assert tree(wide, 8_000) == "docs/ 2, src/ 30 (files)"


def test_there_is_no_line_without_folders() -> None:
    assert tree(files("a.py", "b.py"), 8_000) == ""


def test_a_name_is_spelled_as_in_the_headings_of_a_report() -> None:
    assert tree(files("bad\udcff/a.py", "new\nline/b.md"), 8_000) == r"bad\xff/ 1, new\nline/ 1 (files)"
