"""Chat messages: a JSON array of ``{"role", "content"}`` as chat APIs take it, one message a line, the question last.

The pieces stand in one string, escaped piece by piece, so that their sizes add up. What is from the repository has the
role of the user, never that of the system.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ctxpack.fences import fenced
from ctxpack.model import Fragment, Message, Pack
from ctxpack.render import wording
from ctxpack.render.citing import gap, left_out, notes, piece, question
from ctxpack.text import valid, without_surrogates

_REMEMBERED = "Extracts of what was said earlier in this conversation; the full words are gone."


@dataclass(frozen=True, slots=True)
class MessagesRenderer:
    """System, history, memory, context, question."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The messages before the context and its beginning; its end and the question."""
        before = "".join(f"{dumped(message)},\n" for message in _before(pack))
        context = Message("user", _context(pack))
        head = f"[\n{before}{dumped(context)[:-2]}"  # without the quote and the brace that end it
        asked = Message("user", question(pack.request))
        return head, f'{_escaped(left_out(pack) + notes(pack))}"}},\n{dumped(asked)}\n]\n'

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content, within the string."""
        return _escaped(piece(fragment, number, line_numbers=self.line_numbers))

    def between(self, above: Fragment, below: Fragment) -> str:
        """A blank line, or the mark of what was omitted."""
        return _escaped(gap(above, below))


def dumped(message: Message) -> str:
    """One message as JSON on one line."""
    return f'{{"role":"{_escaped(message.role)}","content":"{_escaped(message.content)}"}}'


def _before(pack: Pack) -> list[Message]:
    its = pack.conversation
    system = "\n\n".join(part.strip("\n") for part in (its.system, its.instructions) if part.strip())
    memory = "\n\n".join([_REMEMBERED, *(each.text.strip("\n") for each in its.memories)])
    return [
        *([Message("system", system)] if system else []),
        *its.history,
        *([Message("user", memory)] if its.memories else []),
    ]


def _context(pack: Pack) -> str:
    state, files = wording.repository(pack.state), wording.files(pack)
    about = f"Sources from the repository {state}: {files}; order: {wording.order(pack)}."
    tree = f"{fenced(without_surrogates(pack.tree), 'text')}\n" if pack.tree.strip() else ""
    return f"{about}\n\n{tree}"


def _escaped(text: str) -> str:
    r"""``text`` as it stands within a JSON string; no ``<|``, with which chat templates begin their marks."""
    return json.dumps(valid(text), ensure_ascii=False)[1:-1].replace("<|", r"\u003c|")
