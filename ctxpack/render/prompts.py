"""The formats that are a whole prompt: chat messages, and continuous text. The question comes last.

Messages are a JSON array of ``{"role", "content"}`` for chat APIs, one message on each line. The pieces are in one
string, escaped piece by piece, so that their sizes add up. Contents of the repository have the role user, never
system.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ctxpack.light import dataclass, replace
from ctxpack.model import Conversation, Fragment, Kind, Message, Pack
from ctxpack.render import wording
from ctxpack.render.citing import citation, cited_piece, missed_list, none_found, note_list, question
from ctxpack.text import close_fence, in_fence, json_shown, valid, without_surrogates

_SAID = "Said before, not answered yet:"
_REMEMBERED = "Extracts of what was said earlier in this conversation; the full text is gone."


@dataclass(frozen=True, slots=True)
class MessagesRenderer:
    """System, memory, history, and a last message of the user with the sources and the question."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The messages before the sources and the beginning of theirs; after them its end with the question."""
        before = _join_roles(_before(pack))
        above = f"{_SAID}\n\n{in_fence(before.pop().content, 'text')}\n" if before and before[-1].role == "user" else ""
        last = Message("user", above + _context(pack))
        head = "".join(f"{dump_message(message)},\n" for message in before)
        asked = f"{missed_list(pack)}{note_list(pack)}\nQuestion:\n\n{question(pack.request)}"
        return (
            f"[\n{head}{dump_message(last)[:-2]}",
            f'{_escape(asked)}"}}\n]\n',
        )  # the last is open: its end comes behind

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content, within the string."""
        return _escape(cited_piece(fragment, number, line_numbers=self.line_numbers))

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the citations show what is omitted
        """A blank line."""
        return _escape("\n")


def dump_message(message: Message) -> str:
    """One message as JSON on one line."""
    return f'{{"role":"{_escape(message.role)}","content":"{_escape(message.content)}"}}'


def _before(pack: Pack) -> list[Message]:
    """The messages before the sources: memories, then the newest turns."""
    its = pack.conversation
    system = "\n\n".join(part.strip("\n") for part in (its.system, its.instructions) if part.strip())
    memory = "\n".join([f"{_REMEMBERED}\n", *(in_fence(each.text.strip("\n"), "text") for each in its.memories)])
    return [
        *([Message("system", system)] if system else []),
        *([Message("user", memory)] if its.memories else []),
        *its.history,
    ]


def _join_roles(messages: Sequence[Message]) -> list[Message]:
    """The messages with consecutive ones of the same role joined: some chat APIs refuse two in a row."""
    merged: list[Message] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            above = merged.pop()
            message = replace(above, content=f"{above.content.rstrip()}\n\n{message.content}")  # noqa: PLW2901
        merged.append(message)
    return merged


def _context(pack: Pack) -> str:
    if not pack.selection.fragments:
        return f"{none_found(pack.request)}\n"
    layout = f" Its folders: {wording.one_line(pack.tree)}." if pack.tree.strip() else ""
    state, files = wording.repository(pack.state), wording.files(pack)
    order = f"{wording.order(pack)}{wording.for_verifying(pack)}"
    return f"Sources from the repository {state}: {files}; {order}.{layout}\n\n"


def _escape(text: str) -> str:
    r"""``text`` escaped for a JSON string, without ``<|``, which begins special tokens of chat templates."""
    return json_shown(json.dumps(valid(text), ensure_ascii=False)[1:-1]).replace("<|", r"\u003c|")


_NOUNS = {
    Kind.README: "A readme",
    Kind.SPEC: "A specification",
    Kind.WIKI: "A wiki page",
    Kind.RUNBOOK: "A runbook",
    Kind.DOC: "A document",
    Kind.CODE: "Code",
    Kind.TEST: "A test",
    Kind.CONFIG: "Configuration",
    Kind.CONVENTIONS: "Conventions",
    Kind.DEPENDENCY_MAP: "A map of dependencies",
    Kind.DATA: "Data",
}
_SPEAKERS = {"user": "The user said", "assistant": "The assistant said"}


@dataclass(frozen=True, slots=True)
class NarrativeRenderer:
    """A sentence about each piece; shows the conversation around the pieces."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The text before the sources; after them what was left out, and the question."""
        its = pack.conversation
        before = [
            f"# {wording.pack_title(pack.request)}\n",
            close_fence(without_surrogates(its.system).strip("\n")),
            close_fence(without_surrogates(its.instructions).strip("\n")),
            _memory_text(its),
            _history(its),
            _about(pack),
        ]
        head = "\n".join(part if part.endswith("\n") else f"{part}\n" for part in before if part)
        return f"{head}\n", f"{missed_list(pack)}{note_list(pack)}\n## Question\n\n{question(pack.request)}\n"

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation as a heading, a sentence, the fenced content."""
        content = in_fence(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)
        return f"### {citation(fragment, number)}\n\n{_sentence(fragment)}\n\n{content}"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


def _sentence(fragment: Fragment) -> str:
    """A sentence about a piece: its kind and its reasons."""
    words, reasons = wording.matched_keywords(fragment), wording.short_reason(fragment)
    behind = f" with {reasons}" if words and reasons.startswith(words) else f": {reasons}" if reasons else ""
    return f"{_NOUNS[fragment.provenance.kind]}{behind}."


def _about(pack: Pack) -> str:
    if not pack.selection.fragments:
        return f"## Sources\n\n{none_found(pack.request)}\n"
    layout = f" Its folders: {wording.one_line(pack.tree)}." if pack.tree.strip() else ""
    return f"## Sources\n\nFrom the repository {wording.pack_counts(pack)}.{layout}\n"


def _memory_text(its: Conversation) -> str:
    if not its.memories:
        return ""
    note_list = "\n".join(in_fence(without_surrogates(memory.text), "text") for memory in its.memories)
    return f"## Remembered\n\nExtracts of what was said earlier; the full text is gone.\n\n{note_list}"


def _history(its: Conversation) -> str:
    if not its.history:
        return ""
    older = f"{its.trimmed} older messages are left out.\n\n" if its.trimmed else ""
    return f"## Conversation so far\n\n{older}" + "\n".join(map(_turn, its.history))


def _turn(message: Message) -> str:
    return f"{_SPEAKERS.get(message.role, message.role)}:\n\n{in_fence(without_surrogates(message.content), 'text')}"
