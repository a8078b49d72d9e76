"""Facts that come beside the play, chosen by a seed: people and their badges, decks, the float, alerts, restarts."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from controller.cards import DECK
from controller.games import defaults
from controller.rules import ROLES
from controller.table import facts as f
from controller.table.deck_deeds import DEEDS as DECK_DEEDS
from controller.table.deck_deeds import UNFIT
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.table.table_float import DEEDS as FLOAT_DEEDS

PEOPLE = (("Ann", "1"), ("Bob", "2"), ("Cy", "3"))
PLACES = ("console", "console", "page", "socket")
ALERTS = ("lost", "held")
PROTECTION = ("takes", "pace", "win", "cards", "order")
DEVICES = ("shoe", "shuffler", "sensor.1", "reader.2", "meter", "console")
LIMITS = ("min=10", "min=20", "max=500", "max=1000", "unit=5", "min=5 max=200", "min=none")
US_A_DAY = 86_400_000_000


def aside(r: Random, table: Table) -> AnyFact:
    """Returns a fact that is no play."""
    return r.choice((at_badges, at_badges, at_decks, at_decks, at_float, at_float, at_alerts, at_sign, at_machine))(
        r, table
    )


def at_badges(r: Random, table: Table) -> AnyFact:
    """Somebody signs in or out, or tries to."""
    (person, badge), place = r.choice(PEOPLE), r.choice(PLACES)
    role = r.choice((*ROLES, "supervisor", "supervisor", "dealer"))
    idle = r.choice((0, 60_000_000, 600_000_000))
    wrong = r.choice((f.WRONG_PIN, f.WRONG_PIN, f.LOCKED_OUT, f.NO_BADGE, f.NO_ROLE))
    return r.choice(
        (
            f.BadgePresented(badge, r.choice((person, person, ""))),
            f.SignedIn(person, badge, role, place, idle=idle),
            f.SignedIn(person, badge, role, place, idle=idle),
            f.SignInFailed(badge, place, wrong, r.choice((person, ""))),
            f.SignedOut(person, place, r.choice(("", f.IDLE, f.REPLACED, f.REMOVED, f.UNPLUGGED, f.CUT_OFF))),
            f.Key("sign-out"),
            f.Key(r.choice(("checked", "void", "open-table")), (), 1000, person, role, place),
        )
    )


def at_decks(r: Random, table: Table) -> AnyFact:
    """Somebody does something with cards."""
    (person, _), (other, _) = r.sample(PEOPLE, 2)
    deed = f.DeckDeed(
        r.choice(tuple(DECK_DEEDS)),
        person,
        r.choice(("dealer", "supervisor", "supervisor", "area-manager", "casino-manager")),
        r.choice(PLACES),
        deck=r.choice((0, 0, 1, 2)),
        colour=r.choice(("red", "blue", "")),
        serial=r.choice(("A1", "B2", "")),
        count=r.choice((-1, 52, 52, 51, 312, 416)),
        fault=r.choice((*UNFIT, "", "")),
        cards=tuple(r.sample(DECK, r.choice((0, 1, 1, 2)))),
        note=r.choice(("", "a corner is bent")),
        slip=r.choice(("S1", "S2", "")),
        seal=r.choice(("L1", "L2", "")),
        witness=r.choice((other, other, "")),
    )
    return r.choice(
        (
            deed,
            deed,
            deed,
            f.DeckIn("shuffler", r.choice(("red", "blue"))),
            f.Shuffled(r.choice((52, 312, 51)), r.random() < 0.8),
            f.Key(r.choice(("checked", "shuffled", "replaced", "cut"))),
        )
    )


def at_float(r: Random, table: Table) -> AnyFact:
    """The float is counted, or something goes into it or out of it."""
    (person, _), (other, _) = r.sample(PEOPLE, 2)
    deed = r.choice((*FLOAT_DEEDS, "opening", "opening"))
    declared = FLOAT_DEEDS.get(deed)
    role = declared.role if declared is not None and r.random() < 0.8 else r.choice(ROLES)
    return f.FloatMoved(
        deed,
        r.choice((0, 5_000, 100_000, 1_000_000, -5_000)),
        person,
        role,
        r.choice(PLACES),
        about=r.choice((0, 0, table.chips.opened)),
        slip=r.choice(("F1", "F2", "")),
        note=r.choice(("", "", "it was counted twice")),
        witness=r.choice((other, other, person, "")),
        witness_role=r.choice((role, "supervisor", "")),
        witness_place=r.choice(PLACES),
    )


def at_alerts(r: Random, table: Table) -> AnyFact:
    """Something is not as it should be, here or at another table, and somebody looks at it."""
    (person, _), kind, about = r.choice(PEOPLE), r.choice(ALERTS), r.choice(("1", "2"))
    other = r.choice(("T2", "T3"))
    watched = r.choice(PROTECTION)
    number = r.choice((*table.alerts, *table.protection.waiting, 5))
    return r.choice(
        (
            f.AlertRaised(other, kind, about, "a shoe is lost", 5, "look at it"),
            f.AlertOver(other, kind, about),
            f.AlertAcknowledged(number, other, kind, "a shoe is lost", person, "supervisor", "page"),
            f.ProtectionRaised(watched, f"{table.number} {about}", "a bet was not taken", table.number, "look"),
            f.ProtectionCleared(number, watched, "a bet was not taken", "seen", person, "supervisor", "page"),
        )
    )


def at_sign(r: Random, table: Table) -> AnyFact:
    """Limits are announced or set, or the table is started anew, with the same options or others."""
    words = tuple(r.choice(LIMITS).split())
    options = {**defaults(table.game), **{name: value for name, value in table.options.items() if name in ("jackpot",)}}
    changed = dict(word.split("=") for word in words)
    return r.choice(
        (
            f.Key("notice", words),
            f.Key("notice", words),
            f.Key("set", words),
            f.Key("set", words),
            f.Key("notice", ("off",)),
            f.Started(table.game, options),
            f.Started(table.game, {**options, **changed}),
            f.Started(table.game, options, announced=changed, players=r.random() < 0.5),
        )
    )


def at_machine(r: Random, table: Table) -> AnyFact:
    """The machine and its devices."""
    device, code = r.choice(DEVICES), r.choice(("shoe.jam", "shuffler.jam", "sensor.dark"))
    wall = table.now + table.ahead
    step = r.choice((-US_A_DAY, -1_000_000, 1_000_000, 40 * US_A_DAY))
    lost = f.Missed(device, 1, r.choice((3, 9)), r.choice(("", "journal.gap")), "events 2 and 3")
    made: tuple[AnyFact, ...] = (
        f.Tick(),
        f.Tick(),
        f.ClockStepped(wall, wall + step),
        f.LinkSealed(device, "A1", r.random() < 0.7),
        lost,
        replace(lost, code="journal.gap"),
        f.DeviceFault(device, code, "a card stands in it"),
        f.DeviceCleared(device, code),
        f.DeviceLost(device, "lost", ""),
        f.DeviceReady(device),
        f.Hold(code, "a card stands in it", device),
        f.Released(code, device),
        f.Snapped(1, b"12345678", "1"),
        f.Turned(table.number, 5, ((3, 0),)),
    )
    return r.choice(made)
