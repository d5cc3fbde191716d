from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import NothingFoundError
from ctxpack.gather import similarity
from ctxpack.gather.similarity import has_words, key_of, resembling, spellings_of
from ctxpack.gather.strategies.component import component_pieces, gather_component
from ctxpack.gather.strategies.dependencies import gather_dependencies
from ctxpack.gather.strategies.tests import gather_tests
from ctxpack.model import Form, Request, Scope
from ctxpack.model.columns import FileTable
from ctxpack.query.subtokens import stem_of
from tests.unit.gather.conftest import MakeContext

FILES = {
    "src/event_queue/__init__.py": "",
    "src/event_queue/store.py": 'class Store:\n    """Keeps events."""\n\n    def put(self):\n        return 1\n',
    "src/event_queue/README.md": "# Event queue\n\nHow events wait.\n",
    "src/worker.py": "def drain():\n    return 0\n",
    "docs/specs/event-queue.md": "# Event queue\n\nEvents wait in order.\n",
    "vendor/lib.js": "function eventQueue() { return 1 }\n",
}


def named(name: str) -> Request:
    return Request(Scope.COMPONENT, name=name)


@pytest.mark.parametrize("name", ["event_queue", "EventQueue", "event-queues", "event queue"])
def test_a_component_is_found_however_its_name_is_written(context: MakeContext, name: str) -> None:
    pieces = component_pieces(context(FILES, named(name)))
    found = {each.provenance.path: each for each in pieces}
    assert {"src/event_queue/store.py", "src/event_queue/README.md", "docs/specs/event-queue.md"} <= set(found)
    assert "src/worker.py" not in found
    assert found["src/event_queue/store.py"].text == FILES["src/event_queue/store.py"]
    assert found["docs/specs/event-queue.md"].provenance.reasons == ("file of that name",)
    assert found["vendor/lib.js"].value < found["src/event_queue/store.py"].value


def test_pages_with_the_tag_of_the_name_belong_to_it(context: MakeContext) -> None:
    files = FILES | {"docs/boards.md": "---\ntags: [Event_Queue]\n---\n\n# Boards\n\nNumbers.\n"}
    found = {each.provenance.path: each for each in component_pieces(context(files, named("event_queue")))}
    assert found["docs/boards.md"].provenance.reasons == ("has the tag event_queue",)


def test_an_overview_of_the_project_makes_objects_of_few_files(context: MakeContext) -> None:
    parts = {f"src/part{at}.c": f"int part{at}(int x) {{\n  return x + {at};\n}}\n" for at in range(400)}
    files = {"README.md": "# Queue\n\nKeeps events.\n", "src/main.c": "int main(void) {\n  return 0;\n}\n"}
    its = context(
        files | parts | {"src/use.c": '#include "part7.h"\n', "src/part7.h": "int part7(int x);\n"}, named(".")
    )
    all_files = its.view.files.entries
    columns = (all_files.paths, all_files.blobs), (all_files.sizes, all_files.times)
    bare = FileTable(*columns, all_files.classes, all_files.class_numbers, all_files.dirty)
    its.view.files.entries = bare
    told = {each.provenance.path: each.provenance.reasons for each in component_pieces(its)}
    assert {"README.md", "src/main.c", "src/part7.c"} <= set(told)
    assert told["src/part7.c"] == ("2 files name it",)
    assert "_all" not in vars(bare)
    assert len(bare._made) < 40


_WORDS = st.text("aAbB_1.- \n", max_size=12)


@given(_WORDS, st.frozensets(st.text("abAB_1.é", min_size=1, max_size=3), max_size=3))
def test_a_text_in_ascii_spells_names_as_it_does_among_other_letters(text: str, names: frozenset[str]) -> None:
    assert spellings_of(text, names) == spellings_of(f"{text} ж", names)


def test_not_all_words_of_a_text_are_cut_to_find_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[str] = []

    def cut_words(text: str) -> list[str]:
        cut.append(text)
        return re.findall(r"\w+", text)

    monkeypatch.setattr(similarity, "find_words", cut_words)
    text = "the event queue, an EventQueue and event_queue\n" * 50
    assert spellings_of(text, {"event_queue", "eventqueue"}) == {"event_queue", "EventQueue"}
    assert max(map(len, cut)) < 20


