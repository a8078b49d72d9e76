"""What document 003 says of both its games: the cards, the powers, the irregularities; some of it 001 says alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Annotated, ClassVar, Final, Literal

from msgspec.structs import replace

from controller.hands import Hand, best
from controller.house.common import name_cards, others_at_stake, spoken_place
from controller.house.documents import HouseDocument
from controller.house.game import HouseGame
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import COMMUNITY, Layout, Script, burn, deal, lay_out
from controller.house.options import JackpotHouse, Shoe
from controller.house.rulings import (
    EARLY,
    Change,
    CountDue,
    Dialogue,
    End,
    Flag,
    GiveBack,
    Kept,
    Lose,
    MarkDeal,
    Offer,
    Ordered,
    Racked,
    Ruling,
    ShoeVoid,
    Tell,
    Warn,
    only_tell,
    refuse,
)
from controller.places import DEALER
from controller.rules import Cited
from controller.table.facts import AnyFact, Key
from controller.table.requests import Choice, Open, Order
from controller.table.state import Mark, Question, key
from controller.table.values import Count, Money, Switch, only, within

HANDS: Final = "hands"  # the initial deal
STREETS: Final = ("flop", "turn", "river")
BURNS: Final = {"flop": "7.4.4(a)", "turn": "7.4.6(a)", "river": "7.4.8(a)"}


class VictoriaOptions(JackpotHouse, frozen=True, kw_only=True):
    """A table of document 003."""

    kind: ClassVar[Literal["nsw", "vic"]] = "vic"

    seats: Annotated[Count, within(1, 9, "a table has places for nine players or fewer", "2.1")] = 9
    shoe: Annotated[
        Shoe,
        only(
            *("hand", "batch"),
            says="all cards are dealt from a dealing shoe; a machine only shuffles them",
            rule="2.3",
        ),
    ] = "hand"
    burn: Annotated[Switch, "burn cards leave the shoe and are read"] = False
    jackpot_reset: Money = 10_000_00

    def forbidden(self, house: Mapping[str, str]) -> Cited | None:
        """What the rules have against these options together."""
        if self.shoe == "batch" and self.same_backs:
            return Cited("3.1.1(b)", "the two decks have backs of different colours")
        return None


class Victoria(HouseGame):
    """The two games of document 003 share everything but their wagers."""

    opening: ClassVar[tuple[str, ...]]
    required: ClassVar[tuple[str, ...]] = ("ante",)  # without them no cards are dealt
    document: ClassVar[HouseDocument]
    keys: ClassVar = HOUSE_KEYS

    # ---- 11: irregularities

    def irregular(self, f: Layout, fact: AnyFact) -> Dialogue:
        if too_soon(f, fact):
            return only_tell("7.3.1", "no card was dealt yet")
        match fact:
            case Key("exposed", (place, *_)):
                return self.exposed(f, place)
            case Key("short" | "excess" as what, (place, *which)):
                return (yield from self.wrong_number(f, what, place, which))
            case Key("stray", (place,)):
                return (yield from self.stray(f, place))
            case Key("taken", (place, *named)):
                return taken(f, place, named, "11.7", "11.7.3")
            case Key("count", (n,)):
                return counted(f, int(n))
            case Key("unable", (place,)):
                return unable(f, place, "11.10", self.opening)
            case Key("viewed", places):
                return (yield from self.viewed(f, places))
            case Key("order", (word,)):
                return (yield from self.order(f, word))
            case Key("misdeal", _):
                if not f.places(*self.opening):
                    return misdeal("11.5", "cards were dealt without a wager")
                return refuse("11.5", "nothing was reported that makes a misdeal")
            case Key("reconstruct", args):
                return cards_named(f, args)
            case Key("invalidate", ("fraud" | "disturbance" as cause,)):
                changes = (End("void", "14.4", reverse=True),)
                return Ruling(f.cites.invalid(cause), "the outcome is invalid", "void", changes)
            case Key("looked", _):
                return Ruling("7.4.1", "the players have looked at their cards", "", (Flag("looked", "7.4.1"),))
            case Key("announced", _):
                return only_tell("7.4.1", "the players may decide")
            case Key("burn", (place,)):
                return only_tell("11.6", "no cards were reported there", place=place)
            case Key("void", _):
                return refuse("11.12", "no hand was reported that would be void")
            case Key("fold" | "check" as word, (place, *_)):
                return refuse(self.no_decision(f, word, place), f"{word} is not offered there now")
            case Key("keep" | "retract", _):
                return refuse("11.6", "nothing was offered there")
        return refuse("11", "this key does not apply now")

    def no_decision(self, f: Layout, word: str, place: str) -> str:
        """The rule by which nobody may fold or check there now."""
        raise NotImplementedError

    def exposed(self, f: Layout, place: str) -> Ruling:
        """11.1 in the initial deal; 11.8 for the community cards."""
        if place in (*STREETS, COMMUNITY):
            text = "the round goes on; whoever has not decided still may"
            return Ruling("11.8", text, changes=(Flag(EARLY, "11.8"),))
        if place not in f.plans.get(HANDS, ()):
            return only_tell("7.4.9", "no card was dealt face down there: the round goes on", place=place)
        if not f.round.choices and not f.began("flop") and "looked" not in f.round.flags:
            return misdeal("11.1", "a card was exposed in the initial deal")
        return only_tell("11.1", "exposed after the initial deal: the round goes on", role="supervisor", place=place)

    def wrong_number(self, f: Layout, what: str, place: str, which: Sequence[str]) -> Dialogue:
        """11.2 for an area, 11.3 for the Flop, 11.4 for Turn, River and dealer."""
        where = latest(f) if place == COMMUNITY else place
        if where in (*STREETS, DEALER):
            return (yield from self.wrong_street(f, what, where))
        if not all(f.live(place, spot) for spot in self.required):
            return only_tell("11.2", "this area has no wager", place=place)
        number = 0 if "all" in which else next((int(word) for word in which if word.isdecimal()), 2)
        reread = (MarkDeal(Mark(HANDS, "short", place, number)),) if what == "short" else ()
        text = f"a wrong number of cards was dealt to area {place}"
        yield (
            *reread,
            Tell("supervisor", f"{text}: notify the area manager", "11.2", place),
            Question("area-manager", f"{text}: declare a misdeal", ("misdeal",), "11.2", place),
        )
        return misdeal("11.2.1", text, CountDue("11.2.2"))

    def wrong_street(self, f: Layout, what: str, where: str) -> Dialogue:
        flop = where == "flop"
        rule = "11.3" if flop else "11.4"
        text = f"a wrong number of cards at {'the dealer' if where == DEALER else f'the {where}'}"
        answers = yield (
            Question("supervisor", f"{text}: is their order known?", ("order", "reconstruct", "misdeal"), rule, where),
            Tell("area-manager", text, rule, where),
        )
        if answers[where] in ("order unknown", "misdeal"):
            return misdeal(f"{rule}.2", f"{text}, and their order is not known", jackpot_stays=not flop)
        surplus = beyond(f, where) if what == "excess" else 0
        return Ruling(f"{rule}.1", "the game goes on", changes=(Kept(surplus, f"{rule}.1"),))

    def order(self, f: Layout, word: str) -> Dialogue:
        """Cards that left together: the same rules, by where they would lie."""
        request = next((q for q in f.waiting if isinstance(q, Order)), None)
        if request is None:
            return refuse("11.3", "no cards left together")
        if word == "known":
            return Ruling(together(f), "the order is known", changes=(Ordered(request.group),))
        if not f.complete(HANDS):
            text = "the order of the players' cards is not known"
            yield (Question("area-manager", f"{text}: declare a misdeal", ("misdeal",), "11.2"),)
            return misdeal("11.2.1", text, CountDue("11.2.2"))
        text = "the order of the cards is not known"
        return misdeal(f"{together(f)}.2", text, jackpot_stays=f.complete("flop"))

    def stray(self, f: Layout, place: str) -> Dialogue:
        """11.5 before the players look, 11.6 after it."""
        known = any(m.what == "stray" and m.place == place for m in f.round.marks)
        if place in f.plans.get(HANDS, ()) and not known:
            return only_tell("11.5", "this area has the wager it needs", place=place)
        if f"burned {place}" in f.round.flags:
            return only_tell("11.6", "these cards were burned already", place=place)
        text, mark = f"cards were dealt to area {place} without a wager", MarkDeal(Mark(HANDS, "stray", place))
        if not looked(f) or unfinished(f, mark.mark):
            yield (mark, Question("supervisor", f"{text}: declare a misdeal", ("misdeal",), "11.5", place))
            return misdeal("11.5", text)
        seen = Flag("looked", "7.4.1")  # also when the deal, read anew, turns out to be unfinished
        yield (mark, seen, Question("supervisor", f"{text}: have them burned", ("burn",), "11.6", place))
        changes = (Flag(f"burned {place}", "11.6"), Offer(others_at_stake(f), "11.6"))
        return Ruling("11.6", "the cards are burned; the players may retract", changes=changes)

    def viewed(self, f: Layout, places: Sequence[str]) -> Dialogue:
        """11.12: a player saw a hand that had to be played blind."""
        extra = [p for p in places if p in f.table.blind]
        if not extra:
            return only_tell("5.12.2", "every player may view the hand at their own seat")
        home = f.table.blind[extra[0]]
        if len(places) == 1:
            text = f"the hand of area {extra[0]} was viewed: deem it that of area {home}"
            answers = yield (Question("supervisor", text, ("reconstruct",), "11.12.1", extra[0]),)
            if answers[extra[0]] != "reconstruct":
                return refuse("11.12.1", "the two hands change places first: press reconstruct alone")
            deemed_own = Flag(f"deemed {home} {extra[0]}", "11.12.1")
            text = "the viewed hand counts as the player's own"
            return Ruling("11.12.1", text, "reconstructed", (deemed_own,))
        text = "was viewed and had to be played blind: it is void"
        yield tuple(Question("supervisor", f"area {p} {text}", ("void",), "11.12.2", p) for p in extra)
        void = tuple(GiveBack(p, "void", "11.12.2") for p in extra)
        mine = [p for p, who in f.table.seats.items() if who == f.table.seats.get(home)]
        offer = Offer(others_at_stake(f, *mine), "11.12.2(a)")
        return Ruling("11.12.2", "the viewed hands are void; the others may retract", "void", (*void, offer))


# ---- what 001 says alike


def misdeal(rule: str, text: str, *more: Change, jackpot_stays: bool = False) -> Ruling:
    return Ruling(rule, text, "misdeal", (End("misdeal", rule, jackpot_stays=jackpot_stays), *more))


def taken(f: Layout, place: str, named: Sequence[str], rule: str, back: str) -> Ruling:
    """001 9.9, 003 11.7: named cards on top of the rack come back, and so do the only ones there; else the wagers."""
    if not any(f.live(place, spot) for spot in f.game.opening):
        return only_tell(rule, "nothing is at stake there", place=place)
    if named and sorted(named) == sorted(f.hands.get(place, [])):
        return Ruling(f"{rule}.1", "the cards go back to the player", changes=(Racked(place, back=True),))
    claimed = named and f.game.document.policy.claims_bind  # cards that were not there are nobody's
    if not claimed and not f.burns and not [p for p in f.round.rack if p != place]:
        return Ruling(f"{rule}.2", "the only cards there go back", changes=(Racked(place, back=True),))
    changes = (Racked(place), GiveBack(place, "returned", back))
    return Ruling(f"{rule}.2", "the cards stay in the rack, the wagers go back", changes=changes)


def counted(f: Layout, n: int) -> Ruling:
    """001 9.10, 003 11.9, or what asked for the count."""
    deck = f.table.deck
    rule = deck.unverified or f.cites.count
    if n == 52:
        return Ruling(rule, "all 52 cards are there")
    if deck.after_misdeal:
        rule = f.cites.bad_after
    if deck.after_misdeal and not f.round.tape:  # this round has no part in it
        return Ruling(rule, f"{n} cards instead of 52", changes=(ShoeVoid(rule),))
    changes = (End("void", rule), ShoeVoid(rule))
    return Ruling(rule, f"{n} cards instead of 52: the round is void", "void", changes)


def unable(f: Layout, place: str, rule: str, forfeited: Sequence[str]) -> Ruling:
    """001 9.11, 003 11.10: the hand is void the first time; the next time these wagers are forfeited."""
    if not any(isinstance(q, Choice) and q.place == place for q in f.waiting):
        return only_tell(rule, "no wager is due there", place=place)
    person = f.table.people.get(f.table.seats.get(place, ""))
    if person is not None and person.unable:
        changes: tuple[Change, ...] = (
            Lose(place, rule, tuple(forfeited)),
            GiveBack(place, "void", rule),
            Racked(place),
        )
        return Ruling(rule, "the first wagers are forfeited", "forfeited", changes)
    text = "tell the player: the next time the first wagers are forfeited"
    changes = (GiveBack(place, "void", rule), Racked(place), Warn(place), Tell("dealer", text, rule, place))
    return Ruling(rule, "the hand is void", changes=changes)


def too_soon(f: Layout, fact: AnyFact) -> bool:
    """A report about cards although none was dealt."""
    words = ("exposed", "short", "excess", "stray", "taken", "viewed")
    return isinstance(fact, Key) and fact.key in words and not f.round.tape


# ---- the cards


def street(
    f: Layout, name: str, count: int, *, rule: str, open_: Sequence[Choice], needed: bool, place: str = COMMUNITY
) -> Script:
    """These cards follow when everybody has decided; if they come before that, they lie there all the same (11.8).

    When nobody needs them any more, only those that are out already are laid.
    """
    open_ = sorted(open_, key=lambda q: bool(found(f, q)))  # a key is for those who have nothing lying there
    if any(not found(f, q) for q in open_) and not f.early:
        yield tuple(open_)
    burned: Iterable[Open] = burn(f, f"burn {name}", rule=BURNS[name]) if name in BURNS and f.burning else ()
    for waiting in chain(burned, deal(f, name, [place], cards=count, rule=rule)):
        if not needed:
            return
        yield (*waiting, *open_)


def deemed(f: Layout) -> list[tuple[str, str]]:
    """11.12.1: seats, and the viewed hands that count as theirs."""
    return [(flag.split(" ")[1], flag.split(" ")[2]) for flag in f.round.flags if flag.startswith("deemed ")]


def exchange(f: Layout) -> None:
    """11.12.1: a hand that was viewed counts as the one dealt to its player's seat."""
    for home, other in deemed(f):
        if home in f.hands and other in f.hands:
            f.hands[home], f.hands[other] = f.hands[other], f.hands[home]


