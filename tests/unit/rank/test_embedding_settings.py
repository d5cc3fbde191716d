from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.cli.options import flags_of
from ctxpack.errors import ConfigError
from ctxpack.settings.loading import load


@pytest.mark.parametrize("key", ["embedder", "embedding_model", "embedding_url", "embedding_key_variable"])
def test_a_repository_does_not_say_which_model_runs_and_where_code_is_sent(tmp_path: Path, key: str) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "ctxpack.toml").write_text(f'{key} = "http"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=f"{key} cannot be set here"):
        load(root, env={})
    (root / "ctxpack.toml").write_text(f'[profile.near]\n{key} = "http"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=f"{key} cannot be set here"):
        load(root, env={})


def test_the_user_says_it_in_a_file_a_variable_or_a_flag(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "ctxpack").mkdir(parents=True)
    (home / "ctxpack" / "config.toml").write_text(
        'embedder = "http"\nembedding_url = "http://localhost:1/v1"\nembedding_timeout = 5\n', encoding="utf-8"
    )
    env = {"XDG_CONFIG_HOME": str(home), "APPDATA": str(home), "CTXPACK_EMBEDDING_MODEL": "small"}
    settings = load(tmp_path, {"semantic": True}, env)
    assert (settings.embedder, settings.embedding_url) == ("http", "http://localhost:1/v1")
    assert (settings.embedding_model, settings.embedding_timeout) == ("small", 5.0)
    assert settings.semantic


def test_a_repository_may_switch_meanings_on(tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_text("semantic = true\nembedding_missing = 50\n", encoding="utf-8")
    settings = load(tmp_path, env={})
    assert (settings.semantic, settings.embedding_missing) == (True, 50)
    assert not load(tmp_path, {"semantic": False}, {}).semantic


def test_naming_a_model_means_to_use_it() -> None:
    assert "semantic" not in flags_of({"semantic": None}).values
    assert flags_of({"semantic": True}).values["semantic"] is True
    named = flags_of({"embedding_model": "some/model", "semantic": None}).values
    assert (named["semantic"], named["embedding_model"]) == (True, "some/model")
    assert flags_of({"embedding_model": "some/model", "semantic": False}).values["semantic"] is False
