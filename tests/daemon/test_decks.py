"""Decks with a name at a whole daemon on simulated devices: `felt deck`, the record of each, receipts, a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config.load import load_config
from controller.rules import Role
from controller.sim.people import PIN, badge_of
from controller.table.facts import DeckDeed, DeckIn
from tests.daemon.house import table_toml
from tests.service.clocks import Table, table, until


@asynccontextmanager
async def running(directory: Path, **config: Any) -> AsyncIterator[Table]:
    directory.mkdir(exist_ok=True)
    async with table(load_config(table_toml(directory, **config))) as t:
        yield t


async def felt(t: Table, *words: str, typed: str = "") -> Result:
    socket = t.daemon.config.api.socket
    runner = CliRunner(env={"XDG_RUNTIME_DIR": str(socket.parent), "COLUMNS": "200"})
    return await asyncio.to_thread(lambda: runner.invoke(cli, [*words, "--socket", str(socket)], input=typed))


async def sign_in(t: Table, role: Role) -> None:
    answer = await felt(t, "sign-in", "--badge", badge_of(role), typed=f"{PIN}\n")
    assert answer.exit_code == 0, answer.output


async def deck(t: Table, *words: str) -> dict[str, Any]:
    answer = await felt(t, "deck", *words, "--json")
    return json.loads(answer.output)  # type: ignore[no-any-return]


async def play_a_round(t: Table) -> None:
    await t.do("sensor.1", "bet", {"war": 1000})
    await t.press("no-more-bets")
    for card in ("5h", "6d"):
        await t.do("shoe", "draw", card)
    await t.press("settle")


async def test_a_deck_from_its_box_to_its_box(tmp_path: Path) -> None:
    async with running(tmp_path, options="decks = 4\n") as t:
        assert (await deck(t, "bring", "R-1"))["error"]["code"] == "sign-in.needed"
        assert "to do      check all 4 decks in play (3.2)" in (await felt(t, "deck", "show", "3")).output
        await sign_in(t, "dealer")
        for number in (1, 2, 3, 4):
            await deck(t, "name", str(number), f"R-{number}", "--colour", "red")
        assert (await deck(t, "bring", "R-5", "--colour", "red"))["deck"] == 5
        checked = await deck(t, "check", "5", "--count", "52")
        assert (checked["inspection"], checked["person"]) == (1, "simulated dealer")
        await play_a_round(t)
        beyond = (await deck(t, "check", str(10**20)))["error"]
        assert "a number in it is larger than any that there is" in beyond["cause"]
        refused = (await deck(t, "unfit", "2", "--fault", "bent"))["error"]
        assert refused["code"] == "deck.refused"
        assert "this needs the area manager (rule 4.4.2)" in refused["cause"]
        await sign_in(t, "area-manager")
        gone = await felt(t, "deck", "unfit", "2", "--fault", "bent", "--card", "Kh", "--note", "a corner")
        assert "supervisor: the cards are out of play: replace them (4.4.2)" in gone.output
        assert (await felt(t, "key", "replaced")).exit_code == 0
        status = await felt(t, "status")
        assert "to do: box and seal deck 2, red backs, R-2 (4.4.2)" in status.output
        of_box = ("seal", "2", "--slip", "S-77", "--seal", "L-9", "--witness")
        myself = await deck(t, *of_box, " simulated  area Manager ")
        assert "somebody else has to see it" in myself["error"]["cause"]
        sealed = await felt(t, "deck", *of_box, "Bob")
        assert sealed.exit_code == 0, sealed.output
        await check_story(t)
        await sign_in(t, "supervisor")
        assert (await felt(t, "deck", "witness", "2")).exit_code == 0
        assert "seen by simulated supervisor, by their own word" in (await felt(t, "deck", "show", "2")).output
    check_file(tmp_path)
    async with running(tmp_path, options="decks = 4\n") as t:
        assert (await felt(t, "deck", "list")).output.count("R-") >= 5
        assert [each.deed for each in t.facts(DeckDeed)][:6] == ["name"] * 4 + ["bring", "check"]
        by = t.facts(DeckDeed)[-2]
        assert (by.person, by.role, by.place) == ("simulated area manager", "area-manager", "socket")


def check_file(directory: Path) -> None:
    """The same without the daemon, from the journal's file."""
    (journal,) = directory.glob("state/**/journal.db")
    alone = CliRunner(env={"COLUMNS": "200"})

    def answer(*words: str) -> str:
        return alone.invoke(cli, ["deck", *words, "--journal", str(journal)]).output

    assert answer("list").count("R-") >= 5
    assert "deck 2, red backs, R-2: boxed and sealed" in answer("show", "2")
    text = answer("receipt", "1")
    assert "Result: 52 cards, complete" in text and "feltd-anchor-1 " in text
    assert "inspection.unknown" in answer("receipt", "99")
    assert "journal." in alone.invoke(cli, ["deck", "list", "--journal", str(directory / "none")]).output


