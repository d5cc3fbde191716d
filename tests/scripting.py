"""Scripts of the project as modules."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from tests.conftest import PROJECT


def bench(name: str) -> ModuleType:
    """A script of ``scripts/bench``, loaded."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", PROJECT / "scripts" / "bench" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
