"""Ultimate Texas Holdem in Victoria (document 003, rule 12), in the order of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Final

from msgspec.structs import replace

from controller.house.common import added, chips_found, unread_places
from controller.house.documents.victoria import ULTIMATE
from controller.house.games import ultimate
from controller.house.games.alike import HANDS
from controller.house.games.ultimate import ODDS, VICTORIA, WINDOWS, multiples, times
from controller.house.games.victoria import Victoria, VictoriaOptions
from controller.house.games.victoria_cards import exchange, incomplete, street
from controller.house.layout import Layout, Stake
from controller.house.options import House
from controller.house.pays import Pays, Ranked
from controller.house.script import Script, deal, settle, take_wagers, with_dealer
from controller.house.state import CHECK, FLOP, FOLD, PREFLOP, RIVER, STREETS, TURN
from controller.house.wagers import returned, stake
from controller.money import short
from controller.places import DEALER, Place, area_of, place_of
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.options import Chosen
from controller.table.requests import Choice, Press, Window
from controller.table.standing import from_the_right
from controller.table.state import Line, Round, Table, cards_lie
from controller.table.telling import COMMUNITY, Verdict
from controller.table.values import Counts

DEALT: Final = {FLOP: "12.5.3", TURN: "12.5.5", RIVER: "12.5.5"}


class UltimateVicOptions(VictoriaOptions, frozen=True, kw_only=True):
    """An Ultimate Texas Hold'em table of document 003."""

    preflop: Annotated[
        Counts,
        times(PREFLOP, VICTORIA),
        "how many times the Ante the Play wager may be before the Flop",
    ] = (3, 4)
    flop: Annotated[Counts, times(FLOP, VICTORIA), "and after the Flop"] = (2,)
    river: Annotated[Counts, times(RIVER, VICTORIA), "and after the River"] = (1,)

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        yield from super().objections(house)
        yield from ultimate.objections(self, VICTORIA)


