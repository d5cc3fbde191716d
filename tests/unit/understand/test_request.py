"""The name of a project says which repository is meant, and no place in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from ctxpack.index.opening import open_repository
from ctxpack.model import Request, Scope
from ctxpack.query.understand import query_of_text
from ctxpack.settings import Settings
from ctxpack.understand.request import add_forms, own_names, understand_request, understand_text, weaken_own_name
from tests.indexing import commit, git, opened, write

PROJECT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"pyproject.toml": '[project]\nname = "Parcel"\n'}, {"parcel"}),
        ({"package.json": '{\n  "name": "parcel",\n  "version": "1"\n}\n'}, {"parcel"}),
        ({"go.mod": "module github.com/someone/parcel/v2\n\ngo 1.22\n"}, {"parcel"}),
        ({"Cargo.toml": '[package]\nname = "parcel-send"\n', "README.md": "# parcel\n\nSends.\n"}, {"parcel"}),
        ({"README.rst": "======\nParcel\n======\n\nSends.\n"}, {"parcel"}),
        ({"README.md": "# How parcels are sent\n"}, set()),
        ({"README.md": "Words.\n\n# Parcel\n"}, set()),
        ({"a.py": "x = 1\n"}, set()),
    ],
)
def test_the_names_of_a_project(tmp_path: Path, files: dict[str, str], names: set[str]) -> None:
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert own_names(view) == names
    view.close()


def test_it_counts_less_than_another_word_and_in_full_alone(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"README.md": "# parcel\n"}), tmp_path / "cache")
    query = weaken_own_name(query_of_text("retry of a parcel"), view)
    assert query.terms["parcel"] == pytest.approx(0.3 * query.terms["retry"])
    assert query.words["parcel"] < query.words["retry"]
    alone = query_of_text("parcel")
    assert weaken_own_name(alone, view) == alone
    view.close()


def test_a_frame_of_a_library_leads_to_no_file_of_the_same_name(tmp_path: Path) -> None:
    files = {"web/server.go": "package web\n\nfunc Serve() {}\n", "net/send.go": "package net\n\nfunc Send() {}\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    stack = (
        "panic: closed\n\ngoroutine 8 [running]:\nnet/http.(*conn).serve(0xc0)\n"
        "\t/usr/local/go/src/net/http/server.go:1947 +0xbe\n"
        "parcel/net.Send(0xc1)\n\t/home/me/parcel/net/send.go:3 +0x1d\n"
    )
    query = understand_text(stack, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    assert [each.text for each in query.mentions if each.kind == "frame"] == ["/home/me/parcel/net/send.go"]
    assert "server" not in query.terms
    view.close()


def test_the_meanings_of_all_words_are_looked_up_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "a.py": "def remove(folder):\n    return folder\n",
        "fetch/b.py": "pass\n",
        "c.py": "def erase():\n    pass\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    look_up, asked = view.postings.look_up, list[tuple[str, set[str]]]()

    def look(name: str, terms: Iterable[str]) -> None:
        wanted = {term for term in terms if (name, term) not in view.postings._terms}
        asked.append((name, wanted))
        look_up(name, wanted)

    monkeypatch.setattr(view.postings, "look_up", look)
    found = {
        each.term for each in add_forms(query_of_text("delete the directory after download"), view, settings).expansions
    }
    assert found >= {"remove", "erase", "folder", "fetch"}
    assert [name for name, wanted in asked if "folder" in wanted] == ["sub"]
    for name, terms in (("sub", {"remove", "erase", "folder", "fetch"}), ("path", {"fetch"})):
        assert [terms <= wanted for its, wanted in asked if its == name and wanted & terms] == [True]
    assert all("folder" not in wanted for name, wanted in asked if name == "path")
    view.close()


def test_what_is_written_as_a_name_is_no_typing_error(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"a.py": "def delivers():\n    return delivers\n"}), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    for text, corrected in (("it delviers late", ["delivers"]), ("the DELVIERS", []), ("a `delviers`", [])):
        found = add_forms(query_of_text(text), view, settings).expansions
        assert [each.term for each in found if each.origin == "correction"] == corrected
    view.close()


def test_a_translation_comes_in_the_forms_that_the_repository_has(tmp_path: Path) -> None:
    files = {"a.md": "Ignored files are hidden.\n", "b.md": "It ignores what you say.\n", "c.md": "They ignore it.\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=view.state.root, cache_dir=view.state.root)
    found = {
        each.term: each for each in add_forms(query_of_text("какие файлы игнорируются"), view, settings).expansions
    }
    assert {found[term].base for term in ("ignored", "ignores")} == {"ignore"}
    assert found["ignored"].source == found["ignore"].source
    assert 0 < found["ignored"].weight < found["ignore"].weight
    view.close()


def test_a_phrase_that_is_translated_leaves_none_of_its_words(tmp_path: Path) -> None:
    files = {"cli.py": "def command(line):\n    return line\n", "table.md": "строка\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=view.state.root, cache_dir=view.state.root)
    query = add_forms(query_of_text("запуск из командной строки"), view, settings)
    assert query.terms.keys() == {"запуск", "строки"}  # which the repository has in another form
    assert {each.term for each in query.expansions if each.source == "командной строки"} >= {"cli", "command"}
    assert "line" not in {each.term for each in query.expansions}
    apart = add_forms(query_of_text("команда, которая читает строку из таблицы, и командная роль"), view, settings)
    assert "line" in {each.term for each in apart.expansions}
    view.close()


def test_a_translation_comes_in_the_short_forms_that_code_has(tmp_path: Path) -> None:
    files = {"mul.v": "module mul(input clk);\nendmodule\n", "a.md": "What multiplies.\n", "b.md": "We multiply.\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=view.state.root, cache_dir=view.state.root)
    found = {each.term: each for each in add_forms(query_of_text("где умножение"), view, settings).expansions}
    assert (found["mul"].source, found["mul"].base) == ("умножение", "multiply")
    assert 0 < found["mul"].weight < found["multiply"].weight
    view.close()


def test_a_keyword_of_a_language_is_no_short_form_of_a_word(tmp_path: Path) -> None:
    files = {f"net/part{n}.go": f"package net\n\nfunc Part{n}(buf int) int {{ return {n} }}\n" for n in range(30)}
    files |= {f"net/other{n}.go": f"package net\n\nconst Other{n} = {n}\n" for n in range(30)}
    files["net/msg.go"] = "package net\n\nvar msg = 1\n"
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    query = understand_text("which functions get a message", view, settings)
    assert [each.term for each in query.expansions if each.origin == "abbreviation"] == ["msg"]
    view.close()


def test_a_task_about_a_commit_is_a_request_of_its_diff(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"send.py": "def send(parcel):\n    return parcel\n", "log.py": "level = 1\n"}, "First")
    commit(root, {"send.py": "def send(parcel):\n    return [parcel]\n"}, "Wrap parcels")
    found = git(root, "rev-parse", "HEAD").strip()
    commit(root, {"log.py": "level = 2\n"}, "Log more")
    settings = Settings(root=root, cache_dir=tmp_path / "cache")
    text = f"Please review {found[:9]}: is every parcel still sent?"
    with open_repository(settings) as view:
        asked = understand_request(Request(Scope.TASK, text=text), view, settings)
        other = understand_request(Request(Scope.TASK, text="Please review 1a2b3c4d5e: is it sent?"), view, settings)
        last = understand_request(Request(Scope.TASK, text="Review the last commit"), view, settings)
    assert asked.change is not None
    assert [each.path for each in asked.change.files] == ["send.py"]
    assert (asked.shown.scope, asked.shown.text) == (Scope.TASK, text)
    assert asked.request.scope is Scope.DIFF
    assert "Wrap parcels" in asked.request.text
    assert (other.change, other.request.scope) == (None, Scope.TASK)
    assert other.notes == ("1a2b3c4 is no commit that is known here, so it was looked for as a word.",)
    assert last.change is not None
    assert [each.path for each in last.change.files] == ["log.py"]


def test_a_review_of_a_change_of_somebody_is_one_of_the_commit_that_is_told_of(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"send.py": "def send(parcel):\n    return parcel\n"}, "First")
    for path, message, author in (
        ("wrap.py", "Wrap parcels in paper", "Anna Doe <anna@example.com>"),
        ("other.py", "Wrap parcels in foil", "Bob <bob@example.com>"),
        ("weigh.py", "Weigh them", "Anna Doe <anna@example.com>"),
    ):
        commit(root, {path: "a = 1\n"}, message)
        git(root, "commit", "-q", "--amend", "--no-edit", f"--author={author}")
    settings = Settings(root=root, cache_dir=tmp_path / "cache")
    with open_repository(settings) as view:
        texts = (
            "can you check anna's change that wraps the parcels",
            "review Anna's change to the mail",
            "check eve's patch",
        )
        asked, unknown, nobody = (understand_request(Request(Scope.TASK, text=text), view, settings) for text in texts)
    assert asked.change is not None
    assert [each.path for each in asked.change.files] == ["wrap.py"]
    assert asked.notes[0].startswith("Of this author's commits ")
    assert (unknown.change, unknown.notes, nobody.change) == (None, (), None)


def test_a_review_of_a_pull_request_is_one_of_the_commits_that_name_it(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"send.py": "retries = 1\n", "log.py": "level = 1\n"}, "First (#1)")
    commit(root, {"send.py": "retries = 2\n"}, "Try twice (#12)")
    commit(root, {"send.py": "retries = 3\n", "wait.py": "seconds = 1\n"}, "Try again (#12)")
    commit(root, {"log.py": "level = 2\n"}, "Log more (#13)")
    settings = Settings(root=root, cache_dir=tmp_path / "cache")
    with open_repository(settings) as view:
        several = understand_request(Request(Scope.TASK, text="review #12 please"), view, settings)
        one = understand_request(Request(Scope.TASK, text="review PR #13 please"), view, settings)
        unknown = understand_request(Request(Scope.TASK, text="review PR #14 please"), view, settings)
    assert several.change is not None
    assert [each.path for each in several.change.files] == ["send.py", "wait.py"]
    assert [each.subject for each in several.change.messages] == ["Try again (#12)", "Try twice (#12)"]
    assert one.change is not None
    assert [each.path for each in one.change.files] == ["log.py"]
    assert (unknown.change, unknown.notes) == (None, ())


def test_what_only_translations_say_is_no_translation_of_a_russian_word(tmp_path: Path) -> None:
    files = {
        "app/mail.py": "def find_correspondent(name):\n    return name\n",
        "locale/de/LC_MESSAGES/app.po": 'msgid "Sender"\nmsgstr "Korrespondent"\n' * 3,
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    query = understand_text("корреспондент не находится", view, settings)
    terms = {each.term for each in query.expansions}
    assert "correspondent" in terms
    assert "korrespondent" not in terms
    view.close()


def test_the_russian_words_of_a_turn_of_speech_are_not_missed(tmp_path: Path) -> None:
    files = {"report.py": "def send_report(timezone):\n    return timezone\n", "other.py": "tz = 1\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    query = understand_text("почему ежемесячный отчёт приходит не в том часовом поясе", view, settings)
    assert query.terms.keys() >= {"timezone", "tz", "отчёт"}
    assert query.terms.keys().isdisjoint(("часовом", "поясе"))
    view.close()


_EXPANSIONS = """
import sys
from pathlib import Path
from tests.indexing import opened, prepared
view = opened(Path(sys.argv[1]), Path(sys.argv[2]))
print(prepared("ответ и ресурс, контроллер и контроль, количество и счетчик", view).expansions)
view.close()
"""


def test_short_forms_of_several_words_come_in_one_order(tmp_path: Path) -> None:
    names = ("res", "response", "resource", "ctrl", "control", "controller", "cnt", "count", "counter")
    root = write(tmp_path / "root", {"parcels.py": "".join(f"{name} = 1\n" for name in names)})
    program = [sys.executable, "-c", _EXPANSIONS, str(root), str(tmp_path / "cache")]
    outputs = set()
    for seed in range(8):
        environment = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": str(PROJECT)}
        outputs.add(subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1
    assert "term='res'" in outputs.pop()


@pytest.mark.parametrize("names", [("listeners",), ("listener", "listeners")])
def test_a_turn_of_speech_leads_to_the_forms_that_the_repository_has(tmp_path: Path, names: tuple[str, ...]) -> None:
    code = "".join(f"def {name}(parcels):\n    return parcels\n\n\n" for name in names)
    view = opened(write(tmp_path / "root", {"parcels.py": code}), tmp_path / "cache")
    settings = Settings(root=view.state.root, cache_dir=view.state.root)
    text = "I would like some parcel of the three in the yard to get told whenever one of the others is on its way"
    found = {each.term: each for each in add_forms(query_of_text(text), view, settings).expansions}
    assert found.keys() >= {*names}
    assert ("listener" in found) == ("listener" in names)
    assert found["listeners"].base == ""
    view.close()
