"""The files of a repository as columns, so that ten thousands of them cost little more than a few.

A column is read, compared, digested and written as a whole. An object of a file is made when somebody asks for it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeVar, cast, overload

from ctxpack.model.files import Kind, SourceFile, Trait

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Derived = TypeVar("_Derived")
_NUL: Final = b"\0"
_FEW: Final = 8  # of so many files one is made alone; where more are asked for, all are


class TextColumn(Sequence[str]):
    """Texts without a NUL, joined by it in one piece of bytes, which is cut when one of them is asked for."""

    def __init__(self, data: bytes, count: int) -> None:
        self.data = data
        self._count = count

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Return some texts as a column."""
        listed = list(texts)
        made = cls("\0".join(listed).encode("utf-8", "surrogateescape"), len(listed))
        made.listed = listed
        return made

    @cached_property
    def listed(self) -> list[str]:
        """All texts, cut once; not to be changed."""
        return self.data.decode("utf-8", "surrogateescape").split("\0") if self._count else []

    @cached_property
    def _width(self) -> int:
        """The bytes of each text where that is one number for all, as of digests, else 0."""
        width = (len(self.data) + 1) // self._count - 1 if self._count else 0
        is_even = (width + 1) * self._count == len(self.data) + 1
        return width if width > 0 and is_even and self.data[width :: width + 1] == _NUL * (self._count - 1) else 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> list[str]: ...

    def __getitem__(self, number: int | slice) -> str | list[str]:
        width = self._width
        if not width or isinstance(number, slice) or not 0 <= number < self._count:
            return self.listed[number]
        begin = number * (width + 1)
        return self.data[begin : begin + width].decode("utf-8", "surrogateescape")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return self is other or (len(self), self.data) == (len(other), other.data)

    def __hash__(self) -> int:
        return hash(self.data)

    def holding(self, part: str) -> list[int]:
        """Return the numbers of the texts with a part, ascending; no text is cut for it."""
        wanted, found = part.encode("utf-8", "surrogateescape"), list[int]()
        number = begin = 0  # of the text in which the search goes on
        while (at := self.data.find(wanted, begin)) >= 0:
            number += self.data.count(_NUL, begin, at)
            found.append(number)
            begin = self.data.find(_NUL, at)
            if begin < 0:
                break
        return found

    def find_equal(self, text: str) -> list[int]:
        """Return the numbers of the texts that are a text as a whole, ascending; no text is cut for it."""
        try:
            wanted = _NUL + text.encode("utf-8", "surrogateescape") + _NUL
        except UnicodeEncodeError:  # half of a character
            return []
        data, found, number, counted = _NUL + self.data + _NUL, list[int](), 0, 0
        at = data.find(wanted) if self._count else -1
        while at >= 0:
            number += data.count(_NUL, counted, at)
            found.append(number)
            counted, at = at, data.find(wanted, at + 1)
        return found

    def with_texts(self, changes: Mapping[int, str]) -> TextColumn:
        """Return the column with other texts at some numbers."""
        width, encoded = self._width, {at: text.encode("utf-8", "surrogateescape") for at, text in changes.items()}
        if width and all(len(text) == width for text in encoded.values()):
            data = bytearray(self.data)
            for at, text in encoded.items():
                data[at * (width + 1) : at * (width + 1) + width] = text
            return TextColumn(bytes(data), self._count)
        texts = list(self.listed)
        for at, changed in changes.items():
            texts[at] = changed
        return TextColumn.of(texts)


class FileClass(NamedTuple):
    """What many files have in common: few classes are all that there is to think about."""

    kind: Kind
    language: str
    traits: tuple[Trait, ...]


_class_of = attrgetter("kind", "language", "traits")


