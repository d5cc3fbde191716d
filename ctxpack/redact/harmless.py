"""Show what nobody would see, and mark what speaks to a model instead of to people.

Characters that command a terminal, turn the direction of writing around or are invisible become visible signs, always.
Passages that read like instructions to a model are marked where they begin, where the user asks for it. No line moves.
A mark is no verdict: a text about such attacks holds them too, and an attack in other words has no mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Fragment
from ctxpack.text import SIGN, number_of, visible

_HIDDEN_NOTE: Final = "Shown as signs such as ⟨U+202E⟩: "
_MARKED_NOTE: Final = "Marked as suspicious: "
SUSPICION: Final = lazy_pattern(r"\[SUSPICIOUS: ([^\]\n]{1,60})\] ")
_LONGEST: Final = 100_000  # characters of a piece that is looked at
_ABOUT = r"(?:instructions?|prompts?|rules|guidelines|directions|constraints|guardrails)"
_MODEL = (
    r"(?:AIs?|LLMs?|(?:large )?language models?|chat ?bots?|(?:AI|coding|code) (?:assistants?|agents?)|Claude|ChatGPT)"
)
REASONS: Final[Mapping[str, re.Pattern[str]]] = {
    "asks to ignore instructions": lazy_pattern(
        r"\b(?:ignore|disregard|forget|override|bypass)\s(?:[\w',-]{1,20}\s){0,4}?"
        rf"(?:previous|prior|above|earlier|preceding|all|any|your|system|safety)\s(?:[\w',-]{{1,20}}\s){{0,3}}?{_ABOUT}\b"
        r"|\b(?:про)?(?:игнориру|забуд|отброс)\w{0,6}\s(?:\w{1,20}\s){0,4}?(?:инструкци|указани|правил|промпт)\w{0,4}",
        re.IGNORECASE,
    ),
    "gives a model another role": lazy_pattern(
        r"\byou are (?:now|no longer) (?:an? |in )?(?:[\w-]{1,20} ){0,3}?"
        rf"(?:{_MODEL}|mode|assistant|agent|hacker|admin\w{{0,10}}|root|unrestricted|DAN)\b"
        r"|\b(?:enter|enable|activate|switch to) (?:developer|god|jailbreak|DAN|admin|unrestricted) mode\b"
        r"|\bpretend (?:to be|you are|that you are)\b.{0,40}\b(?:without|no|unrestricted|unfiltered)\b"
        r"|\b(?:теперь ты|ты теперь)\b.{0,20}(?: [—–-] |помощник|ассистент|модель|\bбот\b|режим)"
        r"|\bпритворись\b|\bведи себя как\b",
        re.IGNORECASE,
    ),
    "imitates the frame of a chat": lazy_pattern(
        r"<\|(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|eot_id|start_header_id|end_header_id)\|>"
        r"|\[/?INST\]|<</?SYS>>|</?(?:system(?:[-_](?:prompt|message|reminder))?|function_calls|tool_(?:call|use|result)s?)>"
        r"|^#{2,4} ?(?:[Ss]ystem|[Aa]ssistant)(?::| (?:[Pp]rompt|[Mm]essage):?)[ \t]*$|^(?:Human|Assistant|SYSTEM): \S",
        re.MULTILINE,
    ),
    "speaks to a model": lazy_pattern(
        rf"\b(?:note|message|instructions?|attention|important|warning|reminder)s?\b.{{0,20}}\b(?:to|for)\b.{{0,20}}?\b{_MODEL}\b"
        rf"|\bif you are an? (?:[\w-]{{1,20}} ){{0,2}}?{_MODEL}\b"
        rf"|\b{_MODEL}\b.{{0,30}}\b(?:reading|processing|summari[sz]ing|analy[sz]ing|reviewing) this\b"
        r"|(?:если ты|внимание).{0,30}(?:языков\w{1,4} модел|нейросет|ассистент|\bИИ\b)\w{0,4}",
        re.IGNORECASE,
    ),
    "asks to keep something from the user": lazy_pattern(
        r"\b(?:do not|don't|never|without)\s(?:tell|inform|mention|notify|alert|warn|ask|show|telling|informing"
        r"|mentioning|notifying|alerting|warning|asking)\w{0,3}\s(?:[\w']{1,20}\s){0,4}?(?:the |your )?"
        r"(?:users?|humans?|developers?|operators?|owners?)\b"
        r"|\bне (?:сообщай|говори|показывай|рассказывай|упоминай)\w{0,3}\s(?:\w{1,20}\s){0,3}?"
        r"(?:пользовател|человек|разработчик)\w{0,4}",
        re.IGNORECASE,
    ),
    "asks for the instructions of a model": lazy_pattern(
        r"\b(?:reveal|print|repeat|show|output|display|leak)\s(?:[\w']{1,20}\s){0,3}?"
        r"(?:system prompt|(?:initial|hidden|original|system) instructions|prompt above)\b"
        r"|\b(?:покажи|выведи|раскрой|повтори)\s(?:\w{1,20}\s){0,3}?системн\w{1,4} (?:промпт|инструкци)\w{0,4}",
        re.IGNORECASE,
    ),
    "asks to send something away": lazy_pattern(
        r"\b(?:send|post|upload|exfiltrate|forward|leak|transmit|email|submit)\b.{0,60}\b(?:secrets?|tokens?|passwords?"
        r"|credentials?|api[ _-]?keys?|environment variables|(?:ssh|private) keys?|this conversation|chat history"
        r"|system prompt|source code|file contents?|(?<=\.)env)\b.{0,60}?(?:https?://|\b[\w.+-]{1,40}@[\w-]{1,40}\.)"
        r"|!\[[^\]\n]{0,40}\]\(https?://[^)\s]{1,200}[?&][\w-]{1,20}=(?:\{|<|\[|\$|%7B)",
        re.IGNORECASE,
    ),
    "contains invisible text": lazy_pattern(r"(?:⟨U\+(?:E00|200|206)[0-9A-F]{1,3}⟩){4,}"),
}
"""Why a passage is suspicious -> how such passages read, in English and Russian."""


def make_visible(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Return the fragments with signs for characters that nobody sees or that command whoever shows them."""
    shown = [visible(each.text) for each in fragments]
    return tuple(
        each if text == each.text else replace(each, text=text) for each, text in zip(fragments, shown, strict=True)
    )


