"""What later stages see of an index: the files of one state of a repository, what they hold, and what they import."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Final, TypeVar, overload

from ctxpack.index.postings import Postings, worked_out
from ctxpack.index.sharing import text_to_keep
from ctxpack.light import dataclass, field, replace
from ctxpack.model import (
    Chunk,
    FrontMatter,
    Import,
    ParsedFile,
    Places,
    RepositoryState,
    Skipped,
    SourceFile,
    Symbol,
    TagRegion,
    Trait,
)
from ctxpack.model.columns import FileTable
from ctxpack.parse import exact
from ctxpack.parse.languages import find_language
from ctxpack.system.clock import HURRIED_SECONDS, TREE_SECONDS, Timekeeper
from ctxpack.system.disk import read_regular
from ctxpack.text import decode, lines_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.commit_log import History
    from ctxpack.index.graph import Graph
    from ctxpack.index.store import Store


UNREADABLE: Final = "unreadable: "
_PATIENT_WITH: Final = 3  # files whose syntax trees took too long; after this many the others are hurried


@dataclass(frozen=True, slots=True)
class Facts:
    """What is remembered of a file in addition to its chunks; of an unreadable one ``slot`` is -1 and ``error`` why."""

    slot: int
    imports: tuple[Import, ...] = ()
    tags: tuple[TagRegion, ...] = ()
    front_matter: FrontMatter = field(default_factory=FrontMatter)
    error: str = ""

    def to_json(self) -> str:
        """Write the facts as one line of JSON."""
        matter = self.front_matter
        return json.dumps(
            [
                self.slot,
                [[i.module, i.names, i.line] for i in self.imports],
                [[t.name, t.start_line, t.end_line] for t in self.tags],
                [matter.title, matter.description, matter.tags, matter.date],
                self.error,
            ]
        )

    @classmethod
    def from_json(cls, line: str) -> Facts:
        """Read the facts from a line of JSON."""
        slot, imports, tags, (title, description, names, date), error = json.loads(line)
        return cls(
            slot,
            tuple(Import(module, tuple(taken), number) for module, taken, number in imports),
            tuple(TagRegion(*tag) for tag in tags),
            FrontMatter(title, description, tuple(names), date),
            error,
        )


_Derived = TypeVar("_Derived")
_MOST_KEPT: Final = 20_000_000  # characters of texts
_MOST_PARSED: Final = 1_000  # files


class Kept:
    """What runs on the same entries and the same store find in them: texts, facts, and trees by their key."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.facts: dict[str, Facts] = {}
        self.parsed: dict[str, ParsedFile] = {}
        self._room = _MOST_KEPT

    def keep_text(self, path: str, text: str) -> None:
        """Keep the text of a file, and no other where that would be too much."""
        self._room -= len(text)
        if self._room < 0:
            self.texts.clear()
            self._room = _MOST_KEPT - len(text)
        self.texts[path] = text

    def keep_parsed(self, key: str, parsed: ParsedFile) -> None:
        """Keep what a tree says, and no other where that would be too much."""
        if len(self.parsed) >= _MOST_PARSED:
            self.parsed.clear()
        self.parsed[key] = parsed


