"""What shows a text that users see: the text is in a file of translations, and the code has only its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from tests.indexing import write

OTHERS = {f"src/part{number}.ts": f"export function part{number}() {{ return {number} }}\n" for number in range(9)}
LIMIT = """import { t } from './i18n'

export function checkPrompt(text: string) {
  if (text.length > MOST) {
    return { error: t('chat.errors.promptTooLong', { max: MOST }) }
  }
  return {}
}
"""
ENGLISH = """{
  "chat": {
    "title": "Assistant",
    "errors": {
      "promptTooLong": "Prompt is too long (max {{max}} characters)",
      "failed": "Request failed"
    }
  },
  "zoom": {
    "in": "Zoom in",
    "out": "Zoom out"
  }
}
"""
ASKED = 'users get "Prompt is too long (max 10000 characters)", where is that limit?'


def pieces_of(root: Path, text: str) -> list[tuple[str, int, int, tuple[str, ...]]]:
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    found = [(each.provenance, each.provenance.reasons) for each in run.pack.selection.fragments]
    return [(origin.path, origin.start_line, origin.end_line, reasons) for origin, reasons in found]


@pytest.mark.parametrize(
    ("name", "text", "user", "code"),
    [
        ("locales/en.json", ENGLISH, "src/chat/limit.ts", LIMIT),
        (
            "conf/locale/locale_en-US.ini",
            "app = App\n\n[chat]\nerrors.prompt_too_long = Prompt is too long (max %d characters)\n",
            "internal/chat.go",
            'package chat\n\nfunc check(c *Context) {\n\tc.Error(c.Tr("chat.errors.prompt_too_long", max))\n}\n',
        ),
        (
            "lang/en/chat.php",
            "<?php\n\nreturn [\n    'too_long' => 'Prompt is too long (max :max characters)',\n];\n",
            "app/Chat.php",
            "<?php\n\nclass Chat {\n    function check() {\n        return __('chat.too_long');\n    }\n}\n",
        ),
        (
            "config/locales/en.yml",
            'en:\n  chat:\n    oversized: "Prompt is too long (max %{max} characters)"\n',
            "lib/chat.rb",
            "class Chat\n  def check\n    errors.add(:prompt, :oversized)\n  end\nend\n",
        ),
        (
            "App/Strings.resx",
            '<data name="PromptTooLong">\n  <value>Prompt is too long (max {0} characters)</value>\n</data>\n',
            "App/Chat.cs",
            "class Chat {\n    string Check() {\n        return Strings.PromptTooLong;\n    }\n}\n",
        ),
        (
            "i18n/en_US.yaml",
            "ui:\n  error:\n    prompt:\n      too_long:\n        other: Prompt is too long (max %d characters)\n",
            "internal/chat.go",
            'package chat\n\nfunc check(c *Context) {\n\tc.Error(c.Tr("error.prompt.too_long", other))\n}\n',
        ),
        (
            "_locales/en/messages.json",
            '{\n  "oversized": {\n    "message": "Prompt is too long (max $MAX$ characters)"\n  }\n}\n',
            "extension/chat.js",
            "export function check() {\n  return browser.i18n.getMessage('oversized')\n}\n",
        ),
        (
            "config/locales/en.yml",
            'en:\n  chats:\n    show:\n      size: "Prompt is too long (max %{max} characters)"\n',
            "app/views/chats/show.html.erb",
            '<p class="error">\n  <%= t(".size", max: 3) %>\n</p>\n',
        ),
        (
            "app/src/main/res/values/strings.xml",
            '<resources>\n  <string name="oversized">Prompt is too long (max %d characters)</string>\n</resources>\n',
            "app/src/main/java/Chat.kt",
            "class Chat {\n    fun check() = getString(R.string.oversized, MOST)\n}\n",
        ),
        (
            "lib/l10n/app_en.arb",
            '{\n  "oversized": "Prompt is too long (max {max} characters)"\n}\n',
            "lib/chat.dart",
            "class Chat {\n  check(context) {\n    return AppLocalizations.of(context)!.oversized(max);\n  }\n}\n",
        ),
        (
            "locale/de/LC_MESSAGES/app.po",
            'msgid "The text cannot be sent"\nmsgstr "Prompt is too long (max 10000 characters)"\n',
            "chat.py",
            'def check(text):\n    raise Invalid(_("The text cannot be sent"))\n',
        ),
    ],
)
def test_code_that_shows_a_quoted_message_by_its_key_comes(
    tmp_path: Path, name: str, text: str, user: str, code: str
) -> None:
    root = write(tmp_path / "root", {**OTHERS, name: text, user: code})
    reasons = {path: reasons for path, *_, reasons in pieces_of(root, ASKED)}
    assert any("by its key" in reason for reason in reasons[user])


def test_of_translations_only_the_quoted_message_comes_with_the_lines_around_it(tmp_path: Path) -> None:
    filling = "".join(f'  "zoom{number}": "Zoom to {number}",\n' for number in range(300))
    files = {"locales/en.json": ENGLISH.replace("{\n", "{\n" + filling, 1), "src/chat/limit.ts": LIMIT}
    root = write(tmp_path / "root", {**OTHERS, **files})
    spans = [(start, end) for path, start, end, _ in pieces_of(root, ASKED) if path == "locales/en.json"]
    assert spans == [(303, 307)]


def test_the_english_of_another_region_is_a_copy(tmp_path: Path) -> None:
    names = ("en-US", "en-GB", "sr-SP")
    files = {f"conf/locale/locale_{name}.ini": "[chat]\ntoo_long = Prompt is too long (max %d)\n" for name in names}
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert {path for path, *_ in pieces_of(root, ASKED) if path.startswith("conf/")} == {"conf/locale/locale_en-US.ini"}


def test_a_constant_with_the_key_leads_to_what_uses_it(tmp_path: Path) -> None:
    files = {
        "locales/en.json": ENGLISH,
        "src/messages.ts": "export const messages = {\n  tooLong: 'chat.errors.promptTooLong',\n}\n",
        "src/dialog.ts": "export function show(format) {\n  return format(messages.tooLong)\n}\n",
    }
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert {"src/messages.ts", "src/dialog.ts"} <= {path for path, *_ in pieces_of(root, ASKED)}


@pytest.mark.parametrize(
    ("name", "declared", "user", "code"),
    [
        (
            "src/error.rs",
            'pub enum ChatError {\n    #[error("Prompt is too long (max {0} characters)")]\n    LongPrompt(u8),\n}\n',
            "src/limit.rs",
            "fn check(max: u8) -> Result<(), ChatError> {\n    Err(ChatError::LongPrompt(max))\n}\n",
        ),
        (
            "chat/errors.go",
            'package chat\n\nvar ErrLongPrompt = newError("Prompt is too long (max %d characters)")\n',
            "chat/limit.go",
            "package chat\n\nfunc checkLimit(prompt string) error {\n\treturn ErrLongPrompt\n}\n",
        ),
        (
            "src/Failure.java",
            'enum Failure {\n    LONG_PROMPT(413, "Prompt is too long (max %d characters)");\n}\n',
            "src/Limit.java",
            "class Limit {\n    void check() {\n        throw new Refusal(Failure.LONG_PROMPT);\n    }\n}\n",
        ),
        (
            "chat/texts.py",
            'LONG_PROMPT = "Prompt is too long (max {} characters)"\n',
            "chat/limit.py",
            "def check(size):\n    raise ValueError(LONG_PROMPT.format(size))\n",
        ),
    ],
)
def test_what_uses_a_text_by_the_name_that_code_gives_it_comes(
    tmp_path: Path, name: str, declared: str, user: str, code: str
) -> None:
    root = write(tmp_path / "root", {**OTHERS, name: declared, user: code})
    reasons = {path: reasons for path, *_, reasons in pieces_of(root, ASKED)}
    assert any("by its key" in reason for reason in reasons[user])


def test_a_variable_with_a_text_is_no_name_of_it(tmp_path: Path) -> None:
    files = {
        "chat.py": 'def check(size):\n    message = "Prompt is too long (max {} characters)"\n    return message\n',
        "other.py": "def show(message):\n    print(message)\n",
    }
    found = pieces_of(write(tmp_path / "root", {**OTHERS, **files}), ASKED)
    assert not any("by its key" in reason for *_, reasons in found for reason in reasons)


def test_a_key_that_many_places_have_is_not_followed(tmp_path: Path) -> None:
    users = {f"src/dialog{number}.ts": f"export const title{number} = t('title')\n" for number in range(20)}
    root = write(tmp_path / "root", {**OTHERS, **users, "locales/en.json": '{\n  "title": "Prompt is too long"\n}\n'})
    found = pieces_of(root, 'where does "Prompt is too long" come from?')
    assert not any("by its key" in reason for *_, reasons in found for reason in reasons)


def test_a_catalogue_of_messages_comes_only_where_it_is_quoted(tmp_path: Path) -> None:
    said = 'msgid "The page is locked"\nmsgstr "Страница заблокирована для всех"\n'
    code = 'def check(page):\n    if page.locked:\n        raise Invalid(_("The page is locked"))\n'
    root = write(tmp_path / "root", {**OTHERS, "locale/ru/LC_MESSAGES/app.po": said, "pages.py": code})
    assert "locale" not in " ".join(
        path for path, *_ in pieces_of(root, "как решается, что страница page заблокирована")
    )
    assert "locale" in " ".join(path for path, *_ in pieces_of(root, "откуда «Страница заблокирована для всех»"))


SHOWN = {
    "locales/en.json": '{\n "list": {\n  "wipe": "Delete all",\n  "read": "Mark as read",\n  "kept": "Starred"\n }\n}',
    "locales/ru.json": '{\n "list": {\n  "wipe": "Удалить всё",\n  "read": "Прочитано",\n  "kept": "Избранное"\n }\n}',
    "src/list.ts": "export function menu() {\n  return [t('list.wipe'), t('list.read'), t('list.kept')]\n}\n",
    "src/other.ts": "export function remove() {\n  // Delete all\n  deleteAll(read, starred, everything)\n}\n",
}


def shown_by_key(root: Path, text: str) -> set[str]:
    return {name for name, *_, reasons in pieces_of(root, text) if any("by its key" in reason for reason in reasons)}


def is_shown(root: Path, text: str, path: str) -> bool:
    return path in shown_by_key(root, text)


@pytest.mark.parametrize(
    "text",
    [
        "the Delete all button does nothing when the list is empty",
        "the delete all button does nothing",
        "hide Delete all where nothing is read",
        "where is the Mark as read menu item",
        "rename Starred to Favourites in the sidebar",
        'what does "Delete all" remove',
        "кнопка Удалить всё не работает",
        "пункт меню Избранное ведёт не туда",
    ],
)
def test_a_caption_without_quotation_marks_is_followed_too(tmp_path: Path, text: str) -> None:
    root = write(tmp_path / "root", {**OTHERS, **SHOWN})
    assert is_shown(root, text, "src/list.ts")
    assert not is_shown(root, text, "src/other.ts")


@pytest.mark.parametrize(
    "text",
    ["Delete all that is starred", "how does Starred differ from what is read", "delete all lists that nobody read"],
)
def test_the_beginning_of_a_sentence_and_a_single_word_are_no_captions(tmp_path: Path, text: str) -> None:
    assert not is_shown(write(tmp_path / "root", {**OTHERS, **SHOWN}), text, "src/list.ts")


@pytest.mark.parametrize(
    "code",
    [
        '<button class="x">Delete all</button>\n',
        "<button>\n  <i></i> Delete all…\n</button>\n",
        '<item label="Delete all"></item>\n',
        "<p>\n  {{ icon }} Delete all\n</p>\n",
    ],
)
def test_a_caption_in_a_template_is_found_as_a_whole_text_only(tmp_path: Path, code: str) -> None:
    files = {"templates/list.html": code, "templates/help.html": "<p>Delete all of them with the button</p>\n"}
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert is_shown(root, "the Delete all button does nothing", "templates/list.html")
    assert not is_shown(root, "the Delete all button does nothing", "templates/help.html")


def test_a_caption_of_a_gettext_catalogue_leads_to_its_original(tmp_path: Path) -> None:
    files = {
        "locale/ru/LC_MESSAGES/app.po": 'msgid "Delete all"\nmsgstr "Удалить всё"\n',
        "app/menu.py": 'def menu():\n    return _("Delete all")\n',
    }
    assert is_shown(write(tmp_path / "root", {**OTHERS, **files}), "кнопка Удалить всё не работает", "app/menu.py")


def test_the_name_of_the_project_is_no_caption(tmp_path: Path) -> None:
    files = {"README.md": "# Green Parcel\n\nSends.\n", "ui/head.html": "<title>Green Parcel</title>\n"}
    assert not is_shown(write(tmp_path / "root", {**OTHERS, **files}), "how does Green Parcel send", "ui/head.html")


def test_the_name_of_a_class_is_no_caption(tmp_path: Path) -> None:
    code = "class Starred {}\n\nexport function menu() {\n  return [t('list.kept')]\n}\n"
    root = write(tmp_path / "root", {**OTHERS, **SHOWN, "src/list.ts": code})
    assert not is_shown(root, "rename Starred to Favourites", "src/list.ts")


def test_a_caption_that_many_places_show_is_not_followed(tmp_path: Path) -> None:
    files = {f"ui/page{number}.html": "<button>Save it</button>\n" for number in range(30)}
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert shown_by_key(root, "the Save it button is grey").isdisjoint(files)


def test_plain_words_beside_a_cue_are_no_caption(tmp_path: Path) -> None:
    code = "<button>would like an</button>\n"
    root = write(tmp_path / "root", {**OTHERS, "ui/page.html": code})
    assert not is_shown(root, "would like an option for part3", "ui/page.html")
