"""The course of a hand: blinds, the initial deal, betting rounds and streets, until the pot can be pushed."""

from __future__ import annotations

import msgspec

from controller.cards import UNREAD
from controller.money import cents, short
from controller.poker.hand import betting
from controller.poker.hand import pending_acts as early
from controller.poker.hand.course import (
    BOARD,
    DISCARD,
    HOLE,
    LATE,
    PLACE,
    SHOWDOWN,
    clockwise,
    contested,
    live,
    shows_first,
    side_wagers,
    substantial,
    to_discard,
    turns,
)
from controller.poker.money import charges, commission, pots
from controller.poker.money import stacks as money
from controller.poker.room import blinds, seats
from controller.poker.state import Betting, Hand, Room, Structure
from controller.table.state import Burn, Round, Table
from controller.table.step import Refusal, Step
from controller.table.view import deck_trouble

UNDISCARDED = "9.10"  # the flop lies there before everybody has discarded: its round was not complete (9.15.1)


def room_of(s: Step) -> Room:
    return seats.room_of(s.t)


def running(s: Step, rule: str = "8.9.2") -> tuple[Round, Hand]:
    """The hand that is being played; refuses when there is none."""
    r = s.running(rule)
    if r.hand is None:
        raise Refusal(rule, "no hand is being played")
    return r, r.hand


def amounts(text: str) -> list[int]:
    """Several amounts of money, as options list them.

    >>> amounts("5,10")
    [500, 1000]
    """
    return [cents(part) for part in text.split(",")]


# ---- before the cards


def open_hand(s: Step) -> Hand:
    """The button is in place and the blinds are due."""
    if s.round is not None and s.round.hand is not None:
        return s.round.hand
    if not s.t.open:
        raise Refusal("13.3", "the table is closed")
    plan = blinds.next_hand(s.t)
    if len(plan.dealt) < 2:
        raise Refusal("1.1", "a hand needs two players with chips")
    room = room_of(s)
    r = s.round or s.open_round()
    h = r.hand = Hand(button=plan.button, due=plan.posts, blinds=plan.seats)
    room.button = plan.button
    if blinds.first_blind_left(s.t, plan.seats):
        s.prompt("dealer", "who was to place the first blind has left: there is none in this hand", "8.9.6")
    for seat in plan.passed:
        _missed_blind(s, h, seat)
    charges.hourly(s)
    if (rule := charges.fee_due(s.t)) is not None:
        s.prompt("dealer", "collect the fee of each player before the deal", rule, offers=("collect",))
    return h


def _missed_blind(s: Step, h: Hand, seat: str) -> None:
    room = room_of(s)
    mine = room.buttons.setdefault(seat, [])
    if "missed-blind" not in mine:
        mine.append("missed-blind")
        h.marked.append(seat)
    room.owing[seat] = "8.9.3"
    text = "has not placed the blind: no cards until the large blind is placed or due"
    s.prompt("dealer", text, "8.9.3", seat, ("missed-blind",))


def replan(s: Step, h: Hand) -> None:
    """Who was to place a blind has left (8.9.6): the next one places the large blind; those that lie there stay."""
    if len(blinds.able(s.t)) > 1:
        plan = blinds.next_hand(s.t)
        h.button, h.due, h.blinds = plan.button, {**plan.posts, **h.posted}, plan.seats
        s.prompt("dealer", "who was to place a blind has left: the next one places the large blind", "8.9.6")


# ---- the initial deal


def first_card(s: Step, r: Round, h: Hand) -> None:
    """From here on it is fixed who plays."""
    room = room_of(s)
    trouble = deck_trouble(s.t, s.game)
    if trouble is not None:
        bad = trouble[0] in ("5.1", "5.2")
        h.unshuffled = bad
        s.prompt("dealer", trouble[1], "9.1.1(b)" if bad else trouble[0], offers=("misdeal",))
    if (rule := charges.fee_due(s.t)) is not None:
        s.prompt("dealer", "the fee of this hand was not collected", rule, offers=("collect",))
    for seat in [x for x in h.due if x not in h.posted]:
        _missed_blind(s, h, seat)
    h.dealt = blinds.dealt_now(s.t, h)
    if not h.posted or len(h.dealt) < 2:
        s.prompt("dealer", "cards were dealt before the blinds: declare a misdeal", "8.9.2", offers=("misdeal",))
    if len(h.dealt) < 2:
        h.trouble = "8.9.2"
    for seat in h.dealt:
        h.began.setdefault(seat, room.stakes[seat])
    s.close_betting("dealt")


