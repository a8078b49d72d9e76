"""The lease of a table: of all daemons that run with its identity, the one that speaks for it to the prize meter.

Pure.  A card that was cloned makes two tables out of one: the same name, the same journal, other rounds.  Who holds the
lease is decided by the store's clock, never by a table's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import msgspec

CLONED: Final = "table.cloned"
EXPIRES: Final = 20_000_000  # microseconds after which a holder that says nothing has ended
RECENT: Final = 60_000_000  # microseconds in which a contender that was refused is told to the holder

Verdict = Literal["held", "waiting", "cloned"]


class Holder(msgspec.Struct, frozen=True):
    """A running daemon: its random name, and where it runs."""

    name: str
    machine: str = ""  # the serial number of the hardware; "" where it has none
    boot: str = ""  # of the running kernel
    process: int = 0
    began: int = 0  # by the clock of the kernel: a number is given to another process later

    def to_text(self) -> str:
        """Returns the holder as the store keeps it."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_text(cls, text: str) -> Holder | None:
        """Returns the holder that a store keeps; None when there is none, or nobody can tell who."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError:
            return None

    def describe(self) -> str:
        """Returns where it runs, in words for people."""
        return f"process {self.process} on machine {self.machine or self.boot or 'unknown'}"


class LeaseClaim(msgspec.Struct, frozen=True):
    """The wish of a daemon to speak for its table."""

    holder: Holder
    runs: Callable[[Holder], bool] = lambda other: True  # whether a process of this machine and boot still runs
    held: bool = False  # it had the lease: whoever has it now is a second one
    forced: bool = False  # a technician said that this is the real table
    accused: bool = False  # it was found to be one of two: it takes nothing until a technician has spoken


class Lease(msgspec.Struct, frozen=True):
    """What the store keeps: the holder, when it was heard last, and who else wanted to be it."""

    holder: str = ""
    renewed: int = 0
    contender: str = ""
    contended: int = 0  # `renewed` when the contender came first
    contender_seen: int = 0

    def rival(self, now: int) -> Holder | None:
        """Returns the daemon that wanted to be the holder just now; None: there is no second one."""
        return Holder.from_text(self.contender) if now - self.contender_seen <= RECENT else None


def judge(lease: Lease, claim: LeaseClaim, now: int) -> Verdict:
    """Returns what becomes of a claim: it holds, it waits until it is known whether the holder lives, or two run."""
    holder = claim.holder.to_text()
    if claim.forced or lease.holder == holder:
        return "held"
    if claim.accused or (claim.held and lease.holder):
        return "cloned"
    if not lease.holder or now - lease.renewed > EXPIRES:
        return "held"
    other = Holder.from_text(lease.holder)
    if other is None:
        return "waiting"
    if other.boot and other.boot == claim.holder.boot:
        return "cloned" if claim.runs(other) else "held"
    if other.machine and other.machine == claim.holder.machine:
        return "held"  # the same hardware, started anew: what ran on it before has ended
    return "cloned" if lease.contender == holder and lease.renewed > lease.contended else "waiting"


def contended(lease: Lease, claim: LeaseClaim, now: int) -> Lease:
    """Returns the lease with this claim as the one that was refused."""
    holder = claim.holder.to_text()
    first = lease.renewed if lease.contender != holder else lease.contended
    return Lease(lease.holder, lease.renewed, holder, first, now)


def taken(lease: Lease, claim: LeaseClaim, now: int) -> Lease:
    """Returns the lease with this claim as its holder; a rival that was told apart stays known."""
    holder = claim.holder.to_text()
    if claim.forced or lease.contender == holder:
        return Lease(holder, now)
    return Lease(holder, now, lease.contender, lease.contended, lease.contender_seen)
