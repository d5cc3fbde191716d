#!/usr/bin/env python3
"""Measure how many of the labelled secrets and personal data are taken out, and how much that is neither.

  redaction.py [--set DIR] [--show] [--detect-secrets PROGRAM] [--gitleaks RULES] [--trees DIR ...]

Reads fixtures/labelled: secrets, personal data, and what looks like either. Every mark is found if nothing of it is
left, else missed; what is taken out beside the marks is a false alarm. Of another tool's finding only the line counts.
Prints recall and precision with their counts, by set and for all; --show prints what was missed and what was falsely
taken out. Then the milliseconds for 32 kB of the set, the best of ten. --trees prints what is taken out of the text
files of work trees, and how much that is per 1,000 files.
Standard library and this package, and what other tools need.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import string
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from ctxpack.discover.kinds import Kinds, survey  # noqa: E402 - the checkout, not an installed package
from ctxpack.parse.languages import language_of_name  # noqa: E402
from ctxpack.redact import redact  # noqa: E402
from ctxpack.redact.redaction import holds_data  # noqa: E402
from ctxpack.redact.rules import Rules  # noqa: E402

LABELLED = PROJECT / "fixtures" / "labelled"
SETS = ("secrets", "lookalikes", "personal")
RULES = Rules(personal=True)
BLOCK = 32_768
_TIMES = 10
_MOST_BYTES = 1_000_000
_SLOT = re.compile(r"‹(\w+)(?: ([\w ]+))?›")
_SIGNS = {
    "alnum": string.ascii_letters + string.digits,
    "letters": string.ascii_letters,
    "upper": string.ascii_uppercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "digits": string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "b64url": string.ascii_letters + string.digits + "-_",
}
_CARDS = {"visa": ("4", 16), "master": ("53", 16), "mir": ("2204", 16), "amex": ("37", 15), "discover": ("6011", 16)}
_IBANS = {"DE": "d18", "GB": "a4d14", "FR": "d20a1d2", "NL": "a4d10", "ES": "d20", "CH": "d17"}


@dataclass(frozen=True, slots=True)
class Case:
    """A text of one file, and the characters of it that must go."""

    group: str
    path: str
    text: str
    marked: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found of a case: how many marks, which were missed, and what was falsely taken out."""

    case: Case
    found: int
    missed: tuple[str, ...]
    false: tuple[str, ...]


Finder = Callable[[Sequence[Case]], list[Outcome]]


def read_cases(folder: Path = LABELLED) -> list[Case]:
    """Read all sets; what is drawn is drawn with the same seed each time."""
    dice = random.Random(1729)  # noqa: S311
    return [case for group in SETS for case in _read(folder / f"{group}.txt", group, dice)]


def _read(path: Path, group: str, dice: random.Random) -> Iterator[Case]:
    head, *sections = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert all(line.startswith("#") for line in head.split("\n") if line)  # noqa: S101 - a comment
    for section in sections:
        title, _, body = section.partition("\n")
        name, is_block = title.removesuffix(" |"), title.endswith(" |")
        for text in [body.rstrip("\n") + "\n"] if is_block else filter(None, body.split("\n")):
            yield _case(group, name, _SLOT.sub(lambda slot: _drawn(slot, dice), text))


def _case(group: str, path: str, text: str) -> Case:
    """Take the marks out of a text and keep their places."""
    parts = re.split("[⟦⟧]", text)
    marked: list[tuple[int, int]] = []
    at = 0
    for number, part in enumerate(parts):
        if number % 2:
            marked.append((at, at + len(part)))
        at += len(part)
    return Case(group, path, "".join(parts), tuple(marked))


def _drawn(slot: re.Match[str], dice: random.Random) -> str:
    name, detail = slot[1], slot[2] or "usual"
    if name in _SIGNS:
        drawn = "".join(dice.choice(_SIGNS[name]) for _ in range(int(detail)))
        has_digit = int(detail) > 8 and name in {"alnum", "b64", "b64url"}  # noqa: PLR2004 - as good as any key has one
        return drawn[:-2] + "7q" if has_digit and not any(map(str.isdigit, drawn)) else drawn
    kind, *form = detail.split()
    number = {"card": _card, "iban": _iban, "inn": _inn, "snils": _snils}[name](kind, dice)
    return _spelt(name, number, (form or [kind])[0])


