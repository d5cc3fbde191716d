"""Context files: what is written, what stays, and when nothing happens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import ConfigError, UsageError
from ctxpack.model import Request, Scope
from ctxpack.settings import ContextFile, Settings
from ctxpack.workflows.refresh import Edit, _update_content, plan_refresh, save_edits

START, END = "<!-- ctxpack:start -->", "<!-- ctxpack:end -->"


def settings(root: Path, *entries: ContextFile) -> Settings:
    return Settings(root=root, cache_dir=root / "cache", contexts=entries)


class Recorder:
    """A packer that keeps what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[Request, Settings]] = []

    def __call__(self, request: Request, its: Settings) -> str:
        self.calls.append((request, its))
        return "packed\n"


def test_missing_file_is_made_with_its_markers(tmp_path: Path) -> None:
    (change,) = plan_refresh(settings(tmp_path, ContextFile("docs/AGENTS.md", "layout")), Recorder())
    assert change == Edit("docs/AGENTS.md", None, f"{START}\npacked\n{END}\n".encode())
    save_edits(tmp_path, [change])
    assert (tmp_path / "docs/AGENTS.md").read_bytes() == change.after


def test_second_run_changes_nothing(tmp_path: Path) -> None:
    its = settings(tmp_path, ContextFile("AGENTS.md", "layout"), ContextFile("all.txt", "layout", markers=None))
    save_edits(tmp_path, plan_refresh(its, Recorder()))
    assert plan_refresh(its, Recorder()) == ()


def test_part_is_appended_when_the_markers_are_missing(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"# Rules\nno end of line")
    (change,) = plan_refresh(settings(tmp_path, ContextFile("AGENTS.md", "layout")), Recorder())
    assert change.after == f"# Rules\nno end of line\n\n{START}\npacked\n{END}\n".encode()


def test_everything_outside_the_markers_stays_to_the_byte(tmp_path: Path) -> None:
    before, after = b"\xff\xfe # \r\n\n", b" tail \x00\n"
    (tmp_path / "AGENTS.md").write_bytes(before + START.encode() + b"old" + END.encode() + after)
    (change,) = plan_refresh(settings(tmp_path, ContextFile("AGENTS.md", "layout")), Recorder())
    assert change.after == before + START.encode() + b"\r\npacked\r\n" + END.encode() + after


def test_markers_may_be_the_projects_own(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a\n[x]\nold\n[y]\nb\n")
    (change,) = plan_refresh(settings(tmp_path, ContextFile("a.md", "layout", markers=("[x]", "[y]"))), Recorder())
    assert change.after == b"a\n[x]\npacked\n[y]\nb\n"


def test_two_parts_of_one_file_are_both_brought_up_to_date(tmp_path: Path) -> None:
    entries = (ContextFile("a.md", "one"), ContextFile("a.md", "two", markers=("[x]", "[y]")))
    (change,) = plan_refresh(settings(tmp_path, *entries), lambda request, _: request.text)
    assert change.after == f"{START}\none\n{END}\n\n[x]\ntwo\n[y]\n".encode()


def test_whole_file_keeps_its_kind_of_newlines(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"old\r\n")
    (change,) = plan_refresh(settings(tmp_path, ContextFile("a.txt", "layout", markers=None)), Recorder())
    assert change.after == b"packed\r\n"


@pytest.mark.parametrize("text", [START, END, f"{START}{START}{END}", f"{END}{START}", f"{START}{END}{END}"])
def test_broken_markers_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "AGENTS.md").write_text(text)
    with pytest.raises(UsageError, match=r"AGENTS\.md must hold .* once"):
        plan_refresh(settings(tmp_path, ContextFile("AGENTS.md", "layout")), Recorder())


def test_nothing_that_a_commit_changes_reaches_a_context_file(tmp_path: Path) -> None:
    pack = Recorder()
    entries = (ContextFile("b[1].md", "x", budget=500, format="plain"), ContextFile("AGENTS.md", "layout"))
    plan_refresh(settings(tmp_path, *entries), pack)
    for _, its in pack.calls:
        assert its.stable
        assert not its.use_history
        assert its.unseen == ("AGENTS.md", "b[1].md")
    assert [(its.budget, its.format) for _, its in pack.calls] == [(500, "plain"), (8000, "markdown")]


def test_scope_says_what_the_request_names(tmp_path: Path) -> None:
    pack = Recorder()
    entries = [
        ContextFile("a.md", "x", scope=scope, markers=(f"<{scope}>", f"</{scope}>"))
        for scope in ("task", "file", "component")
    ]
    plan_refresh(settings(tmp_path, *entries), pack)
    assert [request for request, _ in pack.calls] == [
        Request(Scope.TASK, text="x"),
        Request(Scope.FILE, path="x"),
        Request(Scope.COMPONENT, name="x"),
    ]


def test_files_outside_the_repository_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "way_out").symlink_to(tmp_path)
    for path in ("../a.md", str(tmp_path / "a.md"), "way_out/a.md", ".", "folder"):
        with pytest.raises(ConfigError, match=r"outside the repository|is a folder"):
            plan_refresh(settings(root, ContextFile(path, "layout")), Recorder())


def test_diff_is_unified_and_names_the_file() -> None:
    assert Edit("a.md", b"one\ntwo\n", b"one\nthree").diff == (
        "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n\\ No newline at end of file\n"
    )
    assert Edit("a.md", None, b"one\n").diff.startswith("--- /dev/null\n+++ b/a.md\n")


@given(
    st.lists(st.sampled_from(["a", "b", "\n", "\r\n"])).map("".join),
    st.lists(st.sampled_from([START, END, "text", "\n", "<!--"])).map("".join),
    st.lists(st.sampled_from([START, END, "other", "\n"])).map("".join),
)
def test_updating_is_repeatable_whatever_the_text_holds(outside: str, first: str, second: str) -> None:
    entry = ContextFile("a.md", "x")
    once = _update_content(outside.encode(), first, entry)
    assert _update_content(once, first, entry) == once
    assert _update_content(_update_content(once, second, entry), first, entry) == once
    assert once.startswith(outside.encode())


def test_a_link_and_the_file_it_leads_to_are_both_left_out(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Rules\n")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    packer = Recorder()
    plan_refresh(settings(tmp_path, ContextFile("AGENTS.md", "layout")), packer)
    ((_, its),) = packer.calls
    assert its.unseen == ("AGENTS.md", "CLAUDE.md")


def test_the_room_of_a_model_is_no_measure_of_a_file_that_is_always_read(tmp_path: Path) -> None:
    packer = Recorder()
    its = replace(settings(tmp_path, ContextFile("AGENTS.md", "layout"), ContextFile("big.md", "all", budget=90_000)),
                  window=1_000_000, budget=800_000, stats=True)  # fmt: skip
    plan_refresh(its, packer)
    plan_refresh(replace(its, origins={"budget": "ctxpack.toml"}), packer)
    assert [each.budget for _, each in packer.calls] == [8_000, 90_000, 800_000, 90_000]
    assert not any(each.stats for _, each in packer.calls)