def _functions(name: str, count: int) -> str:
    return "".join(f"def {name}_{number}(x):\n    y = x\n    return y\n\n\n" for number in range(count))


def test_a_class_comes_whole_though_the_ranking_found_its_head_alone(context: MakeContext) -> None:
    methods = "".join(f"    def step_{number}(self, x):\n        y = x\n        return y\n\n" for number in range(40))
    text = f"import os\n\n\nclass Lamp:\n    size = 1\n\n{methods}\n\ndef other():\n    return 0\n"
    (piece,) = component_pieces(context({"parts.py": text, "b.py": "x = 1\n"}, named("Lamp")))
    assert (piece.provenance.start_line, piece.form, piece.required) == (4, Form.FULL, True)
    assert "step_39" in piece.text
    assert "other" not in piece.text


def test_a_folder_comes_whole_where_it_fits_else_its_short_files(context: MakeContext) -> None:
    small = {"lamp/a.py": _functions("a", 60), "lamp/b.py": _functions("b", 3), "c.py": "x = 1\n"}
    pieces = component_pieces(context(small, named("lamp")))
    assert {(each.provenance.path, each.form) for each in pieces} == {
        ("lamp/a.py", Form.FULL),
        ("lamp/b.py", Form.FULL),
    }
    pieces = component_pieces(context(small | {"lamp/a.py": _functions("a", 600)}, named("lamp")))
    assert {(each.provenance.path, each.form) for each in pieces} == {
        ("lamp/a.py", Form.OUTLINE),
        ("lamp/b.py", Form.FULL),
    }


def test_the_file_of_that_name_takes_room_before_the_rest_of_its_folder_and_what_is_an_example(
    context: MakeContext,
) -> None:
    files = {
        "demos/lamp.py": _functions("demo", 250),
        "src/lamp/lamp.py": _functions("shine", 250),
        "src/lamp/other.py": _functions("other", 250),
    }
    pieces = component_pieces(context(files, named("lamp")))
    assert {each.provenance.path for each in pieces if each.form is Form.FULL and each.required} == {"src/lamp/lamp.py"}
    assert next(each.provenance.path for each in pieces if each.form is Form.OUTLINE) == "src/lamp/other.py"
    assert sum(each.provenance.path == "src/lamp/lamp.py" for each in pieces) == 1


def test_of_files_of_that_name_the_one_in_a_folder_of_that_name_takes_room_first(context: MakeContext) -> None:
    files = {f"app/{folder}/lamp.py": _functions(folder, 300) for folder in ("bin", "lamp")}
    pieces = component_pieces(context(files, named("lamp")))
    whole = {each.provenance.path for each in pieces if each.form is Form.FULL and each.provenance.start_line == 1}
    assert whole == {"app/lamp/lamp.py"}


def test_files_with_the_name_in_theirs_come_before_the_rest_of_a_folder(context: MakeContext) -> None:
    others = {f"lamp/part_{number:02}.py": _functions(f"part_{number}", 3) for number in range(20)}
    used = "".join(f"from lamp import part_{number:02}\n" for number in range(20))
    pieces = component_pieces(
        context({**others, "lamp/table_lamp.py": _functions("shine", 3), "a.py": used}, named("lamp"))
    )
    assert max(pieces, key=lambda each: each.value).provenance.path == "lamp/table_lamp.py"


def test_the_licence_above_code_stays_out(context: MakeContext) -> None:
    licence = "# Copyright of all lamps\n# Permission is granted\n\n"
    files = {f"lamp/{name}.py": licence + _functions(name, 2) for name in ("on", "off", "lamp")}
    pieces = component_pieces(context(files, named("lamp")))
    assert {each.provenance.path for each in pieces} == set(files)
    assert not any("Permission" in each.text for each in pieces)


