"""The rest of the deck while a hand is played: burn cards, reshuffles, and a flop that is dealt again (rule 9)."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import choices, discards, rounds
from controller.poker.hand.course import BOARD, PLACE, stage, substantial, to_discard
from controller.poker.state import Hand
from controller.table.state import Burn, Round
from controller.table.step import Refusal, Step


def reported(s: Step, what: str) -> tuple[Round, Hand] | None:
    """The hand that a report is about; a report without one is noted."""
    if s.round is None or s.round.hand is None:
        s.prompt("dealer", f"no hand is being played: {what} was noted and changes nothing", "9.1.1")
        return None
    return s.round, s.round.hand


def board_count(s: Step, h: Hand, place: str, key: str) -> None:
    if key == "excess" and place == "flop" and len(h.board) >= BOARD[1] and h.street <= 1:
        flop_back(s, h, "9.9")
        return
    if key == "excess" and place in ("turn", "river"):
        _two_opened(s, h, place)
        return
    s.prompt("dealer", f"{key} {place} was noted", "9.9", place)


def _two_opened(s: Step, h: Hand, place: str) -> None:
    """9.13 when no reader saw the second card."""
    if place == "turn" and len(h.board) == BOARD[2] and h.burnt < 3 and not h.spare:
        h.burnt = 3
        burn(s, h)
        text, rule = "two cards were opened: the wrong one becomes the next burn card", "9.13.2"
    else:
        text, rule = "only the correct card stays in play", "9.13.1" if place == "turn" else "9.13.3"
    s.ruled("continue", rule, text)
    s.prompt("dealer", text, rule, place)


def flop_back(s: Step, h: Hand, rule: str, shuffled: bool = False) -> None:
    """The flop goes back into the deck, without the burn card; the betting before it is complete."""
    first = "cut" if shuffled else "shuffle, cut"
    text = f"the flop is taken back: {first}{', burn' if rule == '9.8' else ''} and deal it again"
    s.ruled("continue", rule, text)
    s.prompt("dealer", text, rule, PLACE[1], ("cut",) if shuffled else ("shuffled",))
    h.street = 1
    rounds.undo_round(s, h)
    h.board, h.unburned, h.street = [], "", 0
    h.shuffle, h.cut = ("" if shuffled else rule), rule
    if rule == "9.8":
        h.burnt = 0


def shuffled(s: Step, args: tuple[str, ...]) -> bool:
    """The rest of the deck was shuffled inside a hand; False when this hand does not ask for it."""
    h = s.round.hand if s.round is not None else None
    if h is None or not h.tape:
        return False
    if h.shuffle:
        if h.betting is not None and h.shuffle == "9.12.3":
            raise Refusal("9.12.3", "finish the betting first")
        h.shuffle, h.mixed = "", True
        if len(h.board) < BOARD[1]:
            h.board = []  # cards of a flop that were still coming when it was taken back
    elif h.unburned in ("9.8", discards.UNDISCARDED) and not substantial(h):
        flop_back(s, h, h.unburned, shuffled=True)
    else:
        raise Refusal("5.1", "cards are shuffled when the hand is over")
    return True


def cut(s: Step, args: tuple[str, ...]) -> bool:
    h = s.round.hand if s.round is not None else None
    if h is None or not h.tape:
        return False
    if h.shuffle or not (h.cut or h.mixed):
        raise Refusal(h.shuffle or "5.2", "no cut is due")
    h.cut, h.mixed = "", False
    return True


def burned(s: Step, args: tuple[str, ...]) -> None:
    """A card was burned unread; or one that everybody has seen becomes the burn card (9.4, 9.7, 9.13)."""
    found = reported(s, "burn")
    if found is None:
        return
    r, h = found
    card = args[0] if args else ""
    if h.spare and card in ("", h.spare):
        h.burnt, h.spare = rounds.next_street(h), ""
        return
    if card:
        _shown_burn(s, r, h, card)
        return
    at = stage(s.t)
    if at.what == "burn":
        h.burnt = rounds.next_street(h)
    elif at.what == "act" and h.burnt <= h.street and rounds.next_street(h) == h.street + 1:
        h.burnt = h.street + 1
        s.prompt("dealer", "the card was burned before the betting was complete", at.rule)
    elif at.what in ("shuffle", "cut", "discard") and h.burnt <= h.street:
        h.burnt = h.street + 1
        if at.what == "discard":
            name_those_to_discard(s, h)
        else:
            s.prompt("dealer", f"a card was burned too soon: {choices.comes_first(s.t)}", at.rule)
    else:
        s.prompt("dealer", "no burn was due", at.rule)
    burn(s, h)


def name_those_to_discard(s: Step, h: Hand) -> None:
    """9.15.1: the betting round is not complete before each of these has discarded."""
    for seat in to_discard(s.t, h):
        s.prompt("dealer", "has not discarded: the betting round is not complete", "9.15.1", seat, ("discard",))


def _shown_burn(s: Step, r: Round, h: Hand, card: str) -> None:
    if any(b.card == card for b in r.burns):
        return  # it is one already (9.7, 9.13)
    if rebuildable(h) and h.board[-1] == card:
        burn_the_last(s, h)
        return
    if h.exposed and any(h.cards.get(seat, [])[n - 1 : n] == [card] for seat, n in h.exposed):
        h.burnt = 1
    elif card in h.board:
        s.prompt("dealer", "there has been substantial action: the card stays on the board", "9.4")
        return
    else:
        s.prompt("dealer", f"{card} was burned face up", "9.4")
    burn(s, h, card)


def rebuildable(h: Hand) -> bool:
    """9.4: a turn or river without a burn, and two players have not acted on it."""
    return h.unburned == "9.4" and bool(h.board) and not substantial(h)


def burn_the_last(s: Step, h: Hand) -> None:
    """9.4: the card that was turned should have been burned; the next one takes its place."""
    card = h.board.pop()
    street = rounds.next_street(h)
    h.street = street  # when all are all-in it has gone on already
    rounds.undo_round(s, h)
    h.burnt, h.street, h.unburned = street, street - 1, ""
    text = f"{card} is the burn card: deal the next one"
    s.ruled("reconstructed", "9.4", text)
    s.prompt("dealer", text, "9.4", PLACE[street])
    burn(s, h, card)


def burn(s: Step, h: Hand, card: str = "") -> None:
    """A card leaves the deck unread, or one that everybody has seen."""
    r = s.t.round
    assert r is not None
    r.burns.append(Burn(card or UNREAD, shown=bool(card)))
