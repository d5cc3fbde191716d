"""Every language: a snippet in ``languages/NAME.txt`` and the definitions that both levels find in it.

A line of ``NAME.expected`` is who finds it (``both``, ``outline``, ``exact``), the lines, the kind, the qualified name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.model import ParsedFile
from ctxpack.parse import exact, outline, parser
from ctxpack.parse.languages import languages

FOLDER = Path(__file__).parent / "languages"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
OTHERWISE = {
    "cuda": "cpp",
    "cython": "python",
    "less": "css",
    "plsql": "sql",
    "sass": "css",
    "scss": "css",
    "starlark": "python",
    "vyper": "python",
}
"""Languages whose definitions are those of another."""
IN_TREES = sorted(each.name for each in languages() if each.grammar and each.name not in OTHERWISE)


def _snippet(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def _expected(name: str, level: str) -> set[str]:
    rows = (FOLDER / f"{name}.expected").read_text(encoding="utf-8").splitlines()
    return {row.partition(" ")[2] for row in rows if row.partition(" ")[0] in ("both", level)}


def _found(parsed: ParsedFile) -> set[str]:
    return {f"{item.start_line}-{item.end_line} {item.kind} {item.qualified}" for item in parsed.symbols}


def test_every_language_with_definitions_has_a_snippet() -> None:
    known = {each.name: each for each in languages() if each.patterns or each.grammar}
    assert set(known) == {*NAMES, *OTHERWISE}
    for name, other in OTHERWISE.items():
        assert (known[name].patterns, known[name].grammar) == (known[other].patterns, known[other].grammar)


@pytest.mark.parametrize("name", NAMES)
def test_outline_finds_the_definitions(name: str) -> None:
    assert _found(outline(_snippet(name), name)) == _expected(name, "outline")


@pytest.mark.parametrize("name", IN_TREES)
def test_exact_finds_the_definitions(name: str) -> None:
    parsed = exact(_snippet(name), name)
    assert parsed.is_exact
    assert _found(parsed) == _expected(name, "exact")


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(IN_TREES)))
def test_without_a_grammar_exact_is_the_outline(name: str) -> None:
    assert exact(_snippet(name), name) == outline(_snippet(name), name)
    assert not exact(_snippet(name), name).is_exact


@pytest.mark.parametrize("name", NAMES)
def test_chunks_cover_every_line_once(name: str) -> None:
    text = _snippet(name)
    for parsed in (outline(text, name), exact(text, name)):
        covered = [line for chunk in parsed.chunks for line in range(chunk.start_line, chunk.end_line + 1)]
        assert covered == list(range(1, text.count("\n") + 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_in_its_signature(name: str) -> None:
    for symbol in outline(_snippet(name), name).symbols:
        assert symbol.name in symbol.signature


def test_languages_are_known_by_other_names_too() -> None:
    text = _snippet("csharp")
    assert outline(text, "C#") == outline(text, "csharp")
    assert outline(_snippet("tsx"), "typescript", "a/App.tsx") == outline(_snippet("tsx"), "tsx")


def test_syntax_errors_still_give_chunks_and_symbols() -> None:
    parsed = exact("def whole():\n    return 1\n\ndef broken(:\n    retur (\n\nclass Last:\n    pass\n", "python")
    assert parsed.is_exact
    assert "whole" in {item.name for item in parsed.symbols}
    assert parsed.chunks[-1].end_line == 8


def test_what_a_tree_loses_behind_an_error_is_found_by_pattern() -> None:
    call = """  <Sent = Data>(
    extra: Extra,
    options?: Options<
      Data,
      Sent
    > & { fails: boolean }
  ): Promise<Sent>
"""
    head = "export interface NAME<\n  Data = any,\n  Extra extends Key = Key\n> {\n"
    whole = "".join(f"{head.replace('NAME', name)}{call * 3}}}\n\n" for name in ("Send", "Store", "Queue"))
    text = whole + "export class Shop {\n  open() {\n    return 1\n  }\n\n  close() {\n    return 2\n  }\n}\n"
    found = {each.qualified: (each.start_line, each.end_line) for each in exact(text, "typescript").symbols}
    assert found == {each.qualified: (each.start_line, each.end_line) for each in outline(text, "typescript").symbols}
    assert {"Send": (1, 26), "Queue": (55, 80)}.items() <= found.items()


KOTLIN = """\
class Lamp {
  private var set: Int = 0

  val width: Int
    get() {
      val bit = 1 shl 2
      return if (bit and set != 0) bit else -1
    }

  fun clear() {
    set = 0
    set += 1
  }

