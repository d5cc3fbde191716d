"""What a request names besides code: a model of a change, a new name, a version, an entry, a caption, a quotation.

The phrases beside which it stands are in ``cues.txt``, the form of what is named is here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Part
from ctxpack.query.dictionary import cue_pattern, cue_patterns
from ctxpack.query.lines import messages_of_console, messages_of_log
from ctxpack.query.lookups import FURTHER, NAMED, code_name_of
from ctxpack.query.mentions import SUFFIXES, without_frames
from ctxpack.query.messages import condense_messages
from ctxpack.query.parts import split_parts
from ctxpack.query.subtokens import STOPWORDS, is_identifier, raw_words


@dataclass(frozen=True, slots=True)
class Precedent:
    """What a change is to resemble: names as code writes them, lower-case words for one thing, or a list of words.

    A name of two words, such as Rocket.Chat, may also be that of a member: then its last word is meant.
    """

    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


_LOOSE: Final = cue_pattern("loose likeness")
_NO_COMPARISON: Final = cue_pattern("no comparison")
_EXAMPLE: Final = cue_pattern("example of one")
_MODEL_OPTION: Final = lazy_pattern(r"[`'\"«]?--?(?P<name>[A-Za-z][\w-]{1,60}+)(?! ones?\b)")
_MODEL_NAME: Final = lazy_pattern(NAMED)
_OF_TWO_WORDS: Final = lazy_pattern(r"[A-Z][a-z]{1,20}\.[A-Z][a-z]{1,20}")  # a product, perhaps, and no member
_MODEL_LIST: Final = lazy_pattern(r"[\w-]{1,40}+(?>(?:, [\w-]{1,40}+){1,20})(?:,? and [\w-]{1,40})?")
_PLAIN_WORD: Final = lazy_pattern(r"(?:--)?([A-Za-z]+(?:-[A-Za-z]+)*)")
_MOST_WORDS: Final = 3  # that tell what a precedent is
_FEWEST_MEMBERS: Final = 3
_LONGEST_CHANGE: Final = 120  # words: what is longer compares other things too


def precedent_of(text: str) -> Precedent:
    """What a text gives as the model of a change: "add f, done the same way as g"; empty where it gives none."""
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST_CHANGE:
        return Precedent()
    names: dict[str, None] = {}
    for match in (match for pattern in cue_patterns("resembling") for match in pattern.finditer(asked)):
        is_loose = bool(_LOOSE.match(match[0]))
        if is_loose and _NO_COMPARISON.search(asked[: match.start()]):
            continue
        names |= dict.fromkeys(_names_at(asked, match.end()))
        if names:
            continue
        listed = _MODEL_LIST.match(asked, match.end())
        members = tuple(re.split(r",? and |, ", listed[0].lower())) if listed else ()
        if len(members) >= _FEWEST_MEMBERS:
            return Precedent(members=members)
        if words := _description_at(asked, match.end(), is_loose=is_loose):
            return Precedent(words=words)
    examples = () if names else _EXAMPLE.finditer(asked)  # what there is, is a model as well; a new name is nowhere
    return Precedent(tuple(dict.fromkeys([*names, *(each for at in examples for each in _names_at(asked, at.end()))])))


def _names_at(text: str, start: int) -> Iterator[str]:
    """The names of code or options that begin at a place of a text ("f and g")."""
    if option := _MODEL_OPTION.match(text, start):
        yield option["name"]
    further = _MODEL_NAME.match(text, start)
    while further and (found := code_name_of(further, text))[1]:
        yield further["name"] if _OF_TWO_WORDS.fullmatch(further["name"]) else found[0]
        further = FURTHER.match(text, further.end("name"))


def _description_at(text: str, start: int, *, is_loose: bool) -> tuple[str, ...]:
    """The words of a description, up to the next that says nothing; after "like" two, or those of "the … one"."""
    found: list[str] = []
    end = start
    while len(found) < _MOST_WORDS and (match := _PLAIN_WORD.match(text, end)) and match[1].lower() not in STOPWORDS:
        found += match[1].lower().split("-")
        end = match.end() + text.startswith(" ", match.end())
        if end == match.end():
            break
    is_told = not is_loose or len(found) > 1 or re.match(r"ones?\b", text[end:])
    return tuple(found) if is_told else ()


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A program or library of which another version is to be required, and the versions that a request names."""

    name: str = ""
    versions: tuple[str, ...] = ()