class FileTable(Sequence[SourceFile]):
    """Files as columns, and a sequence of SourceFile, each of which is made when it is asked for.

    ``class_numbers`` are numbers into ``classes``, which come in the order in which files first need them: tables of
    the same files have the same columns, however they came about. ``dirty`` has a byte for each file, 0 or 1.
    """

    def __init__(
        self,
        texts: tuple[TextColumn, TextColumn],
        numbers: tuple[array[int], array[int]],
        classes: Sequence[FileClass],
        class_numbers: array[int],
        dirty: bytes,
    ) -> None:
        self.paths, self.blobs = texts
        self.sizes, self.times = numbers
        self.classes = tuple(classes)
        self.class_numbers = class_numbers
        self.dirty = dirty
        self._made: dict[int, SourceFile] = {}

    @classmethod
    def of(cls, files: Iterable[SourceFile]) -> FileTable:
        """Return files as a table."""
        if isinstance(files, FileTable):
            return files
        files = tuple(files)
        classes, class_numbers = number_distinct(FileClass(*_class_of(file)) for file in files)
        made = cls(
            (TextColumn.of(file.path for file in files), TextColumn.of(file.blob for file in files)),
            (array("q", [file.size for file in files]), array("q", [file.mtime_ns for file in files])),
            classes,
            class_numbers,
            bytes([file.dirty for file in files]),
        )
        made._all = files
        return made

    @cached_property
    def folders(self) -> tuple[Sequence[str], array[int]]:
        """The distinct folders of the files, ``""`` for the root, and for each file the number of its own."""
        return number_distinct([path.rpartition("/")[0] for path in self.paths])

    @cached_property
    def _all(self) -> tuple[SourceFile, ...]:
        classes = [self.classes[number] for number in self.class_numbers]
        columns = zip(self.paths, classes, self.sizes, self.blobs.listed, self.times, self.dirty, strict=True)
        return tuple(
            SourceFile(path, its.kind, its.language, size, blob, mtime_ns, its.traits, bool(dirty))
            for path, its, size, blob, mtime_ns, dirty in columns
        )

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._all)

    @overload
    def __getitem__(self, number: int) -> SourceFile: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[SourceFile, ...]: ...

    def __getitem__(self, number: int | slice) -> SourceFile | tuple[SourceFile, ...]:
        if isinstance(number, slice) or "_all" in self.__dict__ or len(self._made) > len(self) // _FEW:
            return self._all[number]
        found = self._made.get(number)
        if found is None:
            kind, language, traits = self.class_at(number)
            texts, facts = (self.paths[number], self.blobs[number]), (self.sizes[number], self.times[number])
            is_dirty = bool(self.dirty[number])
            found = SourceFile(texts[0], kind, language, facts[0], texts[1], facts[1], traits, is_dirty)
            self._made[number] = found
        return found

    def derive(self, make: Callable[[FileTable], _Derived]) -> _Derived:
        """Return what a function makes of the files alone, such as their paths: it is made once for the same ones."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("_Derived", self._derived[make])

    @cached_property
    def _derived(self) -> dict[object, object]:
        return {}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each path."""
        return dict(zip(self.paths, range(len(self)), strict=True))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):
            return self._all == other
        return self._columns == other._columns if isinstance(other, FileTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return repr(self._all)

    @property
    def _columns(self) -> tuple[object, ...]:
        return self.paths, self.blobs, self.sizes, self.times, self.classes, self.class_numbers, self.dirty

    def find(self, path: str) -> int | None:
        """Return the number of a path among files that are sorted by it, or None."""
        number = bisect_left(self.paths.listed, path)
        return number if number < len(self) and self.paths.listed[number] == path else None

    def class_at(self, number: int) -> FileClass:
        """Return the class of the file with a number."""
        return self.classes[self.class_numbers[number]]

    def content_key(self, number: int) -> str:
        """Return the key of what is made of a file: its content and its language."""
        return f"{self.blobs[number]}:{self.class_at(number).language}"

    def content_keys(self) -> list[str]:
        """Return the key of what is made of each file."""
        languages = [each.language for each in self.classes]
        return [f"{blob}:{languages[number]}" for blob, number in zip(self.blobs, self.class_numbers, strict=True)]

    @cached_property
    def class_of(self) -> NDArray[np.uint32]:
        """The class of each file, for arithmetic."""
        import numpy as np

        return np.frombuffer(self.class_numbers, np.uint32)

    def of_classes(self, is_wanted: Callable[[FileClass], bool]) -> NDArray[np.int64]:
        """Return the numbers of the files whose class is wanted, ascending."""
        import numpy as np

        return np.flatnonzero(np.array([is_wanted(each) for each in self.classes], bool)[self.class_of])

    def of_folders(self, is_wanted: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the numbers of the files in folders that are wanted, ascending; of each folder this tells."""
        import numpy as np

        return np.flatnonzero(np.array(is_wanted, bool)[np.frombuffer(self.folders[1], np.uint32)])

    def ending_with(self, endings: Iterable[str]) -> list[int]:
        """Return the numbers of the files whose path has one of some endings, ascending."""
        import numpy as np

        ends, is_wanted = self._ends_of_names, np.zeros(len(self), bool)
        for ending in endings:
            found = ends
            for back, byte in enumerate(reversed(ending.encode()), 1):
                found = found[(found >= back) & (self.names[found - back] == byte)]
            is_wanted[np.searchsorted(ends, found)] = True
        numbers: list[int] = np.flatnonzero(is_wanted).tolist()
        return numbers

    @cached_property
    def names(self) -> NDArray[np.uint8]:
        """The bytes of all names, without their folders, each with a NUL behind it."""
        import numpy as np

        names = TextColumn.of([path.rpartition("/")[2] for path in self.paths])
        return np.frombuffer(names.data + _NUL if len(names) else b"", np.uint8)

    @cached_property
    def lower_names(self) -> TextColumn:
        """All names, without their folders, in lower case."""
        names = self.names.tobytes().decode("utf-8", "surrogateescape").lower()
        return TextColumn(names[:-1].encode("utf-8", "surrogateescape"), len(self))

    @cached_property
    def _ends_of_names(self) -> NDArray[np.int64]:
        """The places in ``names`` behind each of them."""
        import numpy as np

        return np.flatnonzero(self.names == 0)

    def find_called(self, words: Collection[str], is_wanted: Callable[[FileClass], bool]) -> list[int]:
        """Return the numbers of the files in folders called by one of some words, and of those whose name may hold one.

        They are ascending, of classes that are wanted. The words are in lower case; a name with a letter outside ASCII
        may hold any.
        """
        import numpy as np

        folders, found = self.folders[0], np.zeros(len(self), bool)
        within = [any(part.strip("_") in words for part in each.lower().split("/")) for each in folders]
        found[self.of_folders(within)] = True
        for word in filter(None, words):
            found[self.lower_names.holding(word)] = True
        found[np.searchsorted(self._ends_of_names, np.flatnonzero(self.names & 0x80))] = True
        wanted = self.of_classes(is_wanted)
        numbers: list[int] = wanted[found[wanted]].tolist()
        return numbers

    def of_kinds(self, kinds: Collection[Kind]) -> list[SourceFile]:
        """Return the files of some kinds, in order."""
        return [self[number] for number in self.of_classes(lambda each: each.kind in kinds).tolist()]

    def in_folders(self, is_wanted: Callable[[str], bool]) -> list[SourceFile]:
        """Return the files of the folders that a function accepts, without those in folders below, in order."""
        numbers = self.of_folders([is_wanted(folder) for folder in self.folders[0]])
        return [self[number] for number in numbers.tolist()]

    def count_folders(self) -> dict[str, int]:
        """Return how many files each folder holds itself."""
        import numpy as np

        folders, of_folder = self.folders
        return dict(zip(folders, np.bincount(np.frombuffer(of_folder, np.uint32)).tolist(), strict=True))

    def count_kinds(self) -> Mapping[Kind, int]:
        """Return how many files there are of each kind, 0 of those that do not occur."""
        import numpy as np

        found = dict.fromkeys(Kind, 0)
        for each, count in zip(self.classes, np.bincount(self.class_of, minlength=1).tolist(), strict=False):
            found[each.kind] += count
        return found

    def without(self, numbers: Collection[int]) -> FileTable:
        """Return the table without the files with some numbers."""
        return FileTable.of(file for number, file in enumerate(self) if number not in numbers) if numbers else self

    def with_files(self, changes: Mapping[str, SourceFile | None]) -> FileTable:
        """Return the table, which is sorted by path, with other files at some paths; None takes one away."""
        places = {path: self.find(path) for path in changes}
        changed = {at: file for path, file in changes.items() if (at := places[path]) is not None and file}
        if sum(file is not None or places[path] is not None for path, file in changes.items()) > len(changed):
            files = {file.path: file for file in self if file.path not in changes}
            files |= {path: file for path, file in changes.items() if file}
            return FileTable.of(files[path] for path in sorted(files))
        if not changed:
            return self
        sizes, times, numbers, dirty = self.sizes[:], self.times[:], self.class_numbers[:], bytearray(self.dirty)
        known = dict(zip(self.classes, range(len(self.classes)), strict=True))
        for at, file in changed.items():
            sizes[at], times[at], dirty[at] = file.size, file.mtime_ns, file.dirty
            numbers[at] = known.setdefault(FileClass(*_class_of(file)), len(known))
        blobs = self.blobs.with_texts({at: file.blob for at, file in changed.items()})
        classes, numbers = _renumber(tuple(known), numbers)
        made = FileTable((self.paths, blobs), (sizes, times), classes, numbers, bytes(dirty))
        vars(made).update((name, value) for name, value in vars(self).items() if name in _OF_PATHS)
        return made


_OF_PATHS: Final = ("folders", "names", "lower_names", "_ends_of_names", "numbers")  # depend on nothing else
_Thing = TypeVar("_Thing", bound=Hashable)


def number_distinct(things: Iterable[_Thing]) -> tuple[list[_Thing], array[int]]:
    """Return the distinct things in the order in which they come, and for each thing which of them it is."""
    numbers: dict[_Thing, int] = {}
    found = array("I", [numbers.setdefault(thing, len(numbers)) for thing in things])
    return list(numbers), found


def _renumber(classes: Sequence[FileClass], numbers: array[int]) -> tuple[Sequence[FileClass], array[int]]:
    """Return classes in the order in which files need them, without those that none needs, and their new numbers."""
    order = list(dict.fromkeys(numbers))
    if order == list(range(len(classes))):
        return classes, numbers
    places = {number: place for place, number in enumerate(order)}
    return [classes[number] for number in order], array("I", [places[number] for number in numbers])
