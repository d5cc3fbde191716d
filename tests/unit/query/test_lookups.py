from __future__ import annotations

import pytest

from ctxpack.query.lookups import (
    UseRequest,
    commit_to_read,
    file_to_show,
    file_uses_to_find,
    long_names,
    name_to_define,
    names_called_on,
    options_with_long_names,
    short_options_of,
    uses_to_find,
    wants_overview,
    wants_structure,
    with_long_names,
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
        ("who are the users of send_in", ("send_in",)),
        ("all calls to send_in", ("send_in",)),
        ("which modules import the old settings module", ("settings",)),
        ("show me every place that calls send_mail", ("send_mail",)),
        ("all callers of Model.save", ("save",)),
        ("list all `Session` usages", ("Session",)),
        ("где используется ScriptingEngine", ("ScriptingEngine",)),
        ("кто вызывает finalize_request", ("finalize_request",)),
        ("what is the default value of SESSION_COOKIE_NAME and where is it read", ("SESSION_COOKIE_NAME",)),
        ("where is max_size set?", ("max_size",)),
        ("what does the MAX_SIZE setting do?", ("MAX_SIZE",)),
        ("MAX_SIZE what does it do", ("MAX_SIZE",)),
        ("what does send_in do and where is it tested", ("send_in",)),
        ("MAX_SIZE: что это такое?", ("MAX_SIZE",)),
        ("значение по умолчанию для MAX_SIZE", ("MAX_SIZE",)),
        ("где читается MAX_SIZE", ("MAX_SIZE",)),
        ("finalize_request", ("finalize_request",)),
        ("show me Flask.wsgi_app", ("wsgi_app",)),
        ("SESSION_COOKIE_NAME", ("SESSION_COOKIE_NAME",)),
        ("which tests cover `send`?", ("send",)),
        ("какие тесты покрывают send_mail", ("send_mail",)),
        ("review: send_in should reject negative delays. who calls it and which tests cover it?", ("send_in",)),
        ("review send_in: who uses this method", ("send_in",)),
        ("проверь send_in: кто его вызывает", ("send_in",)),
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
        ("I want the lines gone completely. Does hiding them also remove the metric?", ()),
        ("is it safe to change the return type of make_response", ("make_response",)),
        ("what breaks if I remove `Limits`?", ("Limits",)),
        ("rename Limits::disable to Limits::off", ("disable",)),
        ("remove Sender#retry and net.later", ("retry", "later")),
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
        "where is it decided which content type res.send uses for a string",
        'Remove "for = ..." from the label',
        "remove `a b` from the label",
        "please remove completely the caching of results",
        "is send_in right? " + "Several things were changed besides, in more than one place. " * 3 + "Who calls it?",
        "delete user raises IntegrityError",
        "rename notes.md to news.md",
        "drop v1.2",
        "remove example.com from the list",
        "removing an item raises KeyError",
        "how do I remove a blueprint",
        "why is the cache used here so slow",
        "rename_user fails with an umlaut",
        "remove the reference to send_in and describe the delivery instead. Much of it has changed",
        "one list that the config command uses to check values",
        "users of the shop cannot log in",
        "Both views check the address by hand, and I want one helper for that. Show me all call sites of the check",
        "SessionInterface",
        "what does max_size do?",
        "what is HTTP",
        "Config",
        "retry",
        "who calls it",
        "send_in and send_at differ: who calls it?",
        "send_in fails, fix it",
        "which tests cover the retry",
        "who calls finalize_request? " + "And then something else happens. " * 15,
        "what is the default of parcel.wait.max.ms and what uses it",
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
    ("text", "is_wanted"),
    [
        ("how is the project structured? where do I start reading?", True),
        ("Hi! I'm new here. Please explain the codebase", True),
        ("what does this library do and how is the code organised?", True),
        ("architecture overview", True),
        ("what are the main components", True),
        ("как устроен проект, с чего начать чтение кода?", True),
        ("обзор архитектуры", True),
        ("just joined the project, can you give me a tour of the code? where do i start reading", True),
        ("new dev here - walk me through the codebase", True),
        ("just cloned this, which files should i read first", True),
        ("i joined the team yesterday and what lives where in this repo?", True),
        ("how does it all fit together", True),
        ("i'm new here, how is the code organised and how do i get it running locally with the tests", True),
        ("how do i get it running locally with the tests", False),
        ("I'm new to this codebase, how is it structured and how do I run the tests?", True),
        ("give me an overview of the codebase and tell me how to run the tests", True),
        ("how is the code structured and where are the tests", True),
        ("впервые вижу этот код, с чего начать читать?", True),
        ("впервые вижу такую ошибку, что делать?", False),
        ("where are the tests", False),
        ("how is it set up when two users upload?", False),
        ("я новенький, проведи экскурсию по коду", True),
        ("покажи, что где лежит в репозитории", True),
        ("i just joined the team, where are the emails sent", False),
        ("show me around the payment module", False),
        ("which files should i read first to understand retries", False),
        ("overview of the packages in this monorepo, how they depend on each other", True),
        ("how do the modules fit together", True),
        ("new to this code. give me a tour: how does a parcel get from the door to the van", True),
        ("я здесь новенький. покажи, как устроен код: от запуска до вывода на экран", True),
        ("how does a parcel get from the door to the van", False),
        ("new here, show me", False),
        ("explain the architecture of the retry queue", False),
        ("overview of the packages of an order", False),
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


@pytest.mark.parametrize(
    ("text", "is_wanted"),
    [
        ("how does a request travel through the router", True),
        ("explain how the workers talk to each other", True),
        ("give me a tour of the code: how does an order get from the form to the store", True),
        ("какой путь проходит запрос", True),
        ("как заказ попадает из формы в базу", True),
        ("how do I get from one page to the next", True),
        ("how does it get the name", False),
        ("a tour of the old town", False),
        ("these two modules import each other and fail", False),
    ],
)
def test_the_structure_is_wanted_where_parts_work_together(text: str, *, is_wanted: bool) -> None:
    assert wants_structure(text) is is_wanted


@pytest.mark.parametrize(
    ("text", "paths", "is_sure"),
    [
        (
            "I renamed the page about leave from docs/leave.md to docs/off.md. What else must change?",
            ("docs/leave.md",),
            False,
        ),
        ("rename `src/utils.py` to helpers.py", ("src/utils.py",), False),
        ("delete the legacy module api.ts", ("api.ts",), False),
        ("переименовал страницу leave.md, что ещё поправить", ("leave.md",), False),
        ("who links to leave.md?", ("leave.md",), True),
        ("which modules import utils.py and where is config.yml read", ("utils.py", "config.yml"), True),
        ("кто ссылается на leave.md", ("leave.md",), True),
        ("где подключается utils.py", ("utils.py",), True),
        ("delete the call of foo from utils.py", (), False),
        ("move the parser from a.py to b.py", (), False),
        ("explain utils.py", (), False),
        ("rename should_ignore", (), False),
    ],
)
def test_a_request_may_ask_for_the_uses_of_a_file(text: str, paths: tuple[str, ...], is_sure: bool) -> None:  # noqa: FBT001
    found = file_uses_to_find(text)
    assert (found.names, found.is_sure) == (paths, is_sure)


@pytest.mark.parametrize(
    ("text", "is_review", "commit"),
    [
        ("review 5e9f655ba please: is the quoting safe?", True, "5e9f655ba"),
        ("please look at (c437ad4d and follow-up)", True, "c437ad4d"),
        ("why did commit 5e9f655ba break uploads", False, "5e9f655ba"),
        ("в коммите 5e9f655 сломали отправку", False, "5e9f655"),
        ("see https://example.org/parcel/commit/5e9f655ba0", False, "5e9f655ba0"),
        ("security review of the last commit", True, "HEAD"),
        ("Проверь последний коммит", True, "HEAD"),
        ("Review HEAD before I push", True, "HEAD"),
        ("please review the solver change (#10944)", True, "#10944"),
        ("the colour #123456ab in review", True, ""),
        ("uploads fail as in #12", False, ""),
        ("uploads fail in build 5e9f655ba", False, ""),
        ("review the image sha256@5e9f655ba", True, ""),
        ("review order 12345678", True, ""),
        ("review the default of cafebabe", True, ""),
        ("review how the last commit message is read", True, ""),
        ("review how HEAD requests are answered", True, ""),
        ("show the last commit in the prompt", False, ""),
    ],
)
def test_a_commit_is_named_by_its_hash_or_as_the_last_one(text: str, *, is_review: bool, commit: str) -> None:
    assert commit_to_read(text, is_review=is_review) == commit


@pytest.mark.parametrize(
    ("text", "of_value"),
    [
        ("where is `refresh_rate` handled?", True),
        ("what is the default of `refresh_rate`", True),
        ("what does refresh_rate do and where is it read?", True),
        ("где читается `refresh_rate`", True),
        ("who uses `refresh_rate`", False),
        ("which tests cover `refresh_rate`", False),
        ("rename `refresh_rate`", False),
    ],
)
def test_a_question_for_a_value_is_told_from_one_for_uses(text: str, *, of_value: bool) -> None:
    found = uses_to_find(text)
    assert found.names == ("refresh_rate",)
    assert found.of_value is of_value


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("what does -p do", ("p",)),
        ("`parcel -p 2 -v` is ignored", ("p", "v")),
        ("why is -j4 slower than -j1?", ("j",)),
        ("ключ -c, или -C", ("c", "C")),
        ("a dry-run of the x-ray", ()),
        ("--preset is ignored", ()),
        ("see https://example.org/a/-p/b", ()),
        ("ls -la", ()),
    ],
)
def test_options_of_one_letter(text: str, letters: tuple[str, ...]) -> None:
    assert short_options_of(text) == letters


