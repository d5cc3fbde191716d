"""The ask command: the last answer goes to standard output, all else that is said on the way to standard error."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell, write
from ctxpack.cli.packing import explain, pieces_table
from ctxpack.cli.progress import progress_of_packs
from ctxpack.errors import UsageError
from ctxpack.model import Fragment
from ctxpack.settings import Settings
from ctxpack.text import printable

if TYPE_CHECKING:
    from ctxpack.workflows.ask import Ending, Round

_OF_ONE_PACK = ("stats", "metrics", "explain_budget")
_SHOWN = 5  # new pieces that are named
_NOT_FOR_TERMINALS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def ask_and_deliver(text: str, flags: Flags) -> None:
    """Ask the command that was named and stream its answer. Raises CtxpackError."""
    settings = settings_of(flags)
    _check(settings, flags)
    from ctxpack.workflows.ask import ask_model

    speaker = _Speaker()
    try:
        teller = _Teller(settings, flags, speaker)
        with progress_of_packs(flags) as observer:
            ending = ask_model(text, settings, observer=observer, on_round=teller.tell, on_text=speaker.speak)
    except (_LookedError, _ReaderGoneError):
        return
    finally:
        speaker.end()
    _tell_ending(ending, settings, flags)


def _check(settings: Settings, flags: Flags) -> None:
    """Refuse before any work is done what cannot become an answer."""
    from ctxpack.system.commands import command_words, find_program

    given = next((name for name in _OF_ONE_PACK if flags.has(name)), None)
    if given:
        option = given.replace("_", "-")
        raise UsageError(
            f"--{option} describes one pack, but ask makes several.", hint=f"Use it with one: ctxpack task … --{option}"
        )
    if flags.dry_run:
        return
    if not settings.llm:
        raise UsageError(
            "No command to ask is set.",
            hint='Name one that reads a prompt: --llm "llm", --llm "claude -p" or --llm "ollama run qwen3".',
        )
    words = command_words(settings.llm)
    if find_program(words) is None:
        raise UsageError(f"There is no program {words[0]}.", hint="Install it, or name another command with --llm.")


class _ReaderGoneError(Exception):
    """Nobody reads the answer any more."""


class _LookedError(Exception):
    """The pieces were listed, which is all that was wanted."""


class _Teller:
    """Prints what a round contains."""

    def __init__(self, settings: Settings, flags: Flags, speaker: _Speaker) -> None:
        self._settings = settings
        self._flags = flags
        self._speaker = speaker

    def tell(self, each: Round) -> None:
        """Print lines about one round; with ``--dry-run`` the table of its pieces, and no round follows."""
        if self._flags.dry_run:
            write(pieces_table(each.pack))
            raise _LookedError
        self._speaker.begin(is_last=each.is_last)
        if self._flags.explain:
            explain(each.pack)
        if self._flags.quiet:
            return
        if each.number == 1:
            for note in each.pack.notes:
                tell(f"Note: {printable(note)}")
        elif each.wanted:
            tell(f"The answer asks for more: {printable(each.wanted)}")
        pieces = each.pack.selection.fragments
        files = len({piece.provenance.path for piece in pieces})
        size = f"{each.tokens:,} of {self._settings.budget:,} tokens"
        tell(f"Round {each.number}: {_count(len(pieces), 'piece')} of {_count(files, 'file')}{_new(each)}, {size}")


def _new(each: Round) -> str:
    """Which pieces are new, behind the first round."""
    if each.number == 1:
        return ""
    named = ", ".join(_place(piece) for piece in each.new[:_SHOWN])
    more = f" and {len(each.new) - _SHOWN} more" if len(each.new) > _SHOWN else ""
    return f" ({len(each.new)} new: {named}{more})" if each.new else " (nothing new)"


def _place(piece: Fragment) -> str:
    origin = piece.provenance
    return f"{printable(origin.path)}:{origin.start_line}-{origin.end_line}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class _Speaker:
    """Writes the answer; what could command a terminal is left out where one is written to.

    On a terminal every answer is seen as it comes. Elsewhere an answer is held until it is known whether another
    follows: only the last one is output. That of the last possible round is passed on as it comes.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._holds = not self._is_terminal
        self._held = ""
        self._last = "\n"
        self._has_written = False

    def begin(self, *, is_last: bool) -> None:
        """Take note of a round: what was said before it was not the last answer."""
        said, self._held = self._held.strip("\n"), ""
        if said:
            tell(said)
        self._holds = self._holds and not is_last

    def speak(self, text: str) -> None:
        """Write a part, or hold it. Raises _ReaderGoneError if nobody reads it."""
        if self._holds:
            self._held += text
            return
        shown = _NOT_FOR_TERMINALS.sub("", text) if self._is_terminal else text
        if not self._has_written:
            shown = shown.lstrip("\n")  # which sets a further answer apart from one that is not output
        self._has_written |= bool(shown)
        self._last = shown[-1:] or self._last
        if not write(shown):
            raise _ReaderGoneError

    def end(self) -> None:
        """Write what was held; the line that was begun is ended."""
        held, self._held, self._holds = self._held.lstrip("\n"), "", False
        text = held + ("" if (held[-1:] or self._last) == "\n" else "\n")
        self._last = "\n"
        if text:
            write(text)


def _tell_ending(ending: Ending, settings: Settings, flags: Flags) -> None:
    from ctxpack.workflows.ask import Ending

    if flags.quiet or ending is Ending.ENOUGH:
        return
    if ending is Ending.NOTHING_LEFT:
        tell("Note: The answer asks for more, but there is nothing left to add.")
    else:
        tell(f"Note: The answer asks for more after {_count(settings.max_rounds, 'round')}: raise --max-rounds.")