def test_a_page_leaves_room_for_code(context: MakeContext) -> None:
    page = "# Lamps\n" + "".join(f"\n## Part {number}\n\nHow a lamp shines at night.\n" for number in range(300))
    pieces = component_pieces(context({"docs/lamp.md": page, "lamp/on.py": _functions("on", 250)}, named("lamp")))
    (code,) = (each for each in pieces if each.provenance.path == "lamp/on.py")
    assert code.form is Form.FULL


def test_own_code_of_a_folder_precedes_its_examples_and_no_licence_or_changelog_comes(context: MakeContext) -> None:
    files = {
        "lamp/examples/shine.py": _functions("shine", 3),
        "lamp/on.py": _functions("on", 3),
        "lamp/LICENSE": "Permission is granted.\n",
        "lamp/CHANGELOG.md": "# 1.0\n\nA lamp.\n",
        "lamp/guide.md": "# Guide\n\nHow a lamp is hung.\n",
    }
    found = {each.provenance.path: each for each in component_pieces(context(files, named("lamp")))}
    assert set(found) == {"lamp/examples/shine.py", "lamp/on.py", "lamp/guide.md"}
    assert found["lamp/on.py"].value > found["lamp/examples/shine.py"].value


def test_a_page_of_that_name_comes_whole_in_one_edition(context: MakeContext) -> None:
    text = "# Lamps\n" + "".join(f"\n## Part {number}\n\nHow a lamp shines.\n" for number in range(60))
    guide = text.replace("Part", "Room").replace("How a lamp shines", "Where it is hung")
    files = {f"www/{folder}/lamps.md": text for folder in ("docs", "versioned_docs/version-1.x")}
    files |= {f"guide/{language}/lamps.md": guide for language in ("de", "en", "fr")}
    pieces = component_pieces(context(files, named("lamps")))
    assert {(each.provenance.path, each.text) for each in pieces} == {
        ("www/docs/lamps.md", text),
        ("guide/en/lamps.md", guide),
    }


def test_of_a_page_and_its_copies_the_page_comes(context: MakeContext) -> None:
    page = "# Lamps\n" + "".join(f"\nHow lamp {number} shines.\n" for number in range(20))
    files = {"docs/lamps.md": f"> DO NOT EDIT.\n\n{page}", "src/docs/lamps.md": page}
    pieces = component_pieces(context(files, named("lamps")))
    assert {each.provenance.path for each in pieces} == {"src/docs/lamps.md"}


def test_the_best_definitions_of_a_long_main_file_come_in_full_between_outlines(context: MakeContext) -> None:
    steps = _functions("step", 400)
    text = f"{steps}def lamp_on(lamp):\n    lamp.on()\n    return lamp\n\n\n{steps.replace('step', 'later')}"
    pieces = component_pieces(context({"lamp.py": text, "b.py": "x = 1\n"}, named("lamp")))
    forms = [
        (each.form, each.provenance.symbol) for each in sorted(pieces, key=lambda each: each.provenance.start_line)
    ]
    assert (Form.FULL, "lamp_on") in forms
    assert forms[0] == forms[-1] == (Form.OUTLINE, "")
    spans = sorted((each.provenance.start_line, each.provenance.end_line) for each in pieces)
    assert all(one[1] < other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize("name", ["Store.put", "Store::put", "Store#put()", "event_queue.Store.put", "store.PUT"])
def test_a_qualified_name_means_the_one_definition(context: MakeContext, name: str) -> None:
    files = FILES | {"src/other.py": "class Other:\n    def put(self):\n        return 2\n"}
    pieces = component_pieces(context(files, named(name)))
    assert [(each.provenance.path, each.provenance.symbol) for each in pieces] == [
        ("src/event_queue/store.py", "Store.put")
    ]
    assert pieces[0].provenance.reasons == ("definition of that name",)


def test_a_name_with_a_dot_that_is_no_definition_is_looked_for_as_it_is(context: MakeContext) -> None:
    assert component_pieces(context(FILES, named("worker.py")))[0].provenance.path == "src/worker.py"


def test_a_definition_is_found_by_a_name_with_a_typing_error(context: MakeContext) -> None:
    pieces = component_pieces(context(FILES, named("drian")))
    assert [each.provenance.path for each in pieces] == ["src/worker.py"]
    assert pieces[0].provenance.reasons == ("definition with the similar name drain",)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("zzyzx", "Name a folder"), ("nope_nothing", "Name a folder"), ("evnts-que", "Did you mean event-queue?")],
)
def test_only_names_that_look_alike_are_suggested(context: MakeContext, name: str, hint: str) -> None:
    with pytest.raises(NothingFoundError) as raised:
        component_pieces(context(FILES, named(name)))
    assert raised.value.hint.startswith(hint)


