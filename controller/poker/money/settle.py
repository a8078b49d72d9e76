"""The end of a hand: the pot is pushed, or everything goes back."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.effects import PotsPushed
from controller.poker.hand import choices, clock, rounds, showdown
from controller.poker.hand.course import BOARD, clockwise, contested, live, played, stage, unsettled_side_wagers
from controller.poker.money import bonus, commission, pots, returns, side_wagers, stacks
from controller.poker.room import players, seats
from controller.poker.room.blinds import MISSED
from controller.poker.state import Hand, Pot, Room, hand_in
from controller.poker.words import Street
from controller.rules import Outcome, Undone, Unsettled
from controller.table import telling
from controller.table.state import Round, Table
from controller.table.step import Refusal, Step
from controller.table.telling import Shared


def settle(s: Step, args: tuple[str, ...]) -> None:
    """Settles what is decided: side wagers while the hand runs on, the pot when it is over."""
    r = s.running("8.20.4")
    h = hand_in(r)
    if h is None:
        raise Refusal("8.9.2", "no hand is being played")
    at = stage(s.t)
    if at.what != "over":
        if side_wagers.can_settle(r, h) and side_wagers.settle(s, r, h):
            return
        why = side_wagers.why_not(r, h)
        raise Refusal(why or at.rule, f"nothing can be settled now: {choices.comes_first(s.t)}")
    if unsettled_side_wagers(r) and UNREAD in h.board[: BOARD[Street.FLOP]]:
        raise Refusal("10.1.1", "name the card that could not be read first: reconstruct flop=CARD,CARD,CARD")
    if not live(h):  # pragma: no cover - whatever ends the last hand rules on the pot itself
        all_back(s, r, h, "misdeal", "9.1.1", "nobody has a hand any more: all wagers go back")
        return
    readable(s, h)
    side_wagers.settle(s, r, h)
    push(s, r, h)


def divided(r: Round, h: Hand) -> Shared:
    """Returns how the chips of a hand were divided; nobody has won or lost before it is over."""
    made = tuple(telling.Pot(pot.amount, pot.eligible, pot.won) for pot in h.pots)
    net = {seat: stacks.net(r, seat) for seat in stacks.players(h)} if r.outcome else {}
    returned = {seat: amount for seat, amount in h.returned.items() if amount}
    return Shared(made, h.rake, returned, net, dict(h.began), h.button, sum(h.dead.values()))


def readable(s: Step, h: Hand) -> None:
    """Refuses to push the pot while a card is unread, a hand has the wrong number of cards, or a card came twice."""
    if not contested(h):
        return
    hands = {seat: h.cards.get(seat, []) for seat in live(h)}
    lying = [*h.board, *(card for cards in hands.values() for card in cards)]
    if UNREAD in lying:
        raise Refusal("8.7", "name the cards that could not be read first: reconstruct SEAT=CARD,CARD")
    wrong = [seat for seat, cards in hands.items() if len(cards) != played(s.t.game)]
    if wrong:
        raise Refusal("9.1.1(f)", f"seat {wrong[0]} has the wrong number of cards: say so with short or excess")
    if len(set(lying)) < len(lying):
        raise Refusal("9.1.1(h)", "the same card lies there twice: count the deck, or name the right card")


def push(s: Step, r: Round, h: Hand) -> None:
    """Pushes each pot to its winners, the commission into the box (7.2.1(b), 7.2.3(c))."""
    room = seats.room_of(s.t)
    made = contested_pots(h)
    tied = commission.reversed_by_tie(s.t, h)
    rakes = [0] * len(made) if tied else commission.taken(s.t, h, made)
    if tied and h.rake:
        s.prompt("dealer", "equal hands and nobody else in the pot: no commission, reverse the slide", "7.8")
    claims = {seat: h.cards[seat] for seat in live(h)} if contested(h) else {}
    order = clockwise(h.dealt, h.button)
    h.pots = showdown.award(s.t.game, made, rakes, claims, h.board, order, s.t.options.typed.chip)
    h.shown = [*h.shown, *(seat for seat in claims if seat not in h.shown)]
    announce(s, h)
    room.slide -= h.rake
    h.rake = sum(rakes)
    room.dropped += h.rake
    for pot in h.pots:
        for seat, amount in pot.won.items():
            returns.hand_back(s, seat, amount)
    s.effects.append(PotsPushed(r.number, tuple(h.pots), h.rake))
    finish(s, h, "settled", "")


def announce(s: Step, h: Hand) -> None:
    """Tells the dealer which hand wins, by its name; of several pots, and of both halves, each one (8.20.4)."""
    if not contested(h):
        return
    hands = {seat: h.cards[seat] for seat in live(h)}
    texts = []
    for n, pot in enumerate(h.pots):
        winners = showdown.winners(s.t.game, pot.eligible, hands, h.board)
        texts.append(winners if len(h.pots) == 1 else f"{f'side pot {n}' if n else 'the main pot'}: {winners}")
    s.prompt("dealer", f"announce the winning hand: {'; '.join(texts)}", "8.20.4")


def contested_pots(h: Hand) -> list[Pot]:
    """Returns the pots as they are pushed: one for the last player, and none that nobody could win."""
    made = pots.pots(h.paid, h.out, sum(h.dead.values()))
    if len(live(h)) == 1:
        return [Pot(sum(pot.amount for pot in made), tuple(live(h)))] if made else []
    return [pot if pot.eligible else Pot(pot.amount, tuple(live(h))) for pot in made]


def finish(s: Step, h: Hand, outcome: Outcome, rule: str) -> None:
    """Clears the layout and ends the hand; after a misdeal the same player is first again (9.1.1)."""
    room = seats.room_of(s.t)
    if outcome == "misdeal":
        _unmark(room, h)
    else:
        room.blinds = h.blinds
        room.button = h.blinds[0] if h.blinds else h.button
    for seat, amount in room.held.items():
        returns.hand_back(s, seat, amount)
    room.held, room.declared = {}, {}
    clock.collect_fees(s, h)
    players.hand_over(s, misdealt=outcome == "misdeal")
    s.end(outcome, rule)


def _unmark(room: Room, h: Hand) -> None:
    """Takes the missed-blind buttons of this hand away: it is dealt again, and nobody has missed a blind in it."""
    for seat in h.marked:
        room.owing.pop(seat, None)
        if MISSED in room.buttons.get(seat, ()):
            room.buttons[seat].remove(MISSED)


def all_back(s: Step, r: Round, h: Hand, outcome: Undone, rule: str, text: str, refund: str = "") -> None:
    """Gives back all wagers, forced bets and blinds, the commission on the slide included (AMB-CP-30).

    `refund`: the rule by which also side wagers that are settled already go back.
    """
    room = seats.room_of(s.t)
    back = dict(h.paid)
    returns.unmade(s, h)
    if h.betting is not None:
        rounds.sync(s, h)
        for seat, amount in h.betting.bets.items():
            back[seat] = back.get(seat, 0) + amount
    elif h.in_deal:
        for seat, amount in h.posted.items():
            back[seat] = back.get(seat, 0) + amount
    for seat, amount in h.dead.items():
        back[seat] = back.get(seat, 0) + amount
    for seat, amount in back.items():
        if amount:
            returns.hand_back(s, seat, amount)
            h.returned[seat] = h.returned.get(seat, 0) + amount
    room.slide -= h.rake
    h.rake, h.paid, h.dead, h.betting = 0, {}, {}, None
    bonus.falls(s, h, rule)
    result: Unsettled = "void" if outcome == "void" else "returned"
    if refund:
        side_wagers.undo(s, r, refund, result)
    else:
        side_wagers.give_back(s, r, rule, result)
    s.ruled(outcome, rule, text)
    s.prompt("dealer", text, rule)
    finish(s, h, outcome, rule)


def undo(s: Step, r: Round, h: Hand, rule: str, refund: str) -> None:
    """Puts the chips where they were: the outcome of the last hand is invalid (13.6)."""
    room = seats.room_of(s.t)
    back: dict[str, int] = {}
    for pot in h.pots:
        for seat, amount in pot.won.items():
            back[seat] = back.get(seat, 0) - amount
    for seat, amount in (*h.paid.items(), *h.dead.items()):
        back[seat] = back.get(seat, 0) + amount
        h.returned[seat] = h.returned.get(seat, 0) + amount
    for seat, amount in back.items():
        returns.hand_back(s, seat, amount)
    room.dropped -= h.rake
    h.rake, h.pots, h.paid, h.dead = 0, [], {}, {}
    bonus.falls(s, h, refund)
    side_wagers.undo(s, r, refund, "void")
    r.outcome, r.rule = "void", rule
    s.ruled("void", rule, "the outcome is invalid: all wagers go back")


def leading(t: Table, h: Hand) -> set[str]:
    """Returns who would win a pot as the hands lie now."""
    claims = {seat: h.cards[seat] for seat in live(h)} if contested(h) else {}
    made = contested_pots(h)
    order = clockwise(h.dealt, h.button)
    won = showdown.award(t.game, made, [0] * len(made), claims, h.board, order, t.options.typed.chip)
    return {seat for pot in won for seat, amount in pot.won.items() if amount}
