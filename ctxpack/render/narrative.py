"""A prompt that reads like a letter: instructions, what was said before, sources in sentences, the question last."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Conversation, Fragment, Kind, Message, Pack
from ctxpack.render import wording
from ctxpack.render.citing import citation, missed_list, note_list, question
from ctxpack.render.instructions import none_found
from ctxpack.text import close_fence, fenced, without_surrogates

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
        """All that comes before the sources; after them what was left out, and the question."""
        its = pack.conversation
        before = [
            f"# {wording.pack_title(pack.request)}\n",
            close_fence(without_surrogates(its.system).strip("\n")),
            close_fence(without_surrogates(its.instructions).strip("\n")),
            _remembered(its),
            _history(its),
            _about(pack),
        ]
        head = "\n".join(part if part.endswith("\n") else f"{part}\n" for part in before if part)
        return f"{head}\n", f"{missed_list(pack)}{note_list(pack)}\n## Question\n\n{question(pack.request)}\n"

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation as a heading, a sentence, the fenced content."""
        content = fenced(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)
        return f"### {citation(fragment, number)}\n\n{_sentence(fragment)}\n\n{content}"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


def _sentence(fragment: Fragment) -> str:
    """What the piece is and why it is there."""
    words, reasons = wording.matched_keywords(fragment), wording.why(fragment)
    behind = f" with {reasons}" if words and reasons.startswith(words) else f": {reasons}" if reasons else ""
    return f"{_NOUNS[fragment.provenance.kind]}{behind}."


def _about(pack: Pack) -> str:
    if not pack.selection.fragments:
        return f"## Sources\n\n{none_found(pack.request)}\n"
    layout = f" Its folders: {wording.one_line(pack.tree)}." if pack.tree.strip() else ""
    return f"## Sources\n\nFrom the repository {wording.pack_counts(pack)}.{layout}\n"


def _remembered(its: Conversation) -> str:
    if not its.memories:
        return ""
    note_list = "\n".join(fenced(without_surrogates(memory.text), "text") for memory in its.memories)
    return f"## Remembered\n\nExtracts of what was said earlier; the full words are gone.\n\n{note_list}"


def _history(its: Conversation) -> str:
    if not its.history:
        return ""
    older = f"{its.trimmed} older messages are left out.\n\n" if its.trimmed else ""
    return f"## Conversation so far\n\n{older}" + "\n".join(map(_turn, its.history))


def _turn(message: Message) -> str:
    return f"{_SPEAKERS.get(message.role, message.role)}:\n\n{fenced(without_surrogates(message.content), 'text')}"