def test_the_most_exact_match_comes_first(context: MakeContext) -> None:
    matches = resembling("store", context(FILES | {"src/store_keeper.py": "x = 1\n"}, named("store")).view)
    assert [match.name for match in matches][:2] == ["store", "store"]
    assert {match.name for match in matches} >= {"store_keeper"}
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)


@pytest.mark.parametrize(
    ("name", "key"),
    [("Retry-Policies", "retrypolicy"), ("caches", "cache"), ("cache", "cache"), ("класс", "класс"), ("__", "")],
)
def test_keys_ignore_case_separators_and_number(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("a/b.py", "b"), ("a/__init__.py", "a"), ("index.ts", "index"), ("Makefile", "Makefile"),
        ("CommonModules/Store/Module.bsl", "Store"), ("CommonModules/Store/Ext/Module.bsl", "Store"),
    ],
)  # fmt: skip
def test_stems(path: str, stem: str) -> None:
    assert stem_of(path) == stem


def test_of_many_files_by_the_name_the_code_near_the_root_comes_first(context: MakeContext) -> None:
    pages = {f"public/language/{code}/alerts.json": '{"title": "x"}\n' for code in ("ar", "az", "bg", "bn", "cs", "da")}
    deeper = {f"lib/part{number}/alerts.py": "def show():\n    return 1\n" for number in range(4)}
    pieces = component_pieces(
        context(pages | deeper | {"src/alerts.py": "def send():\n    return 2\n"}, named("alerts"))
    )
    assert pieces[0].provenance.path == "src/alerts.py"


def test_what_has_the_name_in_its_own_comes_too_but_beside_much_only_where_room_is_left(context: MakeContext) -> None:
    files = {
        "macros/surrogate_key.sql": "{% macro surrogate_key(fields) %}\n  moved\n{% endmacro %}\n",
        "macros/generate_surrogate_key.sql": "{% macro generate_surrogate_key(fields) %}\n  made\n{% endmacro %}\n",
        "macros/star.sql": "{% macro star(from) %}\n  all\n{% endmacro %}\n",
    }
    found = {each.provenance.path: each for each in component_pieces(context(files, named("surrogate_key")))}
    assert set(found) == {"macros/surrogate_key.sql", "macros/generate_surrogate_key.sql"}
    assert found["macros/generate_surrogate_key.sql"].required
    long = {**files, "macros/surrogate_key.sql": _functions("surrogate_key", 400)}
    beside = {each.provenance.path: each for each in component_pieces(context(long, named("surrogate_key")))}
    assert set(beside) == set(found)
    assert not beside["macros/generate_surrogate_key.sql"].required
    assert beside["macros/generate_surrogate_key.sql"].value < found["macros/generate_surrogate_key.sql"].value


def test_a_folder_without_code_is_its_configuration(context: MakeContext) -> None:
    files = {
        "charts/shop/README.md": "# Shop\n\nA chart.\n",
        "charts/shop/values.yaml": "replicas: 1\n" * 9,
        "charts/shop/templates/service.yaml": "kind: Service\n" * 4,
        "charts/shop/.helmignore": "*.tmp\n",
        "charts/bank/values.yaml": "replicas: 2\n",
    }
    found = [each.provenance.path for each in component_pieces(context(files, named("shop")))]
    assert found == ["charts/shop/README.md", "charts/shop/values.yaml", "charts/shop/templates/service.yaml"]


