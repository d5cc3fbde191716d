from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxpack.index import IndexView
from ctxpack.model import Candidate, Confidence
from ctxpack.query import query_of_text
from ctxpack.rank import Purpose, rank
from tests.indexing import ask, commit, opened, write

FILES = {
    "app/retry.py": "def retry_delay(tries):\n    return 2**tries\n\n\ndef unrelated():\n    pass\n",
    "app/upload.py": "from app.retry import retry_delay\n\n\n"
    "class Uploader:\n    def send(self):\n        retry_delay(1)\n",
    "app/cache.py": "class Cache:\n    def evict(self):\n        return None\n",
    "tests/test_retry.py": "from app.retry import retry_delay\n\n\n"
    "def test_retry_delay():\n    assert retry_delay(1) == 2\n",
    "docs/retry.md": "# Retry delay\n\nHow long the retry delay lasts.\n",
    "vendor/lib.py": "def retry_delay(tries):\n    return 2**tries\n",
}
PROGRAM = """
import sys
from pathlib import Path
from tests.indexing import as_lines, ask, opened
view = opened(Path(sys.argv[1]), Path(sys.argv[2]))
for text in ("retry_delay", "how does the uploader delay retries", "Uploader.send fails\\n\\nIt calls retry_delay(1)."):
    print(as_lines(ask(text, view)))
"""


@pytest.fixture
def view(tmp_path: Path) -> Iterator[IndexView]:
    root = tmp_path / "root"
    commit(root, FILES)
    found = opened(root, tmp_path / "cache")
    yield found
    found.close()


def paths(found: tuple[Candidate, ...]) -> list[str]:
    return [each.file.path for each in found]


@pytest.mark.parametrize(
    ("text", "path", "symbol"),
    [
        ("retry_delay", "app/retry.py", "retry_delay"),
        ("Uploader.send", "app/upload.py", ""),
        ("what does app/cache.py do", "app/cache.py", ""),
        ("evict", "app/cache.py", ""),
        ("fix the wording of the retry docs", "docs/retry.md", ""),
    ],
)
def test_the_best_is_first(view: IndexView, text: str, path: str, symbol: str) -> None:
    best = ask(text, view)[0]
    assert best.file.path == path
    assert best.chunk.symbol.startswith(symbol)


def test_the_best_of_a_clear_request_is_sure_and_the_last_is_not(view: IndexView) -> None:
    found = ask("retry_delay", view)
    assert found[0].confidence is Confidence.HIGH
    assert [each.confidence for each in found] == sorted(
        (each.confidence for each in found), key=[Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW].index
    )
    assert found[-1].confidence is not Confidence.HIGH


def test_a_request_about_tests_lifts_them(view: IndexView) -> None:
    def share(text: str) -> float:
        found = {each.file.path: each.score for each in ask(text, view)}
        return found["tests/test_retry.py"] / found["app/retry.py"]

    assert share("extend the tests of retry_delay") > share("extend the limits of retry_delay")


def test_tests_of_an_issue_stand_further_behind_in_a_list_than_in_a_pack(view: IndexView) -> None:
    def cost(purpose: Purpose) -> float:
        query = query_of_text("Uploader.send fails\n\nIt calls retry_delay(1), which gives 2.")
        found = {each.file.path: each for each in rank(query, view, limit=20, purpose=purpose)}
        return sum(each.points for each in found["tests/test_retry.py"].evidence if each.signal == "kind")

    assert cost(Purpose.LIST) < cost(Purpose.PACK) < 0


def test_vendored_code_comes_after_ones_own(view: IndexView) -> None:
    order = paths(ask("retry_delay", view))
    assert order.index("app/retry.py") < order.index("vendor/lib.py")


@pytest.mark.parametrize("limit", [0, 1, 2, 100])
def test_never_more_than_the_limit(view: IndexView, limit: int) -> None:
    found = ask("retry_delay", view, limit)
    assert len(found) == min(limit, len(ask("retry_delay", view, 100)))


@pytest.mark.parametrize("text", ["zzqqxx", "!?", "", "the of and"])
def test_nothing_where_no_word_matches(view: IndexView, text: str) -> None:
    assert rank(query_of_text(text), view, limit=5) == ()


def test_evidence_names_the_signal_and_keywords_the_words(view: IndexView) -> None:
    best = ask("retry_delay", view)[0]
    assert {"identifiers"} <= {each.signal for each in best.evidence}
    assert set(best.keywords) == {"retry", "delay"}
    assert max(abs(each.points) for each in best.evidence) <= 10


def test_every_candidate_has_something_that_speaks_for_it(view: IndexView) -> None:
    for text in ("evict", "retry_delay", "how are entries evicted from the cache"):
        for each in ask(text, view, 100):
            assert any(item.points > 0 for item in each.evidence), each


def test_a_file_that_vanished_after_indexing_does_no_harm(view: IndexView) -> None:
    (view.state.root / "app" / "retry.py").unlink()
    assert "app/retry.py" in paths(ask("retry_delay", view))


def test_the_seed_of_hashes_changes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    commit(root, FILES)
    outputs = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", PROGRAM, str(root), str(tmp_path / f"cache{seed}")]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 3


def test_an_empty_file_is_no_candidate(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"retry.py": "", "a.py": "retry = 1\n"}), tmp_path / "cache")
    assert paths(ask("retry", view)) == ["a.py"]
    view.close()


def test_a_file_named_just_like_the_request_is_found_without_its_word(tmp_path: Path) -> None:
    files = {"app/backoff.py": "def delay(n):\n    return 2**n\n", "app/other.py": "def f():\n    return 1\n"}
    view = opened(write(tmp_path / "tree", files), tmp_path / "cache")
    assert "app/backoff.py" in [each.file.path for each in ask("backoff", view)]


def test_a_name_leads_to_its_class_before_a_function_called_alike(tmp_path: Path) -> None:
    body = "".join(f'    """A step {n}."""\n' for n in range(3))
    methods = "".join(f"\n    def step_{n}(self):\n        return {n}\n" for n in range(40))
    made = 'def session():\n    """Make a Session, the session of before."""\n    return Session()\n'
    root = write(tmp_path / "root", {"web/http.py": f"class Session:\n{body}{methods}\n\n{made}"})
    view = opened(root, tmp_path / "cache")
    assert ask("Session", view, limit=1)[0].chunk.symbol == "Session"
    view.close()
