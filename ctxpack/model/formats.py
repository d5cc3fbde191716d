"""The formats of a report, one record each: all that is known of a format outside its renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_TOKENS = rb"[\d,]+ of [\d,]+(?: tokens)? \([^)\r\n]{1,200}\)"
_PIECES = rb"[\d,]+ files? in [\d,]+ pieces?(?:, of [\d,]+ searched)?"
_COUNTS = _PIECES + rb"; " + _TOKENS + rb"; "


@dataclass(frozen=True, slots=True)
class Format:
    """All that is known of a format outside its renderer.

    ``renderer`` is ``module:attribute``, which takes ``line_numbers`` and makes a Renderer. ``beginning`` is a pattern
    of how its reports began in any version: such files may be in a repository, and only repeat other files. A format
    that no model is meant to read is ``counted_as`` another one: the budget is about what a model gets.
    """

    name: str
    renderer: str = ""
    beginning: bytes = b""
    short: str = ""  # another name that may be written for it
    is_markdown: bool = False
    is_prompt: bool = False  # shows a conversation, and brings a question and instructions of its own
    counted_as: str = ""
    has_markers: bool = True  # its text can be a marked part of a file; else it has no comments, or programs read it


FORMATS: Final = (
    Format(
        "markdown", "ctxpack.render.reports:MarkdownRenderer",
        rb"\# Context: .*\n\r?\n(?:(?:> .*\n)+\r?\n)?- (?:.+; " + _COUNTS + rb"|"
        rb"Repository: .+\n- Files: .+\n- Tokens: " + _TOKENS + rb"\r?\n- Strategy: )",
        short="md", is_markdown=True,
    ),
    Format(
        "markdown-compact", "ctxpack.render.citing:CompactRenderer",
        rb"\# .*\n\r?\n(?=.+; ).+\n\r?\n\[Source \d+\] `",
        is_markdown=True,
    ),
    Format(
        "markdown-narrative", "ctxpack.render.prompts:NarrativeRenderer",
        rb"\# .*\n(?s:.*?)\n\#\# Sources\r?\n\r?\n"
        rb"(?:From the repository .+; " + _COUNTS + rb"|The sources below are from the repository .+; order: )",
        is_markdown=True, is_prompt=True,
    ),
    Format(
        "messages", "ctxpack.render.prompts:MessagesRenderer",
        rb'\[\r?\n(?:\{"role":"[a-z]+","content":".*"\},\r?\n)*'
        rb'\{"role":"user","content":"(?>Said before, not answered yet:.+?(?=Sources from the repository))?'
        rb"Sources from the repository .+(?:: " + _PIECES + rb"; |; order: )",
        is_prompt=True, has_markers=False,
    ),
    Format(
        "xml", "ctxpack.render.reports:XmlRenderer",
        rb'<documents>\r?\n<about (?=[^>]*? tokens="' + _TOKENS + rb'")(?=[^>]*? (?:strategy|order)=")[^>]*/>',
        has_markers=False,
    ),
    Format(
        "json", "ctxpack.render.json_schema:JsonRenderer",
        rb'\{"schema": ?\d+, ?"request": ?\{(?>.+?"repository": ?\{)(?>.+?"strategy": ?").+?'
        rb'"tokens": ?\{"budget": ?\d+, ?"used": ?\d+, ?"encoding": ?"',
        has_markers=False,
    ),
    Format(
        "plain", "ctxpack.render.reports:PlainRenderer",
        rb"Context: .*\n(?:.+; " + _COUNTS + rb"|Repository: .+\nFiles: .+\nTokens: " + _TOKENS + rb"\r?\nStrategy: )",
    ),
    Format(
        "html", "ctxpack.render.page:HtmlRenderer",
        rb'<!doctype html>\r?\n<html lang="en">\r?\n<head>\r?\n<meta charset="utf-8">\r?\n'
        rb'<meta name="generator" content="ctxpack">',
        counted_as="markdown", has_markers=False,
    ),
)  # fmt: skip
FORMAT_NAMES: Final = tuple(each.name for each in FORMATS)
PROMPT_FORMATS: Final = tuple(each.name for each in FORMATS if each.is_prompt)
"""Those that show a conversation."""


def format_of(name: str) -> Format:
    """The record of a format, also of one that an installed package brings."""
    return next((each for each in FORMATS if each.name == name), Format(name, is_markdown=name.startswith("markdown")))
