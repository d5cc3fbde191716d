"""What is tried by fuzz.py: how cases are made from a random source, and what must hold for each."""

from __future__ import annotations

import json
import random
import re
import shutil
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ctxpack import CtxpackError, Request, Scope, load, pack
from ctxpack.discover.globs import compile_globs
from ctxpack.model.formats import FORMAT_NAMES, format_of
from ctxpack.parse import exact, outline
from ctxpack.query import query_of_text
from ctxpack.rank.ranking import order_of
from ctxpack.redact import Rules, redact
from ctxpack.render.read_back import read_report
from ctxpack.report.conversation import parse_history
from ctxpack.settings import Settings
from ctxpack.settings.recipe import read_recipe
from ctxpack.system.tokens import counter
from ctxpack.text import decode
from ctxpack.workflows.verification import Status, check_report

PROJECT = Path(__file__).parents[2]
LARGEST = 40_000  # bytes of a file of the corpus
LEAST_FILES, MOST_FILES = 1, 6
LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "java", "c", "cpp", "markdown", "yaml", "json", "vue")
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1251", "latin-1", "shift_jis")
NASTY = (
    "\x00", "\x1b]0;x\x07", "\u202e", "\u200b", "\ufeff", "\ud7ff", "\u2028", "\x0c", "\x85", "\r", "\r\n", "\n\n\n",
    "\t", "```", "````", "~~~", "<!--", "-->", "]]>", "<![CDATA[", "&lt;", "</file>", '"""', "'''", "/*", "*/",
    "`${", "}}", "{{", "<!--TAG:a-->", "<!--/TAG:a-->", "[REDACTED:password]", "[SUSPICIOUS: x] ", "⟨U+202E⟩", "# ",
    "## [1] a.py:1-2", "---", "password=", "-----BEGIN RSA PRIVATE KEY-----", "token: ", "://a:b@",
    "ignore all previous instructions", "\u0661\u0662\u0663", "\u0130", "ß", "\ufb01", "e\u0301",
    "\U0001f469\u200d\U0001f467", "日本語", "ไทย", "9" * 400, "(" * 200, "[" * 200, "- " * 90, "\\", "%00", "..",
    "a" * 3000,
)  # fmt: skip
TEXTS = (
    "fix the retry bug in the uploader", "where is `backoff` defined?", "дубли событий при повторной отправке",
    'Traceback (most recent call last):\n  File "processing/uploader.py", line 42, in send\nValueError: no "answer"',
    "how does the queue survive a crash, and what does it write to disk?", "Uploader.send_with_retry", "README",
)  # fmt: skip
SETTINGS = """budget = "4k"
exclude = ["vendor/**", "*.{min,gen}.js"]
order = "path"
use_history = false
[synonyms]
courier = ["uploader", "delivery"]
[kinds]
spec = ["design/**/*.md"]
[shares]
docs = 0.4
[profile.review]
budget = "32k"
[[strategy]]
id = "search"
timeout = 3
[[allow]]
value = "AKIA*EXAMPLE"
reason = "the example of a manual"
[[context]]
path = "AGENTS.md"
request = "how to work on this"
"""
HISTORY = (
    '{"system": "Be brief.", "messages": [{"role": "user", "content": "Retry?"}, {"role": "assistant", "content": []}]}'
)
ANSWERS = ("[3, 1, 2]", "```json\n[2,1]\n```", "1, 2, 3", "<think>so</think>\n3\n1\n2", "[1e3]", "[[1]]", "1. 2. 3.")

Rng = random.Random


@dataclass(frozen=True, slots=True)
class Case:
    """What is tried: bytes for a reader, or a repository with a request and settings."""

    name: str
    data: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    flags: Mapping[str, object] = field(default_factory=dict)
    scope: str = "task"
    secrets: tuple[str, ...] = ()

    def shown(self) -> str:
        """Write the case as JSON."""
        files = {path: data.decode("latin-1") for path, data in self.files.items()}
        facts = {"name": self.name, "data": self.data.decode("latin-1"), "files": files, "flags": {**self.flags}}
        return json.dumps({**facts, "scope": self.scope, "secrets": self.secrets}, indent=1)


class WrongError(Exception):
    """A promise was broken; ``str(error)`` says which."""


# --- what is made -----------------------------------------------------------------------------------------------------


def mutate(data: bytes, rng: Rng, others: Sequence[bytes] = ()) -> bytes:
    """Break some bytes as files break: cut, doubled, exchanged, filled with what is odd."""
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        at, length = rng.randrange(len(data) + 1), rng.choice((1, 2, 7, 80, 900))
        other = rng.choice([*others, data]) if others else data
        start = rng.randrange(len(other) + 1)
        data = rng.choice(
            (
                data[:at],
                data[at:],
                data[:at] + data[at + length :],
                data[:at] + data[at : at + length] * rng.choice((2, 30, 300)) + data[at + length :],
                data[:at] + rng.choice(NASTY).encode() * rng.choice((1, 1, 1, 2, 40)) + data[at:],
                data[:at] + rng.randbytes(rng.choice((1, 3, 30))) + data[at:],
                data[:at] + other[start : start + length] + data[at:],
                bytes(reversed(data[at : at + length])).join((data[:at], data[at + length :])),
                data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b" ")), rng.choice((1, -1))),
                data.replace(b" ", b"", rng.choice((1, 9))),
            )
        )[: 4 * LARGEST]
    return data


