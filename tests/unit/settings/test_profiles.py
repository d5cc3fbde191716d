"""Profiles that come with ctxpack, and how those of users and projects lie over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.errors import ConfigError
from ctxpack.gather.registry import registry
from ctxpack.model import Intent
from ctxpack.settings.loading import list_profiles, load
from ctxpack.settings.sources import user_file

NAMES = ("edit", "explain", "onboard", "review", "troubleshoot")


@pytest.mark.parametrize("name", NAMES)
def test_each_can_be_chosen_and_names_what_there_is(root: Path, env: dict[str, str], name: str) -> None:
    settings = load(root, env=env, profile=name)
    assert settings.intent in set(Intent)
    assert {*settings.enable, *settings.disable, *settings.require} <= {*registry(settings).strategies}
    assert settings.origins["budget"] == f"the built-in profile {name}"


def test_own_tables_win_key_by_key(root: Path, env: dict[str, str]) -> None:
    place = user_file(env)
    place.parent.mkdir(parents=True)
    place.write_text("[profile.review]\nbudget = '20k'\nshares = {docs = 0.1}\n", encoding="utf-8")
    (root / "ctxpack.toml").write_text("[profile.review]\nbudget = '24k'\nenable = ['tags']\n", encoding="utf-8")
    settings = load(root, env=env, profile="review")
    assert (settings.budget, settings.origins["budget"]) == (24_000, "ctxpack.toml [profile.review]")
    assert (settings.intent, dict(settings.shares)) == ("review", {"tests": 0.35, "docs": 0.1})
    assert settings.enable == ("history", "tags")
    (found,) = [each for each in list_profiles(root, env) if each.name == "review"]
    budgets = [(each.written, each.origin) for each in found.values if each.key == "budget"]
    assert budgets == [
        ("16k", "the built-in profile review"),
        ("20k", f"{place} [profile.review]"),
        ("24k", "ctxpack.toml [profile.review]"),
    ]


def test_all_are_listed_with_those_of_the_project(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("[profile.house]\n", encoding="utf-8")
    assert [each.name for each in list_profiles(root, env)] == sorted([*NAMES, "house"])


def test_a_name_that_is_none_is_told_the_nearest(root: Path, env: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="There is no profile 'reveiw'") as caught:
        load(root, env=env, profile="reveiw")
    assert caught.value.hint == "Did you mean 'review'?"


def test_a_model_fills_its_window_whatever_a_built_in_profile_says(root: Path, env: dict[str, str]) -> None:
    assert load(root, {"window": "200k"}, env, profile="edit").budget > 100_000
    assert load(root, {"window": "200k", "budget": "9k"}, env, profile="edit").budget == 9_000
    (root / "ctxpack.toml").write_text("[profile.edit]\nbudget = '20k'\n", encoding="utf-8")
    assert load(root, {"window": "200k"}, env, profile="edit").budget == 20_000


def test_what_a_profile_requires_can_be_left_out(root: Path, env: dict[str, str]) -> None:
    assert load(root, env=env, profile="edit").require == ("conventions",)
    assert load(root, {"disable": "conventions"}, env, profile="edit").require == ()


def test_a_policy_holds_against_a_profile(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('strategies = {forbid = ["conventions"]}\nlimits = {budget = 9000}\n', encoding="utf-8")
    settings = load(root, env={**env, "CTXPACK_POLICY": str(policy)}, profile="edit")
    assert (settings.require, settings.budget, len(settings.notes)) == ((), 9_000, 2)
