"""A round as everybody may see it, running or over: wagers, public hands by name, decisions, what was paid and why."""

from __future__ import annotations

from typing import Any

from controller.house.game import HouseGame
from controller.house.games import pays
from controller.house.layout import BURN, COMMUNITY, Verdict, lay_out
from controller.money import dollars
from controller.places import DEALER, area_of, order, place_of
from controller.poker.hand.showdown import high, low
from controller.poker.hand.shown import COMMUNITY as BOARD
from controller.poker.money import stacks
from controller.poker.state import Hand, hand_in
from controller.table.rules import Rules
from controller.table.state import Line, Round, Table, opening
from controller.views.cards import public_hands

Json = dict[str, Any]
Cards = dict[str, list[str]]  # by place; "??" is hidden
WHOLE_BOARD = 5


def current(table: Table, rules: Rules) -> Json | None:
    """Returns the round that is running; None between rounds."""
    return view(table, rules) if table.round is not None and not table.round.outcome else None


def last(table: Table, rules: Rules) -> Json | None:
    """Returns the last round that is over; None when there was none."""
    if table.round is not None and not table.round.outcome:
        if not table.opening:
            return None
        table = opening(table)
    return view(table, rules)


def view(table: Table, rules: Rules) -> Json | None:
    """Returns the round of this table, its running one or its last one."""
    r = table.round
    if r is None:
        return None
    out: Json = {"number": r.number, "outcome": r.outcome or "open", "rule": r.rule}
    try:
        return out | _contents(table, r, rules)
    except Exception:  # a round that was struck out because its books cannot be read
        return out | {"hands": [], "decisions": {}, "wagers": []}


def _contents(table: Table, r: Round, rules: Rules) -> Json:
    cards = public_hands(table, rules)
    hand = hand_in(r)
    if hand is not None:
        return _poker(table, r, hand, cards) | {"wagers": _wagers(table, r, rules, {})}
    verdict = rules.dealer(lay_out(table, r, rules)) if isinstance(rules, HouseGame) else None
    return {
        "hands": _hands(cards, verdict),
        "decisions": _decisions(r),
        "wagers": _wagers(table, r, rules, cards),
    }


def _hands(cards: Cards, verdict: Verdict | None) -> list[Json]:
    """Dealer and board first, then the areas; a hand has a name when all of it is public, the dealer's a verdict."""
    board = cards.get(COMMUNITY, [])
    places = [place for place in (DEALER, COMMUNITY) if place in cards]
    places += sorted((place for place in cards if place not in (DEALER, COMMUNITY, BURN)), key=order)
    out = []
    for place in places:
        hand = pays.ranked(cards[place], board) if place != COMMUNITY else None
        entry: Json = {"place": place, "cards": cards[place], "name": "" if hand is None else hand.name}
        if place == DEALER and hand is not None and verdict is not None:
            entry |= {"qualifies": verdict.qualifies, "rule": verdict.rule}
        out.append(entry)
    return out


def _wagers(table: Table, r: Round, rules: Rules, cards: Cards) -> list[Json]:
    """In the order in which the dealer settles them."""
    return [_wager(table, r, line, cards) for line in rules.settled(table, r)]


def _wager(table: Table, r: Round, line: Line, cards: Cards) -> Json:
    hand = pays.ranked(cards.get(place_of(area_of(line.place)), []), cards.get(COMMUNITY, []))
    out: Json = {
        "place": line.place,
        "spot": line.spot,
        "stake": dollars(line.stake),
        "result": line.result,
        "net": dollars(line.net),
        "rule": line.rule,
        "pays": pays.words(table.game, table.options, line, hand),
    }
    if line.surplus:
        out["surplus"] = dollars(line.surplus)
    if line.prize:
        hands = [prize.hand for prize in r.prizes if prize.place == line.place]
        out |= {"prize": dollars(line.prize), "pays": f"{hands[0]} wins the prize" if hands else ""}
    return out


def _decisions(r: Round) -> dict[str, list[str]]:
    """What each place decided, in the order of its decisions."""
    out: dict[str, list[str]] = {}
    for at, word in r.choices.items():
        out.setdefault(at.rpartition(" ")[2], []).append(word)
    return out


# ---- players against each other


def _poker(table: Table, r: Round, hand: Hand, cards: Cards) -> Json:
    board = cards.get(BOARD, [])
    hands: list[Json] = [{"place": BOARD, "cards": board, "name": ""}] if board else []
    for seat in stacks.players(hand):
        if seat in cards:
            whole = seat in hand.shown and len(board) == WHOLE_BOARD
            name = _name(table.game, cards[seat], board) if whole else ""
            hands.append({"place": seat, "cards": cards[seat], "name": name})
    over = bool(r.outcome)
    return {
        "hands": hands,
        "pots": [
            {"amount": dollars(pot.amount), "won": {seat: dollars(amount) for seat, amount in pot.won.items()}}
            for pot in hand.pots
        ],
        "net": {seat: dollars(stacks.net(r, seat)) for seat in stacks.players(hand)} if over else {},
    }


def _name(game: str, hole: list[str], board: list[str]) -> str:
    """As the dealer announces it (000 8.20.4)."""
    lows = low(game, hole, board)
    return high(game, hole, board).name + (f"; low {lows.name}" if lows is not None else "")
