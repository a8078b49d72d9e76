"""Jackpot wagers at the table: registered, carried over, returned, judged; and the prize meter they feed.

A jackpot game is the set of registered wagers.  To register again only means another set: the meter moves by the
difference, so that a cancelled game leaves no trace in it.
"""

from __future__ import annotations

from controller.cards import UNREAD
from controller.hands import best
from controller.hands.categories import Category
from controller.house.layout import Layout
from controller.house.step import HouseStep
from controller.house.turned import note_compared
from controller.jackpot.rules import METER_HANDS, Prize, Terms, impossible, resets
from controller.jackpot.rules import settle as award_of
from controller.money import short
from controller.places import JACKPOT, Place, place_of
from controller.rules import WON_OR_LOST, Rule
from controller.table import causes
from controller.table.effects import LinesSettled
from controller.table.facts import Spot
from controller.table.jackpot import meter, outbox
from controller.table.jackpot.system import cited, offered
from controller.table.standing import from_the_right
from controller.table.state import Line, Round, Waiting, meter_works
from controller.table.step import Refusal
from controller.table.telling import COMMUNITY

FLOP = 3
FIVE = 5
OTHERS_STAY = "the jackpot game is cancelled; the others are registered anew"


# ---- wagers


def chips(s: HouseStep, area: int, spot: Spot) -> None:
    """Takes a Jackpot wager: one for each hand, for its exact cost, while the equipment works."""
    r, place = s.round, place_of(area, spot.bettor)
    if r is None:  # chips would have opened a round: one that was carried over is taken off
        leaves(s, place)
        return
    _may_wager(s, r, spot)
    if r.closed:
        s.prompt("dealer", "chips came after the announcement", s.cites.oral, place)
    if spot.amount:
        _placed(s, r, place, spot.amount)
    else:
        _withdrawn(s, r, place)


def _may_wager(s: HouseStep, r: Round, spot: Spot) -> None:
    """Refuses a Jackpot wager that comes too late, or is not for its exact cost, or when the equipment fails."""
    system = offered(s)
    if r.closed == "dealt":
        raise Refusal(s.cites.lock, "betting is closed: hand the chips back")
    if r.closed and not s.policy.late_chips:
        raise Refusal(s.cites.oral, "betting is closed: hand the chips back")
    if spot.amount and not meter_works(s.t):
        raise Refusal(cited(s).equipment, "the prize meter system does not work")
    if spot.token or spot.amount not in (0, system.cost):
        raise Refusal(cited(s).cost, f"a Jackpot wager is {short(system.cost)} in chips")


def _placed(s: HouseStep, r: Round, place: Place, amount: int) -> None:
    """Takes a Jackpot wager that lies there; if others were carried over, they are registered anew with it."""
    if r.carried and place not in r.carried:
        text = "the jackpot game is cancelled; all wagers are registered anew when betting closes"
        s.prompt("dealer", text, cited(s).carry_join, place)
    r.wagers[place, JACKPOT] = amount
    if not Layout(s.t, r, s.game).live(place, JACKPOT):
        s.settle([Line(place, JACKPOT, 0, "reversed", 0, cited(s).offer)])  # it went back before: a new one


def _withdrawn(s: HouseStep, r: Round, place: Place) -> None:
    """Takes a Jackpot wager back: the others are registered without it."""
    del r.wagers[place, JACKPOT]
    if place in r.carried:
        r.carried.remove(place)
        s.prompt("dealer", OTHERS_STAY, cited(s).carry_leave, place)
    if place in s.t.jackpot.registered:
        _enter(s, [p for p in s.t.jackpot.registered if p != place])


def register(s: HouseStep) -> None:
    """Registers every Jackpot wager with a hand behind it, when betting is closed; the others go back."""
    system, r = s.jackpot, s.t.round
    if system is None or r is None:
        return
    back = [(p, rule) for p in lying(s, r) if (rule := _unfit(s, r, p))]
    for place, _ in back:
        del r.wagers[place, JACKPOT]
    s.settle([Line(place, JACKPOT, system.cost, "returned", 0, rule) for place, rule in back])
    for place, rule in back:
        s.prompt("dealer", "the Jackpot wager takes no part: hand it back", rule, place)
    _enter(s, lying(s, r))


