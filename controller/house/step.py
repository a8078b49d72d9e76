"""One step under way at a table of a house game: what lay there before the fact, and what lies there after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from controller.house import takes
from controller.house.documents import HouseCitations, HouseDocument, HousePolicy
from controller.house.layout import Layout, Stake, look_anew
from controller.house.state import Drawn, HouseRound, Mark, own
from controller.house.wagers import returned
from controller.places import DEALER, JACKPOT, At, area_of
from controller.rules import TAKEN_BACK, Outcome, Rule, Unsettled
from controller.table.facts import Chips
from controller.table.limits import limit_now
from controller.table.play import Play
from controller.table.state import Burn, Line, Round, Table
from controller.table.step import Step

if TYPE_CHECKING:
    from controller.house.game import HouseGame


class HouseStep(Step):
    """A step that also knows the layout."""

    game: HouseGame
    document: HouseDocument
    cites: HouseCitations
    policy: HousePolicy

    def __init__(self, table: Table, game: HouseGame, seq: int, before: Layout | None = None) -> None:
        super().__init__(table, game, seq)
        self.before = before  # what lay there when the fact came
        self.after: Layout | None = None  # and what lies there when it was followed
        self.paying = False  # the dealer settles now
        self._laid: tuple[Layout, Round, HouseRound] | None = None  # what lay there in between, and of what round

    @property
    def own(self) -> HouseRound:
        """What the game keeps of the round that is running, or of the last one."""
        assert self.t.round is not None
        return own(self.t.round)

    def look(self) -> Layout | None:
        """Returns what lies there as the step has it by now; None when no round is running."""
        return look_anew(self.t, self.game)

    def look_between(self) -> Layout | None:
        """Returns the same in the middle of a step that changes hardly anything after it.

        At the end of the step the script need not run again, unless the round is another one by then.
        """
        f = self.look()
        self._laid = None if f is None else (f, f.round.copied(), f.own.copied())
        return f

    def _look_last(self) -> Layout | None:
        if self._laid is not None:
            f, r, kept = self._laid
            if self.t.round is f.round and (f.round, f.own) == (r, kept):
                return f
        return self.look()

    def look_first(self) -> Layout | None:
        """Returns the same at the beginning of a step: what lay there when the fact came, if the round is still so."""
        before, r = self.before, self.round
        if before is None or r is None or r != before.round:
            return self.look()
        return before.taken_over(self.t, r)

    def open_lines(
        self, rule: Rule, result: Unsettled, place: str = "", spots: tuple[str, ...] = (), carry: bool = False
    ) -> list[Line]:
        """Returns lines that give back what is at stake (everywhere, or at a place); Jackpot wagers may be carried."""
        r = self.t.round
        assert r is not None
        f = Layout(self.t, r, self.game)
        unjudged = [(where, JACKPOT) for where in f.unjudged()]  # of the others a prize waits for a person
        at_stake = [at for at in r.wagers if f.live(*at) and (at[1] != JACKPOT or at in unjudged)]
        meant = [at for at in at_stake if place in ("", at[0]) and (at[1] in spots or not spots)]
        carried = self.document.jackpot.carry if carry and self.document.jackpot is not None else ""
        return [self._given_back(at, r.wagers[at], rule, result, carried) for at in meant]

    def _given_back(self, at: At, amount: int, rule: Rule, result: Unsettled, carried: Rule) -> Line:
        """Returns the line of a wager without a result; `carried`: the rule that carries a Jackpot wager over."""
        place, spot = at
        if spot == JACKPOT and carried:
            return Line(place, spot, amount, "carried", 0, carried)
        return returned(place, spot, Stake(amount), rule, result)

    def open_round(self) -> Round:
        """Opens a round: from now on it is kept where the deal starts, and whether cards are burned."""
        r = super().open_round()
        r.play = Play(HouseRound(button=self.t.button, burning=[(0, self.t.options.typed.burn)]))
        return r

    def close_betting(self, how: Literal["announced", "dealt"]) -> None:
        """Closes the betting: the limits on the sign and each bettor's warnings are fixed for this round."""
        super().close_betting(how)
        r, t = self.t.round, self.t
        assert r is not None
        places = sorted({place for place, _ in r.wagers})
        self.own.limits = {place: limit_now(t, place) for place in places}
        takes.close(self)
        if how == "dealt":
            self.own.unseen = list(t.unseen)
            self.own.tape += [Drawn(card) for card in t.held]  # held from the last round: the first ones of this deal
            t.held = []
            self._warn(r)

    def _warn(self, r: Round) -> None:
        """Warns whoever has wagered under the minimum: the next such wager goes back."""
        for (place, spot), amount in r.wagers.items():
            person = self.t.people.get(self.t.seats.get(place, ""))
            if spot == JACKPOT or person is None:
                continue
            if amount < self.own.limits[place].least:
                person.warned = True

    def settle(self, lines: list[Line]) -> None:
        """Makes these results final; where takes and pays are watched, keeps what must lie there now."""
        before = len(self.t.round.lines) if self.t.round is not None else 0
        super().settle(lines)
        if takes.watched(self.t) and self.t.round is not None:
            takes.settled(self, self.t.round.lines[before:])

    def chips_lie(self, fact: Chips) -> None:
        """Follows what is taken, paid and lifted also when other chips of the reading are refused."""
        takes.refused(self, fact)

    def cards_out(self) -> list[str]:
        """Returns the cards of the round that left the shoe."""
        return [drawn.card for drawn in self.own.tape]

    def burns_change(self, on: bool) -> None:
        """Keeps that from the next card on burn cards are read, or not."""
        self.own.burning.append((sum(not drawn.out for drawn in self.own.tape), on))

    def lies_there(self, at: At, amount: int) -> None:
        """Keeps chips that were read on a spot and are no wager: some documents settle what is found there."""
        self.own.sensed[at] = amount

    def drop_from_deal(self, lines: list[Line]) -> None:
        """Deals no more cards to areas where these were the last wagers; those they have stay."""
        f = self.look()
        if f is None or f.round.closed != "dealt":
            return
        ending = {(line.place, line.spot) for line in lines}
        staying = {area_of(place) for place, spot in f.at_stake() if (place, spot) not in ending}
        for area in {area_of(place) for place, _ in ending} - staying:
            for name, plan in f.plans.items():
                have = plan[: f.served[name]].count(str(area))
                f.own.marks += [
                    Mark(name, "short", str(area), have + n + 1) for n in range(f.unserved(name).count(str(area)))
                ]

    def end(self, outcome: Outcome, rule: Rule) -> None:
        """Clears the layout; cards that were dealt too many are held for the next round."""
        t, r = self.t, self.t.round
        assert r is not None
        f = self.after or self.look()
        if outcome == "settled" and f is not None:
            t.held += [d.card for d in f.held]  # cards of a round without a result go with it
        cutting = self.own.cutting
        if cutting is not None and f is not None:  # after all corrections: who really got it
            got = f.laid[cutting] if cutting < len(f.laid) else DEALER
            t.deck.cutting_card_at(got)
        super().end(outcome, rule)
        if takes.watched(t):
            takes.ended(self)

    def settle_down(self) -> None:
        """Ends a round whose script has come to its end, or that has nothing at stake: after every fact."""
        f = self.after = self._look_last()
        if f is None or self.t.talk is not None:
            return
        over = _nothing_left(f)
        if over and _without_result(f.round) and not (f.done and self.paying):
            self.end("void", f.round.lines[-1].rule)
        elif (over or _all_settled(f)) and not f.unjudged():
            self.end("settled", "")

    def take_out(self, count: int, rule: str, burned: bool) -> None:
        """Takes the newest undealt cards out of the game."""
        r = self.t.round
        assert r is not None
        tape = self.own.tape
        usable = [n for n, drawn in enumerate(tape) if not drawn.out]
        for n in usable[len(usable) - count :]:
            tape[n] = replace(tape[n], out=rule)
            if burned:
                r.burns.append(Burn(tape[n].card, shown=True))


def _nothing_left(f: Layout) -> bool:
    """Tells whether all that was wagered before the deal has ended, in a round whose cards are out."""
    if f.round.closed != "dealt" or f.at_stake():
        return False
    return any(line.spot in f.game.opening for line in f.round.lines)


def _all_settled(f: Layout) -> bool:
    """Tells whether the script has come to its end; never with a wager that nobody settled."""
    return f.done and all(spot == JACKPOT for _, spot in f.at_stake())


def _without_result(r: Round) -> bool:
    """Tells whether every wager went back, or on to the next round."""
    return {line.result for line in r.lines} <= {*TAKEN_BACK, "carried"}