class UltimateVic(Victoria):
    """Two cards each and five for everybody; the dealer's two are dealt with the players'."""

    name = "ultimate-texas-holdem-vic"
    title = "Ultimate Texas Hold'em"
    decides = ("fold", "check")
    options: ClassVar = UltimateVicOptions
    spots = ultimate.SPOTS
    opening = ("ante", "blind", "trips")  # 12.4.1
    required = ("ante", "blind")  # 12.2.1
    document = ULTIMATE
    odds: ClassVar = ODDS

    # ---- 12.4, 12.5: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="12.4.1")
        if not f.places(*self.opening):
            yield (Press("11.5", "misdeal", "supervisor"),)
        yield from deal(f, HANDS, with_dealer(areas(f)), rule="12.5.1", cards=2, up=False)
        exchange(f)
        open_ = self.offers(f, PREFLOP)  # 12.5.2
        yield from street(f, FLOP, 3, rule=DEALT[FLOP], open_=open_, needed=go_on(f, open_))
        open_ = self.offers(f, FLOP)  # 12.5.4
        for name in (TURN, RIVER):
            yield from street(f, name, 1, rule=DEALT[name], open_=open_, needed=go_on(f, open_))
        open_ = self.offers(f, RIVER)  # 12.5.6
        if any(not chips_found(f, q.place, "play") for q in open_):
            yield tuple(open_)
        if incomplete(f, staying(f)):
            yield (Press("11.2", "misdeal", "area-manager"),)
        if unread(f):
            yield (Press("14.10", "reconstruct", "supervisor"),)
        if f.complete(RIVER):
            f.turn(DEALER, "12.5.7")
        for waiting in settle(f, rule="12.6"):
            yield (*waiting, *open_)

    def opens(self, t: Table, place: Place, spot: str) -> bool:
        """Tells whether a wager is made before the deal: of a hand that nobody views also Play (12.4.7)."""
        if spot != "play":
            return super().opens(t, place, spot)
        return place_of(area_of(place)) in t.unseen and not cards_lie(t)

    def unequal(self, r: Round, place: Place) -> Cited | None:
        """Returns what is wrong with a Blind (12.2.1), or the Play of an unseen hand (12.4.7), unlike the Ante."""
        return ultimate.unequal(r, place, VICTORIA)

    def left_out(self, f: Layout, place: Place) -> str:
        """Returns the rule by which an unseen hand without a Play wager gets no cards."""
        return VICTORIA.unseen_play if place in f.unseen and f.wager(place, "ante") else ""

    def offers(self, f: Layout, now: Window) -> list[Choice]:
        """Returns the choices of who has no Play wager; with cards out too early, also about what was due before."""
        without_play = [p for p in staying(f) if not f.wager(p, "play")]
        reached = [p for p in without_play if WINDOWS.index(ultimate.window_of(f, p)) <= WINDOWS.index(now)]
        return [self.offer(f, p, now) for p in reached if not f.choice(now, p)]

    def offer(self, f: Layout, place: str, now: Window) -> Choice:
        """Returns a choice: Play by this window or one passed over, or check or fold (12.5.2, 12.5.4, 12.5.6)."""
        first, last = WINDOWS.index(ultimate.window_of(f, place)), WINDOWS.index(now)
        window = now if now == RIVER else WINDOWS[first]
        base, lies = self.stake(f, place, "ante").counts, f.wager(place, "ante")
        times = [n for w in WINDOWS[first : last + 1] for n in multiples(f.table.options.of(UltimateVicOptions), w)]
        amounts = tuple(n * chips for chips in (base, lies) for n in times)
        word = FOLD if window == RIVER else CHECK
        return Choice(f"{VICTORIA.windows[now]}(a)", place, (word,), "play", amounts[0], None, amounts, window)

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager counts for (6.2): Blind like the Ante, Play a multiple; Trips goes back with it."""
        ante = stake(f, place, "ante")
        if not f.wager(place, "ante"):
            return stake(f, place, spot)
        if spot == "trips":
            return Stake(f.wager(place, spot), back=ante.back) if ante.back else stake(f, place, spot)
        if spot == "blind":
            at = stake(f, place, spot, equal_to=ante.counts)
            return Stake(at.counts, at.surplus, ante.back)
        if spot == "play":
            at = ultimate.play_stake(f, place)
            return Stake(at.counts, at.surplus + added(f, place, spot), ante.back)
        return ante

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if not f.complete(HANDS):
            return (f.unserved(HANDS) if HANDS in f.plans else with_dealer(areas(f))), "12.5.1"
        for name in STREETS:
            if not f.complete(name):
                return [name, COMMUNITY], DEALT[name]
        return [], "12.5.6"

    # ---- 12.2, 12.4, 12.6: who wins

    def on_sign(self, options: House) -> Iterator[Row]:
        """Yields how many times the Ante a Play wager may be in each window (12.5.2(a), 12.5.4(a), 12.5.6(a))."""
        assert isinstance(options, UltimateVicOptions)
        yield ultimate.on_sign(options)

    def dealer(self, f: Layout) -> Verdict | None:
        return ultimate.verdict(f, VICTORIA)  # 12.2.1: a pair or higher qualifies

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds of a spot (12.6.4)."""
        return ultimate.paid(spot, hand, "9", "10")

    def decided(self, f: Layout) -> list[Line]:
        """Returns the lines of every wager once everybody has played or folded."""
        lines = [self.found_at_settlement(f, line) for line in ultimate.lines(f, VICTORIA)]
        return lines + self.without_cards(f)

    def found_at_settlement(self, f: Layout, line: Line) -> Line:
        """Returns the line of a Play wager that was refused: the excess goes back, or the player is told (11.11)."""
        if line.spot != "play" or line.result == "returned":
            return line
        accepted = f.live(line.place, "play")
        if accepted and not added(f, line.place, "play"):
            return line
        ante = self.stake(f, line.place, "ante").counts
        window = ultimate.window_of(f, line.place)
        allowed = [n * ante for n in multiples(f.table.options.of(UltimateVicOptions), window)]
        if line.surplus:
            f.advise(line.place, f"return {short(line.surplus)}: the Play wager is more than it may be", "11.11.1")
            return replace(line, rule="11.11.1")
        if line.stake not in allowed:
            text = f"tell the player: the Play wager had to be {' or '.join(map(short, allowed))}"
            f.advise(line.place, text, "11.11.2")
            return replace(line, rule="11.11.2")
        return line

    def without_cards(self, f: Layout) -> list[Line]:
        """Returns wagers on areas to which no cards were due: they go back (12.5.1(a), 12.4.7)."""
        out = []
        for place in from_the_right([p for p in f.places(*self.opening) if p not in areas(f)]):
            rule = "12.4.7" if place in f.unseen else "12.5.1(a)"
            live = [spot for spot in self.spots if f.live(place, spot)]
            out += [returned(place, spot, Stake(f.wager(place, spot)), rule) for spot in live]
        return out

    # ---- 11: what differs here

    def no_decision(self, f: Layout) -> str:
        if f.complete(RIVER):
            return "12.5.6"
        return "12.5.4" if f.complete(FLOP) else "12.5.2"

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        """Returns two hole cards and the Flop, for whoever placed a Play wager; None when the Jackpot is lost (12.4.5).

        A Play wager of a wrong size is one too: 11.11 settles it.
        """
        if ultimate.folded(f, place) or not play_lies(f, place):
            return None
        cards = f.hands.get(place, []) + f.hands.get(COMMUNITY, [])[:3]
        return cards if len(cards) == 5 else None


def areas(f: Layout) -> list[str]:
    """Returns the areas that are dealt to: Ante and Blind (12.5.1(a)), for a blind hand also Play (12.4.7)."""
    seen = [a for a in f.areas("ante") if a not in f.unseen or f.wager(a, "play")]
    return [a for a in seen if f.wager(a, "blind")]


def staying(f: Layout) -> list[str]:
    """Returns the hands that are at stake and were not folded."""
    return [p for p in areas(f) if f.live(p, "ante") and not ultimate.folded(f, p)]


def play_lies(f: Layout, place: str) -> int:
    """Returns the chips on Play: accepted, or found there although they were refused (11.11)."""
    return f.wager(place, "play") or chips_found(f, place, "play")


def go_on(f: Layout, open_: Sequence[Choice]) -> bool:
    """Tells whether more cards are needed: not when everybody is out of it."""
    return bool(open_ or staying(f))


def unread(f: Layout) -> list[str]:
    """Returns the places with cards that could not be read and decide something."""
    deciding = staying(f)
    if not deciding:
        return []
    return [p for p in unread_places(f) if p in (*deciding, COMMUNITY, DEALER)]
