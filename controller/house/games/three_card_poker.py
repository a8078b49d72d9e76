"""Three Card Poker (document 001), in the order of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final

from msgspec import UNSET, UnsetType

from controller.hands.categories import ThreeCategory as C
from controller.hands.hand import ThreeCardHand
from controller.hands.three import QUEEN_HIGH, best_three
from controller.house.common import (
    added,
    is_machine,
    name_cards,
    others_at_stake,
    spoken_category,
    spoken_place,
    unread_places,
    wrong_backs,
)
from controller.house.documents.three_card import THREE_CARD
from controller.house.game import HouseGame
from controller.house.games.victoria import HANDS, counted, misdeal, taken, too_soon, unable, unfinished
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import (
    Layout,
    Script,
    Stake,
    Verdict,
    choose,
    deal,
    next_place,
    paying,
    settle,
    take_wagers,
    with_dealer,
)
from controller.house.options import House, Shoe
from controller.house.rulings import (
    AlsoRuled,
    Change,
    Covers,
    Decide,
    Dialogue,
    End,
    Flag,
    GiveBack,
    MarkDeal,
    Offer,
    Ordered,
    Racked,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    only_tell,
    refuse,
)
from controller.house.wagers import lose, returned, stake, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER
from controller.rules import Cited
from controller.table.facts import AnyFact, Key
from controller.table.requests import Choice, Order, Press
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line, Mark, Question, key
from controller.table.values import Count, Money, Switch, never, one_of, only, within

EVEN: Final = Odds(1)  # 8.1: Ante and Play
ANTE_BONUS: Final = {  # 8.1, Table 1
    "A": {C.STRAIGHT_FLUSH: Odds(5), C.THREE_OF_A_KIND: Odds(4), C.STRAIGHT: Odds(1)},
    "B": {C.STRAIGHT_FLUSH: Odds(5), C.THREE_OF_A_KIND: Odds(3), C.STRAIGHT: Odds(1)},
    "C": {C.STRAIGHT_FLUSH: Odds(4), C.THREE_OF_A_KIND: Odds(3), C.STRAIGHT: Odds(1)},
}
PAIR_PLUS: Final = {
    name: dict(zip((C.STRAIGHT_FLUSH, C.THREE_OF_A_KIND, C.STRAIGHT, C.FLUSH, C.PAIR), map(Odds, row), strict=True))
    for name, row in {
        "A": (40, 30, 6, 4, 1),
        "B": (40, 25, 6, 4, 1),
        "C": (40, 30, 5, 4, 1),
        "D": (40, 30, 6, 3, 1),
        "E": (35, 25, 6, 4, 1),
        "F": (35, 33, 6, 4, 1),
    }.items()
}


class ThreeCardOptions(House, frozen=True, kw_only=True):
    """A Three Card Poker table."""

    seats: Annotated[Count, within(1, 9, "a table has places for nine players or fewer", "2.1")] = 9
    shoe: Annotated[
        Shoe,
        only(*("hand", "shuffler"), says="cards come from a hand shoe or a single deck shuffling shoe", rule="2.3"),
    ] = "hand"
    max_payout: Annotated[Money | UnsetType | None, never("the odds have no maximum payout", "8.1")] = UNSET
    tray: Annotated[Switch, "with a machine: the dealer's set stays in the tray until the decisions are made"] = False
    ante_bonus: Annotated[str, one_of(ANTE_BONUS), "pay table of the Ante Bonus"] = "A"
    pair_plus: Annotated[str, one_of(PAIR_PLUS), "pay table of Pair Plus"] = "A"

    def forbidden(self, house: Mapping[str, str]) -> Cited | None:
        """What the rules have against these options together."""
        if self.shoe == "shuffler" and self.same_backs:
            return Cited("3.1.1(b)", "the two decks have backs of different colours")
        if self.shoe == "hand" and self.tray:
            return Cited("7.4.2(a)", "only a single deck shuffling shoe has a tray")
        return None


def _options(f: Layout) -> ThreeCardOptions:
    return f.table.options.of(ThreeCardOptions)


class ThreeCardPoker(HouseGame):
    """Three cards each: against the dealer (Ante, Play), and by themselves (Pair Plus)."""

    name = "three-card-poker"
    options: ClassVar = ThreeCardOptions
    spots = ("ante", "play", "ante-bonus", "pair-plus")
    opening = ("ante", "pair-plus")  # 5.5
    required = ("ante",)
    document = THREE_CARD
    odds: ClassVar = {
        "ante": Edge("controller.odds.three_card_poker:ante", "with Play and Ante Bonus"),
        "pair-plus": Edge("controller.odds.three_card_poker:pair_plus", "by itself"),
    }
    keys = HOUSE_KEYS

    # ---- 5.5, 7: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="5.5")
        if not f.places():
            yield (Press("9.7", "misdeal", "supervisor"),)
        tray = _options(f).tray and is_machine(f)
        places = f.areas(*self.opening) if tray else with_dealer(f.areas(*self.opening))
        rule = "7.4" if is_machine(f) else "7.3"
        for waiting in deal(f, HANDS, places, rule=rule, cards=3, sets=is_machine(f), up=False):
            told = "announced" in f.round.flags  # 9.5: told to decide although a card is missing
            yield (*waiting, *(self.offer(f, p) for p in undecided(f))) if told else waiting
        yield from paying(f, choose(f, lambda: [self.offer(f, p) for p in undecided(f)]))
        if tray:
            yield from paying(f, deal(f, "dealer", [DEALER], rule="7.4.2(a)", cards=3, sets=True, up=False))
        if incomplete(f):
            yield (Press("9.4", "misdeal", "supervisor"),)
        if unread(f):
            yield (Press("11.10", "reconstruct", "supervisor"),)
        f.turn(DEALER)  # 7.5.4
        yield from settle(f, rule="5.10")

    def offer(self, f: Layout, place: str) -> Choice:
        """7.5.2: Play with a wager equal to the Ante, fold, or fold the Ante alone."""
        ante = self.stake(f, place, "ante").counts
        words = ("fold", "fold ante") if f.live(place, "pair-plus") else ("fold",)
        return Choice("7.5.2", place, words, "play", ante, None, (f.wager(place, "ante"),))

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """6.2; a Play wager counts for as much as the Ante that it must equal (9.12 for what is found there)."""
        if spot == "ante-bonus":
            return Stake(stake(f, place, "ante").counts)
        if spot != "play":
            return stake(f, place, spot)
        ante, lies = stake(f, place, "ante").counts, f.wager(place, "play") or found(f, place)
        return Stake(min(lies, ante), max(0, lies - ante) + added(f, place, "play"))

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if HANDS not in f.plans:
            return with_dealer(f.areas(*self.opening)), "7.3.1"
        return f.unserved(HANDS) + (f.unserved("dealer") if "dealer" in f.plans else []), "7.3.1"

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        return None

    def surplus(self, f: Layout) -> Cited:
        if announced(f):
            return Cited("9.5", "a card too many: say where it lies with excess")
        return Cited("9.4", "a card too many: say where it lies with excess")

    # ---- 5.6 to 5.8, 5.10: who wins

    def dealer(self, f: Layout) -> Verdict | None:
        return None if DEALER in f.down and "no-hand" not in f.round.flags else self.verdict(f)

    def verdict(self, f: Layout) -> Verdict | None:
        """What the dealer's hand will be worth when it is turned."""
        if "no-hand" in f.round.flags:
            return Verdict("no hand", False, f.round.flags["no-hand"])
        cards = f.hands.get(DEALER, [])
        if len(cards) != 3 or DEALER in unread_places(f):
            return None
        dealers = best_three(cards)
        qualifies = dealers >= QUEEN_HIGH
        return Verdict(spoken_category(dealers), qualifies, "5.10.2" if qualifies else "5.10.1")

    def decided(self, f: Layout) -> list[Line]:
        """Nothing is settled before everybody has decided; folded wagers were collected first."""
        if unread(f) or incomplete(f) or any(not found(f, p) for p in undecided(f)):
            return []
        compared = any(f.live(p, "ante") and not folds(f, p) for p in f.places("ante"))
        if compared and "no-hand" not in f.round.flags and len(f.hands.get(DEALER, [])) != 3:
            return []
        verdict = self.verdict(f)
        qualifies = verdict is not None and verdict.qualifies
        right = from_the_right(f.places())
        folded = [line for p in right if folds(f, p) for line in self.folded(f, p)]
        if qualifies:  # 5.10.2: hand by hand
            return folded + [line for p in right for line in (*self.antes(f, p), *self.extras(f, p))]
        antes = [line for p in right for line in self.antes(f, p) if line.spot == "ante"]  # 5.10.1(a)
        rest = [line for p in right for line in (*self.extras(f, p), *self.antes(f, p)) if line.spot != "ante"]
        return folded + antes + rest

    def folded(self, f: Layout, place: str) -> list[Line]:
        """7.5.2: the Ante is lost, and the Pair Plus wager with it unless it was kept."""
        out = []
        if f.live(place, "ante") and "no-hand" not in f.round.flags:
            at = self.stake(f, place, "ante")
            out.append(returned(place, "ante", at, at.back) if at.back else lose(place, "ante", at, "5.6.2(a)"))
        if f.live(place, "pair-plus") and f.choice("", place) == "fold":
            at = self.stake(f, place, "pair-plus")
            out.append(
                returned(place, "pair-plus", at, at.back) if at.back else lose(place, "pair-plus", at, "7.5.2(a)(i)")
            )
        return out

    def antes(self, f: Layout, place: str) -> list[Line]:
        """Ante and Play of a hand that is compared with the dealer's."""
        if not f.live(place, "ante"):
            return []
        at, more = self.stake(f, place, "ante"), self.stake(f, place, "play")
        if "no-hand" in f.round.flags:  # 9.6.2(a): a folded Ante is reinstated too
            ante = win(f, place, "ante", at, EVEN, "9.6.2(a)")
            return [ante, void(place, more)] if more.counts else [ante]
        if folds(f, place):
            return []
        if at.back:
            return [returned(place, "ante", at, at.back), returned(place, "play", more, at.back)]
        verdict, irregular = self.verdict(f), self.found_at_settlement(f, place, at, more)
        if verdict is None or not verdict.qualifies:
            return [
                win(f, place, "ante", at, EVEN, "5.6.1(a)"),
                void(place, more),
            ]
        mine, dealers = hand(f, place), best_three(f.hands[DEALER])
        if mine > dealers:
            play = win(f, place, "play", more, EVEN, irregular or "5.8.1")
            return [win(f, place, "ante", at, EVEN, "5.6.1(b)"), play]
        if mine < dealers:
            return [lose(place, "ante", at, "5.6.2(b)"), lose(place, "play", more, irregular or "5.8.2")]
        return [stand_off(place, "ante", at, "5.6.3"), stand_off(place, "play", more, irregular or "5.8.3")]

    def found_at_settlement(self, f: Layout, place: str, ante: Stake, play: Stake) -> str:
        """9.12: the excess goes back; of too little the player is told."""
        more = added(f, place, "play")
        if not more and (f.live(place, "play") or play == Stake(ante.counts)):
            return ""
        if play.surplus:
            f.advise(place, f"return {short(play.surplus)}: the Play wager is more than the Ante", "9.12.1")
            return "9.12.1"
        f.advise(place, f"tell the player: the Play wager had to be {short(ante.counts)}", "9.12.2")
        return "9.12.2"

    def extras(self, f: Layout, place: str) -> list[Line]:
        """Ante Bonus and Pair Plus: a hand by itself, whatever the dealer has."""
        out, no_hand = [], "no-hand" in f.round.flags
        bonus = ANTE_BONUS[_options(f).ante_bonus]
        ante = self.stake(f, place, "ante") if f.live(place, "ante") else Stake(0, back="-")
        bonus_due = not folds(f, place) or (no_hand and place not in unread_places(f))  # 9.6.2(b): all of them
        if not ante.back and bonus_due and (odds := bonus.get(hand(f, place).category)):
            verdict = self.verdict(f)
            qualifies = verdict is not None and verdict.qualifies
            rule = "9.6.2(b)" if no_hand else "5.10.2(d)" if qualifies else "5.10.1(b)(ii)"
            out.append(win(f, place, "ante-bonus", Stake(ante.counts), odds, rule))
        if f.live(place, "pair-plus") and f.choice("", place) != "fold":
            at = self.stake(f, place, "pair-plus")
            pays = PAIR_PLUS[_options(f).pair_plus].get(hand(f, place).category)
            if at.back:
                out.append(returned(place, "pair-plus", at, at.back))
            elif pays:
                out.append(win(f, place, "pair-plus", at, pays, "9.6.2(c)" if no_hand else "5.7.1"))
            else:
                out.append(lose(place, "pair-plus", at, "5.7.2"))
        return out

    # ---- 9: irregularities

    def irregular(self, f: Layout, fact: AnyFact) -> Dialogue:
        if too_soon(f, fact):
            return only_tell("7.3", "no card was dealt yet")
        match fact:
            case Key("exposed", (place, *which)):
                return self.exposed(f, place, which)
            case Key("short" | "excess" as what, (place, *which)):
                return (yield from self.wrong_number(f, what, place, which))
            case Key("stray", (place,)):
                return self.stray(f, place)
            case Key("burn", (place,)):
                return self.burn(f, place)
            case Key("taken", (place, *named)):
                return taken(f, place, named, "9.9", "9.9.2")
            case Key("count", (n,)):
                return counted(f, int(n))
            case Key("unable", (place,)):
                return unable(f, place, "9.11", ("ante",))
            case Key("announced", _):
                return told_to_decide(f)
            case Key("misdeal", _):
                if not f.places():
                    return Ruling("9.7", "no wagers: a misdeal", "misdeal", (End("misdeal", "9.7"),))
                return refuse("9.4", "nothing was reported that makes a misdeal")
            case Key("reconstruct", args):
                return name_cards(f, args, "11.10")
            case Key("invalidate", ("fraud" | "disturbance" as cause,)):
                back = End("void", "11.4", reverse=True)
                return Ruling(f.cites.invalid(cause), "the outcome is invalid", "void", (back,))
            case Key("order", (word,)):
                return (yield from self.order(f, word))
            case Key("fold", (place,)) if pair_plus_only(f, place):
                changes = (Decide("", place, "fold"), Racked(place))
                return Ruling("7.5.2(a)", "the hand is folded", "", changes)
            case Key("fold", (_, *ante)):
                return refuse("7.5.2(b)" if ante else "7.5.2", "nothing is to be decided there now")
            case Key("void", ()) if "shuffler" in f.table.faults:
                return Ruling("9.13", "the cards are shuffled again", "void", (End("void", "9.13"),))
            case Key("void", ()) if f.table.deck.two_colours:
                return wrong_backs(f)
            case Key("viewed", places) if any(p in f.table.blind for p in places):
                return only_tell("5.9.2", "a hand that must be played blind was viewed", role="supervisor")
            case Key("looked" | "viewed", _):
                return only_tell("7.5.1", "the players may look at their cards")
            case Key("keep" | "retract", _):
                return refuse("9.8" if stray_marks(f) else "9.5.2", "nothing was offered there")
            case Key("check" | "surrender", _):
                return refuse("7.5.2", "each player folds or plays")
        return refuse("9", "this key does not apply now")

    def exposed(self, f: Layout, place: str, which: list[str]) -> Ruling:
        """9.1 to 9.3."""
        if place not in (*f.areas(), DEALER):
            return only_tell("9.1", "no cards lie there", place=place)
        flag = Flag(f"exposed {place} {which[0] if which else len(f.hands.get(place, []))}", "9.1")
        if place == DEALER:
            return misdeal("9.3", "a card of the dealer was exposed")
        if any(name.startswith("exposed ") and name != flag.name for name in f.round.flags):
            return misdeal("9.2", "two cards were exposed")
        return Ruling("9.1", "turn the card over and go on", changes=(flag,))

    def wrong_number(self, f: Layout, what: str, place: str, which: list[str]) -> Dialogue:
        """9.4 before the players were told that they may decide; 9.5 and 9.6 after it."""
        if place not in (*f.areas(*self.opening), DEALER):
            return only_tell("9.4", "this area has no wager", place=place)
        text = f"a wrong number of cards at {spoken_place(place)}"
        reread = self.read_anew(f, what, place, which)
        if not announced(f):
            early = Flag("unannounced", "9.4")  # also when the deal, read anew, turns out to be complete
            yield (*reread, early, Question("supervisor", f"{text}: declare a misdeal", ("misdeal",), "9.4", place))
            return misdeal("9.4", text)
        rule = "9.6" if place == DEALER else "9.5"
        answers = yield (
            *reread,
            Flag("announced", "7.5.1"),
            Question("supervisor", f"{text}: have all cards counted", ("count",), rule, place, by="dealer"),
            Tell("area-manager", text, rule, place),
        )
        n = int(answers[place].split()[1])
        if n != 52:
            return misdeal(f"{rule}.1", f"{n} cards instead of 52", ShoeVoid(f"{rule}.1"))
        return self.all_counted(f, place)

    def read_anew(self, f: Layout, what: str, place: str, which: Sequence[str]) -> tuple[Change, ...]:
        """The deal as it was with this error in it."""
        if what == "excess":
            return (TakeOut(1, "9.4"),) if f.held else ()
        number = 0 if "all" in which else int(which[0]) if which else 3
        name = "dealer" if place == DEALER and "dealer" in f.plans else HANDS
        return (MarkDeal(Mark(name, "short", place, number)),)

    def all_counted(self, f: Layout, first: str) -> Ruling:
        """9.5.2, 9.6.2: 52 cards; every error that was reported before the count is ruled on by it."""
        talk, areas = f.table.talk, (*f.areas(*self.opening), DEALER)
        later = [k for k in (talk.later if talk is not None else ()) if isinstance(k, Key)]
        joint = [k for k in later if k.key in ("short", "excess") and k.args[0] in areas]
        changes: list[Change] = [Covers(tuple(joint))]
        for k in joint:
            changes += self.read_anew(f, k.key, k.args[0], k.args[1:])
        wrong = list(dict.fromkeys([first, *(k.args[0] for k in joint)]))
        players = [p for p in wrong if p != DEALER]
        changes += [GiveBack(p, "void", "9.5.2") for p in players]
        no_hand = "the dealer has no hand"
        if DEALER in wrong:
            given_up = [p for p in f.places("pair-plus") if f.live(p, "ante") and f.choice("", p) == "fold"]
            changes.append(Flag("no-hand", "9.6.2"))
            changes += [Tell("supervisor", "the folded Pair Plus wager stays lost", "9.6.2", p) for p in given_up]
        if not players:
            return Ruling("9.6.2", no_hand, changes=tuple(changes))
        if DEALER in wrong:
            changes.append(AlsoRuled("9.6.2", no_hand))
        changes.append(Offer(others_at_stake(f, *players), "9.5.2"))
        text = "that hand is void" if len(players) == 1 else "these hands are void"
        return Ruling("9.5.2", f"{text}; the others may retract", changes=tuple(changes))

    def order(self, f: Layout, word: str) -> Dialogue:
        """Cards that left together: whoever may have got the wrong ones makes it a wrong deal."""
        request = next((q for q in f.waiting if isinstance(q, Order)), None)
        if request is None:
            return refuse("9.4", "no cards left together")
        if word == "known":
            return Ruling("9.4", "the order is known", changes=(Ordered(request.group),))
        yield (Question("supervisor", "the order of the cards is not known: a misdeal", ("misdeal",), "9.4"),)
        return misdeal("9.4", "the order of the cards is not known")

    def stray(self, f: Layout, place: str) -> Ruling:
        """9.7 before the announcement, 9.8 after it."""
        if place in f.areas():
            return only_tell("9.7", "this area has a wager", place=place)
        mark = MarkDeal(Mark(HANDS, "stray", place))
        if not announced(f) or unfinished(f, mark.mark):
            return misdeal("9.7", "cards were dealt to an area without a wager")
        tell = Tell("dealer", "burn the cards that lie there", "9.8", place, ("burn",))
        return Ruling("9.8", "the cards are burned; the players may retract", changes=(mark, tell, self.offer_all(f)))

    def offer_all(self, f: Layout) -> Offer:
        return Offer(others_at_stake(f), "9.8")

    def burn(self, f: Layout, place: str) -> Ruling:
        if not any(m.place == place for m in stray_marks(f)):
            return only_tell("9.8", "no stray cards lie there", place=place)
        return Ruling("9.8", "the cards were burned", changes=(Flag(f"burned {place}", "9.8"),))


