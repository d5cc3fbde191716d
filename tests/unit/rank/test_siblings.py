"""Where one more of a kind is wanted, one of that kind is the model, and what lists its kind comes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.model import Chunk
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.rank.file_scores import Siblings, siblings_of
from ctxpack.rank.signals.relations import guiding_chunks
from tests.indexing import board, opened, prepared, write

CARRIERS = ("road", "rail", "ship", "plane", "tram")
BODY = "".join(f"\n\ndef step_{at}(parcel):\n    return parcel.weight + {at}\n" for at in range(8))
SENDERS = {f"post/carriers/{name}.py": f"def send_by_{name}(parcel):\n    return '{name}'\n{BODY}" for name in CARRIERS}
OTHERS = {f"post/part{at}.py": f"def weigh_{at}(parcel):\n    return {at}\n" for at in range(30)}
BESIDE = {
    "post/carriers/carrier.py": f"def send_by_carrier(parcel):\n    return parcel\n{BODY}",
    "post/carriers/base.py": f"class Carrier:\n    pass\n{BODY}",
    "post/carriers/null.py": f"def send_by_null(parcel):\n    return None\n{BODY}",
    "post/carriers/pigeon.py": "def send_by_pigeon(parcel): ...\n",
    "post/carriers/steam.py": f"def send_by_steam(parcel):\n    return 0\n{BODY * 20}",
    "tests/test_carrier.py": "def test_carrier():\n    assert True\n",
    "tests/test_ship.py": "from post.carriers import ship\n\n\ndef test_ship():\n    assert ship.send_by_ship(1)\n",
}


def siblings(files: dict[str, str], text: str, tmp_path: Path, *, is_told: bool = True) -> Siblings:
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = siblings_of(Board(prepared(text, view), view), is_told=is_told)
    view.close()
    return found


def models(files: dict[str, str], text: str, tmp_path: Path) -> set[str]:
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = rank(board(text, view).query, view, limit=40, purpose=Purpose.PACK)
    view.close()
    return {each.file.path for each in found if any(link.signal == "model" for link in each.evidence)}


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("add a new carrier for barges", {"post/carriers/ship.py"}),
        ("new post carrier `barge`: which files do I touch", {"post/carriers/ship.py"}),
        ("add a post carrier for barges", {"post/carriers/ship.py"}),
        ("add a carrier for barges", set()),  # one word may mean something else
        ("add a new carrier pump for barges", set()),
        ("add a new carrier for barges like the rail carrier", {"post/carriers/rail.py"}),
        ("add a new carrier for barges like `weigh_9`", set()),
        ("why does creating a new post carrier fail", set()),
        ("why does adding another carrier fail", set()),
        ("we need another carrier", {"post/carriers/ship.py"}),
    ],
)
def test_the_model_is_one_with_a_test_neither_long_nor_empty(tmp_path: Path, text: str, model: set[str]) -> None:
    pump = {"post/pump.py": "def pump(parcel):\n    return parcel\n"}
    assert models({**SENDERS, **OTHERS, **BESIDE, **pump}, text, tmp_path) == model


def test_a_file_beside_folders_is_no_model_of_them(tmp_path: Path) -> None:
    files = {path.replace(".py", f"/{path.rpartition('/')[2]}"): text for path, text in SENDERS.items()}
    files |= {f"post/carriers/{name}/parts.py": "def part(parcel):\n    return parcel\n" for name in CARRIERS}
    files |= {"post/carriers/weights.py": f"def weigh_carriers(carrier):\n    return carrier\n{BODY}"}
    found = models({**files, **OTHERS}, "add a new carrier for barges", tmp_path)
    assert found
    assert found <= {f"post/carriers/{name}/{name}.py" for name in CARRIERS}


def test_of_a_model_all_is_shown(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {**SENDERS, **OTHERS, **BESIDE, "post/carriers/ship.py": f"{BODY * 6}\nSHIP = 1\n"})
    run = pack(Request(Scope.TASK, text="add a new carrier for barges"), load(str(root), {"use_cache": False}))
    found = [each.provenance for each in run.pack.selection.fragments if each.provenance.path.endswith("ship.py")]
    assert [(each.start_line, each.end_line) for each in found if "a model" in " ".join(each.reasons)] == [(1, 194)]


@pytest.mark.parametrize(
    ("text", "folder", "is_sure"),
    [
        ("add another mail transport", "app/mail/transport", True),
        ("add a transport", "app/mail/transport", False),
        ("добавить новый драйвер очереди", "app/queue", True),
        ("add a new storage adapter", "", False),
    ],
)
def test_the_folder_whose_path_says_most_of_the_kind_has_the_siblings(
    tmp_path: Path, text: str, folder: str, *, is_sure: bool
) -> None:
    names = ("Log", "Smtp", "Array", "Pigeon")
    files = {f"app/mail/transport/{name}Transport.php": f"<?php\nclass {name}Transport {{}}\n" for name in names}
    files |= {f"app/mail/Part{at}.php": f"<?php\nclass Part{at} {{}}\n" for at in range(9)}
    files |= {f"app/queue/{name}Queue.php": f"<?php\nclass {name}Queue {{ /* a queue */ }}\n" for name in names}
    files |= {f"app/queue/{name}Job.php": f"<?php\nclass {name}Job {{}}\n" for name in names}
    found = siblings(files, text, tmp_path, is_told="transport" not in text)
    assert (found.folder, found.is_sure) == (folder, is_sure)
    assert found.names <= {f"{name}{kind}".lower() for name in names for kind in ("Transport", "Queue")}


def test_a_list_in_parts_and_names_with_marks_are_found(tmp_path: Path) -> None:
    names = [
        f"{first}_{second}" for first in ("oak", "elm", "fir", "ash") for second in ("bud", "leaf", "root", "bark")
    ]
    files = {f"garden/plants/_{name}.py": f"def grow_{name}(plant):\n    return plant\n" for name in names}
    listed = "".join(f"    '{''.join(map(str.title, name.split('_')))}': load('a', 1),\n" * 12 for name in names)
    files |= {"garden/loading.py": f"PLANTS = {{\n{listed}}}\n", "CHANGELOG.md": "# Changes\n\n" + ", ".join(names)}
    view = opened(write(tmp_path / "root", {**files, **OTHERS}), tmp_path / "cache")
    found = rank(board("add a new plant for the window", view).query, view, limit=9, purpose=Purpose.PACK)
    view.close()
    told = {each.file.path for each in found if any(link.signal == "same cases" for link in each.evidence)}
    assert told == {"garden/loading.py"}


def test_of_a_long_list_the_beginning_is_shown_and_code_comes_first(tmp_path: Path) -> None:
    names = [f"{first}{second}" for first in ("oak", "elm", "fir", "ash") for second in ("bud", "leaf", "root", "bark")]
    files = {f"garden/plants/{name}.py": f"def grow_{name}(plant):\n    return plant\n" for name in names}
    above = "".join(f"step_{at} = {at}\n" for at in range(9))
    listed = "".join(f"load('{name}')\nwater('it')\n" for name in names)
    files |= {"garden/loading.py": f"{above}{listed}", "README.md": f"# Garden\n\n{listed}"}
    view = opened(write(tmp_path / "root", {**files, **OTHERS}), tmp_path / "cache")
    found = rank(board("add a new plant for the window", view).query, view, limit=9, purpose=Purpose.PACK)
    view.close()
    told = {each.file.path: each for each in found if any(link.signal == "same cases" for link in each.evidence)}
    assert list(told) == ["garden/loading.py", "README.md"]
    chunk = told["garden/loading.py"].chunk
    assert (chunk.start_line, chunk.end_line) == (10, 25)


GUIDE = """# Contributing

