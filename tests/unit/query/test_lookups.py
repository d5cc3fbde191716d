from __future__ import annotations

import pytest

from ctxpack.query.lookups import ModelName, file_to_show, models_of, name_to_define, uses_to_find


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("where is Sender defined?", "Sender"),
        ("In which file is the class `net.Sender` declared?", "Sender"),
        ("definition of Sender::send", "send"),
        ("где определён класс Sender?", "Sender"),
        ("где объявлена функция send", "send"),
        ("where is it decided that Sender is defined by hand", ""),
        ("where are retries defined and who delays them?", ""),
    ],
)
def test_only_a_request_for_a_definition_names_one(text: str, name: str) -> None:
    assert name_to_define(text) == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("where is stream_with_context used", ("stream_with_context",)),
        ("where do we call `Client.send`?", ("send",)),
        ("who calls finalize_request?", ("finalize_request",)),
        ("what uses redis", ("redis",)),
        ("which modules import the old settings module", ("settings",)),
        ("show me every place that calls send_mail", ("send_mail",)),
        ("all callers of Model.save", ("save",)),
        ("list all `Session` usages", ("Session",)),
        ("где используется ScriptingEngine", ("ScriptingEngine",)),
        ("кто вызывает finalize_request", ("finalize_request",)),
        ("finalize_request", ("finalize_request",)),
        ("show me Flask.wsgi_app", ("wsgi_app",)),
        ("SESSION_COOKIE_NAME", ("SESSION_COOKIE_NAME",)),
    ],
)
def test_a_request_for_uses_is_sure_of_its_names(text: str, names: tuple[str, ...]) -> None:
    found = uses_to_find(text)
    assert (found.names, found.is_sure) == (names, True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("rename should_ignore_error to is_ignored", ("should_ignore_error",)),
        ("remove the deprecated should_ignore_error hook, with docs and tests", ("should_ignore_error",)),
        ("drop the deprecated `.format()` and `.flatten()` methods", ("format", "flatten")),
        ("Suppose we drop elvish altogether. Where is it wired in?", ("elvish",)),
        ("is it safe to change the return type of make_response", ("make_response",)),
        ("what breaks if I remove `Limits`?", ("Limits",)),
        ("удалить метод ПолучитьДанные", ("ПолучитьДанные",)),
        ("переименуй should_ignore_error в is_ignored", ("should_ignore_error",)),
    ],
)
def test_a_change_of_a_name_concerns_its_uses(text: str, names: tuple[str, ...]) -> None:
    found = uses_to_find(text)
    assert (found.names, found.is_sure) == (names, False)


@pytest.mark.parametrize(
    "text",
    [
        "remove the retry from upload_file",
        "remove trailing slashes from urls",
        "drop support for python 3.7",
        "delete user raises IntegrityError",
        "removing an item raises KeyError",
        "how do I remove a blueprint",
        "why is the cache used here so slow",
        "rename_user fails with an umlaut",
        "SessionInterface",
        "Config",
        "retry",
        "who calls finalize_request? " + "And then something else happens. " * 15,
    ],
)
def test_other_requests_ask_for_no_uses(text: str) -> None:
    assert uses_to_find(text).names == ()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("explain src/flask/ctx.py", "src/flask/ctx.py"),
        ("What does sessions.py do?", "sessions.py"),
        ("write tests for `json/tag.py`", "json/tag.py"),
        ("./src/app.js", "./src/app.js"),
        ("объясни файл ядро/Модуль.bsl", "ядро/Модуль.bsl"),
        ("how does app.run work?", "app.run"),
        ("fix the crash in src/app.py", ""),
        ("explain why src/app.py imports ctx.py", ""),
        ("explain the app", ""),
    ],
)
def test_only_a_request_about_a_file_as_a_whole_names_one(text: str, path: str) -> None:
    assert file_to_show(text) == path


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("add isThisDecade like isThisYear", ModelName("isThisYear")),
        ("add a --perm filter (octal), like --owner", ModelName(parts=("owner",))),
        ("support --max-depth just like --min-size", ModelName(parts=("min", "size"))),
        ("completion for nushell, similar to the existing fish", ModelName(parts=("fish",))),
        ("a csv exporter like the xml exporter", ModelName(parts=("xml", "exporter"))),
        ("add `load_toml`, modelled on `load_json`", ModelName("load_json")),
        ("добавь команду export по аналогии с import", ModelName(parts=("import",))),
        ("сделай фильтр perm, такой же, как owner", ModelName(parts=("owner",))),
    ],
)
def test_what_a_request_takes_as_a_model(text: str, model: ModelName) -> None:
    assert models_of(text) == (model,)


@pytest.mark.parametrize(
    "text",
    [
        "I would like to add a filter",
        "it looks like retries are lost",
        "add it like the others",
        "add something like this",
        "I'd like nothing more than this",
    ],
)
def test_not_all_that_is_like_something_has_a_model(text: str) -> None:
    assert models_of(text) == ()
