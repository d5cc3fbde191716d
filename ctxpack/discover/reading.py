"""What a file's content and path tell, where no run before has judged it: kind, language, traits, blob id."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

from ctxpack.discover import content, traits
from ctxpack.discover.judgement import Judgement
from ctxpack.discover.kinds import Kinds
from ctxpack.discover.known import Known
from ctxpack.discover.listing import Found
from ctxpack.discover.surroundings import Surroundings
from ctxpack.languages import language_of_name
from ctxpack.model import Kind, Trait


def read(root: str, found: Found, judgement: Judgement) -> Known:
    """What the content of a listed file tells. Raises OSError."""
    status = found.status
    name = found.path.rpartition("/")[2]
    file = os.open(f"{root}/{found.path}", os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        head = os.read(file, content.HEAD_SIZE)
        facts = content.sniff(head, _language(found.path, name, judgement), is_whole=status.st_size <= len(head))
        blob = found.blob
        if not blob and facts.skip_reason != "binary":
            with os.fdopen(file, "rb", closefd=False) as stream:
                blob = digest(head + stream.read(), found.indexed)
    finally:
        os.close(file)
    return Known(status.st_size, status.st_mtime_ns, blob, facts.language, facts.traits, facts.skip_reason)


def judged(path: str, known: Known, judgement: Judgement) -> Known:
    """What is known of the content, with what the path tells."""
    by_name = _language(path, path.rpartition("/")[2], judgement)
    language = known.language if by_name in {"", "text"} else by_name
    kind = judgement.kinds.kind(path, language)
    return known._replace(language=language, kind=kind, traits=_merged(traits.of_path(path), known.traits))


def classify(path: str, head: bytes, patterns: Mapping[str, tuple[str, ...]]) -> tuple[Kind, str, tuple[Trait, ...]]:
    """Kind, language and traits of one file alone, from its path, its first bytes and the configured patterns."""
    facts = content.sniff(head, language_of_name(path.rpartition("/")[2]), is_whole=True)
    kind = Kinds(patterns, Surroundings()).kind(path, facts.language)
    return kind, facts.language, _merged(traits.of_path(path), facts.traits)


def digest(data: bytes, indexed: str = "") -> str:
    """Git's blob id of ``data``; the ``indexed`` id if only line ends differ, as git's own conversion leaves them."""
    new = hashlib.sha256 if len(indexed) == 64 else hashlib.sha1  # noqa: PLR2004 -- git's two object formats
    blob = new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    if indexed and blob != indexed and b"\r\n" in data:
        unix = data.replace(b"\r\n", b"\n")
        if new(b"blob %d\0" % len(unix) + unix, usedforsecurity=False).hexdigest() == indexed:
            return indexed
    return blob


def _language(path: str, name: str, judgement: Judgement) -> str:
    if not name.endswith((".h", ".H")):
        return language_of_name(name)
    return language_of_name(name, is_cpp_near=judgement.near.is_cpp_near(path.rpartition("/")[0]))


def _merged(by_path: tuple[Trait, ...], by_content: tuple[Trait, ...]) -> tuple[Trait, ...]:
    return traits.in_order([*by_path, *by_content]) if by_content else by_path
