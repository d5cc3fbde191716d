from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from ctxpack.index import IndexView
from ctxpack.light import replace
from ctxpack.model import Confidence
from ctxpack.query.understand import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkRanking
from ctxpack.rank.evidence import coverage, is_doubted
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.outlook import (
    Outlook,
    bound_confidence,
    doubt,
    outlook_of,
    share_worth_showing,
    worth_showing,
)
from ctxpack.rank.places import choose_places
from ctxpack.rank.weights import BUILT_IN_TABLES
from ctxpack.settings import Settings
from ctxpack.understand.request import understand_text
from tests.indexing import opened, prepared, write

FILES = {f"src/part{n}.py": f"def part{n}():\n    return 'a server that sends part {n}'\n" for n in range(12)}
ABSENT = "How do we negotiate QUIC, and where is the Alt-Svc answer of a server remembered for each origin we have met?"


def test_what_the_repository_does_not_speak_of_is_told_and_not_filled_up(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text(ABSENT)
    found = rank(query, view, limit=100, purpose=Purpose.PACK)
    assert found
    assert {each.confidence for each in found} == {Confidence.LOW}
    (note,) = doubt(query, found, view)
    assert "QUIC" in note
    view.close()


@pytest.mark.parametrize(
    "text",
    [
        "please fix the bug in the server that sends parts",
        "why do parts that a server sends suddenly get lost or cut",
        "why are parts that a server sends not shown",
    ],
)
def test_words_that_say_what_is_to_be_done_or_goes_wrong_are_not_missed(tmp_path: Path, text: str) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text(text)
    found = rank(query, view, limit=100, purpose=Purpose.PACK)
    assert not is_doubted(found)
    told = " ".join(doubt(query, found, view))
    assert not any(word in told for word in ("fix", "bug", "suddenly", "lost", "cut", "shown"))
    view.close()


def test_what_is_to_be_added_may_be_unknown(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    change = "add QUIC: negotiate it, and remember the Alt-Svc answer of a server for each origin we have met"
    asked = rank(query_of_text(ABSENT), view, limit=9, purpose=Purpose.PACK)
    added = rank(query_of_text(change), view, limit=9, purpose=Purpose.PACK)
    assert is_doubted(asked)
    assert not is_doubted(added)
    view.close()


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("where is the quic part of the server", False),
        ("where is the part of the server that sends quic", True),
        ("does it support quic parts of a server", False),
        ("does the server support quic", False),
        ("where is the server that sends parts implemented", True),
        ("how do I translate a part of the server into hijri", False),
        ("how do I return a part from the server", True),
    ],
)
def test_a_question_about_what_occurs_nowhere_is_told_less(tmp_path: Path, question: str, is_sure: bool) -> None:  # noqa: FBT001
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    board = Board(query_of_text(question), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    places = choose_places(ranking, coverage(board), 9)
    assert (outlook_of(board, ranking.files, places).likelihood > 0.3) is is_sure
    view.close()


def test_a_russian_question_about_english_words_is_judged_like_an_english_one(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")

    def likelihood(text: str) -> float:
        board = Board(query_of_text(text), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        return outlook_of(board, ranking.files, choose_places(ranking, coverage(board), 9)).likelihood

    assert likelihood("есть ли поддержка server parts") == likelihood("is there support for server parts") < 1
    view.close()


@pytest.mark.parametrize("last", ["harbour", "lighthouse"])
def test_more_is_shown_where_each_word_occurs_though_in_another_place(tmp_path: Path, last: str) -> None:
    words = "candle", "harbour", "pepper", "violin", "marble", "orchard", "thunder", "velvet"
    view = opened(write(tmp_path / "root", {f"{each}.txt": f"{each}\n" for each in words}), tmp_path / "cache")
    asked = " ".join(["why is the", *(each for each in words if each != "harbour"), "not in the", last])
    board = Board(query_of_text(asked), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)  # as in a big repository
    outlook = outlook_of(board, weak, choose_places(ranking, coverage(board), 9))
    assert bound_confidence(Confidence.MEDIUM, outlook) is Confidence.LOW
    assert (worth_showing(outlook) > worth_showing(Outlook(0.01))) is (last == "harbour")
    view.close()


@pytest.mark.parametrize(
    ("text", "is_wide"),
    [
        ("where is the harbour of candles", False),
        ("add a harbour to the candles", True),
        ("где гавань свечей candle", True),
    ],
)
def test_changes_and_requests_in_russian_may_be_answered_further_down(
    tmp_path: Path,
    text: str,
    is_wide: bool,  # noqa: FBT001 -- a row of a table
) -> None:
    files = {"a.md": "# Гавань\n\ncandle harbour, гавань свечей\n", "b.md": "# Candle\n\ncandles of the harbour\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    board = Board(query_of_text(text), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    assert outlook_of(board, ranking.files, choose_places(ranking, coverage(board), 9)).is_wide is is_wide
    view.close()


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("где отправляются письма клиентам", True),
        ("где рассчитывается налог на зарплату", False),
        ("где сепулирует глокая куздра", True),  # no word of it has an English one: nothing is known
    ],
)
def test_what_a_request_in_russian_asks_for_may_be_nowhere_too(tmp_path: Path, text: str, *, is_sure: bool) -> None:
    about = "tax", "salary", "letter to client"
    body = "def page{0}():\n    # send {1}\n    first = {0}\n    return first\n\n\n"
    pages = [body.format(n, about[n % 3]) for n in range(1500)]
    files = {f"{n}.py": "".join(pages[n : n + 50]) for n in range(0, 1500, 50)}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    board = Board(prepared(text, view), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    outlook = outlook_of(board, ranking.files, choose_places(ranking, coverage(board), 9))
    assert (bound_confidence(Confidence.MEDIUM, outlook) is Confidence.MEDIUM) is is_sure
    view.close()


@pytest.mark.parametrize(("one", "other"), [("vesting", "period"), ("period", "vesting")])
def test_words_that_never_meet_speak_against_an_answer(tmp_path: Path, one: str, other: str) -> None:
    apart = {f"{n}.md": f"# Page {n}\n\nAbout the {one if n % 2 else other} of page {n}.\n" for n in range(40)}
    likelihoods = []
    for name, files in (("apart", apart), ("together", {**apart, "it.md": f"# Rule\n\nThe {one} {other}.\n"})):
        view = opened(write(tmp_path / name, files), tmp_path / f"cache-{name}")
        board = Board(query_of_text(f"how is the {one} {other} told to the people of the company"), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        places = choose_places(ranking, coverage(board), 9)
        likelihoods.append(outlook_of(board, ranking.files, places).likelihood)
        view.close()
    assert likelihoods[0] < likelihoods[1]


@pytest.mark.parametrize("told", ["refuse 'qwerty123'", "take name=qwerty123"])
def test_a_quoted_or_given_value_that_occurs_nowhere_is_an_example(tmp_path: Path, told: str) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text(f"where does the server that sends part 7 {told}")
    found = [replace(each, confidence=Confidence.HIGH) for each in rank(query, view, limit=9, purpose=Purpose.PACK)]
    assert not any("qwerty" in note for note in doubt(query, found, view))
    view.close()


def test_names_of_a_row_that_occur_nowhere_are_examples(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    likelihoods = list[float]()
    for told in ("sends qwert_a qwert_b twice", "sends qwert_a twice qwert_b"):
        board = Board(query_of_text(f"the server {told}, in part 7 too"), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        places = choose_places(ranking, coverage(board), 9)
        likelihoods.append(outlook_of(board, ranking.files, places).likelihood)
    assert likelihoods[0] > likelihoods[1]
    view.close()


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "how does the server send a part and where is the velvet harbour",
        "how does the server send a part, in which class is the velvet harbour",
        "how does the server send a part, and is there something for the velvet harbour",
    ],
)
def test_little_is_shown_where_no_place_has_all_words_of_what_is_looked_for(
    tmp_path: Path, text: str, *, together: bool
) -> None:
    harbour = f"def harbour():\n    return '{'velvet ' * together}harbour'\n"
    files = FILES | {"src/velvet.py": "def velvet():\n    return 'velvet'\n", "src/harbour.py": harbour}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    board = Board(query_of_text(text), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    outlook = outlook_of(board, ranking.files, choose_places(ranking, coverage(board), 9))
    assert (outlook.likelihood < 0.2) is not together
    view.close()


@pytest.mark.parametrize(("before", "is_filled"), [("add", True), ("where is the server? add", False)])
def test_a_change_may_fill_its_pack_however_new_its_words_are(tmp_path: Path, before: str, *, is_filled: bool) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    board = Board(query_of_text(f"{before} lighthouse thunder velvet orchard marble violin to the server"), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)
    outlook = outlook_of(board, weak, choose_places(ranking, coverage(board), 9))
    assert (bound_confidence(Confidence.MEDIUM, outlook) is Confidence.MEDIUM) is is_filled
    assert (worth_showing(outlook) == 0) is is_filled
    view.close()


@pytest.mark.parametrize(
    ("before", "behind", "is_lacking"),
    [("", " crashes", False), ("", " fails, why?", False), ("where are ", "", True), ("how do i open ", "", True)],
)
def test_a_failure_is_of_something_that_is_there(tmp_path: Path, before: str, behind: str, *, is_lacking: bool) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    board = Board(query_of_text(f"{before}the thunder and velvet of the server{behind}"), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)
    outlook = outlook_of(board, weak, choose_places(ranking, coverage(board), 9))
    assert outlook.is_lacking is is_lacking
    assert (bound_confidence(Confidence.MEDIUM, outlook) is Confidence.LOW) is is_lacking
    view.close()


@pytest.mark.parametrize(
    ("text", "is_lacking"),
    [
        ("where is mongodb support", True),
        ("mongodb support", False),
        ("add mongodb support", False),
        ("where is server support", False),
        ("where is server support while there is mongodb", False),  # that is not what is looked for
    ],
)
def test_only_for_a_question_no_place_is_shown_where_what_it_is_about_occurs_nowhere(
    tmp_path: Path, text: str, *, is_lacking: bool
) -> None:
    files = FILES | {f"src/can{n}.py": f"def can{n}():\n    return 'support of {n}'\n" for n in range(12)}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = rank(query_of_text(text), view, limit=100, purpose=Purpose.PACK)
    assert all(each.is_further for each in found) is is_lacking
    view.close()


@pytest.mark.parametrize(("word", "is_lacking"), [("жму", False), ("корзина", True)])
def test_a_word_that_no_dictionary_translates_tells_nothing_of_what_is_there(
    tmp_path: Path, word: str, *, is_lacking: bool
) -> None:
    words = ("secret", "text", "readable", "button", "line")
    files = {f"src/part{n}.py": f"def part{n}():\n    return '{words[n % 5]} {n}'\n" for n in range(1_200)}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    board = Board(understand_text(f"где секрет становится текстом и {word}", view, settings), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)
    assert outlook_of(board, weak, choose_places(ranking, coverage(board), 9)).is_lacking is is_lacking
    view.close()


@pytest.mark.parametrize(("text", "is_doubted_then"), [("add mongodb support", True), ("add server support", False)])
def test_a_change_is_doubted_where_nothing_that_it_is_about_occurs(
    tmp_path: Path, text: str, *, is_doubted_then: bool
) -> None:
    files = FILES | {f"src/can{n}.py": f"def can{n}():\n    return 'support of {n}'\n" for n in range(12)}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    query = query_of_text(text)
    found = rank(query, view, limit=100, purpose=Purpose.PACK)
    assert is_doubted(found) == is_doubted_then
    assert any("may not contain" in note for note in doubt(query, found, view)) == is_doubted_then
    view.close()


@pytest.mark.parametrize("question", ["is there a server that sends part 7", "does it have a server that sends part 7"])
def test_whoever_asks_whether_there_is_something_is_less_sure_to_find_it(tmp_path: Path, question: str) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")

    def likelihood(text: str) -> float:
        board = Board(query_of_text(text), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        return outlook_of(board, ranking.files, choose_places(ranking, coverage(board), 9)).likelihood

    assert likelihood(question) < likelihood("a server that sends part 7")
    assert likelihood("is there a way to server that sends part 7") == likelihood("a server that sends part 7")
    view.close()


def test_an_unlikely_answer_bounds_confidence_and_size() -> None:
    assert bound_confidence(Confidence.HIGH, Outlook(0.1)) is Confidence.LOW
    assert bound_confidence(Confidence.HIGH, Outlook(0.5)) is Confidence.MEDIUM
    assert bound_confidence(Confidence.HIGH, Outlook(0.9)) is Confidence.HIGH
    assert worth_showing(Outlook(0.9)) == 0
    assert worth_showing(Outlook(0.3, is_wide=True)) > worth_showing(Outlook(0.3))
    assert worth_showing(Outlook(0.1, is_wide=True)) == worth_showing(Outlook(0.1))
    assert 0 < worth_showing(Outlook(0.05)) < worth_showing(Outlook(0.15)) < worth_showing(Outlook(0.3))


def test_a_request_that_tells_much_is_not_doubted_and_shown_what_has_half_the_best_score(tmp_path: Path) -> None:
    words = "candle", "harbour", "pepper", "violin", "marble", "orchard", "thunder", "velvet"
    view = opened(write(tmp_path / "root", {f"{each}.txt": f"{each}\n" for each in words}), tmp_path / "cache")
    asked = " ".join(["why is the", *words[:-1], "not in the lighthouse"])
    likelihoods = []
    for text in (
        asked,
        f"{asked}, we have it and it has been there for so long that no one of us knows of when it was new",
    ):
        board = Board(query_of_text(text), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        weak = replace(ranking.files, total=ranking.files.total / 100)
        outlook = outlook_of(board, weak, choose_places(ranking, coverage(board), 9))
        assert (share_worth_showing(outlook) < 1) is outlook.is_long is (text != asked)
        likelihoods.append(outlook.likelihood)
    assert likelihoods[0] < 0.2 <= likelihoods[1]
    assert worth_showing(outlook) > 0
    view.close()


@pytest.mark.parametrize(("verb", "is_long"), [("is there a", True), ("where is the", False)])
def test_what_is_looked_for_and_hardly_there_is_not_looked_for_in_half_the_repository(
    tmp_path: Path,
    verb: str,
    is_long: bool,  # noqa: FBT001 -- a row of a table
) -> None:
    words = "candle", "harbour", "pepper", "violin", "marble", "orchard", "thunder", "velvet"
    view = opened(write(tmp_path / "root", {f"{each}.txt": f"{each}\n" for each in words}), tmp_path / "cache")
    told = "we have it and it has been there for so long that no one of us knows of when it was new, and for whom"
    board = Board(query_of_text(f"{told}. {verb} {' '.join(words[:-1])} not in the lighthouse?"), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)
    assert outlook_of(board, weak, choose_places(ranking, coverage(board), 9)).is_long is is_long
    view.close()


@pytest.mark.parametrize(
    ("telling", "asked", "is_shown_all"),
    [(11, "it fails", False), (12, "it fails", True), (12, "where is it?", False), (12, "review where it is", True)],
)
def test_no_place_need_cover_much_of_twelve_words_unless_it_is_looked_for(
    tmp_path: Path, telling: int, asked: str, *, is_shown_all: bool
) -> None:
    words = "candle harbour pepper violin marble orchard thunder velvet copper meadow saddle".split()  # noqa: SIM905
    view = opened(write(tmp_path / "root", {f"{each}.txt": f"{each}\n" for each in words}), tmp_path / "cache")
    board = Board(query_of_text(" ".join([*words, "lighthouse"][:telling]) + f", {asked}"), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    weak = replace(ranking.files, total=ranking.files.total / 100)
    outlook = outlook_of(board, weak, choose_places(ranking, coverage(board), 9))
    assert (worth_showing(outlook) == 0) is is_shown_all
    view.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexView]:
    """A repository of more than 5,000 chunks, about parts that a server sends."""
    body = "".join(f"    part = wrap(part, {at})\n" for at in range(12))
    texts = ("\n".join(f"def send_{n}_{at}(part):\n{body}" for at in range(700)) for n in range(8))
    root = write(tmp_path_factory.mktemp("many"), {f"part{n}.py": text for n, text in enumerate(texts)})
    with closing(opened(root, tmp_path_factory.mktemp("cache"))) as view:
        assert view.postings.live_chunks > 5_000
        yield view


def _likelihood(text: str, view: IndexView, reach: float) -> float:
    """The likelihood where the best file has a part of what one can have."""
    board = Board(query_of_text(text), view)
    ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
    files = ranking.files
    weighed = replace(files, total=files.total * (reach * files.attainable / float(files.total.max())))
    return outlook_of(board, weighed, choose_places(ranking, coverage(board), 9)).likelihood


@pytest.mark.parametrize(
    ("asked", "ending", "is_doubted"),
    [
        ("how do i", "py", True),
        ("where is the", "py", True),
        ("how do i", "md", False),  # what pages tell is often called otherwise
        ("how does it", "py", False),
        ("how do i fix it:", "py", False),  # told by its symptoms
        ("add it,", "py", False),
    ],
)
def test_a_way_or_a_place_in_code_is_called_what_it_is(
    tmp_path: Path, asked: str, ending: str, *, is_doubted: bool
) -> None:
    words = "candle harbour pepper violin marble orchard thunder velvet copper meadow saddle lighthouse"
    root = write(tmp_path / "root", {f"{each}.{ending}": f"{each} = 1\n" for each in words.split()[:-2]})
    with closing(opened(root, tmp_path / "cache")) as view:
        assert (_likelihood(f"{asked} {words}", view, 0.1) < 0.5) is is_doubted


def test_words_that_a_large_repository_lacks_speak_against_an_answer_however_many_there_are(many: IndexView) -> None:
    words = "send part wrap candle harbour pepper violin marble orchard thunder velvet copper meadow"
    assert _likelihood(f"how does it {words}", many, 0.1) < 0.2
    assert _likelihood(f"how do i {words.replace('harbour', 'part') * 2}, add it", many, 0.1) >= 0.5


@pytest.mark.parametrize(("reach", "is_doubted"), [(0.1, True), (0.7, True), (0.8, False)])
def test_a_file_that_is_clearly_about_the_request_is_shown_whatever_else_it_tells(
    many: IndexView,
    reach: float,
    is_doubted: bool,  # noqa: FBT001 -- a row of a table
) -> None:
    text = "where does it wrap candle harbour pepper violin marble orchard"
    assert (_likelihood(text, many, reach) < 0.2) is is_doubted


def test_the_chunks_of_a_file_are_put_in_order_once(many: IndexView, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each further chunk of a file costs a little more: not each that is left is thought over after each."""
    looks, pop = count(), heapq.heappop
    monkeypatch.setattr(heapq, "heappop", lambda heap: (next(looks), pop(heap))[1])
    board = Board(query_of_text("where does it wrap a part"), many)
    places = list(ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK).places())
    assert len(places) > 5_000
    assert next(looks) == len(places)


def test_a_short_request_is_told_which_of_its_words_occur_nowhere(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = query_of_text("where does the server that sends part 7 return kafka quic")
    found = [replace(each, confidence=Confidence.HIGH) for each in rank(query, view, limit=9, purpose=Purpose.PACK)]
    assert doubt(query, found, view) == ("Nowhere in the repository: kafka, quic.",)
    (note,) = doubt(query_of_text("where is the quic part of the server, and where is kafka"), found, view)
    assert note.startswith("The repository may not contain what was asked for")
    assert note.endswith("Nowhere in the repository: quic, kafka.")
    known = query_of_text("where does the server that sends part 7 return")
    assert doubt(known, found, view) == ()
    view.close()


def test_a_stack_with_functions_of_the_repository_is_sure(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    stack = 'zlorb quux frobnicates the gizmo\n  File "/srv/src/part3.py", line 2, in part3\nGizmoError: zlorb'
    for text, is_sure in ((stack, True), (stack.replace("part3", "gizmo"), False)):
        board = Board(query_of_text(text), view)
        ranking = ChunkRanking(board, score_files(board, Purpose.PACK, BUILT_IN_TABLES), Purpose.PACK)
        places = choose_places(ranking, coverage(board), 9)
        assert (outlook_of(board, ranking.files, places).likelihood == 1.0) is is_sure
    view.close()


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("как отправлять части сервера в Kafka через WebSocket?", "Kafka, WebSocket"),
        ("как server отправляет части в Kafka?", ""),
        ("как сервер отправляет части?", ""),
    ],
)
def test_a_question_in_another_script_is_judged_by_its_names(tmp_path: Path, question: str, absent: str) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    query = understand_text(question, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    found = rank(query, view, limit=9, purpose=Purpose.PACK)
    assert found
    assert doubt(query, found, view) == ((f"Nowhere in the repository: {absent}.",) if absent else ())
    assert (Confidence.HIGH not in {each.confidence for each in found}) is bool(absent)
    view.close()


@pytest.mark.parametrize(
    ("place", "absent"), [("src/part1.py:4711", "src, py"), ("src/part1.py 4711", "src, py, 4711")]
)
def test_the_number_of_a_line_is_no_word_that_occurs_nowhere(tmp_path: Path, place: str, absent: str) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    text = f"why does the server that sends return a part at {place}"
    query = understand_text(text, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    found = rank(query, view, limit=9, purpose=Purpose.PACK)
    assert doubt(query, found, view) == (f"Nowhere in the repository: {absent}.",)
    view.close()


def test_a_single_word_of_a_question_that_occurs_nowhere_is_told(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    text = "how does the server that sends and returns a part of quic do so"
    query = understand_text(text, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    found = rank(query, view, limit=9, purpose=Purpose.PACK)
    assert doubt(query, found, view) == ("Nowhere in the repository: quic.",)
    view.close()


def test_a_name_of_several_words_is_not_missed_that_is_typed_as_one(tmp_path: Path) -> None:
    files = FILES | {"src/order.py": "class MailOrder:\n    pass\n\n\ndef send(order: MailOrder):\n    return order\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    query = query_of_text("how does mailorder work")
    found = rank(query, view, limit=9, purpose=Purpose.PACK)
    assert found[0].file.path == "src/order.py"
    assert not is_doubted(found)
    assert doubt(query, found, view) == ()
    view.close()


@pytest.mark.parametrize(("name", "is_told"), [("relay_worker", False), ("mail_queue", False), ("relay_queue", True)])
def test_the_name_of_a_folder_or_file_is_not_missed(tmp_path: Path, name: str, *, is_told: bool) -> None:
    added = {f"relay_worker/part{n}.py": f"def relay{n}(worker):\n    return worker\n" for n in range(3)}
    files = {**FILES, **added, "mail_queue.py": "def queue_of_mail(mail):\n    return mail\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    query = understand_text(name, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    told = " ".join(doubt(query, rank(query, view, limit=9, purpose=Purpose.PACK), view))
    assert (name in told) is is_told
    view.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("`--yaml-output` of the server still writes json", ("Nowhere in the repository: --yaml-output.",)),
        ("`--json-output` of the server still writes json", ()),
        ("`--dry-run` of the server still writes json", ()),
        ("add `--yaml-output` to the server, it writes json", ()),
    ],
)
def test_an_option_that_occurs_nowhere_is_told_though_its_words_occur(
    tmp_path: Path, text: str, told: tuple[str, ...]
) -> None:
    files = {
        "src/server.py": 'def serve(json_output, dryRun):\n    """Write json of the server."""\n',
        "src/other.py": "def read_yaml(text):\n    return text\n\n\ndef output(text):\n    print(text)\n",
    }
    view = opened(write(tmp_path / "root", FILES | files), tmp_path / "cache")
    query = understand_text(text, view, Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache"))
    found = rank(query, view, limit=9, purpose=Purpose.PACK)
    assert doubt(query, found, view) == told
    view.close()
