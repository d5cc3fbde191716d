from __future__ import annotations

import math

import pytest

from ctxpack.model import Intent, Shape
from ctxpack.query import query_of_text
from ctxpack.query.lookups import asked_words, phrases_sought
from ctxpack.query.messages import without_idle_words
from ctxpack.query.understand import Aim, aims_of

ISSUE = """Uploader retries forever

When `Uploader.send` fails it calls retry_delay() again and again and never stops.

```python
client.upload_file(path)
```

Traceback (most recent call last):
  File "app/upload.py", line 12, in send
    raise UploadError
app.errors.UploadError: too many
"""


@pytest.mark.parametrize(
    ("text", "shape", "intent"),
    [
        ("retry", Shape.SYMBOL, Intent.LOOKUP),
        ("Uploader.retry", Shape.SYMBOL, Intent.LOOKUP),
        ("std::vector", Shape.SYMBOL, Intent.LOOKUP),
        ("retry()", Shape.SYMBOL, Intent.LOOKUP),
        ("  retry\n", Shape.SYMBOL, Intent.LOOKUP),
        ("app/retry", Shape.SYMBOL, Intent.LOOKUP),
        ("retry delay", Shape.QUESTION, Intent.LOOKUP),
        ("How are retries delayed?", Shape.QUESTION, Intent.EXPLAIN),
        ("Fix the crash in the uploader", Shape.QUESTION, Intent.TROUBLESHOOT),
        ("Add a limit to the retries", Shape.QUESTION, Intent.CHANGE),
        ("Review the retry code", Shape.QUESTION, Intent.REVIEW),
        ("I changed the retry code, what could go wrong", Shape.QUESTION, Intent.REVIEW),
        ("SendError: closed", Shape.QUESTION, Intent.TROUBLESHOOT),
        ("explain it:\n    at send (src/app.ts:3:4)", Shape.ISSUE, Intent.TROUBLESHOOT),
        ("where is SendError raised", Shape.QUESTION, Intent.EXPLAIN),
        ("in which folder is it kept and can I make it portable", Shape.QUESTION, Intent.EXPLAIN),
        ("can I change the folder it is kept in", Shape.QUESTION, Intent.EXPLAIN),
        ("my PR adds an option, what else has to be updated?", Shape.QUESTION, Intent.CHANGE),
        ("how do I add a new exporter", Shape.QUESTION, Intent.CHANGE),
        ("where do we add a new exporter", Shape.QUESTION, Intent.CHANGE),
        ("how do I add a label", Shape.QUESTION, Intent.EXPLAIN),
        ("where do we implement retries", Shape.QUESTION, Intent.EXPLAIN),
        ("как добавить новый формат", Shape.QUESTION, Intent.CHANGE),
        ("Исправь повторы загрузки", Shape.QUESTION, Intent.TROUBLESHOOT),
        ("New here. How does an update reach the page?", Shape.QUESTION, Intent.EXPLAIN),
        ("the update of the page", Shape.QUESTION, Intent.LOOKUP),
        ("Add a limit. How long may it be?", Shape.QUESTION, Intent.CHANGE),
        ("Как работает загрузка?", Shape.QUESTION, Intent.EXPLAIN),
        ("добавить лимит повторов", Shape.QUESTION, Intent.CHANGE),
        ("word " * 17, Shape.ISSUE, Intent.LOOKUP),
        ("one\ntwo", Shape.ISSUE, Intent.LOOKUP),
        (ISSUE, Shape.ISSUE, Intent.TROUBLESHOOT),
        ("", Shape.QUESTION, Intent.LOOKUP),
    ],
)
def test_shape_and_intent(text: str, shape: Shape, intent: Intent) -> None:
    query = query_of_text(text)
    assert (query.shape, query.intent) == (shape, intent)


def test_parts_of_an_issue_weigh_differently() -> None:
    query = query_of_text(ISSUE)
    assert query.title_text == "Uploader retries forever"
    assert list(query.title) == ["forever", "retries", "uploader"]
    assert query.title["retries"] == query.terms["retries"] == pytest.approx(math.log1p(4))
    assert query.terms["uploader"] == pytest.approx(math.log1p(4 + 1))  # title and prose
    assert query.terms["stops"] == pytest.approx(math.log1p(1))
    assert query.terms["client"] == pytest.approx(math.log1p(0.3))
    assert query.terms["raise"] == pytest.approx(math.log1p(1))
    assert query.words["retry_delay"] == pytest.approx(math.log1p(1))
    assert "retry_delay" not in query.terms


