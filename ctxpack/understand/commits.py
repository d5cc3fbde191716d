"""Commits: the two states that a diff compares, the messages between them, and the last commits of changed lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ctxpack.errors import UsageError
from ctxpack.index.commit_log import History, message_tokens
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Request
from ctxpack.query.subtokens import STOPWORDS
from ctxpack.settings import Settings
from ctxpack.settings.roots import check_one_root
from ctxpack.system.clock import Deadline, Timekeeper
from ctxpack.system.git import Git, GitError, GitProcess, GitTimeoutError, find_git, plain_git, readable
from ctxpack.understand.change import Change, CommitMessage, FileChange, Revisions

_EXAMPLES = "Name a commit, a branch or a range: ctxpack diff main, ctxpack diff v1.0..HEAD"
_ONE_COMMIT = "^!"  # git's own ending for what one commit changed


def resolve_revisions(request: Request, settings: Settings, keeper: Timekeeper | None = None) -> tuple[Git, Revisions]:
    """Return git for the root of ``settings``, and the two states that the request of a diff compares.

    Raises UsageError where there is no git, for a name that is no commit, and for a range that cannot be staged.
    """
    check_one_root(settings, "A diff is about")
    git = _git(settings.root, keeper)
    written = request.revision.strip()
    if written.startswith("-"):
        raise UsageError(f"{written} is an option, not a revision.", hint=_EXAMPLES)
    head = _commit(git, "HEAD") or ""
    left, dots, right = _split_range(written)
    if dots and request.is_staged:
        raise UsageError(f"{written} names two commits, so nothing of it is staged.", hint="Leave --staged out.")
    if dots:
        return git, _range(git, written, (left, dots, right), head)
    if written.endswith(_ONE_COMMIT):
        return git, _one_commit(git, written, head)
    old = _require_commit(git, written) if written else head
    return git, Revisions(
        _title(written, is_staged=request.is_staged),
        old or _empty_tree(git),
        "",
        head,
        has_old=bool(old),
        is_staged=request.is_staged,
    )


def _git(root: Path, keeper: Timekeeper | None) -> Git:
    git = find_git(str(root), keeper)
    if git is None:
        raise UsageError("A diff needs git, which is not installed.", hint="Install git, or try: ctxpack task")
    try:
        is_inside = git.start("rev-parse", "--is-inside-work-tree").text().strip() == "true"
    except GitError as error:
        if "not a git repository" not in str(error):
            raise UsageError(f"Git cannot read the repository {root}: {error}.") from error
        is_inside = False
    if not is_inside:
        raise UsageError(f"{root} is not a git work tree, so there is no diff.", hint="Give --root a git repository.")
    return git


def _split_range(written: str) -> tuple[str, str, str]:
    """Both sides of a range and its dots; without dots it is no range."""
    dots = "..." if "..." in written else ".." if ".." in written else ""
    left, _, right = written.partition(dots) if dots else (written, "", "")
    return left, dots, right


def _range(git: Git, written: str, parts: tuple[str, str, str], head: str) -> Revisions:
    left, dots, right = parts
    old, new = (_require_commit(git, side or "HEAD") for side in (left, right))
    if dots == "...":
        try:
            old = git.start("merge-base", old, new).text().split()[0]
        except GitError as error:
            raise UsageError(f"{left or 'HEAD'} and {right or 'HEAD'} share no commit.", hint=_EXAMPLES) from error
    return Revisions(written, old, new, head)


def _one_commit(git: Git, written: str, head: str) -> Revisions:
    """Return what one commit changed since its first parent."""
    new = _require_commit(git, written.removesuffix(_ONE_COMMIT))
    old = _commit(git, f"{new}^")
    return Revisions(written, old or _empty_tree(git), new, head, has_old=bool(old))


def _require_commit(git: Git, name: str) -> str:
    found = None if name.startswith("-") or "\0" in name else _commit(git, name)
    if found is None:
        raise UsageError(f"{name} is not a commit of this repository.", hint=_EXAMPLES)
    return found


def _commit(git: Git, name: str) -> str | None:
    """Return the full hash of a commit, or None."""
    try:
        run = git.start("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return run.text().strip() or None
    except GitError:  # who asks says that there is none
        return None


def _empty_tree(git: Git) -> str:
    """Return the id of the tree without files, in the object format of the repository."""
    return git.start("hash-object", "-t", "tree", "--stdin").text().strip()


def _title(written: str, *, is_staged: bool) -> str:
    if written:
        return f"{written}, staged" if is_staged else f"{written}, to the work tree"
    return "staged changes" if is_staged else "uncommitted changes"


def revision_of(name: str, history: History) -> str:
    """What git calls the change of one commit, or of a pull request (``#12``), which commit messages name.

    Empty for a pull request that no known commit names. A pull request of several commits is a range where they
    follow one another; else its newest commit stands for it.
    """
    if not name.startswith("#"):
        return f"{name}{_ONE_COMMIT}"
    says = re.compile(rf"\({re.escape(name)}\)$|^Merge pull request {re.escape(name)} ")
    found = [at for at in range(len(history)) if says.search(history.commit(at).subject)]
    if not found:
        return ""
    newest, oldest = (history.commit(at).hash for at in (found[0], found[-1]))
    is_range = 1 < len(found) == found[-1] - found[0] + 1
    return f"{oldest}^..{newest}" if is_range else f"{newest}{_ONE_COMMIT}"


# Pronouns, and people whose names are not said, are nobody's names.
_AUTHOR = lazy_pattern(
    r"\b(?!(?:it|that|this|what|let|who|here|there|he|she|one|someone|somebody|colleague|coworker|teammate|contributor"
    r"|user|author)\b)(?P<name>[^\W\d_][\w-]{1,40})['\u2019]s (?:\w{1,20} ){0,2}?"
    r"(?:changes?|commits?|patch(?:es)?|pr|mr|diff|pull request|merge request|fix|refactor(?:ing)?)\b",
    re.IGNORECASE,
)
_MOST_OF_AUTHOR = 200  # commits
_SHARED = 2  # words that a commit and what is said of it have in common at least


def commit_of_author(
    text: str, settings: Settings, history: History, keeper: Timekeeper | None
) -> CommitMessage | None:
    """The commit that a text speaks of as somebody's change: of those of this author the one with most of its words.

    Of equal ones it is the newest. None where no known commit of the author has enough of them.
    """
    match = _AUTHOR.search(text)
    if match is None or not len(history):
        return None
    said = {*message_tokens(f"{text[: match.start()]} {text[match.end() :]}")} - {*message_tokens(" ".join(STOPWORDS))}
    among = (
        "-i",
        "-F",
        f"--author={match['name']}",
        "--no-merges",
        f"--since=@{history.commit(len(history) - 1).time}",
    )
    try:
        found = read_messages(_git(settings.root, keeper), among, _MOST_OF_AUTHOR)
    except (GitError, UsageError):  # without git the text is about nothing but words
        return None
    shared = {each: len(said.intersection(message_tokens(each.subject))) for each in found}
    best = max(found, key=lambda each: shared[each], default=None)
    return best if best and shared[best] >= _SHARED else None


_MOST = 20
_FIELDS = 4
_SIGNATURE = lazy_pattern(r"[a-z]+(?:-[a-z]+)*-(?:by|id|to): ", re.IGNORECASE)
_FIELD = "\x1f"
_BODY_LENGTH = 4_000  # characters
_MOST_FILES, _MOST_RANGES, _MOST_LINES, _MOST_COMMITS = 6, 12, 400, 5
_REACH = 2_000  # commits back: a long history takes seconds a file, and what is older says little
_SECONDS = 5.0  # for all files together
_TOGETHER = 3  # files at a time
_COMMIT = lazy_pattern(r"([0-9a-f]{40,64}) \d+ \d+ (\d+)$")


def messages_of(git: Git, revisions: Revisions) -> tuple[tuple[CommitMessage, ...], int]:
    """Read the newest commits that are only in the new state, and count the others.

    Merges are left out unless there is nothing else. Raises GitError.
    """
    last = revisions.new or revisions.head
    if not last or last == revisions.old:
        return (), 0
    span = (f"{revisions.old}..{last}",) if revisions.has_old else (last,)
    found = read_messages(git, ("--no-merges", *span)) or read_messages(git, span)
    count = len(found)
    if count == _MOST:
        count = int(git.start("rev-list", "--count", "--no-merges", *span).text())
    return found, max(0, count - len(found))


def read_messages(git: Git, what: Sequence[str], most: int = _MOST) -> tuple[CommitMessage, ...]:
    """Read the first ``most`` commits of ``git log`` for ``what``. Raises GitError."""
    form = f"--format=tformat:%h{_FIELD}%cs{_FIELD}%s{_FIELD}%b%x00"
    options = ("--no-color", "--no-show-signature", "--no-notes", "--encoding=UTF-8", "--abbrev=8", f"-n{most}", "-s")
    output = git.start("log", *options, form, *what, "--").text()
    rows = (record.lstrip("\n").split(_FIELD, 3) for record in readable(output).split("\0"))
    return tuple(CommitMessage(row[0], row[1], row[2], _body(row[3])) for row in rows if len(row) == _FIELDS)


def _body(text: str) -> str:
    """Return the message below its first line, without trailers such as ``Signed-off-by``."""
    lines = [line for line in text.splitlines() if not _SIGNATURE.match(line)]
    return "\n".join(lines).strip()[:_BODY_LENGTH]


@dataclass(frozen=True, slots=True)
class Touched:
    """A commit that was the last to change some of the lines that a diff changes, and how many."""

    message: CommitMessage
    lines: int


def blame_change(git: Git, change: Change) -> list[tuple[FileChange, tuple[Touched, ...]]]:
    """Find the last commits of the changed lines, for the files with most changes; those of most lines first.

    Raises GitError, and TimeoutError where the history is too long to be read in a few seconds.
    """
    if not change.revisions.has_old:
        return []
    state = _within_reach(git, change.revisions.old)
    ranked = sorted((each for each in change.files if _ranges(each)), key=lambda each: (-each.removed, each.path))
    its, until = plain_git(git), git.keeper.within(_SECONDS)
    found: list[tuple[FileChange, Counter[str]]] = []
    for start in range(0, len(ranked[:_MOST_FILES]), _TOGETHER):
        batch = ranked[start : min(start + _TOGETHER, _MOST_FILES)]
        runs = [_start(its, state, file) for file in batch]
        try:
            found += [(file, _count_lines(_lines_blamed(run, until))) for file, run in zip(batch, runs, strict=True)]
        finally:
            for run in runs:
                run.close()
    best = [(file, _best(counts)) for file, counts in found if counts]
    known = _messages(its, sorted({commit for _, counts in best for commit, _ in counts}))
    return [(file, tuple(Touched(known[commit], lines) for commit, lines in counts)) for file, counts in best]


def _ranges(file: FileChange) -> list[tuple[int, int]]:
    """Return the lines before the change that it removes, as ranges."""
    if file.status not in ("M", "R", "D") or file.traits:
        return []
    numbers = file.removed_lines[:_MOST_LINES]
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number <= found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found[:_MOST_RANGES]


def _within_reach(git: Git, commit: str) -> str:
    """Return the last commits up to one, as a range; the commit alone where it has no more than these."""
    try:
        first = git.start("rev-parse", "--verify", "--quiet", f"{commit}~{_REACH}").text().strip()
    except GitError:  # a history that is shorter
        return commit
    return f"{first}..{commit}"


def _start(git: Git, state: str, file: FileChange) -> GitProcess:
    ranges = [f"-L{first},{last}" for first, last in _ranges(file)]
    return git.start("blame", "--porcelain", "--root", "--no-textconv", *ranges, state, "--", file.old_path)


def _lines_blamed(run: GitProcess, until: Deadline) -> str:
    """Return what git printed; empty if it refused."""
    try:
        return run.text(seconds=until.left)
    except GitTimeoutError as error:
        raise TimeoutError("git blame is too slow here") from error
    except GitError:  # a file that git has no history of
        return ""


def _count_lines(output: str) -> Counter[str]:
    """Count the lines that each commit was the last to change."""
    counts: Counter[str] = Counter()
    older: set[str] = set()  # where the range begins: the lines may be of any commit before
    commit = ""
    for line in output.split("\n"):
        if match := _COMMIT.match(line):
            commit = match[1]
            counts[commit] += int(match[2])
        elif line == "boundary":
            older.add(commit)
    return Counter({name: lines for name, lines in counts.items() if name not in older})


def _best(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_COMMITS]


def _messages(git: Git, commits: Sequence[str]) -> dict[str, CommitMessage]:
    if not commits:
        return {}
    found = read_messages(git, ("--no-walk=unsorted", *commits), len(commits))
    return dict(zip(commits, found, strict=True))
