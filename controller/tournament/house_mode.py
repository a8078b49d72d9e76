"""A tournament at a table of a house game: banks bound wagers, everybody wagers, some wagers are secret, markers."""

from __future__ import annotations

from collections.abc import Mapping

from controller.house.game import HouseGame
from controller.money import short
from controller.places import Place, area_of, place_of
from controller.table import facts, people
from controller.table.declare import named
from controller.table.facts import AnyFact, CardOut, CardsOut, Chips, Spot, TournamentSeat
from controller.table.roles import allow
from controller.table.state import Round, Table, clone
from controller.table.step import Refusal, Step
from controller.tournament.deeds import MarkerUsed
from controller.tournament.keys import ABSENT, ALL_IN, PASS, RE_BUY, SECRET, TABLE_KEYS
from controller.tournament.mode import TournamentMode
from controller.tournament.play import TournamentPlay, play_in


class HouseTournament(TournamentMode):
    """A house game in a tournament."""

    game: HouseGame
    of_level = ("min", "max")

    @property
    def base(self) -> str:
        """The spot of the wager that everybody makes."""
        return self.game.required[0]

    # ---- what the record says

    def levels_of(self, t: Table, own: TournamentPlay) -> dict[str, str]:
        """Returns the least and the most of a level as options."""
        return {"min": short(own.now.least), "max": short(own.now.most)}

    def place(self, s: Step, seats: Mapping[Place, TournamentSeat]) -> None:
        """Seats these people, and nobody else; what another one was to do there is forgotten."""
        t = s.t
        for at in [at for at, who in t.seats.items() if at not in seats or seats[at].person != who]:
            self._forget(s, at)
            people.leave(s, (at,))
        for at, seat in seats.items():
            people.sit_down(s, at, "" if t.seats.get(at) == seat.person else seat.person)

    def _forget(self, s: Step, place: Place) -> None:
        """Forgets who was absent, passed or had a secret wager at a place: who comes there next has nothing of it."""
        own = play_in(s.t)
        assert own is not None  # the table is in a tournament as long as it is told of one
        own.absent = [at for at in own.absent if at != place]
        own.passing = [at for at in own.passing if at != place]
        if own.covered.pop(place, None) is not None:
            why = f"the secret wager goes back: {s.t.seats.get(place, place)} plays here no more"
            s.prompt("dealer", why, self.rule(".4.5(a)"), place)

    # ---- chips and cards

    def play(self, s: Step, own: TournamentPlay, fact: AnyFact) -> bool:
        """Takes chips as wagers of the tournament; covered ones are uncovered when betting closes."""
        if isinstance(fact, Chips):
            self._chips(s, own, fact)
            return True
        if isinstance(fact, CardOut | CardsOut):
            self._uncover(s, own)
            self._told_of_the_missing(s, own)
        return self.game.follow(s, fact)

    def _chips(self, s: Step, own: TournamentPlay, fact: Chips) -> None:
        placed = {place_of(fact.area, spot.bettor) for spot in fact.spots if spot.amount}
        for place in sorted(placed):
            self.may_wager(s.t, own, place)
            self._not_gone(s, own, place, fact)
        if fact.cash or any(spot.token for spot in fact.spots):
            raise Refusal(self.rule(".4.4(a)"), "only chips of the tournament are in play")
        for place in sorted(placed):
            self._within_the_bank(s, own, place, fact)
        if fact.covered and placed:
            self._cover(s, own, fact, sorted(placed))
        elif not self._same_as_covered(own, fact):
            self._seen_now(own, fact)
            self.game.follow(s, Chips(fact.area, fact.spots))

    def _not_gone(self, s: Step, own: TournamentPlay, place: Place, fact: Chips) -> None:
        """Refuses a new wager of who went out since the round began; what lies there, and a hand dealt, stay."""
        if s.round is None or s.round.closed or not own.gone(place):
            return
        lying = {spot: amount for (at, spot), amount in s.round.wagers.items() if at == place}
        if any(x.amount > lying.get(x.spot, 0) for x in fact.spots if place_of(fact.area, x.bettor) == place):
            raise Refusal(self.rule(".4.5(a)"), f"{own.seats[place].person} is out")

    def _within_the_bank(self, s: Step, own: TournamentPlay, place: Place, fact: Chips) -> None:
        """Refuses who passes, and more than the bank has; wagers that lie there are part of it."""
        if place in own.passing:
            raise Refusal(self.item(PASS), "this player passes in this round")
        seat = own.seat(place)
        assert seat is not None  # nobody else may wager
        left = seat.bank - self._lying(s, own, place, fact)
        if left < 0:
            raise Refusal(self.rule(".4.3(b)"), f"{seat.person} has a bank of {short(seat.bank)}")

    def _lying(self, s: Step, own: TournamentPlay, place: Place, fact: Chips | None = None) -> int:
        """Returns what a player has at stake, or has lost in this round, with this reading."""
        r, lying = s.round, dict[str, int]()
        lost = 0
        if r is not None:
            lying = {spot: amount for (at, spot), amount in r.wagers.items() if at == place}
            for line in (line for line in self.game.settled(s.t, r).lines if line.place == place):
                if line.result != "open":
                    lying.pop(line.spot, None)
                    lost -= min(0, line.net)
        readings = [own.covered[place]] if place in own.covered else []
        for reading in [*readings, *([fact] if fact is not None else [])]:
            lying |= {x.spot: x.amount for x in reading.spots if place_of(reading.area, x.bettor) == place}
        return sum(lying.values()) + lost

    # ---- secret wagers

    def _cover(self, s: Step, own: TournamentPlay, fact: Chips, placed: list[Place]) -> None:
        """Keeps a secret wager unseen; what the game would refuse is refused at once."""
        for place in placed:
            seat = own.seat(place)
            if seat is None or not seat.left.get(SECRET):
                raise Refusal(self.item(SECRET), "this player has no secret wager left in this session")
        plain = Chips(fact.area, fact.spots)
        self.game.follow(self.game.begin(clone(s.t), s.seq, s.t), plain)
        if s.round is not None and s.round.closed:
            self.game.follow(s, plain)
            return
        if lifted := tuple(x for x in fact.spots if not x.amount):
            self._seen_now(own, Chips(fact.area, lifted))
            self.game.follow(s, Chips(fact.area, lifted))
        for place in placed:
            before = own.covered[place].spots if place in own.covered else ()
            now = (x for x in fact.spots if x.amount and place_of(fact.area, x.bettor) == place)
            own.covered[place] = Chips(fact.area, tuple({x.spot: x for x in (*before, *now)}.values()))

    def _same_as_covered(self, own: TournamentPlay, fact: Chips) -> bool:
        """Tells whether a sensor that was cut off reads only what it had read under the cover."""
        kept = own.covered.get(place_of(fact.area))
        lying = {x for x in fact.spots if x.amount}
        if kept is None or not lying:
            return False
        lifted = {x.spot for x in fact.spots if not x.amount}
        return lying <= set(kept.spots) and not any(x.spot in lifted for x in kept.spots)

    def _seen_now(self, own: TournamentPlay, fact: Chips) -> None:
        """Forgets of the secret wagers what is read without a cover: other chips lie there now, or none."""
        for place in {place_of(fact.area, x.bettor) for x in fact.spots} & own.covered.keys():
            seen = {x.spot for x in fact.spots if place_of(fact.area, x.bettor) == place}
            left = tuple(x for x in own.covered[place].spots if x.spot not in seen)
            own.covered.pop(place)
            if left:
                own.covered[place] = Chips(fact.area, left)

    def _uncover(self, s: Step, own: TournamentPlay) -> None:
        """Shows the secret wagers: betting closes."""
        covered, own.covered = own.covered, {}
        for place, chips in covered.items():
            try:
                self.game.follow(s, chips)
            except Refusal as no:
                s.prompt("dealer", f"the secret wager is not taken: {no.why}", no.rule, place)
            else:
                own.secrets.append(place)

    # ---- the compulsory wager

    def _missing(self, s: Step, own: TournamentPlay) -> list[TournamentSeat]:
        """Returns who is in, has to wager, and has not."""
        if own.now.practice:
            return []
        wagered = {place for place, spot in s.round.wagers if spot == self.base} if s.round is not None else set()
        shut_out = [seat.place for seat in own.now.seats if people.excluded(s.t, seat.place)]
        excused = {*own.absent, *own.passing, *wagered, *shut_out}
        return [seat for seat in own.now.seats if not own.gone(seat.place) and seat.place not in excused]

    def _told_of_the_missing(self, s: Step, own: TournamentPlay) -> None:
        """Tells the dealer that cards are out before everybody has wagered."""
        if s.round is None or s.round.closed == "dealt":
            return
        for seat in self._missing(s, own):
            s.prompt("dealer", f"{seat.person} has made no wager", self.rule(".4.4(b)"), seat.place)

    # ---- keys

    def pressed(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> bool:
        """Does what a key of a tournament's table means; False for one of the game."""
        key = named(TABLE_KEYS, pressed.key)
        if key is not None and not key.misfit(pressed.args):
            allow(s, key, pressed.args)
            self._table_key(s, own, pressed)
            return True
        if super().pressed(s, own, pressed):
            return True
        if pressed.key == "no-more-bets":
            self._closes(s, own)
        if pressed.key == "owner":
            raise Refusal(self.rule(".1"), "all players have an equal chance: one place each")
        return False

    def _closes(self, s: Step, own: TournamentPlay) -> None:
        if s.round is not None and s.round.closed:
            return
        self._uncover(s, own)
        missing = self._missing(s, own) if s.round is not None else []
        if missing:
            raise Refusal(self.rule(".4.4(b)"), f"{missing[0].person} has made no wager")

    def _table_key(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> None:
        place = pressed.args[0]
        if pressed.key == ABSENT.name:
            self._absent(own, place, off=bool(pressed.args[1:]))
        elif pressed.args[1] == RE_BUY:
            self.ask(s, MarkerUsed("", area_of(place)))
        else:
            self._marker(s, own, place, pressed.args[1])

    def _absent(self, own: TournamentPlay, place: Place, off: bool) -> None:
        seat = own.seat(place)
        if seat is None:
            raise Refusal(self.rule(".2.5"), "nobody of the tournament plays here")
        own.absent = [at for at in own.absent if at != place] + ([] if off else [place])

    def _marker(self, s: Step, own: TournamentPlay, place: Place, marker: str) -> None:
        """Uses a marker of a player, before betting closes."""
        if not self.chapter.markers:
            raise Refusal(self.rule(".4.4"), "this document knows no markers")
        self.may_wager(s.t, own, place)
        seat, rule = own.seat(place), self.item(marker)
        if seat is None or not seat.left.get(marker):
            raise Refusal(rule, "this player has no such marker left in this session")
        if s.round is not None and s.round.closed:
            raise Refusal(rule, "betting is closed")
        if place in (*own.passing, *own.all_in):
            raise Refusal(rule, "this player has used a marker in this round")
        if marker == PASS:
            self._passes(s, own, place)
        else:
            self._goes_all_in(s, own, place, seat)

    def _passes(self, s: Step, own: TournamentPlay, place: Place) -> None:
        if self._lying(s, own, place):
            raise Refusal(self.item(PASS), "a wager of this player lies there")
        own.passing.append(place)

    def _goes_all_in(self, s: Step, own: TournamentPlay, place: Place, seat: TournamentSeat) -> None:
        """Puts the whole bank on the base wager, whatever the maximum is; equal ones share it."""
        own.covered.pop(place, None)
        spots = self.game.required
        others = sum(
            amount
            for (at, spot), amount in (s.round.wagers if s.round is not None else {}).items()
            if at == place and spot not in spots
        )
        each = (seat.bank - others) // len(spots)
        people.sit_down(s, place)
        s.t.people[seat.person].most = max(each, s.t.options.typed.max)
        own.all_in.append(place)
        self.game.follow(s, Chips(area_of(place), tuple(Spot(spot, 1, each) for spot in spots)))

    # ---- the end of a round

    def nets(self, t: Table, r: Round) -> dict[Place, int]:
        """Returns what the wagers of each place came to."""
        nets: dict[Place, int] = {}
        for line in self.game.settled(t, r).lines:
            nets[line.place] = nets.get(line.place, 0) + line.net
        return nets

    def forfeits(self, own: TournamentPlay, r: Round) -> dict[Place, int]:
        """Returns the compulsory wagers that who is absent loses, where the terms say so."""
        if r.outcome != "settled" or not own.now.forfeits:
            return {}
        wagered = {place for place, _ in r.wagers}
        absent = [place for place in own.absent if place in own.players and place not in wagered]
        return {place: min(own.now.least, own.seats[place].bank) for place in absent}

    def used(self, own: TournamentPlay) -> dict[str, tuple[str, ...]]:
        """Returns which secret wagers and markers each player has used in a round."""
        places = {SECRET: own.secrets, ALL_IN: own.all_in, PASS: own.passing}
        used: dict[str, tuple[str, ...]] = {}
        for right, at in places.items():
            for person in (own.players[place] for place in at if place in own.players):
                used[person] = (*used.get(person, ()), right)
        return used

    def over(self, s: Step, own: TournamentPlay) -> None:
        """Forgets what held for one round."""
        for person in s.t.people.values():
            person.most = None
        own.passing, own.all_in, own.secrets, own.covered = [], [], [], {}