def test_stopwords_say_nothing() -> None:
    assert {"when", "it", "the", "and"}.isdisjoint(query_of_text(ISSUE).terms)
    assert query_of_text("").terms == {}


def test_a_word_that_a_letter_makes_a_name_says_something() -> None:
    assert set(query_of_text("what does v-once do inside v-for?").terms) == {"once", "for"}
    assert "for" not in query_of_text("which header is x-forwarded-for").terms
    assert "in" not in query_of_text("where is the sign-in page").terms


def test_self_says_something_before_a_participle() -> None:
    assert "self" in query_of_text("add a self-managed node group").terms
    assert "self" in query_of_text("how do self hosted runners start").terms
    assert "self" not in query_of_text("why is self None in this method").terms


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("upgrade the chart from 70 to 73, what breaks", {"70", "71", "72", "73"}),
        ("how do I migrate from v17.3 to v19", {"v17", "v18", "v19"}),
        ("обновить чарт с 70 до 72", {"70", "71", "72"}),
        ("raise the timeout from 70 to 73", {"70", "73"}),
        ("upgrade from 10 to 2024", {"10", "2024"}),
        ("upgrade from 73 to 70", {"73", "70"}),
    ],
)
def test_the_versions_between_those_of_an_upgrade_are_meant(text: str, versions: set[str]) -> None:
    assert {term for term in query_of_text(text).terms if term[-1].isdigit()} == versions


def test_identifiers_are_code_shaped_marked_or_called() -> None:
    found = query_of_text(ISSUE).identifiers
    assert found["Uploader"] == found["send"] == found["retry_delay"] == 0.8
    assert found["upload_file"] == 0.5
    assert found["UploadError"] == 0.4
    assert {"fails", "client", "forever"}.isdisjoint(found)
    assert query_of_text("explain the Blueprint class").identifiers == {"Blueprint": 0.6}
    assert query_of_text("Blueprint of the house. Plan of it, in Ö").identifiers == {}
    assert query_of_text("set the Content-Type header, Retry-After too").identifiers == {}
    assert query_of_text("a Blueprint-based app").identifiers == {"Blueprint": 0.6}
    assert query_of_text("the upload stops (at 3): Cannot open the box").identifiers == {}
    assert query_of_text("Why does retry_delay grow").identifiers == {"retry_delay": 1}
    assert query_of_text("The browser saves `March bill.pdf` twice").identifiers == {"March": 1, "bill": 1}
    assert query_of_text("Why does `writer.csv()` fail").identifiers == {"writer": 1, "csv": 1}
    assert query_of_text("what does $patch do").identifiers == {"$patch": 1}
    assert query_of_text("it costs $5 or 3$ a day").identifiers == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("retry", ["retry"]),
        ("get", ["get"]),  # a stopword elsewhere
        ("bug", ["bug"]),
        ("Uploader.retry", ["Uploader", "retry"]),
        ("std::vector", ["std", "vector"]),
        ("retry()", ["retry"]),
        ("os", ["os"]),
        ("загрузка", ["загрузка"]),
    ],
)
def test_every_word_of_a_symbol_is_a_name(text: str, names: list[str]) -> None:
    query = query_of_text(text)
    assert query.identifiers == dict.fromkeys(names, 1)
    assert sorted(query.terms) == sorted(name.lower() for name in names)
    assert query.title == query.terms


def test_template_words_count_in_a_short_request() -> None:
    assert "version" in query_of_text("bump version").terms
    assert "version" not in query_of_text("Version\n\n" + "The uploader retries for ever. " * 6).terms


def test_phrases_are_runs_of_three_words_that_say_something() -> None:
    query = query_of_text("never stops retrying the upload of it")
    assert ("never", "stops", "retrying") in query.phrases or ("stops", "retrying", "the") in query.phrases
    assert ("upload", "of", "it") not in query.phrases
    assert query_of_text("```\nclient upload file\n```").phrases == ()
    assert (
        len(set(query_of_text("a1 b1 c1 d1 " * 400).phrases)) == len(query_of_text("a1 b1 c1 d1 " * 400).phrases) <= 120
    )


