"""Each fact in one line of plain words, for people who read the journal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from controller.cards import UNREAD, spoken
from controller.counts import many
from controller.money import short
from controller.places import place_of
from controller.table import facts as f
from controller.table.facts import AnyFact
from controller.views.plain import one_line


def tell(fact: AnyFact) -> str:
    """Returns a fact in one line for people; give it what `public` made of the fact."""
    text = TEXTS.get(type(fact))
    return one_line(text(fact)) if text is not None else type(fact).__name__


# ---- cards and chips


def _started(fact: f.Started) -> str:
    other = f", and played {fact.instead_of} before" if fact.instead_of else ""
    waits = f"; the sign announces {waiting(fact)}" if fact.announced else ""
    return f"the table starts with {fact.game}{other}{waits}"


def waiting(fact: f.Started) -> str:
    """Returns what the sign has to announce before it is as the configuration says."""
    return ", ".join(f"{option}={value or 'its own'}" for option, value in fact.announced.items())


def _card_out(fact: f.CardOut) -> str:
    return f"{_card(fact.card)} left the shoe" + (", where it lay face up" if fact.face_up else "")


def _cards_out(fact: f.CardsOut) -> str:
    return f"{', '.join(map(_card, fact.cards))} left together"


def _card_read(fact: f.CardRead) -> str:
    where = "the board" if fact.reader == "board" else f"seat {fact.reader}"
    what = ", ".join(map(_card, fact.together)) + " together" if fact.together else _card(fact.card)
    return f"{where}: {what}" + (", which lay face up in the deck" if fact.face_up else "")


def _shuffled(fact: f.Shuffled) -> str:
    return f"the machine shuffled {many(fact.count, 'card')}" + ("" if fact.verified else ", and they are not right")


def _deck_deed(fact: f.DeckDeed) -> str:
    which = f"deck {fact.deck}" if fact.deck else "all decks in play"
    known = {"colour": fact.colour, "serial": fact.serial, "fault": fact.fault, "cards": " ".join(fact.cards)}
    known |= {"count": str(fact.count) if fact.count >= 0 else "", "note": fact.note}
    known |= {"slip": fact.slip, "seal": fact.seal, "witness": fact.witness}
    details = ", ".join(f"{name} {value}" for name, value in known.items() if value)
    subject = "" if fact.deed == "bring" else f" ({which})"
    says = f"{fact.role} {fact.person} at the {fact.place}: {fact.deed} deck{subject}"
    return says + (f": {details}" if details else "") + _by_account(fact.account)


def _turned(fact: f.Turned) -> str:
    count = len({seq for seq, _ in fact.cards})
    rules = ", ".join(dict.fromkeys(rule for rule in fact.rules if rule))
    by = f", by {rules}" if rules else ""
    return f"round {fact.round} is over: what was turned or compared is public ({many(count, 'fact')}{by})"


def _hidden(fact: f.Hidden) -> str:
    return f"{tell(fact.shown)}, which cannot be opened here"


def _cards_opened(fact: f.CardsOpened) -> str:
    who = f"{fact.role} {fact.person} at the {fact.place}"
    opened = f"the hidden cards of round {fact.round} are opened for {who}"
    return f"{opened}: {fact.reason}" + _by_account(fact.account)


def _card_keys_destroyed(fact: f.CardKeysDestroyed) -> str:
    days = many(len(fact.days), "day")
    keys = f"the keys of {days} are destroyed after {many(fact.retention, 'day')}"
    return f"{keys}: what was never turned is hidden for good"


def _archived(fact: f.Archived) -> str:
    sealed = f"records {fact.first} to {fact.last} are sealed in {fact.file}, SHA-256 {fact.digest.hex()}"
    return sealed + _by_account(fact.account)


def _pushed(fact: f.Pushed) -> str:
    return f"seat {fact.area} pushes forward " + "+".join(map(short, fact.chips))


def _chips(fact: f.Chips) -> str:
    if fact.covered and not fact.spots:
        return f"area {fact.area}: a secret wager"
    return f"area {fact.area}: " + ", ".join(_spot(fact.area, spot) for spot in fact.spots)


def _unknown_chip(fact: f.UnknownChip) -> str:
    return f"area {place_of(fact.area, fact.bettor)}: a chip on {fact.spot} is not known"


def _card(card: str) -> str:
    return "a card" if card == UNREAD else spoken(card)


def _spot(area: int, spot: f.Spot) -> str:
    whose = f" of {place_of(area, spot.bettor)}" if spot.bettor > 1 else ""
    return f"{short(spot.amount)} on {spot.spot}{whose}" + (" in tokens" if spot.token else "")


# ---- people


def _key(fact: f.Key) -> str:
    return "key " + " ".join((fact.key, *fact.args)) + _by_person(fact) + _by_account(fact.account)


def _badge(fact: f.Badge) -> str:
    return f"signed in: {fact.role}" + (f" {fact.name}" if fact.name else "")


def _badge_read(fact: f.BadgePresented) -> str:
    return f"badge {fact.badge} was shown" + (f": {fact.person}" if fact.person else "; nobody has it")


def _signed_in(fact: f.SignedIn) -> str:
    return f"signed in at the {fact.place}: {fact.role} {fact.person}" + _by_account(fact.account)


_ENDED: Final = {
    f.IDLE: "nothing was done",
    f.EXPIRED: "the time of the session is over",
    f.REPLACED: "another sign-in took its place",
    f.REMOVED: "people.toml has the person or the role no more",
    f.UNPLUGGED: "the console was unplugged",
    f.STOPPED: "the daemon stopped",
    f.CUT_OFF: "the daemon had been cut off",
}


def _signed_out(fact: f.SignedOut) -> str:
    why = f", {_ENDED.get(fact.why, fact.why)}" if fact.why else ""
    return f"signed out at the {fact.place}{why}: {fact.person}" + _by_account(fact.account)


_FAILED: Final = {
    f.WRONG_PIN: "the PIN was wrong",
    f.LOCKED_OUT: "too many PINs were wrong before",
    f.NO_BADGE: "a PIN came without a badge",
    f.NO_ROLE: "the person has not this role",
    f.UNCHECKED: "the PIN could not be checked",
    f.NO_PEOPLE: "people.toml is missing or cannot be used",
    f.BARRED: "the account is locked, expired, or needs a new password",
}


def _sign_in_failed(fact: f.SignInFailed) -> str:
    whose = f" with badge {fact.badge}{f' of {fact.person}' if fact.person else ''}" if fact.badge else ""
    why = _FAILED.get(fact.why, fact.why)
    return f"nobody signed in at the {fact.place}{whose}: {why}" + _by_account(fact.account)


def _by_person(fact: f.Key) -> str:
    return f" (by {fact.role} {fact.person} at the {fact.place})" if fact.person else ""


def _amend(fact: f.Amend) -> str:
    what = "struck out" if fact.to is None else f"corrected to: {tell(fact.to)}"
    whose = f", account {fact.account} {fact.login}".rstrip() if fact.account >= 0 else ""
    return f"fact {fact.target} is {what}" + (f" (by {fact.by}{whose})" if fact.by else "")


def _serviced(fact: f.Serviced) -> str:
    work = f"{fact.deed} by {fact.name}, licence {fact.licence}, at {fact.time}"
    return f"{fact.device}: {work}; {fact.reason}; asset {fact.asset}"


def _by_account(account: int) -> str:
    return f" (account {account})" if account >= 0 else ""


# ---- the floor


def _alert(fact: f.AlertRaised) -> str:
    return f"alert of {fact.table}: {fact.text}"


def _alert_over(fact: f.AlertOver) -> str:
    return f"an alert of {fact.table} has lost its reason: {fact.kind}"


def _alert_acknowledged(fact: f.AlertAcknowledged) -> str:
    who = f"{fact.role} {fact.person} at the {fact.place}"
    return f"alert {fact.alert} of {fact.table} is acknowledged by {who}: {fact.text}" + _by_account(fact.account)


def _protection(fact: f.ProtectionRaised) -> str:
    return f"game protection: {fact.text}"


def _protection_cleared(fact: f.ProtectionCleared) -> str:
    who = f"{fact.role} {fact.person} at the {fact.place}"
    return f"alert {fact.alert} of game protection is cleared by {who}: {fact.reason}" + _by_account(fact.account)


# ---- the float


def _float(fact: f.FloatMoved) -> str:
    slip = f", slip {fact.slip}" if fact.slip else ""
    note = f": {fact.note}" if fact.note else ""
    witness = f", witness {fact.witness_role} {fact.witness}" if fact.witness else ""
    who = f" (by {fact.role} {fact.person} at the {fact.place}{witness})"
    return f"float: {fact.deed} {short(fact.amount)}{slip}{note}{who}" + _by_account(fact.account)


# ---- devices and holds


def _device_fault(fact: f.DeviceFault) -> str:
    return f"{fact.device} reports {fact.code}" + (f": {fact.detail}" if fact.detail else "")


def _device_lost(fact: f.DeviceLost) -> str:
    return f"{fact.device} is lost: {fact.cause or fact.code}"


def _link(fact: f.LinkSealed) -> str:
    kind = "sealed" if fact.sealed else "plain"
    return f"{fact.device}: its link is {kind} from now on" + _by_account(fact.account)


def _hold(fact: f.Hold) -> str:
    return f"the table is held by {fact.code}: " + (f"{fact.device}: {fact.text}" if fact.device else fact.text)


def _released(fact: f.Released) -> str:
    return f"the table is no longer held by {fact.code}" + (f" of {fact.device}" if fact.device else "")


def _missed(fact: f.Missed) -> str:
    held = f"; the table is held by {fact.code}" if fact.code else ""
    return f"{fact.device}: {fact.text}{held}; its events up to {fact.counter} are accounted for"


def _door_allowed(fact: f.DoorAllowed) -> str:
    who = " and ".join(fact.people)
    return f"{fact.device}: its door may be opened for {many(fact.minutes, 'minute')}, by {who}: {fact.reason}"


# ---- meters and time


def _amount(ten_thousandths: int) -> str:
    return f"{ten_thousandths // 10_000}.{ten_thousandths % 10_000:04}"


def _meter_told(fact: f.MeterTold) -> str:
    return f"the prize meter has recorded {fact.last} movements and holds {_amount(fact.value)}"


def _tournament(fact: f.TournamentTold) -> str:
    if not fact.tournament:
        return "the table is no tournament's any more"
    shut = f"; no round may open: {fact.why}" if fact.shut else ""
    seats = many(len(fact.seats), "seat")
    return f"tournament {fact.tournament}: session {fact.session}, level {fact.level}, {seats}{shut}"


def _program(fact: f.ProgramChecked) -> str:
    """Says how the installed files stand."""
    if fact.code:
        return "; ".join((f"{fact.code}: feltd {fact.version} is not as it was approved", *fact.first))
    by = f", manifest {fact.manifest[:12]}" if fact.manifest else ""
    return f"feltd {fact.version} is {fact.signature}{by}: {fact.files} files"


def _clock_stepped(fact: f.ClockStepped) -> str:
    times = f"{_clock(fact.before)} became {_clock(fact.after)}"
    if fact.away:
        return f"the machine was started anew, and nobody can say how long it was off: {times}; no time counts"
    return f"the machine's clock was set: {times}"


def _clock_checked(fact: f.ClockChecked) -> str:
    reading = fact.reading
    battery = "" if reading.battery else "; it has no battery"
    if reading.trust == f.SYNCHRONISED:
        return f"the machine's clock is kept right by a time server{battery}"
    says = "no time server keeps" if reading.trust == f.UNSYNCHRONISED else "nobody can say whether a time server keeps"
    return f"{says} the machine's clock right: the times are not confirmed{battery}"


def _clock_confirmed(fact: f.ClockConfirmed) -> str:
    who = f"{fact.role} {fact.person} at the {fact.place}"
    return f"the machine's clock is right, says {who}: {fact.reason}" + _by_account(fact.account)


def _clock(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1e6, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):  # no year that a calendar has
        return f"{at / 1e6:.0f} s"


TEXTS: Final[dict[type, Callable[[Any], str]]] = {
    f.Started: _started,
    f.CardOut: _card_out,
    f.CardsOut: _cards_out,
    f.CardRead: _card_read,
    f.CuttingCard: lambda fact: "the cutting card is out",
    f.ShoeEmpty: lambda fact: "the shoe is empty",
    f.Shuffled: _shuffled,
    f.DeckIn: lambda fact: f"{fact.device}: a deck with {fact.colour} backs is in",
    f.DeckDeed: _deck_deed,
    f.Turned: _turned,
    f.Hidden: _hidden,
    f.CardsOpened: _cards_opened,
    f.CardKeysDestroyed: _card_keys_destroyed,
    f.Archived: _archived,
    f.Pushed: _pushed,
    f.Chips: _chips,
    f.UnknownChip: _unknown_chip,
    f.Key: _key,
    f.Badge: _badge,
    f.BadgePresented: _badge_read,
    f.SignedIn: _signed_in,
    f.SignedOut: _signed_out,
    f.SignInFailed: _sign_in_failed,
    f.Amend: _amend,
    f.Serviced: _serviced,
    f.Noted: lambda fact: f"{fact.device}: {fact.what}",
    f.DeviceFault: _device_fault,
    f.DeviceCleared: lambda fact: f"{fact.device}: {fact.code} is over",
    f.DeviceLost: _device_lost,
    f.DeviceReady: lambda fact: f"{fact.device} is back",
    f.LinkSealed: _link,
    f.DoorAllowed: _door_allowed,
    f.DoorLocked: lambda fact: f"{fact.device}: its door may not be opened any more",
    f.Hold: _hold,
    f.Released: _released,
    f.Missed: _missed,
    f.MeterIs: lambda fact: f"the prize meter holds {_amount(fact.value)}",
    f.MeterTold: _meter_told,
    f.HouseChanged: lambda fact: f"the house sets {fact.option} to {fact.value}",
    f.Configured: lambda fact: f"feltd {fact.version} goes on with configuration {fact.config[:12]}",
    f.ProgramChecked: _program,
    f.ProgramChallenged: lambda fact: f"the program answered the seed {fact.seed[:16]}: {fact.installation[:16]}",
    f.Snapped: lambda fact: f"a snapshot was taken at fact {fact.seq}",
    f.TournamentTold: _tournament,
    f.Tick: lambda fact: "time passed",
    f.ClockStepped: _clock_stepped,
    f.ClockChecked: _clock_checked,
    f.ClockConfirmed: _clock_confirmed,
    f.AlertRaised: _alert,
    f.AlertOver: _alert_over,
    f.AlertAcknowledged: _alert_acknowledged,
    f.ProtectionRaised: _protection,
    f.ProtectionCleared: _protection_cleared,
    f.FloatMoved: _float,
}
