"""What an address means, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import UsageError
from ctxpack.system.clones import Remote, read_remote


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("psf/requests", Remote("https://github.com/psf/requests")),
        ("psf/requests@v2.32.0", Remote("https://github.com/psf/requests", "v2.32.0")),
        ("psf/.github@feature/x", Remote("https://github.com/psf/.github", "feature/x")),
        ("https://github.com/psf/requests.git", Remote("https://github.com/psf/requests.git")),
        ("https:/github.com/psf/requests", Remote("https://github.com/psf/requests")),
        ("https://github.com/psf/requests/", Remote("https://github.com/psf/requests")),
        ("https://github.com/psf/requests@main", Remote("https://github.com/psf/requests", "main")),
        ("https://github.com/psf/requests?tab=readme#usage", Remote("https://github.com/psf/requests")),
        ("https://example.org:8443/a/b/c.git@v1", Remote("https://example.org:8443/a/b/c.git", "v1")),
        ("https://github.com/a/b/tree/main", Remote("https://github.com/a/b", "main")),
        ("https://github.com/a/b/tree/main/src/my%20app", Remote("https://github.com/a/b", "main", "src/my app")),
        ("https://github.com/a/b/blob/v1/src/x.py#L3-L9", Remote("https://github.com/a/b", "v1", file="src/x.py")),
        ("https://github.com/a/b/commit/" + "a" * 40, Remote("https://github.com/a/b", "a" * 40)),
        ("https://github.com/a/b/pull/12/files", Remote("https://github.com/a/b", "refs/pull/12/head", is_change=True)),
        ("https://gitlab.com/a/g/b/-/tree/main/lib", Remote("https://gitlab.com/a/g/b", "main", "lib")),
        (
            "https://gitlab.com/a/g/b/-/merge_requests/3",
            Remote("https://gitlab.com/a/g/b", "refs/merge-requests/3/head", is_change=True),
        ),
        ("git@example.org:a/b.git", Remote("git@example.org:a/b.git")),
        ("git@example.org:a/b.git@v1", Remote("git@example.org:a/b.git", "v1")),
        ("ssh://git@example.org:22/a/b", Remote("ssh://git@example.org:22/a/b")),
        ("file:///srv/git/b.git", Remote("file:///srv/git/b.git")),
        ("file:/srv/git/b.git@v1", Remote("file:///srv/git/b.git", "v1")),
        ("src", None),
        ("src/app/main", None),
        ("../other", None),
        ("C:\\code", None),
        ("a/..", None),
        ("a/b@", Remote("https://github.com/a/b")),
        ("", None),
    ],
)
def test_what_an_address_means(written: str, meant: Remote | None) -> None:
    assert read_remote(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("https://token@github.com/a/b", "with a name or a password is refused"),
        ("https://me:secret@github.com/a/b", "with a name or a password is refused"),
        ("ssh://me:secret@example.org/a/b", "with a name or a password is refused"),
        ("http://example.org/a/b", "http:// are not supported"),
        ("ext:/sh -c touch% mark", "ext:// are not supported"),
        ("git://example.org/a", "git:// are not supported"),
        ("https://github.com/a/b/pull/x", "names no change"),
        ("https://github.com/a/b/tree/main/../../etc", "names no place"),
        ("https://github.com/a/b/blob/main/.git/config", "names no place"),
        ("https://github.com/a/b/blob/main/%2e%2e/x", "names no place"),
        ("https://-oProxyCommand=x/a", "is not the address"),
        ("ssh://-oProxyCommand=touch/a", "is not the address"),
        ("https://example.org/../../a", "is not the address"),
        ("https://exa mple.org/a", "is not the address"),
        ("https://example.org/\x1b[2J", "is not the address"),
        ("https://example.org", "is not the address"),
        ("a/b@--upload-pack=touch", "is not the name of a revision"),
        ("a/b@x..y", "is not the name of a revision"),
        ("a/b@x y", "is not the name of a revision"),
        ("file:///a\nb", "is not the address"),
    ],
)
def test_what_is_refused(written: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        read_remote(written)
    assert str(caught.value).isprintable()
    assert "secret" not in str(caught.value)


@given(st.text(max_size=60), st.sampled_from(["", "a/b@", "https://h.org/a/", "git@h.org:", "ssh://", "file:///"]))
def test_no_address_becomes_an_option_or_leaves_its_folder(text: str, beginning: str) -> None:
    try:
        remote = read_remote(beginning + text)
    except UsageError:
        return
    if remote is None:
        return
    assert not remote.url.startswith("-")
    assert not remote.revision.startswith("-")
    assert Path(remote.name).name == remote.name
    assert remote.name not in {"", ".", "..", ".git"}
    assert ".." not in Path(remote.folder or remote.file or "x").parts
