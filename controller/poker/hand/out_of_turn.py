"""What players do out of turn (document 000, 6.17, 6.18): it stands, and waits for its turn; a fold is final."""

from __future__ import annotations

from controller.poker.hand import betting, pending_acts
from controller.poker.hand.course import STREET_RULE
from controller.poker.hand.pushed_chips import Meant
from controller.poker.state import Betting, Done, Hand, PendingAct
from controller.poker.words import BETS, MAKES_UP, NOT_TO_TAKE_BACK, Act
from controller.table.step import Refusal, Step


def act(s: Step, h: Hand, b: Betting, seat: str, word: Act, to: int) -> None:
    """Takes an act by its word, of a seat whose turn it is not."""
    if word == "fold":
        _fold(s, h, b, seat)
        return
    _not_twice(h, b, seat, word)
    if word == "check":
        _check(s, h, b, seat)
        return
    if word == "all-in" and calls_only(s, h, b, seat):
        word = "call"
    if word == "call" and b.level <= b.bets.get(seat, 0):
        raise Refusal(f"{STREET_RULE[h.street]}.2", "there is nothing to call")
    everything = betting.total(b, seat)
    to = _goes_to(b, word, to, everything)
    if word in BETS:
        refused = betting.refusal(b, seat, word, to)
        if refused is not None:
            raise Refusal(*refused)
        to = within_limits(s, b, seat, to)
    stays = to == everything < b.level
    h.pending[seat] = PendingAct(word, to, stays)
    h.acts.append(Done(h.street, seat, word))
    rule = "6.18.4" if stays else "6.18.1"
    s.prompt("dealer", f"acted out of turn: the {word} stands", rule, seat)


def _goes_to(b: Betting, word: Act, to: int, everything: int) -> int:
    """Returns the total in front that an act means; `to` is what a bet or raise names."""
    if word == "call":
        return min(b.level, everything)
    return everything if word == "all-in" else to


def _not_twice(h: Hand, b: Betting, seat: str, word: Act) -> None:
    """Refuses a second act out of turn, and one by who has acted and owes nothing."""
    before = h.pending.get(seat)
    if before is None:
        if seat in b.acted and b.bets.get(seat, 0) >= b.level:
            raise Refusal("6.18", "this seat has acted, and nobody has bet more since")
        return
    if before.word != "short":
        rule = "6.18.3" if before.word == "check" else "6.18"
        raise Refusal(rule, "this seat has acted out of turn already")
    if word not in MAKES_UP:
        raise Refusal("6.17", "make up the difference to call, or fold")


def _check(s: Step, h: Hand, b: Betting, seat: str) -> None:
    b.bound.append(seat)
    h.pending[seat] = PendingAct("check", b.bets.get(seat, 0))
    s.prompt("dealer", "checked out of turn: no bet or raise any more in this round", "6.18.3", seat)
    h.acts.append(Done(h.street, seat, "check"))


def _fold(s: Step, h: Hand, b: Betting, seat: str) -> None:
    """Folds the hand out of turn; the turn stays where it is.

    Cards that were passed to the dealer do not come back (8.2.3, AMB-CP-34).
    """
    pending_acts.commit(s, h, seat)
    betting.drop(b, seat)
    h.out.append(seat)
    h.acts.append(Done(h.street, seat, "fold"))
    s.prompt("dealer", "folded out of turn: the hand is folded and its chips stay in the pot", "6.18", seat)


def take_back(h: Hand, b: Betting, seat: str) -> None:
    """Takes back the chips of an act out of turn, when somebody skipped has bet more (6.18.2)."""
    waits = h.pending.get(seat)
    if waits is None or waits.word in NOT_TO_TAKE_BACK:
        raise Refusal("6.18.2", "there is no bet out of turn to take back")
    if waits.stays:
        raise Refusal("6.18.4", "an all-in for less than the call stays")
    if not pending_acts.outbid(b, waits):
        raise Refusal("6.18.2", "nobody before this seat has bet more")
    if betting.to_act(b) != seat:
        raise Refusal("6.18.2", "the turn of this seat has not come yet")
    h.pending[seat] = PendingAct("back", b.bets.get(seat, 0))


def pushed(s: Step, h: Hand, b: Betting, seat: str, meant: Meant) -> None:
    """Takes chips pushed out of turn; too few of them stand too, and are made up in turn (AMB-CP-41)."""
    try:
        if meant.word == "short":
            _not_twice(h, b, seat, "call")
            h.pending[seat] = PendingAct("short", meant.to, over=b.level)
            text = f"out of turn: {meant.text}, when the turn has come"
            s.prompt("dealer", text, "6.17", seat, ("call", "fold"))
        else:
            act(s, h, b, seat, meant.word, meant.to)
    except Refusal as no:
        turn = betting.to_act(b)
        s.prompt("dealer", f"{no.why}: hand the chips back; seat {turn} acts", no.rule, seat)


def calls_only(s: Step, h: Hand, b: Betting, seat: str) -> bool:
    """Tells whether an all-in that is declared is only a call, because this seat may not raise.

    6.9, 6.16, 6.17, 6.18.3.
    """
    may = betting.legal(b, seat)
    if betting.total(b, seat) <= b.level:
        return False  # less than the bet, or as much: a call by itself
    if seat in h.short or _pushed_too_few(h, b, seat):
        rule, why = "6.17", "the difference to call is made up"
    elif may.raise_to is None:
        rule, why = may.rule, may.why
    else:
        return False
    word = "check" if may.check else "call"
    s.prompt("dealer", f"declared all-in, but {why}: a {word}", rule, seat)
    return True


def _pushed_too_few(h: Hand, b: Betting, seat: str) -> bool:
    """Tells whether too few chips were pushed out of turn, and nobody has bet more since."""
    waits = h.pending.get(seat)
    if waits is None or waits.word != "short":
        return False
    return not pending_acts.outbid(b, waits)


def within_limits(s: Step, b: Betting, seat: str, to: int) -> int:
    """Returns what is left of a bet, raise or all-in that is larger than the limit or the stake."""
    less = betting.reduced(b, seat, to) if to > b.level else None
    if less is None:
        return to
    most, rule, why = less
    s.prompt("dealer", f"{why}: the rest goes back", rule, seat)
    return most