def cards_named(f: Layout, args: tuple[str, ...]) -> Ruling:
    """Cards named by somebody who sees them, wherever they were dealt."""
    where = {place: place for place in f.plans.get(HANDS, ())}
    for home, other in deemed(f):
        where[home], where[other] = where.get(other, other), where.get(home, home)
    given = tuple(f"{where.get(place, place)}={cards}" for place, _, cards in (arg.partition("=") for arg in args))
    as_dealt = replace(f.round, flags={k: v for k, v in f.round.flags.items() if not k.startswith("deemed ")})
    return name_cards(lay_out(f.table, as_dealt, f.game), given, "14.10")


def latest(f: Layout) -> str:
    """Where the last card went: the initial deal, a street, or the dealer."""
    begun = [name for name in (*STREETS, "dealers") if f.began(name)]
    return begun[-1].replace("dealers", DEALER) if begun else HANDS


def beyond(f: Layout, where: str) -> int:
    """How many cards left the shoe after the last one that this place should have."""
    name = where if where != DEALER else "dealers" if "dealers" in f.plans else HANDS
    count = 0
    for deal_name, plan in f.plans.items():
        count += len(plan)
        if deal_name == name:
            break
    return max(0, sum(not d.out for d in f.round.tape) - count)


def together(f: Layout) -> str:
    """The rule for cards that should lie where the next ones go."""
    if not f.complete(HANDS):
        return "11.2"
    return "11.4" if f.complete("flop") else "11.3"


