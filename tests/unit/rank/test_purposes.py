"""What a request is for moves the kinds of files that answer it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.model import Shape
from ctxpack.query.understand import Aim, query_of_text
from ctxpack.rank import rank
from ctxpack.rank.board import Board, Purpose
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.signals.texts import guide_chunks, overview_chunks, own_overviews
from ctxpack.rank.weights import COSTS, costs_for
from tests.indexing import opened, write

BODY = "".join(f"    run_{number} = start(run_{number})\n" for number in range(12))
FILES = {
    "app/starter.py": f"def start(first):\n{BODY}",
    "README.tests.md": "# Run\n\nInstall the tools, then run `make check`.\n",
    "noxfile.py": "def check(session):\n    session.run('pytest')\n",
    "docs/runs.md": "# Runs\n\nA run is kept for a day. Another run replaces it: run, then run again.\n",
}


def test_whoever_is_new_gets_first_what_says_how_to_build_and_test(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    paths = [file.path for file in view.files]

    def leads(text: str) -> dict[str, bool]:
        total = score_files(Board(query_of_text(text), view), Purpose.PACK).total.tolist()
        of = dict(zip(paths, total, strict=True))
        return {path: of[path] > of["docs/runs.md"] for path in ("README.tests.md", "noxfile.py")}

    assert leads("my first patch, what do I have to run") == {"README.tests.md": True, "noxfile.py": True}
    assert leads("how long is a run kept, and what replaces it") == {"README.tests.md": False, "noxfile.py": False}
    new = rank(query_of_text("my first patch, what do I have to run"), view, limit=9, purpose=Purpose.PACK)
    assert {"README.tests.md", "noxfile.py"} <= {each.file.path for each in new}


CLAUSES = "".join(f"def build_{number}(test):\n    return build(test, {number})\n\n" for number in range(9))
BUILT = {
    "README.md": "# Kit\n\nBuild it with `make`.\n",
    "clauses/build.py": CLAUSES,
    "examples/build/build.py": CLAUSES,
    "tests/test_build.py": CLAUSES,
    "tests/run.sh": "make build && make test\n",
    "scripts/build.py": CLAUSES,
    "main.py": CLAUSES,
    ".gitignore": "# what builds and tests leave\nout\n",
}


@pytest.mark.parametrize(
    ("text", "is_filler"),
    [
        ("I'm new, how do I build and test this", True),
        ("новичок в проекте, как собрать и запустить тесты", True),
        ("I'm new, how do I run the tests of a clause", False),
        ("how does build call test", False),
    ],
)
def test_code_that_is_called_build_does_not_tell_how_to_build(tmp_path: Path, text: str, *, is_filler: bool) -> None:
    view = opened(write(tmp_path / "root", BUILT), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs.tolist()
    filler = {file.path for file, cost in zip(view.files, costs, strict=True) if cost >= 10}
    product = {"clauses/build.py", "examples/build/build.py", "tests/test_build.py", ".gitignore"}
    assert filler == (product if is_filler else set())


def test_a_guide_for_an_older_version_is_no_way_in(tmp_path: Path) -> None:
    text = "# Contributing\n\nRun the tests.\n"
    guides = {f"docs/{version}/contributing.md": text for version in ("1.0", "2.0")}
    view = opened(write(tmp_path / "root", guides), tmp_path / "cache")
    costs = score_files(Board(query_of_text("how do I contribute"), view), Purpose.PACK).costs.tolist()
    of = {file.path: cost for file, cost in zip(view.files, costs, strict=True)}
    assert of["docs/2.0/contributing.md"] < 0 < of["docs/1.0/contributing.md"]


STORY = "# Story\n\nA request travels from the spider to the network: the request is sent, the spider waits.\n"
TOLD = {
    "docs/topics/security.md": STORY + "The network is not safe for a spider or a request.\n",
    "docs/topics/architecture.md": "# Parts\n\nThe engine hands a request on. See the picture.\n",
    "app/spider.py": f"def spider(request):\n{BODY}",
}


@pytest.mark.parametrize(
    ("text", "is_first"),
    [("how does a request travel from the spider to the network, what do I read first", True),
     ("is a request of the spider safe on the network", False)],
)  # fmt: skip
def test_how_the_parts_work_together_is_told_by_documents_on_the_structure(
    tmp_path: Path,
    text: str,
    is_first: bool,  # noqa: FBT001
) -> None:
    view = opened(write(tmp_path / "root", TOLD), tmp_path / "cache")
    total = score_files(Board(query_of_text(text), view), Purpose.PACK).total.tolist()
    of = dict(zip((file.path for file in view.files), total, strict=True))
    assert (of["docs/topics/architecture.md"] > of["docs/topics/security.md"]) is is_first


def test_what_a_build_wrote_beside_its_source_map_stands_behind_its_source(tmp_path: Path) -> None:
    body = "function join(channel) {\n  return channel.join()\n}\n"
    names = ("src/channel.js", "out/app.js", "out/app.mjs", "out/app.mjs.map", "lib/kit.js", "lib/kit.min.js.map")
    view = opened(write(tmp_path / "root", dict.fromkeys(names, body)), tmp_path / "cache")
    costs = score_files(Board(query_of_text("join a channel"), view), Purpose.PACK).costs.tolist()
    of = dict(zip((file.path for file in view.files), costs, strict=True))
    assert of["out/app.js"] == of["out/app.mjs"] > of["src/channel.js"] == of["lib/kit.js"]


def test_each_part_of_a_document_on_the_structure_gains(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", TOLD), tmp_path / "cache")
    for text, gains in (("how does a request travel, what do I read first", True), ("is a request safe", False)):
        scores = overview_chunks(Board(query_of_text(text), view))
        files = {view.files[int(view.postings.chunk_file[number])].path for number in scores.numbers}
        assert files == ({"docs/topics/architecture.md"} if gains else set())


def test_of_a_guide_only_the_sections_on_the_structure_gain(tmp_path: Path) -> None:
    guide = "# Contributing\n\n## Pull requests\n\n{0}\n## Project structure\n\n{0}\n### app\n\n{0}".format(
        "A line.\n" * 20
    )
    files = {**TOLD, "CONTRIBUTING.md": guide, "AGENTS.md": "# Agents\n\n## Commits\n\nKeep them small.\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    board = Board(query_of_text("how does a request travel, what do I read first"), view)
    chunks = map(view.postings.chunk, overview_chunks(board).numbers.tolist())
    assert {each.heading[1] for each in chunks if each.heading[0] == "Contributing"} == {"Project structure"}
    assert {view.files[each].path for each in view.files.derive(own_overviews)} == {"docs/topics/architecture.md"}


def test_guides_for_contributors_gain_where_somebody_wants_to_build_or_contribute(tmp_path: Path) -> None:
    files = {"docs/CONTRIBUTING.md": "# Style\n\nTwo blanks.\n", "docs/testing.md": "# Testing\n\nHow to test.\n"}
    files |= {"examples/CONTRIBUTING.md": "# Style\n", "app/run.py": "def run():\n    pass\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    for text, gains in (("new here, how do I run the tests", True), ("where is run defined", False)):
        scores = guide_chunks(Board(query_of_text(text), view))
        guides = {view.files[int(view.postings.chunk_file[number])].path for number in scores.numbers}
        assert guides == ({"docs/CONTRIBUTING.md"} if gains else set())


def test_where_in_the_code_is_no_question_for_a_page(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", TOLD), tmp_path / "cache")

    def costs(text: str) -> list[float]:
        found: list[float] = score_files(Board(query_of_text(text), view), Purpose.PACK).costs.tolist()
        return found

    asked = zip(costs("where is a request sent"), costs("where in the code is a request sent"), view.files, strict=True)
    assert {(file.kind.is_document, after - before) for before, after, file in asked} == {(True, 3.0), (False, 0.0)}


@pytest.mark.parametrize("aim", [Aim.EXPLAIN, Aim.HOW_TO, Aim.WHERE])
def test_a_question_costs_tests_points_but_not_in_a_review(aim: Aim) -> None:
    costs = COSTS[Purpose.PACK, Shape.QUESTION]
    assert costs_for(costs, frozenset({aim})).tests > costs.tests
    assert costs_for(costs, frozenset({aim, Aim.REVIEW})).tests < costs.tests


@pytest.mark.parametrize("aim", [Aim.CHANGE, Aim.EVERYWHERE])
def test_pages_lose_points_where_something_is_to_be_changed_unless_they_may_tell_how(aim: Aim) -> None:
    costs = COSTS[Purpose.PACK, Shape.ISSUE]
    assert costs_for(costs, frozenset({aim})).docs > costs.docs
    assert costs_for(costs, frozenset({aim, Aim.HOW_TO})) == costs_for(costs, frozenset({Aim.HOW_TO}))


def test_code_stands_behind_guides_for_whoever_is_new() -> None:
    costs = COSTS[Purpose.PACK, Shape.QUESTION]
    new = costs_for(costs, frozenset({Aim.ONBOARD}))
    assert new.code > new.docs
    assert new.code > costs.code


SHEET = ".post-kind {\n  margin: 1px;\n}\n\n.post-kind .post {\n  padding: 2px;\n}\n"
SITE = {f"posts/kind_{number}.py": f"def post_kind_{number}(post):\n{BODY}" for number in range(4)}


@pytest.mark.parametrize(
    ("text", "files", "is_lower"),
    [
        ("add a kind of post", SITE, True),
        ("the padding of a kind of post", SITE, False),
        ("add a kind of post", {"posts/kind_0.py": SITE["posts/kind_0.py"]}, False),  # a project of style sheets
    ],
)
def test_style_sheets_answer_what_is_about_the_look(
    tmp_path: Path, text: str, files: dict[str, str], *, is_lower: bool
) -> None:
    view = opened(write(tmp_path / "root", {**files, "static/posts.css": SHEET}), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    assert (float(costs[view.files.numbers["static/posts.css"]]) > 0) is is_lower


@pytest.mark.parametrize(
    ("text", "code", "is_lower"),
    [
        ("explain how hooks run in a plugin", "lib/hooks.js", True),
        ("why does a hook of the plugin not run", "lib/hooks.js", True),
        ("which type does a hook have", "lib/hooks.js", False),
        ("add a hook that runs before the plugin", "lib/hooks.js", False),
        ("explain how hooks run in a plugin", "lib/plugin.js", False),  # nothing else tells of them
    ],
)
def test_declarations_stand_back_behind_the_code_that_they_declare(
    tmp_path: Path, text: str, code: str, *, is_lower: bool
) -> None:
    files = {
        code: "function runHooks(plugin) {}\n",
        "types/hooks.d.ts": "declare function runHooks(plugin: Plugin): void;\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    assert (float(costs[view.files.numbers["types/hooks.d.ts"]]) > float(costs[view.files.numbers[code]])) is is_lower
    view.close()


@pytest.mark.parametrize(
    ("text", "is_lower"),
    [
        ("how can i cap the speed of an upload", True),
        ("where is an upload started in the ci", False),
        ("how do i run the tests for an upload", False),
        ("cloned the repo, how do i build and test it", False),
    ],
)
def test_what_runs_the_checks_stands_back_unless_a_request_is_about_it(
    tmp_path: Path, text: str, *, is_lower: bool
) -> None:
    files = {
        ".github/workflows/build.yml": "on: push\njobs:\n  build:\n    steps:\n      - uses: actions/upload\n",
        "settings.yml": "upload: true\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    lower, other = (float(costs[view.files.numbers[path]]) for path in files)
    assert (lower > other) is is_lower
    view.close()


@pytest.mark.parametrize(
    ("text", "is_lower"),
    [
        ("explain how only the owner releases the lock", True),
        ("how does the sync client release the lock", True),
        ("release the lock when the owner is gone", True),
        ("how is the lock released after an await", False),
        ("как асинхронный клиент освобождает lock", False),
        ("fix the lock that is released twice", False),
    ],
)
def test_asynchronous_twins_stand_back_unless_a_request_is_about_them_or_a_change(
    tmp_path: Path, text: str, *, is_lower: bool
) -> None:
    paths = ("client/asyncio/lock.py", "client/lock.py", "client/asyncio/loop.py", "client/config.py")
    view = opened(write(tmp_path / "root", dict.fromkeys(paths, "class Lock:\n    pass\n")), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    lower, *others = (float(costs[view.files.numbers[path]]) for path in paths)
    assert (lower > max(others)) is is_lower
    assert len(set(others)) == 1
    view.close()


@pytest.mark.parametrize(
    ("text", "is_lower"),
    [
        ("how does the text of a search match", True),
        ("why is the text of my notes ignored", False),
        ("which text files have other line endings", False),
        ("какой текст попадает в репозиторий", False),
    ],
)
def test_lists_of_paths_stand_back_unless_a_request_is_about_what_is_left_out(
    tmp_path: Path, text: str, *, is_lower: bool
) -> None:
    files = {".gitattributes": "* text=auto\n*.txt text eol=lf\n", "settings.toml": "text = true\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    lower, other = (float(costs[view.files.numbers[path]]) for path in files)
    assert (lower > other) is is_lower
    view.close()


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("where is the memory read on linux", {"win32/memory.c", "lib/memory_darwin.go"}),
        ("the memory bar is wrong, on my mac", {"linux/memory.c", "win32/memory.c"}),
        ("the bar is wrong in lxc containers", {"win32/memory.c", "lib/memory_darwin.go"}),
        ("память на линуксе", {"win32/memory.c", "lib/memory_darwin.go"}),
        ("memory is read twice on windows, not on linux", {"lib/memory_darwin.go"}),
        ("where is the memory of all windows read", set[str]()),
    ],
)
def test_code_for_other_systems_stands_back_where_a_request_names_one(
    tmp_path: Path, text: str, behind: set[str]
) -> None:
    paths = ("linux/memory.c", "win32/memory.c", "lib/memory_darwin.go", "lib/memory.c")
    view = opened(write(tmp_path / "root", dict.fromkeys(paths, "int memory;\n")), tmp_path / "cache")
    costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
    assert {path for path in paths if float(costs[view.files.numbers[path]]) > 0} == behind
    view.close()


def test_a_folder_called_like_a_system_is_no_other_where_no_system_has_its_own(tmp_path: Path) -> None:
    files = dict.fromkeys(("ui/windows/memory.c", "lib/memory.c"), "int memory;\n")
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    assert not score_files(Board(query_of_text("memory on linux"), view), Purpose.PACK).costs.any()
    view.close()


def test_what_agents_are_told_stands_back_unless_one_speaks_of_them(tmp_path: Path) -> None:
    skill = "# Add a site\n\nWhat a new site needs.\n"
    files = {".claude/skills/add-site/SKILL.md": skill, "docs/site.md": skill}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    asked = (
        ("what does a new site need", True),
        ("name of a site по шаблону, без правки кода", True),  # a pattern, and nothing to propose
        ("which skills tell of a new site", False),
        ("шаблон of a new site", False),
    )
    for text, is_lower in asked:
        costs = score_files(Board(query_of_text(text), view), Purpose.PACK).costs
        lower, other = (float(costs[view.files.numbers[path]]) for path in files)
        assert (lower > other) is is_lower
    view.close()


@pytest.mark.parametrize(
    "name", ["CONTRIBUTORS.txt", "AUTHORS", "Authors.md", "LICENSE-MIT", "THANKS", "FUNDING.yml", "CODE_OF_CONDUCT.md"]
)
def test_who_helped_and_under_which_licence_stands_behind_what_the_project_does(tmp_path: Path, name: str) -> None:
    names = "Import Worker, Task Module, Unknown Sender, Message Queue\n"
    files = {name: names, "docs/tasks.md": "# Tasks\n\nThe module of a task.\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    (first, *_) = rank(query_of_text("unknown worker of a task module, message in the queue"), view, limit=9)
    assert first.file.path == "docs/tasks.md"
    view.close()


def test_a_form_for_issues_stands_back_unless_one_asks_how_to_report(tmp_path: Path) -> None:
    form = "# New site\n\nWhich site shall be supported?\n"
    files = {".github/ISSUE_TEMPLATE/site.md": form, "docs/site.md": form, "app/site.py": "def site():\n    return 1\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    paths = [file.path for file in view.files]

    def extra(text: str) -> float:
        costs = dict(
            zip(paths, score_files(Board(query_of_text(text), view), Purpose.PACK).costs.tolist(), strict=True)
        )
        return float(costs[".github/ISSUE_TEMPLATE/site.md"] - costs["docs/site.md"])

    assert extra("how do I support a new site") == COSTS[Purpose.PACK, Shape.QUESTION].record
    assert extra("where do I report an issue with a site") == 0
    view.close()