def test_a_bundle_defines_nothing_where_the_source_is_there(context: MakeContext) -> None:
    bundle = "var __defProp = Object.defineProperty;\nvar __export = (target) => target;\nfunction shop() {}\n"
    files = {"src/shop.js": "export function open() {\n  return 1;\n}\n", "static/all.js": bundle}
    found = {each.provenance.path for each in component_pieces(context(files, named("shop")))}
    assert found == {"src/shop.js"}


def test_beside_a_folder_its_namespace_is_no_definition_of_that_name(context: MakeContext) -> None:
    methods = "".join(
        f"        int Step{number}()\n        {{\n            return 1;\n        }}\n" for number in range(60)
    )
    files = {
        f"Core/Lamps/{name}.cs": f"namespace Core.Lamps\n{{\n    class {name}\n    {{\n{methods}    }}\n}}\n"
        for name in ("Bulb", "Cable", "Dimmer", "Socket", "Switch", "Timer")
    }
    files["Other/Rooms.cs"] = f"namespace Other\n{{\n    class Lamps\n    {{\n{methods}    }}\n}}\n"
    pieces = component_pieces(context(files, named("Lamps"), budget=4_000))
    defined = {each.provenance.path for each in pieces if each.provenance.reasons[0].startswith("definition")}
    assert defined == {"Other/Rooms.cs"}


@pytest.mark.parametrize("home", ["src/lamps.py", "testing/lamps.py"])
def test_a_definition_precedes_the_page_of_its_name_and_is_what_the_request_is_about(
    context: MakeContext, home: str
) -> None:
    text = "def other():\n    return 0\n\n\ndef make_lamp(size):\n    lamp = size\n    return lamp\n"
    page = "# make_lamp\n\nReturns a lamp of some size.\n"
    made = context({home: text, "docs/api/make_lamp.md": page}, named("make_lamp"))
    pieces = sorted(component_pieces(made), key=lambda each: -each.value)
    assert [each.provenance.path for each in pieces] == [home, "docs/api/make_lamp.md"]
    assert [file.path for file in made.subjects] == [home]


def test_a_short_name_is_found_as_a_word_of_others_but_not_as_letters_in_them(context: MakeContext) -> None:
    files = {
        "api/sse_hub.go": "package api\n\nfunc open() int {\n\treturn 1\n}\n",
        "api/memo.go": "package api\n\nfunc suppressSSEKey() int {\n\treturn 2\n}\n",
        "web/messages.go": "package web\n\nfunc isPossessed() int {\n\treturn 3\n}\n",
    }
    found = {each.provenance.path for each in component_pieces(context(files, named("sse")))}
    assert found == {"api/sse_hub.go", "api/memo.go"}


def test_the_outlines_of_what_most_files_import_take_room_before_short_files(context: MakeContext) -> None:
    short = {f"lamp/part_{number:02}.py": _functions(f"part_{number}", 25) for number in range(30)}
    used = {f"use_{number}.py": "from lamp import core\n" for number in range(3)}
    used |= {"other.py": "".join(f"from lamp import {stem_of(path)}\n" for path in short)}
    files = {**short, "lamp/core.py": _functions("core", 600), **used}
    pieces = component_pieces(context(files, named("lamp"), budget=4_000))
    (core,) = (each for each in pieces if each.provenance.path == "lamp/core.py")
    assert (core.form, core.required) == (Form.OUTLINE, True)
    whole = [each for each in pieces if each.form is Form.FULL and each.required]
    assert 0 < sum(len(each.text) for each in [core, *whole]) < 4_000 * 4


@pytest.mark.parametrize(
    ("name", "wanted", "is_held"),
    [
        ("lora_layer", "lora", True),
        ("LoraLayer", "lora", True),
        ("monteclora", "lora", False),
        ("event_queue_store", "eventqueue", True),
        ("EventsOfQueue", "eventqueue", False),
    ],
)
def test_a_name_holds_another_as_whole_words(name: str, wanted: str, *, is_held: bool) -> None:
    assert has_words(name, wanted) is is_held


