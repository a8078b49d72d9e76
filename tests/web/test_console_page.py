"""The dealer's console in a real browser: people sign in, play rounds, answer questions and clear faults by touch."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, Route, expect

from controller.errors import FeltError
from controller.games import every_key, find
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, CardRead, Hold, Key, ProtectionCleared, ProtectionRaised
from controller.table.keys import find_key
from tests.asking import Client
from tests.service.clocks import until
from tests.web.browser import check_accessible, scene
from tests.web.conftest import NewPage
from tests.web.desk import DEALER, PIN, SUPERVISOR, Desk, cut_connections, looks_right, poker_at, table_at


async def test_a_round_of_casino_war(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await expect(desk.matter("Nobody is signed in")).to_be_visible()
        await expect(page.locator(".key.lit")).to_have_count(0)
        await looks_right(desk)
        await desk.sign_in(DEALER)
        await expect(page.locator("#person")).to_contain_text("Bay Six")
        await t.do("sensor.1", "bet", {"war": 1000})
        await t.do("sensor.2", "bet", {"war": 2500})
        await expect(desk.key("settle")).to_have_attribute("aria-disabled", "true")
        await expect(desk.key("no-more-bets")).to_contain_text("betting is over")
        await desk.press("no-more-bets")
        await expect(page.locator("#waiting")).to_contain_text("Deal a card")
        for card in ("Kh", "9d", "9c"):
            await t.do("shoe", "draw", card)
        await expect(page.locator(".decision[data-place='2']")).to_contain_text("or puts $25 on ")
        await looks_right(desk)
        await desk.decides("2", "Surrender")
        await desk.press("settle")
        await until(lambda: t.engine.table.round is not None and t.engine.table.round.outcome == "settled")
        pressed = [(fact.key, fact.args, fact.person, fact.place) for fact in t.facts(Key)]
        assert pressed == [
            ("no-more-bets", (), "Bay Six", "page 127.0.0.1"),
            ("surrender", ("2",), "Bay Six", "page 127.0.0.1"),
            ("settle", (), "Bay Six", "page 127.0.0.1"),
        ]
        await expect(page.locator("#told")).to_contain_text("Area")


async def test_a_round_of_three_card_poker_tells_no_card(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, "three-card-poker") as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.do("sensor.1", "bet", {"ante": 1000})
        await t.do("sensor.2", "bet", {"ante": 1000})
        await desk.press("no-more-bets")
        for card in ("5h", "9d", "Ks", "6h", "9c", "Kd", "7h", "2d", "Qs"):
            await t.do("shoe", "draw", card)
        row = page.locator(".decision[data-place='1']")
        await expect(row).to_be_visible()
        content = await page.content()
        assert re.findall(r"\b(?:5h|Ks|7h|9c|five of hearts|king)\b", content) == []
        await looks_right(desk)
        await desk.decides("2", "Fold")
        await t.do("sensor.1", "bet", {"play": 1000})
        await desk.press("settle")
        await until(lambda: t.engine.table.round is not None and t.engine.table.round.outcome == "settled")


async def test_wrong_pins_in_words_and_a_wait(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await page.locator("#person button").click()
        for n in range(5):
            await desk.digits(DEALER if not n else "", "Next")  # the badge stays in its field
            await desk.digits("1111", "Sign in")
            await expect(desk.sheet.get_by_role("alert")).to_contain_text("Badge and PIN do not belong together")
        await desk.digits("", "Next")
        await desk.digits(PIN, "Sign in")
        await expect(desk.sheet.get_by_role("alert")).to_contain_text("locked until")
        await looks_right(desk)
        await page.keyboard.press("Escape")
        await expect(desk.matter("Nobody is signed in")).to_be_visible()
        assert "1111" not in await page.content()


async def test_a_dealer_has_no_power_and_a_supervisor_answers_the_question(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, "caribbean-stud") as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.do("sensor.1", "bet", {"ante": 1000})
        await t.do("sensor.2", "bet", {"ante": 1000})
        await desk.press("no-more-bets")
        for card in ["5h", "9d", "Ks", "6h", "9c", "Kd", "7h", "2d", "Qs", "8h", "3c", "Jc", "9h", "4c", "2s"]:
            await t.do("shoe", "draw", card)
        await desk.tab("Rulings")
        await expect(desk.key("invalidate")).to_contain_text("needs the")
        await desk.key("invalidate").click(force=True)
        await expect(desk.sheet).to_contain_text("needs the")
        await desk.sheet.get_by_role("button", name="Close").click()
        await desk.tab("Report")
        await desk.press("excess", "1")
        await desk.sheet.get_by_role("button", name="Press Excess 1").click()
        question = desk.matter("Question")
        await expect(question.first).to_be_visible()
        await looks_right(desk)
        await expect(question.locator(".answer[aria-disabled='true']").first).to_contain_text("needs the supervisor")
        await page.locator("#person button").click()  # the dealer signs out
        await expect(page.locator("#person button")).to_have_text("Sign in")
        await desk.sign_in(SUPERVISOR)
        await question.get_by_role("button", name="Misdeal").click()
        await expect(desk.sheet).to_contain_text("This cannot be taken back")
        await looks_right(desk)
        await desk.sheet.get_by_role("button", name="No, go back").click()
        assert t.engine.table.talk is not None
        await question.get_by_role("button", name="Misdeal").click()
        await desk.sheet.get_by_role("button", name="Yes: Misdeal").click()
        await until(lambda: t.engine.table.round is not None and t.engine.table.round.outcome == "misdeal")
        assert t.facts(Key)[-1].person == "Floor Eight"
        await expect(question).to_have_count(0)


async def test_an_unplugged_shoe_is_told_and_a_held_table_is_freed(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(SUPERVISOR)
        await t.do("sensor.1", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        shoe = t.sim.device("shoe")
        shoe.fault("unplug")
        fault = desk.matter("The shoe cannot be reached")
        await expect(fault.locator("li")).to_have_count(2)
        await looks_right(desk)
        shoe.clear()
        await expect(fault).to_have_count(0)
        await t.engine.submit(Hold("journal.behind", "its memory is ahead of the journal", "shoe"))
        held = desk.matter("The table is held")
        await expect(held.locator("li")).to_have_count(3)
        await expect(desk.key("no-more-bets")).to_have_attribute("aria-disabled", "true")
        await looks_right(desk)
        await held.get_by_role("button", name="Void").click()
        await expect(desk.sheet).to_contain_text("This cannot be taken back")
        await desk.sheet.get_by_role("button", name="No, go back").click()
        await held.get_by_role("button", name="Resume").click()
        await expect(held).to_have_count(0)
        assert (t.facts(Key)[-1].key, t.facts(Key)[-1].args) == ("resume", ("journal.behind",))


# Whose press came second is told so, on that page alone.
WITHOUT_REFUSALS = """part => {
  const copy = part.cloneNode(true);
  copy.querySelectorAll(".refused, .refusal").forEach(each => each.remove());
  return copy.textContent;
}"""


async def test_two_browsers_the_keypad_and_the_api_at_once(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desks = [Desk(await new_page(), t), Desk(await new_page(), t)]
        for desk, badge in zip(desks, (DEALER, SUPERVISOR), strict=True):
            await desk.open()
            await desk.sign_in(badge)
        client = Client(str(t.daemon.config.api.socket), token="")
        client.token = (await asyncio.to_thread(client.post, "/sign-in", {"badge": DEALER, "pin": PIN}))["token"]
        taken: dict[str, int] = {}
        t.engine.listeners.append(partial(note_taken, taken))

        async def by_everybody(key: str) -> None:
            for desk in desks:
                await expect(desk.key(key)).to_have_attribute("aria-disabled", "false")
            api = asyncio.to_thread(pressed_by, client, key)
            await asyncio.gather(*(desk.touch(key) for desk in desks), t.press(key), api)

        for n in (1, 2):
            await t.do("sensor.1", "bet", {"war": 1000})
            await asyncio.gather(by_everybody("no-more-bets"), t.press("seat", "2"))
            for card in ("Kh", "9d"):
                await t.do("shoe", "draw", card)
            await by_everybody("settle")
            await t.do("sensor.1", "bet", {})
            assert (taken["no-more-bets"], taken["settle"]) == (n, n)  # once a round, whoever was first
        assert t.engine.table.number == 2
        for desk in desks:
            await expect(desk.page.locator("body")).to_have_attribute("data-scene", "between-rounds")
        for part in ("#waiting", "#keys", "#round", "#gates"):
            texts = [await desk.page.locator(part).evaluate(WITHOUT_REFUSALS) for desk in desks]
            assert texts[0] == texts[1]
        last = await asyncio.to_thread(client.get, "/rounds/2")
        assert last["round"]["outcome"] == "settled"
        who = {(fact.person, fact.place) for fact in t.facts(Key) if fact.key == "no-more-bets"}
        assert (
            {("", ""), ("Bay Six", "socket")}
            <= who
            <= {
                ("", ""),
                ("Bay Six", "socket"),
                ("Bay Six", "page 127.0.0.1"),
                ("Floor Eight", "page 127.0.0.1"),
            }
        )


def note_taken(taken: dict[str, int], _seq: int, fact: AnyFact, _table: object, effects: list[AnyEffect]) -> None:
    """Counts how often each key was taken."""
    if isinstance(fact, Key) and not any(isinstance(effect, Refused) for effect in effects):
        taken[fact.key] = taken.get(fact.key, 0) + 1


def pressed_by(client: Client, key: str) -> None:
    with suppress(FeltError):  # somebody else was first
        client.post("/keys", {"key": key})


async def test_a_page_that_is_cut_off_takes_no_press_and_catches_up(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.do("sensor.1", "bet", {"war": 1000})
        await expect(desk.key("no-more-bets")).to_have_attribute("aria-disabled", "false")
        await page.context.set_offline(True)
        await page.route("**/events*", lambda route: route.abort())
        cut_connections(t)
        await scene(page, "offline")
        await expect(page.locator("#cut")).to_contain_text("nothing can be pressed")
        await desk.key("no-more-bets").evaluate("(key) => key.click()")
        await check_accessible(page)
        await t.press("no-more-bets")
        assert len(t.facts(Key)) == 1
        await page.unroute("**/events*")
        await page.context.set_offline(False)
        await expect(desk.key("no-more-bets")).to_have_attribute("aria-disabled", "true")
        await expect(page.locator("#cut")).to_be_empty()
        await expect(page.locator("#person")).to_contain_text("Bay Six")


# By key: what is touched, and the words that come of it.
ENTERED = [
    ("seat", ["word 1", "word 3", "text Enter", "digits maria", "text Enter"], ("1,3", "player=maria")),
    ("count", ["digits 52", "text Enter"], ("52",)),
    ("reconstruct", ["word 1", "rank K", "suit h", "rank T", "suit c", "text These are"], ("1=Kh,Tc",)),
    ("taken", ["word 2", "rank A", "suit s"], ("2", "As")),
    ("marker", ["word 1", "word min", "digits 12.50", "text Enter"], ("1", "min=12.50")),
    ("set", ["word min", "digits 10", "text Enter"], ("min=10",)),
    ("notice", ["word close-table"], ("close-table",)),
    ("short", ["word dealer", "word all"], ("dealer", "all")),
    ("exposed", ["word 1", "digits 2", "text Enter"], ("1", "2")),
    ("refuse", ["word 1", "word tie"], ("1", "tie")),
    ("owner", ["word 2", "word 1"], ("2", "1")),
    ("close-jackpot", ["digits wa", "text Enter", "digits 100", "text Enter"], ("wa=100",)),
    ("invalidate", ["word fraud"], ("fraud",)),
]
OF_JACKPOTS = ("close-jackpot",)  # of games with a Jackpot
ENTER = """async (name) => {
  const { ask } = await import("/display/static/sheet.js");
  const response = await fetch("/console/events");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/event: picture\\ndata: .*\\n\\n/.test(text)) text += (await reader.read()).value;
  reader.cancel();
  const data = (event) => JSON.parse(new RegExp(`event: ${event}\\ndata: (.*)\\n`).exec(text)[1]);
  const declared = data("declared");
  const key = declared.keys.find((each) => each.key === name);
  window.entered = null;
  ask(key, [], { declared, picture: data("picture"), lit: [], bounds: null }, (args) => (window.entered = args));
}"""


@pytest.mark.parametrize(("game", "options"), [("casino-war", ""), ("caribbean-stud", 'jackpot = "nsw"')])
async def test_words_by_touch(page: Page, tmp_path: Path, game: str, options: str) -> None:
    async with table_at(tmp_path, game, options, seats=3) as t:
        desk = Desk(page, t)
        await desk.open()
        for name, touches, words in ENTERED:
            if (name in OF_JACKPOTS) == (game == "caribbean-stud"):
                await enters(desk, name, touches)
                assert tuple(await page.evaluate("window.entered")) == words, name
                key = find_key(find(game), name)
                assert key is not None and key.misfit(words) == ""


async def enters(desk: Desk, name: str, touches: list[str]) -> None:
    await desk.page.evaluate(ENTER, name)
    for touch in touches:
        what, _, which = touch.partition(" ")
        if what == "digits":
            for letter in which:
                await desk.sheet.get_by_role("button", name=letter, exact=True).click()
        elif what == "text":
            await desk.sheet.locator(".sheet-body").get_by_role("button", name=which).click()
        else:
            await desk.sheet.locator(f".choice[data-{what}='{which}']").click()
    if await desk.sheet.is_visible():
        await check_accessible(desk.page)
        await desk.sheet.get_by_role("button", name="Press ").click()


async def test_every_kind_of_word_has_its_picker(page: Page, tmp_path: Path) -> None:
    kinds = {kind for key in every_key() for form in key.forms for argument in form for kind in argument.kinds}
    async with table_at(tmp_path) as t:
        await Desk(page, t).open()
        known = await page.evaluate("async () => Object.keys((await import('/display/static/pickers.js')).PICKERS)")
    assert {kind.name for kind in kinds if not kind.fixed} == set(known)


async def test_the_turn_of_a_poker_player(page: Page, tmp_path: Path) -> None:
    async with poker_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.press("seat", "1-3", "stack=500")
        await t.press("act", "1", "post", "5")
        await desk.decides("2", "Post $10")
        await until(lambda: t.engine.table.round is not None)
        for seat, card in zip("123123", ("Kh", "9c", "As", "7d", "9d", "Ad"), strict=True):
            await t.engine.submit(CardRead(seat, card))
        row = page.locator(".decision[data-place='3']")
        await expect(row.get_by_role("button", name="Call $10")).to_be_visible()
        await looks_right(desk)
        await row.get_by_role("button", name="Raise to $20 - $500").click()
        await expect(desk.sheet).to_contain_text("20 to 500")
        await looks_right(desk)
        await desk.digits("45", "Enter")  # instead of the least, which stands there
        await until(lambda: t.facts(Key)[-1].args == ("3", "raise", "45"))
        await desk.decides("1", "Fold")
        await expect(page.locator(".decision[data-place='2']")).to_be_visible()
        content = await page.content()
        assert not any(card in content for card in ("As", "9c", "ace of"))


async def test_a_refusal_stands_beside_its_key_with_its_rule(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(SUPERVISOR)
        await desk.tab("Rulings")
        await desk.press("set", "min")
        await desk.digits("7", "Enter")
        await desk.sheet.get_by_role("button", name="Press Set min=7").click()
        await expect(desk.key("set").locator(".refused")).to_contain_text("rule")
        await expect(page.get_by_role("status")).to_contain_text("Set min=7: ")
        await looks_right(desk)
        await desk.tab("Game")
        await desk.key("settle").click(force=True)
        await expect(desk.sheet).to_contain_text("Not now: no round is running")


@pytest.mark.parametrize("heard", [True, False])
async def test_touches_come_in_their_order_once_each_and_none_behind_a_refusal(
    page: Page, tmp_path: Path, heard: bool
) -> None:
    answer = asyncio.Event()

    async def later(route: Route) -> None:
        await answer.wait()
        await (route.continue_() if heard else route.abort())

    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        for area in (1, 2):
            await t.do(f"sensor.{area}", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        for card in ("9h", "9d", "9c"):
            await t.do("shoe", "draw", card)
        await page.route("**/keys", later)
        for place in ("1", "1", "2"):
            await desk.touch_word(place, "Surrender")
        status = page.get_by_role("status")
        await expect(status).to_have_text("Surrender 1, Surrender 2: not taken yet.")  # nobody deals on that
        await check_accessible(page)
        answer.set()
        await desk.answered()
        no = "Surrender 1: the table is not heard. Not pressed: Surrender 2."
        await expect(status).to_have_text("Surrender 2: done." if heard else no)
        pressed = [(fact.key, fact.args) for fact in t.facts(Key)][1:]
        assert pressed == ([("surrender", ("1",)), ("surrender", ("2",))] if heard else [])


async def test_the_console_by_keyboard(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await page.locator("#person button").focus()
        await page.keyboard.press("Enter")
        await page.keyboard.type(DEALER)
        await page.keyboard.press("Enter")
        await page.keyboard.type(PIN)
        await page.keyboard.press("Enter")
        await expect(page.locator("#person")).to_contain_text("Bay Six")
        await page.get_by_role("tab", name="Game").focus()
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("tab", name="Report")).to_be_focused()
        await expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
        await page.keyboard.press("ArrowLeft")
        await t.do("sensor.1", "bet", {"war": 1000})
        await expect(desk.key("no-more-bets")).to_have_attribute("aria-disabled", "false")
        await desk.key("no-more-bets").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_contain_text("No more bets: done.")
        assert t.facts(Key)[-1].person == "Bay Six"


async def test_an_alert_of_game_protection_is_shown_to_a_supervisor_only_and_cleared_by_touch(
    page: Page, tmp_path: Path
) -> None:
    async with table_at(tmp_path) as t:
        raised = ProtectionRaised("order", "order 1", "The cards come in the order of a new deck.", 1, "Shuffle them.")
        number = (await t.engine.submit(raised)).seq
        desk = Desk(page, t)
        await desk.open()
        alert = page.locator(f".protection[data-alert='{number}']")
        await desk.sign_in(DEALER)
        await expect(page.locator("#person")).to_contain_text("Bay Six")
        await expect(alert).to_have_count(0)
        assert (await page.request.get(f"{t.daemon.pages}/protection")).status == 401
        await page.get_by_role("button", name="Sign out").click()
        await desk.sign_in(SUPERVISOR)
        await expect(alert).to_contain_text("The cards come in the order of a new deck.")
        await looks_right(desk)
        await alert.get_by_role("button", name="Put right").click()
        await expect(alert).to_have_count(0)
        (cleared,) = t.facts(ProtectionCleared)
        assert (cleared.alert, cleared.reason, cleared.person) == (number, "Put right", "Floor Eight")


async def test_alerts_come_and_go_without_a_reload_as_the_session_does(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        supervisor, dealer = Desk(await new_page(), t), Desk(await new_page(), t)
        for desk, badge in ((supervisor, SUPERVISOR), (dealer, DEALER)):
            await desk.open()
            await desk.sign_in(badge)
            await expect(desk.page.locator("#person")).to_contain_text("Sign out")
        raised = ProtectionRaised("pace", "pace 1", "Dealing took 400 seconds.", 1, "Look at the round.")
        number = (await t.engine.submit(raised)).seq
        alert = supervisor.page.locator(f".protection[data-alert='{number}']")
        await expect(alert).to_contain_text("Dealing took 400 seconds.")
        cut_connections(t)
        await t.engine.submit(ProtectionCleared(number, "pace", raised.text, "seen", "Eve", "supervisor", "socket"))
        await expect(alert).to_have_count(0)
        again = (await t.engine.submit(replace(raised, about="pace 2", text="Dealing took 500 seconds."))).seq
        alert = supervisor.page.locator(f".protection[data-alert='{again}']")
        await expect(alert).to_contain_text("Dealing took 500 seconds.")
        await expect(dealer.page.locator("#waiting")).to_contain_text("bets")
        assert await dealer.page.locator(".protection").count() == 0
        t.daemon.service.doorkeeper.stop()  # every session is over: the page asks nothing, its stream tells no more
        await expect(alert).to_have_count(0)


async def test_the_cards_in_a_line_that_leads_to_their_page(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, options="gates = 'manual'\n") as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        line = page.locator("#cards")
        await expect(line).to_contain_text("not checked rule 3.2")
        await expect(line).to_contain_text("shuffle due")
        await looks_right(desk)
        await desk.press("checked")
        await expect(line).to_contain_text("checked")
        await expect(line).not_to_contain_text("not checked")
        await desk.press("shuffled")
        await expect(line).to_contain_text("cut due")
        await line.get_by_role("link").click()
        await expect(page.locator("#decks-heading")).to_be_visible()
