"""A fresh report is up to date in every format, and what happens to a piece's lines is what verifying it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ctxpack.answer import pack
from ctxpack.model import Request, Scope
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.render.read_back import ReadPiece, ReadReport, read_report
from ctxpack.render.wording import digits_of
from ctxpack.settings import Settings
from ctxpack.workflows.verification import Status, check_report
from tests.building import COUNTED_FORMATS
from tests.indexing import commit, git, write
from tests.trying import examples

REQUESTS = (
    Request(Scope.TASK, text="the retry delay of the uploader"),
    Request(Scope.FILE, path="src/part0.py"),
    Request(Scope.COMPONENT, name="part1"),
)
LINES = st.sampled_from(
    [
        "", "    return delay", "    # why the retry waits", '    password = "hunter2-Zk9_q81"', "    total += 1",
        "\tindented = {", "    )", "    text = '```'", "    caf\u00e9 = '\u2400'", "    ", "12  numbered", "=" * 9,
    ]
)  # fmt: skip
MARKUP = st.sampled_from(["", "Wait twice as long.", "```sh\nupload --retries 3\n```", "| a | b |", "- [x] done"])


@st.composite
def projects(draw: st.DrawFn) -> dict[str, str]:
    """Some modules and a page; every definition has a name of its own."""
    files: dict[str, str] = {}
    for number in range(draw(st.integers(2, 4))):
        parts = ["from __future__ import annotations\n"]
        for place in range(draw(st.integers(1, 6))):
            body = draw(st.lists(LINES, min_size=1, max_size=7))
            parts.append("\n".join([f"def retry_{number}_{place}(delay):", *body, f"    # the end of {place}", ""]))
        files[f"src/part{number}.py"] = "\n\n".join(parts)
    sections = draw(st.lists(MARKUP, min_size=1, max_size=5))
    files["docs/retry.md"] = "# Retry\n\n" + "\n\n".join(f"## Part {at}\n\n{text}" for at, text in enumerate(sections))
    return files


@contextmanager
def repository(files: Mapping[str, str], *, is_git: bool = True) -> Iterator[Settings]:
    with TemporaryDirectory() as folder:
        root = write(Path(folder, "work"), files)
        if is_git:
            commit(root, {})
        yield Settings(root=root, cache_dir=Path(folder, "cache"), budget=4_000)


def reported(request: Request, its: Settings) -> ReadReport:
    return read_report(pack(request, its).text.encode())


def statuses(report: ReadReport, its: Settings) -> list[Status]:
    return [each.status for each in check_report(report, its)]


@settings(max_examples=examples(3, 6))
@given(projects(), st.booleans(), st.booleans(), st.data())
def test_a_fresh_report_is_up_to_date(
    files: dict[str, str],
    is_git: bool,  # noqa: FBT001 - hypothesis gives it by its place
    is_dirty: bool,  # noqa: FBT001 - hypothesis gives it by its place
    data: st.DataObject,
) -> None:
    with repository(files, is_git=is_git) as its:
        if is_dirty:
            write(its.root, {"src/part0.py": files["src/part0.py"] + "\n\ndef added():\n    return 'retry delay'\n"})
        for number, name in enumerate(FORMAT_NAMES):
            styled = replace(
                its, format=name, compress=data.draw(st.booleans()), line_numbers=data.draw(st.booleans()),
                budget=data.draw(st.sampled_from([900, 4_000])),
            )  # fmt: skip
            report = reported(REQUESTS[number % len(REQUESTS)], styled)
            assert report.pieces
            assert set(statuses(report, styled)) == {Status.UNCHANGED}


@settings(max_examples=examples(2, 4))
@given(projects(), st.data())
def test_a_fresh_report_on_a_change_is_up_to_date(files: dict[str, str], data: st.DataObject) -> None:
    with repository(files) as its:
        lines = files["src/part0.py"].split("\n")
        at = data.draw(st.integers(0, len(lines) - 1))
        changed = "\n".join([*lines[:at], "    delay = 3", *lines[at + data.draw(st.integers(0, 9)) :]])
        write(its.root, {"src/part0.py": changed, "src/new.py": "def fresh():\n    return 1\n"})
        (its.root / "docs" / "retry.md").unlink()
        revision = data.draw(st.sampled_from(["", "HEAD", "HEAD~1..HEAD"]))
        if ".." in revision:
            commit(its.root, {})
        for name in FORMAT_NAMES:
            report = reported(Request(Scope.DIFF, revision=revision), replace(its, format=name))
            assert report.pieces
            assert set(statuses(report, its)) == {Status.UNCHANGED}
        write(its.root, {"src/part0.py": changed.replace("    delay = 3", "    delay = 4")})
        if ".." in revision:
            commit(its.root, {})
        assert Status.CHANGED in statuses(report, its)


def code_piece(report: ReadReport, data: st.DataObject) -> ReadPiece:
    """One of the pieces of code, which hold names of their own."""
    return data.draw(st.sampled_from([each for each in report.pieces if each.path.endswith(".py")]))


Happening = Callable[[Settings, ReadPiece, st.DataObject], tuple[Status, str, int]]


def edit_line(its: Settings, piece: ReadPiece, data: st.DataObject) -> tuple[Status, str, int]:
    place = its.root / piece.path
    lines = place.read_text(encoding="utf-8").split("\n")
    marked = [
        at for at in range(piece.start_line - 1, piece.end_line) if "def retry" in lines[at] or "end of" in lines[at]
    ]
    assume(marked)
    at = data.draw(st.sampled_from(marked))
    lines[at] = lines[at].replace("retry", "again").replace("end of", "outcome of")
    place.write_text("\n".join(lines), encoding="utf-8", newline="")
    return Status.CHANGED, "", 0


def insert_above(its: Settings, piece: ReadPiece, data: st.DataObject) -> tuple[Status, str, int]:
    place, count = its.root / piece.path, data.draw(st.integers(1, 30))
    text = place.read_text(encoding="utf-8")
    place.write_text("".join(f"import a{at}\n" for at in range(count)) + text, encoding="utf-8", newline="")
    return Status.MOVED, piece.path, count


def rename_file(its: Settings, piece: ReadPiece, data: st.DataObject) -> tuple[Status, str, int]:
    target = data.draw(st.sampled_from(["src/renamed.py", "lib/deep/part.py"]))
    (its.root / target).parent.mkdir(parents=True, exist_ok=True)
    (its.root / piece.path).rename(its.root / target)
    return Status.MOVED, target, 0


def delete_file(its: Settings, piece: ReadPiece, data: st.DataObject) -> tuple[Status, str, int]:
    del data
    (its.root / piece.path).unlink()
    return Status.GONE, "", 0


@pytest.mark.parametrize("happening", [edit_line, insert_above, rename_file, delete_file])
@settings(max_examples=examples(3, 5))
@given(projects(), st.sampled_from(FORMAT_NAMES), st.booleans(), st.data())
def test_what_happened_to_the_lines_is_told(
    happening: Happening,
    files: dict[str, str],
    name: str,
    is_git: bool,  # noqa: FBT001 - hypothesis gives it by its place
    data: st.DataObject,
) -> None:
    with repository(files, is_git=is_git) as its:
        report = reported(REQUESTS[0], replace(its, format=name))
        piece = code_piece(report, data)
        status, path, shift = happening(its, piece, data)
        if is_git and data.draw(st.booleans()):
            git(its.root, "add", "-A")
        for each in check_report(report, its):
            if each.piece.path != piece.path:
                assert each.status is Status.UNCHANGED
            elif each.piece == piece:
                span = (piece.start_line + shift, piece.end_line + shift) if path else (0, 0)
                assert (each.status, each.path, each.span[0]) == (status, path, span[0])


@settings(max_examples=examples(5, 8))
@given(projects(), st.sampled_from(COUNTED_FORMATS), st.booleans(), st.booleans(), st.data())
def test_an_edit_of_the_report_is_told(
    files: dict[str, str],
    name: str,
    is_git: bool,  # noqa: FBT001 - hypothesis gives it by its place
    is_dirty: bool,  # noqa: FBT001 - hypothesis gives it by its place
    data: st.DataObject,
) -> None:
    with repository(files, is_git=is_git) as its:
        if is_dirty:
            write(its.root, {"src/other.py": "retry = 1\n"})
        text = pack(REQUESTS[0], replace(its, format=name)).text
        piece = code_piece(read_report(text.encode()), data)
        names = [line for line in piece.text.split("\n") if line.startswith("def retry")]
        assume(names)
        shown = data.draw(st.sampled_from(names))
        assume(text.count(shown) == 1)
        edited = read_report(text.replace(shown, shown.replace("retry", "again")).encode())
        assume(digits_of(edited.pieces[piece.number - 1].text) != digits_of(piece.text))
        found = check_report(edited, its)
        assert [each.status for each in found if each.piece.number == piece.number] == [Status.EDITED]
        assert {each.status for each in found if each.piece.number != piece.number} <= {Status.UNCHANGED}
