"""Chips on the layout: which of them are wagers."""

from __future__ import annotations

from controller.house import jackpot, takes
from controller.house.layout import Layout
from controller.house.options import House
from controller.house.step import HouseStep
from controller.house.wagers import left_of, lock_rule
from controller.money import short
from controller.places import JACKPOT, Place, area_of, place_of
from controller.table import causes
from controller.table.deck import bets_wait
from controller.table.facts import Chips, Spot
from controller.table.limits import limit_now, range_text
from controller.table.people import excluded, sit_down
from controller.table.prompts import chips_again
from controller.table.requests import Choice, Decision
from controller.table.sensed import read_tokens
from controller.table.state import Limit, Line, Round
from controller.table.step import Refusal
from controller.table.telling import COMMUNITY

RIVER = 5  # community cards


def chips_read(s: HouseStep, fact: Chips) -> None:
    """Takes a sensor's reading: all of it is accepted, or none."""
    if not s.t.open:
        raise Refusal(s.cites.close, "the table is closed")
    if not 1 <= fact.area <= s.t.options.typed.seats:
        raise Refusal(s.cites.places, f"this table has {s.t.options.typed.seats} places")
    lying, fact = fact, takes.read(s, fact)
    if lying.spots and not fact.spots:
        return
    chips_again(s.t, fact.area, [spot.spot for spot in fact.spots])
    for spot in fact.spots:
        if spot.amount:
            _may_bet(s, fact.area, spot)
    changed = [spot for spot in fact.spots if spot.amount != _now(s, fact.area, spot)]
    if changed:
        _change(s, fact.area, changed)
    if s.round is not None:
        _read(s, s.round, fact, changed=bool(changed))


def _change(s: HouseStep, area: int, changed: list[Spot]) -> None:
    """Takes these wagers as they lie there now; the first one opens a round."""
    if s.t.talk is not None:
        question = s.t.talk.open[0]
        raise Refusal(question.rule, f"a question is open: {question.text}")
    if s.round is None and any(spot.amount for spot in changed):
        s.open_round()
    for spot in changed:
        if spot.spot == JACKPOT:
            _jackpot_wager(s, area, spot)
        elif s.game.opens(s.t, place_of(area, spot.bettor), spot.spot):
            _opening_wager(s, area, spot)
        else:
            _later_wager(s, area, spot)


def _jackpot_wager(s: HouseStep, area: int, spot: Spot) -> None:
    """Takes a Jackpot wager; like any other it seats whoever makes it."""
    jackpot.chips(s, area, spot)
    if spot.amount:
        sit_down(s, place_of(area, spot.bettor))


def _read(s: HouseStep, r: Round, fact: Chips, *, changed: bool) -> None:
    """Keeps what the sensor read, which was accepted."""
    for spot in fact.spots:
        s.own.sensed[place_of(fact.area, spot.bettor), spot.spot] = spot.amount
    if r.closed == "announced" and changed:
        jackpot.register(s)
    read_tokens(r, fact)
    if unequal := s.game.unequal(r, place_of(fact.area)):
        raise Refusal(unequal.rule, unequal.text)


def _now(s: HouseStep, area: int, spot: Spot) -> int:
    place = place_of(area, spot.bettor)
    if s.round is not None:
        return s.round.wagers.get((place, spot.spot), 0)
    return s.t.jackpot.carried.get(place, 0) if spot.spot == JACKPOT else 0


def _may_bet(s: HouseStep, area: int, spot: Spot) -> None:
    """Refuses whoever may not wager here now."""
    most, place = s.t.options.typed.players_per_area, place_of(area, spot.bettor)
    if spot.bettor > most:
        raise Refusal(s.cites.per_area, f"no more than {most} may wager on one area")
    if excluded(s.t, place):
        raise Refusal(s.cites.excluded, "this player is excluded from the game")
    if spot.token and not s.policy.tokens:
        raise Refusal(s.cites.chips_only, "wagers are accepted in chips only")
    if s.policy.one_hand and _plays_elsewhere(s, place):
        raise Refusal(s.cites.one_hand, "a player wagers on one hand only")
    if s.round is None and (shut := takes.gate(s.t)) is not None:
        raise Refusal(shut.rule, shut.why)
    if rule := bets_wait(s.t, s.document):
        raise Refusal(rule, "bets are called when the burn card is out")


def _plays_elsewhere(s: HouseStep, place: Place) -> bool:
    """Tells whether the player there has a wager on another area."""
    wagered = s.round.wagers if s.round is not None else {}
    who = s.t.seats.get(place)
    own = [p for p, name in s.t.seats.items() if name == who]
    return any(p in own and area_of(p) != area_of(place) for p, _ in wagered)


def _opening_wager(s: HouseStep, area: int, spot: Spot) -> None:
    """Takes a wager before the first card; later chips are handed back."""
    r, place = s.round, place_of(area, spot.bettor)
    assert r is not None  # chips have opened it by now, and none lie on such a spot without one
    if _was_settled(s, r, place, spot):
        return
    if r.closed:
        _after_the_close(s, r, place, spot)
    sit_down(s, place)
    at = (place, spot.spot)
    if not spot.amount:
        del r.wagers[at]
        return
    r.wagers[at] = spot.amount
    if not Layout(s.t, r, s.game).live(place, spot.spot):
        s.settle([Line(place, spot.spot, 0, "reversed", 0, s.cites.placed)])  # it was refused before: a new one
    _advise(s, r, place, spot)
    if r.closed:
        s.close_betting(r.closed)


