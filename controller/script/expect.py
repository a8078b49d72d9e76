"""Expectations: does the table stand as the script says?"""

from __future__ import annotations

from collections.abc import Iterable

from controller.cards import UNREAD
from controller.games import find
from controller.house.game import HouseGame
from controller.house.layout import lay_out
from controller.money import dollars
from controller.script import model
from controller.script.expect_crown import check_crown, handed_in
from controller.script.record import Record, ticks
from controller.table.sign import CLOSING, plain
from controller.table.state import Line, Table
from controller.table.view import gate, lamps

ALIKE = ("void", "returned")  # one and the same to `expect`
STREETS = {"flop": slice(0, 3), "turn": slice(3, 4), "river": slice(4, 5)}  # of the community cards


def fits(cited: str, wanted: tuple[str, ...]) -> bool:
    """A citation fits a rule when it is that rule or one below it.

    >>> fits("9.5.2(a)", ("9.5",)), fits("9.51", ("9.5",)), fits("9.5", ()), fits("9", ("9.5",))
    (True, False, True, False)
    """
    return not wanted or any(cited == w or (cited.startswith(w) and cited[len(w)] in ".(") for w in wanted)


def check(line: model.ExpectLine, record: Record, table: Table) -> str:
    """Empty when it holds; else what is there instead."""
    match line:
        case model.ExpectAccepted():
            no = record.refused_now(line.table)
            return f"refused: {no[0].why} ({no[0].rule})" if no else ""
        case model.ExpectRefused(by=by):
            return _refused(record, line.table, by)
        case model.ExpectTable(open=want):
            return "" if table.open == want else ("the table is open" if table.open else "the table is closed")
    if not table.game:
        return "there is no such table"
    match line:
        case model.ExpectPrompt():
            return _prompt(line, table)
        case model.ExpectWager():
            return _wager(line, record, table)
        case model.ExpectDealer():
            return _dealer(line, table)
        case model.ExpectRound():
            return _round(line, record, table)
        case model.ExpectHand(place=place, cards=cards):
            return _cards(record, line.table, str(place), cards)
        case model.ExpectCommunity(cards=cards):
            return _cards(record, line.table, "community", cards)
        case model.ExpectBurns():
            return _burns(line, record, table)
        case model.ExpectHeld(count=count):
            mine = record.last_round(line.table)
            held = len(table.held) + (0 if mine is None or mine.round.outcome else mine.held)
            return "" if held == count else f"{held} held"
        case model.ExpectLamp():
            return _lamp(line, table)
        case model.ExpectGate():
            at = gate(table, find(table.game), line.gate, str(line.place) if line.place else "")
            good = at.open == line.open and (at.open or fits(at.rule, line.by))
            return "" if good else f"{'open' if at.open else 'shut'} by {at.rule or 'no rule'}"
        case model.ExpectSign(settings=settings):
            return _settings(settings, table.options)
        case model.ExpectNotice():
            return _notice(line, table)
        case model.ExpectMeter(ten_thousandths=value):
            return "" if table.jackpot.meter == value else ticks(table.jackpot.meter)
    found = check_crown(line, record, table)
    assert found is not None, line
    return found


def _fits(rules: Iterable[str], wanted: tuple[str, ...]) -> bool:
    """One of the rules that the table cited fits."""
    return any(fits(rule, wanted) for rule in rules)


def _refused(record: Record, table: str, by: tuple[str, ...]) -> str:
    no = record.refused_now(table)
    if not no:
        return "accepted"
    if _fits((r.rule for r in no), by):
        return ""
    return f"refused by {no[0].rule or 'no rule'}: {no[0].why}"


def _prompt(line: model.ExpectPrompt, table: Table) -> str:
    found = [
        p
        for p in table.prompts
        if (not line.role or p.role == line.role)
        and (line.place is None or p.place == str(line.place))
        and (not line.offers or line.offers in p.offers)
        and fits(p.rule, line.by)
    ]
    if bool(found) == line.shown:
        return ""
    shown = found or table.prompts
    return "; ".join(f"{p.role} {p.place} ({p.rule}): {p.text} {list(p.offers)}" for p in shown) or "no prompt"


