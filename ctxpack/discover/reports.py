"""Reports of ours that lie in the repository, say from ``-o context.md``: they only repeat what other files say."""

from __future__ import annotations

import re

REASON = "a report of ctxpack"
_TOKENS = rb"[\d,]+ of [\d,]+ \([^)\r\n]+\)"
_REPORT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:"
    rb"\# Working on .*\n\r?\n\#\# (?:Commands|Layout)\r?\n\r?\n- "
    rb"|\# Context: .*\n\r?\n- Repository: .+\n- Files: .+\n- Tokens: " + _TOKENS + rb"\r?\n- Strategy: "
    rb"|Context: .*\nRepository: .+\nFiles: .+\nTokens: " + _TOKENS + rb"\r?\nStrategy: "
    rb'|<documents>\r?\n<about (?=[^>]*? tokens="' + _TOKENS + rb'")(?=[^>]*? strategy=")[^>]*/>'
    rb'|\{"schema": ?\d+, ?"request": ?\{.+"repository": ?\{.+"strategy": ?".+'
    rb'"tokens": ?\{"budget": ?\d+, ?"used": ?\d+, ?"encoding": ?"'
    rb"|\# .*\n\r?\n.+; order: .+\n\r?\n\[Source \d+\] `"
    rb"|\# .*\n(?s:.*?)\n\#\# Sources\r?\n\r?\nThe sources below are from the repository .+; order: "
    rb'|\[\r?\n(?:\{"role":"[a-z]+","content":".*"\},\r?\n)*'
    rb'\{"role":"user","content":"Sources from the repository .+; order: '
    rb")"
)


def is_report(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is a report in one of our formats, whatever it was called."""
    return _REPORT.match(head) is not None
