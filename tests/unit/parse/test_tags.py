"""TAG regions, and which of them stand for their file."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.model import TagRegion
from ctxpack.parse import outline
from ctxpack.parse.metadata import choose_tags


def _page(names: Sequence[str], size: int = 3) -> str:
    return "".join(f"intro\n<!--TAG:{name}-->\n{f'about {name} ' * size}\n<!--/TAG:{name}-->\n" for name in names)


def _choice(text: str, wanted: Sequence[str] = ()) -> list[str] | None:
    chosen = choose_tags(text, outline(text, "markdown"), wanted)
    return None if chosen is None else [region.name for region in chosen]


def test_regions_are_the_lines_between_the_marks() -> None:
    text = "a\n<!--TAG:one-->\nb\nc\n<!--/TAG:one-->\n<!-- TAG: two --> d <!-- /TAG: two -->\n<!--TAG:open-->\n"
    assert outline(text, "markdown").tags == (TagRegion("one", 3, 4), TagRegion("two", 6, 6))


def test_marks_in_code_are_found_and_unopened_ones_ignored() -> None:
    text = "<!--/TAG:x-->\n# <!--TAG:y-->\nz = 1\n# <!--/TAG:y-->\n"
    assert [(tag.name, tag.start_line) for tag in outline(text, "python").tags] == [("y", 3)]


def test_no_tag_means_the_file() -> None:
    assert _choice("text\n") is None


def test_one_small_tag_comes_with_the_file() -> None:
    text = _page(["a"])
    chosen = choose_tags(text, outline(text, "markdown"), ())
    assert chosen == (TagRegion("a", 3, 3), TagRegion("", 1, 4))


def test_one_large_tag_comes_alone() -> None:
    assert _choice(_page(["a"], size=100)) == ["a"]


def test_two_to_five_tags_all_come() -> None:
    assert _choice(_page("abcde"), ["a"]) == list("abcde")


def test_of_more_the_three_best_come_in_file_order() -> None:
    names = ["queue", "memory", "search", "обработка", "cache", "deploy"]
    assert _choice(_page(names), ["обработки", "cache", "queue"]) == ["queue", "обработка", "cache"]
    assert _choice(_page(names)) == ["queue", "memory", "search"]


def test_an_identifier_matches_by_its_words() -> None:
    names = ["queue", "deploy", "search", "cache", "Memory_Store", "store"]
    assert "Memory_Store" in (_choice(_page(names), ["memory_store"]) or ())
    assert "memory store" in (_choice(_page([*names[:4], "other", "memory store"]), ["memory_store"]) or ())
