"""What at a table calls for somebody from the floor: one declaration for each kind of alert.

An alert is not a second opinion: it is read off the notices by cause, and of what stops the whole table.  It is open as
long as its cause stands; that it stays on the floor until somebody has acknowledged it is kept where the floor is
watched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from controller.rules import RANKS
from controller.table import causes
from controller.table.faults import LOST
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views import protection
from controller.views.device_words import sentence, step_at_table
from controller.views.notices import CauseNotice, notices
from controller.views.together import NO_TRUNKS, Trunks
from controller.views.troubles import LEAVE, RESUME

LONGEST: Final = 400  # characters of a text
LONGEST_NAME: Final = 64
MOST: Final = 16  # that a table tells at once; what is wrong beyond that is told when some of these are gone
Urgency: TypeAlias = Literal["stands", "waits", "fault"]  # nothing goes on; somebody is asked; it goes on for now

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST)]  # no table can fill the floor with words
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class Alert(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason why somebody from the floor should come."""

    kind: Name
    about: Name  # the same as long as it is about the same
    text: Text
    step: Text = ""
    since: Count = 0  # microseconds since 1970, by this table's clock; 0: not known


class TableStanding(NamedTuple):
    """What alerts are found in."""

    table: Table
    stopped: str  # why nothing can be recorded or followed, in words; "" while that can be
    notices: tuple[CauseNotice, ...]


class AlertKind(NamedTuple):
    """A kind of alert: its heading, how urgent it is, and how it is found at a table."""

    name: str
    title: str
    urgency: Urgency
    find: Callable[[TableStanding], Iterator[Alert]]


def standing(table: Table, rules: Rules | None, stopped: str = "", trunks: Trunks = NO_TRUNKS) -> TableStanding:
    """Returns what alerts of this table are found in; without rules only what stops it."""
    return TableStanding(table, stopped, tuple(notices(table, rules, trunks)) if rules is not None else ())


def alerts(at: TableStanding) -> list[Alert]:
    """Returns the open alerts of a table, the most urgent first, each once."""
    each_kind = (alert for kind in KINDS for alert in kind.find(at))
    return list({(alert.kind, alert.about): alert for alert in each_kind}.values())[:MOST]


def kind_of(name: str) -> AlertKind:
    """Returns a kind by its name; of one that a later version has, nothing is known but that somebody should come."""
    return _BY_NAME.get(name, AlertKind(name, name.replace("-", " ").capitalize() or "Alert", "waits", _nowhere))


# ---- how each is found


def _stopped(at: TableStanding) -> Iterator[Alert]:
    if at.stopped:
        yield Alert("stopped", "", at.stopped, LEAVE)


def _held(at: TableStanding) -> Iterator[Alert]:
    for notice in at.notices:
        if isinstance(notice.cause, causes.OnHold):
            yield _alert("held", notice, RESUME)


def _ruling(at: TableStanding) -> Iterator[Alert]:
    """Finds what somebody above the dealer is asked or told; faults and holds are alerts of their own."""
    for notice in at.notices:
        above = any(role in RANKS[1:] for role in notice.roles)
        if above and not isinstance(notice.cause, causes.OnHold | causes.Fault):
            yield _alert("ruling", notice, f"Press {' or '.join(notice.offers)}." if notice.offers else "")


def _protection(at: TableStanding) -> Iterator[Alert]:
    """Finds what the table's own protection has raised: it stands there until somebody has cleared it at the table."""
    for number, raised in at.table.protection.waiting.items():
        text = f"{protection.title(raised.kind)}: {raised.text}"
        step = f"{raised.step} Then clear it at that table: felt alerts clear {number}."
        yield Alert("protection", str(number), text[:LONGEST], step.strip()[:LONGEST], max(0, raised.since))


def _faults(at: TableStanding) -> Iterator[Alert]:
    for notice in at.notices:
        if isinstance(notice.cause, causes.Fault):
            yield _alert("fault", notice, step_at_table(LOST if notice.lost else notice.code))


def _nowhere(_at: TableStanding) -> Iterator[Alert]:
    """Finds nothing: such an alert is raised by whoever watches the floor."""
    yield from ()


def _alert(kind: str, notice: CauseNotice, step: str) -> Alert:
    return Alert(kind, _about(notice), sentence(notice.text)[:LONGEST], step[:LONGEST], max(0, notice.since))


def _about(notice: CauseNotice) -> str:
    """Returns a word that is the same whenever it is about the same; it tells no code and no name of a device."""
    text = "" if isinstance(notice.cause, causes.Fault | causes.OnHold) else notice.text
    parts = (notice.cause, notice.roles, notice.rule, notice.place, notice.devices, text)
    return sha256(repr(parts).encode()).hexdigest()[:12]


UNREACHABLE: Final = "unreachable"
KINDS: Final = (
    AlertKind("stopped", "Out of service", "stands", _stopped),
    AlertKind(UNREACHABLE, "Cannot be reached", "stands", _nowhere),
    AlertKind("held", "Held", "stands", _held),
    AlertKind("ruling", "Supervisor wanted", "waits", _ruling),
    AlertKind("protection", "Game protection", "waits", _protection),
    AlertKind("fault", "Fault", "fault", _faults),
)
_BY_NAME: Final = {kind.name: kind for kind in KINDS}
