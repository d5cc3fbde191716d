"""The preview, driven by keys as a user would: at 80 columns, with what it shows read from the screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.cli.draft import Draft
from ctxpack.errors import InternalError
from ctxpack.model import Lane

pytest.importorskip("textual", reason="needs the extra tui")

from textual.pilot import Pilot
from textual.widgets import Input

from ctxpack.cli.screen import Choose, PieceRow, Preview
from tests.unit.cli.test_draft import made


class Desk:
    """A preview that is being used, and what it copied."""

    def __init__(self, pilot: Pilot[str], app: Preview, copied: list[str]) -> None:
        self.pilot, self.app, self.copied = pilot, app, copied

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    @property
    def draft(self) -> Draft:
        return self.app.draft

    @property
    def lines(self) -> list[str]:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def rows(self) -> list[PieceRow]:
        return list(self.app.query(PieceRow))

    @property
    def note(self) -> str:
        return next(line.strip() for line in reversed(self.lines[:-1]) if line.strip())


def use(script: Callable[[Desk], Awaitable[None]], budget: str = "1k", size: tuple[int, int] = (80, 30)) -> None:
    """Open the preview of a pack and do what a script says."""

    async def play() -> None:
        copied: list[str] = []
        app = Preview(made(budget), lambda is_short: made("900" if is_short else budget), copied.append)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(Desk(pilot, app, copied))

    asyncio.run(play())


def test_the_list_says_what_is_in_and_what_just_missed() -> None:
    async def script(desk: Desk) -> None:
        first, bar, counts = (line.strip() for line in desk.lines[:3])
        assert first.startswith("fix the retry bug in the uploader – ")
        assert len(bar) == 78
        signs = dict(zip(Lane, "█▓▒░", strict=True))
        lanes = {signs[lane] for lane, tokens in desk.draft.tokens_by_lane().items() if tokens}
        assert lanes == set(bar) & set("█▓▒░")
        assert len(lanes) > 1
        assert counts.startswith(f"{desk.draft.pack.tokens_used:,} of 1,000 tokens")
        shown = [line for line in desk.lines if "[x]" in line or "[ ]" in line]
        assert len(shown) == len(list(desk.draft.rows())) == len(desk.rows)
        assert sum("[x]" in line for line in shown) == len(desk.draft.pack.selection.fragments)
        assert "processing/uploader.py:" in "".join(shown)
        assert all(len(line) <= 80 for line in desk.lines)

    use(script)


def test_a_piece_is_opened_closed_and_taken_out_by_keys() -> None:
    async def script(desk: Desk) -> None:
        focused = desk.rows[0].row
        await desk.press("enter")
        assert [each.collapsed for each in desk.rows].count(False) == 1
        assert any("confidence" in line for line in desk.lines)
        await desk.press("enter", "space")
        assert focused.what in desk.draft.out
        assert desk.note.endswith(f"{desk.draft.pack.tokens_used:,} of 1,000 tokens")
        assert desk.rows[[each.row.key for each in desk.rows].index(focused.key)].has_focus_within  # it is followed
        await desk.press("space")
        assert desk.draft.out == ()

    use(script)


def test_what_just_missed_is_pulled_in_by_a_key_and_by_the_mouse() -> None:
    async def script(desk: Desk) -> None:
        missed = next(each for each in desk.rows if not each.row.is_in)
        await desk.pilot.click(missed.query_one("CollapsibleTitle"))
        await desk.pilot.pause()
        assert not missed.collapsed
        await desk.press("space")
        assert missed.row.key in desk.draft.wanted
        assert missed.row.key[0] in {each.provenance.path for each in desk.draft.pack.selection.fragments}

    use(script)


def test_the_budget_is_changed_by_steps_and_by_number() -> None:
    async def script(desk: Desk) -> None:
        await desk.press("plus")
        assert "of 1,250 tokens" in desk.lines[2]
        await desk.press("minus", "minus")
        assert "of 800 tokens" in desk.lines[2]
        await desk.press("b")
        await desk.type("2k")
        assert "of 2,000 tokens" in desk.lines[2]
        await desk.press("b")
        await desk.type("many")
        assert "is not a number of tokens" in desk.note
        assert desk.draft.budget == 2_000
        await desk.press("b", "escape")
        assert desk.draft.budget == 2_000

    use(script)


def test_strategies_are_chosen_in_a_list() -> None:
    async def script(desk: Desk) -> None:
        await desk.press("s")
        assert isinstance(desk.app.screen, Choose)
        await desk.press("space", "s")
        assert len(desk.draft.without) == 1 or "Nothing would be left" in desk.note
        await desk.press("s", "escape")
        assert not isinstance(desk.app.screen, Choose)

    use(script)


def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    """A configuration may call a strategy anything, and a file any name."""
    names = ("[red]x[/]", "[/bad", "[@click=app.quit]leave[/]", "bell\x07")

    async def script(desk: Desk) -> None:
        draft = desk.draft
        parts = [
            replace(each, strategy=name, provenance=replace(each.provenance, path=name))
            for each, name in zip(draft.rest.fragments, names, strict=False)
        ]
        draft.rest = replace(draft.rest, fragments=tuple(parts))
        draft.use(frozenset(names))
        await desk.press("x", "s")
        assert isinstance(desk.app.screen, Choose)
        for name in ("[red]x[/]", "[/bad", "[@click=app.quit]leave[/]", "bell\\x07"):
            assert any(name in line for line in desk.lines)
        await desk.press("escape")
        assert any("[/bad" in line for line in desk.lines)

    use(script, "4k")


def test_the_form_is_changed_and_what_was_done_by_hand_stays() -> None:
    async def script(desk: Desk) -> None:
        await desk.press("space")
        out, before = desk.draft.out, desk.draft
        await desk.press("f")
        assert desk.draft is not before
        assert desk.draft.out == out
        assert "of 1,000 tokens" in desk.lines[2]

    use(script)


def test_a_filter_shows_what_holds_a_text() -> None:
    async def script(desk: Desk) -> None:
        every = len(desk.rows)
        await desk.press("slash")
        await desk.type("IDEMPOTENCY")
        assert 0 < len(desk.rows) < every
        some = len(desk.rows)
        assert desk.note == f"{some} of {every} rows contain IDEMPOTENCY; x shows all"
        await desk.press("slash", "escape")  # changes nothing
        assert len(desk.rows) == some
        await desk.press("plus")
        assert desk.note.endswith("; filtered, x shows all")
        await desk.press("minus")
        await desk.press("slash")
        await desk.type("nowhere at all")
        assert not desk.rows
        assert desk.note == f"0 of {every} rows contain nowhere at all; x shows all"
        await desk.press("x")
        assert (len(desk.rows), desk.note) == (every, f"All {every} rows")

    use(script)


@pytest.mark.parametrize(("name", "begin"), [("x.md", "# Context"), ("x.json", "{"), ("x.html", "<!doctype html>")])
def test_it_is_saved_in_the_format_of_the_name(
    name: str, begin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(desk: Desk) -> None:
        await desk.press("w")
        await desk.type(name)
        assert desk.note == f"Saved {name}"

    use(script)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.startswith(begin)
    assert begin != "{" or json.loads(text)["tokens"]["used"] <= 1_000


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        await desk.press("w")
        await desk.type(str(tmp_path / "x.pdf"))
        assert desk.note.startswith("The name must end with one of .md, ")
        await desk.press("w")
        await desk.type(str(tmp_path / "none" / "x.md"))
        assert "cannot be" in " ".join(desk.lines[-6:])

    use(script, size=(120, 30))


def test_the_pack_is_copied() -> None:
    async def script(desk: Desk) -> None:
        await desk.press("y")
        assert desk.copied == [desk.draft.text]
        assert desk.note == "Copied"

        def fail(_: str) -> None:
            raise InternalError("No clipboard program was found.")

        desk.app._copy = fail
        await desk.press("y")
        assert desk.note == "Sent to the terminal. No clipboard program was found."
        assert desk.app.clipboard == desk.draft.text

    use(script)


def test_the_keys_are_told_and_all_pieces_are_opened_and_closed() -> None:
    async def script(desk: Desk) -> None:
        assert desk.lines[-1].endswith("? keys  q leave")  # at 80 columns too
        await desk.press("question_mark")
        (box,) = desk.app.screen.query(".box Label")
        assert box.region.width == max(map(len, str(box.render()).splitlines()))  # nothing is cut off
        assert any("take a piece out, or in" in line for line in desk.lines)
        await desk.press("x", "a")
        assert not any(each.collapsed for each in desk.rows)
        await desk.press("z")
        assert all(each.collapsed for each in desk.rows)
        await desk.press("j", "j", "k")
        assert desk.rows[1].has_focus_within

    use(script)


def test_the_bar_fits_every_width() -> None:
    for width in (30, 80, 200):

        async def script(desk: Desk, width: int = width) -> None:
            assert len(desk.lines[1].strip()) == width - 2
            assert sum(desk.draft.tokens_by_lane()[lane] for lane in Lane) > 0

        use(script, size=(width, 20))


def luminance(colour: tuple[int, int, int]) -> float:
    """How much light a colour gives, from 0 to 1, as WCAG 2 reckons."""
    shares = [value / 255 for value in colour]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_black_and_white_have_the_most_contrast() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("is_dark", [True, False])
def test_all_that_is_written_stands_out_from_what_is_behind_it(*, is_dark: bool) -> None:
    async def script(desk: Desk) -> None:
        assert desk.app.current_theme.dark
        await desk.press(*("a",) if is_dark else ("t", "a"))
        assert desk.app.current_theme.dark == is_dark
        weak, colours = set(), set()
        for strip in desk.app.screen._compositor.render_strips():
            for segment in strip:
                if segment.style and segment.text.strip():
                    ink, paper = segment.style.color, segment.style.bgcolor
                    assert ink
                    assert paper
                    least = 3.0 if set(segment.text) <= set("█▓▒░▪· ") else 4.5  # signs, and letters
                    colours.add(ink.get_truecolor())
                    if contrast(ink.get_truecolor(), paper.get_truecolor()) < least or segment.style.dim:
                        weak.add((segment.text.strip(), ink.name, paper.name))
        assert len(colours) > 10
        assert weak == set()

    use(script, budget="4k", size=(80, 600))
