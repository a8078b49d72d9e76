"""The step: a table and a fact give the next table and what is told to the outside.  No I/O, no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, get_args

from msgspec.structs import replace

from controller.rules import Cited
from controller.table import (
    alerts,
    causes,
    deck_deeds,
    deck_watch,
    disputes,
    door_access,
    faults,
    floor,
    holds,
    protection,
    shoe,
    sign_in,
    table_float,
    takes,
    voids,
    wall_clock,
)
from controller.table.deck import fresh
from controller.table.defects import hold_for, place_of, survive
from controller.table.effects import AnyEffect, MeterChanged, Refused
from controller.table.facts import (
    CARDS_LOW,
    AlertAcknowledged,
    AlertOver,
    AlertRaised,
    Amend,
    AnyFact,
    Archived,
    Badge,
    BadgePresented,
    CardKeysDestroyed,
    CardsOpened,
    Chips,
    ClockChecked,
    ClockConfirmed,
    ClockStepped,
    Configured,
    DeckDeed,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    DoorAllowed,
    DoorLocked,
    FloatMoved,
    HouseChanged,
    Key,
    LinkSealed,
    MeterIs,
    MeterTold,
    Noted,
    ProgramChallenged,
    ProgramChecked,
    ProtectionCleared,
    ProtectionRaised,
    Pushed,
    SignedIn,
    SignedOut,
    SignInFailed,
    Snapped,
    Started,
    Turned,
    UnknownChip,
)
from controller.table.history import NOTHING
from controller.table.jackpot import meter, outbox
from controller.table.jackpot import system as jackpot_system
from controller.table.modes import Mode, around
from controller.table.new_configuration import tell_of
from controller.table.options import Chosen, read
from controller.table.prompts import still_open
from controller.table.rules import Games, Rules
from controller.table.sense import sense
from controller.table.sensed import lie_there, unknown_chip
from controller.table.sign import still_announced
from controller.table.state import Line, Seen, Table, clone, opening
from controller.table.step import Refusal, Step

Followed = tuple[Table, list[AnyEffect]]
Aside: TypeAlias = (
    Snapped
    | CardsOpened
    | CardKeysDestroyed
    | Archived
    | Configured
    | ClockChecked
    | ProgramChecked
    | ProgramChallenged
)
Apart: TypeAlias = (
    AlertRaised | AlertOver | AlertAcknowledged | ProtectionRaised | ProtectionCleared | FloatMoved | ClockConfirmed
)
ASIDE: Final = get_args(Aside)  # of the program, its journal and its computer
APART: Final = get_args(Apart)
TAKES: Final = "takes"  # the alerts whose clearing lets the next round begin
FARTHEST = 1 << 60  # microseconds that a clock can be wrong by; more is no time that could be kept


def step(games: Games, table: Table, seq: int, at: int, fact: AnyFact) -> Followed:
    """Returns the table after a fact and what is told to the outside; `table` is left as it was.

    A defect of the code is refused or held, like anything that only people can judge.
    """
    try:
        return _step(games, table, seq, at, fact)
    except Exception as bug:
        held, effects = survive(games, table, seq, fact, bug)
        _at(held, at, fact)
        return held, effects


def _step(games: Games, table: Table, seq: int, at: int, fact: AnyFact) -> Followed:
    if isinstance(fact, Started):
        return _start(games, table, seq, at, fact)
    if isinstance(fact, Amend):
        return _amend(games, table, seq, at, fact)
    if isinstance(fact, ASIDE):
        return _aside(table, at, fact), []
    if isinstance(fact, Turned):
        return _public(table, seq, fact), []
    if not table.game:
        return table, [Refused("", "no game has begun at this table")]
    game = games[table.game]
    mode = around(game, table, fact)
    t = clone(table)
    _at(t, at, fact)
    if isinstance(fact, APART):
        return _apart(t, seq, at, fact)
    s = mode.begin(t, seq, table)
    try:
        _dispatch(mode, s, fact)
        mode.finish(s)
    except Refusal as no:
        t = clone(table)
        _at(t, at, fact)
        if not isinstance(fact, Chips):
            return t, [Refused(no.rule, no.why)]
        s.t, s.effects = t, [Refused(no.rule, no.why)]
        lie_there(s, fact)
    for later in s.resumed:  # chips that were read while the table was held
        s = _looked_at_again(mode, s, later)
    deck_watch.watch(s, table, fact)
    t = s.t
    t.shoe = shoe.follow(t.shoe, seq, fact)
    _keep(t, Seen(seq, at, fact))
    t.live = still_open(t, table, game, seq, fact)
    return t, s.effects


def _apart(t: Table, seq: int, at: int, fact: Apart) -> Followed:
    """Keeps alerts and the float apart from the game: they neither end a prompt nor belong to a round."""
    if isinstance(fact, ProtectionRaised | ProtectionCleared):
        t.protection, why = protection.follow(t.protection, seq, at, fact)
        if not any(each.kind == TAKES for each in t.protection.waiting.values()) and _cleared(fact) and not why:
            t.takes = takes.cleared(t.takes, held=t.options.typed.takes == "hold")
        return t, [Refused("", why)] if why else []
    if isinstance(fact, ClockConfirmed):
        t.clock, why = wall_clock.confirmed(t.clock, fact)
        return t, [Refused("", why)] if why else []
    try:
        if isinstance(fact, FloatMoved):
            t.chips = table_float.follow(t.chips, seq, fact)
        else:
            t.alerts = alerts.follow(t.alerts, seq, at, fact)
    except Refusal as no:
        return t, [Refused(no.rule, no.why)]
    return t, []


def _cleared(fact: Apart) -> bool:
    """Tells whether somebody clears an alert about takes and pays."""
    return isinstance(fact, ProtectionCleared) and fact.kind == TAKES


def _aside(table: Table, at: int, fact: Aside) -> Table:
    """Returns the table after a fact of the program: it notes which one goes on how, and what its clock is worth."""
    if isinstance(fact, ClockChecked):
        t = clone(table)
        t.clock = wall_clock.read(table.clock, max(table.now, at - table.ahead), fact.reading)
        return t
    if not isinstance(fact, Configured) or table.begun is None:  # what is kept changes nothing
        return table
    t = clone(table)
    t.begun = replace(table.begun, version=fact.version, config=fact.config, kind=fact.kind, schema=fact.schema)
    return t


def _public(table: Table, seq: int, fact: Turned) -> Table:
    """Returns the table that knows which cards of the shoe are public for good; nothing else is different."""
    known = shoe.follow(table.shoe, seq, fact)
    if known is table.shoe:
        return table
    t = clone(table)
    t.shoe = known
    return t


def refusal(games: Games, table: Table, pressed: Key) -> Refusal | None:
    """Returns why the table would refuse a key; None when it would take it.  `table` is left as it is.

    It costs less than a step.
    """
    return Asking(games, table).refusal(pressed)


class Asking:
    """Asks one table about many keys, without pressing them.

    Each is tried on a copy of the table.  Nearly all are refused before they have changed anything; then their copy
    serves for the next one too.
    """

    def __init__(self, games: Games, table: Table) -> None:
        self._games, self._table = games, table
        self._spare: Table | None = None  # a copy that is as the table is

    def refusal(self, pressed: Key) -> Refusal | None:
        """Returns why the table would refuse a key; None when it would take it."""
        table, t = self._table, self._spare or clone(self._table)
        self._spare = None
        mode = around(self._games[table.game], table, pressed)
        s = mode.begin(t, 0, table)
        try:
            _dispatch(mode, s, pressed)
            mode.finish(s)
        except Refusal as no:
            self._spare = t if t == table else None
            return no
        except Exception as bug:
            return Refusal("", f"the table could not follow this ({place_of(bug)})")
        return None


def _keep(t: Table, seen: Seen) -> None:
    """Keeps the facts of a round until it is over: it can be told again with one of them corrected."""
    if t.round is not None and not t.round.outcome:
        t.history = t.history.then(seen)
    elif t.history:
        t.history, t.opening = NOTHING, b""


def _looked_at_again(mode: Mode, s: Step, fact: AnyFact) -> Step:
    """Returns the step with these chips as wagers too; as it is when the rules refuse them: then the dealer is told."""
    again = mode.begin(clone(s.t), s.seq, s.t)
    try:
        _dispatch(mode, again, fact)
        mode.finish(again)
    except Refusal as no:
        place = str(fact.area) if isinstance(fact, (Chips, Pushed)) else ""
        s.prompt("dealer", f"chips that came while the table was held are not taken: {no.why}", no.rule, place)
        return s
    except Exception as bug:  # else they would stand in the way of every resume
        hold_for(s, fact, bug)
        return s
    again.effects, again.mixed = s.effects + again.effects, s.mixed or again.mixed
    return again


def _at(t: Table, at: int, fact: AnyFact) -> None:
    """Sets the table's time to when this fact came: the fact's own without the steps of the clock."""
    if isinstance(fact, ClockStepped):
        t.ahead = max(-FARTHEST, min(FARTHEST, t.ahead + fact.after - fact.before))
    t.now = max(t.now, at - t.ahead)
    if isinstance(fact, ClockStepped):
        t.clock = wall_clock.stepped(t.clock, t.now, fact)


def fold(games: Games, table: Table, facts: Iterable[Seen]) -> Table:
    """Returns the table after these facts: recovery, replay and audit are the same thing."""
    for seen in facts:
        table, _ = step(games, table, seen.seq, seen.at, seen.fact)
    return table


def _start(games: Games, table: Table, seq: int, at: int, fact: Started) -> Followed:
    if fact.game not in games:
        return table, [Refused("", f"there is no game {fact.game}")]
    game = games[fact.game]
    options = read(game.options, fact.options)
    limits = game.document.citations.limits
    if isinstance(options, list):
        rule = next((problem.rule for problem in options if problem.rule), limits)
        return table, [Refused(rule, "; ".join(map(str, options)))]
    house = floor.floor_of(fact.house)
    against = options.forbidden(house.options) or options.jackpot_forbidden(fact.game, house.running)
    if against is None and options.min > options.max:
        against = Cited(limits, "the minimum is above the maximum")
    if against is not None:
        return table, [Refused(against.rule, against.text)]
    if "jackpot-rate" not in fact.options:
        options = options.reprinted()
    t = Table(game=fact.game, begun=fact, options=Chosen(options), house=house, open=True)
    t.button = str(options.action_button or "")
    t.now, t.ahead, t.clock = table.now, table.ahead, table.clock
    _at(t, at, fact)
    if fact.clock is not None:
        t.clock = wall_clock.read(t.clock, t.now, fact.clock)
    t.holds, t.accounted = dict(table.holds), dict(table.accounted)  # a new configuration is no ruling
    t.encrypted, t.attempts = dict(table.encrypted), dict(table.attempts)
    t.elsewhere, t.alerts, t.decks = table.elsewhere, table.alerts, table.decks
    t.chips, t.doors = table.chips, dict(table.doors)
    t.protection, t.shoe = table.protection.counted_anew(seq), table.shoe  # with other cards, below
    t.disputes, t.disputed = dict(table.disputes), table.disputed
    t.promotions, t.claims, t.vouchers = dict(table.promotions), list(table.claims), list(table.vouchers)
    t.live = [prompt for prompt in table.live if isinstance(prompt.cause, causes.OpenDispute | causes.PatronWaits)]
    game.open(t)
    begin = Step(t, game, seq)
    fresh(begin, "arrival")
    deck_watch.fresh(begin)
    system = options.terms
    if system is not None:
        t.jackpot.meter = system.seed
        outbox.goes_on(table, t, fact.meter)
    t.notices = still_announced(table, t, fact)  # by the number of the round from which on hands are counted
    tell_of(begin, fact, _former(games, fact))
    return t, []


def _former(games: Games, fact: Started) -> list[Rules]:
    """Returns what was played here before, if it was another game and is installed."""
    named = [fact.instead_of] if fact.instead_of else []
    return [games[name] for name in named if name in games]


def _dispatch(mode: Mode, s: Step, reading: AnyFact) -> None:
    """Does what a fact means: to a table that is held, to its game (in the mode it is played in), or to any table."""
    fact = sense(s, reading)
    if fact is None:
        return
    if isinstance(fact, Key) and (sign_in.pressed(s, fact) or disputes.pressed(s, fact)):
        return
    if s.t.holds and _voids(fact):
        voids.void(s)
        return
    if holds.follow(s, fact) or mode.follow(s, fact):
        return
    follow = ANYWHERE.get(type(fact))
    if follow is not None:
        follow(s, fact)


def _voids(fact: AnyFact) -> bool:
    """Tells whether somebody declares the round void."""
    return isinstance(fact, Key) and (fact.key, fact.args) == ("void", ())


# ---- what means the same at all tables


def _badge(s: Step, fact: Badge) -> None:
    """Signs somebody in, as older consoles told it."""
    sign_in.take_over(s.t, fact)


def _house_changed(s: Step, fact: HouseChanged) -> None:
    """Keeps what holds on the whole floor, and what a prize meter system of it says."""
    match floor.read(fact.option, fact.value):
        case None:
            text = f"the house says {fact.option} {fact.value[:40]}: that cannot be read"
            s.prompt("supervisor", text, s.cites.limits)
        case floor.OptionIs(option, value):
            jackpot_system.house_sets(s, option, value)
        case news:
            jackpot_system.house_is(s, news)


def _noted(s: Step, fact: Noted) -> None:
    """Tells the dealer that few cards are left; anything else is only on record."""
    if fact.what == CARDS_LOW:
        s.prompt("dealer", f"{fact.device}: few cards are left", "")


def _link_sealed(s: Step, fact: LinkSealed) -> None:
    """Keeps which devices must speak encrypted from now on."""
    if fact.sealed:
        s.t.encrypted[fact.device] = fact.serial
    else:
        s.t.encrypted.pop(fact.device, None)


ANYWHERE: Final[Mapping[type, Callable[[Step, Any], None]]] = {  # facts that are not here change nothing by themselves
    UnknownChip: unknown_chip,
    DeckDeed: deck_deeds.follow,
    Badge: _badge,
    BadgePresented: sign_in.badge_read,
    SignedIn: sign_in.signed_in,
    SignedOut: sign_in.signed_out,
    SignInFailed: sign_in.failed,
    DeviceFault: faults.fault,
    DeviceCleared: faults.cleared,
    DeviceLost: faults.lost,
    DeviceReady: faults.ready,
    HouseChanged: _house_changed,
    MeterIs: meter.meter_is,
    MeterTold: meter.meter_told,
    Noted: _noted,
    LinkSealed: _link_sealed,
    DoorAllowed: door_access.allowed,
    DoorLocked: door_access.locked,
}


# ---- corrections: the round is told again


def retell(
    games: Games, table: Table, seq: int, target: int, to: AnyFact | None, lost: list[Seen] | None = None
) -> Table:
    """Returns the round as it would be with that fact corrected; raises Refusal when it would change what is settled.

    `lost` gets the facts after it that the rules then refuse, although they did not before.
    """
    rule = games[table.game].document.citations.lock
    first = table.history.position(target)
    if table.round is None or table.round.outcome or first is None:
        raise Refusal(rule, "only a fact of the round that is running can be corrected")
    _check_kinds(rule, table.history[first].fact, to)
    recorded = any(w.round == table.round.number for w in table.jackpot.pending)
    if table.round.award is not None or recorded:  # pragma: no cover - our games end a round with the step that records
        raise Refusal(rule, "the outcome is recorded on the prize meter")
    was = fold(games, opening(table), table.history[:first])  # up to there nothing is different
    t, later = was, table.history[first:]
    compared = lost is not None or any(isinstance(x.fact, MeterIs | MeterTold) for x in later)
    before: list[AnyEffect] = []
    for x in later:
        fact = outbox.after_correction(to if x.seq == target else x.fact, t, was)
        if compared:
            was, before = step(games, was, x.seq, x.at, x.fact)
        if fact is not None:
            t, after = step(games, t, x.seq, x.at, fact)
            refused = next((effect for effect in after if isinstance(effect, Refused)), None)
            if refused is not None and x.seq == target and isinstance(fact, Key):
                raise Refusal(refused.rule, refused.why)
            if refused is not None and lost is not None and not any(isinstance(e, Refused) for e in before):
                lost.append(x)
    settled: Sequence[Line] = t.round.lines if t.round is not None else ()
    if list(settled[: len(table.round.lines)]) != table.round.lines:
        raise Refusal(rule, "the correction would change what is already settled")
    return t


def _check_kinds(rule: str, was: AnyFact, to: AnyFact | None) -> None:
    """Refuses to correct what nobody can have told wrongly, or what is done in the name of a person."""
    if isinstance(was, ClockStepped):
        raise Refusal(rule, "a step of the machine's clock is not corrected")
    if any(isinstance(each, DoorAllowed | DoorLocked) for each in (was, to)):
        raise Refusal(rule, "what two people have allowed is not corrected")
    if any(isinstance(each, DeckDeed) for each in (was, to)):
        raise Refusal(rule, "what somebody did with a deck is not corrected: do something else with it")


def _amend(games: Games, table: Table, seq: int, at: int, fact: Amend) -> Followed:
    try:
        if fact.role and table.game:
            sign_in.check_correction(fact, games[table.game].document.citations.lock)
        t = retell(games, table, seq, fact.target, fact.to)
    except Refusal as no:
        return clone(table), [Refused(no.rule, no.why)]
    _at(t, at, fact)
    t.alerts, t.protection, t.chips = table.alerts, table.protection, table.chips  # no part of what was told again
    t.clock = table.clock
    outbox.reconcile(table, t)
    return t, [MeterChanged(t.jackpot.meter, t.jackpot.resets)] if t.jackpot.meter != table.jackpot.meter else []
