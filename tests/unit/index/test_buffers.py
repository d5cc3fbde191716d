"""Unsaved texts over an index."""

from __future__ import annotations

from pathlib import Path

from ctxpack.index.buffers import with_buffers
from ctxpack.index.view import IndexView
from ctxpack.model import Kind
from ctxpack.settings import Settings
from tests.indexing import as_lines, ask, commit, opened, snapshot, write

FILES = {
    "shop/cart.py": "from shop.prices import total\n\n\ndef price():\n    return total()\n",
    "shop/prices.py": "def total():\n    return 1\n",
    "shop/taxes.py": "def tax():\n    return 2\n",
    "README.md": "# Shop\n",
}
EDITED = "from shop.taxes import tax\n\n\ndef price_with_zebra():\n    return tax()\n"


def buffered(root: Path, cache: Path, buffers: dict[str, str]) -> IndexView:
    return with_buffers(opened(root, cache), Settings(root=root, cache_dir=cache, buffers=buffers))


def test_an_edited_file_reads_as_in_the_editor_and_nothing_is_recorded(tmp_path: Path) -> None:
    root, cache = tmp_path / "shop", tmp_path / "cache"
    commit(root, FILES)
    before = snapshot(opened(root, cache), ["price"])
    view = buffered(root, cache, {"shop/cart.py": EDITED})
    assert view.files.text("shop/cart.py") == EDITED
    assert [each.name for each in view.files.exact("shop/cart.py").symbols] == ["price_with_zebra"]
    assert view.graph.imports("shop/cart.py") == ("shop/taxes.py",)
    assert view.graph.importers("shop/prices.py") == ()
    assert ask("zebra", view)[0].file.path == "shop/cart.py"
    assert view.state.dirty
    file = view.files.get("shop/cart.py")
    assert file is not None
    assert (file.dirty, file.kind, file.size) == (True, Kind.CODE, len(EDITED))
    view.close()
    assert snapshot(opened(root, cache), ["price"]) == before


def test_a_buffer_answers_as_the_same_text_on_disk_would(tmp_path: Path) -> None:
    root, cache = tmp_path / "shop", tmp_path / "cache"
    commit(root, FILES)
    view = buffered(root, cache, {"shop/cart.py": EDITED, "shop/new.py": "import shop.cart\n\n\ndef fresh(): ...\n"})
    other = tmp_path / "other" / "shop"
    commit(other, FILES)
    write(other, {"shop/cart.py": EDITED, "shop/new.py": "import shop.cart\n\n\ndef fresh(): ...\n"})
    saved = opened(other, tmp_path / "cache-2")
    assert [each.path for each in view.files] == [each.path for each in saved.files]
    assert [each.blob for each in view.files] == [each.blob for each in saved.files]
    requests = ["price with zebra", "fresh", "tax"]
    for key in ("vocabulary", "lines", "chunks", "terms", "imports"):
        assert snapshot(view, requests)[key] == snapshot(saved, requests)[key], key
    assert as_lines(ask("fresh", view)) == as_lines(ask("fresh", saved))


def test_a_buffer_imports_a_package_by_its_name(tmp_path: Path) -> None:
    root, cache = tmp_path / "shop", tmp_path / "cache"
    package = {"till/package.json": '{"name": "@shop/till"}\n', "till/index.ts": "export function pay() {}\n"}
    commit(root, package | {"app/a.ts": "export const x = 1;\n"})
    view = buffered(root, cache, {"app/a.ts": "import { pay } from '@shop/till';\n"})
    assert view.graph.importers("till/index.ts") == ("app/a.ts",)
    view.close()


def test_a_file_that_is_not_read_is_read_from_its_buffer(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", FILES | {"big.py": b"\0\1\2"})
    view = buffered(root, tmp_path / "cache", {"big.py": "def readable(): ...\n", "empty.py": ""})
    assert "big.py" not in [each.path for each in view.skipped]
    assert [each.name for each in view.files.exact("big.py").symbols] == ["readable"]
    assert view.files.all_lines("empty.py") == []


def test_without_buffers_the_view_is_the_same(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", FILES)
    view = opened(root, tmp_path / "cache")
    assert with_buffers(view, Settings(root=root, cache_dir=tmp_path / "cache")) is view
