"""The imports between files, and what later stages see of an index, also from many threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from ctxpack.errors import BrokenIndexError
from ctxpack.index import IndexView
from ctxpack.index.arrays import StoredArray, save_arrays
from ctxpack.index.graph import Graph, graph_arrays, load_graph, with_imports
from ctxpack.index.postings import Postings
from ctxpack.parse import outline
from ctxpack.text import decode, lines_of
from tests.indexing import ask, commit, opened, write

ODD = b"caf\xe9.py".decode("utf-8", "surrogateescape")


def graph_of(folder: Path, edges: Mapping[str, tuple[str, ...]]) -> Graph:
    save_arrays(folder / "graph", graph_arrays(with_imports(None, edges)))
    return load_graph(folder / "graph")


def test_edges_are_seen_from_both_ends_and_sorted(tmp_path: Path) -> None:
    found = graph_of(tmp_path, {"z.py": ("b.py", "a.py"), "a.py": ("b.py",), ODD: ("a.py",)})
    assert found.imports("z.py") == ("a.py", "b.py")
    assert found.importers("b.py") == ("a.py", "z.py")
    assert found.importers("a.py") == (ODD, "z.py") if ODD < "z.py" else ("z.py", ODD)
    assert found.imports("b.py") == found.imports("unknown") == ()
    assert found.in_degrees({"unknown": 0, "a.py": 1, "b.py": 2, "z.py": 3}).tolist() == [0, 2, 2, 0]


def test_a_front_passes_on_what_its_folder_defines(tmp_path: Path) -> None:
    edges = {
        "lib/index.ts": ("lib/deep/index.ts", "lib/doors.ts"),
        "lib/deep/index.ts": ("lib/deep/keys.ts",),
        "app/a.ts": ("lib/index.ts",),
        "app/b.ts": ("lib/deep/index.ts",),
        "app/c.ts": ("lib/deep/keys.ts",),
        "other/index.ts": ("lib/deep/keys.ts",),
        "other/d.ts": ("other/index.ts",),
    }
    found = graph_of(tmp_path, edges)
    assert found.importers_of_fronts("lib/deep/keys.ts") == ("app/a.ts", "app/b.ts")
    assert found.importers_of_fronts("lib/doors.ts") == ("app/a.ts",)
    assert found.importers_of_fronts("app/a.ts") == ()


def test_no_edges(tmp_path: Path) -> None:
    found = graph_of(tmp_path, {})
    assert (found.paths, found.imports("a"), found.in_degrees({"a": 0}).tolist()) == ((), (), [0])


def test_a_file_of_other_arrays_is_broken(tmp_path: Path) -> None:
    save_arrays(tmp_path / "graph", {})
    with pytest.raises(BrokenIndexError, match="lacks"):
        load_graph(tmp_path / "graph")


FILES = {
    "app/retry.py": '"""Retries."""\n\nimport app.log\n\n\n'
    "class Retry:\n    def delay(self, tries):\n        return tries\n\n\ndef again():\n    pass\n",
    "app/log.py": "def log(text):\n    print(text)\n",
    "docs/Retry.md": "---\ntitle: Retries\ntags: [net]\n---\n# Retry\n\nIntro.\n\n"
    "## Odd \x1f mark\n\nText <!--TAG:x-->\nin\n<!--/TAG:x-->\n",
    "lib/app/retry.py": "value = 1\n" * 200,
    "empty.txt": "",
    "caf\u00e9.txt": "École naïve\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", FILES)


@pytest.fixture
def view(root: Path, tmp_path: Path) -> Iterator[IndexView]:
    found = opened(root, tmp_path / "cache")
    yield found
    found.close()


def paths(view: IndexView, numbers: tuple[int, ...]) -> list[str]:
    return [view.files[number].path for number in numbers]


def test_chunks_cover_every_line_of_a_file_in_order(view: IndexView, root: Path) -> None:
    for number, file in enumerate(view.files):
        covered = [
            line
            for place in view.postings.chunks_of(number)
            for line in range(view.postings.chunk(place).start_line, view.postings.chunk(place).end_line + 1)
        ]
        count = len(lines_of(decode((root / file.path).read_bytes())))
        assert covered == list(range(1, count + 1))
        assert view.postings.file_lines[number] == count
        assert all(view.postings.chunk_file[place] == number for place in view.postings.chunks_of(number))


def test_every_chunk_belongs_to_one_file_also_after_an_update(view: IndexView, root: Path, tmp_path: Path) -> None:
    write(root, {"app/log.py": "def other():\n    pass\n", "new.py": "x = 1\n"})
    (root / "empty.txt").unlink()
    updated = opened(root, tmp_path / "cache")
    places = sorted(place for number in range(len(updated.files)) for place in updated.postings.chunks_of(number))
    assert places == [place for place, file in enumerate(updated.postings.chunk_file) if file >= 0]
    assert len(places) == updated.postings.live_chunks < len(updated.postings.chunk_file)
    assert updated.postings.is_known("other")
    assert not updated.postings.is_known("print")  # only the old content held it
    assert view.postings.is_known("print")
    updated.close()


def test_vocabulary_is_that_of_this_state_most_frequent_first(
    view: IndexView, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert view.postings.vocabulary()[0] == "value"
    definitions = [name for segment in view.postings.segments for name in segment.definitions()]
    assert definitions == ["again", "delay", "log", "retry", "value"]
    assert view.postings.with_prefix("retr") == ["retries", "retry"]
    with monkeypatch.context() as patched:
        patched.setattr(Postings, "_alive_of", None)  # of every chunk it tells whether it is of this state: all are
        assert view.postings.with_prefix("retr") == ["retries", "retry"]
    (root / "docs" / "Retry.md").unlink()
    updated = opened(root, tmp_path / "cache")
    assert "intro" not in updated.postings.vocabulary()
    assert updated.postings.with_prefix("intr") == []
    updated.close()


@pytest.mark.parametrize(
    ("suffix", "expected"),
    [
        ("retry.py", ["app/retry.py", "lib/app/retry.py"]),
        ("app/retry.py", ["app/retry.py", "lib/app/retry.py"]),
        ("lib/app/retry.py", ["lib/app/retry.py"]),
        ("RETRY.MD", ["docs/Retry.md"]),
        ("etry.py", []),
        ("p/retry.py", []),
        ("other/retry.py", []),
        ("CAFÉ.txt", ["café.txt"]),
        ("", []),
        ("app/", []),
    ],
)
def test_suffixes_match_whole_parts_of_paths(view: IndexView, suffix: str, expected: list[str]) -> None:
    assert paths(view, view.files.with_suffix(suffix)) == expected


@pytest.mark.parametrize("field", ["sub", "word", "name", "definition", "path"])
def test_many_terms_are_found_at_once_with_fewer_reads(
    view: IndexView, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    terms, reads, read = ["retry", "tries", "delay", "app", "text", "log", "unheard"], list[str](), StoredArray.read

    def count(array: StoredArray, start: int, stop: int) -> bytes:
        reads.append(field)
        return read(array, start, stop)

    other = opened(root, tmp_path / "cache")
    expected = [
        (found.docs.tolist(), found.counts.tolist()) for found in (other.postings.terms(field, each) for each in terms)
    ]
    other.close()
    monkeypatch.setattr(StoredArray, "read", count)
    view.postings.look_up(field, terms[:1])
    alone = len(reads)
    view.postings.look_up(field, terms)
    assert len(reads) < len(terms) * alone
    reads.clear()
    found = [view.postings.terms(field, each) for each in terms]
    assert [(each.docs.tolist(), each.counts.tolist()) for each in found] == expected
    assert not reads


def test_words_are_found_where_they_stand(view: IndexView) -> None:
    places = view.postings.terms("word", "tries").docs.tolist()
    assert {view.files[view.postings.chunk_file[place]].path for place in places} == {"app/retry.py"}
    assert (
        view.postings.terms("definition", "retry.delay").docs.tolist()
        == view.postings.terms("definition", "delay").docs.tolist()
    )
    assert paths(view, tuple(view.postings.terms("path", "app").docs.tolist())) == [
        "app/log.py",
        "app/retry.py",
        "lib/app/retry.py",
    ]
    assert paths(view, tuple(view.postings.file_terms("sub", "école").docs.tolist())) == ["café.txt"]
    assert not len(view.postings.terms("sub", "unheard").docs)


def test_counts_of_a_file_are_those_of_its_chunks(view: IndexView) -> None:
    number = view.files.numbers["lib/app/retry.py"]
    found = view.postings.file_terms("sub", "value")
    assert dict(zip(found.docs.tolist(), found.counts.tolist(), strict=True))[number] == 200
    assert len(view.postings.chunks_of(number)) > 1
    assert view.postings.file_lengths("sub")[number] == 200


def test_headings_with_marks_of_ours_stay_one_heading(view: IndexView) -> None:
    number = view.files.numbers["docs/Retry.md"]
    headings = [view.postings.chunk(place).heading for place in view.postings.chunks_of(number)]
    assert ("Retry", "Odd   mark") in headings


def test_facts_of_a_file(view: IndexView, root: Path, tmp_path: Path) -> None:
    again = opened(root, tmp_path / "cache")  # from the store, not from this run
    for each in (view, again):
        assert each.files.facts("docs/Retry.md").front_matter.title == "Retries"
        assert [tag.name for tag in each.files.facts("docs/Retry.md").tags] == ["x"]
        assert [found.module for found in each.files.facts("app/retry.py").imports] == ["app.log"]
        assert each.files.facts("missing").slot == -1
        assert set(each.files.facts_of([*FILES, "missing"])) == set(FILES)
    again.close()


def test_lines_and_texts(view: IndexView, root: Path) -> None:
    assert view.files.lines("app/retry.py", 6, 7) == "class Retry:\n    def delay(self, tries):"
    assert view.files.lines("app/retry.py", 50, 60) == ""
    (root / "app" / "log.py").unlink()
    assert view.files.text("app/log.py") == ""


def cached(view: IndexView) -> int:
    return int(view.store._ask("SELECT count(*) FROM exact")[0][0])


def test_syntax_trees_are_cached_by_content(view: IndexView, root: Path, tmp_path: Path) -> None:
    parsed = view.files.exact("app/retry.py")
    assert parsed.is_exact
    assert view.files.exact("app/retry.py") is parsed
    view.close()
    (root / "moved").mkdir()
    (root / "app" / "retry.py").replace(root / "moved" / "there.py")
    again = opened(root, tmp_path / "cache")
    assert cached(again) == 1
    assert again.files.exact("moved/there.py") == parsed
    assert not again.files._fresh_exact  # it was not parsed again
    again.close()


def test_one_content_in_two_dialects_is_parsed_twice(root: Path, tmp_path: Path) -> None:
    text = "const a = <T>(x: T) => x;\nfunction b(): void {}\n"
    write(root, {"a.ts": text, "b.tsx": text})
    for order in (("a.ts", "b.tsx"), ("b.tsx", "a.ts")):
        found = opened(root, tmp_path / order[0])
        assert all(found.files.exact(path).chunks for path in order)
        assert len(found.files._fresh_exact) == 2
        found.close()


def test_a_file_that_vanished_spoils_no_cache(view: IndexView, root: Path, tmp_path: Path) -> None:
    text = (root / "app" / "log.py").read_text()
    (root / "app" / "log.py").unlink()
    assert view.files.exact("app/log.py").chunks == ()
    assert view.files.exact("no such file").chunks == ()
    view.close()
    write(root, {"app/log.py": text})
    again = opened(root, tmp_path / "cache")
    assert [symbol.name for symbol in again.files.exact("app/log.py").symbols] == ["log"]
    again.close()


def test_a_few_paths_of_a_graph_are_found_without_a_table_of_all(tmp_path: Path) -> None:
    loaded = graph_of(tmp_path, {"b.py": ("a.py", "d.py"), "d.py": ("a.py",)})
    asked = ("a.py", "b.py", "d.py", "0.py", "c.py", "z.py", "")
    assert [loaded.imports(path) for path in asked] == [(), ("a.py", "d.py"), ("a.py",), (), (), (), ()]
    assert [loaded.importers(path) for path in asked] == [("b.py", "d.py"), (), ("b.py",), (), (), (), ()]
    assert set(vars(loaded)) == {"paths", "sources", "targets"}


def test_modules_lead_to_files(view: IndexView) -> None:
    assert view.files.modules["app.retry"] == "app/retry.py"
    assert view.graph.imports("app/retry.py") == ("app/log.py",)
    assert view.files.in_degrees[view.files.numbers["app/log.py"]] == 1


THREADS, ROUNDS = 8, 3
WORDS = [f"word{number}" for number in range(40)]


@pytest.fixture
def often() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def answers(view: IndexView) -> list[object]:
    """Everything that a strategy may ask, in a fixed order."""
    paths = [file.path for file in view.files]
    return [
        [view.files.all_lines(path) for path in paths],
        [view.files.exact(path) for path in paths],
        [view.files.facts(path) for path in paths],
        sorted(view.files.facts_of(paths).items()),
        [(view.graph.imports(path), view.graph.importers(path)) for path in paths],
        [view.history.last_commit(path) for path in paths],
        [view.postings.file_terms("sub", word).docs.tolist() for word in WORDS],
        view.postings.vocabulary(),
        view.files.in_degrees.tolist(),
        view.files.with_suffix("part1.py"),
        ask("word3 of part2", view),
    ]


def repository(root: Path) -> Path:
    files = {
        f"part{number}.py": f"import part{number + 1}\n\n\ndef {word}():\n    return '{WORDS[number // 2]}'\n"
        for number, word in enumerate(WORDS)
    }
    commit(root, {**files, "notes.md": "---\ntags: [word1]\n---\n# Notes\n\nword2\n"})
    return root


@pytest.mark.usefixtures("often")
def test_threads_get_the_answers_of_one_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "repository")
    for _ in range(2):  # the first time fills the cache of exact boundaries
        view = opened(root, tmp_path / "cache")
        expected = answers(view)
        view.close()
    for _ in range(ROUNDS):
        shared, start = opened(root, tmp_path / "cache"), Barrier(THREADS)

        def work(view: IndexView = shared, start: Barrier = start) -> list[object]:
            start.wait(30)
            return answers(view)

        with ThreadPoolExecutor(THREADS) as pool:
            found = [each.result() for each in [pool.submit(work) for _ in range(THREADS)]]
        assert all(each == expected for each in found)
        shared.close()


def test_who_comes_after_the_end_is_told_so(tmp_path: Path) -> None:
    view = opened(repository(tmp_path / "repository"), tmp_path / "cache")
    view.close()
    with ThreadPoolExecutor(1) as pool, pytest.raises(BrokenIndexError):
        pool.submit(view.files.facts_of, view.files.entries.paths.listed).result()


def test_plugins_reach_files_by_the_view_itself(view: IndexView) -> None:
    of_plugins = view
    file = of_plugins.file("app/retry.py")
    assert file is view.files[view.files.numbers["app/retry.py"]]
    assert of_plugins.file("missing") is None
    assert of_plugins.exact("app/retry.py") is view.files.exact("app/retry.py")


def test_names_that_a_framework_gives_are_not_asked_for(tmp_path: Path) -> None:
    text = (
        "<script>\nexport default {\n    data() {\n        return {};\n    },\n    remind() {\n    },\n};\n</script>\n"
    )
    view = opened(write(tmp_path / "root", {"Parcel.vue": text, "parcel.js": "function data() {\n}\n"}), tmp_path / "c")
    assert [symbol.name for symbol in outline(text, "vue").symbols] == ["data", "remind"]
    found = view.postings.terms("definition", "data").docs.tolist()
    assert len(found) == len(view.postings.terms("name", "data").docs.tolist()) == 1
    assert len(view.postings.terms("definition", "remind").docs.tolist()) == 1
    view.close()