@dataclass
class Files(Sequence[SourceFile]):
    """The files in the order of their paths, which numbers them: a sequence of SourceFile, and what is in them."""

    places: Places
    entries: FileTable
    store: Store
    graph: Graph
    fresh_facts: Mapping[str, str] = field(default_factory=dict)  # of this run, whether or not they were recorded
    keeper: Timekeeper = field(default_factory=Timekeeper)  # of the run that reads them
    kept: Kept = field(default_factory=Kept)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _exact: dict[str, ParsedFile] = field(default_factory=dict)
    _fresh_exact: dict[str, str] = field(default_factory=dict)
    _changing: dict[str, None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self.entries)

    @overload
    def __getitem__(self, number: int) -> SourceFile: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[SourceFile, ...]: ...

    def __getitem__(self, number: int | slice) -> SourceFile | tuple[SourceFile, ...]:
        return self.entries[number]

    def derive(self, make: Callable[[FileTable], _Derived]) -> _Derived:
        """Return what a function makes of the entries alone, such as their paths: it is made once for the same ones."""
        return self.entries.derive(make)

    def again(self, store: Store) -> Files:
        """Return the same files for another run, which tells only of what it reads and parses itself."""
        made = Files(self.places, self.entries, store, self.graph, kept=self.kept)
        vars(made).update(worked_out(self))
        return made

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each path."""
        return self.entries.numbers

    def get(self, path: str) -> SourceFile | None:
        """Return the file at a path, or None."""
        number = self.numbers.get(path)
        return None if number is None else self.entries[number]

    def with_suffix(self, suffix: str) -> tuple[int, ...]:
        """Return the files whose path is, or ends with a slash and, ``suffix``; case does not matter."""
        wanted = suffix.lower()
        files = self.entries.lower_names.find_equal(wanted.rpartition("/")[2])
        return tuple(n for n in files if f"/{self.entries.paths[n].lower()}".endswith(f"/{wanted}"))

    @cached_property
    def in_degrees(self) -> NDArray[np.int64]:
        """How many files import each file."""
        return self.graph.in_degrees(self.numbers)

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """Dotted module names and the files that hold them."""
        from ctxpack.parse.languages.modules import python_modules

        return {name: found[0].path for name, found in python_modules(self.entries.paths.listed).items()}

    def text(self, path: str) -> str:
        """Return the decoded text of a file; empty when it can no longer be read."""
        return self._read(path) or ""

    def _read(self, path: str) -> str | None:
        if path not in self._texts:
            kept = self.kept.texts.get(path)
            self._texts[path] = self._read_file(path) if kept is None else kept
        return self._texts[path]

    def _read_file(self, path: str) -> str | None:
        from ctxpack.discover.unchanged import is_as_found

        file = self.get(path)
        try:
            data = read_regular(self.places.of(path))
        except OSError:  # told by ``changing``
            if file is not None:
                self.note_changing(path)
            return None
        text = decode(data)
        if file is not None and not is_as_found(self.places, file, data):
            self.note_changing(path)
        elif file is not None:  # of others nobody knows when they change
            self.kept.keep_text(path, text)
        return text

    @property
    def changing(self) -> tuple[str, ...]:
        """The files that were another content when they were read than when they were found, sorted."""
        return tuple(sorted(dict(self._changing)))

    def note_changing(self, path: str) -> None:
        """Note that a file was written while it was read."""
        self._changing[path] = None

    def all_lines(self, path: str) -> list[str]:
        """Return the lines of a file, split once."""
        if path not in self._lines:
            self._lines[path] = lines_of(self.text(path))
        return self._lines[path]

    def lines(self, path: str, start: int, end: int) -> str:
        """Return the lines ``start..end`` of a file, joined by LF."""
        return "\n".join(self.all_lines(path)[start - 1 : end])

    def facts(self, path: str) -> Facts:
        """Imports, tag regions and front matter of a file."""
        if path in self.fresh_facts:
            return Facts.from_json(self.fresh_facts[path])
        if (found := self.kept.facts.get(path)) is None:
            line = self.facts_of((path,)).get(path)
            found = self.kept.facts[path] = Facts.from_json(line) if line else Facts(-1)
        return found

    def facts_of(self, paths: Collection[str]) -> dict[str, str]:
        """Return the facts of files as they were found, by path, as lines that ``Facts.from_json`` reads."""
        fresh, numbers = self.fresh_facts, self.numbers
        held = [(path, self.entries.content_key(numbers[path])) for path in paths if path in numbers]
        lines = self.store.facts(each for each in held if each[0] not in fresh)
        return lines | {path: fresh[path] for path in paths if path in fresh}

    def exact(self, path: str) -> ParsedFile:
        """Parse a file by its syntax tree, or take what is cached of its content."""
        file = self.get(path)
        if file is None:
            return ParsedFile(())
        if path not in self._exact:
            self._exact[path] = self._cached_exact(file)
        return self._exact[path]

    def _cached_exact(self, file: SourceFile) -> ParsedFile:
        key = f"{file.blob}:{file.language}:{file.path.rpartition('.')[2]}"  # a suffix tells dialects apart
        grammar = find_language(file.language).grammar
        key += ":" * bool(grammar and not grammar.is_installed)  # once it is, the file is parsed again
        parsed = self.kept.parsed.get(key)
        if parsed is None and (cached := self.store.exact(key)):
            parsed = _parsed_from(cached)
            self.kept.keep_parsed(key, parsed)
        if parsed is not None:
            return parsed
        text = self._read(file.path)
        if text is None:
            return ParsedFile(())
        seconds = HURRIED_SECONDS if len(self.late) >= _PATIENT_WITH else TREE_SECONDS
        kept = text_to_keep(self.store.folder, text)
        parsed = exact(kept, file.language, file.path, self.keeper.spending(seconds))
        if file.path not in self._changing:  # else it is the tree of another content
            self._fresh_exact[key] = _parsed_to(parsed)
        return parsed

    @property
    def late(self) -> tuple[str, ...]:
        """The files of this run whose syntax trees took too long, sorted."""
        return tuple(sorted(path for path, parsed in dict(self._exact).items() if parsed.is_late))

    @property
    def missing_grammars(self) -> tuple[str, ...]:
        """The grammars that would have helped in this run and are not installed, sorted."""
        languages = {file.language for path in dict(self._exact) if (file := self.get(path))}
        grammars = [each for language in languages if (each := find_language(language).grammar)]
        return tuple(sorted(each.package for each in grammars if not each.is_installed))

    def record_parsed(self) -> None:
        """Keep the syntax trees' chunks that were made in this run for the next one."""
        fresh, self._fresh_exact = self._fresh_exact, {}  # a strategy that took too long may still add to them
        if fresh:
            self.store.remember_exact(dict(fresh))


