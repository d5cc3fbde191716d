"""Classes of values and patterns that cost next to nothing before they are used: a start makes hundreds of them.

``dataclass``, ``field`` and ``replace`` mean what they mean in the standard library, which compiles six methods of a
class while it is imported. Here the constructor is compiled for a class of many objects, and the other methods are
shared. ``fields_of`` tells what a class declares, ``values_of``
what an object holds.
``lazy_pattern`` is ``re.compile``, done at the first use; a ``TextEnum`` is a StrEnum that is found quickly.

Every module uses these, as tests/test_imports.py checks; patterns of bytes have no light form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

__all__ = ["TextEnum", "compile_with", "dataclass", "field", "fields_of", "lazy_pattern", "replace", "values_of"]

_T = TypeVar("_T")
_MISSING: Final[Any] = object()
_FEW: Final = 4  # objects of a class: to compile its constructor takes as long as to make some dozens without
_RECORD: Final = "__record__"
_STANDARD: Final = "__dataclass_fields__"  # where the standard library looks for what it knows of a class
_Values = Callable[[object], tuple[Any, ...]]


class _Field:
    """What is said of a field besides its name."""

    __slots__ = ("compare", "default", "default_factory", "metadata", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,  # noqa: ANN401 - any value
        default_factory: Any = _MISSING,  # noqa: ANN401 - anything that can be called
        compare: bool = True,
        repr: bool = True,  # noqa: A002 - the name that the standard library has for it
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.metadata: Mapping[str, Any] = metadata or {}
        self.default = default
        self.default_factory = default_factory
        self.compare = compare
        self.repr = repr


class _Record:
    """What is known of a class of values."""

    __slots__ = ("fields", "is_frozen", "owner", "values")

    def __init__(self, owner: type, fields: Mapping[str, _Field], *, is_frozen: bool) -> None:
        self.owner = owner
        self.fields = fields
        self.is_frozen = is_frozen
        self.values = _reader(tuple(fields))


def _make_dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 - the name that the standard library has for it
) -> Any:  # noqa: ANN401 - a class, or what makes one
    if cls is None:
        return lambda owner: _make_dataclass(owner, frozen=frozen, slots=slots, eq=eq, repr=repr)
    fields = {name: _field(cls.__dict__.get(name, _MISSING)) for name in cls.__annotations__}
    record = _Record(_owner(cls, fields, slots=slots), fields, is_frozen=frozen)
    methods: dict[str, object] = {"__init__": _constructor(record), "__match_args__": tuple(fields)}
    if eq:
        methods |= _comparison(record)
    if repr:
        methods["__repr__"] = _representation(tuple(name for name, each in fields.items() if each.repr))
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if cls.__dict__.get(name) is None:
            setattr(record.owner, name, method)
    setattr(record.owner, _RECORD, record)
    setattr(record.owner, _STANDARD, _StandardFields(record))
    return record.owner


def _field(given: object) -> _Field:
    return given if isinstance(given, _Field) else _Field(default=given)


def _owner(cls: type, fields: Mapping[str, _Field], *, slots: bool) -> type:
    """Return the class with slots for its fields, or with their defaults."""
    if slots:
        kept = {name: value for name, value in cls.__dict__.items() if name not in fields}
        for name in ("__dict__", "__weakref__"):
            kept.pop(name, None)
        made = type(cls)(cls.__name__, cls.__bases__, {**kept, "__slots__": tuple(fields)})
        made.__qualname__ = cls.__qualname__
        return made
    for name, each in fields.items():
        if each.default is not _MISSING:
            setattr(cls, name, each.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    return cls


def _reader(names: tuple[str, ...]) -> _Values:
    """Return what reads the named values of an object, in this order."""
    if len(names) > 1:
        return cast("_Values", attrgetter(*names))
    return lambda thing: tuple(getattr(thing, name) for name in names)


def _constructor(record: _Record) -> Callable[..., None]:
    """Return a constructor that compiles the real one for objects after the first few, and for a wrong call."""
    made = 0

    def __init__(self: object, *args: object, **kwargs: object) -> None:  # noqa: N807 - seen in messages
        nonlocal made
        made += 1
        if made > _FEW or not _set_fields(record, self, args, kwargs):
            real = _compile_constructor(record)
            type.__setattr__(record.owner, "__init__", real)
            real(self, *args, **kwargs)

    return __init__


def _set_fields(record: _Record, thing: object, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Set the fields of a new object; returns False where the real constructor has something to refuse."""
    values = dict(zip(record.fields, args, strict=False))
    if len(args) > len(values) or values.keys() & kwargs.keys() or kwargs.keys() - record.fields.keys():
        return False
    values |= kwargs
    for name, each in record.fields.items():
        if name in values:
            value = values[name]
        elif each.default is not _MISSING:
            value = each.default
        elif each.default_factory is not _MISSING:
            value = each.default_factory()
        else:
            return False
        object.__setattr__(thing, name, value)
    return True


