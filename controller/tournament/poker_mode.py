"""A tournament at a poker table: the banks are the stakes, the level is the blinds."""

from __future__ import annotations

from collections.abc import Mapping

from controller.money import short
from controller.places import Place
from controller.poker.game import Crown
from controller.poker.room.seats import begin_anew, room_of, vacate
from controller.table import facts, people
from controller.table.facts import AnyFact, Chips, Pushed, TournamentSeat
from controller.table.state import Round, Table
from controller.table.step import Refusal, Step
from controller.tournament.bets import BetSizes, bet_sizes
from controller.tournament.keys import MARKER
from controller.tournament.mode import TournamentMode
from controller.tournament.play import TournamentPlay

ACTS = ("act", "said", "discard")  # keys of what a player does
WAGERS = ("post", "straddle", "call", "bet", "raise", "all-in")  # words of an act that puts chips into the pot


class PokerTournament(TournamentMode):
    """Crown Poker in a tournament."""

    game: Crown
    of_level = ("blinds", "min", "bets")

    # ---- what the record says

    def levels_of(self, t: Table, own: TournamentPlay) -> dict[str, str]:
        """Returns the blinds of a level as options: no bet is less than the last one (6.4)."""
        blinds = own.now.blinds or (own.now.least, own.now.most)
        level = {"blinds": ",".join(map(short, blinds)), "min": short(blinds[-1])}
        return level | self._bets(t, own, blinds[-1])

    def _bets(self, t: Table, own: TournamentPlay, last: int) -> dict[str, str]:
        """Returns the bet sizes of a fixed or spread game: the lower is the last blind, the other rises with it."""
        sizes = self.bet_sizes(t, own)
        return {} if sizes is None else {"bets": ",".join(map(short, sizes.at(last)))}

    def bet_sizes(self, t: Table, own: TournamentPlay) -> BetSizes | None:
        """Returns the bet sizes of the table before the tournament; None where it has none."""
        return bet_sizes(t, own.before["bets"]) if "bets" in own.before else None

    def place(self, s: Step, seats: Mapping[Place, TournamentSeat]) -> None:
        """Seats these people with their banks as stakes, and nobody else; nobody owes a blind for it."""
        t, room = s.t, room_of(s.t)
        for at in [at for at, who in t.seats.items() if at not in seats or seats[at].person != who]:
            vacate(s, at)
            room.buttons.pop(at, None)
        for at, seat in seats.items():
            if t.seats.get(at) != seat.person:
                people.sit_down(s, at, seat.person)
                room.buttons.pop(at, None)
            room.stakes[at] = seat.bank
            room.owing.pop(at, None)
        begin_anew(t)

    # ---- facts

    def play(self, s: Step, own: TournamentPlay, fact: AnyFact) -> bool:
        """Takes what players do; there are no side wagers, and no hand opens that may not."""
        if isinstance(fact, Chips):
            if any(spot.amount for spot in fact.spots):
                self._no_side_wagers(fact)
        elif isinstance(fact, Pushed):
            try:
                self.may_wager(s.t, own, str(fact.area))
                self._not_gone(own, (str(fact.area), WAGERS[0]))
            except Refusal as no:
                s.prompt("dealer", f"the chips go back: {no.why}", no.rule, str(fact.area))
                return True
        return self.game.follow(s, fact)

    def _no_side_wagers(self, fact: Chips) -> None:
        if fact.cash or any(spot.token for spot in fact.spots):
            raise Refusal(self.rule(".4.4(a)"), "only chips of the tournament are in play")
        if fact.covered:
            raise Refusal(self.item("secret"), "the betting rules of this game prevail: no wager is secret")
        raise Refusal(self.rule(".4.4"), "a tournament has no Flop Chase")

    def pressed(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> bool:
        """Does what a key of a tournament's table means; False for one of the game."""
        if pressed.key == MARKER.name and not MARKER.misfit(pressed.args):
            raise Refusal(self.rule(".4.4"), "this document knows no markers")
        if super().pressed(s, own, pressed):
            return True
        if pressed.key in ACTS and pressed.args:
            self.may_wager(s.t, own, pressed.args[0])
            self._not_gone(own, pressed.args)
        if pressed.key == "move":
            raise Refusal(self.item("tables"), "the director moves players")
        return False

    def _not_gone(self, own: TournamentPlay, args: tuple[str, ...]) -> None:
        """Refuses a wager of who went out since the hand began; the hand is checked or folded to its end."""
        seat = args[0]
        if own.gone(seat) and any(word in WAGERS for word in args[1:2]):
            why = f"{own.seats[seat].person} is out: check or fold; where a blind is due, leave {seat}"
            raise Refusal(self.rule(".4.5(a)"), why)

    # ---- the end of a hand

    def over(self, s: Step, own: TournamentPlay) -> None:
        """Does nothing: nothing of a tournament holds for one hand alone."""

    def nets(self, t: Table, r: Round) -> dict[Place, int]:
        """Returns by how much a hand that is over changes each stake."""
        shared = self.game.settled(t, r).shared
        return {} if shared is None else dict(shared.net)
