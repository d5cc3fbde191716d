"""Chat messages: a JSON array of ``{"role", "content"}`` as chat APIs take it, one message a line, the question last.

The pieces stand in one string, escaped piece by piece, so that their sizes add up. What is from the repository has the
role of the user, never that of the system.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ctxpack.model import Fragment, Message, Pack
from ctxpack.render import wording
from ctxpack.render.citing import cited_piece, missed_list, note_list, question
from ctxpack.render.instructions import none_found
from ctxpack.text import fenced, valid

_SAID = "Said before, not answered yet:"
_REMEMBERED = "Extracts of what was said earlier in this conversation; the full words are gone."


@dataclass(frozen=True, slots=True)
class MessagesRenderer:
    """System, memory, history, and a last message of the user with the sources and the question."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The messages before the sources and what stands before these in theirs; its end with the question."""
        before = _merged(_before(pack))
        above = f"{_SAID}\n\n{fenced(before.pop().content, 'text')}\n" if before and before[-1].role == "user" else ""
        last = Message("user", above + _context(pack))
        head = "".join(f"{dump_message(message)},\n" for message in before)
        asked = f"{missed_list(pack)}{note_list(pack)}\nQuestion:\n\n{question(pack.request)}"
        return (
            f"[\n{head}{dump_message(last)[:-2]}",
            f'{_escaped(asked)}"}}\n]\n',
        )  # the last is open: its end comes behind

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content, within the string."""
        return _escaped(cited_piece(fragment, number, line_numbers=self.line_numbers))

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the citations show what is omitted
        """A blank line."""
        return _escaped("\n")


def dump_message(message: Message) -> str:
    """One message as JSON on one line."""
    return f'{{"role":"{_escaped(message.role)}","content":"{_escaped(message.content)}"}}'


def _before(pack: Pack) -> list[Message]:
    """What stands before the sources: what is remembered comes before the newest turns."""
    its = pack.conversation
    system = "\n\n".join(part.strip("\n") for part in (its.system, its.instructions) if part.strip())
    memory = "\n".join([f"{_REMEMBERED}\n", *(fenced(each.text.strip("\n"), "text") for each in its.memories)])
    return [
        *([Message("system", system)] if system else []),
        *([Message("user", memory)] if its.memories else []),
        *its.history,
    ]


def _merged(messages: Sequence[Message]) -> list[Message]:
    """The messages of which no two in succession have one role: some chat APIs refuse the others."""
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
    return f"Sources from the repository {state}: {files}; {wording.order(pack)}.{layout}\n\n"


def _escaped(text: str) -> str:
    r"""``text`` as it stands within a JSON string; no ``<|``, with which chat templates begin their marks."""
    return json.dumps(valid(text), ensure_ascii=False)[1:-1].replace("<|", r"\u003c|")