def _compile_constructor(record: _Record) -> Callable[..., None]:
    known: dict[str, object] = {"_missing": _MISSING, "_set": object.__setattr__}
    parameters, lines = ["self"], []
    for name, each in record.fields.items():
        value = name
        if each.default is not _MISSING:
            known[f"_default_{name}"] = each.default
            parameters.append(f"{name}=_default_{name}")
        elif each.default_factory is not _MISSING:
            known[f"_make_{name}"] = each.default_factory
            parameters.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        else:
            parameters.append(name)
        slot = record.owner.__dict__.get(name) if record.is_frozen else None
        if isinstance(slot, MemberDescriptorType):
            known[f"_set_{name}"] = slot.__set__  # twice as fast as to ask for it by name
            lines.append(f" _set_{name}(self, {value})")
        else:
            lines.append(f" _set(self, {name!r}, {value})" if record.is_frozen else f" self.{name} = {value}")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), known)  # noqa: S102 - of own names
    made = cast("Callable[..., None]", known["__init__"])
    made.__qualname__ = f"{record.owner.__qualname__}.__init__"
    return made


def _comparison(record: _Record) -> dict[str, object]:
    """Return the methods that compare objects of one class by their values."""
    values = _reader(tuple(name for name, each in record.fields.items() if each.compare))

    def __eq__(self: object, other: object) -> bool:  # noqa: N807 - its name
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807 - its name
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if record.is_frozen else None}


def _representation(names: tuple[str, ...]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:  # noqa: N807 - its name
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _refuse_to_set(self: object, name: str, value: object) -> None:  # noqa: ARG001 - as every object has it
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:  # noqa: ARG001 - as every object has it
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: object) -> tuple[Any, ...]:
    """Return what a copy or another process needs to make the object again."""
    return _record_of(self).values(self)


def _restore(self: object, state: tuple[Any, ...]) -> None:
    for name, value in zip(_record_of(self).fields, state, strict=True):
        object.__setattr__(self, name, value)


def _record_of(thing: object) -> _Record:
    found: _Record = getattr(type(thing), _RECORD)
    return found


def values_of(thing: object) -> Mapping[str, object]:
    """Return the values of an object by the name of their field."""
    return dict(zip(_record_of(thing).fields, _state(thing), strict=True))


def fields_of(owner: type) -> Mapping[str, _Field]:
    """Return what is declared of each field of a class: metadata, and the default or what makes it."""
    record: _Record = getattr(owner, _RECORD)
    return record.fields


class _StandardFields:
    """What the functions of the standard library ask a class for, made when one of them does."""

    def __init__(self, record: _Record) -> None:
        self._record = record

    def __get__(self, thing: object, owner: type | None = None) -> Mapping[str, object]:
        import dataclasses

        its = self._record
        given: dict[str, Any] = {}
        for name, each in its.fields.items():
            facts: dict[str, Any] = {"compare": each.compare, "repr": each.repr, "metadata": each.metadata}
            facts |= {"default": each.default} if each.default is not _MISSING else {}
            facts |= {"default_factory": each.default_factory} if each.default_factory is not _MISSING else {}
            given[name] = dataclasses.field(**facts)
        bare = type(its.owner.__name__, (), {"__annotations__": its.owner.__annotations__, **given})
        made: type = dataclasses.dataclass(init=False, repr=False, eq=False)(bare)
        found: Mapping[str, object] = getattr(made, _STANDARD)
        type.__setattr__(its.owner, _STANDARD, found)
        return found


def _replace_values(thing: _T, /, **changes: object) -> _T:
    record: _Record | None = getattr(type(thing), _RECORD, None)
    if record is None:
        import dataclasses

        return cast("_T", dataclasses.replace(cast("Any", thing), **changes))
    values: dict[str, object] = dict(zip(record.fields, record.values(thing), strict=True))
    values.update(changes)
    return type(thing)(**values)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _make_dataclass, _Field, _replace_values


_compile: Callable[[str, int], re.Pattern[str]] = re.compile


@contextmanager
def compile_with(function: Callable[[str, int], re.Pattern[str]]) -> Iterator[None]:
    """Let lazy patterns be compiled by a function until the block ends."""
    global _compile  # noqa: PLW0603 - patterns are made while modules are loaded: nobody could hand it to them
    before, _compile = _compile, function
    try:
        yield
    finally:
        _compile = before


class TextEnum(StrEnum):
    """A StrEnum whose members are hashed as their text is; the hash of an Enum is a function of Python."""

    __hash__ = str.__hash__


class _LazyPattern:
    """A pattern that is compiled when something of it is asked for; from then on asking costs nothing more."""

    def __init__(self, text: str | Callable[[], str], flags: int) -> None:
        self._source = text, flags

    def __getattr__(self, name: str) -> object:
        text, flags = self._source
        compiled = _compile(text if isinstance(text, str) else text(), flags)
        for each in ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"):
            self.__dict__[each] = getattr(compiled, each)
        return getattr(compiled, name)


def lazy_pattern(text: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled at its first use, when also a function is asked for its text."""
    return cast("re.Pattern[str]", _LazyPattern(text, int(flags)))