_CHANGES_VERSION: Final = cue_pattern("other version")
_PROGRAM: Final = r"(?P<name>[A-Za-z][\w+#-]{0,40})"
_NUMBER: Final = r"v?(?P<version>\d+(?:\.\d+){0,3})(?![\w.]*\w)"
_FURTHER_NUMBER: Final = lazy_pattern(r"(?<![\w.])\d+\.\d+(?:\.\d+)?(?![\w.]*\w)")
_NOT_NAMED: Final = """
add at chapter code count drop error exit from height index issue length level line of option page phase port revision
section size status step support supports to type version versions width
"""
_NO_PROGRAM: Final = (STOPWORDS - {"go"}) | {*_NOT_NAMED.split()}
_LONGEST_ORDER: Final = 30  # words


def version_to_change(text: str) -> VersionChange:
    """The program of which a text wants another version ("drop Python 3.8"); nothing in other texts.

    Whether the repository requires one at all is not looked at.
    """
    asked = " ".join(without_frames(text).split())
    if len(asked.split()) > _LONGEST_ORDER or not _CHANGES_VERSION.search(asked):
        return VersionChange()
    patterns = cue_patterns("required version", program=_PROGRAM, number=_NUMBER)
    for match in (match for pattern in patterns for match in pattern.finditer(asked)):
        name = match["name"].lower()
        if name not in _NO_PROGRAM and not _is_in_call(asked, match.start()):
            numbers = _FURTHER_NUMBER.findall(asked)
            return VersionChange(name, tuple(dict.fromkeys([*filter(None, [match["version"]]), *numbers])))
    return VersionChange()


def _is_in_call(text: str, at: int) -> bool:
    """Whether a place is between the brackets of a call, where a name with a number is an argument: ``at(hour=2)``."""
    opens = text.rfind("(", 0, at)
    return opens > max(0, text.rfind(")", 0, at)) and (text[opens - 1].isalnum() or text[opens - 1] == "_")


_ENTRY: Final = cue_pattern("changelog entry")
_PAST: Final = cue_pattern("asked of the past")


def wants_entry(text: str) -> bool:
    """Whether a text wants something written into the changelog, and does not ask what it says."""
    return bool(_ENTRY.search(text)) and not _PAST.match(text.strip())


_PART_OF_SCREEN: Final = cue_pattern("part of a screen")
_RENAMING: Final = cue_pattern("renaming")
_CLAUSE: Final = lazy_pattern(r"(?<!\w)[^\W_][\w'’-]*(?: [^\W_][\w'’-]*)*")
_IN_MARKS: Final = lazy_pattern(r"(?<!\w)[\"'“‘«](?P<said>[^\W\d_][\w'’-]{0,30}(?: [\w'’-]{1,30})?)[\"'”’»](?!\w)")
_BEGINNING: Final = lazy_pattern(r"(?:^|[.!?:\n][ \t]*|\n[ \t]*[-*>#+]{1,6} ?)\Z")
_MOST_BEFORE: Final = 12  # characters before a clause that tell whether it begins a sentence
_LONGEST_CAPTION, _MOST_CAPTIONS = 5, 8  # of a caption; places of a request where one may be


@dataclass(frozen=True, slots=True)
class Caption:
    """Words of a request that may be a text on a screen: ``Delete all`` of "the Delete all button".

    ``is_told`` says that they stand in quotation marks, beside a word such as button, or as what is renamed.
    """

    words: tuple[str, ...]
    is_told: bool


def captions_of(text: str) -> tuple[tuple[Caption, ...], ...]:
    """Return what may be captions, one group for each place of a text where one may be, the longest first.

    They begin with a capital within a sentence, or stand beside what tells that it is one; a single word needs both.
    """
    found: dict[tuple[Caption, ...], None] = {}
    for part, said in split_parts(text):
        if part in (Part.TITLE, Part.PROSE):
            marked = [(Caption(tuple(match["said"].split(" ")), is_told=True),) for match in _IN_MARKS.finditer(said)]
            found |= dict.fromkeys(group for group in marked if group[0].words[0][0].isupper())
            for match in _CLAUSE.finditer(said):
                before = said[max(0, match.start() - _MOST_BEFORE) : match.start()]
                found |= dict.fromkeys(_captions_of_clause(match[0].split(" "), begins=bool(_BEGINNING.search(before))))
    found.pop((), None)
    told = sorted(found, key=lambda group: not any(caption.is_told for caption in group))
    return tuple(told[:_MOST_CAPTIONS])


