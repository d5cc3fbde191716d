"""Words of a request that are not its topic, or that code has others for.

They are the messages of runtimes and compilers, some turns of speech, and what only tells what to do or to deliver.
"""

from __future__ import annotations

# ruff: noqa: E501 -- tables of patterns
import re
from collections.abc import Iterator, Mapping
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.query.dictionary import thesaurus, turns_of_speech
from ctxpack.query.subtokens import STOPWORDS, raw_words

_VALUE: Final = r"[`'\"‘’“]([^`'\"‘’“”\n]{1,80})[`'\"‘’”]"  # a name or text that the message quotes
_NAME: Final = r"(?<![\w.$])([\w.$]{1,80}+)"  # one that it does not quote
_HEAD: Final = (  # errors that only their message tells apart
    r"(?:\b(?:Import|ModuleNotFound|Attribute|Type|Name|UnboundLocal|Index|Recursion|Reference|NoMethod)Error: )?"
)
_NOTHING: Final = frozenset({"nonetype", "none", "nilclass", "nil", "undefined", "null"})

# Their words ("cannot import name", "object has no attribute") are those of the language: in a repository they find
# whatever happens to use them, and fill a pack with it. On 299 tasks no needed place is lost by leaving them out.
_PYTHON: Final = (
    rf"cannot import name {_VALUE}(?: from(?: partially initialized module)? {_VALUE})?",
    r"\(most likely due to a circular import\)|attempted relative import with no known parent package",
    rf"No module named {_VALUE}",
    rf"(?:type object |module )?{_VALUE}(?: object)? has no attribute {_VALUE}",
    rf"name {_VALUE} is not defined",
    rf"local variable {_VALUE} referenced before assignment",
    rf"cannot access local variable {_VALUE} where it is not associated with a value",
    rf"{_VALUE} object is not (?:callable|iterable|subscriptable|an iterator|reversible|awaitable)",
    rf"{_VALUE} object does not support (?:item \w+|the (?:asynchronous )?context manager protocol)",
    rf"{_VALUE} object (?:cannot be interpreted as an integer|can't be used in 'await' expression)",
    rf"[Oo]bject of type {_VALUE} (?:has no len\(\)|is not JSON serializable)",
    r"Object of type (\w{1,80}) is not JSON serializable",
    rf"argument of type {_VALUE} is not (?:iterable|a container or iterable)",
    rf"unhashable type: {_VALUE}",
    r"cannot unpack non-iterable (\w{1,80}) object",
    r"(?:not enough|too many) values to unpack(?: \(expected \d+(?:, got \d+)?\))?",
    rf"can(?:not|'t) pickle {_VALUE} object",
    rf"unsupported operand type\(s\) for [^\s:]{{1,20}}: {_VALUE} and {_VALUE}",
    rf"{_VALUE} not supported between instances of {_VALUE} and {_VALUE}",
    rf"can only concatenate \w+ \(not {_VALUE}\) to \w+",
    rf"{_NAME}\(\) takes (?:from |at \w+ )?\d+(?: to \d+)? (?:positional )?arguments?(?: but \d+ \w+ given)?",
    rf"{_NAME}\(\) missing \d+ required (?:positional|keyword-only) arguments?: {_VALUE}(?:,? and {_VALUE})?",
    rf"{_NAME}\(\) got (?:an unexpected keyword|multiple values for(?: keyword)?) argument {_VALUE}",
    rf"expected (?:str|string|bytes|a string)[\w ,.-]{{0,40}}? (?:object|instance|object, got|not) {_VALUE}",
    rf"expected string or bytes-like object(?:, got {_VALUE})?",
    r"(?:list|string|tuple|pop|range object) index out of range|embedded null (?:byte|character)|division by zero",
    r"maximum recursion depth exceeded(?: while calling a Python object| in comparison)?",
    r"dictionary changed size during iteration|generator already executing|No active exception to re-?raise",
    rf"invalid literal for int\(\) with base \d+: {_VALUE}|could not convert string to float: {_VALUE}",
    rf"{_VALUE} codec can't (?:de|en)code (?:byte|character)s?(?: \S{{1,20}})? in position \d+(?:-\d+)?",
    r": invalid (?:start|continuation) byte|: ordinal not in range\(\d+\)|: unexpected end of data",
    rf"Can't instantiate abstract class (\w{{1,80}}) (?:with|without an implementation for) abstract methods? {_VALUE}",
)
_SCRIPTS: Final = (  # JavaScript, TypeScript, Ruby, PHP
    rf"Cannot (?:read|set) propert(?:y|ies) of (?:undefined|null)(?: \((?:reading|setting) {_VALUE}\))?",
    rf"Cannot (?:read|set) property {_VALUE} of (?:undefined|null)",
    rf"{_NAME} is not (?:a (?:function|constructor)|iterable)\b",
    rf"{_NAME} is not defined(?=\W*$)",
    rf"Cannot find (?:module|package|name) {_VALUE}|Cannot access {_VALUE} before initialization",
    r"Assignment to constant variable|Maximum call stack size exceeded|Converting circular structure to JSON",
    rf"Property {_VALUE} does not exist on type {_VALUE}",
    rf"(?:Argument of type|Type) {_VALUE} is not assignable to (?:parameter of )?type {_VALUE}",
    rf"undefined (?:local variable or )?method {_VALUE} for (?:an instance of |class )?(?:#<|nil:)?([\w:]{{1,80}})",
    rf"uninitialized constant {_NAME}|private method {_VALUE} called for",
    r"wrong number of arguments \(given \d+, expected [\d.+]{1,10}\)",
    r"Call to (?:undefined (?:method|function) |a member function )([\w:\\]{1,80})\(\)(?: on \w+)?",
    rf"Undefined (?:array key|index|offset|property|variable):? (?:{_VALUE}|\$(\w{{1,80}}))",
)
_COMPILED: Final = (  # Go, Rust, Java, C#
    r"invalid memory address or nil pointer dereference|assignment to entry in nil map",
    r"index out of range \[\d+\] with length \d+|slice bounds out of range \[[\d:]{1,20}\](?: with capacity \d+)?",
    r"all goroutines are asleep - deadlock!?|declared and not used: (\w{1,80})",
    r"called `(?:Option|Result)::(?:unwrap|expect)(?:_err)?\(\)` on an? `\w+` value",
    r"index out of bounds: the len is \d+ but the index is \d+|attempt to \w+ with overflow",
    rf"cannot find (?:type|value|function|macro|struct, variant or union type) {_VALUE} in this scope",
    rf"cannot borrow {_VALUE} as (?:im)?mutable(?: because it is also borrowed as (?:im)?mutable)?",
    r"Cannot invoke \"([^\"\n]{1,120})\" because (?:the return value of )?\"([^\"\n]{1,120})\" is null",
    r"Index -?\d+ out of bounds for length \d+|Value cannot be null\. \(Parameter '(\w{1,80})'\)",
    r"(?:\w{1,60}Exception: )?(?:Object reference not set to an instance of an object|Sequence contains no (?:matching )?elements?|Collection was modified; enumeration operation may not execute)\.?",
    rf"(?:Specified cast is not valid|Input string was not in a correct format|Index was (?:out of range|outside the bounds of the array)|The given key {_VALUE} was not present in the dictionary)\.?",
)
_SIGN: Final = (  # no message is without one of these
    " not ", "can't ", "cannot ", " no ", " index ", "unhashable", "undefined", "unsupported", "uninitialized",
    "unexpected", "invalid", "missing", "expected", " out of ", "too many", "maximum", "exceeded", "takes ",
    "division", "changed size", "embedded", "circular", "got multiple", "already", "nil ", "private", "wrong number",
    "call to ", "deadlock", "declared", "overflow", "called `", "constant", "relative import", "before assignment",
)  # fmt: skip


