"""Signals that packages bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxpack.rank.evidence import reasons_of
from ctxpack.rank.installed import signal_notes, signal_of, with_installed
from ctxpack.rank.ranking import standing_of
from ctxpack.rank.weights import BUILT_IN_TABLES
from tests.conftest import PROJECT
from tests.indexing import ask, opened, prepared, write
from tests.installing import install

GROUP = "ctxpack.signals"
FILES = {
    "billing/pay.py": "def pay():\n    return 'card'\n",
    "shop/pay.py": "def pay():\n    return 'card'\n",
}
*_, EXAMPLE = re.findall(r"```py\n(.*?)```", (PROJECT / "docs" / "plugins.md").read_text(encoding="utf-8"), re.DOTALL)


def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    module = f"signal_{tmp_path.name.replace('-', '_')}"
    monkeypatch.syspath_prepend(install(tmp_path / "site", module, code, {GROUP: {"ours": f"{module}:signal"}}))


def test_without_packages_the_tables_are_the_built_in_ones() -> None:
    assert with_installed(BUILT_IN_TABLES) is BUILT_IN_TABLES
    assert signal_notes() == ()


@pytest.mark.parametrize("folder", ["billing", "shop"])
def test_the_signal_of_the_documentation_moves_what_it_is_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    use(tmp_path, monkeypatch, EXAMPLE.replace("billing/", f"{folder}/"))
    best = ask("pay and card", opened(write(tmp_path / "repository", FILES), tmp_path / "cache"))[0]
    assert best.file.path == f"{folder}/pay.py"
    assert "our team owns its file" in [each.reason for each in best.evidence]
    assert signal_notes() == ()


def test_where_a_file_stands_counts_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(tmp_path, monkeypatch, EXAMPLE.replace("billing/", "shop/"))
    view = opened(write(tmp_path / "repository", FILES), tmp_path / "cache")
    standing = standing_of(prepared("pay and card", view), view, "shop/pay.py")
    assert standing is not None
    assert standing.place == 1
    assert "our team owns its file" in [each.reason for each in standing.evidence]


def test_it_may_give_a_reason_for_each_file_and_is_known_by_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = EXAMPLE.replace("    return np", "    from ctxpack.rank.board import Explained\n\n    scores = np")
    code = code.replace("\n\n\nsignal", '\n    return Explained(scores, {0: "billing owns it"})\n\n\nsignal')
    use(tmp_path, monkeypatch, code.replace("issue=0.3", "is_prior=True, issue=0.3"))
    best = ask("pay and card", opened(write(tmp_path / "repository", FILES), tmp_path / "cache"))[0]
    assert "billing owns it" in [each.reason for each in best.evidence]
    assert "billing owns it" not in reasons_of(best, 9)
    its = signal_of("ours")
    assert its is not None
    assert its.is_prior
    assert signal_of("trait") is None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (EXAMPLE.replace("    return", "    return 1 / 0 #"), "ZeroDivisionError: division by zero."),
        (EXAMPLE.replace("np.array([", "-np.array(["), "it must give each file a number from 0."),
        (EXAMPLE.replace('"ours"', '"path"'), "there is one called 'path' already."),
        (EXAMPLE.replace("issue=0.3", "issue=30"), "its points must be from 0 to 3."),
        ("signal = 5\n", "is a int, not a Signal."),
        ("import sys\nsys.exit()\n", "was left out: SystemExit."),
    ],
)
def test_a_bad_one_is_named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str) -> None:
    view = opened(write(tmp_path / "repository", FILES), tmp_path / "cache")
    without = ask("pay and card", view)
    use(tmp_path, monkeypatch, code)
    assert ask("pay and card", view) == without
    (note,) = signal_notes()
    assert note.startswith("The signal ours")
    assert said in note
