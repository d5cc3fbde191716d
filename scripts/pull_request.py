#!/usr/bin/env python3
"""Pack the pull request that a run of GitHub Actions is about, and write the pack into a comment if asked.

What it reads: ROOT, BUDGET, FORMAT, COMMENT and TOKEN, and the variables that GitHub sets. It writes the path of the
pack as the output ``report`` and one line into the summary of the run. A comment that cannot be written is a warning:
runs for forks may not write.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

MARK = "<!-- ctxpack: the context of this pull request -->"
MOST = 60_000  # characters of a comment; GitHub takes 65,536
SUFFIXES = {"html": "html", "json": "json", "messages": "json", "xml": "xml", "plain": "txt"}
TIMEOUT = 30  # seconds


def main(env: Mapping[str, str]) -> int:
    """Pack the pull request; the exit status is that of ctxpack, 0 where there is no pull request."""
    event = json.loads(Path(env["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    pull = event.get("pull_request")
    if not pull:
        print("This run is about no pull request: nothing was packed.")
        return 0
    form = env.get("FORMAT") or "markdown"
    report = Path(env.get("RUNNER_TEMP") or ".") / f"context.{SUFFIXES.get(form, 'md')}"
    span = f"{pull['base']['sha']}...{pull['head']['sha']}"
    command = [sys.executable, "-m", "ctxpack", "diff", span, "--root", env.get("ROOT") or ".", "--format", form]
    done = subprocess.run(
        [*command, "-b", env.get("BUDGET") or "16k", "-o", str(report)],
        stderr=subprocess.PIPE, check=False, text=True, encoding="utf-8",
    )  # fmt: skip
    print(done.stderr, end="")
    if done.returncode:
        return done.returncode
    append(env.get("GITHUB_OUTPUT"), f"report={report}")
    append(env.get("GITHUB_STEP_SUMMARY"), f"ctxpack: {done.stderr.strip().splitlines()[-1]}")
    if env.get("COMMENT") == "true":
        write_comment(env, int(pull["number"]), comment_of(report, form))
    return 0


def append(path: str | None, line: str) -> None:
    """Add a line to a file that the runner reads, where it named one."""
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def comment_of(report: Path, form: str) -> str:
    """The text of the comment: the pack, folded; where it is too long, or no Markdown, where it is to be found."""
    text = report.read_text(encoding="utf-8")
    if not form.startswith("markdown") or len(text) > MOST:
        return f"{MARK}\nThe context of this pull request is in the artefact of the run that wrote this comment.\n"
    return f"{MARK}\n<details><summary>The context of this pull request, by ctxpack</summary>\n\n{text}\n</details>\n"


def write_comment(env: Mapping[str, str], number: int, text: str) -> None:
    """Update the comment of an earlier run, or write the first one."""
    base = f"{env.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{env['GITHUB_REPOSITORY']}/issues"
    try:
        known = find_comment(base, number, env["TOKEN"])
        if known:
            ask(f"{base}/comments/{known}", env["TOKEN"], "PATCH", {"body": text})
        else:
            ask(f"{base}/{number}/comments", env["TOKEN"], "POST", {"body": text})
    except (OSError, KeyError, ValueError) as error:  # an HTTP error is an OSError
        print(f"::warning::The comment could not be written: {error}. The workflow needs pull-requests: write.")


def find_comment(base: str, number: int, token: str) -> int | None:
    """The id of the comment that an earlier run wrote."""
    page = 1
    while found := ask(f"{base}/{number}/comments?per_page=100&page={page}", token):
        for comment in found:
            if str(comment.get("body", "")).startswith(MARK):
                return int(comment["id"])
        page += 1
    return None


def ask(url: str, token: str, method: str = "GET", body: dict[str, str] | None = None) -> list[dict[str, object]]:
    """Ask GitHub. Raises OSError."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - GitHub's own address
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
        return json.loads(answer.read() or b"[]")  # type: ignore[no-any-return]


if __name__ == "__main__":
    sys.exit(main(os.environ))
