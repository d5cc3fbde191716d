"""What leaves ctxpack without secrets and personal data: reports, memories, caches."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ctxpack.answer import pack
from ctxpack.events import Observer
from ctxpack.index.opening import open_repository
from ctxpack.model import Request, Scope
from ctxpack.model.formats import FORMATS
from ctxpack.rank.ranking import rank_for_list, rerank_prompt
from ctxpack.settings.loading import load
from ctxpack.understand.request import understand_text
from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git

MAIL, CARD, BARE = "jane.doe@example.com", "4111 1111 1111 1111", "5500005555555559"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    text = f"# Refunds\n\nAsk {MAIL} about a refund to {CARD}.\n\npassword: `Xk29!fkQ`\n"
    (root / "refunds.md").write_text(text, encoding="utf-8")
    (root / "refund.py").write_text(f"def refund(card):\n    return card != {BARE}\n", encoding="utf-8")
    return root


@pytest.fixture
def chat(tmp_path: Path) -> str:
    turns = [
        {"role": ("user", "assistant")[at % 2], "content": f"Refund {at} of {MAIL} goes to {CARD}. " * 30}
        for at in range(12)
    ]
    (tmp_path / "chat.json").write_text(json.dumps(turns), encoding="utf-8")
    return str(tmp_path / "chat.json")


def test_personal_data_goes_where_it_is_asked_for(ctxpack: Ctxpack, shop: Path) -> None:
    plain = ctxpack("task", f"the refund of {MAIL}", "--root", str(shop))
    assert MAIL in plain.out
    assert CARD in plain.out
    clean = ctxpack("task", f"the refund of {MAIL}", "--root", str(shop), "--pii")
    assert clean.status == 0
    assert not any(each in clean.out + clean.err for each in (MAIL, CARD, "Xk29"))
    assert clean.out.count("[REDACTED:card]") == 2
    assert clean.out.count("Redacted: ") == 1
    assert "Redacted: 2 × card, 1 × email, 1 × password in 2 files." in clean.out


@pytest.mark.parametrize("switch", [(), ("--pii",), ("--pii", "--no-redact")])
def test_memories_hold_no_personal_data_where_it_is_on(
    ctxpack: Ctxpack, shop: Path, chat: str, switch: tuple[str, ...]
) -> None:
    made = ctxpack(
        "task", "the refund", "--root", str(shop), "--format", "messages", "--history", chat, "--session", "till",
        "-b", "2k", *switch,
    )  # fmt: skip
    assert made.status == 0, made.err
    (memory,) = json.loads(ctxpack("memory", "show", "till", "--format", "json").out)["memories"]
    assert (MAIL in memory["text"]) == (not switch)
    assert (MAIL in made.out) == (not switch)


def test_no_kept_answer_holds_personal_data_where_it_is_on(shop: Path, tmp_path: Path) -> None:
    env = {"CTXPACK_CACHE_DIR": str(tmp_path / "cache"), "CTXPACK_PII": "true"}
    request = Request(Scope.TASK, text=f"the refund of {MAIL}")
    settings = load(shop, env=env)
    first, again = pack(request, settings), pack(request, settings)
    assert first.text == again.text
    kept = [place for place in (tmp_path / "cache").rglob("*") if place.is_file()]
    assert any(place.suffix == ".json" and "packs" in place.parts for place in kept)
    needles = [each.encode() for each in (MAIL, CARD, BARE, "Xk29!fkQ")]
    assert not [place.name for place in kept for needle in needles if needle in place.read_bytes()]


def test_no_index_holds_personal_data_where_it_is_on(
    ctxpack: Ctxpack, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its words nor its headings, front matter, first lines of definitions and syntax trees."""
    (shop / "people.md").write_text(f"---\ntitle: Ask {MAIL}\n---\n# Refund {CARD}\n\n## {MAIL}\n\nrefunds\n")
    (shop / "people.py").write_text(f'def refund(to="{MAIL}", card={BARE}):\n    """Ask {MAIL}."""\n')
    commit(shop, {"refund_notes.md": f"Refund of {MAIL}\n"})
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "kept"))
    needles = [b"jane", b"doe", b"example.com", b"1111 1111", BARE.encode()]
    for switch in ("--pii", "--no-pii"):
        for asked in (("task", "the refund"), ("file", "people.py"), ("component", "people"), ("diff", "HEAD^!")):
            made = ctxpack(*asked, "--root", str(shop), switch)
            assert made.status == 0, made.err
        (folder,) = (tmp_path / "kept" / "index").iterdir()
        kept = b"".join(place.read_bytes() for place in folder.iterdir())
        assert [each for each in needles if each in kept] == ([] if switch == "--pii" else needles)
        assert ctxpack("index", "--clear", "--root", str(shop)).status == 0
        assert not folder.exists()


