"""What players do: acts in turn and out of turn (6.18), chips pushed forward (6.12-6.14, 6.17), time to act (6.15)."""

from __future__ import annotations

from controller.money import cents, short
from controller.poker import betting, hand, posting
from controller.poker.course import SHOWDOWN, STREET, live, stage
from controller.poker.reading import Meant, read
from controller.poker.settle import contested_pots
from controller.poker.state import Betting, Early, Hand
from controller.poker.times import microseconds
from controller.table.scene import Refusal, Scene

BETS = ("bet", "raise", "all-in")


def act(s: Scene, args: tuple[str, ...]) -> None:
    """A player acts; the dealer says so at the console."""
    seat, word = args[0], args[1]
    amount = cents(args[2]) if len(args) > 2 else 0
    if word == "post":
        posting.post(s, seat, amount)
        return
    if word == "straddle":
        posting.straddle(s, seat, amount)
        return
    _, h = hand.running(s, "8.17.1")
    if word == "muck":
        _muck(s, h, seat)
        return
    b = _betting(s, h, seat, word)
    if word == "take-back":
        _take_back(s, h, b, seat)
    elif betting.to_act(b) != seat:
        _out_of_turn(s, h, b, seat, word, amount)
    else:
        _in_turn(s, h, b, seat, word, amount)
    hand.advance(s, h)


def _betting(s: Scene, h: Hand, seat: str, word: str) -> Betting:
    """The betting round that is open to this seat; refuses when none is."""
    hand.deal_seems_over(s, h)
    at = stage(s.t)
    if at.what != "act" or h.betting is None:
        raise Refusal(at.rule, _closed(at.what))
    if seat not in h.betting.order or seat in h.betting.folded:
        raise Refusal(f"{STREET[h.street]}.3", f"seat {seat} is not in this hand")
    if not h.betting.stacks[seat]:
        rule = "6.18.4" if word == "take-back" else "6.16.1"
        raise Refusal(rule, "who is all-in takes no further part in the betting")
    return h.betting


def _closed(what: str) -> str:
    waits = {"deal": "the cards are not dealt yet", "over": "the betting is over", "ruling": "a ruling is awaited"}
    return waits.get(what, f"no betting is open: {what} comes first")


def _in_turn(s: Scene, h: Hand, b: Betting, seat: str, word: str, to: int) -> None:
    early = h.early.get(seat)
    if seat in h.short:
        _after_short(s, h, b, seat, word)
    elif early is not None and early.word == "back" and word in ("call", "check"):
        raise Refusal("6.18.2", "the bet was taken back: fold or raise")
    waiting = max((e.to for e in h.early.values() if e.word != "check"), default=0)
    if word == "call" and b.level <= b.bets.get(seat, 0) < waiting:
        word, to = "bet", waiting  # the bet out of turn stands (6.18.1): it is that one which is called
    refused = betting.refusal(b, seat, word, to, f"{STREET[h.street]}.3")
    if refused is not None:
        rule = f"{STREET[h.street]}.2" if refused[0] == "1.1" else refused[0]
        raise Refusal(rule, refused[1])
    if word in BETS:
        to = _within_limits(s, b, seat, betting.total(b, seat) if word == "all-in" else to)
    h.early.pop(seat, None)
    do(s, h, b, seat, word, to)


def _within_limits(s: Scene, b: Betting, seat: str, to: int) -> int:
    """What is left of a bet, raise or all-in that is larger than the limit or the stake."""
    less = betting.reduced(b, seat, to) if to > b.level else None
    if less is None:
        return to
    most, rule, why = less
    s.prompt("dealer", f"{why}: the rest goes back", rule, seat)
    return most


def do(s: Scene, h: Hand, b: Betting, seat: str, word: str, to: int) -> None:
    """An act that is legal."""
    before = b.level
    betting.apply(b, seat, word, to)
    h.acts.append((h.street, seat, word))
    if word == "fold":
        h.out.append(seat)
    if b.level > before:
        h.aggressor = seat