@pytest.mark.parametrize(
    "line",
    [
        "  -p, --preset <id>   Start with a preset",
        'if (arg == "-p" || arg == "--preset") {',
        'parser.add_argument("--preset", "-p", type=int)',
        "| `-p` | `--preset` | which preset |",
        "complete -c parcel -s p -p|--preset",
        '.arg(Arg::new("x").short(\'p\').long("preset"))',
        "    #[arg(short, long)]\n    preset: Option<u8>,\n",
        'flags.StringVarP(&preset, "preset", "p", "", "which preset")',
        "{\"preset\", required_argument, NULL, 'p'},",
        "isoption(&text, 'p', \"preset\", &short)",
        '&cli.IntFlag{Name: "preset", Usage: "which", Aliases: []string{"p"}}',
    ],
)
def test_a_declared_option_has_a_long_name(line: str) -> None:
    assert long_names(("p",), (), (f"first\n{line}\nlast\n",)) == {"p": "preset"}


@pytest.mark.parametrize(
    "line",
    [
        "use -p together with --quiet",
        "parcel -p csv --auto",
        "-p and --quiet",
        "mkdir -p build",
    ],
)
def test_two_options_in_a_row_are_not_one(line: str) -> None:
    assert long_names(("p",), (), (line,)) == {}


