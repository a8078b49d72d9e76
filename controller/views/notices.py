"""What the table tells people now: one notice for each cause, with since when and how often; gone with its cause.

The words are for people at the table.  The code that a technician looks up stands beside them, never in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from controller.places import Place
from controller.rules import Role, Rule
from controller.table import causes
from controller.table.faults import LOST, STUCK_KEY
from controller.table.keys import ON_AN_OFFER, find_key
from controller.table.rules import Rules
from controller.table.state import Prompt, Table
from controller.views.device_words import fault_words, spoken_device
from controller.views.moments import iso, nth, time_of_day
from controller.views.together import CODE, NO_TRUNKS, SharedLoss, Trunks, together
from controller.views.words import prompt_words

Json = dict[str, Any]
DUE: Final = frozenset(ON_AN_OFFER)  # keys of prompts that say again what is due


class CauseNotice(msgspec.Struct, frozen=True):
    """One thing that people have to know, as long as it is so."""

    roles: tuple[Role, ...]  # who is told
    text: str  # words for people
    rule: Rule = ""
    place: Place = ""
    offers: tuple[str, ...] = ()  # keys that answer it
    code: str = ""  # for technicians; "": nothing is broken
    devices: tuple[str, ...] = ()  # that it is about
    since: int = 0  # microseconds since 1970; 0: not known
    times: int = 1  # how often since the round opened
    due: bool = False  # it says again what the table waits for: a question, a hold or an offer
    lost: bool = False  # a single device cannot be reached; `code` says what took it away
    cause: causes.AnyCause | None = None  # why they are told; of devices that were lost together that of the first

    def line(self, offset: int) -> str:
        """Returns the words with how often and since when; `offset`: seconds from UTC to the clock on the wall."""
        often = [f"{nth(self.times)} time"] if self.times > 1 else []
        since = [f"since {time_of_day(self.since, offset)}"] if self.since and self.code else []
        return f"{self.text} ({', '.join(often + since)})" if often or since else self.text

    def json(self) -> Json:
        """Returns it as plain data, for programs."""
        return {
            "roles": list(self.roles),
            "text": self.text,
            "rule": self.rule,
            "place": self.place,
            "offers": list(self.offers),
            "code": self.code,
            "devices": list(self.devices),
            "since": iso(self.since) if self.since else None,
            "times": self.times,
        }


def notices(table: Table, rules: Rules, trunks: Trunks = NO_TRUNKS) -> list[CauseNotice]:
    """Returns what is told now, the newest last; each cause once, whoever is told of it."""
    group_of = {device: each for each in together(lost_since(table), trunks) for device in each.devices}
    out: dict[object, CauseNotice] = {cause: _fault(table, rules, [], cause) for cause in _unsaid(table)}
    for p in table.live:
        if not isinstance(p.cause, causes.Fault):
            out[id(p)] = _plain(table, p)
            continue
        group = group_of.get(p.cause.device) if p.cause.code == LOST else None
        if group is None and p.cause not in out:
            out[p.cause] = _fault(table, rules, [q for q in table.live if q.cause == p.cause], p.cause)
        elif group is not None and group not in out:
            out[group] = _lost_together(table, rules, group)
    return list(out.values())


def lost_since(table: Table) -> dict[str, int]:
    """Returns the devices that cannot be reached, and since when."""
    lost = (p for p in table.live if isinstance(p.cause, causes.Fault) and p.cause.code == LOST)
    return {p.cause.device: p.since for p in lost if isinstance(p.cause, causes.Fault)}


def _unsaid(table: Table) -> list[causes.Fault]:
    """Returns the faults of which nobody is told by a prompt of their own."""
    open_now = {p.cause for p in table.live}
    faults = (causes.Fault(device, code) for device, codes in table.faults.items() for code in codes)
    return [cause for cause in faults if cause not in open_now]


def _plain(table: Table, p: Prompt) -> CauseNotice:
    held = table.holds.get(p.cause.name) if isinstance(p.cause, causes.OnHold) else None
    code, devices = (held.code, (held.device,) if held.device else ()) if held is not None else ("", ())
    due = isinstance(p.cause, causes.Asked | causes.OnHold) or not DUE.isdisjoint(p.offers)
    return CauseNotice(
        (p.role,), prompt_words(p), p.rule, p.place, p.offers, code, devices, p.since, p.times, due, cause=p.cause
    )


def _fault(table: Table, rules: Rules, same: list[Prompt], cause: causes.Fault) -> CauseNotice:
    code = table.faults.get(cause.device, {}).get(LOST) or LOST if cause.code == LOST else cause.code
    since = min((p.since for p in same), default=0)
    words, lost = _words(table, rules, cause), cause.code == LOST
    return _of(same, words, code, (cause.device,), since, cause, lost=lost)


def _lost_together(table: Table, rules: Rules, group: SharedLoss) -> CauseNotice:
    lost = {causes.Fault(device, LOST) for device in group.devices}
    names = ", ".join(spoken_device(device, rules.called.place) for device in group.devices)
    same = [p for p in table.live if p.cause in lost]
    first = causes.Fault(group.devices[0], LOST)
    return _of(same, group.in_words(names), CODE, group.devices, group.since, first)


def _of(
    same: list[Prompt],
    text: str,
    code: str,
    devices: tuple[str, ...],
    since: int,
    cause: causes.Fault,
    *,
    lost: bool = False,
) -> CauseNotice:
    """Returns one notice for all prompts about one cause."""
    places, offers = _each(p.place for p in same), _each(offer for p in same for offer in p.offers)
    way_out = f"; if the round cannot be completed, press {' or '.join(offers)}" if offers else ""
    return CauseNotice(
        _each(p.role for p in same),
        text + way_out,
        next((p.rule for p in same if p.rule), ""),
        places[0] if len(places) == 1 else "",
        offers,
        code,
        devices,
        since,
        max((p.times for p in same), default=1),
        lost=lost,
        cause=cause,
    )


def _each(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))


def _words(table: Table, rules: Rules, cause: causes.Fault) -> str:
    """Returns a fault for people; what a device adds to it is not said, but which of our keys is stuck."""
    detail = table.faults.get(cause.device, {}).get(cause.code, "")
    if cause.code == STUCK_KEY and find_key(rules, detail) is not None:
        return f"the key {detail} of the console is stuck: it does nothing until it is free; call the technician"
    return fault_words(cause.device, cause.code, rules.called.place)