def surplus(f: Layout) -> Cited:
    """A card that left the shoe although none was due."""
    rule = {HANDS: "11.2", "flop": "11.3"}.get(latest(f), "11.4")
    where = {HANDS: "an area"}.get(latest(f), spoken_place(DEALER) if latest(f) == DEALER else f"the {latest(f)}")
    return Cited(rule, f"no card is due: if it lies at {where}, say so with excess")


def looked(f: Layout) -> bool:
    """The players have looked at their cards: by the key, or with the last card."""
    if "looked" in f.round.flags:
        return True
    return f.table.options.of(VictoriaOptions).announce == "last-card" and (f.complete(HANDS) or f.began("flop"))


def unfinished(f: Layout, mark: Mark) -> bool:
    """Read anew with this mark the initial deal needs more cards than are out: nobody was told to decide yet."""
    if f.round.choices or any(flag in f.round.flags for flag in ("looked", "announced")):
        return False
    marks = f.round.marks if mark in f.round.marks else [*f.round.marks, mark]
    return not lay_out(f.table, replace(f.round, marks=marks), f.game).complete(HANDS)


def found(f: Layout, choice: Choice) -> int:
    """11.11: chips that lie there although they were refused, while nothing else was decided."""
    return f.round.sensed.get(key(choice.place, choice.spot), 0)


def incomplete(f: Layout, places: Sequence[str]) -> list[str]:
    """Hands that have not two cards: only a misdeal is left for them (11.2)."""
    return [p for p in places if len(f.hands.get(p, ())) != 2]


def five(f: Layout, place: str) -> Hand:
    """7.4.9, 8.1.1: the best five of two cards and the community cards."""
    return best(f.hands[place] + f.hands[COMMUNITY])
