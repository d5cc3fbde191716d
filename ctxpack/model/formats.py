"""The formats of a report, one record each: all that is known of a format outside its renderer."""

from __future__ import annotations

from typing import Final

from ctxpack.light import dataclass

_TOKENS = rb"[\d,]+ of [\d,]+(?: tokens)? \([^)\r\n]{1,200}\)"
_PIECES = rb"[\d,]+ files? in [\d,]+ pieces?(?:, of [\d,]+ searched)?"
_COUNTS = _PIECES + rb"; " + _TOKENS + rb"; "

TITLE_LENGTH = 100  # characters of a request that its title holds
REQUEST_LENGTH = 600  # of the rest: a report that is passed on says what was asked, but an issue is not its content
BRIEF_REQUEST_LENGTH = 120  # where programs read a report: who asked knows the rest


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
    suffix: str = ""  # of a file that a person saves in it
    is_markdown: bool = False
    is_prompt: bool = False  # shows a conversation, and brings a question and instructions of its own
    counted_as: str = ""
    has_markers: bool = True  # its text can be a marked part of a file; else it has no comments, or programs read it
    has_budget: bool = True  # its head tells the budget
    shown_request: int = 0  # characters of the request that it shows; 0 for all of it


FORMATS: Final = (
    Format(
        "markdown", "ctxpack.render.reports:MarkdownRenderer",
        rb"\# Context: .*\n\r?\n(?:(?:> .*\n)+\r?\n)?- (?:.+; " + _COUNTS + rb"|"
        rb"Repository: .+\n- Files: .+\n- Tokens: " + _TOKENS + rb"\r?\n- Strategy: )",
        short="md", suffix=".md", is_markdown=True, shown_request=REQUEST_LENGTH,
    ),
    Format(
        "markdown-compact", "ctxpack.render.prompts:CompactRenderer",
        rb"\# .*\n\r?\n(?=.+; ).+\n\r?\n\[Source \d+\] `",
        is_markdown=True, has_budget=False, shown_request=TITLE_LENGTH,
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
        is_prompt=True, has_markers=False, has_budget=False,
    ),
    Format(
        "xml", "ctxpack.render.reports:XmlRenderer",
        rb'<documents>\r?\n<about (?=[^>]*? tokens="' + _TOKENS + rb'")(?=[^>]*? (?:strategy|order)=")[^>]*/>',
        suffix=".xml", has_markers=False, shown_request=REQUEST_LENGTH,
    ),
    Format(
        "json", "ctxpack.render.json_schema:JsonRenderer",
        rb'\{"schema": ?\d+, ?"request": ?\{(?>.+?"repository": ?\{)(?>.+?"strategy": ?").+?'
        rb'"tokens": ?\{"budget": ?\d+, ?"used": ?\d+, ?"encoding": ?"',
        suffix=".json", has_markers=False, shown_request=BRIEF_REQUEST_LENGTH,
    ),
    Format(
        "plain", "ctxpack.render.reports:PlainRenderer",
        rb"Context: .*\n(?:.+; " + _COUNTS + rb"|Repository: .+\nFiles: .+\nTokens: " + _TOKENS + rb"\r?\nStrategy: )",
        suffix=".txt", shown_request=REQUEST_LENGTH,
    ),
    Format(
        "html", "ctxpack.render.page:HtmlRenderer",
        rb'<!doctype html>\r?\n<html lang="en">\r?\n<head>\r?\n<meta charset="utf-8">\r?\n'
        rb'<meta name="generator" content="ctxpack">',
        suffix=".html", counted_as="markdown", has_markers=False,
    ),
)  # fmt: skip
FORMAT_NAMES: Final = tuple(each.name for each in FORMATS)
PROMPT_FORMATS: Final = tuple(each.name for each in FORMATS if each.is_prompt)
"""Those that show a conversation."""
FORMAT_OF_SUFFIX: Final = {each.suffix: each.name for each in FORMATS if each.suffix}


def format_of(name: str) -> Format:
    """The record of a format, also of one that an installed package brings."""
    return next((each for each in FORMATS if each.name == name), Format(name, is_markdown=name.startswith("markdown")))