def _spelt(name: str, number: str, form: str) -> str:
    """Write a number as people do."""
    groups = [number[at : at + 4] for at in range(0, len(number), 4)]
    if name == "card" and len(number) == 15:  # noqa: PLR2004 - American Express
        groups = [number[:4], number[4:10], number[10:]]
    if name == "snils":
        parts = [number[:3], number[3:6], number[6:9], number[9:]]
        return {"plain": number, "dashed": "-".join(parts)}.get(form, "-".join(parts[:3]) + " " + parts[3])
    return {"spaced": " ".join(groups), "dashed": "-".join(groups)}.get(form, number)


def _digits(count: int, dice: random.Random) -> str:
    return "".join(dice.choice(string.digits) for _ in range(count))


def _card(kind: str, dice: random.Random) -> str:
    start, length = _CARDS[kind]
    body = start + _digits(length - len(start) - 1, dice)
    return next(body + last for last in string.digits if _luhn(body + last))


def _luhn(number: str) -> bool:
    doubled = (int(sign) * (1 + place % 2) for place, sign in enumerate(reversed(number)))
    return sum(each - 9 * (each > 9) for each in doubled) % 10 == 0  # noqa: PLR2004 - the sum of its digits


def _iban(country: str, dice: random.Random) -> str:
    parts = re.findall(r"([ad])(\d+)", _IBANS[country])
    body = "".join(
        _digits(int(count), dice) if sign == "d" else "".join(dice.choice("ABCDEFGHKLMN") for _ in range(int(count)))
        for sign, count in parts
    )
    rest = int("".join(str(int(sign, 36)) for sign in f"{body}{country}00"))
    return f"{country}{98 - rest % 97:02}{body}"


def _inn(length: str, dice: random.Random) -> str:
    weights = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    if length == "10":
        body = "77" + _digits(7, dice)
        return body + str(_weighted(body, weights))
    body = "50" + _digits(8, dice)
    body += str(_weighted(body, (7, *weights)))
    return body + str(_weighted(body, (3, 7, *weights)))


def _weighted(body: str, weights: Sequence[int]) -> int:
    return sum(int(sign) * weight for sign, weight in zip(body, weights, strict=True)) % 11 % 10


def _snils(_: str, dice: random.Random) -> str:
    body = "1" + _digits(8, dice)
    total = sum(int(sign) * (9 - place) for place, sign in enumerate(body))
    return f"{body}{total % 101 % 100:02}"


def by_us(cases: Sequence[Case]) -> list[Outcome]:
    """Redact every case as the file that it is of; secrets alone where secrets are counted."""
    outcomes = []
    for case in cases:
        rules = Rules(personal=case.group != "secrets")
        clean = redact(case.text, is_data=is_data(case.path), rules=rules)
        outcomes.append(_outcome(case, _taken_out(case.text, clean.text)))
    return outcomes


def is_data(path: str) -> bool:
    """Whether the file at a path holds values only."""
    language = language_of_name(path.rpartition("/")[2])
    return holds_data(language, Kinds({}, survey([path])).kind(path, language))


def _taken_out(text: str, clean: str) -> list[tuple[int, int]]:
    """The characters of a text that marks of redaction stand for; the line ends beside a mark belong to it."""
    found: list[tuple[int, int]] = []
    at = 0
    left = re.split(r"\[REDACTED:[a-z0-9-]+\]", clean)
    for number, part in enumerate(left):
        if not number:
            at = len(part)
            continue
        bare = part.lstrip("\n")
        end = text.find(bare, at) if bare or number < len(left) - 1 else len(text)
        if number == len(left) - 1:
            end = len(text) - len(bare)
        found.append((at, end))
        at = end + len(bare)
    return found


def _outcome(case: Case, taken: Sequence[tuple[int, int]]) -> Outcome:
    missed = [case.text[start:end] for start, end in case.marked if not _is_gone(case.text, (start, end), taken)]
    beside = [
        case.text[start:end] for start, end in taken
        if not any(start < last and first < end for first, last in case.marked)
    ]  # fmt: skip
    return Outcome(case, len(case.marked) - len(missed), tuple(missed), tuple(beside))