def test_many_definitions_with_the_name_in_theirs_leave_its_files(context: MakeContext) -> None:
    methods = {f"other_{n}.py": f"def get_lamp_{chr(97 + n)}():\n    x = 1\n    return x\n" for n in range(26)}
    files = {"lamp.py": _functions("lamp", 3), "storage/lamp_repository.py": _functions("store", 3), **methods}
    found = {each.provenance.path for each in component_pieces(context(files, named("lamp")))}
    assert "storage/lamp_repository.py" in found


def test_data_with_few_pages_and_forms_are_no_part_of_a_component(context: MakeContext) -> None:
    data = {f"tests/lamp-cases/{number}.txt": "some words\n" for number in range(6)}
    files = {
        "src/lamps.py": _functions("lamps", 3),
        "tests/lamp-cases/README.md": "# Cases\n\nSome lamps.\n",
        ".github/ISSUE_TEMPLATE/lamp_request.md": "# Lamp\n\nWhich one?\n",
        **data,
    }
    assert {each.provenance.path for each in component_pieces(context(files, named("lamps")))} == {"src/lamps.py"}


def test_a_long_file_with_the_name_in_its_own_leaves_room_for_others_beside_much(context: MakeContext) -> None:
    methods = "".join(f"    def step_{n}(self):\n        x = {n}\n        return x\n\n" for n in range(120))
    long = f"class BaseLamp:\n{methods}"
    files = {"lamp.py": _functions("lamp", 90), "base_lamp.py": long, "default_lamp.py": _functions("default", 4)}
    pieces = component_pieces(context(files, named("lamp"), budget=4_000))
    forms = {(each.provenance.path, each.form) for each in pieces}
    assert ("base_lamp.py", Form.OUTLINE) in forms
    assert ("default_lamp.py", Form.FULL) in forms
    assert sum(len(each.text) for each in pieces) < 4_000 * 4


def test_what_is_made_of_a_file_of_that_name_stays_out(context: MakeContext) -> None:
    made = "/* A Bison parser, made by GNU Bison 3.8.2.  */\n" + "int yyparse(void) { return 1; }\n" * 30
    files = {
        "src/lamp.y": "%{\nint start(void);\n%}\n%%\nTerm: 'a';\n%%\nint start(void) { return 2; }\n",
        "src/lamp.c": made,
    }
    assert component_pieces(context({"src/lamp.c": made}, named("lamp")))
    assert {each.provenance.path for each in component_pieces(context(files, named("lamp")))} == {"src/lamp.y"}


def test_beside_a_folder_a_method_of_that_name_gives_way_and_a_test_defines_nothing(context: MakeContext) -> None:
    files = {
        "house.py": "class House:\n    size = 1\n\n    def lamps(self):\n        x = 2\n        return x\n",
        "tests/test_house.py": "def lamps():\n    x = 1\n    return x\n",
    }
    alone = {each.provenance.path: each for each in component_pieces(context(files, named("lamps")))}
    assert alone["house.py"].required
    beside = {"lamps/bulb.py": _functions("bulb", 3)}
    found = {each.provenance.path: each for each in component_pieces(context(files | beside, named("lamps")))}
    assert set(found) == {"lamps/bulb.py", "house.py"}
    assert (found["lamps/bulb.py"].required, found["house.py"].required) == (True, False)


def test_of_folders_of_one_name_the_imported_code_comes_before_templates(context: MakeContext) -> None:
    files = {
        "app/Search/runner.py": _functions("run", 3),
        "views/search/all.html": "<ul><li>one</li></ul>\n",
        "views/search/item.php": "<?php\nfunction item() {\n    return 1;\n}\n",
        "main.py": "from app.Search import runner\n",
    }
    pieces = {each.provenance.path: each for each in component_pieces(context(files, named("search")))}
    assert pieces["app/Search/runner.py"].required
    assert not pieces["views/search/item.php"].required
    assert pieces["views/search/item.php"].value < pieces["app/Search/runner.py"].value


