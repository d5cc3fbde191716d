"""The screen of the preview: a bar of the tokens, the list of the pieces, their text, and a key for every change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Collapsible, Footer, Input, Label, SelectionList, Static

from ctxpack.cli.draft import Draft, DraftRow
from ctxpack.errors import CtxpackError
from ctxpack.model import Fragment, Lane
from ctxpack.model.formats import FORMAT_OF_SUFFIX
from ctxpack.render.markup import coloured_lines, with_pictures
from ctxpack.render.wording import place_label
from ctxpack.system.tokens import parse_budget
from ctxpack.text import number_of, printable

if TYPE_CHECKING:
    from rich.text import Text

_BLOCKS: Final = {Lane.CODE: "█", Lane.DOCS: "▓", Lane.TESTS: "▒", Lane.CONFIG: "░"}  # distinguishable without colours
_COLOURS: Final = {
    Lane.CODE: ("#0072b2", "#3d9bd9"), Lane.DOCS: ("#8f5f00", "#e69f00"), Lane.TESTS: ("#00684c", "#00b383"),
    Lane.CONFIG: ("#94477a", "#d98cb6"),
}  # fmt: skip
_AROUND, _FREE = "▪", "·"
_NARROWEST: Final = 20  # columns of the bar
_STYLES: Final = {
    "": ("#1a1f26", "#e5e8ec"), "k": ("#871a5b", "#f28dc2"), "s": ("#17512a", "#9fd68c"), "c": ("#4a525c", "#a5afbb"),
    "n": ("#6b3d00", "#eeb673"), "f": ("#1b43a0", "#8db1ff"), "t": ("#005461", "#6fd3e3"), "b": ("#005461", "#6fd3e3"),
    "d": ("#6b3d00", "#eeb673"), "h": ("bold #1a1f26", "bold #e5e8ec"), "i": ("#17512a", "#9fd68c"),
    "e": ("#951b1b", "#ff9b93"),
}  # fmt: skip
"""The class of a run (remarks are comments) -> its style on a light and on a dark theme."""
_HELP: Final = (
    "space   take a piece out, or in; pull in what just missed\n"
    "enter   open or close a piece          a / z   open, close all\n"
    "j k     next, previous piece (also the arrows and tab)\n"
    "+ -     more or less budget            b       type a budget\n"
    "s       strategies                     f       without comments\n"
    "/       show only what holds a text    x       show all again\n"
    "t       light or dark\n"
    "w       save; the end of the name is the format\n"
    "y       copy the pack                  q       leave"
)


class PieceRow(Collapsible):  # type: ignore[misc] # an extra: checked alike with and without it
    """A piece that opens and closes."""

    def __init__(self, row: DraftRow, number: int, *, is_dark: bool) -> None:
        self.row = row
        super().__init__(Static(_content(row, is_dark=is_dark), classes="source"), title=_title(row, number))
        self.add_class("in" if row.is_in else "out")


class Ask(ModalScreen[str]):  # type: ignore[misc]
    """A question with one line for the answer."""

    BINDINGS: ClassVar[list[Any]] = [Binding("escape", "leave", "Back")]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question, self._value = question, value

    def compose(self) -> ComposeResult:
        """Show the question and the line."""
        with Vertical(classes="box"):
            yield Label(self._question)
            yield Input(self._value)

    def on_input_submitted(self, event: Any) -> None:  # noqa: ANN401 - a message of the library
        """Give the answer."""
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """Give none."""
        self.dismiss(None)


class Keys(ModalScreen[None]):  # type: ignore[misc]
    """What each key does; any of them goes back."""

    def compose(self) -> ComposeResult:
        """Show the keys."""
        with Vertical(classes="box"):
            yield Label(_HELP, markup=False)

    def on_key(self) -> None:
        """Go back."""
        self.dismiss()


class Choose(ModalScreen[frozenset[str] | None]):  # type: ignore[misc]
    """The strategies, each with a box."""

    BINDINGS: ClassVar[list[Any]] = [
        Binding("s", "accept", "Use these"), Binding("escape", "leave", "Back"),
    ]  # fmt: skip

    def __init__(self, names: Iterable[str], without: frozenset[str]) -> None:
        super().__init__()
        self._choices = [(Content(printable(name)), name, name not in without) for name in names]  # no markup is read

    def compose(self) -> ComposeResult:
        """Show the boxes."""
        with Vertical(classes="box"):
            yield Label("Strategies: space changes one, s uses them, escape goes back")
            yield SelectionList[str](*self._choices)

    def action_accept(self) -> None:
        """Give the chosen ones."""
        self.dismiss(frozenset(self.query_one(SelectionList).selected))

    def action_leave(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class Preview(App[str]):  # type: ignore[misc]
    """The preview of a pack; ``again`` makes another with or without the lines that a model can do without."""

    TITLE = "ctxpack"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: auto; padding: 0 1; }
    #said { height: auto; padding: 0 1; }
    PieceRow { border-top: none; padding: 0; margin: 0; background: $surface; }
    PieceRow .source { padding: 0 2; }
    CollapsibleTitle { padding: 0 1; }
    CollapsibleTitle:focus { background: #00558f; color: #ffffff; }
    Ask, Choose, Keys { align: center middle; }
    FooterKey .footer-key--key { color: $foreground; }
    .box { width: 74; max-width: 95%; height: auto; max-height: 80%; border: round $primary; padding: 1; }
    """
    BINDINGS: ClassVar[list[Any]] = [
        Binding("space", "toggle", "in/out", priority=False), Binding("j", "focus_next", show=False),
        Binding("k", "focus_previous", show=False), Binding("down", "focus_next", show=False),
        Binding("up", "focus_previous", show=False), Binding("a", "open_all", "open all", show=False),
        Binding("z", "close_all", "close all", show=False), Binding("plus", "larger", "more"),
        Binding("minus", "smaller", "less"), Binding("slash", "filter", "filter"), Binding("f", "form", "form"),
        Binding("w", "save", "save"), Binding("y", "copy", "copy"), Binding("question_mark", "keys", "keys"),
        Binding("q", "quit", "leave"), Binding("s", "strategies", "strategies"), Binding("b", "budget", "budget"),
        Binding("x", "unfilter", show=False), Binding("t", "lights", show=False),
    ]  # fmt: skip

    def __init__(self, draft: Draft, again: Callable[[bool], Draft], copy: Callable[[str], None]) -> None:
        super().__init__()
        self.draft = draft
        self._again, self._copy = again, copy
        self._has_short_form = False
        self._wanted = ""

    def compose(self) -> ComposeResult:
        """Show the bar, the list and the keys."""
        yield Static(id="head")
        yield VerticalScroll(id="pieces", can_focus=False)
        with Horizontal(id="said"):
            yield Static("? shows the keys", id="note")
        yield Footer()

    async def on_mount(self) -> None:
        """Show the pack."""
        await self._show()

    async def _show(self, near: tuple[str, int, int] | None = None) -> None:
        """Show the pack as it is; what was open stays open, and the row near a place has the focus."""
        pieces = self.query_one("#pieces")
        old = list(self.query(PieceRow))
        opened = {each.row.key for each in old if not each.collapsed}
        at = next((number for number, each in enumerate(old) if each.row.key == near), 0)
        await pieces.remove_children()
        is_dark = self.current_theme.dark
        rows = [PieceRow(row, number, is_dark=is_dark) for number, row in enumerate(self._rows_shown(), 1)]
        for each in rows:
            each.collapsed = each.row.key not in opened
        await pieces.mount(*rows)
        self._show_head()
        same = next((each for each in rows if each.row.key == near), None)
        if not rows:
            self.call_after_refresh(self.set_focus, None)  # what is gone would take the keys
        else:
            (same or rows[min(at, len(rows) - 1)]).query_one("CollapsibleTitle").focus()

    def on_resize(self) -> None:
        """Fit the bar into the new width."""
        self._show_head()

    def _show_head(self) -> None:
        self.query_one("#head").update(_head(self.draft, self.size.width - 2, is_dark=self.current_theme.dark))

    def _rows_shown(self) -> list[DraftRow]:
        wanted = self._wanted.casefold()
        return [row for row in self.draft.rows() if not wanted or wanted in row.searchable_text.casefold()]

    def _say(self, sentence: str) -> None:
        from rich.text import Text

        self.query_one("#note").update(Text(sentence))

    def _say_filter(self) -> None:
        rows = len(list(self.draft.rows()))
        shown = f"{len(self.query(PieceRow)):,} of {rows:,} rows contain {printable(self._wanted)}; x shows all"
        self._say(shown if self._wanted else f"All {rows:,} rows")

    def _row_in_focus(self) -> PieceRow | None:
        return next((each for each in self.query(PieceRow) if each.has_focus_within), None)

    async def _change(self, change: Callable[[], None]) -> None:
        """Make a change and show it, or show why it is impossible."""
        focused = self._row_in_focus()
        try:
            change()
        except CtxpackError as error:
            self._say(f"{error} {error.hint}")
            return
        await self._show(focused.row.key if focused else None)
        pack = self.draft.pack
        self._say(
            f"{number_of(len(pack.selection.fragments), 'piece')}, {pack.tokens_used:,} of {pack.budget:,} tokens"
            f"{'; filtered, x shows all' if self._wanted else ''}"
        )

    async def action_toggle(self) -> None:
        """Take the piece with the focus out, or in."""
        if focused := self._row_in_focus():
            await self._change(lambda: self.draft.toggle(focused.row))

    def action_open_all(self) -> None:
        """Open every piece."""
        for each in self.query(PieceRow):
            each.collapsed = False

    def action_close_all(self) -> None:
        """Close every piece."""
        for each in self.query(PieceRow):
            each.collapsed = True

    async def action_larger(self) -> None:
        """Give it more room."""
        await self._change(self.draft.larger)

    async def action_smaller(self) -> None:
        """Give it less room."""
        await self._change(self.draft.smaller)

    def action_budget(self) -> None:
        """Ask for a budget."""

        async def use(answer: str | None) -> None:
            if answer:
                await self._change(lambda: self.draft.resize(parse_budget(answer)))

        self.push_screen(Ask("Budget in tokens, such as 16k", str(self.draft.budget)), use)

    def action_strategies(self) -> None:
        """Ask which strategies bring pieces."""

        async def use(chosen: frozenset[str] | None) -> None:
            if chosen is not None:
                await self._change(lambda: self.draft.use(chosen))

        self.push_screen(Choose(self.draft.strategies, self.draft.without), use)

    async def action_form(self) -> None:
        """Make the pack again, with or without comments and the like; what was changed by hand is kept."""

        def change() -> None:
            made = self._again(not self._has_short_form)
            made.copy_changes(self.draft)
            self.draft, self._has_short_form = made, not self._has_short_form

        await self._change(change)

    def action_filter(self) -> None:
        """Ask for a text, and show only the pieces that contain it."""

        async def use(answer: str | None) -> None:
            if answer is None:
                return
            self._wanted = answer
            await self._show()
            self._say_filter()

        self.push_screen(Ask("Show only pieces that contain", self._wanted), use)

    async def action_unfilter(self) -> None:
        """Show all pieces."""
        self._wanted = ""
        await self._show()
        self._say_filter()

    async def action_lights(self) -> None:
        """Change between the light and the dark theme."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        await self._change(lambda: None)

    def action_save(self) -> None:
        """Ask for a name, and save the pack."""
        self.push_screen(Ask(f"Save as a file that ends with {', '.join(FORMAT_OF_SUFFIX)}", "pack.md"), self._save)

    def _save(self, answer: str | None) -> None:
        if not answer:
            return
        from ctxpack.system.disk import replace_file

        target = Path(answer).expanduser()
        if target.suffix not in FORMAT_OF_SUFFIX:
            self._say(f"The name must end with one of {', '.join(FORMAT_OF_SUFFIX)}.")
            return
        try:
            replace_file(
                target, self.draft.text_in(FORMAT_OF_SUFFIX[target.suffix]).encode("utf-8", "backslashreplace")
            )
        except OSError as error:
            self._say(f"{printable(str(target))} cannot be written: {error.strerror}.")
        except CtxpackError as error:
            self._say(f"{error} {error.hint}")
        else:
            self._say(f"Saved {printable(str(target))}")

    def action_copy(self) -> None:
        """Copy the pack as it is."""
        try:
            self._copy(self.draft.text)
        except CtxpackError as error:
            self.copy_to_clipboard(self.draft.text)  # by the terminal itself
            self._say(f"Sent to the terminal. {error}")
        else:
            self._say("Copied")

    def action_keys(self) -> None:
        """Say what each key does."""
        self.push_screen(Keys())


def _head(draft: Draft, width: int, *, is_dark: bool) -> Text:
    """The bar of the tokens, and what its signs mean, with the tokens of each lane."""
    from rich.text import Text

    width = max(width, _NARROWEST)
    lanes, used = draft.tokens_by_lane(), draft.pack.tokens_used
    around = max(used - sum(lanes.values()), 0)
    muted, colours = _STYLES["c"][is_dark], {lane: both[is_dark] for lane, both in _COLOURS.items()}
    parts = [*((_BLOCKS[lane], colours[lane], tokens) for lane, tokens in lanes.items()), (_AROUND, muted, around)]
    text = Text(printable(draft.title), style="bold")
    text.truncate(width, overflow="ellipsis")
    text.append("\n")
    left = width
    for sign, colour, tokens in parts:
        cells = min(left, -(-tokens * width // max(draft.budget, 1)) if tokens else 0)
        text.append(sign * cells, style=colour)
        left -= cells
    text.append(_FREE * left + "\n", style=muted)
    text.append(f"{used:,} of {draft.budget:,} tokens", style="bold not dim")
    for lane, tokens in lanes.items():
        if tokens:
            text.append(f"  {_BLOCKS[lane]} ", style=colours[lane])
            text.append(f"{lane} {tokens:,}", style="not bold")
    text.append(f"  {_AROUND} around {around:,}", style="not bold")
    return text


def _title(row: DraftRow, number: int) -> Text:
    """``[x]  1  630  .81 full  processing/uploader.py:1-90 Uploader``, then why."""
    from rich.text import Text

    box = "[x]" if row.is_in else "[ ]"
    what = row.what
    score = row.place.score
    form = str(what.form) if isinstance(what, Fragment) and row.is_in else "left out"
    text = Text(f"{box} {number:>2} {what.tokens:>6,} {score:4.2f} {form:<8} ", no_wrap=True, overflow="ellipsis")
    text.append(place_label(row.place), style="bold" if row.is_in else "")
    return text


def _content(row: DraftRow, *, is_dark: bool) -> Text:
    """The reasons for a piece, and its lines in colours; for an omitted one, the reason for that."""
    from rich.text import Text

    muted = f"{_STYLES['c'][is_dark]} not italic"
    text = Text(with_pictures(row.reason) + "\n", style="italic")
    if not isinstance(row.what, Fragment):
        text.append("space adds it\n", style=muted)
        return text
    known = row.what.provenance
    text.append(f"{row.what.strategy}, {known.kind}, {known.confidence} confidence\n", style=muted)
    for runs in coloured_lines(row.what.text, row.what.language):
        for kind, run in runs:
            text.append(with_pictures(run), style=f"{_STYLES.get(kind, _STYLES[''])[is_dark]} not italic")
        text.append("\n")
    return text