_MESSAGE: Final = lazy_pattern(
    f"{_HEAD}(?:{'|'.join(f'(?:{each})' for each in (*_PYTHON, *_SCRIPTS, *_COMPILED))})", re.IGNORECASE
)


# What every crash of a language begins with. At the start of a line ``goroutine`` begins a stack, and ``panicked at``
# is a part of a frame.
_CRASH: Final = lazy_pattern(
    r"\bpanic: (?:runtime error: )?|\bruntime error: (?=index out|slice|invalid memory|integer)|\[signal SIG[^\]\n]{0,200}\]"
    r"|(?<=\S )goroutine \d{1,9} \[[^\]\n]{1,60}\]:?|\bException in thread \"[^\"\n]{1,80}\" ?"
    r"|\bthread '[^'\n]{1,80}' (?:\(\d{1,9}\) )?(?=panicked at)|\bnote: run with `RUST_BACKTRACE=\w{1,4}`[^\n]{0,80}"
    r"|\bUncaught (?:\(in promise\) ?)?(?=(?:[\w.]{0,60}(?:Error|Exception)\b))|\bUnhandledPromiseRejection(?:Warning)?: "
    r"|\bUnhandled (?:Runtime Error\b|Promise Rejection:? |exception[.:] (?=[A-Z]))"
    r"|\b(?:PHP )?Fatal error: {1,2}(?=Uncaught )|\bInternal Server Error: (?=/)"
    r"|(?<=\w): (?:fatal )?(?:error|fatal|warning)(?: \([^()\n]{1,60}\))?(?=: )|(?m:^ *(?:\d{1,3}: (?:0x[0-9a-f]{1,16} - )?(?:core|std|alloc)::[^\n]{0,200}|stack backtrace:)$)"
)
# ``java.lang`` is in every file; so is the name of the most general errors.
_OF_PLATFORM: Final = lazy_pattern(
    r"(?<![\w.])(?:java|javax|jdk|kotlin|scala|groovy|System)\.(?:\w{1,60}\.){0,6}"
    r"(?P<name>\w{0,60}(?:Exception|Error|Throwable))\b(?=:|\s|$)"
)
_GENERAL: Final = frozenset({"Exception", "Error", "Throwable", "RuntimeException"})