def hole_card(s: Step, h: Hand, seat: str, card: str) -> None:
    """A card of the initial deal; one that came to another seat than the next shows who was missed."""
    expected = turns(s.t, h)[len(h.tape) :]
    if seat and expected and seat != expected[0]:
        _out_of_order(s, h, seat, expected)
    h.tape.append(card)
    lay(s.t, h)
    if card == UNREAD and expected:
        text = f"a card of seat {seat or expected[0]} could not be read: name the hand, such as reconstruct 1=Kh,Qd"
        s.prompt("dealer", text, "8.13", seat or expected[0], ("reconstruct",))
    if len(h.tape) >= len(turns(s.t, h)):
        deal_done(s, h)


def _out_of_order(s: Step, h: Hand, seat: str, expected: list[str]) -> None:
    """The reader of another seat has the card: what lies between them was left out."""
    if seat in h.dealt and seat in expected:
        skipped = expected[: expected.index(seat)]
        for missed in skipped:
            have = sum(x == missed for x in turns(s.t, h)[: len(h.tape)])
            h.missed.append((missed, have + 1))
        rule = "9.1.1(c)"
    else:
        h.strays.append(seat)
        rule = "9.1.1(d)"
    s.prompt("dealer", f"the card went to seat {seat} instead of seat {expected[0]}", rule, seat, ("misdeal",))


def lay(t: Table, h: Hand) -> None:
    """The hands follow from the order of the cards and from who was really served."""
    order = turns(t, h)
    kept = {seat: h.cards[seat] for seat in h.given if seat in h.cards}
    h.cards = {seat: [] for seat in h.dealt}
    for seat, card in zip(order, h.tape, strict=False):
        h.cards.setdefault(seat, []).append(card)
    for seat, cards in h.given.items():
        h.cards[seat] = kept.get(seat) or list(cards)


def deal_seems_over(s: Step, h: Hand) -> None:
    """Players act although a card, or all those of one seat, are missing: the dealer is told, and it goes on.

    What follows depends on who has acted when it is found (9.1.1(d), (e), (f)).
    """
    if h.street >= 0 or h.trouble or not h.tape:
        return
    missing = len(turns(s.t, h)) - len(h.tape)
    if missing == 1:
        text, rule = "the deal is one card short: say who was missed with short SEAT", "9.1.1(e)"
    elif missing == HOLE[s.t.game] and len(h.dealt) > 2:
        text, rule = "a seat was dealt no cards: say which one with short SEAT all", "9.1.1(d)"
    else:
        return
    s.prompt("dealer", text, rule, offers=("short", "misdeal"))
    deal_done(s, h)


def deal_done(s: Step, h: Hand) -> None:
    """Everybody has cards: the first betting round, from the left of the last blind."""
    if h.exposed:
        h.replaces = h.exposed[0][0]
        text = "replace the exposed card with the next one; it becomes the first burn card"
        s.prompt("dealer", text, "9.7", h.replaces, ("burn",))
    if h.street >= 0:
        return
    h.street = 0
    last = next(reversed(h.straddles), "") or next((b for b in reversed(h.blinds) if b in h.posted), h.button)
    b = h.betting = _round(s, h, clockwise(live(h), last))
    large = amounts(s.t.options["blinds"])[-1]
    for seat, amount in list(h.posted.items()):
        if seat in b.order:
            b.stacks[seat] += amount
            betting.post(b, seat, amount)
        else:
            h.dead[seat] = h.dead.get(seat, 0) + h.posted.pop(seat)  # posted, and no cards after all
    b.level = b.full = max(b.level, large if h.due or h.posted else 0)
    _follow(s, h)


def _round(s: Step, h: Hand, order: list[str]) -> Betting:
    room = room_of(s)
    return Betting(
        structure=structure(s.t, h.street),
        order=order,
        stacks={seat: room.stakes.get(seat, 0) for seat in order},  # who has left is all-in (6.16.1)
        pot=sum(h.paid.values()),
        step=amounts(s.t.options["blinds"])[-1] if h.street == 0 else 0,
    )


def structure(t: Table, street: int) -> Structure:
    """The limits of a betting round (6.6-6.8)."""
    kind = t.options["limit"]
    small, large = amounts(t.options["bets"])
    if kind == "fixed":
        return Structure(kind, small if street < 2 else large)
    if kind == "spread":
        return Structure(kind, small, large)
    least = max(amounts(t.options["blinds"])[-1], cents(t.options["min"]))
    return Structure(kind, least, chip=cents(t.options["chip"]))


# ---- betting rounds


def sync(s: Step, h: Hand) -> None:
    """What lies behind is the same everywhere."""
    if h.betting is not None:
        room = room_of(s)
        behind = h.betting.stacks.items()
        room.stakes.update({seat: n for seat, n in behind if seat in s.t.seats and seat not in h.betting.folded})


