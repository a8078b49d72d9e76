"""Disputes: noted with the round that they are about, by whoever is signed in, and decided by whom the document names.

A dispute stops nothing.  It is part of the table until it is decided, so it outlives rounds and restarts; with the
record of its round it stays for good.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.rules import Role
from controller.table import causes, facts
from controller.table.documents import Power
from controller.table.duties import spoken
from controller.table.effects import DisputeIs
from controller.table.keys import DECIDED, DISPUTE
from controller.table.roles import allow, declared
from controller.table.state import Dispute, Table
from controller.table.step import Refusal, Step

LAST: Final = "last"  # not the round that is running
MOST: Final = 64  # disputes that wait for their decision
SAYS: Final = {
    "stands": "what was done stands",
    "changed": "what was done was put right",
    "inspector": "the player asks an inspector to look into it",
}


def pressed(s: Step, fact: facts.Key) -> bool:
    """Does what a key about disputes means; False when it is another key."""
    if fact.key not in (DISPUTE.name, DECIDED.name):
        return False
    key = declared(s, fact)
    allow(s, key, fact.args)
    if fact.key == DISPUTE.name:
        _note(s, fact.args)
    else:
        _decide(s, int(fact.args[0]), fact.args[1])
    return True


def _power(s: Step) -> Power:
    return s.powers.dispute or Power("supervisor", "")


def _note(s: Step, args: tuple[str, ...]) -> None:
    """Notes a dispute about an area, with the round that is running, or else the last one."""
    place, what = args[0], args[1] if len(args) > 1 else ""
    about = _round(s.t, last=LAST in args)
    if about is None or len(s.t.disputes) >= MOST:
        why = "too many disputes wait" if about is not None else "no such round was played here"
        s.prompt("dealer", f"{why}: the dispute was noted and is attached to none", _power(s).rule, place)
        return
    number, opened = about
    s.t.disputed += 1
    dispute = Dispute(s.t.disputed, number, opened, place, what, s.role, s.name, s.seq, s.t.now + s.t.ahead)
    s.t.disputes[dispute.number] = dispute
    _keep(s, dispute)
    text = f"dispute {dispute.number} about {spoken(place)} in round {number}{f' ({what})' if what else ''}"
    s.prompt(
        _power(s).role,
        f"{text}: the decision is final; the player may consult an inspector",
        _power(s).rule,
        place,
        (DECIDED.name,),
        causes.OpenDispute(dispute.number),
    )


def _round(t: Table, *, last: bool) -> tuple[int, int] | None:
    """Returns number and first fact of the round that a dispute is about; None when there is none."""
    r = t.round
    if r is None:
        return None
    if last and not r.outcome:
        return (r.number - 1, t.before) if t.before else None
    return r.number, r.opened


def _decide(s: Step, number: int, decision: str) -> None:
    """Takes the decision on a dispute: it is final."""
    dispute = s.t.disputes.pop(number, None)
    if dispute is None:
        waiting = ", ".join(map(str, s.t.disputes)) or "none"
        raise Refusal(_power(s).rule, f"there is no open dispute {number}; open: {waiting}")
    at = s.t.now + s.t.ahead
    decided = replace(
        dispute, decision=decision, decided_role=s.role, decided_name=s.name, decided=s.seq, decided_at=at
    )
    _keep(s, decided)
    text = f"dispute {number}: {SAYS[decision]}"
    role: Role = "casino-manager" if decision == "inspector" else "dealer"
    s.prompt(role, text, _power(s).rule, dispute.place, cause=causes.Noted())


def _keep(s: Step, dispute: Dispute) -> None:
    """Keeps a dispute with its round, and tells whoever has the record of an earlier one."""
    r = s.t.round
    if r is not None and r.opened == dispute.opened:
        r.disputes = [*(each for each in r.disputes if each.number != dispute.number), dispute]
    s.effects.append(DisputeIs(dispute))