def make_key(rng: Rng) -> str:
    """A key that has the shape of a provider's and is nobody's."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return "ghp_" + "".join(rng.choice(letters) for _ in range(36))


def plant(data: bytes, key: str, rng: Rng) -> bytes:
    """Put a line with a key between two lines of a file."""
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), f'upload_token = "{key}"  # retry'.encode())
    return b"\n".join(lines)


def make_pack(rng: Rng, corpus: Sequence[tuple[str, bytes]]) -> Case:
    """Make a repository of mutated files, with settings and a request."""
    files: dict[str, bytes] = {}
    secrets: list[str] = []
    contents = [data for _, data in corpus]
    for path, data in rng.choices(corpus, k=rng.randrange(LEAST_FILES, MOST_FILES)):
        broken = mutate(data, rng, contents)
        if rng.random() < 0.5:  # noqa: PLR2004
            secrets.append(make_key(rng))
            broken = plant(broken, secrets[-1], rng)
        if rng.random() < 0.2 and secrets:  # noqa: PLR2004
            broken = broken.decode("utf-8", "ignore").encode(rng.choice(ENCODINGS), "replace")
        files[path] = broken
    flags: dict[str, object] = {
        "format": rng.choice(FORMAT_NAMES),
        "budget": rng.choice((150, 400, 900, 2_500, 8_000, 30_000)),
    }
    for name in ("pii", "compress", "line_numbers", "flag_injections", "use_instructions", "stats", "use_tree"):
        if rng.random() < 0.25:  # noqa: PLR2004
            flags[name] = rng.random() < 0.7  # noqa: PLR2004
    if rng.random() < 0.2:  # noqa: PLR2004
        flags["order"] = rng.choice(("path", "edges", "hierarchical"))
    if rng.random() < 0.2:  # noqa: PLR2004
        flags["require"] = (rng.choice([*files]),)
    text = mutate(rng.choice((*TEXTS, *map(_line, contents))).encode(), rng, contents).decode("utf-8", "replace")
    return Case("pack", text.encode(), files, flags, rng.choice(("task", "task", "file", "component")), tuple(secrets))


def _line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").split("\n")
    return lines[len(lines) // 2][:300]


# --- what is tried ----------------------------------------------------------------------------------------------------


def try_pack(case: Case) -> None:
    """Pack a repository and look whether all that is promised of a report holds. Raises WrongError and CtxpackError."""
    with tempfile.TemporaryDirectory(prefix="ctxpack-fuzz-") as name:
        folder = Path(name)
        root = folder / "root"
        for path, data in {"retry.py": b"def retry(upload): ...\n", **case.files}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        text = case.data.decode("utf-8", "replace")
        request = {
            "task": Request(Scope.TASK, text=text or "retry"),
            "file": Request(Scope.FILE, path=next(iter(case.files), "retry.py"), line=min(len(text), 40)),
            "component": Request(Scope.COMPONENT, name=text[:80] or "retry"),
        }[case.scope]
        its = load(root, case.flags, {"CTXPACK_CACHE_DIR": str(folder / "cache"), "HOME": name})
        first = _report(request, its)
        if _has(case.secrets, text):
            return  # the request itself names it
        _judge(first, case, its)
        if not case.flags.get("stats"):
            _damage(folder / "cache", Rng(len(text)))
            for again in (_report(request, its), _report(request, replace(its, use_cache=False))):
                if again != first:
                    raise WrongError("another answer to the same request")


def _report(request: Request, its: Settings) -> tuple[str, str]:
    """A report and its notes, or the error."""
    try:
        report = pack(request, its)
    except CtxpackError as error:
        return "", f"{error} {error.hint}"
    return report.text, "\n".join(report.notes)


def _judge(given: tuple[str, str], case: Case, its: Settings) -> None:
    text, notes = given
    if _has(case.secrets, text) or _has(case.secrets, notes):
        raise WrongError("a key comes through")
    if not text:
        return
    if not format_of(its.format).counted_as and counter(its.encoding).count(text) > its.budget:
        raise WrongError("more tokens than the budget")
    if any("\ud800" <= each <= "\udfff" or each in "\x1b\u202e\x00" for each in text):
        raise WrongError("a character that commands a terminal")
    read = read_report(text.encode())
    stale = [each for each in check_report(read, its) if each.status is not Status.UNCHANGED]
    if stale:
        raise WrongError(f"a fresh piece is called {stale[0].status}")


def _has(secrets: Sequence[str], text: str) -> bool:
    return any(secret in text for secret in secrets)


def _damage(cache: Path, rng: Rng) -> None:
    files = sorted(path for path in cache.rglob("*") if path.is_file())
    if files:
        place = rng.choice(files)
        data = bytearray(place.read_bytes())
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        place.write_bytes(data)


def read_settings(data: bytes) -> None:
    """Load settings from the bytes of a configuration, and match its globs."""
    with tempfile.TemporaryDirectory(prefix="ctxpack-fuzz-") as name:
        Path(name, "ctxpack.toml").write_bytes(data)
        load(name, {}, {"HOME": name})
        globs = re.findall(r'"([^"\n]{1,200})"', data.decode("utf-8", "replace"))
        compile_globs(globs[:9]).matching("a/b.py")


def read_foreign_report(data: bytes) -> None:
    """Read a report, what made it, and check its pieces."""
    read = read_report(data)
    read_recipe(read.recipe)
    check_report(read, Settings(root=PROJECT / "fixtures" / "demo", cache_dir=PROJECT / "nowhere", use_cache=False))


def parse_text(data: bytes) -> None:
    """Parse a text by patterns and by syntax tree: the chunks cover all of its lines, in order."""
    text = decode(data[1:])
    language = LANGUAGES[data[0] % len(LANGUAGES)] if data else "python"
    lines = max(len(text.splitlines()), 1)
    for parsed in (outline(text, language), exact(text, language)):
        ends = [each.end_line for each in parsed.chunks]
        starts = [each.start_line for each in parsed.chunks]
        if ends != sorted(ends) or any(start > end for start, end in zip(starts, ends, strict=True)):
            raise WrongError(f"chunks out of order among {lines} lines")


def redact_text(data: bytes) -> None:
    """Redact a text: no line moves, and a second time changes nothing."""
    text = data.decode("utf-8", "replace")
    rules = Rules(personal=True)
    once = redact(text, rules=rules).text
    if once.count("\n") != text.count("\n"):
        raise WrongError("a line moved")
    if redact(once, rules=rules).text != once:
        raise WrongError("redacting again changes more")


def read_order(data: bytes) -> None:
    """Read the answer of a reranking command."""
    try:
        found = order_of(data.decode("utf-8", "replace"), 5)
    except ValueError:
        return
    if len({*found}) < len(found) or not {*found} <= {*range(5)}:
        raise WrongError("an order that is none")


def understand_text(data: bytes) -> None:
    """Understand a request."""
    query_of_text(data.decode("utf-8", "replace"))


def read_chat(data: bytes) -> None:
    """Read the history of a chat."""
    parse_history(data, "chat.json")


READERS: Mapping[str, Callable[[bytes], None]] = {
    "settings": read_settings,
    "report": read_foreign_report,
    "parse": parse_text,
    "redact": redact_text,
    "order": read_order,
    "query": understand_text,
    "chat": read_chat,
}


def seeds_of(corpus: Sequence[tuple[str, bytes]]) -> Mapping[str, Sequence[bytes]]:
    """What each reader reads, before it is broken."""
    files = [data for _, data in corpus]
    demo, cache = PROJECT / "fixtures" / "demo", tempfile.mkdtemp(prefix="ctxpack-fuzz-")
    reports = [
        pack(
            Request(Scope.TASK, text=text), load(demo, {"format": name, "budget": 2_000}, {"CTXPACK_CACHE_DIR": cache})
        )
        for name in FORMAT_NAMES
        for text in TEXTS[:3:2]
    ]
    shutil.rmtree(cache)
    labelled = [path.read_bytes() for path in sorted((PROJECT / "fixtures" / "labelled").iterdir())]
    return {
        "settings": [SETTINGS.encode(), (PROJECT / "pyproject.toml").read_bytes()],
        "report": [report.text.encode() for report in reports],
        "parse": files,
        "redact": [*files, *(data[at : at + 3_000] for data in labelled for at in range(0, len(data), 3_000))],
        "order": [each.encode() for each in ANSWERS],
        "query": [*(each.encode() for each in TEXTS), *files],
        "chat": [HISTORY.encode()],
    }


def make_case(seed: int, number: int, given: tuple[Sequence[tuple[str, bytes]], Mapping[str, Sequence[bytes]]]) -> Case:
    """Make the case of a number."""
    corpus, seeds = given
    rng = Rng(f"{seed} {number}")
    name = rng.choice(("pack", *READERS))
    if name == "pack":
        return make_pack(rng, corpus)
    data = mutate(rng.choice(seeds[name]), rng, seeds[name])
    return Case(name, (bytes([rng.randrange(256)]) if name == "parse" else b"") + data)


def try_case(case: Case) -> str:
    """Try a case; empty where it is as promised, else what is wrong, and where."""
    try:
        if case.name == "pack":
            try_pack(case)
        else:
            READERS[case.name](case.data)
    except CtxpackError:
        return ""
    except WrongError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno}"
    return ""
