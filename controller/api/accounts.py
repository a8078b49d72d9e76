"""The powers of an account: the groups of table.toml, and the account that the kernel names for each request.

People may say any name; what counts and what is recorded is the account at the other end of the socket.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass

from aiohttp import web

from controller.api import technician
from controller.api.technician import Caller, Forbidden, group_id
from controller.rules import RANKS, Rank, at_least, spoken_role

SUPERVISOR: Rank = "supervisor"
MANAGER: Rank = "area-manager"


@dataclass(frozen=True, slots=True)
class Account:
    """The account of whoever asked, as it is recorded."""

    uid: int
    login: str = ""  # "": the machine knows no name for it

    def signed(self, name: str) -> str:
        """Returns the name that somebody gave, with the account that the kernel names.

        >>> Account(1001, "maria").signed(" manager 1 "), Account(1001).signed("manager 1")
        ('manager 1 (account 1001 maria)', 'manager 1 (account 1001)')
        """
        return f"{name.strip()} (account {self})"

    def __str__(self) -> str:
        return f"{self.uid} {self.login}".strip()


@dataclass(frozen=True, slots=True)
class Accounts:
    """The groups whose members have powers; root and the daemon's own account have all of them."""

    technicians: str = "feltd-technicians"
    supervisors: str = "feltd-supervisors"
    managers: str = "feltd-managers"

    def role(self, caller: Caller) -> Rank | None:
        """Returns the highest role of an account at the table; None when it has none."""
        return role_of(caller, os.geteuid(), group_id(self.supervisors), group_id(self.managers))

    def admit(self, request: web.Request, lowest: Rank = SUPERVISOR) -> Account:
        """Returns who asks, if the account has this role at the table; Forbidden otherwise."""
        caller = technician.caller_of(request)
        role = self.role(caller)
        if role is None or not at_least(role, lowest):
            raise self._not(caller, lowest)
        return account_of(caller)

    def admit_technician(self, request: web.Request) -> Account:
        """Returns who asks, if it is a technician's account; Forbidden otherwise."""
        return account_of(technician.admit(request, self.technicians))

    def admit_either(self, request: web.Request) -> Account:
        """Returns who asks, if it is a technician's or a supervisor's account; Forbidden otherwise."""
        caller = technician.caller_of(request)
        if self.role(caller):
            return account_of(caller)
        return self.admit_technician(request)

    def _not(self, caller: Caller, lowest: Rank) -> Forbidden:
        words = spoken_role(lowest)
        if not at_least(MANAGER, lowest):
            step = f"Let the {words} sign in at the console and press it there."
            return Forbidden(f"person.not-{lowest}", f"no account has the powers of the {words}", step)
        group = self.supervisors if at_least(SUPERVISOR, lowest) else self.managers
        one = f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
        step = f"{one.capitalize()} does this: an account in the group {group} (`sudo usermod -aG {group} USER`)."
        return Forbidden(f"person.not-{lowest}", f"account {account_of(caller)} is not {one}'s", step)


def role_of(caller: Caller, own: int, supervisors: int | None, managers: int | None) -> Rank | None:
    """Returns the highest role: of root and the daemon's own account the highest there is.  None: no such group.

    >>> role_of(Caller(1001, frozenset({7})), 990, 7, 8), role_of(Caller(1001, frozenset({9})), 990, 7, None)
    ('supervisor', None)
    """
    if caller.uid in (0, own):
        return RANKS[-1]
    if managers is not None and managers in caller.groups:
        return MANAGER
    return SUPERVISOR if supervisors is not None and supervisors in caller.groups else None


def account_of(caller: Caller) -> Account:
    """Returns the account with its name on this machine, if it has one."""
    try:
        return Account(caller.uid, pwd.getpwuid(caller.uid).pw_name)
    except (KeyError, OverflowError):
        return Account(caller.uid)