def mark_injections(fragments: Sequence[Fragment], *, use: bool) -> tuple[Fragment, ...]:
    """Return the fragments with a mark before each passage that reads like an instruction to a model."""
    if not use:
        return tuple(fragments)
    return tuple(replace(each, text=mark_suspicions(each.text)) for each in fragments)


def find_injections(text: str) -> list[tuple[int, str]]:
    """Find where suspicious passages begin and why, in order; one of the same reason in a line counts once."""
    found: dict[tuple[int, str], int] = {}
    for reason, pattern in REASONS.items():
        for match in pattern.finditer(text, 0, _LONGEST):
            found.setdefault((text.count("\n", 0, match.start()), reason), match.start())
    return sorted((start, reason) for (_, reason), start in found.items())


def harm_notes(fragments: Iterable[Fragment]) -> tuple[str, ...]:
    """Say in a sentence each which signs and marks some fragments hold; none where there are none."""
    signs: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    places: list[str] = []
    paths: set[str] = set()
    for each in fragments:
        its = SIGN.findall(each.text)
        signs.update(_kind_of(int(number, 16)) for number in its)
        paths.update([each.provenance.path] if its else [])
        for match in SUSPICION.finditer(each.text):
            reasons[match[1]] += 1
            is_exact = not each.layer and not each.dropped
            line = each.provenance.start_line + each.text.count("\n", 0, match.start())
            places.append(f"{each.provenance.path}:{line}" if is_exact else each.provenance.path)
    hidden = [f"{_HIDDEN_NOTE}{_account_of(signs)}, in {number_of(len(paths), 'file')}."] if signs else []
    marked = [f"{_MARKED_NOTE}{_account_of(reasons)}: {', '.join(dict.fromkeys(places))}."] if reasons else []
    return (*hidden, *marked)


def is_harm_note(note: str) -> bool:
    """Whether a note is one of ``harm_notes``."""
    return note.startswith((_HIDDEN_NOTE, _MARKED_NOTE))


def signs_note(text: str) -> str:
    """Say in a sentence which signs a text holds; empty where there are none."""
    signs = Counter(_kind_of(int(number, 16)) for number in SIGN.findall(text))
    return f"{_HIDDEN_NOTE}{_account_of(signs)}." if signs else ""


def mark_suspicions(text: str) -> str:
    """Return a text with a mark before each passage that reads like an instruction to a model."""
    parts: list[str] = []
    position = 0
    for start, reason in find_injections(text):
        parts += (text[position:start], f"[SUSPICIOUS: {reason}] ")
        position = start
    return "".join((*parts, text[position:]))


def _account_of(counts: Counter[str]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in sorted(counts.items()))


_CONTROLS: Final = 0xA0  # below it characters that are no text are controls
_TURNING: Final = frozenset((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def _kind_of(code: int) -> str:
    if code < _CONTROLS:
        return "control character"
    return "bidirectional control" if code in _TURNING else "invisible character"