def _parsed_to(parsed: ParsedFile) -> str:
    chunks = [[c.start_line, c.end_line, c.kind, c.symbol, c.heading] for c in parsed.chunks]
    symbols = [[s.name, s.qualified, s.kind, s.start_line, s.end_line, s.signature] for s in parsed.symbols]
    imports = [[i.module, i.names, i.line] for i in parsed.imports]
    return json.dumps([chunks, symbols, imports, parsed.is_exact, parsed.is_late])


def _parsed_from(line: str) -> ParsedFile:
    chunks, symbols, imports, is_exact, is_late = json.loads(line)
    return ParsedFile(
        tuple(Chunk(start, end, kind, symbol, tuple(heading)) for start, end, kind, symbol, heading in chunks),
        tuple(Symbol(*values) for values in symbols),
        tuple(Import(module, tuple(names), number) for module, names, number in imports),
        is_exact=is_exact,
        is_late=is_late,
    )


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What a view was made of: what the store had recorded, and the stamps of the files next to it, by name."""

    generation: str
    stamps: Mapping[str, Sequence[int]]


def _without_translations(files: FileTable) -> NDArray[np.bool_]:
    """Say of each file whether it has the words of code, and not messages in French or another language."""
    import numpy as np

    from ctxpack.discover.editions import holds_english_messages

    is_own = np.ones(len(files), bool)
    for number in files.of_classes(lambda each: Trait.TRANSLATION in each.traits).tolist():
        is_own[number] = holds_english_messages(files.paths[number])
    return is_own


@dataclass
class IndexView:
    """One state of the repository: its files, the postings over them, its history and its imports.

    Made by ``ctxpack.index.open_index``. Threads may share it: the store takes one question at a time, and what is
    remembered here depends on nothing but the state, so that the worst that two threads can do is to work out the same
    thing twice.
    """

    state: RepositoryState
    files: Files
    postings: Postings
    history: History
    graph: Graph
    store: Store
    skipped: tuple[Skipped, ...] = ()
    on_disk: OnDisk | None = None  # where all of it was on disk, and nothing had to be recorded
    is_superseded: bool = False  # another process recorded other contents meanwhile, or nothing could be recorded

    @cached_property
    def history_numbers(self) -> NDArray[np.int64]:
        """File number of each path of the history, or -1."""
        import numpy as np

        numbers, paths = self.files.numbers, self.history.paths
        return np.fromiter(map(numbers.get, paths, repeat(-1)), np.int64, len(paths))

    def own_words(self, prefix: str, is_wanted: Callable[[str], bool]) -> list[str]:
        """Return the wanted words of its texts that begin with a prefix, without those of translations alone."""
        is_own, held = self.files.derive(_without_translations), self.postings
        return [each for each in held.with_prefix(prefix, is_wanted) if is_own[held.file_terms("sub", each).docs].any()]

    def file(self, path: str) -> SourceFile | None:
        """Return the file at a path, or None; part of the contract with plug-ins, as ``exact`` is."""
        return self.files.get(path)

    def exact(self, path: str) -> ParsedFile:
        """Parse a file by its syntax tree."""
        return self.files.exact(path)

    @property
    def keeper(self) -> Timekeeper:
        """Who keeps the time of the run that the view was opened for."""
        return self.files.keeper

    @property
    def is_passing(self) -> bool:
        """Whether what was read is not what was found, or not all of it: the next run may see more."""
        is_unread = any(each.reason.startswith(UNREADABLE) for each in self.skipped)
        return bool(self.files.late or self.files.changing or is_unread or self.is_superseded)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for the user, not for a model: about damage on disk, and what to install."""
        missing = self.files.missing_grammars
        named = " ".join(f"'{each}'" for each in missing)
        wish = f"Definitions were found by patterns because a grammar is not installed: pip install {named}"
        return (*self.store.remarks, *([wish] if missing else []))

    def again(self, store: Store) -> IndexView:
        """Return the same state for another run, which has a store of its own."""
        made = replace(self, files=self.files.again(store), postings=self.postings.again(), store=store)
        vars(made).update(worked_out(self))
        return made

    def close(self) -> None:
        """Keep what was parsed, and let the store go."""
        self.files.record_parsed()
        self.store.close()