def _wager(line: model.ExpectWager, record: Record, table: Table) -> str:
    mine = record.last_round(line.table)
    lines = find(table.game).settled(table, mine.round) if mine is not None else []
    there = next((x for x in lines if x.place == str(line.place) and x.spot == line.spot), None)
    if there is None or mine is None:
        return "" if line.result == "none" else "no such wager"
    same = there.result == line.result or (there.result in ALIKE and line.result in ALIKE)
    prizes = [p for p in mine.round.prizes if p.place == there.place and there.spot == "jackpot"]
    good = same and _fits([there.rule, *(p.rule for p in prizes)], line.by)
    wrong = [] if good else [f"{there.result} by {there.rule or 'no rule'}"]
    for what, want, value in (
        ("net", line.net, there.net),
        ("stake", line.stake, there.stake),
        ("surplus", line.surplus, there.surplus),
        ("prize", line.prize, there.prize),
    ):
        if want is not None and want != value:
            wrong.append(f"{what} {dollars(value)}")
    if line.token and line.token != there.token:
        wrong.append(f"token {there.token or 'none'}")
    return _with(there, wrong)


def _with(there: Line, wrong: list[str]) -> str:
    return "" if not wrong else ", ".join(wrong) + f" (it stands: {there.result} {dollars(there.net)} by {there.rule})"


def _dealer(line: model.ExpectDealer, table: Table) -> str:
    game = find(table.game)
    if not isinstance(game, HouseGame) or table.round is None:
        return "the dealer's hand is not known"
    verdict = game.dealer(lay_out(table, table.round, game))
    if verdict is None:
        return "the dealer's hand is not known"
    good = verdict.qualifies == (line.state == "qualifies") and fits(verdict.rule, line.by)
    return "" if good else f"{verdict.hand}: {'qualifies' if verdict.qualifies else 'no hand'} by {verdict.rule}"


def _round(line: model.ExpectRound, record: Record, table: Table) -> str:
    mine = record.last_round(line.table) if line.round is None else record.round(line.table, line.round)
    if mine is None:
        return "there is no such round"
    outcome = mine.round.outcome or "open"
    rules = [mine.round.rule, *(rule for _, _, rule in mine.rulings)]
    if outcome == line.outcome and _fits(rules, line.by):
        return ""
    return f"{outcome} by {', '.join(filter(None, rules)) or 'no rule'}"


def _cards(record: Record, table: str, place: str, want: tuple[str, ...]) -> str:
    mine = record.last_round(table)
    part = STREETS.get(place)
    hand = mine.hands.get("community" if part else place.partition(".")[0], []) if mine is not None else []
    hand = hand[part] if part else hand
    if not want and mine is not None and handed_in(mine.round, place):
        return ""
    return "" if sorted(hand) == sorted(want) else " ".join(hand) or "no cards"


def _burns(line: model.ExpectBurns, record: Record, table: Table) -> str:
    mine = record.last_round(line.table)
    between = mine is None or bool(mine.round.outcome)
    burns = table.deck.burns if between and table.deck.burns else mine.burns if mine is not None else []
    shown = [b.card for b in burns if b.shown]
    if len(burns) == line.count and _contains(shown, line.cards):
        return ""
    return f"{len(burns)} burned, shown: {' '.join(shown) or 'none'}"


def _contains(have: Iterable[str], want: tuple[str, ...]) -> bool:
    left = list(have)
    for card in want:
        if card not in left or card == UNREAD:
            return False
        left.remove(card)
    return True


def _lamp(line: model.ExpectLamp, table: Table) -> str:
    lit = lamps(table, find(table.game)).get(line.lamp, [])
    if line.place is None:
        on = "" in lit
    else:
        on = str(line.place) in lit
    return "" if on == line.on else f"lit: {', '.join(lit) or 'nowhere'}" if lit != [""] else "lit"


def _settings(settings: tuple[model.Setting, ...], options: dict[str, str]) -> str:
    wrong = [f"{s.name}={options.get(s.name)}" for s in settings if options.get(s.name) != plain(s.name, s.text)]
    return ", ".join(wrong)


def _notice(line: model.ExpectNotice, table: Table) -> str:
    want = {line.closing: ""} if line.closing else {s.name: plain(s.name, s.text) for s in line.settings}
    if any(want.items() <= n.what.items() for n in table.notices):
        return ""
    shown = [", ".join(k if k == CLOSING else f"{k}={v}" for k, v in n.what.items()) for n in table.notices]
    return "announced: " + ("; ".join(shown) or "nothing")
