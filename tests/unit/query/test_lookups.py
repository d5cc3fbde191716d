from __future__ import annotations

import pytest

from ctxpack.query.lookups import (
    Precedent,
    VersionChange,
    file_to_show,
    name_to_define,
    precedent_of,
    uses_to_find,
    version_to_change,
    wants_entry,
    wants_overview,
)


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
        ("what is the default value of SESSION_COOKIE_NAME and where is it read", ("SESSION_COOKIE_NAME",)),
        ("where is max_size set?", ("max_size",)),
        ("what does the MAX_SIZE setting do?", ("MAX_SIZE",)),
        ("значение по умолчанию для MAX_SIZE", ("MAX_SIZE",)),
        ("где читается MAX_SIZE", ("MAX_SIZE",)),
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
        "what does max_size do?",
        "what is HTTP",
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
    ("text", "precedent"),
    [
        ("Add a YAML exporter like JsonExporter", Precedent(names=("JsonExporter",))),
        (
            "implement delete_user analogous to `create_user` and `change_user`",
            Precedent(names=("create_user", "change_user")),
        ),
        ("add support for webp, similar to the png encoder", Precedent(words=("png", "encoder"))),
        (
            "Add an IBAN check, done the same way as the card-number one: API and docs",
            Precedent(words=("card", "number")),
        ),
        ("add a --json flag like the --yaml one", Precedent(words=("yaml",))),
        ("add an endpoint for teams like we have for users", Precedent(words=("users",))),
        ("open a section career next to css, html and js", Precedent(members=("css", "html", "js"))),
        ("Добавь команду export аналогично import_data", Precedent(names=("import_data",))),
        ("add a --perm filter (octal), like --owner", Precedent(names=("owner",))),
        ("support --max-depth just like --min-size", Precedent(names=("min-size",))),
        ("add isThisDecade like isThisYear", Precedent(names=("isThisYear",))),
        ("a csv exporter like the xml exporter", Precedent(words=("xml", "exporter"))),
        ("completion for nushell, similar to the existing fish", Precedent(words=("fish",))),
        ("добавь команду export по аналогии с import", Precedent(words=("import",))),
        ("I'd like the list to be sorted", Precedent()),
        ("add it like the others", Precedent()),
        ("add something like this", Precedent()),
        ("it looks like JsonExporter fails", Precedent()),
        ("add a bar like the old one", Precedent()),
        ("add a filter for things like dates", Precedent()),
        ("word " * 120 + "like JsonExporter", Precedent()),
    ],
)
def test_a_change_may_name_what_it_is_to_resemble(text: str, precedent: Precedent) -> None:
    assert precedent_of(text) == precedent


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("drop Python 3.8 support, minimum is 3.9 now", VersionChange("python", ("3.8", "3.9"))),
        ("upgrade to Go 1.22", VersionChange("go", ("1.22",))),
        ("update the minimum version of httpcore to 1.1", VersionChange("httpcore", ("1.1",))),
        ("raise the minimum supported Rust version", VersionChange("rust")),
        ("require Node 20", VersionChange("node", ("20",))),
        ("перейти на Python 3.12", VersionChange("python", ("3.12",))),
        ("fix issue 42", VersionChange()),
        ("drop step 3 of the setup", VersionChange()),
        ("the required flags are checked in vain", VersionChange()),
        ("it fails on Python 3.8", VersionChange()),
        ("support Python 3.8 " + "word " * 30, VersionChange()),
    ],
)
def test_a_request_may_want_another_version_of_a_program(text: str, change: VersionChange) -> None:
    assert version_to_change(text) == change


@pytest.mark.parametrize(
    ("text", "is_wanted"),
    [
        ("implement --dry-run and update the changelog", True),
        ("Add a hook. Needs tests and a changelog entry.", True),
        ("needs a line in the notes of the upcoming release", True),
        ("добавь запись в changelog о новом ключе", True),
        ("what does the changelog say about retries", False),
        ("which release added the hook?", False),
        ("write release tooling", False),
    ],
)
def test_an_entry_in_the_changelog_is_wanted_or_read(text: str, *, is_wanted: bool) -> None:
    assert wants_entry(text) is is_wanted


@pytest.mark.parametrize(
    ("text", "is_wanted"),
    [
        ("how is the project structured? where do I start reading?", True),
        ("Hi! I'm new here. Please explain the codebase", True),
        ("what does this library do and how is the code organised?", True),
        ("architecture overview", True),
        ("what are the main components", True),
        ("как устроен проект, с чего начать чтение кода?", True),
        ("обзор архитектуры", True),
        ("explain the architecture of the retry queue", False),
        ("explain the package", False),
        ("how is the session structured", False),
        ("what does the tool do with duplicate keys", False),
        ("where do I start the server", False),
        ("layout", False),
        ("объясни код возврата", False),
        ("explain the codebase " + "in detail " * 15, False),
        ("", False),
    ],
)
def test_an_overview_is_wanted_of_the_project_and_of_nothing_special(text: str, *, is_wanted: bool) -> None:
    assert wants_overview(text) is is_wanted