def announced(f: Layout) -> bool:
    """The players were told that they may decide: by the key, or with the last card."""
    if "announced" in f.round.flags or "unannounced" in f.round.flags:
        return "unannounced" not in f.round.flags
    return _options(f).announce == "last-card" and f.complete(HANDS)


def told_to_decide(f: Layout) -> Ruling:
    """7.5.1; whoever lacks a card is told at once, and the ruling starts when that is reported."""
    changes: tuple[Change, ...] = (Flag("announced", "7.5.1"),)
    if HANDS in f.plans and not f.complete(HANDS):
        place = next_place(f)
        text = "the deal is not complete: say who is short of a card"
        changes += (Tell("dealer", text, "9.6" if place == DEALER else "9.5", place, ("short",)),)
    return Ruling("7.5.1", "the players may decide", "", changes)


def void(place: str, play: Stake) -> Line:
    """5.8.4: without a dealer's hand the Play wager has no result."""
    return Line(place, "play", play.counts, "void", 0, "5.8.4", play.surplus)


def stray_marks(f: Layout) -> list[Mark]:
    """Areas that were dealt to without a wager."""
    return [m for m in f.round.marks if m.what == "stray"]


def hand(f: Layout, place: str) -> ThreeCardHand:
    return best_three(f.hands[place])