def test_of_several_long_names_the_one_of_the_request_counts() -> None:
    lines = "-d, --dest DIR\n-d, --delete  delete the parcel\n"
    assert long_names(("d",), (), (lines,)) == {"d": "dest"}
    assert long_names(("d",), ("delete", "parcel"), (lines,)) == {"d": "delete"}
    assert long_names(("d",), (), (f"{lines}-d, --dry\n",)) == {}


def test_a_long_name_stands_behind_its_option() -> None:
    assert with_long_names("what does -p do", {"p": "preset"}) == "what does -p (--preset) do"
    text = with_long_names("`parcel -p 2` hangs, -v too", {"p": "preset", "v": "verbose"})
    assert text == "`parcel -p 2` (--preset) hangs, -v (--verbose) too"
    assert options_with_long_names(text) == [("p", "preset"), ("v", "verbose")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pubsub listen() hangs", ["pubsub.listen"]),
        ("`Table` add_column() is slow", ["table.add_column"]),
        ("listen() method on PubSub", ["pubsub.listen"]),
        ("PubSub.listen() hangs", []),  # a dotted name as it is
        ("listen hangs", []),
    ],
)
def test_a_called_name_belongs_to_a_word_beside_it(text: str, names: list[str]) -> None:
    assert list(names_called_on(text)) == names


def test_a_word_that_says_of_which_kind_something_is_names_no_code() -> None:
    assert uses_to_find("which files use the derive or builder api") == UseRequest()
    assert uses_to_find("which files use the singleton pattern") == UseRequest()
    assert uses_to_find("which files use redis").names == ("redis",)
