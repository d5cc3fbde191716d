"""What a value looks like: a secret, or what only takes its place, such as examples, templates and references."""

from __future__ import annotations

from enum import IntEnum

from ctxpack.light import lazy_pattern

_TEMPLATE = lazy_pattern(
    r"\$\{|\$\(|^\$[A-Za-z_]\w*$|\{\{|\}\}|^\{.*\}$|%\(|^%\w+%$|^%[sdrv]$|<[^<>]*>|^\$[0-9a-z]{1,8}\$|#\{|\$\w+(?:\[|->)"
    r"|^\[\w+\]$|^@[\w.]+$|\{\w*\}|^ENC\[|\.\.\.|\N{HORIZONTAL ELLIPSIS}"
)
_SIGN_OF_TEMPLATE = lazy_pattern(r"[${}%<\[@.\N{HORIZONTAL ELLIPSIS}]")  # most values have none
_FILLER = lazy_pattern(r"(.)\1*|[xX*.#_?-]+|(?:\w\.){2,}")
_FILLERS = frozenset("xX*.#_?-")
_WORD = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_PHRASE = lazy_pattern(r"(?:[A-Za-z]+|\d{1,5})(?:[_.:-]+(?:[A-Za-z]+|\d{1,5}))*")
# words, joined, with one digit at most; a letter or "_" goes on in one way only, so that it takes linear time
_WORDING = lazy_pattern(r"[^\W\d](?>(?:[\s.:-]*+[^\W\d])*)[\s_.:-]?\d?")
_DIGIT, _LETTER = lazy_pattern("[0-9]"), lazy_pattern("[A-Za-z]")
_UUID = lazy_pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PADDED = lazy_pattern(r"[A-Za-z0-9+/_-]{22,}={1,2}")
_CHECKS = lazy_pattern(r"[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+")  # rules for a field, as in required|min:8
_CONSTANT = lazy_pattern(r"[A-Z]+(?:_[A-Z0-9]+)+")  # the name of a variable or of a constant
_NOT_SECRET = lazy_pattern(  # a path, URL, file name, version, flag, piece of a command, attribute, call, hash
    r"(?:~|\.{1,2})?/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{0,20}://|[\w./-]+\.(?:json|ya?ml|txt|pem|key|py|js|ts|html?|env)$"
    r"|[\^~>=<v]*\d+(?:\.\d+)+|--|[^=]*=$|\.\$"
    r"|!?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
    r"|[A-Za-z_][\w.]{0,80}\([^()]{0,80}\)$|(?:pbkdf2|argon2|bcrypt|scrypt)[\w-]{0,20}[$:]|\[\[.*\]\]$"
)
_SIGN_OF_REFERENCE = lazy_pattern(r"[/\\:.=(\[$]|--")  # each of them has one
_SAYS_SO = lazy_pattern("pass|pwd|secret|token|key")  # "somepassword" is what a test writes
_TYPED = lazy_pattern(r"[^\W\d_]\d{1,3}[^\W\d_]|\d[!#%&*+?^~@$-]|[!#%&*+?^~@$-]\d|[a-z][!#%&*+?^~@$][A-Za-z]")
_TECHNICAL = lazy_pattern(
    r"(?i:base\d\d|sha\d|md5|b64|utf8|oauth2|s3|x509|k8s|i18n|l10n|ec2|p12|http2|ipv[46]|auth0|web3|h2|x86|int\d\d)"
)
_WORDS_OF_MESSAGES = (  # labels and messages have them, a password of several words does not
    "a an and are at be by can cannot character characters chars contain contains could digit digits do does enter "
    "failed field for forgot from has have here his how if invalid is it least less letters long match may maximum "
    "minimum more most must need needs no not of only or please required set should than the their this to too "
    "type use valid was were with without wrong you your zeichen ihr sie bitte votre veuillez su sus por favor "
    "введите символов знаков"
)
_MESSAGE = frozenset(_WORDS_OF_MESSAGES.split())
_WORDS_OF_NAMES = (
    "password passwords passphrase passwort passwd secret token key keys user username credentials пароль пароля"
)
_NAMED = frozenset(_WORDS_OF_NAMES.split())
_ENDS, _LONGEST_PHRASE, _MOST_DIGITS = ".:?…", 100, 4
_HARMLESS = (
    "a abc access account admin administrator aes an and any api app argon as at auth authentication bad bar base "
    "baz bcrypt blank bool boolean bytes change changed changeme client code confirm confirmation correct "
    "credential credentials current custom data db default demo dev development disabled dummy ed empty enabled "
    "encoded encrypted enter env error es example expired fake false field file foo for form from generate get "
    "git given guest hash header here hidden hmac hs id in incorrect inherit input insert int integer internal invalid "
    "is jwt key keys label local localhost login md me missing mock model must my mysql name new nil no none not "
    "null number of off old on only optional or pass passphrase passwd password passwords pbkdf placeholder plain "
    "please postgres private prod production public put pwd query qux random refresh replace required reset root "
    "rs rsa sample scrypt secret secrets secure session set sha shared sign signature some spam staging str "
    "string super test tester testing text the this to todo token tokens too true type undefined unset update use "
    "user username utf valid value visible weak web word wrong xxx xxxx your yourself ваш введите ключ неверный "
    "новый пароль секрет токен "
)
HARMLESS = frozenset(_HARMLESS.split())
_MIN_STRONG = 6
_MIN_WORD = 10  # a password made of letters alone is told from a name by its length
_MIN_WEAK = 16
_MIN_WORDS = 4  # of a passphrase without a digit


