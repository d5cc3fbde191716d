"""Each signal alone: in a tiny repository, which file or chunk it puts first, and that nothing else gains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model.columns import FileTable
from ctxpack.rank.board import NAME_PREFIX, Board, Explained, alike, called_like, name_tokens
from ctxpack.rank.signals import names, relations, texts
from tests.building import source_file
from tests.indexing import board, commit, opened, write

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

Score = Callable[[Board], "Scores | Explained"]

TEXT_A, TEXT_B = "def one():\n    return 1\n", "def two():\n    return 2\n"
TRACEBACK = """It breaks

Traceback (most recent call last):
  File "/srv/app/core/upload.py", line 3, in send
    raise ValueError
ValueError: no
"""

CASES: Mapping[str, tuple[Score, str, Mapping[str, str], str]] = {
    "subtokens": (texts.by_subtokens, "upload delay", {"a.py": "uploadDelay = 1\n", "b.py": TEXT_B}, "a.py"),
    "words": (
        texts.by_body_words,
        "why upload_delay",
        {"a.py": "upload_delay = 1\n", "b.py": "upload = delay\n"},
        "a.py",
    ),
    "title": (
        texts.by_title,
        "Upload breaks\n\nIt says quota and more of quota. " + "Long text. " * 9,
        {"a.py": "upload\n", "b.py": "quota\n"},
        "a.py",
    ),
    "path": (
        names.by_path_words,
        "the upload queue",
        {"net/upload_queue.py": TEXT_A, "net/b.py": TEXT_B},
        "net/upload_queue.py",
    ),
    "path mention": (
        names.mentioned_paths,
        "what does net/queue.py do",
        {"net/queue.py": TEXT_A, "b/queue.py": TEXT_B},
        "net/queue.py",
    ),
    "longer path mention": (
        names.mentioned_paths,
        r"what does C:\src\net\queue.py do",
        {"net/queue.py": TEXT_A, "b/queue.py": TEXT_B},
        "net/queue.py",
    ),
    "folder mention": (
        names.mentioned_paths,
        "explain how pkg/watch works",
        {"pkg/watch/queue.py": TEXT_A, "pkg/other/watch.py": TEXT_B},
        "pkg/watch/queue.py",
    ),
    "mention of the end of a folder's path": (
        names.mentioned_paths,
        "what is in net-core/src/?",
        {"libs/net-core/src/deep/queue.py": TEXT_A, "src/net.py": TEXT_B},
        "libs/net-core/src/deep/queue.py",
    ),
    "traceback": (names.frame_files, TRACEBACK, {"core/upload.py": TEXT_A, "web/upload.py": TEXT_B}, "core/upload.py"),
    "best chunk": (
        texts.best_chunks,
        "upload delay",
        {"a.py": "def upload_delay():\n    return 1\n", "b.py": "def x():\n    return y\n"},
        "a.py",
    ),
    "title chunk": (
        texts.best_title_chunks,
        "Upload stops\n\nMore. Text. " * 8,
        {"a.py": "upload\n", "b.py": "text\n"},
        "a.py",
    ),
    "identifiers": (
        names.defining_files,
        "why does retry_delay grow",
        {"a.py": "def retry_delay():\n    return 1\n", "b.py": "value = retry_delay()\n"},
        "a.py",
    ),
    "symbol": (names.defining_files, "delay", {"a.py": "def delay():\n    return 1\n", "b.py": "delay()\n"}, "a.py"),
    "plain names": (
        names.plain_files,
        "how long is the delay",
        {"a.py": "def delay():\n    return 1\n", "b.py": "def delay_more():\n    return delay\n"},
        "a.py",
    ),
    "similar name": (
        names.similar_files,
        "retry delay",
        {"a.py": "def retry_delay_of():\n    return 1\n", "b.py": "retry = delay\n"},
        "a.py",
    ),
    "similar heading": (
        names.similar_files,
        "retry delay",
        {"a.md": "# Retry delay\n\nText.\n", "b.md": "# No\n\nretry delay\n"},
        "a.md",
    ),
    "dotted class": (
        names.dotted_files,
        "Where is Uploader.send_all called?",
        {
            "a.py": "class Uploader:\n    def send_all(self):\n        return 1\n",
            "b.py": "class Other:\n    def send_all(self):\n        return 1\n",
        },
        "a.py",
    ),
    "dotted module": (
        names.dotted_files,
        "What does net.queue.flush_now do?",
        {"net/queue.py": TEXT_A, "net/__init__.py": TEXT_B, "b.py": "flush_now()\n"},
        "net/queue.py",
    ),
    "precedent": (
        names.precedent_files,
        "Add a YAML exporter like JsonExporter",
        {"a.py": "import json_exporter\n", "b.py": "json = exporter()\n"},
        "a.py",
    ),
    "precedent as it is written": (
        names.precedent_files,
        "Add a YAML exporter like JsonExporter",
        {"a.py": "table = [JsonExporter]\n", "b.py": "json_exporter = 1\n"},
        "a.py",
    ),
    "precedent of two words": (
        names.precedent_files,
        "Add a Lark integration like the Rocket.Chat one",
        {"a.py": "class RocketChat:\n    pass\n", "b.py": "class Chat:\n    pass\n"},
        "a.py",
    ),
    "precedent that is a member": (
        names.precedent_files,
        "Add a way of retrying like Session.Retry",
        {"a.py": "class Retry:\n    pass\n", "b.py": "class Session:\n    pass\n"},
        "a.py",
    ),
    "precedent by a word of its name": (
        names.precedent_files,
        "Add an IBAN check, the same way as the card number one",
        {
            "a.py": "class CreditCard:\n    pass\n\n\ndef credit_card_of(text):\n    return text\n",
            "b.py": "print(card, number)\n",
        },
        "a.py",
    ),
    "version": (
        texts.version_files,
        "drop Python 3.8",
        {
            "pyproject.toml": "requires-python = '>=3.8'\n",
            "a.md": "Python 3.8 is needed.\n",
            "b.toml": "python = 'x'\n",
        },
        "pyproject.toml",
    ),
    "version in another spelling": (
        texts.version_files,
        "drop Python 3.8",
        {"a.py": "if sys.version_info < (3, 8):\n    pass\n", "b.py": "PYTHON = 3.12\n", "CHANGES.md": "Python 3.8\n"},
        "a.py",
    ),
    "place of a new entry": (
        lambda board: board.files_max(texts.entry_chunks(board)),
        "mend the retry and add a changelog entry",
        {"CHANGES.md": "# 1.1\n\n- retry\n", "sub/CHANGES.md": "# 1.0\n", "docs/releases/1.0.md": "# retry\n"},
        "CHANGES.md",
    ),
    "place of a new entry where each release has a file": (
        lambda board: board.files_max(texts.entry_chunks(board)),
        "mend the retry and add a line to the release notes",
        {"docs/releases/1.10.md": "# New\n", "docs/releases/1.9.md": "# retry\n", "docs/releases/index.md": "# All\n"},
        "docs/releases/1.10.md",
    ),
    "list of precedents": (
        names.precedent_files,
        "Add a section career next to css, html and js",
        {"a.py": "SECTIONS = ['css', 'html']\n", "b.py": "html = 'html'\n"},
        "a.py",
    ),
    "file name": (
        names.file_names,
        "the retry policy",
        {"lib/retry_policy.py": TEXT_A, "lib/retry_other_thing.py": TEXT_B},
        "lib/retry_policy.py",
    ),
    "file name by prefix": (
        names.file_names,
        "authentication",
        {"lib/auth.py": TEXT_A, "lib/author_list.py": TEXT_B},
        "lib/auth.py",
    ),
    "package name": (
        names.file_names,
        "retry",
        {"retry/__init__.py": TEXT_A, "other/__init__.py": TEXT_B},
        "retry/__init__.py",
    ),
    "folder name": (
        names.folder_names,
        "retry policy",
        {"retry/policy.py": TEXT_A, "other/policy.py": TEXT_B},
        "retry/policy.py",
    ),
    "imported": (relations.importer_count, "any", {"a.py": TEXT_A, "b.py": "import a\n"}, "a.py"),
    "size": (texts.size_prior, "any", {"a.py": "x = 1\n" * 50, "b.py": "x = 1\n"}, "a.py"),
    "tests": (
        relations.test_votes,
        "quota of uploads exceeded",
        {
            "core/a.py": TEXT_A,
            "core/b.py": TEXT_B,
            "tests/test_a.py": "from core.a import one\n\n\ndef test_quota():\n    assert uploads exceeded quota\n",
            "tests/test_b.py": "from core.b import two\n\n\ndef test_two():\n    assert two()\n",
        },
        "core/a.py",
    ),
    "phrases": (
        lambda board: texts.phrase_scores(board, range(len(board.view.files))),
        "the connection pool timed out",
        {"a.py": "# Connection pool,\n# timed out!\n", "b.py": "# timed pool; out connection\n"},
        "a.py",
    ),
    "phrase over the end of a function": (
        lambda board: texts.phrase_scores(board, range(len(board.view.files))),
        "upload quota delay",
        {"a.py": "def one():\n    upload()\n\n\nquota(\n)\n\n\ndelay()\n", "b.py": "quota(upload, delay)\n"},
        "a.py",
    ),
    "phrase with a word of each language": (
        lambda board: texts.phrase_scores(board, range(len(board.view.files))),
        "the upload очередь delay",
        {"a.py": "# Upload: Очередь—delay\n", "b.py": "# очередь upload delay\n"},
        "a.py",
    ),
}


def scores_of(found: Scores | Explained) -> Scores:
    return found.scores if isinstance(found, Explained) else found


@pytest.mark.parametrize("name", CASES)
def test_a_signal_puts_its_file_first(tmp_path: Path, name: str) -> None:
    score, request, files, best = CASES[name]
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    scores = {
        file.path: float(value) for file, value in zip(view.files, scores_of(score(board(request, view))), strict=True)
    }
    rest = [value for path, value in scores.items() if path != best]
    assert scores[best] > max(rest) >= 0, scores
    view.close()


NOTHING: Mapping[str, Score] = {
    "words": texts.by_body_words,
    "path mention": names.mentioned_paths,
    "traceback": names.frame_files,
    "identifiers": names.defining_files,
    "precedent": names.precedent_files,
    "version": texts.version_files,
    "plain names": names.plain_files,
    "dotted name": names.dotted_files,
    "file name": names.file_names,
    "folder name": names.folder_names,
    "commits": relations.votes,
    "recency": relations.recency,
    "tests": relations.test_votes,
    "imported": relations.importer_count,
    "frames of chunks": lambda board: board.files_max(names.frame_chunks(board)),
    "classes": lambda board: board.files_max(relations.chunks_in_named_classes(board)),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_signal_without_ground_gives_nothing(tmp_path: Path, name: str) -> None:
    view = opened(write(tmp_path / "root", {"a.py": TEXT_A, "empty.txt": ""}), tmp_path / "cache")
    request = "unheard words: at other/place.go, Missing.thing\n\n" + TRACEBACK.replace("upload", "gone")
    assert not scores_of(NOTHING[name](board(request, view))).any()
    view.close()


@pytest.mark.parametrize("request_text", ["raise the limit to 50", "it is sent twice after the switch, at(limit=50)"])
def test_what_no_file_declares_has_no_version_to_change(tmp_path: Path, request_text: str) -> None:
    view = opened(write(tmp_path / "root", {"a.py": "limit = 50\n"}), tmp_path / "cache")
    assert not texts.version_files(board(request_text, view)).any()
    view.close()


def test_a_name_defined_often_counts_less_for_each(tmp_path: Path) -> None:
    rare = {"a.py": "def rare_name():\n    return 1\n"}
    often = {f"b{n}.py": "def common_name():\n    return 1\n" for n in range(4)}
    view = opened(write(tmp_path / "root", rare | often), tmp_path / "cache")
    scores = names.defining_files(board("rare_name or common_name", view))
    assert scores[view.files.numbers["a.py"]] == 1.0
    assert scores[view.files.numbers["b0.py"]] == pytest.approx(1 / 4**0.8)
    view.close()


def test_a_name_means_first_what_is_called_so_to_the_letter(tmp_path: Path) -> None:
    called = {"a.py": "def session():\n    return 1\n", "b.py": "class Session:\n    pass\n"}
    view = opened(write(tmp_path / "root", called), tmp_path / "cache")

    def order(name: str) -> list[float]:
        scores = names.defining_files(board(name, view))
        return [scores[view.files.numbers[path]] for path in called]

    function, cls = order("Session")
    assert 0 < function < cls
    assert len(set(order("session"))) == 1  # who types no capital may mean either
    view.close()


def test_what_a_rule_of_a_style_sheet_is_for_is_no_name_of_it(tmp_path: Path) -> None:
    files = {"style.scss": "button {\n  color: red;\n}\n", "app.py": "def button():\n    return 1\n"}
    its = board("the button does nothing", opened(write(tmp_path / "root", files), tmp_path / "cache"))
    code, style = names.plain_files(its).tolist()
    assert code > 0
    assert style == 0
    its.view.close()


def test_an_ambiguous_path_is_shared(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"a/queue.py": TEXT_A, "b/queue.py": TEXT_B}), tmp_path / "cache")
    scores = names.mentioned_paths(board("see queue.py", view))
    assert scores.tolist() == [0.5, 0.5]
    view.close()


def test_a_path_with_a_line_means_the_line_more_than_the_file(tmp_path: Path) -> None:
    texts = {"queue.py": TEXT_A, "other.py": TEXT_B, "test_queue.py": TEXT_A}
    view = opened(write(tmp_path / "root", texts), tmp_path / "cache")
    files = [file.path for file in view.files]
    whole = names.mentioned_paths(board("see queue.py", view))[files.index("queue.py")]
    assert 0 < names.mentioned_paths(board("see queue.py:2", view))[files.index("queue.py")] < whole
    issue = "It stops\n\nSomething in queue.py:2 waits.\n\n```\nrun\n```\n\nThen nothing happens, for hours.\n"
    assert names.mentioned_paths(board(issue, view))[files.index("queue.py")] == whole
    of_test = issue.replace("queue.py", "test_queue.py")  # the cause is in what it tests
    assert 0 < names.mentioned_paths(board(of_test, view))[files.index("test_queue.py")] < whole
    view.close()


def test_a_folder_is_shared_by_its_files_unless_a_question_is_about_few(tmp_path: Path) -> None:
    few = {f"net/queue/{number}.py": TEXT_A for number in range(4)}
    many = {f"net/all/{number}.py": TEXT_A for number in range(64)}
    view = opened(write(tmp_path / "root", {**few, **many, "read.py": TEXT_B}), tmp_path / "cache")

    def best(text: str) -> float:
        return float(names.mentioned_paths(board(text, view)).max())

    assert best("explain net/queue") == 1
    assert best("explain net/all") == 0.5
    assert best("It stops\n\nSomething in net/queue waits for ever.") == 0.5
    assert best("how does read/write work and/or https://example.com/net/queue") == 0
    view.close()


def test_frames_name_the_function_in_the_file(tmp_path: Path) -> None:
    text = "def send():\n    raise ValueError\n\n\ndef other():\n    return 1\n"
    view = opened(write(tmp_path / "root", {"core/upload.py": text, "b.py": text}), tmp_path / "cache")
    scores = names.frame_chunks(board(TRACEBACK, view))
    best = [
        (view.files[view.postings.chunk_file[n]].path, view.postings.chunk(n).symbol) for n in scores.numbers.tolist()
    ]
    assert best == [("core/upload.py", "send")] or [path for path, _ in best] == ["core/upload.py"]
    view.close()


def test_a_frame_that_may_be_of_several_files_says_less_of_each(tmp_path: Path) -> None:
    files = {f"{each}/upload.py": "def send():\n    raise ValueError\n" for each in ("a", "b", "c", "d")}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert set(names.frame_chunks(board(TRACEBACK, view)).values.tolist()) == {0.25}
    view.close()


@pytest.mark.parametrize(("line", "shares"), [(3, [1.0, 0.0]), (75, [0.0, 1.0]), (300, [0.4, 1.0]), (0, [1.0, 1.0])])
def test_a_frame_is_of_the_function_that_is_nearest_to_its_line(
    tmp_path: Path, line: int, shares: Sequence[float]
) -> None:
    body_of = "\n".join(f"        value_{n} = {n}" for n in range(60))
    text = "".join(f"class {name}:\n    def send(self):\n{body_of}\n\n\n" for name in ("Client", "AsyncClient"))
    view = opened(write(tmp_path / "root", {"core/upload.py": text}), tmp_path / "cache")
    query = board(TRACEBACK, view).query
    mentions = tuple(replace(each, line=line) for each in query.mentions)
    scores = names.frame_chunks(Board(replace(query, mentions=mentions), view))
    numbers = range(len(view.postings.chunk_file))[::-1]
    named = {view.postings.chunk(n).symbol: of for n, of in zip(numbers, scores.at(numbers).tolist(), strict=True)}
    assert [named["Client.send"], named["AsyncClient.send"]] == shares, "of a long function its beginning"
    view.close()


@pytest.mark.parametrize(("line", "shares"), [(5, [1.0, 0.0]), (130, [0.4, 1.0]), (400, [1.0, 0.0])])
def test_a_frame_is_of_the_part_of_a_long_function_that_holds_its_line(
    tmp_path: Path, line: int, shares: Sequence[float]
) -> None:
    text = "def send():\n" + "".join(f"    value_{n} = {n}\n" for n in range(150)) + "\n\ndef other():\n    return 1\n"
    view = opened(write(tmp_path / "root", {"core/upload.py": text}), tmp_path / "cache")
    query = board(TRACEBACK, view).query
    scores = names.frame_chunks(Board(replace(query, mentions=(replace(query.mentions[0], line=line),)), view))
    parts = [n for n in range(len(view.postings.chunk_file)) if view.postings.chunk(n).symbol == "send"]
    assert scores.at([parts[0], parts[-1]]).tolist() == shares
    assert parts[1:], "it is split"
    view.close()


def test_a_frame_without_a_function_is_where_its_line_is(tmp_path: Path) -> None:
    text = "".join(f"def part_{n}():\n" + f"    value = {n}\n" * 20 + "\n\n" for n in range(3))
    view = opened(write(tmp_path / "root", {"core/upload.py": text}), tmp_path / "cache")
    query = board(TRACEBACK, view).query
    mentions = (replace(query.mentions[0], function="", line=30),)
    scores = names.frame_chunks(Board(replace(query, mentions=mentions), view))
    assert [view.postings.chunk(n).symbol for n in scores.numbers.tolist()] == ["part_1"]
    view.close()


@pytest.mark.parametrize("text", ["Parcel.weigh() hangs", "parcel weigh() hangs", "weigh() of the parcel hangs"])
def test_a_called_name_is_of_what_it_is_called_on(tmp_path: Path, text: str) -> None:
    kinds = ("Letter", "Parcel", "Stamp", "Bag")
    files = {f"{each.lower()}.py": f"class {each}:\n    def weigh(self):\n        return 1\n" for each in kinds}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = names.dotted_chunks(board(text, view))
    assert {view.files[view.postings.chunk_file[n]].path for n in found.numbers.tolist()} == {"parcel.py"}
    assert found.values.tolist() == [1.0]
    view.close()


def test_methods_of_a_named_class_gain(tmp_path: Path) -> None:
    body_of = "\n".join(f"        value_{n} = {n}" for n in range(30))
    text = "".join(
        f"class {name}:\n    def first(self):\n{body_of}\n\n    def last(self):\n{body_of}\n\n\n"
        for name in ("UploadQueue", "OtherThing")
    )
    view = opened(write(tmp_path / "root", {"a.py": text}), tmp_path / "cache")
    scores = relations.chunks_in_named_classes(board("why does UploadQueue stop", view))
    gained = {view.postings.chunk(n).symbol for n in scores.numbers.tolist()}
    assert gained
    assert {"UploadQueue.first", "UploadQueue.last"} <= gained
    assert not any(symbol.startswith("OtherThing") for symbol in gained)
    view.close()


def test_an_option_that_a_short_request_names_counts_as_code_spells_it(tmp_path: Path) -> None:
    files = {
        "a.py": "def times(args):\n    return args.changed_within\n",
        "b.py": "def changed():\n    return within\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    held = texts.literal_chunks(board("where is the value of --changed-within parsed", view))
    assert [view.postings.chunk(n).symbol for n in held.numbers.tolist()] == ["times"]
    assert texts.literal_files(board("what does --changed-within do", view)).tolist() == [1.0, 0.0]
    issue = "It is wrong.\n\nSaid about --changed-within among much else. " + "More of it. " * 9
    assert not len(texts.literal_chunks(board(issue, view)).numbers)
    view.close()


def test_a_name_with_hyphens_counts_in_any_spelling_where_it_is_a_key(tmp_path: Path) -> None:
    files = {
        "sync.c": "int delay(server *s) {\n    return s->sync_start_delay;\n}\n",
        "queue.conf": "sync-start-delay 5\n",
        "docs.md": "# Sync\n\nIt has an out-of-date start and a delay.\n",
        "once.ts": "export const transformOnce = { inVOnce: true, name: 'v-once' };\n",
        "twice.ts": "export const once = 1;\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = texts.literal_files(board("what does sync-start-delay change", view)).tolist()
    assert {view.files[n].path for n, points in enumerate(found) if points} == {"sync.c", "queue.conf"}
    found = texts.literal_files(board("what does v-once do", view)).tolist()
    assert {view.files[n].path for n, points in enumerate(found) if points} == {"once.ts"}
    assert not any(texts.literal_files(board("what is out-of-date here", view)).tolist()), "said, but no key"
    view.close()


@pytest.mark.parametrize("written", ["1800000", "1_800_000", "1,800,000"])
def test_a_long_number_counts_in_any_spelling(tmp_path: Path, written: str) -> None:
    files = {
        "a.py": "def rounds():\n    return 1_800_000\n",
        "b.py": "def plain():\n    return 'sha$1800000$'\n",
        "c.md": "# Cost\n\nIt was 1,800,000 rounds.\n",
        "d.py": "def other():\n    return 1, 800, '000'\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    held = texts.literal_chunks(board(f"where is the limit of {written} set", view)).numbers.tolist()
    assert {view.files[int(view.postings.chunk_file[n])].path for n in held} == {"a.py", "b.py", "c.md"}
    long = f"It is slow.\n\nIt ran {written} times, and more of it. " + "More of it. " * 9
    assert not len(texts.literal_chunks(board(long, view)).numbers)
    assert texts.literal_chunks(board(f"Patch for review: the limit is {written} now. {long}", view)).max() == 1
    view.close()


def test_only_a_change_has_a_precedent(tmp_path: Path) -> None:
    files = {"a.py": "def owner():\n    return 1\n", "b.py": "def size():\n    return owner_of(size)\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    held = names.precedent_chunks(board("add --perm, like --owner", view))
    assert [view.postings.chunk(n).symbol for n in held.numbers.tolist()] == ["owner", "size"]
    assert not len(names.precedent_chunks(board("why does --perm not work like --owner", view)).numbers)
    view.close()


def test_code_cannot_spell_an_option_as_it_is_given(tmp_path: Path) -> None:
    files = {
        "a.rs": "struct MaxColumns;\n",
        "b.rs": "struct Low {\n    max_columns: u64,\n}\n",
        "c.md": "# --max-columns\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    held = names.precedent_chunks(board("add --max-length, like --max-columns", view))
    assert len(held.numbers) == len(files)
    assert set(held.values.tolist()) == {1.0}
    view.close()


def test_a_precedent_of_common_words_is_found_by_its_name(tmp_path: Path) -> None:
    """The words alone are in more chunks than one thing would be."""
    apart = {f"apart{number}.py": "def make(table):\n    return create(table)\n" for number in range(310)}
    files = {"tables.py": "def create_table(name):\n    return name\n", "op.py": "run(CreateTable())\n"}
    view = opened(write(tmp_path / "root", apart | files), tmp_path / "cache")
    assert len(names.precedent_chunks(board("add create_view like create_table", view)).numbers) == len(files)
    view.close()


@pytest.fixture
def past(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    commit(root, {"old.py": TEXT_A, "new.py": TEXT_B, "never.py": TEXT_B}, "Begin", "2016-01-01T00:00:00Z")
    commit(root, {"old.py": TEXT_A + "# 2\n"}, "Limit the uploads by quota", "2018-01-01T00:00:00Z")
    for number in range(10):
        commit(root, {"new.py": TEXT_B + f"# {number}\n"}, f"Tidy {number}", "2020-01-01T00:00:00Z")
    commit(root, {f"wide{n}.py": TEXT_A for n in range(40)}, "Quota uploads limit", "2020-01-01T00:00:00Z")
    return root


def test_commits_with_like_messages_vote(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    scores = relations.votes(board("upload quotas", view)).scores
    assert [view.files[n].path for n in scores.nonzero()[0].tolist()] == ["old.py"]  # forty files are a sweep
    assert not relations.votes(board("tidy", view)).scores.any()  # what most messages say is no news
    view.close()


def test_recency_halves_in_two_years(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    scores = relations.recency(board("any", view))
    of = {file.path: float(score) for file, score in zip(view.files, scores, strict=True)}
    assert of["new.py"] == 1.0  # as old as HEAD
    assert of["old.py"] == pytest.approx(0.5, abs=0.001)
    assert of["never.py"] == pytest.approx(0.25, abs=0.001)
    view.close()


def test_without_history_nobody_votes(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache", use_history=False)
    assert not relations.votes(board("upload quotas", view)).scores.any()
    assert not relations.recency(board("any", view)).any()
    view.close()


@pytest.mark.parametrize(
    ("path", "tokens", "folder"),
    [
        ("lib/retry_policy.test.ts", ("retry", "policy"), ("lib",)),
        ("src/upload/__init__.py", ("upload",), ("upload",)),
        ("src/Index.ts", ("src",), ("src",)),
        ("index.js", ("index",), ()),
        (".github/x.yml", (), ("github",)),
        (".gitignore", ("gitignore",), ()),
    ],
)
def test_names_of_files_and_folders(path: str, tokens: tuple[str, ...], folder: tuple[str, ...]) -> None:
    assert name_tokens(path) == (tokens, folder)


def _files(paths: Iterable[str]) -> FileTable:
    return FileTable.of(map(source_file, paths))


def test_what_names_share_is_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, greatest = list[object](), names._greatest

    def record(found: Iterable[Mapping[str, float]]) -> dict[str, float]:
        compared.append(None)
        return greatest(found)

    files = {f"retry/{kind}{number}/limits.py": "" for kind in "ab" for number in range(9)}
    files |= {f"retry/upload_{number}.py": "x = 1\n" for number in range(9)} | {"other/retry_limit.py": "x = 1\n"}
    its = board("the retry limit of uploads", opened(write(tmp_path / "root", files), tmp_path / "cache"))
    monkeypatch.setattr(names, "_greatest", record)
    scores = names.folder_names(its), names.file_names(its)
    best = [its.view.files[int(each.argmax())].path for each in scores]
    assert best == ["other/retry_limit.py"] * 2
    assert len(compared) <= 9 + 3  # each upload, the limits, the folder, and the file that has both


_PARTS = st.text("aAbBrRsS59_-. İKßж中\n", max_size=7)
_PATHS = st.lists(_PARTS, min_size=1, max_size=4).map("/".join)


@given(st.lists(_PATHS, max_size=6), st.sets(st.text("abrs59kж", min_size=1, max_size=NAME_PREFIX), max_size=3))
def test_every_name_with_a_word_that_begins_so_is_called_like_it(paths: list[str], starts: set[str]) -> None:
    words = [(*stem, *folder) for stem, folder in map(name_tokens, paths)]
    alike = [at for at, its in enumerate(words) if any(word.startswith(tuple(starts)) for word in its)]
    found = called_like(_files(paths), starts)
    assert set(alike) <= set(found)
    assert found == sorted(set(found))


def test_of_names_that_nothing_begins_like_few_are_cut_into_words() -> None:
    paths = ["drivers/usb/core/hub.c", "drivers/net/dummy.c", "usb.txt", "usb/net/core/readme", "net/focusbar.c"]
    assert called_like(_files(paths), {"usb"}) == [2]
    assert called_like(_files([*paths, "net/myUsb.c", "net/my2usb.c"]), {"usb"}) == [2, 5, 6]
    assert called_like(_files(paths), set()) == []


@pytest.mark.parametrize(
    ("term", "token", "like"),
    [
        ("retry", "retry", 1.0),
        ("authentication", "auth", 0.6),
        ("caches", "cache", 5 / 6),
        ("ab", "abc", 0.0),
        ("cat", "dog", 0.0),
    ],
)
def test_likeness_of_tokens(term: str, token: str, like: float) -> None:
    assert alike(term, token) == alike(token, term) == pytest.approx(like)
