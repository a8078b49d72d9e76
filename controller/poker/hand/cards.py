"""Cards that come to lie on the readers: dealt in their order, or too soon, too many, without a burn (rules 8, 9)."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import deal, deck, discards, opening, rounds
from controller.poker.hand.course import BOARD, HOLE, PLACE, SHOWDOWN, acted, contested, known, stage
from controller.poker.hand.irregular import defective_after_boxed, told_in_the_deal
from controller.poker.room import lists
from controller.poker.state import Hand
from controller.poker.view import next_reader
from controller.table.facts import CardRead
from controller.table.faults import LOST
from controller.table.state import Burn
from controller.table.step import Refusal, Step

BOXED = "a card that lay face up does not exist: put it into the muck; the next one takes its place"
EARLY = ("", "9.10", "9.12", "9.11")  # the rule on each street that comes too soon


def card_read(s: Step, fact: CardRead) -> None:
    """A card was dealt, or several were opened at once."""
    if s.t.room is not None and s.t.room.drawing:
        lists.card_for_seat(s, fact.card)
        return
    h = _hand(s)
    if h is None:
        s.prompt("dealer", "a card was dealt, but no hand can be played", "8.16.1")
        return
    h.later.append((fact.reader, list(fact.together or (fact.card,)), fact.face_up))
    due = next_reader(s.t)
    if fact.reader != due and f"reader.{due}" in s.t.faults and LOST in s.t.faults[f"reader.{due}"]:
        return  # what was laid there before will be heard of when that reader is back
    _in_order(s, h, fact.reader == due)


def _in_order(s: Step, h: Hand, patient: bool) -> None:
    """Cards that were read meanwhile follow the one that they waited for; without it they come as they were read."""
    while h.later:
        due = next_reader(s.t)
        at = next((n for n, (reader, _, _) in enumerate(h.later) if reader == due), None if patient else 0)
        if at is None:
            return
        _take(s, h, *h.later.pop(at))


def _take(s: Step, h: Hand, reader: str, read: list[str], face_up: bool) -> None:
    cards = tuple(read)
    if face_up:
        boxed(s, h)
        return
    h.faceup = False
    _twice(s, h, cards)
    if h.street < 0 or h.replaces or reader != "board":
        for card in cards:
            _hole(s, h, reader, card)
    else:
        _board(s, h, cards)


def _hand(s: Step) -> Hand | None:
    """The hand that is being dealt; a card without any wager opens one."""
    try:
        h = opening.open_hand(s)
    except Refusal:
        return None
    if h.street < 0 and not h.tape:
        r = s.t.round
        assert r is not None
        if r.closed != "dealt":
            opening.first_card(s, r, h)
    return h


def _twice(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """The same card a second time: one was misread, or the deck is defective (1.1)."""
    r = s.t.round
    lying = known(r, h) if r is not None else []
    if any(card in lying for card in cards):
        text = "the same card lies there twice: count the deck, or declare a misdeal"
        s.prompt("dealer", text, "9.1.1(h)", offers=("count", "misdeal"))


def boxed(s: Step, h: Hand, told: bool = False) -> None:
    """9.3; the fifth one makes the deck defective (1.1).  A reader's report and the dealer's are of one card."""
    if told and h.faceup:
        h.faceup = False
        return
    h.boxed += 1
    h.faceup = not told
    if told:
        h.boxed_at = ("board", len(h.board)) if h.board else ("tape", len(h.tape))
    s.ruled("continue", "9.3", BOXED)
    s.prompt("dealer", BOXED, "9.3")
    defective_after_boxed(s, h)


def _replaces_boxed(s: Step, h: Hand, card: str) -> bool:
    """Is this one card more than was due the replacement of a boxed one that a reader had read before it was told?"""
    if h.boxed_at is None or len(h.board) not in BOARD:
        return False
    dealt = BOARD.index(len(h.board))
    where, n = h.boxed_at
    cards = h.board if where == "board" else h.tape
    first = BOARD[dealt - 1] if dealt else 0
    if (where == "board") != (dealt > 0) or not first < n <= len(cards):
        return False
    if h.burnt > dealt or any(street == dealt for street, _, _ in h.acts):
        return False
    del cards[n - 1]
    cards.append(card)
    h.boxed_at = None
    if where == "tape":
        deal.lay(s.t, h)
    return True


# ---- hands


def _hole(s: Step, h: Hand, reader: str, card: str) -> None:
    seat = "" if reader == "board" else reader
    if h.street < 0:
        deal.hole_card(s, h, seat, card)
        told_in_the_deal(s, h)
    elif h.replaces:
        _replace(s, h, card)
    elif seat in h.cards and len(h.cards[seat]) < HOLE[s.t.game] and seat not in h.discarded:
        h.cards[seat].append(card)  # a hand that was read one card short is made up before anybody acts
        h.given[seat] = list(h.cards[seat])
    else:
        s.prompt("dealer", "a card was dealt although none was due", "9.1.1(e)", seat, ("excess",))


def _replace(s: Step, h: Hand, card: str) -> None:
    """9.7: what was to be the first burn card takes the place of the exposed one, which is burned."""
    seat, n = h.exposed.pop(0)
    if n > len(h.cards[seat]):  # the deal was read anew since, and the card is another seat's
        h.replaces = ""
        s.prompt("dealer", "the exposed card is not in this hand any more", "9.7", seat)
        return
    shown = h.cards[seat][n - 1]
    h.cards[seat][n - 1] = card
    h.given[seat] = list(h.cards[seat])
    h.replaces = ""
    r = s.t.round
    assert r is not None
    if all(b.card != shown for b in r.burns):
        r.burns.append(Burn(shown, shown=True))
    h.burnt = 1
    s.ruled("continue", "9.7", f"{shown} was exposed: it is the first burn card")


# ---- the board


def _board(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    at = stage(s.t)
    if len(cards) == 1 and _replaces_boxed(s, h, cards[0]):
        return
    if at.what == "over" or rounds.next_street(h) == SHOWDOWN:
        s.prompt("dealer", "no more cards are to be dealt: put it into the muck", "9.13.3")
    elif deck.rebuildable(h) and h.burnt <= h.street and not any(street == h.street for street, _, _ in h.acts):
        deck.burn_the_last(s, h)  # the dealer deals on, as 9.4 says
        _lay(s, h, cards)
    elif at.what in ("act", "ruling"):
        _too_soon(s, h, cards)
    elif at.what == "discard":
        _before_discards(s, h, cards)
    elif at.what in ("shuffle", "cut"):
        s.prompt("dealer", f"the deck must be {'shuffled' if at.what == 'shuffle' else 'cut'} first", at.rule)
        if h.board or at.what == "cut":  # a card more of a flop that goes back goes with it
            _lay(s, h, cards)
    elif at.what == "burn":
        _without_burn(s, h, cards, at.rule)
    else:
        if len(h.board) in BOARD:
            h.unburned = ""  # the next street: what was not burned before the last one stands
        _lay(s, h, cards)


def _lay(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    street = rounds.next_street(h)
    missing = BOARD[street] - len(h.board)
    for card in cards[:missing]:
        rounds.board_card(s, h, card)
    extra = cards[missing:]
    if not extra:
        return
    if street == 1:
        deck.flop_back(s, h, "9.9")
    elif len(extra) > 1:  # 9.14
        h.shuffle = h.cut = "9.14" if street < 3 else ""
        text = "more than two cards were opened: the first stays, shuffle the others into the deck and cut"
        s.ruled("continue", "9.14", text)
        s.prompt("dealer", text, "9.14", PLACE[street], ("shuffled",) if street < 3 else ())
    elif street < 3:  # 9.13.2
        h.spare = extra[0]
        text = f"two cards were opened: {extra[0]} becomes the next burn card"
        s.ruled("continue", "9.13.2", text)
        s.prompt("dealer", text, "9.13.2", PLACE[street], ("burn",))
        deck.burn(s, h, extra[0])
    else:
        text = f"two cards were opened: {extra[0]} goes into the muck"
        s.ruled("continue", "9.13.3", text)
        s.prompt("dealer", text, "9.13.3", PLACE[street])


def _too_soon(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """A community card before its betting round is complete (9.10-9.12), or a flop of four (9.9)."""
    if h.street == 0:
        if not acted(h) and h.burnt < 1:
            h.extra += cards
        _early_flop(s, h)
    elif h.street == 1 and h.burnt < 2 and not h.aside and not any(street == 1 for street, _, _ in h.acts):
        deck.flop_back(s, h, "9.9")
    elif h.street == 1:
        _early_turn(s, h, cards)
    else:
        _early_river(s, h)


def _early_flop(s: Step, h: Hand) -> None:
    if h.shuffle == "9.10":
        return
    h.shuffle = h.cut = "9.10"
    text = "the flop came too soon: take it back without the burn card, finish the betting, shuffle and cut"
    s.ruled("continue", "9.10", text)
    s.prompt("dealer", text, "9.10", "flop", ("shuffled",))


def _early_turn(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    h.aside, h.burnt = [*h.aside, *cards], 1
    text = "the fourth card came too soon: set it aside; finish the betting, then burn and turn a new one"
    s.ruled("continue", "9.12.1", text)
    s.prompt("dealer", text, "9.12.1", "turn")


def _early_river(s: Step, h: Hand) -> None:
    h.shuffle = "9.11"
    text = "the fifth card came too soon: shuffle it into the deck; the burn card stays"
    s.ruled("continue", "9.11", text)
    s.prompt("dealer", text, "9.11", "river", ("shuffled",))


def street_exposed(s: Step, place: str) -> None:
    """The dealer says that a community card was exposed too soon, whether a reader saw it or not."""
    found = deck.reported(s, f"{place} exposed")
    if found is None:
        return
    _, h = found
    street = PLACE.index(place) if place in PLACE else h.street + 1
    open_before = h.betting is not None and h.street == street - 1
    if open_before and street == 1:
        _early_flop(s, h)
    elif open_before and street == 2 and not h.aside:
        _early_turn(s, h, (UNREAD,))
    elif open_before and street == 3 and h.shuffle != "9.11":
        _early_river(s, h)
    else:
        s.prompt("dealer", f"the {place} was exposed: noted", EARLY[min(max(street, 1), 3)], place)


def _before_discards(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """9.15.1: the round is not complete; who discards before two players have acted still has a hand (9.15.2)."""
    first = len(h.board) in BOARD
    if first:
        deck.name_those_to_discard(s, h)
    if h.burnt < h.street + 1:
        _without_burn(s, h, cards, "8.18.1")
        return
    if first and h.street == 0:
        text = "the flop came before all discards: it may be taken back; shuffle and cut"
        s.prompt("dealer", text, discards.UNDISCARDED, PLACE[1], ("shuffled",))
        h.unburned = discards.UNDISCARDED
    _lay(s, h, cards)


def _without_burn(s: Step, h: Hand, cards: tuple[str, ...], rule: str) -> None:
    """9.8 for the flop, 9.4 for the others (AMB-CP-14); put right until two players have acted."""
    street = rounds.next_street(h)
    if street == 1:
        h.unburned = "9.8"
        text = "no card was burned: take the flop back, shuffle, cut, burn and deal it again"
        s.prompt("dealer", text, "9.8", PLACE[street], ("shuffled",))
    else:
        h.unburned = "9.4"
        text = f"no card was burned: {cards[0]} becomes the burn card, and the next card is dealt"
        s.prompt("dealer", text, "9.4", PLACE[street], ("burn", "reconstruct"))
    if not contested(h):
        h.unburned = "" if acted(h) and street > 1 else h.unburned
    _lay(s, h, cards)
