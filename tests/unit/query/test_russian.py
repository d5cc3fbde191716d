"""Russian morphology: forms of everyday technical words, families of words, and the dictionary."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ctxpack.query.dictionary as module
from ctxpack.query import slavic
from ctxpack.query.dictionary import (
    _entries,
    into_russian,
    is_cyrillic,
    of_russian,
    of_ukrainian,
    translated_share,
    without_words_of_phrases,
)
from ctxpack.query.subtokens import STOPWORDS

_FORMS = """
память памяти памятью
список списка списке списки списков списком спискам списках
имя имени именем имена имен именам именами
время времени временем времена времен
ошибка ошибки ошибок ошибке ошибкой ошибками ошибках
уровень уровня уровне уровни уровней уровням уровнями
заголовок заголовка заголовке заголовки заголовков заголовками
настройка настройки настроек настройке настройками настройкам
строка строки строк строке строкой строками строках
кнопка кнопки кнопок кнопку кнопкой
папка папки папок папку папками
проверка проверки проверок проверку
загрузка загрузки загрузок загрузку загрузкой
метка метки меток меткой метками
ветка ветки веток ветку
сборка сборки сборок сборку
ссылка ссылки ссылок ссылку ссылками
вкладка вкладки вкладок вкладку
подписка подписки подписок подписку
точка точки точек точкой
ячейка ячейки ячеек ячейку
столбец столбца столбцы столбцов столбце столбцами
владелец владельца владельцы владельцев
узел узла узлы узлов узле узлами
угол угла углы углов
день дня дни дней днем дню днях
окно окна окон окне окном окнами
письмо письма писем письмом
число числа чисел числом числами
ядро ядра ядер ядром
дерево дерева деревья деревьев деревом
статья статьи статей статью статьей
система системы систем системой системе
проблема проблемы проблем проблему
схема схемы схем схему
тема темы тем тему
режим режима режимы режимов режиме режимом
объем объема объемы объемов
прием приема приемы
лимит лимита лимиты лимитов
домен домена домены доменов домене
токен токена токены токенов токеном
экран экрана экраны экранов экране экраном
журнал журнала журналы журналов журнале
канал канала каналы каналов
терминал терминала терминалы терминале
шаблон шаблона шаблоны шаблонов
план плана планы планов
диапазон диапазона диапазоны диапазонов
файл файла файлы файлов файле файлом файлами
код кода коды кодов кодом коде
лог лога логи логов логах
тип типа типы типов типом
ключ ключа ключи ключей ключом ключами
модуль модуля модули модулей модулем
роль роли ролей ролью
сеть сети сетей сетью сетями
область области областей областью
запись записи записей записью
часть части частей частью
путь пути путей путем
печать печати печатью
очередь очереди очередей очередью
связь связи связей связью
версия версии версий версию версией
функция функции функций функцию функцией
сессия сессии сессий сессию
копия копии копий копию
значение значения значений значению значением
условие условия условий условием
соединение соединения соединений соединением
слово слова слов словом словами
основа основы основ основу
поле поля полей полем полям полями
база базы баз базу базой базе
таблица таблицы таблиц таблицу таблицей
страница страницы страниц страницу
задача задачи задач задачу задачей
команда команды команд команду
программа программы программ программу
библиотека библиотеки библиотек библиотеку
переменная переменные переменных переменной переменную
данные данных данным данными
свойство свойства свойств свойством
устройство устройства устройств
средство средства средств
элемент элемента элементы элементов
параметр параметра параметры параметров
объект объекта объекты объектов объектом
контейнер контейнера контейнеры контейнеров
индекс индекса индексы индексов
адрес адреса адресов адресу
сервер сервера серверы серверов сервером
кеш кеша кешем кеше
поиск поиска поиске поиском
запрос запроса запросы запросов запросом
ответ ответа ответы ответов ответом
тест теста тесты тестов тестами
поток потока потоки потоков потоком
блок блока блоки блоков блоком
знак знака знаки знаков
значок значка значки значков
рисунок рисунка рисунки рисунков
порядок порядка порядке порядком
остаток остатка остатки остатков
участок участка участки участков
кусок куска куски кусков
отрывок отрывка отрывки
рынок рынка рынке
счет счета счетов счетом счету
заказ заказа заказы заказов
цена цены цен цену ценой
автоматический автоматическая автоматического автоматические автоматически
родительский родительского родительская родительские родительскому
временный временного временные временных
доступный доступного доступен доступна доступны
пустой пустого пустая пустые пустых
новый нового новая новые новых
дочерний дочернего дочерние дочерних
общий общего общая общие общих
последний последнего последняя последние
открыт открыта открыты открытый открытого
загружен загружена загружены загруженный загруженного
сохранен сохранена сохранены сохраненный
создан создана созданы созданный
использован использована использованный
загружать загружает загружают загружал загружала загружая загружается
загрузить загрузит загрузил загрузили загрузи загружу загрузив
сохранять сохраняет сохраняют сохраняется сохранялся
сохранить сохранит сохранил сохранила сохраню
отправить отправит отправил отправлю отправьте
использовать использует используют использовал используется используя
проверить проверит проверил проверили проверю
проверять проверяет проверяют проверял проверяется
обработать обработает обработал обработали
обрабатывать обрабатывает обрабатывают обрабатывается обрабатывал
получить получит получил получили получу
запустить запустит запустил запустили запущу
запускать запускает запускают запускается
удалить удалит удалил удалили
вернуть вернет вернул вернули верну
искать ищет ищу
"""
"""One word a line, its dictionary form first."""

LINES = [line.split() for line in _FORMS.strip().splitlines()]


def _first(words: str) -> dict[str, str]:
    """The best translation of each word or phrase of a request."""
    return {" ".join(each.sources): each.english[0] for each in of_russian(words.split())}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_forms_of_a_word_share_a_stem_and_a_prefix(line: list[str]) -> None:
    for form in line[1:]:
        assert slavic.russian_word_stems(form) & slavic.russian_word_stems(line[0]), form
        assert all(other.startswith(slavic.prefix(form)) for other in line), form


@pytest.mark.parametrize(
    "pair",
    [
        "план пакет", "домен дом", "лимит лист", "формат форма", "слой слово", "пробел проблема", "время временный",
        "загрузка загадка", "версия верстка", "терминал термин", "запись запас", "порт портал",
    ],
)  # fmt: skip
def test_other_words_share_none(pair: str) -> None:
    one, other = pair.split()
    assert not slavic.russian_word_stems(one) & slavic.russian_word_stems(other)


@pytest.mark.parametrize(
    "family",
    [
        "обработка обрабатывать обработчик обработать обрабатываемый",
        "загрузить загружать загрузка загрузчик загруженный",
        "удаление удалить удалять удаленный",
        "проверка проверить проверять проверенный",
        "определить определение определять определенный",
    ],
)
def test_a_family_shares_a_root(family: str) -> None:
    assert len({slavic.root(word) for word in family.split()} - {""}) == 1


@pytest.mark.parametrize("pair", ["отметить отменить", "заметить заменить", "версия верстка", "логика логин"])
def test_strangers_share_no_root(pair: str) -> None:
    one, other = pair.split()
    assert not slavic.root(one) or slavic.root(one) != slavic.root(other)


@pytest.mark.parametrize(
    ("words", "english"),
    [
        ("автодополнении", "completion"), ("индикатора", "indicator"), ("родительского", "parent"),
        ("памяти", "memory"), ("ошибок", "error"), ("настроек", "setting"), ("имён", "name"), ("заголовка", "header"),
        ("уровней", "level"), ("владельца", "owner"), ("скриншоты", "screenshot"), ("дней", "day"),
        ("справочников", "reference"), ("накладную", "invoice"), ("перенаправлением", "redirect"),
        ("переменных окружения", "env"), ("обрабатываемых", "handle"), ("стору", "store"), ("вытесняются", "evict"),
        ("закреплённых", "pinned"), ("чекпоинты", "checkpoint"), ("приёмника", "sink"), ("лагает", "lag"),
        ("жрёт", "consume"), ("вырезает", "strip"), ("неоднозначность", "ambiguity"), ("транслятор", "compiler"),
        ("прореживание", "throttle"), ("полнотекстовый", "fulltext"), ("монорепе", "monorepo"), ("заюзать", "use"),
        ("фолбэка", "fallback"), ("чекнуть", "check"), ("шлют", "send"), ("извлекается", "extract"),
        ("тревоге", "alarm"), ("водяные знаки", "watermark"), ("плавное завершение", "graceful"),
    ],
)  # fmt: skip
def test_words_have_their_translation(words: str, english: str) -> None:
    assert _first(words)[words] == english


def test_a_phrase_needs_all_of_its_words() -> None:
    assert "переменной" not in {each for each in _first("переменной") if " " in each}
    assert _first("в базе данных")["базе данных"] == "database"


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("запуск из командной строки", {"запуск", "командной строки"}),
        ("командной роли строки", {"командной", "роли", "строки", "командной строки"}),
        ("командной строки или строки", {"строки", "командной строки"}),
    ],
)
def test_a_phrase_stands_for_its_words_where_they_stand_together(text: str, sources: set[str]) -> None:
    found = without_words_of_phrases(of_russian(sorted({*text.split()} - STOPWORDS)), text.split())
    assert {" ".join(each.sources) for each in found} == sources


@pytest.mark.parametrize("word", ["стор", "стрик"])
def test_three_letters_without_a_vowel_are_no_stem(word: str) -> None:
    assert "стр" not in {stem[1:] for stem in slavic.russian_word_stems(word)}


def test_a_derived_word_says_that_it_is_derived() -> None:
    found = {each.sources: each.is_derived for each in of_russian(["обработать", "перепроверяемый"])}
    assert found == {("обработать",): False, ("перепроверяемый",): True}


def test_english_words_have_their_russian_ones() -> None:
    assert into_russian("completion")
    assert into_russian("giraffe") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("де обробляються помилки з'єднання", True),
        ("як додати новий модуль", True),
        ("где обрабатываются ошибки соединения", False),
        ("как добавить новый модуль", False),
        ("where errors are handled", False),
    ],
)
def test_ukrainian_is_told_from_russian(text: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    assert slavic.is_ukrainian(text.split()) is expected


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("инкрементальной", "incremental"),
        ("прослушиваний", "play"),
        ("выполняющейся", "execute"),
        ("телеметрию", "telemetry"),
        ("ревизии", "revision"),
        ("корзины", "trash"),
        ("кончились", "exhaust"),
        ("исчерпан", "exceed"),
        ("консюмеры", "consumer"),
        ("видит", "detect"),
    ],
)
def test_words_of_programs_are_translated(word: str, english: str) -> None:
    assert any(english in each.english for each in of_russian([word]))


@pytest.mark.parametrize("word", ["стек", "стека", "стеке", "стеком", "стеки"])
def test_a_stack_is_not_what_flowed_down(word: str) -> None:
    assert [each.english for each in of_russian([word])] == [("stack",)]


@pytest.mark.parametrize(
    ("word", "english"),
    [("двусторонних", "duplex"), ("склейки", "merge"), ("суперпользователю", "superuser"), ("построчно", "line")],
)
def test_rarer_words_are_known(word: str, english: str) -> None:
    assert any(english in each.english for each in of_russian([word]))


def test_what_is_lost_is_not_called_expired() -> None:
    (found,) = of_russian(["пропадают"])
    assert "lose" in found.english
    assert "expire" not in found.english


def test_ukrainian_words_have_their_own_meaning() -> None:
    found = {each.sources[0]: each.english[0] for each in of_ukrainian(["час", "помилок", "сторінки", "неделя"])}
    assert found == {"час": "time", "помилок": "error", "сторінки": "page"}


@pytest.mark.parametrize("name", ["russian.tsv", "russian_terms.tsv", "ukrainian.tsv"])
def test_the_dictionary_is_sorted_and_well_formed(name: str) -> None:
    lines = Path(module.__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    keys = [line.split("\t")[0] for line in lines]
    assert keys == sorted(set(keys))
    for line in lines:
        key, english = line.split("\t")
        assert is_cyrillic(key)
        assert key == slavic.plain_letters(key)
        assert english == english.lower()
        assert not is_cyrillic(english)
        assert 1 <= len(english.split()) == len(set(english.split()))


def test_russian_words_are_found_by_their_english_ones() -> None:
    found: dict[str, list[tuple[int, str]]] = {}
    for key, english in _entries():
        for place, word in enumerate(english.split() if " " not in key else ()):
            found.setdefault(word, []).append((place, key))
    assert len(found) > 2_000
    assert {word: into_russian(word) for word in found} == {
        word: tuple(key for _, key in sorted(keys)) for word, keys in found.items()
    }
    assert into_russian("zebra") == into_russian("") == into_russian("cach") == ()


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("автоэкранирования", ("autoescape", "escape")),
        ("переэкспорт", ("reexport", "export")),
        ("автодополнение", ("completion", "autocomplete", "suggest")),  # known as it is
        ("автопилот", ()),
        ("подлый", ()),  # what is left is too short
    ],
)
def test_a_prefix_before_a_known_word_is_translated_with_it(word: str, english: tuple[str, ...]) -> None:
    assert tuple(term for each in of_russian((word,)) for term in each.english) == english


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("ждёт", "wait"), ("берётся", "take"), ("выберет", "select"), ("разберёт", "parse"), ("пишет", "write"),
        ("покажет", "show"), ("упал", "fail"), ("пропали", "miss"), ("выведет", "print"), ("вывел", "print"),
        ("перенесёт", "move"), ("ушла", "leave"), ("войдёт", "login"), ("обошёл", "bypass"), ("стёр", "delete"),
        ("сотрёт", "delete"), ("откроет", "open"), ("завис", "hang"), ("исчезла", "disappear"), ("создаст", "create"),
        ("задаёт", "set"), ("отдаёт", "return"), ("нажму", "click"), ("сожмёт", "compress"), ("возьмёт", "take"),
        ("начнётся", "start"), ("примет", "receive"), ("снимет", "remove"), ("молчит", "silent"), ("умер", "die"),
        ("истёк", "expire"), ("протухла", "expire"), ("вызова", "call"), ("перестал", "stop"), ("спрячет", "hide"),
    ],
)  # fmt: skip
def test_every_form_of_a_verb_whose_stem_changes_has_its_meaning(word: str, english: str) -> None:
    (found,) = of_russian([word])
    assert found.english[0] == english


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("сброшен", "reset"), ("заблокирован", "block"), ("отсортированный", "sort"), ("записано", "write"),
        ("пропущенный", "skip"), ("найден", "find"), ("вынесены", "extract"), ("переведён", "translate"),
        ("слиты", "merge"), ("перезаписанный", "overwrite"), ("обрывание", "abort"),
    ],
)  # fmt: skip
def test_a_participle_or_a_noun_of_action_has_the_meaning_of_its_verb(word: str, english: str) -> None:
    (found,) = of_russian([word])
    assert found.english[0] == english
    assert not found.is_derived


@pytest.mark.parametrize(("word", "english"), [("задублировалось", "duplicate"), ("слинкован", "link")])
def test_a_borrowed_verb_means_the_same_with_what_makes_it_perfective(word: str, english: str) -> None:
    (found,) = of_russian([word])
    assert found.english[0] == english
    assert not found.is_derived


def test_a_noun_said_in_two_forms_keeps_its_meaning_in_both() -> None:
    found = {each.sources[0]: each.english[0] for each in of_russian(["состояние", "состоянием"])}
    assert found == {"состояние": "state", "состоянием": "state"}


@pytest.mark.parametrize(("word", "english"), [("пришли", "receive"), ("обошли", "bypass"), ("пришлют", "send")])
def test_what_came_is_not_what_is_sent(word: str, english: str) -> None:
    (found,) = of_russian([word])
    assert found.english[0] == english


def test_nouns_that_look_like_forms_of_such_verbs_keep_their_meaning() -> None:
    found = {word: [each.english[0] for each in of_russian([word])] for word in ("размер", "пример", "режим", "вопрос")}
    assert found == {"размер": ["size"], "пример": ["example"], "режим": ["mode"], "вопрос": ["question"]}
    assert not list(of_russian(["стоит"]))  # and not what a table is


_VOCABULARY = """
adapter cluster embedder hostname invoice legal member pipeline plugin podcast point redirect scrape scrobbling slate
state timeout webhook
"""


@pytest.mark.parametrize(
    ("word", "loans"),
    [
        ("подкастов", ("podcast",)),
        ("вебхуки", ("webhook",)),
        ("хостнейма", ("hostname",)),
        ("скробблинг", ("scrobbling",)),
        ("скрейпит", ("scrape",)),
        ("эмбеддеров", ("embedder",)),
        ("инвойсы", ("invoice",)),
        ("кластере", ("cluster",)),
        ("пайплайна", ("pipeline",)),
        ("редиректит", ("redirect",)),
        ("таймаут", ("timeout",)),
        ("лежал", ()),
        ("стоит", ()),
        ("понять", ()),
        ("попадают", ()),
    ],
)
def test_a_loan_is_found_by_its_sound(word: str, loans: tuple[str, ...]) -> None:
    def with_prefix(start: str, is_wanted: Callable[[str], bool]) -> list[str]:
        return [each for each in _VOCABULARY.split() if each.startswith(start) and is_wanted(each)]

    assert slavic.loans(word, with_prefix) == loans


def test_a_word_in_many_segments_is_compared_with_a_loan_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, outline = list[str](), slavic._outline

    def record(word: str) -> str:
        compared.append(word)
        return outline(word)

    def with_prefix(start: str, is_wanted: Callable[[str], bool]) -> list[str]:
        words = [each for each in ("podcast", "poster") if each.startswith(start)]
        return list(dict.fromkeys(each for _ in range(9) for each in words if is_wanted(each)))

    monkeypatch.setattr(slavic, "_outline", record)
    assert slavic.loans("подкастов", with_prefix) == ("podcast",)
    assert compared.count("podcast") == compared.count("poster") == 1


def test_an_english_word_in_a_russian_request_needs_no_translation() -> None:
    assert translated_share(("kafka", "абракадабрище")) == 0.5
    assert translated_share(("посылка", "kafka")) == 1.0
