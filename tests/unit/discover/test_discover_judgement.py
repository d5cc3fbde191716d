"""What was judged once is not judged again, and is judged anew when what it rested on has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.discover import discover, remember_files
from ctxpack.discover.kinds import FolderContents, survey
from ctxpack.discover.listing import Judgement, rule_tables
from ctxpack.errors import ConfigError
from ctxpack.model import Discovery, Kind, Trait
from ctxpack.settings import Settings
from tests.indexing import commit, write

OLD = 1_600_000_000


def test_the_tables_of_languages_are_among_the_rules() -> None:
    assert len(rule_tables()) > 10


def settings_of(root: Path, kinds: Mapping[str, tuple[str, ...]] | None = None) -> Settings:
    return Settings(root=root, cache_dir=root.parent / "cache", kinds=kinds or {})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("src/test/load.h", "src/app.c", "notes.md"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("int x;\n")
    age(tmp_path)
    return tmp_path


def age(root: Path) -> None:
    for file in root.rglob("*"):
        os.utime(file, (OLD, OLD))


def again(
    root: Path, change: Callable[[Settings], Settings] = lambda settings: settings
) -> tuple[Discovery, Discovery]:
    """The same root by what was remembered, and without."""
    known = remember_files(discover(settings_of(root)))
    settings = change(settings_of(root))
    return discover(settings, known), discover(settings)


def test_unchanged_files_are_as_at_first(root: Path) -> None:
    by_memory, fresh = again(root)
    assert by_memory == fresh


def test_a_remembered_kind_is_taken_over(root: Path) -> None:
    known = {
        path: each._replace(kind=Kind.RUNBOOK) for path, each in remember_files(discover(settings_of(root))).items()
    }
    assert {file.kind for file in discover(settings_of(root), known).files} == {Kind.RUNBOOK}


def test_a_new_neighbour_is_heard(root: Path) -> None:
    known = remember_files(discover(settings_of(root)))
    (root / "src/a.cpp").write_text("int y;\n")
    (root / "src/test/b.cpp").write_text("int y;\n")
    (root / "src/test/test_a.py").write_text("x = 1\n")
    age(root)
    by_memory, fresh = discover(settings_of(root), known), discover(settings_of(root))
    assert by_memory == fresh
    assert {file.path: file.language for file in by_memory.files}["src/test/load.h"] == "cpp"


@pytest.mark.parametrize("kinds", [{"spec": ("*.md",)}, {"runbook": ("*.md",), "spec": ("*.c",)}])
def test_other_patterns_judge_anew(root: Path, kinds: Mapping[str, tuple[str, ...]]) -> None:
    by_memory, fresh = again(root, lambda settings: replace(settings, kinds=kinds))
    assert by_memory == fresh
    assert by_memory != discover(settings_of(root))


def test_the_order_of_patterns_counts() -> None:
    one, two = ({"spec": ("*",), "doc": ("*",)}, {"doc": ("*",), "spec": ("*",)})
    assert Judgement(["a"], one).digest != Judgement(["a"], two).digest
    assert Judgement(["a"], one).digest == Judgement(["a"], dict(one)).digest
    assert Judgement(["a"], one).digest != Judgement(["b"], one).digest


def test_what_folders_hold_is_written_and_read() -> None:
    contents = survey(["a/x.c", "b/y.cpp", "b/z.hpp", "src/__init__.py", "tests/test_a.py", "one.rb", "tf/\udcff.tf"])
    assert FolderContents.read(contents.write()) == contents
    assert FolderContents.read(FolderContents().write()) == FolderContents()


def test_of_the_same_paths_nothing_is_looked_up_again() -> None:
    def paths() -> Iterator[str]:
        raise AssertionError
        yield ""

    contents = FolderContents(test_folders=frozenset({"checks"}), own_folders=("vendor/",), is_mostly_cpp=True)
    again = Judgement(paths(), {}, "digest", ("digest", contents.write()))
    assert (again.near, again.folders) == (contents, contents.write())


def test_of_other_paths_what_folders_hold_is_looked_up() -> None:
    known = survey(["tests/test_a.py"]).write()
    judgement = Judgement(["checks/test_a.py"], {}, "new", ("old", known))
    assert judgement.folders == ""
    assert judgement.near == survey(["checks/test_a.py"])
    assert judgement.folders == judgement.near.write()


@pytest.mark.parametrize("is_in_git", [True, False])
def test_what_folders_hold_is_kept_from_run_to_run(root: Path, *, is_in_git: bool) -> None:
    if is_in_git:
        commit(root, {})
    last = discover(settings_of(root))
    assert FolderContents.read(last.folders).c_folders == {"src"}
    for number in range(3):
        write(root, {"src/a.c": f"int x{number};\n"})
        last = discover(settings_of(root), remember_files(last))
        assert last == discover(settings_of(root))
        assert last.folders == discover(settings_of(root)).folders


def test_an_unknown_kind_is_told(root: Path) -> None:
    known = remember_files(discover(settings_of(root)))
    with pytest.raises(ConfigError, match="unknown kind"):
        discover(settings_of(root, kinds={"nonsense": ("*",)}), known)


@pytest.mark.parametrize(
    ("licences", "is_foreign"),
    [
        (("contrib/libs/zlib/LICENSE", "contrib/libs/zstd/COPYING"), True),
        (("contrib/libs/zlib/LICENSE",), False),  # a part of the project may have one
        (("contrib/LICENSE", "contrib/libs/LICENSE.md"), False),
        (("contrib/one/LICENSE", "contrib/other/LICENSE"), False),  # below which most files do not lie
        (("LICENSE", "src/LICENSE"), False),
        ((), False),
    ],
)
def test_libraries_of_others_are_known_by_their_licences(
    tmp_path: Path, licences: tuple[str, ...], *, is_foreign: bool
) -> None:
    theirs = ("contrib/libs/zlib/inflate.c", "contrib/libs/zstd/lib/pool.c")
    for name in ("src/app.c", "contrib/tool.c", "contrib/tools/a.c", *theirs, *licences):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("int x;\n")
    found = {file.path: file.traits for file in discover(settings_of(tmp_path)).files}
    assert [Trait.VENDORED in found[path] for path in theirs] == [is_foreign, is_foreign]
    assert found["src/app.c"] == ()


@pytest.mark.parametrize(
    ("others", "is_foreign"),
    [
        (("LICENSE", "include/zip/LICENSE.rst"), True),
        (("LICENSE", "include/zip/detail/table.hpp", "include/zip/COPYING"), True),
        (("LICENSE", "include/zip/LICENSE", "include/zip/zip.cpp"), False),  # it is built here
        (("LICENSE",), False),
        (("include/zip/LICENSE",), False),  # that of the project
        (("LICENSE", "include/zip/license.h"), False),
        (("LICENSE", "include/zip/LICENSE", *(f"include/zip/part{n}.h" for n in range(9))), False),  # most of the code
    ],
)
def test_a_library_of_headers_is_known_by_its_licence(
    tmp_path: Path, others: tuple[str, ...], *, is_foreign: bool
) -> None:
    headers = ("include/zip/zip.h", "include/zip/unzip.h")
    own = ("src/app.cpp", "src/app.hpp", "src/part.cpp", "src/other.cpp", "src/last.cpp", "tests/app.cpp")
    for name in (*headers, *own, *others):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("int x;\n")
    found = {file.path: file.traits for file in discover(settings_of(tmp_path)).files}
    assert [Trait.VENDORED in found[path] for path in headers] == [is_foreign, is_foreign]
    assert found["src/app.cpp"] == ()


@pytest.mark.parametrize(
    ("others", "is_own"),
    [
        (("scripts/build.sh",), True),
        (("src/main.erl",), False),  # the product is beside them
        (("deps/cowboy/src/a.erl", "deps/ranch/src/a.erl", "deps/jsx/src/a.erl", "deps/lager/src/a.erl"), False),
    ],
)
def test_a_folder_of_libraries_may_hold_the_product(tmp_path: Path, others: tuple[str, ...], *, is_own: bool) -> None:
    own = ("deps/store/src/a.erl", "deps/store_common/src/a.erl", "deps/storage_cli/src/a.erl")
    library = "deps/store/vendor/a.erl"
    licences = ("deps/store/LICENSE", "deps/store_common/LICENSE", "deps/storage_cli/LICENSE")
    for name in (*own, library, *licences, *others):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a() -> 1.\n")
    found = {file.path: file.traits for file in discover(settings_of(tmp_path)).files}
    assert [Trait.VENDORED in found[path] for path in own] == [not is_own] * 3
    assert Trait.VENDORED in found[library]


def test_libraries_without_their_licences_are_no_longer_those_of_others(tmp_path: Path) -> None:
    for name in ("src/app.c", "contrib/one/a.c", "contrib/one/LICENSE", "contrib/two/b.c", "contrib/two/LICENSE"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("int x;\n")
    age(tmp_path)

    def without_licences(settings: Settings) -> Settings:
        for licence in tmp_path.rglob("LICENSE"):
            licence.unlink()
        return settings

    known, anew = again(tmp_path, without_licences)
    assert {file.path: file.traits for file in known.files} == {file.path: file.traits for file in anew.files}
    assert not any(file.traits for file in known.files)


def test_pages_beside_their_documents_are_generated(tmp_path: Path) -> None:
    names = ("send", "keep", "find")
    for name in ("web/button.html", "web/button.md", "web/a.html", "docs/own.html", *(f"docs/{n}.md" for n in names)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>Parcels</p>\n")
    for name in names:
        (tmp_path / f"docs/{name}.html-part").write_text("<p>Parcels</p>\n")
    (tmp_path / "docs/find.html-part").rename(tmp_path / "docs/find.html")
    age(tmp_path)
    made = {file.path for file in discover(settings_of(tmp_path)).files if Trait.GENERATED in file.traits}
    assert made == {"docs/send.html-part", "docs/keep.html-part", "docs/find.html"}

    def without_a_document(settings: Settings) -> Settings:
        (tmp_path / "docs/send.md").unlink()
        return settings

    known, anew = again(tmp_path, without_a_document)
    assert known == anew
    assert not any(file.traits for file in known.files)