def test_in_a_folder_what_many_import_and_what_is_long_precede_small_files(context: MakeContext) -> None:
    small = {f"engine/engine_{number:02}.py": "X = 1\n" * 3 for number in range(20)}
    users = {f"use_{number}.py": "from engine import node\n" for number in range(30)}
    files = {**small, **users, "engine/node.py": _functions("node", 4), "engine/worker.py": _functions("work", 300)}
    pieces = component_pieces(context(files, named("engine"), budget=4_000))
    order = [each.provenance.path for each in sorted(pieces, key=lambda each: -each.value)]
    assert order[0] == "engine/node.py"
    assert "engine/worker.py" in order


def test_the_tests_of_a_component_are_those_with_its_names_else_few_of_those_that_import_it(
    context: MakeContext,
) -> None:
    code = {"lamp.py": _functions("lamp", 3)}
    using = {
        f"tests/test_room_{number}.py": f"from lamp import lamp_0\n\n\ndef test_room():\n    assert lamp_0({number})\n"
        for number in range(4)
    }
    its_own = {"tests/test_lamp.py": "from lamp import lamp_1\n\n\ndef test_lamp():\n    assert lamp_1(1)\n"}
    assert len(gather_tests(context(code | using, named("lamp")))) == 2
    found = gather_tests(context(code | using | its_own, named("lamp")))
    assert {each.provenance.path for each in found} == {"tests/test_lamp.py"}


def test_of_a_component_the_imports_of_its_first_file_are_listed(context: MakeContext) -> None:
    files = {
        "lamp/core.py": _functions("core", 2),
        "lamp/bulb.py": "from lamp.core import core_0\nfrom lamp.wire import wire_0\n\nbulb = core_0(wire_0(1))\n",
        "lamp/wire.py": "from lamp.core import core_1\n\n\ndef wire_0(x):\n    return core_1(x)\n",
    }
    (piece,) = gather_dependencies(context(files, named("lamp")))
    assert piece.provenance.path == "lamp/core.py"


def test_of_files_of_that_name_the_imported_one_takes_room_first(context: MakeContext) -> None:
    users = {f"use_{number}.py": "from models import lamp\n" for number in range(3)}
    files = {"icons/Lamp.py": _functions("icon", 150), "models/lamp.py": _functions("model", 150), **users}
    pieces = component_pieces(context(files, named("lamp"), budget=4_000))
    assert {each.provenance.path for each in pieces if "_149(" in each.text} == {"models/lamp.py"}


def test_words_of_a_name_may_stand_in_the_folder_and_in_the_file(context: MakeContext) -> None:
    files = {
        "tsdb/compact.py": _functions("plan", 3),
        "tsdb/head.py": _functions("head", 3),
        "web/compact/view.py": _functions("view", 3),
        "tests/tsdb/test_compact.py": _functions("test", 3),
    }
    found = {each.provenance.path for each in component_pieces(context(files, named("tsdb compaction")))}
    assert found == {"tsdb/compact.py"}


def test_a_name_that_lacks_a_word_is_no_similar_one(context: MakeContext) -> None:
    files = {"a.py": "class Connection:\n    pass\n", "b.py": "class ConectionPool:\n    pass\n"}
    assert [each.name for each in resembling("connection pool", context(files, named("connection pool")).view)] == [
        "conectionpool"
    ]


def test_where_nothing_has_a_name_of_several_words_what_is_written_of_them_is_told(context: MakeContext) -> None:
    files = {"net.py": "def release(sock):\n    # a pool of connections\n    return sock\n", "b.py": "y = 1\n"}
    (said,) = gather_component(context(files, named("connection pool")))
    assert said == "Nothing in the repository is called 'connection pool'; these pieces have its words."
    with pytest.raises(NothingFoundError):
        gather_component(context({**files, "c.py": "z = 1\n"}, named("connection limit")))


def test_neither_style_sheets_nor_lines_of_a_changelog_are_a_component(context: MakeContext) -> None:
    code = {"src/lamp.py": _functions("lamp", 3)}
    beside = {"src/lamp.css": ".lamp { color: red }\n", ".changeset/pre/new-lamp.md": "A lamp that shines.\n"}
    assert {each.provenance.path for each in component_pieces(context(code | beside, named("lamp")))} == {"src/lamp.py"}


