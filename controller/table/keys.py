"""The keys of the console: reports are always taken, wishes may be refused."""

from __future__ import annotations

from collections.abc import Callable

from controller.house import jackpot
from controller.house.irregular import answer, consider, joins
from controller.house.layout import Choice, Layout, Settle
from controller.house.turned import note_compared
from controller.table import deck as deckcare
from controller.table import people, sign
from controller.table.duties import missing, spoken
from controller.table.facts import Key
from controller.table.jackpot import system as jackpot_system
from controller.table.keyforms import misfit
from controller.table.prompts import TALK
from controller.table.roles import allow
from controller.table.state import area_of, key, wagered
from controller.table.step import Refusal, Step
from controller.table.view import deck_trouble, no_cards

REPORTS = frozenset(
    {
        "announced",
        "boxed",
        "burn",
        "count",
        "excess",
        "exposed",
        "leave",
        "looked",
        "short",
        "stray",
        "taken",
        "unable",
        "viewed",
    }
)

Handler = Callable[[Step, tuple[str, ...]], None]


def key_pressed(s: Step, pressed: Key) -> None:
    wrong = misfit(pressed.key, pressed.args)
    if wrong:
        raise Refusal("", wrong)
    fact = Key(pressed.key, tuple(_plain(arg) for arg in pressed.args))
    allow(s, fact.key, fact.args)
    talk = s.t.talk
    if talk is not None and answer(s, talk, fact):
        return
    handler = TABLE_KEYS.get(fact.key)
    if handler is not None and not (fact.key == "count" and s.round is not None):
        handler(s, fact.args)
        return
    f = s.look()
    if f is None:
        if fact.key in REPORTS:
            text = f"no round is running: {fact.key} was noted and changes nothing"
            s.prompt("dealer", text, s.book["too-late"] if s.t.round is not None else "")
            return
        raise Refusal(s.game.powers.get(fact.key, ("", s.book["announce"]))[1], "no round is running")
    if talk is not None:
        if fact.key not in REPORTS:
            raise Refusal(talk.open[0].rule, "a question is open: " + talk.open[0].text)
        if not joins(s, f, talk, fact):
            s.prompt("dealer", "answer the open question first", talk.open[0].rule, cause=(TALK,))
        if fact not in (talk.about, *talk.later):
            talk.later.append(fact)
        return
    if _decided(f, fact) or _kept(s, f, fact):
        return
    consider(s, f, fact)
    if fact.key == "count":
        s.t.deck.unverified = ""


def _decided(f: Layout, fact: Key) -> bool:
    """A decision without chips."""
    word = " ".join((fact.key, *fact.args[1:]))
    for request in f.waiting:
        if isinstance(request, Choice) and word in request.words and fact.args[0] == request.place:
            f.round.choices[request.at] = word
            f.round.offers.pop(request.place, None)
            if fact.key == "fold":
                f.round.rack.append(request.place)
            return True
    return False


def _kept(s: Step, f: Layout, fact: Key) -> bool:
    """The answer of somebody who may take the wagers back."""
    place = fact.args[0] if fact.args else ""
    if fact.key not in ("keep", "retract") or place not in f.round.offers:
        return False
    rule = f.round.offers.pop(place)
    if fact.key == "retract":
        lines = jackpot.taken_back(s, s.open_lines(rule, "returned", place))
        s.seal(lines)
        if rule == s.book.get("rebuild"):  # the cards will be laid without this place
            for line in lines:
                f.round.wagers.pop(key(line.place, line.spot), None)
    return True


def _plain(arg: str) -> str:
    """A first bettor's place is written without a number."""
    area, _, bettor = arg.partition(".")
    return area if area.isdigit() and bettor == "1" else arg


def no_more_bets(s: Step, args: tuple[str, ...]) -> None:
    r = s.running(s.book["announce"])
    if r.closed:
        raise Refusal(s.book["announce"], "betting is closed already")
    if not wagered(r):
        raise Refusal(s.book["announce"], "there is no wager for which cards are dealt")
    s.close_betting("announced")
    _incomplete(s)
    jackpot.register(s)
    if s.t.held and deck_trouble(s.t, s.game) is None:
        s.close_betting("dealt")  # a card held from the last round is dealt at once


