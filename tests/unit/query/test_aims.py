from __future__ import annotations

import pytest

from ctxpack.query.understand import Aim, aims_of


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("how do I send a file to the browser", Aim.HOW_TO),
        ("Как забирать настройки из окружения?", Aim.HOW_TO),
        ("Can somebody walk me through what is called, and in which order", Aim.EXPLAIN),
        ("Почему блок лежит под соседним?", Aim.EXPLAIN),
        ("how long does it wait for running requests", Aim.EXPLAIN),
        ("how do labels get onto a parcel", Aim.EXPLAIN),
        ("Как при локальном просмотре браузер узнаёт, что файл сохранён?", Aim.EXPLAIN),
        ("where is it decided that a path is unknown", Aim.WHERE),
        ("I'm new here, how is it laid out", Aim.ONBOARD),
        ("Я хочу впервые написать материал", Aim.ONBOARD),
        ("что нужно знать перед первым пулл-реквестом", Aim.ONBOARD),
        ("how can I build it locally", Aim.ONBOARD),
        ("which checks run before a merge", Aim.ONBOARD),
        ("which jobs run for a pull request", Aim.ONBOARD),
        ("new to this codebase, how do I build it and run a single test", Aim.ONBOARD),
        ("Cloned the repo, which test suites do I run before sending it in", Aim.ONBOARD),
        ("need to send two files at once. how?", Aim.HOW_TO),
        ("run it on two cores, which scheduler do I pick", Aim.HOW_TO),
        ("what flag should we pass for plain output", Aim.HOW_TO),
        ("which setting turns the telemetry off", Aim.HOW_TO),
        ("what's the option for the page size", Aim.HOW_TO),
        ("какой флаг отключает цвета", Aim.HOW_TO),
        ("есть ли способ отменить запрос", Aim.HOW_TO),
        ("от чего зависит порядок очередей", Aim.EXPLAIN),
        ("хочу понять, что делает планировщик", Aim.EXPLAIN),
        ("по каким правилам выбирается очередь", Aim.EXPLAIN),
        ("когда сборщик вызывает деструкторы", Aim.EXPLAIN),
        ("I need to understand the scheduler", Aim.EXPLAIN),
        ("if one job dies, what still gets sent", Aim.EXPLAIN),
        ("Please look over my change before I push it", Aim.REVIEW),
        ("Please take a critical look at the pool", Aim.REVIEW),
        ("read the compaction code critically", Aim.REVIEW),
        ("check the sanitizer for holes", Aim.REVIEW),
        ("go through the keepalive code and tell me if it's sound", Aim.REVIEW),
        ("посмотри критически на загрузку файлов", Aim.REVIEW),
        ("parsing of --all is copy-pasted in both, extract it", Aim.CHANGE),
        ("flock is written twice, make it shared", Aim.CHANGE),
        ("the two are nearly the same, pull out a common base class", Aim.CHANGE),
        ("its options are read in two files, share the code", Aim.CHANGE),
        ("both bodies are the same, dedupe them", Aim.CHANGE),
        ("хочу опцию, чтобы писать реже", Aim.CHANGE),
        ("A contributor replaced the two helpers. Is that right?", Aim.REVIEW),
        ("make --diff show what is not tracked", Aim.CHANGE),
        ("Hide the cursor while a page is drawn", Aim.CHANGE),
        ("log every rejected parcel", Aim.CHANGE),
        ("limit the size of a parcel", Aim.CHANGE),
        ("which tests should I add", Aim.CHANGE),
        ("so we add a second queue", Aim.CHANGE),
        ("collect everything involved", Aim.EVERYWHERE),
        ("rename it, change everything that reads it", Aim.EVERYWHERE),
        ("my PR adds an option per feed", Aim.CHANGE),
        ("pull request #12 also introduces a flag", Aim.CHANGE),
        ("Adding a new setting", Aim.CHANGE),
        ("i want to add a menu entry", Aim.CHANGE),
        ("List every place that has to go", Aim.EVERYWHERE),
        ("what else has to be updated", Aim.EVERYWHERE),
        ("drop the old format", Aim.EVERYWHERE),
        ("we want to drop elvish altogether", Aim.EVERYWHERE),
        ("сделать вывод короче", Aim.CHANGE),
        ("which files need to be touched for a new locale", Aim.EVERYWHERE),
        ("какие файлы придётся поправить ради новой темы", Aim.EVERYWHERE),
        ("что ещё надо изменить", Aim.EVERYWHERE),
        ("what do i have to touch to get a new level", Aim.EVERYWHERE),
        ("one more level, which files do i change", Aim.EVERYWHERE),
        ("which make targets should be green", Aim.PIPELINE),
        ("the Dockerfile copies too much", Aim.PIPELINE),
        ("it only dies in docker", Aim.PIPELINE),
        ("how are the docker images made", Aim.PIPELINE),
        ("publish wheels for arm", Aim.PIPELINE),
        ("a line in the release notes", Aim.RECORD),
        ("what changed in the last release", Aim.RECORD),
        ("after moving from rack 2 the page dies", Aim.RECORD),
        ("new here, how do I run the tests", Aim.ONBOARD),
        ("how do I run only one single integration test on my machine", Aim.ONBOARD),
        ("как запустить только один интеграционный тест", Aim.ONBOARD),
        ("first patch here: how do I run one test class alone, and what is checked", Aim.ONBOARD),
        ("I'd like to fix a typo. What must be in the PR?", Aim.ONBOARD),
        ("one command to check everything before I push", Aim.ONBOARD),
        ("Я новенький, хочу предложить большую правку", Aim.ONBOARD),
        ("PR: 'release 4.4.4' bumps the version. What will check it?", Aim.REVIEW),
        ('PR "Print fields by name": is the order kept?', Aim.REVIEW),
        ("someone simplified the lookup of hosts, does it break anything", Aim.REVIEW),
        ("could you check this simplification? all tests I ran are green", Aim.REVIEW),
        ("one of us bumped the size of a chunk, is that safe", Aim.REVIEW),
        ("he sorts by name first now. ok to merge?", Aim.REVIEW),
        ("глянь правку: строку теперь режут по двоеточию", Aim.REVIEW),
        ("I changed how parcels are weighed. what else depends on it?", Aim.REVIEW),
        ("we're sending parcels twice a day now, what should I watch out for", Aim.REVIEW),
        ("would like an option for that in the table of the bell", Aim.CHANGE),
        ("I want a common base for the two", Aim.CHANGE),
        ("want: retry failed deliveries a few times", Aim.CHANGE),
        ("need a way to stop an animation halfway", Aim.CHANGE),
        ("I'd like to pull that into one helper", Aim.CHANGE),
        ("fold the common part into a private helper, tests stay green", Aim.CHANGE),
        ("they are the same three times. merge them", Aim.CHANGE),
        ("первый день в проекте, как гонять тесты", Aim.ONBOARD),
        ("log the size of the letter", Aim.CHANGE),
        ("is there a box to extend? if not, can you add one", Aim.CHANGE),
        ("Does it support parcels\n\nPlease add them", Aim.CHANGE),
        ("stop the second round", Aim.CHANGE),
        ("хочется общий потолок для пауз", Aim.CHANGE),
        ("нужен фильтр по времени последнего обращения", Aim.CHANGE),
        ("we need a --quiet switch for the sync command", Aim.CHANGE),
        ("please teach the sorter about stamps", Aim.CHANGE),
        ("it should be possible to hide the sender", Aim.CHANGE),
        ("split letters.py, it's 2000 lines", Aim.CHANGE),
        ("turn the table of stamps into a class", Aim.CHANGE),
        ("хочу чтобы в списке была ещё цена", Aim.CHANGE),
        ("нужно чтобы почтальон звонил дважды", Aim.CHANGE),
        ("избавиться от общей таблицы марок", Aim.CHANGE),
        ("stamps in colour, like the plain ones. where do i have to touch", Aim.EVERYWHERE),
        ("what needs to change so that a parcel may be sent back", Aim.EVERYWHERE),
        ("ещё один вид марок, где что править", Aim.EVERYWHERE),
        ("find the function that weighs a parcel", Aim.WHERE),
        ("what part decides if a letter is heavy", Aim.WHERE),
        ("найди функцию, которая взвешивает посылку", Aim.WHERE),
        ("describe how stamps are sorted", Aim.EXPLAIN),
        ("I don't get how a letter gets its stamp", Aim.EXPLAIN),
        ("what's the way to send a parcel back", Aim.HOW_TO),
        ("I made the counter safe with a lock, is that enough", Aim.REVIEW),
        ("what could break if I make send() wait", Aim.REVIEW),
        ("I'm about to merge the new stamps. concerns?", Aim.REVIEW),
        ("посмотри мою правку: убрал замок", Aim.REVIEW),
        ("что сломается если сделать send() долгим", Aim.REVIEW),
        ("we need retries here with backoff", Aim.CHANGE),
        ("the export button should remember the last format", Aim.CHANGE),
        ("port the uploader to async/await", Aim.CHANGE),
        ("speed up the directory scan", Aim.CHANGE),
        ("давай уберём глобальную блокировку", Aim.CHANGE),
        ("пусть экспорт запоминает последний формат", Aim.CHANGE),
        ("перепишите загрузчик на async", Aim.CHANGE),
        ("which code decides whether a job is retried", Aim.WHERE),
        ("whose job is it to close the socket", Aim.WHERE),
        ("who calls this when the session ends", Aim.WHERE),
        ("what handles ctrl-c", Aim.WHERE),
        ("кто закрывает соединение после ответа", Aim.WHERE),
        ("is it possible to disable colors", Aim.HOW_TO),
        ("give me an example of a custom formatter", Aim.HOW_TO),
        ("покажи пример плагина", Aim.HOW_TO),
        ("help me understand the event loop", Aim.EXPLAIN),
        ("tell me how routing works", Aim.EXPLAIN),
        ("в чём разница между задачей и заданием", Aim.EXPLAIN),
        ("is the locking in the cache correct", Aim.REVIEW),
        ("could there be a race between close and send", Aim.REVIEW),
        ("check whether tokens can leak into logs", Aim.REVIEW),
        ("проверь, нет ли гонки между close и send", Aim.REVIEW),
        ("which command runs the linters", Aim.ONBOARD),
        ("что нужно для отправки", Aim.HOW_TO),
        ("the release pipeline skips the upload", Aim.PIPELINE),
        ("bump the yaml dependency", Aim.PIPELINE),
        ("the uploader must not retry after a 401", Aim.CHANGE),
        ("can the sidebar be collapsible", Aim.CHANGE),
        ("make errors readable for humans", Aim.CHANGE),
        ("хотим лимиты на тенанта", Aim.CHANGE),
        ("какой модуль отвечает за сессии", Aim.WHERE),
        ("куда пишутся логи", Aim.WHERE),
        ("how should plugins be tested", Aim.HOW_TO),
        ("which order do middlewares run in", Aim.EXPLAIN),
        ("за что отвечает брокер", Aim.EXPLAIN),
        ("are we handling timeouts correctly in the client", Aim.REVIEW),
        ("проверь парсер на утечки памяти", Aim.REVIEW),
        ("which tools do I need to build this", Aim.ONBOARD),
        ("как прогнать линтеры", Aim.ONBOARD),
        ("we should log the request id with every line", Aim.CHANGE),
        ("the cli needs a --quiet flag", Aim.CHANGE),
        ("feature request: dark theme for the dashboard", Aim.CHANGE),
        ("cache the parsed config between runs", Aim.CHANGE),
        ("don't retry on 4xx", Aim.CHANGE),
        ("вместо опроса использовать вебхуки", Aim.CHANGE),
        ("looking for the code that sends invoices", Aim.WHERE),
        ("нужна функция, которая нормализует телефоны", Aim.WHERE),
        ("any way to silence the warnings", Aim.HOW_TO),
        ("каким образом сбросить буфер", Aim.HOW_TO),
        ("describe the lifecycle of a request", Aim.EXPLAIN),
        ("when does the cache get invalidated", Aim.EXPLAIN),
        ("under what conditions is a job retried", Aim.EXPLAIN),
        ("при каких условиях задача повторяется", Aim.EXPLAIN),
        ("когда сбрасывается кеш", Aim.EXPLAIN),
        ("is it safe to call close twice", Aim.REVIEW),
        ("не течёт ли память в парсере", Aim.REVIEW),
        ("how do I set up a dev environment", Aim.ONBOARD),
        ("how to run the linters locally", Aim.ONBOARD),
        ("what does the change log say about retries", Aim.RECORD),
        ("upgrading to v2 breaks the uploads", Aim.RECORD),
        ("the formatting check fails", Aim.PIPELINE),
        ("what must be installed for the docs", Aim.PIPELINE),
        ("установить зависимости", Aim.PIPELINE),
        ("review the retry code", Aim.REVIEW),
        ("what breaks with the change of the delay", Aim.REVIEW),
        ("how do i build this and what gets checked before my PR is merged?", Aim.ONBOARD),
        ("how do i run this?", Aim.ONBOARD),
        ("how do I rename the sender everywhere", Aim.EVERYWHERE),
        ("mark send as deprecated", Aim.EVERYWHERE),
        ("I'd like to turn the stamps off when nobody looks", Aim.HOW_TO),
        ("i need the weight of a parcel. how", Aim.HOW_TO),
        ("how can my code find out that a letter was lost", Aim.HOW_TO),
        ("can the round be set per postman?", Aim.HOW_TO),
        ("whats the trick to get two rounds a day", Aim.HOW_TO),
        ("example of a stamp that folds, please", Aim.HOW_TO),
        ("please show how a postman signs", Aim.HOW_TO),
        ("what option keeps the order of the letters", Aim.HOW_TO),
        ("есть пример своей марки?", Aim.HOW_TO),
        ("можно как-то пропустить подпись?", Aim.HOW_TO),
        ("when exactly is a parcel sent back?", Aim.EXPLAIN),
        ("does the order of the stamps matter?", Aim.EXPLAIN),
        ("is the weight cached between two rounds, or asked again?", Aim.EXPLAIN),
        ("what limits how large a parcel can be", Aim.EXPLAIN),
        ("i always wondered how a parcel is weighed", Aim.EXPLAIN),
        ("кто победит, если адрес есть и в письме, и на конверте", Aim.EXPLAIN),
        ("не пойму, когда посылку взвешивают", Aim.EXPLAIN),
        ("point me to the retry logic", Aim.WHERE),
        ("how are the tests organised", Aim.ONBOARD),
        ("what's the release process", Aim.ONBOARD),
        ("give me an overview of the architecture", Aim.ONBOARD),
        ("how do you cut a release", Aim.ONBOARD),
        ("как запустить тесты локально", Aim.ONBOARD),
        ("расскажи, как устроен репозиторий", Aim.ONBOARD),
        ("does anything depend on the old name", Aim.REVIEW),
        ("double check that nobody uses the weight any more", Aim.REVIEW),
        ("please check the following idea: weigh after stamping", Aim.REVIEW),
        ("сделал коммит, который убирает замок. есть риски?", Aim.REVIEW),
        ("Could we have an option to sort by weight?", Aim.CHANGE),
        ("users ask for a list of the stamps", Aim.CHANGE),
        ("we need to reject empty names", Aim.CHANGE),
        ("return nothing instead of an error", Aim.CHANGE),
        ("I'd like all the checks in it moved into a method of their own", Aim.CHANGE),
        ("Stamps are tied to a town. So I want any town to do", Aim.CHANGE),
        ("хочу доработать взвешивание", Aim.CHANGE),
        ("надо выводить предупреждение, если марка старая", Aim.CHANGE),
        ("which stamps and tests need touching", Aim.EVERYWHERE),
        ("what does the CI check on top", Aim.CHECKS),
        ("run the tests the way CI does", Aim.CHECKS),
        ("что прогоняет пайплайн", Aim.CHECKS),
    ],
)
def test_a_request_tells_what_it_is_for(text: str, aim: Aim) -> None:
    assert aim in aims_of(text)


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("which adapter supports quantization", Aim.CHANGE),
        ("where is the class that extends another", Aim.CHANGE),
        ("error when adding a feed", Aim.CHANGE),
        ("Internal Server Error: /projects/add", Aim.CHANGE),
        ("view.add( fails", Aim.CHANGE),
        ("log scale of the axis starts too low", Aim.CHANGE),
        ("log y axis: it starts too low", Aim.CHANGE),
        ("log file: nothing in it", Aim.CHANGE),
        ("stop at 10 % is fixed, the axis moves", Aim.CHANGE),
        ("stop with nobody aboard", Aim.CHANGE),
        ("does the post office support parcels", Aim.CHANGE),
        ("is there any support for parcels", Aim.CHANGE),
        ("is there foreign stamp support", Aim.CHANGE),
        ("есть ли поддержка марок", Aim.CHANGE),
        ("does this ship a box (with a lid to extend)? where is it", Aim.CHANGE),
        ("поддерживает ли почта посылки", Aim.CHANGE),
        ("the two places that build a parcel are alike", Aim.PIPELINE),
        ("что нужно, чтобы прислать патч", Aim.CHANGE),
        ("handlers I add by hand run too early", Aim.CHANGE),
        ("mirror without --remove deletes a file", Aim.EVERYWHERE),
        ("it helped once and then broke everything", Aim.EVERYWHERE),
        ("trace one logger and silence everything else", Aim.EVERYWHERE),
        ("it only fires when the first is a monday", Aim.EXPLAIN),
        ("what could go wrong when a parcel is sent", Aim.REVIEW),
        ("we're sending parcels twice a day now, what should I watch out for", Aim.HOW_TO),
        ("give me a tour of the code: what does a user see", Aim.CHANGE),
        ("i want to add a menu entry", Aim.HOW_TO),
        ("how do we label a parcel", Aim.EXPLAIN),
        ("what do i have to touch to get a new level", Aim.HOW_TO),
        ("what do i need to change for it", Aim.EXPLAIN),
        ("which files should be ignored", Aim.EVERYWHERE),
        ("какие файлы меняет сборка", Aim.EVERYWHERE),
        ("how do I get rid of warnings about it", Aim.EVERYWHERE),
        ("events get dropped silently", Aim.EVERYWHERE),
        ("the connection is dropped, packets drop", Aim.EVERYWHERE),
        ("a list with drag and drop handles", Aim.EVERYWHERE),
        ("как сделать свой приёмник", Aim.CHANGE),
        ("how do i add a new subcommand", Aim.HOW_TO),
        ("как добавить новую команду", Aim.HOW_TO),
        ("how do i list the services of docker compose", Aim.PIPELINE),
        ("panic in github.com/acme/ci/lint", Aim.PIPELINE),
        ("see https://example.com/docs/build", Aim.PIPELINE),
        ('it stops\n  File "/srv/ci/build/a.py", line 3, in run\n', Aim.PIPELINE),
        ("the wheel event is lost", Aim.PIPELINE),
        ("give me an example of a custom formatter", Aim.CHANGE),
        ("we need to know what the scan costs", Aim.CHANGE),
        ("where should the report be in the tree", Aim.CHANGE),
        ("давайте разберёмся, как читается файл", Aim.CHANGE),
        ("what sets do i get back", Aim.WHERE),
        ("хочу, чтобы экспорт запоминал формат", Aim.HOW_TO),
        ("the race starts at noon", Aim.REVIEW),
        ("cache invalidation between runs", Aim.CHANGE),
        ("don't understand how plugins are loaded", Aim.CHANGE),
        ("show me the code of the cache", Aim.CHANGE),
        ("the parcel is lost. Describe the bug", Aim.EXPLAIN),
        ("when do i call close", Aim.EXPLAIN),
        ("add a table, so I can paste it into a pull request comment", Aim.REVIEW),
        ("what happens if I add or remove a job while it sleeps", Aim.CHANGE),
        ("what happens if I add or remove a job while it sleeps", Aim.EVERYWHERE),
        ("let the caller be told which modules failed", Aim.WHERE),
        ("склад падает, хотя ящик нужен в конструкторе", Aim.HOW_TO),
        ("почему проверка это пропускает", Aim.PIPELINE),
        ("unfulfilled dependency at run time", Aim.PIPELINE),
        ("the pipeline of parcels stops at night", Aim.PIPELINE),
        ("how can i change log level at runtime", Aim.RECORD),
        ("http2 upgrade fails with 101 and then the connection closes", Aim.RECORD),
        ("where is the upgrade header of a websocket request handled", Aim.RECORD),
        ("show the latest news on the front page", Aim.RECORD),
        ("which version of TLS is negotiated", Aim.RECORD),
        ("migration from one node to another loses sessions", Aim.RECORD),
        ("в релизной ветке всё сломалось", Aim.RECORD),
        ("string formatting of negative durations is wrong", Aim.PIPELINE),
        ("how does the parser build its tree", Aim.PIPELINE),
        ("signal handler is installed twice", Aim.PIPELINE),
        ("as soon as a plugin is installed, the menu is empty", Aim.PIPELINE),
        ("установить значение по умолчанию для поля", Aim.PIPELINE),
        ("не удается установить соединение с сервером", Aim.PIPELINE),
        ("зависимости внедряются в неправильном порядке", Aim.PIPELINE),
        ("show which options are active", Aim.HOW_TO),
        ("хочу понять, как работает очередь", Aim.HOW_TO),
        ("I want to understand the queue", Aim.HOW_TO),
        ("я сделал маленький бот, и он падает", Aim.CHANGE),
        ("какая строка соответствует добавленной", Aim.CHANGE),
        ("I'd like a list of real problems", Aim.CHANGE),
        ("the runner cannot pull it from the registry", Aim.CHANGE),
        ("memory gets critically low", Aim.REVIEW),
        ("критическая ошибка при запуске", Aim.REVIEW),
        ("Support staff paste numbers with blanks", Aim.CHANGE),
        ("user is still there after i remove his role", Aim.EVERYWHERE),
        ("the report says which flag was ignored", Aim.HOW_TO),
        ("есть ли брокер для kafka", Aim.HOW_TO),
        ("a review is rounded down to whole stars", Aim.REVIEW),
        ("reviewers of a product cannot edit their review", Aim.REVIEW),
        ("users can't review an order after 30 days", Aim.REVIEW),
        ("where is what shows compiler errors inside the diff", Aim.REVIEW),
        ("contribution of each member is counted twice", Aim.ONBOARD),
        ("how do i test this function", Aim.ONBOARD),
        ("how do I remove a handler from the logger", Aim.EVERYWHERE),
        ("remove() returns false although the key exists", Aim.EVERYWHERE),
        ("rename of a column breaks the index", Aim.EVERYWHERE),
        ("deprecated warning is shown on every request", Aim.EVERYWHERE),
        ("can the round be set per postman?", Aim.CHANGE),
        ("could you review this before I open a PR? I dropped the queue", Aim.ONBOARD),
    ],
)
def test_what_only_looks_like_an_aim(text: str, aim: Aim) -> None:
    assert aim not in aims_of(text)


