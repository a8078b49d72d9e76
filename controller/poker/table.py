"""Facts at a poker table: what each of them means, and what every key does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from controller.poker.hand import acts, cards, clock, deck, discards, irregular, keyed_acts, leaving, opening, rounds
from controller.poker.hand.course import LATE, live
from controller.poker.money import bonus, charges, side_wagers
from controller.poker.money import settle as end
from controller.poker.room import players, sign
from controller.table import deck as deckcare
from controller.table import sign as limit_sign
from controller.table.facts import (
    AnyFact,
    CardOut,
    CardRead,
    CardsOut,
    Chips,
    CuttingCard,
    Key,
    Pushed,
    ShoeEmpty,
    Shuffled,
    Tick,
)
from controller.table.keyforms import misfit
from controller.table.roles import allow
from controller.table.state import is_place
from controller.table.step import Refusal, Step

Handler = Callable[[Step, tuple[str, ...]], None]


def follow(s: Step, fact: AnyFact) -> bool:
    """Does what a fact means at a poker table; False when it means the same at all tables."""
    match fact:
        case CardRead():
            cards.card_read(s, fact)
        case Pushed(area, chips):
            if not keyed_acts.counted(s, fact):
                acts.pushed(s, str(area), chips)
        case Chips():
            side_wagers.chips(s, fact)
        case Key():
            _key(s, fact)
        case Tick():
            clock.time_passed(s)
            charges.hourly(s)
        case CardOut() | CardsOut() | CuttingCard() | ShoeEmpty() | Shuffled():
            s.prompt("dealer", "the deck stays in the dealer's hand: no shoe is used for this game", "5.2")
        case _:
            return False
    return True


def _key(s: Step, fact: Key) -> None:
    wrong = misfit(fact.key, fact.args)
    if wrong:
        raise Refusal("", wrong)
    named = [arg.partition("=")[0] for arg in fact.args] if fact.key in ("reconstruct", "viewed") else fact.args[:1]
    if any(is_place(place) and "." in place for place in named):
        raise Refusal("4.1", "one player sits at a seat")
    allow(s, "act" if fact.key in ("act", "said", "discard") else fact.key, fact.args)
    handler = KEYS.get(fact.key)
    if handler is None:
        raise Refusal("1.2", f"{fact.key} has no meaning at a poker table")
    handler(s, fact.args)


def _leave(s: Step, args: tuple[str, ...]) -> None:
    """For good: a hand that is left is folded, and what it has wagered stays in the pot."""
    seat = args[0]
    h = s.round.hand if s.round is not None else None
    last = h is not None and live(h) == [seat] and h.street >= 0
    if h is not None and last and s.t.holds:
        s.prompt("dealer", "has left as the last in the hand: the pot waits until the table goes on", "8.17.3", seat)
        players.leave(s, args)
        return
    if h is not None and last:
        side_wagers.give_back(s, s.running("8.17.3"), "8.17.3(a)", "returned")
        end.push(s, s.running("8.17.3"), h)  # the last player has won before leaving
    elif h is not None and (leaving.all_in(s.t, h, seat) or h.trouble == LATE):
        leaving.all_in_stays(s, h, seat)  # 6.16.1; and who has a dead hand takes only their chips
        players.leave(s, args)
        if h.betting is not None and not h.trouble:
            rounds.advance(s, h)
        return
    elif h is not None and seat in live(h) and h.street >= 0:
        leaving.dead(s, h, seat, "8.3", "the player has left: the hand is folded")
        h.acts.append((h.street, seat, "fold"))
        players.leave(s, args)
        rounds.advance(s, h)
        return
    owed = h is not None and not h.tape and h.street < 0 and seat in h.due and seat not in h.posted
    if h is not None:
        leaving.gone(s, h, seat)
    players.leave(s, args)
    if h is not None and owed:
        opening.replan(s, h)


def _discard(s: Step, args: tuple[str, ...]) -> None:
    discards.discard(s, args[0], args[1])


def _boxed(s: Step, args: tuple[str, ...]) -> None:
    h = s.round.hand if s.round is not None else None
    if h is None:
        s.prompt("dealer", "no hand is being played: the card goes into the muck", "9.3")
    else:
        cards.boxed(s, h, told=True)


def _exposed(s: Step, args: tuple[str, ...]) -> None:
    if args[0] in ("flop", "turn", "river", "community"):
        cards.street_exposed(s, args[0])
    else:
        irregular.exposed(s, args)


def _shuffled(s: Step, args: tuple[str, ...]) -> None:
    if not deck.shuffled(s, args):
        deckcare.shuffled(s, args)


def _cut(s: Step, args: tuple[str, ...]) -> None:
    if not deck.cut(s, args):
        deckcare.cut(s, args)


def _noted(text: str, rule: str, s: Step, args: tuple[str, ...]) -> None:
    """A report that needs no ruling here."""
    s.prompt("dealer", text, rule, args[0] if args and args[0].isdigit() else "")


KEYS: Final[dict[str, Handler]] = {
    **players.KEYS,
    "act": keyed_acts.act,
    "said": acts.said,
    "discard": _discard,
    "extra-time": clock.extra_time,
    "leave": _leave,
    "settle": end.settle,
    # what went wrong
    "exposed": _exposed,
    "short": partial(irregular.wrong_count, key="short"),
    "excess": partial(irregular.wrong_count, key="excess"),
    "stray": partial(irregular.wrong_count, key="stray"),
    "boxed": _boxed,
    "count": irregular.count,
    "taken": partial(_noted, "players protect their own hands", "8.14"),
    "viewed": partial(_noted, "a hand that was shown to one is shown to all, on request", "9.2"),
    # rulings
    "misdeal": irregular.misdeal,
    "reconstruct": irregular.reconstruct,
    "invalidate": irregular.invalidate,
    "exclude": irregular.exclude,
    "dead": irregular.dead,
    "ask": irregular.ask,
    # cards
    "burn": deck.burned,
    "checked": deckcare.checked,
    "shuffled": _shuffled,
    "cut": _cut,
    "replaced": deckcare.replaced,
    # the sign
    "set": sign.set_options,
    "notice": limit_sign.notice,
    "close-table": sign.close_table,
    "open-table": limit_sign.open_table,
    # bonus prizes
    "bonus": bonus.claim,
    "confirm-bonus": bonus.confirm,
}
