from __future__ import annotations

from ctxpack.gather.tree import Folders, tree
from ctxpack.model import Kind, SourceFile

PATHS = ("README.md", "src/a.py", "src/deep/b.py", "src/deep/c.py", "docs/x.md")


def files(*paths: str) -> Folders:
    return Folders([SourceFile(path, Kind.CODE, "python", 1, "", 0) for path in paths])


def test_folders_are_counted_and_picked_files_marked() -> None:
    assert tree("shop", files(*PATHS), ["src/deep/b.py", "README.md"], 8000) == (
        "shop/ 5 files, * in this pack\n"
        "  docs/ 1 file\n"
        "  src/ 3 files\n"
        "    deep/ 2 files\n"
        "      b.py *\n"
        "  README.md *\n"
    )


def test_a_tree_has_at_most_forty_lines_and_a_twentieth_of_the_budget() -> None:
    many = files(*(f"folder{number}/file{number}.py" for number in range(300)))
    picked = [file.path for file in many.files]
    assert len(tree("x", many, picked, 100_000).splitlines()) <= 40
    assert len(tree("x", many, picked, 2_000).splitlines()) <= 12
    assert tree("x", many, picked, 500) == ""


def test_of_folders_without_a_picked_file_only_the_outermost_is_shown() -> None:
    many = files("src/a/b/x.py", "src/c/y.py", "src/d/z.py", "docs/e/one.md", "docs/f/two.md", "README.md")
    assert tree("shop", many, ["src/c/y.py"], 8_000) == (
        "shop/ 6 files, * in this pack\n  docs/ 2 files\n  src/ 3 files\n    c/ 1 file\n      y.py *\n"
    )


def test_every_marked_file_stands_below_its_folders() -> None:
    lines = tree("x", files("a/b/c/d.py", "a/e.py"), ["a/b/c/d.py"], 8000).splitlines()
    assert [line.strip() for line in lines[1:]] == ["a/ 2 files", "b/ 1 file", "c/ 1 file", "d.py *"]


def test_no_name_breaks_its_line() -> None:
    assert tree("a", files("new\nline.md"), ["new\nline.md"], 8_000).splitlines()[1:] == [r"  new\nline.md *"]


def test_a_name_is_spelled_as_in_the_headings_of_a_report() -> None:
    assert tree("a", files("bad\udcff.py"), ["bad\udcff.py"], 8_000).splitlines()[1:] == [r"  bad\xff.py *"]