def advance(s: Step, h: Hand) -> None:
    """After an act: acts made out of turn whose turn has come, then the end of the betting round."""
    sync(s, h)
    _late_discards(s, h)
    if h.unburned == UNDISCARDED and substantial(h):
        h.unburned = ""
    if h.unburned and substantial(h):
        s.ruled("continue", h.unburned, "no card was burned: the hand goes on with one burn card less")
        s.prompt("dealer", "no card was burned: the hand goes on with one burn card less", h.unburned)
        h.unburned = ""
    if h.unshuffled and substantial(h):
        s.ruled("continue", "9.1.1(b)", "the hand is played out")
        h.unshuffled = False
    _follow(s, h)


def _follow(s: Step, h: Hand) -> None:
    while h.betting is not None:
        b = h.betting
        turn = betting.to_act(b)
        if turn is None:
            close_round(s, h)
            return
        if turn not in h.early or not early.stands(s, h, turn):  # 6.18
            if turn != h.turn:  # what others do meanwhile gives nobody more time (6.15)
                h.turn, h.since = turn, s.t.now
            return
        sync(s, h)


def unmade(s: Step, h: Hand) -> None:
    """An act out of turn that never became a bet: whoever sits there still has the chips, who has left gets them."""
    for seat in sorted({*h.early, *h.short} - {*s.t.seats}, key=int):
        amount = money.in_front(h, seat) - money.ruled(h, seat)
        h.early.pop(seat, None)
        h.short.pop(seat, None)
        if amount > 0:
            hand_back(s, seat, amount)
            h.returned[seat] = h.returned.get(seat, 0) + amount


def close_round(s: Step, h: Hand) -> None:
    """The bets go into the pot; what nobody called goes back."""
    b = h.betting
    assert b is not None
    unmade(s, h)
    for seat, amount in b.bets.items():
        h.paid[seat] = h.paid.get(seat, 0) + amount
    sync(s, h)
    h.gathered = dict(b.bets)
    h.betting, h.early, h.short, h.turn = None, {}, {}, ""
    give_back_uncalled(s, h, b)
    commission.to_slide(s, h)
    if h.street == 2 and h.aside:
        h.shuffle, h.burnt, h.aside = "9.12.3", 3, []
        text = "shuffle the card set aside into the deck; no burn before the fifth card"
        s.prompt("dealer", text, "9.12.3", PLACE[3], ("shuffled",))
    if h.street == 3 and contested(h):
        h.street = SHOWDOWN
        s.prompt("dealer", "shows first", "8.20.4", shows_first(h), ("settle", "muck"))
    _what_next(s, h)


def _what_next(s: Step, h: Hand) -> None:
    """What the dealer might forget when a betting round is over."""
    due = DISCARD.get(s.t.game)
    for seat in to_discard(s.t, h) if due is not None and contested(h) and h.street == due[0] else ():
        s.prompt("dealer", "discards one card", due[1] if due is not None else "", seat, ("discard",))
    r = s.t.round
    if r is not None and not contested(h) and side_wagers(r) and len(h.board) < BOARD[1]:
        text = "one player is left: burn, deal the flop and settle the side wagers"
        s.prompt("dealer", text, "8.17.3(a)(i)", PLACE[1], ("burn",))


def undo_round(s: Step, h: Hand) -> None:
    """The street is dealt again: what was bet on it goes back, and the round before it is complete."""
    if h.betting is not None:
        unmade(s, h)
        sync(s, h)
        for seat, amount in h.betting.bets.items():
            hand_back(s, seat, amount)
    h.betting, h.early, h.short = None, {}, {}
    h.acts = [act for act in h.acts if act[0] < h.street]


def give_back_uncalled(s: Step, h: Hand, b: Betting) -> None:
    """7.5; a raise over the blinds that nobody called leaves only these in the pot (AMB-CP-05)."""
    over = pots.uncalled(b.bets, h.out)
    if over is not None and h.street == 0:
        over = pots.uncalled(b.bets, h.out, h.posted)
    if over is not None:
        seat, amount = over
        h.paid[seat] -= amount
        h.gathered[seat] = max(0, h.gathered.get(seat, 0) - amount)
        h.returned[seat] = h.returned.get(seat, 0) + amount
        hand_back(s, seat, amount)


def hand_back(s: Step, seat: str, amount: int) -> None:
    """Chips that return to a player, also to one who has left the seat; less than none: that are taken back."""
    stakes = room_of(s).stakes
    if seat not in s.t.seats:
        text = "belongs to" if amount >= 0 else "is to be taken back from"
        h = s.t.round.hand if s.t.round is not None else None
        before = h.owed.get(seat, 0) if h is not None else 0
        if h is not None:
            h.owed[seat] = before + amount
        all_told = f", {short(before + amount)} in all" if before else ""
        s.prompt("dealer", f"{short(abs(amount))} {text} the player who left seat {seat}{all_told}", "8.3", seat)
        return
    stakes[seat] = stakes.get(seat, 0) + amount
    if stakes[seat] < 0:
        s.prompt("dealer", f"{short(-stakes[seat])} is still to be taken back from seat {seat}", "13.6", seat)
        stakes[seat] = 0


