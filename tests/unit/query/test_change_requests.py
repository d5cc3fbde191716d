from __future__ import annotations

import pytest

from ctxpack.query.precedents import (
    Precedent,
    VersionChange,
    kinds_to_implement,
    kinds_wanted,
    precedent_of,
    version_to_change,
    wants_entry,
    wants_one_more,
)


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
        ("how do I add a new filter such as has_no_date", Precedent(names=("has_no_date",))),
        ("add a flag like `--depth`", Precedent(names=("depth",))),
        ("add a Lark integration like the Rocket.Chat one", Precedent(names=("Rocket.Chat",))),
        ("add a method like Session.retry_all", Precedent(names=("retry_all",))),
        ("add a loop, for example trio", Precedent()),
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
        ("Update fails: index out of range [3] with length 3", VersionChange()),
        ("drop step 3 of the setup", VersionChange()),
        ("the required flags are checked in vain", VersionChange()),
        ("it fails on Python 3.8", VersionChange()),
        ("after the switch to winter time it is sent twice, schedule is crontab(hour=2, minute=30)", VersionChange()),
        ("support nth(limit=2) on Python 3.12", VersionChange("python", ("3.12",))),
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
        ("add sea freight as another way to send a parcel", True),
        ("support one more kind of stamp", True),
        ("we need a new colour for late parcels", True),
        ("добавь ещё один способ доставки", True),
        ("add a limit to the size of a parcel", False),
        ("why is another parcel sent", False),
    ],
)
def test_one_more_of_what_there_are_some_of_may_be_wanted(text: str, *, is_wanted: bool) -> None:
    assert wants_one_more(text) is is_wanted


def test_what_one_more_is_wanted_of() -> None:
    assert kinds_wanted("add a new plugin that waters plants") == ("plugin",)
    assert kinds_wanted("I'd like to add a built-in /shrug [text] command") == ("shrug", "text", "command")
    assert kinds_wanted("which plugin waters plants") == ()
    assert kinds_wanted("New to this project: how do I build it, and what happens then?") == ()
    assert kinds_wanted("new filter command `pairwise`: which files do I touch?") == ("filter", "command")
    assert kinds_wanted("the old one is late. new widget with the same parts is fine") == ()
    assert kinds_wanted("new widget that is also fine for parcels") == ("widget",)
    assert kinds_wanted("add an `is-odd` math command") == ("math", "command")
    assert kinds_wanted("add a new filter command 'dedup-by' that keeps the first row") == ("filter", "command")
    assert kinds_wanted('we need a new widget named "Dial"') == ("widget",)
    assert kinds_wanted("add a new string command called str-squeeze") == ("string", "command")
    assert kinds_wanted("I need a new cache store driver (sqlite file)") == ("cache", "store")
    assert kinds_wanted("добавить новый драйвер очереди (rabbitmq)") == ("очереди",)
    assert kinds_wanted("a driver for a new driver") == ()


def test_what_somebody_writes_an_own_one_of_is_read() -> None:
    assert kinds_to_implement("how do I plug in my own storage, e.g. redis") == ("storage",)
    assert kinds_to_implement("какой класс нужен для своего хранилища") == ("хранилища",)
    assert kinds_to_implement("how is the storage filled") == ()