async def check_story(t: Table) -> None:
    lines = (await felt(t, "deck", "show", "2")).output
    for words in (
        "deck 2, red backs, R-2: boxed and sealed",
        "named      ",
        "dealt      1 hand, 1 shuffle",
        "Kh bent: a corner (4.4.2) [area manager simulated area manager]",
        "left play  ",
        "unfit (4.4.2) [area manager simulated area manager]",
        "slip S-77, seal L-9, seen by Bob (4.4.2) [area manager simulated area manager]",
    ):
        assert words in lines, lines
    assert "inspected  1" in (await felt(t, "deck", "show", "5")).output
    assert "deck.unknown" in (await felt(t, "deck", "show", "99")).output
    unchecked = await felt(t, "deck", "list")
    assert unchecked.exit_code == 1
    assert "to do: check deck 1, red backs, R-1 (3.2)" in unchecked.output  # the table deals all the same: gates=auto
    assert (await felt(t, "deck", "check")).exit_code == 0
    listed = await felt(t, "deck", "list")
    assert listed.exit_code == 0
    assert "other cards came into play [area manager simulated area manager]" in listed.output
    told = [line.split()[1] for line in (await felt(t, "deck", "show", "5")).output.splitlines() if "inspected" in line]
    assert len(told) > 1 and told == sorted(told)  # as they came


async def test_a_receipt_of_an_inspection_proves_the_journal(tmp_path: Path) -> None:
    async with running(tmp_path) as t:
        await sign_in(t, "supervisor")
        ordered = await felt(t, "deck", "order")
        assert "dealer: simulated supervisor wants the cards counted now (3.2)" in ordered.output
        assert (await felt(t, "deck", "list")).exit_code == 1
        await t.press("count", "312")
        paper = tmp_path / "receipt.txt"
        assert (await felt(t, "deck", "receipt", "1", "-o", str(paper))).exit_code == 0
        text = paper.read_text()
        assert "Result: 312 cards, complete" in text
        assert "Ordered by: simulated supervisor, supervisor at the socket" in text
        verified = await felt(t, "journal", "verify", "--anchor", str(paper))
        assert verified.exit_code == 0, verified.output
        again = await felt(t, "deck", "receipt", "1", "-o", str(paper))
        assert "receipt.unwritable" in again.output
        page = await felt(t, "deck", "receipt", "1", "--html")
        assert page.output.startswith("<!DOCTYPE html>") and "<script" not in page.output
        as_json = json.loads((await felt(t, "deck", "receipt", "1", "--json")).output)
        assert as_json["anchor"].startswith("feltd-anchor-1 ") and as_json["receipt"] == text
        assert (await deck(t, "receipt", "7"))["error"]["code"] == "inspection.unknown"


async def test_everything_that_can_be_done_is_a_word_of_the_command(tmp_path: Path) -> None:
    async with running(tmp_path) as t:
        await sign_in(t, "area-manager")
        changed = await felt(t, "deck", "change", "1", "Kh", "2c", "--fault", "soiled")
        assert "dealer: cards were changed: count all of them (4.4.2)" in changed.output
        assert "inspection 1: felt deck receipt 1" in (await felt(t, "deck", "check", "--count", "312")).output
        assert "changed    " in (await felt(t, "deck", "show", "1")).output
        two = (await felt(t, "deck", "bring", "A-1", "A-2")).output
        assert "bring: deck 7" in two and "bring: deck 8" in two


@pytest.mark.parametrize("colour", ["red", "blue"])
async def test_a_machine_tells_which_deck_it_has(tmp_path: Path, colour: str) -> None:
    path = table_toml(tmp_path, game="three-card-poker", options='shoe = "shuffler"\n')
    shoe, machine = (f'[device.{n}]\nfamily = "{n}"\naddress = "sim://{n}"' for n in ("shoe", "shuffler"))
    path.write_text(path.read_text().replace(shoe, machine))
    async with table(load_config(path)) as t:
        await until(lambda: any(each.shuffles for each in t.engine.table.decks.decks))  # the cycle of its start
        before = {each.colour: each.shuffles for each in t.engine.table.decks.decks}
        await t.do("shuffler", "insert", colour)
        await t.do("shuffler", "shuffle")
        assert [each.colour for each in t.facts(DeckIn)] == [colour]
        after = {each.colour: each.shuffles for each in t.engine.table.decks.decks}
        assert {name: after[name] - before[name] for name in after} == {
            "red": colour == "red",
            "blue": colour == "blue",
        }
        await t.do("shuffler", "insert", "green")
        assert t.told("3.1.1(b)") == 1
