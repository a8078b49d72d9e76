"""What the prize meter system says to the table: what it holds, what it has recorded, and what it judged."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.jackpot.rules import Award, Prize, resets
from controller.money import dollars
from controller.table.documents import Power
from controller.table.facts import MeterIs, MeterTold
from controller.table.jackpot.outbox import unrecorded
from controller.table.state import Keeper, Waiting
from controller.table.step import Refusal, Step

SHARED: Final[Keeper] = "shared"


def meter_is(s: Step, fact: MeterIs) -> None:
    """Takes over what the system says it holds; what it has not recorded yet is added."""
    if fact.group in (None, s.t.options.typed.group):
        s.t.jackpot.meter = fact.value + unrecorded(s.t.jackpot)
        if fact.resets is not None:
            s.t.jackpot.resets = fact.resets


def meter_told(s: Step, fact: MeterTold) -> None:
    """Keeps how much of what this table told it the system has recorded, and what it judged."""
    game = s.t.jackpot
    if fact.group != s.t.options.typed.group:
        return  # the table is in another system by now; it left nothing unsaid
    game.recorded, game.numbered, game.ledger = fact.last, max(game.numbered, fact.last), fact.ledger
    game.outbox = [m for m in game.outbox if m.number > fact.last]
    game.meter = fact.value + unrecorded(game)
    game.joined = game.joined or fact.terms == s.jackpot
    for number, award in fact.awards:
        _answered(s, number, award)


def _answered(s: Step, number: int, award: Award) -> None:
    """Keeps what a shared system has judged of an outcome; the prizes still wait for a person."""
    game, r = s.t.jackpot, s.t.round
    waiting = next((w for w in game.pending if w.number == number and not w.prizes), None)
    if waiting is None:
        return  # judged here, answered before, or invalidated meanwhile
    game.pending[game.pending.index(waiting)] = replace(waiting, prizes=award.prizes)
    game.resets += s.jackpot is not None and resets(s.jackpot.kind, award)
    if r is not None and r.number == waiting.round:
        r.award, r.meter_settled = award, award.at
        r.prizes.extend(award.prizes)
        r.meter_after = None if r.meter_after is None else award.after
    to_be_paid(s, award.prizes)


def to_be_paid(s: Step, prizes: tuple[Prize, ...]) -> None:
    """Tells whoever decides about these prizes that they are to be paid."""
    power = decides(s)
    for prize in prizes:
        text = f"{prize.hand}: {dollars(prize.cents)} is to be paid"
        s.prompt(power.role, text, power.rule, prize.place, ("confirm-jackpot",))


def decides(s: Step) -> Power:
    """Returns who decides about the prizes of the meter."""
    power = s.powers.confirm_jackpot
    assert power is not None, "a document with a Jackpot says who confirms its prizes"
    return power


def answered(s: Step, waiting: list[Waiting]) -> list[Waiting]:
    """Returns those prizes that can be decided on; refuses when the system has answered none of them."""
    ready = [w for w in waiting if w.prizes]
    if waiting and not ready:
        raise Refusal(decides(s).rule, "the prize meter system has not answered yet")
    return ready
