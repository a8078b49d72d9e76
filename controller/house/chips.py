"""Chips on the layout: which of them are wagers."""

from __future__ import annotations

from controller.house import jackpot
from controller.house.layout import COMMUNITY, Layout
from controller.house.step import HouseStep
from controller.house.wagers import lock_rule
from controller.money import short
from controller.places import area_of, place_of
from controller.table import causes
from controller.table.deck import bets_wait
from controller.table.facts import Chips, Spot
from controller.table.limits import limit_now, range_text
from controller.table.people import sit_down
from controller.table.prompts import chips_again
from controller.table.requests import Choice
from controller.table.sensed import read_tokens
from controller.table.state import Line
from controller.table.step import Refusal

RIVER = 5  # community cards


def chips_read(s: HouseStep, fact: Chips) -> None:
    """A sensor's reading: all of it is accepted, or none."""
    t = s.t
    if not t.open:
        raise Refusal(s.cites.close, "the table is closed")
    if not 1 <= fact.area <= t.options.typed.seats:
        raise Refusal(s.cites.places, f"this table has {t.options.typed.seats} places")
    chips_again(t, fact.area, [spot.spot for spot in fact.spots])
    for spot in fact.spots:
        if spot.amount:
            _may_bet(s, fact.area, spot)
            if rule := bets_wait(t, s.document):
                raise Refusal(rule, "bets are called when the burn card is out")
    changed = [x for x in fact.spots if x.amount != _now(s, fact.area, x)]
    if s.t.talk is not None and changed:
        raise Refusal(t.talk.open[0].rule, "a question is open: " + t.talk.open[0].text)  # type: ignore[union-attr]
    if s.round is None and any(x.amount for x in changed):
        s.open_round()
    for spot in changed:
        if spot.spot == jackpot.SPOT:
            jackpot.chips(s, fact.area, spot)
            if spot.amount:
                sit_down(s, place_of(fact.area, spot.bettor))
        elif spot.spot in s.game.opening or _blind_play(s, fact.area, spot):
            _opening_wager(s, fact.area, spot)
        else:
            _later_wager(s, fact.area, spot)
    if s.round is not None:
        for x in fact.spots:
            s.own.sensed[(place_of(fact.area, x.bettor), x.spot)] = x.amount
        if s.round.closed == "announced" and changed:
            jackpot.register(s)
        read_tokens(s.round, fact)
        _equal(s, fact.area)


def _now(s: HouseStep, area: int, spot: Spot) -> int:
    place = place_of(area, spot.bettor)
    if s.round is not None:
        return s.round.wagers.get((place, spot.spot), 0)
    return s.t.jackpot.carried.get(place, 0) if spot.spot == jackpot.SPOT else 0


def _blind_play(s: HouseStep, area: int, spot: Spot) -> bool:
    """A hand that is played blind has its Play wager before the deal."""
    dealt = s.round is not None and s.round.closed == "dealt"
    return s.policy.unseen_play and spot.spot == "play" and place_of(area) in s.t.unseen and not dealt


def _equal(s: HouseStep, area: int) -> None:
    """Where a Blind has to equal the Ante, and the Play wager of a blind hand too."""
    r, place = s.round, place_of(area)
    if r is None or r.closed == "dealt" or not s.policy.equal_blind:
        return
    ante, play = r.wagers.get((place, "ante")), r.wagers.get((place, "play"))
    if ante and play and ante != play:
        raise Refusal(s.cites.unseen_play, f"the Play wager must equal the Ante: {short(ante)}, not {short(play)}")
    if r.closed:
        return
    ante, blind = r.wagers.get((place, "ante")), r.wagers.get((place, "blind"))
    if ante and blind and ante != blind:
        raise Refusal(s.cites.equal, f"the Blind must equal the Ante: {short(ante)}, not {short(blind)}")


def _may_bet(s: HouseStep, area: int, spot: Spot) -> None:
    most = s.t.options.typed.players_per_area
    if spot.bettor > most:
        raise Refusal(s.cites.per_area, f"no more than {most} may wager on one area")
    person = s.t.people.get(s.t.seats.get(place_of(area, spot.bettor), ""))
    if person is not None and person.excluded:
        raise Refusal(s.cites.excluded, "this player is excluded from the game")
    if spot.token and not s.policy.tokens:
        raise Refusal(s.cites.chips_only, "wagers are accepted in chips only")
    if s.policy.one_hand and s.round is not None:
        who = s.t.seats.get(place_of(area, spot.bettor))
        others = [p for p, name in s.t.seats.items() if name == who and area_of(p) != area]
        if any(place in others for place, _ in s.round.wagers):
            raise Refusal(s.cites.one_hand, "a player wagers on one hand only")


