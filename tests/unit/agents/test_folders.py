"""Which folders the server reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ctxpack.agents.folders import choose_folder, default_roots, folders_of, read_roots
from ctxpack.errors import UsageError


@pytest.fixture
def places(tmp_path: Path) -> Path:
    for name in ("one/inner", "two", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "one" / ".git").mkdir()
    return tmp_path.resolve()


def test_the_only_root_needs_no_name_and_several_do(places: Path) -> None:
    one, two = places / "one", places / "two"
    assert choose_folder("", [one]) == one
    with pytest.raises(UsageError, match="Several folders") as caught:
        choose_folder("", [one, two])
    assert str(two) in caught.value.hint


def test_a_folder_inside_a_root_is_read_and_another_is_not(places: Path) -> None:
    roots = [places / "one", places / "two"]
    assert choose_folder(str(places / "one" / "inner"), roots) == places / "one" / "inner"
    assert choose_folder("inner", roots) == places / "one" / "inner"
    for written in (str(places / "other"), "../other", str(places), "/"):
        with pytest.raises(UsageError, match="not in a folder that may be read"):
            choose_folder(written, roots)
    with pytest.raises(UsageError, match="There is no folder"):
        choose_folder("missing", roots)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_does_not_lead_out(places: Path) -> None:
    (places / "one" / "way").symlink_to(places / "other")
    with pytest.raises(UsageError, match="not in a folder that may be read"):
        choose_folder("way", [places / "one"])


def test_without_roots_the_server_says_how_it_is_started() -> None:
    with pytest.raises(UsageError, match="No folder may be read") as caught:
        choose_folder("", [])
    assert "ctxpack mcp --root" in caught.value.hint


def test_the_default_is_the_repository_around_but_never_a_home_or_a_whole_disk(places: Path) -> None:
    home = places / "home"
    assert default_roots(places / "one" / "inner", home, {}) == (places / "one",)
    assert default_roots(places / "two", home, {}) == (places / "two",)
    assert default_roots(places / "two", places / "two", {}) == ()
    assert default_roots(Path(places.anchor), home, {}) == ()


def test_an_agent_may_name_the_project_and_a_plug_in_is_none(places: Path) -> None:
    home, named = places / "home", {"CLAUDE_PROJECT_DIR": str(places / "one")}
    assert default_roots(places / "two", home, named) == (places / "one",)
    assert default_roots(places / "two", home, {"CLAUDE_PROJECT_DIR": str(places / "missing")}) == (places / "two",)
    plugin = {"PLUGIN_ROOT": str(places / "one")}
    assert default_roots(places / "one" / "inner", home, plugin) == ()
    assert default_roots(places / "one" / "inner", home, {**plugin, **named}) == (places / "one",)


def test_roots_are_folders_that_exist(places: Path) -> None:
    assert read_roots([places / "one", places / "one" / "."]) == (places / "one",)
    with pytest.raises(UsageError, match="There is no folder"):
        read_roots([places / "missing"])


def test_addresses_of_the_client_become_folders(places: Path) -> None:
    named = [(places / "one").as_uri(), "https://example.org/two", (places / "missing").as_uri()]
    assert folders_of(named) == (places / "one",)