def _after_short(s: Scene, h: Hand, b: Betting, seat: str, word: str) -> None:
    """6.17: the difference is made up, or the hand is folded and the chips stay."""
    if word not in ("call", "fold", "all-in"):
        raise Refusal("6.17", "make up the difference to call, or fold")
    lying = h.short.pop(seat)
    if word == "fold":
        betting.put(b, seat, b.bets.get(seat, 0) + lying)
        hand.room_of(s).stakes[seat] = b.stacks[seat]


# ---- out of turn


def _out_of_turn(s: Scene, h: Hand, b: Betting, seat: str, word: str, to: int) -> None:
    if word == "fold":
        raise Refusal("6.18", f"it is the turn of seat {betting.to_act(b)}")
    if seat in h.early:
        rule = "6.18.3" if h.early[seat].word == "check" else "6.18"
        raise Refusal(rule, "this seat has acted out of turn already")
    bet = b.bets.get(seat, 0)
    if word == "check":
        if seat not in b.bound:
            b.bound.append(seat)
        h.early[seat] = Early("check", bet)
        s.prompt("dealer", "checked out of turn: no bet or raise any more in this round", "6.18.3", seat)
        h.acts.append((h.street, seat, word))
        return
    mine = betting.total(b, seat)
    if word == "call" and b.level <= bet:
        raise Refusal(f"{STREET[h.street]}.2", "there is nothing to call")
    to = min(b.level, mine) if word == "call" else mine if word == "all-in" else to
    if word in BETS:
        refused = betting.refusal(b, seat, word, to)
        if refused is not None:
            raise Refusal(*refused)
        to = _within_limits(s, b, seat, to)
    stays = to == mine < b.level
    h.early[seat] = Early(word, to, stays)
    h.acts.append((h.street, seat, word))
    rule = "6.18.4" if stays else "6.18.1"
    s.prompt("dealer", f"acted out of turn: the {word} stands", rule, seat)


def _take_back(s: Scene, h: Hand, b: Betting, seat: str) -> None:
    early = h.early.get(seat)
    if early is None or early.word in ("check", "back"):
        raise Refusal("6.18.2", "there is no bet out of turn to take back")
    if early.stays:
        raise Refusal("6.18.4", "an all-in for less than the call stays")
    if betting.to_act(b) != seat or b.level <= early.to:
        raise Refusal("6.18.2", "nobody before this seat has bet more")
    h.early[seat] = Early("back", b.bets.get(seat, 0))


# ---- chips


def said(s: Scene, args: tuple[str, ...]) -> None:
    """The word that goes with the chips that come next."""
    hand.room_of(s).said[args[0]] = args[1]


def pushed(s: Scene, seat: str, chips: tuple[int, ...]) -> None:
    """Chips in front of a seat: never refused, always read as something, or prompted."""
    r = s.round
    h = r.hand if r is not None else None
    say = hand.room_of(s).said.pop(seat, "")
    before_cards = not h.tape and h.street < 0 if h is not None else posting.due(s, seat) > 0
    if say in ("post", "straddle") or before_cards:
        posting.pushed(s, seat, say, sum(chips))
        return
    at = stage(s.t)
    if h is None or h.betting is None or at.what != "act" or seat not in h.betting.order or seat in h.betting.folded:
        s.prompt("dealer", f"{short(sum(chips))} was pushed forward, but no act is due: hand it back", at.rule, seat)
        return
    b = h.betting
    if (over := sum(chips) - (b.stacks[seat] - h.short.get(seat, 0))) > 0:
        s.prompt("dealer", "more than the table stake: the rest goes back", "6.11", seat)
        chips = _without(chips, over)
    if not b.stacks[seat]:
        return
    meant = read(b, seat, chips, h.short.get(seat, 0), say, h.street == 0)
    if betting.to_act(b) != seat:
        _pushed_early(s, h, b, seat, meant)
    else:
        _pushed_in_turn(s, h, b, seat, meant)
    hand.advance(s, h)


def _without(chips: tuple[int, ...], over: int) -> tuple[int, ...]:
    """The chips that stay when so much goes back, as many pieces as before where that is possible."""
    kept = []
    for chip in sorted(chips, reverse=True):
        back = min(over, chip)
        over -= back
        kept.append(chip - back)
    return tuple(chip for chip in kept if chip)