_MAKING: Final = r"with|(?:mak|us|defin|provid|creat)(?:e|es|ed|ing)|add|implement|plug in|pass|register(?:s|ed|ing)?"
_OF_PERSON: Final = r"(?= (?:with|via|as|using|through|to|again|twice|and|or|by|from|at|if|when|after|without|but|users?|page|form)\b|[^\w\s]|\s*$)"  # "log in json" is about a log
_SAID: Final = tuple(  # what people say, and what code calls it, however long the request is
    (lazy_pattern(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (r"\b(?:take|takes|took|taking) (?:too|so|very|way too|forever|ages) ?(?:long|much time)?\b", "timeout"),
        (r"\b(?:ctrl|control|strg) ?[-+]? ?c\b|\^C\b", r"\g<0> SIGINT interrupt"),
        (r"\b(?:write|writing) (?:my|our|your|an?|their) own (?=[a-z])", "custom "),
        (rf"\b((?:{_MAKING}) )(?:my|our|your|an?|their) own (?!cop(?:y|ies)\b)(?=[a-z])", r"\1custom "),
        (r"\bstop(?:s|ped|ping)? (?=(?:(?!the\b)[\w.'-]{1,40} |the ){1,4}?from [a-z]{2,30}ing\b)", "prevent ignore "),
        (r"\bdid you mean\b", r"\g<0> suggestion"),
        (r"\bmak(?:e|es|ing) sure\b", "ensure"),
        (r"\b(?:try|tries|tried|trying) (?:it |them |that )?again\b", r"\g<0> retry"),
        (r"\b(connect|join|load|open|send|start)(?:s|ed|ing)? (?:(?:it|them|the|to) ){0,3}again\b", r"\g<0> re\1"),
        (r"\b(?:child|derived|inherited) (?:class(?:es)?|models?|types?)\b", r"\g<0> subclass"),
        (r"\b(?:turn|switch)(?:s|es|ed|ing)? ((?:(?!on\b)\w+ ){0,3})off\b", r"\1disable"),  # "switch" is much else
        (rf"\blog(?:s|ged|ging)?[- ](in|out)\b{_OF_PERSON}", r"log\1"),
        (r"\bread[- ]only\b", r"\g<0> readonly immutable frozen"),
        (
            r"\b(?:every|each) (?:\d+|few|couple of|n|x) (?:ms|(?:(?:milli)?second|minute|hour|day)s?)\b",
            r"\g<0> interval",
        ),
        (r"\bкажд\w+ (?:\d+|несколько|пару|n) (?:миллисекунд|секунд|минут|час|дн)\w*", r"\g<0> interval"),
        (r"\b(?:sent|sends?|goes? out|arrives?|delivered|received|fires|posted|emitted) twice\b", r"\g<0> duplicate"),
        (r"\bweb components?\b", r"\g<0> custom element"),
        (r"\bload[ -]balancers?\b", r"\g<0> proxy"),
        (r"(?<![\w/.#])C#(?![\w#])", r"\g<0> csharp cs"),  # of a name with a sign no word is left
        (r"(?<![\w/.#])F#(?![\w#])", r"\g<0> fsharp"),
        (r"(?<![\w/.+])C\+\+(?![\w+])", r"\g<0> cpp"),
        (r"\bframes? (?:rate|per second)\b", r"\g<0> fps"),
        (r"\brais(?:e|ing) (?=(?:the|our) (?:\w+ ){0,3}?(?:limit|max|maximum|size|timeout|quota)s?\b)", "increase "),
        (r"\b(?:leav(?:e|es|ing)|left) (?:(?!out\b)\w+ ){0,3}out\b", r"\g<0> exclude"),
    )
)
_SHORT: Final = 12  # words of a request
_THROWN_AWAY: Final = lazy_pattern(
    r"\b(?:throw(?:s|n|ing)?|threw|toss(?:es|ed)?) ((?:it|them|that|this) )?away\b", re.IGNORECASE
)
_ONE_SENTENCE: Final = 20  # words: in a longer request it is told in passing
_STATUSES: Final[Mapping[str, str]] = {  # of HTTP, as code names them; 300, 400 and 500 say little
    "301": "redirect", "302": "redirect", "303": "redirect", "307": "redirect", "308": "redirect", "304": "not modified",
    "401": "unauthorized", "403": "forbidden", "404": "not found", "405": "method not allowed", "406": "not acceptable",
    "408": "request timeout", "409": "conflict", "410": "gone", "411": "length required", "412": "precondition failed",
    "413": "payload too large", "415": "unsupported media type", "416": "range not satisfiable",
    "422": "unprocessable entity", "426": "upgrade required", "428": "precondition required",
    "429": "too many requests", "431": "header fields too large", "501": "not implemented", "502": "bad gateway",
    "503": "service unavailable", "504": "gateway timeout",
}  # fmt: skip
_STATUS: Final = lazy_pattern(
    r"\b(?:(?:status|code|http|an?|the|with|for|gave|got|gotten|sent|saw|(?:status|code|response)(?: is| was|:| of)"
    r"|(?:return|respond|answer|give|get|throw|raise|send|hit|see|receive|expect)(?:s|ed|t?ing)?(?: with)?"
    r"|код\w{0,2}|статус\w{0,2}|ошибк\w{1,2}|отвеча\w{2,3}|возвраща\w{2,3}|верн\w{2,3}|получа\w{1,3}|ловлю|отда[её]т)"
    r" (?P<given>[345]\d\d(?:(?: ?/ ?|, ?| or | and | или | и )[345]\d\d){0,3}(?:'?s)?)(?![\w.%]| ?[a-z]+s\b)"  # 404 items are no status
    r"|(?P<named>[345]\d\d)(?= (?:error|response|status)(?:s|es)?\b))",
    re.IGNORECASE,
)


def as_code_says(text: str) -> str:
    """The text with the words that code has for some turns of speech: ``timeout`` for "takes too long".

    More of them are added to a short text than to a long one, which has other words to find its places by. A status
    of HTTP gets its name: "method not allowed" for 405.
    """
    words = len(text.split())
    for pattern, name in _SAID:
        text = pattern.sub(name, text)
    if words <= _ONE_SENTENCE:
        text = _THROWN_AWAY.sub(r"\1discard", text)  # and no error
    if words <= _SHORT:
        text = _with_turns_of_speech(text)
    return _STATUS.sub(_with_name, text)


def _with_turns_of_speech(text: str) -> str:
    for turn in reversed([*turns_of_speech(text)]):
        text = text[: turn.end] + "".join(f" {name}" for name in turn.names) + text[turn.end :]
    return text


def _with_name(match: re.Match[str]) -> str:
    names = (_STATUSES.get(each, "") for each in re.findall(r"\d{3}", match["given"] or match["named"]))
    return " ".join((match[0], *filter(None, names)))


_NEGATED = lazy_pattern(
    r"\b(?:not|cannot|never|\w+n['\u2019]t|isnt|arent|doesnt|dont|didnt|cant|wasnt)"
    r" (?:be |been |yet |an? )?([a-z]{3,20})\b"
)
_OPPOSITE = frozenset(
    """
    accurate active bound compatible complete consistent correct direct equal exact finite known legal mutable official
    proper readable reachable regular related required resolved safe sensitive set stable supported trusted typed used
    valid visible
    """.split()  # noqa: SIM905 -- a table of words
)


def opposites(text: str) -> Iterator[tuple[str, str, str]]:
    """What a text negates: the word, the phrase, and a word that may say the same: ``unknown`` for "not known"."""
    for match in _NEGATED.finditer(text.lower()):
        for form in _participles(match[1]):
            yield from ((match[1], match[0], term) for term in _opposite_of(form))


def _participles(word: str) -> tuple[str, ...]:
    """The word, and what may be its participle: know, known; use, used; reach, reachable."""
    base = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    stem = base.removesuffix("ed").removesuffix("e")
    return tuple(dict.fromkeys((base, f"{base}n", f"{stem}ed", f"{stem}able", *thesaurus().irregular.get(base, ()))))


def _opposite_of(form: str) -> tuple[str, ...]:
    """Words that mean that something is not so; of participles and adjectives alone, for ``undo`` is not "not do"."""
    is_participle = form.endswith(("ed", "en", "own", "able", "ible")) or form in _OPPOSITE
    return tuple(f"{prefix}{form}" for prefix in ("un", "in", "im", "ir", "il", "non")) if is_participle else ()


# "write a test for the define plugin" is not about what is written somewhere.
_WISH: Final = lazy_pattern(
    r"^(\W*(?:(?:please|can you|could you|пожалуйста,?)\s+)?)(?:fix|write|review|refactor|improve|change|update|adjust"
    r"|исправ(?:ь|ьте|ить)|напиш(?:и|ите)|написать|улучш(?:и|ите|ить)|измен(?:и|ите|ить)|помен(?:яй|яйте|ять))\s+(?=\w+\W+\w)",
    re.IGNORECASE,
)
# "with tests and docs", at the end of a clause, tells what else to deliver, not what a request is about.
_DELIVERED: Final = r"(?:(?:unit|some|new|the|its|good|updated) ){0,2}(?:tests?|docs|documentation)"
_WITH_TESTS: Final = lazy_pattern(
    rf",? ?\b(?:(?:with|including|incl\.?|plus) {_DELIVERED}(?:(?:,|,? and|,? plus) {_DELIVERED}){{0,2}}"
    rf"|{_DELIVERED}(?:(?:,|,? and|,? plus| &) {_DELIVERED}){{0,2}} included"
    r"|с (?:юнит-)?тестами(?: и документацией)?)(?=\W*$|[.,;)])",
    re.IGNORECASE,
)
# What must not happen, and where the change is to be told: "compatible" and "changelog" are about nothing here.
_TOLD_IN: Final = (
    r"(?:the )?(?:(?:change ?log|docs|documentation|readme|tests)(?: as well| too| accordingly)?"
    r"|\w+ (?:docs|documentation|tests) (?:as well|too|accordingly))"
)
_CONSTRAINTS: Final = lazy_pattern(
    r"(?:,?(?: and| but)? ?\b(?:keep(?:ing)? (?:it|this|that|everything|the api) (?:fully )?backwards?[- ]compatible"
    r"|without breaking (?:anything|changes|existing \w+|(?:backwards? )?compatibility)"
    r"|(?:with )?no (?:behaviou?r|functional|breaking|api) changes?"
    rf"|update {_TOLD_IN}(?:(?:,|,? and) {_TOLD_IN}){{0,2}})){{1,3}}"
    r"(?=\W*$|[.,;)])",
    re.IGNORECASE,
)
# "write a short guide on how errors are sent" is about how they are sent.
_TEXT_ON: Final = lazy_pattern(
    r"^(\W*(?:(?:please|can you|could you)\s+)?)(?:write|draft|prepare|give me|make me)\s+(?:an?|the|some)\s+"
    r"(?:\w+\s+){0,2}(?:guide|tutorial|summary|overview|explanation|description|introduction|documentation|article|post)"
    r"\s+(?:on|about|of|for|to)\s+(?=\w+\W+\w)",
    re.IGNORECASE,
)


ADDING: Final = "add|implement|introduce|support|extend"
"""A pattern of verbs that ask for something new."""
WORK_ADDS: Final = rf"(?:pr|mr|patch|branch|commit|change|diff|(?:pull|merge) request)(?: #?\d{{1,9}})?(?: (?:that|which|also|now|only|just)){{0,2}} (?:{ADDING})s"
"""A pattern of what a patch does; "the format that supports it" tells of no change."""
_EDIT: Final = r"(?:update|change|touch|edit|adapt|adjust|modify|modifi)"
ALL_TO_EDIT: Final = (  # "which files should be ignored" asks something else
    r"(?:which|what)(?: other| more)? (?:files?|places?|spots?|parts?|modules?|else)(?: (?:all|also|else))? (?:(?:have|has|needs?|had) to|must|should|do (?:i|we) (?:have|need) to|(?:must|should|would|do) (?:i|we))"
    rf" (?:be )?{_EDIT}(?:e?d)?|what(?: all| else)? (?:do|would|will) (?:i|we) (?:have|need) to {_EDIT}"
    r"|(?:как(?:ие|ой)(?: ещё| еще)? (?:файлы?|мест[оа]|модул[ьи]|част[ьи])|что)(?: мне| нам| ещё| еще| все| всё)?"
    r"(?: надо| нужно| прид[её]тся| следует)? (?:(?:по)?(?:менять|править)|изменить|затронуть|(?:за)?трогать)"
)
"""A pattern of questions for all that a change has to touch."""
_CONSEQUENCES: Final = (
    r"what (?:else |all |exactly )?(?:could|can|might|may|would|will) (?:(?:this|it|that) )?(?:go wrong|break|affect|be affected)"
    r"|what (?:else|all) (?:(?:depends|relies) on|is affected by) (?:it|this|that|them)|what (?:did|have) (?:i|we) (?:miss|forget|overlook)(?:ed|ten)?"
    r"|what (?:should|must|do|would) (?:i|we) (?:(?:have|need) to )?(?:watch(?: out)?(?: for)?|look out for|pay attention to|keep in mind|be careful (?:with|about|of))"
    r"|(?:check|make sure|verify|see)(?: that| if)? (?:nothing|anything)(?: else)? (?:breaks?|broke|is broken)|(?:did|have) (?:i|we) (?:miss|forget|overlook|break)(?:ed|ten)? (?:anything|something)"
    r"|что (?:ещё |еще )?(?:может|могло) (?:сломаться|отвалиться|пойти не так)|на что (?:(?:мне|нам|ещё|еще) )?(?:обратить внимание|смотреть)"
    r"|ничего ли (?:я |мы )?не (?:забыл|упустил|сломал|пропустил)\w{0,2}|(?:проверь|убедись)(?:те)?,? что (?:больше )?ничего не (?:слома|отвал)\w{1,6}"
)
ASKED_OF_CHANGE: Final = (
    r"(?:i|we)(?:'ve|'m|'re| have| am| are| just| now){0,3} (?:\w{3,20}(?:ed|ing)|made|rewrote|split)\b[^\n]{1,300}?\b"
    rf"(?:{_CONSEQUENCES})"
)
"""A pattern of what somebody tells of a change, with the question for what it leads to."""
# Words that say who asks, or how, and that code uses for something else: ``get``, ``new``, ``open``, ``long``.
_IDLE: Final = lazy_pattern(
    r"\b(?P<before>how (?:to|do i|do we|do you|can i|can we|could i|should i|would i)|(?:a|any|some) way to|i (?:want|need) to)"
    r" (?:get|make|have)\b(?! (?:request|method|handler|route|call|quer)s?\b| sure\b)"
    r"|\b(?:(?:(?:i'?m|i am|we're|we are) (?:very |quite )?new(?: here)?|new here)(?: (?:in|on|at|to) (?:the|this|your|our) (?:project|team|company|code ?base|repo(?:sitory)?))?|(?:for )?how (?:long|often))\b|\b(?:i(?:'ve| have)? )?(?:just|recently) joined (?:the|this|your|our) (?:project|team|company)\b|\b(?:walk|take|guide|talk) (?:me|us) through(?: the (?:code ?base|code|sources?)\b)?|\b(?:give|show) (?:me|us) an? (?:\w+ ){0,2}(?:tour|walk-?through)\b(?: (?:of|through) (?:the|this|your|our) (?:code ?base|code|project|sources?|repo(?:sitory)?)\b)?|\b(?:я |мы )?(?:тут |здесь )?(?:новичок|новенький|новенькая)(?: (?:в|на) (?:этом |вашем |нашем )?(?:проекте|команде))?\b|\bпроведи(?:те)? (?:меня |нас )?по (?:коду|проекту|исходникам)\b|\b(?:какой|весь) путь (?:проходит|проделывает)\b|\b(?:gets?|getting)\b(?= (?:from|into|onto|back|there|here|to (?:the|an?|my|our))\b)"
    r"|\b(?:which|what)(?: existing| other)?(?P<model>(?: \w+){0,2}) (?:do|should|can|could|would) (?:i|we) (?:best |just )?(?:copy|imitate|mimic|start from|take as)(?: (?:from|an?|the|my|example|model|template|basis)){0,3}\b(?=\W*$|[.,;?:]| (?:and|or|for)\b)|\bthe existing ones?\b"
    r"|(?<!\bthe )(?<!\ba )(?<!\bon )(?<![\w.`'\"-])shown(?![\w`'\"(-]|\.\w| (?:event|handler|callback|hook|signal|state)s?\b)"
    rf"|\b(?:{_CONSEQUENCES})\b|\b(?:i|we)(?:'ve|'m|'re| have| am| are| just){{0,3}} chang(?:ed|ing)\b(?= (?:the|how|it|all|our|my)\b)|\bas (?:long|soon|far|well) as\b|\bright (?:away\b|(?=(?:below|above|under|after|before|behind|next to|where|when)\b))|\b(?:ends?|ended|ending) up\b"
    r"|\b(?:step by step|in (?:more |great )?(?:detail|depth)|from start to (?:end|finish))\b|\bon (?:my|our|your) (?:own )?(?:machine|laptop|computer|box)\b|(?<=\bв )сво(?:[её]м|ей|их)\b|\b(?:in (?:what|which) order|в каком порядке)\b(?= \w+\W+\w)|\bwrite (?=an? (?:custom|new)\b)"
    rf"|\b(?:{ALL_TO_EDIT}|(?:(?:my|our|this|the|an?) )?{WORK_ADDS})\b|\b(?:what(?:'s| is)|show(?: me)?|trace|follow) the (?:\w+ )?(?:path|way|route) (?=from\b)"
    r"|\b(?:i|we)(?:'ve| have)? set\b(?= \d)|\b(?P<not>(?:did|do|does|could)(?:n't|nt| not)) (?:get|have)\b(?= (?:any|an?|the|no|them|it)\b)"
    r"|\b(?:i|we|you|it|they)(?:'m|'re)?(?P<how>(?: am| are| is| only| just| still| keep| also| always| never| sometimes| to){0,3}) (?:get|getting|gets)\b(?! (?:requests?|methods?|handlers?|routes?|calls?|rid)\b)"
    r"|\b(?:get|getting)\b(?= (?:(?![a-z]{0,3}eed\b)[a-z]{3,20}ed|cut|lost|stuck|sent|shown|hidden|overwritten|broken|written|thrown|eaten)\b)"
    r"|\b(?P<order>(?:add|adding|adds|added|implement|implementing|introduce|introducing|support|register|want|need) (?:an? |some |another )?)(?:brand[- ])?new\b(?= [a-z])"
    r"|\b(?:добав(?:ить|ь|ьте|им|лю|ляю|ляем)|реализ(?:овать|уй|уйте|уем))(?: ещё| еще)?(?: один| одну| одно)?(?: нов(?:ый|ую|ое|ые|ого))?\b(?= (?!в |к |на )\w)"
    r"|\b(?P<default>defaults?(?: values?)?(?: is| are| gets?)?) set\b(?=\W*$|[,.;?]| (?:and|in|or)\b)"
    r"|\b(?P<when>before |when |while )(?:i |we )?(?:open|opening|send|sending) (?:an? |my |the |up )?(?:pr|pull request|patch|issue)\b",
    re.IGNORECASE,
)
# What whoever wants to contribute has to run; elsewhere the words mean what they say.
_TO_RUN: Final = lazy_pattern(r"\b(?:have|need|want) to run\b(?= (?:before|to|first|when)\b|\W*$)", re.IGNORECASE)


def without_idle_words(text: str, *, to_contribute: bool = False) -> str:
    """The text of a request without words that only belong to its manner.

    Of whoever wants to contribute "have to run" becomes "run tests lint", and a PR is a pull request, as guides call it.
    Where nothing else is said, the text itself.
    """
    if to_contribute:
        text = re.sub(r"(?i)\bPR\b", "pull request", _TO_RUN.sub("run tests lint", text))
    rest = _IDLE.sub(lambda match: next(filter(None, match.groupdict().values()), " "), text)
    return rest if any(word.lower() not in STOPWORDS for word in raw_words(rest)) else text


# Code that is there several times and is to become one: that it was copied, and where it goes, is no topic either.
_COPIES: Final = lazy_pattern(
    r"\b(?:copy[- ]?past(?:ed?|ing|y|a)\w{0,2}|copied (?:and pasted|around|in(?:to)? (?:two|three|four|several|both|all|many|\d))"
    r"|duplicat(?:es?|ed|ing) (?:(?:a lot|lots|much|most|plenty|some|all|part|parts|of|the|their|that|this|same|exactly) ){0,4}(?:code|logic|checks?|blocks?|loops?|functions?)"
    r"|(?:two|three|four) (?:(?:almost|nearly|practically) )?identical|(?:is|are) the same (?=(?:class|function|method|code|block|text)\b)"
    r"|(?:almost|nearly|practically|basically|\d\d ?%) (?:the same|identical|line by line copies)|copy (?:&|and|n) paste of each other|there are (?:two|three|four|five|six|several) copies of the same|same copy of|own cop(?:y|ies) of (?:the |that |this )?(?:same (?:code|logic)|same|code|logic)|repeats? (?:exactly )?the same(?= )|(?:start|end|begin)s? with the same(?= )|exists? (?:twice|(?:two|three|four|five) times)"
    r"|(?:each|both|all) (?P<whose>(?:\w+ ){0,3})(?:carry|carries|have|has|contain|repeat|hold)s? (?:exactly |almost |nearly )?the (?:very |exact )?same"
    r" (?P<what>(?:\w+ ){0,2})(?:code|logic|check|block|loop|function)|de-?duplicate|dedupe (?=the two|both|them|these|those))\b"
    r"|\b(?:скопирован\w*(?= в (?:двух|тр[её]х|обоих|обеих|нескольких|\d))|копипаст\w*|один в один)",
    re.IGNORECASE,
)
_ONE: Final = r"(?:(?:one|an?|a single|the same|some) (?:(?:shared|common|single|reusable|small) ){0,2})"
_INTO_ONE: Final = lazy_pattern(
    rf"\b(?:(?:pull|fold|extract|move|merge|put|factor|unify)(?:ing)?(?: (?:it|them|that|this|these|those|out|all)){{0,2}} (?:into|to|in) {_ONE}"
    rf"|make (?:it|them|this|that) {_ONE})(?:helper|place|function|method|util(?:ity)?|module|spot)s?\b"
    r"|\b(?:вынес(?:и|ти|ите)|объедини(?:ть|те)?|собери(?:те)?|собрать)(?: (?:это|их|его|всё|все)){0,2} в (?:одно место|одну функцию|общ\w+ \w+|базовый класс)",
    re.IGNORECASE,
)
_UNCHANGED: Final = lazy_pattern(
    r"(?:[,;](?: and| but)? ?|\bwith )?\b(?:(?:behaviou?r|everything)(?P<also>(?:(?:,| and) \w+){0,2}) (?:(?:must|should|has to|have to) )?"
    r"(?:stays?|remains?|be|being|is|are)? ?(?:the same|unchanged|untouched|as (?:it|they) (?:is|are))"
    r"|no changes? (?:in|of|to) (?:the )?behaviou?r|(?:do not|don't|without) chang(?:e|ing) (?:the |any )?behaviou?r"
    r"|without (?:alter|chang|touch)ing [^.;\n]{1,80}(?=\.?\s*$|[.;\n])"
    r"|поведение (?:не (?:меня\w+|трога\w+)|без изменений|должно остаться))\b",
    re.IGNORECASE,
)


def speaks_of_copies(text: str) -> bool:
    """Whether a text is about code that is there several times: then what looks alike is what is wanted."""
    return bool(_COPIES.search(text))


def without_wish(text: str) -> str:
    """The text of a request without what only tells what to do with the rest, what to deliver, and what to keep.

    Where nothing else is said, the text itself.
    """
    rest = _UNCHANGED.sub(
        lambda match: match["also"] or "",
        _CONSTRAINTS.sub("", _WITH_TESTS.sub("", _WISH.sub(r"\1", _TEXT_ON.sub(r"\1", text)))),
    )
    rest = _INTO_ONE.sub(" ", _COPIES.sub(r" \g<whose>\g<what>", rest)) if speaks_of_copies(rest) else rest
    return rest if any(word.lower() not in STOPWORDS for word in raw_words(rest)) else text


def condense_messages(text: str) -> str:
    """The text with each message of a runtime or compiler reduced to the names that it quotes, in backticks.

    What any crash begins with is left out, and the errors of a platform lose their package. Where nothing but a message
    is left, and it names nothing, the text is given back as it is.
    """
    lower = text.lower()
    condensed = _CRASH.sub("", text)
    condensed = _OF_PLATFORM.sub(lambda match: "" if match["name"] in _GENERAL else match["name"], condensed)
    if any(sign in lower for sign in _SIGN):
        condensed = _MESSAGE.sub(_names, condensed)
    return condensed if raw_words(condensed) else text


def _names(match: re.Match[str]) -> str:
    return " ".join(f"`{each}`" for each in match.groups() if each and each.lower() not in _NOTHING) or " "
