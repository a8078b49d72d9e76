"""All tables of the house on one page: what each of them told last, and the alerts that somebody must acknowledge.

Pure: it is handed what was heard and what is kept.  A table that is not heard is never shown as if it were well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from controller.table.state import Alerts, KeptAlert
from controller.views.alerts import UNREACHABLE, Alert, Urgency, kind_of
from controller.views.summary import TableSummary

State: TypeAlias = Literal["lost", "waited", "stands", "waits", "fault", "well", "closed"]  # waited: not heard yet
_URGENT: Final[tuple[Urgency, ...]] = ("stands", "waits", "fault")
MILLI: Final = 1000  # microseconds


class Loss(msgspec.Struct, frozen=True):
    """Why a table is not heard, in words, and since when."""

    cause: str
    step: str
    since: int  # microseconds since 1970


class WatchedTable(NamedTuple):
    """What is known of one table."""

    name: str
    here: bool = False  # it is the table whose daemon serves this page
    page: str = ""  # where a browser finds its own pages; "": nowhere
    summary: TableSummary | None = None  # what it told last
    at: int = 0  # when that was, in microseconds since 1970
    ahead: int = 0  # microseconds by which its clock is ahead of ours
    loss: Loss | None = None

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """What is open there; of one that is lost, that."""
        if self.loss is not None:
            return (Alert(UNREACHABLE, "", self.loss.cause, self.loss.step),)
        return self.summary.alerts if self.summary is not None else ()


class FloorAlert(msgspec.Struct, frozen=True):
    """One alert as people see it; it can be acknowledged once it is recorded."""

    alert: int | None  # its number; None: it is not recorded yet
    table: str
    kind: str
    title: str
    urgency: Urgency
    text: str
    step: str
    since: int  # milliseconds since 1970, by our clock
    times: int = 1
    over: int | None = None  # when its reason went; None: it stands
    by: str = ""  # who acknowledged it, and when
    acknowledged: int | None = None


class FloorTable(msgspec.Struct, frozen=True):
    """One table as people see it; `summary` is what it told last, also while it is lost."""

    name: str
    here: bool
    page: str
    state: State
    summary: TableSummary | None
    last_heard: int | None  # of one that is lost: when it was heard last, in milliseconds since 1970
    ended: int | None  # when its last round ended, by our clock
    lost: Loss | None
    alerts: int  # that are not acknowledged


class FloorShown(msgspec.Struct, frozen=True):
    """The whole floor."""

    tables: list[FloorTable]
    alerts: list[FloorAlert]  # not acknowledged yet, the most urgent first
    acknowledged: list[FloorAlert]  # whose reason still stands
    unrecorded: bool  # nothing can be recorded here: nobody can acknowledge anything now


def floor(looks: Sequence[WatchedTable], kept: Alerts, now: int, *, unrecorded: bool = False) -> FloorShown:
    """Returns the floor as it stands; `now`: microseconds since 1970."""
    ahead = {each.name: each.ahead for each in looks}
    alerts = [_kept(number, alert, ahead) for number, alert in kept.items()]
    alerts += _unrecorded(looks, kept, now)
    alerts.sort(key=lambda each: (each.over is not None, _URGENT.index(each.urgency), -each.since))
    open_now = [each for each in alerts if not each.by]
    return FloorShown(
        tables=[_table(each, open_now) for each in looks],
        alerts=open_now,
        acknowledged=[each for each in alerts if each.by],
        unrecorded=unrecorded,
    )


def _table(look: WatchedTable, alerts: Iterable[FloorAlert]) -> FloorTable:
    summary = look.summary
    own = [alert for alert in alerts if alert.table == look.name]
    ended = summary.ended if summary is not None else None
    return FloorTable(
        name=look.name,
        here=look.here,
        page=look.page,
        state=_state(look),
        summary=summary,
        last_heard=look.at // MILLI if look.at and look.loss is not None else None,
        ended=ended - look.ahead // MILLI if ended is not None else None,
        lost=look.loss,
        alerts=len(own),
    )


def _state(look: WatchedTable) -> State:
    """Returns how a table stands now, whatever of it is acknowledged."""
    if look.loss is not None:
        return "lost"
    if look.summary is None:
        return "waited"
    urgencies = {kind_of(alert.kind).urgency for alert in look.summary.alerts}
    worst = next((each for each in _URGENT if each in urgencies), None)
    return worst or ("well" if look.summary.open else "closed")


def _kept(number: int, kept: KeptAlert, ahead: Mapping[str, int]) -> FloorAlert:
    kind = kind_of(kept.kind)
    return FloorAlert(
        alert=number,
        table=kept.table,
        kind=kept.kind,
        title=kind.title,
        urgency=kind.urgency,
        text=kept.text,
        step=kept.step,
        since=(kept.since - (0 if kept.kind == UNREACHABLE else ahead.get(kept.table, 0))) // MILLI,
        times=kept.times,
        over=kept.over // MILLI if kept.over else None,
        by=kept.by,
        acknowledged=kept.acknowledged // MILLI if kept.by else None,
    )


def _unrecorded(looks: Iterable[WatchedTable], kept: Alerts, now: int) -> list[FloorAlert]:
    """Returns what is open and not recorded: nothing can be now, or it is about to be."""
    known = {each.subject for each in kept.values() if not each.over}
    return [
        FloorAlert(None, each.name, alert.kind, kind.title, kind.urgency, alert.text, alert.step, since // MILLI)
        for each in looks
        for alert in each.alerts
        if (each.name, alert.kind, alert.about) not in known
        for kind in [kind_of(alert.kind)]
        for since in [_since(each, alert, now)]
    ]


def _since(look: WatchedTable, alert: Alert, now: int) -> int:
    if alert.since:
        return alert.since - look.ahead
    return look.loss.since if look.loss is not None else now


# ---- what must be recorded


class Changes(NamedTuple):
    """What the alerts of the floor differ by from what is kept."""

    raised: list[tuple[str, Alert]]  # each with its table
    over: list[KeptAlert]


def changes(looks: Sequence[WatchedTable], kept: Alerts) -> Changes:
    """Returns the alerts that are new, or came again, and those whose reason is gone.

    What a table that is not heard would say now is not known: its alerts stay as they are.  Those of a table that is
    on this floor no more have lost their reason.
    """
    standing = {each.subject: each for each in kept.values() if not each.over}
    wanted = {(each.name, alert.kind, alert.about): alert for each in looks for alert in each.alerts}
    silent = {each.name for each in looks if each.loss is not None or each.summary is None}
    raised = [(table, alert) for (table, *_), alert in wanted.items() if _new(alert, table, standing)]
    over = [each for subject, each in standing.items() if subject not in wanted and each.table not in silent]
    return Changes(raised, over)


def _new(alert: Alert, table: str, standing: Mapping[tuple[str, str, str], KeptAlert]) -> bool:
    """Tells whether an alert is not kept, or its cause went and came again since."""
    before = standing.get((table, alert.kind, alert.about))
    return before is None or (alert.since > 0 and alert.since != before.since)