def _incomplete(s: Step) -> None:
    """Areas whose wagers are not enough to be dealt cards."""
    f = s.look()
    if f is None:
        return
    served, rule = s.game.upcoming(f)
    for place in f.places(*s.game.opening):
        if str(area_of(place)) not in served:
            s.prompt("dealer", "no cards are dealt there: a wager is missing", no_cards(f, place, rule), place)


def settle(s: Step, args: tuple[str, ...]) -> None:
    """What is decided now is settled, and that is final."""
    r = s.running(s.book["finished"])
    f = s.before  # nothing has changed since the key was pressed
    for request in f.waiting if f is not None and s.t.talk is None else ():
        if isinstance(request, Settle) and f is not None:
            r.offers = {}  # whoever said nothing has kept the wagers
            hands = readable_hands(s, f)
            note_compared(r, request.lines)
            s.seal(list(request.lines))
            s.paying = True
            for tell in f.advice:
                s.ruled("continue", tell.rule, tell.text)
                s.prompt(tell.role, tell.text, tell.rule, tell.place, tell.offers)
            after = s.look() if s.jackpot is not None else None
            if after is not None and after.done:
                jackpot.judge(s, hands)
            return
    if f is not None and f.done and f.unjudged() and s.t.talk is None:
        jackpot.judge(s, readable_hands(s, f))
        return
    asked = [q.rule for q in s.t.talk.open] if s.t.talk is not None else []
    open_ = asked or [request.rule for request in f.waiting] if f is not None else []
    raise Refusal(open_[0] if open_ else s.book["finished"], f"nothing can be settled now: {missing(s.t, s.game, f)}")


def readable_hands(s: Step, f: Layout) -> dict[str, list[str] | None]:
    """The hands that a Jackpot is judged on; never guessed where a card could not be read."""
    hands = jackpot.hands(f)
    if jackpot.unread(hands):
        where = " and ".join(spoken(place) for place in hands if jackpot.unread({place: hands[place]}))
        text = f"a card of {where} could not be read: the supervisor names it first, such as reconstruct 1=Kh"
        raise Refusal(s.game.powers["reconstruct"][1], text)
    return hands


def invalidate(s: Step, args: tuple[str, ...]) -> None:
    """The outcome of the round that is running, or of the last one."""
    f = s.look()
    if f is not None:
        consider(s, f, Key("invalidate", args))
        return
    rule = s.book.get(f"invalid {args[0]}", s.game.powers[f"invalidate {args[0]}"][1])
    r = s.t.round
    if r is None or r.outcome != "settled":
        raise Refusal(rule, "there is no outcome to invalidate")
    jackpot.undo(s, s.book["refund"])
    s.reverse(s.book["refund"], "void")
    r.outcome, r.rule = "void", rule
    s.ruled("void", rule, "the outcome is invalid")


TABLE_KEYS: dict[str, Handler] = {
    "seat": people.seat,
    "leave": people.leave,
    "owner": people.owner,
    "marker": people.marker,
    "exclude": people.exclude,
    "no-more-bets": no_more_bets,
    "settle": settle,
    "invalidate": invalidate,
    "checked": deckcare.checked,
    "shuffled": deckcare.shuffled,
    "cut": deckcare.cut,
    "refuse-cut": deckcare.refuse_cut,
    "cutting-card": deckcare.cutting_card,
    "replaced": deckcare.replaced,
    "count": deckcare.count,
    "show-burn": deckcare.show_burn,
    "start-jackpot": jackpot.start,
    "cancel-jackpot": jackpot.cancel,
    "confirm-jackpot": jackpot.confirm,
    "close-jackpot": jackpot_system.close,
    "set": sign.set_options,
    "notice": sign.notice,
    "close-table": sign.close_table,
    "open-table": sign.open_table,
}
