"""What continuous integration runs for others: the action, the hooks and the examples, run as they are written."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ctxpack.model.formats import FORMAT_NAMES
from tests.conftest import MakeRepository
from tests.pages import read_page

PROJECT = Path(__file__).parent.parent.parent
SCRIPT = PROJECT / "scripts" / "pull_request.py"
SCHEMAS = {
    "action.yml": "vendor.github-actions",
    "examples/github.yml": "vendor.github-workflows",
    "examples/gitlab.yml": "vendor.gitlab-ci",
}
FILES = {
    "upload.py": "def retry_delay(attempt):\n    return 2 * attempt\n",
    "ctxpack.toml": '[[context]]\npath = "AGENTS.md"\nbudget = "2k"\n',
    "README.md": "# Shop\n\nSends orders.\n",
    "Makefile": "test:\n\tpytest -q\n",
}


def yaml_of(path: str) -> Any:  # noqa: ANN401 - whatever a file holds
    yaml = pytest.importorskip("ruamel.yaml", reason="needs a reader of YAML: pip install check-jsonschema")
    return yaml.YAML(typ="safe").load(PROJECT / path)


@pytest.mark.parametrize("path", SCHEMAS)
def test_a_workflow_file_is_what_its_schema_says(path: str) -> None:
    pytest.importorskip("check_jsonschema", reason="needs the schemas: pip install check-jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", SCHEMAS[path], str(PROJECT / path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_file_of_hooks_is_what_pre_commit_reads(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit", reason="needs what reads the file: pip install pre-commit")
    env = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")}

    def check(path: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(path)]
        return subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = check(PROJECT / ".pre-commit-hooks.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    text = (PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text(text.replace("language: python", "language: pythno"), encoding="utf-8")
    assert check(tmp_path / "wrong.yaml").returncode == 1


def test_the_action_puts_no_input_into_a_script() -> None:
    for step in yaml_of("action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"
    inputs = yaml_of("action.yml")["inputs"]
    text = (PROJECT / "action.yml").read_text(encoding="utf-8")
    assert [name for name in inputs if f"inputs.{name}" not in text] == []
    installing = [step for step in yaml_of("action.yml")["runs"]["steps"] if step.get("id") == "install"]
    assert [step["run"].count("$GITHUB_OUTPUT") for step in installing] == [1]
    assert "GITHUB_ENV" not in text  # what all later steps of a job would get
    for step in yaml_of("action.yml")["runs"]["steps"]:
        if "$PYTHON_OF_CTXPACK" in step.get("run", ""):
            assert step["env"]["PYTHON_OF_CTXPACK"] == "${{ steps.install.outputs.python }}"
    used = yaml_of("examples/github.yml")["jobs"]["context"]["steps"][1]["with"]
    assert set(used) <= set(inputs)


@pytest.fixture
def program(tmp_path: Path, warm_cache: None) -> dict[str, str]:  # noqa: ARG001 - a fixture
    """The environment of a machine where ctxpack is installed: a program of that name is on the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ctxpack").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ctxpack "$@"\n', encoding="utf-8")
    (folder / "ctxpack").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHON_OF_CTXPACK": sys.executable}