def lying(s: HouseStep, r: Round) -> list[str]:
    """Returns where Jackpot wagers lie: also those that are carried over, none that was given back."""
    f = Layout(s.t, r, s.game)
    placed = [place for place, spot in r.wagers if spot == JACKPOT]
    ends = {place: f.line(place, JACKPOT) for place in placed}
    return [place for place, line in ends.items() if line is None or line.result == "carried"]


def _unfit(s: HouseStep, r: Round, place: str) -> str:
    """Returns the rule by which a Jackpot wager cannot take part."""
    if any((place, spot) not in r.wagers for spot in s.game.required):
        return cited(s).carry_leave if place in r.carried else cited(s).hand
    if not meter_works(s.t) and place not in s.t.jackpot.registered:
        return cited(s).equipment
    return ""


def _enter(s: HouseStep, places: list[str]) -> None:
    """Makes these wagers the jackpot game from now on."""
    system, game, r = s.jackpot, s.t.jackpot, s.round
    assert system is not None
    if r is not None and not game.registered:
        r.meter_before = game.meter
    stay = set(places) & set(game.registered) if game.increment == system.increment else set()
    by = outbox.reversals(s.t, [place for place in game.registered if place not in stay])
    by += sum(outbox.contribution(s.t, place, system.increment) for place in places if place not in stay)
    game.registered, game.increment, game.cancelled = places, system.increment, False
    s.change_meter(by)


def start(s: HouseStep, args: tuple[str, ...]) -> None:
    """Starts a jackpot game again after a cancel; else the dealer has made a mistake, and a supervisor must know."""
    offered(s)
    r, game = s.round, s.t.jackpot
    mistake = _started_by_mistake(s, r)
    places = lying(s, r) if r is not None else list(game.carried)
    if not places:
        raise Refusal(cited(s).start, "no Jackpot wager lies there")
    newcomers = set(places) - set(game.registered)
    if newcomers and not meter_works(s.t):
        raise Refusal(cited(s).equipment, "the prize meter system does not work")
    if r is not None and r.closed:
        register(s)
    else:
        _enter(s, places)
    if mistake:
        text = "a jackpot game was started by mistake: cancel it"
        s.prompt("supervisor", text, cited(s).start, offers=("cancel-jackpot",))


def _started_by_mistake(s: HouseStep, r: Round | None) -> bool:
    """Tells whether no jackpot game was to be started: one runs, or players still bet."""
    if s.t.jackpot.cancelled:
        return False
    if s.t.jackpot.registered:
        return True
    return r is not None and not r.closed


def cancel(s: HouseStep, args: tuple[str, ...]) -> None:
    """Ends the current jackpot game: its increments leave the meter, the wagers stay where they are."""
    game, rule = s.t.jackpot, s.cites.placed if s.document.jackpot is None else s.document.jackpot.start
    if s.jackpot is None or not game.registered:
        raise Refusal(rule, "no jackpot game is running")
    _enter(s, [])
    game.cancelled = True
    s.ruled("cancelled", rule, "the jackpot game is cancelled")
    s.prompt("dealer", "every player may place a Jackpot wager", rule, offers=("start-jackpot",))


def leaves(s: HouseStep, place: Place, *, void: Rule = "") -> None:
    """Gives whoever leaves a wager back that was carried over; the others are registered again without it.

    `void`: the rule by which it is void, when the player was made to leave.
    """
    r, system = s.t.round, s.jackpot
    if r is None or system is None:
        return
    if _carried_into(s, place):
        r.wagers.pop((place, JACKPOT), None)
        r.carried.remove(place)
    elif place not in s.t.jackpot.carried:
        return
    rule = cited(s).carry_leave
    s.settle([Line(place, JACKPOT, system.cost, "void" if void else "returned", 0, void or rule)])
    s.prompt("dealer", OTHERS_STAY, rule, place)