def _captions_of_clause(words: Sequence[str], *, begins: bool) -> Iterator[tuple[Caption, ...]]:
    """The captions that a run of words without marks between them may hold, by where they begin or end."""
    parts = [bool(_PART_OF_SCREEN.fullmatch(word)) for word in words]

    def caption(start: int, end: int) -> Caption | None:
        is_named = words[start][0].isupper()
        is_beside = parts[end : end + 1] == [True] or (
            start > 0 and (parts[start - 1] or (is_named and _RENAMING.fullmatch(words[start - 1]) is not None))
        )
        is_name_within = is_named and (
            start > 0 or not begins or any(word[0].isupper() for word in words[start + 1 : end])
        )
        fits = is_name_within or is_beside if end - start > 1 else is_named and is_beside
        is_prose = not is_named and words[start].lower() in STOPWORDS  # "would like an option" has no caption
        return Caption(tuple(words[start:end]), is_told=is_beside) if fits and not is_prose else None

    for at, word in enumerate(words):
        if word[0].isupper() or (at > 0 and parts[at - 1]):
            ends = range(min(at + _LONGEST_CAPTION, len(words)), at, -1)
            yield tuple(each for end in ends if (each := caption(at, end)))
        if parts[at]:
            starts = range(max(at - _LONGEST_CAPTION, 0), at)
            yield tuple(each for start in starts if (each := caption(start, at)))