def test_a_policy_refuses_the_flag_that_leaves_it_in(ctxpack: Ctxpack, shop: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('pii = "required"\n', encoding="utf-8")
    os.environ["CTXPACK_POLICY"] = str(policy)
    try:
        refused = ctxpack("task", "the refund", "--root", str(shop), "--no-pii")
        kept = ctxpack("task", "the refund", "--root", str(shop))
    finally:
        del os.environ["CTXPACK_POLICY"]
    assert refused.status == 2
    assert refused.err.startswith("Error: --pii is not allowed: the policy")
    assert MAIL not in kept.out


def test_an_engine_that_is_missing_ends_the_run(ctxpack: Ctxpack, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_PII_ENGINES", "nobody")
    outcome = ctxpack("task", "the refund", "--root", str(shop), "--pii")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "Error: There is no engine 'nobody' for personal data.\nHint: There are presidio.\n"


KEY, OTHER = "ghp_" + "a1B2" * 9, "ghp_" + "Zy3x" * 9


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A repository whose headings and branch hold what its texts do not."""
    root = tmp_path / "told"
    body = "\n\nA refund takes days.\n\n## Refund by hand\n\n" + "Refund the card by hand.\n" * 9
    files = {"keys.md": f"# Refunds with {KEY}{body}", "people.md": f"# Refunds, ask {MAIL}{body}"}
    commit(root, files)
    git(root, "checkout", "-q", "-b", f"fix/{OTHER}")
    return root


@pytest.mark.parametrize("form", sorted(each.name for each in FORMATS))
def test_no_name_of_a_part_or_a_branch_gives_a_secret_away(ctxpack: Ctxpack, told: Path, form: str) -> None:
    made = ctxpack("task", "refund by hand", "--root", str(told), "--format", form, "--pii", "--explain")
    assert made.status == 0, made.err
    assert not [each for each in (KEY, OTHER, MAIL) if each in made.out + made.err]
    assert "REDACTED:github-token" in made.out


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_name_of_a_match_gives_a_secret_away(
    ctxpack: Ctxpack, told: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_PII", "true")
    found = ctxpack("search", "refund by hand", "--root", str(told), *(["--format", form] * (form == "json")))
    assert found.status == 0, found.err
    assert ("[REDACTED:github-token]" in found.out) == (form == "text")  # JSON has names of symbols only
    assert not [each for each in (KEY, OTHER, MAIL) if each in found.out + found.err]


def test_no_name_in_a_prompt_that_ranks_gives_a_secret_away(told: Path, tmp_path: Path) -> None:
    settings = load(told, env={"CTXPACK_CACHE_DIR": str(tmp_path / "cache")})
    with open_repository(settings) as view:
        query = understand_text("refund by hand", view, settings)
        candidates = rank_for_list(query, "refund by hand", view, settings, Observer(None)).candidates
        prompt = rerank_prompt("refund by hand", candidates, view)
    assert KEY not in prompt
    assert "[REDACTED:github-token]" in prompt