  operator fun set(
    id: Int,
    value: Int,
  ): Lamp {
    val bit = 1 shl id
    set = set or bit
    return this
  }
}
"""


def test_a_class_of_which_a_tree_has_members_alone_is_found_by_pattern() -> None:
    found = {each.qualified: (each.kind, each.start_line, each.end_line) for each in exact(KOTLIN, "kotlin").symbols}
    assert found["Lamp"] == ("class", 1, 23)
    assert found["Lamp.clear"] == ("method", 10, 13)
    assert found["Lamp.set"][0] == "method"
    assert all(name == "Lamp" or name.startswith("Lamp.") for name in found)


def test_test_cases_that_a_macro_begins_are_found_by_pattern() -> None:
    cases = "".join(f'TEST_CASE("case {n}", "[part]")\n{{\n    CHECK(part({n}) == {n});\n}}\n\n' for n in range(4))
    found = exact(f'#include "part.h"\n\n{cases}', "cpp").symbols
    assert [(each.start_line, each.end_line) for each in found] == [(3, 6), (8, 11), (13, 16), (18, 21)]


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_structure_and_its_type_of_the_same_name_are_one_definition(language: str) -> None:
    text = "// About it.\ntypedef struct store {\n    int size;\n} store;\n\ntypedef enum kind_s {\n    ONE\n} kind;\n"
    symbols = exact(text, language).symbols
    assert [(each.qualified, each.kind, each.start_line, each.end_line) for each in symbols] == [
        ("store", "struct", 1, 4),
        ("kind", "type", 6, 8),
        ("kind.kind_s", "enum", 6, 8),
    ]
    assert symbols[0].signature == "typedef struct store {"


OUT_OF_STEP = """\
struct Padding {
  unsigned size;

  MY_CONSTEXPR Padding(int digits, unsigned prefix)
      : size((prefix >> 24) + to_unsigned(digits)), padding(0) {
    if (digits > 2) {
      size = 1;
    } else if (prefix > 3) {
      size = 5;
    }
  }
};

int last(int c) {
  return 1;
}
"""
RUN_OVER = """\
class List {
  template <typename T> struct Node : Base<> {
    T value;

    template <typename Arg>
    MY_CONSTEXPR Node(const Arg& arg) : value(arg) {}

    template <typename Char>
    MY_CONSTEXPR Node(const view<Char>& arg)
        : value(arg.data(), arg.size()) {}
  };

  std::unique_ptr<Base<>> head_;

 public:
  template <typename T, typename Arg>
  MY_CONSTEXPR auto push(const Arg& arg) -> const T& {
    return value;
  }
};

int last(int c) {
  return 1;
}
"""


@pytest.mark.parametrize(("text", "first"), [(OUT_OF_STEP, ("Padding", 1, 12)), (RUN_OVER, ("List", 1, 20))])
def test_a_macro_puts_no_definition_of_a_file_out_of_step(text: str, first: tuple[str, int, int]) -> None:
    found = [(each.qualified, each.start_line, each.end_line) for each in exact(text, "cpp", "a.h").symbols]
    assert found[0] == first
    assert found[-1][0] == "last"


EXPORTED = """\
namespace store {

// How a store behaves.
struct STORE_API Options {
  // Made where it is missing.
  bool create = false;

  // Where it logs to.
  Logger* log = nullptr;
};

class STORE_API(hidden) Cache final : public Base {
 public:
  int size() { return 1; }
};

enum class STORE_API Kind : int { kOne, kTwo };

struct STORE_NODE root = {1, 2};

struct STORE_NODE *find(int id) {
  return &root;
}

}  // namespace store
"""


def test_a_macro_between_class_and_name_hides_no_definition() -> None:
    found = [
        (each.kind, each.qualified, each.start_line, each.end_line) for each in exact(EXPORTED, "cpp", "a.h").symbols
    ]
    assert found == [
        ("namespace", "store", 1, 25),
        ("struct", "store.Options", 3, 10),
        ("field", "store.Options.create", 5, 6),
        ("field", "store.Options.log", 8, 9),
        ("class", "store.Cache", 12, 15),
        ("method", "store.Cache.size", 14, 14),
        ("enum", "store.Kind", 17, 17),
        ("constant", "store.root", 19, 19),
        ("function", "store.find", 21, 23),
    ]


def test_a_macro_is_not_looked_for_where_no_name_in_capitals_follows_a_keyword(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "struct job {\n  int id;\n};\n\n#define MOST 3\n\nint run(struct Job *a)\n{\n  return MOST;\n}\n"
    monkeypatch.setattr(parser, "_EXPORT", None)
    assert [each.qualified for each in exact(text, "c", "a.c").symbols] == ["job", "MOST", "run"]
    with pytest.raises(AttributeError):
        exact(EXPORTED, "cpp", "a.h")


def test_the_patterns_are_not_asked_of_a_file_in_which_nothing_closes_too_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "struct job {\n  int id;\n};\n\nint run(int a)\n{\n  if (a) {\n    a = 2;\n  }\n  return a;\n}\n"
    monkeypatch.setattr(parser, "find_by_patterns", None)
    assert [each.qualified for each in exact(text, "c", "a.c").symbols] == ["job", "run"]


def test_a_statement_behind_a_macro_is_no_definition() -> None:
    text = "int run(int a) {\n  MY_CHECK(a)\n  if(a) {\n    a = 2;\n  }\n  return a;\n}\n"
    assert [each.qualified for each in exact(text, "c", "a.c").symbols] == ["run"]