METHODS: Final = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_BEFORE_PATH: Final = "curl|page|route|endpoint|url|path|страниц[аеуы]"
_PART: Final = r"(?:[\w.~%@$*+=-]{1,80}|:\w{1,40}|<[\w:]{1,40}>|\{\w{1,40}\}|\[\w{1,40}\])"
_ENDPOINT: Final = lazy_pattern(
    rf"(?:\b(?P<word>{_BEFORE_PATH})\b[^\n/]{{0,40}}?)?(?:\b(?P<method>{METHODS})\b[ \t`\"']{{1,4}})?"
    r"(?:(?P<host>https?://[^/\s\"'`<>]{1,100})|(?<![\w/.:)\]>~-]))"
    rf"(?P<path>(?:/{_PART}){{1,12}})/?(?=[\s?#\"'`,.;:)]|$)"
)
_OWN_HOSTS: Final = lazy_pattern(
    r"://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|[\w.-]{0,60}\bexample\.|[\w.-]{1,60}\.(?:local|test)\b)"
)
_FOLDERS_OF_A_MACHINE: Final = frozenset(
    "bin boot dev etc home lib lib64 media mnt opt private proc root run sbin srv sys tmp usr var volumes".split()  # noqa: SIM905
)
_VARIABLE: Final = lazy_pattern(r"[:<{\[*].*|\d+|[0-9a-fA-F-]{8,}")
_MIXED: Final = lazy_pattern(
    r"(?=\w*\d)(?=\w*[a-z])(?!v\d)\w{4,}"
)  # such as ``abc123``, which may be a word: ``2fa_login``
_FORMAT: Final = lazy_pattern(r"\.(?:json|xml|rss|atom|csv|html)$")  # of an answer


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the request: ``PUT /v1/users/3``; ``method`` is empty where it names none."""

    method: str
    parts: tuple[str, ...]
    fixed: tuple[str, ...]
    """The parts that are no numbers, identifiers or placeholders."""

    @property
    def without_end(self) -> tuple[str, ...]:
        """The parts without the last ones that are not fixed; empty where there are none such."""
        kept = max((at for at, part in enumerate(self.parts, 1) if part in self.fixed), default=0)
        return self.parts[:kept] if kept < len(self.parts) else ()

    def __str__(self) -> str:
        """As a request writes it."""
        return f"{self.method} /{'/'.join(self.parts)}".strip()


def endpoints_of(text: str, is_known: Callable[[str], bool]) -> tuple[Endpoint, ...]:
    """Return the endpoints in a text that may be those of a server: no files, no pages of other projects.

    ``is_known`` tells whether the code has a part that may be a word or an identifier.
    """
    found: dict[Endpoint, None] = {}
    for match in _ENDPOINT.finditer(text):
        parts = tuple(match["path"].strip("/").split("/"))
        is_own = match["method"] or match["word"] or not match["host"] or _OWN_HOSTS.search(match["host"])
        is_file = not match["method"] and parts[-1].rpartition(".")[2].lower() in SUFFIXES
        is_far = not match["host"] and (parts[0].lower() in _FOLDERS_OF_A_MACHINE and not match["method"])
        parts = (*parts[:-1], _FORMAT.sub("", parts[-1])) if match["method"] else parts
        fixed = tuple(
            part for part in parts if not _VARIABLE.fullmatch(part) and (not _MIXED.fullmatch(part) or is_known(part))
        )
        is_told = len(parts) > 1 or bool(match["method"] or match["word"])
        if is_own and is_told and fixed and not is_file and not is_far:
            found[Endpoint(match["method"] or "", parts, fixed)] = None
    return tuple(found)


_RENAMED: Final = cue_pattern("renamed to")
_NEW_NAMED: Final = cue_pattern("to be called")


def without_new_name(text: str, *, is_change: bool = False) -> str:
    """The text of a request without the name that something is to be given, where that is one of code or of a label.

    Of a change also without what is to be new is called, or an example of it in quotation marks.
    """
    text = _NEW_NAMED.sub(lambda match: match["what"] or match["kind"], text) if is_change else text
    return _RENAMED.sub(lambda match: match["before"] if _is_name(match["name"]) else match[0], text)


def _is_name(name: str) -> bool:
    bare = name.strip("`'\"«»()")
    return bare != name or is_identifier(bare) or name[0].isupper()


_ONE_MORE: Final = cue_pattern("one more")


def wants_one_more(text: str) -> bool:
    """Whether a text asks for one more of what there are some of: "add X as another way to sign in"."""
    return _ONE_MORE.search(text) is not None


_WORDS_BEHIND: Final = 3  # "another", of which one may be the kind
_SOME_MORE: Final = cue_pattern("some more")
_VAGUE: Final = frozenset("class driver file kind implementation type variant вид драйвер класс тип файл".split())  # noqa: SIM905
_NEW_NAME: Final = lazy_pattern(
    r"(?:\b(?:called|named) )?"
    r"(?:`[^`\n]{1,60}`|(?<!\w)'[^'\n]{1,60}'(?!\w)|\"[^\"\n]{1,60}\"|«[^»\n]{1,60}»|--[\w-]{1,60})"
    r"|\b(?:called|named) [\w.:-]{1,60}"
)
_JOINED: Final = lazy_pattern(r"\b\w{1,30}-\w{1,30} (?=\w)")  # "user-facing", which says what it is like
_END_OF_KIND: Final = lazy_pattern(r"[.,;:!?()\n\"]")


def kinds_wanted(text: str) -> tuple[str, ...]:
    """The words, in lower case, that say what there is to be one more of ("mail transport"); none where nothing is."""
    found = _ONE_MORE.search(text) or _SOME_MORE.search(text)
    behind = _END_OF_KIND.split(_NEW_NAME.sub("", text[found.end() :]).strip())[0] if found else ""
    words = [word.lower() for word in raw_words(_JOINED.sub("", behind))]
    said = list(dropwhile(STOPWORDS.__contains__, words))
    kinds = tuple(takewhile(lambda word: word not in STOPWORDS, said))[:_WORDS_BEHIND]
    return tuple(word for word in kinds if word not in _VAGUE) or kinds


_OWN: Final = cue_pattern("own one")


def kinds_to_implement(text: str) -> tuple[str, ...]:
    """The words, in lower case, that may say what somebody writes an own one of: "plug in my own storage"."""
    found = _OWN.search(text)
    behind = [word.lower() for word in raw_words(text[found.end() :])][:_WORDS_BEHIND] if found else ()
    return tuple(word for word in behind if word not in STOPWORDS)


_MARKS: Final = lazy_pattern(
    r"`([^`\n]{1,160})`|(?<!\w)'([^'\n]{8,160})'(?!\w)|\"([^\"\n]{1,300})\"|«([^»\n]{1,160})»|“([^”\n]{1,160})”"
)
_SORTS: Final = "bug|docs?|enhancement|feature|help|proposal|question|regression|request|rfc"  # of issues
_ERROR: Final = lazy_pattern(
    r"(?m)^(?:Uncaught (?:\(in promise\) )?|[^\n:(]{0,40}\()?[ \t>\[-]{0,80}"
    r"(?:(?![a-z]{1,40}[A-Z])[\w.$:\\]{0,100}(?:Error|Exception|Failure|Warning)\b(?:[^:\n]{0,40}: | (?![a-z]))"
    r"|(?:panic|fatal|Fatal(?=:)|FAIL(?:ED)?|ERROR)\b(?:[^:\n]{0,40}:)? )(?P<said>[^\n]{8,300})$"
    r"|panicked at (?:'(?P<old>[^\n]{8,300}?)', [^\s']{1,200}\.rs:\d"
    r"|[^\n]{0,400}?(?:\.rs:\d{1,9}:\d{1,9}: |\n)(?P<panic>[^\n]{8,300}))"
    rf"|^\[(?!(?i:{_SORTS})\b)[^\]\n]{{1,40}}\]: (?P<tagged>[^\n]{{8,300}})$"
    r"|^(?:(?:(?:error|warning|warn)(?:\[\w{1,20}\])?|[A-Za-z]{1,40}[A-Z_]\w{0,40}):"
    r"|[ \t]{1,8}(?:\d{1,2}:(?![^\n]{0,300}::)|[├╰└]─+▶)) (?P<named>[^\n]{8,300})$"  # also the cause of one in Rust
    r"|(?<!\S)[\w./-]{1,60}(?::\d{1,6}){0,2}: (?:(?:fatal )?(?:error|fatal|warning)(?: \([^()\n]{1,60}\))?:"
    r"|\(\d{1,5}\)) (?P<of>[^\n]{8,300})$",  # of a program or compiler
)
_CALL: Final = lazy_pattern(r"[\w$]+(?:(?:\.|::|->|#)[\w$]+)*!?\([^\n]*\);?")  # code, maybe of many words
_PLACE: Final = lazy_pattern(r"[^\s/]*/\S*|\d\S*")  # an address, a path, or a time
_SENTENCE: Final = r"(?<=[^\s.?!][.?!])\s+(?=[A-ZА-ЯЁ])"
# Between two quotations: the end of a sentence, or what a message was given to say, an option or a name in marks.
_BETWEEN: Final = lazy_pattern(
    rf"{_SENTENCE}|(?<!\S)--?[a-zA-Z][\w-]*|(?<!\w)'[^'\n]{{1,80}}'(?!\w)|\"[^\"\n]{{1,80}}\"|`[^`\n]{{1,80}}`"
)
# Between what one error says and another; a number or path, which no code says; how an address calls what it explains.
_WRAPPED: Final = lazy_pattern(r"(?<=[^\W\d_]{3}): (?=[^\W\d_])|(?<!\S)(?:\d{1,9}|/\S{1,200})(?!\S)")
_SLUG: Final = lazy_pattern(r"https?://[^\s<>\"']{1,200}[/#]([a-z]{2,}(?:[-_][a-z]{2,}){2,})/?(?=[\s<>\"'`),.;]|$)")
_FEWEST, _MOST = 3, 8  # words: fewer are together by chance; quotations of a request that are looked for


def quotes_of(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each quotation, lower-case, in order; a quotation that only names a place is left out.

    Of an error around another one also the words of each.
    """
    text = text.replace('\\"', "'")  # in a text of JSON
    said = [match[match.lastgroup or 0] for match in _ERROR.finditer(text)] + messages_of_log(text)
    marks = _MARKS.finditer(without_frames(text))
    marked = (next(group for group in match.groups() if group) for match in marks)
    said += [each for each in marked if not _CALL.fullmatch(each) and not _PLACE.fullmatch(each)]
    said += messages_of_console(text)
    sentences = [part for each in said for part in _BETWEEN.split(each)]
    sentences += [re.sub("[-_]", " ", match[1]) for match in _SLUG.finditer(text)]
    whole = (part for each in said for part in re.split(_SENTENCE, each) if "`" not in part and _BETWEEN.search(part))
    sentences += [each for each in whole if condense_messages(each) == each]  # what a runtime says is of no repository
    sentences += [part for each in sentences for part in _WRAPPED.split(each) if part != each]
    found = dict.fromkeys(tuple(word.lower() for word in raw_words(each)) for each in sentences)
    return tuple(words for words in found if len(words) >= _FEWEST)[:_MOST]


_MOSTLY: Final = 0.6  # of the words of a text


def is_message(text: str) -> bool:
    """Whether a text is one line, and hardly more than what an error said or what stands in quotation marks."""
    line = text.strip()
    quoted = sum(map(len, quotes_of(line)))
    is_most = _ERROR.fullmatch(line) is not None or quoted >= _MOSTLY * len(raw_words(line))
    return bool(quoted) and "\n" not in line and is_most
