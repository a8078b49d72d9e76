"""The table in plain words: what happened, and what it waits for."""

from __future__ import annotations

from datetime import UTC, datetime

from controller.cards import UNREAD, spoken
from controller.money import short
from controller.poker.hand.course import stage
from controller.poker.money.stacks import running
from controller.table import facts as f
from controller.table.duties import due
from controller.table.facts import AnyFact
from controller.table.requests import Cards, Choice, Due, Order, Press, Request, Settle, Wagers
from controller.table.rules import Rules
from controller.table.state import Table, place_of

# ---- what it waits for


def waiting(table: Table, game: Rules) -> list[Due]:
    """All that is due now; the first one is the most urgent."""
    return due(table, game)


def phase(table: Table, game: Rules) -> str:
    """One word for where the table stands."""
    if not table.open:
        return "closed"
    if table.holds:
        return "held"
    if table.talk is not None:
        return "question"
    if table.round is None or table.round.outcome:
        return "between rounds"
    if running(table) is not None:
        return _STAGES.get(stage(table).what, "dealing")
    requests = game.waiting(table)
    return _PHASES.get(type(requests[0]), "waiting") if requests else "settling"


_PHASES: dict[type[Request], str] = {
    Wagers: "betting",
    Cards: "dealing",
    Order: "dealing",
    Press: "stopped",
    Choice: "deciding",
    Settle: "settling",
}
_STAGES = {"blinds": "deciding", "act": "deciding", "discard": "deciding", "ruling": "stopped", "over": "settling"}


# ---- what happened


def tell(fact: AnyFact) -> str:
    """One line for people; give it what `public` made of the fact."""
    match fact:
        case f.Started(game):
            return f"the table starts with {game}"
        case f.CardOut(card, face_up):
            return f"{_card(card)} left the shoe" + (", where it lay face up" if face_up else "")
        case f.CardsOut(cards):
            return f"{', '.join(map(_card, cards))} left together"
        case f.CardRead(reader, card, face_up, together):
            where = "the board" if reader == "board" else f"seat {reader}"
            what = ", ".join(map(_card, together)) + " together" if together else _card(card)
            return f"{where}: {what}" + (", which lay face up in the deck" if face_up else "")
        case f.Pushed(area, chips):
            return f"seat {area} pushes forward " + "+".join(map(short, chips))
        case f.Chips(area, spots):
            return f"area {area}: " + ", ".join(_spot(area, spot) for spot in spots)
        case f.UnknownChip(area, spot, bettor):
            return f"area {place_of(area, bettor)}: a chip on {spot} is not known"
        case f.Key(key, args, account):
            return "key " + " ".join((key, *args)) + (f" (account {account})" if account >= 0 else "")
        case f.Badge(role, name):
            return f"signed in: {role}" + (f" {name}" if name else "")
        case f.Shuffled(count, verified):
            return f"the machine shuffled {count} cards" + ("" if verified else ", and they are not right")
        case f.Amend(target, to, by, account, login):
            what = "struck out" if to is None else f"corrected to: {tell(to)}"
            whose = f", account {account} {login}".rstrip() if account >= 0 else ""
            return f"fact {target} is {what}" + (f" (by {by}{whose})" if by else "")
    return _of_devices(fact)


def _of_devices(fact: AnyFact) -> str:
    match fact:
        case f.DeviceFault(device, code, detail):
            return f"{device} reports {code}" + (f": {detail}" if detail else "")
        case f.DeviceCleared(device, code):
            return f"{device}: {code} is over"
        case f.DeviceLost(device, code, cause):
            return f"{device} is lost: {cause or code}"
        case f.DeviceReady(device):
            return f"{device} is back"
        case f.Noted(device, what):
            return f"{device}: {what}"
        case f.Serviced(device, deed, name, licence, time, reason, asset):
            return f"{device}: {deed} by {name}, licence {licence}, at {time}; {reason}; asset {asset}"
        case f.Hold(code, text, device):
            return f"the table is held by {code}: " + (f"{device}: {text}" if device else text)
        case f.Released(code, device):
            return f"the table is no longer held by {code}" + (f" of {device}" if device else "")
        case f.Missed(device, _, counter, code, text):
            held = f"; the table is held by {code}" if code else ""
            return f"{device}: {text}{held}; its events up to {counter} are accounted for"
        case f.Snapped(seq):
            return f"a snapshot was taken at fact {seq}"
        case f.MeterIs(value):
            return f"the prize meter holds {value // 10_000}.{value % 10_000:04}"
        case f.MeterTold(_, last, value):
            return f"the prize meter has recorded {last} movements and holds {value // 10_000}.{value % 10_000:04}"
        case f.HouseChanged(option, value):
            return f"the house sets {option} to {value}"
        case f.CuttingCard():
            return "the cutting card is out"
        case f.ShoeEmpty():
            return "the shoe is empty"
        case f.LinkSealed(device, _, sealed, account):
            whose = f" (account {account})" if account >= 0 else ""
            return f"{device}: its link is {'sealed' if sealed else 'plain'} from now on" + whose
        case f.Tick():
            return "time passed"
        case f.Turned(number, _, cards):
            count = len({seq for seq, _ in cards})
            return f"round {number} is over: what was turned or compared is public ({count} facts)"
        case f.ClockStepped(before, after):
            return f"the machine's clock was set: {_clock(before)} became {_clock(after)}"
    return type(fact).__name__


def _clock(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1e6, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):  # no year that a calendar has
        return f"{at / 1e6:.0f} s"


def _card(card: str) -> str:
    return "a card" if card == UNREAD else spoken(card)


def _spot(area: int, spot: f.Spot) -> str:
    whose = f" of {place_of(area, spot.bettor)}" if spot.bettor > 1 else ""
    return f"{short(spot.amount)} on {spot.spot}{whose}" + (" in tokens" if spot.token else "")
