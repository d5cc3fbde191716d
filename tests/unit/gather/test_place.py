from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ctxpack.errors import UsageError
from ctxpack.gather import gather
from ctxpack.gather.context import Context
from ctxpack.gather.place_lines import lines_of_place, lines_to_show, names_at
from ctxpack.gather.strategies.document import gather_document
from ctxpack.gather.strategies.place import gather_callees, gather_cursor, gather_heading, gather_selection
from ctxpack.model import Form, Fragment, Request, Scope
from tests.unit.gather.conftest import MakeContext

CODE = (
    "import json\n\n\nclass Uploader:\n"
    '    """Sends events."""\n\n'
    "    def __init__(self):\n        self.queue = []\n\n"
    "    @staticmethod\n    def send(event):\n        data = json.dumps(event)\n        return data\n\n"
    "    def retry(self):\n        return self.send(None)\n\n\n"
    "def main():\n    Uploader().retry()\n"
)
LONG = "class Big:\n" + "".join(f"    def step_{n}(self):\n        return {n}\n\n" for n in range(200))
PAGE = "# Guide\n\nWords.\n\n## Install\n\nRun it.\n\n### On Windows\n\nDouble-click.\n\n## Use\n\nCall it.\n"
RST = "Guide\n=====\n\nWords.\n\nInstall\n-------\n\nRun it.\n"


def at(path: str = "up.py", **place: Any) -> Request:  # noqa: ANN401 - whatever a field of Request takes
    return Request(Scope.FILE, path=path, **place)


def pieces_of(made: Context) -> list[Fragment]:
    return [each for each in gather_selection(made) if isinstance(each, Fragment)]


def span(piece: Fragment) -> tuple[int, int]:
    return piece.provenance.start_line, piece.provenance.end_line


def test_a_selection_brings_the_definition_around_it(context: MakeContext) -> None:
    (piece,) = pieces_of(context({"up.py": CODE}, at(lines=(12, 12))))
    assert (span(piece), piece.provenance.symbol, piece.required) == ((10, 13), "Uploader.send", True)
    assert piece.provenance.reasons == ("line 12 is selected",)


def test_a_selection_over_two_definitions_brings_what_holds_both(context: MakeContext) -> None:
    (piece,) = pieces_of(context({"up.py": CODE}, at(lines=(12, 16))))
    assert (span(piece), piece.provenance.symbol) == ((4, 16), "Uploader")


