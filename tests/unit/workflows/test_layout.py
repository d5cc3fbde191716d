"""The folders of a repository, each with its purpose."""

from __future__ import annotations

from pathlib import Path

from ctxpack.workflows.layout import Sources, layout
from tests.indexing import Files, opened, write


def found_layout(tmp_path: Path, files: Files) -> dict[str, str]:
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = dict(layout(Sources(view)))
    view.close()
    return found


def test_folders_that_only_hold_another_are_one_row(tmp_path: Path) -> None:
    home = "src/main/java/org/acme/samples/shop"
    files = {f"{home}/cart/Cart.java": "class Cart {}\n", f"{home}/order/Order.java": "class Order {}\n"}
    files |= {"src/main/resources/app.properties": "a=b\n", "gradle/wrapper/wrapper.properties": "a=b\n"}
    found = found_layout(tmp_path, files)
    assert found[f"{home}/"] == "`order/`, `cart/`"
    assert found["gradle/wrapper/"] == "`wrapper.properties`"
    assert "gradle/" not in found


def test_a_package_is_not_for_development_by_its_name(tmp_path: Path) -> None:
    files = {f"app/{name}/{part}.py": "x = 1\n" for name in ("script", "core") for part in ("__init__", "base")}
    found = found_layout(
        tmp_path, {**files, "app/__init__.py": "", "scripts/__init__.py": "", "scripts/run.py": "x = 1\n"}
    )
    assert found["app/script/"] == "`base.py`"
    assert found["scripts/"].startswith("scripts for development")


def test_folders_with_the_same_files_are_not_the_main_one(tmp_path: Path) -> None:
    tables = {f"runtime/queries/{each}/highlights.py": "x = 1\n" for each in "abcdefghijkl"}
    code = {f"editor/{part}/{name}.py": "x = 1\n" for part in ("view", "core") for name in ("one", "two")}
    found = found_layout(tmp_path, {**tables, **code})
    assert "editor/core/" in found
    assert not any(name.startswith("runtime/queries/a") for name in found)


def test_a_sentence_goes_on_in_the_next_line(tmp_path: Path) -> None:
    files = {
        "mails/mails.go": "// Package mails sends common\n// emails. It has templates.\npackage mails\n",
        "events/__init__.py": '"""Events that tell of\nchanges. More.\n"""\n',
        "short/__init__.py": '"""What is short."""\nfrom x import y\n',
        "crates/src/lib.rs": "//! Crates of\n//! all sorts\n\nfn main() {}\n",
    }
    found = found_layout(tmp_path, files)
    assert found["mails/"] == "Package mails sends common emails"
    assert found["events/"] == "Events that tell of changes"
    assert found["short/"] == "What is short"
    assert "Crates of all sorts" in found.values()


def test_a_sentence_goes_on_behind_what_is_short_for_something(tmp_path: Path) -> None:
    files = {"store/__init__.py": '"""A small (i.e. unfinished) store. More."""\n', "store/a.py": "x = 1\n"}
    assert found_layout(tmp_path, files)["store/"] == "A small (i.e. unfinished) store"


def test_a_readme_that_only_leads_to_a_list_tells_no_purpose_and_its_links_are_read_as_text(tmp_path: Path) -> None:
    files = {
        "sorting/README.md": "# Sorting\n\nThis project provides the following:\n\n- Letters\n",
        "limits/README.md": "# Limits\n\nWraps the [.NET Rate Limiting](https://example.org/a) APIs. More.\n",
        "samples/README.md": "# Samples\n\n[One](one.py) [Two](two.py)\n",
        "src/app.py": "x = 1\n",
    }
    found = found_layout(tmp_path, files)
    assert found["sorting/"] == "`README.md`"
    assert found["limits/"] == "Wraps the .NET Rate Limiting APIs"
    assert "One" not in found["samples/"]


def test_only_go_has_its_programs_in_cmd(tmp_path: Path) -> None:
    for ending, text, said in (("go", "package main\n", "programs"), ("rs", "fn set() {}\n", "`set.rs`, `get.rs`")):
        files = {f"cmd/{name}.{ending}": text for name in ("get", "set")} | {f"core/a.{ending}": text}
        files[f"cmd/set.{ending}"] += text
        assert found_layout(tmp_path / ending, files)["cmd/"].startswith(said)


def test_a_module_of_maven_is_for_what_its_name_says(tmp_path: Path) -> None:
    pom = "<project>\n    <parent><artifactId>shop</artifactId></parent>\n    <name>{}</name>\n</project>\n"
    files = {
        "api/pom.xml": pom.format("The interfaces of the shop"),
        "core/pom.xml": pom.format("${project.artifactId}"),
    } | {f"{name}/src/main/java/a/{name}.java": f"class {name} {{}}\n" for name in ("api", "core")}
    found = found_layout(tmp_path, files)
    assert found["api/"] == "The interfaces of the shop"
    assert "artifactId" not in str(found)


def test_what_a_crate_takes_from_its_workspace_is_no_purpose(tmp_path: Path) -> None:
    manifest = '[package]\nname = "{}"\n{}\n'
    files = {
        "crates/dump/Cargo.toml": manifest.format("dump", "description.workspace = true"),
        "crates/tool/Cargo.toml": manifest.format("tool", 'description = "Edits a database"'),
    } | {f"crates/{name}/src/main.rs": "fn main() {}\n" for name in ("dump", "tool")}
    found = found_layout(tmp_path, files)
    assert found["crates/tool/"] == "Edits a database"
    assert "workspace" not in str(found.get("crates/dump/"))