def test_a_russian_request() -> None:
    query = query_of_text("Исправить повтор загрузки в UploadQueue, когда сервер не отвечает")
    assert {"повтор", "загрузки", "upload", "queue", "сервер"} <= set(query.terms)
    assert {"в", "когда", "не"}.isdisjoint(query.terms)
    assert query.identifiers == {"UploadQueue": 1}
    assert query.intent is Intent.TROUBLESHOOT


def test_mentions_are_those_of_the_text() -> None:
    kinds = {(mention.kind, mention.text) for mention in query_of_text(ISSUE).mentions}
    assert ("frame", "app/upload.py") in kinds
    assert ("dotted", "Uploader.send") in kinds


def test_tokens_stand_in_one_order_whatever_the_text() -> None:
    assert list(query_of_text("zebra apple").terms) == list(query_of_text("apple zebra").terms) == ["apple", "zebra"]


def test_an_option_is_the_name_that_code_gives_it() -> None:
    query = query_of_text("`tool --changed-within 2weeks --all` fails, --dry-run- too, not a--b-c")
    assert [name for name in query.identifiers if "_" in name] == ["changed_within", "dry_run"]
    assert {"changed_within", "changed"} <= query.words.keys()
    assert "changed_within" not in query.terms


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("rename Starred to Favourites in the sidebar", {"favourites"}),
        ("rename MatchedPath to RoutePattern everywhere", {"route", "pattern"}),
        ("rename the class Uploader into `Sender`", {"sender"}),
        ("переименовать upload_file в send_batch", {"send", "batch"}),
        ("Add a new language server called foo_ls (with settings)", {"foo", "ls"}),
        ("add an exporter named dracula to the menu", {"dracula"}),
        ("добавь новую команду под названием foo_ls", {"foo", "ls"}),
        ("add a new subcommand, e.g. 'inspect SERVICE', for services", {"inspect", "service"}),
        ('add a new subcommand, e.g. "inspect SERVICE", for services', {"inspect", "service"}),
    ],
)
def test_the_new_name_of_what_is_renamed_is_not_looked_for(text: str, gone: set[str]) -> None:
    query = query_of_text(text)
    assert query.terms
    assert gone.isdisjoint(query.terms)
    assert query.text == text


def test_the_name_of_what_is_changed_is_looked_for() -> None:
    assert "parse" in query_of_text("add a parameter to a function called parse_x").terms
    assert "foo" in query_of_text("why is the new server called foo_ls ignored").terms