def folds(f: Layout, place: str) -> bool:
    return f.choice("", place).startswith("fold")


def undecided(f: Layout) -> list[str]:
    """Who has an Ante at stake and has said nothing; without a dealer's hand there is nothing to decide (9.6.2)."""
    if "no-hand" in f.round.flags:
        return []
    return [p for p in f.places("ante") if f.live(p, "ante") and not f.choice("", p)]


def incomplete(f: Layout) -> list[str]:
    """Hands at stake that have not three cards: a ruling on them is due (9.4, 9.5)."""
    return [p for p in others_at_stake(f) if not folds(f, p) and len(f.hands.get(p, ())) != 3]


def unread(f: Layout) -> list[str]:
    """Cards that could not be read and decide something."""
    return [p for p in unread_places(f) if p == DEALER or (_counts(f, p) and p in others_at_stake(f))]


def _counts(f: Layout, place: str) -> bool:
    """The hand decides something: it was not folded, or only the Ante was (7.5.2(b))."""
    return not folds(f, place) or (f.live(place, "pair-plus") and f.choice("", place) != "fold")


def pair_plus_only(f: Layout, place: str) -> bool:
    """7.5.3: nothing has to be decided there, but the hand may be given up."""
    return f.live(place, "pair-plus") and not f.wager(place, "ante") and not f.choice("", place)


def found(f: Layout, place: str) -> int:
    """9.12: chips that lie on Play although they were refused."""
    return f.round.sensed.get(key(place, "play"), 0) if not f.wager(place, "play") else 0
