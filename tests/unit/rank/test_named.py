"""What a request names as code spells it, whichever of its words a definition shares."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.query.understand import query_of_text
from ctxpack.rank import rank
from ctxpack.rank.evidence import is_named
from tests.indexing import opened, write

FIELDS = "".join(f"    /// Says what part {number} of it is.\n    part{number}: u64,\n" for number in range(30))
CHECKS = "".join(f"        check(part{number});\n" for number in range(30))
LIKE = {
    "src/lib.rs": f"pub struct Low {{\n    max_columns: u64,\n{FIELDS}}}\n\n"
    f"mod tests {{\n    fn checks() {{\n        check(max_columns);\n{CHECKS}    }}\n}}\n",
    "tests/columns.rs": "fn checks() {\n    check(max_columns);\n}\n",
    "GUIDE.md": "# Columns\n\nSay --max-columns.\n",
}
SHORT = """class AtMost(Mode):
    def check(self, data):
        remove_excess(data)
"""
LONG = "class DataChecker:\n    def check(self, data):\n        return data\n" + "    x = 1\n" * 90
FILES = {
    "modes/at_most.py": SHORT,
    "modes/factory.py": "def atMost(count):\n    return AtMost(count)\n",
    "checker.py": LONG,
    "docs/at_most.md": "# AtMost\n\nChecks the data.\n",
    **{f"part{number}.py": "class CommonMode:\n    def check(self, data):\n        pass\n" for number in range(4)},
}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("let AtMost say itself how it checks the data", {"modes/at_most.py"}),
        ("how does it check data at most once", set()),
        ("the check of data in `DataChecker`", {"checker.py:1"}),  # the class, no other part of a long one
        ("the check of data in `CommonMode`", set()),  # which one is unclear
    ],
)
def test_a_definition_is_named_as_code_spells_it(tmp_path: Path, text: str, named: set[str]) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text(text)
    found = {each for each in rank(query, view, limit=30) if is_named(each, query, view)}
    places = {f"{each.file.path}:{each.chunk.start_line}" for each in found}
    assert {each.file.path for each in found} == {each.partition(":")[0] for each in named}
    assert all(each in places for each in named if ":" in each)
    view.close()


def test_what_a_change_is_to_resemble_is_named_where_code_has_its_name(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", LIKE), tmp_path / "cache")
    query = query_of_text("add --max-length, like --max-columns")
    found = [each for each in rank(query, view, limit=30) if is_named(each, query, view)]
    assert [(each.file.path, each.chunk.symbol) for each in found] == [("src/lib.rs", "Low")]
    view.close()
