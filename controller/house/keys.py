"""The keys of the house's games: who presses them, what they do.  Reports are always taken, wishes may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from controller.cards import UNREAD
from controller.house import deck, jackpot, promotions
from controller.house.exclusion import exclude, void_wagers
from controller.house.irregular import answer, consider, joins
from controller.house.layout import Layout
from controller.house.state import FOLDED
from controller.house.step import HouseStep
from controller.house.turned import note_compared
from controller.places import JACKPOT, area_of, is_place, plain_place
from controller.table import causes, facts, people, sign
from controller.table import deck as deckcare
from controller.table.deck import deck_trouble
from controller.table.declare import AREA, COUNT, PLACES, PLAYER, SPOT, Key, handlers, optional, with_wager, word
from controller.table.documents import CAUSES, Power, Powers
from controller.table.duties import missing, spoken
from controller.table.jackpot import system as jackpot_system
from controller.table.keys import COUNTED, FOR_ENGINES, ON_AN_OFFER, RETRACT
from controller.table.requests import Choice, Decision, Settle
from controller.table.roles import allow, declared
from controller.table.state import Line, Table, Talk, wagered
from controller.table.step import Refusal

Handler: TypeAlias = Callable[[HouseStep, tuple[str, ...]], None]


def key_pressed(s: HouseStep, pressed: facts.Key) -> None:
    """Does what a key means at a table of the house."""
    key = declared(s, pressed)
    fact = facts.Key(key.name, tuple(plain_place(arg) if is_place(arg) else arg for arg in pressed.args))
    allow(s, key, fact.args)
    if s.t.talk is not None and answer(s, s.t.talk, fact):
        return
    handler = HANDLERS.get(key.name) or promotions.HANDLERS.get(key.name)
    if handler is None:
        by_game(key, s, fact.args, s.look_first())
    else:
        handler(s, fact.args)


def by_game(key: Key, s: HouseStep, args: tuple[str, ...], f: Layout | None) -> None:
    """Asks the game what this key means in the round that is running, as it lies there now."""
    fact, talk = facts.Key(key.name, args), s.t.talk
    if f is None:
        _no_round(s, key)
    elif talk is not None:
        _in_the_way(s, f, talk, key, fact)
    elif not (_decided(f, fact) or _kept(s, f, fact)):
        consider(s, f, fact)


def _no_round(s: HouseStep, key: Key) -> None:
    if not key.report:
        power = key.given(s.powers)
        raise Refusal(s.cites.announce if power is None else power.rule, "no round is running")
    text = f"no round is running: {key.name} was noted and changes nothing"
    s.prompt("dealer", text, s.cites.too_late if s.t.round is not None else "")


def _in_the_way(s: HouseStep, f: Layout, talk: Talk, key: Key, fact: facts.Key) -> None:
    """Refuses a key that answers no open question; a report waits until they are answered."""
    if not key.report:
        raise Refusal(talk.open[0].rule, "a question is open: " + talk.open[0].text)
    if not joins(s, f, talk, fact):
        later = causes.Later(key.without_words(fact.args))
        s.prompt("dealer", "answer the open question first", talk.open[0].rule, cause=later)
    if fact not in (talk.about, *talk.later):
        talk.later.append(fact)


def _decided(f: Layout, fact: facts.Key) -> bool:
    """Takes a decision without chips; False when nobody waits for it."""
    decision = Decision(fact.key, fact.args[1:])
    offered = [q for q in f.waiting if isinstance(q, Choice) and decision in q.words]
    request = next((q for q in offered if q.place == fact.args[0]), None)
    if request is None:
        return False
    f.own.choices[request.at] = decision
    f.own.offers.pop(request.place, None)
    if decision in FOLDED:
        f.own.rack.append(request.place)
    return True


def _kept(s: HouseStep, f: Layout, fact: facts.Key) -> bool:
    """Takes the answer of somebody who may take the wagers back; False when nobody was asked."""
    if fact.key not in ON_AN_OFFER:
        return False
    place = fact.args[0]
    if place not in f.own.offers:
        return False
    rule = f.own.offers.pop(place)
    if fact.key == RETRACT.name:
        lines = jackpot.taken_back(s, s.open_lines(rule, "returned", place))
        s.settle(lines)
        if s.policy.leaves_the_deal:
            for line in lines:
                f.round.wagers.pop(line.at, None)
    return True


def no_more_bets(s: HouseStep, args: tuple[str, ...]) -> None:
    """Closes the betting: the Jackpot wagers that lie there are registered."""
    r = s.running(s.cites.announce)
    if r.closed:
        raise Refusal(s.cites.announce, "betting is closed already")
    if not wagered(r):
        raise Refusal(s.cites.announce, "there is no wager for which cards are dealt")
    s.close_betting("announced")
    _incomplete(s)
    jackpot.register(s)
    if s.t.held and deck_trouble(s.t, s.game) is None:
        s.close_betting("dealt")  # a card held from the last round is dealt at once


def _incomplete(s: HouseStep) -> None:
    """Tells the dealer of areas whose wagers are not enough to be dealt cards."""
    f = s.look()
    assert f is not None
    served, rule = s.game.upcoming(f)
    for place in f.places(*s.game.opening):
        if str(area_of(place)) not in served:
            why = s.game.left_out(f, place) or rule
            s.prompt("dealer", "no cards are dealt there: a wager is missing", why, place)


def settle(s: HouseStep, args: tuple[str, ...]) -> None:
    """Settles what is decided now; that is final."""
    s.running(s.cites.finished)
    f = s.before  # nothing has changed since the key was pressed
    assert f is not None
    request = next((q for q in f.waiting if isinstance(q, Settle)), None)
    if request is None or s.t.talk is not None:
        raise _nothing_to_settle(s, f)
    _settle(s, f, request.lines)


def _settle(s: HouseStep, f: Layout, lines: tuple[Line, ...]) -> None:
    """Settles these lines, tells what is wrong with them, and judges the Jackpot wagers after the last ones."""
    s.own.offers = {}  # whoever said nothing has kept the wagers
    hands = readable_hands(s, f)
    note_compared(s.own, s.game.seen_folded, lines)
    s.settle(list(lines))
    s.paying = True
    for tell in f.advice:
        s.ruled("continue", tell.rule, tell.text)
        s.prompt(tell.role, tell.text, tell.rule, tell.place, tell.offers)
    after = s.look() if s.jackpot is not None else None
    if after is not None and (after.done or after.claims_alone()):
        jackpot.judge(s, hands)


def _nothing_to_settle(s: HouseStep, f: Layout) -> Refusal:
    """Returns the refusal to settle: by the rule of the first open question, or of what the table waits for."""
    why = f"nothing can be settled now: {missing(s.t, s.game)}"
    asked = s.t.talk.open if s.t.talk is not None else ()
    rules = [question.rule for question in asked] or [request.rule for request in f.waiting]
    return Refusal(rules[0] if rules else s.cites.finished, why)


def readable_hands(s: HouseStep, f: Layout) -> dict[str, list[str] | None]:
    """Returns the hands that a Jackpot is judged on; never guessed where a card could not be read, or came twice."""
    hands = jackpot.hands(f)
    if unknown := jackpot.unknown(hands):
        cards = [card for place in unknown for card in hands[place] or ()]
        what = "could not be read" if UNREAD in cards else "is missing, or came twice"
        where = " and ".join(map(spoken, unknown))
        text = f"a card of {where} {what}: the supervisor names it first, such as reconstruct 1=Kh"
        raise Refusal(s.powers.reconstruct.rule, text)
    return hands


def invalidate(s: HouseStep, args: tuple[str, ...]) -> None:
    """Rules that the outcome of the round that is running, or of the last one, does not count."""
    f = s.look()
    if f is not None:
        consider(s, f, facts.Key("invalidate", args))
        return
    cause = CAUSES[args[0]]
    rule = s.cites.invalid(cause) or s.powers.invalidate(cause).rule
    r = s.t.round
    if r is None or r.outcome != "settled":
        raise Refusal(rule, "there is no outcome to invalidate")
    jackpot.undo(s, s.cites.refund)
    s.reverse(s.cites.refund, "void")
    r.outcome, r.rule = "void", rule
    s.ruled("void", rule, "the outcome is invalid")


def count(s: HouseStep, args: tuple[str, ...]) -> None:
    """Takes a count of the cards: in a round the game says what it means."""
    if s.round is None:
        deckcare.count(s, args)
        return
    asked = s.t.talk is not None
    by_game(COUNTED, s, args, s.look())
    if not asked:
        s.t.deck.counted()


# ---- the keys of the house's games, each with what it does


def for_the_machine(powers: Powers, t: Table, args: tuple[str, ...]) -> tuple[Power | None, ...]:
    """Returns the power to declare a hand or the round void; another one when the machine has failed."""
    return (powers.void_machine if not args and "shuffler" in t.faults else powers.void,)


BY_GAME: Final = None  # the game itself says what it means, in the round that is running

_OWN: Final[dict[Key, Handler | None]] = {
    Key(
        "no-more-bets",
        plays=True,
        says="betting is over",
        besides={JACKPOT: "the Jackpot wagers lying there are registered, and the meter rises"},
    ): no_more_bets,
    Key("announced", report=True, says="the players were told to decide"): BY_GAME,
    Key("looked", report=True, says="the players have looked at their cards"): BY_GAME,
    Key(
        "fold",
        AREA,
        optional(with_wager("pair-plus", word("ante"))),
        plays=True,
        says="the player gives up",
        besides={"pair-plus": "with `ante`, Pair Plus stays in play"},
    ): BY_GAME,
    Key("check", AREA, plays=True, says="the player checks"): BY_GAME,
    Key("surrender", AREA, plays=True, says="the player surrenders"): BY_GAME,
    Key("unable", AREA, report=True, says="the player cannot place the wager that is due"): BY_GAME,
    Key(
        "confirm-jackpot",
        plays=True,
        power=lambda powers: powers.confirm_jackpot,
        says="the royal and straight flush prizes that wait here are paid",
        wager=JACKPOT,
    ): jackpot.confirm,
    Key("owner", AREA, AREA, says="the first area is an extra, blind hand of the person at the second"): people.owner,
    Key("seat", PLACES, optional(PLAYER), anyone=True, says="somebody sits down there"): people.seat,
    Key("show-burn", says="the burn card is turned on request"): deck.show_burn,
    Key("burn", AREA, report=True, power=lambda powers: powers.burn, says="the stray cards there are burned"): BY_GAME,
    Key(
        "void",
        optional(AREA),
        final=True,
        power=lambda powers: powers.void,
        by=for_the_machine,
        says="that hand, or the round, is void",
    ): BY_GAME,
    Key(
        "refuse",
        AREA,
        SPOT,
        power=lambda powers: powers.refuse,
        says="a wager is refused before the deal",
    ): BY_GAME,
    Key("refuse-cut", AREA, says="this player does not want to cut"): deck.refuse_cut,
    Key("cutting-card", COUNT, says="the cutting card is put N cards from the back"): deck.cutting_card,
}
_OF_EVERY_TABLE: Final[dict[str, Handler | None]] = {
    "settle": settle,
    **dict.fromkeys(("exposed", "short", "excess", "stray", "taken", "viewed"), BY_GAME),
    "count": count,
    **dict.fromkeys(("order", "keep", "retract", "misdeal", "reconstruct", "agree"), BY_GAME),
    "invalidate": invalidate,
    "exclude": exclude,
    "void-wagers": void_wagers,
    "checked": deckcare.checked,
    "shuffled": deckcare.shuffled,
    "cut": deckcare.cut,
    "replaced": deckcare.replaced,
    "notice": sign.notice,
    "set": sign.set_options,
    "marker": people.marker,
    "close-table": sign.close_table,
    "open-table": sign.open_table,
    "start-jackpot": jackpot.start,
    "cancel-jackpot": jackpot.cancel,
    "close-jackpot": jackpot_system.close,
    "leave": people.leave,
}
HOUSE_KEYS: Final = tuple(_OWN)
DECISIONS: Final = ("fold", "check", "surrender")  # which of them players have, each game says
NEVER_USED: Final = ("agree",)
ABOUT_CUTTING: Final = ("refuse-cut", "cutting-card")  # where players cut
HANDLERS: Final = handlers(
    (*FOR_ENGINES, *HOUSE_KEYS), _OF_EVERY_TABLE | {key.name: does for key, does in _OWN.items()}
)