def run_line(line: str, root: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-euc", line], cwd=root, env=dict(env), capture_output=True, text=True, check=False)


def commit(root: Path, message: str) -> str:
    for arguments in (("add", "-A"), ("commit", "-q", "-m", message)):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def changed(repository: MakeRepository) -> tuple[Path, str, str]:
    """A repository with a change, and the commits before and after it."""
    root = repository(FILES)
    base = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()
    (root / "upload.py").write_text("def retry_delay(attempt):\n    return 2**attempt\n", encoding="utf-8")
    return root, base, commit(root, "Wait twice as long")


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs the lines of the files in bash")


def test_the_hooks_update_and_check_the_files_of_agents(
    changed: tuple[Path, str, str], program: dict[str, str]
) -> None:
    update, check = yaml_of(".pre-commit-hooks.yaml")
    assert {(each["language"], each["pass_filenames"], each["always_run"]) for each in (update, check)} == {
        ("python", False, True)
    }
    root, *_ = changed
    before = run_line(check["entry"], root, program)
    assert (before.returncode, "+++ b/AGENTS.md" in before.stdout) == (1, True)
    assert not (root / "AGENTS.md").exists()
    assert run_line(update["entry"], root, program).returncode == 0
    assert (
        "pytest -q" in (root / "AGENTS.md").read_text(encoding="utf-8")
        or "make test" in (root / "AGENTS.md").read_text()
    )
    assert run_line(check["entry"], root, program).returncode == 0


def test_the_lines_of_the_gitlab_job_do_what_they_say(changed: tuple[Path, str, str], program: dict[str, str]) -> None:
    job = yaml_of("examples/gitlab.yml")["context"]
    root, base, head = changed
    env = {**program, "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_COMMIT_SHA": head}
    *packs, check = job["script"]
    for line in packs:
        done = run_line(line, root, env)
        assert done.returncode == 0, done.stderr
    assert run_line(check, root, env).returncode == 1
    assert "2**attempt" in (root / "context.md").read_text(encoding="utf-8")
    assert read_page((root / "context.html").read_text(encoding="utf-8")).all(class_="piece")
    assert set(job["artifacts"]["paths"]) == {"context.md", "context.html"}
    assert job["artifacts"]["when"] == "always"


@dataclass
class Forge:
    """GitHub's comments of one pull request, as far as the script asks for them."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    status: int = 200
    address: str = ""


@pytest.fixture
def forge() -> Iterator[Forge]:
    state = Forge()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def answer(self, value: object) -> None:
            data = json.dumps(value).encode()
            self.send_response(state.status)
            self.end_headers()
            self.wfile.write(data)

        def body(self) -> dict[str, Any]:
            return dict(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def note(self) -> None:
            assert self.headers["Authorization"] == "Bearer secret"
            state.asked.append((self.command, self.path.partition("?")[0]))

        def do_GET(self) -> None:
            self.note()
            page = int(self.path.rpartition("=")[2])
            self.answer(state.comments[100 * (page - 1) : 100 * page])

        def do_POST(self) -> None:
            self.note()
            if state.status == 200:
                state.comments.append({"id": 900 + len(state.comments), **self.body()})
            self.answer({})

        def do_PATCH(self) -> None:
            self.note()
            (its,) = [each for each in state.comments if each["id"] == int(self.path.rpartition("/")[2])]
            its.update(self.body())
            self.answer({})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.address = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()


@dataclass
class Runner:
    """What GitHub's runner gives to a step, and what the step left behind."""

    root: Path
    env: dict[str, str]

    def run(self, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the step of action.yml that packs."""
        step = next(each for each in yaml_of("action.yml")["runs"]["steps"] if each.get("id") == "context")
        return run_line(step["run"], self.root, {**self.env, **env})

    def text(self, name: str) -> str:
        """What the step wrote into a file that the runner reads."""
        place = Path(self.env[name])
        return place.read_text(encoding="utf-8") if place.exists() else ""


@pytest.fixture
def runner(changed: tuple[Path, str, str], program: dict[str, str], tmp_path: Path, forge: Forge) -> Runner:
    root, base, head = changed
    event = tmp_path / "event.json"
    pull = {"number": 7, "base": {"sha": base}, "head": {"sha": head}}
    event.write_text(json.dumps({"pull_request": pull}), encoding="utf-8")
    (tmp_path / "temp").mkdir()
    env = {
        **program,
        "GITHUB_EVENT_PATH": str(event), "GITHUB_ACTION_PATH": str(PROJECT), "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_API_URL": forge.address, "GITHUB_REPOSITORY": "owner/shop", "TOKEN": "secret",
        "ROOT": ".", "BUDGET": "4k", "FORMAT": "markdown", "COMMENT": "false",
    }  # fmt: skip
    return Runner(root, env)


def test_a_pull_request_is_packed_into_a_file(runner: Runner, forge: Forge) -> None:
    done = runner.run()
    assert done.returncode == 0, done.stderr
    report = Path(runner.text("GITHUB_OUTPUT").strip().removeprefix("report="))
    assert report.name == "context.md"
    assert "2**attempt" in report.read_text(encoding="utf-8")
    assert " of 4,000 tokens (o200k_base)" in runner.text("GITHUB_STEP_SUMMARY")
    assert forge.asked == []


def test_a_comment_is_written_once_and_then_kept_up_to_date(runner: Runner, forge: Forge) -> None:
    forge.comments += [{"id": number, "body": "Looks good."} for number in range(130)]
    for _ in range(2):
        assert runner.run(COMMENT="true").returncode == 0
    assert len(forge.comments) == 131
    text = forge.comments[-1]["body"]
    assert text.startswith("<!-- ctxpack:")
    assert "2**attempt" in text
    methods = [method for method, _ in forge.asked]
    assert methods == ["GET", "GET", "GET", "POST", "GET", "GET", "PATCH"]
    assert {path for _, path in forge.asked[:4]} == {"/repos/owner/shop/issues/7/comments"}


def test_a_page_is_no_comment(runner: Runner, forge: Forge) -> None:
    assert runner.run(COMMENT="true", FORMAT="html").returncode == 0
    assert "report=" in runner.text("GITHUB_OUTPUT")
    assert runner.text("GITHUB_OUTPUT").strip().endswith("context.html")
    assert "artefact" in forge.comments[0]["body"]


def test_a_comment_that_may_not_be_written_is_a_warning(runner: Runner, forge: Forge) -> None:
    forge.status = 403
    done = runner.run(COMMENT="true")
    assert done.returncode == 0
    assert "::warning::The comment could not be written: HTTP Error 403" in done.stdout


def test_a_run_without_a_pull_request_packs_nothing(runner: Runner) -> None:
    Path(runner.env["GITHUB_EVENT_PATH"]).write_text(json.dumps({"ref": "main"}), encoding="utf-8")
    done = runner.run()
    assert (done.returncode, runner.text("GITHUB_OUTPUT")) == (0, "")
    assert "nothing was packed" in done.stdout


def test_what_ctxpack_refuses_fails_the_step_and_says_why(runner: Runner) -> None:
    done = runner.run(BUDGET="many")
    assert (done.returncode, runner.text("GITHUB_OUTPUT")) == (2, "")
    assert "Error:" in done.stdout


def test_the_check_of_the_action_fails_where_a_file_is_out_of_date(runner: Runner) -> None:
    step = next(each for each in yaml_of("action.yml")["runs"]["steps"] if "refresh" in each.get("run", ""))
    assert run_line(step["run"], runner.root, runner.env).returncode == 1


def test_every_format_has_a_suffix_and_a_long_comment_names_the_artefact(tmp_path: Path) -> None:
    script = runpy.run_path(str(SCRIPT))
    assert set(script["SUFFIXES"]) == {each for each in FORMAT_NAMES if not each.startswith("markdown")}
    report = tmp_path / "context.md"
    report.write_text("x" * 60_001, encoding="utf-8")
    assert "artefact" in script["comment_of"](report, "markdown")
    report.write_text("# Context\n", encoding="utf-8")
    assert "# Context" in script["comment_of"](report, "markdown-compact")


def test_the_page_about_ci_names_what_there_is() -> None:
    page = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
    inputs = yaml_of("action.yml")["inputs"]
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|", page, re.MULTILINE)
    named = [name for names, _ in rows for name in re.findall(r"`([\w-]+)`", names)]
    assert named == list(inputs)
    defaults = [value for _, values in rows for value in re.findall(r"`(.+?)`", values)]
    assert defaults == [its["default"] for name, its in inputs.items() if name != "token"]
    hooks = {each["id"] for each in yaml_of(".pre-commit-hooks.yaml")}
    assert set(re.findall(r"ctxpack-refresh[\w-]*", page)) == hooks


def test_the_lines_for_other_machines_run(changed: tuple[Path, str, str], program: dict[str, str]) -> None:
    root, base, _ = changed
    page = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```sh\n(.+?)```", page, re.DOTALL)
    subprocess.run(["git", "branch", "-q", "origin/main", base], cwd=root, check=True)
    found = [run_line(line, root, program).returncode for line in lines.splitlines()]
    assert found == [1, 0, 0]
