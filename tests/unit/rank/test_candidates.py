"""What the best places use gains; what names itself does not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ctxpack.index import IndexView
from ctxpack.light import replace
from ctxpack.model import Candidate, Chunk, Shape
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.rank.candidates import _links_to_users, _nearest_first, _places_to_open
from ctxpack.rank.evidence import is_named, reasons_of
from ctxpack.rank.outlook import Outlook
from ctxpack.rank.places import Found, found_at, names_in_place
from ctxpack.rank.weights import BUILT_IN_SIGNALS
from tests.indexing import ask, board, opened, write

UPLOADER = "def upload_batch(batch):\n    quota = keep_quota(batch)\n    return quota\n"
STORE = "def keep_quota(batch):\n    return len(batch)\n"
DROP = "def drop_quota(batch):\n    return None\n"
FILES = {"uploader.py": UPLOADER, "store.py": STORE, "drop.py": DROP}
TEXT = "upload_batch: the batch, its quota"


def candidates(view: IndexView, purpose: Purpose = Purpose.PACK) -> dict[str, Candidate]:
    found = rank(board(TEXT, view).query, view, limit=9, purpose=purpose)
    return {each.chunk.symbol: each for each in found}


def opened_with(files: dict[str, str], tmp_path: Path) -> IndexView:
    return opened(write(tmp_path / "root", files), tmp_path / "cache")


def test_a_definition_that_the_best_place_uses_gains_and_tells_who_uses_it(tmp_path: Path) -> None:
    view = opened_with(FILES, tmp_path)
    found = candidates(view)
    used = [each for each in found["keep_quota"].evidence if each.signal == "used by the best"]
    assert [each.reason for each in used] == ["upload_batch uses it"]
    assert not [each for each in found["drop_quota"].evidence if each.signal == "used by the best"]
    assert found["keep_quota"].value > found["drop_quota"].value
    view.close()


def test_a_definition_that_the_best_section_of_a_document_names_comes_behind_it(tmp_path: Path) -> None:
    page = "# Quotas\n\n## Cap the batch\n\nTo cap the batch of an upload, call `MarkTotals`.\n"
    code = "func MarkTotals(n int) int {\n\treturn n\n}\n\nfunc MarkOthers(n int) int {\n\treturn n\n}\n"
    view = opened_with({"docs/quotas.md": page, "marks.go": code}, tmp_path)
    found = rank(board("how do I cap the batch of an upload", view).query, view, limit=9, purpose=Purpose.PACK)
    places = {each.chunk.symbol: at for at, each in enumerate(found)}
    section = next(at for at, each in enumerate(found) if each.file.path == "docs/quotas.md")
    assert section < places["MarkTotals"]
    assert "MarkOthers" not in places
    view.close()


def test_the_further_behind_the_user_is_the_less_a_definition_gains(tmp_path: Path) -> None:
    second = "def other_upload(batch):\n    return drop_quota(batch)\n"
    view = opened_with({**FILES, "z.py": second}, tmp_path)
    gained = {
        name: each.points
        for name, found in candidates(view).items()
        for each in found.evidence
        if each.signal == "used by the best"
    }
    assert gained["keep_quota"] == 1.0
    assert 0 < gained["drop_quota"] < 1.0
    view.close()


def test_a_definition_gains_nothing_from_what_stands_inside_it(tmp_path: Path) -> None:
    body = "class Upload:\n    batch = 1\n\n    def batches(self):\n        return Upload.batch\n"
    view = opened_with({"uploader.py": body, "store.py": STORE}, tmp_path)
    told = {each.reason for found in candidates(view).values() for each in found.evidence}
    assert not any(reason.startswith("Upload") and reason.endswith("uses it") for reason in told)
    view.close()


@pytest.mark.parametrize(
    ("line", "gains"),
    [
        ("# the quota of a wait", False),
        ("# see keep_quota", True),
        ("return batch  # keep the quota", False),
        ("return wait(batch)", True),
    ],
)
def test_a_comment_names_only_what_looks_like_code(tmp_path: Path, line: str, *, gains: bool) -> None:
    user = f"def upload_batch(batch):\n    {line}\n    return None\n"
    others = {f"{name}.py": f"def {name}(batch):\n    return batch\n" for name in ("wait", "quota")}
    view = opened_with({"uploader.py": user, "store.py": STORE, **others}, tmp_path)
    told = {each.reason for found in candidates(view).values() for each in found.evidence}
    assert ("upload_batch uses it" in told) is gains
    view.close()


def test_what_a_place_defines_itself_is_no_use_of_a_namesake(tmp_path: Path) -> None:
    user = "def upload_batch(batch):\n    def keep_quota(batch):\n        return batch\n\n    return batch\n"
    view = opened_with({"uploader.py": user, "store.py": STORE}, tmp_path)
    told = {each.reason for found in candidates(view).values() for each in found.evidence}
    assert "upload_batch uses it" not in told
    view.close()


def test_of_namesakes_the_one_that_is_imported_is_meant(tmp_path: Path) -> None:
    files = {"uploader.py": f"from store import keep_quota\n\n\n{UPLOADER}", "store.py": STORE, "other.py": STORE}
    view = opened_with(files, tmp_path)
    found = rank(board(TEXT, view).query, view, limit=9, purpose=Purpose.PACK)
    used = {each.file.path for each in found for its in each.evidence if its.signal == "used by the best"}
    assert used == {"store.py"}
    view.close()


def test_a_name_that_is_defined_in_many_places_does_not_gain(tmp_path: Path) -> None:
    many = {f"batch{number}.py": "def keep_quota(batch):\n    return batch\n" for number in range(4)}
    view = opened_with({"uploader.py": UPLOADER, **many}, tmp_path)
    assert not [each for each in candidates(view)["keep_quota"].evidence if each.signal == "used by the best"]
    view.close()


def test_a_user_in_the_same_file_is_told_in_full_explanations_only(tmp_path: Path) -> None:
    filler = "".join(f"    quota += batch[{number}] + quota * {number}\n" for number in range(120))
    view = opened_with({"uploader.py": UPLOADER + "\n\ndef keep_quota(batch):\n" + filler, "drop.py": DROP}, tmp_path)
    found = candidates(view)["keep_quota"]
    assert "upload_batch uses it" in [each.reason for each in found.evidence]
    assert "upload_batch uses it" not in reasons_of(found, 9)
    view.close()


def test_a_plain_word_that_many_places_hold_does_not_gain(tmp_path: Path) -> None:
    user = "def upload_batch(batch):\n    return update(batch, quota=1)\n"
    store = "def update(batch, quota):\n    return len(batch)\n"
    others = {f"other{number}.py": f"def other_{number}():\n    return update({number})\n" for number in range(20)}
    signals = []
    for name, files in (("rare", {}), ("common", others)):
        view = opened(write(tmp_path / name, {"uploader.py": user, "store.py": store, **files}), tmp_path / f"{name}.c")
        signals.append({each.signal for each in candidates(view)["update"].evidence})
        view.close()
    assert "used by the best" in signals[0] - signals[1]


def test_the_names_of_the_best_places_are_read_once_and_looked_up_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = "def other_upload(batch):\n    return drop_quota(batch)\n"
    view, read, asked = opened_with({**FILES, "z.py": other}, tmp_path), list[str](), list[set[str]]()
    look_up = view.postings.look_up

    def read_names(on: Board, user: Found) -> set[str]:
        read.append(user.chunk.symbol)
        return names_in_place(on, user)

    def look(name: str, terms: Iterable[str]) -> None:
        wanted = {term for term in terms if (name, term) not in view.postings._terms}
        asked.append(wanted if name == "definition" else set())
        look_up(name, wanted)

    monkeypatch.setattr("ctxpack.rank.candidates.names_in_place", read_names)
    monkeypatch.setattr(view.postings, "look_up", look)
    assert "used by the best" in {each.signal for each in candidates(view)["drop_quota"].evidence}
    assert sorted(read) == ["drop_quota", "keep_quota", "other_upload", "upload_batch"]
    used = {"drop_quota", "keep_quota"}
    assert [each & used for each in asked if each & used] == [used]
    view.close()


def test_a_list_is_ranked_without_it(tmp_path: Path) -> None:
    view = opened_with(FILES, tmp_path)
    for found in candidates(view, Purpose.LIST).values():
        assert all(each.signal != "used by the best" for each in found.evidence)
    view.close()


def test_no_place_uses_what_another_language_defines(tmp_path: Path) -> None:
    style = ".keep_quota {\n  color: red;\n}\n"
    view = opened_with({"uploader.py": UPLOADER, "style.css": style + "/* batch quota */\n"}, tmp_path)
    told = [each.signal for found in candidates(view).values() for each in found.evidence]
    assert "used by the best" not in told
    view.close()


def test_a_common_word_in_a_name_gains_little_where_no_name_holds_the_rare_one(tmp_path: Path) -> None:
    pages = {f"docs/page{number}.md": f"# New {number}\n\nRead this before.\n" for number in range(20)}
    pages |= {f"docs/other{number}.md": f"# Other {number}\n\nRead that.\n" for number in range(20)}
    zone = "# Zone file\n\nAdd the cname below the others.\n"
    view = opened_with({**pages, "docs/zone.md": zone}, tmp_path)
    found = rank(board("a new cname", view).query, view, limit=40, purpose=Purpose.LIST)
    gained = {
        each.file.path: sum(every.points for every in each.evidence if every.signal == "chunk name") for each in found
    }
    all_points = BUILT_IN_SIGNALS["chunk name"].weight(Shape.QUESTION)
    assert 0 < gained["docs/page1.md"] < all_points
    view.close()


def test_a_definition_without_a_word_of_the_request_comes_in_where_the_best_place_uses_it(tmp_path: Path) -> None:
    user = "def upload_batch(batch):\n    wait_a_while(batch)\n    return unknown_name(batch)\n"
    further = {f"far{number}.py": f"def far_{number}():\n    return {number}\n" for number in range(3)}
    helper = "def wait_a_while(parts):\n    return sleep(parts)\n"
    view = opened_with({"uploader.py": user, "waiting.py": helper, **further}, tmp_path)
    found = candidates(view)
    assert next(each.reason for each in found["wait_a_while"].evidence) == "upload_batch uses it"
    assert found["upload_batch"].score > found["wait_a_while"].score
    assert found.keys() == {"upload_batch", "wait_a_while"}
    assert candidates(view, Purpose.LIST).keys() == {"upload_batch"}
    view.close()


def test_a_template_uses_what_any_language_defines(tmp_path: Path) -> None:
    page = "<p>\n  Upload a batch: <%= wait_a_while(batch) %> parts\n</p>\n"
    helper = "module Helpers\n  def wait_a_while(it)\n    sleep(it)\n  end\n\n  def parts(it)\n    it\n  end\nend\n"
    view = opened_with({"views/upload_batch.html.erb": page, "helpers/waiting.rb": helper}, tmp_path)
    found = {each.chunk.symbol: each for each in rank(board(TEXT, view).query, view, limit=9, purpose=Purpose.PACK)}
    told = {name: [each.reason for each in its.evidence if "uses it" in each.reason] for name, its in found.items()}
    assert told["Helpers.wait_a_while"] == ["upload_batch.html.erb uses it"]
    assert "Helpers.parts" not in told
    view.close()


def test_no_more_than_some_places_come_in_without_a_word_of_the_request(tmp_path: Path) -> None:
    calls = "".join(f"    step_{number}(batch)\n" for number in range(40))
    steps = {f"s{number}.py": f"def step_{number}(parts):\n    return {number}\n" for number in range(40)}
    view = opened_with({"uploader.py": f"def upload_batch(batch):\n{calls}", **steps}, tmp_path)
    found = rank(board(TEXT, view).query, view, limit=9, purpose=Purpose.PACK)
    assert sum(each.chunk.symbol.startswith("step_") for each in found) == 12
    view.close()


TESTS = {
    "tests/test_far.py": "def test_far():\n    assert upload_batch([]) is None\n",
    "tests/test_other.py": "def test_other():\n    assert 1\n",
}


def test_tests_of_the_best_place_come_in_where_the_request_speaks_of_tests(tmp_path: Path) -> None:
    view = opened_with({**FILES, **TESTS}, tmp_path)
    texts = ("make the quota of a batch smaller", "make the quota of a batch smaller. Which checks and tests know it?")
    found = [rank(board(text, view).query, view, limit=2, purpose=Purpose.PACK) for text in texts]
    told = [
        [each.file.path for each in ranked for e in each.evidence if e.signal == "tests the best"] for ranked in found
    ]
    assert told == [[], ["tests/test_far.py"]]
    assert "tests upload_batch" in {e.reason for each in found[1] for e in each.evidence}
    view.close()


def test_what_uses_the_best_place_comes_in_where_something_is_to_be_changed(tmp_path: Path) -> None:
    user = "def nightly_job(parts):\n    return keep_quota(parts)\n"
    view = opened_with({"store.py": STORE, "job.py": user, "drop.py": DROP}, tmp_path)
    found = {}
    for text in ("Make keep_quota of a batch smaller", "Where is the quota of a batch kept? Explain how it works"):
        ranked = rank(board(text, view).query, view, limit=9, purpose=Purpose.PACK)
        found[text] = {
            each.file.path: {e.reason for e in each.evidence if e.signal.startswith("uses ")} for each in ranked
        }
    changed, asked = found.values()
    assert changed["job.py"] == {"uses keep_quota"}
    assert not any(asked.values())
    view.close()


@pytest.mark.parametrize(
    "text",
    [
        "Where does it happen that keep_quota of a batch drops parts?",
        'Where does "the quota of this batch is used up" come from, and what makes it appear?',
        "Review: a colleague made keep_quota of a batch stricter",
    ],
)
def test_what_uses_that_which_a_question_names_or_quotes_comes_in(tmp_path: Path, text: str) -> None:
    store = 'def keep_quota(batch):\n    raise ValueError("the quota of this batch is used up")\n'
    user = "def nightly_job(parts):\n    return keep_quota(parts)\n"
    view = opened_with({"store.py": store, "job.py": user, "drop.py": DROP}, tmp_path)
    made = board(text, view).query
    ranked = {each.file.path: each for each in rank(made, view, limit=9, purpose=Purpose.PACK)}
    assert "uses keep_quota" in {e.reason for e in ranked["job.py"].evidence if e.signal == "uses what is meant"}
    assert is_named(ranked["job.py"], made, view)
    view.close()


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (
            {},
            'Why?\n\nTraceback (most recent call last):\n  File "store.py", line 2, in keep_quota\nValueError: up',
        ),
        ({f"q{at}.py": "def keep_quota(x):\n    return 1\n" for at in range(4)}, "Where does keep_quota drop parts?"),
    ],
)
def test_nor_does_what_is_on_a_stack_or_has_a_name_of_many(tmp_path: Path, more: dict[str, str], text: str) -> None:
    user = "def nightly_job(parts):\n    return keep_quota(parts)\n"
    view = opened_with({"store.py": STORE, "job.py": user, "drop.py": DROP, **more}, tmp_path)
    ranked = rank(board(text, view).query, view, limit=9, purpose=Purpose.PACK)
    assert not [e for each in ranked for e in each.evidence if e.signal == "uses what is meant"]
    view.close()


def test_users_of_a_plain_word_or_of_many_places_do_not_come_in(tmp_path: Path) -> None:
    files = {"store.py": STORE, "plain.py": "def quota(batch):\n    return len(batch)\n"}
    many = {f"job{number}.py": f"def job_{number}(x):\n    return keep_quota(quota(x))\n" for number in range(8)}
    view = opened_with(files | many, tmp_path)
    ranked = rank(
        board("Make keep_quota and the quota of a batch smaller", view).query, view, limit=3, purpose=Purpose.PACK
    )
    assert not [e for each in ranked for e in each.evidence if e.signal == "uses the best"]
    view.close()


def test_of_the_chunks_with_a_name_no_more_are_looked_at_than_show_that_it_has_too_many_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"job{number}.py": f"def job_{number}(x):\n    return keep_quota(x)\n" for number in range(80)}
    pages = {f"page{number}.md": "# Page\n\nCall keep_quota.\n" for number in range(80)}
    view, seen = opened_with({"store.py": STORE, **many, **pages}, tmp_path), list[int]()
    its = board("Make keep_quota of a batch smaller", view)
    best = found_at(its, int(view.postings.terms("definition", "keep_quota").docs[0]))
    look = view.postings.chunk

    def see(number: int) -> Chunk:
        seen.append(number)
        return look(number)

    monkeypatch.setattr(view.postings, "chunk", see)
    assert _links_to_users(its, [best], only_meant=False) == {}
    assert len(seen) < 10
    view.close()


def test_tests_that_share_a_plain_word_with_the_best_place_do_not_come_in(tmp_path: Path) -> None:
    files = {"store.py": "def quota(batch):\n    return len(batch)\n"}
    many = {f"tests/test_{n}.py": f"def test_{n}():\n    assert quota([]) == {n}\n" for n in range(20)}
    view = opened_with(files | many, tmp_path)
    found = rank(board("make the quota smaller, with tests", view).query, view, limit=9, purpose=Purpose.PACK)
    assert not [e for each in found for e in each.evidence if e.signal == "tests the best"]
    view.close()


def test_nothing_in_another_language_uses_the_best_place(tmp_path: Path) -> None:
    script = "function nightlyJob(parts) {\n  return keep_quota(parts);\n}\n"
    view = opened_with({"store.py": STORE, "job.js": script}, tmp_path)
    found = rank(board("Make keep_quota of a batch smaller", view).query, view, limit=9, purpose=Purpose.PACK)
    assert not [e for each in found for e in each.evidence if e.signal == "uses the best"]
    view.close()


def test_a_long_best_piece_leaves_room_for_the_next_where_little_is_shown(tmp_path: Path) -> None:
    long = "def upload_batch(batch):\n" + "".join(f"    batch.append({number})\n" for number in range(40))
    view = opened_with({**FILES, "uploader.py": long}, tmp_path)
    asked = board(TEXT, view)
    best = sorted(candidates(view).values(), key=lambda each: -len(each.chunk.symbol))
    assert [each.chunk.symbol for each in best] == ["upload_batch", "keep_quota", "drop_quota"]
    assert len(long) > 150
    assert _nearest_first(asked, [*best, *best], 150, Outlook(0.3)) == best
    further = [replace(each, is_further=True) for each in best]
    assert _nearest_first(asked, [*best, *best], 150, Outlook(0.3, is_wide=True)) == [*best, *further]
    view.close()


@pytest.mark.parametrize(
    ("told", "shown"), [("", []), (" see store.py:3", ["store.py"]), (" is it keep_quota?", ["store.py"])]
)
def test_where_an_answer_is_unlikely_only_what_the_request_tells_is_more_than_a_place_to_open(
    tmp_path: Path, told: str, shown: list[str]
) -> None:
    view = opened_with({**FILES, **{f"part_{at}.py": f"def batch_{at}(): ...\n" for at in range(9)}}, tmp_path)
    asked = board(f"which helm chart sets the quota of a batch?{told}", view)
    found = _places_to_open(asked, list(rank(asked.query, view, limit=20, purpose=Purpose.PACK)))
    assert [each.file.path for each in found if not each.is_further] == shown
    assert 1 < sum(each.is_further for each in found) <= 6
    view.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("where is the uploader", "defines uploader"),
        ("what calls `Transport`", "defines Transport"),
        ("what does net.Transport do", "defines Transport"),
    ],
)
def test_a_definition_is_told_by_the_name_that_the_request_has(tmp_path: Path, text: str, reason: str) -> None:
    """A piece may hold several definitions, and be called by the first."""
    files = {"net.py": "class Transport: ...\nclass Uploader: ...\n", "b.py": "def unrelated():\n    return 1\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    best = ask(text, view)[0]
    view.close()
    told = {each.reason for each in best.evidence if each.signal.startswith("chunk ")}
    assert best.file.path == "net.py"
    assert {each for each in told if each.startswith("defines")} == {reason}


def test_what_lists_a_folder_is_led_to_where_one_more_of_it_is_wanted(tmp_path: Path) -> None:
    names = ("acre", "barn", "cove", "dune", "ford", "glen")
    files = {f"app/plugins/{name}.py": f"def run_{name}(plugin):\n    return plugin.water()\n" for name in names}
    files["app/loading.py"] = "".join(f"from app.plugins import {name}\n" for name in names) + "\nEAGER = True\n"
    files["app/other.py"] = "def load(acre):\n    return acre\n"
    files["app/loading.yml"] = "eager:\n" + "".join(f"  - {name}\n" for name in names)
    files["README.md"] = "# App\n\nWhat comes with it:\n\n" + "".join(f"- {name}: waters it\n" for name in names)
    view = opened_with(files, tmp_path)
    for text, led_to in (
        ("add a new plugin to water plants", {"app/loading.py", "app/loading.yml", "README.md"}),
        ("which plugin is to water plants", set()),
    ):
        found = rank(board(text, view).query, view, limit=9, purpose=Purpose.PACK)
        told = {each.file.path for each in found if "lists acre, barn, cove as well" in reasons_of(each, 3)}
        assert told == led_to
    view.close()


@pytest.mark.parametrize(("count", "others", "is_led"), [(4, 0, True), (3, 0, False), (8, 30, True), (7, 30, False)])
def test_what_lists_a_small_folder_or_common_names_is_led_to(
    tmp_path: Path, count: int, others: int, *, is_led: bool
) -> None:
    names = ("acre", "barn", "cove", "dune", "ford", "glen", "hill", "isle")[:count]
    files = {f"app/plugins/{name}.py": f"def run_{name}(plugin):\n    return plugin.water()\n" for name in names}
    files["app/plugins/__init__.py"] = '"""Plugins."""\n'
    files["app/loading.py"] = "".join(f"from app.plugins import {name}\n" for name in names) + "\nEAGER = True\n"
    said = [", ".join(names[at % count] for at in range(start, start + count - 2)) for start in range(others)]
    files |= {f"app/other{at}.py": f"def load{at}({each}):\n    return 1\n" for at, each in enumerate(said)}
    view = opened_with(files, tmp_path)
    found = rank(board("add a new plugin to water plants", view).query, view, limit=9, purpose=Purpose.PACK)
    told = {each.file.path for each in found if "lists acre, barn, cove as well" in reasons_of(each, 3)}
    assert told == ({"app/loading.py"} if is_led else set())
    view.close()


CARRIERS = "road", "rail", "ship", "plane"
SEND = "def send_parcel(parcel, carrier):\n" + "".join(
    f"    if carrier == '{each}':\n        return parcel + {at}\n" for at, each in enumerate(CARRIERS)
)
FEES = f"FEES = {{}}\n\n\ndef fee(kind):\n    return FEES[kind] if kind in {CARRIERS} else 0\n"


@pytest.mark.parametrize(
    ("text", "others", "led_to"),
    [
        ("add barges as another carrier of parcels", 1, {"send.py", "fees.py"}),
        ("which carrier takes a parcel", 1, set()),
        ("add barges as another carrier of parcels", 30, set()),  # these words are said everywhere
    ],
)
def test_what_tells_the_same_apart_is_led_to_where_one_more_is_wanted(
    tmp_path: Path, text: str, others: int, led_to: set[str]
) -> None:
    further = {f"other{at}.py": f"def fee(road, rail, ship):\n    return road + {at}\n" for at in range(others)}
    view = opened_with({"send.py": SEND, "fees.py": FEES, **further}, tmp_path)
    found = rank(board(text, view).query, view, limit=9, purpose=Purpose.PACK)
    told = {each.file.path for each in found if "lists plane, rail, road as well" in reasons_of(each, 3)}
    assert told == led_to
    view.close()
