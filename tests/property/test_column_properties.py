"""Columns say of files what the files themselves say, however the columns came about."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.discover.editions import Version, files_of_older_editions, older_editions
from ctxpack.discover.last_run import LastRun, digest_of, remember
from ctxpack.discover.traits import STYLE_SHEETS
from ctxpack.index.known import FileSlots
from ctxpack.light import replace
from ctxpack.model import Discovery, Kind, RepositoryState, Skipped, SourceFile, Trait
from ctxpack.model.columns import FileTable, TextColumn
from ctxpack.rank.file_scores import derive_in_steps
from tests.building import source_file
from tests.trying import examples

ROOT = Path("r")
STATE = RepositoryState(ROOT, "r", "0123", "main", is_git=True)
PLAIN = RepositoryState(ROOT, "r")
FOLDERS = (
    "",
    "v1",
    "v2",
    "v2/a",
    "docs",
    "docs/v1",
    "docs/v2",
    "docs-v1",
    "é",
    os.fsdecode(b"odd\xff"),
    "ipv4",
    "ipv6",
)
NAMES = ("a.py", "b.md", "plan-v1.md", "plan-v2.md", "x.css", ".less", "ü.styl", "s", "y.scss.py")
_PATHS = st.builds(
    lambda folder, name: f"{folder}/{name}".lstrip("/"), st.sampled_from(FOLDERS), st.sampled_from(NAMES)
)
_BLOBS = st.sampled_from(("", "0" * 40, "1" * 40, "2" * 64))
_TRAITS = st.sampled_from(((), (Trait.VENDORED,), (Trait.GENERATED, Trait.EXAMPLE)))


def files_at(paths: st.SearchStrategy[str]) -> st.SearchStrategy[SourceFile]:
    return st.builds(
        SourceFile,
        paths,
        st.sampled_from((Kind.CODE, Kind.DOC, Kind.TEST)),
        st.sampled_from(("python", "")),
        st.integers(0, 2**40),
        _BLOBS,
        st.integers(0, 2**60),
        _TRAITS,
        st.booleans(),
    )


FILES = st.lists(files_at(_PATHS), unique_by=lambda file: file.path, max_size=7).map(
    lambda files: sorted(files, key=lambda file: file.path)
)
CHANGES = st.dictionaries(_PATHS, st.none() | files_at(st.just("")), max_size=4)


def read_back(files: list[SourceFile], state: RepositoryState = STATE) -> FileTable:
    """The files as the next run reads them: none of them is made yet."""
    found = Discovery(FileTable.of(files), (Skipped("z", "binary", 1, 2), Skipped("z/", "a folder")), state)
    last = LastRun.read(remember(found)).last(ROOT)
    assert last == found
    return FileTable.of(last.files)


@settings(max_examples=examples(40, 100))
@given(FILES)
def test_a_table_is_a_sequence_of_its_files(files: list[SourceFile]) -> None:
    for made in (FileTable.of(files), read_back(files)):
        assert [made[number] for number in range(len(files))] == files
        assert (len(made), list(made), made[1:], made[-1:]) == (len(files), files, tuple(files[1:]), tuple(files[-1:]))
        assert made == tuple(files)
        assert made == FileTable.of(list(files))
        assert hash(made) == hash(tuple(files))
        assert [made.find(file.path) for file in files] == list(range(len(files)))
        assert made.find("none") is None
        assert made.content_keys() == [made.content_key(number) for number in range(len(files))]
        assert made.content_keys() == [f"{file.blob}:{file.language}" for file in files]


@settings(max_examples=examples(40, 100))
@given(FILES, CHANGES)
def test_changed_files_make_the_table_that_they_would_make_anew(
    files: list[SourceFile], changes: dict[str, SourceFile | None]
) -> None:
    moved = {path: file and replace(file, path=path) for path, file in changes.items()}
    expected = {file.path: file for file in files} | {path: file for path, file in moved.items() if file}
    wanted = [file for path, file in sorted(expected.items()) if moved.get(path, file) is not None]
    for state in (STATE, PLAIN):
        changed, anew = read_back(files, state).with_files(moved), FileTable.of(wanted)
        assert changed == anew
        assert list(changed.folders[0]) == list(anew.folders[0])
        assert changed.folders[1] == anew.folders[1]
        assert digest_of(Discovery(changed, (), state)) == digest_of(Discovery(anew, (), state))
        is_same = changed == tuple(files)
        time_alone = state.is_git and [_told(file) for file in changed] == [_told(file) for file in files]
        same_digest = digest_of(Discovery(changed, (), state)) == digest_of(Discovery(read_back(files), (), state))
        assert same_digest == (is_same or time_alone)


def _told(file: SourceFile) -> tuple[object, ...]:
    """What identifies a file that git knows: the time only where it differs from what git has."""
    return (
        file.path,
        file.kind,
        file.language,
        file.size,
        file.blob,
        file.traits,
        file.dirty,
        file.dirty * file.mtime_ns,
    )


@settings(max_examples=examples(40, 100))
@given(FILES)
def test_questions_about_all_files_are_answered_as_by_a_look_at_each(files: list[SourceFile]) -> None:
    made = read_back(files)
    folders = [file.path.rpartition("/")[0] for file in files]
    numbered = list(enumerate(files))
    assert made.count_kinds() == {kind: sum(file.kind is kind for file in files) for kind in Kind}
    assert made.count_folders() == Counter(folders)
    assert made.of_kinds((Kind.CODE, Kind.TEST)) == [file for file in files if file.kind in (Kind.CODE, Kind.TEST)]
    assert made.of_classes(lambda each: not each.traits).tolist() == [at for at, file in numbered if not file.traits]
    assert made.in_folders(lambda folder: "v" in folder) == [
        file for file, folder in zip(files, folders, strict=True) if "v" in folder
    ]
    for endings in (STYLE_SHEETS, ("s", ".md"), ()):
        assert made.ending_with(endings) == [at for at, file in numbered if file.path.endswith(endings)]
    assert list(made.lower_names) == [file.path.rpartition("/")[2].lower() for file in files]
    for words in ({"docs", "y"}, {"v", "plan"}, {""}):
        inside = (not words.isdisjoint(part.strip("_") for part in folder.lower().split("/")) for folder in folders)
        named = (any(word and word in name for word in words) or not name.isascii() for name in made.lower_names)
        called = (at for at, each in enumerate(zip(inside, named, strict=True)) if any(each))
        found = [at for at in called if files[at].kind is Kind.CODE]
        assert made.find_called(words, lambda each: each.kind is Kind.CODE) == found
    gone = set(range(0, len(files), 2))
    assert made.without(gone) == tuple(file for at, file in numbered if at not in gone)


@settings(max_examples=examples(40, 100))
@given(st.lists(st.sampled_from(("", "a", "bb", "é", os.fsdecode(b"\xff"))), max_size=6), st.data())
def test_a_column_of_texts_is_a_list_of_them(texts: list[str], data: st.DataObject) -> None:
    made = TextColumn.of(texts)
    changes = data.draw(st.dictionaries(st.integers(0, max(len(texts) - 1, 0)), st.sampled_from(("c", "dd"))))
    changes = changes if texts else {}
    for column in (made, TextColumn(made.data, len(texts))):
        assert (list(column), column.listed, len(column), column[1:]) == (texts, texts, len(texts), texts[1:])
        assert [column[at] for at in range(len(texts))] == texts
        for text in ("", "a", "b", "bb", "é", os.fsdecode(b"\xff"), "\ud800"):
            assert column.find_equal(text) == [at for at, each in enumerate(texts) if each == text]
        changed = column.with_texts(changes)
        expected = [changes.get(at, text) for at, text in enumerate(texts)]
        assert list(changed) == expected
        assert changed == TextColumn.of(expected)


_SLOTS = st.none() | st.tuples(st.sampled_from("stu"), st.integers(-1, 9))


@settings(max_examples=examples(40, 100))
@given(st.lists(_SLOTS, min_size=1, max_size=8), st.data())
def test_slots_as_columns_change_like_a_list(slots: list[tuple[str, int] | None], data: st.DataObject) -> None:
    made = FileSlots.of(slots)
    assert list(made) == slots
    assert set(made.names) == {each[0] for each in slots if each}
    changes = data.draw(st.dictionaries(st.integers(0, len(slots) - 1), _SLOTS, max_size=3))
    changed = made.with_slots(changes)
    assert list(changed) == [changes.get(at, each) for at, each in enumerate(slots)]
    assert set(changed.names) == {each[0] for each in changed if each}
    moved = {"s": ("joined", 0), "t": ("joined", 100)}
    assert list(made.after_moves(moved)) == [_moved(each, moved) for each in slots]
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(slots), max_size=len(slots))), bool)
    assert list(made.only(taken)) == [each for each, is_taken in zip(slots, taken.tolist(), strict=True) if is_taken]
    left = iter(made.only(taken))
    assert list(made.only(taken).spread(taken)) == [next(left) if is_taken else None for is_taken in taken.tolist()]


def _moved(each: tuple[str, int] | None, moved: Mapping[str, tuple[str, int]]) -> tuple[str, int] | None:
    if each is None or each[0] not in moved:
        return each
    name, first = moved[each[0]]
    return name, each[1] if each[1] < 0 else each[1] + first


@settings(max_examples=examples(40, 100))
@given(FILES)
def test_older_editions_are_found_as_by_a_look_at_each_path(files: list[SourceFile]) -> None:
    documents = [file.path for file in files if file.kind is Kind.DOC]
    older = older_editions(read_back(files).count_folders(), documents)
    assert files_of_older_editions(read_back(files), older) == [
        (number, version) for number, file in enumerate(files) if (version := _version_of(file.path, older))
    ]


def _version_of(path: str, older: Mapping[str, Version]) -> Version | None:
    """The version of the outermost older folder that a path is in, or its own."""
    parts = path.split("/")
    above = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return next((older[each] for each in above if each in older), None)


@settings(max_examples=examples(40, 100))
@given(st.lists(st.text("ab_é/", max_size=5)), st.sampled_from(("a", "_a", "é", "ab_")))
def test_texts_that_hold_a_part_are_found(texts: list[str], part: str) -> None:
    assert TextColumn.of(texts).holding(part) == [number for number, text in enumerate(texts) if part in text]


def test_what_ranking_asks_of_all_files_is_found_once_and_in_steps() -> None:
    paths = ("LICENSE", "docs/v1/a.md", "docs/v2/a.md")
    table, found = FileTable.of(map(source_file, paths)), list[int]()
    steps = derive_in_steps(table)
    next(steps)
    assert "_derived" not in vars(table)  # nothing that was not asked for

    def count(files: FileTable) -> int:
        found.append(len(files))
        return len(files)

    assert [table.derive(count), table.derive(count)] == [3, 3]
    assert found == [3]
    held = len([*steps]) + 1
    assert len(table._derived) == held
    assert len([*derive_in_steps(table)]) == held
    assert len(table._derived) == held
    changed = table.with_files({"LICENSE": source_file("LICENSE")})
    assert changed.numbers is table.numbers