def test_that_somebody_contributed_is_no_wish_to() -> None:
    assert Aim.ONBOARD not in aims_of("a contributor wrote this parser, review it")


@pytest.mark.parametrize("newcomer", ["I'm new to this codebase", "First day here", "Первый день в проекте"])
def test_who_is_new_and_asks_how_something_works_wants_no_build_files(newcomer: str) -> None:
    assert Aim.ONBOARD not in aims_of(f"{newcomer}. What way does an option go?")
    assert Aim.ONBOARD in aims_of(f"{newcomer}. How do I run the linters?")


@pytest.mark.parametrize(
    "wish",
    [
        "which functions should I read before I run it",
        "where is a new flag registered, and how do I build it",
        "what do I have to touch for a new flag before sending a patch",
        "в каких классах это собрать",
    ],
)
def test_who_is_new_and_asks_for_places_in_the_code_wants_code(wish: str) -> None:
    assert Aim.ONBOARD not in aims_of(f"I'm new to this codebase, {wish}?")


@pytest.mark.parametrize("text", ["что нового", "переход с версии 2 на версию 3", "журнал изменений"])
def test_questions_about_releases_are_known_in_russian(text: str) -> None:
    assert Aim.RECORD in aims_of(text)


@pytest.mark.parametrize("text", ["the release job dies", "ignore releases younger than a week", "the release date"])
def test_what_is_released_is_no_question_about_releases(text: str) -> None:
    assert Aim.RECORD not in aims_of(text)