def test_pages_that_are_made_from_code_are_no_component(context: MakeContext) -> None:
    page = '<!DOCTYPE html>\n<html>\n<head>\n<link href="../css/jazzy.css">\n</head>\n<body>\n<p>A lamp.</p>\n'
    made = {"docs/Classes/Lamp.html": page, "docs/Classes/Lamp/Wire.html": page}
    code = {"src/things.py": "class Lamp:\n    def shine(self):\n        return 1\n"}
    found = component_pieces(context(code | made, named("Lamp")))
    assert {each.provenance.path for each in found} == {"src/things.py"}
    assert component_pieces(context(made, named("Lamp")))


def test_an_example_of_that_name_is_worth_less_than_what_the_project_has(context: MakeContext) -> None:
    files = {"examples/lamp.py": _functions("lamp", 2), "lamp/part.py": _functions("part", 2), "other.py": "x = 1\n"}
    values = {each.provenance.path: each.value for each in component_pieces(context(files, named("lamp")))}
    assert values["examples/lamp.py"] < values["lamp/part.py"]


def test_a_line_whose_name_holds_the_wanted_one_is_no_component(context: MakeContext) -> None:
    files = {"config.py": "lamp_threshold_percent = 5\n", "b.py": "def lamp_threshold():\n    x = 1\n    return x\n"}
    found = component_pieces(context(files, named("lamp_thresh")))
    assert {each.provenance.path for each in found} == {"b.py"}


def test_a_file_of_a_similar_name_leaves_room_for_what_else_there_is(context: MakeContext) -> None:
    files = {"lamps/LampForm.py": _functions("form", 250), "lamps/bulb.py": _functions("bulb", 40)}
    sizes = {
        each.provenance.path: each.provenance.end_line - each.provenance.start_line
        for each in component_pieces(context(files, named("lamp_form_"), budget=8_000))
    }
    assert sizes["lamps/LampForm.py"] > 900
    like = component_pieces(context({**files, "c.py": "z = 1\n"}, named("lamp_fo"), budget=8_000))
    assert {each.form for each in like if each.provenance.path == "lamps/LampForm.py"} >= {Form.OUTLINE}


def test_the_file_around_a_line_of_that_name_comes_too(context: MakeContext) -> None:
    files = {"lamp_manager.py": "class Manager:\n    lamps = 1\n\n    def switch(self):\n        on()\n        off()\n"}
    pieces = component_pieces(context(files, named("lamps")))
    assert (1, 6) in {(each.provenance.start_line, each.provenance.end_line) for each in pieces}


def test_tests_in_a_plain_folder_elsewhere_are_not_those_of_a_file(context: MakeContext) -> None:
    files = {
        "packages/node/src/utils.py": _functions("path", 3),
        "packages/kit/test/apps/src/test_utils.py": "def test_it():\n    assert 1\n",
        "packages/kit/test/apps/src/other.py": "x = 1\n",
        "packages/kit/src/utils.py": _functions("kit", 3),
    }
    assert not gather_tests(context(files, named("node")))


def test_what_only_tests_call_so_comes_after_what_it_is_called_after(context: MakeContext) -> None:
    files = {
        "src/drawing.py": "def render_commit_graph(commits):\n    lines = commits\n    return lines\n",
        "tests/test_commit_graph.py": "class CommitGraph:\n    size = 1\n    name = 2\n",
    }
    found = component_pieces(context(files, named("commit graph")))
    assert [each.provenance.path for each in found][:1] == ["src/drawing.py"]


def test_what_only_tests_have_is_a_component(context: MakeContext) -> None:
    files = {"tests/test_commit_graph.py": "class CommitGraph:\n    size = 1\n    name = 2\n"}
    (only,) = component_pieces(context(files, named("commit graph")))
    assert only.provenance.path == "tests/test_commit_graph.py"