def _was_settled(s: HouseStep, r: Round, place: Place, spot: Spot) -> bool:
    """Tells whether chips of a wager that is settled were taken or paid."""
    if spot.amount or not r.closed or _may_change(s, r, place, spot):
        return False
    return not Layout(s.t, r, s.game).live(place, spot.spot)


def _after_the_close(s: HouseStep, r: Round, place: Place, spot: Spot) -> None:
    """Refuses chips that come too late; tells of those that a document takes until the first card."""
    if not _may_change(s, r, place, spot):
        rule = lock_rule(s.t, s.game) if r.closed == "dealt" else s.cites.oral
        what = "hand the chips back" if spot.amount else "the wager stands"
        raise Refusal(rule, f"betting is closed: {what}")
    if s.policy.late_chips:
        s.prompt("dealer", "chips came after the announcement", s.cites.oral, place)


def _may_change(s: HouseStep, r: Round, place: Place, spot: Spot) -> bool:
    """Tells whether a wager may still be changed after the announcement."""
    if r.closed == "dealt":
        return False
    return s.policy.late_chips or _mends(s, r, place, spot)


def _mends(s: HouseStep, r: Round, place: Place, spot: Spot) -> bool:
    """Tells whether a wager outside the limits is put right, or taken back: that may be until the first card."""
    before = r.wagers.get((place, spot.spot), 0)
    if not s.policy.tops_up or not before:
        return False
    limit = limit_now(s.t, place)
    if limit.least <= before <= limit.most:
        return False
    return not spot.amount or limit.least <= spot.amount <= limit.most


def _advise(s: HouseStep, r: Round, place: str, spot: Spot) -> None:
    """Tells the dealer what the owner of a wager outside the limits must know, and whom to ask first."""
    limit, cause = limit_now(s.t, place), causes.Chips(spot.spot)
    if spot.amount < limit.least:
        what = "it will be returned" if limit.warned else "the next one will be returned: tell the player"
        what = "the player tops it up or takes it back" if s.policy.tops_up else what
        text = f"{short(spot.amount)} is under the minimum ({range_text(limit)}); {what}"
        s.prompt("dealer", text, s.cites.advise_under, place, cause=cause)
    elif spot.amount > (most := left_of(Layout(s.t, r, s.game), place, spot.spot, limit.most)):
        text = f"{short(spot.amount)} is over the maximum: {short(most)} is at stake"
        s.prompt("dealer", text, s.cites.advise_over, place, cause=cause)
    elif spot.amount % s.t.options.typed.chip:
        _advise_odd(s, place, cause)
    elif unit := _outside_the_unit(s, spot.amount, limit):
        text = f"above the minimum wagers are in units of {short(unit)}: pay a win up to the next amount in chips"
        s.prompt("dealer", text, s.cites.advise_odd, place, cause=cause)
    for tell in s.game.asks_first(r, place, spot.spot):
        s.prompt(tell.role, tell.text, tell.rule, tell.place, tell.offers)


def _outside_the_unit(s: HouseStep, amount: int, limit: Limit) -> int:
    """Returns the unit that the sign states, where a wager above the minimum is not in it (004 6.5); else 0."""
    unit = s.t.options.of(House).unit_of_wagers
    return unit if unit and (amount - limit.least) % unit else 0


def _advise_odd(s: HouseStep, place: str, cause: causes.Chips) -> None:
    """Tells what the dealer does with a wager whose win chips cannot pay exactly."""
    if s.policy.odd_amounts == "refused":
        s.prompt("dealer", "a win cannot be paid exactly in chips", s.cites.payable, place, ("refuse",), cause)
    elif s.policy.odd_amounts == "paid up":
        s.prompt("dealer", "pay a win up to the next amount in chips", s.cites.advise_odd, place, cause=cause)


def _later_wager(s: HouseStep, area: int, spot: Spot) -> None:
    """Takes a decision made with chips."""
    place, f = place_of(area, spot.bettor), s.look_first()
    assert f is not None  # chips have opened a round by now, and none lie on such a spot without one
    r = f.round
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
    s.own.choices[request.at] = Decision(spot=spot.spot)
    s.own.offers.pop(place, None)
    if request.duty is not None:
        s.prompt("dealer", request.duty.text, request.duty.rule, place)


def _open_choice(f: Layout | None, place: str, spot: str) -> Choice | None:
    """Returns the decision of this place that such a wager makes; None when it has none to make."""
    choices = [request for request in f.waiting if isinstance(request, Choice)] if f is not None else []
    return next((choice for choice in choices if (choice.place, choice.spot) == (place, spot)), None)


def _stands(s: HouseStep, f: Layout) -> str:
    """Returns the rule by which a decision made with chips is made once; it may hang on the community cards."""
    river = s.cites.stands_river if f.turned(COMMUNITY) == RIVER else ""
    return river or s.cites.stands or s.cites.lock


def _offered(s: HouseStep, spot: Spot) -> str:
    """Returns the rule that offers this wager."""
    return s.cites.offer_on.get(spot.spot, s.cites.offer)