def test_a_word_behind_a_renaming_is_looked_for() -> None:
    assert "existing" in query_of_text("rename of a file to existing folder fails").terms


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("where is the sixel protocol implemented", ("sixel", "protocol")),
        ("Is there an upload of parts?", ("upload",)),
        ("does it support QUIC in clients", ("quic",)),
        ("где находится журнал записей", ("журнал", "записей")),
        ("fix the retry delay", ()),
    ],
)
def test_a_question_asks_for_the_words_behind_its_beginning(text: str, asked: tuple[str, ...]) -> None:
    assert asked_words(text) == asked


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("where is the token bucket and how big is it", {("token", "bucket")}),
        ("pull packages from npm, in which class is the npm registry client", {("npm", "registry", "client")}),
        ("where in the code is the upgrade of sockets handled", {("upgrade",)}),
        ("which function parses the cron expressions?", {("cron", "expressions")}),
        ("is there a class for server-sent events", {("server", "sent", "events"), ("class",)}),
        ("does this ship a ready made distributed lock", {("distributed", "lock")}),
        ("can parcels generate a json schema", {("json", "schema")}),
        ("in which direction does a response travel", set()),
        ("add a token bucket", set()),
    ],
)
def test_what_a_question_looks_for_is_read(text: str, sought: set[tuple[str, ...]]) -> None:
    assert {each for each in phrases_sought(text) if each} == sought


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("write a test for the define plugin", {"test", "define", "plugin"}),
        ("Please fix the retry delay", {"retry", "delay"}),
        ("change the page size", {"page", "size"}),
        ("where does the page size change", {"page", "size", "change"}),
        ("where do we write the index", {"write", "index"}),
        ("fix imports", {"fix", "imports", "import"}),
        ("Исправить повторную отправку", {"повторную", "отправку"}),
    ],
)
def test_the_verb_that_a_wish_begins_with_is_no_term(text: str, terms: set[str]) -> None:
    assert set(query_of_text(text).terms) <= terms
    assert ("write" in query_of_text(text).terms) is ("write" in terms)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("how to get the real address of a client", "how to the real address of a client"),
        ("how do I make get requests", "how do I get requests"),  # a name of the protocol
        ("how do I make GET requests", "how do I GET requests"),
        ("I'm new here, where are tests", ", where are tests"),
        ("I'm new in the team, where are tests", ", where are tests"),
        ("I just joined the project, where are tests", ", where are tests"),
        ("give me a short tour of the code: how are orders stored", ": how are orders stored"),
        ("walk me through how orders are stored", "how orders are stored"),
        ("show me a tour", "show me a tour"),  # nothing else is said
        ("the team joined the calls", "the team joined the calls"),
        ("я новичок в проекте, проведи меня по коду: как хранится заказ", ", : как хранится заказ"),
        ("какой путь проходит заказ", "заказ"),
        ("how does an order get from the form to the store", "how does an order from the form to the store"),
        ("what is checked before I open a pull request", "what is checked before"),
        ("my first patch: what do I have to run", "my first patch: what do I run tests lint"),
        ("what do I have to run to read a file", "what do I have to run to read a file"),
        ("who stops a read that takes too long", "who stops a read that takes too long"),
        ("open a file before reading", "open a file before reading"),
        ("how to write my own backend", "how to write my own backend"),
        ("how to write a custom backend", "how to a custom backend"),
        ("what files need to be touched for a locale", "for a locale"),
        ("which files do I touch for a locale", "for a locale"),
        ("which files should be ignored", "which files should be ignored"),
        ("a further store, and which existing store do I copy", "a further store, and store"),
        (
            "a further store: which one should I take as an example, where is the existing one",
            "a further store: one, where is",
        ),
        ("a further store, where are the others registered?", "a further store, where are the others registered?"),
        ("where is it registered in the store", "where is it registered in the store"),
        ("where is a user registered", "where is a user registered"),
        ("why is a parcel shown without its lid", "why is a parcel without its lid"),
        ("the lid is not shown.", "the lid is not ."),
        ("what fires the shown event, and shown.lid", "what fires the shown event, and shown.lid"),
        ("what is shown", "what is shown"),  # nothing else is said
        ("which rows do I copy into the store", "which rows do I copy into the store"),
        ("what do I have to change for a locale", "for a locale"),
        ("my PR (#12) adds a locale", "my PR (#12) adds a locale"),
        ("my PR adds a locale", "a locale"),
        ("what's the path from the reader to the store", "from the reader to the store"),
        ("the path from the settings", "the path from the settings"),
        ("feeds that didn't get any entries", "feeds that didn't any entries"),
        ("users get logged out, lines get cut", "users logged out, lines cut"),
        ("they get feed entries and I'm getting an error", "feed entries and an error"),
        ("how do releases get made", "how do releases made"),
        ("i set 5 retries", "5 retries"),
        ("what should I set for a mirror", "what should I set for a mirror"),
        ("how to write a file", "how to write a file"),
        ("I changed the scales, what else depends on it", "the scales,"),
        ("parcels go by ship, did I miss anything", "parcels go by ship,"),
        ("посылки идут морем, на что обратить внимание", "посылки идут морем,"),
        ("I changed money at the desk", "I changed money at the desk"),
        ("it waits as long as the lid is open", "it waits the lid is open"),
        ("it waits for a long time", "it waits for a long time"),
        ("how long is it kept and where is that default set?", "is it kept and where is that default?"),
        ("where is the default set of colours", "where is the default set of colours"),
        ("how do I run one test on my own machine", "how do I run one test"),
        ("which state is the machine in", "which state is the machine in"),
        ("как добавить клавишу в своём плагине", "как клавишу в плагине"),
        ("как добавить свой плагин", "как свой плагин"),
        ("хочу добавить ещё один новый фильтр", "хочу фильтр"),
        ("реализуйте новую команду", "команду"),
        ("где реализовано добавить в корзину", "где реализовано добавить в корзину"),
        ("какие файлы нужно поменять ради новой темы", "ради новой темы"),
        ("что меняется после сборки", "что меняется после сборки"),
        ("the lid ends up right below the box", "the lid below the box"),
        ("send it right away", "send it"),
        ("the right lid is in the right place", "the right lid is in the right place"),
        ("the lid is lost, fix", "the lid is lost,"),
        ("the lid is lost. please fix this!", "the lid is lost. !"),
        ("крышка теряется, почините, пожалуйста", "крышка теряется,"),
        ("the lid needs a quick fix", "the lid needs a quick fix"),
        ("хочу, чтобы крышка держалась, с чего начать?", "хочу, чтобы крышка держалась, ?"),
        ("where do I start", "where do I start"),
        ("users complain that parcels are late", "parcels are late"),
        ("some customers keep complaining about late parcels", "late parcels"),
        ("support says that parcels vanish", "parcels vanish"),
        ("users report a parcel", "users report a parcel"),
        ("клиенты жалуются, что посылки теряются", "посылки теряются"),
    ],
)
def test_words_of_mere_manner_are_left_out(text: str, bare: str) -> None:
    assert " ".join(without_idle_words(text, to_contribute=Aim.ONBOARD in aims_of(text)).split()) == bare


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("#foo.bar becomes #foo in the tag list", {"becomes", "tag", "list"}),
        ("the bar of the player is too small", {"bar", "player", "small"}),
        ("what is foo", {"foo"}),
        ("`fetch https://example.com/big.iso` hangs at the end", {"fetch", "https", "big", "iso", "hangs", "end"}),
        ("the example of example.com hangs", {"example", "hangs"}),
        ("what is example.com", {"example", "com"}),
        ("pls fix the menu, it doesnt open and idk why btw", {"fix", "menu", "open"}),
    ],
)
def test_names_for_any_thing_and_words_of_chats_are_no_topics(text: str, terms: set[str]) -> None:
    assert set(query_of_text(text).terms) <= terms


