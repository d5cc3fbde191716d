from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.discover.editions import in_language, language_of_translation, originals_of_readme
from tests.indexing import write

FILES = {
    f"docs/{code}/tasks.md": f"# Background tasks\n\nA task runs after the response ({code}).\n"
    for code in ("en", "de", "ru")
}
FILES |= {f"src/part{n}.py": f"def part{n}():\n    return {n}\n" for n in range(9)}


def test_where_a_document_stands_in_another_language() -> None:
    assert in_language("docs/hi/a/b.md", "en") == ("docs/en/a/b.md", "docs/a/b.md")
    assert in_language("docs/en/a.md", "ru") == ("docs/ru/a.md",)
    assert in_language("guide.fr.md", "en") == ("guide.en.md", "guide.md")
    assert in_language("src/de/a.md", "en") == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how does a background task run after the response", {"docs/en/tasks.md"}),
        ("как background task выполняется после response", {"docs/ru/tasks.md"}),
    ],
)
def test_one_edition_of_a_document_is_packed(tmp_path: Path, text: str, wanted: set[str]) -> None:
    root = write(tmp_path / "root", FILES)
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert {path for path in paths if path.startswith("docs/")} == wanted


@pytest.mark.parametrize(
    ("path", "originals"),
    [
        ("doc/README-fr.md", ("doc/README.md", "README.md")),
        ("README_zh-CN.rst", ("README.rst", "README.rst")),
        ("a/b/readme.pt-br.md", ("a/b/readme.md", "a/readme.md")),
        ("README_CN.md", ("README.md", "README.md")),
        ("README-vim.md", ()),
        ("README.md", ()),
        ("README-en.md", ()),
    ],
)
def test_a_translated_readme_has_its_original_beside_it_or_above(path: str, originals: tuple[str, ...]) -> None:
    assert originals_of_readme(path) == originals


def test_a_translated_readme_is_packed_only_for_its_language(tmp_path: Path) -> None:
    codes = ("", "-fr", "-es", "-ru")
    texts = {code: f"# Upload\n\nThe upload has a limit of size. ({code})\n" for code in codes}
    files = {f"doc/README{code}.md" if code else "README.md": text for code, text in texts.items()}
    root = write(tmp_path / "root", {**FILES, **files})

    def packed(text: str) -> set[str]:
        run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
        return {each.provenance.path for each in run.pack.selection.fragments if "README" in each.provenance.path}

    assert packed("how does the limit of the upload size work") == {"README.md"}
    assert "doc/README-fr.md" in packed("how does the French page explain the limit of the upload size")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("locale/uk_UA/LC_MESSAGES/app.po", "uk"),
        ("public/locales/pt-BR/common.json", "pt-br"),
        ("i18n/fr.json", "fr"),
        ("i18n/zh_Hans.yml", "zh"),
        ("locale/app.pot", ""),
        ("conf/locale/locale_sr-SP.ini", "sr"),
        ("res/values-pt-rBR/strings.xml", "pt"),
        ("App/it.lproj/Localizable.strings", "it"),
        ("locale/messages.de_DE.xlf", "de"),
        ("translations/is-even.json", ""),
    ],
)
def test_the_language_of_translated_data(path: str, language: str) -> None:
    assert language_of_translation(path) == language


def test_data_of_a_third_language_stays_out_unless_the_request_is_about_it(tmp_path: Path) -> None:
    said = {"uk": "затримка повтору завдання", "en": "the time between two tries"}
    files = {f"locale/{code}.po": f'msgid "Delay"\nmsgstr "{text}"\n' for code, text in said.items()}
    root = write(tmp_path / "root", {**FILES, **files})

    def packed(text: str) -> set[str]:
        run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
        return {each.provenance.path for each in run.pack.selection.fragments}

    assert "locale/uk.po" not in packed("delay завдання")
    assert "locale/uk.po" in packed("translate the delay of завдання")


GUIDE = "# Contributing\n\n" + "".join(
    f"Step {n}: run the tests of part {n} before the next one.\n\n" for n in range(12)
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how do I run the tests before contributing", {"docs/contributing.md"}),
        ("what does .github/CONTRIBUTING.md say of the tests", {"docs/contributing.md", ".github/CONTRIBUTING.md"}),
    ],
)
def test_of_copies_of_a_document_the_visible_one_is_packed(tmp_path: Path, text: str, wanted: set[str]) -> None:
    copy = GUIDE.replace("Step 3: run", "Step 3: first run")
    root = write(tmp_path / "root", FILES | {".github/CONTRIBUTING.md": copy, "docs/contributing.md": GUIDE})
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert {path for path in paths if path.lower().endswith("contributing.md")} == wanted


ARTICLES = {
    f"_articles/{code}{'/' * bool(code)}{name}.md": f"# {name}\n\nHow to welcome people who report a bug ({code}).\n"
    for code in ("", "bn", "fr", "pcm", "ru")
    for name in ("metrics", "welcome")
}


def test_folders_of_languages_are_known_by_one_another(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {**FILES, **ARTICLES})
    settings = load(str(root), {"use_cache": False})
    run = pack(Request(Scope.TASK, text="how do I welcome people who report a bug"), settings)
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert "_articles/welcome.md" in paths
    assert {path for path in paths if path.startswith("_articles/")} <= {"_articles/metrics.md", "_articles/welcome.md"}
    run = pack(Request(Scope.TASK, text="the French page on how to welcome people who report a bug"), settings)
    assert "_articles/fr/welcome.md" in {each.provenance.path for each in run.pack.selection.fragments}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how does a background task run after the response", "docs/en/tasks.md"),
        ("как background task выполняется после response", "docs/tasks.md"),
    ],
)
def test_the_original_of_a_project_that_does_not_write_english(tmp_path: Path, text: str, wanted: str) -> None:
    files = {
        "docs/tasks.md": "# Фоновые задачи\n\nbackground task выполняется после того, как отправлен response.\n",
        "docs/en/tasks.md": "# Background tasks\n\nA background task runs after the response.\n",
        **{path: text for path, text in FILES.items() if path.startswith("src/")},
    }
    root = write(tmp_path / "root", files)
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert {path for path in paths if path.startswith("docs/")} == {wanted}


def test_a_manual_stands_back_for_the_page_that_it_is_made_from(tmp_path: Path) -> None:
    page = "* Pausing\n\nThe clinic pauses invoices when a patient asks.\n"
    manual = "@chapter Pausing\n\nThe clinic pauses invoices when a patient asks.\n"
    root = write(tmp_path / "root", {"docs/clinic.org": page, "docs/clinic.texi": manual, "a.py": "A = 1\n"})
    request = Request(Scope.TASK, text="how does the clinic pause invoices")
    run = pack(request, load(str(root), {"use_cache": False}))
    assert {each.provenance.path for each in run.pack.selection.fragments} == {"docs/clinic.org"}


@pytest.mark.parametrize(
    ("text", "comes"),
    [
        ("what does the dark theme look like", False),
        ("zsh does not offer the dark theme", True),
        ("add a flag for the dark theme", True),
    ],
)
def test_completions_of_a_shell_come_where_the_request_names_or_adds_something(
    tmp_path: Path, text: str, *, comes: bool
) -> None:
    files = {
        "src/theme.py": "def dark_theme():\n    # the look of the dark theme\n    return 'dark theme'\n",
        "completions/tool.zsh": "_arguments '--theme[the look: a dark or a light theme]'\n",
    }
    root = write(tmp_path / "root", FILES | files)
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert ("src/theme.py" in paths, "completions/tool.zsh" in paths) == (True, comes)