def test_a_selection_in_something_long_brings_a_part_of_it(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", lines=(300, 310)))
    (piece,) = pieces_of(made)
    assert span(piece) == (280, 330)
    assert piece.form is Form.EXCERPT


def test_a_selection_in_a_document_brings_its_section(context: MakeContext) -> None:
    (piece,) = pieces_of(context({"guide.md": PAGE}, at("guide.md", lines=(7, 7))))
    assert piece.text == "## Install\n\nRun it.\n"


@pytest.mark.parametrize("name", ["Uploader.send", "send", "Uploader::send", "uploader.SEND", "send()"])
def test_a_definition_is_found_by_its_name(context: MakeContext, name: str) -> None:
    (piece,) = pieces_of(context({"up.py": CODE}, at(symbol=name)))
    assert span(piece) == (10, 13)
    assert piece.provenance.reasons == ("the requested definition Uploader.send",)


def test_a_cursor_brings_lines_on_both_sides(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", line=300), around=5)
    (piece,) = gather_cursor(made)
    assert (span(piece), piece.required, piece.provenance.reasons) == ((295, 305), True, ("the cursor is on line 300",))
    assert gather_selection(made) == ()


def test_a_cursor_brings_a_short_definition_whole(context: MakeContext) -> None:
    (piece,) = gather_cursor(context({"up.py": CODE}, at(line=13), around=2))
    assert span(piece) == (10, 15)


def test_a_cursor_in_an_empty_file_is_no_error(context: MakeContext) -> None:
    made = context({"empty.py": "", "other.py": "x = 1\n"}, at("empty.py", line=1))
    assert gather_cursor(made) == ()


def test_the_definitions_around_a_cursor_are_told_by_their_heads(context: MakeContext) -> None:
    found = gather_heading(context({"up.py": CODE}, at(line=12), around=2))
    assert [(each.text, each.provenance.symbol) for each in found] == [("class Uploader:\n", "Uploader")]


def test_a_namespace_is_none_of_the_names_around_a_place(context: MakeContext) -> None:
    code = "namespace Shop.Users\n{\n    class Door\n    {\n        void Open()\n        {\n        }\n    }\n}\n"
    made = context({"Door.cs": code}, at("Door.cs", symbol="Open"))
    assert names_at(made) == ("Open", "Door")


def test_what_the_window_shows_is_not_told_again(context: MakeContext) -> None:
    assert gather_heading(context({"up.py": CODE}, at(line=5), around=20)) == []


@pytest.mark.parametrize(("page", "line"), [(PAGE, 11), (RST, 9)])
def test_the_headings_above_a_place_in_a_document(context: MakeContext, page: str, line: int) -> None:
    name = "guide.md" if page is PAGE else "guide.rst"
    found = gather_heading(context({name: page}, at(name, line=line), around=1))
    titles = ["# Guide\n", "## Install\n"]
    if page is RST:
        titles = ["Guide\n=====\n", "Install\n-------\n"]
    assert [each.text for each in found] == titles


def test_the_outline_of_a_long_file_leaves_the_place_out(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", line=300), budget=1500)
    outlines = gather_document(made)
    lines = {number for each in outlines for number in range(span(each)[0], span(each)[1] + 1)}
    assert lines_of_place(made) == [(1, 1), (280, 319)]  # no method is cut
    assert not lines & {1, *range(280, 320)}
    assert len(lines) > 500


def test_what_is_switched_off_leaves_no_hole(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", line=300), budget=1500, disable=("cursor", "heading"))
    assert lines_of_place(made) == []


@pytest.mark.parametrize(
    ("place", "sentence", "hint"),
    [
        ({"line": 21}, "up.py has 20 lines, so there is no line 21.", "Name lines from 1 to 20."),
        ({"lines": (19, 30)}, "up.py has 20 lines, so there is no lines 19 to 30.", "Name lines from 1 to 20."),
        ({"symbol": "sned"}, "up.py does not define 'sned'.", "Did you mean Uploader.send?"),
        ({"symbol": "Uploader.snd"}, "up.py does not define 'Uploader.snd'.", "Did you mean Uploader.send?"),
        ({"symbol": "zzz"}, "up.py does not define 'zzz'.", "It defines Uploader, main and more."),
    ],
)
def test_a_place_that_is_not_there_is_told_with_those_near(
    context: MakeContext, place: dict[str, Any], sentence: str, hint: str
) -> None:
    with pytest.raises(UsageError) as error:
        _ = context({"up.py": CODE}, at(**place)).place
    assert (str(error.value), error.value.hint) == (sentence, hint)


def test_a_file_without_definitions_is_asked_for_lines(context: MakeContext) -> None:
    with pytest.raises(UsageError, match="defines nothing with a name"):
        _ = context({"notes.txt": "words\n"}, at("notes.txt", symbol="x")).place


def test_no_place_is_no_place(context: MakeContext) -> None:
    made = context({"up.py": CODE}, at())
    assert (made.place, lines_of_place(made)) == (None, [])
    assert not any((gather_cursor(made), gather_selection(made), gather_heading(made)))
    placed = replace(made, request=at(line=12))
    assert placed.place is not None
    assert lines_to_show(placed, placed.place) == (1, 20)


def test_a_small_budget_holds_the_lines_nearest_to_the_cursor(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", line=300), budget=100)
    (piece,) = gather_cursor(made)
    first, last = span(piece)
    assert first < 300 < last
    assert 100 * 4 * 0.25 < len(piece.text) <= 100 * 4 * 0.35


def test_a_pack_of_a_few_hundred_tokens_holds_the_line_of_the_cursor(context: MakeContext) -> None:
    made = context({"big.py": LONG}, at("big.py", line=300), budget=300)
    found = {each.strategy: each.required for each in gather(made).fragments}
    assert found["cursor"]
    assert not found["document"]


def test_of_two_definitions_by_a_name_the_first_is_taken_and_the_other_told(context: MakeContext) -> None:
    code = "class A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self):\n        return 2\n"
    found = gather(context({"ab.py": code}, at("ab.py", symbol="run"), strategies=("selection",)))
    assert [each.provenance.symbol for each in found.fragments] == ["A.run"]
    assert found.notes == ("A.run (line 2) was used; the same name also has B.run (line 7).",)


def test_overloads_are_told_without_saying_that_one_was_used(context: MakeContext) -> None:
    methods = "".join(f"    int run({kind} x) {{\n        return 1;\n    }}\n\n" for kind in ("int", "long", "short"))
    code = f"class A {{\n{methods}}}\n"
    found = gather(context({"A.java": code}, at("A.java", symbol="run"), strategies=("selection",)))
    assert found.notes == ("A.run is defined at line 2, which is shown, and again at lines 6, 10.",)


def test_what_a_definition_calls_may_be_called_on_another_object_and_be_long(context: MakeContext) -> None:
    inner = "".join(f"            let step_{n} = {n};\n" for n in range(70))
    code = (
        "impl Queue {\n    pub fn answer(&mut self) {\n        self.run(|queue| queue.answer_inner().get())\n    }\n\n"
        f"    fn answer_inner(&mut self) {{\n{inner}    }}\n\n    fn get(&self) {{}}\n}}\n"
    )
    called = gather_callees(context({"queue.rs": code}, at("queue.rs", symbol="answer")))
    assert [(each.provenance.symbol, each.form) for each in called] == [("Queue.answer_inner", Form.FULL)]
    called = gather_callees(context({"queue.rs": f"{code}\n"}, at("queue.rs", symbol="answer"), budget=2_000))
    assert not called, "it is too long for the budget; its signature is in the outline of the file"
