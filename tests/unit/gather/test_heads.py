"""The imports above the pieces of the best files."""

from __future__ import annotations

from ctxpack.gather import long_texts
from ctxpack.gather.strategies.search import gather_search
from ctxpack.model import Request, Scope
from tests.unit.gather.conftest import MakeContext

_LONG = "".join(f"        total_{number} = batch + {number}\n" for number in range(150))
BODY = f"\n\nclass Uploader:\n    def retry(self, batch):\n{_LONG}\n    def send(self, batch):\n{_LONG}"
IMPORTS = "".join(f"import module_{number}\n" for number in range(25))
TASK = Request(Scope.TASK, text="retry of a batch in the uploader")


def first_lines(made_from: str, context: MakeContext) -> list[tuple[int, int, tuple[str, ...]]]:
    made = context({"uploader.py": made_from, "other.py": "x = 1\n"}, TASK)
    found = [piece.provenance for piece in gather_search(made) if piece.provenance.path == "uploader.py"]
    return [(each.start_line, each.end_line, each.reasons) for each in found if each.start_line == 1]


def test_the_imports_of_the_best_file_come_with_its_functions(context: MakeContext) -> None:
    (head,) = first_lines(IMPORTS + BODY, context)
    assert head[2] == ("imports of its file",)


def test_they_are_worth_a_little_less_than_what_they_explain(context: MakeContext) -> None:
    made = context({"uploader.py": IMPORTS + BODY}, TASK)
    pieces = gather_search(made)
    head = next(piece for piece in pieces if piece.provenance.reasons == ("imports of its file",))
    best = max(piece.value for piece in pieces)
    assert best - 2 * long_texts.LESS_OF_HEAD < head.value < best


def test_long_heads_stay_out(context: MakeContext) -> None:
    many = "".join(f"import module_{number}\n" for number in range(long_texts.MOST_CHARACTERS // 10))
    assert not [each for each in first_lines(many + BODY, context) if each[2] == ("imports of its file",)]


def test_documents_have_none(context: MakeContext) -> None:
    made = context({"uploader.md": "Some words.\n\n# Uploader\n\nretry of a batch\n"}, TASK)
    assert all(piece.provenance.reasons != ("imports of its file",) for piece in gather_search(made))


def test_a_question_needs_none(context: MakeContext) -> None:
    asked = Request(Scope.TASK, text="how does the retry of a batch in the uploader work?")
    pieces = gather_search(context({"uploader.py": IMPORTS + BODY, "other.py": "x = 1\n"}, asked))
    assert all(piece.provenance.reasons != ("imports of its file",) for piece in pieces)


def test_lines_that_hardly_import_anything_stay_out(context: MakeContext) -> None:
    names = "import one\n" + "".join(f"# A remark of the authors, number {number}.\n" for number in range(9))
    assert not [each for each in first_lines(names + BODY, context) if each[2] == ("imports of its file",)]


def test_imports_with_words_of_the_request_are_no_place_to_change(context: MakeContext) -> None:
    own = {
        f"{name}.py": f"import time\nimport queue\n{BODY.replace('Uploader', name)}" for name in ("Uploader", "Sender")
    }
    sums = "".join(f"    total_{number} = {number}\n" for number in range(50))
    user = "import retry\nimport batch\nimport uploader\nimport one\nimport two\n\n\n"
    made = context({**own, "user.py": f"{user}def first():\n{sums}\n\ndef last():\n{sums}"}, TASK)
    assert any(each.chunk.kind == "header" and each.file.path == "user.py" for each in made.candidates)
    assert "user.py" not in {piece.provenance.path for piece in gather_search(made)}


def test_a_question_has_no_use_for_imports_that_hold_its_words(context: MakeContext) -> None:
    named = "import retry\nimport batch\nimport uploader\n" + IMPORTS
    question = Request(Scope.TASK, text="how does the retry of a batch in the uploader work?")
    made = context({"uploader.py": named + BODY, "other.py": "x = 1\n"}, question)
    assert any(each.chunk.kind == "header" for each in made.candidates)
    assert all(piece.provenance.start_line > 1 for piece in gather_search(made))


def test_nor_for_those_below_a_licence(context: MakeContext) -> None:
    licence = "# Copyright.\n" + "".join(f"# Line {number} of a retry.\n" for number in range(150)) + "\n"
    question = Request(Scope.TASK, text="how does the retry of a batch in the uploader work?")
    made = context({"uploader.py": licence + "import retry\nimport batch\n" + BODY, "other.py": "x = 1\n"}, question)
    assert any(each.chunk.kind == "header" for each in made.candidates)
    assert all(piece.provenance.start_line > 153 for piece in gather_search(made))


def test_beside_a_file_come_no_heads_of_imports_and_no_lists_of_exports(context: MakeContext) -> None:
    own = "def retry_batch(batch):\n    return batch\n"
    head = f"from uploader import retry_batch\n{IMPORTS}\n__all__ = ['retry_batch', 'last']\n"
    users = {f"{folder}/sender.py": f"{head}\n\ndef last():\n{_LONG}" for folder in ("app", "tests")}
    made = context({"uploader.py": own, **users}, Request(Scope.FILE, path="uploader.py"))
    chunks = {(each.file.path, each.chunk.kind, each.chunk.symbol) for each in made.candidates}
    assert {("app/sender.py", "header", ""), ("tests/sender.py", "header", "")} <= chunks
    assert ("app/sender.py", "constant", "__all__") in chunks
    assert {each.provenance.path for each in gather_search(made)} == {"uploader.py"}
