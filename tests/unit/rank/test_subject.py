from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ctxpack.query import query_of_text
from ctxpack.rank.subject import look_up_uses, speaks_of_tests, subject_of
from tests.indexing import opened, write

CODE = {"a.py": "x = 1\n", "b.py": "x = 1\n", "docs/a.md": "# A\n"}
DOCS = {f"docs/{n}.md": "# A\n" for n in range(30)} | {"a.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("text", "documents", "tests"),
    [
        ("Fix a typo in the docs", True, False),
        ("update README", True, False),
        ("Исправить опечатку в документации", True, False),
        ("Uploader breaks", False, False),
        ("documented_name breaks", False, False),
        ("Uploader breaks\n\nThe documentation says otherwise. The tests pass.", False, False),
        ("flaky tests of the uploader", False, True),
        ("raise coverage", False, True),
        ("починить тесты загрузки", False, True),
        ("I'm new here, how do I run the tests", False, False),
        ("How do I test a command that asks for confirmation?", False, False),
        ("как тестировать команду с вопросом", False, False),
        ("how is the test of a command set up", False, True),
        ("latest contest", False, False),
        ("document the tests", True, True),
        ("clearer wording for limits", True, False),
        ("where does the wording 'the file is too big' come from", False, False),
    ],
)
def test_the_title_says_what_a_request_is_about(tmp_path: Path, text: str, documents: bool, tests: bool) -> None:  # noqa: FBT001 -- a row of a table
    view = opened(write(tmp_path / "root", CODE), tmp_path / "cache")
    subject = subject_of(query_of_text(text), view)
    assert (subject.documents, subject.tests, subject.only_documents) == (documents, tests, False)
    view.close()


@pytest.mark.parametrize(("files", "only"), [(CODE, False), (DOCS, True), ({"docs/a.md": "# A\n"}, False)])
def test_a_repository_may_hold_documents_alone(tmp_path: Path, files: Mapping[str, str], only: bool) -> None:  # noqa: FBT001 -- a row of a table
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert subject_of(query_of_text("any"), view).only_documents is only
    view.close()


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("Fix the retry. Which tests cover it?", True),
        ("Почини повтор, нужны тесты", True),
        ("Fix the retry of the contest", False),
        ("How do I test a command that asks for confirmation?", False),
        ("I'm new here, how do I build it and run the tests", False),
        ("need to unit test a class that calls an API", False),
        ("In my tests it fails. How do I fake the address?", False),
        ("Пишу тесты на отправку, как подсунуть заглушку?", False),
        ("need to test the retry: add tests for it", True),
        ("how long may the setup run before the test gives up", False),
        ("what is the default number of users when a load test starts", False),
        ("where is the screenshot taken when a test fails", True),  # about no value
        ("which tests of the limit run before the test ends", True),
    ],
)
def test_a_request_may_speak_of_tests_anywhere(text: str, speaks: bool) -> None:  # noqa: FBT001 -- a row of a table
    assert speaks_of_tests(text) == speaks


def test_who_asks_where_a_setting_is_read_is_shown_no_tests_and_examples(tmp_path: Path) -> None:
    files = {
        "src/timer.py": "def start(refresh_rate):\n    return refresh_rate\n",
        "tests/test_timer.py": "def test_start():\n    assert start(refresh_rate=1)\n",
        "examples/clock.py": "start(refresh_rate=2)\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")

    def paths(text: str) -> set[str]:
        chunks = look_up_uses(text, view).chunks
        return {view.files[int(view.postings.chunk_file[number])].path for number in chunks}

    assert paths("where is `refresh_rate` read?") == {"src/timer.py"}
    assert paths("who uses `refresh_rate`?") == set(files)
    view.close()
    alone = {path: text for path, text in files.items() if path != "src/timer.py"}
    view = opened(write(tmp_path / "alone", alone), tmp_path / "cache")
    assert paths("where is `refresh_rate` read?") == set(alone)
    view.close()