def _carried_into(s: HouseStep, place: Place) -> bool:
    """Tells whether a wager lies there that was carried into the round that is running, and may be taken back."""
    r = s.round
    if r is None or r.closed or place not in r.carried:
        return False
    return place in lying(s, r)


def taken_back(s: HouseStep, lines: list[Line]) -> list[Line]:
    """Returns the lines of wagers that a player retracts: for the Jackpot the document has a rule of its own."""
    of_jackpot = [x for x in lines if x.spot == JACKPOT]
    if not of_jackpot:
        return lines
    rule = cited(s).retract
    for line in of_jackpot:
        s.prompt("dealer", OTHERS_STAY, rule, line.place)
    return [Line(x.place, x.spot, x.stake, x.result, 0, rule) if x in of_jackpot else x for x in lines]


# ---- prizes


def hands(f: Layout) -> dict[str, list[str] | None]:
    """Returns the five cards of every Jackpot wager to be judged; None for a hand that takes no part any more."""
    return {place: f.game.jackpot_cards(f, place) for place in from_the_right(f.unjudged()) if f.hands.get(place)}


def unknown(at: dict[str, list[str] | None]) -> list[str]:
    """Returns whose hand nobody can judge: it has not five cards, or one that could not be read, or one twice."""
    return [place for place, cards in at.items() if cards and not _five(cards)]


def _five(cards: list[str]) -> bool:
    return UNREAD not in cards and len(cards) == len(set(cards)) == FIVE


def judge(s: HouseStep, at: dict[str, list[str] | None]) -> None:
    """Judges the Jackpot wagers after all hands were settled: all prizes but those of the meter."""
    system, r, game = s.jackpot, s.t.round, s.t.jackpot
    if system is None or r is None:
        return
    f = Layout(s.t, r, s.game)
    lines: list[Line] = []
    flushes: list[tuple[str, Category]] = []
    for place in from_the_right(f.unjudged()):
        cards, back = at.get(place), _takes_no_part(s, f, place)
        hand = best(cards).category if cards else None
        if back:
            lines.append(Line(place, JACKPOT, system.cost, "returned", 0, back))
        elif hand in METER_HANDS:
            flushes.append((place, hand))
        else:
            lines.append(_decided(s, system, r, place, hand))
    note_compared(s.own, s.game.seen_folded, lines)
    s.settle(lines)
    r.meter_settled = game.meter  # wagers that went back have left it: this is what the prizes are taken from
    s.own.shown |= {place: () for place, _ in flushes}  # they lie face up until the prizes are paid
    if flushes:
        _record(s, system, r, flushes)


def _takes_no_part(s: HouseStep, f: Layout, place: Place) -> str:
    """Returns the rule by which a Jackpot wager goes back: no valid hand, or cancelled and never registered again."""
    if void := s.game.stake(f, place, s.game.required[0]).back:
        return void
    return "" if place in s.t.jackpot.registered else cited(s).start


def _decided(s: HouseStep, system: Terms, r: Round, place: str, hand: Category | None) -> Line:
    """Returns what the dealer decides: a fixed prize, or none."""
    cites, method_b = cited(s), s.t.options.typed.method == "B"
    if hand is None:
        return Line(place, JACKPOT, system.cost, "lose", -system.cost, cites.judged.fold)
    prize = system.fixed(hand)
    if not prize:
        rule = cites.judged.lose_b if method_b else cites.judged.lose_a
        return Line(place, JACKPOT, system.cost, "lose", -system.cost, rule)
    r.prizes.append(Prize(place, hand.name.lower().replace("_", " "), prize, cites.dealer))
    rule = cites.judged.win_b if method_b else cites.judged.win_a
    return Line(place, JACKPOT, system.cost, "win", prize - system.cost, rule, prize=prize)