def test_what_fails_after_an_update_is_no_question_about_releases() -> None:
    assert Aim.RECORD not in aims_of("после обновления чужой библиотеки тесты падают")


def test_an_upgrade_beside_a_traceback_asks_for_no_changelog() -> None:
    text = "since upgrading to v2 the upload dies"
    assert Aim.RECORD in aims_of(text)
    assert Aim.RECORD not in aims_of(f'{text}\n  File "/srv/app/send.py", line 12, in send\n    raise Stop')


def test_the_jobs_of_a_program_are_no_checks() -> None:
    assert Aim.ONBOARD not in aims_of("how does the scheduler decide in which order queued jobs run")


@pytest.mark.parametrize(
    "text",
    [
        "uploads are counted twice after an outage",
        "edits change nothing, make test fails",
        "it dies:\nlet x = 1",
        "locks make it slow",
    ],
)
def test_a_plain_statement_has_no_aim(text: str) -> None:
    assert not aims_of(text)


def test_who_wants_something_given_asks_for_a_change() -> None:
    assert Aim.CHANGE in aims_of("we should give the exporter an option to skip empty rows")
    assert Aim.CHANGE not in aims_of("which settings give the best speed")
    assert Aim.CHANGE not in aims_of("give me a hint why the exporter skips empty rows")


@pytest.mark.parametrize(
    "text",
    ["which tests do I run before I open a pull request", "my first pull request, how do I build",
     "какие тесты прогнать перед тем, как открыть pull request, и как собрать проект"],
)  # fmt: skip
def test_who_prepares_a_pull_request_reviews_none(text: str) -> None:
    assert Aim.ONBOARD in aims_of(text)
    assert Aim.REVIEW not in aims_of(text)
    assert Aim.REVIEW in aims_of("review this pull request")


@pytest.mark.parametrize("begin", ["с чего начать?", "where do I start?"])
def test_where_to_begin_with_a_change_is_no_question_about_the_project(begin: str) -> None:
    found = aims_of(f"Хочу, чтобы логгер мог получить свой уровень, {begin}")
    assert Aim.CHANGE in found
    assert Aim.ONBOARD not in found
    assert Aim.ONBOARD in aims_of("с чего начать, как собрать проект")