def all_in(t: Table, h: Hand, seat: str) -> bool:
    """Has a hand, and every chip of its stake in it: it stays to the showdown, whoever gets up (6.16.1)."""
    return seat in live(h) and money.behind(t, seat) == 0 and money.put_in(h, seat) > 0


def all_in_stays(s: Step, h: Hand, seat: str) -> None:
    """The player has left: the dealer keeps the cards; an all-in out of turn is neither made up nor taken back."""
    if seat in live(h) and h.trouble != LATE:
        s.prompt("dealer", "has left all-in: the hand stays in play until the showdown", "6.16.1", seat)
    if seat in h.early:
        h.early[seat] = msgspec.structs.replace(h.early[seat], stays=True)


def gone(s: Step, h: Hand, seat: str) -> None:
    """A player leaves for good while the hand is being prepared or dealt: what is wagered stays in the pot."""
    if h.street >= 0 or all_in(s.t, h, seat):
        return
    if seat in h.posted:
        h.dead[seat] = h.posted.pop(seat)
        h.due.pop(seat, None)
    if seat in h.dealt:
        h.out.append(seat)


# ---- the board


def board_card(s: Step, h: Hand, card: str) -> None:
    """A community card that was due; with the last of its street the next betting round begins."""
    street = next_street(h)
    h.gathered = {}
    h.board.append(card)
    h.mixed = False
    if h.spare:  # an incorrect card was kept as this burn (9.13.2)
        h.spare = ""
    h.burnt = max(h.burnt, street)
    if card == UNREAD:
        s.prompt("dealer", "a community card could not be read: name it", "8.18.1", "", ("reconstruct",))
    if len(h.board) == BOARD[street] and len(live(h)) > 1:
        begin_round(s, h, street)


def next_street(h: Hand) -> int:
    """The betting round for which the next community card is dealt."""
    return next((n for n in (1, 2, 3) if len(h.board) < BOARD[n]), SHOWDOWN)


def begin_round(s: Step, h: Hand, street: int) -> None:
    h.street = street
    h.aggressor = ""
    h.betting = _round(s, h, clockwise(live(h), h.button))
    _follow(s, h)


def discard(s: Step, seat: str, card: str) -> None:
    """8.17.4, 8.18.4."""
    _, h = running(s, "8.17.4")
    due = DISCARD.get(s.t.game)
    rule = due[1] if due is not None else "8.16.1"
    if due is None or h.street < due[0] or (h.street == due[0] and h.betting is not None):
        raise Refusal(rule, "no discard is due now")
    if LATE in (h.trouble, h.ended.get(seat)):
        raise Refusal(LATE, "it is too late to discard: the hand is dead")
    if seat not in live(h) or len(h.cards.get(seat, ())) < HOLE[s.t.game] or seat in h.discarded:
        raise Refusal(rule, "this seat has nothing to discard")
    if card not in h.cards[seat]:
        raise Refusal(rule, "the card is not in this hand")
    h.cards[seat].remove(card)
    h.thrown.append(card)
    h.given[seat] = list(h.cards[seat])
    h.discarded.append(seat)
    if h.unburned == UNDISCARDED and not to_discard(s.t, h):
        h.unburned = ""


def _late_discards(s: Step, h: Hand) -> None:
    """9.15.2: who has not discarded when the next round is under way has no hand.

    Where nobody has one any more, a person rules that it is a misdeal (AMB-CP-38).
    """
    due = DISCARD.get(s.t.game)
    if due is None or h.street <= due[0] or h.trouble or not substantial(h):
        return
    late = [x for x in live(h) if x not in h.discarded and len(h.cards.get(x, ())) == HOLE[s.t.game]]
    if late and len(late) == len(live(h)):
        h.trouble = LATE
        text = "nobody has discarded in time: all hands are dead; declare a misdeal"
        s.prompt("dealer", text, LATE, offers=("misdeal",))
        return
    for seat in late:
        h.ended[seat] = LATE
        dead(s, h, seat, LATE, "the hand has a card too many and is dead")


def dead(s: Step, h: Hand, seat: str, rule: str, text: str) -> None:
    """A hand without a claim: what it has wagered stays in the pot."""
    early.commit(s, h, seat)
    h.out.append(seat)
    if h.betting is not None and seat in h.betting.order:
        betting.drop(h.betting, seat)
    s.ruled("dead", rule, text)
    s.prompt("dealer", text, rule, seat)


def burn(s: Step, h: Hand, card: str = "") -> None:
    """A card leaves the deck unread, or one that everybody has seen."""
    r = s.t.round
    assert r is not None
    r.burns.append(Burn(card or UNREAD, shown=bool(card)))