def _opening_wager(s: HouseStep, area: int, spot: Spot) -> None:
    """Before the first card; later chips are handed back."""
    r, place = s.round, place_of(area, spot.bettor)
    if r is None:
        return
    if r.closed and not (r.closed == "announced" and (s.policy.late_chips or _mends(s, place, spot))):
        if not spot.amount and not Layout(s.t, r, s.game).live(place, spot.spot):
            return  # it was settled, and is taken or paid
        rule = lock_rule(s.t, s.game) if r.closed == "dealt" else s.cites.oral
        what = "hand the chips back" if spot.amount else "the wager stands"
        raise Refusal(rule, f"betting is closed: {what}")
    if r.closed and s.policy.late_chips:
        s.prompt("dealer", "chips came after the announcement", s.cites.oral, place)
    sit_down(s, place)
    at = (place, spot.spot)
    if not spot.amount:
        del r.wagers[at]
        return
    r.wagers[at] = spot.amount
    if not Layout(s.t, r, s.game).live(place, spot.spot):
        s.seal([Line(place, spot.spot, 0, "reversed", 0, s.cites.placed)])  # it was refused before: a new one
    _advise(s, place, spot)
    if r.closed:
        s.close_betting(r.closed)


def _mends(s: HouseStep, place: str, spot: Spot) -> bool:
    """A wager outside the limits may be put right, or taken back, until the first card."""
    limit, before = limit_now(s.t, place), s.round.wagers.get((place, spot.spot), 0) if s.round is not None else 0
    wrong = bool(before) and not limit.least <= before <= limit.most
    return s.policy.tops_up and wrong and (not spot.amount or limit.least <= spot.amount <= limit.most)


def _advise(s: HouseStep, place: str, spot: Spot) -> None:
    """What the owner of a wager outside the limits must be told."""
    limit, cause = limit_now(s.t, place), causes.Chips(spot.spot)
    if spot.amount < limit.least:
        what = "it will be returned" if limit.warned else "the next one will be returned: tell the player"
        what = "the player tops it up or takes it back" if s.policy.tops_up else what
        text = f"{short(spot.amount)} is under the minimum ({range_text(limit)}); {what}"
        s.prompt("dealer", text, s.cites.advise_under, place, cause=cause)
    elif spot.amount > limit.most:
        text = f"{short(spot.amount)} is over the maximum: {short(limit.most)} is at stake"
        s.prompt("dealer", text, s.cites.advise_over, place, cause=cause)
    elif spot.amount % s.t.options.typed.chip:
        _advise_odd(s, place, cause)
    if spot.spot == "tie":
        _entitled(s, place)


def _advise_odd(s: HouseStep, place: str, cause: causes.Chips) -> None:
    """Tells what the dealer does with a wager whose win chips cannot pay exactly."""
    if s.policy.odd_amounts == "refused":
        s.prompt("dealer", "a win cannot be paid exactly in chips", s.cites.payable, place, ("refuse",), cause)
    elif s.policy.odd_amounts == "paid up":
        s.prompt("dealer", "pay a win up to the next amount in chips", s.cites.advise_odd, place, cause=cause)


def _entitled(s: HouseStep, place: str) -> None:
    """Who wagers on the area itself may take its Tie first."""
    r = s.round
    if r is None or (place, "war") in r.wagers:
        return
    for other, spot in r.wagers:
        if spot == "war" and area_of(other) == area_of(place) and (other, "tie") not in r.wagers:
            s.prompt("dealer", "has the first claim to this Tie wager: ask", s.cites.entitled, other)


def _later_wager(s: HouseStep, area: int, spot: Spot) -> None:
    """A decision made with chips."""
    place, r = place_of(area, spot.bettor), s.round
    f = s.look()
    if f is None or r is None:
        if spot.amount:
            raise Refusal(_offered(s, spot), "no such wager is due")
        return
    if (place, spot.spot) in r.wagers:
        raise Refusal(_stands(s, f), "this wager was made and stands")
    request = _open_choice(f, place, spot.spot)
    if request is None:  # play went on although chips that were refused lie on an earlier spot: they are found later
        s.own.sensed[(place, spot.spot)] = spot.amount
        request = _open_choice(s.look(), place, spot.spot)
    if request is None:
        raise Refusal(_offered(s, spot), "this wager is not offered here now")
    allowed = (request.amount, *request.amounts)
    if spot.amount not in allowed:
        wanted = " or ".join(short(amount) for amount in sorted(set(allowed)))
        rule = s.cites.amount_on.get(spot.spot, request.rule)
        raise Refusal(rule, f"the wager must be {wanted}, not {short(spot.amount)}")
    r.wagers[(place, spot.spot)] = spot.amount
    s.own.choices[request.at] = spot.spot
    s.own.offers.pop(place, None)
    if request.duty is not None:
        s.prompt("dealer", request.duty.text, request.duty.rule, place)


def _open_choice(f: Layout | None, place: str, spot: str) -> Choice | None:
    for request in f.waiting if f is not None else ():
        if isinstance(request, Choice) and request.place == place and request.spot == spot:
            return request
    return None


def _stands(s: HouseStep, f: Layout) -> str:
    """The rule by which a decision made with chips is made once: it may depend on how many community cards lie open."""
    river = s.cites.stands_river if f.turned(COMMUNITY) == RIVER else ""
    return river or s.cites.stands or s.cites.lock


def _offered(s: HouseStep, spot: Spot) -> str:
    """The rule that offers this wager."""
    return s.cites.offer_on.get(spot.spot, s.cites.offer)