@pytest.mark.parametrize(
    ("text", "is_idle"),
    [
        ("in what order are hooks called", True),
        ("в каком порядке вызываются хуки", True),
        ("the hooks run in what order", False),
        ("sort the hooks in order of names", False),
    ],
)
def test_a_question_for_an_order_is_about_what_is_ordered(text: str, *, is_idle: bool) -> None:
    terms = query_of_text(text).terms
    assert ({"order", "порядке"}.isdisjoint(terms), bool({"hooks", "хуки"} & set(terms))) == (is_idle, True)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("explain step by step what poetry does", {"poetry"}),
        ("the step-by-step tutorial", {"step", "tutorial"}),
        ("step by step", {"step"}),
        ("how long", {"long"}),
    ],
)
def test_the_manner_of_a_request_is_no_topic_unless_nothing_else_is_said(text: str, rest: set[str]) -> None:
    assert rest <= set(query_of_text(text).terms)
    assert ("step" in query_of_text(text).terms) == ("step" in rest)


def test_a_mistyped_word_that_says_nothing_is_no_topic() -> None:
    terms = query_of_text("whre is the exit code set, and why dosnt thor fail").terms
    assert {"exit", "thor"} <= terms.keys()
    assert terms.keys().isdisjoint({"whre", "dosnt"})


def test_a_word_that_nobody_said_counts_less() -> None:
    read_into, said = (query_of_text(f"register {which} middleware") for which in ("my own", "a custom"))
    for weights in (read_into.terms, read_into.words, read_into.title):
        assert 0 < weights["custom"] < weights["middleware"]
    assert said.terms["custom"] == said.terms["middleware"]


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("where does it decide which files are sent", "decide"),
        ("how does the filter determine whether a path is hidden", "determine"),
        ("where is it decided that a list becomes JSON?", "decided"),
        ("where is the location of the cache determined", "determined"),
    ],
)
def test_the_verb_of_who_asks_where_it_is_decided_counts_less(text: str, verb: str) -> None:
    terms = query_of_text(text).terms
    assert 0 < terms[verb] < 0.5 * min(weight for term, weight in terms.items() if term != verb)


def test_a_verb_that_names_what_is_looked_for_counts_like_the_others() -> None:
    for text in ("decide function of the voter", "the voters decided too late", "run decide_action"):
        assert len(set(query_of_text(text).terms.values())) == 1, text


def test_what_is_kept_is_a_topic_where_one_asks_which() -> None:
    assert "keep" in query_of_text("which old snapshots to keep").terms
    assert "keep" in query_of_text("where is it decided how many backups to keep?").terms
    for text in ("why does it keep failing", "I want to keep the name", "which hook does keep the lock"):
        assert "keep" not in query_of_text(text).terms
