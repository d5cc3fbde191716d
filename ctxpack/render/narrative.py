"""A prompt that reads like a letter: instructions, what was said before, sources in sentences, the question last."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.fences import close_fence, code, fenced
from ctxpack.model import Conversation, Form, Fragment, Kind, Message, Pack
from ctxpack.render import wording
from ctxpack.render.citing import citation, gap, left_out, lines, notes, question
from ctxpack.text import without_surrogates

_NOUNS = {
    Kind.README: "a readme",
    Kind.SPEC: "a specification",
    Kind.WIKI: "a wiki page",
    Kind.RUNBOOK: "a runbook",
    Kind.DOC: "a document",
    Kind.CODE: "code",
    Kind.TEST: "a test",
    Kind.CONFIG: "configuration",
    Kind.CONVENTIONS: "conventions",
    Kind.DEPENDENCY_MAP: "a map of dependencies",
    Kind.DATA: "data",
}
_SPEAKERS = {"user": "The user said", "assistant": "The assistant said"}


@dataclass(frozen=True, slots=True)
class NarrativeRenderer:
    """Sentences about each piece in place of lists of facts; shows the conversation around the pieces."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """All that comes before the sources; after them what was left out, and the question."""
        its = pack.conversation
        before = [
            f"# {wording.title(pack.request)}\n",
            close_fence(without_surrogates(its.system).strip("\n")),
            close_fence(without_surrogates(its.instructions).strip("\n")),
            _remembered(its),
            _history(its),
            _about(pack),
            fenced(without_surrogates(pack.tree), "text") if pack.tree.strip() else "",
        ]
        head = "\n".join(part if part.endswith("\n") else f"{part}\n" for part in before if part)
        return f"{head}\n", f"{left_out(pack)}{notes(pack)}\n## Question\n\n{question(pack.request)}\n"

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation as a heading, one or two sentences, the fenced content."""
        content = fenced(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)
        return f"### {citation(fragment, number, with_form=False)}\n\n{_sentences(fragment)}\n\n{content}"

    def between(self, above: Fragment, below: Fragment) -> str:
        """A blank line, or the mark of what was omitted."""
        return gap(above, below)


def _sentences(fragment: Fragment) -> str:
    """What the piece is, how sure it is that it helps and why, and when it changed."""
    origin = fragment.provenance
    noun = _NOUNS[origin.kind]
    what = {
        Form.EXCERPT: f"an excerpt of {_cut_from(fragment)}{noun}",
        Form.OUTLINE: f"the outline of {noun}",
        Form.MENTION: f"only a mention of {noun}",
    }.get(fragment.form, noun)
    why = wording.why(fragment)
    first = f"{what[0].upper()}{what[1:]}, here with {origin.confidence} confidence" + (f": {why}." if why else ".")
    changed = f"last changed on {origin.modified}" if origin.modified else ""
    dirty = "with changes that are not committed" if origin.dirty else ""
    rest = ", ".join(part for part in (changed, dirty) if part)
    return f"{first} {rest[0].upper()}{rest[1:]}." if rest else first


def _cut_from(fragment: Fragment) -> str:
    return f"{lines(*fragment.cut_from)} of " if fragment.cut_from else ""


def _about(pack: Pack) -> str:
    words = ", ".join(map(code, wording.keywords(pack.query)))
    added = wording.added(pack.query)
    state, files = wording.repository(pack.state), wording.files(pack)
    sentences = [
        f"The sources below are from the repository {state}: {files}; order: {wording.order(pack)}.",
        f"They were searched for {words}{f', with the added words {added}' if added else ''}." if words else "",
        f"All of this takes {pack.tokens_used:,} of {pack.budget:,} tokens ({pack.encoding}).",
    ]
    return f"## Sources\n\n{' '.join(sentence for sentence in sentences if sentence)}\n"


def _remembered(its: Conversation) -> str:
    if not its.memories:
        return ""
    notes = "\n".join(fenced(without_surrogates(memory.text), "text") for memory in its.memories)
    return f"## Remembered\n\nExtracts of what was said earlier; the full words are gone.\n\n{notes}"


def _history(its: Conversation) -> str:
    if not its.history:
        return ""
    older = f"{its.trimmed} older messages are left out.\n\n" if its.trimmed else ""
    return f"## Conversation so far\n\n{older}" + "\n".join(map(_turn, its.history))


def _turn(message: Message) -> str:
    return f"{_SPEAKERS.get(message.role, message.role)}:\n\n{fenced(without_surrogates(message.content), 'text')}"
