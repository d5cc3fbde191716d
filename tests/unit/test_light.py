from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.light import dataclass, field, fields_of, lazy_pattern, replace, values_of
from tests.test_imports import loaded_by


@dataclass(frozen=True, slots=True)
class Point:
    """A value."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list, compare=False, repr=False)


@dataclass
class Counter:
    """Something that changes."""

    name: str
    count: int = 0

    def add(self) -> None:
        self.count += 1


@dataclass(frozen=True)
class Named:
    """A value that keeps what it works out."""

    name: str = "a"

    def __repr__(self) -> str:
        return "own"


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """What ``Point`` would be in the standard library."""

    x: int
    y: int = 2
    tags: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


def test_a_value_has_its_fields_and_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(1).tags) == (1, 2, [])
    assert Point(1).tags is not Point(1).tags
    assert Point(x=3, y=4, tags=["a"]).tags == ["a"]
    assert Counter("a").count == 0
    assert Counter.count == 0


@pytest.mark.parametrize(("args", "kwargs"), [((), {}), ((1, 2, [], 4), {}), ((1,), {"z": 1}), ((1,), {"x": 1})])
def test_a_wrong_call_fails_like_in_the_standard_library(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as standard:
        Standard(*args, **kwargs)
    for _ in range(2):  # the first call compiles
        with pytest.raises(TypeError, match=re.escape(str(standard.value).replace("Standard", "Point"))):
            Point(*args, **kwargs)


def test_the_first_objects_are_like_those_that_follow() -> None:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)

    first = Fresh.__init__
    with pytest.raises(TypeError, match="z"):
        Fresh(1, y=3, z=4)  # type: ignore[call-arg]
    assert Fresh.__init__ is not first  # compiled

    @dataclass
    class Other:
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)

    begin = Other.__init__
    made = [each for at in range(9) for each in (Other(at), Other(x=at, tags=[]), Other(at, 2))]
    assert Other.__init__ is not begin
    assert [(each.x, each.y, each.tags) for each in made] == [(at // 3, 2, []) for at in range(27)]
    assert len({id(each.tags) for each in made}) == len(made)


@given(st.integers(), st.integers(), st.integers(), st.integers())
def test_values_compare_and_show_like_those_of_the_standard_library(a: int, b: int, c: int, d: int) -> None:
    one, other, first, second = Point(a, b, ["x"]), Point(c, d), Standard(a, b, ["x"]), Standard(c, d)
    assert (one == other) is (first == second)
    assert (hash(one) == hash(other)) is (hash(first) == hash(second))
    assert repr(one) == repr(first).replace("Standard", "Point")


def test_a_frozen_value_stays_as_it_is() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    assert not hasattr(point, "__dict__")


def test_what_is_not_frozen_changes_and_has_no_hash() -> None:
    counter = Counter("a")
    counter.add()
    assert counter == Counter("a", 1)
    with pytest.raises(TypeError):
        hash(counter)


def test_methods_of_the_class_stay() -> None:
    assert repr(Named()) == "own"
    assert Named() == Named("a")


@pytest.mark.parametrize("change", [replace, dataclasses.replace])
def test_values_are_replaced(change: Callable[..., Point]) -> None:
    assert change(Point(1, tags=["a"]), y=5) == Point(1, 5)
    assert change(Point(1, tags=["a"]), y=5).tags == ["a"]
    assert replace(Standard(1), y=5) == Standard(1, 5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        change(Point(1), z=5)


def test_values_are_copied_and_sent() -> None:
    for point in (Point(1, 3, ["a"]), Counter("a", 1)):
        for again in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):  # noqa: S301
            assert again == point
    assert copy.deepcopy(Point(1, tags=["a"])).tags == ["a"]


def test_the_standard_library_knows_the_fields() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [(each.name, each.default) for each in dataclasses.fields(Point)][:2] == [
        ("x", dataclasses.MISSING),
        ("y", 2),
    ]
    assert dataclasses.asdict(Point(1, tags=["a"])) == {"x": 1, "y": 2, "tags": ["a"]}
    assert [each.name for each in dataclasses.fields(Counter("a"))] == ["name", "count"]
    assert values_of(Point(1, tags=["a"])) == dataclasses.asdict(Point(1, tags=["a"]))
    assert Point.__match_args__ == ("x", "y", "tags")


def test_a_class_tells_what_is_declared_of_its_fields() -> None:
    @dataclass
    class Told:
        x: int = field(default=3, metadata={"meaning": "how many"})
        y: list[str] = field(default_factory=list)

    declared = fields_of(Told)
    assert list(declared) == ["x", "y"]
    assert (declared["x"].default, declared["x"].metadata) == (3, {"meaning": "how many"})
    assert (declared["y"].default_factory, declared["y"].metadata) == (list, {})
    assert [dict(each.metadata) for each in dataclasses.fields(Told)] == [{"meaning": "how many"}, {}]


def test_a_pattern_is_one_of_the_standard_library() -> None:
    words = lazy_pattern(r"(?P<word>\w+)", re.ASCII)
    assert words.findall("a é b") == ["a", "b"]
    assert [match["word"] for match in words.finditer("a b")] == ["a", "b"]
    assert (words.pattern, words.groups, dict(words.groupindex)) == (r"(?P<word>\w+)", 1, {"word": 1})
    assert (words.sub("x", "a b"), words.split("-a-")) == ("x x", ["-", "a", "-"])
    assert words.fullmatch("a b") is None
    with pytest.raises(AttributeError):
        _ = getattr(words, "finds")  # noqa: B009 - there is no such method


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("a")


def test_the_text_of_a_pattern_may_be_made_when_it_is_used() -> None:
    asked: list[str] = []

    def text() -> str:
        asked.append("once")
        return "b+"

    pattern = lazy_pattern(text, re.IGNORECASE)
    assert not asked
    assert (pattern.findall("abBa"), pattern.sub("c", "abBa"), asked) == (["bB"], "aca", ["once"])


def test_making_classes_and_patterns_needs_no_dataclasses() -> None:
    a_class = "@dataclass(frozen=True)\nclass A:\n    a: 'int'\nA(1)"
    code = f"from ctxpack.light import dataclass, lazy_pattern\n{a_class}; lazy_pattern('a')"
    assert "dataclasses" not in loaded_by(code)
