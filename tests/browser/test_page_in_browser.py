"""The page in a real browser. They need Playwright and Chromium, and no network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ctxpack.model import Form, Fragment, Kind, Omission, Request, Scope, Selection
from ctxpack.render import renderer
from ctxpack.render.markup import with_pictures
from ctxpack.render.reports import report
from tests.building import pack_with, piece_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None,
    reason="needs a browser and its driver: apt install chromium; pip install playwright",
)
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
HOSTILE = (
    "</code></pre></details></main></div></body></html>\n"
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><svg onload='window.ran = 3'>\n"
    "<style>* { display: none !important }</style><base href='https://x.example/'>\n"
    "<link rel=stylesheet href=https://x.example/a.css><iframe src=https://x.example></iframe>\n"
    "<meta http-equiv=refresh content='0;url=https://x.example'><form action=https://x.example><button autofocus>\n"
    "-->]]><!--<![CDATA[</style></script></title><plaintext>\x00\x1b[31m\r\u202e\ufeff\n"
    "{{constructor.constructor('window.ran = 4')()}} javascript:window.ran=5 &lt;b&gt; &#60;\n"
)


def _pieces() -> tuple[Fragment, ...]:
    code = "def retry(times):\n" + "".join(f"    send({number})  # {'long ' * 30}\n" for number in range(40))
    return (
        piece_of(code, "src/uploader.py", 12, tokens=400, symbol="retry", reasons=("defines retry",), score=0.9),
        piece_of("# Retries\n\nEach waits.\n", "docs/retries.md", 1, tokens=20, language="markdown", kind=Kind.DOC),
        piece_of(HOSTILE, 'a"><script>window.ran=6</script>.html', 1, tokens=90, language="html", form=Form.EXCERPT),
        piece_of("assert retry(1)\n", "tests/test_uploader.py", 3, tokens=9, kind=Kind.TEST),
        piece_of("```\nfenced\n```\n", "docs/deep/er/fence.md", 1, tokens=9, language="markdown", kind=Kind.DOC),
    )  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    missed = Omission("src/<i>.py", 1, 2, 0.3, "budget full </li><script>window.ran=7</script>", 70, "Net.<b>")
    pack = pack_with(
        request=Request(Scope.TASK, "</title><script>window.ran=8</script>\n\n</blockquote><img src=x onerror=y>"),
        selection=Selection(_pieces(), (missed,)),
        tokens_used=700,
        notes=("<script>window.ran=9</script>",),
    )
    place = tmp_path_factory.mktemp("page") / "report.html"
    place.write_text(report(pack, renderer("html")), encoding="utf-8", newline="")
    return place.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield started
        started.close()


class Visit:
    """A page that was opened, with all that it asked for and said."""

    def __init__(self, browser: Browser, address: str, **context: Any) -> None:  # noqa: ANN401 - whatever Playwright takes
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.failed: dict[str, str] = {}
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("requestfailed", lambda request: self.failed.update({request.url: request.failure}))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.goto(address)

    def shown(self) -> list[str]:
        """The numbers of the pieces that are shown."""
        return [each.inner_text() for each in self.page.locator(".piece:not([hidden]) .number").all()]

    def opened(self) -> int:
        """How many pieces are open."""
        return len(self.page.locator(".piece[open]").all())


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    opened = Visit(browser, address)
    yield opened
    opened.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_whatever_a_repository_holds_stays_text_inside_its_piece(
    browser: Browser, address: str, scheme: str, width: int
) -> None:
    here = Visit(browser, address, color_scheme=scheme, viewport={"width": width, "height": 844})
    page = here.page
    page.wait_for_timeout(200)
    assert (here.asked, here.said) == ([address], [])
    assert page.evaluate("window.ran") is None
    assert page.locator(".piece").count() == 5
    assert [each.text_content() for each in page.locator(".piece pre").all()] == [
        with_pictures(each.text) for each in _pieces()
    ]
    assert page.locator("script, img, iframe, base, form, svg, plaintext").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".piece").nth(4).is_visible()
    boxes = [each.bounding_box() or {} for each in page.locator(".piece").all()]
    assert all(one["y"] + one["height"] <= other["y"] for one, other in pairwise(boxes))
    here.context.close()


def test_the_policy_stops_what_the_page_did_not_bring(visit: Visit) -> None:
    page = visit.page
    page.evaluate(
        """() => {
            const body = document.body, make = (name) => body.appendChild(document.createElement(name));
            for (const act of [
                () => { make("img").src = "https://x.example/a.png"; },
                () => { make("link").href = "https://x.example/a.css"; },
                () => fetch("https://x.example/").catch(() => {}),
                () => body.setAttribute("onclick", "window.ran = 1"),
                () => body.setAttribute("style", "color: red"),
                () => { make("script").text = "window.ran = 2"; },
                () => { make("style").textContent = "body { color: red }"; },
                () => body.insertAdjacentHTML("beforeend", "<b id=made>x</b>"),
                () => { location = "javascript:window.ran=3"; },
            ]) try { act(); } catch { /* as it should be */ }
            body.click();
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    assert page.locator("#made").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") != "rgb(255, 0, 0)"
    stopped = {url: why for url, why in visit.failed.items() if "x.example" in url}
    assert set(stopped) == {url for url in visit.asked if "x.example" in url}
    assert set(stopped.values()) <= {"csp"}


def test_light_and_dark_follow_the_system_until_they_are_chosen(browser: Browser, address: str) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    light, dark = (Visit(browser, address, color_scheme=scheme) for scheme in ("light", "dark"))
    its, other = light.page.evaluate(back), dark.page.evaluate(back)
    assert its != other
    seen = []
    for _ in range(3):
        dark.page.keyboard.press("t")
        seen.append(dark.page.evaluate(back))
    assert seen == [its, other, other]
    dark.page.click("#do-theme")
    assert dark.page.evaluate(back) == its
    dark.page.reload()
    assert dark.page.evaluate(back) == its
    light.context.close()
    dark.context.close()


def test_the_filter_shows_the_pieces_that_hold_all_its_words(visit: Visit) -> None:
    visit.page.keyboard.press("/")
    visit.page.keyboard.type("RETRY uploader")
    assert visit.shown() == ["1", "4"]
    assert visit.page.input_value("#filter") == "RETRY uploader"
    assert visit.page.locator("#shown").inner_text() == "2 of 5"
    assert visit.page.locator(".bar a.off").count() == 3
    assert visit.page.locator(".tree a:not(.off)").count() == 2
    assert visit.page.evaluate("CSS.highlights.get('found').size") > 3
    visit.page.keyboard.press("Escape")
    assert visit.shown() == ["1", "2", "3", "4", "5"]


def test_a_kind_is_hidden_and_shown_by_its_button(visit: Visit) -> None:
    button = visit.page.locator("button.key[data-kind=doc]")
    button.click()
    assert (visit.shown(), button.get_attribute("aria-pressed")) == (["1", "3", "4"], "false")
    button.click()
    assert (visit.shown(), button.get_attribute("aria-pressed")) == (["1", "2", "3", "4", "5"], "true")


def test_the_keyboard_does_all(visit: Visit) -> None:
    press = visit.page.keyboard.press
    press("c")
    assert visit.opened() == 0
    press("j")
    press("j")
    assert visit.page.evaluate("document.activeElement.closest('.piece').id") == "p2"
    press("o")
    assert visit.page.locator(".piece[open]").get_attribute("id") == "p2"
    press("Enter")
    assert visit.opened() == 0
    press("k")
    assert visit.page.evaluate("document.activeElement.closest('.piece').id") == "p1"
    press("e")
    assert visit.opened() == 5
    press("?")
    assert visit.page.locator("#keys").is_visible()
    press("c")  # is no key of the page while this is open
    press("Escape")
    assert (visit.opened(), visit.page.locator("#keys").is_visible()) == (5, False)
    press("Control+c")
    assert visit.opened() == 5
    lines = visit.page.locator("#p1 .line").nth(1)
    before = (lines.bounding_box() or {})["height"]
    press("w")
    assert (lines.bounding_box() or {})["height"] > before


def test_a_segment_and_a_file_lead_to_their_piece(visit: Visit) -> None:
    visit.page.keyboard.press("c")
    visit.page.locator(".bar a.w4").click()
    assert visit.page.locator(".piece[open]").get_attribute("id") == "p4"
    visit.page.locator(".tree a[href='#p5']").click()
    assert visit.page.locator("#p5").get_attribute("open") == ""
    visit.page.keyboard.press("c")
    visit.page.locator(".tree a[href='#p5']").click()  # once more, to where the address points already
    assert visit.page.locator("#p5").get_attribute("open") == ""


def test_pieces_are_copied_as_they_are_and_as_markdown(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.page
    page.locator("#p4 .copy").click()
    page.locator("#p4 .copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "assert retry(1)\n"
    page.fill("#filter", "fenced")
    page.click("#do-copy")
    page.locator("#do-copy", has_text="Copied").wait_for()
    copied = "## docs/deep/er/fence.md:1-3\n````markdown\n```\nfenced\n```\n````\n"
    assert page.evaluate("navigator.clipboard.readText()") == copied


def test_without_scripts_it_is_read_all_the_same(browser: Browser, address: str) -> None:
    here = Visit(browser, address, java_script_enabled=False)
    assert here.opened() == 5
    assert not here.page.locator(".controls").is_visible()
    here.page.locator("#p1 summary").click()
    assert here.opened() == 4
    here.context.close()


def test_numbers_of_lines_are_not_selected_with_them(visit: Visit) -> None:
    text = visit.page.evaluate(
        """() => {
            getSelection().selectAllChildren(document.querySelector("#p1 pre"));
            return String(getSelection());
        }"""
    )
    assert text.startswith("def retry(times):\n    send(0)")


def test_a_long_path_and_many_pieces_stay_inside(browser: Browser, tmp_path: Path) -> None:
    many = [piece_of("x = 1\n", f"{'deep/' * 40}{'name' * 30}{number}.py", tokens=3) for number in range(300)]
    long = replace(many[0], text=f"{'y' * 3000}\n")
    place = tmp_path / "report.html"
    place.write_text(report(pack_with(long, *many, tokens_used=790), renderer("html")), encoding="utf-8")
    here = Visit(browser, place.as_uri(), viewport={"width": 390, "height": 844})
    assert here.page.evaluate("document.documentElement.scrollWidth") == 390
    bar = here.page.locator(".bar").bounding_box() or {}
    assert bar["x"] + bar["width"] <= 390
    here.context.close()
