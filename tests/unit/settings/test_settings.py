"""What a run is told: the layers, the readers, the errors, the folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import ConfigError, UsageError
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.settings import DEFAULT_BUDGET, DEFAULT_MARKERS, ContextFile, Settings
from ctxpack.settings.loading import load
from ctxpack.settings.readers import amount, text_list
from ctxpack.settings.sources import cache_folder, data_folder, user_file
from tests.configuring import write_user_file


def test_without_anything_the_defaults_hold(root: Path, env: dict[str, str]) -> None:
    settings = load(root, env=env)
    assert settings == Settings(root=root, cache_dir=cache_folder(env), data_dir=data_folder(env))
    assert settings.budget == DEFAULT_BUDGET
    assert settings.origins == {}


def test_each_layer_wins_over_the_weaker_ones(root: Path, env: dict[str, str]) -> None:
    def budget_and_origin(flags: dict[str, object], profile: str | None = None) -> tuple[int, str]:
        settings = load(root, flags, env, profile=profile)
        return settings.budget, settings.origins["budget"]

    write_user_file(env, "budget = 1000")
    assert budget_and_origin({}) == (1000, str(user_file(env)))
    (root / "pyproject.toml").write_text("[tool.ctxpack]\nbudget = 2000\n")
    assert budget_and_origin({}) == (2000, "pyproject.toml [tool.ctxpack]")
    (root / "ctxpack.toml").write_text("budget = 3000\n[profile.ci]\nbudget = '4k'\n")
    assert budget_and_origin({}) == (3000, "ctxpack.toml")
    assert budget_and_origin({}, "ci") == (4000, "ctxpack.toml [profile.ci]")
    env["CTXPACK_BUDGET"] = "5k"
    assert budget_and_origin({}, "ci") == (5000, "CTXPACK_BUDGET")
    assert budget_and_origin({"budget": "6k"}, "ci") == (6000, "--budget")


def test_profile_is_named_by_the_environment_too(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("[profile.ci]\nuse-history = false\n")
    assert not load(root, env={**env, "CTXPACK_PROFILE": "ci"}).use_history


def test_profiles_of_user_and_project_add_up(root: Path, env: dict[str, str]) -> None:
    write_user_file(env, "[profile.ci]\nlimit = 5\nbudget = 1000\n")
    (root / "ctxpack.toml").write_text("[profile.ci]\nbudget = 2000\n")
    settings = load(root, env=env, profile="ci")
    assert (settings.limit, settings.budget) == (5, 2000)


def test_named_file_replaces_the_projects(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    (root / "ctxpack.toml").write_text("limit = 3\n")
    other = tmp_path / "other.toml"
    other.write_text("budget = 2000\n")
    settings = load(root, env=env, config=other)
    assert (settings.limit, settings.budget) == (20, 2000)
    assert load(root, env={**env, "CTXPACK_CONFIG": str(other)}).budget == 2000


def test_tables_merge_exclusions_add_up_and_inclusions_replace(root: Path, env: dict[str, str]) -> None:
    write_user_file(env, 'exclude = ["a"]\ninclude = ["x"]\n[synonyms]\nqueue = ["fifo"]\nlog = ["trace"]\n')
    (root / "ctxpack.toml").write_text('exclude = ["b"]\ninclude = ["y"]\n[synonyms]\nlog = ["journal"]\n')
    settings = load(root, {"exclude": "c, *.{js,ts},a"}, env)
    assert settings.exclude == ("a", "b", "c", "*.{js,ts}")
    assert settings.include == ("y",)
    assert settings.synonyms == {"log": ("journal",), "queue": ("fifo",)}


def test_context_entries_are_read_with_their_defaults(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text(
        "[[context]]\npath = 'AGENTS.md'\nrequest = 'layout'\n"
        "[[context]]\npath = 'a.json'\nrequest = 'x'\nscope = 'file'\nbudget = '2k'\nformat = 'json'\n"
        "[[context]]\npath = 'b.md'\nrequest = 'x'\nmarkers = false\n"
        "[[context]]\npath = 'c.md'\nrequest = 'x'\nmarkers = ['<!-- a -->', '<!-- b -->']\n"
    )
    assert load(root, env=env).contexts == (
        ContextFile("AGENTS.md", "layout", markers=DEFAULT_MARKERS),
        ContextFile("a.json", "x", scope="file", budget=2000, format="json", markers=None),
        ContextFile("b.md", "x", markers=None),
        ContextFile("c.md", "x", markers=("<!-- a -->", "<!-- b -->")),
    )


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("budgte = 1", "ctxpack.toml: budgte is not a known setting.", "Did you mean 'budget'?"),
        ("[profile.ci]\nlimt = 1", "ctxpack.toml: profile.ci.limt is not a known setting.", "Did you mean 'limit'?"),
        ("cache_dir = '/tmp'", "ctxpack.toml: cache_dir is not a known setting.", ""),
        ("budget = 'x'", "ctxpack.toml: budget must be a positive whole number such as 8000, 8k or 1M, not 'x'.", ""),
        ("budget = 0", "ctxpack.toml: budget must be a positive whole number such as 8000, 8k or 1M, not 0.", ""),
        ("use_tree = 3", "ctxpack.toml: use_tree must be true or false, not 3.", ""),
        ("format = 'pdf'", f"ctxpack.toml: format must be one of {', '.join(FORMAT_NAMES)}, not 'pdf'.", ""),
        ("include = [1]", 'ctxpack.toml: include must be a list of strings such as ["src/**", "docs/**"].', ""),
        ("synonyms = 3", "ctxpack.toml: synonyms must be a table, not 3.", ""),
        ("profile = 3", "ctxpack.toml: profile must be a table, not 3.", ""),
        ("[kinds]\nspce = ['x']", "ctxpack.toml: kinds has an unknown key 'spce'.", "Did you mean 'spec'?"),
        ("[shares]\ncode = 2", "ctxpack.toml: shares must be a number from 0 to 1.", ""),
        ("[context]\npath = 'x'", "ctxpack.toml: context must be written as [[context]].", ""),
        ("[[context]]\npath = 'x'\nscope = 'file'", "ctxpack.toml: context must be an entry with request = ….", ""),
        ("[[context]]\nrequst = 'y'", "ctxpack.toml: context has an unknown key 'requst'.", "Did you mean 'request'?"),
        (
            "[[context]]\npath = 'x'\nrequest = 'y'\nmarkers = ['a', 'a']",
            "ctxpack.toml: context must be an entry whose markers is true, false or a pair of different texts.",
            "",
        ),
    ],
)  # fmt: skip
def test_mistakes_in_a_file_are_named_with_their_place(
    root: Path, env: dict[str, str], text: str, message: str, hint: str
) -> None:
    (root / "ctxpack.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(root, env=env, profile="ci" if "profile.ci" in text else None)
    assert (str(caught.value), caught.value.hint) == (message, hint)


def test_broken_toml_is_named_with_line_and_column(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("budget = 1\nlimit = = 2\n")
    with pytest.raises(ConfigError, match=r"ctxpack\.toml is not valid TOML: .*line 2, column 9"):
        load(root, env=env)


def test_file_that_is_not_utf8_is_named_with_its_line(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_bytes(b"budget = 1\n# caf\xe9\n")
    with pytest.raises(ConfigError, match="not UTF-8 at line 2"):
        load(root, env=env)


def test_pyproject_that_does_not_speak_of_ctxpack_is_not_judged(root: Path, env: dict[str, str]) -> None:
    (root / "pyproject.toml").write_text("[tool.{{ template }}]\n")
    assert load(root, env=env).origins == {}
    (root / "pyproject.toml").write_text("[project]\nname = 'a tool beside ctxpack'\n")
    assert load(root, env=env).origins == {}


def test_table_in_pyproject_must_be_a_table(root: Path, env: dict[str, str]) -> None:
    (root / "pyproject.toml").write_text("[tool]\nctxpack = 3\n")
    with pytest.raises(ConfigError, match=r"tool\.ctxpack must be a table"):
        load(root, env=env)


def test_named_file_must_exist(root: Path, env: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"no configuration file .*gone\.toml"):
        load(root, env=env, config=root / "gone.toml")


def test_slip_in_a_profile_shows_before_it_is_chosen(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("[profile.ci]\nbudgte = 1\n")
    with pytest.raises(ConfigError, match=r"profile\.ci\.budgte is not a known setting") as caught:
        load(root, env=env)
    assert caught.value.hint == "Did you mean 'budget'?"


def test_unknown_profile_is_named_with_a_suggestion(root: Path, env: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="no profile 'house'") as caught:
        load(root, env=env, profile="house")
    assert "[profile.house]" in caught.value.hint
    (root / "ctxpack.toml").write_text("[profile.houses]\nlimit = 1\n")
    with pytest.raises(ConfigError) as caught:
        load(root, env=env, profile="house")
    assert caught.value.hint == "Did you mean 'houses'?"


def test_variables_are_read_as_words(root: Path, env: dict[str, str]) -> None:
    env |= {"CTXPACK_USE_HISTORY": "no", "CTXPACK_INCLUDE": "src/**,docs/**", "CTXPACK_LIMIT": ""}
    settings = load(root, env=env)
    assert (settings.use_history, settings.include, settings.limit) == (False, ("src/**", "docs/**"), 20)


def test_unknown_variable_is_an_error(root: Path, env: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="CTXPACK_BUGDET is not a known setting") as caught:
        load(root, env={**env, "CTXPACK_BUGDET": "1"})
    assert caught.value.hint == "Did you mean 'budget'?"


@pytest.mark.parametrize(
    ("platform", "extra", "expected"),
    [
        ("linux", {}, "/home/u/.local/share/ctxpack"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/ctxpack"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/u/.local/share/ctxpack"),
        ("darwin", {}, "/home/u/Library/Application Support/ctxpack"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/data/ctxpack"),
    ],
)
def test_data_folder_of_each_platform(platform: str, extra: dict[str, str], expected: str) -> None:
    assert data_folder({"HOME": "/home/u", **extra}, platform) == Path(expected)


def test_a_conversation_belongs_to_flags_only(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """No repository and no variable makes ctxpack remember or show what was not asked for."""
    for key in ("session", "history"):
        (root / "ctxpack.toml").write_text(f"{key} = 'x'")
        with pytest.raises(ConfigError, match=f"ctxpack.toml: {key} is not a known setting"):
            load(root, env=env)
    (root / "ctxpack.toml").write_text("memory_relevance = 0.5\nmemory_days = 7")
    with pytest.raises(ConfigError, match="CTXPACK_SESSION is not a known setting"):
        load(root, env={**env, "CTXPACK_SESSION": "x"})
    settings = load(root, {"session": "x"}, {**env, "CTXPACK_DATA_DIR": str(tmp_path), "CTXPACK_MEMORY_RECENCY": ".5"})
    assert (settings.session, settings.data_dir) == ("x", tmp_path)
    assert (settings.memory_relevance, settings.memory_recency, settings.memory_days) == (0.5, 0.5, 7)


@pytest.mark.parametrize("key", ["system", "instructions"])
def test_no_repository_speaks_as_the_system(root: Path, env: dict[str, str], tmp_path: Path, key: str) -> None:
    (root / "ctxpack.toml").write_text(f"{key} = 'evil.md'")
    with pytest.raises(ConfigError, match=f"ctxpack.toml: {key} cannot be set here"):
        load(root, env=env)
    (root / "ctxpack.toml").unlink()
    write_user_file(env, f"{key} = '{(tmp_path / 'own.md').as_posix()}'")
    assert getattr(load(root, env=env), key) == str(tmp_path / "own.md")


def test_cache_folder_comes_from_variable_or_user_file(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    write_user_file(env, f"cache_dir = '{(tmp_path / 'mine').as_posix()}'")
    assert load(root, env=env).cache_dir == tmp_path / "mine"
    assert load(root, env={**env, "CTXPACK_CACHE_DIR": str(tmp_path / "other")}).cache_dir == tmp_path / "other"
    with pytest.raises(ConfigError, match="CTXPACK_CACHE_DIR must be an absolute path"):
        load(root, env={**env, "CTXPACK_CACHE_DIR": "here"})


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"budget": "lots"}, "--budget must be a positive whole number such as 8000, 8k or 1M, not 'lots'."),
        ({"use_history": 3}, "--no-history must be true or false, not 3."),
    ],
)
def test_flags_are_named_as_typed(root: Path, env: dict[str, str], flags: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(root, flags, env)
    assert str(caught.value) == message


def test_root_must_be_an_existing_folder(root: Path, env: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="There is no folder"):
        load(root / "gone", env=env)
    (root / "file").write_text("")
    with pytest.raises(UsageError, match="is a file, not a folder"):
        load(root / "file", env=env)


@pytest.mark.parametrize(
    ("platform", "extra", "expected"),
    [
        ("linux", {}, "/home/u/.cache/ctxpack"),
        ("linux", {"XDG_CACHE_HOME": "/var/c"}, "/var/c/ctxpack"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/u/.cache/ctxpack"),
        ("darwin", {}, "/home/u/Library/Caches/ctxpack"),
        ("darwin", {"XDG_CACHE_HOME": "/var/c"}, "/var/c/ctxpack"),
        ("win32", {"USERPROFILE": "/home/u"}, "/home/u/AppData/Local/ctxpack/Cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/ctxpack/Cache"),
    ],
)
@pytest.mark.skipif("sys.platform == 'win32'", reason="paths are written the POSIX way")
def test_cache_folder_of_each_platform(platform: str, extra: dict[str, str], expected: str) -> None:
    assert cache_folder({"HOME": "/home/u", **extra}, platform) == Path(expected)


def test_user_file_of_each_platform() -> None:
    env = {"HOME": "/home/u", "USERPROFILE": "/home/u"}
    assert user_file(env, "linux") == Path("/home/u/.config/ctxpack/config.toml")
    assert user_file(env, "darwin") == Path("/home/u/.config/ctxpack/config.toml")
    assert user_file(env, "win32") == Path("/home/u/AppData/Roaming/ctxpack/config.toml")


@pytest.mark.parametrize(
    ("written", "number"),
    [(1, 1), ("8000", 8000), ("8k", 8000), ("8K", 8000), ("1.5M", 1_500_000), ("32_000", 32_000), (" 2MB ", 2_000_000)],
)
def test_amounts(written: object, number: int) -> None:
    assert amount(written) == number


@pytest.mark.parametrize("written", [0, -1, True, 1.5, "", "k", "8 000", "1.2.3", "-5", "0.1", None, "9" * 400])
def test_amounts_that_are_none(written: object) -> None:
    with pytest.raises(ValueError, match="positive whole number"):
        amount(written)


@given(st.lists(st.text("abc*/.", min_size=1)))
def test_a_list_and_its_comma_form_are_the_same(parts: list[str]) -> None:
    assert text_list(parts) == text_list(",".join(parts))


def test_digest_depends_on_what_a_report_depends_on(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    settings = load(root, env=env)
    same = replace(settings, root=tmp_path, cache_dir=tmp_path, use_cache=False, origins={"budget": "x"})
    assert same.digest == settings.digest
    assert replace(settings, budget=1).digest != settings.digest
    assert replace(settings, synonyms={"a": ("b",)}).digest != settings.digest


COMMAND = 'rerank = "llm -m small"'


def test_commands_are_set_by_the_user_alone(root: Path, env: dict[str, str]) -> None:
    """A repository may be a stranger's, and what is set here is run."""
    write_user_file(env, f"{COMMAND}\n[profile.deep]\nllm = 'claude -p'\n")
    settings = load(root, env=env, profile="deep")
    assert (settings.rerank, settings.llm) == ("llm -m small", "claude -p")
    assert load(root, env={**env, "CTXPACK_RERANK": "mine"}).rerank == "mine"
    assert load(root, {"rerank": "'my own' tool"}, env).rerank == "'my own' tool"
    (root / "ctxpack.toml").write_text("[profile.deep]\nrerank_top = 10\n")
    assert load(root, env=env, profile="deep").rerank_top == 10


@pytest.mark.parametrize("written", [COMMAND, f"[profile.deep]\n{COMMAND}", "llm = 'x'"])
def test_a_repository_may_not_name_a_command(root: Path, env: dict[str, str], written: str) -> None:
    (root / "ctxpack.toml").write_text(written)
    with pytest.raises(ConfigError, match="cannot be set here") as caught:
        load(root, env=env)
    assert "CTXPACK_" in caught.value.hint


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("rerank", 'llm "open', "--rerank must be a command such as llm -m gpt-4o, with its quotes closed, not 'llm"),
        ("rerank_timeout", "0", "--rerank-timeout must be a number of seconds above 0, not '0'"),
        ("llm_timeout", "inf", "--llm-timeout must be a number of seconds above 0, not 'inf'"),
        ("max_rounds", "0", "--max-rounds must be a whole number from 1, not '0'"),
    ],
)
def test_what_is_asked_of_commands_is_checked(root: Path, env: dict[str, str], key: str, value: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(root, {key: value}, env)
    assert str(caught.value).startswith(said)
