from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.query.lookups import name_to_define
from tests.indexing import write

FILES = {
    "src/sender.py": "class Sender:\n    limit = 5\n\n    def send(self, batch):\n        return batch\n",
    "src/app.py": "from sender import Sender\n\n\ndef start():\n    return Sender().send([])\n",
} | {f"src/part{n}.py": f"def sender_of_{n}(send):\n    return send, 'defined {n}'\n" for n in range(20)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("where is Sender defined?", "Sender"),
        ("In which file is the class `net.Sender` declared?", "Sender"),
        ("definition of Sender::send", "send"),
        ("где определён класс Sender?", "Sender"),
        ("где объявлена функция send", "send"),
        ("where is it decided that Sender is defined by hand", ""),
        ("where are retries defined and who delays them?", ""),
    ],
)
def test_only_a_request_for_a_definition_names_one(text: str, name: str) -> None:
    assert name_to_define(text) == name


def test_a_definition_comes_with_few_users_and_no_filler(tmp_path: Path) -> None:
    root = write(tmp_path / "root", FILES)
    run = pack(Request(Scope.TASK, text="where is Sender defined?"), load(str(root), {"use_cache": False}))
    paths = [each.provenance.path for each in run.pack.selection.fragments]
    assert "src/sender.py" in paths
    assert len(paths) <= 3
