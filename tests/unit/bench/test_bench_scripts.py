"""What the benchmark scripts read and print."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts" / "bench"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


relevance, speed, startup = (script(name) for name in ("relevance", "speed", "startup"))


def test_a_setting_is_a_key_and_a_value() -> None:
    assert relevance.setting("use_typos=false") == ("use_typos", "false")
    assert relevance.setting("synonyms=a=b") == ("synonyms", "a=b")
    with pytest.raises(argparse.ArgumentTypeError, match="KEY=VALUE"):
        relevance.setting("use_typos")


def test_a_row_of_the_speed_table() -> None:
    runs = [speed.Run(wall, cpu, 50, 1234, status) for wall, cpu, status in ((3, 2, 0), (1, 1.5, 0), (2, 9, 1))]
    assert speed.row("x", runs) == ("x", "3", "2.00 (1.00-3.00)", "1.50", "50", "1,234", "exit 1")
    assert speed.megabytes(5_000_000, "darwin") == 5
    assert speed.megabytes(5_000, "linux") == 5
    assert speed.table([("a", "n"), ("bb", "10")]) == "a    n\nbb  10"


def test_import_times_are_read_and_the_least_kept() -> None:
    one = "import time: self [us] | cumulative | imported package\nimport time:       500 |        900 |   a.b\n"
    two = "import time:       300 |        900 |   a.b\nimport time:       400 |        400 | c\n"
    assert startup.import_times(one) == {"a.b": 500}
    assert startup.slowest([one, two], 5) == [("c", 400), ("a.b", 300)]
    assert startup.heavy(["numpy.linalg", "json"]) == ["numpy"]


@pytest.mark.parametrize("name", ["ablation", "baseline", "reading", "relevance", "speed", "startup"])
def test_help_is_there(name: str) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPTS / f"{name}.py", "--help"], capture_output=True, text=True, check=True
    )
    assert "Standard library" in done.stdout
