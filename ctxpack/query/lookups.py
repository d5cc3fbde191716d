"""Requests that look one thing up: a definition, uses of a name, an option, what a file holds or a commit changed.

The phrases that ask for it are in ``cues.txt``; what a name, a path or a hash looks like is here, and put into them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query.dictionary import cue_pattern, cue_patterns
from ctxpack.query.mentions import SUFFIXES, TOP_DOMAINS
from ctxpack.query.subtokens import MIN_PART, SETTING_KEY, STOPWORDS, is_identifier, parts_of_row, raw_words, split

_NAME: Final = r"[`'\"«]?(?P<name>[^\W\d][\w.:]*)(?:\(\))?[`'\"»]?"


def name_to_define(text: str) -> str:
    """The name whose definition is all that a text asks for; empty if it asks for something else."""
    asked = text.strip().rstrip("?.! ")
    matches = (pattern.fullmatch(asked) for pattern in cue_patterns("definition", name=_NAME))
    match = next(filter(None, matches), None)
    return re.split(r"[.:]", match["name"].rstrip(".:"))[-1] if match else ""


@dataclass(frozen=True, slots=True)
class UseRequest:
    """Names whose uses a request asks for: those of code, or paths of files as written.

    ``is_sure``: it asks for uses in so many words, not for a change that has to be made wherever a name is used.
    ``of_value``: it asks what a name stands for, or which code sets or reads it.
    """

    names: tuple[str, ...] = ()
    is_sure: bool = False
    of_value: bool = False


_LONGEST: Final = 60  # words: what is longer tells of more than the uses of a name
_LONGEST_ABOUT_IT: Final = 30  # words, where "it" stands for the name
_LONGEST_WITH_WORD: Final = 12  # words, where the name is a plain word: "a list that the command uses to check values"
NAMED: Final = r"[`'\"«]?\.?(?P<name>[^\W\d](?:[\w.:]|-(?=[\w-])|#(?=[^\W\d])){1,80})(?:\(\))?[`'\"»]?"
FURTHER: Final = lazy_pattern(rf"(?:\(\))?[`'\"»]?(?:,|,? and|,? or| и)(?: the)? {NAMED}")
_OF_IT: Final = cue_pattern("uses of it")
_CONSTANT: Final = cue_pattern("constant", name=NAMED)
_SHOW: Final = cue_pattern("name to show", owners=r"(?:[\w$]+(?:\.|::|->|#))*", name=NAMED)
_CLOSING: Final = {"`": "`", "'": "'", '"': '"', "«": "»"}  # "remove `for = …`" is about no name
_ANY_NAME: Final = lazy_pattern(NAMED)
_ENTIRELY: Final = cue_pattern("entirely")
_SENTENCES: Final = lazy_pattern(r"(?<=[.?!;]) ")
_PATH: Final = r"[`'\"«]?(?P<path>(?:[\w@.+-]{1,100}/){0,20}[\w@+-][\w@.+-]{0,100}\.[A-Za-z]\w{0,8})(?!\w)[`'\"»]?"


def uses_to_find(text: str) -> UseRequest:
    """The names whose uses a text asks for: "who calls f", "default of g", "rename h"; none of another request.

    A name is code-shaped or in marks, or a plain word where the text is short ("what uses redis") or says so clearly
    ("drop elvish altogether"). A function or constant alone asks for its definition and for who uses it.
    """
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST:
        return UseRequest()
    bare = SETTING_KEY.sub(" ", asked)  # the last part of a key, such as ms, is no name
    meant = _code_names(bare) if len(asked.split()) <= _LONGEST_ABOUT_IT and _OF_IT.search(asked) else ()
    asked_for, is_brief = cue_patterns("uses asked for", name=NAMED), len(asked.split()) <= _LONGEST_WITH_WORD
    sure = meant if len(meant) == 1 else _named_in(asked, asked_for, plain=is_brief)
    if sure := sure or _named_in(asked, cue_patterns("tests or users", name=NAMED), plain=False):
        return UseRequest(sure, is_sure=True)
    if of_value := _named_in(bare, cue_patterns("values asked for", name=NAMED), plain=False):
        return UseRequest(of_value, is_sure=True, of_value=True)
    constant = _CONSTANT.fullmatch(asked)
    if constant and (name := code_name_of(constant, asked)[0]) and name.isupper() and is_identifier(name):
        return UseRequest((name,), is_sure=True)
    shown = _SHOW.fullmatch(asked)
    if shown and (name := code_name_of(shown, asked)[0]) and is_identifier(name) and _is_no_class(name):
        return UseRequest((name,), is_sure=True)  # not a class: its parts matter more than its uses
    changes = cue_patterns("change of a name", name=NAMED)
    named = (name for each in _SENTENCES.split(asked) for name in _named_in(each, changes, plain=is_about_all(each)))
    return UseRequest(tuple(dict.fromkeys(named)))


def is_about_all(text: str) -> bool:
    """Whether a text says that every place is meant: "completely", "from the whole code"."""
    return _ENTIRELY.search(text) is not None


def file_uses_to_find(text: str) -> UseRequest:
    """The paths of files whose uses a text asks for: "who links to a.md", "I renamed b.py, what else has to change?".

    A dotted name of code (``app.run``) looks the same: whether there is such a file is not looked at.
    """
    asked = " ".join(text.split())
    uses, changes = cue_patterns("uses of a file", path=_PATH), cue_patterns("change of a file", path=_PATH)
    for patterns, is_sure in ((uses, True), (changes, False)):
        paths = (match["path"] for pattern in patterns for match in pattern.finditer(asked))
        if len(asked.split()) <= _LONGEST and (found := tuple(dict.fromkeys(paths))):
            return UseRequest(found, is_sure)
    return UseRequest()


_OF_KIND: Final = lazy_pattern(r" (?:(?:and|or) [\w-]{1,40} )?(?:apis?|approach|mode|pattern|style|syntax|way)\b")


def _named_in(text: str, patterns: Iterable[re.Pattern[str]], *, plain: bool) -> tuple[str, ...]:
    """The names that the patterns find, as written, and those that follow them ("f and g")."""
    found: dict[str, None] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            further: re.Match[str] | None = match
            while further:
                name, is_sure = code_name_of(further, text)
                is_word = plain and further is match and _says_something(name) and not _ENTIRELY.fullmatch(name)
                is_word = is_word and not _OF_KIND.match(text, match.end("name"))
                if is_sure or is_word:
                    found[name] = None
                further = FURTHER.match(text, further.end("name"))
    return tuple(found)


def _code_names(text: str) -> tuple[str, ...]:
    """Every name of a text that is clearly one of code."""
    named = (code_name_of(match, text) for match in _ANY_NAME.finditer(text))
    return tuple(dict.fromkeys(name for name, is_sure in named if is_sure))


def code_name_of(match: re.Match[str], text: str) -> tuple[str, bool]:
    """The last part of a name, and whether it is clearly one of code."""
    *owners, name = re.split(r"[.:#]+", match["name"].rstrip(".:#"))
    before, after = text[match.start("name") - 1 : match.start("name")], text[match.end("name") : match.end("name") + 3]
    is_closed = before in _CLOSING and after.removeprefix("()").startswith(_CLOSING[before])
    is_qualified = bool(owners) and not name[:1].isdigit() and name not in SUFFIXES | TOP_DOMAINS  # not notes.md
    is_marked = before == "." or after[:1] == "(" or is_closed or is_qualified
    return name, bool(name) and (is_marked or is_identifier(name))


def _is_no_class(name: str) -> bool:
    return name.isupper() or not name.strip("_")[:1].isupper()


def _says_something(word: str) -> bool:
    return len(word) > MIN_PART and word.lower() not in STOPWORDS


# An option of one letter by itself or in a command; its value may follow without a space.
_SHORT_OPTION: Final = lazy_pattern(r"(?<![\w.,:/-])-(?P<letter>[A-Za-z])(?=[\s`'\"»,;:.?!)\]=\d]|$)")
_LONG: Final = r"--(?P<long>[A-Za-z][\w-]{1,40})"
_NAME_OF_OPTION: Final = r"[\"'](?P<long>[A-Za-z][\w-]{1,40})[\"']"
_IS_SHORT: Final = r"\bshort[\"']?[ ]?[=(:][ ]?[\"'](?P<short>[A-Za-z])[\"']"
_IS_LONG: Final = rf"\blong[\"']?[ ]?[=(:][ ]?{_NAME_OF_OPTION}"
# As help and parsers of a command line write one beside its long name; the last ones have it in two arguments.
_DECLARED: Final = tuple(
    map(
        lazy_pattern,
        (
            rf"(?<![\w-])-(?P<short>[A-Za-z])(?![\w-])(?P<between>[^\n-]{{1,24}}){_LONG}",
            rf"{_LONG}(?![\w-])(?P<between>[^\n-]{{1,24}})(?<![\w-])-(?P<short>[A-Za-z])(?![\w-])",
            rf"{_IS_SHORT}[^{{}}]{{1,80}}?{_IS_LONG}",
            rf"{_IS_LONG}[^{{}}]{{1,80}}?{_IS_SHORT}",
            r"\bshort,[^\]]{0,120}\][\s]{1,40}(?:pub )?(?P<long>(?P<short>[a-z])[a-z_]{1,40}):",
            rf"{_NAME_OF_OPTION},[^\n{{}}\"']{{0,40}}[ ][\"'](?P<short>[A-Za-z])[\"']",
            rf"(?<![\w\"'])[\"'](?P<short>[A-Za-z])[\"'],[ ]?{_NAME_OF_OPTION}",
            rf"\bName: ?{_NAME_OF_OPTION}[^{{}}]{{1,80}}?Aliases: ?\[\]string\{{[^{{}}]{{0,40}}\"(?P<short>[A-Za-z])\"",
        ),
    )
)
_TELLS_SO: Final = lazy_pattern(r"[,|/(]|==| or ")  # what stands between the two names of one option
_OF_TWO: Final = lazy_pattern(r"\b(?:and|than|to|with|without)\b")


def short_options_of(text: str) -> tuple[str, ...]:
    """The letters of the options of one letter in a text, as in ``-p 2``."""
    return tuple(dict.fromkeys(match["letter"] for match in _SHORT_OPTION.finditer(text)))


def options_declared(text: str) -> Iterator[tuple[str, str, int]]:
    """The options of one letter that a text declares with a long name: the letter, the name, and where it stands."""
    for pattern in _DECLARED:
        for match in pattern.finditer(text):
            between = match.groupdict().get("between", ",")
            if _TELLS_SO.search(between) and not _OF_TWO.search(between):
                yield match["short"], match["long"], match.start()


_NEAR: Final = 120  # characters before and behind a letter
_CLEARLY: Final = 0.5  # of all that is known of a letter: else it is an option of several commands, or an example


def long_names(letters: Sequence[str], said: Iterable[str], texts: Iterable[str]) -> dict[str, str]:
    """The long name of each option of one letter that some texts clearly declare; more so beside words of a request."""
    meant, any_of = frozenset(said), "".join(letters)
    # Most of a text is far from one.
    near = re.compile(rf"(?<![\w-])-[{any_of}](?![\w-])|[\"'][{any_of}][\"']|\bshort,")
    told: dict[str, Counter[str]] = {letter: Counter() for letter in letters}
    for text in texts:
        places = (max(match.start() - _NEAR, 0) for match in near.finditer(text))
        found = {
            (each[0], each[1], at + each[2]) for at in places for each in options_declared(text[at : at + 2 * _NEAR])
        }
        for letter, name, at in found:
            if letter in told:
                line = text[at : at + _NEAR].partition("\n")[0]
                told[letter][name] += 1 + 2 * len(meant & {part for word in raw_words(line) for part in split(word)})
    best = {letter: max(names, key=lambda name: (names[name], name)) for letter, names in told.items() if names}
    return {letter: name for letter, name in best.items() if told[letter][name] >= _CLEARLY * told[letter].total()}


_WITH_LONG_NAME: Final = lazy_pattern(r"-(?P<letter>[A-Za-z])[^\n()]{0,80}? \(--(?P<long>[A-Za-z][\w-]{1,40})\)")


def options_with_long_names(text: str) -> list[tuple[str, str]]:
    """The options of one letter in a text and their long names, where ``with_long_names`` put them."""
    return [(match["letter"], match["long"]) for match in _WITH_LONG_NAME.finditer(text)]


def with_long_names(text: str, names: Mapping[str, str]) -> str:
    """The text with the long names of its options of one letter: ``what does -p (--preset) do``."""
    for letter, name in names.items():
        match = next((each for each in _SHORT_OPTION.finditer(text) if each["letter"] == letter), None)
        if match:
            mark = text.find("`", match.end()) + 1 if text.count("`", 0, match.start()) % 2 else 0
            at = mark or match.end("letter")
            text = f"{text[:at]} (--{name}){text[at:]}"
    return text


_OBJECT: Final = cue_pattern("object of a question")


def asked_words(text: str) -> tuple[str, ...]:
    """The object of a question: the words after "where is the", up to the next stop word; lower-case."""
    found = _OBJECT.search(text)
    return _words_of_object(found["object"]) if found else ()


def _words_of_object(text: str) -> tuple[str, ...]:
    words = dropwhile(STOPWORDS.__contains__, map(str.lower, raw_words(text)))
    return tuple(takewhile(lambda word: word not in STOPWORDS, words))


def phrases_sought(text: str) -> tuple[tuple[str, ...], ...]:
    """What the questions of a text look for, as lower-case words: "in which class is the token bucket"."""
    patterns = (_OBJECT, *cue_patterns("sought by a question"))
    return tuple(_words_of_object(match["object"]) for pattern in patterns for match in pattern.finditer(text))


_ABOUT_FILE: Final = cue_pattern("about a file", path=_PATH)


def file_to_show(text: str) -> str:
    """The path that a text asks about and nothing else ("explain src/app.py"); empty for other texts.

    Whether there is such a file is not looked at: ``app.run`` may be a method.
    """
    match = _ABOUT_FILE.fullmatch(text.strip())
    return match["path"] if match else ""


_HASH: Final = r"(?P<hash>(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40})(?![\w.-])"  # a number is none
# A hash elsewhere may be that of a build or an image; where a review is asked for, it is what to review.
_COMMIT: Final = lazy_pattern(
    rf"(?:\b(?:commit|revision|changeset|коммит\w{{0,3}})[ :#]{{0,3}}|/commit/)[`'\"(]?{_HASH}", re.IGNORECASE
)
_ANY_HASH: Final = lazy_pattern(rf"(?<![\w./@#-]){_HASH}")
_PULL: Final = lazy_pattern(r"(?<![\w&/#])(?P<number>#\d{1,6})(?![\w-])")
_LAST_COMMIT: Final = lazy_pattern(
    r"\b(?:(?:the|my|our|your) (?:last|latest|most recent) commit|HEAD|последн\w{2,3} коммит\w{0,2})\b"
    r"(?! (?:message|request|method|response|call|route|handler|tag|element|section)s?\b)"
)


def commit_to_read(text: str, *, is_review: bool) -> str:
    """The commit that a text is about, as git names it, or a pull request, as ``#12``; empty for a text without one.

    It is a commit named as such, by its hash. Of a review also a hash alone, the last commit, or the number of a pull
    request. Whether there is such a one is not looked at.
    """
    if match := _COMMIT.search(text) or (_ANY_HASH.search(text) if is_review else None):
        return match["hash"]
    if not is_review:
        return ""
    pull = _PULL.search(text)
    return pull["number"] if pull else "HEAD" if _LAST_COMMIT.search(text) else ""


_ABOUT_PROJECT: Final = cue_pattern("about the project")
_POLITE: Final = cue_pattern("polite")
_BESIDE: Final = cue_pattern("beside an overview")
_CLAUSE: Final = lazy_pattern(
    r" ?[,.;:?!]{1,9} ?| [-–—] "
    r"| (?:and|и) (?=(?:how|what|which|where|explain|show|tell|give|walk|как|что|где|какие|с чего)\b)"
)
_LONGEST_OVERVIEW: Final = 30  # words


def wants_overview(text: str) -> bool:
    """Whether a text asks what the project is, how it is structured, or where to begin; at most also to set it up."""
    asked = " ".join(text.split())
    polite = (_POLITE.sub("", clause) for clause in _CLAUSE.split(asked.lower()))
    clauses = [clause for clause in polite if clause and not _BESIDE.fullmatch(clause)]
    is_about = all(map(_ABOUT_PROJECT.fullmatch, clauses))
    return bool(clauses) and is_about and 1 < len(asked.split()) <= _LONGEST_OVERVIEW


_STRUCTURE: Final = cue_pattern("about the structure")


def wants_structure(text: str) -> bool:
    """Whether a text asks how the parts of a program work together, or where to begin to read, perhaps of one topic."""
    return len(text.split()) <= _LONGEST and bool(_STRUCTURE.search(text))


# Examples of values: they occur in no repository.
_QUOTED: Final = lazy_pattern(r"(?<!\w)'[^'\n]{1,60}'(?!\w)|\"[^\"\n]{1,60}\"|«[^»\n]{1,60}»|(?<=\w=)[\w.:/@+-]{1,200}")
# A capital within a sentence, in a word or a row of them; a digit or underscore in a word; backticks.
_AS_NAME: Final = lazy_pattern(
    r"(?<=[^.!?\n] )[A-ZА-ЯЁ][\w.-]*|(?<!\w)(?:\w*[a-zа-яё][A-ZА-ЯЁ]\w*|\w+_\w+|\w*\d\w*)|`[^`\n]{1,200}`"
)


def names_said(text: str) -> frozenset[str]:
    """The subtokens of what a text writes as names, quotations aside: "PostgreSQL", ``pool_size``, "SARIF"."""
    said = (match[0] for match in _AS_NAME.finditer(_QUOTED.sub(" ", text)))
    return frozenset(part for name in said for word in raw_words(name) for part in split(word))


def only_quoted(text: str) -> frozenset[str]:
    """The subtokens that a text has in quotation marks alone, and those of a row of names."""
    texts = (" ".join(match[0] for match in _QUOTED.finditer(text)), _QUOTED.sub(" ", text))
    own, others = ({part for word in raw_words(each) for part in split(word)} for each in texts)
    return frozenset(own - others).union(parts_of_row(text))


# What a call is on stands before it, as in "the pubsub's listen()", or behind it: "listen() of the pubsub".
_CALLED_BEHIND: Final = lazy_pattern(
    r"(?<![\w.:#/>-])(?P<owner>[A-Za-z_]\w{2,60})(?:'s)?`? `?(?P<called>[A-Za-z_]\w{1,60})\(\)"
)
_CALLED_BEFORE: Final = lazy_pattern(
    r"(?<![\w.:#/>-])(?P<called>[A-Za-z_]\w{1,60})\(\)`? (?:(?:call|function|method) )?(?:from|in|of|on) "
    r"(?:(?:an?|our|the) )?`?(?P<owner>[A-Za-z_]\w{2,60})"
)


def names_called_on(text: str) -> Iterator[str]:
    """The called names of a text with the word that may be what they are called on, lower-case: ``pubsub.listen``."""
    for pattern in (_CALLED_BEHIND, _CALLED_BEFORE):
        yield from (f"{match['owner']}.{match['called']}".lower() for match in pattern.finditer(text))
