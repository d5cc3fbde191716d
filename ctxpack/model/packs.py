"""A finished answer, its pages, and the conversation that it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ctxpack.model.files import RepositoryState, Skipped
from ctxpack.model.fragments import Selection
from ctxpack.model.requests import Query, Request


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. ``role`` is ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What is left of messages that a prompt had no room for: an extract, marked as such.

    ``created`` is seconds since the epoch, ``covers`` the digests of the messages, ``score`` how well it answers the
    request that it was recalled for.
    """

    id: str
    text: str
    created: float
    covers: tuple[str, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Conversation:
    """What stands around the pieces of a prompt, redacted: only the prompt formats show it."""

    instructions: str = ""
    system: str = ""
    history: tuple[Message, ...] = ()  # oldest first
    trimmed: int = 0  # older messages that had no room
    memories: tuple[Memory, ...] = ()  # best first


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation, what the user should know of it, and what the session is to remember once the pack is made."""

    conversation: Conversation
    notes: tuple[str, ...] = ()
    fresh: Memory | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A finished answer: everything a renderer needs, and nothing that depends on the clock."""

    request: Request
    query: Query
    state: RepositoryState
    selection: Selection
    budget: int
    encoding: str
    strategy: str
    order: str = "relevance"  # a name of ctxpack.select.order.ORDERS
    tokens_used: int = 0
    first_source: int = 1  # the number of its first piece: the pages behind a pack count on
    model: str = ""  # whose tokens were counted, if one was named
    estimate: str = ""  # how that count was made and how far it can be off; empty where it is exact
    tree: str = ""  # a budgeted project tree
    considered: int = 0  # files that were searched
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()  # sentences for the user: what was degraded, left out or redacted
    stats: Mapping[str, int] = field(default_factory=dict)
    has_figures: bool = False  # whether all that is known in numbers was asked for
    conversation: Conversation = Conversation()
    rest: Rest | None = field(default=None, repr=False, compare=False)  # what was gathered for it

    def pages(self) -> Iterator[Page]:
        """This pack, then page by page what it left out, the best first; each within the budget, no line twice."""
        return self.rest.pages(self) if self.rest else iter(())


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a pack, a pack itself, and its text in the format of the first."""

    pack: Pack
    text: str


class Rest(Protocol):
    """Knows what was gathered for a pack, and so what comes behind it."""

    def pages(self, pack: Pack) -> Iterator[Page]:
        """The pack and what follows, each as a page."""
