"""The plug-in in the real llm, with a model that repeats its prompt. They need the package, and no network."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ctxpack.system.tokens import counter

pytestmark = [
    pytest.mark.skipif(find_spec("llm") is None, reason="needs the real llm: pip install llm"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),  # of llm's own
]
PROJECT = Path(__file__).parent.parent.parent
TASK = "fix the retry bug in the uploader"


@pytest.fixture
def loaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    monkeypatch.setenv("LLM_LOAD_PLUGINS", "")
    import llm
    from llm.plugins import pm

    from ctxpack.cli import llm_plugin

    is_new = not pm.is_registered(llm_plugin)
    if is_new:
        pm.register(llm_plugin, "ctxpack-under-test")
    yield llm.get_fragment_loaders()
    if is_new:
        pm.unregister(llm_plugin)


def test_one_fragment_a_piece_and_all_within_the_budget(loaders: dict[str, Any], demo: Path) -> None:
    found = loaders["ctxpack"](f"{TASK} --root {demo} -b 1500")
    sources = [each.source for each in found]
    assert sources[0] == "ctxpack: the request"
    assert any(each.startswith("processing/uploader.py:") for each in sources)
    assert len(set(sources)) == len(sources) > 3
    assert 0 < counter().count("\n".join(found)) <= 1_500
    assert "def send_with_retry" in "".join(found)
    assert [text for source, text in zip(sources, found, strict=True) if source.startswith("docs/")]


def test_other_commands_have_prefixes_of_their_own(loaders: dict[str, Any], demo: Path) -> None:
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Start")):
        subprocess.run(["git", *command], cwd=demo, check=True)
    (demo / "processing" / "queue.py").write_text("LIMIT = 7\n", encoding="utf-8")
    root = f"--root {demo}"
    assert "def may_be_retried" in "".join(loaders["ctxpack-file"](f"processing/uploader.py --line 40 {root}"))
    assert "processing/analytics.py" in "".join(loaders["ctxpack-component"](f"analytics {root}"))
    assert "+LIMIT = 7" in "".join(loaders["ctxpack-diff"](root))


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("", "Missing argument"),
        ("x --bogus", "No such option"),
        ("x --format html", "--format cannot be used in a fragment."),
        ("x -o file", "--output cannot be used in a fragment."),
        ("x --root nowhere", "There is no folder nowhere."),
        ("--help", "A fragment cannot print help."),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(
    loaders: dict[str, Any], argument: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=said):
        loaders["ctxpack"](argument)
    capsys.readouterr()


def test_apostrophes_are_letters_and_quotes_hold_words_together(loaders: dict[str, Any], demo: Path) -> None:
    head = loaders["ctxpack"](f'why don\'t uploads retry --root "{demo}"')[0]
    assert "why don't uploads retry" in head
    assert 'uploads are "counted' in loaders["ctxpack"](f'uploads are "counted --root={demo}')[0]


MODEL = """
import llm

class Echo(llm.Model):
    model_id = "repeat"
    can_stream = False
    def execute(self, prompt, stream, response, conversation):
        yield prompt.prompt

@llm.hookimpl
def register_models(register):
    register(Echo())
"""


def test_the_program_gets_the_pack_and_its_question(tmp_path: Path, demo: Path) -> None:
    """As a user calls it: both plug-ins are found by their entry points."""
    site = tmp_path / "site"
    for name, module, text in (("repeat", "llm_repeat", MODEL), ("ctxpack", "ctxpack.cli.llm_plugin", "")):
        info = site / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[llm]\n{name} = {module}\n", encoding="utf-8")
        if text:
            (site / f"{module}.py").write_text(text, encoding="utf-8")
    env = {
        **os.environ, "LLM_USER_PATH": str(tmp_path / "llm"), "PYTHONPATH": os.pathsep.join((str(site), str(PROJECT))),
    }  # fmt: skip
    env.pop("LLM_LOAD_PLUGINS", None)
    command = [sys.executable, "-m", "llm", "-m", "repeat", "-n", "-f", f"ctxpack:{TASK} -b 1500", "Write the fix."]
    done = subprocess.run(command, cwd=demo, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"# Context: {TASK}\n")
    assert "def send_with_retry" in done.stdout
    assert done.stdout.rstrip().endswith("Write the fix.")
    command[-2] = "ctxpack:x --bogus"
    done = subprocess.run(command, cwd=demo, env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "No such option" in done.stderr


def test_the_package_says_where_the_plug_in_is_and_it_loads_little() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["llm"] == {"ctxpack": "ctxpack.cli.llm_plugin"}
    code = "import llm, sys; old = set(sys.modules); import ctxpack.cli.llm_plugin; print(*set(sys.modules) - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name.partition(".")[0] for name in loaded} <= {"ctxpack", "typer"}  # Typer stands there to be loaded later
    assert {name.split(".")[1] for name in loaded if "." in name} <= {"cli", "light", "system"}