def _is_gone(text: str, mark: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether nothing that tells is left of a mark: line ends and quotes do not."""
    left = [at for at in range(*mark) if not any(start <= at < end for start, end in taken)]
    return not any(text[at].isalnum() for at in left)


def by_lines(cases: Sequence[Case], lines: Callable[[Path], Iterable[tuple[str, int]]]) -> list[Outcome]:
    """Write every case to a file of its own; ``lines`` tells in which files and lines another tool finds something."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for number, case in enumerate(cases):
            place = root / f"case{number:04}" / case.path
            place.parent.mkdir(parents=True)
            place.write_text(case.text, encoding="utf-8")
        found = Counter((path.split("/")[0], line) for path, line in lines(root))
    return [
        _of_lines(case, {line for name, line in found if name == f"case{number:04}"})
        for number, case in enumerate(cases)
    ]


def _of_lines(case: Case, found: set[int]) -> Outcome:
    """Judge another tool by lines; beside a mark it is never wrong, as it may name the line before or after."""
    missed = []
    for start, end in case.marked:
        its = range(case.text.count("\n", 0, start), case.text.count("\n", 0, end) + 2)
        if not found.intersection(its):
            missed.append(case.text[start:end])
    texts = case.text.split("\n")
    false = [] if case.marked else [texts[line - 1] for line in sorted(found) if line <= len(texts)]
    return Outcome(case, len(case.marked) - len(missed), tuple(missed), tuple(false))


def detect_secrets(program: str) -> Callable[[Path], Iterator[tuple[str, int]]]:
    """What detect-secrets finds with its default plug-ins."""

    def lines(root: Path) -> Iterator[tuple[str, int]]:
        done = subprocess.run(
            [program, "scan", "--all-files", "--no-verify", "."], cwd=root, capture_output=True, check=True
        )
        for path, findings in json.loads(done.stdout)["results"].items():
            yield from ((path, int(each["line_number"])) for each in findings)

    return lines


def gitleaks(rules: Path) -> Callable[[Path], Iterator[tuple[str, int]]]:
    """What the rules of a configuration of gitleaks find; its patterns are those of RE2."""
    import re2

    config = tomllib.loads(rules.read_text(encoding="utf-8"))
    compiled = [(rule, re2.compile(rule["regex"])) for rule in config["rules"] if "regex" in rule]
    allowed = _allowed(re2, [config.get("allowlist", {}), *config.get("allowlists", [])])

    def lines(root: Path) -> Iterator[tuple[str, int]]:
        for place in sorted(each for each in root.rglob("*") if each.is_file()):
            text, name = place.read_text(encoding="utf-8"), place.relative_to(root).as_posix()
            lower = text.lower()
            for rule, pattern in compiled:
                if not rule.get("keywords") or any(word.lower() in lower for word in rule["keywords"]):
                    own = _allowed(re2, rule.get("allowlists", []))
                    for match in pattern.finditer(text):
                        secret = match.group(rule.get("secretGroup") or (1 if match.re.groups else 0)) or match.group()
                        if _entropy(secret) >= rule.get("entropy", 0) and not any(
                            each(secret) for each in (allowed, own)
                        ):
                            first = text.count("\n", 0, match.start()) + 1
                            yield from ((name, line) for line in range(first, first + match.group().count("\n") + 1))

    return lines


def _allowed(re2: ModuleType, entries: Iterable[Mapping[str, Any]]) -> Callable[[str], bool]:
    """Whether the allow-lists of gitleaks let a secret through: by its own text."""
    told = [each for each in entries if each.get("regexTarget", "secret") == "secret" and not each.get("paths")]
    patterns = [re2.compile(text) for each in told for text in each.get("regexes", [])]
    stops = [word.lower() for each in told for word in each.get("stopwords", [])]
    return lambda secret: any(each.search(secret) for each in patterns) or any(each in secret.lower() for each in stops)


def _entropy(text: str) -> float:
    """Bits for each sign of a text."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


def row(name: str, outcomes: Sequence[Outcome]) -> str:
    """Recall and precision of some outcomes, with their counts."""
    found, missed = sum(each.found for each in outcomes), sum(len(each.missed) for each in outcomes)
    false = sum(len(each.false) for each in outcomes)
    recall = f"{found / (found + missed):.3f}" if found + missed else "-"
    precision = f"{found / (found + false):.3f}" if found else "-"
    return f"{name:28} {len(outcomes):5} {found:6} {missed:7} {false:6} {recall:>7} {precision:>10}"


def report(name: str, outcomes: Sequence[Outcome], *, show: bool) -> None:
    """Print the rows of a tool: by set, the secrets with what looks like them, and all."""
    print(f"\n{name:28} cases  found  missed  false  recall  precision")
    for group in SETS:
        print(row(group, [each for each in outcomes if each.case.group == group]))
    print(row("secrets and look-alikes", [each for each in outcomes if each.case.group != "personal"]))
    print(row("all", outcomes))
    for each in outcomes if show else ():
        for what, texts in (("missed", each.missed), ("false", each.false)):
            for text in texts:
                print(f"  {what:6} {each.case.path}: {text!r} in {each.case.text!r}"[:200])


def milliseconds(cases: Sequence[Case]) -> float:
    """The best time for 32 kB of some cases, one after the other, read as a file of values."""
    return _milliseconds("\n".join(case.text for case in cases), is_data=True)


def of_code() -> float:
    """The best time for 32 kB of this package."""
    places = sorted((PROJECT / "ctxpack" / "cli").glob("*.py"))
    return _milliseconds("".join(place.read_text(encoding="utf-8") for place in places), is_data=False)


def _milliseconds(text: str, *, is_data: bool) -> float:
    block = (text * (BLOCK // len(text) + 1))[:BLOCK]
    times = []
    for _ in range(_TIMES):
        began = time.process_time()
        redact(block, is_data=is_data, rules=RULES)
        times.append(time.process_time() - began)
    return min(times) * 1000


def over_trees(trees: Sequence[Path], rules: Rules) -> None:
    """Print what is taken out of the files of some work trees."""
    kinds, files = Counter[str](), 0
    for tree in trees:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, text=True, check=True).stdout
        paths = [path for path in listed.split("\0") if path]
        near = Kinds({}, survey(paths))
        for path in paths:
            text = _text(tree / path)
            if text is None:
                continue
            files += 1
            language = language_of_name(path.rpartition("/")[2])
            clean = redact(text, is_data=holds_data(language, near.kind(path, language)), rules=rules)
            kinds.update(each.kind for each in clean.findings)
            rows, news = text.split("\n"), clean.text.split("\n")
            for each in clean.findings:
                at = each.line - 1
                print(
                    f"{each.kind}\t{tree.name}/{path}:{each.line}\t{rows[at].strip()[:200]}\t{news[at].strip()[:160]}"
                )
    total = sum(kinds.values())
    rate = 1000 * total / max(files, 1)
    print(f"{files:,} files, {total} taken out, {rate:.1f} per 1,000 files: {dict(kinds.most_common())}")


def _text(place: Path) -> str | None:
    """The text of a file as a pack would have it; None for what is none."""
    if place.is_symlink() or not place.is_file() or place.stat().st_size > _MOST_BYTES:
        return None
    data = place.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", "replace")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, default=LABELLED, help="folder of the labelled sets")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was falsely taken out")
    parser.add_argument("--detect-secrets", metavar="PROGRAM", help="compare with detect-secrets")
    parser.add_argument("--gitleaks", metavar="RULES", type=Path, help="compare with gitleaks' rules; needs google-re2")
    parser.add_argument("--trees", type=Path, nargs="+", help="print what is taken out of work trees")
    parser.add_argument("--pii", action="store_true", help="personal data of the work trees too")
    given = parser.parse_args()
    if given.trees:
        over_trees(given.trees, Rules(personal=given.pii))
        return
    cases = read_cases(given.set)
    report("ctxpack", by_us(cases), show=given.show)
    dense, plain = milliseconds(cases), milliseconds([case for case in cases if case.group == "lookalikes"])
    print(f"\n{dense:.1f} ms for 32 kB of the set, {plain:.1f} ms for 32 kB of look-alikes, {of_code():.1f} ms of code")
    if given.detect_secrets:
        report("detect-secrets", by_lines(cases, detect_secrets(given.detect_secrets)), show=given.show)
    if given.gitleaks:
        report("gitleaks' rules", by_lines(cases, gitleaks(given.gitleaks)), show=given.show)


if __name__ == "__main__":
    main()
