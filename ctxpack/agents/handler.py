"""Answer calls of tools: read their arguments, run ``answer`` or a workflow, and reply within the token limit.

Nothing here knows the protocol. A call runs in a thread of its own, under a ticket that stops it.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.agents.folders import choose_folder
from ctxpack.agents.replies import (
    Call,
    Reply,
    explanation_reply,
    nothing_packed,
    pack_reply,
    repository_label,
    search_reply,
    shown_lines,
)
from ctxpack.agents.tools import LAST_LINE, LAST_RESULT, LEAST_BUDGET, MOST_PAGES, MOST_RESULTS, MOST_TOKENS, TOOLS
from ctxpack.errors import BudgetError, CtxpackError, NothingFoundError, UsageError, did_you_mean
from ctxpack.events import Observer
from ctxpack.light import dataclass, replace
from ctxpack.model import Places, Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from ctxpack.system.clock import Ticket, Timekeeper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxpack.answer import Report
    from ctxpack.system.clock import Progress
    from ctxpack.workflows.metrics import Totals
    from ctxpack.workflows.passages import Passage

_FRAME: Final = 600  # tokens around the pieces: what is left out, notes, the next call
_ATTEMPTS: Final = 5
_SPARE: Final = 0.95  # of a budget that was worked out: tokens are not proportional to what is cut
_SLICE: Final = 0.1  # seconds between two checks whether the client still waits
_RESULTS: Final = 10
_REQUIRE: Final = "call pack_context with it in require: {}"
_LONGEST_ERROR: Final = 1_000  # characters
_LONG: Final = 300  # characters of a text that an answer repeats
_AS_BEFORE: Final = "as before: "
_DIGITS: Final = 12  # of a digest
_REMEMBERED: Final = 200  # texts
_NOT_FOR_AGENTS: Final = ("use_tree", "use_readme")  # they see the layout and the readme anyway


@dataclass(frozen=True, slots=True)
class _ToolCall:
    """A call while it is answered: its arguments, the settings of its folder, the listener to its progress."""

    tool: str
    arguments: Arguments
    settings: Settings
    on_progress: Progress
    ticket: Ticket
    memory: _Memory

    @property
    def keeper(self) -> Timekeeper:
        """The timekeeper of one more run for this call."""
        return Timekeeper(self.settings.time_limit, self.ticket)

    def following(self, tool: str, **changed: object) -> Call:
        """A call that goes on from this one, in the same folder; long texts are not sent back."""
        values = self.arguments.values
        kept = dict(values) if tool == self.tool else {key: values[key] for key in ("directory",) if key in values}
        short = {key: self.memory.handle(value) if isinstance(value, str) else value for key, value in kept.items()}
        return Call(tool, {**short, **changed})


class _Memory:
    """Remembers long texts of calls under a short handle, so that an answer need not repeat them to name a call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: dict[str, str] = {}

    def handle(self, text: str) -> str:
        """Return a text as a call can name it: itself, or a handle if it is long."""
        if len(text) <= _LONG:
            return text
        name = f"{_AS_BEFORE}{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}"
        with self._lock:
            self._texts.pop(name, None)
            self._texts[name] = text
            if len(self._texts) > _REMEMBERED:
                del self._texts[next(iter(self._texts))]
        return name

    def recall(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return arguments with what their handles stand for. Raises UsageError for one that is forgotten."""
        return {key: self._text(value) if isinstance(value, str) else value for key, value in values.items()}

    def _text(self, value: str) -> str:
        if not value.startswith(_AS_BEFORE):
            return value
        with self._lock:
            text = self._texts.get(value)
        if text is None:
            raise UsageError(f"{value!r} is no longer remembered.", hint="Pass the text itself.")
        return text


class CallHandler:
    """Answers calls; ``roots`` are the folders that may be read, ``limit`` is the most tokens of an answer."""

    def __init__(self, roots: Sequence[Path] = (), limit: int = MOST_TOKENS) -> None:
        self.roots = tuple(roots)
        self.limit = limit
        self._indexes = _Indexes()
        self._memory = _Memory()
        self._tally: Totals | None = None
        self._handlers: Mapping[str, Callable[[_ToolCall], Reply]] = {
            "pack_context": self._pack,
            "search_code": self._search,
            "read_chunk": self._read,
            "why_not": self._explain,
        }

    def answer(
        self,
        name: str,
        values: Mapping[str, Any],
        on_progress: Progress,
        roots: Sequence[Path] | None = None,
        ticket: Ticket | None = None,
    ) -> Reply:
        """Answer a call; ``roots`` replace those of the server, ``ticket`` stops the work. Raises CtxpackError."""
        ticket = ticket or Ticket()
        ticket.check()
        tool = next((each for each in TOOLS if each.name == name), None)
        if tool is None:
            names = ", ".join(each.name for each in TOOLS)
            raise UsageError(f"There is no tool {name}.", hint=f"There are {names}.")
        arguments = Arguments(name, tool.takes, self._memory.recall(values))
        folder = choose_folder(arguments.text("directory"), self.roots if roots is None else roots)
        settings = load(folder, {"format": "json"})
        asked = _ToolCall(name, arguments, settings, on_progress, ticket, self._memory)
        with self._indexes.opening(folder, ticket):
            return self._handlers[name](asked)

    def count(self) -> Totals:
        """Count the reports that are made from now on; return where."""
        from ctxpack.workflows.metrics import Totals

        self._tally = self._tally or Totals()
        return self._tally

    def _report(self, asked: _ToolCall, request: Request, settings: Settings) -> Report:
        """Make a report; count it or its error if metrics are on. Raises CtxpackError."""
        from ctxpack import answer

        if self._tally is None:
            return answer.answer_request(request, settings, Observer(asked.on_progress), keeper=asked.keeper)
        from ctxpack.workflows.metrics import error_samples, samples_of

        try:
            report = answer.answer_request(request, settings, Observer(asked.on_progress), keeper=asked.keeper)
            samples = samples_of(None if report.is_kept else report.run, request, settings)
        except CtxpackError as error:
            self._tally.add(error_samples(error, request, settings))
            raise
        self._tally.add(samples)
        return report

    def _pack(self, asked: _ToolCall) -> Reply:
        its = asked.arguments
        request = Request(Scope.TASK, text=its.text("task", required=True))
        page = its.number("page", 1, (1, MOST_PAGES))
        quiet = {name: False for name in _NOT_FOR_AGENTS if name not in asked.settings.origins}
        settings = replace(asked.settings, **quiet)  # type: ignore[arg-type] # they are switches
        if required := its.texts("require"):
            origins = {**settings.origins, "require": "this call"}
            settings = replace(settings, require=(*settings.require, *required), origins=origins)
        budget = self._budget(asked)
        for _ in range(_ATTEMPTS):
            reply = self._page(asked, request, replace(settings, budget=budget), page)
            if reply.tokens <= self.limit:
                return reply
            budget = int(budget * _SPARE * self.limit / reply.tokens)
        raise BudgetError("The answer does not fit the limit of this server.", hint="Ask with a smaller budget.")

    def _budget(self, asked: _ToolCall) -> int:
        """The wanted budget, else that of the settings, as far as an answer has room for it in its two forms."""
        usual = min(max(asked.settings.budget, LEAST_BUDGET), MOST_TOKENS)
        wanted = asked.arguments.number("budget", usual, (LEAST_BUDGET, MOST_TOKENS))
        return min(wanted, (self.limit - _FRAME) // 2)

    def _page(self, asked: _ToolCall, request: Request, settings: Settings, page: int) -> Reply:
        try:
            report = self._report(asked, request, settings)
        except NothingFoundError:  # the reply says so
            return nothing_packed(settings.root.name)
        if page == 1:
            data = json.loads(report.text)
            has_more = data["stats"].get("left_out", len(data["omitted"])) > 0
        else:
            pages = report.pack.pages()
            texts = [each.text for _, each in zip(range(page + 1), pages, strict=False)]
            if len(texts) < page:
                raise NothingFoundError(f"There is no page {page}: the answer has {len(texts)}.")
            data, has_more = json.loads(texts[page - 1]), len(texts) > page
        following = asked.following("pack_context", page=page + 1) if has_more and page < MOST_PAGES else None
        return pack_reply(data, following, page=page)

    def _search(self, asked: _ToolCall) -> Reply:
        from ctxpack import pipeline

        its = asked.arguments
        text = its.text("query", required=True)
        count, start = its.number("limit", _RESULTS, (1, MOST_RESULTS)), its.number("start", 1, (1, LAST_RESULT))
        wished = replace(asked.settings, limit=start + count)
        result = pipeline.search(text, wished, on_progress=asked.on_progress, keeper=asked.keeper)
        if len(result.candidates) < start > 1:
            raise NothingFoundError(f"There is no result {start}: there are {len(result.candidates)}.")
        label = repository_label(result.state)
        notes = (*result.remarks, *result.notes)
        while True:
            matches = result.candidates[start - 1 : start - 1 + count]
            following = start + len(matches)
            has_more = len(result.candidates) >= following <= LAST_RESULT
            reply = search_reply(
                matches, label, asked.following("search_code", start=following) if has_more else None, notes
            )
            if reply.tokens <= self.limit or count == 1:
                return reply
            count //= 2

    def _read(self, asked: _ToolCall) -> Reply:
        from ctxpack.workflows.passages import read_passage

        its = asked.arguments
        path, symbol = its.path(asked.settings.places), its.text("symbol")
        lines = (its.number("start_line", 1, (1, LAST_LINE)), its.number("end_line", 0, (0, LAST_LINE)))
        if symbol and not {"start_line", "end_line"}.isdisjoint(its.values):
            raise UsageError("Lines and a symbol cannot be combined.", hint="Pass the one or the other.")
        keeper = asked.keeper.without_limit()
        passage = read_passage(
            path, asked.settings, lines=lines, symbol=symbol, on_progress=asked.on_progress, keeper=keeper
        )
        kept = len(passage.lines)
        while True:
            reply = shown_lines(passage, kept, _rest_of(passage, kept, asked))
            if reply.tokens <= self.limit:
                return reply
            if kept <= 1:
                raise BudgetError(f"Line {passage.start_line} of {path} is longer than an answer may be.")
            kept = max(1, min(kept - 1, int(kept * _SPARE * self.limit / reply.tokens)))

    def _explain(self, asked: _ToolCall) -> Reply:
        from ctxpack.workflows.why_not import explain_absence, sentences_of

        its = asked.arguments
        path, task = its.path(asked.settings.places), its.text("task", required=True)
        budget = self._budget(asked)
        asked.on_progress("explaining", 0, 0)
        verdict = explain_absence(path, task, replace(asked.settings, budget=budget), asked.on_progress, asked.ticket)
        data = {
            "path": path,
            "in_pack": bool(verdict.pieces),
            "searched": verdict.rule,
            "rank": verdict.ranked.rank if verdict.ranked else None,
            "enough_budget": verdict.enough,
            "reasons": [*sentences_of(verdict, _REQUIRE), *verdict.remarks],
        }
        is_readable = not verdict.rule and not verdict.pieces
        return explanation_reply(data, asked.following("read_chunk", path=path) if is_readable else None)


def _rest_of(passage: Passage, kept: int, asked: _ToolCall) -> Call | None:
    """The call for the lines that had no room."""
    if kept == len(passage.lines):
        return None
    last = {"end_line": passage.end_line} if passage.symbol else {}
    whole = asked.following("read_chunk", start_line=passage.start_line + kept, **last).arguments
    return Call("read_chunk", {name: value for name, value in whole.items() if name != "symbol"})


class _Indexes:
    """Lets the first call of a folder make its index; calls that come meanwhile wait instead of making it again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[Path, threading.Lock] = {}
        self._ready: set[Path] = set()

    @contextmanager
    def opening(self, folder: Path, ticket: Ticket) -> Iterator[None]:
        """Do the work inside, alone if it is the first for the folder. Raises CancelledError while it waits."""
        with self._lock:
            mine = self._locks.setdefault(folder, threading.Lock())
        if folder in self._ready:
            yield
            return
        while not mine.acquire(timeout=_SLICE):
            ticket.check()
        if folder in self._ready:
            mine.release()
            yield
            return
        try:
            yield
            self._ready.add(folder)
        finally:
            mine.release()


def describe_error(error: CtxpackError) -> str:
    """Return an error in one or two sentences, cut where they quote something long."""
    text = f"{error} {error.hint}".rstrip()
    return text if len(text) <= _LONGEST_ERROR else f"{text[: _LONGEST_ERROR - 1]}…"


class Arguments:
    """The arguments of one call of a tool, by name."""

    def __init__(self, tool: str, schema: Mapping[str, object], values: Mapping[str, object]) -> None:
        """Raise UsageError for an argument that the schema does not know."""
        properties = schema.get("properties")
        known = list(properties) if isinstance(properties, Mapping) else []
        for name in values:
            if name not in known:
                hint = did_you_mean(name, known) or f"It takes {', '.join(known)}."
                raise UsageError(f"{tool} has no argument {name!r}.", hint=hint)
        self.tool = tool
        self.values = {name: value for name, value in values.items() if value is not None}

    def text(self, name: str, *, required: bool = False) -> str:
        """Return a text, empty where none was given. Raises UsageError for anything else."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise UsageError(f"{name} must be a string, not {value!r}.")
        if required and not value.strip():
            raise UsageError(f"{self.tool} needs the argument {name}.", hint=f"Call it again with {name}.")
        return value

    def number(self, name: str, default: int, span: tuple[int, int]) -> int:
        """Return a whole number within ``span``. Raises UsageError for anything else."""
        value = self.values.get(name, default)
        if isinstance(value, float) and value.is_integer():  # JSON has one kind of number
            value = int(value)
        low, high = span
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise UsageError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty where none was given. Raises UsageError for anything else."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise UsageError(f"{name} must be a list of strings, not {value!r}.")
        return tuple(value)

    def path(self, places: Places) -> str:
        """Return the argument ``path`` as the stages write it. Raises UsageError for one outside the folder."""
        written = self.text("path", required=True)
        named = Path(written)
        place = named if named.is_absolute() else places.of(named.as_posix())
        found = None if "\0" in written else places.path_of(place.parent.resolve() / place.name)
        if found is None:  # a link at the end of a path has a name of its own
            raise UsageError(f"{written} is outside {places.description}.", hint="Paths are relative to directory.")
        return found