def _pushed_in_turn(s: Scene, h: Hand, b: Betting, seat: str, meant: Meant) -> None:
    offers = ("call", "fold") if meant.word == "short" else ()
    s.prompt("dealer", meant.text, meant.rule, seat, offers)
    if meant.word == "short":
        h.short[seat] = meant.to - b.bets.get(seat, 0)
        return
    h.short.pop(seat, None)
    h.early.pop(seat, None)
    word = meant.word
    if word == "check" and not betting.legal(b, seat).check:
        word = "call"
    do(s, h, b, seat, "raise" if word == "all-in" and meant.to > b.level else word, meant.to)


def _pushed_early(s: Scene, h: Hand, b: Betting, seat: str, meant: Meant) -> None:
    if meant.word in ("short", "fold"):
        turn = betting.to_act(b)
        s.prompt("dealer", f"pushed out of turn, and no act: hand it back; seat {turn} acts", "6.18", seat)
        return
    try:
        _out_of_turn(s, h, b, seat, meant.word, meant.to)
    except Refusal as no:
        s.prompt("dealer", no.why, no.rule, seat)


# ---- the showdown


def _muck(s: Scene, h: Hand, seat: str) -> None:
    if h.street != SHOWDOWN:
        raise Refusal("8.20.4", "hands are mucked at the showdown")
    if seat not in live(h):
        raise Refusal("8.20.4", "this seat has no hand")
    if any(pot.eligible == (seat,) for pot in contested_pots(h)):
        raise Refusal("8.20.4", "the last hand wins the pot")
    h.out.append(seat)
    h.mucked.append(seat)


# ---- time to act


def time_passed(s: Scene) -> None:
    """6.15: the dealer is told once; a person says what becomes of the hand."""
    r = s.round
    h = r.hand if r is not None else None
    limit = s.t.options.get("act-time", "none")
    at = stage(s.t)
    if h is None or h.betting is None or limit == "none" or at.what != "act" or not at.place:
        return
    seat = at.place
    extra = s.t.options["extra-time"]
    more = h.bought.get(f"{h.street} {seat} {len(h.acts)}", 0) * (0 if extra == "none" else microseconds(extra))
    if s.t.now - h.since < microseconds(limit) + more or _told(s, seat, h.since):
        return
    facing = h.betting.bets.get(seat, 0) < h.betting.level
    offer = "dead" if facing else "check"
    text = "has not acted in time: the hand may be dead" if facing else "has not acted in time: it may be a check"
    s.prompt("dealer", text, "6.15", seat, (offer,))


def _told(s: Scene, seat: str, since: int) -> bool:
    """Already prompted in this turn; buying time gives it another end."""
    h = s.t.round.hand if s.t.round is not None else None
    turn = f"{since} {seat} {sum(h.bought.values()) if h is not None else 0}"
    mark = f"late {turn}"
    assert s.t.round is not None
    if mark in s.t.round.flags:
        return True
    s.t.round.flags[mark] = "6.15"
    return False


def extra_time(s: Scene, args: tuple[str, ...]) -> None:
    """6.15.1: more time is bought, as often as the sign says."""
    _, h = hand.running(s, "6.15.1")
    options, seat = s.t.options, args[0]
    at = stage(s.t)
    if options["act-time"] == "none" or options["extra-time"] == "none":
        raise Refusal("6.15.1", "no time is sold at this table")
    if at.what != "act" or at.place != seat:
        raise Refusal("6.15.1", "time is sold to the player who is to act")
    times = options["extra-times"]
    if times != "none" and sum(n for turn, n in h.bought.items() if turn.split(" ")[1] == seat) >= int(times):
        raise Refusal("6.15.2", f"time is sold {times} times")
    turn = f"{h.street} {seat} {len(h.acts)}"
    h.bought[turn] = h.bought.get(turn, 0) + 1
    fee = options["extra-fee"]
    s.ruled("continue", "6.15.2", f"time to act is extended{'' if fee == 'none' else f': collect {fee}'}")