def _record(s: HouseStep, system: Terms, r: Round, flushes: list[tuple[str, Category]]) -> None:
    """Records the outcome on the meter; the prizes wait for the person who decides them."""
    game = s.t.jackpot
    r.settlements += 1  # kept for the prizes
    game.registered = [p for p in game.registered if p not in dict(flushes)]
    if game.keeper == meter.SHARED:  # other tables may be first: the system says what the meter held
        number = outbox.outcome(s.t, r.number, flushes, 0)
        game.pending.append(Waiting(r.number, r.settlements, system.cost, (), number, tuple(p for p, _ in flushes)))
    else:
        award = award_of(system, game.meter, flushes)
        r.prizes.extend(award.prizes)
        r.award = award
        game.pending.append(Waiting(r.number, r.settlements, system.cost, award.prizes))
        outbox.outcome(s.t, r.number, flushes, award.after - award.at)
        game.resets += resets(system.kind, award)
        s.change_meter(award.after - award.at)
        meter.to_be_paid(s, award.prizes)
    if impossible(system, flushes):
        text, power = "so many flushes cannot share one Flop: check the cards before paying", meter.decides(s)
        s.prompt(power.role, text, power.rule, cause=causes.Prizes())


def confirm(s: HouseStep, args: tuple[str, ...]) -> None:
    """Pays the prizes of the meter, also those of a round before this one."""
    game = s.t.jackpot
    if not game.pending:
        rule = s.cites.finished if s.document.jackpot is None else s.document.jackpot.dealer
        raise Refusal(rule, "no royal or straight flush waits here: the dealer decides the other prizes")
    ready = meter.answered(s, game.pending)
    for waiting in ready:
        at = waiting.stake
        lines = [Line(p.place, JACKPOT, at, "win", p.cents - at, p.rule, prize=p.cents) for p in waiting.prizes]
        if s.t.round is not None and s.t.round.number == waiting.round:
            s.t.round.lines.extend(lines)
        s.effects.append(LinesSettled(waiting.round, waiting.settlement, tuple(lines)))
    game.pending = [w for w in game.pending if w not in ready]


# ---- rounds without a result


def claims_stay(s: HouseStep) -> None:
    """Keeps the claims of who has not folded, or had not to decide yet: the Flop was in order (003 11.4.2)."""
    f = s.look()
    if f is None or len(f.hands.get(COMMUNITY, [])) < FLOP:
        return
    at = hands(f)
    for place in [p for p, cards in at.items() if cards is None and p not in f.own.rack]:
        at[place] = f.hands[place] + f.hands[COMMUNITY][:FLOP]
    rule = cited(s).carry
    s.settle([Line(place, JACKPOT, f.wager(place, JACKPOT), "carried", 0, rule) for place in unknown(at)])
    judge(s, at)


def undo(s: HouseStep, rule: str) -> None:
    """Takes back what the last round did to the meter: its outcome is invalid."""
    system, r, game = s.jackpot, s.t.round, s.t.jackpot
    if system is None or r is None:
        return
    f = Layout(s.t, r, s.game)
    standing = [f.line(place, JACKPOT) for place in f.places(JACKPOT)]
    played = [line for line in standing if line is not None and line.result in WON_OR_LOST]
    meter.answered(s, [w for w in game.pending if w.round == r.number])
    unpaid = [p.place for w in game.pending if w.round == r.number for p in w.prizes]
    game.pending = [w for w in game.pending if w.round != r.number]
    s.settle([Line(place, JACKPOT, system.cost, "void", 0, rule) for place in unpaid])
    award, r.award, r.prizes = r.award, None, []
    by = 0
    if award is not None:
        by = outbox.undo(s.t, r.number, award.at - award.after)
        game.resets -= resets(system.kind, award)
    s.change_meter(outbox.reversals(s.t, [*(line.place for line in played), *unpaid], by))
    r.meter_after = game.meter