class Strength(IntEnum):
    """How clearly a name says that its value is a secret."""

    WEAK = 1
    FAIR = 2
    STRONG = 3


def is_template_value(value: str) -> bool:
    """Whether a program or a person fills ``value`` in later: ``${NAME}``, ``{{ name }}``, ``<your key>``, ``%s``."""
    return _SIGN_OF_TEMPLATE.search(value) is not None and _TEMPLATE.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether ``value`` is only words that manuals and tests use for a secret, or filler such as ``****``."""
    return _is_filled(value) or (is_wording(value) and _is_harmless(value))


def _is_filled(value: str) -> bool:
    """Whether a value is filler: it begins with two alike, with a sign of filler, or as ``a.b.`` does."""
    second = value[1:2]
    return (value[:1] in _FILLERS or second in (value[:1], ".", "")) and _FILLER.fullmatch(value) is not None


def _is_harmless(wording: str) -> bool:
    return all(word.lower() in HARMLESS for word in _WORD.findall(wording))


def is_filler(key: str) -> bool:
    """Return whether what follows the beginning of a key is one sign only."""
    return len(set(key[-16:])) == 1


def is_wording(value: str) -> bool:
    """Return whether ``value`` is made of words, as names and prose are: no digit but one at the end, no odd sign."""
    if not value.isascii() and not any(char.isdigit() for char in value):
        return True
    return _WORDING.fullmatch(value) is not None


def is_phrase(value: str) -> bool:
    """Return whether ``value`` is words and short numbers joined by signs, as made-up tokens are: ``my-token-123``."""
    return _PHRASE.fullmatch(value) is not None


def is_reference(value: str) -> bool:
    """Return whether a value only says where something is: a path, a URL, a file name, a version, an attribute."""
    return _SIGN_OF_REFERENCE.search(value) is not None and _NOT_SECRET.match(value) is not None


def is_mixed(value: str) -> bool:
    """Return whether a value has letters and digits in a way that no word has."""
    return has_digit(value) and not is_wording(value)


def is_typed(value: str) -> bool:
    """Return whether a value looks like a password that somebody made up, and not like the name of a variable."""
    return _TYPED.search(value) is not None and not _TECHNICAL.search(value)


def is_random(value: str) -> bool:
    """Return whether a value is as long and as mixed as a key, and no words."""
    if _PADDED.fullmatch(value):
        return True
    return has_digit(value) and len(value) >= _MIN_WEAK and len(set(value)) >= len(value) ** 0.5


def is_secret(value: str, strength: Strength) -> bool:
    """Return whether a literal that a name of this strength holds is a secret and not a placeholder."""
    if len(value) < _MIN_STRONG or not value.isprintable():
        return False
    if value.split() != [value]:
        looks = strength is Strength.STRONG and is_passphrase(value)
    elif strength is Strength.WEAK:
        looks = is_random(value) and not is_phrase(value) and not _UUID.fullmatch(value)
    else:
        looks = is_mixed(value) if strength is Strength.FAIR else _is_password(value)
    return looks and not _is_no_value(value)


def _is_password(value: str) -> bool:
    """Return whether one word that a password's name holds is a password, not the name of something else."""
    if is_constant(value) or _CHECKS.fullmatch(value):
        return False
    if not is_wording(value):
        return True
    if _SAYS_SO.search(value.lower()):
        return False
    if has_digit(value):
        return len(value) > _MIN_STRONG
    return value.isalpha() and value.islower() and len(value) >= _MIN_WORD


def is_constant(value: str) -> bool:
    """Return whether a value is the name of a variable or constant, in capitals."""
    return _CONSTANT.fullmatch(value) is not None


def has_digit(value: str) -> bool:
    """Return whether a value has a letter and a digit."""
    if value.isascii():  # where a pattern, which is faster, has no other notion of both
        return _DIGIT.search(value) is not None and _LETTER.search(value) is not None
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)


def _is_no_value(value: str) -> bool:
    if is_template_value(value) or is_placeholder(value):
        return True
    return is_reference(value) and not _PADDED.fullmatch(value)


def is_passphrase(value: str) -> bool:
    """Return whether a text of several words is a passphrase and not a label or a message."""
    words = [word.strip(".,:;!?\"'").lower() for word in value.split()]
    if len(value) > _LONGEST_PHRASE or value[-1] in _ENDS or any(sign in value for sign in "(=%"):
        return False
    telling = sum(word in _MESSAGE for word in words)
    if any(word in _NAMED for word in words):
        return False
    if has_digit(value):
        digits = sum(len(word) for word in words if word.isdigit())
        return telling * 3 <= len(words) and digits <= _MOST_DIGITS
    is_plain = value.islower() and value.isascii() and value.replace(" ", "").isalpha()
    return is_plain and telling * 5 <= len(words) and len(words) >= _MIN_WORDS