## Updating a carrier

Bump its fee.

## Writing a new carrier

Choose a name.

### Getting going

Copy another one, and register it.

## Releases

Tag it.

## Carriers that make you wait

## Writing a new carrier pigeon loft cleaner

Take a broom.
"""


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("add a new carrier for barges", {"Writing a new carrier", "Getting going"}),
        ("how do I write my own carrier", {"Writing a new carrier", "Getting going"}),
        ("add a new parcel carrier", {"Writing a new carrier", "Getting going"}),
        ("add a new carrier pump", {"Writing a new carrier", "Getting going"}),
        ("add a pump to a carrier", set()),
        ("why is the carrier late", set()),
        ("I am new here, how do I build my own carrier and run its tests", set()),
        ('a new carrier fails\n\n  File "post/weigh.py", line 3, in weigh\n    add()\nValueError: no carrier\n', set()),
    ],
)
def test_a_section_that_tells_how_to_add_one_comes_with_its_parts(
    tmp_path: Path, text: str, headings: set[str]
) -> None:
    files = {**SENDERS, **OTHERS, "CONTRIBUTING.md": GUIDE, "CHANGELOG.md": "# 1.0\n\n## Adding a carrier\n\nDone.\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = rank(board(text, view).query, view, limit=40, purpose=Purpose.PACK)
    view.close()
    told = [each for each in found if any(link.signal == "chunk guide to add" for link in each.evidence)]
    assert {each.chunk.heading[-1] for each in told} == headings


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("добавь поддержку переменной LABEL_SIZE", False),
        ("добавь поддержку нового carrier", True),
        ("add support for another carrier", True),
    ],
)
def test_support_is_no_kind_of_thing_to_add(tmp_path: Path, text: str, *, is_told: bool) -> None:
    guide = {"docs/carriers.md": "# Carriers\n\n## Adding support for a carrier\n\nDerive from Carrier.\n"}
    view = opened(write(tmp_path / "root", SENDERS | OTHERS | guide), tmp_path / "cache")
    assert bool(len(guiding_chunks(Board(prepared(text, view), view)).numbers)) is is_told
    view.close()


def test_no_code_is_read_for_a_section_that_tells_how_to_add_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = {f"post/more/part{at}.py": f"def carrier_{at}(parcel):\n    return {at}\n" for at in range(50)}
    view = opened(write(tmp_path / "root", code | {"CONTRIBUTING.md": GUIDE}), tmp_path / "cache")
    its, look, seen = board("add a new carrier", view), view.postings.chunk, list[int]()

    def see(number: int) -> Chunk:
        seen.append(number)
        return look(number)

    monkeypatch.setattr(view.postings, "chunk", see)
    assert len(guiding_chunks(its).numbers)
    assert {view.files[int(view.postings.chunk_file[number])].path for number in seen} == {"CONTRIBUTING.md"}
    view.close()


def test_of_equal_guides_the_first_by_path_come_however_the_index_grew(tmp_path: Path) -> None:
    guides = {f"docs/{name}.md": f"# Notes\n\n## Adding a new carrier\n\nStep {name}.\n" for name in "abcde"}
    root, cache = write(tmp_path / "root", SENDERS | OTHERS), tmp_path / "cache"
    for path in reversed(guides):
        write(root, {path: guides[path]})
        opened(root, cache).close()
    for each in (cache, tmp_path / "fresh"):
        view = opened(root, each)
        found = rank(board("add a new carrier", view).query, view, limit=40, purpose=Purpose.PACK)
        view.close()
        told = {hit.file.path for hit in found if any(link.signal == "chunk guide to add" for link in hit.evidence)}
        assert told == {"docs/a.md", "docs/b.md", "docs/c.md"}


def test_what_another_place_tells_apart_is_no_list_of_a_sure_kind(tmp_path: Path) -> None:
    names = ("tab", "enter", "space", "escape")
    cases = "".join(f'        case "{name}":\n            return {at}\n' for at, name in enumerate(names))
    keys = {
        "post/keys.py": f"def press(carrier_key):\n    match carrier_key:\n{cases}",
        "post/screen.py": f"def draw(key):\n    match key:\n{cases}",
    }
    view = opened(write(tmp_path / "root", SENDERS | OTHERS | keys), tmp_path / "cache")
    found = rank(board("add a new carrier, with a carrier key", view).query, view, limit=40, purpose=Purpose.PACK)
    view.close()
    told = [link.reason for each in found for link in each.evidence if link.signal == "same cases"]
    assert not [reason for reason in told if "enter" in reason]
