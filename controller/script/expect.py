"""Expectations: does the table stand as the script says?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from controller.cards import UNREAD
from controller.games import find
from controller.money import dollars
from controller.places import JACKPOT, shared_place
from controller.rules import GIVEN_BACK, by
from controller.script import model
from controller.script.cited import fits
from controller.script.expect_crown import CROWN_CHECKS, Check
from controller.script.expect_cup import CUP_CHECKS
from controller.script.record import RoundOfRun, RunRecord, ticks
from controller.table.keys import announced
from controller.table.state import Burn, Line, Prompt, Round, Table
from controller.table.telling import COMMUNITY
from controller.table.view import gate, lamps

STREETS = {"flop": slice(0, 3), "turn": slice(3, 4), "river": slice(4, 5)}  # of the community cards
ALL = slice(None)


def check(line: model.ExpectLine, record: RunRecord, table: Table) -> str:
    """Returns what stands there instead of what is expected; "" when the expectation holds."""
    if not table.game and not isinstance(line, WITHOUT_A_TABLE) and record.desk_named(line.table) is None:
        return "there is no such table"
    return CHECKS[type(line)](line, record, table)


def _fits(rules: Iterable[str], wanted: tuple[str, ...]) -> bool:
    """Tells whether one of the rules that the table cited fits."""
    return any(fits(rule, wanted) for rule in rules)


def _accepted(line: model.ExpectAccepted, record: RunRecord, table: Table) -> str:
    refusals = record.refused_now(line.table)
    return f"refused: {refusals[0].why}{by(refusals[0].rule)}" if refusals else ""


def _refused(line: model.ExpectRefused, record: RunRecord, table: Table) -> str:
    refusals = record.refused_now(line.table)
    if not refusals:
        return "accepted"
    if _fits((refusal.rule for refusal in refusals), line.by):
        return ""
    return f"refused: {refusals[0].why}{by(refusals[0].rule)}"


def _table(line: model.ExpectTable, record: RunRecord, table: Table) -> str:
    if table.open == line.open:
        return ""
    return "the table is open" if table.open else "the table is closed"


def _prompt(line: model.ExpectPrompt, record: RunRecord, table: Table) -> str:
    desk = record.desk_named(line.table)
    prompts = table.prompts if desk is None else desk.prompts
    fitting = [prompt for prompt in prompts if _is_meant(line, prompt)]
    if bool(fitting) == line.shown:
        return ""
    shown = fitting or prompts
    return "; ".join(map(_prompt_text, shown)) or "no prompt"


def _prompt_text(prompt: Prompt) -> str:
    about = f" about {prompt.place}" if prompt.place else ""
    offers = f" -> {' or '.join(prompt.offers)}" if prompt.offers else ""
    return f"{prompt.role}{about}{by(prompt.rule)}: {prompt.text}{offers}"


def _is_meant(line: model.ExpectPrompt, prompt: Prompt) -> bool:
    if line.role and line.role != prompt.role:
        return False
    if line.place is not None and str(line.place) != prompt.place:
        return False
    if line.offers and line.offers not in prompt.offers:
        return False
    return fits(prompt.rule, line.by)


def _wager(line: model.ExpectWager, record: RunRecord, table: Table) -> str:
    played = record.last_round(line.table)
    lines = find(table.game).settled(table, played.round).lines if played is not None else []
    wager = next((x for x in lines if x.place == str(line.place) and x.spot == line.spot), None)
    if wager is None or played is None:
        return "" if line.result == "none" else "no such wager"
    wrong = _wrong_result(line, wager, played.round) + _wrong_amounts(line, wager)
    if not wrong:
        return ""
    return ", ".join(wrong) + f"; it stands: {wager.result} {dollars(wager.net)}{by(wager.rule)}"


def _wrong_result(line: model.ExpectWager, wager: Line, round_: Round) -> list[str]:
    same = wager.result == line.result or (wager.result in GIVEN_BACK and line.result in GIVEN_BACK)
    prizes = [prize for prize in round_.prizes if prize.place == wager.place and wager.spot == JACKPOT]
    if same and _fits([wager.rule, *(prize.rule for prize in prizes)], line.by):
        return []
    return [f"{wager.result} by {wager.rule or 'no rule'}"]


def _wrong_amounts(line: model.ExpectWager, wager: Line) -> list[str]:
    amounts = {
        "net": (line.net, wager.net),
        "stake": (line.stake, wager.stake),
        "surplus": (line.surplus, wager.surplus),
        "prize": (line.prize, wager.prize),
    }
    wrong = [f"{name} {dollars(is_)}" for name, (wanted, is_) in amounts.items() if wanted not in (None, is_)]
    if line.token and line.token != wager.token:
        wrong.append(f"token {wager.token or 'none'}")
    return wrong


def _dealer(line: model.ExpectDealer, record: RunRecord, table: Table) -> str:
    verdict = find(table.game).cards(table).verdict
    if verdict is None:
        return "the dealer's hand is not known"
    good = verdict.qualifies == (line.state == "qualifies") and fits(verdict.rule, line.by)
    return "" if good else f"{verdict.hand}: {'qualifies' if verdict.qualifies else 'no hand'}{by(verdict.rule)}"


def _round(line: model.ExpectRound, record: RunRecord, table: Table) -> str:
    played = record.last_round(line.table) if line.round is None else record.round(line.table, line.round)
    if played is None:
        return "there is no such round"
    outcome = played.round.outcome or "open"
    rules = [played.round.rule, *(rule for _, _, rule in played.rulings)]
    if outcome == line.outcome and _fits(rules, line.by):
        return ""
    return f"{outcome} by {', '.join(filter(None, rules)) or 'no rule'}"


def _hand(line: model.ExpectHand, record: RunRecord, table: Table) -> str:
    return _cards(record, line.table, str(line.place), line.cards)


def _community(line: model.ExpectCommunity, record: RunRecord, table: Table) -> str:
    return _cards(record, line.table, COMMUNITY, line.cards)


def _cards(record: RunRecord, table: str, place: str, wanted: tuple[str, ...]) -> str:
    played = record.last_round(table)
    if played is None:
        return "no cards" if wanted else ""
    at = COMMUNITY if place in STREETS else shared_place(place)
    if not wanted and at in played.lying.handed_in:
        return ""
    hand = played.hands.get(at, [])[STREETS.get(place, ALL)]
    return "" if sorted(hand) == sorted(wanted) else " ".join(hand) or "no cards"


def _burns(line: model.ExpectBurns, record: RunRecord, table: Table) -> str:
    burns = _burned(record.last_round(line.table), table)
    shown = [burn.card for burn in burns if burn.shown]
    if len(burns) == line.count and _contains(shown, line.cards):
        return ""
    return f"{len(burns)} burned, shown: {' '.join(shown) or 'none'}"


def _burned(played: RoundOfRun | None, table: Table) -> Sequence[Burn]:
    """Returns the burns of the round that runs; between rounds those of the deck, or else of the last round."""
    if played is None:
        return table.deck.burns
    if played.round.outcome and table.deck.burns:
        return table.deck.burns
    return played.lying.burns


def _held(line: model.ExpectHeld, record: RunRecord, table: Table) -> str:
    played = record.last_round(line.table)
    running = played is not None and not played.round.outcome
    held = len(table.held) + (played.lying.held if played is not None and running else 0)
    return "" if held == line.count else f"{held} held"


def _contains(have: Iterable[str], want: tuple[str, ...]) -> bool:
    left = list(have)
    for card in want:
        if card not in left or card == UNREAD:
            return False
        left.remove(card)
    return True


def _lamp(line: model.ExpectLamp, record: RunRecord, table: Table) -> str:
    lit = lamps(table, find(table.game)).get(line.lamp, [])
    place = "" if line.place is None else str(line.place)
    if (place in lit) == line.on:
        return ""
    return "lit" if lit == [""] else f"lit: {', '.join(lit) or 'nowhere'}"


def _gate(line: model.ExpectGate, record: RunRecord, table: Table) -> str:
    at = gate(table, find(table.game), line.gate, str(line.place) if line.place else "")
    if at.open == line.open and (at.open or fits(at.rule, line.by)):
        return ""
    return f"{'open' if at.open else 'shut'} by {at.rule or 'no rule'}"


def _meter(line: model.ExpectMeter, record: RunRecord, table: Table) -> str:
    return "" if table.jackpot.meter == line.ten_thousandths else ticks(table.jackpot.meter)


def _sign(line: model.ExpectSign, record: RunRecord, table: Table) -> str:
    return _settings(line.settings, table.options)


def _settings(settings: tuple[model.Setting, ...], options: Mapping[str, str]) -> str:
    wrong = [f"{s.name}={options.get(s.name)}" for s in settings if options.get(s.name) != s.plain]
    return ", ".join(wrong)


def _notice(line: model.ExpectNotice, record: RunRecord, table: Table) -> str:
    want = {s.name: s.plain for s in line.settings}
    if any(n.closing == line.closing and want.items() <= n.changes.items() for n in table.notices):
        return ""
    shown = [", ".join(k if n.closing else f"{k}={v}" for k, v in announced(n).items()) for n in table.notices]
    return "announced: " + ("; ".join(shown) or "nothing")


CHECKS: Final[dict[type[model.ExpectLine], Check]] = {
    model.ExpectAccepted: _accepted,
    model.ExpectRefused: _refused,
    model.ExpectTable: _table,
    model.ExpectPrompt: _prompt,
    model.ExpectWager: _wager,
    model.ExpectDealer: _dealer,
    model.ExpectRound: _round,
    model.ExpectHand: _hand,
    model.ExpectCommunity: _community,
    model.ExpectBurns: _burns,
    model.ExpectHeld: _held,
    model.ExpectLamp: _lamp,
    model.ExpectGate: _gate,
    model.ExpectSign: _sign,
    model.ExpectNotice: _notice,
    model.ExpectMeter: _meter,
    **CROWN_CHECKS,
    **CUP_CHECKS,
}
WITHOUT_A_TABLE: Final = (model.ExpectAccepted, model.ExpectRefused, model.ExpectTable)  # it may have been refused
