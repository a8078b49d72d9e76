"""Corrections: shown first, then made; refused where they would change what is settled."""

from __future__ import annotations

import os
from typing import Any

import pytest

from controller.errors import FeltError
from controller.table.facts import AnyFact, Badge, Hold, Missed
from controller.views.changes import difference
from tests.api.conftest import Floor

KING = {"fact": "card", "card": "Kd"}


async def wish(floor: Floor, seq: int, to: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return await floor.post("/correct", {"seq": seq, "to": to, "by": "supervisor 7", **more})


async def refused(floor: Floor, seq: int, to: dict[str, Any] | None, **more: Any) -> FeltError:
    before = floor.engine.seq
    with pytest.raises(FeltError) as caught:
        await wish(floor, seq, to, **more)
    assert floor.engine.seq == before  # not even recorded
    return caught.value


async def dealt(floor: Floor) -> int:
    """A two against a queen that was really a king; the sequence number of that card."""
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    return await floor.draw("2h", "Qd")


async def test_a_preview_changes_nothing(floor: Floor) -> None:
    card = await dealt(floor)
    answer = await wish(floor, card, KING, preview=True)
    assert answer["preview"] is True
    assert answer["changes"]["hands"]["before"]["dealer"] == ["Qd"]
    assert answer["changes"]["hands"]["after"]["dealer"] == ["Kd"]
    assert floor.engine.seq == card


async def test_a_preview_tells_what_will_be_at_stake(floor: Floor) -> None:
    await floor.bet(1, 1000)
    much = {"fact": "chips", "area": 1, "spots": [["war", 1, 60000]]}
    changes = (await wish(floor, floor.engine.seq, much, preview=True))["changes"]
    assert changes["wagers"] == {"before": {"1 war": "10.00"}, "after": {"1 war": "500.00"}}
    assert changes["surplus"] == {"before": {}, "after": {"1 war": "100.00"}}


async def test_what_a_correction_settles_is_in_dollars(floor: Floor) -> None:
    await dealt(floor)
    before = floor.engine.table
    await floor.press("settle")
    (line,) = difference(before, floor.engine.table, floor.engine.game)["settled"]["after"]
    assert (line["stake"], line["net"], line["surplus"], line["prize"]) == ("10.00", "-10.00", "0.00", "0.00")


async def test_a_correction_is_a_fact_with_a_name(floor: Floor) -> None:
    card = await dealt(floor)
    answer = await wish(floor, card, KING)
    assert answer["seq"] == card + 1 and answer["changes"]["hands"]["after"]["dealer"] == ["Kd"]
    [fact] = (await floor.get("/journal/tail", n=1))["facts"]
    text = f"fact {card} is corrected to: king of diamonds left the shoe (by supervisor 7, account {os.getuid()}"
    assert fact["text"].startswith(text) and fact["fact"]["account"] == os.getuid()
    await floor.press("settle")
    assert floor.engine.table.round is not None and floor.engine.table.round.outcome == "settled"


async def test_a_fact_is_struck_out(floor: Floor) -> None:
    card = await dealt(floor)
    answer = await wish(floor, card, None)
    assert answer["changes"]["waiting"]["after"] == ["deal a card to the dealer"]


async def test_what_is_settled_stays(floor: Floor) -> None:
    await floor.bet(1, 1000)
    await floor.bet(2, 1000)
    await floor.press("no-more-bets")
    card = await floor.draw("2h", "Kh", "Kd")
    await floor.press("settle")  # area 1 lost; area 2 has yet to decide
    error = await refused(floor, card, {"fact": "card", "card": "2d"})
    assert error.code == "correct.refused"
    assert "already settled" in error.cause and "(rule 5.4)" in error.cause
    assert (await refused(floor, card, {"fact": "card", "card": "2d"}, preview=True)).code == "correct.refused"


async def test_only_the_running_round_can_be_corrected(floor: Floor) -> None:
    assert (await refused(floor, 1, None)).code == "correct.refused"
    card = await dealt(floor)
    await floor.press("settle")
    assert (await refused(floor, card, KING)).code == "correct.refused"


@pytest.mark.parametrize("to", [{"fact": "tick"}, {"fact": "started", "game": "casino-war", "options": {}}])
async def test_a_card_stays_a_card(floor: Floor, to: dict[str, Any]) -> None:
    card = await dealt(floor)
    assert (await refused(floor, card, to)).code == "correct.unfit"


async def test_what_makes_no_sense(floor: Floor) -> None:
    card = await dealt(floor)
    assert (await refused(floor, card, KING, by=" ")).code == "correct.unfit"
    assert (await refused(floor, card, {"fact": "card", "card": "14 of hearts"})).code == "correct.unfit"
    assert (await refused(floor, card - 1, {"fact": "card", "card": "Zz"})).code == "correct.unfit"
    wager = {"fact": "chips", "area": 1, "spots": [["war", 1, -500]]}
    assert (await refused(floor, card - 3, wager)).code == "correct.unfit"
    assert (await refused(floor, card, {"fact": "weather"})).code == "api.request"
    assert (await refused(floor, card, KING, reason="none")).code == "api.request"


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (Badge("dealer"), "who was signed in"),
        (Hold("device.gap", "an event is missing", "shoe"), "why the table is held"),
        (Missed("shoe", 1, 5, "device.gap", "an event is missing"), "why the table is held"),
    ],
)
async def test_powers_and_holds_are_not_struck_out(floor: Floor, fact: AnyFact, why: str) -> None:
    await dealt(floor)
    await floor.engine.submit(Badge("supervisor"))
    await floor.engine.submit(fact)
    table = floor.engine.table
    no = await refused(floor, floor.engine.seq, None)
    assert no.code == "correct.unfit" and no.cause.startswith(why)
    assert (floor.engine.table.role, list(floor.engine.table.holds)) == (table.role, list(table.holds))


@pytest.mark.parametrize(
    "to",
    [
        {"fact": "card", "card": "Kd", "facing": "up"},
        {"fact": "chips", "area": 1, "spots": [["war", 1, 2000, False, "extra"]]},
        {"fact": "amend", "target": 1, "to": {"fact": "card", "card": "Kd", "facing": "up"}, "by": "me"},
    ],
)
async def test_a_field_that_nobody_knows_is_refused(floor: Floor, to: dict[str, Any]) -> None:
    error = await refused(floor, await dealt(floor), to)
    assert error.code == "api.request" and "unknown field" in error.cause
